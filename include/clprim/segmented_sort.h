/* clprim/segmented_sort.h: sort each segment of an array for itself: many short ones, few long ones, or both in one
 * call.
 *
 *     clprim_segmented_sort *plan;
 *     clprim_segmented_sort_desc desc = {.key_type = CLPRIM_F32};
 *     clprim_segmented_sort_create(&plan, runtime, &desc);                                // compiles
 *     clprim_segmented_sort_enqueue(plan, queue, in, 0, count, offsets, 0, num_segments, out, 0, 0, NULL, NULL);
 *     clprim_segmented_sort_destroy(plan);                                                // enqueue does not
 *
 * With the data on the host and no wish for OpenCL: clprim_segmented_sort_host().
 *
 * Segments are given by num_segments + 1 offsets on the device, in ascending order: segment s has the elements from
 * offsets[s] up to offsets[s + 1], counted from the first element of the call. Segments may be empty. Elements before
 * the first offset and from the last one on belong to none, and nothing is written where they would go. Nothing is read
 * back to the host. Offsets that are not ascending, or that are beyond count, are a mistake that only the device could
 * see: they never make it read or write outside of the arrays, but what the outputs' `count` elements then are is
 * undefined.
 *
 * Sorts are stable, and in clPRIM's one total order (clprim/radix_sort.h); no bit of a key changes. The result does not
 * depend on the variant or the device. */
#ifndef CLPRIM_SEGMENTED_SORT_H
#define CLPRIM_SEGMENTED_SORT_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_segmented_sort clprim_segmented_sort;

/* Their kernels are in kernels/segmented_sort/; clprim_segmented_sort_variants() describes them. */
typedef enum clprim_segmented_sort_variant {
    CLPRIM_SEGMENTED_SORT_AUTO = 0,
    CLPRIM_SEGMENTED_SORT_LOCAL,
    CLPRIM_SEGMENTED_SORT_COMPOSITE,
    CLPRIM_SEGMENTED_SORT_MIXED,
    CLPRIM_SEGMENTED_SORT_CPU_CHUNK
} clprim_segmented_sort_variant;

/* What to sort. Zeroed: keys of U32 alone, upwards, by offsets of U32. */
typedef struct clprim_segmented_sort_desc {
    clprim_type key_type;       /* default U32 */
    size_t value_size;          /* bytes of the value that goes with each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool argsort;               /* the values are the elements' indices in the array, not in their segments, made by the
                                   sort: value_size 4 (default) or 8 */
    bool descending;            /* equal keys keep their order all the same */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    clprim_type offsets_type;   /* U32 (default) or U64 */
    size_t max_count;           /* elements of any call; 0: less than 2^32 */
    size_t max_segments;        /* segments of any call; 0: less than 2^32 - 1, of which there cannot be more */
    size_t max_segment_size;    /* a promise that no segment has more elements: where that is little, there are fewer
                                   launches. Elements of a longer one are left as they are, or not written, or in any
                                   order. 0: not known */
    clprim_segmented_sort_variant variant; /* default AUTO */
    size_t work_group_size;                /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_segmented_sort_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL. The plan holds a
 * reference to the runtime. On failure *out is untouched.
 * CLPRIM_UNSUPPORTED where the variant cannot do it: LOCAL sorts segments that fit one work-group's local memory, so
 * that max_segment_size must be given and no larger; MIXED and CPU_CHUNK count in 32 bits, CPU_CHUNK only where
 * segments may be long. AUTO always finds one. Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED,
 * CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_segmented_sort_create(clprim_segmented_sort **out, clprim_runtime *runtime,
                                                      const clprim_segmented_sort_desc *desc);

/* Enqueue: each segment of keys_in[keys_in_offset .. + count) in order to the same places of keys_out[keys_out_offset
 * ..
 * + count). Segments are those of offsets[offsets_offset .. + num_segments], in units of .offsets_type. Both may be the
 * same range, sorted where it lies; else they must not overlap, and keys_in is unchanged.
 * Pre:    the buffers belong to the runtime's context. queue is the runtime's own (NULL) or the caller's, in-order or
 *         out-of-order, on the runtime's device. The plan has no values. count <= max_count, num_segments <=
 *         max_segments. The offsets overlap nothing that is written. With num_segments 0 offsets may be NULL.
 * Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_segmented_sort_enqueue(clprim_segmented_sort *plan, cl_command_queue queue,
                                                       cl_mem keys_in, size_t keys_in_offset, size_t count,
                                                       cl_mem offsets, size_t offsets_offset, size_t num_segments,
                                                       cl_mem keys_out, size_t keys_out_offset, cl_uint num_waits,
                                                       const cl_event *waits, cl_event *done);

/* The same for a plan with values, which go where their keys go; keys and values are in place, or not, each for itself.
 * With .argsort values_in is NULL and its offset 0: values_out gets the index, from 0 on, at which each key was. */
CLPRIM_API clprim_status clprim_segmented_sort_enqueue_pairs(clprim_segmented_sort *plan, cl_command_queue queue,
                                                             cl_mem keys_in, size_t keys_in_offset, cl_mem values_in,
                                                             size_t values_in_offset, size_t count, cl_mem offsets,
                                                             size_t offsets_offset, size_t num_segments,
                                                             cl_mem keys_out, size_t keys_out_offset, cl_mem values_out,
                                                             size_t values_out_offset, cl_uint num_waits,
                                                             const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued sort of `count` elements takes, however many segments they are. LOCAL: next
 * to none. Where segments may be long it is room for all of them, whatever there are: with keys of up to 32 bits twice
 * for codes of 32 or 64 bits, and twice for values; with keys of 64 bits 28 bytes a key, 4 of them indices, and once
 * for values. Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_segmented_sort_scratch_size(size_t *out, const clprim_segmented_sort *plan,
                                                            size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_segmented_sort_set_scratch(clprim_segmented_sort *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_segmented_sort_variant clprim_segmented_sort_plan_variant(const clprim_segmented_sort *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_segmented_sort_destroy(clprim_segmented_sort *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_segmented_sort_variants(size_t *count);

/* Sort the segments of an array on the host where it lies; returns when they are sorted. values: of value_size bytes
 * each, where there are values, else NULL; with .argsort it is only written. offsets: num_segments + 1, of
 * .offsets_type; NULL where there are no segments. runtime NULL: clprim_runtime_default(). Errors: as
 * clprim_segmented_sort_create and clprim_segmented_sort_enqueue; then the arrays are untouched. */
CLPRIM_API clprim_status clprim_segmented_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                                    const clprim_segmented_sort_desc *desc, size_t count,
                                                    const void *offsets, size_t num_segments);

#ifdef __cplusplus
}
#endif
#endif
