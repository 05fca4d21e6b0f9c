/* threads.c: many threads on one runtime, each with plans of its own. A plain program, since Criterion's processes and
 * ThreadSanitizer do not go together: ./dev test --tsan runs this one. */
#include <clprim/reduce.h>
#include <pthread.h>
#include <stdio.h>

enum { NUM_THREADS = 8, ROUNDS = 5, COUNT = 70001 };

static clprim_runtime *runtime;
static int32_t numbers[COUNT];
static int64_t expected;

static clprim_status reduce_in(cl_command_queue queue, cl_mem in, int64_t *sum)
{
    const clprim_reduce_desc desc = {.type = CLPRIM_I32, .accumulator_type = CLPRIM_I64};
    clprim_plan *plan = NULL;
    cl_event done = NULL;
    cl_int code = CL_SUCCESS;
    cl_mem out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, sizeof *sum, NULL, &code);
    clprim_status status = code != CL_SUCCESS ? (clprim_status)code : clprim_reduce_create(&plan, runtime, &desc);
    for (int i = 0; i < ROUNDS && status == CLPRIM_SUCCESS; i++) {
        status = clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 0,
                                       NULL, &done);
        if (status == CLPRIM_SUCCESS) {
            status = (clprim_status)clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof *sum, sum, 1, &done, NULL);
            clReleaseEvent(done);
        }
        if (status == CLPRIM_SUCCESS && *sum != expected)
            status = CLPRIM_INVALID_ARGUMENT;
    }
    clprim_plan_destroy(plan);
    if (out != NULL)
        clReleaseMemObject(out);
    return status;
}

/* Half of the threads use the runtime's queue, which OpenCL makes safe, the others one of their own. */
static void *work(void *argument)
{
    const int number = *(const int *)argument;
    cl_int code = CL_SUCCESS;
    int64_t sum = 0;
    cl_context context = clprim_runtime_context(runtime);
    cl_command_queue queue = number % 2 != 0 ? clCreateCommandQueue(context, clprim_runtime_device(runtime), 0, &code)
                                             : clprim_runtime_queue(runtime);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    const clprim_status status = code != CL_SUCCESS ? (clprim_status)code : reduce_in(queue, in, &sum);
    if (status != CLPRIM_SUCCESS)
        fprintf(stderr, "thread %d: %s (%s), sum %lld of %lld\n", number, clprim_status_string(status),
                clprim_last_error(), (long long)sum, (long long)expected);
    clReleaseMemObject(in);
    if (number % 2 != 0)
        clReleaseCommandQueue(queue);
    return status == CLPRIM_SUCCESS ? NULL : argument;
}

int main(void)
{
    pthread_t threads[NUM_THREADS];
    int ids[NUM_THREADS];
    int failed = 0;
    for (int i = 0; i < COUNT; i++)
        expected += numbers[i] = i * 31 - 1000000;
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < NUM_THREADS; i++) {
        ids[i] = i;
        if (pthread_create(&threads[i], NULL, work, &ids[i]) != 0)
            return 1;
    }
    for (int i = 0; i < NUM_THREADS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        failed += result != NULL;
    }
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    clprim_runtime_destroy(runtime);
    printf("%d of %d threads failed; %zu programs were built or loaded\n", failed, NUM_THREADS,
           stats.built + stats.from_disk);
    return failed == 0 && stats.built + stats.from_disk == 1 ? 0 : 1;
}
