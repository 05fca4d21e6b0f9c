// SPDX-License-Identifier: MIT
/* summed_area.c: a photograph's summed-area table, and a blur by it: kernels of one's own that scan with clPRIM's
 * functions. README.md says what to look for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"
#include "kernels.h"
#include "timing.h"

static const char USAGE[] = "Compute a photograph's summed-area table, and blur the photograph by it.\n";
static const char PICTURE[] = CLPRIM_EXAMPLE_PICTURE_DIR "/summed_area_blurred.png";

enum { GROUP = 256, RADIUS = 8 };

static const char *const HEADERS[] = {"work_group_load.h", "work_group_scan.h", NULL};

/* One work-group sums a row, tile by tile; then one work-item a column, and neighbours read neighbouring words. */
static const char SOURCE[] =
    "CLPRIM_WORK_GROUP_LOAD(tiles, uint, 256, 4)\n"
    "CLPRIM_WORK_GROUP_SCAN(sums, uint, a + b, 0, 256)\n"
    "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"
    "void sum_rows(__global uint *table, uint width)\n"
    "{\n"
    "    __local tiles_memory moving;\n"
    "    __local sums_memory summing;\n"
    "    __global uint *row = table + get_group_id(0) * (size_t)width;\n"
    "    uint before = 0;\n"
    "    for (uint first = 0; first < width; first += 256 * 4) {\n"
    "        uint items[4];\n"
    "        uint total;\n"
    "        tiles_load_blocked(items, row, first, width, 0, &moving);\n"
    "        items[0] += get_local_id(0) == 0 ? before : 0;\n"
    "        sums_inclusive_items(items, 4, &total, &summing);\n"
    "        tiles_store_blocked(row, first, width, items, &moving); /* the scan has a barrier */\n"
    "        before = total;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* before the memory is used again */\n"
    "    }\n"
    "}\n"
    "__kernel void sum_columns(__global uint *table, uint width, uint height)\n"
    "{\n"
    "    const uint x = get_global_id(0);\n"
    "    uint sum = 0;\n"
    "    if (x < width)\n"
    "        for (uint y = 0; y < height; y++)\n"
    "            table[y * (size_t)width + x] = sum += table[y * (size_t)width + x];\n"
    "}\n"
    "__kernel void widen(__global const uchar *in, __global uint *table, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        table[i] = in[i];\n"
    "}\n"
    "uint sum_to(__global const uint *table, uint width, uint x, uint y)\n"
    "{\n"
    "    return x > 0 && y > 0 ? table[(y - 1) * (size_t)width + x - 1] : 0;\n"
    "}\n"
    "__kernel void blur(__global const uint *table, __global uchar *out, uint width, uint height, uint radius)\n"
    "{\n"
    "    const uint x = get_global_id(0), y = get_global_id(1);\n"
    "    const uint left = x - min(x, radius), right = min(x + radius + 1, width);\n"
    "    const uint top = y - min(y, radius), bottom = min(y + radius + 1, height);\n"
    "    if (x >= width)\n"
    "        return;\n"
    "    const uint sum = sum_to(table, width, right, bottom) - sum_to(table, width, left, bottom) -\n"
    "                     sum_to(table, width, right, top) + sum_to(table, width, left, top);\n"
    "    out[y * (size_t)width + x] = (uchar)(sum / ((right - left) * (bottom - top)));\n"
    "}\n";

enum { WIDEN, SUM_ROWS, SUM_COLUMNS, BLUR, NUM_KERNELS };
static const char *const KERNEL_NAMES[NUM_KERNELS] = {"widen", "sum_rows", "sum_columns", "blur"};

typedef struct summed_area {
    const example *program;
    cl_kernel kernels[NUM_KERNELS];
    cl_mem in, table, out;
    cl_uint width, height, n, radius;
    const uint8_t *pixels; /* on the host, with what plain loops make of them */
    uint32_t *sums;
    uint8_t *blurred;
} summed_area;

static clprim_status set_arguments(summed_area *self)
{
    const kernels_argument widen[] = {KERNELS_ARGUMENT(self->in), KERNELS_ARGUMENT(self->table),
                                      KERNELS_ARGUMENT(self->n)};
    const kernels_argument sums[] = {KERNELS_ARGUMENT(self->table), KERNELS_ARGUMENT(self->width),
                                     KERNELS_ARGUMENT(self->height)};
    const kernels_argument blur[] = {KERNELS_ARGUMENT(self->table), KERNELS_ARGUMENT(self->out),
                                     KERNELS_ARGUMENT(self->width), KERNELS_ARGUMENT(self->height),
                                     KERNELS_ARGUMENT(self->radius)};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_set(self->kernels[WIDEN], widen, 3));
    EXAMPLE_TRY(kernels_set(self->kernels[SUM_ROWS], sums, 2));
    EXAMPLE_TRY(kernels_set(self->kernels[SUM_COLUMNS], sums, 3));
    EXAMPLE_TRY(kernels_set(self->kernels[BLUR], blur, 5));
done:
    return status;
}

