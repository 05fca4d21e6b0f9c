// SPDX-License-Identifier: MIT
/* unique_operation.c: the description and call of unique, its reference, and samples. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "unique_internal.h"

#define DESC(...) CLPRIM__DESC(unique, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(unique, __VA_ARGS__)

CLPRIM__ELEMENT(element, unique, clprim__element_of(d->type, CLPRIM_I32, d->type_name, d->type_size))
CLPRIM__ELEMENT(in_element, unique, d->input != NULL ? clprim__no_element() : element(d, 0))
CLPRIM__DEFINE_OUTPUT(unique, element)
CLPRIM__ELEMENT(value, unique, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(value_out, unique, clprim__value_or_index(d->value_size, d->indices, d->index_type))
CLPRIM__ELEMENT(number, unique, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(length, unique, c->count)
CLPRIM__COUNT(unique, c->count)

CLPRIM__DEFINE_ARGUMENTS(unique)
CLPRIM__DEFINE_COUNT_AT(unique)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    DESC(equal, TEXT, "whether b, right after a, is in a's run: an expression in OpenCL C; default: by all bits"),
    CLPRIM__INPUT_MEMBER(unique),
    CLPRIM__OUTPUT_MEMBERS(
        unique,
        "what is stored: OpenCL C over the first element r of a run, its place i in the input and the parameters; "
        "default: r",
        "the elements'"),
    CLPRIM__SOURCE_MEMBERS(unique),
    CLPRIM__VALUE_MEMBER(unique),
    DESC(indices, BOOL, "the values are the elements' indices in the input"),
    CLPRIM__INDEX_MEMBER(unique),
    CLPRIM__COUNT_AT_MEMBER(unique),
    DESC(max_count, SIZE, "elements of any call; default: fewer than 2^32"),
    DESC(variant, ENUM, "how to do it; default auto"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = in_element, .length = length),
    CALL(values_in, INPUT, "their values", .element = value, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(unique, length),
    CLPRIM__CALL_COUNT_AT(unique, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "the first element of each run, or what is made of it", .element = output, .length = length,
         .counted_by = "out_count", .may_be_short = true),
    CALL(values_out, OUTPUT, "the values of these elements, or their indices", .element = value_out, .length = length,
         .counted_by = "out_count", .may_be_short = true),
    CALL(out_count, OUTPUT, "how many runs there are", .element = number, .length = clprim__one),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const size_t value_size = value(desc, 0).size;
    clprim_unique_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_runs(trial, element(desc, 0).size, wanted);
    if (value_size > 0)
        c->values_in.host = clprim__trial_values(trial, c->in.host, element(desc, 0).size, value_size, wanted, false);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_unique_desc *d = desc;
    const clprim_unique_call *c = call;
    const clprim_element index = number(desc, 0);
    clprim_array indices = {0};
    size_t kept = 0;
    if (d->indices && (indices.host = malloc((c->count + 1) * index.size)) == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
    for (uint64_t i = 0; d->indices && i < c->count; i++)
        clprim__put_numbers(&(clprim_array){.host = (char *)indices.host + i * index.size}, index, &i, 1);
    const clprim_status status = clprim_reference_unique_by_key(
        c->out.host, c->values_out.host, &kept, element(desc, 0).size, value_out(desc, 0).size, NULL, c->in.host,
        d->indices ? indices.host : c->values_in.host, c->count);
    clprim__put_number(&c->out_count, index, kept);
    free(indices.host);
    return status;
}

static const clprim_unique_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F64, .index_type = CLPRIM_U64},
    {.type = CLPRIM_I32, .value_size = 8},
    {.type = CLPRIM_U8, .indices = true},
};
static const int order[] = {CLPRIM_SELECT_LOOK_BACK, CLPRIM_SELECT_COUNT_THEN_MOVE, CLPRIM_SELECT_CPU_CHUNK,
                            CLPRIM_SELECT_AUTO};

/* In pieces, the first element is compared with the last element of the previous piece. */
static clprim__halo halo(const void *desc)
{
    (void)desc;
    return (clprim__halo){.left = 1};
}

/* Make indices count from the first element of all pieces. */
static clprim_status prepare(clprim__cutting *self, void *call)
{
    (void)call;
    ((clprim__select_plan *)(void *)self->plans[self->piece > 0])->first_index = self->begin - self->left;
    return CLPRIM_SUCCESS;
}

static const char *const texts[] = {"input", "output", NULL};
static const clprim__pieces pieces = {
    .count_place = offsetof(clprim_unique_call, count), .halo = halo, .texts = texts, .prepare = prepare};

static const clprim__operation operation = {
    .face = &clprim_unique_operation,
    .plan_size = sizeof(clprim__select_plan),
    .make = clprim__unique_make,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__select_scratch,
    .launch = clprim__unique_launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(unique, "keep the first element of each run of equal elements", clprim__select_kernel_variants,
                         "i32", "f64", "i32 with values of 8 bytes", "u8 with indices")
