// SPDX-License-Identifier: MIT
/* test_radix_sort.u128.c: keys of two words, with the variants that support them: alone, with values and with indices,
 * by all bits and by ranges that begin and end in either word, in place and not; the reference, compared with known
 * results; and refused arguments. */
#include "ordered.h"

enum { MAX_COUNT = 20011 };

/* The lower word comes first. */
typedef struct u128 {
    uint64_t low, high;
} u128;

static const size_t counts[] = {0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 4096, 4097, MAX_COUNT};

static u128 keys[MAX_COUNT];

/* The words are random; one of few values in each; equal in the upper or in the lower word; extremes. */
static void fill(size_t count, uint64_t seed)
{
    static const uint64_t extremes[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63, UINT32_MAX};
    for (size_t i = 0; i < count; i++) {
        const uint64_t low = test_random(&seed);
        const uint64_t high = test_random(&seed);
        switch (count % 5) {
        case 0: keys[i] = (u128){low, high}; break;
        case 1: keys[i] = (u128){low % 3 << 60, high % 3 << 62}; break;
        case 2: keys[i] = (u128){low, 7}; break;
        case 3: keys[i] = (u128){extremes[low % 6], extremes[high % 6]}; break;
        default: keys[i] = (u128){count - i, i / 5};
        }
    }
}

static void check(clprim_runtime *runtime, clprim_radix_sort_desc desc, uint64_t seed)
{
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_radix_sort_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = counts[i]};
            char *values = test_memory(0, counts[i] * 16);
            test_fill_values(values, desc.value_size, counts[i]);
            call.values_in.host = desc.value_size > 0 ? values : NULL;
            fill(counts[i], seed + i);
            self.replaced = (seed + i) % 4;
            test_call_fill(&self, &call, seed + i);
            test_call_check(&self, "%zu keys", counts[i]);
            if (i % 4 == 0)
                test_call_check_run(&self, "%zu keys on the host", counts[i]);
        }
}

TEST_WITH_RUNTIME(radix_sort_u128, variants)
{
    static const clprim_radix_sort_variant variants[] = {CLPRIM_RADIX_SORT_AUTO, CLPRIM_RADIX_SORT_LOCAL,
                                                         CLPRIM_RADIX_SORT_ONESWEEP, CLPRIM_RADIX_SORT_REDUCE_THEN_SCAN,
                                                         CLPRIM_RADIX_SORT_CPU_CHUNK};
    static const clprim_radix_sort_desc descs[] = {
        {.value_size = 0},
        {.value_size = 16, .descending = true},
        {.argsort = true},
        {.value_size = 4, .bit_range = true, .begin_bit = 59, .end_bit = 70},
        {.bit_range = true, .begin_bit = 3, .end_bit = 64, .descending = true},
        {.argsort = true, .index_type = CLPRIM_U64, .bit_range = true, .begin_bit = 64, .end_bit = 130},
        {.value_size = 1, .bit_range = true, .begin_bit = 128, .end_bit = 200},
        {.value_size = 8, .bit_range = true, .begin_bit = 127, .end_bit = 128},
    };
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
            clprim_radix_sort_desc desc = descs[d];
            desc.key_type = CLPRIM_U128;
            desc.variant = variants[v];
            check(runtime, desc, TEST_SEED + 10 * v + d);
        }
}

/* AUTO takes a variant that sorts such keys, for any number of them. */
TEST_WITH_RUNTIME(radix_sort_u128, is_sorted_by_auto)
{
    for (size_t max_count = 100; max_count < (size_t)1 << 40; max_count *= 1000) {
        clprim_plan *plan = NULL;
        ASSERT_OK(clprim_radix_sort_create(&plan, runtime,
                                           &(clprim_radix_sort_desc){.key_type = CLPRIM_U128, .max_count = max_count}));
        clprim_plan_destroy(plan);
    }
}

