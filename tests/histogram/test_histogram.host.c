// SPDX-License-Identifier: MIT
/* test_histogram.host.c: the reference against results known in advance, histograms of arrays on the host, and
 * descriptions that both refuse. */
#include <float.h>
#include <math.h>

#include "test_histogram.h"

enum { MAX_CELLS = 16 };

static const unsigned char bytes[] = {0, 3, 255, 3, 4, 1};
static const int8_t small[] = {-128, -1, 0, 1, 127, 64, 63};
static const int32_t integers[] = {-7, -6, -4, -3, 0, 3, 4, INT32_MIN, INT32_MAX};
static const int64_t wide[] = {INT64_MIN, -1, 0, INT64_MAX, 1, INT64_MAX - 1};
static const uint64_t huge[] = {0, UINT64_MAX, UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1, 7, 8};
static const float floats[] = {-0.0f, 0.25f, 0.2499f, 1.0f, 0.999f, -1e-40f, 1e-40f, (float)NAN, INFINITY, -INFINITY};
static const float weights[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const uint16_t halves[] = {0x8000, 0x3400, 0x3c00, 0x0001, 0x8001, 0x7e00, 0x7c00, 0xfc00, 0x3bff}; /* 1: 3c00 */
static const double doubles[] = {0.1, -0.1, 0.3, 0.7, 0.8999999, 0.9, (double)NAN, 1e308};
static const double tenths[] = {0.1, 0.3, 0.3, 0.9};
static const double open_ended[] = {-HUGE_VAL, -1e-40, 0.25, 1.0, HUGE_VAL};
static const double halves_between[] = {-6.5, -3.5, 0.0, 3.0};
static const int64_t signed_bounds[] = {INT64_MIN, 0, 1, INT64_MAX};
static const uint64_t unsigned_bounds[] = {7, 8, UINT64_C(1) << 63, UINT64_MAX};
static const int64_t wrapping[] = {-1, 1, 5, 3, INT64_MIN, INT64_MIN + 9};

static const float far_floats[] = {-3.4e38F, -1e38F, 0, 1e38F, 3.4e38F, FLT_MAX};
static const double far_doubles[] = {-1.7e308, -5e307, 0, 5e307, 1.7e308, DBL_MAX};
static const float least_floats[] = {0, 0x1p-149F, 0x3p-149F, 0x7p-149F, 0x1p-146F, -0x1p-149F};
static const double least_doubles[] = {0, 0x1p-1074, 0x3p-1074, 0x7p-1074, 0x1p-1071, -0x1p-1074};
static const float neighbours[] = {1 - 0x1p-24F, 1, 1 + 0x1p-23F, 1 + 0x1p-22F};

/* Abbreviations of descriptions. */
#define EVEN(t, number, from, to)                                                                                      \
    .type = CLPRIM_##t, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = (number), .low = (from), .high = (to)
#define BETWEEN(t, number, at)                                                                                         \
    .type = CLPRIM_##t, .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = (number), .boundaries = (at)
#define CUSTOM(t, number, text)                                                                                        \
    .type = CLPRIM_##t, .mapping = CLPRIM_HISTOGRAM_CUSTOM, .bins = (number), .bin_of = (text)

static const struct row {
    const char *name;
    clprim_histogram_desc desc;
    const void *in;
    const void *weights;
    size_t count;
    int64_t cells[MAX_CELLS];
    uint64_t outside[2];
} rows[] = {
    {"identity", {.bins = 4}, bytes, NULL, 6, {1, 1, 0, 2}, {2}},
    {"identity, signed", {.type = CLPRIM_I8, .bins = 2}, small, NULL, 7, {1, 1}, {5}},
    {"channels", {.bins = 4, .channels = 3, .active_channels = 2}, bytes, NULL, 2, {1, 0, 0, 1, 0, 0, 0, 1}, {0, 1}},
    {"even, negative", {EVEN(I32, 3, -6, 4)}, integers, NULL, 9, {3, 1, 1}, {4}},
    {"even, all there is", {EVEN(I64, 2, -0x1p63, 0x1p63)}, wide, NULL, 6, {2, 4}, {0}},
    {"even, unsigned", {EVEN(U64, 2, 1, 0x1p64)}, huge, NULL, 6, {4, 1}, {1}},
    {"even, floats", {EVEN(F32, 4, 0, 1)}, floats, NULL, 10, {3, 1, 0, 1}, {5}},
    {"even, halves", {EVEN(F16, 4, 0, 1)}, halves, NULL, 9, {2, 1, 0, 1}, {5}},
    {"even, as wide as floats go",
     {EVEN(F32, 4, -(double)FLT_MAX, (double)FLT_MAX)},
     far_floats,
     NULL,
     6,
     {1, 1, 2, 1},
     {1}},
    {"even, one bin of all floats", {EVEN(F32, 1, -(double)FLT_MAX, (double)FLT_MAX)}, far_floats, NULL, 6, {5}, {1}},
    {"even, as wide as doubles go", {EVEN(F64, 4, -DBL_MAX, DBL_MAX)}, far_doubles, NULL, 6, {1, 1, 2, 1}, {1}},
    {"even, one bin of all doubles", {EVEN(F64, 1, -DBL_MAX, DBL_MAX)}, far_doubles, NULL, 6, {5}, {1}},
    {"even, half of the floats", {EVEN(F32, 2, 0, (double)FLT_MAX)}, far_floats, NULL, 6, {2, 1}, {3}},
    {"even, denormal floats", {EVEN(F32, 4, 0, 0x1p-146)}, least_floats, NULL, 6, {2, 1, 0, 1}, {2}},
    {"even, two denormal floats", {EVEN(F32, 2, 0x1p-149, 0x3p-149)}, least_floats, NULL, 6, {1, 0}, {5}},
    {"even, denormal doubles", {EVEN(F64, 4, 0, 0x1p-1071)}, least_doubles, NULL, 6, {2, 1, 0, 1}, {2}},
    {"even, more bins than denormals",
     {EVEN(F64, 8, 0, 0x1p-1072)},
     least_doubles,
     NULL,
     6,
     {1, 0, 1, 0, 0, 0, 1},
     {3}},
    {"even, two neighbours", {EVEN(F32, 2, 1, 1 + 0x1p-22)}, neighbours, NULL, 4, {1, 1}, {2}},
    {"between floats", {BETWEEN(F32, 4, open_ended)}, floats, NULL, 10, {1, 4, 2, 1}, {2}},
    {"between doubles", {BETWEEN(F64, 3, tenths)}, doubles, NULL, 8, {1, 0, 3}, {4}},
    {"between integers", {BETWEEN(I32, 3, halves_between)}, integers, NULL, 9, {2, 1, 1}, {5}},
    {"between i64", {BETWEEN(I64, 3, signed_bounds)}, wide, NULL, 6, {2, 1, 2}, {1}},
    {"between u64", {BETWEEN(U64, 3, unsigned_bounds)}, huge, NULL, 6, {1, 2, 1}, {2}},
    {"custom", {CUSTOM(U8, 2, "(x & 127) - 3")}, bytes, NULL, 6, {2, 1}, {3}},
    {"weights that wrap",
     {BETWEEN(I64, 3, signed_bounds), .weights_type = CLPRIM_I64},
     wide,
     wrapping,
     6,
     {0, 5, 9},
     {1}},
    {"weights that are floats",
     {EVEN(F32, 4, 0, 1), .weights_type = CLPRIM_F32},
     floats,
     weights,
     10,
     {69, 2, 0, 16},
     {5}},
};

/* With the reference, and on a device. */
TEST_WITH_RUNTIME(histogram_host, known_by_heart)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        const clprim_type type = row->desc.weights_type != CLPRIM_TYPE_DEFAULT ? row->desc.weights_type : CLPRIM_U32;
        unsigned char expected[MAX_CELLS * sizeof(uint64_t)];
        if (strstr(row->name, "denormal floats") != NULL && !clprim_runtime_info(runtime)->has_denormals_f32)
            continue;
        for (size_t i = 0; i < MAX_CELLS; i++) {
            const float real = (float)row->cells[i];
            memcpy(expected + i * clprim_type_size(type), type == CLPRIM_F32 ? (const void *)&real : &row->cells[i],
                   clprim_type_size(type));
        }
        test_check_known(runtime, &clprim_histogram_operation, &row->desc,
                         &(clprim_histogram_call){.in = {.host = (void *)row->in},
                                                  .weights = {.host = (void *)row->weights},
                                                  .count = row->count,
                                                  .out = {.host = expected},
                                                  .outside_out = {.host = (void *)row->outside}});
    }
}

