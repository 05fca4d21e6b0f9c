// SPDX-License-Identifier: MIT
/* runtime_internal.h: the members of a runtime that the rest of the library uses. */
#ifndef CLPRIM_LIB_RUNTIME_INTERNAL_H
#define CLPRIM_LIB_RUNTIME_INTERNAL_H

#include <clprim/runtime.h>

#include "program.h"
#include "scratch.h"
#include "trace.h"
#include "tuning.h"
#include "verdicts.h"

struct clprim_runtime {
    clprim_device_info info;
    cl_context context;
    cl_command_queue queue;
    clprim__programs *programs;
    clprim__scratch_pool *scratch;
    struct clprim__host_link *host_link;
    clprim__tuning *tuning;
    clprim__verdicts *verdicts;
    clprim_run_limits limits; /* as the caller set them */
    clprim_trace_fn trace;
    void *trace_user;
    clprim__trace *timeline; /* NULL if CLPRIM_TRACE is not set */
    int references;          /* changed atomically */
};

/* Plans hold references, so that a runtime lives as long as its last user. */
clprim_runtime *clprim__runtime_retain(clprim_runtime *runtime);

#endif
