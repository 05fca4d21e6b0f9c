/* clprim/scan.h: all prefixes of an array, folded with an associative operator; by segments if wanted.
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
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, are the same bits with every variant and device.
 * - Floats are in one total order, in which the NaN that x86 computes comes first: MAX passes over it. With .nan_order
 *   CLPRIM_NAN_LAST, NaNs are propagated (clprim/types.h). So is a NaN in .initial.
 * - Float SUM and PROD depend in their last bits on the order of operations, hence on variant, device and count. One
 *   variant with one count gives the same bits each time on one device, except LOOK_BACK, whose tiles meet in an order
 *   that varies. With .reproducible they are the same bits on every device that keeps denormals and rounds to nearest.
 *   For any variant |computed - exact| <= i * u * sum of |x| over the prefix, u the unit roundoff (2^-24 for F32). If
 *   .accumulator_type rounds integers, x are the rounded ones, and exact is their sum.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_SCAN_H
#define CLPRIM_SCAN_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/scan/. The first five are the course's ladder; clprim_scan_operation.variants
 * describes them all. */
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

/* Where segments begin. Each is scanned independently, from .initial on. The first segment begins at element 0,
 * whatever its flag or key is. */
typedef enum clprim_scan_segments {
    CLPRIM_SEGMENTS_NONE = 0, /* the array is one segment */
    CLPRIM_SEGMENTS_BY_FLAG,  /* at each element whose flag is not equal to 0 (-0.0 is equal to 0, a NaN is not) */
    CLPRIM_SEGMENTS_BY_KEY    /* at each element whose key differs, in any bit, from the key before it */
} clprim_scan_segments;

/* What to scan. Zeroed: inclusive sums of I32. */
typedef struct clprim_scan_desc {
    clprim_type type; /* of the input; default I32 */
    clprim_op op;     /* ignored with .custom */
    /* Type of the running value and of the result; default: .type. For SUM and PROD only. It holds every value of .type
     * exactly: a wider integer for an integer (I64 for U8, not U16 for I16), F32 or F64 for small ones. F32 and F64 are
     * also allowed for integers that they do not hold: each element is then converted first, to nearest, ties to even,
     * on every device. So F32 rounds integers above 2^24 before it adds them, F64 those above 2^53. */
    clprim_type accumulator_type;
    const clprim_custom_op *custom; /* the caller's own operator; NULL: .op */
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the operator's own type. So the exclusive sums of
     * "x[i] > limit" are the places to which a selection moves its elements. NULL: the elements of .in. */
    const char *input;
    clprim_text text; /* what .input, .output and the operator may name besides; see clprim/types.h */
    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs, see clprim/types.h; not with .custom. */
    clprim_nan_order nan_order;
    /* What is written, instead of the prefixes: an OpenCL C expression over the prefix `r`, of the accumulator's type
     * (F16: a float) or of the operator's own, its place `i` (a ulong) and .text's parameters. Its value is converted
     * to .output_type (F16: from a float), or is of the type .output_type_name. So "r / (float)total" turns sums into a
     * distribution. It is computed only for prefixes that are written. NULL: the prefixes. Not for ARGMIN and ARGMAX. */
    const char *output;
    clprim_type output_type;      /* default: the prefixes' */
    const char *output_type_name; /* instead: the OpenCL C name of a type declared in .text.source or .custom */
    size_t output_type_size;      /* its size on the host, in bytes, checked against the device's; else 0 */
    bool exclusive;               /* default: inclusive */
    /* One value of the prefixes' type, copied by create; NULL: the operator's identity. Not for ARGMIN and ARGMAX. An
     * exclusive scan by an operator without an identity needs it, or .has_initial_at. */
    const void *initial;
    bool has_initial_at;           /* calls have that value instead, in .initial_at; default: they have none */
    clprim_scan_segments segments; /* default: none */
    clprim_type segments_type;     /* of the flags (default U8) or keys (default I32) */
    /* The caller's operator decides what happens at segments: the library no longer stops there. The expression `combine`
     * may then use `across_segment`, a bool: whether a segment begins at one of the elements that b was made of. So
     * "across_segment ? b : a + b" sums by segments. The array is one scan: .initial stands in front of element 0 and
     * belongs to the first segment, at whose beginning across_segment is false. With s and t for across_segment,
     * combine(combine(a, b, s), c, t) must be combine(a, combine(b, c, t), s || t). An identity must be one for both
     * values. Needs .custom and .segments. Default: the library stops at segments. */
    bool sees_segments;
    bool reproducible;           /* the same bits on every device; AUTO then takes FIXED_TREE */
    clprim_type count_at_type;   /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;            /* elements of any call; default: fewer than 2^32 */
    clprim_scan_variant variant; /* default AUTO */
    size_t work_group_size;      /* default: tuned. Otherwise a power of two, adapted to what the device can do */
    size_t items_per_work_item;  /* elements per work-item, for REDUCE_THEN_SCAN and LOOK_BACK; default: tuned */
    size_t banks;                /* of local memory, for BLELLOCH_PADDED: a power of two; default 32 */
} clprim_scan_desc;

/* One scan. */
typedef struct clprim_scan_call {
    clprim_array in;    /* of .type; none with .input */
    clprim_array heads; /* flags or keys, of .segments_type: one for each element, for a plan with segments */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    /* For a plan with .has_initial_at: one value of the prefixes' type, read when the call runs. */
    clprim_array initial_at;
    /* Of the accumulator's type, clprim_indexed for ARGMIN and ARGMAX, or of .output's type. May be exactly where `in`
     * is if both have elements of one size; or where an argument is, if the texts read that argument at i alone. */
    clprim_array out;
} clprim_scan_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_scan_create(clprim_plan **out, clprim_runtime *runtime, const clprim_scan_desc *desc);

/* Enqueue a scan of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_scan_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_scan_call *call,
                                             cl_uint num_waits, const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_scan_run(clprim_runtime *runtime, const clprim_scan_desc *desc,
                                         const clprim_scan_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_scan_operation;

#ifdef __cplusplus
}
#endif
#endif
