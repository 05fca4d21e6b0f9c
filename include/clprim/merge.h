// SPDX-License-Identifier: MIT
/* clprim/merge.h: stably merge two sorted ranges.
 *
 *     clprim_plan *plan;
 *     clprim_merge_create(&plan, runtime, &(clprim_merge_desc){.key_type = CLPRIM_F32});
 *     clprim_merge_enqueue(plan, queue,
 *                          &(clprim_merge_call){.a_keys = {.buffer = a},
 *                                               .b_keys = {.buffer = b},
 *                                               .a_count = 1000,
 *                                               .b_count = 500,
 *                                               .keys_out = {.buffer = merged}},
 *                          0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The merge is stable: among equal keys, those of range a come first, and each range keeps its own order. So the result
 * depends neither on the variant nor on the device. Keys are compared in the total order of clprim/types.h, or in the
 * caller's order. No bit of a key changes. Either range may be empty. If a range is not sorted, the kernels still
 * access nothing outside the arrays, but the result is unspecified.
 *
 * A merge takes one launch and no scratch memory, with one exception: with TILES, which AUTO chooses on GPUs, a merge
 * of 2^25 elements or more takes two launches, and 8 bytes of scratch memory per tile of a few thousand elements.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Green, McColl and Bader 2012, GPU Merge Path; Odeh, Green, Mwassi, Shmueli and Birk 2012, Merge Path. */
#ifndef CLPRIM_MERGE_H
#define CLPRIM_MERGE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/merge/; clprim_merge_operation.variants describes the variants. */
typedef enum clprim_merge_variant {
    CLPRIM_MERGE_AUTO = 0,
    CLPRIM_MERGE_NAIVE,
    CLPRIM_MERGE_PATH,
    CLPRIM_MERGE_CPU_CHUNK,
    CLPRIM_MERGE_TILES
} clprim_merge_variant;

/* What to merge. Zeroed: U32 keys without values, in ascending order. See EXPRESSIONS and COUNTS ON THE DEVICE
 * in clprim/plan.h. */
typedef struct clprim_merge_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats), whose value is not 0 if a must
     * come before b. It must be a strict weak order. Two elements are equal if neither must come before the other.
     * Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for the expression. Only with .less. Default: none. */
    clprim_text text;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Both ranges and the result are in descending order, the reverse of the total order or of .less.
     * Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Type of the calls' .a_count_at and .b_count_at: U32 or U64. Default: 0 (calls have neither). */
    clprim_type count_at_type;

    /* The largest count of any call, in keys of both ranges together. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_MERGE_AUTO (the library chooses). */
    clprim_merge_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_merge_desc;

/* One merge of range a and range b. */
typedef struct clprim_merge_call {
    /* Range a: a_count sorted keys of .key_type or .type_name and, with .value_size, their values. */
    clprim_array a_keys, a_values;

    /* Range b: b_count sorted keys of .key_type or .type_name and, with .value_size, their values. */
    clprim_array b_keys, b_values;

    /* The values of .text.parameters, in the same order. An array has a_count + b_count elements, unless its .length
     * says otherwise. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of keys of range a, on the device: one number of .count_at_type. Optional. Only
     * with .count_at_type. */
    clprim_array a_count_at;

    /* The number of keys of range a. With .a_count_at it is the upper limit. */
    size_t a_count;

    /* The number of keys of range b, on the device: one number of .count_at_type. Optional. Only
     * with .count_at_type. */
    clprim_array b_count_at;

    /* The number of keys of range b. With .b_count_at it is the upper limit. a_count + b_count is at
     * most .max_count. */
    size_t b_count;

    /* The a_count + b_count merged keys and, with .value_size, their values. Not in place. */
    clprim_array keys_out, values_out;
} clprim_merge_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the elements are so large that local memory does not hold even a few. */
CLPRIM_API clprim_status clprim_merge_create(clprim_plan **out, clprim_runtime *runtime, const clprim_merge_desc *desc);

/* Enqueue one merge. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_merge_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_merge_call *call,
                                              cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one merge, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_merge_run(clprim_runtime *runtime, const clprim_merge_desc *desc,
                                          const clprim_merge_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_merge_operation;

#ifdef __cplusplus
}
#endif
#endif
