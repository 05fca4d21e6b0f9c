// SPDX-License-Identifier: MIT
/* demo_scan.c: the cumulative distribution of the grey levels. */
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"
#include "timing.h"

enum { CHART_LINES = 10, LEVELS_PER_COLUMN = 4 };

unsigned demo_level_at(const uint32_t *up_to, unsigned percent)
{
    unsigned level = 0;
    while ((uint64_t)up_to[level] * 100 < (uint64_t)up_to[LEVELS - 1] * percent)
        level++;
    return level;
}

/* A column per four levels, as high as the share of pixels that are not brighter than the last of them. */
static void draw_chart(const uint32_t *up_to)
{
    for (unsigned line = CHART_LINES; line > 0; line--) {
        char text[LEVELS / LEVELS_PER_COLUMN + 1] = {0};
        for (size_t column = 0; column < LEVELS / LEVELS_PER_COLUMN; column++) {
            const uint64_t pixels = up_to[(column + 1) * LEVELS_PER_COLUMN - 1];
            text[column] = pixels * CHART_LINES >= (uint64_t)up_to[LEVELS - 1] * line ? '#' : ' ';
        }
        printf("    %3u %% |%s|\n", line * 100 / CHART_LINES, text);
    }
    printf("           %-16s%-16s%-16s%-13s%s\n", "0", "64", "128", "192", "255");
}

clprim_status demo_scan_facts(demo *self)
{
    static const clprim_scan_desc sums_of = {.type = CLPRIM_U32, .op = CLPRIM_SUM};
    uint32_t up_to[LEVELS] = {0}; /* pixels of this level and darker ones */
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(
        clprim_scan_run(self->program.runtime, &sums_of,
                        &(clprim_scan_call){.in = {.host = self->histogram}, .count = LEVELS, .out = {.host = up_to}}));
    EXAMPLE_TRY(example_check_scan(&is_right, &sums_of, self->histogram, LEVELS, up_to));
    self->bright_level = (uint8_t)demo_level_at(up_to, 99);
    printf("  grey levels   25 %% of the pixels are at most %u, 50 %% %u, 75 %% %u, 99 %% %u (%s)\n",
           demo_level_at(up_to, 25), demo_level_at(up_to, 50), demo_level_at(up_to, 75), (unsigned)self->bright_level,
           demo_judge(self, is_right));
    printf("  cumulative distribution: share of the pixels that are at most so bright\n");
    draw_chart(up_to);
done:
    return status;
}

typedef struct speed_row {
    clprim_type type;
    clprim_type accumulator_type;
    const char *elements;
    serial_loop plain_loop;
    bool is_wide; /* the large array instead of the photograph */
} speed_row;

static const speed_row speed_rows[] = {
    {CLPRIM_U8, CLPRIM_U32, "u8->u32", serial_scan_u8, false},
    {CLPRIM_I32, CLPRIM_I32, "i32", serial_scan_i32, false},
    {CLPRIM_U8, CLPRIM_U32, "u8->u32", serial_scan_u8, true},
    {CLPRIM_I32, CLPRIM_I32, "i32", serial_scan_i32, true},
};

/* Data and results on the device, a plan made once: as between other kernels. */
typedef struct device_work {
    cl_command_queue queue;
    clprim_plan *plan;
    cl_mem in;
    size_t n;
    cl_mem out;
} device_work;

static clprim_status enqueue(void *user)
{
    const device_work *work = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_scan_enqueue(work->plan, work->queue,
                                    &(clprim_scan_call){.in = {work->in}, .count = work->n, .out = {work->out}}, 0,
                                    NULL, NULL));
done:
    return status;
}

static clprim_status show_speed(demo *self, const speed_row *row)
{
    const clprim_scan_desc desc = {.type = row->type, .accumulator_type = row->accumulator_type, .exclusive = true};
    const size_t n = row->is_wide ? self->wide_n : self->photo.width * self->photo.height;
    const size_t in_bytes = n * clprim_type_size(row->type);
    const size_t out_bytes = n * clprim_type_size(row->accumulator_type);
    device_work work = {.queue = self->program.queue, .n = n};
    void *data = NULL;
    void *results = malloc(out_bytes);
    bool is_right = false;
    timing seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (results == NULL)
        return example_fail("no memory for %zu sums on the host", n);
    EXAMPLE_TRY(example_repeat(&data, row->type, &self->photo, 0, n));
    EXAMPLE_TRY(example_upload(&work.in, &self->program, data, in_bytes));
    EXAMPLE_TRY(example_upload(&work.out, &self->program, NULL, out_bytes));
    EXAMPLE_TRY(clprim_scan_create(&work.plan, self->program.runtime, &desc));
    EXAMPLE_TRY(timing_serial(&cpu_seconds, &self->program, row->plain_loop, results, data, n));
    EXAMPLE_TRY(timing_measure(&seconds, &self->program, enqueue, &work));
    EXAMPLE_TRY(clEnqueueReadBuffer(work.queue, work.out, CL_TRUE, 0, out_bytes, results, 0, NULL, NULL));
    EXAMPLE_TRY(example_check_scan(&is_right, &desc, data, n, results));
    demo_speed(self, "scan sum", row->elements, n, in_bytes + out_bytes, seconds.median, cpu_seconds.median, is_right);
done:
    clprim_plan_destroy(work.plan);
    example_release(work.in);
    example_release(work.out);
    free(results);
    free(data);
    return status;
}

clprim_status demo_scan_speeds(demo *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < sizeof speed_rows / sizeof *speed_rows; i++)
        EXAMPLE_TRY(show_speed(self, &speed_rows[i]));
done:
    return status;
}
