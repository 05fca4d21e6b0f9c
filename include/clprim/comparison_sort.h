/* clprim/comparison_sort.h: sort in the caller's own order, fast: elements of any type, stably if wanted.
 *
 *     clprim_plan *plan;
 *     const clprim_comparison_sort_desc desc = {.type_name = "span", .type_size = sizeof(struct span),
 *                                               .text.source = "typedef struct { uint begin, end; } span;",
 *                                               .less = "a.begin < b.begin", .stable = true};
 *     const clprim_comparison_sort_call call = {.keys_in = {spans}, .count = n, .keys_out = {sorted}};
 *     clprim_comparison_sort_create(&plan, runtime, &desc);
 *     clprim_comparison_sort_enqueue(plan, queue, &call, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Without .stable, equal keys may be reordered, differently by each variant, and by SAMPLE_SORT in each call. Without a
 * .less of the caller's, floats are in one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * unless .nan_order puts all NaNs last (clprim/types.h). In both orders equal keys have the same bits. No bit of a key
 * changes: the output is a permutation of the input, even if .less is inconsistent. Any count is allowed.
 *
 * Sorted tiles are merged pairwise in log2(n / tile) passes. SAMPLE_SORT first divides very many elements by samples,
 * so that next to nothing is left to merge. Scratch memory: room for keys and values once more and a little besides
 * (for SAMPLE_SORT a byte per element); none for BITONIC.
 * Source: merge path (Green, McColl and Bader 2012), with tiles sorted by networks (Batcher 1968); sample sort
 * (Leischner, Osipov and Sanders 2010).
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_COMPARISON_SORT_H
#define CLPRIM_COMPARISON_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clprim_comparison_sort_operation.variants describes them. BITONIC and RADIX are the sorts of clprim/bitonic_sort.h
 * and clprim/radix_sort.h. */
typedef enum clprim_comparison_sort_variant {
    CLPRIM_COMPARISON_SORT_AUTO = 0,
    CLPRIM_COMPARISON_SORT_MERGE_PATH,
    CLPRIM_COMPARISON_SORT_MERGE_NETWORK,
    CLPRIM_COMPARISON_SORT_BITONIC,
    CLPRIM_COMPARISON_SORT_RADIX,
    CLPRIM_COMPARISON_SORT_CPU_CHUNK,
    CLPRIM_COMPARISON_SORT_SAMPLE_SORT
} clprim_comparison_sort_variant;

/* What to sort. Zeroed: ascending keys of U32, without values. */
typedef struct clprim_comparison_sort_desc {
    clprim_type key_type; /* default U32 */
    /* The keys, instead of .keys_in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .key_type (F16: from a float), or is of the caller's own type. Each key is computed once, and
     * then sorted in keys_out. NULL: the elements of .keys_in. */
    const char *input;
    /* The caller's order: an OpenCL C expression over the elements `a` and `b` (floats for F16), true where a must come
     * before b. It must be a strict weak order. Elements neither of which must come before the other are equal.
     * NULL: the total order; not with a type_name. The text is code: never take it from someone you would not let run
     * code on your device. */
    const char *less;
    clprim_text text;      /* declarations in front of the expressions, parameters, options; see clprim/types.h */
    const char *type_name; /* OpenCL C name of a type declared in .text.source; NULL: a built-in type */
    size_t type_size;      /* its size on the host, in bytes, checked against the device's. 0 with a NULL type_name */
    bool descending;       /* the opposite order; with .stable equal keys still keep their order */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; not with the caller's .less */
    size_t value_size;          /* bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool stable;                /* equal keys keep their order */
    bool in_place_only;         /* take no scratch memory: BITONIC, which is slower for many elements, and not stable */
    size_t max_count;           /* elements of any call; default: fewer than 2^32 */
    clprim_comparison_sort_variant variant; /* default AUTO */
    size_t work_group_size; /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_comparison_sort_desc;

/* One sort. */
typedef struct clprim_comparison_sort_call {
    clprim_array keys_in;                          /* none with .input */
    clprim_array values_in;                        /* `count` of .value_size bytes, for a plan with values */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    size_t count;
    clprim_array keys_out;   /* may be in place of keys_in. The buffer is also read: keys are merged there */
    clprim_array values_out; /* may be in place of values_in. Also read */
} clprim_comparison_sort_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `less` are
 * named as files of those names.
 * AUTO takes RADIX in the total order, which is stable; on GPUs BITONIC for few elements (max_count), unless .stable;
 * in the caller's order CPU_CHUNK on CPU devices; on others MERGE_PATH with .stable and for records of 12 bytes and more
 * with their values, else MERGE_NETWORK; or SAMPLE_SORT if 2^21 elements and more are allowed, of up to 16 bytes with
 * their values, which leaves smaller calls to those; with .in_place_only BITONIC. On large GPUs up to some thousand
 * elements, if they have 8 bytes or more with their values, go to MERGE_PATH or MERGE_NETWORK in any order. These compare
 * each element with all others, so if .less is slow, BITONIC may be faster. It always finds one, except for .stable with .in_place_only in the
 * caller's order or with values, and for elements so large that not even a few fit local memory.
 * CLPRIM_UNSUPPORTED if the variant cannot do it: MERGE_NETWORK, BITONIC and SAMPLE_SORT are not stable; RADIX sorts
 * in the total order alone; SAMPLE_SORT not with a max_count of 2^32 or more; with .in_place_only all but BITONIC.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_comparison_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                       const clprim_comparison_sort_desc *desc);

/* Enqueue a sort of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_comparison_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                        const clprim_comparison_sort_call *call, cl_uint num_waits,
                                                        const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_comparison_sort_run(clprim_runtime *runtime, const clprim_comparison_sort_desc *desc,
                                                    const clprim_comparison_sort_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_comparison_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
