// SPDX-License-Identifier: MIT
/* plan.c: a plan for data on the device: made once, enqueued twice, each time behind the call before it. It prints
 *
 *     1 4 9 16
 *     1 5 14 30 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    const cl_uint numbers[] = {1, 3, 5, 7};
    cl_uint sums[4];
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    cl_mem buffer = NULL;
    cl_event first = NULL;
    cl_event second = NULL;
    int failed = 1;

    /* For a queue of your own: &(clprim_runtime_desc){.queue = queue} */
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS ||
        clprim_scan_create(&plan, runtime, &(clprim_scan_desc){.type = CLPRIM_U32, .op = CLPRIM_SUM}) != CLPRIM_SUCCESS)
        goto done;
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    buffer = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, sizeof numbers, NULL, NULL);
    if (buffer == NULL ||
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL) != CL_SUCCESS)
        goto done;

    const clprim_scan_call call = {.in = {.buffer = buffer}, .count = 4, .out = {.buffer = buffer}};
    if (clprim_scan_enqueue(plan, queue, &call, 0, NULL, &first) != CLPRIM_SUCCESS ||
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sums, sums, 1, &first, NULL) != CL_SUCCESS)
        goto done;
    printf("%u %u %u %u\n", sums[0], sums[1], sums[2], sums[3]);
    if (clprim_scan_enqueue(plan, queue, &call, 1, &first, &second) != CLPRIM_SUCCESS ||
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sums, sums, 1, &second, NULL) != CL_SUCCESS)
        goto done;
    printf("%u %u %u %u\n", sums[0], sums[1], sums[2], sums[3]);
    failed = 0;
done:
    if (failed)
        fprintf(stderr, "%s\n", clprim_last_error());
    if (second != NULL)
        (void)clReleaseEvent(second);
    if (first != NULL)
        (void)clReleaseEvent(first);
    if (buffer != NULL)
        (void)clReleaseMemObject(buffer);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return failed;
}
