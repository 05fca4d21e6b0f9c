// SPDX-License-Identifier: MIT
/* histogram_reference.c: histograms on the host, one element after another. */
#include <clprim/reference.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "error.h"
#include "fold.h"
#include "histogram_even.h"
#include "kinds.h"

static const size_t no_bin = SIZE_MAX;
static const size_t max_bins = (size_t)1 << 24;

/* An element as an integer modulo 2^64, with its sign extended; and as a double, which is exact except for 64-bit
 * integers. */
typedef struct number {
    uint64_t integer;
    double real;
} number;

static number load(clprim_type type, const void *element)
{
    clprim__fold sum; /* a sum of this one element */
    clprim__fold_begin(&sum,
                       &(clprim_reference_operator){
                           .type = type, .accumulator_type = clprim__is_float(type) ? CLPRIM_F64 : CLPRIM_U64},
                       NULL);
    clprim__fold_add(&sum, element);
    const double integer = clprim__is_signed(type) ? (double)(int64_t)sum.integer : (double)sum.integer;
    return (number){.integer = sum.integer, .real = clprim__is_float(type) ? sum.f64 : integer};
}

/* x < limit. The limit is an integer that the type need not contain. */
static bool is_below(clprim_type type, uint64_t x, double limit)
{
    if (clprim__is_signed(type))
        return limit >= 0x1p63 || (limit > -0x1p63 && (int64_t)x < (int64_t)limit);
    return limit >= 0x1p64 || (limit > 0 && x < (uint64_t)limit);
}

static uint64_t modulo_2_to_the_64(double integer)
{
    return integer < 0 ? (uint64_t)(int64_t)integer : integer < 0x1p64 ? (uint64_t)integer : 0;
}

/* Multiply by `bins` and divide by the width, bit by bit: `bin` is the quotient so far, and `rest` the remainder. The
 * width may be 2^64, so the width minus 1 is stored. */
static size_t bin_of_integer(const clprim_reference_histogram_how *how, uint64_t x)
{
    const uint64_t distance = x - modulo_2_to_the_64(how->low);
    const uint64_t last = modulo_2_to_the_64(how->high) - modulo_2_to_the_64(how->low) - 1;
    size_t bin = 0;
    uint64_t rest = 0;
    if (is_below(how->type, x, how->low) || !is_below(how->type, x, how->high))
        return no_bin;
    for (size_t bit = max_bins; bit > 0; bit /= 2) {
        bin *= 2;
        for (int i = 0; i < 2; i++) {
            const uint64_t addend = i == 0 ? rest : (how->bins & bit) != 0 ? distance : 0;
            const bool carries = rest > last - addend;
            rest = carries ? rest - (last - addend) - 1 : rest + addend;
            bin += carries;
        }
    }
    return bin;
}

/* Compute each operation in double and round it to the element's type. The result is that of the type's own
 * operation. */
static size_t bin_of_float(const clprim_reference_histogram_how *how, double x)
{
    clprim__even even;
    (void)clprim__histogram_even(&even, how->type, how->low, how->high, how->bins);
    const float distance = (float)((double)(float)(x * even.unit) - even.low);
    const double bin =
        how->type == CLPRIM_F64 ? (x * even.unit - even.low) * even.scale : (double)(distance * (float)even.scale);
    if (!(x >= how->low && x < how->high)) /* also if x is a NaN */
        return no_bin;
    return bin < (double)how->bins ? (size_t)bin : how->bins - 1;
}

static bool is_reached(const clprim_reference_histogram_how *how, size_t b, number x)
{
    if (how->type == CLPRIM_I64)
        return ((const int64_t *)how->boundaries)[b] <= (int64_t)x.integer;
    if (how->type == CLPRIM_U64)
        return ((const uint64_t *)how->boundaries)[b] <= x.integer;
    return ((const double *)how->boundaries)[b] <= x.real; /* false if x is a NaN */
}

/* Find the last boundary that is not greater than x, by binary search. */
static size_t bin_between(const clprim_reference_histogram_how *how, number x)
{
    size_t reached = 0;
    size_t beyond = how->bins;
    if (!is_reached(how, 0, x) || is_reached(how, how->bins, x))
        return no_bin;
    while (beyond - reached > 1) {
        const size_t middle = reached + (beyond - reached) / 2;
        if (is_reached(how, middle, x))
            reached = middle;
        else
            beyond = middle;
    }
    return reached;
}

