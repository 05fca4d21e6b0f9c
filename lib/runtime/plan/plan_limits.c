// SPDX-License-Identifier: MIT
/* plan_limits.c: how much memory a run may use, how many elements fit, and how a run reports its progress. */
#include <stdlib.h>

#include "error.h"
#include "plan_pieces.h"
#include "platform.h"
#include "runtime_internal.h"

size_t clprim__device_limit(const clprim_runtime *runtime)
{
    const size_t all = runtime->info.global_memory_size;
    return runtime->limits.device_memory != 0 ? runtime->limits.device_memory : all - all / 8;
}

size_t clprim__most_that_fits(size_t room, size_t (*bytes)(const void *user, size_t count), const void *user,
                              size_t most)
{
    enum { ROUND = 4096 };
    size_t least = 0;
    if (bytes(user, most) <= room)
        return most;
    while (most - least > 1) { /* invariant: `least` fits, `most` does not */
        const size_t middle = least + (most - least) / 2;
        if (bytes(user, middle) <= room)
            least = middle;
        else
            most = middle;
    }
    return least > ROUND ? least - least % ROUND : least;
}

void *clprim__host_allocate(const clprim_runtime *runtime, size_t bytes)
{
    const clprim_run_limits *limits = &runtime->limits;
    void *memory = limits->allocate != NULL ? limits->allocate(limits->user, bytes) : clprim__allocate_pages(bytes);
    if (memory == NULL)
        (void)clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory: a run in pieces needs %zu bytes", bytes);
    return memory;
}

void clprim__host_release(const clprim_runtime *runtime, void *memory, size_t bytes)
{
    const clprim_run_limits *limits = &runtime->limits;
    if (memory == NULL)
        return;
    if (limits->release != NULL)
        limits->release(limits->user, memory, bytes);
    else
        free(memory);
}

clprim_status clprim__run_progress(const clprim_plan *plan, size_t done, size_t total)
{
    const clprim_run_limits *limits = &plan->runtime->limits;
    const char *name = plan->operation->face->name;
    if (limits->progress == NULL || limits->progress(limits->user, name, done, total) == 0)
        return CLPRIM_SUCCESS;
    return clprim__fail(CLPRIM_STOPPED, "the progress function stopped clprim_%s_run after %zu of %zu elements", name,
                        done, total);
}
