// SPDX-License-Identifier: MIT
/* axis.h: the edges of bins of equal width, as numbers and as labels. */
#ifndef CLPRIM_CLI_AXIS_H
#define CLPRIM_CLI_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_LABEL_SIZE = 32 };

/* Bin b begins at edge b and ends before edge b + 1. All labels have the same number of decimals. */
typedef struct axis {
    size_t bins;
    double low, high;
    bool is_integer;   /* each edge is an integer: the least one of its bin */
    bool has_exponent; /* labels look like "1.25e+20", not "1.25" */
    int decimals;
    int width; /* number of characters of the longest label */
} axis;

/* of_integers: the elements, low and high are integers. Requires low < high and bins >= 1. */
axis axis_of(bool of_integers, size_t bins, double low, double high);

/* The label of an edge, 0 to `bins`. axis_label is at most a thousandth of a bin away from the edge, and exact for
 * integers. The text of axis_exact reads back as the same double or integer. */
void axis_label(char out[AXIS_LABEL_SIZE], const axis *self, size_t edge);
void axis_exact(char out[AXIS_LABEL_SIZE], const axis *self, size_t edge);

#endif