static size_t bin_of(const clprim_reference_histogram_how *how, const void *element)
{
    const number x = load(how->type, element);
    const bool is_custom = how->mapping == CLPRIM_HISTOGRAM_CUSTOM;
    const uint64_t bin = is_custom ? (uint64_t)how->bin_of(element) : x.integer;
    if (how->mapping == CLPRIM_HISTOGRAM_BOUNDARIES)
        return bin_between(how, x);
    if (how->mapping == CLPRIM_HISTOGRAM_EVEN)
        return clprim__is_float(how->type) ? bin_of_float(how, x.real) : bin_of_integer(how, x.integer);
    return bin < how->bins ? (size_t)bin : no_bin; /* negative numbers became large unsigned ones */
}

static bool is_limit(clprim_type type, double x)
{
    if (clprim__is_float(type))
        return fabs(x) <= (type == CLPRIM_F64 ? DBL_MAX : (double)FLT_MAX);
    if (!(type == CLPRIM_U64 ? x >= 0 && x <= 0x1p64 : fabs(x) <= 0x1p63))
        return false;
    return fabs(x) >= 0x1p53 || (double)(int64_t)x == x;
}

static bool are_boundaries(const clprim_reference_histogram_how *how)
{
    const clprim_type type = how->type == CLPRIM_I64 || how->type == CLPRIM_U64 ? how->type : CLPRIM_F64;
    for (size_t b = 0; how->boundaries != NULL && b <= how->bins; b++) {
        const number boundary = load(type, (const char *)how->boundaries + 8 * b);
        if (isnan(boundary.real) || (b > 0 && !is_reached(how, b - 1, boundary)))
            return false;
    }
    return how->boundaries != NULL;
}

/* Channel c as a histogram with a single channel. */
static clprim_reference_histogram_how channel_of(const clprim_reference_histogram_how *how, size_t c)
{
    const clprim_histogram_channel *const channels[] = {NULL, &how->second_channel, &how->third_channel,
                                                        &how->fourth_channel};
    clprim_reference_histogram_how own = *how;
    if (c == 0)
        return own;
    const bool has_range = channels[c]->low != 0 || channels[c]->high != 0;
    own.bins = channels[c]->bins != 0 ? channels[c]->bins : how->bins;
    own.low = has_range ? channels[c]->low : how->low;
    own.high = has_range ? channels[c]->high : how->high;
    own.boundaries = channels[c]->boundaries != NULL ? channels[c]->boundaries : how->boundaries;
    return own;
}

/* The largest number of bins of any channel. */
static size_t most_bins(const clprim_reference_histogram_how *how)
{
    size_t most = how->bins;
    for (size_t c = 1; c < how->active_channels; c++) {
        const size_t own = channel_of(how, c).bins;
        most = own > most ? own : most;
    }
    return most;
}

static const char *mistake_in_mapping(const clprim_reference_histogram_how *how)
{
    clprim__even even;
    switch (how->mapping) {
    case CLPRIM_HISTOGRAM_IDENTITY:
        return clprim__is_float(how->type) ? "the identity mapping is for integers, not for floats" : NULL;
    case CLPRIM_HISTOGRAM_EVEN:
        if (!is_limit(how->type, how->low) || !is_limit(how->type, how->high) || how->low >= how->high)
            return "low and high do not suit the elements, or low is not less than high";
        if (clprim__is_float(how->type) && !clprim__histogram_even(&even, how->type, how->low, how->high, how->bins))
            return "bins so narrow cannot be computed";
        return NULL;
    case CLPRIM_HISTOGRAM_BOUNDARIES:
        return are_boundaries(how) ? NULL : "boundaries is NULL, or a boundary is a NaN or less than the one before it";
    case CLPRIM_HISTOGRAM_CUSTOM: return how->bin_of == NULL ? "bin_of is NULL" : NULL;
    default: return "unknown mapping";
    }
}

