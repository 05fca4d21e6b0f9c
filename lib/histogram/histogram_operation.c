// SPDX-License-Identifier: MIT
/* histogram_operation.c: the description and call of a histogram, its reference, and samples. */
#include <clprim/reference.h>

#include "histogram_internal.h"
#include "native.h"
#include "plan_table.h"

#define DESC(...) CLPRIM__DESC(histogram, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(histogram, __VA_ARGS__)

CLPRIM__ELEMENT(element, histogram, clprim__type_or(d->type, CLPRIM_U8))
CLPRIM__ELEMENT(in_element, histogram, d->input != NULL ? clprim__no_element() : element(d, 0))
CLPRIM__ELEMENT(weight, histogram,
                d->weights_type == CLPRIM_TYPE_DEFAULT ? clprim__no_element() : clprim__built_in(d->weights_type))
CLPRIM__ELEMENT(counter, histogram, clprim__built_in(clprim__histogram_counter_type(d)))
CLPRIM__DEFINE_OUTPUT(histogram, counter)
CLPRIM__ELEMENT(number, histogram, ((void)d, clprim__built_in(CLPRIM_U64)))

static clprim_element boundary_of(clprim_type type)
{
    return clprim__built_in(type == CLPRIM_I64 || type == CLPRIM_U64 ? type : CLPRIM_F64);
}

CLPRIM__ELEMENT(boundary, histogram, boundary_of(d->type))
CLPRIM__LENGTH(boundaries_length, histogram, clprim__plus(clprim__histogram_first_bins(d), 1))
CLPRIM__ELEMENT(second_boundary, histogram, boundary_of(d->second.type))
CLPRIM__LENGTH(second_length, histogram, clprim__plus(d->second.bins, 1))
CLPRIM__ELEMENT(third_boundary, histogram, boundary_of(d->third.type))
CLPRIM__LENGTH(third_length, histogram, clprim__plus(d->third.bins, 1))
CLPRIM__LENGTH(second_channel_length, histogram, clprim__plus(d->second_channel.bins, 1))
CLPRIM__LENGTH(third_channel_length, histogram, clprim__plus(d->third_channel.bins, 1))
CLPRIM__LENGTH(fourth_channel_length, histogram, clprim__plus(d->fourth_channel.bins, 1))
/* The number of elements of all rows and of the gaps between them. */
static size_t extent_of(const clprim_histogram_desc *desc, const clprim_histogram_call *call)
{
    const clprim__histogram_lines lines = clprim__histogram_lines_of(desc, call);
    return clprim__histogram_extent(&lines);
}

CLPRIM__LENGTH(in_length, histogram, extent_of(d, c))
CLPRIM__LENGTH(arguments_length, histogram, clprim__times(c->count, clprim__histogram_channels(d)))
CLPRIM__LENGTH(weights_length, histogram, c->count)
CLPRIM__LENGTH(bins_length, histogram,
               clprim__times(clprim__histogram_all_bins(d), clprim__histogram_active_channels(d)))
CLPRIM__LENGTH(outside_length, histogram, clprim__histogram_active_channels(d))
CLPRIM__COUNT(histogram, c->count)

static bool accumulates(const void *desc)
{
    return ((const clprim_histogram_desc *)desc)->accumulate;
}

static const clprim_enumerator mappings[] = {{"identity", CLPRIM_HISTOGRAM_IDENTITY},
                                             {"even", CLPRIM_HISTOGRAM_EVEN},
                                             {"boundaries", CLPRIM_HISTOGRAM_BOUNDARIES},
                                             {"custom", CLPRIM_HISTOGRAM_CUSTOM},
                                             {0}};

CLPRIM__DEFINE_ARGUMENTS(histogram)
CLPRIM__DEFINE_COUNT_AT(histogram)

