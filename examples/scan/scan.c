// SPDX-License-Identifier: MIT
/* scan.c: the lecture's ladder. Every variant of clPRIM's scan sums the same real data, beside a plain loop on the CPU;
 * then, what the layout of the tree costs in local memory and in global memory. README.md says what to look for. */
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_times.h"
#include "ladder.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "All prefix sums of an array (a photograph's pixels, repeated to 2^26 elements on a GPU and 2^22\n"
    "elsewhere) by every variant of clPRIM's scan, beside a plain loop on the CPU.\n";

typedef struct problem {
    example program;
    example_data data;
    cl_mem sums;   /* the results on the device */
    void *results; /* and in the host's memory */
    clprim_plan *plan;
    report table;
    double cpu_seconds; /* time of the plain loop */
    bool any_wrong;
} problem;

static clprim_status enqueue(void *user)
{
    const problem *p = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_scan_enqueue(p->plan, p->program.queue,
                                    &(clprim_scan_call){.in = {p->data.device}, .count = p->data.n, .out = {p->sums}},
                                    0, NULL, NULL));
done:
    return status;
}

static void print_row(problem *p, timing time, bool is_step, const char *verdict, const char *remark)
{
    timing_cells(&p->table, &time);
    report_step(&p->table, time.median, is_step);
    report_speed(&p->table, 2 * (double)p->data.bytes, time.median, p->cpu_seconds, &p->program.roof);
    report_cell(&p->table, "%s", verdict);
    report_cell(&p->table, "%s", remark);
}

/* Compare what the plan has left in `sums` with the CPU's results. */
static clprim_status check(problem *p, const clprim_scan_desc *desc, const char **verdict)
{
    const example_data *data = &p->data;
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueReadBuffer(p->program.queue, p->sums, CL_TRUE, 0, data->bytes, p->results, 0, NULL, NULL));
    EXAMPLE_TRY(example_check_scan(&is_right, desc, data->host, data->n, p->results));
    p->any_wrong = p->any_wrong || !is_right;
    *verdict = is_right ? "right" : "WRONG";
done:
    return status;
}

/* remark NULL: which variant it took. is_step: the rows behind are compared with it. */
static clprim_status time_row(problem *p, const char *name, clprim_scan_variant variant, size_t banks, bool is_step,
                              const char *remark)
{
    const clprim_scan_desc desc = {.type = p->data.type, .exclusive = true, .variant = variant, .banks = banks};
    const char *verdict = "";
    timing time = {0};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&count);
    report_cell(&p->table, "%s", name);
    clprim_status status = clprim_scan_create(&p->plan, p->program.runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        report_remark(&p->table, "skipped: %s", clprim_last_error());
        return CLPRIM_SUCCESS;
    }
    EXAMPLE_TRY(status);
    EXAMPLE_TRY(timing_measure(&time, &p->program, enqueue, p));
    EXAMPLE_TRY(check(p, &desc, &verdict));
    if (remark == NULL)
        remark = example_taken(variants, count, (int)clprim_plan_variant(p->plan)->id);
    print_row(p, time, is_step, verdict, remark);
done:
    clprim_plan_destroy(p->plan);
    p->plan = NULL;
    return status;
}

static clprim_status time_kernels(problem *p, kernel_times *times, clprim_scan_variant variant)
{
    const clprim_scan_desc desc = {.type = p->data.type, .exclusive = true, .variant = variant};
    const char *verdict = "";
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_scan_create(&p->plan, p->program.runtime, &desc));
    EXAMPLE_TRY(kernel_times_measure(times, &p->program, enqueue, p));
    EXAMPLE_TRY(check(p, &desc, &verdict));
done:
    clprim_plan_destroy(p->plan);
    p->plan = NULL;
    return status;
}

