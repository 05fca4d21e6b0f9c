/* clprim/bitonic_sort.h: sort an array by comparisons alone, where it lies: no scratch memory, a network that does the
 * same whatever the elements are, and an order that may be the caller's own.
 *
 *     clprim_bitonic_sort *plan;
 *     clprim_bitonic_sort_desc desc = {.type_name = "span", .type_size = sizeof(struct span),
 *                                      .source = "typedef struct { uint begin, end; } span;",
 *                                      .less = "a.begin < b.begin"};
 *     clprim_bitonic_sort_create(&plan, runtime, &desc);                                    // compiles
 *     clprim_bitonic_sort_enqueue(plan, queue, in, 0, count, out, 0, 0, NULL, NULL);        // does not
 *     clprim_bitonic_sort_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_bitonic_sort_host().
 *
 * The sort is not stable: what is equal may change its order, and may do so differently in each variant. Without a
 * .less of the caller's, elements follow clPRIM's one total order on every device, -NaN < -inf < ... < -0.0 < +0.0 <
 * ... < +inf < +NaN     (NaNs among themselves by their payload's bits) unless .nan_order puts all NaNs last
 * (clprim/types.h). In both orders equal elements have the same bits. No bit of an element changes: what comes out is a
 * permutation of what went in, even where .less is no order. count == 0 and 1 are allowed, and need be no power of two.
 *
 * n elements take log2(n) (log2(n) + 1) / 2 steps. For keys of built-in types clprim/radix_sort.h is faster where there
 * is room for them once more and n is large. Source: Batcher 1968; the course's article on bitonic sort, step by step.
 */
#ifndef CLPRIM_BITONIC_SORT_H
#define CLPRIM_BITONIC_SORT_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_bitonic_sort clprim_bitonic_sort;

/* Each is a kernel of its own in kernels/bitonic_sort/; clprim_bitonic_sort_variants() describes them. */
typedef enum clprim_bitonic_sort_variant {
    CLPRIM_BITONIC_SORT_AUTO = 0,
    CLPRIM_BITONIC_SORT_NAIVE,
    CLPRIM_BITONIC_SORT_BETTER,
    CLPRIM_BITONIC_SORT_BEST,
    CLPRIM_BITONIC_SORT_MASKED,
    CLPRIM_BITONIC_SORT_LOCAL_STEP,
    CLPRIM_BITONIC_SORT_LOCAL_BLOCK,
    CLPRIM_BITONIC_SORT_LOCAL_MERGE,
    CLPRIM_BITONIC_SORT_SHARED_PAIRS,
    CLPRIM_BITONIC_SORT_REGISTER_BLOCK,
    CLPRIM_BITONIC_SORT_CPU_CHUNK
} clprim_bitonic_sort_variant;

