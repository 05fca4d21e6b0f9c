// SPDX-License-Identifier: MIT
/* clprim/unique.h: keep the first element of each run of equal elements. In a sorted array these are the distinct
 * elements.
 *
 *     clprim_plan *plan;
 *     clprim_unique_create(&plan, runtime, &(clprim_unique_desc){.type = CLPRIM_F32});
 *     clprim_unique_enqueue(
 *         plan, queue,
 *         &(clprim_unique_call){
 *             .in = {.buffer = in}, .count = n, .out = {.buffer = out}, .out_count = {.buffer = kept}},
 *         0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Each element is compared with the element right before it in the input. By default, elements are equal if their
 * bits are the same: -0.0 differs from +0.0, and a NaN equals itself. The kept elements keep their order. Their
 * number is written on the device. It is 0 if there are no elements. Elements are copied bit for bit, unless .output
 * replaces them.
 *
 * With .value_size each element is a key that has a value. The value of the first element of each run is kept, too
 * (unique by key).
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: stream compaction by the heads of runs, by the variants of clprim/select.h. */
#ifndef CLPRIM_UNIQUE_H
#define CLPRIM_UNIQUE_H

#include <clprim/plan.h>
#include <clprim/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to keep. Zeroed: I32 elements, compared by their bits. See EXPRESSIONS and COUNTS ON THE DEVICE
 * in clprim/plan.h. */
typedef struct clprim_unique_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* An expression over an element `a` and the element `b` right after it (F16: floats), whose value is not 0 if b
     * belongs to the run of a. It need not be an equivalence relation. Default: NULL (all bits are the same). */
    const char *equal;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the type .type_name.
     * Default: NULL (the elements of .in). */
    const char *input;

    /* An expression over the first element `r` of a run (F16: a float) and its index `i` in the input, whose value is
     * written instead of `r`. For example, "i" writes where runs begin. It is computed only for elements that are kept.
     * Default: NULL (the element). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the elements' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* Declarations, parameters and compiler options for the expressions. Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. A type with padding requires .equal,
     * because padding bits are unspecified. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Bytes of the value that belongs to each element: 0, 1, 2, 4, 8 or 16. Values are copied as they are. Default: 0
     * (no values). */
    size_t value_size;

    /* Instead of values: write the index that each kept element has in the input. Not with .value_size.
     * Default: false. */
    bool indices;

    /* Type of .out_count and of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more.
     * Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The variant of the selection. Default: CLPRIM_SELECT_AUTO (the library chooses). */
    clprim_select_variant variant;
} clprim_unique_desc;

/* One call. */
typedef struct clprim_unique_call {
    /* `count` elements of .type or .type_name. Not with .input. */
    clprim_array in;

    /* `count` values of .value_size bytes. Only with .value_size. */
    clprim_array values_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The kept elements, or what .output makes of them. It has room for `count` elements, or for fewer if it has a
     * .length: then only the first .length kept elements are written, and all are counted. Elements after the written
     * ones are untouched. Not in place. */
    clprim_array out;

    /* The values of the kept elements, or with .indices their indices, of .index_type. It has room for `count` of them,
     * or, like .out, for fewer; those after the written ones are untouched. Only with .value_size or .indices. Not in
     * place. */
    clprim_array values_out;

    /* The number of kept elements: one number of .index_type. If it is greater than out.length, they did not fit. */
    clprim_array out_count;
} clprim_unique_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 * Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_unique_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_unique_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_unique_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_unique_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_unique_run(clprim_runtime *runtime, const clprim_unique_desc *desc,
                                           const clprim_unique_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_unique_operation;

#ifdef __cplusplus
}
#endif
#endif
