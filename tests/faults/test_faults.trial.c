/* test_faults.trial.c: faults while a variant is tried: they are told, and nobody takes them for the variant's. */
#define _XOPEN_SOURCE 700
#include <clprim/clprim.h>
#include <stdlib.h>

#include "support.h"
#include "sweep.h"

typedef struct trying {
    clprim_runtime *runtime;
    clprim_plan *plan;
    size_t wrong;
} trying;

enum { UNTOUCHED = 77 };

static void prepare(void *self)
{
    trying *t = self;
    t->wrong = UNTOUCHED;
}

/* The program is in the runtime's memory after the first time. */
static clprim_status run_test(void *self)
{
    trying *t = self;
    const clprim_self_test_desc desc = {.primitive = "reduce", .variant = "cpu_chunk", .quick = true};
    return clprim_runtime_self_test(&t->wrong, t->runtime, &desc);
}

static bool is_kept(void *self, const faults_report *report)
{
    const trying *t = self;
    (void)report;
    return t->wrong == UNTOUCHED || sweep_wrong("a number of wrong variants was written");
}

static bool is_right(void *self)
{
    const trying *t = self;
    return t->wrong == 0 || sweep_wrong("%zu variants are wrong", t->wrong);
}

static bool nothing_is_set_aside(void *self)
{
    const trying *t = self;
    char text[512];
    return clprim_runtime_set_aside(t->runtime, text, sizeof text) == 0 || sweep_wrong("a fault stays: %s", text);
}

static clprim_status run_create(void *self)
{
    trying *t = self;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_CPU_CHUNK};
    t->plan = NULL;
    const clprim_status status = clprim_reduce_create(&t->plan, t->runtime, &desc);
    clprim_plan_destroy(t->plan);
    return status;
}

Test(faults, trials_survive, .timeout = 1700)
{
    /* What the library does without, and scratch memory, which it asks for again, in the size that is needed. */
    static const char *const spared[] = {
        "clCreateBuffer", "clWaitForEvents", "clRetainEvent", "clFlush", "clFinish", "clRetainCommandQueue", NULL};
    static const char *const memory[] = {"strdup", "malloc", NULL}; /* of the last error, of the cache */
    faults_forget();
    cr_assert_eq(setenv("CLPRIM_SELF_TEST", "always", 1), 0);
    trying t = {.runtime = test_runtime(NULL)};
    ASSERT_OK(run_test(&t));
    for (int way = 0; way < 3; way++) {
        sweep s = {.name = "a self-test",
                   .group = way == 2 ? FAULTS_MEMORY : FAULTS_OPENCL,
                   .is_forever = way == 1,
                   .code = way == 2 ? 0 : CL_OUT_OF_RESOURCES,
                   .tolerated = way == 2 ? memory : spared,
                   .self = &t,
                   .prepare = prepare,
                   .run = run_test,
                   .is_kept = is_kept,
                   .is_right = is_right,
                   .recover = nothing_is_set_aside};
        sweep_expect(&s);
        s.name = "a plan that may be tried";
        s.run = run_create;
        s.is_kept = NULL;
        s.is_right = NULL;
        sweep_expect(&s);
    }
    clprim_runtime_destroy(t.runtime);
    sweep_expect_no_leaks("trials");
}
