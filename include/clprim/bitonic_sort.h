/* clprim/bitonic_sort.h: sort by comparisons alone, in place: a network that needs no scratch memory.
 *
 *     clprim_plan *plan;
 *     clprim_bitonic_sort_create(&plan, runtime,
 *                                &(clprim_bitonic_sort_desc){.type_name = "span", .type_size = sizeof(struct span),
 *                                                            .text.source = "typedef struct { uint begin, end; } span;",
 *                                                            .less = "a.begin < b.begin"});
 *     clprim_bitonic_sort_enqueue(plan, queue,
 *                                 &(clprim_bitonic_sort_call){.keys_in = {spans}, .count = n, .keys_out = {spans}}, 0,
 *                                 NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The network does the same comparisons whatever the keys are. The sort is not stable: equal keys may be reordered,
 * differently by each variant. Without a .less of the caller's, floats are in one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * unless .nan_order puts all NaNs last (clprim/types.h). In both orders equal keys have the same bits. No bit of a key
 * changes: the output is a permutation of the input, even if .less is inconsistent. Any count is allowed, not only
 * powers of two.
 *
 * n elements take log2(n) (log2(n) + 1) / 2 steps. For keys of built-in types clprim/radix_sort.h is faster if n is
 * large and there is scratch memory. Source: Batcher 1968; the course's article on bitonic sort, step by step.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_BITONIC_SORT_H
#define CLPRIM_BITONIC_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/bitonic_sort/; clprim_bitonic_sort_operation.variants describes them. */
typedef enum clprim_bitonic_sort_variant {
    CLPRIM_BITONIC_SORT_AUTO = 0,
    CLPRIM_BITONIC_SORT_NAIVE,
    CLPRIM_BITONIC_SORT_BETTER,
    CLPRIM_BITONIC_SORT_BEST,
    CLPRIM_BITONIC_SORT_MASKED,
    CLPRIM_BITONIC_SORT_LOCAL_STEP,
    CLPRIM_BITONIC_SORT_LOCAL_BLOCK,
    CLPRIM_BITONIC_SORT_LOCAL_MERGE,
    CLPRIM_BITONIC_SORT_SHARED_PAIRS,
    CLPRIM_BITONIC_SORT_REGISTER_BLOCK,
    CLPRIM_BITONIC_SORT_CPU_CHUNK
} clprim_bitonic_sort_variant;

/* What to sort. Zeroed: ascending keys of U32, without values. */
typedef struct clprim_bitonic_sort_desc {
    clprim_type key_type; /* default U32 */
    /* The caller's order: an OpenCL C expression over the elements `a` and `b` (floats for F16), true where a must come
     * before b. It must be a strict weak order. Elements neither of which must come before the other are equal.
     * NULL: the total order; not with a type_name. The text is code: never take it from someone you would not let run
     * code on your device. */
    const char *less;
    clprim_text text;      /* declarations in front of the expression, parameters, options; see clprim/types.h */
    const char *type_name; /* OpenCL C name of a type declared in .text.source; NULL: a built-in type */
    size_t type_size;      /* its size on the host, in bytes, checked against the device's. 0 with a NULL type_name */
    bool descending;       /* the opposite order */
    clprim_nan_order nan_order;          /* where NaNs stand, see clprim/types.h; not with the caller's .less */
    size_t value_size;                   /* bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool segmented;                      /* sort each segment of the array independently, in one launch */
    clprim_type offsets_type;            /* of the segments' offsets: U32 (default) or U64 */
    size_t max_count;                    /* elements of any call; default: fewer than 2^32 */
    clprim_bitonic_sort_variant variant; /* default AUTO */
    size_t work_group_size; /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_bitonic_sort_desc;

/* One sort. With .segmented, segment s has the elements from offsets[s] up to offsets[s + 1], counted from the first
 * element of the call; offsets ascend, and segments may be empty. Elements before the first offset and from the last
 * one on belong to no segment: nothing is written in their places. If offsets do not ascend, or exceed count, the
 * kernels still neither read nor write outside the arrays, but the outputs are unspecified. run refuses such offsets
 * with CLPRIM_INVALID_ARGUMENT if they are on the host. This is meant for many
 * short segments: one that does not fit local memory is sorted by its one work-group all the same, slowly; for keys of
 * built-in types see clprim/segmented_sort.h. */
typedef struct clprim_bitonic_sort_call {
    clprim_array keys_in;
    clprim_array values_in;                        /* `count` of .value_size bytes, for a plan with values */
    clprim_array offsets;                          /* segment_count + 1 of .offsets_type, for a plan with .segmented */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    size_t count;
    size_t segment_count;    /* fewer than 2^32 - 1; 0 without .segmented */
    clprim_array keys_out;   /* may be in place of keys_in. The buffer is also read: keys are sorted there */
    clprim_array values_out; /* may be in place of values_in. Also read */
} clprim_bitonic_sort_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `less` are
 * named as files of those names.
 * CLPRIM_UNSUPPORTED if the variant cannot do it: SHARED_PAIRS sorts as many elements as fit one work-group's local
 * memory, so max_count must be given and no larger; segments are sorted by LOCAL_MERGE and CPU_CHUNK. AUTO always
 * finds one, except for elements so large that not even a few fit local memory.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_bitonic_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                    const clprim_bitonic_sort_desc *desc);

/* Enqueue a sort of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_bitonic_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                     const clprim_bitonic_sort_call *call, cl_uint num_waits,
                                                     const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_bitonic_sort_run(clprim_runtime *runtime, const clprim_bitonic_sort_desc *desc,
                                                 const clprim_bitonic_sort_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_bitonic_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
