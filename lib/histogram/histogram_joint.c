// SPDX-License-Identifier: MIT
/* histogram_joint.c: histograms with several functions that find bins, each made from the text of
 * kernels/histogram/parts/bins.cl. A joint histogram has one function for each dimension. The bins of all dimensions
 * are combined into one number, in row-major order, and these numbers are counted. A histogram whose channels differ
 * has one function for each channel. */
#include <stdlib.h>
#include <string.h>

#include "element_types.h"
#include "error.h"
#include "expression.h"
#include "histogram_prelude.h"
#include "kernels_histogram.h"
#include "names.h"
#include "runtime_internal.h"

static const size_t max_bins = (size_t)1 << 24;

size_t clprim__histogram_dimensions(const clprim_histogram_desc *desc)
{
    return desc->second.bins == 0 ? 1 : desc->third.bins == 0 ? 2 : 3;
}

size_t clprim__histogram_first_bins(const clprim_histogram_desc *desc)
{
    return desc->bins == 0 ? 256 : desc->bins;
}

/* Channel k, counted from 1. */
static const clprim_histogram_channel *channel_at(const clprim_histogram_desc *desc, size_t k)
{
    return k == 1 ? &desc->second_channel : k == 2 ? &desc->third_channel : &desc->fourth_channel;
}

size_t clprim__histogram_bins(const clprim_histogram_desc *desc)
{
    size_t most = clprim__histogram_first_bins(desc);
    for (size_t k = 1; k < clprim__histogram_active_channels(desc) && k < CLPRIM__HISTOGRAM_MAX_CHANNELS; k++)
        most = clprim__larger(most, channel_at(desc, k)->bins);
    return most;
}

size_t clprim__histogram_all_bins(const clprim_histogram_desc *desc)
{
    const size_t second = desc->second.bins == 0 ? 1 : desc->second.bins;
    const size_t third = desc->second.bins == 0 || desc->third.bins == 0 ? 1 : desc->third.bins;
    return clprim__times(clprim__times(clprim__histogram_bins(desc), second), third);
}

static bool is_channel_given(const clprim_histogram_channel *channel)
{
    return channel->bins != 0 || channel->low != 0 || channel->high != 0 || channel->boundaries != NULL;
}

/* Whether the channels have different bins. */
static bool differs(const clprim_histogram_desc *desc)
{
    return is_channel_given(&desc->second_channel) || is_channel_given(&desc->third_channel) ||
           is_channel_given(&desc->fourth_channel);
}

/* A description of channel k as a histogram with a single channel. */
static clprim_histogram_desc channel_of(const clprim_histogram_desc *desc, size_t k)
{
    clprim_histogram_desc own = *desc;
    own.channels = own.active_channels = 1;
    if (k == 0)
        return own;
    const clprim_histogram_channel *channel = channel_at(desc, k);
    own.bins = channel->bins != 0 ? channel->bins : desc->bins;
    own.boundaries = channel->boundaries != NULL ? channel->boundaries : desc->boundaries;
    if (channel->low != 0 || channel->high != 0) {
        own.low = channel->low;
        own.high = channel->high;
    }
    return own;
}

/* A description of dimension k, or of channel k, as a histogram with a single dimension. */
static clprim_histogram_desc dimension_of(const clprim_histogram_desc *desc, size_t k)
{
    const clprim_histogram_axis *axis = k == 1 ? &desc->second : &desc->third;
    clprim_histogram_desc own = *desc;
    if (differs(desc))
        return channel_of(desc, k);
    if (k == 0)
        return own;
    own.input = axis->input;
    own.type = axis->type;
    own.mapping = axis->boundaries != NULL  ? CLPRIM_HISTOGRAM_BOUNDARIES
                  : axis->low != axis->high ? CLPRIM_HISTOGRAM_EVEN
                                            : CLPRIM_HISTOGRAM_IDENTITY;
    own.bins = axis->bins;
    own.low = axis->low;
    own.high = axis->high;
    own.boundaries = axis->boundaries;
    return own;
}

static clprim__histogram_setting setting_of(const clprim_histogram_desc *own)
{
    return (clprim__histogram_setting){.type = own->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U8 : own->type,
                                       .mapping = own->mapping,
                                       .bins = clprim__histogram_bins(own),
                                       .may_miss = true};
}

