/* test_histogram.host.c: the reference against what is known by heart, histograms of arrays on the host, and what both
 * refuse. */
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

/* Descriptions in short. */
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

/* The cells as counters of the row's; what is behind them is poison, as everything is if there are no cells. */
static size_t store_cells(unsigned char *out, const struct row *row, const int64_t *cells)
{
    const clprim_type type = row->desc.weights_type;
    const size_t active = row->desc.active_channels != 0 ? row->desc.active_channels : 1;
    const size_t size = type == CLPRIM_TYPE_DEFAULT ? sizeof(uint32_t) : clprim_type_size(type);
    memset(out, TEST_POISON, (MAX_CELLS + 1) * size);
    for (size_t i = 0; cells != NULL && i < active * row->desc.bins; i++) {
        const float real = (float)cells[i];
        memcpy(out + i * size, type == CLPRIM_F32 ? (const void *)&real : &cells[i], size);
    }
    return size;
}

/* By the reference, with and without those outside, and by a device. */
TEST_WITH_RUNTIME(histogram_host, known_by_heart)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        unsigned char expected[(MAX_CELLS + 1) * sizeof(uint64_t)];
        unsigned char found[(MAX_CELLS + 1) * sizeof(uint64_t)];
        const clprim_reference_histogram_how how = histogram_how(&row->desc);
        const size_t size = store_cells(expected, row, row->cells);
        (void)histogram_bin_of_text(row->desc.type);
        for (int with_outside = 0; with_outside < 2; with_outside++) {
            uint64_t outside[2] = {0, 0};
            (void)store_cells(found, row, NULL);
            ASSERT_OK(clprim_reference_histogram(found, with_outside ? outside : NULL, &how, row->in, row->weights,
                                                 row->count));
            test_expect_same(expected, found, size, MAX_CELLS + 1, row->name);
            if (with_outside)
                test_expect_same(row->outside, outside, sizeof *outside, 2, row->name);
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

/* What the reference refuses, too; and then what only a plan knows. */
static const clprim_histogram_desc senseless[] = {
    {.type = CLPRIM_TYPE_END},
    {.type = (clprim_type)-1},
    {.mapping = (clprim_histogram_mapping)4},
    {.mapping = (clprim_histogram_mapping)-1},
    {.type = CLPRIM_F16},
    {.type = CLPRIM_F32},
    {.type = CLPRIM_F64},
    {.bins = ((size_t)1 << 24) + 1},
    {.bins = SIZE_MAX},
    {EVEN(U8, 0, 0, 0)},
    {EVEN(U8, 0, 2, 1)},
    {EVEN(U8, 0, 0.5, 2)},
    {EVEN(U8, 0, 0, 2.5)},
    {EVEN(I64, 0, -0.25, 0x1p63)},
    {EVEN(F32, 0, 2, 1)},
    {EVEN(F32, 0, 1, 1)},
    {EVEN(F32, 0, (double)NAN, 1)},
    {EVEN(F64, 0, 0, (double)NAN)},
    {EVEN(F32, 0, 0, HUGE_VAL)},
    {EVEN(I32, 0, -HUGE_VAL, 0)},
    {EVEN(U64, 0, -1, 0x1p64)},
    {EVEN(U32, 0, 0, 0x1p64)},
    {EVEN(F32, 0, -1e300, 0)},
    {EVEN(F32, 0, 0, 1e-40)}, /* bins that floats cannot tell apart */
    {EVEN(F64, 0, -1e308, 1e308)},
    {BETWEEN(U8, 2, NULL)},
    {BETWEEN(U8, 2, descending)},
    {BETWEEN(U8, 2, with_nan)},
    {BETWEEN(F32, 2, first_nan)},
    {BETWEEN(I64, 2, descending_signed)},
    {BETWEEN(U64, 2, descending_unsigned)},
    {CUSTOM(U8, 0, NULL)},
    {.channels = 5},
    {.channels = 2, .active_channels = 3},
    {.active_channels = 2},
    {.channels = 2, .weights_type = CLPRIM_U32},
    {.weights_type = CLPRIM_U8},
    {.weights_type = CLPRIM_I16},
    {.weights_type = CLPRIM_F16},
    {.weights_type = CLPRIM_TYPE_END},
    {.weights_type = CLPRIM_U32, .counter_type = CLPRIM_U64},
    {.counter_type = CLPRIM_I32},
    {.counter_type = CLPRIM_F32},
    {.counter_type = CLPRIM_U8},
    {.counter_type = (clprim_type)-1},
    {.variant = (clprim_histogram_variant)HISTOGRAM_VARIANTS},
    {.max_count = (size_t)UINT32_MAX + 1, .counter_type = CLPRIM_U32},
};

enum { NUM_SENSELESS = sizeof senseless / sizeof *senseless, ONLY_A_PLAN_KNOWS = 2 };

TEST_WITH_RUNTIME(histogram_host, descriptions_that_make_no_sense)
{
    for (size_t i = 0; i < NUM_SENSELESS; i++) {
        uint32_t out[2] = {77, 77};
        uint64_t outside = 99;
        const clprim_reference_histogram_how how = histogram_how(&senseless[i]);
        const void *given = senseless[i].weights_type != CLPRIM_TYPE_DEFAULT ? weights : NULL;
        test_refuse(runtime, &clprim_histogram_operation, &senseless[i], CLPRIM_INVALID_ARGUMENT, "");
        if (i < NUM_SENSELESS - ONLY_A_PLAN_KNOWS)
            cr_assert_eq((int)clprim_reference_histogram(out, &outside, &how, wide, given, 1),
                         (int)CLPRIM_INVALID_ARGUMENT, "row %zu: the reference", i);
        cr_assert(out[0] == 77 && out[1] == 77 && outside == 99, "row %zu: a refusal must not write", i);
    }
}

/* Arrays that are missing, or too many: what is said of calls is tested for all operations (contract/). */
Test(histogram_host, arrays_that_the_reference_refuses)
{
    static const clprim_histogram_desc weighted = {.bins = 4, .weights_type = CLPRIM_U32};
    static const clprim_histogram_desc counted = {.bins = 4};
    static const uint32_t ones[] = {1, 1};
    uint32_t out[4] = {77, 77};
    const struct {
        const clprim_histogram_desc *desc;
        uint32_t *out;
        const void *in, *weights;
        size_t count;
    } calls[] = {
        {&counted, NULL, bytes, NULL, 2}, {&counted, NULL, NULL, NULL, 0},  {&counted, out, NULL, NULL, 2},
        {&counted, out, bytes, ones, 2},  {&weighted, out, bytes, NULL, 2}, {&weighted, out, NULL, ones, 2},
    };
    uint64_t outside = 99;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const clprim_reference_histogram_how how = histogram_how(calls[i].desc);
        ASSERT_STATUS(
            clprim_reference_histogram(calls[i].out, &outside, &how, calls[i].in, calls[i].weights, calls[i].count),
            CLPRIM_INVALID_ARGUMENT);
    }
    cr_assert(out[0] == 77 && out[1] == 77 && outside == 99, "a refusal must not write");
}

