// SPDX-License-Identifier: MIT
/* device_sorts.c: of the guide "Functions for your own kernels": each work-group sorts a tile of an array. */
#include "guide.h"

enum { COUNT = 10000, GROUP = 256, TILE = GROUP * 5 };

#define TEXT(...) #__VA_ARGS__

/* clang-format off */
static const char SOURCE[] = TEXT(
    CLPRIM_WORK_GROUP_LOAD(tiles, float, 256, 5)
    CLPRIM_WORK_GROUP_MERGE_SORT(sorts, float, a < b, 256, 5)

    __kernel __attribute__((reqd_work_group_size(256, 1, 1)))
    void sort_tiles(__global float *a, uint n)
    {
        __local tiles_memory loading;
        __local sorts_memory sorting;
        const uint first = get_group_id(0) * (256 * 5);
        float items[5];
        tiles_load_blocked(items, a, first, n, 0, &loading);
        sorts_sort_to_striped(items, min(n - first, 256u * 5), &sorting);
        tiles_store_striped(a, first, n, items);
    }
);
/* clang-format on */

static clprim_status make(cl_kernel *out, cl_context context, cl_device_id device)
{
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    char options[CLPRIM_DEVICE_OPTIONS_SIZE];
    const char *texts[] = {clprim_device_source("work_group_load.h"), clprim_device_source("work_group_merge.h"),
                           SOURCE};
    TRY(clprim_device_options(options, sizeof options, device));
    program = clCreateProgramWithSource(context, 3, texts, NULL, &code);
    TRY(code);
    TRY(clBuildProgram(program, 1, &device, options, NULL, NULL));
    *out = clCreateKernel(program, "sort_tiles", &code);
    TRY(code);
done:
    if (program != NULL)
        (void)clReleaseProgram(program);
    return status;
}

int main(void)
{
    static cl_float a[COUNT];
    const cl_uint n = COUNT;
    const size_t global = ((size_t)COUNT + TILE - 1) / TILE * GROUP;
    const size_t local = GROUP;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    clprim_runtime *runtime = NULL;
    cl_kernel kernel = NULL;
    cl_mem buffer = NULL;
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (cl_float)(i * i % 10007);
        sum += (double)a[i];
    }

    TRY(clprim_runtime_create(&runtime, NULL));
    cl_context context = clprim_runtime_context(runtime);
    TRY(make(&kernel, context, clprim_runtime_info(runtime)->device));
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof a, a, &code);
    TRY(code);
    TRY(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    TRY(clSetKernelArg(kernel, 1, sizeof n, &n));
    TRY(clEnqueueNDRangeKernel(clprim_runtime_queue(runtime), kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(clprim_runtime_queue(runtime), buffer, CL_TRUE, 0, sizeof a, a, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++) {
        EXPECT(i % TILE == 0 || a[i - 1] <= a[i]);
        sum -= (double)a[i];
    }
    EXPECT(sum == 0);
    printf("%d tiles are sorted\n", (COUNT + TILE - 1) / TILE);
done:
    if (buffer != NULL)
        (void)clReleaseMemObject(buffer);
    if (kernel != NULL)
        (void)clReleaseKernel(kernel);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}