/* A tree in global memory, level by level, with neighbours side by side and with bits of the indices reversed. */
static clprim_status compare_kernels(problem *p)
{
    static const report_column columns[] = {{"kernels", -10},     {"launches", 8}, {"work_efficient", 14},
                                            {"bit_reversed", 12}, {"gain", 6},     {"what they do", -1}};
    static const char *const parts[][2] = {
        {"load", "input to leaves; bit_reversed: permuted"},
        {"up_sweep", "sums up the tree, a launch per level"},
        {"down_sweep", "prefixes down the tree"},
        {"store", "leaves to output; bit_reversed: permuted"},
        {"", "all of them, without the gaps in between"},
    };
    kernel_times plain = {0};
    kernel_times reversed = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(time_kernels(p, &plain, CLPRIM_SCAN_WORK_EFFICIENT));
    EXAMPLE_TRY(time_kernels(p, &reversed, CLPRIM_SCAN_BIT_REVERSED));
    report_begin(&p->table, "What the layout costs in global memory: milliseconds in each kernel", columns,
                 sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const kernel_time a = kernel_times_of(&plain, parts[i][0]);
        const kernel_time b = kernel_times_of(&reversed, parts[i][0]);
        report_cell(&p->table, "%s", parts[i][0][0] != '\0' ? parts[i][0] : "together");
        report_cell(&p->table, "%zu", b.launches);
        report_cell(&p->table, "%s", report_digits(a.seconds * 1e3));
        report_cell(&p->table, "%s", report_digits(b.seconds * 1e3));
        report_cell(&p->table, "%s", a.seconds > 0 && b.seconds > 0 ? report_times(a.seconds / b.seconds) : "-");
        report_cell(&p->table, "%s", parts[i][1]);
    }
done:
    return status;
}

static clprim_status run(problem *p)
{
    enum { STEP_COLUMN = 3 };
    static const report_column columns[] = {{"", -16},       {"ms", 9},    {"min - max", 17},
                                            {"x before", 8}, {"x CPU", 8}, {"GB/s", 7},
                                            {"of roof", 9},  {"sums", 5},  {"what it is", -1}};
    report_column padding[sizeof columns / sizeof *columns];
    /* 8 bytes: some variants need scratch memory of twice the input. */
    const size_t n = example_count(&p->program, 8, (size_t)1 << 16, (size_t)1 << 26, (size_t)1 << 22);
    timing cpu = {0};
    const serial_loop plain_loop = p->program.type == CLPRIM_F32 ? serial_scan_f32 : serial_scan_i32;
    size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&count);
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_data_load(&p->data, &p->program, p->program.type, n));
    EXAMPLE_TRY(example_upload(&p->sums, &p->program, NULL, p->data.bytes));
    p->results = malloc(p->data.bytes);
    if (p->results == NULL)
        return example_fail("no memory for %zu sums on the host", n);
    EXAMPLE_TRY(timing_serial(&cpu, &p->program, plain_loop, p->results, p->data.host, n));
    report_begin(&p->table, "The ladder: exclusive sums", columns, sizeof columns / sizeof *columns);
    report_cell(&p->table, "plain C loop");
    p->cpu_seconds = cpu.median;
    print_row(p, cpu, false, "-", "one core of the CPU");
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(time_row(p, variants[i].name, (clprim_scan_variant)variants[i].id, 0,
                             ladder_is_step("scan", variants[i].name),
                             example_remark(&p->program, "scan", &variants[i])));
    p->table.step_seconds = 0;
    EXAMPLE_TRY(time_row(p, "AUTO", CLPRIM_SCAN_AUTO, 0, false, NULL));
    report_end(&p->table);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        padding[i] = i == STEP_COLUMN ? (report_column){"x blelloch", 10} : columns[i];
    report_begin(&p->table, "What the layout costs in local memory: bank conflicts and padding", padding,
                 sizeof padding / sizeof *padding);
    EXAMPLE_TRY(time_row(p, "blelloch", CLPRIM_SCAN_BLELLOCH, 0, true, "no padding"));
    EXAMPLE_TRY(time_row(p, "padded, 16 banks", CLPRIM_SCAN_BLELLOCH_PADDED, 16, false, "a gap after 16: the lecture"));
    EXAMPLE_TRY(time_row(p, "padded, 32 banks", CLPRIM_SCAN_BLELLOCH_PADDED, 32, false, "a gap after 32"));
    EXAMPLE_TRY(time_row(p, "padded, 64 banks", CLPRIM_SCAN_BLELLOCH_PADDED, 64, false, "a gap after 64"));
    report_end(&p->table);
    EXAMPLE_TRY(compare_kernels(p));
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
    free(p.results);
    example_release(p.sums);
    example_data_clear(&p.data);
    example_end(&p.program);
    return exit_code;
}
