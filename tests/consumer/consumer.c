/* consumer.c: a program with an OpenCL context and queue of its own reduces a buffer on them. Exits 0 where the result
 * is right. */
#include <clprim/reduce.h>
#include <stdio.h>

enum { COUNT = 100000 };

static int fail(const char *what)
{
    fprintf(stderr, "%s failed: %s\n", what, clprim_last_error());
    return 1;
}

int main(void)
{
    static int numbers[COUNT];
    long long expected = 0;
    for (int i = 0; i < COUNT; i++)
        expected += numbers[i] = i % 1000 - 300;

    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return fail("finding a device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_long), NULL, &code);
    if (code != CL_SUCCESS)
        return fail("making OpenCL objects");

    clprim_runtime *runtime;
    clprim_plan *plan;
    cl_event done;
    cl_long sum = 0;
    const clprim_runtime_desc mine = {.queue = queue};
    const clprim_reduce_desc desc = {.type = CLPRIM_I32, .op = CLPRIM_SUM, .accumulator_type = CLPRIM_I64};
    if (clprim_runtime_create(&runtime, &mine) != CLPRIM_SUCCESS)
        return fail("clprim_runtime_create");
    if (clprim_reduce_create(&plan, runtime, &desc) != CLPRIM_SUCCESS)
        return fail("clprim_reduce_create");
    if (clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 0, NULL,
                              &done) != CLPRIM_SUCCESS)
        return fail("clprim_reduce_enqueue");
    if (clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, &sum, 1, &done, NULL) != CL_SUCCESS)
        return fail("reading the result");

    clReleaseEvent(done);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    clReleaseMemObject(out);
    clReleaseMemObject(in);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("sum %lld, expected %lld\n", (long long)sum, expected);
    return sum == expected ? 0 : 1;
}
