// SPDX-License-Identifier: MIT
/* radix_sort_operation.c: the description and call of a radix sort, its reference, and samples. */
#include <clprim/reference.h>

#include "native.h"
#include "plan_sort.h"
#include "plan_table.h"
#include "radix_sort_internal.h"

#define DESC(...) CLPRIM__DESC(radix_sort, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(radix_sort, __VA_ARGS__)

CLPRIM__ELEMENT(key, radix_sort, clprim__type_or(d->key_type, CLPRIM_U32))
CLPRIM__ELEMENT(key_in, radix_sort, d->input != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(key_out, radix_sort, d->then.inputs[0] != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(value_in, radix_sort, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(value_out, radix_sort, clprim__value_or_index(d->value_size, d->argsort, d->index_type))
CLPRIM__LENGTH(length, radix_sort, c->count)
CLPRIM__COUNT(radix_sort, c->count)
CLPRIM__DEFINE_ARGUMENTS(radix_sort)
CLPRIM__DEFINE_COUNT_AT(radix_sort)
CLPRIM__DEFINE_KEYS_NEEDED(radix_sort)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__INPUT_MEMBER(radix_sort),
    CLPRIM__THEN_MEMBERS(radix_sort),
    CLPRIM__TEXT_MEMBERS(radix_sort),
    CLPRIM__VALUE_MEMBER(radix_sort),
    DESC(argsort, BOOL, "the values are the keys' indices"),
    CLPRIM__INDEX_MEMBER(radix_sort),
    DESC(descending, BOOL, "the opposite order"),
    CLPRIM__NAN_MEMBER(radix_sort),
    CLPRIM__BITS_MEMBERS(radix_sort),
    CLPRIM__COUNT_AT_MEMBER(radix_sort),
    CLPRIM__PLAN_MEMBERS(radix_sort),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key_in, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(radix_sort, length),
    CALL(values_in, INPUT, "their values", .element = value_in, .length = length),
    CLPRIM__CALL_COUNT_AT(radix_sort, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(keys_out, OUTPUT, "the keys, sorted", .element = key_out, .length = length, .in_place_of = "keys_in",
         CLPRIM__OPTIONAL_KEYS),
    CALL(values_out, OUTPUT, "their values, or with argsort their indices", .element = value_out, .length = length,
         .in_place_of = "values_in"),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_radix_sort_desc *d = desc;
    clprim_radix_sort_call *c = call;
    const clprim_element element = key(desc, 0);
    c->count = wanted;
    c->keys_in.host = clprim__trial_elements(trial, element.type, wanted);
    if (d->value_size > 0)
        c->values_in.host = clprim__trial_values(trial, c->keys_in.host, element.size, d->value_size, wanted, false);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_radix_sort_desc *d = desc;
    const clprim_radix_sort_call *c = call;
    const clprim_reference_sort_how how = {.key_type = d->key_type,
                                           .value_size = value_out(desc, 0).size,
                                           .argsort = d->argsort,
                                           .descending = d->descending,
                                           .nan_order = d->nan_order,
                                           .bit_range = d->bit_range,
                                           .begin_bit = d->begin_bit,
                                           .end_bit = d->end_bit};
    clprim__copy_array(&c->keys_out, &c->keys_in, c->count * key(desc, 0).size);
    clprim__copy_array(&c->values_out, &c->values_in, c->count * d->value_size);
    return clprim_reference_sort(c->keys_out.host, c->values_out.host, &how, c->count);
}

static const clprim_radix_sort_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
    {.key_type = CLPRIM_I16, .argsort = true, .max_count = 1000},
};
static const int order[] = {CLPRIM_RADIX_SORT_ONESWEEP, CLPRIM_RADIX_SORT_REDUCE_THEN_SCAN,
                            CLPRIM_RADIX_SORT_LOCAL,    CLPRIM_RADIX_SORT_CPU_BUCKETS,
                            CLPRIM_RADIX_SORT_SPLIT,    CLPRIM_RADIX_SORT_CPU_CHUNK,
                            CLPRIM_RADIX_SORT_AUTO};

static const char *const texts[] = {"input", "then", NULL}; /* over an element's index */
static const clprim__operation operation = {
    .face = &clprim_radix_sort_operation,
    .plan_size = sizeof(clprim__radix_sort_plan),
    .tunables = &clprim__radix_sort_tunables,
    .make = clprim__radix_sort_make,
    .count = count,
    .replaces_arguments = texts,
    .scratch = clprim__radix_sort_scratch_of,
    .pooled = clprim__radix_sort_pooled,
    .launch = clprim__radix_sort_launch,
    .pieces = &clprim__sort_pieces,
    .sample = sample,
    .reference = reference,
    .native = &clprim__radix_sort_native,
};

CLPRIM__DEFINE_OPERATION(radix_sort, "stably sort keys of a built-in type, alone or with values",
                         clprim__radix_sort_variants, "u32", "f32 and values, descending", "few i16, indices")
