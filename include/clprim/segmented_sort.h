// SPDX-License-Identifier: MIT
/* clprim/segmented_sort.h: stably sort each segment of an array independently: many short segments, few long ones, or
 * both in one call.
 *
 *     clprim_plan *plan;
 *     clprim_segmented_sort_create(&plan, runtime, &(clprim_segmented_sort_desc){.key_type = CLPRIM_F32});
 *     clprim_segmented_sort_enqueue(plan, queue,
 *                                   &(clprim_segmented_sort_call){.keys_in = {.buffer = keys},
 *                                                                 .offsets = {.buffer = offsets},
 *                                                                 .count = n,
 *                                                                 .segment_count = rows,
 *                                                                 .keys_out = {.buffer = sorted}},
 *                                   0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * With .segment_length, segment s has the elements s * .segment_length to (s + 1) * .segment_length - 1. Without it,
 * segment s has the elements offsets[s] to offsets[s + 1] - 1, counted from the first element of the call. Offsets must
 * ascend and must not exceed `count`; segments may be empty. Elements outside all segments, before the first offset or
 * from the last offset on, are not written to the outputs. Offsets stay on the device. If they are invalid, the kernels
 * still access nothing outside the arrays, but the outputs are unspecified. run checks offsets on the host and refuses
 * invalid ones with CLPRIM_INVALID_ARGUMENT.
 *
 * To sort the rows of a matrix, set .segment_length to the number of columns. To sort the columns of a row-major
 * matrix, set it to the number of rows, and let .input read columns as rows. The result is the transposed matrix, which
 * a transform turns back:
 *
 *     .input = "a[i % rows * columns + i / rows]"               segmented_sort
 *     .expressions = {"b[i % columns * rows + i / columns]"}    transform
 *
 * The sort is stable. The result depends neither on the variant nor on the device. No bit of a key changes.
 *
 * Floats are sorted in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead.
 *
 * Scratch memory depends on the number of elements, not on the number of segments:
 * - LOCAL takes almost none. So does MIXED, if .max_segment_size fits the local memory of one work-group.
 * - Otherwise MIXED takes room for the keys and values once more and up to 13 bytes per key.
 * - In all other cases, 64-bit keys take at most 32 bytes per key (40 if .max_count is 2^32 or more), and the values
 *   once. Each shorter key forms a code of 32 or 64 bits with the number of its segment: there must be room for the
 *   codes twice and for the values twice.
 * - With .then, the keys of an element together count as one key of 16, 32 or 64 bits.
 * - If calls may leave out .keys_out, add room for the sorted keys; a call with .keys_out does not take that room from
 *   the runtime's pool.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs (tiles);
 * Batcher 1968, Sorting Networks and Their Applications (short segments); Adinets and Merrill 2022, Onesweep
 * (long segments). */
#ifndef CLPRIM_SEGMENTED_SORT_H
#define CLPRIM_SEGMENTED_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/segmented_sort/; clprim_segmented_sort_operation.variants describes the variants. */
typedef enum clprim_segmented_sort_variant {
    CLPRIM_SEGMENTED_SORT_AUTO = 0,
    CLPRIM_SEGMENTED_SORT_LOCAL,
    CLPRIM_SEGMENTED_SORT_COMPOSITE,
    CLPRIM_SEGMENTED_SORT_MIXED,
    CLPRIM_SEGMENTED_SORT_CPU_CHUNK
} clprim_segmented_sort_variant;

/* What to sort. Zeroed: U32 keys without values, in ascending order, by U32 offsets. See EXPRESSIONS
 * in clprim/plan.h. */