/* What to sort. Zeroed: elements of U32 alone, upwards. */
typedef struct clprim_bitonic_sort_desc {
    clprim_type type; /* of the elements; default U32 */
    /* The caller's order: an OpenCL C expression over the elements `a` and `b` (floats for F16), not 0 where a must
     * come before b. Of two elements neither of which must come before the other either may come first. NULL: the total
     * order; not with a type_name. The text is code: never take it from someone you would not let run code on your
     * device. */
    const char *less;
    const char *source;    /* declarations placed before .less; may be NULL */
    const char *type_name; /* OpenCL C name of an element type declared in .source; NULL: .type */
    size_t type_size;      /* its size in bytes on the host; checked against the device's. 0 with a NULL type_name */
    bool descending;       /* what would come last comes first */
    clprim_nan_order nan_order; /* where NaNs stand in the total order, see clprim/types.h; not with a .less */
    size_t value_size;          /* bytes of the value that goes with each element: 0 (none), 1, 2, 4, 8 or 16 */
    size_t max_count;           /* elements of any call; 0: less than 2^32. With more, variants count in 64 bits */
    bool segmented; /* the plan sorts each segment of an array for itself: clprim_bitonic_sort_enqueue_segments */
    clprim_type offsets_type;            /* of the segments' offsets: U32 (default) or U64 */
    clprim_bitonic_sort_variant variant; /* default AUTO */
    size_t work_group_size;              /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_bitonic_sort_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL. A mistake in the
 * caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `less` are named as files of
 * those names. The plan holds a reference to the runtime. On failure *out is untouched. CLPRIM_UNSUPPORTED where the
 * variant cannot do it: SHARED_PAIRS sorts as many elements as fit one work-group's local memory, so max_count must be
 * given and no larger; by segments LOCAL_MERGE and CPU_CHUNK sort, which AUTO takes. AUTO always finds one, but for
 * elements of which not even a few fit local memory. Errors:
 * CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_bitonic_sort_create(clprim_bitonic_sort **out, clprim_runtime *runtime,
                                                    const clprim_bitonic_sort_desc *desc);

/* Enqueue: keys_in[keys_in_offset .. + count) in order to keys_out[keys_out_offset .. + count), offsets in elements.
 * Both may be the same range, sorted where it lies; else they must not overlap, and keys_in is unchanged.
 * Pre:    the buffers belong to the runtime's context; keys_out can be read, too, for there the elements are sorted.
 * queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device. The plan has no
 * values. count <= max_count. Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_bitonic_sort_enqueue(clprim_bitonic_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                                     size_t keys_in_offset, size_t count, cl_mem keys_out,
                                                     size_t keys_out_offset, cl_uint num_waits, const cl_event *waits,
                                                     cl_event *done);

/* The same for a plan with values, which go where their keys go; keys and values are in place, or not, each for itself.
 */
CLPRIM_API clprim_status clprim_bitonic_sort_enqueue_pairs(clprim_bitonic_sort *plan, cl_command_queue queue,
                                                           cl_mem keys_in, size_t keys_in_offset, cl_mem values_in,
                                                           size_t values_in_offset, size_t count, cl_mem keys_out,
                                                           size_t keys_out_offset, cl_mem values_out,
                                                           size_t values_out_offset, cl_uint num_waits,
                                                           const cl_event *waits, cl_event *done);

/* For a plan that is `segmented`, in one launch: each segment of keys_in[keys_in_offset .. + count) in order to the
 * same places of keys_out, and values with them; in place or not, each for itself. A plan without values takes NULL and
 * 0 for theirs. Segments are given by num_segments + 1 offsets on the device, offsets[offsets_offset .. +
 * num_segments], in ascending order and in units of .offsets_type: segment s has the elements from offsets[s] up to
 * offsets[s + 1], counted from the first element of the call. Segments may be empty. Elements before the first offset
 * and from the last one on belong to none, and nothing is written where they would go. Nothing is read back to the
 * host. Offsets that are not ascending, or that are beyond count, never make a kernel read or write outside of the
 * arrays, but what the outputs' `count` elements then are is undefined. It is meant for many short segments: one that
 * does not fit a work-group's local memory is sorted by its one work-group all the same, slowly; for keys of built-in
 * types see clprim/segmented_sort.h. Pre:    as clprim_bitonic_sort_enqueue_pairs; num_segments < 2^32 - 1; the offsets
 * overlap nothing that is written. With num_segments 0 offsets may be NULL. Waits, blocks, errors: as
 * clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_bitonic_sort_enqueue_segments(clprim_bitonic_sort *plan, cl_command_queue queue,
                                                              cl_mem keys_in, size_t keys_in_offset, cl_mem values_in,
                                                              size_t values_in_offset, size_t count, cl_mem offsets,
                                                              size_t offsets_offset, size_t num_segments,
                                                              cl_mem keys_out, size_t keys_out_offset,
                                                              cl_mem values_out, size_t values_out_offset,
                                                              cl_uint num_waits, const cl_event *waits, cl_event *done);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_bitonic_sort_variant clprim_bitonic_sort_plan_variant(const clprim_bitonic_sort *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_bitonic_sort_destroy(clprim_bitonic_sort *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_bitonic_sort_variants(size_t *count);

/* Sort an array on the host where it lies; returns when it is sorted. values: of value_size bytes each, where there are
 * values, else NULL. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_bitonic_sort_create and clprim_bitonic_sort_enqueue; then the arrays are untouched. */
CLPRIM_API clprim_status clprim_bitonic_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                                  const clprim_bitonic_sort_desc *desc, size_t count);

#ifdef __cplusplus
}
#endif
#endif
