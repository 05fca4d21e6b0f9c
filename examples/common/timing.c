// SPDX-License-Identifier: MIT
/* timing.c: batches of calls, and the copy speed of the device. */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_BATCHES = 9, LARGEST_BATCH = 1000 };
static const double BATCH_SECONDS = 0.01;
static const double TOTAL_SECONDS = 1.5;

static double now(void)
{
    struct timespec time = {0};
#ifdef CLOCK_MONOTONIC
    (void)clock_gettime(CLOCK_MONOTONIC, &time); /* only fails for a clock that is not there */
#else
    (void)timespec_get(&time, TIME_UTC);
#endif
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static clprim_status run_batch(double *seconds, cl_command_queue queue, timing_call call, void *user, size_t calls)
{
    clprim_status status = CLPRIM_SUCCESS;
    const double begin = now();
    for (size_t i = 0; i < calls; i++)
        EXAMPLE_TRY(call(user));
    if (queue != NULL)
        EXAMPLE_TRY(clFinish(queue));
    *seconds = (now() - begin) / (double)calls;
done:
    return status;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* queue NULL: the work is done when the call returns. */
static clprim_status measure(timing *out, cl_command_queue queue, timing_call call, void *user, bool quick)
{
    double times[MOST_BATCHES];
    double once = 0;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(run_batch(&once, queue, call, user, 1)); /* memory is touched, the clock rises */
    EXAMPLE_TRY(run_batch(&once, queue, call, user, 1));
    size_t calls = 1;
    size_t batches = 1;
    if (!quick) {
        while (calls < LARGEST_BATCH && (double)calls * once < BATCH_SECONDS)
            calls++;
        while (batches < MOST_BATCHES && (double)(batches * calls) * once < TOTAL_SECONDS)
            batches += 2; /* odd: one is in the middle */
    }
    for (size_t i = 0; i < batches; i++)
        EXAMPLE_TRY(run_batch(&times[i], queue, call, user, calls));
    qsort(times, batches, sizeof *times, compare_doubles);
    *out = (timing){times[batches / 2], times[0], times[batches - 1]};
done:
    return status;
}

clprim_status timing_measure(timing *out, const example *program, timing_call call, void *user)
{
    return measure(out, program->queue, call, user, program->check);
}

clprim_status timing_host(timing *out, const example *program, timing_call call, void *user)
{
    return measure(out, NULL, call, user, program->check);
}

struct serial_work {
    serial_loop loop;
    void *out;
    const void *in;
    size_t n;
};

static clprim_status run_serial(void *user)
{
    const struct serial_work *work = user;
    uint64_t result;
    work->loop(work->out != NULL ? work->out : &result, work->in, work->n);
    return CLPRIM_SUCCESS;
}

clprim_status timing_serial(timing *time, const example *program, serial_loop loop, void *out, const void *in, size_t n)
{
    struct serial_work work = {.loop = loop, .out = out, .in = in, .n = n};
    return timing_host(time, program, run_serial, &work);
}

void timing_cells(report *table, const timing *time)
{
    char least[32];
    report_cell(table, "%s", report_digits(time->median * 1e3));
    (void)snprintf(least, sizeof least, "%s", report_digits(time->least * 1e3));
    if (time->least < time->most)
        report_cell(table, "%s - %s", least, report_digits(time->most * 1e3));
    else
        report_cell(table, "-"); /* with --check there is one batch */
}

/* CPUs copy a chunk per work-item; on GPUs neighbouring work-items copy neighbouring elements. */
static const char copy_source[] =
    "__kernel void copy(__global const uint4 *in, __global uint4 *out, ulong n, int chunks)\n"
    "{\n"
    "    const ulong id = get_global_id(0), items = get_global_size(0);\n"
    "    const ulong share = (n + items - 1) / items;\n"
    "    if (chunks)\n"
    "        for (ulong i = id * share; i < min(n, (id + 1) * share); i++)\n"
    "            out[i] = in[i];\n"
    "    else\n"
    "        for (ulong i = id; i < n; i += items)\n"
    "            out[i] = in[i];\n"
    "}\n";

struct copy_work {
    cl_command_queue queue;
    cl_mem in;
    cl_mem out;
    size_t bytes;
    cl_kernel kernel;
    size_t work_items;
};

static clprim_status copy_by_driver(void *user)
{
    const struct copy_work *work = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueCopyBuffer(work->queue, work->in, work->out, 0, 0, work->bytes, 0, NULL, NULL));
done:
    return status;
}

static clprim_status copy_by_kernel(void *user)
{
    const struct copy_work *work = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueNDRangeKernel(work->queue, work->kernel, 1, NULL, &work->work_items, NULL, 0, NULL, NULL));
done:
    return status;
}

