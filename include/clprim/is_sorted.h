/* clprim/is_sorted.h: is an array sorted, and if not, up to where? At the speed at which memory is read.
 *
 *     clprim_plan *plan;
 *     clprim_is_sorted_create(&plan, runtime, &(clprim_is_sorted_desc){.type = CLPRIM_F32});
 *     clprim_is_sorted_enqueue(plan, queue, &(clprim_is_sorted_call){.in = {in}, .count = n, .out = {until}}, 0, NULL,
 *                              NULL);
 *     clprim_plan_destroy(plan);
 *
 * The output is one number: how many elements are sorted, from the first one on. It is `count` if all are; otherwise it
 * is the index of the first element that must come before the one before it. Elements are in the total order
 * (clprim/types.h), or in the caller's; equal elements are sorted. An array of 0 or 1 elements is sorted. The result
 * depends neither on the variant nor on the device.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_IS_SORTED_H
#define CLPRIM_IS_SORTED_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/is_sorted/; clprim_is_sorted_operation.variants describes them. */
typedef enum clprim_is_sorted_variant {
    CLPRIM_IS_SORTED_AUTO = 0,
    CLPRIM_IS_SORTED_TREE,
    CLPRIM_IS_SORTED_SINGLE_PASS,
    CLPRIM_IS_SORTED_CPU_CHUNK
} clprim_is_sorted_variant;

/* What to look at. Zeroed: ascending elements of U32. */
typedef struct clprim_is_sorted_desc {
    clprim_type type; /* of the elements; default U32 */
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the caller's own type. It must give the same value each
     * time: elements are computed more than once. NULL: the elements of .in. */
    const char *input;
    const char *less; /* these four as in clprim_comparison_sort_desc: the caller's order; NULL: the total order */
    clprim_text text;
    const char *type_name;
    size_t type_size;
    bool descending;            /* the opposite order */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; not with the caller's .less */
    clprim_type index_type;     /* of the output: U32 (default) or U64 (required if max_count >= 2^32) */
    clprim_type count_at_type;  /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;           /* elements of any call; default: fewer than 2^32 */
    clprim_is_sorted_variant variant; /* default AUTO */
    size_t work_group_size;           /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_is_sorted_desc;

/* One call. */
typedef struct clprim_is_sorted_call {
    clprim_array in;                               /* of .type; none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    clprim_array out; /* one number of .index_type: how many elements are sorted, from the first one on */
} clprim_is_sorted_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log. CLPRIM_UNSUPPORTED if the device
 * lacks what the variant needs; AUTO always finds one.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_is_sorted_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_is_sorted_desc *desc);

/* Enqueue the test of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_is_sorted_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_is_sorted_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_is_sorted_run(clprim_runtime *runtime, const clprim_is_sorted_desc *desc,
                                              const clprim_is_sorted_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_is_sorted_operation;

#ifdef __cplusplus
}
#endif
#endif
