// SPDX-License-Identifier: MIT
/* test_histogram.bins.c: where bins begin and end, how many of them there may be, and how much a bin can hold. */
#include <clprim/reference.h>
#include <math.h>
#include <stdlib.h>

#include "test_histogram.h"

/* All values of a byte, or of 16 bits, in a mixed order. */
static void *all_values(size_t size)
{
    const size_t n = (size_t)1 << (8 * size);
    unsigned char *values = test_allocate(n * size);
    for (size_t i = 0; i < n; i++) {
        const uint16_t value = (uint16_t)(i * 40503);
        memcpy(values + i * size, &value, size);
    }
    return values;
}

/* The places where bins begin, and the integers on either side of each: bin b begins at b * width / bins, rounded up.
 * The width may be 2^64, so `last` is the last integer below it. */
static void *all_edges(const clprim_histogram_desc *desc, uint64_t low, uint64_t last)
{
    const uint64_t bins = desc->bins;
    const uint64_t remainder = last % bins + 1 == bins ? 0 : last % bins + 1;
    const uint64_t quotient = last / bins + (remainder == 0);
    const size_t size = clprim_type_size(desc->type);
    unsigned char *values = test_allocate(3 * desc->bins * size);
    for (uint64_t i = 0; i < 3 * bins; i++) {
        const uint64_t value = low + i / 3 * quotient + (i / 3 * remainder + bins - 1) / bins + i % 3 - 1;
        memcpy(values + i * size, &value, size);
    }
    return values;
}

TEST_WITH_RUNTIME(histogram_bins, even_bins_of_integers_are_exact)
{
    static const struct {
        clprim_type type;
        double low, high;
        size_t bins;
        bool only_in_full;
    } rows[] = {
        {CLPRIM_I8, -128, 128, 10, false},
        {CLPRIM_I16, -32768, 32768, 1000, true},
        {CLPRIM_I64, -0x1p63, 0x1p63, 1000, false},
        {CLPRIM_U64, 0, 0x1p64, 777, false},
        {CLPRIM_I64, -0x1p62 - 0x1p20, 0x1p60 + 0x1p10, 12345, false},
        {CLPRIM_I32, -1000003, 0x1p31, 257, false},
        {CLPRIM_I8, -1000, 1000, 99, true}, /* wider than the type */
        {CLPRIM_U8, -3, 5, 8, true},
        {CLPRIM_U16, 0, 65536, 3, true},
        {CLPRIM_U32, 0, 0x1p32, 1000, true},
        {CLPRIM_U64, 0, 0x1p64, 1, true},
        {CLPRIM_U64, 0x1p63, 0x1p64, 65536, true},
        {CLPRIM_U64, 0, 0x1p64, (1 << 20) - 1, true},
        {CLPRIM_I64, 0, 3, 2, true},
        {CLPRIM_I64, -7, 0x1p32 - 7, 1000, false}, /* 32 bits are just enough for its offsets */
        {CLPRIM_I64, -7, 0x1p32 - 6, 1000, true},
        {CLPRIM_U32, -5, 6, 4, false}, /* elements near 2^32 are far outside */
        {CLPRIM_U32, 1, 0x1p32, (1 << 24) - 1, true},
        {CLPRIM_I32, -0x1p31, 0x1p31, 1 << 20, true},
        {CLPRIM_U16, -1000, 70000, 9, true},
        {CLPRIM_I8, -0x1p40, 0x1p40, 3, true},
        {CLPRIM_U64, 0, 0x1p63, 65537, true},
        {CLPRIM_U8, 0, 7, 1000, true},
        {CLPRIM_I64, -5, 6, 1000, true}, /* more bins than integers */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_histogram_desc desc = {.type = rows[i].type,
                                            .mapping = CLPRIM_HISTOGRAM_EVEN,
                                            .bins = rows[i].bins,
                                            .low = rows[i].low,
                                            .high = rows[i].high};
        const size_t size = clprim_type_size(desc.type);
        const size_t count = size <= 2 ? (size_t)1 << (8 * size) : 3 * desc.bins;
        if (rows[i].only_in_full && !test_is_full())
            continue;
        const uint64_t low = desc.low < 0 ? (uint64_t)(int64_t)desc.low : (uint64_t)desc.low;
        const uint64_t high = desc.high >= 0x1p64 ? 0 : (uint64_t)desc.high;
        void *values = size <= 2 ? all_values(size) : all_edges(&desc, low, high - low - 1);
        TEST_WITH_CALL(self, histogram_create(&self, runtime, desc))
            histogram_check(&self, values, SPREAD_END, count, 1, i);
        free(values);
    }
}

