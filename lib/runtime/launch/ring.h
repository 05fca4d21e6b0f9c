// SPDX-License-Identifier: MIT
/* ring.h: transfer bytes between host arrays and the buffer of a device that has its own memory, through pinned memory.
 *
 *     clprim__ring ring = {0};
 *     if (clprim__ring_make(&ring, runtime))
 *         status = clprim__ring_run(&ring, &(const clprim__transfer){.buffer = b, .to = out, .bytes = n});
 *     clprim__ring_release(&ring);
 *
 * A ring has slots of pinned memory, and threads that sleep between transfers. To send data to the device, the threads
 * copy it into the slots, and the calling thread lets the driver transfer the slots that are full. To receive data, it
 * is the other way round. A ring runs one transfer at a time. */
#ifndef CLPRIM_LIB_RING_H
#define CLPRIM_LIB_RING_H

#include <clprim/runtime.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A range of bytes on the host. */
typedef struct clprim__span {
    const char *data;
    size_t bytes;
} clprim__span;

/* Transfer `bytes` bytes of a buffer, starting at byte `offset`: to the device from the spans, one after another, or
 * from the device to `to`. */
typedef struct clprim__transfer {
    cl_mem buffer;
    size_t offset, bytes;
    const clprim__span *from; /* NULL: transfer to the host */
    size_t num_spans;
    char *to;
} clprim__transfer;

enum { CLPRIM__RING_MOST = 7 };

typedef struct clprim__ring {
    size_t num_copiers; /* 0: the ring is empty; otherwise there are two slots per copier */
    long owner;         /* the process: threads do not survive fork(): a forked process has no copiers */
    pthread_t copiers[CLPRIM__RING_MOST];
    cl_command_queue queue; /* in-order */
    cl_mem pinned;
    char *slots;           /* where the slots are mapped, one after another */
    pthread_mutex_t mutex; /* guards the members below */
    pthread_cond_t changed;
    struct clprim__ring_turn *turn; /* the transfer in progress; NULL: none */
    size_t turns;                   /* number of transfers so far */
    size_t at_work;                 /* copiers that work on it */
    bool is_over;
} clprim__ring;

/* The smallest transfer, in bytes, for which a ring is faster. */
size_t clprim__ring_worth(void);

/* Create a ring; *self must be empty. Returns false, and *self stays empty, if pinned memory or threads are not
 * available. */
bool clprim__ring_make(clprim__ring *self, const clprim_runtime *runtime);
void clprim__ring_release(clprim__ring *self);

/* Run a transfer and wait until it is done. After an OpenCL error, release the ring: transfers may still be in
 * progress. */
clprim_status clprim__ring_run(clprim__ring *self, const clprim__transfer *what);

#endif
