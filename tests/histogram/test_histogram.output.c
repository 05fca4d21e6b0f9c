// SPDX-License-Identifier: MIT
/* test_histogram.output.c: outputs that an expression computes from the counters. Every variant writes what results
 * from the reference's counters, for several channels and for sums of weights, too. */
#include "test_histogram.h"
#include "folds.h"

enum { MAX_COUNT = 20001, CHANNELS = 3, MAX_BINS = 2000 };

static const size_t counts[] = {0, 1, 255, 257, 1025, 4097, MAX_COUNT};

static uint64_t elements[CHANNELS * MAX_COUNT], weights[MAX_COUNT], counters[MAX_BINS];

#define COUNTER(type) ((const type *)(const void *)counters)[i]

/* Output i is computed from counters[i] and 3. */
#define MADE(name, type, value)                                                                                        \
    static void name(void *to, size_t i)                                                                               \
    {                                                                                                                  \
        ((type *)to)[i] = (type)(value);                                                                               \
    }
MADE(quarter, float, (float)COUNTER(uint32_t) * 0.25F)
MADE(with_place, uint64_t, COUNTER(uint32_t) * 3 + i)
MADE(is_greater, uint8_t, COUNTER(int64_t) > 3)
MADE(negated, int32_t, -COUNTER(int32_t))
MADE(nan_or_one, uint32_t, COUNTER(uint32_t) & 1 ? 0x7fc00000 : 0x3f800000)

static void pair_of(void *to, size_t i)
{
    const uint64_t pair[2] = {COUNTER(uint64_t), i};
    memcpy((uint64_t *)to + 2 * i, pair, sizeof pair);
}

#define THREE .text.parameters = {{.name = "three"}}

static const struct output_row {
    clprim_histogram_desc desc;
    void (*made)(void *to, size_t i);
} rows[] = {
    {{.bins = 40, .output = "r * 0.25f", .output_type = CLPRIM_F32, THREE}, quarter},
    {{.bins = 60,
      .channels = CHANNELS,
      .active_channels = 2,
      .output = "r * three + i",
      .output_type = CLPRIM_U64,
      THREE},
     with_place},
    {{.bins = 50, .output = "as_float(r & 1 ? 0x7fc00000 : 0x3f800000)", .output_type = CLPRIM_F32, THREE}, nan_or_one},
    {{.type = CLPRIM_U16,
      .bins = 1000,
      .weights_type = CLPRIM_I64,
      .output = "r > three",
      .output_type = CLPRIM_U8,
      THREE},
     is_greater},
    {{.bins = 200, .weights_type = CLPRIM_I32, .output = "-r", THREE}, negated},
    {{.type = CLPRIM_F32,
      .mapping = CLPRIM_HISTOGRAM_EVEN,
      .bins = MAX_BINS,
      .low = -3,
      .high = 3,
      .counter_type = CLPRIM_U64,
      .text.source = "typedef struct { ulong count, bin; } pair;",
      THREE,
      .output = "(pair){r, i}",
      .output_type_name = "pair",
      .output_type_size = 2 * sizeof(uint64_t)},
     pair_of},
};

static const struct output_row *row;

static clprim_status of_counters(const void *desc, const void *call)
{
    clprim_histogram_desc plain = *(const clprim_histogram_desc *)desc;
    clprim_histogram_call given = *(const clprim_histogram_call *)call;
    const size_t channels = plain.active_channels != 0 ? plain.active_channels : 1;
    plain.output = plain.output_type_name = NULL;
    plain.output_type = CLPRIM_TYPE_DEFAULT;
    plain.output_type_size = 0;
    given.out.host = counters;
    const clprim_status status = test_reference(&clprim_histogram_operation, &plain, &given);
    for (size_t i = 0; status == CLPRIM_SUCCESS && i < channels * plain.bins; i++)
        row->made(((const clprim_histogram_call *)call)->out.host, i);
    return status;
}

static void check(test_call *self, size_t count, size_t number)
{
    static int32_t three = 3;
    const clprim_histogram_desc *desc = &row->desc;
    const size_t channels = desc->channels != 0 ? desc->channels : 1;
    uint64_t counted = (uint64_t[]){count - count / 3, 0, count + 7}[number % 3];
    test_fill(elements, desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U8 : desc->type, CLPRIM_MAX,
              number % 2 == 0 ? TEST_RANDOM : TEST_FEW_DISTINCT, count * channels, TEST_SEED + number);
    test_fill(weights, CLPRIM_I64, CLPRIM_SUM, TEST_RANDOM, count, TEST_SEED + number);
    self->reference = of_counters;
    test_call_fill(self,
                   &(clprim_histogram_call){.in = {.host = elements},
                                            .weights = {.host = weights},
                                            .arguments = {{.host = &three}},
                                            .count_at = {.host = &counted},
                                            .count = count},
                   TEST_SEED + number);
    test_call_check(self, "output %s", desc->output);
}

