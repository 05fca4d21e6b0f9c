// SPDX-License-Identifier: MIT
/* unoptimized.c: builds without optimization, and builds that never end. This file replaces clBuildProgram (with the
 * linker's --wrap). It contains nothing else, because the test of faults has its own clBuildProgram. */
#include "unoptimized.h"

#include <stdio.h>
#include <stdlib.h>

typedef void(CL_CALLBACK *on_built)(cl_program program, void *user);
cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             on_built notify, void *user);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             on_built notify, void *user);

cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             on_built notify, void *user)
{
    static const char format[] = "%s -cl-opt-disable";
    if (test_before_build != NULL)
        test_before_build(program);
    if (!test_builds_unoptimized)
        return __real_clBuildProgram(program, count, devices, options, notify, user);
    const int size = snprintf(NULL, 0, format, options);
    char *all = malloc((size_t)size + 1);
    if (all == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    (void)snprintf(all, (size_t)size + 1, format, options);
    const cl_int code = __real_clBuildProgram(program, count, devices, all, notify, user);
    free(all);
    return code;
}