static bool is_given(const clprim_histogram_axis *axis)
{
    return axis->input != NULL || axis->type != CLPRIM_TYPE_DEFAULT || axis->low != axis->high || axis->low != 0 ||
           axis->boundaries != NULL;
}

clprim_status clprim__histogram_check_joint(clprim__histogram_setting *setting, const clprim_histogram_desc *desc,
                                            const clprim_device_info *info)
{
    static const char *const names[] = {"input", "second.input", "third.input"};
    const size_t dimensions = clprim__histogram_dimensions(desc);
    clprim_status status = CLPRIM_SUCCESS;
    const bool has_third = is_given(&desc->third) || desc->third.bins != 0;
    if ((dimensions < 2 && is_given(&desc->second)) || (dimensions < 3 && has_third))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but %s.bins is missing",
                            has_third ? "third" : "second", dimensions < 2 ? "second" : "third");
    if (dimensions > 1 && setting->channels > 1)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "several dimensions are supported for one channel, not for %zu",
                            setting->channels);
    for (size_t k = 0; k < dimensions && dimensions > 1; k++) {
        const clprim_histogram_desc own = dimension_of(desc, k);
        clprim__histogram_setting one = setting_of(&own);
        if (own.input == NULL)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "%s is missing: with several dimensions, each is an expression", names[k]);
        CLPRIM__TRY(clprim__element_check(one.type, NULL, 0, true, info));
        CLPRIM__TRY(clprim__histogram_check_mapping(&one, &own));
    }
    if (clprim__histogram_all_bins(desc) > max_bins)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the bins of all dimensions are %zu, but must be at most 2^24",
                            clprim__histogram_all_bins(desc));
    if (dimensions == 1)
        return status;
    if (differs(desc))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "several dimensions have no further channels");
    setting->is_joint = setting->may_miss = true;
    setting->bins = clprim__histogram_all_bins(desc);
    setting->type = CLPRIM_U32;
    setting->mapping = CLPRIM_HISTOGRAM_IDENTITY;
done:
    return status;
}

clprim_status clprim__histogram_check_channels(clprim__histogram_setting *setting, const clprim_histogram_desc *desc)
{
    static const char *const names[] = {"first", "second_channel", "third_channel", "fourth_channel"};
    clprim_status status = CLPRIM_SUCCESS;
    setting->differs = differs(desc);
    if (setting->differs) {
        const clprim_histogram_desc first = channel_of(desc, 0);
        clprim__histogram_setting one = setting_of(&first);
        CLPRIM__TRY(clprim__histogram_check_mapping(&one, &first));
    }
    for (size_t k = 1; k < CLPRIM__HISTOGRAM_MAX_CHANNELS && setting->differs; k++) {
        const clprim_histogram_channel *channel = channel_at(desc, k);
        const char *wrong =
            !is_channel_given(channel)                 ? NULL
            : k >= setting->active_channels            ? "there are not so many active channels"
            : desc->mapping == CLPRIM_HISTOGRAM_CUSTOM ? "bin_of has no channels"
            : (channel->low != 0 || channel->high != 0) && desc->mapping != CLPRIM_HISTOGRAM_EVEN
                ? "low and high are for even bins"
            : channel->boundaries != NULL && desc->mapping != CLPRIM_HISTOGRAM_BOUNDARIES
                ? "the mapping is not by boundaries"
            : desc->mapping == CLPRIM_HISTOGRAM_BOUNDARIES && (channel->bins == 0 || channel->boundaries == NULL)
                ? "bins and boundaries must be given together"
                : NULL;
        if (wrong != NULL)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but %s", names[k], wrong);
    }
    for (size_t k = 1; k < setting->active_channels && setting->differs; k++) {
        const clprim_histogram_desc own = channel_of(desc, k);
        clprim__histogram_setting one = setting_of(&own);
        CLPRIM__TRY(clprim__histogram_check_mapping(&one, &own));
        setting->may_miss = true;
    }
done:
    return status;
}

/* Write the text of bins.cl with the function name clprim__bin_k. It needs its own name, because pass_on.h passes the
 * caller's parameters to functions by name. */
static void write_bin_function(clprim__text *text, size_t k)
{
    static const char name[] = "bin_of(ELEMENT";
    const clprim__source *source = &clprim__source_histogram_bins;
    const char *bytes = (const char *)source->bytes;
    size_t at = 0;
    while (at + sizeof name < source->size && memcmp(bytes + at, name, sizeof name - 1) != 0)
        at++;
    clprim__text_append(text, bytes, at);
    clprim__text_format(text, "clprim__bin_%zu(ELEMENT", k);
    at += sizeof name - 1;
    clprim__text_append(text, bytes + at, source->size - at);
}

