/* test_device.h: programs with the functions for callers' kernels (include/clprim/device). */
#ifndef CLPRIM_TEST_DEVICE_H
#define CLPRIM_TEST_DEVICE_H

#include "support.h"

/* How a program gets the functions. */
enum {
    BY_TEXT,     /* from clprim_device_source, with the device's options */
    BY_INCLUDE,  /* with -I, without options */
    BY_SOFTWARE, /* as BY_TEXT, and the program has sub-groups of 4 work-items */
    BY_MATCHES,  /* the same, and the program knows the width */
    WAYS
};

enum { MOST_HEADERS = 16 };

cl_program device_build(const clprim_runtime *runtime, size_t way, const char *const *headers, size_t num_headers,
                        const char *text);
/* One group of group_size work-items. `numbers`, if it is not NULL, is the kernel's third argument. */
void device_run(const clprim_runtime *runtime, cl_program program, const char *name, cl_mem in, cl_mem out,
                const cl_uint4 *numbers, size_t group_size);

#endif
