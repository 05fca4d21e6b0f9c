// SPDX-License-Identifier: MIT
/* report.c: times, speeds, shares and steps in the examples' tables; the test `example_report` checks the lines. */
#include "report.h"
#include "ladder.h"
#include "timing.h"

int main(void)
{
    static const report_column steps[] = {{"variant", -18}, {"x before", 8}, {"why", -1}};
    /* steps, and two that stand aside */
    static const struct {
        const char *name;
        double seconds;
    } ladder[] = {{"naive", 8}, {"work_efficient", 4}, {"bit_reversed", 32}, {"blelloch", 1}, {"AUTO", 0.5}};
    static const report_column columns[] = {{"ms", 9}, {"min - max", 17}, {"x CPU", 8}, {"GB/s", 7}, {"of roof", 9}};
    static const struct {
        timing time;
        double bytes;
    } rows[] = {
        {{2e-3, 1.5e-3, 2.5e-3}, 1e6}, {{1e-6, 0.9e-6, 12e-6}, 2e6}, {{1e-4, 1e-4, 1e-4}, 3e6}, {{30, 29, 41}, 4e6}};
    const report_roof roof = {.bytes_per_second = 1e10, .cache_bytes = 2500000};
    report table;
    report_begin(&table, "Rows", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        timing_cells(&table, &rows[i].time);
        report_speed(&table, rows[i].bytes, rows[i].time.median, 1e-3, &roof);
    }
    report_end(&table);
    report_begin(&table, "Steps", steps, sizeof steps / sizeof *steps);
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        report_cell(&table, "%s", ladder[i].name);
        report_step(&table, ladder[i].seconds, ladder_is_step("scan", ladder[i].name));
        report_cell(&table, "%s", ladder_why("scan", ladder[i].name));
    }
    return 0;
}
