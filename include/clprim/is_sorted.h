/* clprim/is_sorted.h: is an array in order, and if not, up to where? At the speed at which memory is read.
 *
 *     clprim_is_sorted *plan;
 *     clprim_is_sorted_desc desc = {.type = CLPRIM_F32};
 *     clprim_is_sorted_create(&plan, runtime, &desc);                                // compiles
 *     clprim_is_sorted_enqueue(plan, queue, in, 0, count, out, 0, 0, NULL, NULL);    // does not
 *     clprim_is_sorted_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_is_sorted_host().
 *
 * The output is one number: how many elements are in order, from the first one on. That is `count` where all are; else
 * it is the index of the first element that comes before the one before it. Elements follow clPRIM's one total order
 * (clprim/bitonic_sort.h), or the caller's; elements that are equal are in order. The result does not depend on the
 * variant or the device. count == 0 and 1 are in order. */
#ifndef CLPRIM_IS_SORTED_H
#define CLPRIM_IS_SORTED_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_is_sorted clprim_is_sorted;

/* Each is a kernel of its own in kernels/is_sorted/; clprim_is_sorted_variants() describes them. */
typedef enum clprim_is_sorted_variant {
    CLPRIM_IS_SORTED_AUTO = 0,
    CLPRIM_IS_SORTED_TREE,
    CLPRIM_IS_SORTED_SINGLE_PASS,
    CLPRIM_IS_SORTED_CPU_CHUNK
} clprim_is_sorted_variant;

/* What to look at. Zeroed: elements of U32, upwards; the output is of U32. */
typedef struct clprim_is_sorted_desc {
    clprim_type type; /* of the elements; default U32 */
    const char *less; /* these as in clprim_bitonic_sort_desc: the caller's order; NULL: the total order */
    const char *source;
    const char *type_name;
    size_t type_size;
    bool descending;                  /* are they in order the other way round? */
    clprim_nan_order nan_order;       /* where NaNs stand in the total order, see clprim/types.h; not with a .less */
    clprim_type index_type;           /* of the output: U32 (default), then count is less than 2^32, or U64 */
    clprim_is_sorted_variant variant; /* default AUTO */
    size_t work_group_size;           /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_is_sorted_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL. A mistake in the
 * caller's text gives CLPRIM_BUILD_FAILED with the compiler's log. The plan holds a reference to the runtime. On
 * failure *out is untouched. CLPRIM_UNSUPPORTED where the device lacks what the variant needs; AUTO always finds one.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_is_sorted_create(clprim_is_sorted **out, clprim_runtime *runtime,
                                                 const clprim_is_sorted_desc *desc);

/* Enqueue out[out_offset] = how many of in[in_offset .. + count) are in order, from the first one on.
 * Units:  count and in_offset in elements; out_offset in units of .index_type.
 * Pre:    the buffers belong to the runtime's context; what is read and what is written do not overlap. With count 0 in
 *         may be NULL. queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's
 *         device. Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_is_sorted_enqueue(clprim_is_sorted *plan, cl_command_queue queue, cl_mem in,
                                                  size_t in_offset, size_t count, cl_mem out, size_t out_offset,
                                                  cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued call takes for `count` elements: some for each work-group; 0 for some
 * variants. Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_is_sorted_scratch_size(size_t *out, const clprim_is_sorted *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_is_sorted_set_scratch(clprim_is_sorted *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_is_sorted_variant clprim_is_sorted_plan_variant(const clprim_is_sorted *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_is_sorted_destroy(clprim_is_sorted *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_is_sorted_variants(size_t *count);

/* Look at an array on the host: *out says whether it is in order, and where `until` is not NULL *until how many
 * elements are, from the first one on. .index_type is not looked at. runtime NULL: clprim_runtime_default(). Errors: as
 * clprim_is_sorted_create and clprim_is_sorted_enqueue; then *out and *until are untouched. */
CLPRIM_API clprim_status clprim_is_sorted_host(bool *out, size_t *until, clprim_runtime *runtime,
                                               const clprim_is_sorted_desc *desc, const void *in, size_t count);

#ifdef __cplusplus
}
#endif
#endif
