// SPDX-License-Identifier: MIT
/* test_sort_by_key.less.c: arrays sorted by keys in the caller's order, with keys of built-in types and of a struct,
 * from arrays and from an expression: one array that moves along, and many of all sizes that are gathered; in place and
 * not; with counts on the host and on the device; with the kernels for CPUs and those for other devices. */
#include <clprim/reference.h>

#include "cases.h"
#include "runtime_internal.h"

enum { MOST = 20011 };

/* The order compares the first member, which has few distinct values. */
typedef struct span {
    uint32_t begin, end, weight;
} span;

#define SPANS                                                                                                          \
    .type_name = "span", .type_size = sizeof(span),                                                                    \
    .text.source = "typedef struct { uint begin, end, weight; } span;", .less = "a.begin % 50 < b.begin % 50"
#define NUMBERS .key_type = CLPRIM_U16, .less = "a % 16 < b % 16"
#define FROM_INPUT                                                                                                     \
    .key_type = CLPRIM_U16, .less = "a % 16 < b % 16 + zero", .input = "k[i]",                                         \
    .text.parameters = {{"k", CLPRIM_U16, .is_array = true}, {"zero", CLPRIM_U16}}

static const clprim_sort_by_key_desc descs[] = {
    {NUMBERS},
    {NUMBERS, .descending = true, .element_sizes = {16}, .values_only = true},
    {NUMBERS, .num_arrays = 3, .element_sizes = {4, 12, 64}, .work_group_size = 64},
    {NUMBERS, .element_sizes = {7}, .max_count = (size_t)1 << 33},
    {SPANS, .element_sizes = {8}, .values_only = true},
    {SPANS, .num_arrays = 2, .element_sizes = {256, 2}},
    {SPANS, .num_arrays = 2, .element_sizes = {5, 4}, .values_only = true, .descending = true},
    {FROM_INPUT, .num_arrays = 2, .element_sizes = {3, 4}, .values_only = true},
    {FROM_INPUT, .element_sizes = {2}, .count_at_type = CLPRIM_U32},
    {SPANS, .num_arrays = 2, .element_sizes = {12, 1}, .count_at_type = CLPRIM_U64},
};

enum { NUM_DESCS = sizeof descs / sizeof *descs };

static bool is_number_less(const void *a, const void *b)
{
    return *(const uint16_t *)a % 16 < *(const uint16_t *)b % 16;
}

static bool is_span_less(const void *a, const void *b)
{
    return ((const span *)a)->begin % 50 < ((const span *)b)->begin % 50;
}

/* Sort the indices by the keys, then gather each array by the indices. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_sort_by_key_desc *d = desc;
    const clprim_sort_by_key_call *c = call;
    static uint64_t order[MOST];
    static span sorted[MOST];
    const clprim_reference_comparison_how how = {.before = d->type_name != NULL ? is_span_less : is_number_less,
                                                 .size = d->type_name != NULL ? sizeof(span) : sizeof(uint16_t),
                                                 .value_size = sizeof *order,
                                                 .descending = d->descending};
    const void *keys = d->input != NULL ? c->arguments[0].host : c->keys_in.host;
    for (size_t i = 0; i < c->count; i++)
        order[i] = i;
    if (c->count > 0)
        memcpy(sorted, keys, c->count * how.size);
    const clprim_status status = clprim_reference_comparison_sort(sorted, c->count > 0 ? order : NULL, &how, c->count);
    if (!d->values_only && c->count > 0)
        memcpy(c->keys_out.host, sorted, c->count * how.size);
    for (size_t a = 0; a < (d->num_arrays != 0 ? d->num_arrays : 1); a++) {
        const size_t size = d->element_sizes[a] != 0 ? d->element_sizes[a] : 4;
        for (size_t i = 0; i < c->count; i++)
            memcpy((char *)c->arrays_out[a].host + i * size, (const char *)c->arrays_in[a].host + order[i] * size,
                   size);
    }
    return status;
}

static void check(test_call *self, size_t count, uint64_t replaced, uint64_t seed)
{
    static uint16_t zero;
    const clprim_sort_by_key_desc *desc = (const void *)self->desc.bytes;
    const size_t num_arrays = desc->num_arrays != 0 ? desc->num_arrays : 1;
    clprim_sort_by_key_call call = {.count = count};
    uint64_t count_at = seed % 4 == 0 ? UINT32_MAX : count * (seed % 4 - 1) / 3;
    void *keys = test_memory(0, MOST * sizeof(span));
    test_fill(keys, CLPRIM_U32, CLPRIM_MAX, TEST_RANDOM, count * 3, seed);
    if (desc->input != NULL) {
        call.arguments[0].host = keys;
        call.arguments[1].host = &zero;
    } else {
        call.keys_in.host = keys;
    }
    for (size_t a = 0; a < num_arrays; a++) {
        const size_t size = desc->element_sizes[a] != 0 ? desc->element_sizes[a] : 4;
        call.arrays_in[a].host = test_memory(1 + a, MOST * size);
        test_fill(call.arrays_in[a].host, CLPRIM_U8, CLPRIM_MAX, TEST_RANDOM, count * size, seed + a);
    }
    if (desc->count_at_type != CLPRIM_TYPE_DEFAULT)
        call.count_at.host = &count_at;
    self->reference = reference;
    self->replaced = replaced;
    test_call_fill(self, &call, seed);
    test_call_check(self, "%zu elements", count);
    if (seed % 3 == 0)
        test_call_check_run(self, "%zu elements, on the host", count);
}

TEST_EACH_WITH_RUNTIME(sort_by_key_less, sorts_in_the_callers_order, 2 * NUM_DESCS)
{
    static const size_t counts[] = {0, 1, 2, 33, 257, 1000, 4097, MOST};
    const clprim_sort_by_key_desc *desc = &descs[number / 2];
    uint64_t random = number;
    if (number % 2 == 1) /* these kernels merge tiles, not chunks */
        runtime->info.kind = CLPRIM_DEVICE_OTHER;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_sort_by_key_operation, desc)) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check(&self, counts[i], test_random(&random), number + i);
        check(&self, 3001, UINT64_MAX, 0);
        check(&self, 3001, 0, 0);
    }
}

