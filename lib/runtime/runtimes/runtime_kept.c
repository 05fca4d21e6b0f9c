// SPDX-License-Identifier: MIT
/* runtime_kept.c: the runtimes that the library keeps for callers' contexts (clprim_runtime_of). */
#include <clprim/runtime.h>
#include <pthread.h>
#include <stdlib.h>

#include "error.h"
#include "runtime_internal.h"

typedef struct kept_runtime {
    struct kept_runtime *next;
    clprim_runtime *runtime; /* it retains its context, so no other context can get the same handle */
} kept_runtime;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static kept_runtime *all; /* newest first; never destroyed: at exit, the drivers may be unloaded before the library */

static clprim_status ask(void *out, cl_command_queue queue, cl_command_queue_info what, size_t size)
{
    return clprim__cl(clGetCommandQueueInfo(queue, what, size, out, NULL), "clGetCommandQueueInfo");
}

static clprim_runtime *find(cl_context context, cl_device_id device)
{
    const kept_runtime *kept = all;
    while (kept != NULL && (kept->runtime->context != context || kept->runtime->info.device != device))
        kept = kept->next;
    return kept != NULL ? kept->runtime : NULL;
}

static clprim_status keep_new(clprim_runtime **out, const clprim_runtime_desc *desc)
{
    kept_runtime *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    const clprim_status status = clprim_runtime_create(&self->runtime, desc);
    if (status != CLPRIM_SUCCESS) {
        free(self);
        return status;
    }
    self->next = all;
    all = self;
    *out = self->runtime;
    return CLPRIM_SUCCESS;
}

clprim_status clprim_runtime_of(clprim_runtime **out, cl_command_queue queue)
{
    clprim_runtime_desc desc = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (out == NULL || queue == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_of: %s is NULL", out == NULL ? "out" : "queue");
    CLPRIM__TRY(ask(&desc.context, queue, CL_QUEUE_CONTEXT, sizeof(cl_context)));
    CLPRIM__TRY(ask(&desc.device, queue, CL_QUEUE_DEVICE, sizeof(cl_device_id)));
    pthread_mutex_lock(&mutex); /* held while a runtime is created, so that each context gets only one */
    clprim_runtime *kept = find(desc.context, desc.device);
    if (kept == NULL)
        status = keep_new(&kept, &desc);
    if (kept != NULL)
        *out = clprim__runtime_retain(kept);
    pthread_mutex_unlock(&mutex);
done:
    return status;
}

void clprim_runtime_forget(cl_context context)
{
    kept_runtime *forgotten = NULL;
    pthread_mutex_lock(&mutex);
    for (kept_runtime **at = &all; *at != NULL;) {
        kept_runtime *kept = *at;
        if (context != NULL && kept->runtime->context != context) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        kept->next = forgotten;
        forgotten = kept;
    }
    pthread_mutex_unlock(&mutex);
    while (forgotten != NULL) {
        kept_runtime *next = forgotten->next;
        clprim_runtime_destroy(forgotten->runtime);
        free(forgotten);
        forgotten = next;
    }
}
