// SPDX-License-Identifier: MIT
/* test_comparison_sort.indices.c: the indices that would sort the keys, with every variant: in the total order and in a
 * caller's, for keys in an array, in place and not, and for keys that an expression computes. */
#include <clprim/reference.h>

#include "cases.h"

enum { MOST = 70001, KINDS = 4 };

static uint32_t keys[MOST], sorted[MOST], found[MOST];
static uint64_t indices[MOST], expected_wide[MOST], found_wide[MOST];
static uint32_t expected[MOST], found_narrow[MOST];

static bool is_less(const void *a, const void *b)
{
    return *(const uint32_t *)a % 16 < *(const uint32_t *)b % 16;
}

/* Few keys are distinct. If equal ones may be reordered, each index must occur once and refer to the expected key. */
static void expect_indices(const clprim_comparison_sort_desc *desc, const uint64_t *got, size_t count)
{
    static uint8_t seen[MOST];
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
        cr_assert(got[i] < count && seen[got[i]] == 0, "index %zu of %zu is %zu", i, count, (size_t)got[i]);
        seen[got[i]] = 1;
        cr_assert_eq(found[i], keys[got[i]], "key %zu of %zu", i, count);
        if (desc->stable)
            cr_assert_eq(got[i], indices[i], "stable: %zu of %zu is %zu", i, count, (size_t)got[i]);
        cr_assert(i == 0 || desc->less == NULL || found[i - 1] % 16 <= found[i] % 16, "element %zu of %zu", i, count);
        cr_assert(desc->less != NULL || found[i] == sorted[i], "element %zu of %zu", i, count);
    }
}

static void check(test_call *self, size_t count, bool in_place, uint64_t seed)
{
    const clprim_comparison_sort_desc *desc = (const void *)self->desc.bytes;
    const bool is_wide = desc->index_type == CLPRIM_U64;
    const clprim_reference_comparison_how how = {.before = desc->less != NULL ? is_less : NULL,
                                                 .value_size = sizeof *indices};
    test_fill(keys, CLPRIM_U32, CLPRIM_MAX, TEST_FEW_DISTINCT, count, seed);
    memcpy(sorted, keys, sizeof sorted);
    for (size_t i = 0; i < count; i++)
        indices[i] = i;
    ASSERT_OK(clprim_reference_comparison_sort(sorted, count > 0 ? indices : NULL, &how, count));
    memcpy(found, keys, sizeof found);
    void *out = is_wide ? (void *)found_wide : found_narrow;
    const clprim_comparison_sort_call call = {.keys_in = {.host = desc->input != NULL ? NULL
                                                                  : in_place          ? found
                                                                                      : keys},
                                              .arguments = {{.host = desc->input != NULL ? keys : NULL}},
                                              .count = count,
                                              .keys_out = {.host = found},
                                              .values_out = {.host = out}};
    ASSERT_OK(clprim_comparison_sort_run(self->runtime, desc, &call));
    for (size_t i = 0; i < count && !is_wide; i++)
        found_wide[i] = found_narrow[i];
    expect_indices(desc, found_wide, count);
    if (!desc->stable || desc->input != NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        expected_wide[i] = indices[i];
        expected[i] = (uint32_t)indices[i];
    }
    self->replaced = in_place;
    test_call_fill(self,
                   &(clprim_comparison_sort_call){.keys_in = {.host = keys},
                                                  .count = count,
                                                  .keys_out = {.host = sorted},
                                                  .values_out = {.host = is_wide ? (void *)expected_wide : expected}},
                   seed);
    test_call_check(self, "%zu elements", count);
}

TEST_BY_VARIANT(comparison_sort_indices, would_sort_the_keys, clprim_comparison_sort_operation)
{
    static const size_t counts[] = {0, 1, 2, 33, 1000, 4097, MOST};
    const bool is_stable = variant == CLPRIM_COMPARISON_SORT_MERGE_PATH || variant == CLPRIM_COMPARISON_SORT_RADIX ||
                           variant == CLPRIM_COMPARISON_SORT_CPU_CHUNK;
    for (int kind = 0; kind < KINDS; kind++) {
        clprim_comparison_sort_desc desc = {.argsort = true,
                                            .index_type = kind % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                            .stable = is_stable,
                                            .variant = (clprim_comparison_sort_variant)variant};
        if (kind % 2 == 1 && variant != CLPRIM_COMPARISON_SORT_RADIX)
            desc.less = "a % 16 < b % 16";
        if (kind >= 2) {
            desc.input = "k[i]";
            desc.text.parameters[0] = (clprim_parameter){"k", CLPRIM_U32, .is_array = true};
        }
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_comparison_sort_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, counts[i], i % 2 == 1, TEST_SEED + i);
    }
}

Test(comparison_sort_indices, refusals)
{
    TEST_REFUSE_EACH(comparison_sort,
                     TEST_INVALID(comparison_sort, "value_size", false, .argsort = true, .value_size = 4),
                     TEST_INVALID(comparison_sort, "index_type", false, .argsort = true, .index_type = CLPRIM_I32),
                     TEST_INVALID(comparison_sort, "index_type", false, .argsort = true, .max_count = (size_t)1 << 33));
}
