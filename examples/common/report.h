// SPDX-License-Identifier: MIT
/* report.h: tables on the terminal, row by row as results come in. */
#ifndef CLPRIM_EXAMPLES_REPORT_H
#define CLPRIM_EXAMPLES_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"

typedef struct report_column {
    const char *title;
    int width; /* in characters; negative: aligned to the left */
} report_column;

typedef struct report {
    const report_column *columns;
    size_t num_columns;
    size_t at;           /* the column that comes next */
    double step_seconds; /* the time of the step before; 0: there is none */
    /* What report_end explains: marks were set, and for what they stand. */
    bool fits_cache, writes_less;
    size_t cache_bytes;
} report;

/* How fast the device copies large arrays, read and written together; its cache, 0 where it does not say. */
typedef struct report_roof {
    double bytes_per_second;
    size_t cache_bytes;
} report_roof;

/* Print a caption and the columns' titles. */
void report_begin(report *self, const char *caption, const report_column *columns, size_t num_columns);

/* Print the next cell, as printf does; the last one of a row ends the line. */
void report_cell(report *self, const char *format, ...) EXAMPLE_PRINTF(2, 3);

/* Print a remark in place of the cells that are left in the row. */
void report_remark(report *self, const char *format, ...) EXAMPLE_PRINTF(2, 3);

/* Three cells that say how good a time is: how many times shorter than the CPU's, GB/s, and the share of the roof,
 * which has a mark above 100 %. */
void report_speed(report *self, double bytes, double seconds, double cpu_seconds, const report_roof *roof);

/* A cell: how many times as fast as the step before, which a later row is compared with if this one is_step. */
void report_step(report *self, double seconds, bool is_step);

/* After the last row: the reasons of the marks. */
void report_end(const report *self);

/* At least three significant digits, however small the number is; static, good for one cell. */
const char *report_digits(double value);

/* A time or a ratio with three significant digits and a unit: "4.31 us", "27.0 ms"; static, good for one cell. */
const char *report_time(double seconds);
const char *report_times(double ratio);

#endif
