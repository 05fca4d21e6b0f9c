// SPDX-License-Identifier: MIT
/* clprim/set_operation.h: union, intersection, difference and symmetric difference of two sorted arrays.
 *
 *     clprim_plan *plan;
 *     clprim_set_operation_create(&plan, runtime,
 *                                 &(clprim_set_operation_desc){.key_type = CLPRIM_U32, .op = CLPRIM_SET_INTERSECTION});
 *     clprim_set_operation_enqueue(plan, queue,
 *                                  &(clprim_set_operation_call){.a_keys = {.buffer = a},
 *                                                               .b_keys = {.buffer = b},
 *                                                               .a_count = 1000,
 *                                                               .b_count = 500,
 *                                                               .keys_out = {.buffer = common},
 *                                                               .out_count = {.buffer = number}},
 *                                  0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * An element may occur several times. If it occurs m times in a and n times in b, the result contains it
 *
 *     union                   max(m, n) times
 *     intersection            min(m, n) times
 *     difference, a - b       max(m - n, 0) times
 *     symmetric difference    |m - n| times
 *
 * as with std::set_union and the other set operations of C++. Equal elements need not be identical: the order may
 * compare only a part of each element, and their values may differ. Therefore equal elements form pairs: the first one
 * in a with the first one in b, the second with the second, and so on, up to min(m, n) pairs. The result contains
 * either the element of a from each pair, or nothing from pairs. The elements without a partner are the last of the
 * equal elements in a, or the last in b.
 *
 *     union                   elements of a from pairs, elements of a and of b without a partner
 *     intersection            elements of a from pairs
 *     difference              elements of a without a partner
 *     symmetric difference    elements of a and of b without a partner
 *
 * The result is sorted, and equal elements keep their order. It depends neither on the variant nor on the device. Keys
 * are compared in the total order of clprim/types.h, or in the caller's order. In the total order -0.0 and 0.0 are two
 * different elements, and so are NaNs with different bits. No bit of a key changes. Either array may be empty. If an
 * array is not sorted, the kernels still access nothing outside the arrays, but the result is unspecified.
 *
 * Outputs are unchanged after the last element of the result. The time hardly depends on how often elements occur.
 * Scratch memory: at most 128 bytes per tile. A tile has a few thousand elements of both arrays together.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Baxter 2013, Modern GPU (balanced path); Green, McColl and Bader 2012, GPU Merge Path. */
#ifndef CLPRIM_SET_OPERATION_H
#define CLPRIM_SET_OPERATION_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/set_operation/; clprim_set_operation_operation.variants describes the variants. */
typedef enum clprim_set_operation_variant {
    CLPRIM_SET_OPERATION_AUTO = 0,
    CLPRIM_SET_OPERATION_LOOK_BACK,
    CLPRIM_SET_OPERATION_COUNT_THEN_MOVE,
    CLPRIM_SET_OPERATION_CPU_CHUNK
} clprim_set_operation_variant;

/* What to compute. Zeroed: the union of U32 keys without values, in ascending order. See EXPRESSIONS and COUNTS ON THE
 * DEVICE in clprim/plan.h. */
typedef struct clprim_set_operation_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* Which set operation. Default: CLPRIM_SET_UNION. */
    clprim_set_op op;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats). Its value is not 0 if a must
     * come before b. It must be a strict weak order. Two elements are equal if neither must come before the other.
     * Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for the expression. Only with .less. Default: none. */
    clprim_text text;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Both arrays and the result are in descending order, the reverse of the total order or of .less.
     * Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Type of .out_count: U32 or U64. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .a_count_at and .b_count_at: U32 or U64. Default: 0 (calls have neither). */
    clprim_type count_at_type;

    /* The largest count of any call, in keys of both arrays together. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_SET_OPERATION_AUTO (the library chooses). */
    clprim_set_operation_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_set_operation_desc;

/* One set operation on a and b. */
typedef struct clprim_set_operation_call {
    /* a_count sorted keys of .key_type or .type_name and, with .value_size, their values. */
    clprim_array a_keys, a_values;

    /* b_count sorted keys of .key_type or .type_name and, with .value_size, their values. Calls for an
     * intersection or a difference have no .b_values: their results contain only elements of a. */
    clprim_array b_keys, b_values;

    /* The values of .text.parameters, in the same order. An array has a_count + b_count elements, unless its .length
     * says otherwise. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of keys of a, on the device: one number of .count_at_type. Optional. Only with .count_at_type. */
    clprim_array a_count_at;

    /* The number of keys of a. With .a_count_at it is the upper limit. */
    size_t a_count;

    /* The number of keys of b, on the device: one number of .count_at_type. Optional. Only with .count_at_type. */
    clprim_array b_count_at;

    /* The number of keys of b. With .b_count_at it is the upper limit. a_count + b_count is at most .max_count. */
    size_t b_count;

    /* The keys of the result and, with .value_size, their values. Each has room for a_count + b_count elements; for an
     * intersection, min(a_count, b_count); for a difference, a_count. Not in place. */
    clprim_array keys_out, values_out;

    /* The number of elements of the result: one number of .index_type. */
    clprim_array out_count;
} clprim_set_operation_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the keys are so large that local memory cannot hold even a few of them. */
CLPRIM_API clprim_status clprim_set_operation_create(clprim_plan **out, clprim_runtime *runtime,
                                                     const clprim_set_operation_desc *desc);

/* Enqueue one set operation. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_set_operation_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                      const clprim_set_operation_call *call, cl_uint num_waits,
                                                      const cl_event *waits, cl_event *done);

/* Make a plan, run one set operation, and wait for the result. Arrays may be on the host, on the device, or both. A
 * NULL runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_set_operation_run(clprim_runtime *runtime, const clprim_set_operation_desc *desc,
                                                  const clprim_set_operation_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_set_operation_operation;

#ifdef __cplusplus
}
#endif
#endif
