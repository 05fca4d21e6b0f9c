// SPDX-License-Identifier: MIT
/* segmented_top_k_operation.c: the first k of each segment: description and call, reference, and samples. */
#include <clprim/reference.h>

#include "plan_table.h"
#include "segmented_top_k_internal.h"
#include "segments.h"

#define DESC(...) CLPRIM__DESC(segmented_top_k, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(segmented_top_k, __VA_ARGS__)

CLPRIM__ELEMENT(key, segmented_top_k, clprim__type_or(d->key_type, CLPRIM_U32))
CLPRIM__ELEMENT(value_in, segmented_top_k, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(value_out, segmented_top_k, clprim__value_or_index(d->value_size, d->indices, d->index_type))
CLPRIM__ELEMENT(offset, segmented_top_k,
                d->segment_length != 0 ? clprim__no_element() : clprim__type_or(d->offsets_type, CLPRIM_U32))
CLPRIM__LENGTH(length, segmented_top_k, c->count)
CLPRIM__LENGTH(offsets_length, segmented_top_k, c->segment_count == 0 ? 0 : clprim__plus(c->segment_count, 1))
CLPRIM__LENGTH(out_length, segmented_top_k, clprim__times(c->segment_count, d->k))
CLPRIM__COUNT(segmented_top_k, c->count)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    DESC(k, SIZE, "how many of each segment are wanted, at least 1"),
    DESC(smallest, BOOL, "the smallest instead of the largest"),
    CLPRIM__NAN_MEMBER(segmented_top_k),
    CLPRIM__VALUE_MEMBER(segmented_top_k),
    DESC(indices, BOOL, "the values are the keys' indices in their segments"),
    CLPRIM__INDEX_MEMBER(segmented_top_k),
    DESC(unsorted, BOOL, "in the order of the input"),
    DESC(segment_length, SIZE, "elements of each segment, of which calls then have no offsets; default: by offsets"),
    DESC(offsets_type, TYPE, "type of the segments' offsets: u32 (default) or u64"),
    DESC(max_count, SIZE, "elements of any call; default: fewer than 2^32"),
    DESC(max_segments, SIZE, "segments of any call; default: fewer than 2^32 - 1"),
    DESC(variant, ENUM, "how to do it; default auto"),
    DESC(work_group_size, SIZE, "work-items per work-group, a power of two; default: tuned"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key, .length = length),
    CALL(values_in, INPUT, "their values", .element = value_in, .length = length),
    CALL(offsets, INPUT, "where segments begin and end", .element = offset, .length = offsets_length),
    CALL(count, SIZE, "how many keys there are"),
    CALL(segment_count, SIZE, "how many segments there are"),
    CALL(keys_out, OUTPUT, "a row of k for each segment: the first min(k, length) of its keys", .element = key,
         .length = out_length, .is_partial = true),
    CALL(values_out, OUTPUT, "their values, or their indices", .element = value_out, .length = out_length,
         .is_partial = true),
    {0},
};

/* So many rows that there are about `wanted` elements. */
static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_segmented_top_k_desc *d = desc;
    clprim_segmented_top_k_call *c = call;
    const clprim_element element = key(desc, 0);
    c->count = wanted;
    if (d->segment_length != 0) {
        c->segment_count = clprim__trial_count(wanted / d->segment_length, d->max_segments);
        c->count = c->segment_count * d->segment_length;
    } else {
        c->offsets.host = clprim__trial_offsets(trial, &c->segment_count, offset(desc, 0).size, wanted, SIZE_MAX,
                                                clprim__trial_count(SIZE_MAX, d->max_segments));
    }
    c->keys_in.host = clprim__trial_elements(trial, element.type, c->count);
    if (d->value_size > 0)
        c->values_in.host = clprim__trial_values(trial, c->keys_in.host, element.size, d->value_size, c->count, false);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_segmented_top_k_desc *d = desc;
    const clprim_segmented_top_k_call *c = call;
    const clprim_reference_top_k_how how = {.key_type = d->key_type,
                                            .k = d->k,
                                            .smallest = d->smallest,
                                            .nan_order = d->nan_order,
                                            .value_size = value_out(desc, 0).size,
                                            .indices = d->indices,
                                            .unsorted = d->unsorted};
    return clprim_reference_segmented_top_k(c->keys_out.host, c->values_out.host, &how, c->keys_in.host,
                                            c->values_in.host, c->count, d->segment_length, d->offsets_type,
                                            c->offsets.host, c->segment_count);
}

static const clprim_segmented_top_k_desc samples[] = {
    {.key_type = CLPRIM_F32, .k = 8, .indices = true, .segment_length = 64},
    {.key_type = CLPRIM_U32, .k = 100},
    {.key_type = CLPRIM_I16, .k = 7, .value_size = 8, .smallest = true, .unsorted = true, .segment_length = 100},
};
static const int order[] = {CLPRIM_SEGMENTED_TOP_K_SELECT, CLPRIM_SEGMENTED_TOP_K_SORT,
                            CLPRIM_SEGMENTED_TOP_K_CPU_CHUNK, CLPRIM_SEGMENTED_TOP_K_AUTO};

static const clprim__operation operation = {
    .face = &clprim_segmented_top_k_operation,
    .plan_size = sizeof(clprim__segmented_top_k_plan),
    .tunables = &clprim__segmented_top_k_tunables,
    .make = clprim__segmented_top_k_make,
    .clear = clprim__segmented_top_k_clear,
    .count = count,
    .check = clprim__segmented_top_k_check,
    .scratch = clprim__segmented_top_k_scratch,
    .launch = clprim__segmented_top_k_launch,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(segmented_top_k, "the k largest or smallest keys of each segment",
                         clprim__segmented_top_k_variants, "8 of f32 in rows, indices", "100 of u32",
                         "7 of i16 in rows and values, unsorted")