/* By the number that both words form; stable. */
static int compare(const void *a, const void *b)
{
    const u128 *x = a;
    const u128 *y = b;
    const bool is_less = x->high != y->high ? x->high < y->high : x->low < y->low;
    return is_less ? -1 : x->high != y->high || x->low != y->low;
}

Test(radix_sort_u128, the_reference_knows_the_order)
{
    static u128 wanted[MAX_COUNT];
    for (size_t count = 995; count < 1000; count++) {
        fill(count, TEST_SEED);
        memcpy(wanted, keys, count * sizeof *keys);
        qsort(wanted, count, sizeof *wanted, compare);
        ASSERT_OK(clprim_reference_sort(keys, NULL, &(clprim_reference_sort_how){.key_type = CLPRIM_U128}, count));
        test_expect_same(wanted, keys, sizeof *keys, count, "the reference");
    }
}

/* Sort several arrays by such keys. */
TEST_WITH_RUNTIME(radix_sort_u128, order_several_arrays)
{
    static uint32_t numbers[MAX_COUNT];
    static uint8_t bytes[MAX_COUNT];
    const clprim_sort_by_key_desc desc = {.key_type = CLPRIM_U128, .num_arrays = 2, .element_sizes = {4, 1}};
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_sort_by_key_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            fill(counts[i], TEST_SEED + i);
            for (uint32_t k = 0; k < counts[i]; k++) {
                numbers[k] = k;
                bytes[k] = (uint8_t)(k * 7);
            }
            test_call_fill(&self,
                           &(clprim_sort_by_key_call){.keys_in = {.host = keys},
                                                      .count = counts[i],
                                                      .arrays_in = {{.host = numbers}, {.host = bytes}}},
                           TEST_SEED + i);
            test_call_check(&self, "%zu keys", counts[i]);
        }
}

#define WIDE(status, culprit, op, ...)                                                                                 \
    test_refuse(runtime, &clprim_##op##_operation, &(clprim_##op##_desc){__VA_ARGS__}, (status), (culprit))

TEST_WITH_RUNTIME(radix_sort_u128, refusals)
{
    static const clprim_radix_sort_variant others[] = {CLPRIM_RADIX_SORT_SPLIT, CLPRIM_RADIX_SORT_SINGLE_GROUP,
                                                       CLPRIM_RADIX_SORT_CPU_BUCKETS};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        WIDE(CLPRIM_UNSUPPORTED, "u128", radix_sort, .key_type = CLPRIM_U128, .variant = others[i]);
    WIDE(CLPRIM_INVALID_ARGUMENT, "input", radix_sort, .key_type = CLPRIM_U128, .input = "i");
    WIDE(CLPRIM_INVALID_ARGUMENT, "then_types[0]", radix_sort, .argsort = true, .input = "i",
         .then = {{"i"}, {CLPRIM_U128}});
    WIDE(CLPRIM_INVALID_ARGUMENT, "u128", top_k, .key_type = CLPRIM_U128, .k = 1);
    WIDE(CLPRIM_INVALID_ARGUMENT, "u128", comparison_sort, .key_type = CLPRIM_U128);
    WIDE(CLPRIM_INVALID_ARGUMENT, "u128", merge, .key_type = CLPRIM_U128);
    WIDE(CLPRIM_INVALID_ARGUMENT, "u128", reduce, .type = CLPRIM_U128);
    WIDE(CLPRIM_INVALID_ARGUMENT, "u128", histogram, .type = CLPRIM_U128);
    WIDE(CLPRIM_INVALID_ARGUMENT, "u128", select, .type = CLPRIM_U128, .predicate = "1");
}

/* Sorted parts could not be merged by such keys. */
TEST_WITH_RUNTIME(radix_sort_u128, is_not_cut_into_parts)
{
    static u128 sorted[MAX_COUNT];
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 1 << 16}));
    test_expect_status(
        clprim_radix_sort_run(
            runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_U128},
            &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = MAX_COUNT, .keys_out = {.host = sorted}}),
        CLPRIM_UNSUPPORTED, "64 bits", "a run in pieces");
}
