// SPDX-License-Identifier: MIT
/* test_faults.pieces.c: faults while `run` processes calls on the device in pieces, with one thread and with three. */
#include <clprim/operations.h>

#include "contract.h"
#include "sweep.h"

enum { COUNT = 6000, MANY = 40000 };

typedef struct bench {
    test_call call;
    test_struct on_host;
    size_t pieces;
} bench;

static int progress(void *user, const char *operation, size_t done, size_t total)
{
    (void)operation;
    (void)done;
    (void)total;
    ((bench *)user)->pieces++;
    return 0;
}

static void prepare(void *self)
{
    bench *b = self;
    b->on_host = test_call_on_host(&b->call);
    b->pieces = 0;
}

static clprim_status run(void *self)
{
    const bench *b = self;
    return test_call_run(&b->call, &b->on_host);
}

static bool is_right(void *self)
{
    const bench *b = self;
    test_call_expect_on_host(&b->call, sweep_fault(), true);
    return b->pieces > 1 || sweep_wrong("there are no pieces");
}

/* A piece of the results may have been written. */
static bool is_kept(void *self, const faults_report *report)
{
    const bench *b = self;
    test_call without_result = b->call;
    without_result.is_unspecified = true;
    if (report->pending > 0 && !report->is_lost)
        return sweep_wrong("%u commands may still use the arrays", report->pending);
    test_call_expect_on_host(&without_result, sweep_fault(), true);
    return true;
}

static size_t bytes_of(const test_call *call)
{
    size_t bytes = 0;
    for (size_t i = 0; i < call->num_arrays; i++)
        if (call->arrays[i].is_there)
            bytes += call->arrays[i].length * call->arrays[i].size;
    return bytes;
}

static void survive(const clprim__trial_subject *subject, size_t count, unsigned ways)
{
    static bench b;
    const clprim__operation *operation = subject->operation;
    clprim_runtime *runtime = test_runtime(NULL);
    if (operation->pieces != NULL && contract_create(&b.call, runtime, subject, 0, 0, count, 5)) {
        ASSERT_OK(clprim_runtime_set_run_limits(
            runtime, &(clprim_run_limits){.device_memory = bytes_of(&b.call) - 1, .progress = progress, .user = &b}));
        b.call.replaced = UINT64_MAX; /* what comes down overwrites what later pieces have beside their own elements */
        contract_fill(&b.call, count, 5);
        prepare(&b); /* kernels are compiled */
        ASSERT_OK(run(&b));
        const sweep s = {.name = b.call.name,
                         .ways = ways,
                         .tolerated = "clWaitForEvents clRetainEvent clRetainCommandQueue clCreateBuffer",
                         .self = &b,
                         .prepare = prepare,
                         .run = run,
                         .is_kept = is_kept,
                         .is_right = is_right};
        sweep_expect(&s);
        test_call_destroy(&b.call);
    }
    clprim_runtime_destroy(runtime);
    sweep_expect_no_leaks();
}

/* Whether counters or first elements would be many, compared with fewer elements. */
static bool is_of_many(const char *stem)
{
    return strcmp(stem, "top_k") == 0 || strcmp(stem, "histogram") == 0 || strcmp(stem, "nth_element") == 0;
}

#define ONE(name) 1 +

TEST_EACH(faults, every_operation_survives_in_pieces, CLPRIM_OPERATIONS(ONE) 0, .timeout = 600)
{
    size_t count = 0;
    const clprim__trial_subject *subject = clprim__operation_subjects(&count)[*number];
    if (test_is_sampled(subject->stem)) {
        faults_refuse_threads(true);
        survive(subject, is_of_many(subject->stem) ? MANY : COUNT, SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY);
    }
}

FAULTS_TEST(threads_of_pieces_survive)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(subjects[i]->stem, "scan") == 0)
            survive(subjects[i], COUNT, SWEEP_CALLS | SWEEP_LOST);
}

/* The device's memory in use never exceeds the limit, for calls in pieces and as a whole. Scratch memory that the
 * runtime keeps is released before. */
TEST_EACH(faults, pieces_keep_to_the_limit, CLPRIM_OPERATIONS(ONE) 0, .timeout = 600)
{
    static bench b;
    size_t count = 0;
    const clprim__trial_subject *subject = clprim__operation_subjects(&count)[*number];
    const clprim__operation *operation = subject->operation;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t sample = 0; operation->pieces != NULL && sample < test_num_samples(subject); sample++) {
        if (!test_is_sampled(subject->stem) || !contract_create(&b.call, runtime, subject, sample, 0, MANY, 5))
            continue;
        const size_t bytes = bytes_of(&b.call);
        const size_t limits[] = {bytes / 10 * 9, bytes + (1 << 12), bytes + (1 << 17)};
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            ASSERT_OK(clprim_runtime_set_run_limits(
                runtime, &(clprim_run_limits){.device_memory = limits[k], .progress = progress, .user = &b}));
            prepare(&b);
            clprim_runtime_trim(runtime);
            (void)faults_most_bytes();
            const size_t before = faults_most_bytes();
            if (run(&b) != CLPRIM_SUCCESS)
                continue; /* tests/contract tests which calls are refused */
            const size_t taken = faults_most_bytes() - before;
            cr_assert(k > 0 || b.pieces > 1, "%s", b.call.name);
            cr_assert_leq(taken, limits[k], "%s: %zu bytes, not %zu", b.call.name, taken, limits[k]);
        }
        test_call_destroy(&b.call);
    }
    clprim_runtime_destroy(runtime);
}
