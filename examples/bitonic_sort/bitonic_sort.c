// SPDX-License-Identifier: MIT
/* bitonic_sort.c: the article's two ladders. Five forms of bitonic sort on one core of the CPU, with what the processor
 * counts while they run; then every variant of clPRIM's bitonic sort on the device, for elements alone and with values.
 * README.md says what to look for. */
#include <clprim/bitonic_sort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "ladder.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "Sort the pixels of a photograph (2^24 on a GPU, 2^18 elsewhere, 2^20 at most on the CPU) by\n"
    "every form of bitonic sort, on the CPU and on the device.\n";

typedef struct problem {
    example program;
    example_data data; /* what is to be sorted, on host and device */
    void *expected;    /* in its order */
    void *got;
    cl_mem sorted, values; /* the results on the device */
    clprim_plan *plan;
    clprim_reference_bitonic_how how; /* of the CPU's sort */
    size_t n_on_cpu;
    report table;
    double cpu_seconds; /* time of the CPU's last form */
    bool any_wrong;
} problem;

static const struct {
    clprim_reference_bitonic_step step;
    const char *name, *what;
} STEPS[] = {
    {CLPRIM_REFERENCE_BITONIC_RECURSIVE, "recursive", "halves in opposite directions, merged"},
    {CLPRIM_REFERENCE_BITONIC_PARTNER_TEST, "partner test", "all elements, of which half have nothing to do"},
    {CLPRIM_REFERENCE_BITONIC_TWO_LOOPS, "two loops", "over blocks and their first halves"},
    {CLPRIM_REFERENCE_BITONIC_DIVISION, "division", "one loop over pairs"},
    {CLPRIM_REFERENCE_BITONIC_SHIFTS, "shifts", "the same without division: what a kernel can be made of"},
};

static clprim_status sort_on_cpu(void *user)
{
    problem *p = user;
    clprim_status status = CLPRIM_SUCCESS;
    memcpy(p->got, p->data.host, p->n_on_cpu * sizeof(cl_int));
    EXAMPLE_TRY(clprim_reference_bitonic_sort(p->got, NULL, &p->how, p->n_on_cpu));
done:
    return status;
}

/* Of each element: "12.3", or "-" where the processor does not say. */
static void print_count(problem *p, const counters *c, uint64_t count)
{
    if (c->are_there)
        report_cell(&p->table, "%.1f", (double)count / (double)p->n_on_cpu);
    else
        report_cell(&p->table, "-");
}

static clprim_status time_step(problem *p, size_t step)
{
    timing time = {0};
    bool is_right = false;
    counters c;
    clprim_status status = CLPRIM_SUCCESS;
    p->how = (clprim_reference_bitonic_how){.type = p->data.type, .step = STEPS[step].step};
    EXAMPLE_TRY(timing_host(&time, &p->program, sort_on_cpu, p));
    counters_begin();
    status = sort_on_cpu(p);
    c = counters_end();
    EXAMPLE_TRY(status);
    is_right = memcmp(p->got, p->expected, p->n_on_cpu * sizeof(cl_int)) == 0;
    p->any_wrong = p->any_wrong || !is_right;
    report_cell(&p->table, "%s", STEPS[step].name);
    timing_cells(&p->table, &time);
    report_cell(&p->table, "%s", report_digits(time.median / (double)p->n_on_cpu * 1e9));
    report_step(&p->table, time.median, true);
    print_count(p, &c, c.cycles);
    print_count(p, &c, c.instructions);
    print_count(p, &c, c.branches);
    print_count(p, &c, c.branch_misses);
    report_cell(&p->table, "%s", is_right ? "right" : "WRONG");
    report_cell(&p->table, "%s", STEPS[step].what);
    p->cpu_seconds = time.median;
done:
    return status;
}

static clprim_status climb_on_cpu(problem *p)
{
    static const report_column columns[] = {{"", -13},       {"ms", 9},     {"min - max", 17},    {"ns/element", 10},
                                            {"x before", 8}, {"cycles", 8}, {"instructions", 12}, {"branches", 8},
                                            {"misses", 6},   {"order", 6},  {"what it is", -1}};
    char caption[160];
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reference_sort_how how = {.key_type = p->data.type};
    memcpy(p->expected, p->data.host, p->n_on_cpu * sizeof(cl_int));
    EXAMPLE_TRY(clprim_reference_sort(p->expected, NULL, &how, p->n_on_cpu));
    (void)snprintf(caption, sizeof caption, "One core of the CPU, %zu integers; counts are those of an element",
                   p->n_on_cpu);
    report_begin(&p->table, caption, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++)
        EXAMPLE_TRY(time_step(p, i));
done:
    return status;
}

static clprim_status enqueue(void *user)
{
    const problem *p = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_bitonic_sort_enqueue(
        p->plan, p->program.queue,
        &(clprim_bitonic_sort_call){.keys_in = {p->data.device}, .count = p->data.n, .keys_out = {p->sorted}}, 0, NULL,
        NULL));
done:
    return status;
}

