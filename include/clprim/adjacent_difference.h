// SPDX-License-Identifier: MIT
/* clprim/adjacent_difference.h: compute the difference between each element and its neighbour. An expression may
 * replace the subtraction.
 *
 *     clprim_plan *plan;
 *     clprim_adjacent_difference_create(&plan, runtime,
 *                                       &(clprim_adjacent_difference_desc){.type = CLPRIM_U8, .out_type = CLPRIM_I16});
 *     clprim_adjacent_difference_enqueue(
 *         plan, queue, &(clprim_adjacent_difference_call){.in = {.buffer = in}, .count = n, .out = {.buffer = out}}, 0,
 *         NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * With n = count:
 *
 *     default             n outputs        out[0] = in[0],          out[i] = in[i] - in[i - 1]
 *     .right_neighbour    n outputs        out[n - 1] = in[n - 1],  out[i] = in[i] - in[i + 1]
 *     .pairs_only         n - 1 outputs    out[i] = in[i + 1] - in[i]; with .right_neighbour in[i] - in[i + 1]
 *
 * An element without a neighbour is copied, unless .pairs_only leaves it out. A call without elements writes nothing.
 *
 * - Integers: the result is the exact difference modulo 2^bits of .out_type. By default that is the elements' type: for
 *   U8, 1 - 2 is 255. A signed .out_type that is wider than .type holds every difference.
 * - Floats, and integers with a float .out_type: both operands are converted to .out_type, rounded to nearest, and then
 *   subtracted. F16 is subtracted in F32, and then rounded.
 * - A NaN is written as the quiet NaN (0x7e00, 0x7fc00000 or 0x7ff8000000000000), even where an element is copied.
 *
 * The result depends neither on the variant nor on the device, unless the device flushes denormals.
 *
 * Only calls in place take scratch memory. Queues, events, overlaps, threads and failures: clprim/plan.h.
 *
 * Source: a stencil of two elements, as in CUB's DeviceAdjacentDifference. */
#ifndef CLPRIM_ADJACENT_DIFFERENCE_H
#define CLPRIM_ADJACENT_DIFFERENCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/adjacent_difference/; clprim_adjacent_difference_operation.variants describes
 * the variants. */
typedef enum clprim_adjacent_difference_variant {
    CLPRIM_ADJACENT_DIFFERENCE_AUTO = 0,
    CLPRIM_ADJACENT_DIFFERENCE_TILES,
    CLPRIM_ADJACENT_DIFFERENCE_CPU_CHUNK
} clprim_adjacent_difference_variant;

/* What to compute. Zeroed: in[i] - in[i - 1] of I32. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_adjacent_difference_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* Type of the results. It must hold every value of .type; F32 and F64 are also allowed for every integer type. If
     * .combine and .pairs_only are both set, it may be any type. Default: the elements' type. */
    clprim_type out_type;

    /* An expression over the element `a` and its neighbour `b` (F16: floats), instead of a - b. Its value is converted
     * to .out_type. Default: NULL (a - b). */
    const char *combine;

    /* An expression for element `i`, instead of .in. Its value is converted to .type, or has the type .type_name.
     * Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Only with .combine or .input.
     * Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. Requires .combine, and with an
     * .out_type also .pairs_only. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Take in[i + 1] as the neighbour of in[i]. Default: false (in[i - 1]). */
    bool right_neighbour;

    /* Leave out the element without a neighbour, which gives count - 1 results. Default: false. */
    bool pairs_only;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_ADJACENT_DIFFERENCE_AUTO (the library chooses). */
    clprim_adjacent_difference_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_adjacent_difference_desc;

/* One call. */
typedef struct clprim_adjacent_difference_call {
    /* `count` elements of .type or .type_name. Not with .input. */
    clprim_array in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The results: `count`, or count - 1 with .pairs_only. They may be in place of .in if results and elements have the
     * same size. */
    clprim_array out;
} clprim_adjacent_difference_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 * Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_adjacent_difference_create(clprim_plan **out, clprim_runtime *runtime,
                                                           const clprim_adjacent_difference_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_adjacent_difference_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                            const clprim_adjacent_difference_call *call,
                                                            cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_adjacent_difference_run(clprim_runtime *runtime,
                                                        const clprim_adjacent_difference_desc *desc,
                                                        const clprim_adjacent_difference_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_adjacent_difference_operation;

#ifdef __cplusplus
}
#endif
#endif
