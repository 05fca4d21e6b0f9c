/* clprim/comparison_sort.h: sort an array by comparisons, fast: in the caller's own order, of elements of any type,
 * stably where that is wanted.
 *
 *     clprim_comparison_sort *plan;
 *     clprim_comparison_sort_desc desc = {.type_name = "span", .type_size = sizeof(struct span),
 *                                         .source = "typedef struct { uint begin, end; } span;",
 *                                         .less = "a.begin < b.begin", .stable = true};
 *     clprim_comparison_sort_create(&plan, runtime, &desc);                                    // compiles
 *     clprim_comparison_sort_enqueue(plan, queue, in, 0, count, out, 0, 0, NULL, NULL);        // does not
 *     clprim_comparison_sort_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_comparison_sort_host().
 *
 * Without .stable what is equal may change its order, and may do so differently in each variant, and with SAMPLE_SORT
 * in each call. Without a .less of the
 * caller's, elements follow clPRIM's one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * unless .nan_order puts all NaNs last (clprim/types.h). In both orders equal elements have the same bits. No bit of an
 * element changes: what comes out is a permutation of what went in, even where .less is no order. count == 0 and 1 are
 * allowed, and need be no power of two.
 *
 * Sorted tiles are merged by two in log2(n / tile) passes, for which there must be room for the elements once more.
 * SAMPLE_SORT divides very many elements by samples first, so that there is next to nothing to merge.
 * Source: merge path (Green, McColl and Bader 2012), with tiles sorted by networks (Batcher 1968); sample sort
 * (Leischner, Osipov and Sanders 2010). */
#ifndef CLPRIM_COMPARISON_SORT_H
#define CLPRIM_COMPARISON_SORT_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_comparison_sort clprim_comparison_sort;

/* clprim_comparison_sort_variants() describes them. BITONIC and RADIX are the sorts of clprim/bitonic_sort.h and
 * clprim/radix_sort.h. */
typedef enum clprim_comparison_sort_variant {
    CLPRIM_COMPARISON_SORT_AUTO = 0,
    CLPRIM_COMPARISON_SORT_MERGE_PATH,
    CLPRIM_COMPARISON_SORT_MERGE_NETWORK,
    CLPRIM_COMPARISON_SORT_BITONIC,
    CLPRIM_COMPARISON_SORT_RADIX,
    CLPRIM_COMPARISON_SORT_CPU_CHUNK,
    CLPRIM_COMPARISON_SORT_SAMPLE_SORT
} clprim_comparison_sort_variant;

/* What to sort. Zeroed: elements of U32 alone, upwards. */
typedef struct clprim_comparison_sort_desc {
    clprim_type type; /* of the elements; default U32 */
    /* The caller's order: an OpenCL C expression over the elements `a` and `b` (floats for F16), not 0 where a must
     * come before b: a strict weak order. NULL: the total order; not with a type_name. The text is code: never take it
     * from someone you would not let run code on your device. */
    const char *less;
    const char *source;    /* declarations placed before .less; may be NULL */
    const char *type_name; /* OpenCL C name of an element type declared in .source; NULL: .type */
    size_t type_size;      /* its size in bytes on the host; checked against the device's. 0 with a NULL type_name */
    bool descending; /* what would come last comes first; with .stable equal elements keep their order all the same */
    clprim_nan_order nan_order; /* where NaNs stand in the total order, see clprim/types.h; not with a .less */
    bool stable;        /* of two elements neither of which must come before the other the first one stays first */
    bool in_place_only; /* take no scratch memory: BITONIC, which is slower for many elements, and not stable */
    size_t value_size;  /* bytes of the value that goes with each element: 0 (none), 1, 2, 4, 8 or 16 */
    size_t max_count;   /* elements of any call; 0: less than 2^32. With more, all is counted in 64 bits */
    clprim_comparison_sort_variant variant; /* default AUTO */
    size_t work_group_size;                 /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_comparison_sort_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL. A mistake in the
 * caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `less` are named as files of
 * those names. The plan holds a reference to the runtime. On failure *out is untouched.
 *
 * AUTO: RADIX in the total order, which is stable; of few elements (max_count) on GPUs BITONIC, unless .stable; in a
 * caller's order CPU_CHUNK on CPU devices, else MERGE_PATH with .stable, and without it MERGE_NETWORK, or, where 2^21
 * elements and more are allowed, of up to 16 bytes with their values, SAMPLE_SORT, which leaves calls of fewer to
 * MERGE_NETWORK; with .in_place_only BITONIC. It always finds one, but for .stable with .in_place_only in a caller's
 * order, or with values, and for elements of which not even a few fit local memory.
 *
 * CLPRIM_UNSUPPORTED where the variant cannot do it: MERGE_NETWORK, BITONIC and SAMPLE_SORT are not stable; RADIX sorts
 * in the total order alone; SAMPLE_SORT not with a max_count of 2^32 or more; with .in_place_only all but BITONIC.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_comparison_sort_create(clprim_comparison_sort **out, clprim_runtime *runtime,
                                                       const clprim_comparison_sort_desc *desc);

/* Enqueue: keys_in[keys_in_offset .. + count) in order to keys_out[keys_out_offset .. + count), offsets in elements.
 * Both may be the same range, sorted where it lies; else they must not overlap, and keys_in is unchanged.
 * Pre:    the buffers belong to the runtime's context; keys_out can be read, too, for there elements are merged.
 * queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device. The plan has no
 * values. count <= max_count. Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_comparison_sort_enqueue(clprim_comparison_sort *plan, cl_command_queue queue,
                                                        cl_mem keys_in, size_t keys_in_offset, size_t count,
                                                        cl_mem keys_out, size_t keys_out_offset, cl_uint num_waits,
                                                        const cl_event *waits, cl_event *done);

/* The same for a plan with values, which go where their keys go; keys and values are in place, or not, each for itself.
 */
CLPRIM_API clprim_status clprim_comparison_sort_enqueue_pairs(clprim_comparison_sort *plan, cl_command_queue queue,
                                                              cl_mem keys_in, size_t keys_in_offset, cl_mem values_in,
                                                              size_t values_in_offset, size_t count, cl_mem keys_out,
                                                              size_t keys_out_offset, cl_mem values_out,
                                                              size_t values_out_offset, cl_uint num_waits,
                                                              const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued sort of `count` elements takes: room for the keys and values once more, and
 * a little besides, of SAMPLE_SORT a byte an element; none of BITONIC. Errors: CLPRIM_INVALID_ARGUMENT, also where the
 * bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_comparison_sort_scratch_size(size_t *out, const clprim_comparison_sort *plan,
                                                             size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_comparison_sort_set_scratch(clprim_comparison_sort *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_comparison_sort_variant clprim_comparison_sort_plan_variant(const clprim_comparison_sort *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_comparison_sort_destroy(clprim_comparison_sort *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_comparison_sort_variants(size_t *count);

/* Sort an array on the host where it lies; returns when it is sorted. values: of value_size bytes each, where there are
 * values, else NULL. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_comparison_sort_create and clprim_comparison_sort_enqueue; then the arrays are untouched. */
CLPRIM_API clprim_status clprim_comparison_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                                     const clprim_comparison_sort_desc *desc, size_t count);

#ifdef __cplusplus
}
#endif
#endif
