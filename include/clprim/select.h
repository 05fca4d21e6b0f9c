// SPDX-License-Identifier: MIT
/* clprim/select.h: keep the elements that satisfy a predicate (stream compaction). To keep the other
 * elements, too, see clprim/partition.h.
 *
 *     clprim_plan *plan;
 *     clprim_select_create(&plan, runtime, &(clprim_select_desc){.type = CLPRIM_F32, .predicate = "x > 0.5f"});
 *     clprim_select_enqueue(
 *         plan, queue,
 *         &(clprim_select_call){
 *             .in = {.buffer = in}, .count = n, .out = {.buffer = out}, .out_count = {.buffer = selected}},
 *         0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The selected elements keep their order. Their number is written on the device. It is 0 if none is selected.
 * Elements are copied bit for bit, unless .output replaces them.
 *
 * To know only how many elements satisfy a condition (count_if), reduce the condition instead. This reads the elements
 * once, at full speed, and writes one number:
 *
 *     const clprim_reduce_desc count_if = {.type = CLPRIM_U32,
 *                                          .input = "x[i] > 0.5f",
 *                                          .text.parameters = {{"x", CLPRIM_F32, .is_array = true}}};
 *     clprim_reduce_run(runtime, &count_if,
 *                       &(clprim_reduce_call){.arguments = {{.buffer = in}}, .count = n, .out = {.host = &number}});
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back (LOOK_BACK); Merrill and
 * Grimshaw 2009, Parallel Scan for Stream Architectures (COUNT_THEN_MOVE). */
#ifndef CLPRIM_SELECT_H
#define CLPRIM_SELECT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/select/; clprim_select_operation.variants describes the variants. unique and partition have
 * all of them but NATIVE. */
typedef enum clprim_select_variant {
    CLPRIM_SELECT_AUTO = 0,
    CLPRIM_SELECT_COUNT_THEN_MOVE,
    CLPRIM_SELECT_CPU_CHUNK,
    CLPRIM_SELECT_LOOK_BACK,
    CLPRIM_SELECT_NATIVE
} clprim_select_variant;

/* What to select. Zeroed: I32 elements by U8 flags. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_select_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* An expression over the element `x` (F16: a float) and its index `i` (a ulong, from 0 on), whose value is not 0 if
     * the element is selected. Default: NULL (select by flags). */
    const char *predicate;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the type .type_name. For
     * example, "i" selects indices. Default: NULL (the elements of .in). */
    const char *input;

    /* An expression over the selected element `r` (F16: a float) and its index `i` in the input, whose value is
     * written instead of `r`. For example, "i" writes the indices of selected elements, and "r.key" one member of
     * each. It is computed only for selected elements. Default: NULL (the element). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the elements' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* Declarations, parameters and compiler options for the expressions. Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Type of the flags. A flag selects its element if it is not 0. (-0.0 equals 0; NaNs and denormals do not.)
     * Default: U8. */
    clprim_type flags_type;

    /* Type of .out_count: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_SELECT_AUTO (the library chooses). */
    clprim_select_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;

    /* Elements per work-item, at most 1024. For COUNT_THEN_MOVE and LOOK_BACK. Default: 0 (tuned). */
    size_t items_per_work_item;
} clprim_select_desc;

/* One selection. */
typedef struct clprim_select_call {
    /* `count` elements of .type or .type_name. Not with .input. */
    clprim_array in;

    /* `count` flags of .flags_type. Not with .predicate. */
    clprim_array flags;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The selected elements, or the values of .output for them. The array has room for `count` elements, or for fewer
     * if it has a .length: then only the first .length selected elements are written, and all are counted. Elements
     * after the written ones are untouched. Not in place. */
    clprim_array out;

    /* The number of selected elements: one number of .index_type. If it exceeds out.length, they did not fit. */
    clprim_array out_count;
} clprim_select_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 * Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_select_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_select_desc *desc);

/* Enqueue one selection. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_select_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_select_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Make a plan, run one selection, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_select_run(clprim_runtime *runtime, const clprim_select_desc *desc,
                                           const clprim_select_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_select_operation;

#ifdef __cplusplus
}
#endif
#endif
