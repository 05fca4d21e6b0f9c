// SPDX-License-Identifier: MIT
/* test_histogram.channels.c: channels with different bins, with every variant: other numbers of bins, ranges and
 * boundaries; integers and floats, rows with gaps, an expression, counts on the device, counters that are accumulated
 * or cumulative; results of the reference known in advance; and calls that are refused. */
#include <math.h>

#include "ordered.h"

enum { MAX_COUNT = 10007 };

typedef clprim_histogram_desc description;

static const size_t counts[] = {0, 1, 5, 64, 257, 1023, 4097, MAX_COUNT};
static uint64_t elements[4 * MAX_COUNT];

static const double first[] = {-2, -0.5, -0.5, 0, 0.25, 3};
static const double second[] = {-1e30, 0, 1e30};
static const double fourth[] = {-(double)INFINITY, -1, -0.25, 0, 0.125, 1, 2, (double)INFINITY};
static const int64_t longs[] = {INT64_MIN, -5, 0, INT64_MAX};
static const int64_t other_longs[] = {-100, 100};

#define EVEN(number, from, to)                                                                                         \
    {                                                                                                                  \
        .bins = (number), .low = (from), .high = (to)                                                                  \
    }
#define BETWEEN(number, list)                                                                                          \
    {                                                                                                                  \
        .bins = (number), .boundaries = (list)                                                                         \
    }

/* With even bins of integers, each channel finds its bins in another way: a range whose width is a power of two, a
 * narrow one, one of more than 32 bits, more bins than integers. */
static const description descs[] = {
    {.type = CLPRIM_U8, .bins = 10, .channels = 3, .second_channel.bins = 60, .third_channel.bins = 1},
    {.type = CLPRIM_I16,
     .mapping = CLPRIM_HISTOGRAM_EVEN,
     .bins = 16,
     .low = -32768,
     .high = 32768,
     .channels = 4,
     .second_channel = EVEN(20, 0, 10),
     .third_channel = EVEN(0, -100, 1000),
     .fourth_channel = EVEN(7, -40000, 1000)},
    {.type = CLPRIM_I64,
     .mapping = CLPRIM_HISTOGRAM_EVEN,
     .bins = 5,
     .low = -0x1p63,
     .high = 0x1p63,
     .channels = 3,
     .active_channels = 2,
     .second_channel = EVEN(50, -0x1p40, 0x1p40),
     .counter_type = CLPRIM_U64},
    {.type = CLPRIM_F32,
     .mapping = CLPRIM_HISTOGRAM_EVEN,
     .bins = 60,
     .low = -1,
     .high = 1,
     .channels = 2,
     .second_channel = EVEN(1, 0, 3e38),
     .cumulative = true},
    {.type = CLPRIM_F16,
     .mapping = CLPRIM_HISTOGRAM_BOUNDARIES,
     .bins = 5,
     .boundaries = first,
     .channels = 4,
     .second_channel = BETWEEN(2, second),
     .fourth_channel = BETWEEN(7, fourth),
     .accumulate = true},
    {.type = CLPRIM_I64,
     .mapping = CLPRIM_HISTOGRAM_BOUNDARIES,
     .bins = 3,
     .boundaries = longs,
     .channels = 2,
     .second_channel = BETWEEN(1, other_longs),
     .count_at_type = CLPRIM_U32},
    {.type = CLPRIM_U8, .bins = 40, .channels = 2, .second_channel.bins = 3, .strided = true},
};

static void check(test_call *self, const description *desc, size_t count, uint64_t seed)
{
    uint32_t counted = (uint32_t)(count - count / 3);
    const size_t length = count / 7 + 1;
    const size_t gap = desc->strided ? 5 : 0;
    const size_t extent = count * desc->channels + (count == 0 ? 0 : (count - 1) / length * gap);
    const clprim_histogram_call call = {.in = {.host = elements},
                                        .count_at = {.host = desc->count_at_type != 0 ? &counted : NULL},
                                        .count = count,
                                        .row_length = desc->strided ? length : 0,
                                        .row_stride = desc->strided ? length * desc->channels + gap : 0};
    test_fill(elements, desc->type, CLPRIM_SUM, seed % 3 == 0 ? TEST_FEW_DISTINCT : TEST_RANDOM, extent, seed);
    test_call_fill(self, &call, seed);
    test_call_check(self, "%zu elements", count);
    if (seed % 4 == 0)
        test_call_check_run(self, "%zu elements on the host", count);
}

