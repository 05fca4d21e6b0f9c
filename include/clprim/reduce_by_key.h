/* clprim/reduce_by_key.h: fold the values of each run of equal keys with an associative operator.
 *
 *     clprim_plan *plan;
 *     clprim_reduce_by_key_create(&plan, runtime,
 *                                 &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U32, .type = CLPRIM_F32});
 *     clprim_reduce_by_key_enqueue(plan, queue,
 *                                  &(clprim_reduce_by_key_call){.keys_in = {keys}, .values_in = {values}, .count = n,
 *                                                               .keys_out = {groups}, .values_out = {sums},
 *                                                               .out_count = {num_groups}},
 *                                  0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * A run is a maximal sequence of consecutive equal keys. If the keys are sorted, each run is a group, and the results
 * are its sum, minimum and so on.
 * Keys are equal if their bits are the same: so -0.0 differs from +0.0, and a NaN equals itself. The order of
 * the runs is kept; their number is written on the device. If count is 0, there are no runs.
 *
 * Guarantees:
 * - Keys are copied bit for bit.
 * - The operator need not commute: every variant combines values in their order.
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, are the same bits with every variant and device.
 * - Floats are in one total order, in which the NaN that x86 computes comes first: MAX passes over it. With .nan_order
 *   CLPRIM_NAN_LAST, NaNs are propagated (clprim/types.h).
 * - Float SUM and PROD depend in their last bits on the order of operations, hence on variant, device, count and where
 *   a run lies; with LOOK_BACK, which AUTO takes on most GPUs, they may differ from call to call. For any variant
 *   |computed - exact| <= (m - 1) * u / (1 - (m - 1) * u) * sum of |x| for a run of m values, u the unit roundoff
 *   (2^-24 for F32).
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_REDUCE_BY_KEY_H
#define CLPRIM_REDUCE_BY_KEY_H

#include <clprim/plan.h>
#include <clprim/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to fold. Zeroed: sums of I32 by keys of I32. */
typedef struct clprim_reduce_by_key_desc {
    clprim_type key_type; /* default I32 */
    clprim_type type;     /* of the values; default I32 */
    clprim_op op;         /* ignored with .custom */
    /* Type of the running value and of the result; default: .type. For SUM and PROD only. It holds every value of .type
     * exactly: a wider integer for an integer (I64 for U8, not U16 for I16), F32 or F64 for small ones. F32 and F64 are
     * also allowed for integers that they do not hold: each element is then converted first, to nearest, ties to even,
     * on every device. So F32 rounds integers above 2^24 before it adds them, F64 those above 2^53. */
    clprim_type accumulator_type;
    const clprim_custom_op *custom; /* the caller's own operator; NULL: .op */
    /* The values, instead of .values_in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters,
     * whose value is converted to .type (F16: from a float), or is of the operator's own type. So the sums of
     * "x[i] * y[i]" are dot products, one for each run of keys. NULL: the values of .values_in. */
    const char *input;
    clprim_text text; /* what .input, .output and the operator may name besides; see clprim/types.h */
    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs, see clprim/types.h; not with .custom. */
    clprim_nan_order nan_order;
    /* What is written to .values_out, instead of the results: an OpenCL C expression over the result `r` of a run, of the
     * accumulator's type (F16: a float) or of the operator's own, the run's number `i` (a ulong, from 0 on) and .text's
     * parameters. Its value is converted to .output_type (F16: from a float), or is of the type .output_type_name. So
     * "r.sum / r.count" makes means of sums and counts. It is computed only for results of whole runs. NULL: the results.
     * Not for ARGMIN and ARGMAX. */
    const char *output;
    clprim_type output_type;      /* default: the results' */
    const char *output_type_name; /* instead: the OpenCL C name of a type declared in .text.source or .custom */
    size_t output_type_size;      /* its size on the host, in bytes, checked against the device's; else 0 */
    clprim_type index_type;       /* of out_count: U32 (default) or U64 (required if max_count >= 2^32) */
    clprim_type count_at_type;    /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;             /* elements of any call; default: fewer than 2^32 */
    clprim_scan_variant variant;  /* of the scan: CPU_CHUNK, REDUCE_THEN_SCAN or LOOK_BACK; default AUTO */
} clprim_reduce_by_key_desc;

/* One call. */
typedef struct clprim_reduce_by_key_call {
    clprim_array keys_in;
    clprim_array values_in;                        /* of .type: one for each key; none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    clprim_array keys_out; /* the key of each run: room for `count`; elements after the last run are untouched */
    /* The result of each run, likewise: of the accumulator's type, clprim_indexed for ARGMIN and ARGMAX, whose index
     * counts from the call's first value, or of .output's type. */
    clprim_array values_out;
    clprim_array out_count; /* one number of .index_type: how many runs there are */
} clprim_reduce_by_key_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_reduce_by_key_create(clprim_plan **out, clprim_runtime *runtime,
                                                     const clprim_reduce_by_key_desc *desc);

/* Enqueue the folds of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_by_key_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                      const clprim_reduce_by_key_call *call, cl_uint num_waits,
                                                      const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_by_key_run(clprim_runtime *runtime, const clprim_reduce_by_key_desc *desc,
                                                  const clprim_reduce_by_key_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_reduce_by_key_operation;

#ifdef __cplusplus
}
#endif
#endif
