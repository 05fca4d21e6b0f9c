// SPDX-License-Identifier: MIT
/* clprim/partition.h: divide an array into the elements that satisfy a predicate and the rest, or into three parts by
 * two predicates.
 *
 *     clprim_plan *plan;
 *     clprim_partition_create(&plan, runtime, &(clprim_partition_desc){.type = CLPRIM_F32, .predicate = "x > 0.5f"});
 *     clprim_partition_enqueue(
 *         plan, queue,
 *         &(clprim_partition_call){
 *             .in = {.buffer = in}, .count = n, .out = {.buffer = out}, .out_count = {.buffer = counts}},
 *         0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The first part has the elements that satisfy .predicate, or whose flag is set. With .second_predicate, the second
 * part has the elements that satisfy .second_predicate but not .predicate. The rest has all other elements.
 *
 *                         written to                             passes over memory
 *     (default)           .out: the parts one after another      two reads, one write (COUNT_THEN_MOVE)
 *     .reversed_rest      .out: the rest from the end backwards  one read, one write (LOOK_BACK)
 *     .separate           .out, .second_out, .rest_out           one read, one write (LOOK_BACK)
 *
 * Each part is stable: its elements keep their order, except that .reversed_rest reverses the rest. Elements are copied
 * bit for bit, unless .output replaces them. The counts are written on the device. They are 0 if
 * there are no elements.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back (LOOK_BACK); Merrill and
 * Grimshaw 2009, Parallel Scan for Stream Architectures (COUNT_THEN_MOVE). */
#ifndef CLPRIM_PARTITION_H
#define CLPRIM_PARTITION_H

#include <clprim/plan.h>
#include <clprim/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to divide. Zeroed: I32 elements by U8 flags, the rest after the first part. See EXPRESSIONS and COUNTS ON THE
 * DEVICE in clprim/plan.h. */
typedef struct clprim_partition_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* An expression over the element `x` (F16: a float) and its index `i` (a ulong, from 0 on). Its value is not 0 if
     * the element is in the first part. Default: NULL (by flags). */
    const char *predicate;

    /* A second such expression. Its value is not 0 if the element is in the second part. It is computed only for
     * elements that are not in the first part. Not with .reversed_rest. Default: NULL (there is no second part). */
    const char *second_predicate;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the type .type_name. For
     * example, "i" partitions the indices. Default: NULL (the elements of .in). */
    const char *input;

    /* An expression over an element `r` (F16: a float) and its index `i` in the input. Its value is written instead of
     * `r`. For example, "i" writes the indices of the elements, and "r.key" writes one member of each. Default: NULL
     * (the element). */
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

    /* Type of the flags. The first part has the elements whose flag is not 0. (-0.0 equals 0; NaNs and denormals do
     * not.) Default: U8. */
    clprim_type flags_type;

    /* Write the rest to .out from the last element backwards, so that one pass is enough. Not with .second_predicate or
     * .separate. Default: false. */
    bool reversed_rest;

    /* Write each part to its own array. Default: false (all parts to .out). */
    bool separate;

    /* Type of .out_count, .second_count and .rest_count: U32 or U64. U64 is required if .max_count is 2^32 or more.
     * Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation: a variant of clprim/select.h. Default: CLPRIM_SELECT_AUTO (the library chooses). */
    clprim_select_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;

    /* Elements per work-item, at most 1024. For COUNT_THEN_MOVE and LOOK_BACK. Default: 0 (tuned). */
    size_t items_per_work_item;
} clprim_partition_desc;

/* One partition. .out has room for `count` elements. With .separate each output may have room for fewer, if it has a
 * .length: then only the first .length elements of its part are written, and all are counted. Elements after the written
 * ones are untouched. So a program that expects few elements in a part need not make room for all. */
typedef struct clprim_partition_call {
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

    /* All parts, or the values of .output for their elements. With .separate: the first part alone, perhaps in a
     * shorter array. Not in place. */
    clprim_array out;

    /* The second part, perhaps in a shorter array. Only with .separate and .second_predicate. Not in place. */
    clprim_array second_out;

    /* All other elements, perhaps in a shorter array. Only with .separate. Not in place. */
    clprim_array rest_out;

    /* The number of elements in the first part: one number of .index_type. If it exceeds out.length, they did not fit.
     * The same is true of the numbers below. */
    clprim_array out_count;

    /* The number of elements in the second part: one number of .index_type. Only with .second_predicate. */
    clprim_array second_count;

    /* The number of elements in the rest: one number of .index_type. Only with .separate. */
    clprim_array rest_count;
} clprim_partition_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: .reversed_rest is set together with .second_predicate or .separate; or the variant is
 *   LOOK_BACK, and neither .reversed_rest nor .separate is set. */
CLPRIM_API clprim_status clprim_partition_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_partition_desc *desc);

/* Enqueue one partition. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_partition_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_partition_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* Make a plan, run one partition, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_partition_run(clprim_runtime *runtime, const clprim_partition_desc *desc,
                                              const clprim_partition_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_partition_operation;

#ifdef __cplusplus
}
#endif
#endif
