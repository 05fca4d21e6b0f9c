/* clprim/unique.h: keep the first element of each run of equal elements. Of a sorted array these are its distinct
 * elements.
 *
 *     clprim_plan *plan;
 *     clprim_unique_create(&plan, runtime, &(clprim_unique_desc){.type = CLPRIM_F32});
 *     clprim_unique_enqueue(plan, queue,
 *                           &(clprim_unique_call){.in = {in}, .count = n, .out = {out}, .out_count = {kept}}, 0, NULL,
 *                           NULL);
 *     clprim_plan_destroy(plan);
 *
 * Each element is compared with the one right before it in the input. Elements are equal if their bits are the same,
 * unless .equal says something else: so -0.0 differs from +0.0, and a NaN equals itself. The order is kept; how many
 * elements were kept is written on the device: 0 if there are none. Elements are copied bit for bit, unless .output says
 * what is stored for them.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_UNIQUE_H
#define CLPRIM_UNIQUE_H

#include <clprim/plan.h>
#include <clprim/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is equal. Zeroed: I32, by all bits. */
typedef struct clprim_unique_desc {
    clprim_type type; /* of the elements; default I32 */
    /* An OpenCL C expression over `a`, an element, and `b`, the one right after it (floats for F16); if it is not 0, b
     * belongs to a's run. It need not be an equivalence relation. NULL: all bits are the same. The text is code: never
     * take it from someone you would not let run code on your device. */
    const char *equal;
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the type .type_name. NULL: the elements of .in. It may
     * be computed several times for an element. */
    const char *input;
    /* What is stored for each run, instead of its first element: an OpenCL C expression over that element, `r` (a float
     * for F16), its place `i` in the input (a ulong, counted from the first element of the call) and .text's parameters.
     * Its value is converted to .output_type (F16: from a float), or is of the type .output_type_name. So "i" stores where
     * runs begin. It is computed only for elements that are kept. NULL: the element. */
    const char *output;
    clprim_type output_type;      /* default: the elements' */
    const char *output_type_name; /* instead: the OpenCL C name of a type declared in .text.source */
    size_t output_type_size;      /* its size on the host, in bytes, checked against the device's; else 0 */
    clprim_text text; /* declarations in front of the expressions, parameters, options; see clprim/types.h */
    const char
        *type_name;   /* OpenCL C name of a type declared in .text.source; NULL: .type. A type with padding, whose bits
                              are unspecified, needs .equal */
    size_t type_size; /* its size on the host, in bytes, checked against the device's. 0 with a NULL type_name */
    clprim_type index_type;    /* of out_count: U32 (default) or U64 (required if max_count >= 2^32) */
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;          /* elements of any call; default: fewer than 2^32 */
    clprim_select_variant variant; /* of the selection that does it; default AUTO */
} clprim_unique_desc;

/* One call. */
typedef struct clprim_unique_call {
    clprim_array in;                               /* of .type; none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    clprim_array out; /* of .type, or of .output's: room for `count`; elements behind the kept ones are untouched */
    clprim_array out_count; /* one number of .index_type: how many were kept */
} clprim_unique_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `equal` are
 * named as files of those names.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_unique_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_unique_desc *desc);

/* Enqueue a call on buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_unique_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_unique_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_unique_run(clprim_runtime *runtime, const clprim_unique_desc *desc,
                                           const clprim_unique_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_unique_operation;

#ifdef __cplusplus
}
#endif
#endif
