// SPDX-License-Identifier: MIT
/* test_device.h: shared by the tests of the functions for callers' kernels. */
#ifndef CLPRIM_TESTS_TEST_DEVICE_H
#define CLPRIM_TESTS_TEST_DEVICE_H

#include <clprim/device.h>
#include <stdbool.h>
#include <stddef.h>

/* How a program gets the functions' source. */
enum {
    BY_TEXT,         /* from clprim_device_source, with the device's options */
    BY_INCLUDE,      /* with -I, without options */
    BY_SOFTWARE,     /* as BY_TEXT, and the program has sub-groups of 4 work-items */
    BY_MATCHES,      /* the same, with a constant width */
    BY_WIDE_MATCHES, /* the same with a width of 64 */
    WAYS
};

/* A type and an operator, on the device and on the host. */
typedef struct fold_by {
    const char *type;
    size_t size;
    const char *source;
    const char *combine;
    const char *identity;
    void (*fold)(void *a, const void *b); /* a becomes a OP b */
    bool is_float;
} fold_by;

enum { DEVICE_FOLDS = 10 };
extern const fold_by device_folds[DEVICE_FOLDS];

/* Compute all folds of `count` values, beginning with the first one. */
void device_scan(unsigned char *out, const fold_by *op, const unsigned char *in, size_t count);

/* Whether this turn of CI includes the case (support/sample.c). A quick run, which leaves out whole tests, includes all
 * cases of the remaining ones. */
bool device_has_turn(const char *test, size_t number, size_t group_size);

/* Build a program of all headers and `text`, with `more` options. */
cl_program device_build(const clprim_runtime *runtime, size_t way, const char *more, const char *text);

/* Run a kernel to its end. */
void device_launch(const clprim_runtime *runtime, cl_kernel kernel, size_t groups, size_t group_size);

/* The same for a program's kernel in one group. If `numbers` is not NULL, it is the third argument. */
void device_run(const clprim_runtime *runtime, cl_program program, const char *name, cl_mem in, cl_mem out,
                const cl_uint4 *numbers, size_t group_size);

#endif
