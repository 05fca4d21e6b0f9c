// SPDX-License-Identifier: MIT
/* clprim/segmented_reduce.h: reduce each segment of an array to one value with an associative operator.
 *
 *     clprim_plan *plan;
 *     clprim_segmented_reduce_create(&plan, runtime,
 *                                    &(clprim_segmented_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_MAX});
 *     clprim_segmented_reduce_enqueue(plan, queue,
 *                                     &(clprim_segmented_reduce_call){.in = {.buffer = in},
 *                                                                     .offsets = {.buffer = offsets},
 *                                                                     .count = n,
 *                                                                     .segment_count = rows,
 *                                                                     .out = {.buffer = row_maxima}},
 *                                     0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Segment s has the elements offsets[s] to offsets[s + 1] - 1, counted from the first element of the call. Offsets must
 * ascend and must not exceed the count. Segments may be empty. Elements before the first offset, and from the last
 * offset on, are ignored. Offsets stay on the device. If they are invalid there, the kernels still access nothing
 * outside the arrays, but the outputs are unspecified. run checks offsets on the host and refuses invalid ones with
 * CLPRIM_INVALID_ARGUMENT.
 *
 * The result of an empty segment is the initial value. Without an initial value it is the operator's identity: for sums
 * of floats +0.0, and for ARGMIN and ARGMAX with the index 2^64 - 1. If the caller's own operator has neither, all
 * bytes of the result are 0.
 *
 * The time depends on the number of elements and segments, and hardly on their lengths: all work-groups get equal
 * shares of elements and segments, and many work-groups share a long segment.
 *
 * Guarantees:
 * - The operator need not commute: every variant combines elements in their order.
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, have the same bits with every variant and on every
 *   device.
 * - ARGMIN and ARGMAX write the index within the segment: 0 is the segment's first element. Among equal elements the
 *   first one wins.
 * - MIN, MAX, ARGMIN and ARGMAX compare floats in the total order of clprim/types.h. There the NaN that x86 computes
 *   comes first, so MAX ignores it. With .nan_order = CLPRIM_NAN_LAST these operators propagate NaNs.
 * - The last bits of float SUM and PROD depend on the order of operations, which depends on the variant, the device and
 *   all offsets of the call. If these are the same, the bits are the same in every call.
 * - Float SUM: the bound of clprim/reduce.h holds for each segment (SUMS OF FLOATS in clprim/types.h).
 *
 * Scratch memory is a few bytes per work-group, and at most 8192 accumulators. Queues, events, overlaps, threads and
 * failures: clprim/plan.h.
 *
 * Source: Merrill and Garland 2016, Merge-based Parallel Sparse Matrix-Vector Multiplication. */
#ifndef CLPRIM_SEGMENTED_REDUCE_H
#define CLPRIM_SEGMENTED_REDUCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/segmented_reduce/; clprim_segmented_reduce_operation.variants describes the variants. */
typedef enum clprim_segmented_reduce_variant {
    CLPRIM_SEGMENTED_REDUCE_AUTO = 0,
    CLPRIM_SEGMENTED_REDUCE_ONE_LAUNCH,
    CLPRIM_SEGMENTED_REDUCE_LAST_GROUP,
    CLPRIM_SEGMENTED_REDUCE_CPU_CHUNK
} clprim_segmented_reduce_variant;

/* What to reduce. Zeroed: sums of I32, by U32 offsets. See EXPRESSIONS in clprim/plan.h. */
typedef struct clprim_segmented_reduce_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* The operator. Ignored with .custom. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the results, for SUM and PROD only; see clprim/reduce.h. Default: .type. */
    clprim_type accumulator_type;

    /* The caller's own operator (clprim/types.h), instead of .op. Default: NULL (.op). */
    const clprim_custom_op *custom;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the operator's own type.
     * `i` counts from the first element of the call, not of the segment. For example, one launch multiplies a sparse
     * matrix whose rows are compressed (CSR) by a vector x: the rows are the segments, and the expression is
     * "values[i] * x[columns[i]]". Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Only with .custom, .input or .output.
     * Default: none. */
    clprim_text text;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Not with .custom.
     * Default: CLPRIM_NAN_TOTAL (they do not). */
    clprim_nan_order nan_order;

    /* An expression over the result `r` of segment `i`, whose value is written instead of `r`. The type of `r` is the
     * accumulator's (F16: a float) or the operator's own. It is computed once per segment, also for empty ones. Not for
     * ARGMIN and ARGMAX. Default: NULL (the result). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the results' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source or .custom declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* A pointer to the initial value, which create copies: one value of the results' type. A result is initial OP
     * in[offsets[s]] OP in[offsets[s] + 1] OP ... Not for ARGMIN and ARGMAX. Default: NULL (none). */
    const void *initial;

    /* Each call has its own initial value, in .initial_at. Not with .initial. Not for ARGMIN and ARGMAX.
     * Default: false. */
    bool has_initial_at;

    /* Type of .offsets: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The largest number of segments of any call, at most 2^32 - 2. Default: 0 (2^32 - 2). */
    size_t max_segments;

    /* The implementation. Default: CLPRIM_SEGMENTED_REDUCE_AUTO (the library chooses). */
    clprim_segmented_reduce_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_segmented_reduce_desc;

/* The reductions of one call. */
typedef struct clprim_segmented_reduce_call {
    /* `count` elements of .type, or of the operator's own type. Not with .input. */
    clprim_array in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* segment_count + 1 numbers of .offsets_type. It may be left out if segment_count is 0. */
    clprim_array offsets;

    /* The number of elements, at most .max_count. */
    size_t count;

    /* The number of segments, at most .max_segments. If only the device knows it: COUNTS ON THE DEVICE in
     * clprim/plan.h. */
    size_t segment_count;

    /* The initial value, on the device: one value of the results' type. The operation reads it when it runs. Only with
     * .has_initial_at. */
    clprim_array initial_at;

    /* segment_count results: of the accumulator's type, the operator's own, or that of .output; for ARGMIN and ARGMAX
     * clprim_indexed. */
    clprim_array out;
} clprim_segmented_reduce_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched. Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_reduce_create(clprim_plan **out, clprim_runtime *runtime,
                                                        const clprim_segmented_reduce_desc *desc);

/* Enqueue the reductions of one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_reduce_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                         const clprim_segmented_reduce_call *call, cl_uint num_waits,
                                                         const cl_event *waits, cl_event *done);

/* Make a plan, run the reductions of one call, and wait for the results. Arrays may be on the host, on the device, or
 * both. A NULL runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_segmented_reduce_run(clprim_runtime *runtime, const clprim_segmented_reduce_desc *desc,
                                                     const clprim_segmented_reduce_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_segmented_reduce_operation;

#ifdef __cplusplus
}
#endif
#endif
