// SPDX-License-Identifier: MIT
/* clprim/radix_sort.h: stably sort keys of a built-in type, alone or with values.
 *
 *     clprim_plan *plan;
 *     clprim_radix_sort_create(&plan, runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_F32});
 *     clprim_radix_sort_enqueue(
 *         plan, queue,
 *         &(clprim_radix_sort_call){.keys_in = {.buffer = keys}, .count = n, .keys_out = {.buffer = sorted}}, 0, NULL,
 *         NULL);
 *     clprim_plan_destroy(plan);
 *
 * The sort is stable: equal keys keep their order. The result depends neither on the variant nor on the device. No bit
 * of a key changes.
 *
 * Floats are sorted in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead.
 *
 * Scratch memory: room for the keys and values once more, and a few percent for counters. With .then, the keys of an
 * element together count as one key of 16, 32 or 64 bits. If calls may leave out .keys_out, add room for the sorted
 * keys; a call with .keys_out does not take that room from the runtime's pool. ONESWEEP and CPU_BUCKETS count keys of 8
 * bits without values instead of moving them, and need room for counters alone. NATIVE also does so with keys of 16 bits.
 * With values or .bit_range it needs 8 bytes and the larger of 8 and the size of a key or value for each element; and for
 * each thread up to 2 MiB.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs (LOCAL); Adinets
 * and Merrill 2022, Onesweep, with the look-back of Merrill and Garland 2016 (ONESWEEP); Merrill and Grimshaw 2011,
 * High Performance and Scalable Radix Sorting (REDUCE_THEN_SCAN); Satish, Kim et al. 2010, Fast Sort on CPUs and GPUs
 * (CPU_CHUNK); Polychroniou and Ross 2014, A Comprehensive Study of Main-Memory Partitioning (CPU_BUCKETS,
 * NATIVE); Seward 1954, Information Sorting in the Application of Electronic Digital Computers to Business Operations
 * (counting sort); the course's lecture 3 (SPLIT; docs/sources.md). */
#ifndef CLPRIM_RADIX_SORT_H
#define CLPRIM_RADIX_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/radix_sort/; clprim_radix_sort_operation.variants describes the variants. On a CPU with native
 * kernels AUTO takes NATIVE for keys alone, unless .work_group_size, .bit_range or texts are given, the device is a part of the
 * machine (clCreateSubDevices), or the runtime's memory is limited. */
typedef enum clprim_radix_sort_variant {
    CLPRIM_RADIX_SORT_AUTO = 0,
    CLPRIM_RADIX_SORT_SPLIT,
    CLPRIM_RADIX_SORT_LOCAL,
    CLPRIM_RADIX_SORT_ONESWEEP,
    CLPRIM_RADIX_SORT_SINGLE_GROUP,
    CLPRIM_RADIX_SORT_CPU_CHUNK,
    CLPRIM_RADIX_SORT_CPU_BUCKETS,
    CLPRIM_RADIX_SORT_REDUCE_THEN_SCAN,
    CLPRIM_RADIX_SORT_NATIVE
} clprim_radix_sort_variant;

/* What to sort. Zeroed: U32 keys without values, in ascending order. See EXPRESSIONS and COUNTS ON THE DEVICE
 * in clprim/plan.h. */
typedef struct clprim_radix_sort_desc {
    /* Type of the keys. U128 keys are sorted by LOCAL, ONESWEEP, REDUCE_THEN_SCAN and CPU_CHUNK, one of which AUTO then
     * takes; other variants refuse them with CLPRIM_UNSUPPORTED. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value is converted to .key_type. For example,
     * "hypot(x[i], y[i])" with .argsort gives the order of elements by a computed key. Default: NULL (the keys
     * of .keys_in). */
    const char *input;

    /* Further keys, which order the elements whose first keys are equal (clprim/types.h). .then.descending has the
     * direction of each; .nan_order applies to all. Only with .input, and with values or .argsort. Calls have no
     * .keys_out. Not with .bit_range. Default: none. */
    clprim_sort_keys then;

    /* Declarations, parameters and compiler options for the expressions. Only with .input. Default: none. */
    clprim_text text;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Write the index that each key had in the input as its value. Calls have no .values_in. Not with .value_size.
     * Default: false. */
    bool argsort;

    /* Type of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Sort in descending order. Equal keys still keep their order. With .then, this is the direction of the first key
     * alone. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Sort only by the bits begin_bit to end_bit - 1 of each key's image. Default: false (all bits); begin_bit and
     * end_bit must then be 0.
     *
     * The image of a key is an unsigned integer. Images are in the same order as their keys. Bit 0 is its least
     * significant bit.
     * - Unsigned integers are their own image.
     * - Signed integers have their sign bit flipped.
     * - Floats have all bits flipped if the sign bit is set, otherwise only the sign bit.
     * - With CLPRIM_NAN_LAST, the number of negative NaNs (F32: 0x7fffff) is then subtracted, modulo 2^width: the image
     *   of -inf is 0.
     *
     * A program that computes the range should always set .bit_range: without it, begin_bit = end_bit = 0 means
     * all bits. */
    bool bit_range;

    /* First bit of the range, at most .end_bit. If they are equal, the sort copies the elements. Default: 0. */
    unsigned begin_bit;

    /* One past the last bit of the range. It may exceed the key's width: bits past the width are 0 in every key.
     * Default: 0. */
    unsigned end_bit;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. If it is 2^32 or more, variants that count in 32 bits are not
     * supported. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_RADIX_SORT_AUTO (the library chooses). */
    clprim_radix_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_radix_sort_desc;

/* One sort. .keys_out and .values_out may each be in place of an argument whose elements have the same size, if .input
 * reads that argument only at index `i`. */
typedef struct clprim_radix_sort_call {
    /* `count` keys of .key_type. Not with .input. */
    clprim_array keys_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* `count` values of .value_size bytes. Only with .value_size. */
    clprim_array values_in;

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The sorted keys. They may be in place of .keys_in. Not with .then. Optional with .input and values
     * or .argsort. */
    clprim_array keys_out;

    /* With .value_size: the values, in the order of their keys. They may be in place of .values_in. With .argsort: the
     * index that each sorted key had in the input, from 0 on, as .index_type. */
    clprim_array values_out;
} clprim_radix_sort_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the keys of .input and .then have more than 64 bits together; clprim/comparison_sort.h takes
 *   any order. Or the variant does not support the description. ONESWEEP counts in 32 bits.
 *   SINGLE_GROUP sorts an array in the local memory of one work-group: give a .max_count that fits. AUTO always finds a variant. */
CLPRIM_API clprim_status clprim_radix_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                  const clprim_radix_sort_desc *desc);

/* Enqueue one sort. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_radix_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                   const clprim_radix_sort_call *call, cl_uint num_waits,
                                                   const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_radix_sort_run(clprim_runtime *runtime, const clprim_radix_sort_desc *desc,
                                               const clprim_radix_sort_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_radix_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