/* Write clprim__bin_k, the function of this dimension or channel, and clprim__bins_k, its number of bins. All macros
 * that bins.cl uses are undefined after it. */
static void write_bins(clprim__prelude *prelude, const clprim_histogram_desc *own, size_t k)
{
    static const char *const taken[] = {
        "ELEMENT", "ELEMENT_SIZE",   "ELEMENT_OF_BITS", "SEEN_OF",       "MAPPING",       "BINS",      "BINS_ARE_FIXED",
        "LOW",     "LAST",           "OFFSET",          "WIDE",          "EVEN_INTEGERS", "UNIT",      "IS_NARROW",
        "IS_WIDE", "IS_SMALL",       "IS_EXACT",        "RECIPROCAL",    "SHIFT",         "REMAINDER", "IS_DENSE",
        "MISSES",  "FACTOR",         "QUOTIENT",        "REAL",          "SCALE",         "AT_LEAST",  "BELOW",
        "BOUND",   "BINS_ARGUMENTS", "BINS_PARAMETERS", "BIN_IN_CHANNEL"};
    const clprim__histogram_setting one = setting_of(own);
    clprim__text *text = &prelude->own;
    clprim__text_format(text, "#define clprim__bins_%zu " CLPRIM__RESERVED "number_%u\n", k, prelude->numbers.count);
    clprim__histogram_write_mapping(prelude, &one, own); /* the first number is the number of bins */
    write_bin_function(text, k);
    clprim__text_format(text, "\n");
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        clprim__text_format(text, "#undef %s\n", taken[i]);
}

/* Write the caller's expression for dimension k, and clprim__bin_at_k, which returns the bin of element i. */
static void write_dimension(clprim__prelude *prelude, const clprim_histogram_desc *own, size_t k)
{
    static const char *const inputs[] = {"input", "second_input", "third_input"};
    const clprim__histogram_setting one = setting_of(own);
    const char *from_float = clprim__type_from_float(one.type);
    clprim__text *text = &prelude->own;
    clprim__prelude_expression(prelude, &(clprim__expression){.name = inputs[k],
                                                              .type = clprim__input_type(one.type, NULL),
                                                              .operands = {{"ulong", "i"}},
                                                              .text = own->input});
    write_bins(prelude, own, k);
    clprim__text_format(text, "#define clprim__bin_at_%zu(i, at) clprim__bin_%zu((%s)(%s%s(clprim__callers_%s(i)))", k,
                        k, clprim__type_bits(one.type), from_float != NULL ? from_float : "as_",
                        from_float != NULL ? "" : clprim__type_bits(one.type), inputs[k]);
    if (one.mapping == CLPRIM_HISTOGRAM_BOUNDARIES)
        clprim__text_format(text, ", (const __global %s *)(at)", clprim__histogram_bound(one.type));
    clprim__text_format(text, ")\n");
}

/* The size of a dimension's boundaries in bytes; 0: it has none. */
static size_t boundaries_bytes(const clprim_histogram_desc *own)
{
    const clprim__histogram_setting one = setting_of(own);
    return one.mapping == CLPRIM_HISTOGRAM_BOUNDARIES ? (one.bins + 1) * sizeof(cl_ulong) : 0; /* or fewer, for
                                                                                                * floats */
}

/* Define clprim__boundaries_k, the offset `at` where the boundaries of dimension or channel k begin. Returns the offset
 * for the next one. */
static cl_ulong write_boundaries(clprim__prelude *prelude, const clprim_histogram_desc *own, size_t k, cl_ulong at)
{
    static const char *const names[CLPRIM__HISTOGRAM_MAX_CHANNELS] = {"clprim__boundaries_0", "clprim__boundaries_1",
                                                                      "clprim__boundaries_2", "clprim__boundaries_3"};
    clprim__prelude_number(prelude, names[k], "ulong", &at, sizeof at);
    return at + boundaries_bytes(own);
}

