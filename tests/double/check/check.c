// SPDX-License-Identifier: MIT
/* check.c: checks what the layer promises, on the profile "minimal" with work-groups in reverse order and one thread:
 * each limit is reported, and enforced if a program exceeds it. With the argument "wait", a kernel in which a group
 * waits for one that has not run: the layer must end this process. With "refuse", the compiler refuses a program. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 40, GROUP_SIZE = 16 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static int failures;

static void expect(bool is_so, const char *what)
{
    if (is_so)
        return;
    failures++;
    (void)printf("not so: %s\n", what);
}

static cl_ulong number(cl_device_info what)
{
    cl_ulong value = 0;
    (void)clGetDeviceInfo(device, what, sizeof value, &value, NULL);
    return value;
}

/* NULL if it does not build; then *code says why. */
static cl_program build(const char *text, const char *options, cl_int *code)
{
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, code);
    if (*code == CL_SUCCESS)
        *code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (*code == CL_SUCCESS || program == NULL)
        return program;
    (void)clReleaseProgram(program);
    return NULL;
}

static void expect_refused(const char *text, const char *options, cl_int expected, const char *what)
{
    cl_int code = CL_SUCCESS;
    cl_program program = build(text, options, &code);
    expect(code == expected, what);
    if (program != NULL)
        (void)clReleaseProgram(program);
}

static cl_kernel kernel_of(const char *text)
{
    cl_int code = CL_SUCCESS;
    cl_program program = build(text, "-cl-std=CL1.2", &code);
    cl_kernel kernel = code == CL_SUCCESS ? clCreateKernel(program, "k", &code) : NULL;
    expect(kernel != NULL, "a program builds that exceeds nothing");
    if (program != NULL)
        (void)clReleaseProgram(program);
    return kernel;
}

static cl_int launch(cl_kernel kernel, size_t groups, size_t group_size)
{
    const size_t global = groups * group_size;
    const cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &group_size, 0, NULL, NULL);
    (void)clFinish(queue);
    return code;
}

static void check_facts(void)
{
    char text[4096] = "";
    (void)clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL);
    expect(strcmp(text, "minimal GPU") == 0, "the device has the profile's name");
    expect(number(CL_DEVICE_MAX_WORK_GROUP_SIZE) == 64 && number(CL_DEVICE_LOCAL_MEM_SIZE) == 32768,
           "it has its limits");
    expect((cl_uint)number(CL_DEVICE_ADDRESS_BITS) == 32, "it has its width of addresses");
    (void)clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);
    expect(strstr(text, "fp64") == NULL && strstr(text, "int64") == NULL, "it lacks extensions");
}

/* Whether the driver below tells how much local memory a kernel takes before it runs. PoCL 6.0 does not. */
static bool tells_local_memory(void)
{
    cl_ulong memory = 0;
    cl_kernel kernel = kernel_of("kernel void k(global float *x) { local float y[900]; y[get_local_id(0)] = x[0]; "
                                 "barrier(CLK_LOCAL_MEM_FENCE); x[1] = y[1]; }");
    (void)clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof memory, &memory, NULL);
    (void)clReleaseKernel(kernel);
    return memory != 0;
}

static void check_builds(void)
{
    expect_refused("kernel void k(global float *x) { double y = x[0]; x[1] = y * y; }", "", CL_BUILD_PROGRAM_FAILURE,
                   "no double precision");
    expect_refused("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                   "kernel void k(volatile global ulong *x) { atom_add(x, 1ul); }",
                   "", CL_BUILD_PROGRAM_FAILURE, "no atomics of 64 bits");
    expect_refused("#if defined(cl_khr_fp64) || defined(cl_khr_int64_base_atomics)\n#error there\n#endif\n"
                   "kernel void k(global float *x) { x[0] = 1; }",
                   "", CL_SUCCESS, "no macros of extensions that it lacks");
    expect_refused("kernel void k(global float *x) { x[0] = 1; }", "-cl-std=CL2.0", CL_INVALID_BUILD_OPTIONS,
                   "no later version of OpenCL C");
    expect_refused("kernel __attribute__((reqd_work_group_size(128, 1, 1))) void k(global float *x) { x[0] = 1; }", "",
                   CL_BUILD_PROGRAM_FAILURE, "no larger groups that a kernel requires");
    if (!tells_local_memory())
        return;
    expect_refused("kernel void k(global float *x) { local float y[9000]; y[get_local_id(0)] = x[0]; "
                   "barrier(CLK_LOCAL_MEM_FENCE); x[1] = y[1]; }",
                   "", CL_BUILD_PROGRAM_FAILURE, "no more local memory in a kernel");
}