/* The documented size is enough, and one byte less is refused. */
TEST_WITH_RUNTIME(sort_by_key_less, takes_what_scratch_size_says)
{
    for (size_t i = 0; i < NUM_DESCS; i++) {
        size_t bytes = 0;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_sort_by_key_operation, &descs[i])) {
            check(&self, 5003, 0, 1);
            ASSERT_OK(clprim_plan_scratch_size(&bytes, self.plan, self.call.bytes));
            cl_mem enough = test_buffer(runtime, bytes);
            cl_mem small = test_buffer(runtime, bytes - 1);
            ASSERT_OK(clprim_plan_set_scratch(self.plan, small));
            ASSERT_STATUS(test_call_enqueue(&self, &self.call), CLPRIM_INVALID_SCRATCH);
            ASSERT_OK(clprim_plan_set_scratch(self.plan, enough));
            check(&self, 5003, UINT64_MAX, 1);
            ASSERT_CL(clReleaseMemObject(enough));
            ASSERT_CL(clReleaseMemObject(small));
        }
    }
}

/* The sort reads what it has written. */
TEST_WITH_RUNTIME(sort_by_key_less, needs_outputs_that_can_be_read)
{
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_sort_by_key_operation, &descs[0])) {
        check(&self, 1000, 0, 1);
        const size_t num_arrays = self.num_arrays;
        for (size_t i = 0; i < num_arrays; i++) {
            test_struct wrong = self.call;
            const test_array *array = &self.arrays[i];
            if (!array->is_there || !array->is_output)
                continue;
            cl_mem memory = test_buffer_for(runtime, CL_MEM_WRITE_ONLY, array->bytes);
            test_array_of(&self, &wrong, i)->buffer = memory;
            ASSERT_REFUSED(test_call_enqueue(&self, &wrong), CLPRIM_INVALID_BUFFER, "write-only");
            ASSERT_CL(clReleaseMemObject(memory));
        }
    }
}

Test(sort_by_key_less, refusals)
{
#define INVALID(culprit, ...) TEST_INVALID(sort_by_key, culprit, false, __VA_ARGS__)
    TEST_REFUSE_EACH(sort_by_key, INVALID("require less", .type_name = "uint", .type_size = 4),
                     INVALID("then", NUMBERS, .input = "i", .then.inputs = {"i"}),
                     INVALID("bit_range", NUMBERS, .bit_range = true, .end_bit = 3),
                     INVALID("nan_order", .less = "a < b", .nan_order = CLPRIM_NAN_LAST),
                     INVALID("type_size", .less = "a < b", .type_name = "uint"),
                     TEST_MISTAKE(sort_by_key, "less:1", .less = "a < nothing"));
}