void clprim__histogram_write_channels(clprim__prelude *prelude, const clprim_histogram_desc *desc)
{
    const size_t channels = clprim__histogram_active_channels(desc);
    const bool by_boundaries = desc->mapping == CLPRIM_HISTOGRAM_BOUNDARIES;
    const clprim__histogram_setting first = setting_of(desc);
    clprim__text *text = &prelude->own;
    cl_ulong at = 0;
    for (size_t k = 0; k < channels; k++) {
        const clprim_histogram_desc own = channel_of(desc, k);
        write_bins(prelude, &own, k);
        at = write_boundaries(prelude, &own, k, at);
    }
    clprim__text_format(
        text,
        "static inline uint clprim__bin_of_channel(%s x, uint channel, const __global uchar *boundaries)\n"
        "{\n    uint bin = 0, bins = 0;\n    switch (channel) {\n",
        clprim__type_bits(first.type));
    for (size_t k = 0; k < channels; k++) {
        clprim__text_format(text, "    case %zu:\n        bins = clprim__bins_%zu;\n        bin = clprim__bin_%zu(x", k,
                            k, k);
        if (by_boundaries)
            clprim__text_format(text, ", (const __global %s *)(boundaries + clprim__boundaries_%zu)",
                                clprim__histogram_bound(first.type), k);
        clprim__text_format(text, ");\n        break;\n");
    }
    clprim__text_format(
        text,
        "    }\n    return bin < bins ? bin : ~0u;\n}\n%s#define BINS_OF_CHANNEL(x, channel, boundaries) "
        "clprim__bin_of_channel(x, channel, boundaries)\n",
        by_boundaries ? "#define JOINT_BOUNDARIES\n" : "");
}

void clprim__histogram_write_joint(clprim__prelude *prelude, const clprim_histogram_desc *desc)
{
    const size_t dimensions = clprim__histogram_dimensions(desc);
    clprim__text *text = &prelude->own;
    cl_ulong at = 0;
    for (size_t k = 0; k < dimensions; k++) {
        const clprim_histogram_desc own = dimension_of(desc, k);
        write_dimension(prelude, &own, k);
        at = write_boundaries(prelude, &own, k, at);
    }
    clprim__text_format(text, "static inline uint clprim__joint_bin(ulong i, const __global uchar *boundaries)\n{\n"
                              "    uint joint = 0, bins = 1;\n    bool is_inside = true;\n");
    for (size_t k = 0; k < dimensions; k++)
        clprim__text_format(
            text,
            "    {\n        const uint bin = clprim__bin_at_%zu(i, boundaries + clprim__boundaries_%zu);\n"
            "        is_inside = is_inside && bin < clprim__bins_%zu;\n"
            "        joint = joint * clprim__bins_%zu + bin;\n        bins *= clprim__bins_%zu;\n    }\n",
            k, k, k, k, k);
    clprim__text_format(text, "    return is_inside ? joint : bins;\n}\n");
    if (at > 0)
        clprim__text_format(text, "#define JOINT_BOUNDARIES\n#define INPUT_AT(i) clprim__joint_bin(i, boundaries)\n");
    else
        clprim__text_format(text, "#define INPUT_AT(i) clprim__joint_bin(i, 0)\n");
}

clprim_status clprim__histogram_joint_boundaries(cl_mem *out, const clprim_histogram_desc *desc,
                                                 const clprim_runtime *runtime)
{
    const size_t dimensions =
        differs(desc) ? clprim__histogram_active_channels(desc) : clprim__histogram_dimensions(desc);
    clprim_histogram_desc own[CLPRIM__HISTOGRAM_MAX_CHANNELS];
    cl_int code = CL_SUCCESS;
    size_t bytes = 0;
    for (size_t k = 0; k < dimensions; k++) {
        own[k] = dimension_of(desc, k);
        bytes += boundaries_bytes(&own[k]);
    }
    if (bytes == 0)
        return CLPRIM_SUCCESS;
    char *all = calloc(1, bytes);
    if (all == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu bytes of boundaries", bytes);
    bytes = 0;
    for (size_t k = 0; k < dimensions; k++) {
        const clprim__histogram_setting one = setting_of(&own[k]);
        if (one.mapping == CLPRIM_HISTOGRAM_BOUNDARIES)
            clprim__histogram_convert_boundaries(all + bytes, &one, own[k].boundaries);
        bytes += boundaries_bytes(&own[k]);
    }
    *out = clCreateBuffer(runtime->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, all, &code);
    free(all);
    return clprim__cl(code, "clCreateBuffer");
}
