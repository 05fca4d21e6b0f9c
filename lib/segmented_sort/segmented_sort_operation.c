// SPDX-License-Identifier: MIT
/* segmented_sort_operation.c: a sort by segments: its description and call, its reference, and samples of it. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "plan_table.h"
#include "segmented_sort_internal.h"
#include "segments.h"

#define DESC(...) CLPRIM__DESC(segmented_sort, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(segmented_sort, __VA_ARGS__)

CLPRIM__ELEMENT(key, segmented_sort, clprim__type_or(d->key_type, CLPRIM_U32))
CLPRIM__ELEMENT(key_in, segmented_sort, d->input != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(key_out, segmented_sort, d->then.inputs[0] != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(value_in, segmented_sort, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(value_out, segmented_sort, clprim__value_or_index(d->value_size, d->argsort, d->index_type))
CLPRIM__ELEMENT(offset, segmented_sort,
                d->segment_length != 0 ? clprim__no_element() : clprim__type_or(d->offsets_type, CLPRIM_U32))
CLPRIM__LENGTH(length, segmented_sort, c->count)
CLPRIM__LENGTH(offsets_length, segmented_sort, c->segment_count == 0 ? 0 : clprim__plus(c->segment_count, 1))
CLPRIM__COUNT(segmented_sort, c->count)
CLPRIM__DEFINE_ARGUMENTS(segmented_sort)
CLPRIM__DEFINE_KEYS_NEEDED(segmented_sort)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__INPUT_MEMBER(segmented_sort),
    CLPRIM__THEN_MEMBERS(segmented_sort),
    CLPRIM__TEXT_MEMBERS(segmented_sort),
    CLPRIM__VALUE_MEMBER(segmented_sort),
    DESC(argsort, BOOL, "the values are the keys' indices in the array"),
    CLPRIM__INDEX_MEMBER(segmented_sort),
    DESC(descending, BOOL, "the opposite order"),
    CLPRIM__NAN_MEMBER(segmented_sort),
    CLPRIM__BITS_MEMBERS(segmented_sort),
    DESC(segment_length, SIZE, "elements of each segment, of which calls then have no offsets; default: by offsets"),
    DESC(offsets_type, TYPE, "type of the segments' offsets: u32 (default) or u64"),
    DESC(max_count, SIZE, "elements of any call; default: fewer than 2^32"),
    DESC(max_segments, SIZE, "segments of any call; default: fewer than 2^32 - 1"),
    DESC(max_segment_size, SIZE, "a promise that no segment has more elements; default: not known"),
    DESC(variant, ENUM, "how to do it; default auto"),
    DESC(work_group_size, SIZE, "work-items per work-group, a power of two; default: tuned"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key_in, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(segmented_sort, length),
    CALL(values_in, INPUT, "their values", .element = value_in, .length = length),
    CALL(offsets, INPUT, "where segments begin and end", .element = offset, .length = offsets_length),
    CALL(count, SIZE, "how many keys there are"),
    CALL(segment_count, SIZE, "how many segments there are"),
    CALL(keys_out, OUTPUT, "the keys, each segment sorted", .element = key_out, .length = length,
         .in_place_of = "keys_in", .is_partial = true, CLPRIM__OPTIONAL_KEYS),
    CALL(values_out, OUTPUT, "their values, or with argsort their indices", .element = value_out, .length = length,
         .in_place_of = "values_in", .is_partial = true),
    {0},
};

/* What is in no segment, where there may not be so many, is none of the call's. */
static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_segmented_sort_desc *d = desc;
    clprim_segmented_sort_call *c = call;
    const clprim_element element = key(desc, 0);
    if (d->segment_length != 0) {
        c->segment_count = clprim__trial_count(wanted / d->segment_length, d->max_segments);
        wanted = c->segment_count * d->segment_length;
    }
    c->keys_in.host = clprim__trial_elements(trial, element.type, wanted);
    if (d->value_size > 0)
        c->values_in.host = clprim__trial_values(trial, c->keys_in.host, element.size, d->value_size, wanted, false);
    c->count = wanted;
    if (d->segment_length != 0)
        return;
    c->offsets.host = clprim__trial_offsets(trial, &c->segment_count, offset(desc, 0).size, wanted,
                                            clprim__trial_count(SIZE_MAX, d->max_segment_size),
                                            clprim__trial_count(SIZE_MAX, d->max_segments));
    c->count = c->offsets.host != NULL /* else memory is short */
                   ? clprim__offset_at(c->offsets.host, offset(desc, 0).size, c->segment_count)
                   : 0;
}

/* Where segments of one length begin and end, as U64. */
static uint64_t *offsets_of_rows(size_t length, size_t rows)
{
    uint64_t *offsets = malloc((rows + 1) * sizeof *offsets);
    for (size_t s = 0; offsets != NULL && s <= rows; s++)
        offsets[s] = s * length;
    return offsets;
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_segmented_sort_desc *d = desc;
    const clprim_segmented_sort_call *c = call;
    const bool has_offsets = d->segment_length == 0;
    uint64_t *offsets = has_offsets ? NULL : offsets_of_rows(d->segment_length, c->segment_count);
    if (!has_offsets && offsets == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
    const clprim_reference_sort_how how = {.key_type = d->key_type,
                                           .value_size = value_out(desc, 0).size,
                                           .argsort = d->argsort,
                                           .descending = d->descending,
                                           .bit_range = d->bit_range,
                                           .begin_bit = d->begin_bit,
                                           .end_bit = d->end_bit,
                                           .nan_order = d->nan_order};
    clprim__copy_array(&c->keys_out, &c->keys_in, c->count * key(desc, 0).size);
    clprim__copy_array(&c->values_out, &c->values_in, c->count * d->value_size);
    const clprim_status status = clprim_reference_segmented_sort(
        c->keys_out.host, c->values_out.host, &how, c->count, has_offsets ? d->offsets_type : CLPRIM_U64,
        has_offsets ? c->offsets.host : offsets, c->segment_count);
    free(offsets);
    return status;
}

static const clprim_segmented_sort_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
    {.key_type = CLPRIM_I16, .argsort = true, .max_segment_size = 100},
    {.key_type = CLPRIM_U32, .value_size = 2, .bit_range = true, .begin_bit = 5, .end_bit = 20, .segment_length = 50},
};
static const int order[] = {CLPRIM_SEGMENTED_SORT_MIXED, CLPRIM_SEGMENTED_SORT_COMPOSITE,
                            CLPRIM_SEGMENTED_SORT_CPU_CHUNK, CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_SEGMENTED_SORT_AUTO};

static const char *const texts[] = {"input", "then", NULL}; /* over an element's index */
static const clprim__operation operation = {
    .face = &clprim_segmented_sort_operation,
    .plan_size = sizeof(clprim__segmented_sort_plan),
    .tunables = &clprim__segmented_sort_tunables,
    .make = clprim__segmented_sort_make,
    .clear = clprim__segmented_sort_clear,
    .count = count,
    .replaces_arguments = texts,
    .check = clprim__segmented_sort_check,
    .scratch = clprim__segmented_sort_scratch,
    .pooled = clprim__segmented_sort_pooled,
    .launch = clprim__segmented_sort_launch,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(segmented_sort, "stably sort each segment of an array independently",
                         clprim__segmented_sort_variants, "u32", "f32 and values, descending",
                         "short segments of i16, indices", "rows of u32 by some bits, values")
