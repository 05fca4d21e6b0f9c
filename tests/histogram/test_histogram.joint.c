// SPDX-License-Identifier: MIT
/* test_histogram.joint.c: histograms of two and three dimensions, with every variant, compared with one that is counted
 * here element by element: even bins, boundaries, bins by value and by a text; integers, floats with NaNs, and halves;
 * weights, elements outside, counts on the device, a text for the output; and calls that are refused. */
#include "ordered.h"

#include <math.h>

enum { MAX_COUNT = 10007, ROOM = 4096 };

typedef clprim_histogram_desc description;
typedef clprim_histogram_call call_of;

static const size_t counts[] = {0, 1, 2, 63, 64, 65, 255, 256, 257, 1023, 1025, 4097, MAX_COUNT};

static uint8_t bytes[MAX_COUNT];
static float floats[MAX_COUNT];
static int64_t longs[MAX_COUNT];
static int32_t weights[MAX_COUNT];
static uint32_t counters[ROOM];
static int32_t sums[ROOM];
static uint64_t outside;
static const double uneven[] = {-2, -0.5, -0.5, 0, 0.25, 3};
static const int64_t wide[] = {INT64_MIN, -5, 0, INT64_MAX};

static void fill(size_t count, uint64_t seed)
{
    static const float specials[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0F, 0.25F, -0.5F, 3, -2, 0x1p-149F};
    static const int64_t extremes[] = {INT64_MIN, INT64_MAX, 0, -1, -5, -6, INT64_MAX - 1};
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = test_random(&seed);
        bytes[i] = (uint8_t)(count % 3 == 0 ? 200 : r);
        floats[i] = r % 7 == 0 ? specials[r / 7 % 10] : (float)(int64_t)test_random(&seed) * 0x1p-61F;
        longs[i] = r % 5 == 0 ? extremes[r / 5 % 7] : (int64_t)test_random(&seed) >> (r % 60);
        weights[i] = (int32_t)r;
    }
}

/* By the definition: the last b with boundaries[b] <= x < boundaries[b + 1]; -1 if there is none. */
static int between(double x)
{
    int bin = -1;
    for (int b = 0; b < 5; b++)
        bin = uneven[b] <= x && x < uneven[b + 1] ? b : bin;
    return bin;
}

static int between_longs(int64_t x)
{
    int bin = -1;
    for (int b = 0; b < 3; b++)
        bin = wide[b] <= x && x < wide[b + 1] ? b : bin;
    return bin;
}

/* 16 bins from 0 to 256: exact. */
static int sixteenth(uint8_t x)
{
    return x / 16;
}

static size_t limit_of(const call_of *call)
{
    return call->count_at.host != NULL && *(const uint32_t *)call->count_at.host < call->count
               ? *(const uint32_t *)call->count_at.host
               : call->count;
}

typedef int (*bin_fn)(size_t i);

static int by_byte(size_t i)
{
    return sixteenth(bytes[i]);
}
static int by_float(size_t i)
{
    return between((double)floats[i]);
}
static int by_long(size_t i)
{
    return between_longs(longs[i]);
}
static int by_value(size_t i)
{
    return bytes[i] < 100 ? bytes[i] : -1;
}
static int by_text(size_t i)
{
    return bytes[i] % 8 == 7 ? -1 : bytes[i] % 8;
}

/* A table of tests: the description, and the bin in each dimension. */
typedef struct row {
    const char *name;
    description desc;
    bin_fn bins[3];
    size_t sizes[3];
} row;

#define ARRAY(name, type)                                                                                              \
    {                                                                                                                  \
        name, type, .is_array = true                                                                                   \
    }
#define BYTES      ARRAY("x", CLPRIM_U8)
#define FLOATS     ARRAY("y", CLPRIM_F32)
#define LONGS      ARRAY("z", CLPRIM_I64)
#define EVEN_BYTES .input = "x[i]", .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 16, .high = 256

static const row rows[] = {
    {"even bytes, uneven floats",
     {EVEN_BYTES, .second = {.input = "y[i]", .type = CLPRIM_F32, .bins = 5, .boundaries = uneven},
      .text.parameters = {BYTES, FLOATS, LONGS}},
     {by_byte, by_float},
     {16, 5, 1}},
    {"uneven floats, even bytes",
     {.type = CLPRIM_F32,
      .input = "y[i]",
      .mapping = CLPRIM_HISTOGRAM_BOUNDARIES,
      .bins = 5,
      .boundaries = uneven,
      .second = {.input = "x[i]", .bins = 16, .high = 256},
      .text.parameters = {BYTES, FLOATS, LONGS}},
     {by_float, by_byte},
     {5, 16, 1}},
    {"three dimensions",
     {EVEN_BYTES, .second = {.input = "z[i]", .type = CLPRIM_I64, .bins = 3, .boundaries = wide},
      .third = {.input = "y[i]", .type = CLPRIM_F32, .bins = 5, .boundaries = uneven},
      .text.parameters = {BYTES, FLOATS, LONGS}},
     {by_byte, by_long, by_float},
     {16, 3, 5}},
    {"a text, by value",
     {.mapping = CLPRIM_HISTOGRAM_CUSTOM,
      .bin_of = "x % 8 == 7 ? -1 : x % 8",
      .bins = 8,
      .input = "x[i]",
      .second = {.input = "x[i]", .bins = 100},
      .text.parameters = {BYTES, FLOATS, LONGS}},
     {by_text, by_value},
     {8, 100, 1}},
    {"halves",
     {EVEN_BYTES, .second = {.input = "(float)x[i]", .type = CLPRIM_F16, .bins = 16, .high = 256},
      .text.parameters = {BYTES, FLOATS, LONGS}},
     {by_byte, by_byte},
     {16, 16, 1}},
};

