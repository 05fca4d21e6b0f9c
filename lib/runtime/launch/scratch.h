/* scratch.h: device memory between calls, and the order in which calls may use it.
 *
 * Memory that two calls share must not be used by both at once. Within one in-order queue that takes care of itself
 * and costs nothing; across queues, or within an out-of-order one, the later call waits for the earlier one's event.
 * clprim__last_use is what the later call needs to know. */
#ifndef CLPRIM_LIB_SCRATCH_H
#define CLPRIM_LIB_SCRATCH_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

/* The queue on which some memory was last used (a reference is held), and on an out-of-order queue the event of that
 * use. An event without a queue, which was flushed then, says enough, too. Zeroed: not used yet. */
typedef struct clprim__last_use {
    cl_command_queue queue;
    cl_event event;
} clprim__last_use;

/* What a new use on `queue` must wait for: *out is an event, the caller's to release, or NULL where the queue's own
 * order suffices. A use that has failed is over, and is not waited for: the new use would fail with it, or never begin.
 * *has_failed, which may be NULL, says whether it is known to have failed. Errors: OpenCL's. */
clprim_status clprim__last_use_event(cl_event *out, bool *has_failed, const clprim__last_use *last,
                                     cl_command_queue queue);
/* Record a use. `event` is NULL on an in-order queue. */
void clprim__last_use_set(clprim__last_use *last, cl_command_queue queue, cl_event event);
void clprim__last_use_clear(clprim__last_use *last);

/* A number for each time during which a reference to some buffer is held: its handle, which another buffer may get
 * afterwards, means this one as long as that number stays with it. Thread-safe. More than 1. */
cl_ulong clprim__new_lifetime(void);

typedef struct clprim__scratch {
    cl_mem memory;
    cl_ulong lifetime;
    size_t size;
    clprim__last_use last;
} clprim__scratch;

/* Buffers that the plans of a runtime share. Thread-safe. */
typedef struct clprim__scratch_pool clprim__scratch_pool;

clprim_status clprim__scratch_pool_create(clprim__scratch_pool **out, cl_context context);
void clprim__scratch_pool_destroy(clprim__scratch_pool *self);

/* Give up idle memory; work that uses it still completes. */
void clprim__scratch_pool_trim(clprim__scratch_pool *self);

/* Borrow at least `size` bytes for use on `queue`; the content is undefined. Give it back, with last use recorded, as
 * soon as the work that uses it is enqueued. Errors: CLPRIM_OUT_OF_MEMORY, OpenCL's. */
clprim_status clprim__scratch_acquire(clprim__scratch *out, clprim__scratch_pool *self, size_t size,
                                      cl_command_queue queue);
void clprim__scratch_release(clprim__scratch_pool *self, clprim__scratch *scratch);

#endif
