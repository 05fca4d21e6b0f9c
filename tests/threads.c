// SPDX-License-Identifier: MIT
/* threads.c: many threads on one runtime, each with its own plans. It is a plain program, because Criterion's processes
 * do not work with ThreadSanitizer: ./dev test --tsan runs it. */
#include <clprim/reduce.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUM_THREADS = 8, ROUNDS = 5, COUNT = 70001 };

static clprim_runtime *runtime;
static int32_t numbers[COUNT];
static int64_t expected;

/* A failure ends the process. OpenCL's codes are statuses, too. */
static void check(clprim_status status, const char *what)
{
    if (status == CLPRIM_SUCCESS)
        return;
    fprintf(stderr, "%s: %s (%s)\n", what, clprim_status_string(status), clprim_last_error());
    _Exit(1);
}

/* Half of the threads use the runtime's queue, which OpenCL makes thread-safe, the others separate queues. */
static void *work(void *is_on_its_own)
{
    const clprim_reduce_desc desc = {.type = CLPRIM_I32, .accumulator_type = CLPRIM_I64};
    cl_int codes[3] = {CL_SUCCESS, CL_SUCCESS, CL_SUCCESS};
    cl_context context = clprim_runtime_context(runtime);
    cl_command_queue queue = is_on_its_own != NULL
                                 ? clCreateCommandQueue(context, clprim_runtime_info(runtime)->device, 0, &codes[0])
                                 : clprim_runtime_queue(runtime);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &codes[1]);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(int64_t), NULL, &codes[2]);
    const clprim_reduce_call call = {.in = {in}, .count = COUNT, .out = {out}};
    clprim_plan *plan = NULL;
    for (int i = 0; i < 3; i++)
        check((clprim_status)codes[i], "a queue or a buffer");
    check(clprim_reduce_create(&plan, runtime, &desc), "a plan");
    for (int i = 0; i < ROUNDS; i++) {
        int64_t sum = 0;
        cl_event done = NULL;
        check(clprim_reduce_enqueue(plan, queue, &call, 0, NULL, &done), "a sum");
        check((clprim_status)clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, &sum, 1, &done, NULL), "a copy");
        clReleaseEvent(done);
        check(sum == expected ? CLPRIM_SUCCESS : CLPRIM_INVALID_ARGUMENT, "a wrong sum");
    }
    clprim_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    if (is_on_its_own != NULL)
        clReleaseCommandQueue(queue);
    return NULL;
}

int main(void)
{
    pthread_t threads[NUM_THREADS];
    for (int i = 0; i < COUNT; i++)
        expected += numbers[i] = i * 31 - 1000000;
    check(clprim_runtime_create(&runtime, NULL), "a runtime");
    for (int i = 0; i < NUM_THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, i % 2 != 0 ? numbers : NULL) != 0)
            return 1;
    for (int i = 0; i < NUM_THREADS; i++)
        pthread_join(threads[i], NULL);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    clprim_runtime_destroy(runtime);
    printf("%zu programs were built or loaded\n", stats.built + stats.from_disk);
    return stats.built + stats.from_disk == 1 ? 0 : 1;
}
