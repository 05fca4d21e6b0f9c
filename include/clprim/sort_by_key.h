// SPDX-License-Identifier: MIT
/* clprim/sort_by_key.h: stably sort several arrays by one array of keys, such as the arrays of a table by one column.
 *
 *     clprim_plan *plan;
 *     clprim_sort_by_key_create(
 *         &plan, runtime,
 *         &(clprim_sort_by_key_desc){.key_type = CLPRIM_F32, .num_arrays = 2, .element_sizes = {4, 12}});
 *     clprim_sort_by_key_enqueue(plan, queue,
 *                                &(clprim_sort_by_key_call){.keys_in = {.buffer = keys},
 *                                                           .arrays_in = {{.buffer = ids}, {.buffer = points}},
 *                                                           .count = n,
 *                                                           .keys_out = {.buffer = keys},
 *                                                           .arrays_out = {{.buffer = ids}, {.buffer = sorted}}},
 *                                0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The keys are an array, or come from an expression (.input). The order is that of clprim/radix_sort.h, or the caller's
 * own (.less). The sort is stable: elements with equal keys keep their order in every array. Elements may be of any
 * type; no bit of them changes.
 *
 * If there is one array, and its elements have 1, 2, 4, 8 or 16 bytes, it moves along with the keys. Otherwise the sort
 * moves indices, and then gathers each array by them: each element moves once, however many passes the sort makes.
 *
 * With .less, keys are sorted in the caller's own order, and may have the caller's own type. The comparison sort
 * of clprim/comparison_sort.h then takes the place of the radix sort, also in scratch memory.
 *
 * Scratch memory for one array that moves along: room for the keys and the array once more, and a few percent
 * for counters.
 *
 * Scratch memory otherwise:
 * - room for the indices;
 * - and the larger of two amounts: room for keys and indices once more with a few percent for counters; or a copy of
 *   the largest array. Only calls with an array in place take that copy from the runtime's pool.
 *
 * In both cases, .values_only and .then also take room for the sorted keys.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: the sorts of clprim/radix_sort.h and clprim/comparison_sort.h, which name their papers, and a gather. */
#ifndef CLPRIM_SORT_BY_KEY_H
#define CLPRIM_SORT_BY_KEY_H

#include <clprim/plan.h>
#include <clprim/radix_sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to sort. Zeroed: one array of 4-byte elements by U32 keys, in ascending order. See EXPRESSIONS and COUNTS ON THE
 * DEVICE in clprim/plan.h. */
typedef struct clprim_sort_by_key_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value is converted to .key_type. For example,
     * "records[i].price" sorts an array of structs by one of its members: the array is then both an argument and one of
     * .arrays_in. Default: NULL (the keys of .keys_in). */
    const char *input;

    /* Further keys, which order the elements whose first keys are equal (clprim/types.h). .then.descending has the
     * direction of each; .nan_order applies to all. Only with .input. Calls have no .keys_out. Not with .bit_range.
     * Default: none. */
    clprim_sort_keys then;

    /* The caller's order: an expression over two keys `a` and `b` (F16: floats), whose value is not 0 if a must come
     * before b, as in clprim/comparison_sort.h, which then sorts the keys. It must be a strict weak order. Not with
     * .then, .bit_range, .nan_order or .variant. Default: NULL (the order of clprim/radix_sort.h). */
    const char *less;

    /* Declarations, parameters and compiler options for the expressions. Only with .input or .less. Default: none. */
    clprim_text text;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Sort in descending order. Elements with equal keys still keep their order. With .then, this is the direction of
     * the first key alone. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Sort only by the bits begin_bit to end_bit - 1 of each key's image (clprim/radix_sort.h). Default: false (all
     * bits); begin_bit and end_bit must then be 0. */
    bool bit_range;

    /* First bit of the range, at most .end_bit. Default: 0. */
    unsigned begin_bit;

    /* One past the last bit of the range. Default: 0. */
    unsigned end_bit;

    /* Do not write the sorted keys: calls have no .keys_out. Default: false. */
    bool values_only;

    /* Number of arrays, 1 to CLPRIM_SORT_BY_KEY_MAX_ARRAYS. Default: 0 (1). */
    size_t num_arrays;

    /* Size of an element of each array, in bytes: 1 to 256; it need not be a power of two. Default: 0 (4). */
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. If it is 2^32 or more, variants that count in 32 bits are not
     * supported. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The variant of the radix sort. Default: CLPRIM_RADIX_SORT_AUTO (the library chooses). */
    clprim_radix_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_sort_by_key_desc;

/* One sort. The keys and each array may be sorted in place, independently of each other. Inputs that are not written
 * may overlap. Outputs may also be in place of an argument whose elements have the same size, if .input reads that
 * argument only at index `i`, and .less does not read it. */
typedef struct clprim_sort_by_key_call {
    /* `count` keys of .key_type or .type_name. Not with .input. */
    clprim_array keys_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The arrays to sort: the first .num_arrays, with `count` elements each. */
    clprim_array arrays_in[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The sorted keys. They may be in place of .keys_in. Not with .values_only or .then. With .less, the sort works in
     * this array, and in .arrays_out[0] if that moves along with the keys, so these buffers must allow reads, too. */
    clprim_array keys_out;

    /* The arrays in the order of the keys. Each may be in place of the same element of .arrays_in. */
    clprim_array arrays_out[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
} clprim_sort_by_key_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the keys of .input and .then have more than 64 bits together. Or the variant does not support
 *   the description (clprim_radix_sort_create, clprim_comparison_sort_create). */
CLPRIM_API clprim_status clprim_sort_by_key_create(clprim_plan **out, clprim_runtime *runtime,
                                                   const clprim_sort_by_key_desc *desc);

/* Enqueue one sort. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_sort_by_key_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                    const clprim_sort_by_key_call *call, cl_uint num_waits,
                                                    const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_sort_by_key_run(clprim_runtime *runtime, const clprim_sort_by_key_desc *desc,
                                                const clprim_sort_by_key_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_sort_by_key_operation;

#ifdef __cplusplus
}
#endif
#endif
