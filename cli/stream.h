/* stream.h: an array goes through the device chunk by chunk: while the device works on one, the next is read. */
#ifndef CLPRIM_CLI_STREAM_H
#define CLPRIM_CLI_STREAM_H

#include "cli.h"
#include "source.h"

enum { STREAM_MOST_SLOTS = 2 };

/* What a fold takes at a time where memory allows more: enough for full speed. It is the same on every device, so that
 * sums of floats are. */
static const size_t STREAM_CHUNK_BYTES = (size_t)1 << 24;

/* A chunk on its way. */
typedef struct stream_slot {
    unsigned number; /* 0, or 1 */
    void *host;
    size_t host_size;
    cl_mem in; /* the elements on the device */
    size_t in_size;
    size_t first; /* index of its first element */
    size_t count;
    bool is_last; /* nothing follows */
    bool is_busy;
    cl_event done;
} stream_slot;

typedef struct stream_work {
    size_t chunk;       /* elements */
    unsigned num_slots; /* 1: each chunk is folded before the next is launched */
    /* Enqueue what is to be done with slot->in, behind the upload that is on its way, on the device's queue (which is
     * in order), and to bring the result; the event of the last command goes to slot->done. */
    cli_result (*launch)(void *user, stream_slot *slot);
    /* The result is there. Chunks come in their order. */
    cli_result (*fold)(void *user, stream_slot *slot);
    void *user;
} stream_work;

cli_result stream_run(const cli_device *device, source *from, const char *doing, const stream_work *work);

#endif
