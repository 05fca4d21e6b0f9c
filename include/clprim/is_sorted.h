// SPDX-License-Identifier: MIT
/* clprim/is_sorted.h: test whether an array is sorted, and find the length of its sorted prefix.
 *
 *     clprim_plan *plan;
 *     clprim_is_sorted_create(&plan, runtime, &(clprim_is_sorted_desc){.type = CLPRIM_F32});
 *     clprim_is_sorted_enqueue(plan, queue,
 *                              &(clprim_is_sorted_call){.in = {.buffer = in}, .count = n, .out = {.buffer = until}}, 0,
 *                              NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The output is one number: the length of the longest sorted prefix. If it is `count`, the array is sorted. Otherwise
 * it is the index of the first element that must come before its predecessor. Equal neighbours count as
 * sorted. An array of 0 or 1 elements is sorted.
 *
 * Elements are compared in the total order of clprim/types.h, or in the caller's order. The result depends neither on
 * the variant nor on the device.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Harris 2007, Optimizing Parallel Reduction in CUDA (TREE); NVIDIA's sample
 * threadFenceReduction (SINGLE_PASS). */
#ifndef CLPRIM_IS_SORTED_H
#define CLPRIM_IS_SORTED_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/find/; clprim_is_sorted_operation.variants describes the variants. */
typedef enum clprim_is_sorted_variant {
    CLPRIM_IS_SORTED_AUTO = 0,
    CLPRIM_IS_SORTED_TREE,
    CLPRIM_IS_SORTED_SINGLE_PASS,
    CLPRIM_IS_SORTED_CPU_CHUNK
} clprim_is_sorted_variant;

/* What to test. Zeroed: whether U32 elements ascend. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_is_sorted_desc {
    /* Type of the elements. Default: U32. */
    clprim_type type;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the type .type_name.
     * Default: NULL (the elements of .in). */
    const char *input;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats), whose value is not 0 if a must
     * come before b. It must be a strict weak order. Two elements are equal if neither must come before the other.
     * Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for the expressions. Only with .input or .less. Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Test for descending order, the reverse of the total order or of .less. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Type of .out: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_IS_SORTED_AUTO (the library chooses). */
    clprim_is_sorted_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_is_sorted_desc;

/* One test. */
typedef struct clprim_is_sorted_call {
    /* `count` elements of .type or .type_name. Not with .input. */
    clprim_array in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The length of the longest sorted prefix: one number of .index_type. */
    clprim_array out;
} clprim_is_sorted_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the device lacks what the variant needs. AUTO always finds a variant. */
CLPRIM_API clprim_status clprim_is_sorted_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_is_sorted_desc *desc);

/* Enqueue one test. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_is_sorted_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_is_sorted_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* Make a plan, run one test, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_is_sorted_run(clprim_runtime *runtime, const clprim_is_sorted_desc *desc,
                                              const clprim_is_sorted_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_is_sorted_operation;

#ifdef __cplusplus
}
#endif
#endif
