// SPDX-License-Identifier: MIT
/* startup.c: how long a program takes from its start to its first result, stage by stage, as one line of JSON.
 *
 *     startup [--bare] [--since=NANOSECONDS]
 *
 * Sums 2^16 elements that lie on the host. --bare: the floor, a context and a queue on the device and the same array
 * written and read back, without clPRIM. --since: when the process was asked for, as `date +%s%N` gives it; then
 * "since_exec_ms" counts from there, loading included.
 * "kernels" says where they came from: "built", or "disk" with a warm cache (CLPRIM_CACHE_DIR, CLPRIM_CACHE). */
#define _POSIX_C_SOURCE 200809L
#include <clprim/reduce.h>
#include <clprim/reference.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 1 << 16 };

static int32_t input[COUNT];

static double now_ms(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int failed(const char *what, int code)
{
    fprintf(stderr, "startup: %s: %s: %s\n", what, clprim_status_string((clprim_status)code), clprim_last_error());
    return EXIT_FAILURE;
}

static void print_total(double start, double since)
{
    printf("\"total_ms\": %.2f", now_ms(CLOCK_MONOTONIC) - start);
    if (since > 0)
        printf(", \"since_exec_ms\": %.2f", now_ms(CLOCK_REALTIME) - since);
    puts("}");
}

/* The runtime's stages; leaves objects to the end of the process, which is near. */
static int with_clprim(double start, double since)
{
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    int32_t got = 0;
    int32_t expected = 0;
    cl_int code = CL_SUCCESS;
    clprim_status status = clprim_runtime_create(&runtime, NULL);
    if (status != CLPRIM_SUCCESS)
        return failed("clprim_runtime_create", status);
    const double with_runtime = now_ms(CLOCK_MONOTONIC);
    status = clprim_reduce_create(&plan, runtime, NULL);
    if (status != CLPRIM_SUCCESS)
        return failed("clprim_reduce_create", status);
    const double with_plan = now_ms(CLOCK_MONOTONIC);
    const cl_mem in = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     sizeof input, input, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateBuffer", code);
    const cl_mem out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, sizeof got, NULL, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateBuffer", code);
    status = clprim_reduce_enqueue(plan, NULL, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 0, NULL,
                                   NULL);
    if (status != CLPRIM_SUCCESS)
        return failed("clprim_reduce_enqueue", status);
    code = clEnqueueReadBuffer(clprim_runtime_queue(runtime), out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return failed("clEnqueueReadBuffer", code);
    const double with_result = now_ms(CLOCK_MONOTONIC);
    printf("{\"device\": \"%s\", \"mode\": \"clprim\", \"kernels\": \"%s\", \"runtime_ms\": %.2f, \"plan_ms\": %.2f, "
           "\"reduce_ms\": %.2f, ",
           clprim_runtime_info(runtime)->name, clprim_runtime_program_stats(runtime).built > 0 ? "built" : "disk",
           with_runtime - start, with_plan - with_runtime, with_result - with_plan);
    print_total(start, since);
    status = clprim_reference_reduce(&expected, &(clprim_reference_operator){.type = CLPRIM_I32, .op = CLPRIM_SUM},
                                     input, COUNT);
    if (status != CLPRIM_SUCCESS || got != expected) {
        fprintf(stderr, "startup: the sum is %d, not %d\n", (int)got, (int)expected);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

/* The first GPU of any platform, else the first device. */
static cl_device_id first_device(void)
{
    cl_platform_id platforms[16];
    cl_uint num_platforms = 0;
    cl_device_id device = NULL;
    if (clGetPlatformIDs(16, platforms, &num_platforms) != CL_SUCCESS)
        return NULL;
    const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    for (int t = 0; t < 2; t++)
        for (cl_uint p = 0; p < num_platforms && p < 16; p++)
            if (clGetDeviceIDs(platforms[p], types[t], 1, &device, NULL) == CL_SUCCESS)
                return device;
    return NULL;
}

static int bare(double start, double since)
{
    char name[128] = "";
    cl_int code = CL_SUCCESS;
    cl_device_id device = first_device();
    if (device == NULL)
        return failed("no device", CLPRIM_NO_DEVICE);
    (void)clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateContext", code);
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateCommandQueue", code);
    const double with_queue = now_ms(CLOCK_MONOTONIC);
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof input, input, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateBuffer", code);
    code = clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof input, input, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return failed("clEnqueueReadBuffer", code);
    printf("{\"device\": \"%s\", \"mode\": \"bare\", \"queue_ms\": %.2f, \"transfer_ms\": %.2f, ", name,
           with_queue - start, now_ms(CLOCK_MONOTONIC) - with_queue);
    print_total(start, since);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const double start = now_ms(CLOCK_MONOTONIC);
    double since = 0;
    bool is_bare = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--bare") == 0) {
            is_bare = true;
        } else if (strncmp(argv[i], "--since=", 8) == 0) {
            since = strtod(argv[i] + 8, NULL) * 1e-6;
        } else {
            fprintf(stderr, "usage: startup [--bare] [--since=NANOSECONDS]\n");
            return 2;
        }
    }
    uint32_t x = 12345;
    for (int i = 0; i < COUNT; i++)
        input[i] = (int32_t)((x = x * 1664525U + 1013904223U) >> 16);
    return is_bare ? bare(start, since) : with_clprim(start, since);
}
