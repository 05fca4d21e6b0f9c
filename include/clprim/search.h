/* clprim/search.h: where would each of many needles belong in an array that is in order?
 *
 *     clprim_search *plan;
 *     clprim_search_desc desc = {.type = CLPRIM_F32, .bound = CLPRIM_SEARCH_UPPER};
 *     clprim_search_create(&plan, runtime, &desc);                                                         // compiles
 *     clprim_search_enqueue(plan, queue, in, 0, count, needles, 0, num_needles, out, 0, 0, NULL, NULL);    // does not
 *     clprim_search_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_search_host().
 *
 * The output has an index for each needle, from 0 to `count`: with LOWER how many elements come before the needle, with
 * UPPER how many it does not come before, so that those between both are the ones equal to it. Elements and needles
 * follow clPRIM's one total order (clprim/bitonic_sort.h), or the caller's. The result does not depend on the variant
 * or the device. There may be no elements, or no needles. An array that is not in order never makes a kernel read or
 * write outside of the arrays, and the output's indices then are still from 0 to `count`. */
#ifndef CLPRIM_SEARCH_H
#define CLPRIM_SEARCH_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_search clprim_search;

/* Each is a kernel of its own in kernels/search/; clprim_search_variants() describes them. The last two are for needles
 * that are in order. */
typedef enum clprim_search_variant {
    CLPRIM_SEARCH_AUTO = 0,
    CLPRIM_SEARCH_BINARY,
    CLPRIM_SEARCH_SORTED_NEEDLES,
    CLPRIM_SEARCH_CPU_CHUNK
} clprim_search_variant;

typedef enum clprim_search_bound {
    CLPRIM_SEARCH_LOWER = 0, /* before all elements that are equal to the needle, as std::lower_bound */
    CLPRIM_SEARCH_UPPER      /* behind them, as std::upper_bound */
} clprim_search_bound;

/* How to search. Zeroed: elements of U32, upwards, LOWER, indices of U32. */
typedef struct clprim_search_desc {
    clprim_type type; /* of elements and needles; default U32 */
    const char *less; /* these as in clprim_bitonic_sort_desc: the caller's order; NULL: the total order */
    const char *source;
    const char *type_name;
    size_t type_size;
    bool descending;            /* the array is in order the other way round */
    clprim_nan_order nan_order; /* where NaNs stand in the total order, see clprim/types.h; not with a .less */
    clprim_search_bound bound;
    clprim_type index_type;  /* of the output: U32 (default), then count is less than 2^32, or U64 */
    bool needles_are_sorted; /* a promise, in the array's order: there are faster ways. Indices are wrong where it is
                                not kept, but still from 0 to `count` */
    clprim_search_variant variant; /* default AUTO */
    size_t work_group_size;        /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_search_desc;

/* Make a plan: check the description, pick the variant, compile its kernel. desc may be NULL. A mistake in the caller's
 * text gives CLPRIM_BUILD_FAILED with the compiler's log. The plan holds a reference to the runtime. On failure *out is
 * untouched. CLPRIM_INVALID_ARGUMENT, too, where the variant is for needles in order, and that is not promised;
 * CLPRIM_UNSUPPORTED where elements are so large that not even a few fit local memory. Errors: CLPRIM_INVALID_ARGUMENT,
 * CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_search_create(clprim_search **out, clprim_runtime *runtime,
                                              const clprim_search_desc *desc);

/* Enqueue: for each of needles[needles_offset .. + num_needles) its index in in[in_offset .. + count), counted from
 * there, to out[out_offset .. + num_needles). Units: elements; out_offset in units of .index_type.
 * Pre:    the buffers belong to the runtime's context; out overlaps neither input. What has no elements may be NULL.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 * Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_search_enqueue(clprim_search *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                               size_t count, cl_mem needles, size_t needles_offset, size_t num_needles,
                                               cl_mem out, size_t out_offset, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_search_variant clprim_search_plan_variant(const clprim_search *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_search_destroy(clprim_search *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_search_variants(size_t *count);

/* Search in an array on the host; returns when out, num_needles of .index_type, is there. runtime NULL:
 * clprim_runtime_default(). Errors: as clprim_search_create and clprim_search_enqueue; then out is untouched. */
CLPRIM_API clprim_status clprim_search_host(void *out, clprim_runtime *runtime, const clprim_search_desc *desc,
                                            const void *in, size_t count, const void *needles, size_t num_needles);

#ifdef __cplusplus
}
#endif
#endif