/* The values are the elements once more, so that both must come out alike. */
static clprim_status enqueue_pairs(void *user)
{
    const problem *p = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_bitonic_sort_enqueue(p->plan, p->program.queue,
                                            &(clprim_bitonic_sort_call){.keys_in = {p->data.device},
                                                                        .values_in = {p->data.device},
                                                                        .count = p->data.n,
                                                                        .keys_out = {p->sorted},
                                                                        .values_out = {p->values}},
                                            0, NULL, NULL));
done:
    return status;
}

static clprim_status is_sorted(bool *right, problem *p, cl_mem result)
{
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueReadBuffer(p->program.queue, result, CL_TRUE, 0, p->data.bytes, p->got, 0, NULL, NULL));
    *right = *right && memcmp(p->got, p->expected, p->data.bytes) == 0;
done:
    return status;
}

static clprim_status time_variant(problem *p, const clprim_variant_info *variant, size_t value_size)
{
    const cl_uint nonsense = 0xdeadbeef; /* instead of the right results of the row before */
    const clprim_bitonic_sort_desc desc = {.key_type = p->data.type,
                                           .value_size = value_size,
                                           .variant = (clprim_bitonic_sort_variant)variant->id,
                                           .max_count = p->data.n};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_bitonic_sort_operation.variants(&count);
    timing time = {0};
    bool is_right = true;
    report_cell(&p->table, "%s", variant->name);
    clprim_status status = clprim_bitonic_sort_create(&p->plan, p->program.runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        report_remark(&p->table, "skipped: %s", clprim_last_error());
        return CLPRIM_SUCCESS;
    }
    EXAMPLE_TRY(status);
    EXAMPLE_TRY(
        clEnqueueFillBuffer(p->program.queue, p->sorted, &nonsense, sizeof nonsense, 0, p->data.bytes, 0, NULL, NULL));
    EXAMPLE_TRY(timing_measure(&time, &p->program, value_size != 0 ? enqueue_pairs : enqueue, p));
    EXAMPLE_TRY(is_sorted(&is_right, p, p->sorted));
    if (value_size != 0)
        EXAMPLE_TRY(is_sorted(&is_right, p, p->values));
    p->any_wrong = p->any_wrong || !is_right;
    timing_cells(&p->table, &time);
    report_cell(&p->table, "%s", report_digits(time.median / (double)p->data.n * 1e9));
    report_step(&p->table, time.median, ladder_is_step("bitonic_sort", variant->name));
    report_cell(&p->table, "%s",
                report_times(p->cpu_seconds / (double)p->n_on_cpu / (time.median / (double)p->data.n)));
    report_cell(&p->table, "%s", is_right ? "right" : "WRONG");
    report_cell(&p->table, "%s",
                variant->origin != NULL ? example_remark(&p->program, "bitonic_sort", variant)
                                        : example_taken(variants, count, (int)clprim_plan_variant(p->plan)->id));
done:
    clprim_plan_destroy(p->plan);
    p->plan = NULL;
    return status;
}

static clprim_status climb_on_device(problem *p, size_t value_size, const char *caption)
{
    static const report_column columns[] = {{"", -15},       {"ms", 9},    {"min - max", 17}, {"ns/element", 10},
                                            {"x before", 8}, {"x CPU", 8}, {"order", 6},      {"what it is", -1}};
    const clprim_variant_info automatic = {.id = CLPRIM_BITONIC_SORT_AUTO, .name = "AUTO"};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_bitonic_sort_operation.variants(&count);
    clprim_status status = CLPRIM_SUCCESS;
    report_begin(&p->table, caption, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(time_variant(p, &variants[i], value_size));
    p->table.step_seconds = 0;
    EXAMPLE_TRY(time_variant(p, &automatic, value_size));
done:
    return status;
}

static clprim_status run(problem *p)
{
    const clprim_reference_sort_how how = {.key_type = CLPRIM_I32};
    const size_t most_on_cpu = (size_t)1 << 20;
    const size_t n = example_count(&p->program, 4, 1000, (size_t)1 << 24, (size_t)1 << 18);
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_data_load(&p->data, &p->program, CLPRIM_I32, n));
    p->n_on_cpu = n < most_on_cpu ? n : most_on_cpu;
    p->expected = malloc(p->data.bytes);
    p->got = malloc(p->data.bytes);
    if (p->expected == NULL || p->got == NULL) {
        status = example_fail("out of memory for %zu elements", n);
        goto done;
    }
    EXAMPLE_TRY(example_upload(&p->sorted, &p->program, NULL, p->data.bytes));
    EXAMPLE_TRY(example_upload(&p->values, &p->program, NULL, p->data.bytes));
    EXAMPLE_TRY(climb_on_cpu(p));
    memcpy(p->expected, p->data.host, p->data.bytes);
    EXAMPLE_TRY(clprim_reference_sort(p->expected, NULL, &how, n));
    EXAMPLE_TRY(climb_on_device(p, 0, "The device, elements alone"));
    EXAMPLE_TRY(climb_on_device(p, sizeof(cl_int), "The device, elements with values of 4 bytes"));
    printf("\n%s\n", p->any_wrong ? "A RESULT IS WRONG." : "All results are in order.");
done:
    example_release(p->sorted);
    example_release(p->values);
    free(p->expected);
    free(p->got);
    example_data_clear(&p->data);
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
