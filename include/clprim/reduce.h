// SPDX-License-Identifier: MIT
/* clprim/reduce.h: reduce an array to one value with an associative operator.
 *
 *     clprim_plan *plan;
 *     clprim_reduce_create(&plan, runtime, &(clprim_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_MAX});
 *     clprim_reduce_enqueue(
 *         plan, queue, &(clprim_reduce_call){.in = {.buffer = in}, .count = n, .out = {.buffer = out}}, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Any count is allowed. Without elements the result is the initial value, or the operator's identity if there is no
 * initial value (+0.0 for sums of floats). If the caller's own operator has neither, all bytes of the result are 0.
 *
 * Guarantees:
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, have the same bits with every variant and on every
 *   device.
 * - MIN, MAX, ARGMIN and ARGMAX compare floats in the total order of clprim/types.h. There the NaN that x86 computes
 *   comes first, so MAX ignores it. With .nan_order = CLPRIM_NAN_LAST these operators propagate NaNs.
 * - The last bits of float SUM and PROD depend on the order of operations, which depends on the variant, the device and
 *   the count. If these are the same, the bits are the same in every call. With .reproducible they are also the same on
 *   every device that keeps denormals and rounds to nearest (clprim_device_info.has_denormals_f32).
 * - Float SUM, by every variant: |computed - exact| <= min(count - 1, 1024) * u * sum of |x| (SUMS OF FLOATS in
 *   clprim/types.h).
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Harris 2007, Optimizing Parallel Reduction in CUDA. */
#ifndef CLPRIM_REDUCE_H
#define CLPRIM_REDUCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/reduce/; clprim_reduce_operation.variants describes the variants. INTERLEAVED to TREE are
 * the course's steps (docs/reduce.md, docs/sources.md). */
typedef enum clprim_reduce_variant {
    CLPRIM_REDUCE_AUTO = 0,
    CLPRIM_REDUCE_INTERLEAVED,
    CLPRIM_REDUCE_STRIDED,
    CLPRIM_REDUCE_SEQUENTIAL,
    CLPRIM_REDUCE_FIRST_ADD,
    CLPRIM_REDUCE_UNROLLED,
    CLPRIM_REDUCE_MASTER,
    CLPRIM_REDUCE_TREE,
    CLPRIM_REDUCE_CPU_CHUNK,
    CLPRIM_REDUCE_SINGLE_PASS,
    CLPRIM_REDUCE_FIXED_TREE,
    CLPRIM_REDUCE_NATIVE
} clprim_reduce_variant;

/* What to reduce. Zeroed: the sum of I32. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_reduce_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* The operator. Ignored with .custom. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the result, for SUM and PROD only. Default: .type.
     *
     * It must hold every value of .type exactly: I64 holds U8, but U16 does not hold I16. As an exception, F32 and F64
     * are allowed for every integer type. Each element is then rounded before it is combined, to nearest, ties to even,
     * on every device: above 2^24 in F32, above 2^53 in F64. */
    clprim_type accumulator_type;

    /* The caller's own operator (clprim/types.h), instead of .op. Default: NULL (.op). */
    const clprim_custom_op *custom;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the operator's own type.
     * For example, the sum of "x[i] * y[i]" is a dot product. Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Only with .custom, .input or .output.
     * Default: none. */
    clprim_text text;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Not with .custom.
     * Default: CLPRIM_NAN_TOTAL (they do not). */
    clprim_nan_order nan_order;

    /* An expression over the result `r`, whose value is written instead of `r`. The type of `r` is the accumulator's
     * (F16: a float) or the operator's own. `i` is 0. For example, "sqrt(r)" turns a sum of squares into a norm. It is
     * computed once per call, even if there are no elements. Not for ARGMIN and ARGMAX. Default: NULL (the result). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the result's type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source or .custom declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* A pointer to the initial value, which create copies: one value of the result's type. The result is initial OP
     * in[0] OP in[1] OP ... Not for ARGMIN and ARGMAX. Default: NULL (none). */
    const void *initial;

    /* Each call has its own initial value, in .initial_at. Not with .initial. Not for ARGMIN and ARGMAX.
     * Default: false. */
    bool has_initial_at;

    /* Make the bits of the result the same on every device. AUTO then chooses FIXED_TREE. Default: false. */
    bool reproducible;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_REDUCE_AUTO (the library chooses). */
    clprim_reduce_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;

    /* Elements per work-item, at most 1024. For MASTER, TREE and SINGLE_PASS. Default: 0 (tuned). */
    size_t items_per_work_item;
} clprim_reduce_desc;

/* One reduction. */
typedef struct clprim_reduce_call {
    /* `count` elements of .type, or of the operator's own type. Not with .input. */
    clprim_array in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The initial value, on the device: one value of the result's type. The operation reads it when it runs. Only
     * with .has_initial_at. */
    clprim_array initial_at;

    /* The result: one value of the accumulator's type, the operator's own, or that of .output; for ARGMIN and ARGMAX a
     * clprim_indexed. It may be in place of .initial_at if both have the same size. Calls then accumulate. */
    clprim_array out;
} clprim_reduce_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: the operator does not commute, and the variant changes the order of elements. Or
 *   .reproducible is set, the result may round, and the variant is not FIXED_TREE. Sums and products of floats may
 *   round, and so may results of .custom.
 * - CLPRIM_UNSUPPORTED: .reproducible is set, the result may round, and the device does not keep denormals. */
CLPRIM_API clprim_status clprim_reduce_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_reduce_desc *desc);

/* Enqueue one reduction. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_reduce_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Make a plan, run one reduction, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_run(clprim_runtime *runtime, const clprim_reduce_desc *desc,
                                           const clprim_reduce_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_reduce_operation;

#ifdef __cplusplus
}
#endif
#endif
