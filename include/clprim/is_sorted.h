/* clprim/is_sorted.h: test whether an array is sorted, and if not, up to where, as fast as memory can be read.
 *
 *     clprim_plan *plan;
 *     clprim_is_sorted_create(&plan, runtime, &(clprim_is_sorted_desc){.type = CLPRIM_F32});
 *     clprim_is_sorted_enqueue(plan, queue, &(clprim_is_sorted_call){.in = {in}, .count = n, .out = {until}}, 0, NULL,
 *                              NULL);
 *     clprim_plan_destroy(plan);
 *
 * The output is one number: the length of the longest sorted prefix. If it is `count`, the array is sorted. Otherwise
 * it is the index of the first element that must come before its predecessor. Equal neighbours count as sorted. An
 * array of 0 or 1 elements is sorted.
 *
 * Elements are compared in the total order of clprim/types.h, or in the caller's order. The result depends neither on
 * the variant nor on the device.
 *
 * Source: Harris 2007, Optimizing Parallel Reduction in CUDA (TREE); NVIDIA's threadFenceReduction sample
 * (SINGLE_PASS).
 *
 * See clprim/plan.h for queues, events, overlap, scratch memory, threads and failures. */
#ifndef CLPRIM_IS_SORTED_H
#define CLPRIM_IS_SORTED_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to test. AUTO chooses a variant for the device. Each variant is a kernel in kernels/is_sorted/;
 * clprim_is_sorted_operation.variants describes them. */
typedef enum clprim_is_sorted_variant {
    CLPRIM_IS_SORTED_AUTO = 0,
    CLPRIM_IS_SORTED_TREE,
    CLPRIM_IS_SORTED_SINGLE_PASS,
    CLPRIM_IS_SORTED_CPU_CHUNK
} clprim_is_sorted_variant;

/* What to test. Zeroed: whether U32 elements ascend. */
typedef struct clprim_is_sorted_desc {
    /* Type of the elements. Default: U32. */
    clprim_type type;

    /* An OpenCL C expression that gives the elements, over the index `i` (a ulong) and the parameters of .text. Its
     * value is converted to .type (F16: from a float), or has the type .type_name. Kernels compute an element more than
     * once: the expression must give the same value each time. Default: NULL, the elements are in `in`. */
    const char *input;

    /* The caller's order: an OpenCL C expression over two elements `a` and `b` that is true if a must come before b.
     * F16 elements are floats in it. The order must be a strict weak order. Two elements are equal if neither must come
     * before the other. Default: NULL, the total order.
     *
     * The text is code: never take it from someone you would not let run code on your device. */
    const char *less;

    /* Declarations, parameters and compiler options for .input and .less; see clprim/types.h. Zeroed without them. */
    clprim_text text;

    /* OpenCL C name of an element type that .text.source declares. Needs .less. Default: NULL, the type is .type. */
    const char *type_name;

    /* Size of that type on the host, in bytes; create checks it against the device's. 0 if .type_name is NULL. */
    size_t type_size;

    /* Test for the opposite order. Default: false. */
    bool descending;

    /* Where NaNs are sorted; see clprim/types.h. Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Type of the output: U32 (default) or U64, which is required if max_count is 2^32 or more. */
    clprim_type index_type;

    /* Type of count_at in calls: U32 or U64. Default: calls have no count_at. See clprim/plan.h. */
    clprim_type count_at_type;

    /* Maximum number of elements in a call. Default: 2^32 - 1. */
    size_t max_count;

    /* Default: AUTO. */
    clprim_is_sorted_variant variant;

    /* Work-items per work-group: a power of two, which the library adapts to the device. Default: tuned. */
    size_t work_group_size;
} clprim_is_sorted_desc;

/* One test. */
typedef struct clprim_is_sorted_call {
    /* The elements: `count` of them. None with .input. */
    clprim_array in;

    /* One for each parameter of .text; see clprim/plan.h. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* With .count_at_type: the number of elements in device memory, if less than `count`; see clprim/plan.h. */
    clprim_array count_at;

    /* Number of elements. At most .max_count. */
    size_t count;

    /* One number of .index_type: the length of the longest sorted prefix. */
    clprim_array out;
} clprim_is_sorted_call;

/* Make a plan. desc NULL means a zeroed description. On failure *out is unchanged.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT.
 * - CLPRIM_UNSUPPORTED: the device lacks what the variant needs. AUTO always finds a variant.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile; clprim_last_error() has the compiler's log.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_is_sorted_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_is_sorted_desc *desc);

/* Enqueue one test. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_is_sorted_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_is_sorted_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* Make a plan, test once and wait for the result. Arrays may be on the host or on the device; run copies as needed.
 * runtime NULL means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_is_sorted_run(clprim_runtime *runtime, const clprim_is_sorted_desc *desc,
                                              const clprim_is_sorted_call *call);

/* This operation as data; see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_is_sorted_operation;

#ifdef __cplusplus
}
#endif
#endif
