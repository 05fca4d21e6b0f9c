// SPDX-License-Identifier: MIT
/* radix_sort.c: the lecture's ladder. Every variant of clPRIM's radix sort sorts integers and floats made of a
 * photograph, beside a counting sort on the CPU; before that, how floats become integers in the same order. README.md
 * says what to look for. */
#include <clprim/radix_sort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "Sort the pixels of a photograph, as integers and as floats (2^26 on a GPU, 2^20 elsewhere),\n"
    "by every variant of clPRIM's radix sort, beside a counting sort on the CPU.\n";

typedef struct problem {
    example program;
    example_data data; /* what is to be sorted, on host and device */
    void *expected;    /* in its order */
    void *got;
    cl_mem sorted; /* the result on the device */
    clprim_plan *plan;
    report table;
    double cpu_seconds; /* time of the CPU's sort */
    bool any_wrong;
} problem;

/* What the lecture calls flipping: a negative float has all its bits inverted, any other one its sign. */
static uint32_t flip(uint32_t bits)
{
    return (bits >> 31) != 0 ? ~bits : bits ^ 0x80000000u;
}

static void show_flipping(void)
{
    const float values[] = {-2, -1.5F, -0.0F, 0, 1.5F, 2};
    printf("\nFloats as integers in the same order:\n       float        bits     flipped\n");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &values[i], sizeof bits);
        printf("%12g  0x%08x  0x%08x\n", (double)values[i], (unsigned)bits, (unsigned)flip(bits));
    }
}

static clprim_status enqueue(void *user)
{
    const problem *p = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_radix_sort_enqueue(
        p->plan, p->program.queue,
        &(clprim_radix_sort_call){.keys_in = {p->data.device}, .count = p->data.n, .keys_out = {p->sorted}}, 0, NULL,
        NULL));
done:
    return status;
}

static clprim_status sort_on_cpu(void *user)
{
    problem *p = user;
    const clprim_reference_sort_how how = {.key_type = p->data.type};
    clprim_status status = CLPRIM_SUCCESS;
    memcpy(p->expected, p->data.host, p->data.bytes);
    EXAMPLE_TRY(clprim_reference_sort(p->expected, NULL, &how, p->data.n));
done:
    return status;
}

static void print_row(problem *p, timing time, bool is_step, const char *verdict, const char *remark)
{
    const double seconds = time.median;
    timing_cells(&p->table, &time);
    report_cell(&p->table, "%s", report_digits((double)p->data.n / seconds * 1e-9));
    report_step(&p->table, seconds, is_step);
    report_speed(&p->table, 2 * (double)p->data.bytes, seconds, p->cpu_seconds, &p->program.roof);
    report_cell(&p->table, "%s", verdict);
    report_cell(&p->table, "%s", remark);
}

static clprim_status time_row(problem *p, const clprim_variant_info *variant)
{
    const cl_uint nonsense = 0xdeadbeef; /* instead of the right results of the row before */
    const clprim_radix_sort_desc desc = {
        .key_type = p->data.type, .variant = (clprim_radix_sort_variant)variant->id, .max_count = p->data.n};
    timing time = {0};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_radix_sort_operation.variants(&count);
    bool is_right = false;
    report_cell(&p->table, "%s", variant->name);
    clprim_status status = clprim_radix_sort_create(&p->plan, p->program.runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        report_remark(&p->table, "skipped: %s", clprim_last_error());
        return CLPRIM_SUCCESS;
    }
    EXAMPLE_TRY(status);
    EXAMPLE_TRY(
        clEnqueueFillBuffer(p->program.queue, p->sorted, &nonsense, sizeof nonsense, 0, p->data.bytes, 0, NULL, NULL));
    EXAMPLE_TRY(timing_measure(&time, &p->program, enqueue, p));
    EXAMPLE_TRY(clEnqueueReadBuffer(p->program.queue, p->sorted, CL_TRUE, 0, p->data.bytes, p->got, 0, NULL, NULL));
    is_right = memcmp(p->got, p->expected, p->data.bytes) == 0;
    p->any_wrong = p->any_wrong || !is_right;
    print_row(p, time, ladder_is_step("radix_sort", variant->name), is_right ? "right" : "WRONG",
              variant->origin != NULL ? example_remark(&p->program, "radix_sort", variant)
                                      : example_taken(variants, count, (int)clprim_plan_variant(p->plan)->id));
done:
    clprim_plan_destroy(p->plan);
    p->plan = NULL;
    return status;
}

static clprim_status make_table(problem *p, const char *caption)
{
    static const report_column columns[] = {{"", -14},       {"ms", 9},         {"min - max", 17}, {"Gkeys/s", 7},
                                            {"x before", 8}, {"x CPU", 8},      {"GB/s", 7},       {"of roof", 9},
                                            {"order", 6},    {"what it is", -1}};
    const clprim_variant_info automatic = {.id = CLPRIM_RADIX_SORT_AUTO, .name = "AUTO"};
    timing time = {0};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_radix_sort_operation.variants(&count);
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(timing_host(&time, &p->program, sort_on_cpu, p));
    p->cpu_seconds = time.median;
    report_begin(&p->table, caption, columns, sizeof columns / sizeof *columns);
    report_cell(&p->table, "counting sort");
    print_row(p, time, false, "-", "a byte a pass, one core of the CPU");
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(time_row(p, &variants[i]));
    p->table.step_seconds = 0;
    EXAMPLE_TRY(time_row(p, &automatic));
    report_end(&p->table);
done:
    return status;
}

static clprim_status sort_type(problem *p, clprim_type type, size_t n, const char *caption)
{
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_data_load(&p->data, &p->program, type, n));
    p->expected = malloc(p->data.bytes);
    p->got = malloc(p->data.bytes);
    if (p->expected == NULL || p->got == NULL) {
        status = example_fail("out of memory for %zu elements", n);
        goto done;
    }
    EXAMPLE_TRY(example_upload(&p->sorted, &p->program, NULL, p->data.bytes));
    EXAMPLE_TRY(make_table(p, caption));
done:
    example_release(p->sorted);
    p->sorted = NULL;
    free(p->expected);
    free(p->got);
    p->expected = p->got = NULL;
    example_data_clear(&p->data);
    return status;
}

static clprim_status run(problem *p)
{
    clprim_status status = CLPRIM_SUCCESS;
    const size_t n = example_count(&p->program, 4, (size_t)1 << 12, (size_t)1 << 26, (size_t)1 << 20);
    show_flipping();
    EXAMPLE_TRY(sort_type(p, CLPRIM_I32, n, "Integers"));
    EXAMPLE_TRY(sort_type(p, CLPRIM_F32, n, "Floats: the same kernels, which flip what they load and store"));
    printf("\n%s\n", p->any_wrong ? "A RESULT IS WRONG." : "All results equal the CPU's.");
done:
    return status;
}

int main(int argc, char **argv)
{
    problem p = {0};
    int exit_code = EXIT_FAILURE;
    if (!example_begin(&p.program, argc, argv, EXAMPLE_TAKES_N | EXAMPLE_TAKES_WHY, USAGE, &exit_code))
        return exit_code;
    if (run(&p) == CLPRIM_SUCCESS && !p.any_wrong)
        exit_code = EXIT_SUCCESS;
    example_end(&p.program);
    return exit_code;
}
