/* clprim/scan.h: compute all prefixes of an array (prefix sums) with an associative operator, optionally by segments.
 *
 *     inclusive:  out[i] = initial OP in[0] OP ... OP in[i]
 *     exclusive:  out[i] = initial OP in[0] OP ... OP in[i - 1],  out[0] = initial
 *
 *     clprim_plan *plan;
 *     clprim_scan_create(&plan, runtime, &(clprim_scan_desc){.type = CLPRIM_U32, .exclusive = true});
 *     clprim_scan_enqueue(plan, queue, &(clprim_scan_call){.in = {in}, .count = n, .out = {out}}, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Guarantees:
 * - The operator need not commute: every variant combines elements in their order.
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, have the same bits with every variant and on every
 *   device.
 * - Floats are in one total order. The NaN that x86 computes comes first in it, so MAX ignores this NaN. With
 *   .nan_order CLPRIM_NAN_LAST, NaNs are propagated (clprim/types.h), also a NaN in .initial.
 * - The last bits of float SUM and PROD depend on the order of operations, and so on variant, device and count. One
 *   variant gives the same bits for one count each time on one device, except LOOK_BACK, which combines tiles in an
 *   order that varies. With .reproducible the bits are the same on every device that keeps denormals and rounds to
 *   nearest (clprim_device_info.has_denormals_f32).
 * - Float SUM: |computed - exact| <= i * u * sum of |x| for the prefix at index i, for every variant, with the unit
 *   roundoff u (2^-24 for F32). If .accumulator_type rounds integers, x are the rounded elements, and exact is their
 *   sum.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Blelloch 1990, Prefix Sums and Their Applications; Merrill and Garland 2016, Single-pass Parallel Prefix Scan
 * with Decoupled Look-back. */
#ifndef CLPRIM_SCAN_H
#define CLPRIM_SCAN_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each variant is a kernel of its own in kernels/scan/; clprim_scan_operation.variants describes them. The first five
 * are the steps of an essay and a lecture (docs/scan.md). */
typedef enum clprim_scan_variant {
    CLPRIM_SCAN_AUTO = 0,
    CLPRIM_SCAN_NAIVE,
    CLPRIM_SCAN_WORK_EFFICIENT,
    CLPRIM_SCAN_BIT_REVERSED,
    CLPRIM_SCAN_BLELLOCH,
    CLPRIM_SCAN_BLELLOCH_PADDED,
    CLPRIM_SCAN_CPU_CHUNK,
    CLPRIM_SCAN_REDUCE_THEN_SCAN,
    CLPRIM_SCAN_LOOK_BACK,
    CLPRIM_SCAN_FIXED_TREE
} clprim_scan_variant;

/* Where segments begin. Each segment is scanned independently and begins with the initial value. The first segment
 * begins at element 0, whatever its flag or key is. */
typedef enum clprim_scan_segments {
    /* The array is one segment. */
    CLPRIM_SEGMENTS_NONE = 0,

    /* A segment begins at each element whose flag is not equal to 0. (-0.0 is equal to 0, a NaN is not.) */
    CLPRIM_SEGMENTS_BY_FLAG,

    /* A segment begins at each element whose key differs from the key before it in any bit. */
    CLPRIM_SEGMENTS_BY_KEY
} clprim_scan_segments;

