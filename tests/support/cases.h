// SPDX-License-Identifier: MIT
/* cases.h: the cases that are tested: samples of products of factors, and calls of all sizes with all kinds of data. */
#ifndef CLPRIM_TEST_CASES_H
#define CLPRIM_TEST_CASES_H

#include "call.h"
#include "describe.h"

/* A test with a runtime, which is destroyed at the end. */
#define TEST_WITH_RUNTIME(suite, name)                                                                                 \
    static void suite##_##name##_on(clprim_runtime *runtime);                                                          \
    Test(suite, name, .timeout = 1800)                                                                                 \
    {                                                                                                                  \
        clprim_runtime *runtime = test_runtime(NULL);                                                                  \
        suite##_##name##_on(runtime);                                                                                  \
        clprim_runtime_destroy(runtime);                                                                               \
    }                                                                                                                  \
    static void suite##_##name##_on(clprim_runtime *runtime)

/* The same for each number from 0 to below `count`, each with its own runtime; see TEST_EACH. */
#define TEST_EACH_WITH_RUNTIME(suite, name, count)                                                                     \
    static void suite##_##name##_on(clprim_runtime *runtime, size_t number);                                           \
    TEST_EACH(suite, name, count, .timeout = 1800)                                                                     \
    {                                                                                                                  \
        clprim_runtime *runtime = test_runtime(NULL);                                                                  \
        suite##_##name##_on(runtime, *number);                                                                         \
        clprim_runtime_destroy(runtime);                                                                               \
    }                                                                                                                  \
    static void suite##_##name##_on(clprim_runtime *runtime, size_t number)

/* The same for each variant of an operation; `variant` counts from 1. */
#define TEST_BY_VARIANT(suite, name, operation)                                                                        \
    static void suite##_##name##_by(clprim_runtime *runtime, int variant);                                             \
    TEST_EACH_WITH_RUNTIME(suite, name, (size_t)test_last_variant(&(operation)))                                       \
    {                                                                                                                  \
        if (test_runs_variant(runtime, &(operation), (int)number + 1))                                                 \
            suite##_##name##_by(runtime, (int)number + 1);                                                             \
    }                                                                                                                  \
    static void suite##_##name##_by(clprim_runtime *runtime, int variant)

/* If the expression `created` makes the call `self`, execute the following statement with it, then destroy the call.
 * The statement must not be left by break or return.
 *
 *     TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_merge_operation, &desc))
 *         test_check_turn(&self, &turn); */
