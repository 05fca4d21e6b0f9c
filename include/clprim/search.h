/* clprim/search.h: find where each of many needles belongs in a sorted array.
 *
 *     clprim_plan *plan;
 *     clprim_search_create(&plan, runtime, &(clprim_search_desc){.type = CLPRIM_F32, .bound = CLPRIM_BOUND_UPPER});
 *     clprim_search_enqueue(plan, queue,
 *                           &(clprim_search_call){
 *                               .in = {sorted}, .needles = {needles}, .count = n, .needle_count = m, .out = {places}},
 *                           0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * For each needle the output has an index from 0 to `count`. The lower bound is the index of the first element that
 * does not come before the needle. The upper bound is the index of the first element that comes after it. Either is
 * `count` if there is no such element. The elements between the two bounds are equal to the needle.
 * Elements are in the total order (clprim/types.h), or in the caller's. The result depends neither on the variant nor
 * on the device. If the array is not sorted, the kernels still neither read nor write outside the arrays, and the
 * indices are still from 0 to `count`. Both counts may be 0.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_SEARCH_H
#define CLPRIM_SEARCH_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/search/; clprim_search_operation.variants describes them. The last two are for
 * sorted needles. */
typedef enum clprim_search_variant {
    CLPRIM_SEARCH_AUTO = 0,
    CLPRIM_SEARCH_BINARY,
    CLPRIM_SEARCH_SORTED_NEEDLES,
    CLPRIM_SEARCH_CPU_CHUNK
} clprim_search_variant;

typedef enum clprim_search_bound {
    CLPRIM_BOUND_LOWER = 0, /* before all elements that are equal to the needle, as std::lower_bound */
    CLPRIM_BOUND_UPPER      /* behind them, as std::upper_bound */
} clprim_search_bound;

/* How to search. Zeroed: the lower bound, among ascending elements of U32. */
typedef struct clprim_search_desc {
    clprim_type type; /* of elements and needles; default U32 */
    /* The needles, instead of .needles: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the caller's own type. It must give the same value each
     * time: needles are computed more than once. NULL: the elements of .needles. */
    const char *input;
    const char *less; /* these four as in clprim_comparison_sort_desc: the caller's order; NULL: the total order */
    clprim_text text;
    const char *type_name;
    size_t type_size;
    bool descending;            /* the array is in the opposite order */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; not with the caller's .less */
    clprim_search_bound bound;  /* default: lower */
    bool needles_are_sorted; /* a promise that the needles are in the array's order, which allows faster variants. If it
                                  is broken, indices are wrong, but still from 0 to `count` */
    clprim_type index_type;  /* of the output: U32 (default) or U64 (required if max_count >= 2^32) */
    clprim_type count_at_type;     /* of .count_at and .needle_count_at: U32 or U64; default: calls have none */
    size_t max_count;              /* elements and needles of any call, each; default: fewer than 2^32 */
    clprim_search_variant variant; /* default AUTO */
    size_t work_group_size;        /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_search_desc;

/* One search. */
typedef struct clprim_search_call {
    clprim_array in;                               /* `count` sorted elements */
    clprim_array needles;                          /* in any order, unless .needles_are_sorted; none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    /* For a plan with .count_at_type, each optional: the number of elements, if it is less than `count`, and the number
     * of needles, if it is less than `needle_count`. Outputs are written for these needles alone. */
    clprim_array count_at;
    size_t count; /* elements */
    clprim_array needle_count_at;
    size_t needle_count;
    clprim_array out; /* needle_count indices of .index_type */
} clprim_search_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log. CLPRIM_INVALID_ARGUMENT also if
 * the variant is for sorted needles, and that is not promised; CLPRIM_UNSUPPORTED if elements are so large that not
 * even a few fit local memory.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_search_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_search_desc *desc);

/* Enqueue a search of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_search_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_search_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_search_run(clprim_runtime *runtime, const clprim_search_desc *desc,
                                           const clprim_search_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_search_operation;

#ifdef __cplusplus
}
#endif
#endif