static clprim_status make_copy_kernel(struct copy_work *work, const example *program)
{
    const clprim_device_info *device = program->device;
    const char *text = copy_source;
    const cl_ulong packets = work->bytes / 16;
    const cl_int chunks = device->kind == CLPRIM_DEVICE_CPU;
    clprim_status status = CLPRIM_SUCCESS;
    cl_int code = CL_SUCCESS;
    work->work_items = chunks ? device->compute_units * (size_t)4 : device->compute_units * (size_t)2048;
    cl_program built = clCreateProgramWithSource(clprim_runtime_context(program->runtime), 1, &text, NULL, &code);
    EXAMPLE_TRY(code);
    EXAMPLE_TRY(clBuildProgram(built, 0, NULL, "-w", NULL, NULL));
    work->kernel = clCreateKernel(built, "copy", &code);
    EXAMPLE_TRY(code);
    EXAMPLE_TRY(clSetKernelArg(work->kernel, 0, sizeof work->in, &work->in));
    EXAMPLE_TRY(clSetKernelArg(work->kernel, 1, sizeof work->out, &work->out));
    EXAMPLE_TRY(clSetKernelArg(work->kernel, 2, sizeof packets, &packets));
    EXAMPLE_TRY(clSetKernelArg(work->kernel, 3, sizeof chunks, &chunks));
done:
    if (built != NULL)
        (void)clReleaseProgram(built); /* the kernel keeps it */
    return status;
}

clprim_status timing_copy_speed(double *bytes_per_second, const example *program)
{
    struct copy_work work = {.queue = program->queue};
    const cl_uint pattern = 0x12345678;
    timing by_driver = {0};
    timing by_kernel = {0};
    clprim_status status = CLPRIM_SUCCESS;
    /* 512 MiB on a GPU, else 128: more than caches hold. */
    example any_count = *program;
    any_count.n = 0;
    work.bytes = 16 * example_count(&any_count, 16, (size_t)1 << 16, (size_t)32 << 20, (size_t)8 << 20);
    EXAMPLE_TRY(example_upload(&work.in, program, NULL, work.bytes));
    EXAMPLE_TRY(example_upload(&work.out, program, NULL, work.bytes));
    /* Memory that was never written may not be there: reading it would be too fast. */
    EXAMPLE_TRY(clEnqueueFillBuffer(work.queue, work.in, &pattern, sizeof pattern, 0, work.bytes, 0, NULL, NULL));
    EXAMPLE_TRY(make_copy_kernel(&work, program));
    EXAMPLE_TRY(timing_measure(&by_driver, program, copy_by_driver, &work));
    EXAMPLE_TRY(timing_measure(&by_kernel, program, copy_by_kernel, &work));
    *bytes_per_second =
        2.0 * (double)work.bytes / (by_driver.median < by_kernel.median ? by_driver.median : by_kernel.median);
done:
    if (work.kernel != NULL)
        (void)clReleaseKernel(work.kernel);
    example_release(work.in);
    example_release(work.out);
    return status;
}
