/* clprim/histogram.h: count how many elements fall into each bin, or add up a weight for each bin.
 *
 *     clprim_histogram *plan;
 *     clprim_histogram_desc desc = {.type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 100, .high = 1};
 *     clprim_histogram_create(&plan, runtime, &desc);                                  // compiles
 *     clprim_histogram_enqueue(plan, queue, in, 0, count, out, 0, NULL, 0, 0, NULL, NULL);  // does not
 *     clprim_histogram_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_histogram_host().
 *
 * Elements that belong to no bin, NaNs among them, are counted apart. The result does not depend on the variant, the
 * device, or the order of the elements, but for sums of weights that are floats. count == 0 is allowed. */
#ifndef CLPRIM_HISTOGRAM_H
#define CLPRIM_HISTOGRAM_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_histogram clprim_histogram;

/* Each is a kernel of its own in kernels/histogram/; clprim_histogram_variants() describes them. */
typedef enum clprim_histogram_variant {
    CLPRIM_HISTOGRAM_AUTO = 0,
    CLPRIM_HISTOGRAM_GLOBAL_ATOMIC,
    CLPRIM_HISTOGRAM_LOCAL_ATOMIC,
    CLPRIM_HISTOGRAM_PER_ITEM,
    CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED,
    CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED,
    CLPRIM_HISTOGRAM_REPLICATED,
    CLPRIM_HISTOGRAM_LARGE,
    CLPRIM_HISTOGRAM_SORT_BASED,
    CLPRIM_HISTOGRAM_CPU_CHUNK
} clprim_histogram_variant;

/* What to count. Zeroed: bytes, by their value. */
typedef struct clprim_histogram_desc {
    clprim_type type;                 /* of the elements; default U8 */
    clprim_histogram_mapping mapping; /* default IDENTITY */
    size_t bins;                      /* 1 to 2^24; default 256 */
    double low, high;                 /* of EVEN: finite, low < high. For integers integers, from -2^63
                                         to 2^63, of U64 from 0 to 2^64; for F16 and F32 in F32's range */
    const void *boundaries;           /* of BOUNDARIES: bins + 1, see clprim_histogram_mapping; copied */
    const char *bin_of;               /* of CUSTOM, see there; copied */
    const char *source;               /* declarations placed before bin_of; may be NULL */
    unsigned channels;                /* 1 to 4 interleaved ones, with a histogram each; default 1 */
    unsigned active_channels;         /* of these the first ones, the others are passed over; default: all */
    clprim_type weights_type;         /* I32 U32 F32 I64 U64 F64: add up weights; default: count. One channel only */
    clprim_type counter_type;         /* of the histogram: U32 or U64; with weights their type. Default U32, or U64
                                         where max_count is 2^32 or more; with weights their type */
    size_t max_count;                 /* elements a channel has in any call; 0: less than 2^32 */
    bool accumulate;                  /* add to what the histogram holds, modulo the counter's size */
    clprim_histogram_variant variant; /* default AUTO */
    size_t work_group_size;           /* 0: tuned. Else a power of two, fitted to what the device can do */
} clprim_histogram_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL. A mistake in the
 * caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `bin_of` are named as files of
 * those names. The plan holds a reference to the runtime. On failure *out is untouched.
 * CLPRIM_UNSUPPORTED where the variant cannot do it: PER_ITEM takes up to 64 bins, SUB_GROUP_TAGGED needs sub-groups
 * whose work-items run in step, only GLOBAL_ATOMIC, LOCAL_ATOMIC and CPU_CHUNK take weights (the first two those of 8
 * bytes only with 64-bit atomics), and tables must fit local memory but for GLOBAL_ATOMIC, LARGE, SORT_BASED and
 * CPU_CHUNK. AUTO always finds one. Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_histogram_create(clprim_histogram **out, clprim_runtime *runtime,
                                                 const clprim_histogram_desc *desc);

/* Enqueue: the histogram of in[in_offset .. in_offset + count * channels), an offset in elements and a count for each
 * channel, goes to out[out_offset ..], active_channels * bins counters, channel by channel. How many elements belong to
 * no bin goes to outside[outside_offset ..], a cl_ulong for each active channel (an offset in units of 8 bytes);
 * outside may be NULL. With .accumulate both are added to. Pre:    the buffers belong to the runtime's context. No
 * range that is written overlaps another. queue is the runtime's own (NULL) or the caller's, in-order or out-of-order,
 * on the runtime's device. The plan has no weights. count <= max_count. Waits, blocks, errors: as clprim_scan_enqueue;
 * CLPRIM_INVALID_RANGE also where counters might wrap: 2^32 elements and more with U32. */
CLPRIM_API clprim_status clprim_histogram_enqueue(clprim_histogram *plan, cl_command_queue queue, cl_mem in,
                                                  size_t in_offset, size_t count, cl_mem out, size_t out_offset,
                                                  cl_mem outside, size_t outside_offset, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* The same for a plan with weights: each bin gets the sum of weights[weights_offset + i] over the elements i in it.
 * Sums of integers wrap modulo their size; those of floats depend on the order. */
CLPRIM_API clprim_status clprim_histogram_enqueue_weighted(clprim_histogram *plan, cl_command_queue queue, cl_mem in,
                                                           size_t in_offset, size_t count, cl_mem weights,
                                                           size_t weights_offset, cl_mem out, size_t out_offset,
                                                           cl_mem outside, size_t outside_offset, cl_uint num_waits,
                                                           const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued histogram of `count` elements takes. Errors: CLPRIM_INVALID_ARGUMENT, also
 * where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_histogram_scratch_size(size_t *out, const clprim_histogram *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_histogram_set_scratch(clprim_histogram *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_histogram_variant clprim_histogram_plan_variant(const clprim_histogram *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_histogram_destroy(clprim_histogram *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_histogram_variants(size_t *count);

/* The histogram of an array on the host; returns when it is in out and, where that is not NULL, the number of elements
 * outside (one for each active channel) in *outside. With .accumulate both are added to. weights: for a description
 * with weights, else NULL. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_histogram_create and clprim_histogram_enqueue; then out and *outside are untouched. */
CLPRIM_API clprim_status clprim_histogram_host(void *out, uint64_t *outside, clprim_runtime *runtime,
                                               const clprim_histogram_desc *desc, const void *in, const void *weights,
                                               size_t count);

#ifdef __cplusplus
}
#endif
#endif
