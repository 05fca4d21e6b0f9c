/* clprim/top_k.h: the k largest or smallest keys of an array, in order, with their indices or values.
 *
 *     clprim_top_k *plan;
 *     clprim_top_k_desc desc = {.key_type = CLPRIM_F32, .k = 10, .indices = true};
 *     clprim_top_k_create(&plan, runtime, &desc);                                                 // compiles
 *     clprim_top_k_enqueue_pairs(plan, queue, in, 0, NULL, 0, count, out, 0, indices, 0, 0, NULL, NULL);  // does not
 *     clprim_top_k_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_top_k_host().
 *
 * The result is the first k of a stable sort by clprim/radix_sort.h, on every device and by every variant, bit for bit:
 * floats in its total order,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 * so that NaNs are at the ends. With .nan_order CLPRIM_NAN_LAST (clprim/types.h) all NaNs are larger than +inf: first
 * among the largest, last among the smallest. Of equal keys the one with the lower index wins, and comes first. Of
 * fewer than k elements there are all, in order: a call writes min(k, count). count == 0 writes nothing.
 *
 * The median of n keys is the last of the n / 2 + 1 smallest, and percentile p the last of the p * (n - 1) / 100 + 1
 * smallest: give that as .k, set .smallest, and read the last key that is written. */
#ifndef CLPRIM_TOP_K_H
#define CLPRIM_TOP_K_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_top_k clprim_top_k;

/* Each is described by clprim_top_k_variants(). */
typedef enum clprim_top_k_variant {
    CLPRIM_TOP_K_AUTO = 0,
    CLPRIM_TOP_K_SORT,
    CLPRIM_TOP_K_RADIX_SELECT,
    CLPRIM_TOP_K_CPU_CHUNK
} clprim_top_k_variant;

/* What to find. .k must be given; else zeroed: the largest keys of U32 alone, the largest first. */
typedef struct clprim_top_k_desc {
    clprim_type key_type;       /* default U32 */
    size_t k;                   /* how many; at least 1 */
    bool smallest;              /* the k smallest instead, the smallest first */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    size_t value_size;          /* bytes of the value that goes with each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool indices;  /* the values are the elements' indices, which the plan makes: value_size 4 (default) or 8 */
    bool unsorted; /* in the order of the input instead of that of the keys, which saves a sort. Not by SORT */
    clprim_top_k_variant variant; /* default AUTO */
    size_t work_group_size;       /* 0: tuned. Else a power of two, fitted to what the device can do */
    size_t max_count;             /* elements of any call; 0: less than 2^32. With more, indices take 8 bytes */
} clprim_top_k_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. The plan holds a reference to the runtime.
 * On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_top_k_create(clprim_top_k **out, clprim_runtime *runtime,
                                             const clprim_top_k_desc *desc);

/* Enqueue: of keys_in[keys_in_offset .. + count) the first min(k, count) in order to keys_out[keys_out_offset ..],
 * offsets in elements. keys_in is unchanged.
 * Pre:    the buffers belong to the runtime's context; what is written overlaps nothing. queue is the runtime's own
 *         (NULL) or the caller's, in-order or out-of-order, on the runtime's device. The plan has no values.
 *         count <= max_count. Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_top_k_enqueue(clprim_top_k *plan, cl_command_queue queue, cl_mem keys_in,
                                              size_t keys_in_offset, size_t count, cl_mem keys_out,
                                              size_t keys_out_offset, cl_uint num_waits, const cl_event *waits,
                                              cl_event *done);

/* The same for a plan with values: each goes where its key goes, min(k, count) to values_out[values_out_offset ..].
 * With .indices values_in is NULL and its offset 0: values_out gets the index, from 0 on, at which each key is. */
CLPRIM_API clprim_status clprim_top_k_enqueue_pairs(clprim_top_k *plan, cl_command_queue queue, cl_mem keys_in,
                                                    size_t keys_in_offset, cl_mem values_in, size_t values_in_offset,
                                                    size_t count, cl_mem keys_out, size_t keys_out_offset,
                                                    cl_mem values_out, size_t values_out_offset, cl_uint num_waits,
                                                    const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued call for `count` elements takes: by SORT room for all keys and values twice;
 * else for the k keys and values twice, and for counts. Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not
 * fit size_t. */
CLPRIM_API clprim_status clprim_top_k_scratch_size(size_t *out, const clprim_top_k *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_top_k_set_scratch(clprim_top_k *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_top_k_variant clprim_top_k_plan_variant(const clprim_top_k *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_top_k_destroy(clprim_top_k *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_top_k_variants(size_t *count);

/* From and to arrays on the host; returns when the result is there: min(k, count) keys in keys_out, and as many values
 * in values_out, where there are values, else NULL. values: of value_size bytes each; NULL where there are none, and
 * with .indices. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_top_k_create and clprim_top_k_enqueue; then the arrays are untouched. */
CLPRIM_API clprim_status clprim_top_k_host(void *keys_out, void *values_out, clprim_runtime *runtime,
                                           const clprim_top_k_desc *desc, const void *keys, const void *values,
                                           size_t count);

#ifdef __cplusplus
}
#endif
#endif
