// SPDX-License-Identifier: MIT
/* set_operation_operation.c: the description and call of a set operation, its reference, and samples. */
#include <clprim/reference.h>

#include "plan_pieces.h"
#include "plan_table.h"
#include "set_operation_internal.h"

#define DESC(...) CLPRIM__DESC(set_operation, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(set_operation, __VA_ARGS__)

static size_t room(const clprim_set_operation_desc *d, const clprim_set_operation_call *c)
{
    return clprim__set_op_takes_b(d->op)      ? clprim__plus(c->a_count, c->b_count)
           : d->op == CLPRIM_SET_INTERSECTION ? clprim__smaller(c->a_count, c->b_count)
                                              : c->a_count;
}

CLPRIM__ELEMENT(key, set_operation, clprim__element_of(d->key_type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(value, set_operation, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(b_value, set_operation, clprim__set_op_takes_b(d->op) ? value(desc, 0) : clprim__no_element())
CLPRIM__ELEMENT(number, set_operation, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(a_length, set_operation, c->a_count)
CLPRIM__LENGTH(b_length, set_operation, c->b_count)
CLPRIM__LENGTH(both_length, set_operation, clprim__plus(c->a_count, c->b_count))
CLPRIM__LENGTH(out_length, set_operation, room(d, c))
CLPRIM__COUNT(set_operation, clprim__plus(c->a_count, c->b_count))

CLPRIM__DEFINE_ARGUMENTS(set_operation)
CLPRIM__DEFINE_COUNT_AT(set_operation)

static const clprim_enumerator ops[] = {{"union", CLPRIM_SET_UNION},
                                        {"intersection", CLPRIM_SET_INTERSECTION},
                                        {"difference", CLPRIM_SET_DIFFERENCE},
                                        {"symmetric_difference", CLPRIM_SET_SYMMETRIC_DIFFERENCE},
                                        {0}};

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    DESC(op, ENUM, "which set operation; default union", .enumerators = ops),
    CLPRIM__ORDER_MEMBERS(set_operation),
    CLPRIM__VALUE_MEMBER(set_operation),
    CLPRIM__INDEX_MEMBER(set_operation),
    CLPRIM__COUNT_AT_MEMBER(set_operation),
    CLPRIM__PLAN_MEMBERS(set_operation),
    {0},
};

static const clprim_member call_members[] = {
    CALL(a_keys, INPUT, "the first array, sorted", .element = key, .length = a_length),
    CALL(a_values, INPUT, "the values of its keys", .element = value, .length = a_length),
    CALL(b_keys, INPUT, "the second array, sorted", .element = key, .length = b_length),
    CALL(b_values, INPUT, "the values of its keys, if the result may have them", .element = b_value,
         .length = b_length),
    CLPRIM__ARGUMENTS_MEMBER(set_operation, both_length),
    CLPRIM__CALL_COUNT_AT(set_operation, a_count_at, .is_optional = true),
    CALL(a_count, SIZE, "keys in the first array"),
    CLPRIM__CALL_COUNT_AT(set_operation, b_count_at, .is_optional = true),
    CALL(b_count, SIZE, "keys in the second array"),
    CALL(keys_out, OUTPUT, "the result's keys, sorted", .element = key, .length = out_length,
         .counted_by = "out_count"),
    CALL(values_out, OUTPUT, "their values", .element = value, .length = out_length, .counted_by = "out_count"),
    CALL(out_count, OUTPUT, "how many keys the result has", .element = number, .length = clprim__one),
    {0},
};

/* Fill one of the two arrays: half of its elements are common to both arrays, and the others are its own. */
static void fill(clprim__trial *trial, const clprim_set_operation_desc *desc, clprim_array *keys, clprim_array *values,
                 size_t length, const void *common, size_t common_length)
{
    const clprim_element element = key(desc, 0);
    keys->host = clprim__trial_elements(trial, element.type, length);
    if (keys->host != NULL && common != NULL)
        memcpy(keys->host, common, clprim__smaller(length / 2, common_length) * element.size);
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(desc, element.type);
    clprim__trial_sort(trial, keys->host, &by, length);
    if (values != NULL && desc->value_size > 0)
        values->host = clprim__trial_values(trial, keys->host, element.size, desc->value_size, length, false);
}

static void sample(clprim__trial *trial, const void *given, void *call, size_t wanted)
{
    const clprim_set_operation_desc *desc = given;
    clprim_set_operation_call *c = call;
    const void *common = clprim__trial_elements(trial, key(desc, 0).type, wanted);
    c->a_count = wanted / 3;
    c->b_count = wanted - c->a_count;
    fill(trial, desc, &c->a_keys, &c->a_values, c->a_count, common, wanted);
    fill(trial, desc, &c->b_keys, clprim__set_op_takes_b(desc->op) ? &c->b_values : NULL, c->b_count, common, wanted);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_set_operation_desc *d = desc;
    const clprim_set_operation_call *c = call;
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(d, d->key_type);
    size_t found = 0;
    const clprim_status status = clprim_reference_set_operation(
        c->keys_out.host, c->values_out.host, &found, d->op, &by, d->value_size, c->a_keys.host, c->a_values.host,
        c->a_count, c->b_keys.host, c->b_values.host, c->b_count);
    if (status == CLPRIM_SUCCESS)
        clprim__put_number(&c->out_count, number(desc, 0), found);
    return status;
}

static const clprim_set_operation_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .op = CLPRIM_SET_INTERSECTION, .value_size = 4, .descending = true},
    {.key_type = CLPRIM_I64, .op = CLPRIM_SET_DIFFERENCE, .index_type = CLPRIM_U64},
    {.key_type = CLPRIM_U8, .op = CLPRIM_SET_SYMMETRIC_DIFFERENCE, .value_size = 2},
};
static const int order[] = {CLPRIM_SET_OPERATION_LOOK_BACK, CLPRIM_SET_OPERATION_COUNT_THEN_MOVE,
                            CLPRIM_SET_OPERATION_CPU_CHUNK, CLPRIM_SET_OPERATION_AUTO};

static const clprim__operation operation = {
    .face = &clprim_set_operation_operation,
    .plan_size = sizeof(clprim__set_operation_plan),
    .tunables = &clprim__set_operation_tunables,
    .make = clprim__set_operation_make,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__set_operation_scratch,
    .launch = clprim__set_operation_launch,
    .pieces = &clprim__two_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(set_operation, "union, intersection or difference of two sorted arrays",
                         clprim__set_operation_variants, "union of u32", "intersection of f32 and values, descending",
                         "difference of i64", "symmetric difference of u8 and values")
