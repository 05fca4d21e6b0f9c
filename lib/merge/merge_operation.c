// SPDX-License-Identifier: MIT
/* merge_operation.c: the description and call of a merge, its reference, and samples. */
#include <clprim/reference.h>

#include "merge_internal.h"
#include "plan_pieces.h"
#include "plan_table.h"

#define DESC(...) CLPRIM__DESC(merge, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(merge, __VA_ARGS__)

CLPRIM__ELEMENT(key, merge, clprim__element_of(d->key_type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(value, merge, (clprim_element){.size = d->value_size})
CLPRIM__LENGTH(a_length, merge, c->a_count)
CLPRIM__LENGTH(b_length, merge, c->b_count)
CLPRIM__LENGTH(out_length, merge, clprim__plus(c->a_count, c->b_count))
CLPRIM__COUNT(merge, clprim__plus(c->a_count, c->b_count))

CLPRIM__DEFINE_ARGUMENTS(merge)
CLPRIM__DEFINE_COUNT_AT(merge)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__ORDER_MEMBERS(merge),
    CLPRIM__VALUE_MEMBER(merge),
    CLPRIM__COUNT_AT_MEMBER(merge),
    CLPRIM__PLAN_MEMBERS(merge),
    {0},
};

static const clprim_member call_members[] = {
    CALL(a_keys, INPUT, "the first range, sorted", .element = key, .length = a_length),
    CALL(a_values, INPUT, "the values of its keys", .element = value, .length = a_length),
    CALL(b_keys, INPUT, "the second range, sorted", .element = key, .length = b_length),
    CALL(b_values, INPUT, "the values of its keys", .element = value, .length = b_length),
    CLPRIM__ARGUMENTS_MEMBER(merge, out_length),
    CLPRIM__CALL_COUNT_AT(merge, a_count_at, .is_optional = true),
    CALL(a_count, SIZE, "keys in the first range"),
    CLPRIM__CALL_COUNT_AT(merge, b_count_at, .is_optional = true),
    CALL(b_count, SIZE, "keys in the second range"),
    CALL(keys_out, OUTPUT, "all keys, sorted", .element = key, .length = out_length),
    CALL(values_out, OUTPUT, "their values", .element = value, .length = out_length),
    {0},
};

/* Fill one of the two ranges. */
static void fill(clprim__trial *trial, const clprim_merge_desc *desc, clprim_array *keys, clprim_array *values,
                 size_t length)
{
    const clprim_element element = key(desc, 0);
    keys->host = clprim__trial_elements(trial, element.type, length);
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(desc, element.type);
    clprim__trial_sort(trial, keys->host, &by, length);
    if (desc->value_size > 0)
        values->host = clprim__trial_values(trial, keys->host, element.size, desc->value_size, length, false);
}

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    clprim_merge_call *c = call;
    c->a_count = wanted / 3;
    c->b_count = wanted - c->a_count;
    fill(trial, desc, &c->a_keys, &c->a_values, c->a_count);
    fill(trial, desc, &c->b_keys, &c->b_values, c->b_count);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_merge_desc *d = desc;
    const clprim_merge_call *c = call;
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(d, d->key_type);
    return clprim_reference_merge(c->keys_out.host, c->values_out.host, &by, d->value_size, c->a_keys.host,
                                  c->a_values.host, c->a_count, c->b_keys.host, c->b_values.host, c->b_count);
}

static const clprim_merge_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
};
static const int order[] = {CLPRIM_MERGE_TILES, CLPRIM_MERGE_PATH, CLPRIM_MERGE_CPU_CHUNK, CLPRIM_MERGE_NAIVE,
                            CLPRIM_MERGE_AUTO};

static const clprim__operation operation = {
    .face = &clprim_merge_operation,
    .plan_size = sizeof(clprim__merge_plan),
    .tunables = &clprim__merge_tunables,
    .make = clprim__merge_make,
    .count = count,
    .scratch = clprim__merge_scratch,
    .launch = clprim__merge_launch,
    .pieces = &clprim__two_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(merge, "stably merge two sorted ranges", clprim__merge_variants, "u32",
                         "f32 and values, descending")
