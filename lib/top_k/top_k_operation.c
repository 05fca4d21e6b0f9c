// SPDX-License-Identifier: MIT
/* top_k_operation.c: the k largest or smallest elements: description and call, reference, and samples. */
#include <clprim/reference.h>

#include "native.h"
#include "plan_table.h"
#include "top_k_internal.h"

#define DESC(...) CLPRIM__DESC(top_k, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(top_k, __VA_ARGS__)

CLPRIM__ELEMENT(key, top_k, clprim__type_or(d->key_type, CLPRIM_U32))
CLPRIM__ELEMENT(key_in, top_k, d->input != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(key_out, top_k, d->then.inputs[0] != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(value_in, top_k, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(value_out, top_k, clprim__value_or_index(d->value_size, d->indices, d->index_type))
CLPRIM__LENGTH(length, top_k, c->count)
CLPRIM__LENGTH(out_length, top_k, c->count < d->k ? c->count : d->k)
CLPRIM__COUNT(top_k, c->count)
CLPRIM__DEFINE_ARGUMENTS(top_k)
CLPRIM__DEFINE_COUNT_AT(top_k)
CLPRIM__DEFINE_KEYS_NEEDED(top_k)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__INPUT_MEMBER(top_k),
    CLPRIM__THEN_MEMBERS(top_k),
    CLPRIM__TEXT_MEMBERS(top_k),
    DESC(k, SIZE, "how many are wanted, at least 1"),
    DESC(smallest, BOOL, "the smallest instead of the largest"),
    CLPRIM__NAN_MEMBER(top_k),
    CLPRIM__VALUE_MEMBER(top_k),
    DESC(indices, BOOL, "the values are the keys' indices"),
    CLPRIM__INDEX_MEMBER(top_k),
    DESC(unsorted, BOOL, "in the order of the input"),
    CLPRIM__COUNT_AT_MEMBER(top_k),
    CLPRIM__PLAN_MEMBERS(top_k),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key_in, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(top_k, length),
    CALL(values_in, INPUT, "their values", .element = value_in, .length = length),
    CLPRIM__CALL_COUNT_AT(top_k, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(keys_out, OUTPUT, "the first min(k, count) of the keys", .element = key_out, .length = out_length,
         CLPRIM__OPTIONAL_KEYS),
    CALL(values_out, OUTPUT, "their values, or their indices", .element = value_out, .length = out_length),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_top_k_desc *d = desc;
    clprim_top_k_call *c = call;
    const clprim_element element = key(desc, 0);
    c->count = wanted;
    c->keys_in.host = clprim__trial_elements(trial, element.type, wanted);
    if (d->value_size > 0)
        c->values_in.host = clprim__trial_values(trial, c->keys_in.host, element.size, d->value_size, wanted, false);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_top_k_desc *d = desc;
    const clprim_top_k_call *c = call;
    const clprim_reference_top_k_how how = {.key_type = d->key_type,
                                            .k = d->k,
                                            .smallest = d->smallest,
                                            .nan_order = d->nan_order,
                                            .value_size = value_out(desc, 0).size,
                                            .indices = d->indices,
                                            .unsorted = d->unsorted};
    return clprim_reference_top_k(c->keys_out.host, c->values_out.host, &how, c->keys_in.host, c->values_in.host,
                                  c->count);
}

static const clprim_top_k_desc samples[] = {
    {.key_type = CLPRIM_U32, .k = 100},
    {.key_type = CLPRIM_F32, .k = 1000, .indices = true, .smallest = true},
    {.key_type = CLPRIM_I64, .k = 7, .value_size = 8, .unsorted = true},
};
static const int order[] = {CLPRIM_TOP_K_RADIX_SELECT, CLPRIM_TOP_K_SORT, CLPRIM_TOP_K_CPU_CHUNK, CLPRIM_TOP_K_AUTO};

static const clprim__operation operation = {
    .face = &clprim_top_k_operation,
    .plan_size = sizeof(clprim__top_k_plan),
    .tunables = &clprim__top_k_tunables,
    .make = clprim__top_k_make,
    .clear = clprim__top_k_clear,
    .count = count,
    .scratch = clprim__top_k_scratch,
    .pooled = clprim__top_k_pooled,
    .launch = clprim__top_k_launch,
    .pieces = &clprim__top_k_pieces,
    .sample = sample,
    .reference = reference,
    .native = &clprim__top_k_native,
};

CLPRIM__DEFINE_OPERATION(top_k, "the k largest or smallest keys, sorted, with their values or indices",
                         clprim__top_k_variants, "100 of u32", "1000 of f32, indices", "7 of i64 and values, unsorted")
