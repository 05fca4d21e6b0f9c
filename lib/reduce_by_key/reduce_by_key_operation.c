// SPDX-License-Identifier: MIT
/* reduce_by_key_operation.c: the description and call of folds by key, their reference, and samples. */
#include <clprim/reference.h>

#include "plan_table.h"
#include "reduce_by_key_internal.h"

#define DESC(...) CLPRIM__DESC(reduce_by_key, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(reduce_by_key, __VA_ARGS__)

CLPRIM__ELEMENT(key, reduce_by_key, clprim__element_of(d->key_type, CLPRIM_I32, d->key_type_name, d->key_type_size))
CLPRIM__ELEMENT(element, reduce_by_key, d->input != NULL ? clprim__no_element() : clprim__operand(d->type, d->custom))
CLPRIM__ELEMENT(result, reduce_by_key, clprim__result(d->type, d->op, d->accumulator_type, d->custom))
CLPRIM__DEFINE_OUTPUT(reduce_by_key, result)
CLPRIM__ELEMENT(number, reduce_by_key, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(length, reduce_by_key, c->count)
CLPRIM__COUNT(reduce_by_key, c->count)

CLPRIM__DEFINE_ARGUMENTS(reduce_by_key)
CLPRIM__DEFINE_COUNT_AT(reduce_by_key)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default i32"),
    DESC(key_type_name, TEXT, "name of a type of keys declared in source; default: a built-in type"),
    DESC(key_type_size, SIZE, "size of that type on the host, in bytes"),
    DESC(equal, TEXT, "whether key b, right after a, is in a's run: an expression in OpenCL C; default: by all bits"),
    DESC(type, TYPE, "type of the values; default i32"),
    CLPRIM__OPERATOR_MEMBERS(reduce_by_key, CLPRIM__INPUT_MEMBER(reduce_by_key), ),
    CLPRIM__OUTPUT_MEMBERS(
        reduce_by_key,
        "what is written to values_out: OpenCL C over the result r of run i and the parameters; default: r",
        "the results'"),
    CLPRIM__INDEX_MEMBER(reduce_by_key),
    CLPRIM__COUNT_AT_MEMBER(reduce_by_key),
    DESC(max_count, SIZE, "elements of any call; default: fewer than 2^32"),
    DESC(variant, ENUM, "how to do it; default auto"),
    {0},
};

/* For outputs with a place for each run. */
#define RUNS .length = length, .counted_by = "out_count", .may_be_short = true

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key, .length = length),
    CALL(values_in, INPUT, "their values", .element = element, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(reduce_by_key, length),
    CLPRIM__CALL_COUNT_AT(reduce_by_key, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(keys_out, OUTPUT, "the key of each run", .element = key, RUNS),
    CALL(values_out, OUTPUT, "the result of each run, or what is made of it", .element = output, RUNS),
    CALL(out_count, OUTPUT, "how many runs there are", .element = number, .length = clprim__one),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_reduce_by_key_desc *d = desc;
    clprim_reduce_by_key_call *c = call;
    c->count = wanted;
    c->keys_in.host = clprim__trial_runs(trial, key(desc, 0).size, wanted);
    c->values_in.host = clprim__trial_numbers(trial, element(desc, 0).type, d->op, d->accumulator_type, wanted);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_reduce_by_key_desc *d = desc;
    const clprim_reduce_by_key_call *c = call;
    size_t runs = 0;
    const clprim_status status = clprim_reference_reduce_by_key(
        c->keys_out.host, c->values_out.host, &runs, key(desc, 0).size,
        &CLPRIM__REFERENCE_OPERATOR_OF(d, element(desc, 0).type), c->keys_in.host, c->values_in.host, c->count);
    clprim__put_number(&c->out_count, number(desc, 0), runs);
    return status;
}

static const clprim_reduce_by_key_desc samples[] = {
    {.type = CLPRIM_I32},
    {.key_type = CLPRIM_U8, .type = CLPRIM_F32, .op = CLPRIM_MIN, .index_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_CPU_CHUNK,
                            CLPRIM_SCAN_AUTO};

static const clprim__operation operation = {
    .face = &clprim_reduce_by_key_operation,
    .plan_size = sizeof(clprim__scan_plan),
    .make = clprim__reduce_by_key_make,
    .clear = clprim__scan_clear,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__scan_scratch,
    .launch = clprim__reduce_by_key_launch,
    .pieces = &clprim__reduce_by_key_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(reduce_by_key, "fold the values of each run of equal keys", clprim__scan_run_variants,
                         "sums of i32", "minima of f32 by u8")
