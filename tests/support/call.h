// SPDX-License-Identifier: MIT
/* call.h: a call of any operation, made from the operation's table. Its arrays are in buffers with guards around them,
 * and the results are compared with those of the reference, or with what the test says. Errors are assertion failures.
 *
 *     test_call self;
 *     const clprim_merge_call call = {.a_keys = {.host = a}, .b_keys = {.host = b}, .a_count = 10, .b_count = 20};
 *     if (test_call_create(&self, runtime, &clprim_merge_operation, &desc)) {
 *         test_call_fill(&self, &call, seed);
 *         test_call_check(&self, "ten and twenty");
 *         test_call_destroy(&self);
 *     } */
#ifndef CLPRIM_TEST_CALL_H
#define CLPRIM_TEST_CALL_H

#include "support.h"

#include <criterion/parameterized.h> /* must come after criterion.h */

/* Elements around an array: up to TEST_OFFSETS - 1 before it, and after it so many that a tile written there is
 * detected. */
enum { TEST_OFFSETS = 8, TEST_TAIL = 64, TEST_OUT_TAIL = 2048 };

/* An array of the call. */
typedef struct test_array {
    clprim__slot slot;
    bool is_there;
    bool is_output;
    int in_place_of; /* the input that it overwrites in place; -1: none */
    size_t size;     /* size of an element in bytes */
    size_t length;   /* elements */
    size_t written;  /* for an output: number of elements that the call writes at its beginning */
    size_t offset;   /* elements */
    size_t bytes;    /* size of the buffer, including guards */
    size_t room;     /* allocated size of `before`, `after` and `own` */
    cl_mem memory;
    unsigned char *before, *after; /* contents of the whole buffer, on the host */
    unsigned char *own;            /* for an output: memory for the reference's result */
    const void *expected;          /* for an output: `written` elements; NULL: not compared */
} test_array;

typedef struct test_call test_call;

/* Whether the `written` elements of output i, `got`, are correct; replaces the comparison bit by bit. */
typedef void (*test_judge)(const test_call *self, size_t i, void *got, const char *what);

struct test_call {
    clprim_runtime *runtime;
    const clprim__operation *operation;
    const clprim_operation *face;
    test_struct desc;
    char name[TEST_NAME_SIZE]; /* for messages; set by test_call_create */
    char call_name[128];       /* the same for the call; set by test_call_fill */
    clprim_plan *plan;
    size_t num_arrays;
    test_array arrays[CLPRIM__MAX_ARRAYS];
    test_struct on_host; /* as given, with outputs in the reference's memory */
    test_struct call;    /* with buffers */

    /* Settings for test_call_fill and _check; create sets them to zero. */
    uint64_t replaced;   /* bit i: overwrite array i in place, by the output that may do so */
    bool is_unspecified; /* outputs may contain anything; guards and inputs are still checked */
    bool goes_on;        /* inputs are surrounded by copies of their first and last element, so that they seem to
                          * continue */
    bool is_tight;       /* arrays end at the end of their buffers, and begin at an offset of `seed` elements */
    bool is_short;       /* set by test_call_shorten */
    const char *without; /* name of an optional array that the call leaves
                                                                     * out */
    test_judge judge;    /* NULL: compare bit by bit */
    clprim_status (*reference)(const void *desc, const void *call); /* NULL: the operation's */
    const void *user;                                               /* for the judge */
};

/* Create a plan of this description, which may be NULL. create gets a copy of the description and of everything to
 * which it points; the copy is overwritten as soon as create has returned. Returns false if the plan is
 * CLPRIM_UNSUPPORTED, which is logged, or if a quick run does not include it (test_is_sampled); then there is nothing
 * to destroy. If a variant is requested by number, the plan must have that variant. */
bool test_call_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc);
/* The same, but CLPRIM_UNSUPPORTED is a failure if `must`. */
bool test_call_must(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc, bool must);
/* The same, but also in a quick run; any failure is a failure of the test. */
void test_call_make(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc);
/* The same, but failures of create are returned. */
clprim_status test_call_try(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc);
void test_call_destroy(test_call *self);

/* Set the data of a call. `call` has its arrays on the host, and is copied: inputs, and for outputs the expected
 * results. If an output is NULL, the operation's reference computes the expected results; then all outputs must be
 * NULL, and the description must have no text from the caller. Arrays that the plan's calls do not have are left out.
 * Outputs are filled with poison or, if calls add to floats, with whole numbers. The seed determines offsets. Buffers
 * are kept from one call to the next. */
void test_call_fill(test_call *self, const void *call, uint64_t seed);
/* Restore everything as it was before the call. */
void test_call_reset(const test_call *self);
/* Check that the result is correct, and that inputs and guards are unchanged. */
void test_call_expect_right(const test_call *self, const char *what);
/* Check that no byte has changed. */
void test_call_expect_untouched(const test_call *self, const char *what);
/* Enqueue the call, wait for its event, and check it with expect_right. `format` and its arguments name the call, as
 * for printf. If a second call finds the same data as the first one, short calls are enqueued twice, without waiting in
 * between. */
#define test_call_check(self, ...) test_call_check_by(self, false, __VA_ARGS__)
/* The same with clprim_<operation>_run, for arrays on the host with any alignment. */
#define test_call_check_run(self, ...) test_call_check_by(self, true, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) void test_call_check_by(const test_call *self, bool by_run, const char *format,
                                                              ...);

/* Give the outputs that may be short only this many eighths of the room for their elements, but at least room for one.
 * Returns false if there are no such outputs. All checks above then check such a call. */
bool test_call_shorten(test_call *self, size_t eighths);
void test_call_check_short(const test_call *self, bool by_run, const char *what);

/* The call with all arrays on the host, as they were before it; and checks of what a run of it wrote, or that it wrote
 * nothing. */
test_struct test_call_on_host(const test_call *self);
void test_call_expect_on_host(const test_call *self, const char *what, bool is_done);

/* The array of a call struct that corresponds to array i; and the array of a member. */
clprim_array *test_array_of(const test_call *self, test_struct *call, size_t i);
const test_array *test_array_named(const test_call *self, const char *name);

/* Call clprim_<operation>_enqueue or _run through the table, without wait list and event. */
clprim_status test_call_enqueue(const test_call *self, const test_struct *call);
clprim_status test_call_run(const test_call *self, const test_struct *call);

/* Call the operation's reference, for arrays on the host. */
clprim_status test_reference(const clprim_operation *face, const void *desc, const void *call);

/* A test for each `*number` from 0 to below `count`. As many processes as there are cores share the numbers. One
 * process per number would be slow: each must load PoCL's compiler, which takes longer than compiling five programs. */
struct criterion_test_params test_shares(size_t count);
size_t test_num_shares(size_t count);
#define TEST_EACH(suite, test, count, ...)                                                                             \
    static void suite##_##test##_each(const size_t *number);                                                           \
    ParameterizedTestParameters(suite, test)                                                                           \
    {                                                                                                                  \
        return test_shares(count);                                                                                     \
    }                                                                                                                  \
    ParameterizedTest(const size_t *share, suite, test, __VA_ARGS__)                                                   \
    {                                                                                                                  \
        for (size_t number = *share; number < (count); number += test_num_shares(count))                               \
            suite##_##test##_each(&number);                                                                            \
    }                                                                                                                  \
    static void suite##_##test##_each(const size_t *number)

/* Check that create and run refuse the description with this status, and an error sentence that names the culprit. */
void test_refuse(clprim_runtime *runtime, const clprim_operation *face, const void *desc, clprim_status status,
                 const char *culprit);

#endif
