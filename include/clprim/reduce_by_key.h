// SPDX-License-Identifier: MIT
/* clprim/reduce_by_key.h: reduce the values of each run of equal keys with an associative operator.
 *
 *     clprim_plan *plan;
 *     clprim_reduce_by_key_create(&plan, runtime,
 *                                 &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U32, .type = CLPRIM_F32});
 *     clprim_reduce_by_key_enqueue(plan, queue,
 *                                  &(clprim_reduce_by_key_call){.keys_in = {.buffer = keys},
 *                                                               .values_in = {.buffer = values},
 *                                                               .count = n,
 *                                                               .keys_out = {.buffer = groups},
 *                                                               .values_out = {.buffer = sums},
 *                                                               .out_count = {.buffer = num_groups}},
 *                                  0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * A run is a maximal sequence of consecutive equal keys. If the keys are sorted, each run is a group, and the results
 * are the sum, minimum and so on of each group.
 *
 * Each key is compared with the key right before it. By default, keys are equal if their bits are the same: -0.0
 * differs from +0.0, and a NaN equals itself. Runs keep their order. Their number is written on the device. It is 0 if
 * there are no elements.
 *
 * Guarantees:
 * - Keys are copied bit for bit.
 * - The operator need not commute: every variant combines values in their order.
 * - Integer results, and MIN, MAX, ARGMIN and ARGMAX of every type, have the same bits with every variant and on
 *   every device.
 * - MIN, MAX, ARGMIN and ARGMAX compare floats in the total order of clprim/types.h. There the NaN that x86 computes
 *   comes first, so MAX ignores it. With .nan_order = CLPRIM_NAN_LAST these operators propagate NaNs.
 * - The last bits of float SUM and PROD depend on the order of operations, which depends on the variant, the device,
 *   the count and the position of the run. With LOOK_BACK, which AUTO chooses on most GPUs, they may differ from call
 *   to call.
 * - Float SUM, by every variant: |computed - exact| <= min(m - 1, 1024) * u * sum of |x| for a run of m values (SUMS OF
 *   FLOATS in clprim/types.h). Float PROD without underflow: |computed - exact| <= (m - 1) * u / (1 - (m - 1) * u) *
 *   |exact|. u is the unit roundoff (2^-24 for F32).
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: segmented scan (Schwartz 1980, Ultracomputers; Blelloch 1990, Prefix Sums and Their Applications), by the
 * variants of clprim/scan.h. */
#ifndef CLPRIM_REDUCE_BY_KEY_H
#define CLPRIM_REDUCE_BY_KEY_H

#include <clprim/plan.h>
#include <clprim/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to reduce. Zeroed: sums of I32 values by I32 keys. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_reduce_by_key_desc {
    /* Type of the keys. Default: I32. */
    clprim_type key_type;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source or .custom declares. A type with padding
     * requires .equal, because padding bits are unspecified. Default: NULL. */
    const char *key_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .key_type_name). */
    size_t key_type_size;

    /* An expression over a key `a` and the key `b` right after it (F16: floats), whose value is not 0 if b belongs to
     * the run of a. It need not be an equivalence relation. Default: NULL (all bits are the same). */
    const char *equal;

    /* Type of the values. Default: I32. */
    clprim_type type;

    /* The operator. Ignored with .custom. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the result, for SUM and PROD only. Default: .type.
     *
     * It must hold every value of .type exactly: I64 holds U8, but U16 does not hold I16. As an exception, F32 and F64
     * are allowed for every integer type. Each value is then rounded before it is combined, to nearest, ties to even,
     * on every device: above 2^24 in F32, above 2^53 in F64. */
    clprim_type accumulator_type;

    /* The caller's own operator (clprim/types.h), instead of .op. Default: NULL (.op). */
    const clprim_custom_op *custom;

    /* An expression for value `i`, instead of .values_in. It is converted to .type, or has the operator's own
     * type. For example, the sum of "x[i] * y[i]" is a dot product for each run of keys. Default: NULL (the
     * elements of .values_in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Only with .custom, .input, .output, .equal or
     * .key_type_name. Default: none. */
    clprim_text text;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Not with .custom.
     * Default: CLPRIM_NAN_TOTAL (they do not). */
    clprim_nan_order nan_order;

    /* An expression over the result `r` of run `i` (from 0 on), whose value is written instead of `r`. The type of `r`
     * is the accumulator's (F16: a float) or the operator's own. For example, "r.sum / r.count" turns sums and counts
     * into means. It is computed only for the results of whole runs. Not for ARGMIN and ARGMAX.
     * Default: NULL (the results). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the results' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source or .custom declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* Type of .out_count: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation of the scan: CPU_CHUNK, REDUCE_THEN_SCAN or LOOK_BACK. Default: CLPRIM_SCAN_AUTO (the
     * library chooses). */
    clprim_scan_variant variant;
} clprim_reduce_by_key_desc;

/* One call. .keys_out and .values_out have room for `count` runs, or for fewer if they have a .length: then only the first
 * .length runs are written there, and all are counted. Elements after these are unchanged. */
typedef struct clprim_reduce_by_key_call {
    /* `count` keys of .key_type or .key_type_name. */
    clprim_array keys_in;

    /* `count` values of .type, or of the operator's own type. Not with .input. */
    clprim_array values_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The first key of each run. Not in place. */
    clprim_array keys_out;

    /* The result of each run: a value of the accumulator's type, the operator's own, or that of .output; for ARGMIN and
     * ARGMAX a clprim_indexed, whose index counts from the first value of the call. Not in place. */
    clprim_array values_out;

    /* The number of runs: one number of .index_type. If it exceeds the .length of an output, they did not fit there. */
    clprim_array out_count;
} clprim_reduce_by_key_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 * Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_by_key_create(clprim_plan **out, clprim_runtime *runtime,
                                                     const clprim_reduce_by_key_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_by_key_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                      const clprim_reduce_by_key_call *call, cl_uint num_waits,
                                                      const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_reduce_by_key_run(clprim_runtime *runtime, const clprim_reduce_by_key_desc *desc,
                                                  const clprim_reduce_by_key_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_reduce_by_key_operation;

#ifdef __cplusplus
}
#endif
#endif
