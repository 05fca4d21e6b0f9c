// SPDX-License-Identifier: MIT
/* reduce_operation.c: the description and call of a reduction, its reference, and samples. */
#include <clprim/reference.h>

#include "native.h"
#include "plan_table.h"
#include "reduce_internal.h"

#define DESC(...) CLPRIM__DESC(reduce, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(reduce, __VA_ARGS__)

CLPRIM__ELEMENT(element, reduce, d->input != NULL ? clprim__no_element() : clprim__operand(d->type, d->custom))
CLPRIM__ELEMENT(result, reduce, clprim__result(d->type, d->op, d->accumulator_type, d->custom))
CLPRIM__DEFINE_OUTPUT(reduce, result)
CLPRIM__LENGTH(in_length, reduce, c->count)
CLPRIM__COUNT(reduce, c->count)

CLPRIM__DEFINE_ARGUMENTS(reduce)
CLPRIM__DEFINE_COUNT_AT(reduce)
CLPRIM__DEFINE_INITIAL_AT(reduce)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    CLPRIM__OPERATOR_MEMBERS(reduce, CLPRIM__INPUT_MEMBER(reduce), ),
    CLPRIM__OUTPUT_MEMBERS(reduce, "what is written: OpenCL C over the result r and the parameters; default: r",
                           "the result's"),
    CLPRIM__INITIAL_MEMBERS(reduce, "a value in front of the elements; default: none"),
    DESC(reproducible, BOOL, "the same bits on every device"),
    CLPRIM__COUNT_AT_MEMBER(reduce),
    CLPRIM__PLAN_MEMBERS(reduce),
    DESC(items_per_work_item, SIZE, "elements per work-item; default: tuned"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = in_length),
    CLPRIM__ARGUMENTS_MEMBER(reduce, in_length),
    CLPRIM__CALL_COUNT_AT(reduce, count_at),
    CALL(count, SIZE, "how many there are"),
    CLPRIM__CALL_INITIAL_AT(reduce),
    CALL(out, OUTPUT, "the result, or what is made of it: one element", .element = output, .length = clprim__one,
         .in_place_of = "initial_at"),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_reduce_desc *d = desc;
    clprim_reduce_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_numbers(trial, element(desc, 0).type, d->op, d->accumulator_type, wanted);
    if (d->has_initial_at)
        c->initial_at.host = clprim__trial_numbers(trial, result(desc, 0).type, d->op, d->accumulator_type, 1);
}

static bool has_reference(const void *desc)
{
    const clprim_reduce_desc *d = desc;
    return clprim__initial_is_exact(d->initial, result(desc, 0), d->op);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_reduce_desc *d = desc;
    const clprim_reduce_call *c = call;
    clprim_reference_operator by = CLPRIM__REFERENCE_OPERATOR_OF(d, element(desc, 0).type);
    by.initial = d->has_initial_at ? c->initial_at.host : d->initial;
    return clprim_reference_reduce(c->out.host, &by, c->in.host, c->count);
}

static const clprim_reduce_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F32, .op = CLPRIM_SUM},
    {.type = CLPRIM_I8, .op = CLPRIM_MAX, .has_initial_at = true},
    {.type = CLPRIM_F64, .op = CLPRIM_ARGMIN},
};
static const int order[] = {CLPRIM_REDUCE_SINGLE_PASS, CLPRIM_REDUCE_TREE,    CLPRIM_REDUCE_CPU_CHUNK,
                            CLPRIM_REDUCE_FIXED_TREE,  CLPRIM_REDUCE_STRIDED, CLPRIM_REDUCE_INTERLEAVED,
                            CLPRIM_REDUCE_AUTO};

static const clprim__operation operation = {
    .face = &clprim_reduce_operation,
    .plan_size = sizeof(clprim__reduce_plan),
    .tunables = &clprim__reduce_tunables,
    .make = clprim__reduce_make,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__reduce_scratch,
    .launch = clprim__reduce_launch,
    .native = &clprim__reduce_native,
    .pieces = &clprim__reduce_pieces,
    .has_reference = has_reference,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(reduce, "fold an array to one value", clprim__reduce_variants, "sum of i32", "sum of f32",
                         "max of i8 and a number on the device", "argmin of f64")
