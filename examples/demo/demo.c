// SPDX-License-Identifier: MIT
/* demo.c: what clPRIM does to a photograph on the best device there is, and how fast. Every result is compared with the
 * CPU's. To add a primitive: a file with its two functions, and a row below. */
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    clprim_status (*facts)(demo *self);
    clprim_status (*speeds)(demo *self);
} primitives[] = {
    {demo_reduce_facts, demo_reduce_speeds}, {demo_histogram_facts, demo_histogram_speeds},
    {demo_scan_facts, demo_scan_speeds},     {demo_equalise_facts, demo_equalise_speeds},
    {demo_select_facts, demo_select_speeds}, {demo_sort_facts, demo_sort_speeds},
};

static const char USAGE[] = "Show what clPRIM does to a photograph on the best OpenCL device, and how fast it is.\n";

const char *demo_judge(demo *self, bool is_right)
{
    self->num_checks++;
    self->num_wrong += is_right ? 0 : 1;
    return is_right ? "right" : "WRONG";
}

void demo_speed(demo *self, const char *primitive, const char *elements, size_t n, size_t bytes, double seconds,
                double cpu_seconds, bool is_right)
{
    report_cell(&self->speeds, "%s", primitive);
    report_cell(&self->speeds, "%s", elements);
    report_cell(&self->speeds, "%zu", n);
    report_cell(&self->speeds, "%s", report_time(seconds));
    report_cell(&self->speeds, "%s", report_time(cpu_seconds));
    report_speed(&self->speeds, (double)bytes, seconds, cpu_seconds, &self->program.roof);
    report_cell(&self->speeds, "%s", demo_judge(self, is_right));
}

static clprim_status run(demo *self)
{
    static const report_column columns[] = {{"primitive", -13}, {"elements", -8}, {"n", 9},
                                            {"time", 7},        {"CPU", 7},       {"x CPU", 8},
                                            {"GB/s", 7},        {"of roof", 9},   {"is", 5}};
    enum { NUM_PRIMITIVES = sizeof primitives / sizeof *primitives };
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_photograph(&self->photo, self->program.image));
    self->wide_n = example_count(&self->program, 4, (size_t)1 << 22, (size_t)1 << 26, (size_t)1 << 24);
    printf("\nWhat is in it:\n");
    for (size_t i = 0; i < NUM_PRIMITIVES; i++)
        EXAMPLE_TRY(primitives[i].facts(self));
    report_begin(&self->speeds, "How fast, with the data on the device, beside a plain loop on one core of the CPU",
                 columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < NUM_PRIMITIVES; i++)
        EXAMPLE_TRY(primitives[i].speeds(self));
    report_end(&self->speeds);
    printf("x CPU: how many times as fast as the loop; of roof: share of the device's copy speed.\n");
done:
    return status;
}

int main(int argc, char **argv)
{
    demo self = {0};
    int exit_code = EXIT_FAILURE;
    if (!example_begin(&self.program, argc, argv, EXAMPLE_LISTS_DEVICES, USAGE, &exit_code))
        return exit_code;
    if (run(&self) != CLPRIM_SUCCESS) {
        fprintf(stderr, "The demo could not be finished.\n");
    } else if (self.num_wrong > 0) {
        printf("\n%zu of %zu RESULTS DIFFER FROM THE CPU'S.\n", self.num_wrong, self.num_checks);
    } else {
        printf("\nAll %zu results equal the CPU's.\n", self.num_checks);
        exit_code = EXIT_SUCCESS;
    }
    image_clear(&self.photo);
    example_end(&self.program);
    return exit_code;
}
