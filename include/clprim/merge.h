/* clprim/merge.h: stably merge two sorted ranges, in one launch and without scratch memory. On GPUs, merges of 2^25 elements
 * or more take two launches and scratch memory, 8 bytes for every few thousand elements (clprim_plan_scratch_size).
 *
 *     clprim_plan *plan;
 *     clprim_merge_create(&plan, runtime, &(clprim_merge_desc){.key_type = CLPRIM_F32});
 *     clprim_merge_enqueue(plan, queue,
 *                          &(clprim_merge_call){.a_keys = {a}, .b_keys = {b}, .a_count = 1000, .b_count = 500,
 *                                               .keys_out = {merged}},
 *                          0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The merge is stable: among equal keys those of the first range come first, and each range keeps its own order. So the
 * result depends neither on the variant nor on the device. Keys are in clprim_type's total order (clprim/types.h), or
 * in the caller's. No bit of a key changes. Either range may be empty. If a range is not sorted, the kernels still
 * neither read nor write outside the arrays, but the result is unspecified.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: merge path (Green, McColl, Bader 2012; Odeh, Green, Mwassi, Shmueli, Birk 2012). */
#ifndef CLPRIM_MERGE_H
#define CLPRIM_MERGE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/merge/; clprim_merge_operation.variants describes them. */
typedef enum clprim_merge_variant {
    CLPRIM_MERGE_AUTO = 0,
    CLPRIM_MERGE_NAIVE,
    CLPRIM_MERGE_PATH,
    CLPRIM_MERGE_CPU_CHUNK,
    CLPRIM_MERGE_TILES
} clprim_merge_variant;

/* What to merge. Zeroed: ascending keys of U32, without values. */
typedef struct clprim_merge_desc {
    clprim_type key_type; /* default U32 */
    const char *less;     /* these four as in clprim_bitonic_sort_desc: the caller's order; NULL: the total order */
    clprim_text text;
    const char *type_name;
    size_t type_size;
    bool descending;              /* both ranges, and the result, are in descending order */
    clprim_nan_order nan_order;   /* where NaNs stand, see clprim/types.h; not with the caller's .less */
    size_t value_size;            /* bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16 */
    clprim_type count_at_type;    /* of .a_count_at and .b_count_at: U32 or U64; default: calls have none */
    size_t max_count;             /* keys of any call, both ranges together; default: fewer than 2^32 */
    clprim_merge_variant variant; /* default AUTO */
    size_t work_group_size;       /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_merge_desc;

/* One merge. */
typedef struct clprim_merge_call {
    clprim_array a_keys, a_values;                 /* the first range; values only if .value_size is not 0 */
    clprim_array b_keys, b_values;                 /* the second range */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    /* For a plan with .count_at_type, each optional: the number of keys in a range, if it is less than `a_count` or
     * `b_count`. The outputs then get as many elements as both ranges have. */
    clprim_array a_count_at;
    size_t a_count;
    clprim_array b_count_at;
    size_t b_count;
    clprim_array keys_out, values_out; /* a_count + b_count elements each; not in place */
} clprim_merge_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED where not even a few elements fit local memory;
 * CLPRIM_BUILD_FAILED with the compiler's log for a mistake in the caller's text; CLPRIM_OUT_OF_MEMORY; OpenCL's. */
CLPRIM_API clprim_status clprim_merge_create(clprim_plan **out, clprim_runtime *runtime, const clprim_merge_desc *desc);

/* Enqueue a merge of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_merge_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_merge_call *call,
                                              cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Merge arrays on the host, buffers, or both, and wait. runtime NULL: clprim_runtime_default().
 * Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_merge_run(clprim_runtime *runtime, const clprim_merge_desc *desc,
                                          const clprim_merge_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_merge_operation;

#ifdef __cplusplus
}
#endif
#endif
