/* clprim/radix_sort.h: stably sort keys of a built-in type, alone or with values.
 *
 *     clprim_plan *plan;
 *     clprim_radix_sort_create(&plan, runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_F32});
 *     clprim_radix_sort_enqueue(plan, queue,
 *                               &(clprim_radix_sort_call){.keys_in = {keys}, .count = n, .keys_out = {sorted}},
 *                               0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The sort is stable: equal keys keep their order. The result depends neither on the variant nor on the device. The
 * output is a permutation of the input: no bit of a key changes.
 *
 * Floats are sorted in the total order of clprim/types.h, which is the same on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead.
 *
 * Scratch memory: room for the keys and values once more, and a few percent for counters. With several keys (.then),
 * all keys of an element together take 16, 32 or 64 bits. If calls may leave out .keys_out, room for the sorted keys is
 * added; a call with .keys_out does not take that room from the runtime's pool.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Satish, Harris and Garland 2009 (LOCAL); Merrill and Garland 2016, Adinets and Merrill 2022
 * (ONESWEEP); Satish, Kim et al. 2010 (CPU_CHUNK); Polychroniou and Ross 2014 (CPU_BUCKETS); a lecture
 * (SPLIT; docs/radix_sort.md). */
#ifndef CLPRIM_RADIX_SORT_H
#define CLPRIM_RADIX_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each variant is a kernel of its own in kernels/radix_sort/; clprim_radix_sort_operation.variants describes them. */
typedef enum clprim_radix_sort_variant {
    CLPRIM_RADIX_SORT_AUTO = 0,
    CLPRIM_RADIX_SORT_SPLIT,
    CLPRIM_RADIX_SORT_LOCAL,
    CLPRIM_RADIX_SORT_ONESWEEP,
    CLPRIM_RADIX_SORT_SINGLE_GROUP,
    CLPRIM_RADIX_SORT_CPU_CHUNK,
    CLPRIM_RADIX_SORT_CPU_BUCKETS
} clprim_radix_sort_variant;

/* What to sort. Zeroed: U32 keys without values, in ascending order. See EXPRESSIONS and COUNTS ON THE DEVICE
 * in clprim/plan.h. */
typedef struct clprim_radix_sort_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value has the type .key_type. Kernels compute a key more
     * than once; it must be the same each time. For example, "hypot(x[i], y[i])" with .argsort gives the order of
     * elements by a computed key. Default: NULL (the keys of .keys_in). */
    const char *input;

    /* Further keys, which order elements with equal keys; see clprim/types.h. Each has its own direction in
     * .then.descending; .nan_order applies to all. Needs .input, and values or .argsort; calls have no .keys_out. Not
     * with .bit_range. Default: none. */
    clprim_sort_keys then;

    /* Declarations, parameters and compiler options for .input and .then. Default: none. */
    clprim_text text;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Write the indices of the sorted keys as values. Calls have no .values_in; .value_size must be 0.
     * Default: false. */
    bool argsort;

    /* Type of these indices: U32 or U64. Default: U32. U64 is required if .max_count is 2^32 or more. */
    clprim_type index_type;

    /* Sort the keys of .keys_in or .input in descending order. Equal keys still keep their order. Default: false. */
    bool descending;

    /* Where NaNs are sorted; see clprim/types.h. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Sort only by the bits begin_bit to end_bit - 1 of each key's image. Default: false (all bits); begin_bit and
     * end_bit must then be 0.
     *
     * The image of a key is an unsigned integer with the same order. Bit 0 is its least significant bit.
     * - Unsigned integers are their own image.
     * - Signed integers have their sign bit flipped.
     * - Floats have all bits flipped if the sign bit is set, otherwise only the sign bit.
     * - With CLPRIM_NAN_LAST, the number of negative NaNs (F32: 0x7fffff) is then subtracted, modulo 2^width: the image
     *   of -inf is 0.
     *
     * A program that computes the range should always set bit_range, because without it the range 0 to 0 means
     * all bits. */
    bool bit_range;

    /* First bit of the range. Must not exceed end_bit. If they are equal, the sort is a stable copy. */
    unsigned begin_bit;

    /* One past the last bit of the range. May exceed the key's width: bits past the width are 0 in every key. */
    unsigned end_bit;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). From 2^32 on, variants that count in 32 bits
     * are unsupported. */
    size_t max_count;

    /* The implementation. Default: CLPRIM_RADIX_SORT_AUTO (the library chooses). */
    clprim_radix_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_radix_sort_desc;

/* One sort. If .input reads an argument at index i only, .keys_out, .values_out or both may be exactly where that
 * argument is. */
typedef struct clprim_radix_sort_call {
    /* The keys: `count` elements. None with .input. */
    clprim_array keys_in;

    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* With .value_size: `count` values. */
    clprim_array values_in;

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The sorted keys. May be in place of .keys_in. None with .then. Optional with .input if there are values
     * or .argsort. */
    clprim_array keys_out;

    /* With .value_size: the values, in the order of their keys. May be in place of .values_in.
     * With .argsort: the index, from 0, that each sorted key had in the input. */
    clprim_array values_out;
} clprim_radix_sort_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_UNSUPPORTED: the keys of .input and .then have more than 64 bits together; clprim/comparison_sort.h takes
 *   any order. Or the variant cannot do this sort. ONESWEEP needs 64-bit atomics and forward progress between
 *   work-groups (clprim_device_info), and counts in 32 bits. SINGLE_GROUP sorts an array in the local memory of one
 *   work-group: give a .max_count that fits. AUTO always finds a variant.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile; clprim_last_error() has the compiler's log.
 * - CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_radix_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                  const clprim_radix_sort_desc *desc);

/* Enqueue one sort. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_radix_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                   const clprim_radix_sort_call *call, cl_uint num_waits,
                                                   const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_radix_sort_run(clprim_runtime *runtime, const clprim_radix_sort_desc *desc,
                                               const clprim_radix_sort_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_radix_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
