// SPDX-License-Identifier: MIT
/* stream.h: process an array on the device piece by piece: while the device works on one piece, the next one is
 * read. */
#ifndef CLPRIM_CLI_STREAM_H
#define CLPRIM_CLI_STREAM_H

#include "cli.h"
#include "source.h"

enum { STREAM_MOST_SLOTS = 2 };

/* The size of the pieces of a fold, if memory allows: large enough for full speed. It is the same for every device, so
 * that sums of floats are, too. */
static const size_t STREAM_PIECE_BYTES = (size_t)1 << 24;

/* A piece that is being processed. */
typedef struct stream_slot {
    unsigned number; /* 0 or 1 */
    void *host;
    size_t host_size;
    cl_mem in; /* the elements on the device */
    size_t in_size;
    size_t first; /* index of its first element */
    size_t count;
    bool is_last; /* it is the last piece */
    bool is_busy;
    cl_event done;
} stream_slot;

typedef struct stream_work {
    size_t piece;       /* elements per piece */
    unsigned num_slots; /* 1: each piece is folded before the next one is launched */
    /* Enqueue the work on slot->in, and the transfer of its result. The upload is already on the device's in-order
     * queue. Store the last command's event in slot->done. */
    cli_result (*launch)(void *user, stream_slot *slot);
    /* Process the result of a piece. Called in the order of the pieces. */
    cli_result (*fold)(void *user, stream_slot *slot);
    void *user;
} stream_work;

cli_result stream_run(const cli_device *device, source *from, const char *doing, const stream_work *work);

#endif
