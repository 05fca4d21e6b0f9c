// SPDX-License-Identifier: MIT
/* demo_equalise.c: primitives between kernels of one's own. The histogram of the grey levels, the exclusive sums of it,
 * and a table made of these spread the levels evenly: all on one queue, and the pixels never leave the device. */
#include <clprim/histogram.h>
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "timing.h"

/* A level becomes the share of darker pixels, in 255ths of what it is for the brightest level. */
static const char SOURCE[] =
    "__kernel void make_table(__global const uint *darker, __global uchar *table)\n"
    "{\n"
    "    const size_t level = get_global_id(0);\n"
    "    const ulong all = max(darker[255], 1u);\n"
    "    table[level] = (uchar)(((ulong)darker[level] * 255 + all / 2) / all);\n"
    "}\n"
    "__kernel void look_up(__global const uchar4 *in, __global const uchar *table, __global uchar4 *out)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    const uchar4 x = in[i];\n"
    "    out[i] = (uchar4)(table[x.x], table[x.y], table[x.z], table[x.w]);\n"
    "}\n";

typedef struct equaliser {
    cl_command_queue queue;
    clprim_plan *histogram;
    clprim_plan *scan;
    cl_kernel make_table, look_up;
    size_t n;
    cl_mem in, counts, darker, table, out; /* in and out: a multiple of 4 bytes */
    /* The same on the host. */
    const uint8_t *pixels;
    uint8_t *results;
} equaliser;

