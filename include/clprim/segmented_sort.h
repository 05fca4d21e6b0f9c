/* clprim/segmented_sort.h: stably sort each segment of an array independently: many short ones, few long ones, or both
 * in one call.
 *
 *     clprim_plan *plan;
 *     clprim_segmented_sort_create(&plan, runtime, &(clprim_segmented_sort_desc){.key_type = CLPRIM_F32});
 *     clprim_segmented_sort_enqueue(plan, queue,
 *                                   &(clprim_segmented_sort_call){.keys_in = {keys}, .offsets = {offsets}, .count = n,
 *                                                                 .segment_count = rows, .keys_out = {sorted}},
 *                                   0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Segment s has the elements from offsets[s] up to offsets[s + 1], counted from the first element of the call. Offsets
 * ascend, and segments may be empty. Elements before the first offset and from the last one on belong to no segment:
 * nothing is written in their places. Offsets stay on the device. If they do not ascend, or exceed count, the kernels
 * still neither read nor write outside the arrays, but the outputs are unspecified. run refuses such offsets with
 * CLPRIM_INVALID_ARGUMENT if they are on the host.
 *
 * The sort is stable. Floats are in one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * unless .nan_order puts all NaNs last (clprim/types.h). No bit of a key changes. The result depends neither on the
 * variant nor on the device.
 *
 * Scratch memory depends on count alone, however many segments there are: next to none for LOCAL. If segments may be
 * long, MIXED takes the keys and values once more and up to 10 bytes per key, if work-groups may wait for each other on
 * the device. Elsewhere, and by the other variants: for keys of up to 32 bits twice the codes of 32 or 64 bits, and twice
 * the values; for keys of 64 bits 28 bytes per key, 4 of them indices, and once the values. If .keys_out is optional, room for the keys
 * once more; a call with .keys_out does not take that from the pool. Several keys together count as one key of 16, 32 or
 * 64 bits.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_SEGMENTED_SORT_H
#define CLPRIM_SEGMENTED_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Their kernels are in kernels/segmented_sort/; clprim_segmented_sort_operation.variants describes them. */
typedef enum clprim_segmented_sort_variant {
    CLPRIM_SEGMENTED_SORT_AUTO = 0,
    CLPRIM_SEGMENTED_SORT_LOCAL,
    CLPRIM_SEGMENTED_SORT_COMPOSITE,
    CLPRIM_SEGMENTED_SORT_MIXED,
    CLPRIM_SEGMENTED_SORT_CPU_CHUNK
} clprim_segmented_sort_variant;

/* What to sort. Zeroed: ascending keys of U32, without values, by offsets of U32. */
typedef struct clprim_segmented_sort_desc {
    clprim_type key_type; /* default U32 */
    /* The keys, instead of .keys_in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .key_type (F16: from a float). Kernels compute a key more than once: the expression must
     * give the same value each time. NULL: the keys of .keys_in. */
    const char *input;
    /* Further keys, which decide between elements with equal keys; see clprim/types.h. Each has its own direction,
     * .then.descending; .nan_order holds for all of them. The sort must have values or .argsort, and calls have no
     * .keys_out. Default: none. */
    clprim_sort_keys then;
    clprim_text text;       /* what .input and .then may name besides; see clprim/types.h */
    size_t value_size;      /* bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool argsort;           /* the values are the keys' indices in the array, not in their segments, made by the sort,
                                 of .index_type; value_size is 0 */
    clprim_type index_type; /* of these indices: U32 (default) or U64 (required if max_count >= 2^32) */
    bool descending;        /* of .keys_in or .input. Equal keys still keep their order */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    clprim_type offsets_type;   /* U32 (default) or U64 */
    size_t max_count;           /* elements of any call; default: fewer than 2^32 */
    size_t max_segments;        /* segments of any call; default: fewer than 2^32 - 1, which is also the limit */
    size_t max_segment_size; /* a promise that no segment has more elements: if it is small, there are fewer launches.
                                 Elements of a longer segment are left as they are, or not written, or in any order.
                                 Default: not known */
    clprim_segmented_sort_variant variant; /* default AUTO */
    size_t work_group_size; /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_segmented_sort_desc;

/* One sort. */
typedef struct clprim_segmented_sort_call {
    clprim_array keys_in;                          /* none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array values_in; /* `count` of .value_size bytes, for a plan with values; not with .argsort */
    clprim_array offsets;   /* segment_count + 1 of .offsets_type; may be NULL if segment_count is 0 */
    size_t count;
    size_t segment_count; /* at most .max_segments */
    /* One or both may also be exactly where an argument is, if .input reads that argument at i alone. */
    clprim_array keys_out;   /* may be in place of keys_in. Optional with .input if there are values or .argsort; none
                                with .then */
    clprim_array values_out; /* may be in place of values_in. With .argsort: for each key the index, from 0 on, at which
                                it was in keys_in */
} clprim_segmented_sort_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * CLPRIM_UNSUPPORTED if the keys of .input and .then have more than 64 bits together. Also if the variant cannot do it:
 * LOCAL sorts segments that fit one work-group's local memory, so max_segment_size must be given and no larger; MIXED
 * and CPU_CHUNK count in 32 bits, CPU_CHUNK is only for segments that may be long. AUTO always finds one.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_segmented_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                      const clprim_segmented_sort_desc *desc);

/* Enqueue a sort of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                       const clprim_segmented_sort_call *call, cl_uint num_waits,
                                                       const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_sort_run(clprim_runtime *runtime, const clprim_segmented_sort_desc *desc,
                                                   const clprim_segmented_sort_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_segmented_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
