// SPDX-License-Identifier: MIT
/* axis.c: the edges of bins of equal width, as numbers and as labels. */
#include "axis.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

enum { USUAL_WIDTH = 11, MOST_WIDTH = 24, MOST_DECIMALS = 16 };

static const double TOLERANCE = 0.001; /* of a bin's width, so that few elements are on the wrong side of a label */

/* An integer between -2^63 and 2^64, modulo 2^64. */
static uint64_t bits_of(double integer)
{
    if (integer < 0)
        return 0 - (uint64_t)-integer;
    return integer < 0x1p64 ? (uint64_t)integer : 0;
}

/* The least integer of a bin: low + ceil(edge * (high - low) / bins), in integer arithmetic, as on the device. */
static wide integer_edge(const axis *self, size_t edge)
{
    const uint64_t low = bits_of(self->low);
    const uint64_t last = bits_of(self->high) - 1 - low; /* high - low - 1, because high - low may be 2^64 */
    const uint64_t quotient = last / self->bins;
    const uint64_t rest = last % self->bins + 1;
    wide sum = {0, 0};
    wide_add(&sum, self->low < 0, low);
    wide_add(&sum, false, edge * quotient);
    wide_add(&sum, false, (edge * rest + self->bins - 1) / self->bins);
    return sum;
}

static double width_of_bins(const axis *self)
{
    const double range = self->high - self->low;
    const double bins = (double)self->bins;
    return isfinite(range) ? range / bins : self->high / bins - self->low / bins;
}

static double real_edge(const axis *self, size_t edge)
{
    const double range = self->high - self->low;
    const double scaled = range * (double)edge;
    const double share = (double)edge / (double)self->bins;
    const double value = isfinite(scaled)  ? self->low + scaled / (double)self->bins
                         : isfinite(range) ? self->low + range * share
                                           : self->low * (1 - share) + self->high * share;
    if (edge == self->bins)
        return self->high;
    return fabs(value) < 1e-9 * width_of_bins(self) ? 0 : value; /* 0, apart from rounding errors */
}

void axis_exact(char out[AXIS_LABEL_SIZE], const axis *self, size_t edge)
{
    char text[NUMBER_TEXT_SIZE];
    const wide integer = self->is_integer ? integer_edge(self, edge) : (wide){0, 0};
    const double real = real_edge(self, edge);
    if (self->is_integer)
        wide_text(text, &integer);
    else
        number_text(text, CLPRIM_F64, &real);
    (void)snprintf(out, AXIS_LABEL_SIZE, "%.*s", AXIS_LABEL_SIZE - 1, text);
}

void axis_label(char out[AXIS_LABEL_SIZE], const axis *self, size_t edge)
{
    if (self->is_integer) {
        axis_exact(out, self, edge);
        return;
    }
    (void)snprintf(out, AXIS_LABEL_SIZE, self->has_exponent ? "%.*e" : "%.*f", self->decimals, real_edge(self, edge));
    if (out[0] == '-' && out[1 + strspn(out + 1, "0.")] == '\0')
        memmove(out, out + 1, strlen(out)); /* write "0.0" instead of "-0.0" */
}

/* The width of the longest label. It is one of the two outermost labels, except that exponents may have more digits. */
static int width_of(const axis *self)
{
    char text[AXIS_LABEL_SIZE];
    axis_label(text, self, 0);
    const size_t first = strlen(text);
    axis_label(text, self, self->bins);
    return (int)(strlen(text) > first ? strlen(text) : first);
}

static bool is_close(const axis *self)
{
    char text[AXIS_LABEL_SIZE];
    const double bound = TOLERANCE * width_of_bins(self);
    for (size_t i = 0; i <= self->bins; i++) {
        axis_label(text, self, i);
        if (!(fabs(strtod(text, NULL) - real_edge(self, i)) <= bound))
            return false;
    }
    return true;
}

/* Find the smallest sufficient number of decimals. Returns false if the labels would be too long. */
static bool find_decimals(axis *self)
{
    for (self->decimals = 0; self->decimals <= MOST_DECIMALS; self->decimals++) {
        self->width = width_of(self);
        if (self->width > MOST_WIDTH)
            return false;
        if (is_close(self))
            return true;
    }
    self->decimals = MOST_DECIMALS;
    return self->has_exponent; /* a double has no more digits, so more decimals would not help */
}

axis axis_of(bool of_integers, size_t bins, double low, double high)
{
    axis plain = {.bins = bins, .low = low, .high = high};
    axis exponents = {.bins = bins, .low = low, .high = high, .has_exponent = true};
    /* Integer edges are exact if bins are at least 1 wide, or if doubles have no fractions at that size. */
    if (of_integers && (high - low >= (double)bins || fmax(fabs(low), fabs(high)) >= 0x1p53)) {
        plain.is_integer = true;
        plain.width = width_of(&plain);
        return plain;
    }
    const bool is_plain = find_decimals(&plain);
    if (is_plain && plain.width <= USUAL_WIDTH)
        return plain;
    (void)find_decimals(&exponents);
    return is_plain && plain.width <= exponents.width ? plain : exponents;
}
