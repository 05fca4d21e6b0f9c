// SPDX-License-Identifier: MIT
/* bitonic_sort_operation.c: the description and call of a bitonic sort, its reference, and samples. */
#include <clprim/reference.h>

#include "bitonic_sort_internal.h"
#include "error.h"
#include "plan_sort.h"
#include "plan_table.h"
#include "segments.h"

#define DESC(...) CLPRIM__DESC(bitonic_sort, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(bitonic_sort, __VA_ARGS__)

CLPRIM__ELEMENT(key, bitonic_sort, clprim__element_of(d->key_type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(value, bitonic_sort, (clprim_element){.size = d->value_size})
CLPRIM__ELEMENT(offset, bitonic_sort,
                d->segmented ? clprim__type_or(d->offsets_type, CLPRIM_U32) : clprim__no_element())
CLPRIM__LENGTH(length, bitonic_sort, c->count)
CLPRIM__LENGTH(offsets_length, bitonic_sort, c->segment_count == 0 ? 0 : clprim__plus(c->segment_count, 1))
CLPRIM__COUNT(bitonic_sort, c->count)

CLPRIM__DEFINE_ARGUMENTS(bitonic_sort)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__ORDER_MEMBERS(bitonic_sort),
    CLPRIM__VALUE_MEMBER(bitonic_sort),
    DESC(segmented, BOOL, "sort each segment independently"),
    DESC(offsets_type, TYPE, "type of the segments' offsets: u32 (default) or u64"),
    CLPRIM__PLAN_MEMBERS(bitonic_sort),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key, .length = length),
    CALL(values_in, INPUT, "their values", .element = value, .length = length),
    CALL(offsets, INPUT, "where segments begin and end", .element = offset, .length = offsets_length),
    CLPRIM__ARGUMENTS_MEMBER(bitonic_sort, length),
    CALL(count, SIZE, "how many keys there are"),
    CALL(segment_count, SIZE, "how many segments there are"),
    CALL(keys_out, OUTPUT, "the keys, sorted", .element = key, .length = length, .in_place_of = "keys_in",
         .is_partial = true),
    CALL(values_out, OUTPUT, "their values", .element = value, .length = length, .in_place_of = "values_in",
         .is_partial = true),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_bitonic_sort_desc *d = desc;
    clprim_bitonic_sort_call *c = call;
    const clprim_element element = key(desc, 0);
    c->count = wanted;
    c->keys_in.host = clprim__trial_elements(trial, element.type, wanted);
    if (d->value_size > 0)
        c->values_in.host = clprim__trial_values(trial, c->keys_in.host, element.size, d->value_size, wanted, true);
    if (d->segmented)
        c->offsets.host =
            clprim__trial_offsets(trial, &c->segment_count, offset(desc, 0).size, wanted, SIZE_MAX, SIZE_MAX);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_bitonic_sort_desc *d = desc;
    const clprim_bitonic_sort_call *c = call;
    const clprim_reference_bitonic_how how = {
        .type = d->key_type, .value_size = d->value_size, .descending = d->descending, .nan_order = d->nan_order};
    const size_t key_size = key(desc, 0).size;
    char *keys = c->keys_out.host;
    char *values = d->value_size > 0 ? c->values_out.host : NULL;
    clprim_status status = CLPRIM_SUCCESS;
    clprim__copy_array(&c->keys_out, &c->keys_in, c->count * key_size);
    clprim__copy_array(&c->values_out, &c->values_in, c->count * d->value_size);
    if (!d->segmented)
        return clprim_reference_bitonic_sort(keys, values, &how, c->count);
    for (size_t s = 0; s < c->segment_count; s++) {
        const size_t begin = clprim__offset_at(c->offsets.host, offset(desc, 0).size, s);
        const size_t length = clprim__offset_at(c->offsets.host, offset(desc, 0).size, s + 1) - begin;
        CLPRIM__TRY(clprim_reference_bitonic_sort(
            keys + begin * key_size, values != NULL ? values + begin * d->value_size : NULL, &how, length));
    }
done:
    return status;
}

static const clprim_bitonic_sort_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
    {.key_type = CLPRIM_I32, .segmented = true},
};
static const int order[] = {CLPRIM_BITONIC_SORT_REGISTER_BLOCK, CLPRIM_BITONIC_SORT_LOCAL_MERGE,
                            CLPRIM_BITONIC_SORT_CPU_CHUNK,      CLPRIM_BITONIC_SORT_BEST,
                            CLPRIM_BITONIC_SORT_NAIVE,          CLPRIM_BITONIC_SORT_AUTO};

static const clprim__operation operation = {
    .face = &clprim_bitonic_sort_operation,
    .plan_size = sizeof(clprim__bitonic_sort_plan),
    .tunables = &clprim__bitonic_sort_tunables,
    .make = clprim__bitonic_sort_make,
    .count = count,
    .reads_outputs = true,
    .check = clprim__bitonic_sort_check,
    .launch = clprim__bitonic_sort_launch,
    .pieces = &clprim__sort_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(bitonic_sort, "sort by comparisons alone, in place", clprim__bitonic_sort_variants, "u32",
                         "f32 and values, descending", "i32 by segments")
