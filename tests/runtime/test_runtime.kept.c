// SPDX-License-Identifier: MIT
/* test_runtime.kept.c: the runtimes that the library keeps for queues. */
#include <pthread.h>
#include <time.h>

#include "cases.h"

enum { THREADS = 4 };

/* A context of the runtime's device, with two queues. */
typedef struct program {
    cl_context context;
    cl_command_queue queues[2];
} program;

static program open_program(const clprim_runtime *runtime)
{
    program self = {0};
    cl_int code = CL_SUCCESS;
    cl_device_id device = clprim_runtime_info(runtime)->device;
    self.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    for (size_t i = 0; i < 2; i++) {
        self.queues[i] = clCreateCommandQueue(self.context, device, 0, &code);
        ASSERT_CL(code);
    }
    return self;
}

static void close_program(program *self)
{
    for (size_t i = 0; i < 2; i++)
        ASSERT_CL(clReleaseCommandQueue(self->queues[i]));
    ASSERT_CL(clReleaseContext(self->context));
}

static cl_uint references(cl_context context)
{
    cl_uint count = 0;
    ASSERT_CL(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

static clprim_runtime *runtime_of(cl_command_queue queue)
{
    clprim_runtime *runtime = NULL;
    ASSERT_OK(clprim_runtime_of(&runtime, queue));
    return runtime;
}

static void expect_sum(clprim_runtime *runtime)
{
    int32_t in[] = {1, 2, 39};
    int32_t sum = 0;
    ASSERT_OK(
        clprim_reduce_run(runtime, NULL, &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &sum}}));
    cr_assert_eq(sum, 42);
}

/* PoCL releases its own references in another thread, shortly after the work has ended. */
static void expect_references(const program *self, cl_uint count, const char *when)
{
    for (int tries = 0; tries < 5000 && references(self->context) != count; tries++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    cr_assert_eq(references(self->context), count, "%s: %u references to the context instead of %u", when,
                 references(self->context), count);
}

TEST_WITH_RUNTIME(runtime_of, is_one_for_all_queues_of_a_context)
{
    program a = open_program(runtime);
    program b = open_program(runtime);
    const cl_uint before = references(a.context);
    clprim_runtime *first = runtime_of(a.queues[0]);
    clprim_runtime *second = runtime_of(a.queues[1]);
    clprim_runtime *other = runtime_of(b.queues[0]);
    cr_assert_eq(first, second);
    cr_assert_neq(first, other, "each context has its own");
    cr_assert_neq(first, runtime);
    cr_assert_eq(clprim_runtime_context(first), a.context);
    cr_assert_eq(clprim_runtime_context(other), b.context);
    cr_assert_neq(clprim_runtime_queue(first), a.queues[0], "its queue is its own");
    expect_sum(first);
    clprim_runtime_destroy(first);
    clprim_runtime_destroy(second);
    cr_assert_gt(references(a.context), before, "the library keeps it");
    first = runtime_of(a.queues[1]);
    cr_assert_eq(first, second, "nothing was forgotten");
    cr_assert_gt(clprim_runtime_program_stats(first).built + clprim_runtime_program_stats(first).from_disk, 0,
                 "it has the kernels of before");
    clprim_runtime_destroy(first);
    clprim_runtime_destroy(other);
    clprim_runtime_forget(a.context);
    expect_references(&a, before, "after it was forgotten");
    cr_assert_gt(references(b.context), before, "another context's is kept");
    clprim_runtime_forget(NULL);
    expect_references(&b, before, "after all were forgotten");
    close_program(&a);
    close_program(&b);
}

/* A program that holds a reference or a plan can continue. */
TEST_WITH_RUNTIME(runtime_of, outlives_its_being_forgotten)
{
    program a = open_program(runtime);
    const cl_uint before = references(a.context);
    clprim_plan *plan = NULL;
    clprim_runtime *held = runtime_of(a.queues[0]);
    ASSERT_OK(clprim_reduce_create(&plan, held, NULL));
    clprim_runtime_forget(a.context);
    clprim_runtime_forget(a.context); /* nothing remains to forget */
    expect_sum(held);
    clprim_runtime *next = runtime_of(a.queues[0]);
    cr_assert_neq(next, held);
    clprim_runtime_destroy(held);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(next);
    clprim_runtime_forget(a.context);
    expect_references(&a, before, "at the end");
    close_program(&a);
}

static void *ask_in_thread(void *queue)
{
    clprim_runtime *runtime = NULL;
    return clprim_runtime_of(&runtime, queue) == CLPRIM_SUCCESS ? runtime : NULL;
}

TEST_WITH_RUNTIME(runtime_of, is_one_for_all_threads)
{
    program a = open_program(runtime);
    pthread_t threads[THREADS];
    void *found[THREADS] = {NULL};
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_in_thread, a.queues[i % 2]), 0);
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_join(threads[i], &found[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        cr_assert_not_null(found[i]);
        cr_assert_eq(found[i], found[0]);
    }
    for (size_t i = 0; i < THREADS; i++)
        clprim_runtime_destroy(found[i]);
    clprim_runtime_forget(NULL);
    close_program(&a);
}

/* Some threads ask for runtimes, use and release them, while others forget them. */
static void *use_in_thread(void *queue)
{
    for (int i = 0; i < 20; i++) {
        clprim_runtime *runtime = ask_in_thread(queue);
        if (runtime == NULL)
            return NULL;
        if (i % 4 == 3)
            clprim_runtime_forget(i % 8 == 3 ? NULL : clprim_runtime_context(runtime));
        const bool is_right = clprim_runtime_info(runtime)->device != NULL;
        clprim_runtime_destroy(runtime);
        if (!is_right)
            return NULL;
    }
    return queue;
}

TEST_WITH_RUNTIME(runtime_of, may_be_forgotten_while_others_use_it)
{
    program a = open_program(runtime);
    const cl_uint before = references(a.context);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, use_in_thread, a.queues[i % 2]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *end = NULL;
        cr_assert_eq(pthread_join(threads[i], &end), 0);
        cr_assert_eq(end, a.queues[i % 2]);
    }
    clprim_runtime_forget(NULL);
    expect_references(&a, before, "at the end");
    close_program(&a);
}

TEST_WITH_RUNTIME(runtime_of, refuses_null)
{
    clprim_runtime *untouched = runtime;
    ASSERT_REFUSED(clprim_runtime_of(&untouched, NULL), CLPRIM_INVALID_ARGUMENT, "queue is NULL");
    ASSERT_REFUSED(clprim_runtime_of(NULL, clprim_runtime_queue(runtime)), CLPRIM_INVALID_ARGUMENT, "out is NULL");
    cr_assert_eq(untouched, runtime);
}
