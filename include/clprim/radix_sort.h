/* clprim/radix_sort.h: sort an array by its elements, or values by the keys that come with them.
 *
 *     clprim_radix_sort *plan;
 *     clprim_radix_sort_desc desc = {.key_type = CLPRIM_F32};
 *     clprim_radix_sort_create(&plan, runtime, &desc);                                    // compiles
 *     clprim_radix_sort_enqueue(plan, queue, in, 0, count, out, 0, 0, NULL, NULL);        // does not
 *     clprim_radix_sort_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_radix_sort_host().
 *
 * Every sort is stable: what has equal keys keeps its order. Floats follow clPRIM's one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * unless .nan_order puts all NaNs last (clprim/types.h). No bit of a key changes: what comes out is a permutation of
 * what went in. The result does not depend on the variant or the device. count == 0 and 1 are allowed. */
#ifndef CLPRIM_RADIX_SORT_H
#define CLPRIM_RADIX_SORT_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_radix_sort clprim_radix_sort;

/* Each is a kernel of its own in kernels/radix_sort/; clprim_radix_sort_variants() describes them. */
typedef enum clprim_radix_sort_variant {
    CLPRIM_RADIX_SORT_AUTO = 0,
    CLPRIM_RADIX_SORT_SPLIT,
    CLPRIM_RADIX_SORT_LOCAL,
    CLPRIM_RADIX_SORT_ONESWEEP,
    CLPRIM_RADIX_SORT_SINGLE_GROUP,
    CLPRIM_RADIX_SORT_CPU_CHUNK,
    CLPRIM_RADIX_SORT_CPU_BUCKETS
} clprim_radix_sort_variant;

/* What to sort. Zeroed: keys of U32 alone, upwards. */
typedef struct clprim_radix_sort_desc {
    clprim_type key_type; /* default U32 */
    size_t value_size;    /* bytes of the value that goes with each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool argsort;         /* the values are the elements' indices, made by the sort: value_size 4 (default) or 8 */
    bool descending;      /* equal keys keep their order all the same */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    /* Sort by the bits begin_bit .. end_bit - 1 of the key alone. Bit 0 is the least significant one. Signed integers
     * take part with the sign flipped, floats as their place in the total order (all bits flipped if negative, else the
     * sign), from which with CLPRIM_NAN_LAST the number of negative NaNs is subtracted modulo 2^bits (F32: 0x7fffff),
     * so that -inf is 0. begin_bit == end_bit, 0 .. 0 included, is a stable copy: no bit decides. Bits past the key's
     * width are 0 in every key, so end_bit may exceed the width. begin_bit must not exceed end_bit. Default: false,
     * which sorts by all bits; begin_bit and end_bit must then be 0. A program that computes the number of bits sets
     * bit_range, so that 0 bits do not become all bits. */
    bool bit_range;
    unsigned begin_bit;
    unsigned end_bit;
    clprim_radix_sort_variant variant; /* default AUTO */
    size_t work_group_size;            /* 0: tuned. Else a power of two, fitted to what the device can do */
    size_t max_count;                  /* elements of any call; 0: less than 2^32. With more, variants that count in 32
                                          bits are unsupported, and indices take 8 bytes */
} clprim_radix_sort_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL. The plan holds a
 * reference to the runtime. On failure *out is untouched.
 * CLPRIM_UNSUPPORTED where the variant cannot do it: ONESWEEP needs 64-bit atomics and forward progress between
 * work-groups (clprim_device_info), and counts in 32 bits; SINGLE_GROUP sorts as many elements as fit one work-group's
 * local memory, so max_count must be given and no larger. AUTO always finds one.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_radix_sort_create(clprim_radix_sort **out, clprim_runtime *runtime,
                                                  const clprim_radix_sort_desc *desc);

/* Enqueue: keys_in[keys_in_offset .. + count) in order to keys_out[keys_out_offset .. + count), offsets in elements.
 * Both may be the same range, sorted where it lies; else they must not overlap, and keys_in is unchanged.
 * Pre:    the buffers belong to the runtime's context. queue is the runtime's own (NULL) or the caller's, in-order or
 * out-of-order, on the runtime's device. The plan has no values. count <= max_count. Waits, blocks, errors: as
 * clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_radix_sort_enqueue(clprim_radix_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                                   size_t keys_in_offset, size_t count, cl_mem keys_out,
                                                   size_t keys_out_offset, cl_uint num_waits, const cl_event *waits,
                                                   cl_event *done);

/* The same for a plan with values, which go where their keys go; keys and values are in place, or not, each for itself.
 * With .argsort values_in is NULL and its offset 0: values_out gets the index, from 0 on, at which each key was. */
CLPRIM_API clprim_status clprim_radix_sort_enqueue_pairs(clprim_radix_sort *plan, cl_command_queue queue,
                                                         cl_mem keys_in, size_t keys_in_offset, cl_mem values_in,
                                                         size_t values_in_offset, size_t count, cl_mem keys_out,
                                                         size_t keys_out_offset, cl_mem values_out,
                                                         size_t values_out_offset, cl_uint num_waits,
                                                         const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued sort of `count` elements takes: room for the keys and values once more, and
 * some per cent for counts. Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_radix_sort_scratch_size(size_t *out, const clprim_radix_sort *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_radix_sort_set_scratch(clprim_radix_sort *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_radix_sort_variant clprim_radix_sort_plan_variant(const clprim_radix_sort *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_radix_sort_destroy(clprim_radix_sort *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_radix_sort_variants(size_t *count);

/* Sort an array on the host where it lies; returns when it is sorted. values: of value_size bytes each, where there are
 * values, else NULL; with .argsort it is only written. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_radix_sort_create and clprim_radix_sort_enqueue; then the arrays are untouched. */
CLPRIM_API clprim_status clprim_radix_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                                const clprim_radix_sort_desc *desc, size_t count);

#ifdef __cplusplus
}
#endif
#endif
