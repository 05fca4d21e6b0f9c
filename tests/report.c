/* report.c: times, speeds and shares in the examples' tables; the test `example_report` checks the lines. */
#include "report.h"
#include "timing.h"

int main(void)
{
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
    return 0;
}
