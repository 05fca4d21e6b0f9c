// SPDX-License-Identifier: MIT
/* demo_reduce.c: mean, extremes and the brightest pixel. */
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"
#include "timing.h"

/* Data on the host, answer on the host: one call. */
static clprim_status ask(demo *self, void *result, const char **verdict, const clprim_reduce_desc *desc)
{
    const size_t n = self->photo.width * self->photo.height;
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_reduce_run(
        self->program.runtime, desc,
        &(clprim_reduce_call){.in = {.host = self->photo.samples}, .count = n, .out = {.host = result}}));
    EXAMPLE_TRY(example_check_reduce(&is_right, desc, self->photo.samples, n, result));
    *verdict = demo_judge(self, is_right);
done:
    return status;
}

clprim_status demo_reduce_facts(demo *self)
{
    static const clprim_reduce_desc sum_of = {.type = CLPRIM_U8, .op = CLPRIM_SUM, .accumulator_type = CLPRIM_U64};
    static const clprim_reduce_desc least_of = {.type = CLPRIM_U8, .op = CLPRIM_MIN};
    static const clprim_reduce_desc greatest_of = {.type = CLPRIM_U8, .op = CLPRIM_MAX};
    static const clprim_reduce_desc where_of = {.type = CLPRIM_U8, .op = CLPRIM_ARGMAX};
    const size_t n = self->photo.width * self->photo.height;
    uint64_t sum = 0;
    uint8_t least = 0;
    uint8_t greatest = 0;
    clprim_indexed where = {0};
    const char *verdict = "";
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(ask(self, &sum, &verdict, &sum_of));
    printf("  mean          %7.3f   (sum %llu over %zu pixels: %s)\n", (double)sum / (double)n, (unsigned long long)sum,
           n, verdict);
    EXAMPLE_TRY(ask(self, &least, &verdict, &least_of));
    printf("  darkest       %3u       (%s)\n", (unsigned)least, verdict);
    EXAMPLE_TRY(ask(self, &greatest, &verdict, &greatest_of));
    printf("  brightest     %3u       (%s)\n", (unsigned)greatest, verdict);
    EXAMPLE_TRY(ask(self, &where, &verdict, &where_of));
    printf("  and that is   at x = %zu, y = %zu, counted from the upper left corner (%s)\n",
           (size_t)where.index % self->photo.width, (size_t)where.index / self->photo.width, verdict);
done:
    return status;
}

typedef struct speed_row {
    clprim_op op;
    clprim_type type;
    clprim_type accumulator_type;
    serial_loop plain_loop;
    bool is_wide; /* the large array instead of the photograph */
} speed_row;

static const speed_row speed_rows[] = {
    {CLPRIM_SUM, CLPRIM_U8, CLPRIM_U64, serial_sum_u8, false},
    {CLPRIM_ARGMAX, CLPRIM_U8, CLPRIM_U8, serial_argmax_u8, false},
    {CLPRIM_SUM, CLPRIM_U8, CLPRIM_U64, serial_sum_u8, true},
    {CLPRIM_MIN, CLPRIM_U8, CLPRIM_U8, serial_min_u8, true},
    {CLPRIM_MAX, CLPRIM_U8, CLPRIM_U8, serial_max_u8, true},
    {CLPRIM_ARGMAX, CLPRIM_U8, CLPRIM_U8, serial_argmax_u8, true},
    {CLPRIM_SUM, CLPRIM_F32, CLPRIM_F32, serial_sum_f32, true},
    {CLPRIM_MAX, CLPRIM_F32, CLPRIM_F32, serial_max_f32, true},
};

/* Data and result on the device, a plan made once: as between other kernels. */
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
    EXAMPLE_TRY(clprim_reduce_enqueue(work->plan, work->queue,
                                      &(clprim_reduce_call){.in = {work->in}, .count = work->n, .out = {work->out}}, 0,
                                      NULL, NULL));
done:
    return status;
}

static clprim_status show_speed(demo *self, const speed_row *row)
{
    const clprim_reduce_desc desc = {.type = row->type, .op = row->op, .accumulator_type = row->accumulator_type};
    const size_t n = row->is_wide ? self->wide_n : self->photo.width * self->photo.height;
    const size_t bytes = n * clprim_type_size(row->type);
    device_work work = {.queue = self->program.queue, .n = n};
    clprim_indexed result = {0}; /* room for every result */
    char name[32];
    void *data = NULL;
    bool is_right = false;
    timing seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_repeat(&data, row->type, &self->photo, 0, n));
    EXAMPLE_TRY(example_upload(&work.in, &self->program, data, bytes));
    EXAMPLE_TRY(example_upload(&work.out, &self->program, &result, sizeof result));
    EXAMPLE_TRY(clprim_reduce_create(&work.plan, self->program.runtime, &desc));
    EXAMPLE_TRY(timing_measure(&seconds, &self->program, enqueue, &work));
    EXAMPLE_TRY(clEnqueueReadBuffer(work.queue, work.out, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    EXAMPLE_TRY(example_check_reduce(&is_right, &desc, data, n, &result));
    EXAMPLE_TRY(timing_serial(&cpu_seconds, &self->program, row->plain_loop, NULL, data, n));
    (void)snprintf(name, sizeof name, "reduce %s", clprim_op_name(row->op));
    demo_speed(self, name, clprim_type_name(row->type), n, bytes, seconds.median, cpu_seconds.median, is_right);
done:
    clprim_plan_destroy(work.plan);
    example_release(work.in);
    example_release(work.out);
    free(data);
    return status;
}

clprim_status demo_reduce_speeds(demo *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < sizeof speed_rows / sizeof *speed_rows; i++)
        EXAMPLE_TRY(show_speed(self, &speed_rows[i]));
done:
    return status;
}
