// SPDX-License-Identifier: MIT
/* clprim/search.h: find where each of many elements, the needles, belongs in a sorted array (binary search).
 *
 *     clprim_plan *plan;
 *     clprim_search_create(&plan, runtime, &(clprim_search_desc){.type = CLPRIM_F32, .bound = CLPRIM_BOUND_UPPER});
 *     clprim_search_enqueue(plan, queue,
 *                           &(clprim_search_call){.in = {.buffer = sorted},
 *                                                 .needles = {.buffer = needles},
 *                                                 .count = n,
 *                                                 .needle_count = m,
 *                                                 .out = {.buffer = places}},
 *                           0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The output has an index from 0 to `count` for each needle:
 * - its lower bound: the index of the first element that does not come before the needle, or `count`;
 * - or its upper bound: the index of the first element that comes after the needle, or `count`.
 *
 * The elements between the two bounds are equal to the needle. With .found_only, only needles that the array has get an
 * index. To look up values, fill the output with an index of your own, such as 0xffffffff, search, and let a transform
 * gather: "place[i] != 0xffffffff ? values[place[i]] : fallback".
 *
 * Elements are compared in the total order of clprim/types.h, or in the caller's order. The result depends neither on
 * the variant nor on the device. If the array is not sorted, the kernels still access nothing outside the arrays, but
 * the indices are unspecified, from 0 to `count`. Both counts may be 0.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Knuth 1973, The Art of Computer Programming 3, uniform binary search (BINARY); Baxter 2013, Modern GPU,
 * vectorized sorted search (SORTED_NEEDLES); Bentley and Yao 1976, An Almost Optimal Algorithm for Unbounded
 * Searching (CPU_CHUNK). */
#ifndef CLPRIM_SEARCH_H
#define CLPRIM_SEARCH_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/search/; clprim_search_operation.variants describes the variants. SORTED_NEEDLES and
 * CPU_CHUNK require .needles_are_sorted. */
typedef enum clprim_search_variant {
    CLPRIM_SEARCH_AUTO = 0,
    CLPRIM_SEARCH_BINARY,
    CLPRIM_SEARCH_SORTED_NEEDLES,
    CLPRIM_SEARCH_CPU_CHUNK
} clprim_search_variant;

/* Which bound to find. */
typedef enum clprim_search_bound {
    /* Before all elements equal to the needle, like std::lower_bound. */
    CLPRIM_BOUND_LOWER = 0,

    /* After all elements equal to the needle, like std::upper_bound. */
    CLPRIM_BOUND_UPPER
} clprim_search_bound;

/* How to search. Zeroed: the lower bound in an ascending array of U32. See EXPRESSIONS and COUNTS ON THE DEVICE
 * in clprim/plan.h. */
typedef struct clprim_search_desc {
    /* Type of the elements and the needles. Default: U32. */
    clprim_type type;

    /* An expression for needle `i`, instead of .needles. Its value is converted to .type, or has the type .type_name.
     * Default: NULL (the elements of .needles). */
    const char *input;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats), whose value is not 0 if a must
     * come before b. It must be a strict weak order. Two elements are equal if neither must come before the other.
     * Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for the expressions. Only with .input or .less. Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* The array is in descending order, the reverse of the total order or of .less. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Which bound to find. Default: CLPRIM_BOUND_LOWER. */
    clprim_search_bound bound;

    /* Write only the indices of needles that the array has, those to which an element is equal. The outputs of all
     * other needles keep their content, such as an index that says "absent". So a look-up needs no second search. .out
     * must then allow reads. Default: false (write all). */
    bool found_only;

    /* The needles are in the array's order. The caller promises it, which allows faster variants. If they are not, the
     * indices are unspecified, from 0 to `count`. Default: false. */
    bool needles_are_sorted;

    /* Type of the indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at and .needle_count_at: U32 or U64. Default: 0 (calls have neither). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements, and also in needles. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_SEARCH_AUTO (the library chooses). */
    clprim_search_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_search_desc;

/* One search. */
typedef struct clprim_search_call {
    /* The array: `count` sorted elements of .type or .type_name. */
    clprim_array in;

    /* needle_count needles of .type or .type_name, in any order unless .needles_are_sorted. Not with .input. */
    clprim_array needles;

    /* The values of .text.parameters, in the same order. An array has needle_count elements, unless its .length
     * says otherwise. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Optional. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The number of needles, on the device: one number of .count_at_type. Optional. Only with .count_at_type. */
    clprim_array needle_count_at;

    /* The number of needles, at most .max_count. With .needle_count_at it is the upper limit. */
    size_t needle_count;

    /* The bound of each needle, or of each needle that is found: needle_count numbers of .index_type. */
    clprim_array out;
} clprim_search_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: the variant requires .needles_are_sorted, but it is false.
 * - CLPRIM_UNSUPPORTED: the elements are so large that local memory does not hold even a few. */
CLPRIM_API clprim_status clprim_search_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_search_desc *desc);

/* Enqueue one search. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_search_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_search_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Make a plan, run one search, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_search_run(clprim_runtime *runtime, const clprim_search_desc *desc,
                                           const clprim_search_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_search_operation;

#ifdef __cplusplus
}
#endif
#endif