static clprim_status enqueue(void *user)
{
    const equaliser *e = user;
    const size_t levels = LEVELS;
    const size_t packets = (e->n + 3) / 4;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_histogram_enqueue(e->histogram, e->queue,
                                         &(clprim_histogram_call){.in = {e->in}, .count = e->n, .out = {e->counts}}, 0,
                                         NULL, NULL));
    EXAMPLE_TRY(clprim_scan_enqueue(
        e->scan, e->queue, &(clprim_scan_call){.in = {e->counts}, .count = LEVELS, .out = {e->darker}}, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueNDRangeKernel(e->queue, e->make_table, 1, NULL, &levels, NULL, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueNDRangeKernel(e->queue, e->look_up, 1, NULL, &packets, NULL, 0, NULL, NULL));
done:
    return status;
}

static clprim_status run_plain_loops(void *user)
{
    const equaliser *e = user;
    uint32_t counts[LEVELS];
    uint32_t darker[LEVELS];
    uint8_t table[LEVELS];
    serial_histogram_u8(counts, e->pixels, e->n);
    darker[0] = 0;
    for (size_t level = 1; level < LEVELS; level++)
        darker[level] = darker[level - 1] + counts[level - 1];
    const uint64_t all = darker[LEVELS - 1] > 0 ? darker[LEVELS - 1] : 1;
    for (size_t level = 0; level < LEVELS; level++)
        table[level] = (uint8_t)(((uint64_t)darker[level] * 255 + all / 2) / all);
    for (size_t i = 0; i < e->n; i++)
        e->results[i] = table[e->pixels[i]];
    return CLPRIM_SUCCESS;
}

static clprim_status make_kernels(equaliser *e, const demo *self)
{
    const char *text = SOURCE;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    cl_program program =
        clCreateProgramWithSource(clprim_runtime_context(self->program.runtime), 1, &text, NULL, &code);
    EXAMPLE_TRY(code);
    EXAMPLE_TRY(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    e->make_table = clCreateKernel(program, "make_table", &code);
    EXAMPLE_TRY(code);
    e->look_up = clCreateKernel(program, "look_up", &code);
    EXAMPLE_TRY(code);
    EXAMPLE_TRY(clSetKernelArg(e->make_table, 0, sizeof(cl_mem), &e->darker));
    EXAMPLE_TRY(clSetKernelArg(e->make_table, 1, sizeof(cl_mem), &e->table));
    EXAMPLE_TRY(clSetKernelArg(e->look_up, 0, sizeof(cl_mem), &e->in));
    EXAMPLE_TRY(clSetKernelArg(e->look_up, 1, sizeof(cl_mem), &e->table));
    EXAMPLE_TRY(clSetKernelArg(e->look_up, 2, sizeof(cl_mem), &e->out));
done:
    if (program != NULL)
        (void)clReleaseProgram(program); /* the kernels keep it */
    return status;
}

/* On failure, too, *e is to be ended. */
static clprim_status begin(equaliser *e, const demo *self, const uint8_t *pixels, size_t n)
{
    static const clprim_histogram_desc counts_of = {.type = CLPRIM_U8};
    static const clprim_scan_desc sums_of = {.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true};
    const example *program = &self->program;
    const size_t bytes = (n + 3) / 4 * 4;
    clprim_status status = CLPRIM_SUCCESS;
    *e = (equaliser){.queue = program->queue, .n = n, .pixels = pixels, .results = malloc(n)};
    if (e->results == NULL)
        return example_fail("no memory for %zu pixels on the host", n);
    EXAMPLE_TRY(example_upload(&e->in, program, NULL, bytes));
    EXAMPLE_TRY(clEnqueueWriteBuffer(e->queue, e->in, CL_TRUE, 0, n, pixels, 0, NULL, NULL));
    EXAMPLE_TRY(example_upload(&e->counts, program, NULL, LEVELS * sizeof(cl_uint)));
    EXAMPLE_TRY(example_upload(&e->darker, program, NULL, LEVELS * sizeof(cl_uint)));
    EXAMPLE_TRY(example_upload(&e->table, program, NULL, LEVELS));
    EXAMPLE_TRY(example_upload(&e->out, program, NULL, bytes));
    EXAMPLE_TRY(clprim_histogram_create(&e->histogram, program->runtime, &counts_of));
    EXAMPLE_TRY(clprim_scan_create(&e->scan, program->runtime, &sums_of));
    EXAMPLE_TRY(make_kernels(e, self));
done:
    return status;
}

static void end(equaliser *e)
{
    clprim_plan_destroy(e->histogram);
    clprim_plan_destroy(e->scan);
    if (e->make_table != NULL)
        (void)clReleaseKernel(e->make_table);
    if (e->look_up != NULL)
        (void)clReleaseKernel(e->look_up);
    example_release(e->in);
    example_release(e->counts);
    example_release(e->darker);
    example_release(e->table);
    example_release(e->out);
    free(e->results);
}

/* Fetch what is on the device, and compare it with what the plain loops have made. */
static clprim_status fetch(uint8_t **out, bool *is_right, const equaliser *e)
{
    uint8_t *pixels = malloc(e->n);
    clprim_status status = CLPRIM_SUCCESS;
    if (pixels == NULL)
        return example_fail("no memory for %zu pixels on the host", e->n);
    EXAMPLE_TRY(clEnqueueReadBuffer(e->queue, e->out, CL_TRUE, 0, e->n, pixels, 0, NULL, NULL));
    *is_right = memcmp(pixels, e->results, e->n) == 0;
    *out = pixels;
    pixels = NULL; /* ownership passed to the caller */
done:
    free(pixels);
    return status;
}

clprim_status demo_equalise_facts(demo *self)
{
    static const char before[] = CLPRIM_EXAMPLE_PICTURE_DIR "/demo_photograph.png";
    static const char after[] = CLPRIM_EXAMPLE_PICTURE_DIR "/demo_equalised.png";
    static const char chart[] = CLPRIM_EXAMPLE_PICTURE_DIR "/demo_equalised_histogram.png";
    const size_t n = self->photo.width * self->photo.height;
    image equalised = self->photo;
    uint32_t counts[LEVELS];
    bool is_right = false;
    equaliser e = {0};
    clprim_status status = CLPRIM_SUCCESS;
    equalised.samples = NULL;
    EXAMPLE_TRY(begin(&e, self, self->photo.samples, n));
    EXAMPLE_TRY(enqueue(&e));
    EXAMPLE_TRY(run_plain_loops(&e));
    EXAMPLE_TRY(fetch(&equalised.samples, &is_right, &e));
    serial_histogram_u8(counts, equalised.samples, n);
    EXAMPLE_TRY(image_write(&self->photo, before));
    EXAMPLE_TRY(image_write(&equalised, after));
    EXAMPLE_TRY(demo_write_histogram(counts, chart));
    printf("  equalised     histogram, sums and a table spread the grey levels, all on the device (%s)\n",
           demo_judge(self, is_right));
    printf("                before   %s\n                after    %s\n                levels   %s\n", before, after,
           chart);
done:
    image_clear(&equalised);
    end(&e);
    return status;
}

static clprim_status show_speed(demo *self, size_t n)
{
    void *data = NULL;
    uint8_t *equalised = NULL;
    bool is_right = false;
    timing seconds = {0};
    timing cpu_seconds = {0};
    equaliser e = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_repeat(&data, CLPRIM_U8, &self->photo, 0, n));
    EXAMPLE_TRY(begin(&e, self, data, n));
    EXAMPLE_TRY(timing_host(&cpu_seconds, &self->program, run_plain_loops, &e));
    EXAMPLE_TRY(timing_measure(&seconds, &self->program, enqueue, &e));
    EXAMPLE_TRY(fetch(&equalised, &is_right, &e));
    /* Pixels are read to be counted, read again when the table is made, and written. */
    demo_speed(self, "equalise", "u8", n, 3 * n, seconds.median, cpu_seconds.median, is_right);
done:
    end(&e);
    free(equalised);
    free(data);
    return status;
}

clprim_status demo_equalise_speeds(demo *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(show_speed(self, self->photo.width * self->photo.height));
    EXAMPLE_TRY(show_speed(self, self->wide_n));
done:
    return status;
}
