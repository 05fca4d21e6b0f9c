// SPDX-License-Identifier: MIT
/* sort_by_key_operation.c: the description and call of a sort of several arrays by key, its reference, and samples. */
#include <clprim/reference.h>

#include "plan_sort.h"
#include "plan_table.h"
#include "sort_by_key_internal.h"

#define DESC(...) CLPRIM__DESC(sort_by_key, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(sort_by_key, __VA_ARGS__)

_Static_assert(5 * (2 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS) <= CLPRIM__TRIAL_MAX_ARRAYS,
               "of keys, of the count and of each array: what is given, what is expected, copies of it for two "
               "buffers, what is found");

static clprim_element array_of(const void *desc, size_t index)
{
    return index < clprim__sort_by_key_num_arrays(desc)
               ? (clprim_element){.size = clprim__sort_by_key_element_size(desc, index)}
               : clprim__no_element();
}

CLPRIM__ELEMENT(key, sort_by_key, clprim__element_of(d->key_type, CLPRIM_U32, d->type_name, d->type_size))
CLPRIM__ELEMENT(key_in, sort_by_key, d->input != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(key_out, sort_by_key, clprim__sort_by_key_has_no_keys_out(d) ? clprim__no_element() : key(desc, 0))
CLPRIM__LENGTH(length, sort_by_key, c->count)
CLPRIM__COUNT(sort_by_key, c->count)
CLPRIM__DEFINE_ARGUMENTS(sort_by_key)
CLPRIM__DEFINE_COUNT_AT(sort_by_key)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__INPUT_MEMBER(sort_by_key),
    CLPRIM__THEN_MEMBERS(sort_by_key),
    DESC(less, TEXT,
         "whether key a must come before key b: an expression in OpenCL C; default: the order of radix_sort"),
    CLPRIM__SOURCE_MEMBERS(sort_by_key),
    DESC(descending, BOOL, "the opposite order"),
    CLPRIM__NAN_MEMBER(sort_by_key),
    CLPRIM__BITS_MEMBERS(sort_by_key),
    DESC(values_only, BOOL, "the sorted keys are not wanted"),
    DESC(num_arrays, SIZE, "how many arrays are sorted by the keys, 1 to 16; default 1"),
    DESC(element_sizes, SIZE, "bytes per element of each array, 1 to 256; default 4"),
    CLPRIM__COUNT_AT_MEMBER(sort_by_key),
    CLPRIM__PLAN_MEMBERS(sort_by_key),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key_in, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(sort_by_key, length),
    CALL(arrays_in, INPUT, "the arrays", .repeat = CLPRIM_SORT_BY_KEY_MAX_ARRAYS, .element = array_of,
         .length = length),
    CLPRIM__CALL_COUNT_AT(sort_by_key, count_at),
    CALL(count, SIZE, "how many elements each has"),
    CALL(keys_out, OUTPUT, "the keys, sorted", .element = key_out, .length = length, .in_place_of = "keys_in"),
    CALL(arrays_out, OUTPUT, "the arrays in the order of the keys", .repeat = CLPRIM_SORT_BY_KEY_MAX_ARRAYS,
         .element = array_of, .length = length, .in_place_of = "arrays_in"),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_sort_by_key_desc *d = desc;
    clprim_sort_by_key_call *c = call;
    const clprim_element element = key(desc, 0);
    c->count = wanted;
    c->keys_in.host = clprim__trial_elements(trial, element.type, wanted);
    for (size_t i = 0; i < clprim__sort_by_key_num_arrays(d); i++)
        c->arrays_in[i].host =
            clprim__trial_values(trial, c->keys_in.host, element.size, array_of(desc, i).size, wanted, false);
}

/* The reference function sorts keys in place, so the keys are first copied to keys_out. With values_only, it does not
 * change the keys, so they need no copy. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_sort_by_key_desc *d = desc;
    const clprim_sort_by_key_call *c = call;
    void *arrays[CLPRIM_SORT_BY_KEY_MAX_ARRAYS] = {NULL};
    clprim_reference_sort_by_key_how how = {.key_type = d->key_type,
                                            .descending = d->descending,
                                            .nan_order = d->nan_order,
                                            .bit_range = d->bit_range,
                                            .begin_bit = d->begin_bit,
                                            .end_bit = d->end_bit,
                                            .values_only = d->values_only,
                                            .num_arrays = clprim__sort_by_key_num_arrays(d)};
    for (size_t i = 0; i < clprim__sort_by_key_num_arrays(d); i++) {
        how.element_sizes[i] = array_of(desc, i).size;
        arrays[i] = c->arrays_out[i].host;
        clprim__copy_array(&c->arrays_out[i], &c->arrays_in[i], c->count * how.element_sizes[i]);
    }
    if (d->values_only)
        return clprim_reference_sort_by_key(c->keys_in.host, arrays, &how, c->count);
    clprim__copy_array(&c->keys_out, &c->keys_in, c->count * key(desc, 0).size);
    return clprim_reference_sort_by_key(c->keys_out.host, arrays, &how, c->count);
}

static const clprim_sort_by_key_desc samples[] = {
    {.key_type = CLPRIM_F32, .num_arrays = 2, .element_sizes = {4, 12}},
    {.key_type = CLPRIM_U16, .values_only = true, .descending = true},
};
/* the sort on which it is built chooses its own variants */
static const int order[] = {CLPRIM_RADIX_SORT_AUTO};

static const char *const texts[] = {"input", "then", NULL}; /* these are over an element's index */
static const clprim__operation operation = {
    .face = &clprim_sort_by_key_operation,
    .plan_size = sizeof(clprim__sort_by_key_plan),
    .make = clprim__sort_by_key_make,
    .clear = clprim__sort_by_key_clear,
    .count = count,
    .replaces_arguments = texts,
    .check = clprim__sort_by_key_check,
    .scratch = clprim__sort_by_key_scratch,
    .pooled = clprim__sort_by_key_pooled,
    .launch = clprim__sort_by_key_launch,
    .pieces = &clprim__sort_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(sort_by_key, "stably sort several arrays at once by one array of keys", NULL,
                         "two arrays by f32", "an array by u16, descending")
