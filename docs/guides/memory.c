// SPDX-License-Identifier: MIT
/* memory.c: of the guide of that name: scratch memory that the caller has made, and a run in pieces. */
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
    TRY(clprim_scan_enqueue(plan, NULL,
                            &(clprim_scan_call){.in = {.buffer = numbers}, .count = COUNT, .out = {.buffer = numbers}},
                            0, NULL, NULL));
    printf("%zu bytes of scratch memory for %d elements\n", bytes, COUNT);
done:
    return status;
}

/* How far a run is; a value other than 0 would stop it. */
static int show(void *user, const char *operation, size_t done, size_t total)
{
    (void)user;
    printf("%s: %zu of %zu elements\n", operation, done, total);
    return 0;
}

/* The prefixes of an array that is larger than the memory that run may use. */
static clprim_status add_up_in_parts(clprim_runtime *runtime, const cl_uint *numbers, cl_uint *sums)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_scan_desc desc = {.type = CLPRIM_U32};
    const clprim_run_limits limits = {.device_memory = 262144, .progress = show};
    TRY(clprim_runtime_set_run_limits(runtime, &limits));
    TRY(clprim_scan_run(runtime, &desc,
                        &(clprim_scan_call){.in = {.host = (void *)numbers}, .count = COUNT, .out = {.host = sums}}));
done:
    return status;
}

int main(void)
{
    static cl_uint numbers[COUNT], sums_in_parts[COUNT];
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
    TRY(add_up_in_parts(runtime, numbers, sums_in_parts));
    for (size_t i = 0; i < COUNT; i++)
        EXPECT(sums_in_parts[i] == (cl_uint)(i * (i + 1)));
done:
    if (device != NULL)
        (void)clReleaseMemObject(device);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}
