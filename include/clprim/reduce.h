/* clprim/reduce.h: reduce an array to one value with an associative operator.
 *
 *     clprim_plan *plan;
 *     clprim_reduce_create(&plan, runtime, &(clprim_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_MAX});
 *     clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = n, .out = {out}}, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Any count is allowed. Without elements the result is the initial value, or the operator's identity if there is no
 * initial value. If an operator of the caller's own has no identity either, all bytes of the result are 0.
 *
 * Guarantees:
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, have the same bits with every variant and on every
 *   device.
 * - Floats are in one total order. The NaN that x86 computes comes first in it, so MAX ignores this NaN. With
 *   .nan_order CLPRIM_NAN_LAST, NaNs are propagated (clprim/types.h).
 * - The last bits of float SUM and PROD depend on the order of operations, and so on variant, device and count. One
 *   variant gives the same bits for one count each time on one device. With .reproducible the bits are the same on
 *   every device that keeps denormals and rounds to nearest (clprim_device_info.has_denormals_f32).
 * - Float SUM: |computed - exact| <= (count - 1) * u * sum of |x| for every variant, with the unit roundoff u (2^-24
 *   for F32). An initial value counts as an element. The variants that AUTO picks are far more accurate, because they
 *   add in trees. If .accumulator_type rounds integers, x are the rounded elements, and exact is their sum.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Harris 2007, Optimizing Parallel Reduction. */
#ifndef CLPRIM_REDUCE_H
#define CLPRIM_REDUCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each variant is a kernel of its own in kernels/reduce/; clprim_reduce_operation.variants describes them. The first
 * five, MASTER and TREE are the steps of a lecture (docs/reduce.md). */
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
    CLPRIM_REDUCE_FIXED_TREE
} clprim_reduce_variant;

/* What to reduce. Zeroed: the sum of I32. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_reduce_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* The operator. Ignored with .custom. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the result, for SUM and PROD only. Default: .type.
     *
     * It must hold every value of .type exactly: for an integer a wider integer (I64 for U8, not U16 for I16), for a
     * small integer F32 or F64. F32 and F64 are also allowed for larger integers. Each element is then rounded before
     * it is added, to nearest, ties to even, on every device: F32 rounds integers above 2^24, F64 those above 2^53. */
    clprim_type accumulator_type;

    /* An operator of the caller's own (clprim/types.h), instead of .op. Default: NULL. */
    const clprim_custom_op *custom;

    /* An expression for element `i`, instead of .in. Its value has the type .type, or the operator's own type. For
     * example, the sum of "x[i] * y[i]" is a dot product, in one launch. Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for .input, .output and the operator. Default: none. */
    clprim_text text;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Not with .custom. Default: they do not. */
    clprim_nan_order nan_order;

    /* An expression for what is written, instead of the result `r`, which has the accumulator's type (F16: a float) or
     * the operator's own. `i` is 0. For example, "sqrt(r)" turns a sum of squares into a norm. It is computed once, for
     * the result of the whole call, also without elements. Not for ARGMIN and ARGMAX. Default: NULL (the result). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the result's type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source or .custom declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host, in bytes. create compares it with the device's. 0 without an output_type_name. */
    size_t output_type_size;

    /* A value in front of the first element: the result is initial OP in[0] OP in[1] ... It points to one value of the
     * result's type, which create copies. Not for ARGMIN and ARGMAX. Default: NULL (none). */
    const void *initial;

    /* Each call has this value instead, in .initial_at. Not together with .initial. Default: false. */
    bool has_initial_at;

    /* The result has the same bits on every device. AUTO then takes FIXED_TREE. Default: false. */
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
    /* `count` elements of .type, or of the operator's own type. Absent with .input. */
    clprim_array in;

    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements. With .count_at it is the upper limit. */
    size_t count;

    /* The value in front of the first element: one value of the result's type. The operation reads it when it runs.
     * Only with .has_initial_at. */
    clprim_array initial_at;

    /* One element: the result. It has the accumulator's type, the operator's own, or .output's; for ARGMIN and ARGMAX
     * it is a clprim_indexed. It may be in place of .initial_at if both are of one size: then the calls accumulate. */
    clprim_array out;
} clprim_reduce_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_INVALID_ARGUMENT, also if the operator does not commute and the variant changes the order of elements, or if
 *   the result must be .reproducible, may round, and the variant is not FIXED_TREE. Sums and products of floats may
 *   round, and so may results of .custom.
 * - CLPRIM_UNSUPPORTED, also if such a result must be .reproducible and the device does not keep denormals.
 * - CLPRIM_INVALID_OPERATOR, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_reduce_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_reduce_desc *desc);

/* Enqueue one reduction. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_reduce_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Make a plan, run one reduction, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_run(clprim_runtime *runtime, const clprim_reduce_desc *desc,
                                           const clprim_reduce_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_reduce_operation;

#ifdef __cplusplus
}
#endif
#endif
