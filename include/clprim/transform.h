// SPDX-License-Identifier: MIT
/* clprim/transform.h: compute one or several arrays in one launch, each from an expression over the index.
 *
 *     static const clprim_transform_desc axpy = {
 *         .expressions = {"a * x[i] + y[i]"},
 *         .types = {CLPRIM_F32},
 *         .text.parameters = {{.name = "a", .type = CLPRIM_F32},
 *                             {"x", CLPRIM_F32, .is_array = true},
 *                             {"y", CLPRIM_F32, .is_array = true}},
 *     };
 *     clprim_plan *plan;
 *     clprim_transform_create(&plan, runtime, &axpy);
 *     clprim_transform_enqueue(plan, queue,
 *                              &(clprim_transform_call){.arguments = {{.host = &a}, {.buffer = x}, {.buffer = y}},
 *                                                       .count = n,
 *                                                       .out = {{.buffer = y}}},
 *                              0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * out[k][i] is the value of expressions[k] for each i from 0 to count - 1. Expressions are OpenCL C over `i` (a ulong)
 * and the parameters of .text. Values are converted to the outputs' types as an assignment in C would (F16: from a
 * float). For each i, all expressions are computed before any value is stored.
 *
 * SCATTER
 *
 * With .out_index, the values of i go to out[k][j] instead, where j is the value of .out_index, an expression over i,
 * converted to ulong. If j is .out_length of the call or more, nothing is written for i: so ULONG_MAX, or -1 in a
 * signed type, skips an element. Elements to which no value goes keep their content. If several values go to the same
 * element, it receives one of them; which one is unspecified, and may differ from call to call and from output to
 * output.
 *
 *     .expressions = {"x[i]"}, .out_index = "map[i]"                     scatter
 *     .expressions = {"x[i]"}, .out_index = "flag[i] ? map[i] : -1L"     scatter_if
 *
 * enqueue copies an argument that is a number or a struct from its .host. An argument that is an array has .length
 * elements, by default `count`. An expression must not read past them; the library does not check that.
 *
 * A transform takes no scratch memory. Queues, events, overlaps, threads and failures: clprim/plan.h.
 *
 * Source: an elementwise map, as in CUB's DeviceTransform. */
#ifndef CLPRIM_TRANSFORM_H
#define CLPRIM_TRANSFORM_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of outputs of a call. */
enum { CLPRIM_TRANSFORM_MAX_OUTPUTS = 8 };

/* The kernels are in kernels/transform/; clprim_transform_operation.variants describes the variants. */
typedef enum clprim_transform_variant {
    CLPRIM_TRANSFORM_AUTO = 0,
    CLPRIM_TRANSFORM_TILES,
    CLPRIM_TRANSFORM_CPU_CHUNK
} clprim_transform_variant;

/* What to compute. Zeroed: the numbers from 0 on, as I32. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_transform_desc {
    /* The expression of each output. The list ends before the first NULL. Default: one output, "i". */
    const char *expressions[CLPRIM_TRANSFORM_MAX_OUTPUTS];

    /* Types of the outputs. Default: I32. */
    clprim_type types[CLPRIM_TRANSFORM_MAX_OUTPUTS];

    /* OpenCL C names of types that .text.source declares, instead of .types. Or "bool": bytes that are 1 if the
     * expression is not 0, else 0. Default: NULL. */
    const char *type_names[CLPRIM_TRANSFORM_MAX_OUTPUTS];

    /* Sizes of these types on the host and on the device, in bytes. Default: 0 (no .type_names). */
    size_t type_sizes[CLPRIM_TRANSFORM_MAX_OUTPUTS];

    /* Where the values of i go, an expression over `i`: see SCATTER above. Default: NULL (to element i). */
    const char *out_index;

    /* Declarations, parameters and compiler options for the expressions. Default: none. */
    clprim_text text;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_TRANSFORM_AUTO (the library chooses). */
    clprim_transform_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_transform_desc;

/* One call. */
typedef struct clprim_transform_call {
    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* With .out_index, the number of elements of each output. Default: 0 (`count`, also with .count_at). Without
     * .out_index it must be 0. */
    size_t out_length;

    /* The outputs: `count` elements for each expression, with .out_index .out_length. An output may be in place of an
     * argument whose elements have the same size if all expressions read that argument only at index `i`. With
     * .out_index, outputs must not overlap arguments, and their buffers must be readable. */
    clprim_array out[CLPRIM_TRANSFORM_MAX_OUTPUTS];
} clprim_transform_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In a compiler's log, the texts are the files `source`, `expressions_0`,
 * `expressions_1` and so on, and `out_index`. */
CLPRIM_API clprim_status clprim_transform_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_transform_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_transform_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_transform_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_transform_run(clprim_runtime *runtime, const clprim_transform_desc *desc,
                                              const clprim_transform_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_transform_operation;

#ifdef __cplusplus
}
#endif
#endif
