// SPDX-License-Identifier: MIT
/* support.h: what all tests share. Errors are assertion failures, so a test that continues can rely on the results. */
#ifndef CLPRIM_TEST_SUPPORT_H
#define CLPRIM_TEST_SUPPORT_H

#include "describe.h"
#include "files.h"

#include <clprim/clprim.h>
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Check that `call` returns the expected status and, if that is an error, an error sentence that names the culprit ("":
 * any sentence). If not, the message begins with `what`, and contains the sentence. */
#define test_expect_status(call, expected, culprit, what)                                                              \
    do {                                                                                                               \
        const clprim_status got_status = (call);                                                                       \
        cr_assert(test_is_status(got_status, expected, culprit), "%s: %s (%s), not %s: %s", what,                      \
                  clprim_status_string(got_status), clprim_last_error(), clprim_status_string(expected), culprit);     \
    } while (0)
bool test_is_status(clprim_status got, clprim_status expected, const char *culprit);

#define ASSERT_OK(call)                         test_expect_status(call, CLPRIM_SUCCESS, "", #call)
#define ASSERT_STATUS(call, expected)           test_expect_status(call, expected, "", #call)
#define ASSERT_REFUSED(call, expected, culprit) test_expect_status(call, expected, culprit, #call)
#define ASSERT_CL(call)                         test_expect_status((clprim_status)(call), CLPRIM_SUCCESS, "", #call)

/* All tests begin with this seed, so that failures can be reproduced. */
#define TEST_SEED UINT64_C(0x5eed0fc1)

/* Allocate at least one byte; the test fails if there is not enough memory. */
void *test_allocate(size_t bytes);
/* The same for memory that stays until the process ends, or until more is requested for the same one of 64 places. */
void *test_memory(size_t place, size_t bytes);

/* CLPRIM_TEST_FULL is set: test everything, not a sample. */
bool test_is_full(void);

/* CLPRIM_TEST_QUICK is set, as by `./dev test` without --all: test only a sample. */
bool test_is_quick(void);

/* The same, or CLPRIM_TEST_TURN is set, as by .ci/run: not all plans are made. */
bool test_is_sample(void);

/* Whether a plan, or another case that takes long, belongs to the sample (test_is_sample): see sample.c. If nothing is
 * sampled, every case does. */
bool test_is_sampled(const char *name);
/* Make all plans in this process, for a test that counts what is built. */
void test_make_every_plan(void);
/* Whether a quick run includes this test. Other runs include all tests. */
bool test_is_sampled_test(const char *suite, const char *test);

/* Whether CLPRIM_TEST_LOCALE is in effect, if it is set. */
bool test_has_locale(void);

/* A runtime on the device that CLPRIM_DEVICE or the library chooses; desc may be NULL. */
clprim_runtime *test_runtime(const clprim_runtime_desc *desc);

/* Queues and buffers on a runtime's device. A buffer of 0 bytes gets one byte, because OpenCL has no empty buffers. */
cl_command_queue test_queue(const clprim_runtime *runtime, cl_command_queue_properties properties);
cl_mem test_buffer_for(const clprim_runtime *runtime, cl_mem_flags flags, size_t bytes);
cl_mem test_buffer(const clprim_runtime *runtime, size_t bytes);
cl_mem test_upload(const clprim_runtime *runtime, const void *data, size_t bytes);
/* A sub-buffer. */
cl_mem test_part(cl_mem whole, size_t begin, size_t bytes);
void test_write(const clprim_runtime *runtime, cl_mem buffer, const void *data, size_t bytes);
void test_read(const clprim_runtime *runtime, void *data, cl_mem buffer, size_t bytes);
/* Wait for an event, which must exist, and release it. */
void test_wait(cl_event done);
/* An event that becomes complete when it is opened; opening also releases it. */
cl_event test_gate(const clprim_runtime *runtime);
void test_gate_open(cl_event gate);
/* The byte that surrounds outputs, and fills them before a call. */
enum { TEST_POISON = 0xa5 };

/* Check that the elements are the expected ones, bit for bit; otherwise the first difference is reported. */
void test_expect_same(const void *expected, const void *got, size_t size, size_t count, const char *what);
/* Check that all of the `bytes` bytes except those in [begin, end) are unchanged. */
void test_expect_kept(const void *before, const void *after, size_t begin, size_t end, size_t bytes, const char *what);
/* The pattern of data. */
typedef enum test_pattern {
    TEST_EXACT = 0, /* floats whose sums and products are exact in any order; integers: random bits */
    TEST_RANDOM,
    TEST_EQUAL,
    TEST_ASCENDING,
    TEST_DESCENDING,
    TEST_FEW_DISTINCT,
    TEST_EXTREMES,    /* the type's limits; for sums and products of floats, very different magnitudes */
    TEST_SPECIALS,    /* floats: NaNs, infinities, both zeros, denormals */
    TEST_ONE_SPECIAL, /* one of these in the middle of other elements */
    TEST_PATTERN_END
} test_pattern;

/* Store a float as element i. */
void test_store(clprim_type type, void *out, size_t i, double value);
/* Fill `out` with `count` elements that suit the operator (products stay near 1). */
void test_fill(void *out, clprim_type type, clprim_op op, test_pattern pattern, size_t count, uint64_t seed);

bool test_is_float(clprim_type type);
uint64_t test_infinity(clprim_type type); /* its bits; 0 if there is none */
bool test_is_arithmetic(clprim_op op);    /* SUM or PROD */
/* Whether reduce.h allows the operator for the type, and the accumulator for the type. */
bool test_op_is_valid(clprim_type type, clprim_op op);
bool test_accumulator_is_valid(clprim_type type, clprim_type accumulator);
/* Whether work-groups may wait for what other groups write. */
bool test_can_wait(const clprim_runtime *runtime);
size_t test_result_size(clprim_type type, clprim_op op, clprim_type accumulator);

/* The reference's operator. */
#define TEST_FOLD(type_, op_, accumulator_type_)                                                                       \
    (&(clprim_reference_operator){.type = (type_), .op = (op_), .accumulator_type = (accumulator_type_)})

#endif