typedef struct clprim_segmented_sort_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value is converted to .key_type. Default: NULL (the keys
     * of .keys_in). */
    const char *input;

    /* Further keys, which order the elements whose first keys are equal (clprim/types.h). .then.descending has the
     * direction of each; .nan_order applies to all. Only with .input, and with values or .argsort. Calls have no
     * .keys_out. Default: none. */
    clprim_sort_keys then;

    /* Declarations, parameters and compiler options for the expressions. Only with .input. Default: none. */
    clprim_text text;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Write the index that each key had in the array, not in its segment, as its value. Calls have no .values_in. Not
     * with .value_size. Default: false. */
    bool argsort;

    /* Type of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Sort in descending order. Equal keys still keep their order. With .then, this is the direction of the first key
     * alone. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Sort only by the bits begin_bit to end_bit - 1 of each key's image (clprim/radix_sort.h). Elements whose bits are
     * equal keep their order. Not with .then. Default: false (all bits); begin_bit and end_bit must then be 0. */
    bool bit_range;

    /* First bit of the range, at most .end_bit. If they are equal, the sort copies the elements. Default: 0. */
    unsigned begin_bit;

    /* One past the last bit of the range. It may exceed the key's width: bits past the width are 0 in every key.
     * Default: 0. */
    unsigned end_bit;

    /* Number of elements of each segment, if all have the same length, as the rows of a matrix have. Calls then have no
     * .offsets. Default: 0 (calls have offsets). */
    size_t segment_length;

    /* Type of .offsets: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The largest number of segments of any call, at most 2^32 - 2. Default: 0 (2^32 - 2). */
    size_t max_segments;

    /* The largest number of elements of any segment. The caller promises it. A small number saves launches. The outputs
     * of a longer segment are unspecified: its elements may be unsorted or not written. Default: 0 (unknown, or
     * .segment_length). */
    size_t max_segment_size;

    /* The implementation. Default: CLPRIM_SEGMENTED_SORT_AUTO (the library chooses). */
    clprim_segmented_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_segmented_sort_desc;

/* One sort. .keys_out and .values_out may each be in place of an argument whose elements have the same size, if .input
 * reads that argument only at index `i`. */
typedef struct clprim_segmented_sort_call {
    /* `count` keys of .key_type. Not with .input. */
    clprim_array keys_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* `count` values of .value_size bytes. Only with .value_size. */
    clprim_array values_in;

    /* segment_count + 1 numbers of .offsets_type. Not with .segment_length. It may be left out if segment_count is
     * 0. */
    clprim_array offsets;

    /* The number of elements, at most .max_count. With .segment_length: segment_count * .segment_length. */
    size_t count;

    /* The number of segments, at most .max_segments. If only the device knows it: COUNTS ON THE DEVICE in
     * clprim/plan.h. */
    size_t segment_count;

    /* The keys, sorted within each segment. They may be in place of .keys_in. Not with .then. Optional with .input and
     * values or .argsort. */
    clprim_array keys_out;

    /* With .value_size: the values, in the order of their keys. They may be in place of .values_in. With .argsort: the
     * index that each sorted key had in the input, from 0 on, as .index_type. */
    clprim_array values_out;
} clprim_segmented_sort_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the keys of .input and .then have more than 64 bits together. Or the variant does not support
 *   the description. LOCAL sorts segments in the local memory of one work-group: give a .max_segment_size that fits.
 *   MIXED needs a .max_count below 2^32. So does CPU_CHUNK, unless .max_segment_size is given and at most 65536. AUTO
 *   always finds a variant.
 * - CLPRIM_INVALID_ARGUMENT: .segment_length is greater than .max_segment_size. */
CLPRIM_API clprim_status clprim_segmented_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                      const clprim_segmented_sort_desc *desc);

/* Enqueue one sort. Errors: see ENQUEUE in clprim/plan.h. In addition, CLPRIM_INVALID_ARGUMENT: with .segment_length,
 * the count is not segment_count * .segment_length. */
CLPRIM_API clprim_status clprim_segmented_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                       const clprim_segmented_sort_call *call, cl_uint num_waits,
                                                       const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_sort_run(clprim_runtime *runtime, const clprim_segmented_sort_desc *desc,
                                                   const clprim_segmented_sort_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_segmented_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
