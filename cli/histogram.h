/* histogram.h: a histogram as a picture. */
#ifndef CLPRIM_CLI_HISTOGRAM_H
#define CLPRIM_CLI_HISTOGRAM_H

#include "cli.h"

typedef struct histogram_picture {
    const char *title;
    const uint64_t *counts;
    size_t bins;
    double low, high;
    uint64_t outside;
} histogram_picture;

/* On standard output: each bin's beginning and end, its count, and a bar. */
void histogram_print(const histogram_picture *self);

cli_result histogram_write_svg(const histogram_picture *self, const char *path);

#endif
