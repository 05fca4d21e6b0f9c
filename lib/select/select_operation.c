// SPDX-License-Identifier: MIT
/* select_operation.c: the description and call of a selection, its reference, and samples. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "flags.h"
#include "native.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "select_internal.h"

#define DESC(...) CLPRIM__DESC(select, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(select, __VA_ARGS__)

CLPRIM__ELEMENT(element, select, clprim__element_of(d->type, CLPRIM_I32, d->type_name, d->type_size))
CLPRIM__ELEMENT(flag, select, d->predicate != NULL ? clprim__no_element() : clprim__type_or(d->flags_type, CLPRIM_U8))
CLPRIM__ELEMENT(in_element, select, d->input != NULL ? clprim__no_element() : element(d, 0))
CLPRIM__DEFINE_OUTPUT(select, element)
CLPRIM__ELEMENT(number, select, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(length, select, c->count)
CLPRIM__COUNT(select, c->count)

CLPRIM__DEFINE_ARGUMENTS(select)
CLPRIM__DEFINE_COUNT_AT(select)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    DESC(predicate, TEXT, "which elements x, of index i, are selected: an expression in OpenCL C; default: by flags"),
    CLPRIM__INPUT_MEMBER(select),
    CLPRIM__OUTPUT_MEMBERS(
        select,
        "what is stored: OpenCL C over the selected element r, its place i in the input and the parameters; "
        "default: r",
        "the elements'"),
    CLPRIM__SOURCE_MEMBERS(select),
    DESC(flags_type, TYPE, "type of the flags; default u8"),
    CLPRIM__INDEX_MEMBER(select),
    CLPRIM__COUNT_AT_MEMBER(select),
    CLPRIM__PLAN_MEMBERS(select),
    DESC(items_per_work_item, SIZE, "elements per work-item; default: tuned"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = in_element, .length = length),
    CALL(flags, INPUT, "a flag for each element, without a predicate", .element = flag, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(select, length),
    CLPRIM__CALL_COUNT_AT(select, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "the selected elements, or what is made of them", .element = output, .length = length,
         .counted_by = "out_count", .may_be_short = true),
    CALL(out_count, OUTPUT, "how many were selected", .element = number, .length = clprim__one),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    clprim_select_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_elements(trial, element(desc, 0).type, wanted);
    c->flags.host = clprim__trial_runs(trial, flag(desc, 0).size, wanted);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_select_call *c = call;
    size_t selected = 0;
    uint8_t *keep = malloc(c->count + 1);
    if (keep == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
    for (size_t i = 0; i < c->count; i++)
        keep[i] = clprim__is_set((const char *)c->flags.host + i * flag(desc, 0).size, flag(desc, 0).type);
    const clprim_status status =
        clprim_reference_select(c->out.host, &selected, element(desc, 0).size, keep, c->in.host, c->count);
    free(keep);
    clprim__put_number(&c->out_count, number(desc, 0), selected);
    return status;
}

static const clprim_select_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_U8, .flags_type = CLPRIM_I32, .index_type = CLPRIM_U64},
    {.type = CLPRIM_F64},
};
static const int order[] = {CLPRIM_SELECT_LOOK_BACK, CLPRIM_SELECT_COUNT_THEN_MOVE, CLPRIM_SELECT_CPU_CHUNK,
                            CLPRIM_SELECT_AUTO};

/* In pieces: the selected elements of a part follow those of the part before it. */
static const char *const texts[] = {"predicate", "input", "output", NULL};
static const clprim__pieces pieces = {.count_place = offsetof(clprim_select_call, count), .texts = texts};

static const clprim__operation operation = {
    .face = &clprim_select_operation,
    .plan_size = sizeof(clprim__select_plan),
    .tunables = &clprim__select_tunables,
    .make = clprim__select_make,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__select_scratch,
    .launch = clprim__select_launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
    .native = &clprim__select_native,
};

CLPRIM__DEFINE_OPERATION(select, "keep the elements that satisfy a predicate", clprim__select_variants, "i32",
                         "u8 by flags of i32", "f64")
