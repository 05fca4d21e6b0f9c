// SPDX-License-Identifier: MIT
/* clprim/find.h: find the first element that satisfies a predicate.
 *
 *     clprim_plan *plan;
 *     clprim_find_create(&plan, runtime, &(clprim_find_desc){.type = CLPRIM_F32, .predicate = "x > 0.5f"});
 *     clprim_find_enqueue(plan, queue, &(clprim_find_call){.in = {.buffer = in}, .count = n, .out = {.buffer = index}},
 *                         0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The output is one number: the index of the first element that satisfies the predicate, or `count` if no element does.
 * The result depends neither on the variant nor on the device.
 *
 * The search ends early: the time depends on where the first such element is, not on `count`. The predicate must be
 * defined for all elements, because the search also tests some elements after that one.
 *
 * Predicates with parameters (.text.parameters) give other searches. Each call supplies the parameters' values:
 *
 *     search                       .predicate       .text.parameters
 *     a value                      "x == value"     {.name = "value", .type = CLPRIM_F32}
 *     where `in` differs from b    "x != b[i]"      {"b", CLPRIM_F32, .is_array = true}
 *     two equal neighbours         "x == a[i + 1]"  {"a", CLPRIM_F32, .is_array = true}: `a` is the array `in`, with
 *                                                   .length n; .count is n - 1
 *
 *     a pattern of m elements      "x == p[0] && matches(a + i, p, m)": `matches` is a function of .text.source that
 *                                  compares m elements; `a` is the array `in`, with .length n; .count is n - m + 1
 *
 * The last one is std::search; docs/guides/expressions.md has all of it. Two arrays are equal if the second search
 * returns `count`. At least one element satisfies a predicate if its search returns less than `count`.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Harris 2007, Optimizing Parallel Reduction in CUDA (TREE); NVIDIA's sample
 * threadFenceReduction (SINGLE_PASS). */
#ifndef CLPRIM_FIND_H
#define CLPRIM_FIND_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/find/; clprim_find_operation.variants describes the variants. */
typedef enum clprim_find_variant {
    CLPRIM_FIND_AUTO = 0,
    CLPRIM_FIND_TREE,
    CLPRIM_FIND_SINGLE_PASS,
    CLPRIM_FIND_CPU_CHUNK
} clprim_find_variant;

/* What to find. Zeroed: the first I32 element that is not 0. See EXPRESSIONS and COUNTS ON THE DEVICE in
 * clprim/plan.h. */
typedef struct clprim_find_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* An expression over the element `x` (F16: a float) and its index `i` (a ulong, from 0 on). Its value is not 0 if
     * the element satisfies the predicate. Default: NULL (elements that are not 0; -0.0 equals 0, NaNs and denormals
     * do not). */
    const char *predicate;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the type .type_name.
     * Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Only with .predicate or .input.
     * Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. Requires .predicate. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Type of .out: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_FIND_AUTO (the library chooses). */
    clprim_find_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_find_desc;

/* One search. */
typedef struct clprim_find_call {
    /* `count` elements of .type or .type_name. Not with .input. */
    clprim_array in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The index of the first element that satisfies the predicate, or the number of elements: one number of
     * .index_type. */
    clprim_array out;
} clprim_find_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the device lacks what the variant needs. AUTO always finds a variant. */
CLPRIM_API clprim_status clprim_find_create(clprim_plan **out, clprim_runtime *runtime, const clprim_find_desc *desc);

/* Enqueue one search. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_find_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_find_call *call,
                                             cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one search, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_find_run(clprim_runtime *runtime, const clprim_find_desc *desc,
                                         const clprim_find_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_find_operation;

#ifdef __cplusplus
}
#endif
#endif
