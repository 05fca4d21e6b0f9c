/* histogram_mapping.c: the bins of one dimension: what is wrong with them, and what kernels need to find the bin of an
 * element. */
#include "histogram_prelude.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "expression.h"
#include "kinds.h"
#include "operator.h"
#include "runtime_internal.h"

static bool is_unsigned(clprim_type type)
{
    return type == CLPRIM_U8 || type == CLPRIM_U16 || type == CLPRIM_U32 || type == CLPRIM_U64;
}

/* Types of up to 32 bits: from least to most. */
static void limits_of(clprim_type type, double *least, double *most)
{
    const double count = ldexp(1, (int)clprim_type_size(type) * 8);
    *least = is_unsigned(type) ? 0 : -count / 2;
    *most = *least + count - 1;
}

static clprim_status check_even(clprim__histogram_setting *setting, const clprim_histogram_desc *desc)
{
    const clprim_type type = setting->type;
    const double width = desc->high - desc->low;
    const double scale = (double)setting->bins / width;
    const double largest = type == CLPRIM_F64 ? DBL_MAX : (double)FLT_MAX;
    if (!isfinite(desc->low) || !isfinite(desc->high) || !(desc->low < desc->high))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "low must be less than high, and both must be finite: low is %g, high is %g", desc->low,
                            desc->high);
    if (clprim__is_float(type)) {
        if (fabs(desc->low) > largest || fabs(desc->high) > largest || !isfinite(width) || scale > largest)
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

/* floor(2^64 * bins / (last + 1)), where that is less than 2^64. */
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

/* An integer from -2^63 to 2^64 modulo 2^64. */
static uint64_t modulo_2_to_the_64(double x)
{
    return x < 0 ? (uint64_t)(int64_t)x : x < 0x1p64 ? (uint64_t)x : 0;
}

static void write_even_integers(clprim__text *text, const clprim__histogram_setting *setting,
                                const clprim_histogram_desc *desc)
{
    const uint64_t bins = setting->bins;
    const uint64_t low = modulo_2_to_the_64(desc->low);
    const uint64_t last = modulo_2_to_the_64(desc->high) - low - 1;
    const bool is_wide = last == UINT64_MAX || last > UINT64_MAX / bins;
    const bool is_narrow = last < UINT32_MAX / bins;
    /* 2^64 / bins is one more than (2^64 - 1) / bins where bins divides it */
    const uint64_t rest = last % bins + 1;
    const uint64_t quotient = last / bins + (rest == bins);
    clprim__text_format(text,
                        "#define WIDE %s\n#define LOW ((WIDE)%lluul)\n#define LAST %lluul\n#define OFFSET %s\n"
                        "#define IS_WIDE %d\n",
                        setting->type == CLPRIM_U64 ? "ulong" : "long", (unsigned long long)low,
                        (unsigned long long)last, is_narrow ? "uint" : "ulong", is_wide);
    if (is_wide)
        clprim__text_format(text, "#define FACTOR %lluul\n#define QUOTIENT %lluul\n#define REMAINDER %lluul\n",
                            (unsigned long long)scaled_quotient(bins, last), (unsigned long long)quotient,
                            (unsigned long long)(rest == bins ? 0 : rest));
}

/* The least float that is not less than x. */
static float float_at_least(double x)
{
    const float nearest = (float)x;
    return (double)nearest < x ? nextafterf(nearest, INFINITY) : nearest;
}

static void write_real(clprim__text *text, const char *name, double value, const char *suffix)
{
    clprim__text_format(text, "#define %s (", name);
    clprim__text_number(text, value);
    clprim__text_format(text, "%s)\n", suffix);
}

static void write_even_floats(clprim__text *text, const clprim__histogram_setting *setting,
                              const clprim_histogram_desc *desc)
{
    const double scale = (double)setting->bins / (desc->high - desc->low);
    const bool is_double = setting->type == CLPRIM_F64;
    const char *suffix = is_double ? "" : "f";
    clprim__text_format(text, "#define REAL %s\n", is_double ? "double" : "float");
    write_real(text, "LOW", is_double ? desc->low : (double)(float)desc->low, suffix);
    write_real(text, "SCALE", is_double ? scale : (double)(float)scale, suffix);
    write_real(text, "AT_LEAST", is_double ? desc->low : (double)float_at_least(desc->low), suffix);
    write_real(text, "BELOW", is_double ? desc->high : (double)float_at_least(desc->high), suffix);
}

/* Elements are loaded as unsigned integers; SEEN is the type in which they are numbers. */
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
    clprim__text_format(text, "#define MAPPING %d\n#define BINS %zuu\n", (int)setting->mapping, setting->bins);
    if (setting->mapping == CLPRIM_HISTOGRAM_EVEN && clprim__is_float(type))
        write_even_floats(text, setting, desc);
    else if (setting->mapping == CLPRIM_HISTOGRAM_EVEN)
        write_even_integers(text, setting, desc);
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

/* The least integer that is not less, for elements of up to 32 bits. */
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
            ((uint64_t *)out)[i] = ((const uint64_t *)boundaries)[i]; /* any eight bytes */
        else
            ((int64_t *)out)[i] = integer_at_least(((const double *)boundaries)[i]);
}

const char *clprim__histogram_bound(clprim_type type)
{
    return clprim__is_float(type) || type == CLPRIM_U64 ? clprim__input_type(type, NULL) : "long";
}
