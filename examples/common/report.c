// SPDX-License-Identifier: MIT
/* report.c: tables on the terminal. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

static void print_cell(report *self, const char *text)
{
    printf("%s%*s", self->at > 0 ? "  " : "", self->columns[self->at].width, text);
    self->at = (self->at + 1) % self->num_columns;
    if (self->at == 0)
        putchar('\n');
    (void)fflush(stdout); /* the next cell can take a while */
}

void report_begin(report *self, const char *caption, const report_column *columns, size_t num_columns)
{
    printf("\n%s\n", caption);
    *self = (report){.columns = columns, .num_columns = num_columns};
    for (size_t i = 0; i < num_columns; i++)
        print_cell(self, columns[i].title);
    size_t total = 2 * (num_columns - 1);
    for (size_t i = 0; i < num_columns; i++)
        total += (size_t)(columns[i].width < 0 ? -columns[i].width : columns[i].width);
    for (size_t i = 0; i < total; i++)
        putchar('-');
    putchar('\n');
}

void report_cell(report *self, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_cell(self, text);
}

void report_remark(report *self, const char *format, ...)
{
    printf("  ");
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    self->at = 0;
}

/* Decimals that make three significant digits of a value below 1000. */
static int decimals_of(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

const char *report_digits(double value)
{
    static char text[32];
    int decimals = 0;
    double scaled = value;
    while (scaled > 0 && scaled < 99.95 && decimals < 9) {
        scaled *= 10;
        decimals++;
    }
    (void)snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

void report_speed(report *self, double bytes, double seconds, double cpu_seconds, const report_roof *roof)
{
    const double share = 100 * bytes / seconds / roof->bytes_per_second;
    const bool is_above = share >= 100.5;
    const bool fits = bytes <= (double)roof->cache_bytes;
    self->cache_bytes = roof->cache_bytes;
    self->fits_cache = self->fits_cache || (is_above && fits);
    self->writes_less = self->writes_less || (is_above && !fits);
    report_cell(self, "%s", report_times(cpu_seconds / seconds));
    report_cell(self, "%s", report_digits(bytes / seconds * 1e-9));
    report_cell(self, "%s %%%s", report_digits(share), !is_above ? "" : fits ? "*" : "+");
}

void report_step(report *self, double seconds, bool is_step)
{
    report_cell(self, "%s", self->step_seconds > 0 ? report_times(self->step_seconds / seconds) : "-");
    if (is_step)
        self->step_seconds = seconds;
}

void report_end(const report *self)
{
    if (self->fits_cache)
        printf("* faster than a copy of large arrays: the data fit the device's cache of %.1f MB\n",
               (double)self->cache_bytes * 1e-6);
    if (self->writes_less)
        printf(
            "+ faster than a copy of large arrays: that writes as much as it reads; this writes less, or has part of "
            "its\n  data in a cache\n");
}

const char *report_time(double seconds)
{
    static char text[32];
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1000;
    (void)snprintf(text, sizeof text, "%.*f %s", decimals_of(value), value, units[unit]);
    return text;
}

const char *report_times(double ratio)
{
    static char text[40];
    (void)snprintf(text, sizeof text, "%sx", report_digits(ratio));
    return text;
}