static const double descending[] = {0, 2, 1};
static const double with_nan[] = {0, (double)NAN, 1};
static const double first_nan[] = {(double)NAN, 0, 1};
static const int64_t descending_signed[] = {1, -1, 2};
static const uint64_t descending_unsigned[] = {1, UINT64_MAX, 2};

Test(histogram_host, descriptions_that_make_no_sense)
{
#define WRONG(named, ...)             TEST_INVALID(histogram, named, true, __VA_ARGS__)
#define ONLY_A_PLAN_KNOWS(named, ...) TEST_INVALID(histogram, named, false, __VA_ARGS__)
    TEST_REFUSE_EACH(
        histogram, WRONG("type", .type = CLPRIM_TYPE_END), WRONG("type", .type = (clprim_type)-1),
        WRONG("unknown mapping", .mapping = (clprim_histogram_mapping)4),
        WRONG("unknown mapping", .mapping = (clprim_histogram_mapping)-1), WRONG("identity", .type = CLPRIM_F16),
        WRONG("identity", .type = CLPRIM_F32), WRONG("identity", .type = CLPRIM_F64),
        WRONG("bins", .bins = ((size_t)1 << 24) + 1), WRONG("bins", .bins = SIZE_MAX), WRONG("low", EVEN(U8, 0, 0, 0)),
        WRONG("low", EVEN(U8, 0, 2, 1)), WRONG("low", EVEN(U8, 0, 0.5, 2)), WRONG("low", EVEN(U8, 0, 0, 2.5)),
        WRONG("low", EVEN(I64, 0, -0.25, 0x1p63)), WRONG("low", EVEN(F32, 0, 2, 1)), WRONG("low", EVEN(F32, 0, 1, 1)),
        WRONG("low", EVEN(F32, 0, (double)NAN, 1)), WRONG("low", EVEN(F64, 0, 0, (double)NAN)),
        WRONG("low", EVEN(F32, 0, 0, HUGE_VAL)), WRONG("low", EVEN(I32, 0, -HUGE_VAL, 0)),
        WRONG("low", EVEN(U64, 0, -1, 0x1p64)), WRONG("low", EVEN(U32, 0, 0, 0x1p64)),
        WRONG("", EVEN(F32, 0, -1e300, 0)),
        WRONG("bins", EVEN(F32, 0, 0, 1e-300)), /* bins that floats cannot tell apart */
        WRONG("boundaries", BETWEEN(U8, 2, NULL)), WRONG("boundaries", BETWEEN(U8, 2, descending)),
        WRONG("boundaries", BETWEEN(U8, 2, with_nan)), WRONG("boundaries", BETWEEN(F32, 2, first_nan)),
        WRONG("boundaries", BETWEEN(I64, 2, descending_signed)),
        WRONG("boundaries", BETWEEN(U64, 2, descending_unsigned)), WRONG("bin_of", CUSTOM(U8, 0, NULL)),
        WRONG("channels", .channels = 5), WRONG("channels", .channels = 2, .active_channels = 3),
        WRONG("channels", .active_channels = 2), WRONG("channel", .channels = 2, .weights_type = CLPRIM_U32),
        WRONG("weights", .weights_type = CLPRIM_U8), WRONG("weights", .weights_type = CLPRIM_I16),
        WRONG("weights", .weights_type = CLPRIM_F16), WRONG("weights", .weights_type = CLPRIM_TYPE_END),
        WRONG("weights", .weights_type = CLPRIM_U32, .counter_type = CLPRIM_U64),
        WRONG("counter_type", .counter_type = CLPRIM_I32), WRONG("counter_type", .counter_type = CLPRIM_F32),
        WRONG("counter_type", .counter_type = CLPRIM_U8), WRONG("counter_type", .counter_type = (clprim_type)-1),
        ONLY_A_PLAN_KNOWS("variant", .variant = (clprim_histogram_variant)1000),
        ONLY_A_PLAN_KNOWS("max_count", .max_count = (size_t)UINT32_MAX + 1, .counter_type = CLPRIM_U32));
}