/* What to scan. Zeroed: inclusive sums of I32. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_scan_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* The operator. Ignored with .custom. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the prefixes, for SUM and PROD only. Default: .type.
     *
     * It must hold every value of .type exactly: for an integer a wider integer (I64 for U8, not U16 for I16), for a
     * small integer F32 or F64. F32 and F64 are also allowed for larger integers. Each element is then rounded before
     * it is added, to nearest, ties to even, on every device: F32 rounds integers above 2^24, F64 those above 2^53. */
    clprim_type accumulator_type;

    /* An operator of the caller's own (clprim/types.h), instead of .op. Default: NULL. */
    const clprim_custom_op *custom;

    /* An expression for element `i`, instead of .in. Its value has the type .type, or the operator's own type. For
     * example, the exclusive sums of "x[i] > limit" are the places that a selection moves its elements to. Default:
     * NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for .input, .output and the operator. Default: none. */
    clprim_text text;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Not with .custom. Default: they do not. */
    clprim_nan_order nan_order;

    /* An expression for what is written at place `i`, instead of the prefix `r`, which has the accumulator's type (F16:
     * a float) or the operator's own. For example, "r / (float)total" turns sums into a distribution. It is computed
     * only for prefixes that are written. Not for ARGMIN and ARGMAX. Default: NULL (the prefix). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the prefixes' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source or .custom declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host, in bytes. create compares it with the device's. 0 without an output_type_name. */
    size_t output_type_size;

    /* Each prefix ends before its own element. Default: false (inclusive). */
    bool exclusive;

    /* The value that each segment begins with. It points to one value of the prefixes' type, which create copies. Not
     * for ARGMIN and ARGMAX. An exclusive scan with an operator that has no identity requires it, or .has_initial_at.
     * Default: NULL (the operator's identity). */
    const void *initial;

    /* Each call has this value instead, in .initial_at. Not together with .initial. Default: false. */
    bool has_initial_at;

    /* Where segments begin. Default: CLPRIM_SEGMENTS_NONE. */
    clprim_scan_segments segments;

    /* Type of the calls' .heads. Default: U8 for flags, I32 for keys. */
    clprim_type segments_type;

    /* The caller's operator decides what happens where a segment begins, and the library does not restart there. The
     * expression `combine` may then use `across_segment`, a bool: whether a segment begins at one of the elements that
     * b was made of. For example, "across_segment ? b : a + b" sums by segments.
     *
     * The array is one scan. The initial value stands in front of element 0 and belongs to the first segment, at whose
     * beginning across_segment is false. With s and t for across_segment, combine(combine(a, b, s), c, t) must equal
     * combine(a, combine(b, c, t), s || t). An identity must be one for both values of across_segment. Requires .custom
     * and .segments. Default: false. */
    bool sees_segments;

    /* The prefixes have the same bits on every device. AUTO then takes FIXED_TREE. Default: false. */
    bool reproducible;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_SCAN_AUTO (the library chooses). */
    clprim_scan_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;

    /* Elements per work-item, at most 1024. For REDUCE_THEN_SCAN and LOOK_BACK. Default: 0 (tuned). */
    size_t items_per_work_item;

    /* Banks of local memory that BLELLOCH_PADDED pads for: a power of two. Default: 0 (32). */
    size_t banks;
} clprim_scan_desc;

/* One scan. */
typedef struct clprim_scan_call {
    /* `count` elements of .type, or of the operator's own type. Absent with .input. */
    clprim_array in;

    /* A flag or key of .segments_type for each element. Only with .segments. */
    clprim_array heads;

    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements. With .count_at it is the upper limit. */
    size_t count;

    /* The value that each segment begins with: one value of the prefixes' type. The operation reads it when it runs.
     * Only with .has_initial_at. */
    clprim_array initial_at;

    /* The `count` prefixes. They have the accumulator's type, the operator's own, or .output's; for ARGMIN and ARGMAX
     * they are clprim_indexed. They may be in place of .in if their elements are as large as those of .in. They may be
     * in place of an argument if the texts read that argument only at `i`. */
    clprim_array out;
} clprim_scan_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_INVALID_ARGUMENT, also if the prefixes must be .reproducible, may round, and the variant is not FIXED_TREE.
 *   Sums and products of floats may round, and so may results of .custom.
 * - CLPRIM_UNSUPPORTED, also if such prefixes must be .reproducible and the device does not keep denormals.
 * - CLPRIM_INVALID_OPERATOR, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_scan_create(clprim_plan **out, clprim_runtime *runtime, const clprim_scan_desc *desc);

/* Enqueue one scan. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_scan_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_scan_call *call,
                                             cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one scan, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_scan_run(clprim_runtime *runtime, const clprim_scan_desc *desc,
                                         const clprim_scan_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_scan_operation;

#ifdef __cplusplus
}
#endif
#endif
