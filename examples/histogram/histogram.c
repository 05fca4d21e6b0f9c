// SPDX-License-Identifier: MIT
/* histogram.c: the lecture's ladder. Every variant of clPRIM's histogram counts the grey levels of a photograph and of
 * an image that has only one, beside a plain loop on the CPU: which steps depend on the data? README.md says what to
 * look for. */
#include <clprim/histogram.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "The grey-level histogram of an array (a photograph's pixels, repeated to 2^28 elements on a GPU\n"
    "and 2^24 elsewhere; then one grey only) by every variant of clPRIM's histogram, beside a plain\n"
    "loop on the CPU.\n";

enum { MOST_BINS = 256, NUM_INPUTS = 2 }; /* the photograph, and one grey */

typedef struct input {
    void *host;
    cl_mem device;
    uint32_t expected[MOST_BINS]; /* its histogram with the bins of the table in the making */
} input;

typedef struct problem {
    example program;
    size_t n;
    input inputs[NUM_INPUTS];
    size_t bins;
    cl_mem counts; /* the results on the device */
    clprim_plan *plan;
    const input *counted; /* which input the plan works on */
    report table;
    double cpu_seconds; /* of the photograph: time of the plain loop */
    bool any_wrong;
} problem;

static clprim_status enqueue(void *user)
{
    const problem *p = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_histogram_enqueue(
        p->plan, p->program.queue,
        &(clprim_histogram_call){.in = {p->counted->device}, .count = p->n, .out = {p->counts}}, 0, NULL, NULL));
done:
    return status;
}

static void print_row(problem *p, const timing *times, bool is_step, const char *verdict, const char *remark)
{
    const double seconds = times[0].median;
    timing_cells(&p->table, &times[0]);
    report_cell(&p->table, "%s", report_digits(times[1].median * 1e3));
    report_cell(&p->table, "%s", report_times(times[1].median / seconds));
    report_step(&p->table, seconds, is_step);
    report_speed(&p->table, (double)p->n, seconds, p->cpu_seconds, &p->program.roof);
    report_cell(&p->table, "%s", verdict);
    report_cell(&p->table, "%s", remark);
}

/* Time the plan on one input, and check what it has left in `counts`. */
static clprim_status time_plan(problem *p, const input *in, timing *time, bool *is_right)
{
    const cl_uint nonsense = 0xdeadbeef; /* instead of the right results of the row before */
    const size_t bytes = p->bins * sizeof(cl_uint);
    cl_uint counts[MOST_BINS];
    clprim_status status = CLPRIM_SUCCESS;
    p->counted = in;
    EXAMPLE_TRY(clEnqueueFillBuffer(p->program.queue, p->counts, &nonsense, sizeof nonsense, 0, bytes, 0, NULL, NULL));
    EXAMPLE_TRY(timing_measure(time, &p->program, enqueue, p));
    EXAMPLE_TRY(clEnqueueReadBuffer(p->program.queue, p->counts, CL_TRUE, 0, bytes, counts, 0, NULL, NULL));
    *is_right = memcmp(counts, in->expected, bytes) == 0;
done:
    return status;
}

/* 256 bins: the grey levels; fewer: so many intervals of grey levels. */
static clprim_histogram_mapping mapping_to(size_t bins)
{
    return bins == MOST_BINS ? CLPRIM_HISTOGRAM_IDENTITY : CLPRIM_HISTOGRAM_EVEN;
}

static clprim_status time_row(problem *p, const clprim_variant_info *variant)
{
    const clprim_histogram_desc desc = {.type = CLPRIM_U8,
                                        .mapping = mapping_to(p->bins),
                                        .bins = p->bins,
                                        .high = MOST_BINS,
                                        .variant = (clprim_histogram_variant)variant->id};
    timing times[NUM_INPUTS] = {{0}};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_histogram_operation.variants(&count);
    bool are_right = true;
    report_cell(&p->table, "%s", variant->name);
    clprim_status status = clprim_histogram_create(&p->plan, p->program.runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        report_remark(&p->table, "skipped: %s", clprim_last_error());
        return CLPRIM_SUCCESS;
    }
    EXAMPLE_TRY(status);
    for (size_t i = 0; i < NUM_INPUTS; i++) {
        bool is_right = false;
        EXAMPLE_TRY(time_plan(p, &p->inputs[i], &times[i], &is_right));
        are_right = are_right && is_right;
    }
    p->any_wrong = p->any_wrong || !are_right;
    print_row(p, times, ladder_is_step("histogram", variant->name), are_right ? "right" : "WRONG",
              variant->origin != NULL ? example_remark(&p->program, "histogram", variant)
                                      : example_taken(variants, count, (int)clprim_plan_variant(p->plan)->id));
done:
    clprim_plan_destroy(p->plan);
    p->plan = NULL;
    return status;
}

