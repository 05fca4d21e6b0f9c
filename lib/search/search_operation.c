// SPDX-License-Identifier: MIT
/* search_operation.c: the description and call of a search, its reference, and samples. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "search_internal.h"

#define DESC(...) CLPRIM__DESC(search, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(search, __VA_ARGS__)

CLPRIM__ELEMENT(element, search, clprim__element_of(d->type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(needle, search, d->input != NULL ? clprim__no_element() : element(desc, 0))
CLPRIM__ELEMENT(number, search, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(in_length, search, c->count)
CLPRIM__LENGTH(needles_length, search, c->needle_count)
CLPRIM__COUNT(search, c->count > c->needle_count ? c->count : c->needle_count)

static bool keeps_some(const void *desc)
{
    return ((const clprim_search_desc *)desc)->found_only;
}

static const clprim_enumerator bounds[] = {{"lower", CLPRIM_BOUND_LOWER}, {"upper", CLPRIM_BOUND_UPPER}, {0}};

CLPRIM__DEFINE_ARGUMENTS(search)
CLPRIM__DEFINE_COUNT_AT(search)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of elements and needles; default u32"),
    DESC(input, TEXT, "the needles, instead of an array: OpenCL C over i and the parameters"),
    CLPRIM__ORDER_MEMBERS(search),
    DESC(bound, ENUM, "before the elements that are equal to the needle, or behind them; default lower",
         .enumerators = bounds),
    DESC(found_only, BOOL, "write only the indices of needles that the array has"),
    DESC(needles_are_sorted, BOOL, "a promise"),
    CLPRIM__INDEX_MEMBER(search),
    CLPRIM__COUNT_AT_MEMBER(search),
    CLPRIM__PLAN_MEMBERS(search),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements, sorted", .element = element, .length = in_length),
    CALL(needles, INPUT, "what is searched for", .element = needle, .length = needles_length),
    CLPRIM__ARGUMENTS_MEMBER(search, needles_length),
    CLPRIM__CALL_COUNT_AT(search, count_at, .is_optional = true),
    CALL(count, SIZE, "how many elements there are"),
    CLPRIM__CALL_COUNT_AT(search, needle_count_at, .is_optional = true),
    CALL(needle_count, SIZE, "how many needles there are"),
    CALL(out, OUTPUT, "for each needle its index", .element = number, .length = needles_length, .is_read = keeps_some),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_search_desc *d = desc;
    clprim_search_call *c = call;
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(d, element(desc, 0).type);
    c->count = wanted;
    c->needle_count = wanted / 2 + 1;
    c->in.host = clprim__trial_elements(trial, by.type, c->count);
    c->needles.host = clprim__trial_elements(trial, by.type, c->needle_count);
    clprim__trial_sort(trial, c->in.host, &by, c->count);
    if (d->needles_are_sorted)
        clprim__trial_sort(trial, c->needles.host, &by, c->needle_count);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_search_desc *d = desc;
    const clprim_search_call *c = call;
    const clprim_reference_order by = CLPRIM__REFERENCE_ORDER_OF(d, element(desc, 0).type);
    const bool is_upper = d->bound == CLPRIM_BOUND_UPPER;
    const size_t size = number(desc, 0).size;
    uint64_t *places = malloc((2 * c->needle_count + 1) * sizeof *places);
    uint64_t *others = places + c->needle_count; /* the other bounds: different if the array has the needle */
    clprim_status status = CLPRIM_SUCCESS;
    if (places == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
    CLPRIM__TRY(clprim_reference_search(places, &by, is_upper, c->in.host, c->count, c->needles.host, c->needle_count));
    CLPRIM__TRY(
        clprim_reference_search(others, &by, !is_upper, c->in.host, c->count, c->needles.host, c->needle_count));
    for (size_t k = 0; k < c->needle_count; k++)
        if (!d->found_only || places[k] != others[k])
            clprim__put_numbers(&(clprim_array){.host = (char *)c->out.host + k * size}, number(desc, 0), &places[k],
                                1);
done:
    free(places);
    return status;
}

static const clprim_search_desc samples[] = {
    {.type = CLPRIM_U32, .needles_are_sorted = true},
    {.type = CLPRIM_F32, .bound = CLPRIM_BOUND_UPPER, .descending = true, .index_type = CLPRIM_U64},
    {.type = CLPRIM_U8, .found_only = true},
};
static const int order[] = {CLPRIM_SEARCH_BINARY, CLPRIM_SEARCH_SORTED_NEEDLES, CLPRIM_SEARCH_CPU_CHUNK,
                            CLPRIM_SEARCH_AUTO};

/* In pieces: the needles are cut, and the array stays whole. Parts of the output may have any alignment. */
static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    (void)plan;
    return keeps_some(desc) ? "with .found_only, parts of the output would lose what they keep" : NULL;
}

static const char *const texts[] = {"input", NULL};
static const clprim__pieces pieces = {
    .obstacle = obstacle, .count_place = offsetof(clprim_search_call, needle_count), .texts = texts};

static const clprim__operation operation = {
    .face = &clprim_search_operation,
    .plan_size = sizeof(clprim__search_plan),
    .tunables = &clprim__search_tunables,
    .make = clprim__search_make,
    .count = count,
    .launch = clprim__search_launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(search, "find where each of many needles belongs in a sorted array", clprim__search_variants,
                         "u32, sorted needles", "f32, descending", "u8, those found")
