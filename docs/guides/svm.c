// SPDX-License-Identifier: MIT
/* svm.c: of the guide memory.md: an array in shared virtual memory, which is coarse-grained. */
#define CL_TARGET_OPENCL_VERSION 200 /* clSVMAlloc */
#include "guide.h"

enum { COUNT = 100000 };

static clprim_status add_up(clprim_plan *plan, cl_command_queue queue, cl_uint *numbers)
{
    const size_t bytes = COUNT * sizeof(cl_uint);
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, numbers, bytes, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = 2;
    TRY(clEnqueueSVMUnmap(queue, numbers, 0, NULL, NULL));

    const clprim_scan_call call = {.in = {.svm = numbers}, .count = COUNT, .out = {.svm = numbers}};
    TRY(clprim_scan_enqueue(plan, queue, &call, 0, NULL, NULL));

    TRY(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, numbers, bytes, 0, NULL, NULL));
    printf("the last sum is %u\n", (unsigned)numbers[COUNT - 1]);
    for (size_t i = 0; i < COUNT; i++)
        EXPECT(numbers[i] == 2 * i);
    TRY(clEnqueueSVMUnmap(queue, numbers, 0, NULL, NULL));
    TRY(clFinish(queue));
done:
    return status;
}

int main(void)
{
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_create(&runtime, NULL));
    if (!clprim_runtime_info(runtime)->has_svm) {
        printf("%s has no shared virtual memory\n", clprim_runtime_info(runtime)->name);
        goto done;
    }
    const cl_context context = clprim_runtime_context(runtime);
    const size_t bytes = COUNT * sizeof(cl_uint);
    TRY(clprim_scan_create(&plan, runtime,
                           &(clprim_scan_desc){.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true}));
    cl_uint *numbers = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
    EXPECT(numbers != NULL);
    status = add_up(plan, clprim_runtime_queue(runtime), numbers);
    clSVMFree(context, numbers);
done:
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}
