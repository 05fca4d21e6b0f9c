// SPDX-License-Identifier: MIT
/* device_functions.c: of the guide of that name: a program's own kernel that scans in each work-group. */
#include "guide.h"

enum { COUNT = 10000, GROUP = 256 };

#define TEXT(...) #__VA_ARGS__

/* The peaks of a signal: each group finds the places of its peaks by a scan, and takes so much room in `found`. */
/* clang-format off */
static const char SOURCE[] = TEXT(
    CLPRIM_WORK_GROUP_SCAN(places, uint, a + b, 0, 256)

    __kernel __attribute__((reqd_work_group_size(256, 1, 1)))
    void peaks(const __global float *samples, uint n, __global uint *found, __global uint *count)
    {
        __local places_memory memory;
        __local uint first;
        const uint i = get_global_id(0);
        const uint is_peak = i > 0 && i + 1 < n && samples[i - 1] < samples[i] && samples[i] > samples[i + 1];
        uint total;
        const uint place = places_exclusive(is_peak, &total, &memory);
        if (get_local_id(0) == 0)
            first = atomic_add(count, total);
        barrier(CLK_LOCAL_MEM_FENCE); /* all need `first` */
        if (is_peak)
            found[first + place] = i;
    }
);
/* clang-format on */

static clprim_status make(cl_kernel *out, cl_context context, cl_device_id device)
{
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    char options[CLPRIM_DEVICE_OPTIONS_SIZE];
    const char *texts[] = {clprim_device_source("work_group_scan.h"), SOURCE};
    TRY(clprim_device_options(options, sizeof options, device));
    program = clCreateProgramWithSource(context, 2, texts, NULL, &code);
    TRY(code);
    TRY(clBuildProgram(program, 1, &device, options, NULL, NULL));
    *out = clCreateKernel(program, "peaks", &code);
    TRY(code);
done:
    if (program != NULL)
        (void)clReleaseProgram(program);
    return status;
}

int main(void)
{
    static cl_float samples[COUNT];
    static cl_uint found[COUNT];
    const cl_uint n = COUNT;
    const size_t global = ((size_t)COUNT + GROUP - 1) / GROUP * GROUP;
    const size_t local = GROUP;
    cl_uint count = 0;
    cl_uint expected = 0;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    clprim_runtime *runtime = NULL;
    cl_kernel peaks = NULL;
    cl_mem buffers[3] = {NULL};
    for (size_t i = 0; i < COUNT; i++)
        samples[i] = (cl_float)(i * i % 101);
    for (size_t i = 1; i + 1 < COUNT; i++)
        expected += samples[i - 1] < samples[i] && samples[i] > samples[i + 1];

    TRY(clprim_runtime_create(&runtime, NULL));
    cl_context context = clprim_runtime_context(runtime);
    cl_command_queue queue = clprim_runtime_queue(runtime);
    TRY(make(&peaks, context, clprim_runtime_info(runtime)->device));
    buffers[0] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof samples, samples, &code);
    TRY(code);
    buffers[1] = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof found, NULL, &code);
    TRY(code);
    buffers[2] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof count, &count, &code);
    TRY(code);
    TRY(clSetKernelArg(peaks, 0, sizeof(cl_mem), &buffers[0]));
    TRY(clSetKernelArg(peaks, 1, sizeof n, &n));
    TRY(clSetKernelArg(peaks, 2, sizeof(cl_mem), &buffers[1]));
    TRY(clSetKernelArg(peaks, 3, sizeof(cl_mem), &buffers[2]));
    TRY(clEnqueueNDRangeKernel(queue, peaks, 1, NULL, &global, &local, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL));
    printf("%u peaks\n", count);
    EXPECT(count == expected);
    for (size_t i = 0; i < count; i++)
        EXPECT(samples[found[i] - 1] < samples[found[i]] && samples[found[i]] > samples[found[i] + 1]);
done:
    for (size_t i = 0; i < 3; i++)
        if (buffers[i] != NULL)
            (void)clReleaseMemObject(buffers[i]);
    if (peaks != NULL)
        (void)clReleaseKernel(peaks);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}