static void check_launches(void)
{
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = kernel_of("kernel void k(local float *y, global float *x) { y[get_local_id(0)] = 1; "
                                 "barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = y[0]; }");
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    size_t largest = 0;
    (void)clSetKernelArg(kernel, 0, 4096, NULL);
    (void)clSetKernelArg(kernel, 1, sizeof memory, &memory);
    (void)clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof largest, &largest, NULL);
    expect(largest == 32 || largest == 64, "a kernel has a largest group");
    expect(launch(kernel, 2, largest) == CL_SUCCESS, "a group of that size");
    expect(launch(kernel, 2, 2 * largest) == CL_INVALID_WORK_GROUP_SIZE, "no larger group");
    (void)clSetKernelArg(kernel, 0, 40000, NULL);
    expect(launch(kernel, 2, 16) == CL_OUT_OF_RESOURCES, "no more local memory by an argument");
    (void)clReleaseKernel(kernel);
    (void)clReleaseMemObject(memory);
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)257 << 20, NULL, &code);
    expect(memory == NULL && code == CL_INVALID_BUFFER_SIZE, "no larger buffer");
}

/* Each work-item exists once, and the group that runs first has the highest number. */
static void check_order(void)
{
    cl_int code = CL_SUCCESS;
    cl_uint seen[GROUPS * GROUP_SIZE + 2] = {0};
    cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof seen, seen, &code);
    cl_kernel kernel =
        kernel_of("kernel void k(volatile global uint *x) {\n"
                  "    atomic_inc(x + get_global_id(0));\n"
                  "    if (get_local_id(0) == 0 && atomic_inc(x + 640) == 0) x[641] = get_group_id(0); }");
    (void)clSetKernelArg(kernel, 0, sizeof memory, &memory);
    expect(launch(kernel, GROUPS, GROUP_SIZE) == CL_SUCCESS, "groups in another order");
    (void)clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL);
    for (size_t i = 0; i < (size_t)GROUPS * GROUP_SIZE; i++)
        expect(seen[i] == 1, "each work-item is there once");
    expect(seen[GROUPS * GROUP_SIZE] == GROUPS, "all groups ran");
    expect(seen[GROUPS * GROUP_SIZE + 1] == GROUPS - 1, "the last group runs first");
    (void)clReleaseKernel(kernel);
    (void)clReleaseMemObject(memory);
}

/* Each group waits for the previous one, which would end if groups ran in the order of their numbers. */
static void wait_for_group(void)
{
    cl_int code = CL_SUCCESS;
    cl_uint zeros[GROUPS + 1] = {0};
    cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &code);
    cl_kernel kernel = kernel_of("kernel void k(volatile global uint *x) { uint g = get_group_id(0);\n"
                                 "    while (g > 0 && atomic_or(x + g - 1, 0u) == 0)\n        ;\n"
                                 "    atomic_xchg(x + g, 1u); }");
    (void)clSetKernelArg(kernel, 0, sizeof memory, &memory);
    (void)launch(kernel, GROUPS, 1);
}

int main(int argc, char **argv)
{
    cl_int code = CL_SUCCESS;
    cl_platform_id platform = NULL;
    (void)clGetPlatformIDs(1, &platform, NULL);
    (void)clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = context != NULL ? clCreateCommandQueue(context, device, 0, &code) : NULL;
    if (queue == NULL)
        return EXIT_FAILURE;
    if (argc > 1 && strcmp(argv[1], "wait") == 0) {
        wait_for_group();
        return EXIT_SUCCESS; /* the test does not expect this */
    }
    if (argc > 1) {
        expect_refused("kernel void refused_one(global float *x) { x[0] = 1; }", "", CL_BUILD_PROGRAM_FAILURE,
                       "the compiler refuses the program that is named");
        expect_refused("kernel void wanted(global float *x) { x[0] = 1; }", "", CL_SUCCESS, "it refuses no other one");
    } else {
        check_facts();
        check_builds();
        check_launches();
        check_order();
    }
    (void)clReleaseCommandQueue(queue);
    (void)clReleaseContext(context);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