static clprim_status make_table(problem *p, const char *caption, size_t bins, serial_loop plain_loop)
{
    const clprim_variant_info automatic = {.id = CLPRIM_HISTOGRAM_AUTO, .name = "AUTO"};
    static const report_column columns[] = {{"", -18},      {"ms", 9},       {"min - max", 17}, {"one grey", 9},
                                            {"longer", 7},  {"x before", 8}, {"x CPU", 8},      {"GB/s", 7},
                                            {"of roof", 9}, {"counts", 6},   {"what it is", -1}};
    const clprim_reference_histogram_how how = {
        .type = CLPRIM_U8, .mapping = mapping_to(bins), .bins = bins, .high = MOST_BINS};
    timing times[NUM_INPUTS] = {{0}};
    uint32_t counts[MOST_BINS];
    size_t count = 0;
    const clprim_variant_info *variants = clprim_histogram_operation.variants(&count);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < NUM_INPUTS; i++) {
        input *in = &p->inputs[i];
        EXAMPLE_TRY(clprim_reference_histogram(in->expected, NULL, &how, in->host, NULL, p->n));
        EXAMPLE_TRY(timing_serial(&times[i], &p->program, plain_loop, counts, in->host, p->n));
    }
    p->bins = bins;
    p->cpu_seconds = times[0].median;
    report_begin(&p->table, caption, columns, sizeof columns / sizeof *columns);
    report_cell(&p->table, "plain C loop");
    print_row(p, times, false, "-", "one core of the CPU");
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(time_row(p, &variants[i]));
    p->table.step_seconds = 0;
    EXAMPLE_TRY(time_row(p, &automatic));
    report_end(&p->table);
done:
    return status;
}

/* The pixels over and over, and as many of their mean. */
static clprim_status load_inputs(problem *p)
{
    image photo = {0};
    image grey = {0};
    uint64_t sum = 0;
    uint8_t mean = 0;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_photograph(&photo, p->program.image));
    serial_sum_u8(&sum, photo.samples, photo.width * photo.height);
    mean = (uint8_t)(sum / (photo.width * photo.height));
    grey = (image){.width = 1, .height = 1, .channels = 1, .samples = &mean};
    EXAMPLE_TRY(example_repeat(&p->inputs[0].host, CLPRIM_U8, &photo, 0, p->n));
    EXAMPLE_TRY(example_repeat(&p->inputs[1].host, CLPRIM_U8, &grey, 0, p->n));
    for (size_t i = 0; i < NUM_INPUTS; i++)
        EXAMPLE_TRY(example_upload(&p->inputs[i].device, &p->program, p->inputs[i].host, p->n));
    printf("Data:        its pixels, repeated to %zu u8 = %.1f MB; and one grey only, %u\n", p->n, (double)p->n * 1e-6,
           (unsigned)mean);
done:
    image_clear(&photo);
    return status;
}

static clprim_status run(problem *p)
{
    clprim_status status = CLPRIM_SUCCESS;
    /* 2 bytes: there are two arrays, on the host and on the device. */
    p->n = example_count(&p->program, 2, (size_t)1 << 16, (size_t)1 << 28, (size_t)1 << 24);
    if (p->n > UINT32_MAX)
        return example_fail("the counters have 32 bits: --n must be less than 2^32");
    EXAMPLE_TRY(load_inputs(p));
    EXAMPLE_TRY(example_upload(&p->counts, &p->program, NULL, MOST_BINS * sizeof(cl_uint)));
    EXAMPLE_TRY(make_table(p, "The ladder with 256 bins: the grey levels", 256, serial_histogram_u8));
    EXAMPLE_TRY(make_table(p, "The ladder with 64 bins: four grey levels each", 64, serial_histogram64_u8));
    printf("\n%s\n", p->any_wrong ? "A COUNT IS WRONG." : "All counts equal the CPU's.");
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
    example_release(p.counts);
    for (size_t i = 0; i < NUM_INPUTS; i++) {
        example_release(p.inputs[i].device);
        free(p.inputs[i].host);
    }
    example_end(&p.program);
    return exit_code;
}