/* Arrays that are missing, or given but not wanted (the calls' errors are tested for all operations, in contract/). And
 * counters. */
Test(histogram_host, arrays_and_counters_of_the_reference)
{
    static const clprim_histogram_desc weighted = {.bins = 4, .weights_type = CLPRIM_U32}, counted = {.bins = 4};
    static uint32_t ones[] = {1, 1};
    uint32_t out[4] = {77, 77};
    const struct {
        const clprim_histogram_desc *desc;
        void *out, *in, *weights;
        size_t count;
    } calls[] = {
        {&counted, NULL, ones, NULL, 2}, {&counted, NULL, NULL, NULL, 0}, {&counted, out, NULL, NULL, 2},
        {&counted, out, ones, ones, 2},  {&weighted, out, ones, NULL, 2}, {&weighted, out, NULL, ones, 2},
    };
    uint64_t outside = 99;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        ASSERT_REFUSED(test_reference(&clprim_histogram_operation, calls[i].desc,
                                      &(clprim_histogram_call){.in = {.host = calls[i].in},
                                                               .weights = {.host = calls[i].weights},
                                                               .count = calls[i].count,
                                                               .out = {.host = calls[i].out},
                                                               .outside_out = {.host = &outside}}),
                       CLPRIM_INVALID_ARGUMENT, "NULL");
    cr_assert(out[0] == 77 && out[1] == 77 && outside == 99, "a refusal must not write");
    /* zeroed counters are U32, or have the weights' type */
    ASSERT_OK(clprim_reference_histogram(out, &outside, &(clprim_reference_histogram_how){.bins = 4}, bytes, NULL, 6));
    test_expect_same(((const uint32_t[]){1, 1, 0, 2}), out, sizeof *out, 4, "zeroed");
    ASSERT_OK(clprim_reference_histogram(
        out, NULL, &(clprim_reference_histogram_how){.bins = 4, .weights_type = CLPRIM_U32}, bytes, ones, 2));
    test_expect_same(((const uint32_t[]){1, 0, 0, 1}), out, sizeof *out, 4, "zeroed, weighted");
}

