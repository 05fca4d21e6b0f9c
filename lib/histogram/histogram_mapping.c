// SPDX-License-Identifier: MIT
/* histogram_mapping.c: the bins of one dimension: check them, and write what kernels need to find the bin of an
 * element. */
#include "histogram_prelude.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "expression.h"
#include "histogram_even.h"
#include "kinds.h"
#include "operator.h"
#include "runtime_internal.h"

static bool is_unsigned(clprim_type type)
{
    return type == CLPRIM_U8 || type == CLPRIM_U16 || type == CLPRIM_U32 || type == CLPRIM_U64;
}

/* The range of a type with up to 32 bits. */
static void limits_of(clprim_type type, double *least, double *most)
{
    const double count = ldexp(1, (int)clprim_type_size(type) * 8);
    *least = is_unsigned(type) ? 0 : -count / 2;
    *most = *least + count - 1;
}

static clprim_status check_even(clprim__histogram_setting *setting, const clprim_histogram_desc *desc)
{
    const clprim_type type = setting->type;
    clprim__even even;
    const double largest = type == CLPRIM_F64 ? DBL_MAX : (double)FLT_MAX;
    if (!isfinite(desc->low) || !isfinite(desc->high) || !(desc->low < desc->high))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "low must be less than high, and both must be finite: low is %g, high is %g", desc->low,
                            desc->high);
    if (clprim__is_float(type)) {
        if (fabs(desc->low) > largest || fabs(desc->high) > largest ||
            !clprim__histogram_even(&even, type, desc->low, desc->high, setting->bins))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s cannot compute %zu bins from %g to %g",
                                clprim_type_name(type), setting->bins, desc->low, desc->high);
        return CLPRIM_SUCCESS;
    }
    if (floor(desc->low) != desc->low || floor(desc->high) != desc->high)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "low %g and high %g are not integers, but the elements are",
                            desc->low, desc->high);
    if (type == CLPRIM_U64 ? desc->low < 0 || desc->high > 0x1p64 : desc->low < -0x1p63 || desc->high > 0x1p63)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "low %g and high %g are outside the range of 64-bit integers",
                            desc->low, desc->high);
    if (clprim_type_size(type) <= 4) {
        double least = 0;
        double most = 0;
        limits_of(type, &least, &most);
        setting->may_miss = desc->low > least || desc->high <= most;
    }
    return CLPRIM_SUCCESS;
}

static double boundary_at(clprim_type type, const void *boundaries, size_t i)
{
    return type == CLPRIM_I64   ? (double)((const int64_t *)boundaries)[i]
           : type == CLPRIM_U64 ? (double)((const uint64_t *)boundaries)[i]
                                : ((const double *)boundaries)[i];
}

