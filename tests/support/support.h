/* support.h: what the tests share. Everything here asserts by itself: a test that continues may trust the result. */
#ifndef CLPRIM_TEST_SUPPORT_H
#define CLPRIM_TEST_SUPPORT_H

#include "describe.h"

#include <clprim/clprim.h>
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `call` succeeds; where not, the message holds the library's sentence. */
#define ASSERT_OK(call)                                                                                                \
    do {                                                                                                               \
        const clprim_status ok_status = (call);                                                                        \
        cr_assert_eq((int)ok_status, (int)CLPRIM_SUCCESS, "%s: %s: %s", #call, clprim_status_string(ok_status),        \
                     clprim_last_error());                                                                             \
    } while (0)

/* `call` gives the expected status, and a sentence that says why. */
#define ASSERT_STATUS(call, expected)                                                                                  \
    do {                                                                                                               \
        const clprim_status got_status = (call);                                                                       \
        cr_assert_eq((int)got_status, (int)(expected), "%s gives %s (%s), not %s", #call,                              \
                     clprim_status_string(got_status), clprim_last_error(), clprim_status_string(expected));           \
        cr_assert_gt(strlen(clprim_last_error()), 0, "%s fails without a sentence", #call);                            \
    } while (0)

#define ASSERT_CL(call)                                                                                                \
    do {                                                                                                               \
        const cl_int cl_code = (call);                                                                                 \
        cr_assert_eq(cl_code, CL_SUCCESS, "%s: %s", #call, clprim_status_string((clprim_status)cl_code));              \
    } while (0)

/* All tests begin with this seed, so that a failure can be repeated. */
#define TEST_SEED UINT64_C(0x5eed0fc1)

/* Memory for at least one byte; the test fails where there is none. */
void *test_allocate(size_t bytes);
/* The same, which is there until the process ends, or until more is wanted at the same place, of 64. */
void *test_memory(size_t place, size_t bytes);

/* CLPRIM_TEST_FULL is set: everything, not a sample. */
bool test_is_full(void);

/* CLPRIM_TEST_LOCALE is in force, where it is set. */
bool test_has_locale(void);

/* A runtime on the device that CLPRIM_DEVICE or the library chooses; desc may be NULL. */
clprim_runtime *test_runtime(const clprim_runtime_desc *desc);

/* Queues and buffers on a runtime's device. A buffer of 0 bytes gets one byte, for OpenCL has no empty ones. */
cl_command_queue test_queue(const clprim_runtime *runtime, cl_command_queue_properties properties);
cl_mem test_buffer(const clprim_runtime *runtime, size_t bytes);
cl_mem test_upload(const clprim_runtime *runtime, const void *data, size_t bytes);
/* A part of a buffer, as a buffer of its own. */
cl_mem test_part(cl_mem whole, size_t begin, size_t bytes);
void test_write(const clprim_runtime *runtime, cl_mem buffer, const void *data, size_t bytes);
void test_read(const clprim_runtime *runtime, void *data, cl_mem buffer, size_t bytes);
/* Wait for an event that there is, and release it. */
void test_wait(cl_event done);
/* An event that is complete when it is opened, which gives it up. */
cl_event test_gate(const clprim_runtime *runtime);
void test_gate_open(cl_event gate);
/* A GPU with room for so many buffers of 2^32 bytes and some more, which the host alone can fill: NVIDIA's driver 580
 * does not come back from a fill of 2^31 bytes. */
bool test_has_room_for_huge(const clprim_runtime *runtime, size_t buffers);
void test_write_ones(const clprim_runtime *runtime, cl_mem buffer, size_t bytes);

/* What is around outputs, and in them before a call. */
enum { TEST_POISON = 0xa5 };

/* This status, and a sentence in which the culprit is named; "": none is. */
void test_expect_status(clprim_status got, clprim_status expected, const char *culprit, const char *what);
/* The elements are those expected, bit for bit; where not, the first that differs is named. */
void test_expect_same(const void *expected, const void *got, size_t size, size_t count, const char *what);
/* Of `bytes` bytes all but those in [begin, end) are as they were before. */
void test_expect_kept(const void *before, const void *after, size_t begin, size_t end, size_t bytes, const char *what);
/* -0.0 becomes +0.0, for comparisons of sums in which the sign of a zero means nothing. */
void test_drop_zero_signs(void *data, clprim_type type, size_t count);

/* Around powers of two, where work-groups and tiles end; the last one is a number above 90000 that the seed decides. */
enum { TEST_SIZES = 26, TEST_MAX_SIZE = 110000 };
size_t test_size(size_t i, uint64_t seed);

/* What data look like. */
typedef enum test_pattern {
    TEST_EXACT = 0, /* floats whose sums and products need no rounding, in whatever order; integers: random bits */
    TEST_RANDOM,
    TEST_EQUAL,
    TEST_ASCENDING,
    TEST_DESCENDING,
    TEST_FEW_DISTINCT,
    TEST_EXTREMES,    /* the type's limits; for sums and products of floats very different magnitudes */
    TEST_SPECIALS,    /* floats: NaNs, infinities, both zeros, denormals */
    TEST_ONE_SPECIAL, /* one of these in the middle */
    TEST_PATTERN_END
} test_pattern;

const char *test_pattern_name(test_pattern pattern);

/* Fill out with `count` elements that suit the operator (products stay near 1). */
void test_fill(void *out, clprim_type type, clprim_op op, test_pattern pattern, size_t count, uint64_t seed);

/* How long the runs of equal elements are. */
typedef enum test_runs {
    TEST_RUNS_AS_THEY_ARE = 0,
    TEST_RUNS_OF_1_AND_2,
    TEST_RUNS_SHORT, /* 8 on average */
    TEST_RUNS_LONG,  /* 1000 */
    TEST_RUNS_MIXED, /* many of one element, then one of some hundreds */
    TEST_RUNS_ONE,
    TEST_RUNS_FIRST, /* the first element is a run of its own, all others are one */
    TEST_RUNS_LAST,
    TEST_RUNS_END
} test_runs;

const char *test_runs_name(test_runs runs);

/* Make runs of data: elements of `size` bytes become copies of the one before them. */
void test_make_runs(void *data, size_t size, test_runs runs, size_t count, uint64_t seed);

/* Fill with bytes among which are the smallest and the largest values of every type and NaNs: what is around an input
 * must not leak into a result. */
void test_fill_margin(void *out, size_t bytes);

bool test_is_float(clprim_type type);
uint64_t test_infinity(clprim_type type); /* its bits; 0 where there is none */
bool test_is_arithmetic(clprim_op op);    /* SUM or PROD */
/* Whether reduce.h allows the operator for the type, and the accumulator for the type. */
bool test_op_is_valid(clprim_type type, clprim_op op);
bool test_accumulator_is_valid(clprim_type type, clprim_type accumulator);
/* Integers, each with a float accumulator that does not hold all of them; and such integers, that are rounded up and
 * down to multiples of one number, so that no sum of up to 2^18 of them, once they are rounded, rounds again. */
enum { TEST_ROUNDED = 6 };
extern const clprim_type test_rounded[TEST_ROUNDED][2];
void test_fill_rounded(void *out, clprim_type type, clprim_type accumulator, size_t count, uint64_t seed);
/* Whether work-groups may wait there for what others hand on. */
bool test_can_look_back(const clprim_runtime *runtime);
size_t test_result_size(clprim_type type, clprim_op op, clprim_type accumulator);

/* A new directory for temporary files, and its removal with all that is in it. */
enum { TEST_PATH_SIZE = 256 };
void test_directory_create(char path[TEST_PATH_SIZE]);
void test_directory_remove(const char *path);

/* A mistake in a kernel: in FILE below kernels/ the text `from`, which is there once, reads `to`. */
typedef struct test_mistake {
    const char *file, *from, *to;
} test_mistake;

/* All kernels in a directory that is there, and a mistake in one of these copies. */
void test_kernels_copy(const char *directory);
void test_kernels_change(const char *directory, const test_mistake *mistake);
/* Kernels are read from a copy with mistakes from now on (CLPRIM_KERNEL_DIR), until the directory is removed. */
void test_kernels_with(char directory[TEST_PATH_SIZE], const test_mistake *mistakes, size_t count);
void test_kernels_end(const char *directory);

/* What a reference folds with. */
#define TEST_FOLD(type_, op_, accumulator_type_)                                                                       \
    (&(clprim_reference_operator){.type = (type_), .op = (op_), .accumulator_type = (accumulator_type_)})

#endif
