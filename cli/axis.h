/* axis.h: the edges of bins of one width, as numbers and as labels. */
#ifndef CLPRIM_CLI_AXIS_H
#define CLPRIM_CLI_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_LABEL_SIZE = 32 };

/* Bin b begins at edge b and ends before edge b + 1. All labels have the same number of decimals. */
typedef struct axis {
    size_t bins;
    double low, high;
    bool is_integer;   /* an edge is the least integer of its bin, exactly */
    bool has_exponent; /* labels are "1.25e+20" and not "1.25" */
    int decimals;
    int width; /* of the longest label, in characters */
} axis;

/* of_integers: the elements are integers, and low and high are, too. low < high; bins >= 1. */
axis axis_of(bool of_integers, size_t bins, double low, double high);

/* Edge 0 to edge `bins`. The label is at most a thousandth of a bin away from the edge, and one of an integer is exact;
 * the text of axis_exact reads back as the same double or integer. */
void axis_label(char out[AXIS_LABEL_SIZE], const axis *self, size_t edge);
void axis_exact(char out[AXIS_LABEL_SIZE], const axis *self, size_t edge);

#endif