/* Texts of several lines, with declarations, and values that would be taken for a bin if they were converted to int. */
TEST_WITH_RUNTIME(histogram_host, mappings_of_the_callers)
{
    static int32_t in[] = {-9, 0, 1, 2, 3, 0x10001, 7, 7};
    static const struct {
        clprim_histogram_desc desc;
        uint32_t expected[4];
        uint64_t outside;
    } texts[] = {
        {{CUSTOM(I32, 4, "\n  x > LIMIT // large\n  ? -1 /* none */ : third(x)"),
          .text.source = "#define LIMIT limits[1]\n__constant int limits[2] = {5, 6};\n"
                         "static inline int third(int a)\n{\n    return a / 3;\n}"},
         {3, 1, 0, 0},
         4},
        {{CUSTOM(I32, 4, "((long)x << 32) + 2")}, {0, 0, 1, 0}, 7},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        test_check_known(runtime, &clprim_histogram_operation, &texts[i].desc,
                         &(clprim_histogram_call){.in = {.host = in},
                                                  .count = 8,
                                                  .out = {.host = (void *)texts[i].expected},
                                                  .outside_out = {.host = (void *)&texts[i].outside}});
}

/* The compiler's log names the text that contains the mistake, and the line. */
TEST_WITH_RUNTIME(histogram_host, mistakes_are_located)
{
#define MISTAKE(place, bin, before) TEST_MISTAKE(histogram, place, CUSTOM(I32, 4, bin), .text.source = (before))
    const test_refusal mistakes[] = {
        MISTAKE("bin_of:1", "x + missing", NULL),
        MISTAKE("bin_of:3", "\nx +\n missing", NULL),
        MISTAKE("bin_of", "x + 1;", NULL),
        MISTAKE("source:2", "fine(x)", "typedef int fine;\ntypedef missing broken;"),
    };
    test_refuse_texts(runtime, &clprim_histogram_operation, mistakes, sizeof mistakes / sizeof *mistakes);
}
