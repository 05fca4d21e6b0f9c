/* clprim/top_k.h: the k largest or smallest keys of an array, sorted, with their values or indices.
 *
 *     clprim_plan *plan;
 *     clprim_top_k_create(&plan, runtime, &(clprim_top_k_desc){.key_type = CLPRIM_F32, .k = 10, .indices = true});
 *     clprim_top_k_enqueue(plan, queue,
 *                          &(clprim_top_k_call){.keys_in = {in}, .count = n, .keys_out = {best},
 *                                               .values_out = {where}},
 *                          0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The result is the first k of a stable sort by clprim/radix_sort.h, bit for bit, on every device and by every variant:
 * among equal keys the one with the lower index wins, and comes first. Floats are in one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * so that NaNs are at the ends. With .nan_order CLPRIM_NAN_LAST (clprim/types.h) all NaNs are larger than +inf: first
 * among the largest, last among the smallest. If there are fewer than k keys, all of them are written: a call writes
 * min(k, count).
 *
 * The median of n keys is the last of the n / 2 + 1 smallest, and percentile p the last of the p * (n - 1) / 100 + 1
 * smallest: give that as .k, set .smallest, and read the last key that is written.
 *
 * Scratch memory: by SORT room for all keys and values twice; otherwise for the k keys and values twice, and counters; by
 * CPU_CHUNK, where k is small, for 8 k + 1024 keys and indices per core.
 * If .keys_out is optional, room for k keys more; a call with .keys_out does not take that from the pool.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_TOP_K_H
#define CLPRIM_TOP_K_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clprim_top_k_operation.variants describes them. */
typedef enum clprim_top_k_variant {
    CLPRIM_TOP_K_AUTO = 0,
    CLPRIM_TOP_K_SORT,
    CLPRIM_TOP_K_RADIX_SELECT,
    CLPRIM_TOP_K_CPU_CHUNK
} clprim_top_k_variant;

/* What to find. .k must be given; the rest zeroed: the largest keys of U32, without values, the largest first. */
typedef struct clprim_top_k_desc {
    clprim_type key_type; /* default U32 */
    /* The keys, instead of .keys_in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .key_type (F16: from a float). Kernels compute a key more than once: the expression must
     * give the same value each time. NULL: the keys of .keys_in. */
    const char *input;
    /* Further keys, which decide between elements with equal keys; see clprim/types.h. Of such elements the one with the
     * lesser further key wins, and comes first; with .then.descending the one with the greater. .smallest is about .input
     * alone; .nan_order holds for all keys. The plan must have values or .indices, and calls have no .keys_out.
     * Default: none. */
    clprim_sort_keys then;
    clprim_text text;           /* what .input and .then may name besides; see clprim/types.h */
    size_t k;                   /* how many; at least 1 */
    bool smallest;              /* by .keys_in or .input the k smallest instead, the smallest first */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    size_t value_size;          /* bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool indices;           /* the values are the keys' indices, made by the plan, of .index_type; value_size is 0 */
    clprim_type index_type; /* of these indices: U32 (default) or U64 (required if max_count >= 2^32) */
    bool unsorted;          /* in the order of the input instead of that of the keys, which saves a sort. Not by SORT */
    clprim_type count_at_type;    /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;             /* elements of any call; default: fewer than 2^32 */
    clprim_top_k_variant variant; /* default AUTO */
    size_t work_group_size;       /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_top_k_desc;

/* One call. */
typedef struct clprim_top_k_call {
    clprim_array keys_in;                          /* none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array values_in; /* `count` of .value_size bytes, for a plan with values; not with .indices */
    clprim_array count_at;  /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    clprim_array keys_out;   /* min(k, count). Optional with .input if there are values or .indices; none with .then */
    clprim_array values_out; /* likewise. With .indices: for each key the index, from 0 on, at which it is in keys_in */
} clprim_top_k_call;

/* Make a plan. desc must not be NULL, since .k must be given. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT (also if .k is 0, or if SORT is asked for with .unsorted), CLPRIM_UNSUPPORTED (also if
 * the keys of .input and .then have more than 64 bits together), CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's
 * code. */
CLPRIM_API clprim_status clprim_top_k_create(clprim_plan **out, clprim_runtime *runtime, const clprim_top_k_desc *desc);

/* Enqueue a call on buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_top_k_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_top_k_call *call,
                                              cl_uint num_waits, const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_top_k_run(clprim_runtime *runtime, const clprim_top_k_desc *desc,
                                          const clprim_top_k_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_top_k_operation;

#ifdef __cplusplus
}
#endif
#endif