/* An additional dimension. */
#define AXIS_MEMBER(axis, member, ...)                                                                                 \
    CLPRIM__MEMBER_AT(clprim_histogram_desc, axis.member, #axis "_" #member, __VA_ARGS__, .repeat = 0)
#define AXIS(axis, name)                                                                                               \
    AXIS_MEMBER(axis, input, TEXT, "the elements of the " name " dimension: OpenCL C over i and the parameters"),      \
        AXIS_MEMBER(axis, type, TYPE, "their type; default u8"),                                                       \
        AXIS_MEMBER(axis, bins, SIZE, "bins of that dimension; default: there is none"),                               \
        AXIS_MEMBER(axis, low, DOUBLE, "of its even bins: the lower end of the first"),                                \
        AXIS_MEMBER(axis, high, DOUBLE, "of its even bins: the upper end of the last; default: bins by value"),        \
        CLPRIM__MEMBER_AT(clprim_histogram_desc, axis.boundaries, #axis "_boundaries", DATA,                           \
                          "its boundaries, bins + 1", .element = axis##_boundary, .length = axis##_length)

/* An additional channel. */
#define CHANNEL(channel, name)                                                                                         \
    AXIS_MEMBER(channel, bins, SIZE, "bins of the " name " channel; default: as the first has"),                       \
        AXIS_MEMBER(channel, low, DOUBLE, "of its even bins: the lower end of the first"),                             \
        AXIS_MEMBER(channel, high, DOUBLE, "of its even bins: the upper end of the last; default: as the first has"),  \
        CLPRIM__MEMBER_AT(clprim_histogram_desc, channel.boundaries, #channel "_boundaries", DATA,                     \
                          "its boundaries, bins + 1", .element = boundary, .length = channel##_length)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default u8"),
    DESC(mapping, ENUM, "which bin an element belongs to; default: by its value", .enumerators = mappings),
    DESC(bins, SIZE, "number of bins, 1 to 2^24; default 256"),
    DESC(low, DOUBLE, "of even bins: the lower end of the first"),
    DESC(high, DOUBLE, "of even bins: the upper end of the last"),
    DESC(boundaries, DATA, "bins + 1 boundaries: int64 for i64, uint64 for u64, double for all other types",
         .element = boundary, .length = boundaries_length),
    DESC(bin_of, TEXT, "the bin of element x: an expression in OpenCL C"),
    CLPRIM__INPUT_MEMBER(histogram),
    DESC(strided, BOOL, "elements are in rows with gaps: calls have row_length and row_stride"),
    AXIS(second, "second"),
    AXIS(third, "third"),
    CLPRIM__TEXT_MEMBERS(histogram),
    DESC(channels, UNSIGNED, "interleaved channels, each with a histogram of its own, 1 to 4; default 1"),
    DESC(active_channels, UNSIGNED, "only the first ones are counted; default: all"),
    CHANNEL(second_channel, "second"),
    CHANNEL(third_channel, "third"),
    CHANNEL(fourth_channel, "fourth"),
    DESC(weights_type, TYPE, "type of the weights that are added up; default: elements are counted"),
    DESC(counter_type, TYPE, "type of the histogram; default u32, with weights their type"),
    CLPRIM__OUTPUT_MEMBERS(histogram,
                           "what is written: OpenCL C over the counter r, its place i and the parameters; default: r",
                           "the counters'"),
    DESC(accumulate, BOOL, "add to what the outputs hold"),
    DESC(cumulative, BOOL, "each counter is the sum of those of its channel up to it"),
    CLPRIM__COUNT_AT_MEMBER(histogram),
    CLPRIM__PLAN_MEMBERS(histogram),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements, channels interleaved", .element = in_element, .length = in_length),
    CALL(weights, INPUT, "a weight for each element", .element = weight, .length = weights_length),
    CLPRIM__ARGUMENTS_MEMBER(histogram, arguments_length),
    CLPRIM__CALL_COUNT_AT(histogram, count_at),
    CALL(count, SIZE, "elements per channel, of all rows"),
    CALL(row_length, SIZE, "elements per channel in each row, with strided; default: count"),
    CALL(row_stride, SIZE, "elements from the begin of a row to that of the next; default: no gaps"),
    CALL(out, OUTPUT, "the counters, or what is made of them, channel by channel", .element = output,
         .length = bins_length, .is_read = accumulates),
    CALL(outside_out, OUTPUT, "for each active channel, how many elements belong to no bin", .element = number,
         .length = outside_length, .is_read = accumulates, .is_optional = true),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_histogram_desc *d = desc;
    clprim_histogram_call *c = call;
    c->count = wanted;
    if (d->strided) { /* the last row is incomplete */
        c->row_length = wanted / 7 + 1;
        c->row_stride = c->row_length * clprim__histogram_channels(d) + 5;
    }
    c->in.host = clprim__trial_elements(trial, element(desc, 0).type, in_length(desc, call));
    if (d->weights_type != CLPRIM_TYPE_DEFAULT)
        c->weights.host = clprim__trial_numbers(trial, d->weights_type, CLPRIM_SUM, d->weights_type, wanted);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_histogram_desc *d = desc;
    const clprim_histogram_call *c = call;
    const clprim_reference_histogram_how how = {.type = element(desc, 0).type,
                                                .mapping = d->mapping,
                                                .bins = d->bins,
                                                .low = d->low,
                                                .high = d->high,
                                                .boundaries = d->boundaries,
                                                .channels = d->channels,
                                                .active_channels = d->active_channels,
                                                .second_channel = d->second_channel,
                                                .third_channel = d->third_channel,
                                                .fourth_channel = d->fourth_channel,
                                                .weights_type = d->weights_type,
                                                .counter_type = clprim__histogram_counter_type(d),
                                                .accumulate = d->accumulate,
                                                .cumulative = d->cumulative,
                                                .row_length = c->row_length,
                                                .row_stride = c->row_stride};
    return clprim_reference_histogram(c->out.host, c->outside_out.host, &how, c->in.host, c->weights.host, c->count);
}

static const clprim_histogram_desc samples[] = {
    {.type = CLPRIM_U8},
    {.type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 60, .low = -1, .high = 1},
    {.type = CLPRIM_U8, .strided = true, .channels = 3, .active_channels = 2},
    {.type = CLPRIM_F32,
     .mapping = CLPRIM_HISTOGRAM_EVEN,
     .bins = 60,
     .low = -1,
     .high = 1,
     .channels = 2,
     .second_channel = {.bins = 7, .low = 0, .high = 100}},
    {.type = CLPRIM_U16, .bins = 1000, .weights_type = CLPRIM_I32},
};
static const int order[] = {CLPRIM_HISTOGRAM_REPLICATED,    CLPRIM_HISTOGRAM_LOCAL_ATOMIC, CLPRIM_HISTOGRAM_LARGE,
                            CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, CLPRIM_HISTOGRAM_CPU_CHUNK,    CLPRIM_HISTOGRAM_SORT_BASED,
                            CLPRIM_HISTOGRAM_AUTO};

static const clprim__operation operation = {
    .face = &clprim_histogram_operation,
    .plan_size = sizeof(clprim__histogram_plan),
    .tunables = &clprim__histogram_tunables,
    .make = clprim__histogram_make,
    .clear = clprim__histogram_clear,
    .count = count,
    .launches_for_none = true,
    .check = clprim__histogram_check,
    .scratch = clprim__histogram_scratch,
    .launch = clprim__histogram_launch,
    .native = &clprim__histogram_native,
    .pieces = &clprim__histogram_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(histogram, "count elements by bin, or add up a weight for each bin",
                         clprim__histogram_variants, "u8", "f32 in intervals", "u16 with weights of i32",
                         "rows of u8 with gaps", "f32, channels that differ")
