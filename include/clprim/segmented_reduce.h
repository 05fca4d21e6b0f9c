/* clprim/segmented_reduce.h: fold each segment of an array to one value with an associative operator: many short segments,
 * few long ones, or both in one call.
 *
 *     clprim_plan *plan;
 *     clprim_segmented_reduce_create(&plan, runtime,
 *                                    &(clprim_segmented_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_MAX});
 *     clprim_segmented_reduce_enqueue(plan, queue,
 *                                     &(clprim_segmented_reduce_call){.in = {in}, .offsets = {offsets}, .count = n,
 *                                                                     .segment_count = rows, .out = {row_maxima}},
 *                                     0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * With .input an expression gives the elements. So one launch multiplies a sparse matrix, whose rows are compressed (CSR),
 * by a vector x: the rows are the segments, and .input is "values[i] * x[columns[i]]".
 *
 * Segment s has the elements from offsets[s] up to offsets[s + 1], counted from the first element of the call. Offsets
 * ascend, and segments may be empty. The call ignores elements before the first offset and from the last offset on.
 * Offsets stay on the device. If they do not ascend, or exceed count, the kernels still neither read nor write outside
 * the arrays, but the results are unspecified. run refuses such offsets with CLPRIM_INVALID_ARGUMENT if they are on the
 * host.
 *
 * Guarantees:
 * - The result of an empty segment is the initial value. Without an initial value it is the operator's identity, for ARGMIN
 *   and ARGMAX with the index 2^64 - 1. If an operator of the caller's has no identity, all bytes of the result are 0.
 * - ARGMIN and ARGMAX give the index within the segment: 0 is the segment's first element. Among equal elements the first
 *   one wins.
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, are the same bits with every variant and device.
 * - Floats are in one total order, in which the NaN that x86 computes comes first: MAX passes over it. With .nan_order
 *   CLPRIM_NAN_LAST, NaNs are propagated (clprim/types.h).
 * - The last bits of float SUM and PROD depend on the order of operations, hence on variant, device, and all offsets of
 *   the call. The same call gives the same bits each time on one device. The error bound of clprim/reduce.h holds for each
 *   segment.
 * - The time depends on the number of elements and segments. How long single segments are hardly matters: all
 *   work-groups have equal shares of elements and segments, and a long segment is divided among many of them.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. Scratch memory is a few bytes for each
 * work-group. */
#ifndef CLPRIM_SEGMENTED_REDUCE_H
#define CLPRIM_SEGMENTED_REDUCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Their kernels are in kernels/segmented_reduce/; clprim_segmented_reduce_operation.variants describes them. */
typedef enum clprim_segmented_reduce_variant {
    CLPRIM_SEGMENTED_REDUCE_AUTO = 0,
    CLPRIM_SEGMENTED_REDUCE_ONE_LAUNCH,
    CLPRIM_SEGMENTED_REDUCE_TWO_LAUNCHES,
    CLPRIM_SEGMENTED_REDUCE_CPU_CHUNK
} clprim_segmented_reduce_variant;

/* What to reduce. Zeroed: sums of I32, by offsets of U32. */
typedef struct clprim_segmented_reduce_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;
    /* The operator. Ignored with .custom. */
    clprim_op op;
    /* Type of the running values and of the results, for SUM and PROD only: as in clprim/reduce.h. Default: .type. */
    clprim_type accumulator_type;
    /* The caller's own operator. NULL: .op. It need not commute: the order of the elements is kept. */
    const clprim_custom_op *custom;
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters. Its value is
     * converted to .type (F16: from a float), or is of the operator's own type. `i` counts from the first element of the
     * call, not of the segment, so that "x[i]" reads what .in would hold. NULL: the elements of .in. */
    const char *input;
    /* What .input, .output and the operator may name besides: see clprim/types.h. */
    clprim_text text;
    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs: see clprim/types.h. Not with .custom. */
    clprim_nan_order nan_order;
    /* What is written instead of each result: an OpenCL C expression over the result `r`, of the accumulator's type (F16: a
     * float) or of the operator's own, the number `i` of the segment (a ulong), and .text's parameters. Its value is
     * converted to .output_type (F16: from a float), or is of the type .output_type_name. It is computed once for each
     * segment, also for empty ones. NULL: the result. Not for ARGMIN and ARGMAX. */
    const char *output;
    /* Type of .output's value. Default: the result's. */
    clprim_type output_type;
    /* Instead: the OpenCL C name of a type that .text.source or .custom declares. */
    const char *output_type_name;
    /* Size of that type on the host, in bytes, checked against the device's. Without .output_type_name: 0. */
    size_t output_type_size;
    /* A value in front of each segment's first element: the result is initial OP in[begin] OP in[begin + 1] ... One value of
     * the result's type, which create copies. NULL: none. Not for ARGMIN and ARGMAX. */
    const void *initial;
    /* Calls have that value instead, in .initial_at. Default: they have none. */
    bool has_initial_at;
    /* Type of the offsets: U32 (default) or U64. */
    clprim_type offsets_type;
    /* Elements of any call. Default: fewer than 2^32. */
    size_t max_count;
    /* Segments of any call. Default: fewer than 2^32 - 1, which is also the limit. */
    size_t max_segments;
    /* Default: AUTO. */
    clprim_segmented_reduce_variant variant;
    /* Work-items per work-group: a power of two, adapted to what the device can do. Default: tuned. */
    size_t work_group_size;
} clprim_segmented_reduce_desc;

/* The reductions of one call. */
typedef struct clprim_segmented_reduce_call {
    /* `count` elements of .type. None with .input. */
    clprim_array in;
    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];
    /* segment_count + 1 of .offsets_type. May be NULL if segment_count is 0. */
    clprim_array offsets;
    size_t count;
    /* At most .max_segments. */
    size_t segment_count;
    /* For a plan with .has_initial_at: one value of the result's type, in front of each segment. Kernels read it when the
     * call runs. */
    clprim_array initial_at;
    /* `segment_count` results: of the accumulator's type, clprim_indexed for ARGMIN and ARGMAX, or of .output's type. */
    clprim_array out;
} clprim_segmented_reduce_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_segmented_reduce_create(clprim_plan **out, clprim_runtime *runtime,
                                                        const clprim_segmented_reduce_desc *desc);

/* Enqueue the reductions of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_reduce_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                         const clprim_segmented_reduce_call *call, cl_uint num_waits,
                                                         const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the results.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_reduce_run(clprim_runtime *runtime, const clprim_segmented_reduce_desc *desc,
                                                     const clprim_segmented_reduce_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_segmented_reduce_operation;

#ifdef __cplusplus
}
#endif
#endif
