// SPDX-License-Identifier: MIT
/* histogram.h: draw a histogram. */
#ifndef CLPRIM_CLI_HISTOGRAM_H
#define CLPRIM_CLI_HISTOGRAM_H

#include "axis.h"
#include "cli.h"

typedef struct histogram_picture {
    const char *title;
    const uint64_t *counts;
    axis axis;
    uint64_t outside;
} histogram_picture;

/* Print each bin's edges, its count, and a bar to standard output. */
void histogram_print(const histogram_picture *self);

cli_result histogram_write_svg(const histogram_picture *self, const char *path);

#endif
