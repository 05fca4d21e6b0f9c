// SPDX-License-Identifier: MIT
/* reduce.c: the lecture's ladder. Every variant of clPRIM's reduction sums the same real data, beside a plain loop
 * on the CPU; then, what a time includes. README.md says what to look for. */
#include <stdio.h>
#include <stdlib.h>

#include "ladder.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "Sum an array (a photograph's pixels, repeated to 100 million elements on a GPU and 16777216\n"
    "elsewhere) by every variant of clPRIM's reduction, beside a plain loop on the CPU.\n";

/* What "the time of a reduction" may include. */
typedef enum work { REDUCTION_ALONE, COPY_AND_REDUCTION, TRANSFER_AND_REDUCTION } work;

typedef struct problem {
    example program;
    example_data data;
    cl_mem spare, sum; /* another copy of the data on the device; the result */
    clprim_plan *plan;
    work work;
    report table;
    double cpu_seconds; /* time of the plain loop */
    bool any_wrong;
} problem;

static clprim_status enqueue(void *user)
{
    const problem *p = user;
    const example_data *data = &p->data;
    const cl_command_queue queue = p->program.queue;
    clprim_status status = CLPRIM_SUCCESS;
    if (p->work == COPY_AND_REDUCTION)
        EXAMPLE_TRY(clEnqueueCopyBuffer(queue, p->spare, data->device, 0, 0, data->bytes, 0, NULL, NULL));
    if (p->work == TRANSFER_AND_REDUCTION)
        EXAMPLE_TRY(clEnqueueWriteBuffer(queue, data->device, CL_FALSE, 0, data->bytes, data->host, 0, NULL, NULL));
    EXAMPLE_TRY(clprim_reduce_enqueue(
        p->plan, queue, &(clprim_reduce_call){.in = {data->device}, .count = data->n, .out = {p->sum}}, 0, NULL, NULL));
done:
    return status;
}

static void print_row(problem *p, timing time, bool is_step, const char *verdict, const char *remark)
{
    timing_cells(&p->table, &time);
    report_step(&p->table, time.median, is_step);
    report_speed(&p->table, (double)p->data.bytes, time.median, p->cpu_seconds, &p->program.roof);
    report_cell(&p->table, "%s", verdict);
    report_cell(&p->table, "%s", remark);
}

/* Make a plan, time it, check what it has left in `sum`. remark NULL: which variant it took. is_step: the rows behind
 * are compared with it. */
static clprim_status time_row(problem *p, const char *name, clprim_reduce_variant variant, bool is_step,
                              const char *remark)
{
    const clprim_reduce_desc desc = {.type = p->data.type, .op = CLPRIM_SUM, .variant = variant};
    unsigned char result[4];
    bool is_right = false;
    timing time = {0};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    report_cell(&p->table, "%s", name);
    clprim_status status = clprim_reduce_create(&p->plan, p->program.runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        report_remark(&p->table, "skipped: %s", clprim_last_error());
        return CLPRIM_SUCCESS;
    }
    EXAMPLE_TRY(status);
    EXAMPLE_TRY(timing_measure(&time, &p->program, enqueue, p));
    EXAMPLE_TRY(clEnqueueReadBuffer(p->program.queue, p->sum, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    EXAMPLE_TRY(example_check_reduce(&is_right, &desc, p->data.host, p->data.n, result));
    p->any_wrong = p->any_wrong || !is_right;
    if (remark == NULL)
        remark = example_taken(variants, count, (int)clprim_plan_variant(p->plan)->id);
    print_row(p, time, is_step, is_right ? "right" : "WRONG", remark);
done:
    clprim_plan_destroy(p->plan);
    p->plan = NULL;
    return status;
}

static clprim_status run(problem *p)
{
    enum { STEP_COLUMN = 3 };
    static const report_column columns[] = {{"", -13},       {"ms", 9},    {"min - max", 17},
                                            {"x before", 8}, {"x CPU", 8}, {"GB/s", 7},
                                            {"of roof", 9},  {"sum", 5},   {"what it is", -1}};
    report_column included[sizeof columns / sizeof *columns];
    const size_t n = example_count(&p->program, 4, 300007, 100000000, 16777216);
    timing cpu = {0};
    const serial_loop plain_loop = p->program.type == CLPRIM_F32 ? serial_sum_f32 : serial_sum_i32;
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_data_load(&p->data, &p->program, p->program.type, n));
    EXAMPLE_TRY(example_upload(&p->spare, &p->program, p->data.host, p->data.bytes));
    EXAMPLE_TRY(example_upload(&p->sum, &p->program, NULL, 4));
    EXAMPLE_TRY(timing_serial(&cpu, &p->program, plain_loop, NULL, p->data.host, n));
    report_begin(&p->table, "The ladder", columns, sizeof columns / sizeof *columns);
    report_cell(&p->table, "plain C loop");
    p->cpu_seconds = cpu.median;
    print_row(p, cpu, false, "-", "one core of the CPU");
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(time_row(p, variants[i].name, (clprim_reduce_variant)variants[i].id,
                             ladder_is_step("reduce", variants[i].name),
                             example_remark(&p->program, "reduce", &variants[i])));
    report_end(&p->table);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        included[i] = i == STEP_COLUMN ? (report_column){"x alone", 8} : columns[i];
    report_begin(&p->table, "What a time includes (AUTO)", included, sizeof included / sizeof *included);
    EXAMPLE_TRY(time_row(p, "alone", CLPRIM_REDUCE_AUTO, true, NULL));
    p->work = COPY_AND_REDUCTION;
    EXAMPLE_TRY(time_row(p, "with a copy", CLPRIM_REDUCE_AUTO, false, "a copy within the device before it"));
    p->work = TRANSFER_AND_REDUCTION;
    EXAMPLE_TRY(time_row(p, "with transfer", CLPRIM_REDUCE_AUTO, false, "a transfer from the host before it"));
    report_end(&p->table);
    printf("\n%s\n", p->any_wrong ? "A SUM IS WRONG." : "All sums equal the CPU's.");
done:
    return status;
}

int main(int argc, char **argv)
{
    problem p = {0};
    int exit_code = EXIT_FAILURE;
    if (!example_begin(&p.program, argc, argv, EXAMPLE_TAKES_N | EXAMPLE_TAKES_TYPE | EXAMPLE_TAKES_WHY, USAGE,
                       &exit_code))
        return exit_code;
    if (run(&p) == CLPRIM_SUCCESS && !p.any_wrong)
        exit_code = EXIT_SUCCESS;
    example_release(p.sum);
    example_release(p.spare);
    example_data_clear(&p.data);
    example_end(&p.program);
    return exit_code;
}