/* Texts of several lines, with declarations, and values that an int would make a bin of. */
TEST_WITH_RUNTIME(histogram_host, mappings_of_the_callers)
{
    static int32_t in[] = {-9, 0, 1, 2, 3, 0x10001, 7, 7};
    static const struct {
        clprim_histogram_desc desc;
        uint32_t expected[4];
        uint64_t outside;
    } texts[] = {
        {{CUSTOM(I32, 4, "\n  x > LIMIT // large\n  ? -1 /* none */ : third(x)"),
          .source = "#define LIMIT limits[1]\n__constant int limits[2] = {5, 6};\n"
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

/* The compiler's log names the text with the mistake, and its line. */
TEST_WITH_RUNTIME(histogram_host, mistakes_are_located)
{
#define WRONG(place, text, before) TEST_MISTAKE(histogram, place, CUSTOM(I32, 4, text), .source = (before))
    const test_refusal mistakes[] = {
        WRONG("bin_of:1", "x + missing", NULL),
        WRONG("bin_of:3", "\nx +\n missing", NULL),
        WRONG("bin_of", "x + 1;", NULL),
        WRONG("source:2", "fine(x)", "typedef int fine;\ntypedef missing broken;"),
    };
    test_refuse_texts(runtime, &clprim_histogram_operation, mistakes, sizeof mistakes / sizeof *mistakes);
}
