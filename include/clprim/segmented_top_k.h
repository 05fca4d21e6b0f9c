// SPDX-License-Identifier: MIT
/* clprim/segmented_top_k.h: find the k largest or smallest keys of each segment of an array, sorted, with their values
 * or indices. Segments are the rows of a matrix, or given by offsets.
 *
 *     clprim_plan *plan;
 *     clprim_segmented_top_k_create(
 *         &plan, runtime,
 *         &(clprim_segmented_top_k_desc){.key_type = CLPRIM_F32, .k = 8, .indices = true, .segment_length = 256});
 *     clprim_segmented_top_k_enqueue(plan, queue,
 *                                    &(clprim_segmented_top_k_call){.keys_in = {.buffer = scores},
 *                                                                   .count = rows * 256,
 *                                                                   .segment_count = rows,
 *                                                                   .keys_out = {.buffer = best},
 *                                                                   .values_out = {.buffer = experts}},
 *                                    0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * With .segment_length, segment s has the elements s * .segment_length to (s + 1) * .segment_length - 1. Without it,
 * segment s has the elements offsets[s] to offsets[s + 1] - 1, counted from the first element of the call. Offsets must
 * ascend and must not exceed the count; segments may be empty. Elements before the first offset, and from the last
 * offset on, are ignored. Offsets stay on the device. If they are invalid there, the kernels still access nothing
 * outside the arrays, but the outputs are unspecified. run checks offsets on the host and refuses invalid ones with
 * CLPRIM_INVALID_ARGUMENT.
 *
 * The outputs are matrices with k columns: the results of segment s begin at element s * k. They are the first
 * min(k, length) elements of a stable sort of the segment, bit for bit, with every variant and on every device. Among
 * equal keys, the one with the lower index wins and comes first. If a segment has fewer than k elements, the end of its
 * row is not written.
 *
 * Floats are compared in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * So NaNs may be among the largest keys and among the smallest. With .nan_order = CLPRIM_NAN_LAST, all NaNs are greater
 * than +inf: first among the largest keys, last among the smallest.
 *
 * Scratch memory:
 * - SORT takes room for all keys and their indices once, and the scratch memory of clprim/segmented_sort.h.
 * - SELECT takes room for k keys and indices per part of a long segment. With offsets it also takes up to 16 bytes per
 *   segment and 64 bytes per 2^14 elements.
 * - CPU_CHUNK takes room for 8 k + 1024 keys and indices per work-group, if k is more than 32.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Sources: Gaihre et al. 2021, Dr. Top-k: Delegate-Centric Top-k on GPUs (a bound from minima); Alabi et al. 2012, Fast
 * k-Selection Algorithms for Graphics Processing Units (radix select); Johnson, Douze and Jegou 2017, Billion-scale
 * Similarity Search with GPUs (lists in registers); Warren 2012, Hacker's Delight (planes of bits); Batcher 1968,
 * Sorting Networks and Their Applications. */
#ifndef CLPRIM_SEGMENTED_TOP_K_H
#define CLPRIM_SEGMENTED_TOP_K_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/segmented_top_k/; clprim_segmented_top_k_operation.variants describes the variants. */
typedef enum clprim_segmented_top_k_variant {
    CLPRIM_SEGMENTED_TOP_K_AUTO = 0,
    CLPRIM_SEGMENTED_TOP_K_SORT,
    CLPRIM_SEGMENTED_TOP_K_SELECT,
    CLPRIM_SEGMENTED_TOP_K_CPU_CHUNK
} clprim_segmented_top_k_variant;

/* What to find. .k is required. Otherwise zeroed: the k largest U32 keys of each segment without values, in descending
 * order, by U32 offsets. */
typedef struct clprim_segmented_top_k_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* Number of keys to find in each segment, at least 1. Required. */
    size_t k;

    /* Find the k smallest keys, the smallest first. Default: false (the k largest keys, the largest first). */
    bool smallest;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that belongs to each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Write the index of each key in its segment, from 0 on, as its value. Calls have no .values_in. Not with
     * .value_size. Default: false. */
    bool indices;

    /* Type of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Write the keys found in the order of the input, which saves a sort. Default: false (sorted). */
    bool unsorted;

    /* Number of elements of each segment, if all have the same length. Calls then have no .offsets. Default: 0 (calls
     * have offsets). */
    size_t segment_length;

    /* Type of .offsets: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The largest number of segments of any call, at most 2^32 - 2. Default: 0 (2^32 - 2). */
    size_t max_segments;

    /* The implementation. Default: CLPRIM_SEGMENTED_TOP_K_AUTO (the library chooses). */
    clprim_segmented_top_k_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_segmented_top_k_desc;

/* One call. */
typedef struct clprim_segmented_top_k_call {
    /* `count` keys of .key_type. */
    clprim_array keys_in;

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

    /* segment_count rows of k keys each: the keys found. */
    clprim_array keys_out;

    /* With .value_size: the values of the keys found, in the same places. With .indices: the index of each key found in
     * its segment, as .index_type. */
    clprim_array values_out;
} clprim_segmented_top_k_call;

/* Make a plan. desc must not be NULL, because .k is required. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: .k is 0.
 * - CLPRIM_UNSUPPORTED: the variant does not support the description. SELECT needs a .max_count below 2^32, and room
 *   for 2 k keys and indices in local memory: with 48 KiB, k may be up to 2048, or 1024 for keys of 8 bytes.
 *   CPU_CHUNK supports k up to 2^28. AUTO always finds a variant. */
CLPRIM_API clprim_status clprim_segmented_top_k_create(clprim_plan **out, clprim_runtime *runtime,
                                                       const clprim_segmented_top_k_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. In addition, CLPRIM_INVALID_ARGUMENT: with .segment_length,
 * the count is not segment_count * .segment_length. */
CLPRIM_API clprim_status clprim_segmented_top_k_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                        const clprim_segmented_top_k_call *call, cl_uint num_waits,
                                                        const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the results. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_top_k_run(clprim_runtime *runtime, const clprim_segmented_top_k_desc *desc,
                                                    const clprim_segmented_top_k_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_segmented_top_k_operation;

#ifdef __cplusplus
}
#endif
#endif