TEST_BY_VARIANT(histogram_channels, as_the_reference_does, clprim_histogram_operation)
{
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        description desc = descs[d];
        desc.variant = (clprim_histogram_variant)variant;
        if (!test_is_full() && (d + (size_t)variant) % 3 != 0 && variant != CLPRIM_HISTOGRAM_CPU_CHUNK)
            continue;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, &desc, counts[i], TEST_SEED + 10 * d + i);
    }
}

/* Colours as red, green and blue, computed by an expression. */
TEST_WITH_RUNTIME(histogram_channels, of_an_expression)
{
    static const uint8_t in[] = {0, 10, 255, 7, 200, 3, 9, 99, 100};
    static const uint32_t wanted[3][4] = {{1, 2, 0, 0}, {1, 1, 0, 1}, {2, 0, 0, 0}};
    uint32_t got[3][4];
    uint64_t outside[3];
    const description desc = {.mapping = CLPRIM_HISTOGRAM_EVEN,
                              .input = "k[i]",
                              .text.parameters = {{"k", CLPRIM_U8, .is_array = true}},
                              .bins = 2,
                              .low = 0,
                              .high = 10,
                              .channels = 3,
                              .second_channel = EVEN(4, 0, 256),
                              .third_channel = EVEN(1, 0, 101)};
    const uint64_t expected_outside[] = {0, 0, 1};
    ASSERT_OK(clprim_histogram_run(runtime, &desc,
                                   &(clprim_histogram_call){.arguments = {{.host = (void *)(uintptr_t)in}},
                                                            .count = 3,
                                                            .out = {.host = got},
                                                            .outside_out = {.host = outside}}));
    test_expect_same(wanted, got, sizeof got[0], 3, "counters");
    test_expect_same(expected_outside, outside, sizeof *outside, 3, "outside");
}

Test(histogram_channels, by_heart)
{
    static const uint8_t in[] = {0, 200, 9, 50, 3, 199};
    static const uint32_t wanted[] = {2, 1, 0, 1, 0, 2};
    static const uint64_t wanted_outside[] = {0, 0};
    uint32_t got[6];
    uint64_t outside[2];
    ASSERT_OK(clprim_reference_histogram(got, outside,
                                         &(clprim_reference_histogram_how){.mapping = CLPRIM_HISTOGRAM_EVEN,
                                                                           .bins = 2,
                                                                           .low = 0,
                                                                           .high = 10,
                                                                           .channels = 2,
                                                                           .second_channel = EVEN(3, 0, 201)},
                                         in, NULL, 3));
    test_expect_same(wanted, got, sizeof *got, 6, "counters");
    test_expect_same(wanted_outside, outside, sizeof *outside, 2, "outside");
}

#define INVALID(culprit, ...) TEST_INVALID(histogram, culprit, false, .channels = 4, .active_channels = 2, __VA_ARGS__)

Test(histogram_channels, refusals)
{
    TEST_REFUSE_EACH(
        histogram, INVALID("third_channel", .third_channel.bins = 5),
        INVALID("second_channel", .mapping = CLPRIM_HISTOGRAM_CUSTOM, .bin_of = "x", .second_channel.bins = 5),
        INVALID("even", .second_channel.high = 5), INVALID("by boundaries", .second_channel.boundaries = first),
        INVALID("together", .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = 5, .boundaries = first,
                .second_channel.bins = 2),
        INVALID("boundaries is NULL", .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = 5,
                .second_channel = BETWEEN(2, second)),
        INVALID("low", .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 5, .low = 0, .high = 1,
                .second_channel = EVEN(2, 7, 7)),
        INVALID("integers", .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 5, .low = 0, .high = 1,
                .second_channel = EVEN(2, 0, 7.5)),
        INVALID("2^24", .second_channel.bins = ((size_t)1 << 24) + 1));
}
