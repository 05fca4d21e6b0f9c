/* clprim/bitonic_sort.h: sort in place by comparisons alone, with a network that needs no scratch memory.
 *
 *     clprim_plan *plan;
 *     const clprim_bitonic_sort_desc desc = {.type_name = "span", .type_size = sizeof(struct span),
 *                                            .text.source = "typedef struct { uint begin, end; } span;",
 *                                            .less = "a.begin < b.begin"};
 *     const clprim_bitonic_sort_call call = {.keys_in = {spans}, .count = n, .keys_out = {spans}};
 *     clprim_bitonic_sort_create(&plan, runtime, &desc);
 *     clprim_bitonic_sort_enqueue(plan, queue, &call, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The sort is not stable: equal keys may be reordered, and each variant may order them differently. The output is a
 * permutation of the input, even if .less is inconsistent. No bit of a key changes. Any count is allowed, not only
 * powers of two.
 *
 * Without .less, floats are sorted in the total order of clprim/types.h, which is the same on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead. In both orders, keys are equal only if all their bits are.
 *
 * The network makes the same comparisons whatever the keys are: log2(n) * (log2(n) + 1) / 2 steps for n elements. For
 * many keys of a built-in type, clprim/radix_sort.h is faster if there is memory for it.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Batcher 1968, Sorting Networks and Their Applications. Most variants are the steps of a
 * lecture (docs/bitonic_sort.md). */
#ifndef CLPRIM_BITONIC_SORT_H
#define CLPRIM_BITONIC_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each variant is a kernel of its own in kernels/bitonic_sort/; clprim_bitonic_sort_operation.variants
 * describes them. */
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

/* What to sort. Zeroed: U32 keys without values, in ascending order. See EXPRESSIONS in clprim/plan.h. */
typedef struct clprim_bitonic_sort_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats). If the value is not 0, a must come
     * before b. The order must be a strict weak order, in which two elements are equal if neither must come before the
     * other. Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for .less. Only with .less. Default: none. */
    clprim_text text;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source declares. Needs .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host, in bytes. create compares it with the device's. 0 without a type_name. */
    size_t type_size;

    /* Sort in the opposite order. Default: false. */
    bool descending;

    /* Where NaNs are sorted; see clprim/types.h. Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Sort each segment of the array independently, in one launch. Default: false. */
    bool segmented;

    /* Type of the segment offsets: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_BITONIC_SORT_AUTO (the library chooses). */
    clprim_bitonic_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_bitonic_sort_desc;

/* One sort.
 *
 * With .segmented, segment s has the elements offsets[s] to offsets[s + 1] - 1, counted from the first element of the
 * call. Offsets must ascend and must not exceed `count`; segments may be empty. Elements outside all segments, before
 * the first offset or from the last offset on, are not written to the outputs. If the offsets are invalid, the kernels
 * still access nothing outside the arrays, but the outputs are unspecified. run checks offsets on the host and refuses
 * invalid ones with CLPRIM_INVALID_ARGUMENT.
 *
 * Segments should be many and short: each has one work-group, which is slow if the segment does not fit local memory.
 * For keys of a built-in type in longer segments, see clprim/segmented_sort.h. */
typedef struct clprim_bitonic_sort_call {
    /* The keys: `count` elements. */
    clprim_array keys_in;

    /* With .value_size: `count` values. */
    clprim_array values_in;

    /* With .segmented: segment_count + 1 numbers of .offsets_type. */
    clprim_array offsets;

    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, at most .max_count. */
    size_t count;

    /* The number of segments, at most 2^32 - 2. 0 without .segmented. */
    size_t segment_count;

    /* The sorted keys. May be in place of .keys_in. The buffer is read as well as written: keys are sorted there. */
    clprim_array keys_out;

    /* With .value_size: the values, in the order of their keys. May be in place of .values_in. Read as well as written,
     * like .keys_out. */
    clprim_array values_out;
} clprim_bitonic_sort_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_UNSUPPORTED: the variant cannot do this sort. SHARED_PAIRS sorts an array in the local memory of one
 *   work-group: give a .max_count that fits. Only LOCAL_MERGE and CPU_CHUNK sort segments. AUTO finds a variant unless
 *   the elements are so large that local memory does not hold even a few.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile. clprim_last_error() has the compiler's log, which names
 *   the texts as files: `source` and `less`.
 * - CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_bitonic_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                    const clprim_bitonic_sort_desc *desc);

/* Enqueue one sort. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_bitonic_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                     const clprim_bitonic_sort_call *call, cl_uint num_waits,
                                                     const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_bitonic_sort_run(clprim_runtime *runtime, const clprim_bitonic_sort_desc *desc,
                                                 const clprim_bitonic_sort_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_bitonic_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
