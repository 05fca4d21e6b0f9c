/* clprim/search.h: find where each of many needles, the elements to look up, belongs in a sorted array.
 *
 *     clprim_plan *plan;
 *     clprim_search_create(&plan, runtime, &(clprim_search_desc){.type = CLPRIM_F32, .bound = CLPRIM_BOUND_UPPER});
 *     clprim_search_enqueue(plan, queue,
 *                           &(clprim_search_call){
 *                               .in = {sorted}, .needles = {needles}, .count = n, .needle_count = m, .out = {places}},
 *                           0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The output has an index from 0 to `count` for each needle:
 * - its lower bound: the index of the first element that does not come before the needle, or `count`;
 * - or its upper bound: the index of the first element that comes after the needle, or `count`.
 *
 * The elements between the two bounds are equal to the needle.
 *
 * Elements are compared in the total order of clprim/types.h, or in the caller's order. The result depends neither on
 * the variant nor on the device. If the array is not sorted, the indices are meaningless, but still from 0 to `count`,
 * and the kernels access nothing outside the arrays. Both counts may be 0.
 *
 * Source: Knuth 1973, uniform binary search (BINARY); Baxter 2013, vectorized sorted search (SORTED_NEEDLES); Bentley
 * and Yao 1976 (CPU_CHUNK).
 *
 * See clprim/plan.h for queues, events, overlap, scratch memory, threads and failures. */
#ifndef CLPRIM_SEARCH_H
#define CLPRIM_SEARCH_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to search. AUTO chooses a variant for the device. SORTED_NEEDLES and CPU_CHUNK need sorted needles. Each variant
 * is a kernel in kernels/search/; clprim_search_operation.variants describes them. */
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

/* How to search. Zeroed: the lower bound in an ascending array of U32. */
typedef struct clprim_search_desc {
    /* Type of the elements and the needles. Default: U32. */
    clprim_type type;

    /* An OpenCL C expression that gives the needles, over the index `i` (a ulong) and the parameters of .text. Its
     * value is converted to .type (F16: from a float), or has the type .type_name. Kernels compute a needle more than
     * once: the expression must give the same value each time. Default: NULL, the needles are in `needles`. */
    const char *input;

    /* The caller's order: an OpenCL C expression over two elements `a` and `b` that is true if a must come before b.
     * F16 elements are floats in it. The order must be a strict weak order. Two elements are equal if neither must come
     * before the other. Default: NULL, the total order.
     *
     * The text is code: never take it from someone you would not let run code on your device. */
    const char *less;

    /* Declarations, parameters and compiler options for .input and .less; see clprim/types.h. Zeroed without them. */
    clprim_text text;

    /* OpenCL C name of an element type that .text.source declares. Needs .less. Default: NULL, the type is .type. */
    const char *type_name;

    /* Size of that type on the host, in bytes; create checks it against the device's. 0 if .type_name is NULL. */
    size_t type_size;

    /* The array is in the opposite order. Default: false. */
    bool descending;

    /* Where NaNs are sorted; see clprim/types.h. Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Which bound to find. Default: the lower bound. */
    clprim_search_bound bound;

    /* A promise that the needles are in the array's order, which allows faster variants. If they are not, the indices
     * are wrong, but still from 0 to `count`. Default: false. */
    bool needles_are_sorted;

    /* Type of the output: U32 (default) or U64, which is required if max_count is 2^32 or more. */
    clprim_type index_type;

    /* Type of count_at and needle_count_at in calls: U32 or U64. Default: calls have neither. See clprim/plan.h. */
    clprim_type count_at_type;

    /* Maximum number of elements in a call, and maximum number of needles. Default: 2^32 - 1. */
    size_t max_count;

    /* Default: AUTO. */
    clprim_search_variant variant;

    /* Work-items per work-group: a power of two, which the library adapts to the device. Default: tuned. */
    size_t work_group_size;
} clprim_search_desc;

/* One search. */
typedef struct clprim_search_call {
    /* The array: `count` sorted elements. */
    clprim_array in;

    /* The needles: needle_count elements, in any order unless .needles_are_sorted. None with .input. */
    clprim_array needles;

    /* One for each parameter of .text; see clprim/plan.h. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* With .count_at_type, optional: the number of elements in device memory, if less than `count`; see
     * clprim/plan.h. */
    clprim_array count_at;

    /* Number of elements. At most .max_count. */
    size_t count;

    /* With .count_at_type, optional: the number of needles in device memory, if less than needle_count. Only these
     * needles get an index. */
    clprim_array needle_count_at;

    /* Number of needles. At most .max_count. */
    size_t needle_count;

    /* The indices: needle_count numbers of .index_type. */
    clprim_array out;
} clprim_search_call;

/* Make a plan. desc NULL means a zeroed description. On failure *out is unchanged.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT; also if the variant needs sorted needles and .needles_are_sorted is false.
 * - CLPRIM_UNSUPPORTED: the elements are so large that local memory does not hold even a few.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile; clprim_last_error() has the compiler's log.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_search_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_search_desc *desc);

/* Enqueue one search. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_search_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_search_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Make a plan, search once and wait for the result. Arrays may be on the host or on the device; run copies as needed.
 * runtime NULL means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_search_run(clprim_runtime *runtime, const clprim_search_desc *desc,
                                           const clprim_search_call *call);

/* This operation as data; see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_search_operation;

#ifdef __cplusplus
}
#endif
#endif