/* Each row is tested with some of the variants, half of them with counts on the device. */
TEST_BY_VARIANT(histogram_output, is_made_of_counters, clprim_histogram_operation)
{
    size_t ran = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        clprim_histogram_desc desc = rows[r].desc;
        const bool takes_weights = variant == CLPRIM_HISTOGRAM_GLOBAL_ATOMIC ||
                                   variant == CLPRIM_HISTOGRAM_LOCAL_ATOMIC || variant == CLPRIM_HISTOGRAM_CPU_CHUNK;
        if (!test_is_full() && (desc.weights_type != CLPRIM_TYPE_DEFAULT ? !takes_weights : (r + variant) % 3 != 0))
            continue;
        row = &rows[r];
        desc.variant = (clprim_histogram_variant)variant;
        desc.count_at_type = r % 2 == 1 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, &desc)) {
            ran++;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, counts[i], i);
        }
    }
    cr_assert(ran > 0 || test_is_sample() || variant == CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED ||
              variant == CLPRIM_HISTOGRAM_NATIVE);
}

/* The expression is evaluated once for each bin, in each kernel that writes. */
TEST_EACH_WITH_RUNTIME(histogram_output, is_computed_for_each_bin, 2)
{
    enum { COUNT = 3003, BINS = 48 };
    static uint8_t in[COUNT];
    uint32_t times[BINS];
    uint32_t out[BINS];
    uint64_t outside = 0;
    for (size_t i = 0; i < COUNT; i++)
        in[i] = (uint8_t)(i % 50);
    for (size_t i = 0; i < BINS; i++)
        times[i] = 1;
    const clprim_histogram_desc desc = {
        .bins = BINS, .variant = number == 0 ? CLPRIM_HISTOGRAM_CPU_CHUNK : CLPRIM_HISTOGRAM_REPLICATED};
    const clprim_histogram_call call = {
        .in = {.host = in}, .count = COUNT, .out = {.host = out}, .outside_out = {.host = &outside}};
    if (test_output_is_computed(runtime, &clprim_histogram_operation, &desc, &call, "r + 0 * mark(marks, i, count)",
                                times, BINS)) {
        cr_assert_eq(outside, 2 * (COUNT / 50));
        for (size_t i = 0; i < BINS; i++)
            cr_assert_eq(out[i], COUNT / 50 + (i < COUNT % 50), "bin %zu: %u", i, (unsigned)out[i]);
    }
}

/* Several rounds of launches would add up their counters in the output array, which holds computed values instead. So
 * such calls are limited to one round. */
TEST_WITH_RUNTIME(histogram_output, is_of_calls_of_one_round)
{
    static const struct {
        clprim_histogram_variant variant;
        size_t most;
    } limits[] = {{CLPRIM_HISTOGRAM_CPU_CHUNK, (size_t)3 << 29}, {CLPRIM_HISTOGRAM_SORT_BASED, (size_t)3 << 27}};
    cl_mem out = test_buffer(runtime, 256);
    for (size_t i = 0; i < 4; i++) {
        clprim_plan *plan = NULL;
        const clprim_histogram_desc desc = {.input = "i",
                                            .bins = 32,
                                            .channels = i < 2 ? 1 : 2,
                                            .variant = limits[i % 2].variant,
                                            .output = "r",
                                            .output_type = CLPRIM_F32};
        ASSERT_OK(clprim_histogram_create(&plan, runtime, &desc));
        ASSERT_REFUSED(clprim_histogram_enqueue(
                           plan, NULL,
                           &(clprim_histogram_call){.count = limits[i % 2].most / desc.channels + 1, .out = {out}}, 0,
                           NULL, NULL),
                       CLPRIM_INVALID_RANGE, "with an output");
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(out));
}

Test(histogram_output, refusals)
{
    TEST_REFUSE_EACH(histogram, TEST_INVALID(histogram, "accumulate", false, .output = "r", .accumulate = true));
}