/* A finite number of random magnitude. */
static double any_number(clprim_type type, uint64_t *seed)
{
    for (;;) {
        const uint64_t bits = test_random(seed);
        const uint32_t half = (uint32_t)bits;
        double number;
        float single;
        memcpy(&number, &bits, sizeof number);
        memcpy(&single, &half, sizeof single);
        if (type == CLPRIM_F32)
            number = (double)single;
        if (isfinite(number))
            return number;
    }
}

/* Check that the computed bin is close to the exact result: the number is at most half a bin away from the middle of
 * the bin, plus the rounding errors of low, the distance, the scale and the product. */
static void expect_near(const clprim_histogram_desc *desc, double x, size_t bin)
{
    const long double unit = desc->type == CLPRIM_F64 ? 0x1p-53L : 0x1p-24L;
    const long double low = (long double)desc->low;
    const long double at = (long double)x;
    const long double width = (long double)desc->high - low;
    const long double place = (at - low) / width * desc->bins;
    const long double error = desc->bins * unit * (4 + (fabsl(at) + fabsl(low)) / width);
    cr_assert_leq((double)fabsl(place - ((long double)bin + 0.5L)), 0.5 + (double)error,
                  "%a in %zu bins from %a to %a: bin %zu, not %Lg", x, desc->bins, desc->low, desc->high, bin, place);
}

/* Ranges from the narrowest to the widest: with the reference, whose definition is checked here, and on a device. */
TEST_WITH_RUNTIME(histogram_bins, ranges_of_floats_of_any_size)
{
    enum { RANGES = 60, COUNT = 200 };
    uint64_t seed = TEST_SEED;
    for (size_t i = 0; i < RANGES; i++) {
        const clprim_type type = i % 2 == 0 ? CLPRIM_F32 : CLPRIM_F64;
        const double a = any_number(type, &seed), b = any_number(type, &seed);
        const clprim_histogram_desc desc = {.type = type,
                                            .mapping = CLPRIM_HISTOGRAM_EVEN,
                                            .bins = 1 + test_random_below(&seed, 100),
                                            .low = a < b ? a : b,
                                            .high = a < b ? b : a};
        double numbers[COUNT];
        float singles[COUNT];
        for (size_t k = 0; k < COUNT; k++) {
            const double part = (double)k / (COUNT - 1);
            numbers[k] = k % 4 == 0 ? any_number(type, &seed) : desc.low * (1 - part) + desc.high * part;
            singles[k] = (float)numbers[k];
            const double x = type == CLPRIM_F32 ? (double)singles[k] : numbers[k];
            uint32_t counts[100];
            uint64_t outside = 0;
            ASSERT_OK(clprim_reference_histogram(
                counts, &outside,
                &(clprim_reference_histogram_how){
                    .type = type, .mapping = desc.mapping, .bins = desc.bins, .low = desc.low, .high = desc.high},
                type == CLPRIM_F32 ? (const void *)&singles[k] : &numbers[k], NULL, 1));
            cr_assert_eq(outside, !(x >= desc.low && x < desc.high));
            for (size_t bin = 0; bin < desc.bins && outside == 0; bin++)
                if (counts[bin] != 0)
                    expect_near(&desc, x, bin);
        }
        if (type == CLPRIM_F32 && !clprim_runtime_info(runtime)->has_denormals_f32)
            continue;
        TEST_WITH_CALL(self, histogram_create(&self, runtime, desc))
            histogram_check(&self, type == CLPRIM_F32 ? (const void *)singles : numbers, SPREAD_END, COUNT, 1, i);
    }
    cr_assert_leq(clprim_runtime_program_stats(runtime).built, 8, "programs are made for ranges");
}

