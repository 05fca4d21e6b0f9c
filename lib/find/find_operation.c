// SPDX-License-Identifier: MIT
/* find_operation.c: the description and call of a search by predicate, its reference, and samples. */
#include <string.h>

#include "find_internal.h"
#include "flags.h"
#include "plan_table.h"

#define DESC(...) CLPRIM__DESC(find, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(find, __VA_ARGS__)

CLPRIM__ELEMENT(element, find, clprim__element_of(d->type, CLPRIM_I32, d->type_name, d->type_size))
CLPRIM__ELEMENT(in_element, find, d->input != NULL ? clprim__no_element() : element(d, 0))
CLPRIM__ELEMENT(number, find, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(length, find, c->count)
CLPRIM__COUNT(find, c->count)

CLPRIM__DEFINE_ARGUMENTS(find)
CLPRIM__DEFINE_COUNT_AT(find)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    DESC(predicate, TEXT,
         "whether element x, of index i, is looked for: an expression in OpenCL C; default: x is not 0"),
    CLPRIM__INPUT_MEMBER(find),
    CLPRIM__SOURCE_MEMBERS(find),
    CLPRIM__INDEX_MEMBER(find),
    CLPRIM__COUNT_AT_MEMBER(find),
    CLPRIM__PLAN_MEMBERS(find),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = in_element, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(find, length),
    CLPRIM__CALL_COUNT_AT(find, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "the index of the first element that is looked for; count if there is none", .element = number,
         .length = clprim__one),
    {0},
};

/* The patterns are, in turn: arbitrary elements, only zeros, zeros except for the last element. */
static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    clprim_find_call *c = call;
    const clprim_type type = element(desc, 0).type;
    const size_t size = clprim_type_size(type);
    const unsigned turn = trial->pattern % 3;
    char *data = turn == 0 ? clprim__trial_elements(trial, type, wanted) : clprim__trial_memory(trial, wanted * size);
    c->count = wanted;
    c->in.host = data;
    if (turn > 1 && wanted > 0 && data != NULL)
        data[(wanted - 1) * size] = 1;
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_find_call *c = call;
    const clprim_element in = element(desc, 0);
    size_t i = 0;
    while (i < c->count && !clprim__is_set((const char *)c->in.host + i * in.size, in.type))
        i++;
    clprim__put_number(&c->out, number(desc, 0), i);
    return CLPRIM_SUCCESS;
}

static const clprim_find_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F64, .index_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_FIND_SINGLE_PASS, CLPRIM_FIND_TREE, CLPRIM_FIND_CPU_CHUNK, CLPRIM_FIND_AUTO};

/* In pieces: stop after the first piece in which something is found. */
static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_find_call *c = call;
    (void)landing;
    return clprim__find_in_piece(self, &c->out, c->count);
}

static const char *const texts[] = {"predicate", "input", NULL};
static const clprim__pieces pieces = {.count_place = offsetof(clprim_find_call, count),
                                      .texts = texts,
                                      .launched = launched,
                                      .finish = clprim__find_in_pieces};

static const clprim__operation operation = {
    .face = &clprim_find_operation,
    .plan_size = sizeof(clprim__find_plan),
    .tunables = &clprim__find_tunables,
    .make = clprim__find_make,
    .count = count,
    .launches_for_none = true,
    .launch = clprim__find_launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(find, "the index of the first element that satisfies a predicate", clprim__find_variants,
                         "i32", "f64")
