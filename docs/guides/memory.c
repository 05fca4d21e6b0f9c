/* memory.c: of the guide of that name: scratch memory that the caller has made. */
#include "guide.h"

enum { COUNT = 100000 };

/* Enqueue the scan with scratch memory of one's own. */
static clprim_status add_up(clprim_runtime *runtime, clprim_plan *plan, cl_mem numbers)
{
    size_t bytes = 0;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_plan_scratch_size(&bytes, plan, &(clprim_scan_call){.count = COUNT}));
    bytes = bytes > 0 ? bytes : 1; /* some variants take none, and no buffer is empty */
    cl_mem scratch = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, bytes, NULL, &code);
    TRY(code);
    status = clprim_plan_set_scratch(plan, scratch);
    (void)clReleaseMemObject(scratch); /* the plan keeps it */
    TRY(status);
    TRY(clprim_scan_enqueue(plan, NULL, &(clprim_scan_call){.in = {numbers}, .count = COUNT, .out = {numbers}}, 0, NULL,
                            NULL));
    printf("%zu bytes of scratch memory for %d elements\n", bytes, COUNT);
done:
    return status;
}

int main(void)
{
    static cl_uint numbers[COUNT];
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    cl_mem device = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = 2;
    const clprim_scan_desc sums = {.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true};
    TRY(clprim_runtime_create(&runtime, NULL));
    TRY(clprim_scan_create(&plan, runtime, &sums));
    device = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    TRY(code);
    TRY(add_up(runtime, plan, device));
    TRY(clEnqueueReadBuffer(clprim_runtime_queue(runtime), device, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++)
        EXPECT(numbers[i] == 2 * i);
done:
    if (device != NULL)
        (void)clReleaseMemObject(device);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}