#define TEST_WITH_CALL(self, created)                                                                                  \
    for (test_call self, *left_##self = (created) ? &self : NULL; left_##self != NULL;                                 \
         test_call_destroy(left_##self), left_##self = NULL)

/* The number of the last variant of an operation; they are numbered from 1. */
int test_last_variant(const clprim_operation *face);
/* Whether the variant is tested here: code of the host needs a device that runs it, and with CLPRIM_TEST_NATIVE it alone
 * is. */
bool test_runs_variant(const clprim_runtime *runtime, const clprim_operation *face, int variant);

/* The same for an operation that has only some of the variants of another one: AUTO, then each of its own variants;
 * `choice` is from 0 to below test_num_choices. */
size_t test_num_choices(const clprim_operation *face);
int test_choice(const clprim_operation *face, size_t choice);

/* A case of a product of factors: the level of each factor, counted from 0. */
enum { TEST_FACTORS = 9, TEST_LEVELS = 16 };
typedef size_t test_case[TEST_FACTORS];

/* A sample of the product of all levels. Any two levels of different factors are combined in some case of it, if they
 * may be combined. With CLPRIM_TEST_FULL, it is the whole product. Factor 0 is the variant minus 1; only the cases of
 * `variant` are returned, and their number. The list of levels ends with 0. `rank` must return 0 for a case that does
 * not exist, and 2 for a case that exists only on some devices. If two levels are combined in any case of rank 1, they
 * are also combined in a sampled case of rank 1. */
size_t test_sample(const test_case **cases, int variant, const size_t *levels, int (*rank)(const size_t *at));

/* Such a sample, also with CLPRIM_TEST_FULL, in which only levels of certain pairs of factors need be combined; pairs
 * have a <= b. Factors that depend on others have one level in the list, and `complete` sets their actual level. */
size_t test_sample_pairs(const test_case **cases, int variant, const size_t *levels, void (*complete)(size_t *at),
                         bool (*is_paired)(size_t a, size_t b));

/* Properties of the data of one call in a series. */
enum { TEST_RUNS_END = 8, TEST_MAX_SIZE = 110000 };
typedef struct test_turn {
    size_t kinds; /* how many kinds of data the caller has besides patterns; TEST_RUNS_END: lengths of runs */
    uint64_t seed;
    size_t step;
    size_t count;
    test_pattern pattern;
    size_t kind;
    bool again; /* each size is used twice */
} test_turn;

/* Go through all sizes, with patterns and kinds in turn; then through all kinds with one and with many work-groups, all
 * patterns, and all counts from 4 to 39. It begins with .kinds and .seed:
 *
 *     for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = TEST_SEED}; test_next(&turn);)
 *         test_check_turn(&self, &turn); */
bool test_next(test_turn *turn);

/* Fill the inputs of a call of turn->count elements: built-in types by the pattern, for the description's operator;
 * others with random words; the first input in runs, if the turn's kinds are lengths of runs; heads of segments with
 * flags. For some seeds, the call is in place, if it may be. The turn is stored in self->user, for the judge. */
void test_fill_turn(test_call *self, test_struct *call, const test_turn *turn);
/* Call test_call_fill and test_call_check. */
void test_check_filled(test_call *self, const test_struct *call, const test_turn *turn);
/* Do all of that. */
void test_check_turn(test_call *self, const test_turn *turn);

/* Check a call with known results: by enqueue, by run and, if the description has no text from the caller, by the
 * operation's reference. */
void test_check_known(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *call);

/* Check calls with more elements than 32 bits can count, on a GPU with room for them, by each variant. The elements are
 * U8: 2, 3, 2, 5 and 60 at 0, 1, 2^32 - 1, 2^32 and the end, and 1 elsewhere. The first output must begin with these
 * `bytes` bytes, and nothing may be written after them. The second output, if there is one, must be the number. */
#define TEST_HUGE ((size_t)UINT32_MAX + 18)
void test_huge(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *expected,
               size_t bytes, uint64_t number);

/* A description that create and run must refuse and, if the error can be detected on the host, the reference, too. */
typedef struct test_refusal {
    const void *desc;
    clprim_status status; /* 0: CLPRIM_INVALID_ARGUMENT */
    const char *culprit;
    bool by_reference;
} test_refusal;

/* Rows: the operation's stem, the culprit, and the description's members. */
#define TEST_INVALID(stem, named, refused_by_reference, ...)                                                           \
    {                                                                                                                  \
        .desc = &(const clprim_##stem##_desc){__VA_ARGS__}, .culprit = named, .by_reference = refused_by_reference     \
    }
#define TEST_UNSUPPORTED(stem, named, ...) TEST_REFUSAL(UNSUPPORTED, stem, named, __VA_ARGS__)
#define TEST_MISTAKE(stem, named, ...)     TEST_REFUSAL(BUILD_FAILED, stem, named, __VA_ARGS__)
#define TEST_REFUSAL(status_, stem, named, ...)                                                                        \
    {                                                                                                                  \
        .desc = &(const clprim_##stem##_desc){__VA_ARGS__}, .culprit = named, .status = CLPRIM_##status_               \
    }

/* For a variant that is CLPRIM_UNSUPPORTED, AUTO must find another one. */
void test_refuse_each(const clprim_operation *face, const test_refusal *rows, size_t count);
#define TEST_REFUSE_EACH(stem, ...)                                                                                    \
    test_refuse_each(&clprim_##stem##_operation, (const test_refusal[]){__VA_ARGS__},                                  \
                     sizeof((const test_refusal[]){__VA_ARGS__}) / sizeof(test_refusal))

/* The same for texts that do not compile: the first row with all variants that the device can run, each other row with
 * one. */
void test_refuse_texts(clprim_runtime *runtime, const clprim_operation *face, const test_refusal *rows, size_t count);

#endif
