/* clprim/reduce_by_key.h: for each run of equal keys (as many in a row as there are) the key, and the fold of the
 * values that come with them, by an associative operator. The order of the runs is kept; their number is written on the
 * device. Of sorted keys these are sums, minima and so on by group.
 *
 *     clprim_reduce_by_key *plan;
 *     clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U32, .type = CLPRIM_F32, .op = CLPRIM_SUM};
 *     clprim_reduce_by_key_create(&plan, runtime, &desc);                                             // compiles
 *     clprim_reduce_by_key_enqueue(plan, queue, keys_in, 0, values_in, 0, count, keys_out, 0, values_out, 0, runs, 0,
 *                                  0, NULL, NULL);                                                    // does not
 *     clprim_reduce_by_key_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_reduce_by_key_host().
 *
 * What is guaranteed:
 * - Equal are keys with the same bits: so -0.0 differs from +0.0 and a NaN equals itself, as in clPRIM's total order of
 *   floats. Keys are moved bit for bit.
 * - The operator need not commute: values are combined in their order by every variant.
 * - Integer results, and MIN, MAX, ARGMIN, ARGMAX of every type, are the same bits with every variant and device.
 * - MIN, MAX, ARGMIN and ARGMAX of floats follow clPRIM's one total order. The NaN that x86 computes comes first in it:
 *   MAX passes over it. With .nan_order CLPRIM_NAN_LAST NaNs are propagated (clprim/types.h).
 * - Float SUM and PROD depend in their last bits on the order of operations, hence on variant, device, count and where
 *   a run lies; with LOOK_BACK, which AUTO takes on most GPUs, they may differ from call to call. For any variant
 *   |computed - exact| <= (m - 1) * u / (1 - (m - 1) * u) * sum of |x| for a run of m values, u the unit roundoff
 *   (2^-24 for F32).
 * - count == 0 has no runs. */
#ifndef CLPRIM_REDUCE_BY_KEY_H
#define CLPRIM_REDUCE_BY_KEY_H

#include <clprim/runtime.h>
#include <clprim/scan.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_reduce_by_key clprim_reduce_by_key;

/* What to fold. Zeroed: sums of I32 by keys of I32. */
typedef struct clprim_reduce_by_key_desc {
    clprim_type key_type;           /* default I32 */
    clprim_type type;               /* of the values; default I32 */
    clprim_op op;                   /* ignored where .custom is given */
    clprim_type accumulator_type;   /* of the running and the resulting value, as in clprim_scan_desc; default .type */
    const clprim_custom_op *custom; /* the caller's own operator; NULL: .op */
    clprim_nan_order nan_order;     /* whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs, see clprim/types.h; not with
                                       .custom */
    clprim_scan_variant variant;    /* of the scan: CPU_CHUNK, REDUCE_THEN_SCAN or LOOK_BACK; default AUTO */
    size_t max_count;               /* elements of any call; 0: less than 2^32 */
} clprim_reduce_by_key_desc;

/* Make a plan: check the description, compile its kernels. desc may be NULL (see above). The plan holds a reference to
 * the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 *         CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_reduce_by_key_create(clprim_reduce_by_key **out, clprim_runtime *runtime,
                                                     const clprim_reduce_by_key_desc *desc);

/* Enqueue: the runs of keys_in[keys_in_offset .. + count), with the values values_in[values_in_offset .. + count):
 * their keys go to keys_out[keys_out_offset ..], their folds to values_out[values_out_offset ..], and their number, a
 * cl_ulong, to runs[runs_offset] (an offset in units of 8 bytes).
 * Units:  count and the other offsets in elements; those of values_out are of the accumulator's type, or
 *         clprim_indexed for ARGMIN and ARGMAX, whose index counts from the call's first value.
 * Pre:    the buffers belong to the runtime's context; keys_out and values_out have room for `count` elements from
 *         their offsets on, of which those behind the last run's stay untouched. What is written overlaps nothing.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 *         count <= max_count.
 * Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_reduce_by_key_enqueue(clprim_reduce_by_key *plan, cl_command_queue queue,
                                                      cl_mem keys_in, size_t keys_in_offset, cl_mem values_in,
                                                      size_t values_in_offset, size_t count, cl_mem keys_out,
                                                      size_t keys_out_offset, cl_mem values_out,
                                                      size_t values_out_offset, cl_mem runs, size_t runs_offset,
                                                      cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued call with `count` elements takes. Errors: CLPRIM_INVALID_ARGUMENT, also
 * where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_reduce_by_key_scratch_size(size_t *out, const clprim_reduce_by_key *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_reduce_by_key_set_scratch(clprim_reduce_by_key *plan, cl_mem scratch);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_reduce_by_key_destroy(clprim_reduce_by_key *plan);

/* The same from arrays on the host; returns when the result is in keys_out and values_out (room for `count` elements in
 * each) and *runs. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_reduce_by_key_create and clprim_reduce_by_key_enqueue; then *runs is untouched. */
CLPRIM_API clprim_status clprim_reduce_by_key_host(void *keys_out, void *values_out, size_t *runs,
                                                   clprim_runtime *runtime, const clprim_reduce_by_key_desc *desc,
                                                   const void *keys_in, const void *values_in, size_t count);

#ifdef __cplusplus
}
#endif
#endif