static clprim_status check_boundaries(const clprim__histogram_setting *setting, const void *boundaries)
{
    if (boundaries == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the mapping is by boundaries, but boundaries is NULL");
    for (size_t i = 0; i <= setting->bins; i++) {
        const double next = boundary_at(setting->type, boundaries, i);
        const bool is_less =
            i > 0 &&
            (setting->type == CLPRIM_I64   ? ((const int64_t *)boundaries)[i] < ((const int64_t *)boundaries)[i - 1]
             : setting->type == CLPRIM_U64 ? ((const uint64_t *)boundaries)[i] < ((const uint64_t *)boundaries)[i - 1]
                                           : next < ((const double *)boundaries)[i - 1]);
        if (isnan(next) || is_less)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "boundaries[%zu] is %s", i,
                                isnan(next) ? "a NaN" : "less than the one before");
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__histogram_check_mapping(clprim__histogram_setting *setting, const clprim_histogram_desc *desc)
{
    setting->may_miss = true;
    switch (setting->mapping) {
    case CLPRIM_HISTOGRAM_IDENTITY:
        if (clprim__is_float(setting->type))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "the identity mapping is for integers, not for %s: use even bins or boundaries",
                                clprim_type_name(setting->type));
        if (is_unsigned(setting->type) && clprim_type_size(setting->type) < 4)
            setting->may_miss = setting->bins < (size_t)1 << clprim_type_size(setting->type) * 8;
        return CLPRIM_SUCCESS;
    case CLPRIM_HISTOGRAM_EVEN: return check_even(setting, desc);
    case CLPRIM_HISTOGRAM_BOUNDARIES: return check_boundaries(setting, desc->boundaries);
    case CLPRIM_HISTOGRAM_CUSTOM:
        if (desc->bin_of == NULL)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the mapping is custom, but bin_of is NULL");
        return CLPRIM_SUCCESS;
    }
    return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown mapping %d", (int)setting->mapping);
}

/* floor(2^64 * bins / (last + 1)), which must be less than 2^64. */
static uint64_t scaled_quotient(uint64_t bins, uint64_t last)
{
    uint64_t quotient = 0;
    uint64_t rest = bins;
    if (last == UINT64_MAX)
        return bins;
    for (int bit = 0; bit < 64; bit++) {
        const bool overflows = rest >> 63 != 0;
        rest <<= 1;
        quotient <<= 1;
        if (overflows || rest > last) {
            rest -= last + 1;
            quotient |= 1;
        }
    }
    return quotient;
}

/* An integer between -2^63 and 2^64, modulo 2^64. */
static uint64_t modulo_2_to_the_64(double x)
{
    return x < 0 ? (uint64_t)(int64_t)x : x < 0x1p64 ? (uint64_t)x : 0;
}

/* Whether an element's distance from low may be computed modulo 2^32. It may if no element outside the range then seems
 * to be within it. */
static bool is_narrow(const clprim__histogram_setting *setting, const clprim_histogram_desc *desc, uint64_t last)
{
    double least = 0;
    double most = 0;
    if (clprim_type_size(setting->type) > 4 || last > UINT32_MAX)
        return false;
    limits_of(setting->type, &least, &most);
    return (desc->low >= least && desc->high <= most + 1) ||
           (clprim_type_size(setting->type) < 4 && fabs(desc->low) <= 0x1p30 && last < 0x80000000);
}

static void add_ulong(clprim__prelude *prelude, const char *name, cl_ulong value)
{
    clprim__prelude_number(prelude, name, "ulong", &value, sizeof value);
}

static void add_uint(clprim__prelude *prelude, const char *name, cl_uint value)
{
    clprim__prelude_number(prelude, name, "uint", &value, sizeof value);
}

/* The number of bits needed to store x. */
static cl_uint bits_for(uint64_t x)
{
    cl_uint bits = 0;
    while (bits < 64 && x >> bits != 0)
        bits++;
    return bits;
}

/* For a width of more than 2^32, so that there are more integers than bins. */
static void write_wide(clprim__prelude *prelude, uint64_t bins, uint64_t last)
{
    /* 2^64 / bins is (2^64 - 1) / bins, plus one if bins is a divisor */
    const uint64_t rest = last % bins + 1;
    const cl_uint bits = bits_for(bins - 1);
    const cl_uint shift = bits > 0 ? bits - 1 : 0; /* bins is greater than 2^shift, unless bins is 1 */
    add_ulong(prelude, "FACTOR", scaled_quotient(bins, last));
    add_ulong(prelude, "QUOTIENT", last / bins + (rest == bins));
    add_ulong(prelude, "REMAINDER", rest == bins ? 0 : rest);
    add_ulong(prelude, "RECIPROCAL", bits > 0 ? scaled_quotient((uint64_t)1 << shift, bins - 1) + 1 : 0);
    add_uint(prelude, "SHIFT", shift);
}

/* For even bins of integers, divide by multiplication. An offset times (bins * 2^k / width, rounded up) gives the exact
 * quotient in the bits above the lowest k, if offset * width is less than 2^k. */
static void write_even_integers(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                const clprim_histogram_desc *desc)
{
    const uint64_t bins = setting->bins;
    const uint64_t low = modulo_2_to_the_64(desc->low);
    const uint64_t last = modulo_2_to_the_64(desc->high) - low - 1;
    const bool is_wide = last > UINT32_MAX;
    const bool is_dense = bins > last;
    const bool is_exact = (last & (last + 1)) == 0; /* because the width is a power of two */
    const cl_uint shift = is_wide ? 0 : bits_for(last * (last + 1));
    const bool is_small = !is_wide && bits_for(bins) + shift <= 32;
    const bool by_words = is_narrow(setting, desc, last);
    const char *offset = by_words ? "uint" : "ulong";
    const char *wide = by_words ? "uint" : setting->type == CLPRIM_U64 ? "ulong" : "long";
    const size_t size = by_words ? sizeof(cl_uint) : sizeof(cl_ulong);
    clprim__text_format(
        &prelude->own,
        "#define EVEN_INTEGERS\n#define WIDE %s\n#define OFFSET %s\n#define IS_NARROW %d\n"
        "#define IS_WIDE %d\n#define IS_SMALL %d\n#define IS_EXACT %d\n#define IS_DENSE %d\n#define MISSES %d\n",
        wide, offset, by_words, is_wide, is_small, !is_small && is_exact, !is_small && is_dense, setting->may_miss);
    clprim__prelude_number(prelude, "LOW", wide, &low, size); /* little-endian: uses the lower word */
    clprim__prelude_number(prelude, "LAST", offset, &last, size);
    if (is_wide) {
        write_wide(prelude, bins, last);
    } else if (is_small) {
        add_uint(prelude, "FACTOR", (cl_uint)((bins << shift) / (last + 1) + 1));
        add_uint(prelude, "SHIFT", shift);
    } else {
        add_ulong(prelude, "FACTOR", scaled_quotient(is_dense ? bins % (last + 1) : bins, last) + !is_exact);
        if (is_dense)
            add_uint(prelude, "QUOTIENT", (cl_uint)(bins / (last + 1)));
    }
}

/* The least float that is greater than or equal to x. */
static float float_at_least(double x)
{
    const float nearest = (float)x;
    return (double)nearest < x ? nextafterf(nearest, INFINITY) : nearest;
}

static void add_real(clprim__prelude *prelude, const char *name, bool is_double, double value)
{
    const float single = (float)value;
    if (is_double)
        clprim__prelude_number(prelude, name, "double", &value, sizeof value);
    else
        clprim__prelude_number(prelude, name, "float", &single, sizeof single);
}

static void write_even_floats(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                              const clprim_histogram_desc *desc)
{
    const bool is_double = setting->type == CLPRIM_F64;
    clprim__even even;
    (void)clprim__histogram_even(&even, setting->type, desc->low, desc->high, setting->bins);
    clprim__text_format(&prelude->own, "#define REAL %s\n", is_double ? "double" : "float");
    add_real(prelude, "UNIT", is_double, even.unit);
    add_real(prelude, "LOW", is_double, even.low);
    add_real(prelude, "SCALE", is_double, even.scale);
    add_real(prelude, "AT_LEAST", is_double, is_double ? desc->low : (double)float_at_least(desc->low));
    add_real(prelude, "BELOW", is_double, is_double ? desc->high : (double)float_at_least(desc->high));
}

/* Elements are loaded as unsigned integers; SEEN converts them to the type in which they are numbers. */
static void write_elements(clprim__text *text, clprim_type type)
{
    const char *bits = clprim__type_bits(type);
    const char *conversion = type == CLPRIM_F16 ? "half_to_float" : "as_";
    clprim__text_format(text,
                        "#define ELEMENT %s\n#define ELEMENT_SIZE %zu\n#define ELEMENT_OF_BITS(b) ((ELEMENT)(b))\n"
                        "#define SEEN_OF(x) %s%s(x)\n",
                        bits, clprim_type_size(type), conversion, type == CLPRIM_F16 ? "" : clprim__type_storage(type));
}

void clprim__histogram_write_mapping(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                     const clprim_histogram_desc *desc)
{
    const clprim_type type = setting->type;
    clprim__text *text = &prelude->own;
    write_elements(text, type);
    const cl_uint bins = (cl_uint)setting->bins;
    clprim__text_format(text, "#define MAPPING %d\n#define BINS_ARE_FIXED %d\n", (int)setting->mapping,
                        setting->has_fixed_bins);
    if (setting->has_fixed_bins)
        clprim__text_format(text, "#define BINS %uu\n", bins);
    else
        clprim__prelude_number(prelude, "BINS", "uint", &bins, sizeof bins);
    if (setting->mapping == CLPRIM_HISTOGRAM_EVEN && clprim__is_float(type))
        write_even_floats(prelude, setting, desc);
    else if (setting->mapping == CLPRIM_HISTOGRAM_EVEN)
        write_even_integers(prelude, setting, desc);
    else if (setting->mapping == CLPRIM_HISTOGRAM_BOUNDARIES)
        clprim__text_format(text, "#define BOUND %s\n", clprim__histogram_bound(type));
    if (setting->mapping != CLPRIM_HISTOGRAM_CUSTOM)
        return;
    clprim__prelude_expression(prelude, &(clprim__expression){.name = "bin_of",
                                                              .type = "long",
                                                              .operands = {{clprim__input_type(type, NULL), "x"}},
                                                              .text = desc->bin_of});
    clprim__text_format(text, "#define CALLERS_BIN(x) clprim__callers_bin_of(x)\n");
}

/* The least integer that is greater than or equal to x, for elements of up to 32 bits. */
static int64_t integer_at_least(double x)
{
    return x <= -0x1p62 ? INT64_MIN : x >= 0x1p62 ? INT64_MAX : (int64_t)ceil(x);
}

void clprim__histogram_convert_boundaries(void *out, const clprim__histogram_setting *setting, const void *boundaries)
{
    const clprim_type type = setting->type;
    for (size_t i = 0; i <= setting->bins; i++)
        if (type == CLPRIM_F16 || type == CLPRIM_F32)
            ((float *)out)[i] = float_at_least(((const double *)boundaries)[i]);
        else if (type == CLPRIM_F64 || clprim_type_size(type) == 8)
            ((uint64_t *)out)[i] = ((const uint64_t *)boundaries)[i]; /* copies eight bytes of any type */
        else
            ((int64_t *)out)[i] = integer_at_least(((const double *)boundaries)[i]);
}

const char *clprim__histogram_bound(clprim_type type)
{
    return clprim__is_float(type) || type == CLPRIM_U64 ? clprim__input_type(type, NULL) : "long";
}
