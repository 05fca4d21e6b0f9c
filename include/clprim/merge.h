/* clprim/merge.h: two ranges that are in order to one that is, in one launch and without scratch memory.
 *
 *     clprim_merge *plan;
 *     clprim_merge_desc desc = {.type = CLPRIM_F32};
 *     clprim_merge_create(&plan, runtime, &desc);                                                   // compiles
 *     clprim_merge_enqueue(plan, queue, a, 0, a_count, b, 0, b_count, out, 0, 0, NULL, NULL);       // does not
 *     clprim_merge_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_merge_host().
 *
 * The merge is stable: where elements are equal, those of the first range come first, and each range's keep their
 * order. So the result does not depend on the variant or the device. Elements follow clPRIM's one total order
 * (clprim/bitonic_sort.h), or the caller's; no bit of them changes. Either range may be empty. Ranges that are not in
 * order never make a kernel read or write outside of the arrays, but what is then written is undefined.
 *
 * Source: merge path (Green, McColl, Bader 2012; Odeh, Green, Mwassi, Shmueli, Birk 2012).
 */
#ifndef CLPRIM_MERGE_H
#define CLPRIM_MERGE_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_merge clprim_merge;

/* Each is a kernel of its own in kernels/merge/; clprim_merge_variants() describes them. */
typedef enum clprim_merge_variant {
    CLPRIM_MERGE_AUTO = 0,
    CLPRIM_MERGE_NAIVE,
    CLPRIM_MERGE_PATH,
    CLPRIM_MERGE_CPU_CHUNK,
    CLPRIM_MERGE_TILES
} clprim_merge_variant;

/* What to merge. Zeroed: elements of U32 alone, upwards. */
typedef struct clprim_merge_desc {
    clprim_type type; /* of the elements; default U32 */
    const char *less; /* these as in clprim_bitonic_sort_desc: the caller's order; NULL: the total order */
    const char *source;
    const char *type_name;
    size_t type_size;
    bool descending;              /* both ranges are, and the result will be, the other way round */
    clprim_nan_order nan_order;   /* where NaNs stand in the total order, see clprim/types.h; not with a .less */
    size_t value_size;            /* bytes of the value that goes with each element: 0 (none), 1, 2, 4, 8 or 16 */
    size_t max_count;             /* elements of any call, both ranges together; 0: less than 2^32 */
    clprim_merge_variant variant; /* default AUTO */
    size_t work_group_size;       /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_merge_desc;

/* Make a plan: check the description, pick the variant, compile its kernel. desc may be NULL. A mistake in the caller's
 * text gives CLPRIM_BUILD_FAILED with the compiler's log. The plan holds a reference to the runtime. On failure *out is
 * untouched. CLPRIM_UNSUPPORTED where elements are so large that not even a few fit local memory. Errors:
 * CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_merge_create(clprim_merge **out, clprim_runtime *runtime,
                                             const clprim_merge_desc *desc);

/* Enqueue: a[a_offset .. + a_count) and b[b_offset .. + b_count), each in order, to out[out_offset .. + a_count +
 * b_count). Units: counts and offsets in elements.
 * Pre:    the buffers belong to the runtime's context; out overlaps neither a nor b. An empty range may be NULL. queue
 *         is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device. The plan has
 * no values. a_count + b_count <= max_count. Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_merge_enqueue(clprim_merge *plan, cl_command_queue queue, cl_mem a, size_t a_offset,
                                              size_t a_count, cl_mem b, size_t b_offset, size_t b_count, cl_mem out,
                                              size_t out_offset, cl_uint num_waits, const cl_event *waits,
                                              cl_event *done);

/* The same for a plan with values, which go where their elements go. */
CLPRIM_API clprim_status clprim_merge_enqueue_pairs(clprim_merge *plan, cl_command_queue queue, cl_mem a,
                                                    size_t a_offset, cl_mem a_values, size_t a_values_offset,
                                                    size_t a_count, cl_mem b, size_t b_offset, cl_mem b_values,
                                                    size_t b_values_offset, size_t b_count, cl_mem out,
                                                    size_t out_offset, cl_mem out_values, size_t out_values_offset,
                                                    cl_uint num_waits, const cl_event *waits, cl_event *done);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_merge_variant clprim_merge_plan_variant(const clprim_merge *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_merge_destroy(clprim_merge *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_merge_variants(size_t *count);

/* Merge arrays on the host into out, and where there are values out_values, which have room for all; returns when they
 * are there. Without values their arrays are NULL. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_merge_create and clprim_merge_enqueue; then the outputs are untouched. */
CLPRIM_API clprim_status clprim_merge_host(void *out, void *out_values, clprim_runtime *runtime,
                                           const clprim_merge_desc *desc, const void *a, const void *a_values,
                                           size_t a_count, const void *b, const void *b_values, size_t b_count);

#ifdef __cplusplus
}
#endif
#endif
