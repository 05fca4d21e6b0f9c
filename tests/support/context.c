// SPDX-License-Identifier: MIT
/* context.c: a process takes its slot before its first context (slots.h). This file replaces clCreateContext (with the
 * linker's --wrap). It contains nothing else, because the test of faults has its own clCreateContext. */
#include "slots.h"

#include <clprim/clprim.h>

typedef void(CL_CALLBACK *on_error)(const char *text, const void *info, size_t size, void *user);
cl_context __real_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                                  on_error notify, void *user, cl_int *code);
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                                  on_error notify, void *user, cl_int *code);

cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                                  on_error notify, void *user, cl_int *code)
{
    test_take_slot();
    return __real_clCreateContext(properties, count, devices, notify, user, code);
}