/* Denormals, zeros of either sign, infinities and NaNs, with a bin that begins at 0. */
TEST_WITH_RUNTIME(histogram_bins, specials_around_zero)
{
    static const double boundaries[] = {-0.0, 0.0, 0x1p-1060, 0x1p-149, 0x1p-140, 0x1p-20, 1.0, HUGE_VAL};
    for (int type = CLPRIM_F16; type <= CLPRIM_F64; type++)
        for (int even = 0; even < 2; even++) {
            const clprim_histogram_desc desc = {.type = (clprim_type)type,
                                                .mapping = even ? CLPRIM_HISTOGRAM_EVEN : CLPRIM_HISTOGRAM_BOUNDARIES,
                                                .bins = 7,
                                                .boundaries = even ? NULL : boundaries,
                                                .high = even};
            TEST_WITH_CALL(self, histogram_create(&self, runtime, desc))
                for (int spread = SPREAD_EDGES; spread < SPREAD_END; spread++)
                    histogram_check(&self, NULL, (histogram_spread)spread, 5000, 1, TEST_SEED + 1);
        }
}

/* The maximal number of bins, with every kernel that supports it. Between these are numbers of bins that the sample
 * does not reach. */
TEST_WITH_RUNTIME(histogram_bins, many_bins)
{
    static const struct {
        clprim_histogram_variant variant;
        size_t bins;
        unsigned channels;
        bool only_in_full;
    } rows[] = {
        {CLPRIM_HISTOGRAM_AUTO, 4096, 1, true},
        {CLPRIM_HISTOGRAM_AUTO, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_LARGE, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_SORT_BASED, (size_t)1 << 20, 3, false},
        {CLPRIM_HISTOGRAM_CPU_CHUNK, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_AUTO, 1, 4, true},
        {CLPRIM_HISTOGRAM_AUTO, 65536, 4, true},
        {CLPRIM_HISTOGRAM_AUTO, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_LARGE, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_LARGE, ((size_t)1 << 24) - 1, 2, true},
        {CLPRIM_HISTOGRAM_SORT_BASED, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_CPU_CHUNK, (size_t)1 << 24, 1, true},
    };
    static const size_t counts[] = {0, 1, 300001};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_histogram_desc desc = {.type = CLPRIM_U32,
                                            .bins = rows[i].bins,
                                            .channels = rows[i].channels,
                                            .accumulate = i % 2 == 0,
                                            .variant = rows[i].variant};
        if (rows[i].only_in_full && !test_is_full())
            continue;
        TEST_WITH_CALL(self, histogram_create(&self, runtime, desc))
            for (size_t j = 0; j < 3; j++)
                histogram_check(&self, NULL, SPREAD_UNIFORM, counts[j], 1, TEST_SEED + j);
    }
}

/* Far more equal elements than a byte or 16 bits of a work-item's private counter can count. */
TEST_WITH_RUNTIME(histogram_bins, millions_of_equal_elements)
{
    const size_t count = test_is_full() ? 40000003 : 4000037;
    unsigned char *equal = test_allocate(count);
    unsigned char *two = test_allocate(count);
    memset(equal, 41, count);
    for (size_t i = 0; i < count; i++)
        two[i] = i * 2 < count ? 59 : (unsigned char)(i % 2 * 60); /* half, a quarter, and a quarter in no bin */
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant <= HISTOGRAM_LAST_VARIANT; variant++) {
        const clprim_histogram_desc desc = {.bins = 60, .variant = (clprim_histogram_variant)variant};
        TEST_WITH_CALL(self, histogram_create(&self, runtime, desc)) {
            histogram_check(&self, equal, SPREAD_END, count, 1, 1);
            histogram_check(&self, equal, SPREAD_END, 1000003, 1, 2);
            histogram_check(&self, two, SPREAD_END, count, 1, 3);
        }
    }
    free(equal);
    free(two);
}

/* Several calls add to one histogram, whose counters are not 0 before, each with another number of elements. */
enum { CALLS = 9, MAX_COUNT = 70001 };

static const size_t counts_added[CALLS] = {MAX_COUNT, 1, 0, 257, 4096, 33333, 0, 3, 65536};

static clprim_status add_all(const void *desc, const void *call)
{
    clprim_histogram_call c = *(const clprim_histogram_call *)call;
    for (size_t i = 0; i < CALLS; i++) {
        c.count = counts_added[i];
        ASSERT_OK(test_reference(&clprim_histogram_operation, desc, &c));
    }
    return CLPRIM_SUCCESS;
}

