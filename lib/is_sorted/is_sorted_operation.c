// SPDX-License-Identifier: MIT
/* is_sorted_operation.c: the description and call of is_sorted, its reference, and samples. */
#include <clprim/reference.h>
#include <string.h>

#include "is_sorted_internal.h"
#include "order.h"
#include "plan_table.h"

#define DESC(...) CLPRIM__DESC(is_sorted, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(is_sorted, __VA_ARGS__)

CLPRIM__ELEMENT(element, is_sorted,
                d->input != NULL ? clprim__no_element()
                                 : clprim__element_of(d->type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(number, is_sorted, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(length, is_sorted, c->count)
CLPRIM__COUNT(is_sorted, c->count)

CLPRIM__DEFINE_ARGUMENTS(is_sorted)
CLPRIM__DEFINE_COUNT_AT(is_sorted)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default u32"),
    CLPRIM__INPUT_MEMBER(is_sorted),
    CLPRIM__ORDER_MEMBERS(is_sorted),
    CLPRIM__INDEX_MEMBER(is_sorted),
    CLPRIM__COUNT_AT_MEMBER(is_sorted),
    CLPRIM__PLAN_MEMBERS(is_sorted),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(is_sorted, length),
    CLPRIM__CALL_COUNT_AT(is_sorted, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "how many are sorted, from the first one on", .element = number, .length = clprim__one),
    {0},
};

/* The patterns are, in turn: elements in any order, sorted elements, sorted elements except for the last one. */
static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    clprim_is_sorted_call *c = call;
    const clprim_is_sorted_desc *d = desc;
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(d, element(desc, 0).type);
    const size_t size = clprim_type_size(by.type);
    const unsigned turn = trial->pattern % 3;
    char *data = clprim__trial_elements(trial, by.type, wanted);
    c->count = wanted;
    c->in.host = data;
    if (turn > 0)
        clprim__trial_sort(trial, data, &by, wanted);
    if (turn > 1 && wanted > 1 && data != NULL)
        memcpy(data + (wanted - 1) * size, data, size);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_is_sorted_call *c = call;
    const clprim_is_sorted_desc *d = desc;
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(d, element(desc, 0).type);
    size_t until = 0;
    const clprim_status status = clprim_reference_is_sorted(&until, &by, c->in.host, c->count);
    clprim__put_number(&c->out, number(desc, 0), until);
    return status;
}

static const clprim_is_sorted_desc samples[] = {
    {.type = CLPRIM_U32},
    {.type = CLPRIM_F64, .descending = true, .index_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_IS_SORTED_SINGLE_PASS, CLPRIM_IS_SORTED_TREE, CLPRIM_IS_SORTED_CPU_CHUNK,
                            CLPRIM_IS_SORTED_AUTO};

/* In pieces: each piece also gets the last element of the piece before it. */
static clprim__halo halo(const void *desc)
{
    (void)desc;
    return (clprim__halo){.left = 1};
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_is_sorted_call *c = call;
    (void)landing;
    return clprim__find_in_piece(self, &c->out, c->count);
}

static const char *const texts[] = {"input", NULL};
static const clprim__pieces pieces = {.count_place = offsetof(clprim_is_sorted_call, count),
                                      .halo = halo,
                                      .texts = texts,
                                      .launched = launched,
                                      .finish = clprim__find_in_pieces};

static const clprim__operation operation = {
    .face = &clprim_is_sorted_operation,
    .plan_size = sizeof(clprim__find_plan),
    .make = clprim__is_sorted_make,
    .count = count,
    .launches_for_none = true,
    .launch = clprim__is_sorted_launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(is_sorted, "is an array sorted, and if not, up to where?", clprim__find_variants, "u32",
                         "f64, descending")
