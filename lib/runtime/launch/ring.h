/* ring.h: bytes between arrays on the host and a buffer of a device with memory of its own, through pinned memory.
 *
 *     clprim__ring ring = {0};
 *     if (clprim__ring_make(&ring, runtime))
 *         status = clprim__ring_run(&ring, &(const clprim__transfer){.buffer = b, .to = out, .bytes = n});
 *     clprim__ring_release(&ring);
 *
 * A ring has slots of pinned memory, and threads that sleep between transfers. They copy into the slots while the
 * calling thread has the driver transfer what is complete; or the other way round. One transfer at a time. */
#ifndef CLPRIM_LIB_RING_H
#define CLPRIM_LIB_RING_H

#include <clprim/runtime.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Bytes on the host. */
typedef struct clprim__span {
    const char *data;
    size_t bytes;
} clprim__span;

/* `bytes` bytes from byte `offset` of a buffer on: to the device from the spans, one after the other, or from the
 * device to `to`. */
typedef struct clprim__transfer {
    cl_mem buffer;
    size_t offset, bytes;
    const clprim__span *from; /* NULL: to the host */
    size_t num_spans;
    char *to;
} clprim__transfer;

enum { CLPRIM__RING_MOST = 7 };

typedef struct clprim__ring {
    size_t num_copiers; /* 0: the ring is empty; otherwise there are two slots for each */
    pid_t owner;        /* a process that was forked off has no copiers */
    pthread_t copiers[CLPRIM__RING_MOST];
    cl_command_queue queue; /* in-order */
    cl_mem pinned;
    char *slots;           /* where it is mapped: one slot after the other */
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t changed;
    struct clprim__ring_turn *turn; /* the transfer under way; NULL: none */
    size_t turns;                   /* so far */
    size_t at_work;                 /* copiers */
    bool is_over;
} clprim__ring;

/* Transfers from so many bytes on are worth a ring. */
size_t clprim__ring_worth(void);

/* *`self` must be empty. False if pinned memory or threads are not available; it is then still empty. */
bool clprim__ring_make(clprim__ring *self, const clprim_runtime *runtime);
void clprim__ring_release(clprim__ring *self);

/* Transfer, and wait for it. After an error of OpenCL's the ring is to be released, since transfers may be under way
 * that nobody has waited for. */
clprim_status clprim__ring_run(clprim__ring *self, const clprim__transfer *what);

#endif
