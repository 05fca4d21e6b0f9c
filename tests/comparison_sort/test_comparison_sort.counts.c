// SPDX-License-Identifier: MIT
/* test_comparison_sort.counts.c: the number of elements is in device memory: none, one, few, some of them, all, and
 * more than the array has, with every variant, in place and not. Elements after these are unchanged. */
#include <clprim/reference.h>

#include "cases.h"
#include "runtime_internal.h"

#define BY(variant) CLPRIM_COMPARISON_SORT_##variant

enum { MOST = 100003, FEW = 4000 };

static bool is_greater(const void *a, const void *b)
{
    return *(const uint32_t *)a > *(const uint32_t *)b;
}

/* Equal keys have equal values, so that stability cannot be observed. */
static void fill_values(void *values, size_t size, const uint32_t *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < size; b++)
            ((unsigned char *)values)[i * size + b] = (unsigned char)(keys[i] >> b % 4 * 8);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_comparison_sort_desc *d = desc;
    const clprim_comparison_sort_call *c = call;
    const clprim_reference_comparison_how how = {.before = is_greater, .size = sizeof(uint32_t)};
    uint32_t *keys = c->keys_out.host;
    const void *in = d->input != NULL ? c->arguments[0].host : c->keys_in.host;
    if (c->count > 0)
        memcpy(keys, in, c->count * sizeof *keys);
    const clprim_status status = clprim_reference_comparison_sort(c->count > 0 ? keys : NULL, NULL, &how, c->count);
    if (d->value_size > 0)
        fill_values(c->values_out.host, d->value_size, keys, c->count);
    return status;
}

#define ORDER .key_type = CLPRIM_U32, .less = "a > b"

/* Smaller groups are compiled faster, and have more tiles. */
static const struct row {
    clprim_comparison_sort_desc desc;
    bool is_gpu; /* kernels of other devices */
} rows[] = {
    {{ORDER, .value_size = 4}, false},
    {{ORDER, .value_size = 12, .count_at_type = CLPRIM_U64}, false},
    {{ORDER, .variant = BY(CPU_CHUNK), .count_at_type = CLPRIM_U64}, false},
    {{ORDER, .variant = BY(MERGE_PATH), .stable = true, .value_size = 4}, false},
    {{ORDER, .variant = BY(MERGE_PATH), .input = "k[i]", .text.parameters = {{"k", CLPRIM_U32, .is_array = true}}},
     false},
    {{ORDER, .variant = BY(MERGE_NETWORK), .max_count = (size_t)1 << 33, .count_at_type = CLPRIM_U64}, false},
    {{ORDER, .variant = BY(SAMPLE_SORT), .value_size = 4}, false},
    {{.key_type = CLPRIM_U32, .descending = true, .variant = BY(RADIX), .value_size = 8}, false},
    {{.key_type = CLPRIM_U32, .descending = true}, false},
    {{.key_type = CLPRIM_U32, .descending = true, .max_count = FEW, .work_group_size = 4}, true},
    {{ORDER, .value_size = 4, .max_count = FEW, .work_group_size = 4}, true},
    {{ORDER, .value_size = 4, .stable = true, .max_count = MOST, .work_group_size = 8}, true},
};

static void check(test_call *self, size_t count, uint64_t actual, size_t distinct, uint64_t seed)
{
    const clprim_comparison_sort_desc *desc = (const void *)self->desc.bytes;
    uint32_t *keys = test_memory(0, MOST * sizeof *keys);
    clprim_comparison_sort_call call = {.count = count, .count_at.host = &actual}; /* the first of its two words */
    uint64_t random = seed;
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint32_t)(test_random(&random) % distinct);
    *(desc->input != NULL ? &call.arguments[0] : &call.keys_in) = (clprim_array){.host = keys};
    if (desc->value_size > 0) {
        call.values_in.host = test_memory(1, MOST * desc->value_size);
        fill_values(call.values_in.host, desc->value_size, keys, count);
    }
    self->reference = reference;
    self->replaced = seed % 2 * UINT64_MAX;
    test_call_fill(self, &call, seed);
    test_call_check(self, "%llu of %zu elements", (unsigned long long)actual, count);
    if (seed % 8 == 7)
        test_call_check_run(self, "%llu of %zu elements, on the host", (unsigned long long)actual, count);
}

TEST_EACH_WITH_RUNTIME(comparison_sort_counts, on_the_device, sizeof rows / sizeof *rows)
{
    static const size_t counts[] = {1, 2, 33, 257, 1000, 3999, 5003, 20011, MOST};
    clprim_comparison_sort_desc desc = rows[number].desc;
    if (desc.count_at_type == CLPRIM_TYPE_DEFAULT)
        desc.count_at_type = CLPRIM_U32;
    if (rows[number].is_gpu) {
        runtime->info.kind = CLPRIM_DEVICE_OTHER;
        runtime->info.compute_units = 128;
    }
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, &desc, true))
        for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= self.plan->max_count; c++) {
            const size_t n = counts[c];
            const uint64_t actual[] = {0, 1, 2, 31, 64, 255, n / 3, n / 2 + 1, n - 1, n, n + 1, UINT32_MAX};
            for (size_t a = 0; a < sizeof actual / sizeof *actual; a++)
                check(&self, n, actual[a], a % 3 == 0 ? 5 : SIZE_MAX, 16 * c + a);
        }
}

Test(comparison_sort_counts, refusals)
{
    TEST_REFUSE_EACH(
        comparison_sort, TEST_INVALID(comparison_sort, "count_at_type", false, .count_at_type = CLPRIM_F32),
        TEST_UNSUPPORTED(comparison_sort, "count_at_type", .variant = BY(BITONIC), .count_at_type = CLPRIM_U32),
        TEST_UNSUPPORTED(comparison_sort, "in_place_only", .in_place_only = true, .count_at_type = CLPRIM_U64));
}
