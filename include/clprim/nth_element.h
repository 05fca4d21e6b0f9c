// SPDX-License-Identifier: MIT
/* clprim/nth_element.h: find the elements at given ranks of the sorted order: the minimum, median, maximum,
 * quantiles. All ranks of a call are found together, without sorting the array.
 *
 *     clprim_plan *plan;
 *     clprim_nth_element_create(&plan, runtime, &(clprim_nth_element_desc){.key_type = CLPRIM_F32});
 *     clprim_nth_element_enqueue(plan, queue,
 *                                &(clprim_nth_element_call){.keys_in = {.buffer = in},
 *                                                           .count = n,
 *                                                           .ranks = {.buffer = ranks},
 *                                                           .rank_count = 3,
 *                                                           .keys_out = {.buffer = quartiles}},
 *                                0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * keys_out[i] is the element at index ranks[i] of the keys as clprim/radix_sort.h would sort them, bit for bit, with
 * every variant and on every device. Rank 0 is the first element in the order. Ranks may come in any order,
 * and the same rank may be given several times. Unlike std::nth_element, the operation rearranges nothing: the input is
 * unchanged, and only the keys at the given ranks are written.
 *
 * Floats are compared in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * With .nan_order = CLPRIM_NAN_LAST, all NaNs are greater than +inf. To leave them out of a quantile, compute
 * the ranks from the number of elements that are not NaNs.
 *
 * Median and percentiles: NumPy's default (method="linear") puts percentile p of n elements at position
 * h = p * (n - 1) / 100, and interpolates between the elements on both sides of h. Ask for the ranks floor(h) and
 * min(floor(h) + 1, n - 1), and compute on the host or in a kernel:
 *
 *     percentile = low + (h - floor(h)) * (high - low)
 *
 * For the median, p is 50: the middle element if n is odd, the mean of the two middle ones if n is even. The methods
 * "lower" and "higher" need one rank each, floor(h) or ceil(h).
 *
 * Time and scratch memory: RADIX_SELECT and CPU_CHUNK make one pass for each digit of the keys. A digit has up to 11
 * bits. After two passes over the array, they mostly read only the few keys that share their first digits with a wanted
 * element. So the time hardly depends on the ranks or on their number. These variants take scratch memory for at most
 * 5/16 of the keys, and none for types with few digits. SORT takes room for all keys twice.
 * AUTO, made with .max_ranks of at least 16, sorts in calls with at least 16 ranks and at most 2^21 keys, which is
 * faster.
 *
 * If the array does not fit the device, `run` counts the digits of its keys piece by piece (clprim/plan.h). A pass counts by
 * the next 16 bits of one wanted key, or by fewer of each of several: 9 bits for up to 128 ranks.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: radix select, as in Alabi et al. 2012, Fast k-Selection Algorithms for Graphics Processing Units, extended
 * to several ranks. */
#ifndef CLPRIM_NTH_ELEMENT_H
#define CLPRIM_NTH_ELEMENT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest .max_ranks of RADIX_SELECT and CPU_CHUNK. */
#define CLPRIM_NTH_ELEMENT_SELECTED_RANKS 128

/* The kernels are in kernels/nth_element/; clprim_nth_element_operation.variants describes the variants. */
typedef enum clprim_nth_element_variant {
    CLPRIM_NTH_ELEMENT_AUTO = 0,
    CLPRIM_NTH_ELEMENT_SORT,
    CLPRIM_NTH_ELEMENT_RADIX_SELECT,
    CLPRIM_NTH_ELEMENT_CPU_CHUNK
} clprim_nth_element_variant;

/* What to find. Zeroed: elements of U32 keys in ascending order, at up to 128 ranks. See EXPRESSIONS and COUNTS ON THE
 * DEVICE in clprim/plan.h. */
typedef struct clprim_nth_element_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value is converted to .key_type. Default: NULL (the keys
     * of .keys_in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expression. Only with .input. Default: none. */
    clprim_text text;

    /* Count ranks from the largest key. Default: false (from the smallest). */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* The largest number of ranks of any call. With more than CLPRIM_NTH_ELEMENT_SELECTED_RANKS, AUTO sorts. Default: 0
     * (CLPRIM_NTH_ELEMENT_SELECTED_RANKS). */
    size_t max_ranks;

    /* Type of the ranks: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_NTH_ELEMENT_AUTO (the library chooses). */
    clprim_nth_element_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_nth_element_desc;

/* One call. */
typedef struct clprim_nth_element_call {
    /* `count` keys of .key_type. Not with .input. */
    clprim_array keys_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* `rank_count` ranks of .index_type, from 0 on. A rank of `count` or more counts as count - 1: the last element.
     * `run` refuses such a rank if the ranks are on the host. It compares with `count`, not with .count_at. */
    clprim_array ranks;

    /* The number of ranks, at most .max_ranks. */
    size_t rank_count;

    /* `rank_count` keys: keys_out[i] is the key at rank ranks[i]. If the number of elements is 0, nothing is written,
     * whether it comes from `count` or from .count_at. */
    clprim_array keys_out;
} clprim_nth_element_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition, CLPRIM_INVALID_ARGUMENT if the variant is RADIX_SELECT or CPU_CHUNK
 * and .max_ranks is more than CLPRIM_NTH_ELEMENT_SELECTED_RANKS. */
CLPRIM_API clprim_status clprim_nth_element_create(clprim_plan **out, clprim_runtime *runtime,
                                                   const clprim_nth_element_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. In addition, CLPRIM_INVALID_RANGE if there are more ranks
 * than .max_ranks. */
CLPRIM_API clprim_status clprim_nth_element_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                    const clprim_nth_element_call *call, cl_uint num_waits,
                                                    const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. In addition, CLPRIM_INVALID_RANGE if there are more
 * ranks than .max_ranks, and CLPRIM_INVALID_ARGUMENT if a rank on the host is `count` or more. */
CLPRIM_API clprim_status clprim_nth_element_run(clprim_runtime *runtime, const clprim_nth_element_desc *desc,
                                                const clprim_nth_element_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_nth_element_operation;

#ifdef __cplusplus
}
#endif
#endif