static const char *mistake_in(const clprim_reference_histogram_how *how)
{
    const clprim_type weight = how->weights_type;
    const bool is_weighted = weight != CLPRIM_TYPE_DEFAULT;
    if (!clprim__is_type(how->type))
        return "unknown type";
    if (is_weighted && (!clprim__is_type(weight) || clprim_type_size(weight) < 4 || how->counter_type != weight))
        return "weights_type must be I32, U32, F32, I64, U64 or F64, and counter_type the same";
    if (!is_weighted && how->counter_type != CLPRIM_U32 && how->counter_type != CLPRIM_U64)
        return "counter_type must be U32 or U64";
    if (how->channels > (is_weighted ? 1 : 4) || how->active_channels > how->channels)
        return "channels must be at most 4, or 1 with weights, and active_channels at most channels";
    if (how->row_stride != 0 && (how->row_length == 0 || how->row_stride / how->channels < how->row_length))
        return "row_stride must be at least row_length times channels, and not without row_length";
    if (how->accumulate && how->cumulative)
        return "accumulate and cumulative cannot be combined";
    if (most_bins(how) > max_bins)
        return "bins must be at most 2^24";
    const char *wrong = NULL;
    for (size_t c = 0; c < how->active_channels && wrong == NULL; c++) {
        const clprim_reference_histogram_how own = channel_of(how, c);
        wrong = mistake_in_mapping(&own);
    }
    return wrong;
}

/* Fill in the defaults of a zeroed description. */
static clprim_reference_histogram_how resolved(const clprim_reference_histogram_how *how)
{
    clprim_reference_histogram_how result = *how;
    const clprim_type counter = how->weights_type != CLPRIM_TYPE_DEFAULT ? how->weights_type : CLPRIM_U32;
    result.type = how->type != CLPRIM_TYPE_DEFAULT ? how->type : CLPRIM_U8;
    result.bins = how->bins != 0 ? how->bins : 256;
    result.channels = how->channels != 0 ? how->channels : 1;
    result.active_channels = how->active_channels != 0 ? how->active_channels : result.channels;
    result.counter_type = how->counter_type != CLPRIM_TYPE_DEFAULT ? how->counter_type : counter;
    return result;
}

clprim_status clprim_reference_histogram(void *out, uint64_t *outside, const clprim_reference_histogram_how *wanted,
                                         const void *in, const void *weights, size_t count)
{
    static const uint64_t one = 1;
    static const clprim_reference_histogram_how zeroed = {0};
    const clprim_reference_histogram_how how = resolved(wanted != NULL ? wanted : &zeroed);
    const bool is_weighted = how.weights_type != CLPRIM_TYPE_DEFAULT;
    const size_t size = clprim_type_size(how.type);
    const size_t counter_size = clprim_type_size(how.counter_type);
    const char *wrong = mistake_in(&how);
    if (wrong == NULL && (out == NULL || (count > 0 && (in == NULL || (weights != NULL) != is_weighted))))
        wrong = "out, in or weights is NULL, or there are weights but no weights_type";
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_histogram: %s", wrong);
    const clprim_reference_operator counter = {.type = how.counter_type, .accumulator_type = how.counter_type};
    const size_t bins = most_bins(&how);
    for (size_t c = 0; c < how.active_channels; c++) {
        const clprim_reference_histogram_how own = channel_of(&how, c);
        char *histogram = (char *)out + c * bins * counter_size;
        uint64_t missed = 0;
        if (!how.accumulate)
            memset(histogram, 0, bins * counter_size);
        for (size_t i = 0; i < count; i++) {
            const size_t row = how.row_stride != 0 ? i / how.row_length : 0;
            const size_t place = row * how.row_stride + (i - row * how.row_length) * how.channels + c;
            const size_t bin = bin_of(&own, (const char *)in + place * size);
            const void *weight = is_weighted ? (const char *)weights + i * counter_size : (const void *)&one;
            clprim__fold sum;
            missed += bin == no_bin;
            if (bin == no_bin)
                continue;
            clprim__fold_begin(&sum, &counter, histogram + bin * counter_size);
            clprim__fold_add(&sum, weight);
            clprim__fold_store(&sum, histogram + bin * counter_size);
        }
        for (size_t bin = 1; bin < bins && how.cumulative; bin++) {
            clprim__fold sum;
            clprim__fold_begin(&sum, &counter, histogram + (bin - 1) * counter_size);
            clprim__fold_add(&sum, histogram + bin * counter_size);
            clprim__fold_store(&sum, histogram + bin * counter_size);
        }
        if (outside != NULL)
            outside[c] = (how.accumulate ? outside[c] : 0) + missed;
    }
    return CLPRIM_SUCCESS;
}
