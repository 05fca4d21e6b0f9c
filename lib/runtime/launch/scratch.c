// SPDX-License-Identifier: MIT
/* scratch.c: pooled device memory, and the order in which it is used. */
#include "scratch.h"

#include <pthread.h>
#include <stdlib.h>

#include "error.h"
#include "sizes.h"

enum { MAX_IDLE = 8, SMALLEST = 1 << 16 };

/* Release an event if its command has failed. */
static clprim_status drop_failed(cl_event *event, bool *has_failed)
{
    cl_int state = CL_COMPLETE;
    const clprim_status status =
        clprim__cl(clGetEventInfo(*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL),
                   "clGetEventInfo(COMMAND_EXECUTION_STATUS)");
    if (status != CLPRIM_SUCCESS || state >= CL_COMPLETE)
        return status;
    (void)clReleaseEvent(*event);
    *event = NULL;
    if (has_failed != NULL)
        *has_failed = true;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__last_use_event(cl_event *out, bool *has_failed, const clprim__last_use *last,
                                     cl_command_queue queue)
{
    *out = NULL;
    if (has_failed != NULL)
        *has_failed = false;
    clprim_status status = CLPRIM_SUCCESS;
    if (last->event == NULL && (last->queue == NULL || last->queue == queue))
        return CLPRIM_SUCCESS;
    if (last->event != NULL) {
        CLPRIM__TRY(clprim__cl(clRetainEvent(last->event), "clRetainEvent"));
        *out = last->event;
    } else {
        CLPRIM__TRY(clprim__cl(clEnqueueMarkerWithWaitList(last->queue, 0, NULL, out), "clEnqueueMarkerWithWaitList"));
    }
    CLPRIM__TRY(drop_failed(out, has_failed));
    /* An event of another queue is only guaranteed to complete after that queue was flushed. */
    if (*out != NULL && last->queue != NULL && last->queue != queue)
        CLPRIM__TRY(clprim__cl(clFlush(last->queue), "clFlush"));
done:
    return status;
}

void clprim__last_use_set(clprim__last_use *last, cl_command_queue queue, cl_event event)
{
    if (last->queue == queue && last->event == NULL && event == NULL)
        return;
    /* The work is already enqueued, so it is too late to fail. If the driver refuses a reference to the event or the
     * queue, use the event of a marker instead; for that event, the queue need not be known. */
    cl_event own = event != NULL && clRetainEvent(event) == CL_SUCCESS ? event : NULL;
    const bool keeps_queue = clRetainCommandQueue(queue) == CL_SUCCESS;
    if ((event != NULL || !keeps_queue) && own == NULL &&
        clEnqueueMarkerWithWaitList(queue, 0, NULL, &own) != CL_SUCCESS)
        own = NULL; /* after an error, nothing will run any more */
    if (!keeps_queue)
        (void)clFlush(queue);
    clprim__last_use_clear(last);
    *last = (clprim__last_use){.queue = keeps_queue ? queue : NULL, .event = own};
}

void clprim__last_use_clear(clprim__last_use *last)
{
    if (last->event != NULL)
        (void)clReleaseEvent(last->event);
    if (last->queue != NULL)
        (void)clReleaseCommandQueue(last->queue);
    *last = (clprim__last_use){0};
}

cl_ulong clprim__new_lifetime(void)
{
    static cl_ulong last = 1;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

struct clprim__scratch_pool {
    cl_context context;
    pthread_mutex_t mutex;
    clprim__scratch idle[MAX_IDLE];
    int num_idle;
};

clprim_status clprim__scratch_pool_create(clprim__scratch_pool **out, cl_context context)
{
    clprim__scratch_pool *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    self->context = context;
    pthread_mutex_init(&self->mutex, NULL);
    *out = self;
    return CLPRIM_SUCCESS;
}

static void free_scratch(clprim__scratch *scratch)
{
    clprim__last_use_clear(&scratch->last);
    if (scratch->memory != NULL)
        (void)clReleaseMemObject(scratch->memory); /* OpenCL keeps the memory until the work that uses it is complete */
    *scratch = (clprim__scratch){0};
}

void clprim__scratch_pool_trim(clprim__scratch_pool *self)
{
    pthread_mutex_lock(&self->mutex);
    while (self->num_idle > 0)
        free_scratch(&self->idle[--self->num_idle]);
    pthread_mutex_unlock(&self->mutex);
}

void clprim__scratch_pool_destroy(clprim__scratch_pool *self)
{
    if (self == NULL)
        return;
    clprim__scratch_pool_trim(self);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

/* How good a buffer is; lower is better. A buffer that this queue used last needs no waiting. Negative: too small. */
static int cost(const clprim__scratch *candidate, size_t size, cl_command_queue queue)
{
    if (candidate->size < size)
        return -1;
    return candidate->last.queue == queue && candidate->last.event == NULL ? 0 : 1;
}

/* The best idle buffer, or -1. A buffer that must be waited for is taken only if the pool is full, so that work in
 * several queues can run concurrently. The mutex must be held. */
static int choose(const clprim__scratch_pool *self, size_t size, cl_command_queue queue)
{
    int best = -1;
    for (int i = 0; i < self->num_idle; i++) {
        const int own = cost(&self->idle[i], size, queue);
        if (own < 0 || (own > 0 && self->num_idle < MAX_IDLE))
            continue;
        if (best < 0 || own < cost(&self->idle[best], size, queue) ||
            (own == cost(&self->idle[best], size, queue) && self->idle[i].size < self->idle[best].size))
            best = i;
    }
    return best;
}

/* Round up to a multiple of an eighth of the next power of two. So slowly growing sizes do not need an allocation each
 * time, and buffers above SMALLEST are at most a quarter larger than needed. They must not be much larger: a driver
 * that allocates at a buffer's first use does not report at creation that the buffer is too large. */
static size_t rounded_up(size_t size)
{
    enum { EIGHTHS = 8 };
    size_t power = SMALLEST;
    while (power < size && power <= SIZE_MAX / 4)
        power *= 2;
    const size_t step = power / EIGHTHS;
    return power == SMALLEST ? power : clprim__plus(size, (step - size % step) % step);
}

clprim_status clprim__scratch_acquire(clprim__scratch *out, clprim__scratch_pool *self, size_t size,
                                      cl_command_queue queue)
{
    pthread_mutex_lock(&self->mutex);
    const int chosen = choose(self, size, queue);
    if (chosen >= 0) {
        *out = self->idle[chosen];
        self->idle[chosen] = self->idle[--self->num_idle];
    }
    pthread_mutex_unlock(&self->mutex);
    if (chosen >= 0)
        return CLPRIM_SUCCESS;
    size_t rounded = rounded_up(size);
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(self->context, CL_MEM_READ_WRITE, rounded, NULL, &code);
    if (code != CL_SUCCESS) {
        rounded = size;
        memory = clCreateBuffer(self->context, CL_MEM_READ_WRITE, rounded, NULL, &code);
    }
    if (code != CL_SUCCESS)
        return clprim__cl(code, "clCreateBuffer for scratch memory");
    *out = (clprim__scratch){.memory = memory, .lifetime = clprim__new_lifetime(), .size = rounded};
    return CLPRIM_SUCCESS;
}

void clprim__scratch_release(clprim__scratch_pool *self, clprim__scratch *scratch)
{
    if (scratch->memory == NULL)
        return;
    clprim__scratch surplus = *scratch;
    *scratch = (clprim__scratch){0};
    pthread_mutex_lock(&self->mutex);
    if (self->num_idle < MAX_IDLE) {
        self->idle[self->num_idle++] = surplus;
        surplus = (clprim__scratch){0};
    } else {
        for (int i = 0; i < MAX_IDLE; i++) { /* keep the larger buffers */
            if (self->idle[i].size < surplus.size) {
                const clprim__scratch smaller = self->idle[i];
                self->idle[i] = surplus;
                surplus = smaller;
            }
        }
    }
    pthread_mutex_unlock(&self->mutex);
    free_scratch(&surplus);
}
