/* call.h: one call of any operation, made from the operation's table: its arrays lie among guards in buffers, and what
 * comes of it is compared with the reference or with what the test says. Everything asserts by itself.
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

#include <criterion/parameterized.h> /* works only after criterion.h */

/* Elements around an array: before it up to TEST_OFFSETS - 1, behind it so many that no tile fits there unseen. */
enum { TEST_OFFSETS = 8, TEST_TAIL = 64, TEST_OUT_TAIL = 2048 };

/* An array of the call. */
typedef struct test_array {
    clprim__slot slot;
    bool is_there;
    bool is_output;
    int in_place_of; /* the array in whose place this one is written; -1: none */
    size_t size;     /* bytes of an element */
    size_t length;   /* elements */
    size_t written;  /* of an output: elements that the call writes, from the first on */
    size_t offset;   /* elements */
    size_t bytes;    /* of the buffer, guards included */
    size_t room;     /* bytes that there are of memory, before, after and own */
    cl_mem memory;
    unsigned char *before, *after; /* the whole buffer, on the host */
    unsigned char *own;            /* of an output: where the reference writes */
    const void *expected;          /* of an output: `written` elements; NULL: they may be anything */
} test_array;

typedef struct test_call test_call;

/* Whether `got`, the `written` elements of output i, is right, instead of a comparison bit by bit. */
typedef void (*test_judge)(const test_call *self, size_t i, void *got, const char *what);

struct test_call {
    clprim_runtime *runtime;
    const clprim__operation *operation;
    const clprim_operation *face;
    test_struct desc;
    char name[TEST_NAME_SIZE]; /* for messages; test_call_create makes one */
    char call_name[128];       /* the same, of the call: test_call_fill makes one */
    clprim_plan *plan;
    size_t num_arrays;
    test_array arrays[CLPRIM__MAX_ARRAYS];
    test_struct on_host; /* as given, outputs where the reference wrote them */
    test_struct call;    /* on buffers */

    /* For test_call_fill and _check; zeroed by create. */
    uint64_t replaced;   /* bit i: the output that may be is written in place of array i */
    bool is_unspecified; /* outputs may hold anything; guards and inputs are still looked at */
    bool goes_on;        /* inputs seem to go on: around them are copies of their first and last element */
    bool
        is_tight; /* arrays end where their buffers end, and begin as many elements behind their begin as the seed is */
    bool is_short;                                                  /* test_call_shorten has made outputs short */
    const char *without;                                            /* an optional array that the call leaves out */
    test_judge judge;                                               /* NULL: bit by bit */
    clprim_status (*reference)(const void *desc, const void *call); /* NULL: the operation's */
    const void *user;                                               /* of the judge's */
};

/* A plan of this description, which may be NULL. create gets a copy of it and of all that it points to; the copy is
 * overwritten as soon as create has returned. False if the plan is CLPRIM_UNSUPPORTED, which is logged, or not in the
 * sample of a quick run (test_is_sampled); then there is nothing to destroy. A variant that is asked for by number is
 * the one it has. */
bool test_call_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc);
/* The same, but CLPRIM_UNSUPPORTED is a failure if `must`. */
bool test_call_must(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc, bool must);
/* The same, always: in a quick run, too, and any failure is a failure of the test. */
void test_call_make(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc);
/* The same, but any failure of create is given back. */
clprim_status test_call_try(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc);
void test_call_destroy(test_call *self);

/* Data for a call, whose arrays are on the host and which is copied: inputs, and of outputs what is expected. Where an
 * output is NULL the operation's reference says what is expected; then no output is given, and the description has no
 * text of the caller's. Arrays that the plan's calls do not have are left out. Outputs hold poison, or where calls add
 * to floats whole numbers. The seed decides offsets. Buffers are kept from one filling to the next. */
void test_call_fill(test_call *self, const void *call, uint64_t seed);
/* Everything as it was before the call. */
void test_call_reset(const test_call *self);
/* The result is right; inputs and guards are untouched. */
void test_call_expect_right(const test_call *self, const char *what);
/* No byte has changed. */
void test_call_expect_untouched(const test_call *self, const char *what);
/* Enqueue, wait for the event, expect_right. `format` and what follows say which call it is, as for printf. Short calls
 * that find the second time what they found the first are enqueued twice, without waiting between. */
#define test_call_check(self, ...) test_call_check_by(self, false, __VA_ARGS__)
/* The same by clprim_<operation>_run, of arrays on the host that begin anywhere. */
#define test_call_check_run(self, ...) test_call_check_by(self, true, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) void test_call_check_by(const test_call *self, bool by_run, const char *format,
                                                              ...);

/* Leave the outputs that may be short so many eighths of the room that their elements take, but room for one. False if
 * there are none. All checks above also check such a call. */
bool test_call_shorten(test_call *self, size_t eighths);
void test_call_check_short(const test_call *self, bool by_run, const char *what);

/* The call with all arrays on the host, as they were before it; what a run of it wrote, or that it wrote nothing. */
test_struct test_call_on_host(const test_call *self);
void test_call_expect_on_host(const test_call *self, const char *what, bool is_done);

/* The array of a call struct for the self's array i; the array of a member. */
clprim_array *test_array_of(const test_call *self, test_struct *call, size_t i);
const test_array *test_array_named(const test_call *self, const char *name);

/* clprim_<operation>_enqueue and _run by the table, without waits and events. */
clprim_status test_call_enqueue(const test_call *self, const test_struct *call);
clprim_status test_call_run(const test_call *self, const test_struct *call);

/* The operation's reference, of arrays on the host. */
clprim_status test_reference(const clprim_operation *face, const void *desc, const void *call);

/* A test for each `*number` from 0 to below `count`. As many processes as there are cores share the numbers: each of
 * them would have to load PoCL's compiler again, which takes it longer than to compile five programs. */
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

/* create and run refuse the description with this status, and a sentence in which the culprit is named. */
void test_refuse(clprim_runtime *runtime, const clprim_operation *face, const void *desc, clprim_status status,
                 const char *culprit);

#endif
