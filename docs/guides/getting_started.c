// SPDX-License-Identifier: MIT
/* getting_started.c: of the guide of that name: arrays on the host in one call, and a plan for data on the device. */
#include "guide.h"

enum { COUNT = 6 };

static clprim_status on_the_host(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    float prices[COUNT] = {3.5F, 1.25F, 9, 2.5F, 4, 0.75F};
    float sum = 0;
    const clprim_reduce_desc add = {.type = CLPRIM_F32, .op = CLPRIM_SUM};
    TRY(clprim_reduce_run(NULL, &add,
                          &(clprim_reduce_call){.in = {.host = prices}, .count = COUNT, .out = {.host = &sum}}));
    printf("sum %g\n", (double)sum);
    EXPECT(sum == 21);
done:
    return status;
}

static clprim_status on_the_device(void)
{
    const cl_uint lengths[COUNT] = {3, 1, 4, 1, 5, 9};
    cl_uint offsets[COUNT] = {0};
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    cl_mem in = NULL;
    cl_mem out = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_create(&runtime, NULL));
    const clprim_scan_desc sums = {.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true};
    TRY(clprim_scan_create(&plan, runtime, &sums));

    const cl_context context = clprim_runtime_context(runtime);
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    in = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof lengths, NULL, &code);
    TRY(code);
    out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof offsets, NULL, &code);
    TRY(code);
    TRY(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, sizeof lengths, lengths, 0, NULL, NULL));
    TRY(clprim_scan_enqueue(
        plan, queue, &(clprim_scan_call){.in = {.buffer = in}, .count = COUNT, .out = {.buffer = out}}, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof offsets, offsets, 0, NULL, NULL));
    printf("the last one begins at %u\n", (unsigned)offsets[COUNT - 1]);
    EXPECT(offsets[COUNT - 1] == 14);
done:
    if (in != NULL)
        (void)clReleaseMemObject(in);
    if (out != NULL)
        (void)clReleaseMemObject(out);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status;
}

int main(void)
{
    return on_the_host() != CLPRIM_SUCCESS || on_the_device() != CLPRIM_SUCCESS;
}
