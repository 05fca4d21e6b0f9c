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
    char text[128];
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

void report_speed(report *self, double bytes, double seconds, double cpu_seconds, double roof)
{
    report_cell(self, "%s", report_times(cpu_seconds / seconds));
    report_cell(self, "%.1f", bytes / seconds * 1e-9);
    report_cell(self, "%.1f %%", 100 * bytes / seconds / roof);
}

/* Decimals that make three significant digits of a value below 1000. */
static int decimals_of(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
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
    static char text[32];
    (void)snprintf(text, sizeof text, "%.*fx", decimals_of(ratio), ratio);
    return text;
}
