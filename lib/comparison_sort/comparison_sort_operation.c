// SPDX-License-Identifier: MIT
/* comparison_sort_operation.c: the description and call of a comparison sort, its reference, and samples. */
#include <clprim/reference.h>

#include "comparison_sort_internal.h"
#include "native.h"
#include "plan_sort.h"
#include "plan_table.h"

#define DESC(...) CLPRIM__DESC(comparison_sort, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(comparison_sort, __VA_ARGS__)

CLPRIM__ELEMENT(key, comparison_sort, clprim__element_of(d->key_type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(key_in, comparison_sort, d->input != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(value_in, comparison_sort, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(value_out, comparison_sort, clprim__value_or_index(d->value_size, d->argsort, d->index_type))
CLPRIM__LENGTH(length, comparison_sort, c->count)
CLPRIM__COUNT(comparison_sort, c->count)

CLPRIM__DEFINE_ARGUMENTS(comparison_sort)
CLPRIM__DEFINE_COUNT_AT(comparison_sort)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    DESC(input, TEXT, "the keys, instead of an array: OpenCL C over i and the parameters"),
    CLPRIM__ORDER_MEMBERS(comparison_sort),
    DESC(value_size, SIZE, "bytes of the value that belongs to each key: 0 (none) to 256"),
    DESC(argsort, BOOL, "the values are the keys' indices in the input"),
    CLPRIM__INDEX_MEMBER(comparison_sort),
    DESC(stable, BOOL, "equal keys keep their order"),
    DESC(in_place_only, BOOL, "take no scratch memory"),
    CLPRIM__COUNT_AT_MEMBER(comparison_sort),
    CLPRIM__PLAN_MEMBERS(comparison_sort),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key_in, .length = length),
    CALL(values_in, INPUT, "their values", .element = value_in, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(comparison_sort, length),
    CLPRIM__CALL_COUNT_AT(comparison_sort, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(keys_out, OUTPUT, "the keys, sorted", .element = key, .length = length, .in_place_of = "keys_in"),
    CALL(values_out, OUTPUT, "their values, or with argsort their indices", .element = value_out, .length = length,
         .in_place_of = "values_in"),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_comparison_sort_desc *d = desc;
    clprim_comparison_sort_call *c = call;
    const clprim_element element = key(desc, 0);
    c->count = wanted;
    c->keys_in.host = clprim__trial_elements(trial, element.type, wanted);
    if (d->value_size > 0)
        c->values_in.host =
            clprim__trial_values(trial, c->keys_in.host, element.size, d->value_size, wanted, !d->stable);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_comparison_sort_desc *d = desc;
    const clprim_comparison_sort_call *c = call;
    const clprim_element value = value_out(desc, 0);
    const clprim_reference_comparison_how how = {
        .type = d->key_type, .value_size = value.size, .descending = d->descending, .nan_order = d->nan_order};
    clprim__copy_array(&c->keys_out, &c->keys_in, c->count * key(desc, 0).size);
    clprim__copy_array(&c->values_out, &c->values_in, c->count * d->value_size);
    for (uint64_t i = 0; d->argsort && i < c->count; i++)
        clprim__put_numbers(&(clprim_array){.host = (char *)c->values_out.host + i * value.size}, value, &i, 1);
    return clprim_reference_comparison_sort(c->keys_out.host, c->values_out.host, &how, c->count);
}

static const clprim_comparison_sort_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .stable = true, .descending = true},
    {.key_type = CLPRIM_I16, .argsort = true, .index_type = CLPRIM_U64, .stable = true},
    {.key_type = CLPRIM_F32, .value_size = 12},
};
static const int order[] = {CLPRIM_COMPARISON_SORT_MERGE_NETWORK, CLPRIM_COMPARISON_SORT_MERGE_PATH,
                            CLPRIM_COMPARISON_SORT_CPU_CHUNK,     CLPRIM_COMPARISON_SORT_BITONIC,
                            CLPRIM_COMPARISON_SORT_RADIX,         CLPRIM_COMPARISON_SORT_AUTO};

static const clprim__operation operation = {
    .face = &clprim_comparison_sort_operation,
    .plan_size = sizeof(clprim__comparison_sort_plan),
    .tunables = &clprim__comparison_sort_tunables,
    .make = clprim__comparison_sort_make,
    .clear = clprim__comparison_sort_clear,
    .count = count,
    .reads_outputs = true,
    .scratch = clprim__comparison_sort_scratch,
    .pooled = clprim__comparison_sort_pooled,
    .launch = clprim__comparison_sort_launch,
    .pieces = &clprim__sort_pieces,
    .sample = sample,
    .reference = reference,
    .native = &clprim__comparison_sort_native,
};

CLPRIM__DEFINE_OPERATION(comparison_sort, "sort in the caller's own order, stably if wanted",
                         clprim__comparison_sort_variants, "u32", "f32 and values, stable, descending",
                         "i16, indices, stable", "f32 and values of 12 bytes")
