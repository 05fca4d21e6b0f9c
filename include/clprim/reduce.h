/* clprim/reduce.h: fold an array to one value with an associative operator.
 *
 *     clprim_plan *plan;
 *     clprim_reduce_create(&plan, runtime, &(clprim_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_MAX});
 *     clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = n, .out = {out}}, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Guarantees:
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, are the same bits with every variant and device.
 * - Floats are in one total order, in which the NaN that x86 computes comes first: MAX passes over it. With .nan_order
 *   CLPRIM_NAN_LAST, NaNs are propagated (clprim/types.h).
 * - Float SUM and PROD depend in their last bits on the order of operations, hence on variant, device and count. One
 *   variant with one count gives the same bits each time on one device. With .reproducible they are the same bits on
 *   every device that keeps denormals and rounds to nearest.
 *   For any variant |computed - exact| <= (count - 1) * u * sum of |x|, u the unit roundoff (2^-24 for F32); an initial
 *   value counts as an element. The variants that AUTO picks are far better, since they add in trees. If
 *   .accumulator_type rounds integers, x are the rounded ones, and exact is their sum.
 * - Without elements the result is the initial value, or if there is none the operator's identity. If an operator of the
 *   caller's has no identity either, all bytes of the result are 0.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_REDUCE_H
#define CLPRIM_REDUCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/reduce/. The first five, MASTER and TREE are the course's ladder;
 * clprim_reduce_operation.variants describes them all. */
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

/* What to reduce. Zeroed: the sum of I32. */
typedef struct clprim_reduce_desc {
    clprim_type type; /* of the input; default I32 */
    clprim_op op;     /* ignored with .custom */
    /* Type of the running value and of the result; default: .type. For SUM and PROD only. It holds every value of .type
     * exactly: a wider integer for an integer (I64 for U8, not U16 for I16), F32 or F64 for small ones. F32 and F64 are
     * also allowed for integers that they do not hold: each element is then converted first, to nearest, ties to even,
     * on every device. So F32 rounds integers above 2^24 before it adds them, F64 those above 2^53. */
    clprim_type accumulator_type;
    const clprim_custom_op *custom; /* the caller's own operator; NULL: .op */
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the operator's own type. So a dot product is the sum of
     * "x[i] * y[i]", in one launch. NULL: the elements of .in. */
    const char *input;
    clprim_text text; /* what .input, .output and the operator may name besides; see clprim/types.h */
    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs, see clprim/types.h; not with .custom. */
    clprim_nan_order nan_order;
    /* What is written, instead of the result: an OpenCL C expression over the result `r`, of the accumulator's type
     * (F16: a float) or of the operator's own, and .text's parameters; `i` is 0. Its value is converted to .output_type
     * (F16: from a float), or is of the type .output_type_name. So "sqrt(r)" makes a norm of a sum of squares. It is
     * computed only for the result of the whole call, also if there are no elements. NULL: the result. Not for ARGMIN and
     * ARGMAX. */
    const char *output;
    clprim_type output_type;      /* default: the result's */
    const char *output_type_name; /* instead: the OpenCL C name of a type declared in .text.source or .custom */
    size_t output_type_size;      /* its size on the host, in bytes, checked against the device's; else 0 */
    /* A value in front of the first element, copied by create: the result is initial OP in[0] OP in[1] ... One value of
     * the result's type; NULL: none. Not for ARGMIN and ARGMAX. */
    const void *initial;
    bool has_initial_at;       /* calls have that value instead, in .initial_at; default: they have none */
    bool reproducible;         /* the same bits on every device; AUTO then takes FIXED_TREE */
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;          /* elements of any call; default: fewer than 2^32 */
    clprim_reduce_variant variant; /* default AUTO */
    size_t work_group_size;        /* default: tuned. Otherwise a power of two, adapted to what the device can do */
    size_t items_per_work_item;    /* for MASTER, TREE and SINGLE_PASS, at most 1024; default: tuned */
} clprim_reduce_desc;

/* One reduction. */
typedef struct clprim_reduce_call {
    clprim_array in;                               /* of .type; none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    /* For a plan with .has_initial_at: one value of the result's type, in front of the first element. It is read when the
     * call runs. */
    clprim_array initial_at;
    /* One element: of the accumulator's type, a clprim_indexed for ARGMIN and ARGMAX, or of .output's type. In place of
     * `initial_at` if wanted, where both have elements of one size: then calls accumulate. */
    clprim_array out;
} clprim_reduce_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_reduce_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_reduce_desc *desc);

/* Enqueue a reduction of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_reduce_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_run(clprim_runtime *runtime, const clprim_reduce_desc *desc,
                                           const clprim_reduce_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_reduce_operation;

#ifdef __cplusplus
}
#endif
#endif
