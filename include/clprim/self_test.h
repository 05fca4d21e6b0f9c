/* clprim/self_test.h: are all variants of all primitives right on this device, by this driver?
 *
 *     size_t wrong;
 *     clprim_runtime_self_test(&wrong, runtime, NULL);
 *     if (wrong > 0) {
 *         char text[4096];
 *         clprim_runtime_set_aside(runtime, text, sizeof text);
 *         fputs(text, stderr);
 *     }
 *
 * Each variant is compiled for a few types and operators, runs on small arrays chosen to be difficult (0 to 40001
 * elements; random, few distinct, equal and descending ones; the limits of the types, infinities, NaNs and both zeros),
 * and is compared with the reference, bit for bit. One plan of each variant has its elements from an expression (.input)
 * and their number in device memory (.count_at), where the primitive takes these. A variant that is wrong, or does not compile, is set aside: see
 * clprim_runtime_set_aside. A program need not do this: on drivers that the project does not test itself plans are
 * tried when they are made (CLPRIM_SELF_TEST in clprim/runtime.h). A kernel that never ends, or a driver that ends the
 * process, is not caught.
 *
 * This is the one part of the library that needs all primitives. */
#ifndef CLPRIM_SELF_TEST_H
#define CLPRIM_SELF_TEST_H

#include <clprim/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clprim_self_test_outcome {
    CLPRIM_SELF_TEST_RIGHT = 0,
    CLPRIM_SELF_TEST_WRONG,      /* or it did not compile */
    CLPRIM_SELF_TEST_UNSUPPORTED /* the device lacks what the variant needs, or the plan is not for this variant */
} clprim_self_test_outcome;

/* One variant with one plan. All of it is borrowed for the call. */
typedef struct clprim_self_test_record {
    const char *primitive; /* "reduce" */
    const char *variant;   /* "single_pass"; "" where the primitive has none of its own */
    const char *plan;      /* "sum of i32", or "sum of i32, .input, .count_at" */
    clprim_self_test_outcome outcome;
    const char *why; /* a sentence; "" where it is right */
} clprim_self_test_record;

typedef void (*clprim_self_test_fn)(void *user, const clprim_self_test_record *record);

/* What to test. Zeroed, or NULL: everything. */
typedef struct clprim_self_test_desc {
    const char *primitive;      /* this one alone */
    const char *variant;        /* those of this name alone */
    bool quick;                 /* each variant with one plan, the first that it supports */
    clprim_self_test_fn report; /* called for every plan, in the calling thread; may be NULL */
    void *user;
} clprim_self_test_desc;

/* Test now, whatever is known and whatever CLPRIM_SELF_TEST says, on a queue of its own; blocks until it is done, which
 * is minutes where everything has to be compiled. *wrong is how many plans were found wrong.
 * Errors: CLPRIM_INVALID_ARGUMENT (also where there is no such primitive or variant), CLPRIM_OUT_OF_MEMORY, or OpenCL's
 * own code; then *wrong is untouched, and what was found so far counts. */
CLPRIM_API clprim_status clprim_runtime_self_test(size_t *wrong, clprim_runtime *runtime,
                                                  const clprim_self_test_desc *desc);

#ifdef __cplusplus
}
#endif
#endif