/* In an in-order queue, or each call waits for the previous one. */
static void add(test_call *self, bool in_order)
{
    static unsigned char in[MAX_COUNT];
    clprim_histogram_call *call = (void *)self->call.bytes;
    cl_event done = NULL;
    cl_command_queue queue = test_queue(self->runtime, in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    test_fill(in, CLPRIM_U8, CLPRIM_MIN, TEST_RANDOM, MAX_COUNT, TEST_SEED);
    self->reference = add_all;
    test_call_fill(self, &(clprim_histogram_call){.in = {.host = in}, .count = MAX_COUNT}, in_order);
    for (size_t i = 0; i < CALLS; i++) {
        const cl_event before = in_order ? NULL : done;
        call->count = counts_added[i];
        ASSERT_OK(clprim_histogram_enqueue(self->plan, queue, call, before != NULL, before != NULL ? &before : NULL,
                                           in_order ? NULL : &done));
        if (before != NULL)
            ASSERT_CL(clReleaseEvent(before));
    }
    ASSERT_CL(clFinish(queue));
    test_call_expect_right(self, in_order ? "added in order" : "added one after the other");
    if (done != NULL)
        ASSERT_CL(clReleaseEvent(done));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

TEST_WITH_RUNTIME(histogram_bins, accumulation)
{
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant <= HISTOGRAM_LAST_VARIANT; variant++) {
        const clprim_histogram_desc desc = {
            .type = CLPRIM_U8, .bins = 200, .accumulate = true, .variant = (clprim_histogram_variant)variant};
        TEST_WITH_CALL(self, histogram_create(&self, runtime, desc)) {
            add(&self, true);
            add(&self, false);
        }
    }
}

/* When counters are added to, 32-bit ones wrap around and 64-bit ones carry, and nothing else changes. */
TEST_WITH_RUNTIME(histogram_bins, counters_at_their_limits)
{
    static unsigned char elements[] = {1, 3, 3, 7, 3, 2, 2, 9};
    for (int wide = 0; wide < 2; wide++)
        for (int variant = 0; variant <= HISTOGRAM_LAST_VARIANT; variant++) {
            const clprim_histogram_desc desc = {.bins = 60,
                                                .counter_type = wide != 0 ? CLPRIM_U64 : CLPRIM_U32,
                                                .accumulate = true,
                                                .variant = (clprim_histogram_variant)variant};
            uint32_t narrow[60] = {0, UINT32_MAX, UINT32_MAX, 5};
            uint64_t counters[60] = {0, UINT32_MAX, UINT64_MAX, 5};
            const uint32_t narrow_after[60] = {0, 0, 1, 8, [7] = 1, [9] = 1};
            const uint64_t after[60] = {0, (uint64_t)UINT32_MAX + 1, 1, 8, [7] = 1, [9] = 1};
            uint64_t outside = UINT32_MAX;
            const clprim_histogram_call call = {.in = {.host = elements},
                                                .count = sizeof elements,
                                                .out = {.host = wide != 0 ? (void *)counters : narrow},
                                                .outside_out = {.host = &outside}};
            if (variant != CLPRIM_HISTOGRAM_AUTO && !test_is_full() && variant % 4 != wide)
                continue;
            const clprim_status status = clprim_histogram_run(runtime, &desc, &call);
            if (status == CLPRIM_UNSUPPORTED)
                continue;
            cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "variant %d: %s", variant, clprim_last_error());
            test_expect_same(wide != 0 ? (const void *)after : narrow_after, call.out.host, wide != 0 ? 8 : 4, 60,
                             test_variant_name(&clprim_histogram_operation, variant));
            cr_assert_eq(outside, UINT32_MAX);
        }
}

/* Offsets, counts and sums that do not fit in 32 bits; the counters are then U64. Some elements are at either end, and
 * one is outside. */
TEST_WITH_RUNTIME(histogram_bins, more_than_2_to_the_32_elements)
{
    const uint64_t counters[60] = {[1] = TEST_HUGE - 5, [2] = 2, [3] = 1, [5] = 1};
    test_huge(runtime, &clprim_histogram_operation, &(clprim_histogram_desc){.bins = 60}, counters, sizeof counters, 1);
}
