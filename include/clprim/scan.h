// SPDX-License-Identifier: MIT
/* clprim/scan.h: compute all prefixes of an array (prefix sums) with an associative operator, optionally by segments.
 *
 *     inclusive:  out[i] = initial OP in[0] OP ... OP in[i]
 *     exclusive:  out[i] = initial OP in[0] OP ... OP in[i - 1],  out[0] = initial
 *
 *     clprim_plan *plan;
 *     clprim_scan_create(&plan, runtime, &(clprim_scan_desc){.type = CLPRIM_U32, .exclusive = true});
 *     clprim_scan_enqueue(plan, queue, &(clprim_scan_call){.in = {.buffer = in}, .count = n, .out = {.buffer = out}},
 *                         0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Guarantees:
 * - The operator need not commute: every variant combines elements in their order.
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, have the same bits with every variant and on every
 *   device.
 * - MIN, MAX, ARGMIN and ARGMAX compare floats in the total order of clprim/types.h. There the NaN that x86 computes
 *   comes first, so MAX ignores it. With .nan_order = CLPRIM_NAN_LAST these operators propagate NaNs, including a NaN
 *   in .initial.
 * - The last bits of float SUM and PROD depend on the order of operations, which depends on the variant, the device and
 *   the count. If these are the same, the bits are the same in every call, except with LOOK_BACK, which combines tiles
 *   in an order that varies. With .reproducible they are also the same on every device that keeps denormals and rounds
 *   to nearest (clprim_device_info.has_denormals_f32).
 * - Float SUM, by every variant: |computed - exact| <= min(m - 1, 1024) * u * sum of |x| for a prefix of m elements
 *   (SUMS OF FLOATS in clprim/types.h, also about zeros).
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

/* The kernels are in kernels/scan/; clprim_scan_operation.variants describes the variants. NAIVE to BLELLOCH_PADDED are
 * the course's steps (docs/scan.md, docs/sources.md). */
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
    CLPRIM_SCAN_FIXED_TREE,
    CLPRIM_SCAN_FIXED_LOOK_BACK,
    CLPRIM_SCAN_FIXED_CHUNK,
    CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN,
    CLPRIM_SCAN_NATIVE
} clprim_scan_variant;

/* Where segments begin. Each segment is scanned independently and begins with the initial value. The first segment
 * begins at element 0, whatever its flag or key is. */
typedef enum clprim_scan_segments {
    /* The array is one segment. */
    CLPRIM_SEGMENTS_NONE = 0,

    /* A segment begins at each element whose flag is not 0. (-0.0 equals 0; a NaN does not.) */
    CLPRIM_SEGMENTS_BY_FLAG,

    /* A segment begins at each element whose key differs from the key before it in any bit. */
    CLPRIM_SEGMENTS_BY_KEY,

    /* Segment s has the elements offsets[s] to offsets[s + 1] - 1, counted from the first element of the call. Offsets
     * must ascend and must not exceed the count. Segments may be empty. The elements before the first offset are one
     * more segment, and so are those from the last offset on: their prefixes are written, too. Offsets stay on the
     * device. If they are invalid there, the kernels still access nothing outside the arrays, but the outputs are
     * unspecified. run checks offsets on the host and refuses invalid ones with CLPRIM_INVALID_ARGUMENT.
     *
     * The time hardly depends on the lengths of segments. Variants that AUTO does not choose may need one more bit of
     * scratch memory per element. */
    CLPRIM_SEGMENTS_BY_OFFSETS
} clprim_scan_segments;

