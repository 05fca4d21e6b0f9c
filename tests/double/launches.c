// SPDX-License-Identifier: MIT
/* launches.c: commands and memory. Requests that exceed the device are refused before the driver below gets them. */
#include "double.h"

#include <stdint.h>

/* Why the device could not run it; otherwise CL_SUCCESS. */
static cl_int check(cl_command_queue queue, cl_kernel kernel, const char *name, cl_uint dimensions,
                    const size_t *global, const size_t *local)
{
    const double_profile *profile = double_get()->profile;
    const size_t limit = double_kernel_limit(kernel);
    cl_device_id device = NULL;
    cl_ulong memory = 0;
    size_t items = 1;
    for (cl_uint i = 0; local != NULL && i < dimensions; i++)
        items *= local[i];
    if (items > limit) {
        double_found("%s in groups of %zu work-items; the device has at most %zu for it", name, items, limit);
        return CL_INVALID_WORK_GROUP_SIZE;
    }
    for (cl_uint i = 0; profile->address_bits == 32 && i < dimensions; i++) {
        if (global[i] > UINT32_MAX) {
            double_found("%s for %zu work-items, which do not fit a size_t of 32 bits", name, global[i]);
            return CL_OUT_OF_RESOURCES;
        }
    }
    (void)BELOW(clGetCommandQueueInfo)(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    (void)BELOW(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof memory, &memory, NULL);
    const cl_ulong arguments = double_argument_memory(kernel);
    /* Drivers may include arguments in the kernel's local memory. */
    if (memory > profile->local_memory || arguments > profile->local_memory) {
        double_found("%s takes %llu bytes of local memory, %llu by arguments; the device has %llu", name,
                     (unsigned long long)memory, (unsigned long long)arguments,
                     (unsigned long long)profile->local_memory);
        return CL_OUT_OF_RESOURCES;
    }
    return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint num_waits, const cl_event *waits,
                              cl_event *done)
{
    const double_settings *settings = double_get();
    char name[256] = "";
    cl_program program = NULL;
    cl_event own = NULL;
    cl_int code = CL_SUCCESS;
    (void)clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    (void)clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    /* A miscompiled kernel does nothing. */
    if (settings->is_null || (settings->compiler == DOUBLE_MISCOMPILES && double_is_victim(program, name)))
        return BELOW(clEnqueueMarkerWithWaitList)(queue, num_waits, waits, done);
    if (settings->profile != NULL)
        code = check(queue, kernel, name, dimensions, global, local);
    if (code == CL_SUCCESS)
        code = BELOW(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local, num_waits, waits, &own);
    if (code != CL_SUCCESS)
        return code;
    double_watch(own, name);
    if (done != NULL)
        *done = own;
    else
        (void)BELOW(clReleaseEvent)(own);
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    const double_profile *profile = double_get()->profile;
    if (profile == NULL || size <= profile->allocation)
        return BELOW(clCreateBuffer)(context, flags, size, host, code);
    double_found("a buffer of %zu bytes; the device allows %llu", size, (unsigned long long)profile->allocation);
    if (code != NULL)
        *code = CL_INVALID_BUFFER_SIZE;
    return NULL;
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    const double_profile *profile = double_get()->profile;
    if (profile == NULL || (profile->svm != 0 && size <= profile->allocation))
        return BELOW(clSVMAlloc)(context, flags, size, alignment);
    double_found("shared virtual memory of %zu bytes; the device has none, or allows %llu", size,
                 (unsigned long long)profile->allocation);
    return NULL;
}
