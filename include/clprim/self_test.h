// SPDX-License-Identifier: MIT
/* clprim/self_test.h: test whether all variants of all operations give correct results on this device with this driver.
 *
 *     size_t wrong;
 *     clprim_runtime_self_test(&wrong, runtime, NULL);
 *     if (wrong > 0) {
 *         char text[4096];
 *         clprim_runtime_set_aside(runtime, text, sizeof text);
 *         fputs(text, stderr);
 *     }
 *
 * The self-test compiles each variant for a few types and operators, runs it on small, difficult arrays, and compares
 * the results with the reference, bit for bit. The arrays have 0 to 40001 elements: random, few distinct, all equal,
 * descending, limits of the types, infinities, NaNs and both zeros. If the operation supports it, one plan of each
 * variant takes its elements from an expression (.input) and their number from device memory (.count_at).
 *
 * The self-test disables a variant that gives wrong results or does not compile (clprim_runtime_set_aside).
 *
 * PROCESSES THAT END
 *
 * A driver that crashes takes the process with it, and one that hangs goes on until somebody ends the process. On drivers
 * that the project does not test, and with CLPRIM_SELF_TEST=always, the library therefore notes in the directory of
 * compiled kernels what it is about to compile or to try for the first time, and removes the note afterwards. If a process
 * ends in between, whatever the reason, later processes skip the variant as if its results were wrong; the sentence says
 * so. After a crash, run the self-test again: it continues after the variant that crashed. `.again` forgets what ended
 * earlier processes, so that this test and runtimes that are made later try it once more. Another version of the driver
 * makes all notes void. There are no notes without that directory (CLPRIM_CACHE=off).
 *
 * Programs need not run it: on drivers that the project does not test, the library tests variants when it makes plans
 * (CLPRIM_SELF_TEST in clprim/runtime.h).
 *
 * No other part of the library depends on all operations. */
#ifndef CLPRIM_SELF_TEST_H
#define CLPRIM_SELF_TEST_H

#include <clprim/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clprim_self_test_outcome {
    /* All results are correct. */
    CLPRIM_SELF_TEST_RIGHT = 0,

    /* A result is wrong, the variant does not compile, or compiling or trying it ended an earlier process. */
    CLPRIM_SELF_TEST_WRONG,

    /* The device lacks what the variant needs, or the variant does not support this plan. */
    CLPRIM_SELF_TEST_UNSUPPORTED
} clprim_self_test_outcome;

/* The result of one variant with one plan. The record and its strings are valid only during the call of .report. */
typedef struct clprim_self_test_record {
    /* Name of the operation, such as "reduce". */
    const char *primitive;

    /* Name of the variant, such as "single_pass". "" if the operation has no variants of its own. */
    const char *variant;

    /* What the plan does, such as "sum of i32" or "sum of i32, .input, .count_at". */
    const char *plan;

    clprim_self_test_outcome outcome;

    /* A sentence with the reason. "" if .outcome is RIGHT. */
    const char *why;
} clprim_self_test_record;

typedef void (*clprim_self_test_fn)(void *user, const clprim_self_test_record *record);

/* The speed of an operation, by the plan that AUTO makes for the first of its descriptions that the device supports. The
 * struct and its strings are valid only during the call of .measured. */
typedef struct clprim_self_test_speed {
    /* As in clprim_self_test_record. */
    const char *primitive, *variant, *plan;

    /* Elements of the call: .measured_count, or fewer if the plan takes no more. They are random. */
    size_t count;

    /* Time of one call, by the host's clock: the best of three rows of calls, each of which takes at least 20 ms. */
    double seconds;
} clprim_self_test_speed;

typedef void (*clprim_self_test_speed_fn)(void *user, const clprim_self_test_speed *speed);

/* What to test. Zeroed: everything. */
typedef struct clprim_self_test_desc {
    /* Test only the operation of this name. Default: NULL (all operations). */
    const char *primitive;

    /* Test only the variants of this name. Default: NULL (all variants). */
    const char *variant;

    /* Test each variant with only one plan, the first that it supports. Default: false. */
    bool quick;

    /* First forget which variants ended an earlier process (PROCESSES THAT END above), also those that this call does
     * not test. Default: false. */
    bool again;

    /* Called for each plan, in the calling thread. Default: NULL (no calls). */
    clprim_self_test_fn report;

    /* Called for each operation after its variants were tested, in the calling thread. Not called for an operation
     * without a variant that works, nor if .variant is given. Default: NULL (nothing is measured). */
    clprim_self_test_speed_fn measured;

    /* Elements to measure with. Default: 0 (2^20). */
    size_t measured_count;

    /* Passed to .report and .measured. Default: NULL. */
    void *user;
} clprim_self_test_desc;

/* Run the self-test now, whatever earlier tests found and whatever CLPRIM_SELF_TEST says. It has its own queue. It
 * blocks until it is done, which takes minutes if everything must be compiled. *wrong receives the number of plans that
 * gave wrong results or did not compile. A NULL desc means a zeroed one.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT: `wrong` or `runtime` is NULL, or no operation or variant has the given name.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code.
 *
 * After an error *wrong is untouched, but variants that the test found wrong before it stay disabled. */
CLPRIM_API clprim_status clprim_runtime_self_test(size_t *wrong, clprim_runtime *runtime,
                                                  const clprim_self_test_desc *desc);

#ifdef __cplusplus
}
#endif
#endif