static clprim_status run_on_device(void *user)
{
    const summed_area *self = user;
    const size_t local = GROUP;
    const size_t global = (size_t)self->height * GROUP;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_launch(self->program, self->kernels[WIDEN], self->n));
    EXAMPLE_TRY(
        clEnqueueNDRangeKernel(self->program->queue, self->kernels[SUM_ROWS], 1, NULL, &global, &local, 0, NULL, NULL));
    EXAMPLE_TRY(kernels_launch(self->program, self->kernels[SUM_COLUMNS], self->width));
    EXAMPLE_TRY(kernels_launch_2d(self->program, self->kernels[BLUR], self->width, self->height));
done:
    return status;
}

static uint32_t sum_to(const summed_area *self, size_t x, size_t y)
{
    return x > 0 && y > 0 ? self->sums[(y - 1) * self->width + x - 1] : 0;
}

static clprim_status run_on_host(void *user)
{
    const summed_area *self = user;
    const size_t width = self->width;
    for (size_t y = 0; y < self->height; y++)
        for (size_t x = 0, row = 0; x < width; x++) {
            row += self->pixels[y * width + x];
            self->sums[y * width + x] = (uint32_t)row + (y > 0 ? self->sums[(y - 1) * width + x] : 0);
        }
    for (size_t y = 0; y < self->height; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t left = x > RADIUS ? x - RADIUS : 0;
            const size_t right = x + RADIUS + 1 < width ? x + RADIUS + 1 : width;
            const size_t top = y > RADIUS ? y - RADIUS : 0;
            const size_t bottom = y + RADIUS + 1 < self->height ? y + RADIUS + 1 : self->height;
            const uint32_t sum = sum_to(self, right, bottom) - sum_to(self, left, bottom) - sum_to(self, right, top) +
                                 sum_to(self, left, top);
            self->blurred[y * width + x] = (uint8_t)(sum / ((right - left) * (bottom - top)));
        }
    return CLPRIM_SUCCESS;
}

static clprim_status begin(summed_area *self, const example *program, const image *photo)
{
    const size_t n = photo->width * photo->height;
    clprim_status status = CLPRIM_SUCCESS;
    *self = (summed_area){.program = program,
                          .width = (cl_uint)photo->width,
                          .height = (cl_uint)photo->height,
                          .n = (cl_uint)n,
                          .radius = RADIUS,
                          .pixels = photo->samples,
                          .sums = malloc(n * sizeof(uint32_t)),
                          .blurred = malloc(n)};
    if (self->sums == NULL || self->blurred == NULL)
        EXAMPLE_TRY(example_fail("no memory for %zu pixels on the host", n));
    EXAMPLE_TRY(kernels_make_with(self->kernels, program, HEADERS, "", SOURCE, KERNEL_NAMES, NUM_KERNELS));
    EXAMPLE_TRY(example_upload(&self->in, program, photo->samples, n));
    EXAMPLE_TRY(example_upload(&self->table, program, NULL, n * sizeof(uint32_t)));
    EXAMPLE_TRY(example_upload(&self->out, program, NULL, n));
    EXAMPLE_TRY(set_arguments(self));
done:
    return status;
}

static void end(summed_area *self)
{
    example_release(self->in);
    example_release(self->table);
    example_release(self->out);
    kernels_release(self->kernels, NUM_KERNELS);
    free(self->sums);
    free(self->blurred);
}

/* Compare with plain loops, and leave the blurred picture in `photo`. */
static clprim_status run(bool *is_right, const example *program, image *photo)
{
    summed_area self = {0};
    timing seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_photograph(photo, program->image));
    EXAMPLE_TRY(begin(&self, program, photo));
    EXAMPLE_TRY(timing_measure(&seconds, program, run_on_device, &self));
    EXAMPLE_TRY(timing_host(&cpu_seconds, program, run_on_host, &self));
    EXAMPLE_TRY(clEnqueueReadBuffer(program->queue, self.out, CL_TRUE, 0, self.n, photo->samples, 0, NULL, NULL));
    *is_right = memcmp(photo->samples, self.blurred, self.n) == 0;
    printf("Time:        table and blur, radius %d: %s (%s);", RADIUS, report_time(seconds.median),
           *is_right ? "right" : "WRONG");
    printf(" plain loops on one core %s,", report_time(cpu_seconds.median));
    printf(" %s as long\n", report_times(cpu_seconds.median / seconds.median));
    EXAMPLE_TRY(image_write(photo, PICTURE));
    printf("Picture:     %s\n", PICTURE);
done:
    end(&self);
    return status;
}

int main(int argc, char **argv)
{
    example program = {0};
    image photo = {0};
    bool is_right = false;
    int exit_code = EXIT_FAILURE;
    if (!example_begin(&program, argc, argv, 0, USAGE, &exit_code))
        return exit_code;
    if (run(&is_right, &program, &photo) == CLPRIM_SUCCESS && is_right)
        exit_code = EXIT_SUCCESS;
    image_clear(&photo);
    example_end(&program);
    return exit_code;
}
