// SPDX-License-Identifier: MIT
/* scratch.h: device memory between calls, and the order in which calls may use it.
 *
 * Two calls must not use shared memory at the same time. Within a single in-order queue, this is guaranteed and costs
 * nothing. Across queues, and within an out-of-order queue, the later call waits for the event of the earlier one.
 * clprim__last_use holds what the later call needs to know. */
#ifndef CLPRIM_LIB_SCRATCH_H
#define CLPRIM_LIB_SCRATCH_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

/* The queue on which some memory was last used (a reference is held), and, for an out-of-order queue, the event of that
 * use. An event without a queue is also allowed, if the queue was flushed. Zeroed: not used yet. */
typedef struct clprim__last_use {
    cl_command_queue queue;
    cl_event event;
} clprim__last_use;

/* Find the event that a new use on `queue` must wait for. *out is that event, which the caller releases, or NULL if the
 * queue's own order is enough. A use that has failed is over and is not waited for: the new use would fail too, or
 * never begin. *has_failed says whether the last use is known to have failed; has_failed may be NULL. Errors:
 * OpenCL's. */
clprim_status clprim__last_use_event(cl_event *out, bool *has_failed, const clprim__last_use *last,
                                     cl_command_queue queue);
/* Record a use. `event` is NULL for an in-order queue. */
void clprim__last_use_set(clprim__last_use *last, cl_command_queue queue, cl_event event);
void clprim__last_use_clear(clprim__last_use *last);

/* Return a new number for a lifetime: a period during which a reference to some buffer is held. After it, another
 * buffer may get the same handle. So a handle together with its lifetime identifies a buffer. The number is greater
 * than 1. Thread-safe. */
cl_ulong clprim__new_lifetime(void);

typedef struct clprim__scratch {
    cl_mem memory;
    cl_ulong lifetime;
    size_t size;
    clprim__last_use last;
} clprim__scratch;

/* A pool of buffers that the plans of a runtime share. Thread-safe. */
typedef struct clprim__scratch_pool clprim__scratch_pool;

clprim_status clprim__scratch_pool_create(clprim__scratch_pool **out, cl_context context);
void clprim__scratch_pool_destroy(clprim__scratch_pool *self);

/* Release idle memory. Work that uses it still completes. */
void clprim__scratch_pool_trim(clprim__scratch_pool *self);

/* Borrow at least `size` bytes for use on `queue`. Their content is unspecified. Give them back, with the last use
 * recorded, as soon as the work that uses them is enqueued. Errors: CLPRIM_OUT_OF_MEMORY, OpenCL's. */
clprim_status clprim__scratch_acquire(clprim__scratch *out, clprim__scratch_pool *self, size_t size,
                                      cl_command_queue queue);
void clprim__scratch_release(clprim__scratch_pool *self, clprim__scratch *scratch);

#endif