/* What to scan. Zeroed: inclusive sums of I32. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_scan_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* The operator. Ignored with .custom. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the prefixes, for SUM and PROD only. Default: .type.
     *
     * It must hold every value of .type exactly: I64 holds U8, but U16 does not hold I16. As an exception, F32 and F64
     * are allowed for every integer type. Each element is then rounded before it is combined, to nearest, ties to even,
     * on every device: above 2^24 in F32, above 2^53 in F64. */
    clprim_type accumulator_type;

    /* The caller's own operator (clprim/types.h), instead of .op. Default: NULL (.op). */
    const clprim_custom_op *custom;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the operator's own type.
     * For example, the exclusive sums of "x[i] > limit" are the output places of the selected elements.
     * Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Only with .custom, .input or .output.
     * Default: none. */
    clprim_text text;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Not with .custom.
     * Default: CLPRIM_NAN_TOTAL (they do not). */
    clprim_nan_order nan_order;

    /* An expression over the prefix `r` at index `i`, whose value is written instead of `r`. The type of `r` is the
     * accumulator's (F16: a float) or the operator's own. For example, "r / (float)total" turns sums into a
     * distribution. Not for ARGMIN and ARGMAX. Default: NULL (the prefix). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the prefixes' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source or .custom declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* Leave each element out of its own prefix. Default: false (inclusive). */
    bool exclusive;

    /* A pointer to the initial value, which create copies: one value of the prefixes' type. Each segment begins with
     * it. An exclusive scan requires it, or .has_initial_at, if the operator has no identity. Not for ARGMIN and
     * ARGMAX. Default: NULL (the operator's identity). */
    const void *initial;

    /* Each call has its own initial value, in .initial_at. Not with .initial. Not for ARGMIN and ARGMAX.
     * Default: false. */
    bool has_initial_at;

    /* Where segments begin. Default: CLPRIM_SEGMENTS_NONE. */
    clprim_scan_segments segments;

    /* Type of the calls' .heads. Default: U8 for flags, I32 for keys. */
    clprim_type segments_type;

    /* Type of the calls' .offsets: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* Let the caller's operator decide what happens where a segment begins; the library does not restart there. The
     * expression `combine` may then use `across_segment`, a bool. It is true if a segment begins at one of the elements
     * that b combines. For example, "across_segment ? b : a + b" sums by segments.
     *
     * The array is scanned as a whole. The initial value comes before element 0 and belongs to the first segment:
     * across_segment is false when it is combined with them. If s and t are values of across_segment,
     * combine(combine(a, b, s), c, t) must equal combine(a, combine(b, c, t), s || t). An identity must be an identity
     * for both values of across_segment.
     *
     * Only with .custom and .segments. A built-in operator has no text that could use across_segment, and could only
     * restart at segments, which the library does without .sees_segments. One thing still needs a text of your own: an
     * initial value that belongs to the first segment alone, such as the sum of an array before this one. The sum is
     * then the expression above. Default: false. */
    bool sees_segments;

    /* Make the bits of the prefixes the same on every device. If they may round, AUTO then chooses one of the variants
     * whose names begin with FIXED, which give the same bits. Default: false. */
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

    /* Number of banks of local memory, for the padding of BLELLOCH_PADDED: a power of two, at most 1024.
     * Default: 0 (32). */
    size_t banks;
} clprim_scan_desc;

/* One scan. */
typedef struct clprim_scan_call {
    /* `count` elements of .type, or of the operator's own type. Not with .input. */
    clprim_array in;

    /* A flag or key of .segments_type for each element. Only with segments by flag or by key. */
    clprim_array heads;

    /* segment_count + 1 numbers of .offsets_type. Only with segments by offsets. It may be left out if segment_count
     * is 0. */
    clprim_array offsets;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The number of segments by offsets, at most 2^32 - 2. 0: all elements are one segment. */
    size_t segment_count;

    /* The initial value, on the device: one value of the prefixes' type. The operation reads it when it runs. Only
     * with .has_initial_at. */
    clprim_array initial_at;

    /* The prefixes: `count` values of the accumulator's type, the operator's own, or that of .output; for ARGMIN and
     * ARGMAX clprim_indexed. They may be in place of .in if both have elements of the same size. They may be in place
     * of an argument of that size, too, if the expressions read it only at index `i`. */
    clprim_array out;
} clprim_scan_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: .reproducible is set, the prefixes may round, and the name of the variant does not begin
 *   with FIXED. Sums and products of floats may round, and so may results of .custom.
 * - CLPRIM_UNSUPPORTED: .reproducible is set, the prefixes may round, and the device does not keep denormals. Or the
 *   variant is FIXED_LOOK_BACK, for more than 2^36 elements. Or it is FIXED_REDUCE_THEN_SCAN, with .custom or .segments. */
CLPRIM_API clprim_status clprim_scan_create(clprim_plan **out, clprim_runtime *runtime, const clprim_scan_desc *desc);

/* Enqueue one scan. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_scan_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_scan_call *call,
                                             cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one scan, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_scan_run(clprim_runtime *runtime, const clprim_scan_desc *desc,
                                         const clprim_scan_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_scan_operation;

#ifdef __cplusplus
}
#endif
#endif