/* Compute what the call must write. */
static void expect(const row *r, const call_of *call)
{
    const size_t bins = r->sizes[0] * r->sizes[1] * r->sizes[2];
    memset(counters, 0, bins * sizeof *counters);
    memset(sums, 0, bins * sizeof *sums);
    outside = 0;
    for (size_t i = 0; i < limit_of(call); i++) {
        size_t joint = 0;
        bool is_inside = true;
        for (size_t k = 0; k < 3 && r->bins[k] != NULL; k++) {
            const int bin = r->bins[k](i);
            is_inside = is_inside && bin >= 0;
            joint = joint * r->sizes[k] + (size_t)bin;
        }
        outside += !is_inside;
        if (is_inside) {
            counters[joint]++;
            sums[joint] = (int32_t)((uint32_t)sums[joint] + (uint32_t)weights[i]);
        }
    }
}

static void check(clprim_runtime *runtime, const row *r, const description *desc, uint64_t seed)
{
    const bool is_weighted = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            uint32_t at = (uint32_t)(i % 2 == 0 ? counts[i] / 2 : counts[i] + 9);
            call_of call = {.arguments = {{.host = bytes}, {.host = floats}, {.host = longs}},
                            .weights = {.host = is_weighted ? weights : NULL},
                            .count_at = {.host = desc->count_at_type != CLPRIM_TYPE_DEFAULT ? &at : NULL},
                            .count = counts[i],
                            .out = {.host = is_weighted ? (void *)sums : counters},
                            .outside_out = {.host = &outside}};
            fill(counts[i], seed + i);
            expect(r, &call);
            test_call_fill(&self, &call, seed + i);
            test_call_check(&self, "%s, %zu elements", r->name, counts[i]);
            if (i % 4 == 2)
                test_call_check_run(&self, "%s, %zu elements on the host", r->name, counts[i]);
        }
}

TEST_BY_VARIANT(histogram_joint, as_counted_here, clprim_histogram_operation)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        description desc = rows[i].desc;
        desc.variant = (clprim_histogram_variant)variant;
        desc.count_at_type = i % 2 == 1 ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT;
        check(runtime, &rows[i], &desc, TEST_SEED + 100 * i);
        if (i != 2 || (variant != CLPRIM_HISTOGRAM_AUTO && variant != CLPRIM_HISTOGRAM_GLOBAL_ATOMIC &&
                       variant != CLPRIM_HISTOGRAM_CPU_CHUNK))
            continue;
        desc.weights_type = CLPRIM_I32;
        check(runtime, &rows[i], &desc, TEST_SEED + 1);
    }
}

/* Outputs that are computed from counters; parts of arrays that do not fit in the device's memory. */
TEST_WITH_RUNTIME(histogram_joint, may_be_converted_and_cut)
{
    static float wanted[ROOM], got[ROOM];
    static uint32_t in_parts[ROOM];
    const row *r = &rows[2];
    const size_t bins = r->sizes[0] * r->sizes[1] * r->sizes[2];
    description desc = r->desc;
    call_of call = {.arguments = {{.host = bytes}, {.host = floats}, {.host = longs}},
                    .count = MAX_COUNT,
                    .out = {.host = in_parts}};
    const clprim_run_limits limits = {.device_memory = 60000};
    fill(MAX_COUNT, TEST_SEED);
    expect(r, &call);
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &limits));
    ASSERT_OK(clprim_histogram_run(runtime, &desc, &call));
    test_expect_same(counters, in_parts, sizeof *in_parts, bins, "in pieces");
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 0}));
    desc.output = "r * 0.5f";
    desc.output_type = CLPRIM_F32;
    call.out.host = got;
    for (size_t b = 0; b < bins; b++)
        wanted[b] = (float)counters[b] * 0.5F;
    ASSERT_OK(clprim_histogram_run(runtime, &desc, &call));
    test_expect_same(wanted, got, sizeof *got, bins, "halved");
}

#define INVALID(culprit, ...) TEST_INVALID(histogram, culprit, false, __VA_ARGS__)

Test(histogram_joint, refusals)
{
    TEST_REFUSE_EACH(
        histogram, INVALID("second.bins", EVEN_BYTES, .second = {.input = "i"}, .text.parameters = {BYTES}),
        INVALID("third.bins", .input = "i", .second = {.input = "i", .bins = 2}, .third = {.input = "i"}),
        INVALID("second.bins", .third = {.input = "i", .bins = 2}),
        INVALID("second.bins", .third = {.bins = 2}, .second = {.type = CLPRIM_U8}),
        INVALID("input", .second = {.input = "i", .bins = 2}),
        INVALID("second.input", .input = "i", .second = {.bins = 2}),
        INVALID("channel", .channels = 2, .input = "i", .second = {.input = "i", .bins = 2}),
        INVALID("2^24", .bins = 1 << 20, .input = "i", .second = {.input = "i", .bins = 17}),
        INVALID("2^24", .bins = 1 << 20, .input = "i", .second = {.input = "i", .bins = SIZE_MAX}),
        INVALID("low", .input = "i", .second = {.input = "i", .bins = 2, .low = 1}),
        INVALID("identity", .input = "i", .second = {.input = "i", .type = CLPRIM_F32, .bins = 2}),
        INVALID("type", .input = "i", .second = {.input = "i", .type = CLPRIM_BF16, .bins = 2}),
        INVALID("boundaries[1]", .input = "i", .second = {.input = "i", .bins = 1, .boundaries = (double[]){1, 0}}),
        TEST_MISTAKE(histogram, "second_input:1", .input = "i", .second = {.input = "nothing", .bins = 2}));
}
