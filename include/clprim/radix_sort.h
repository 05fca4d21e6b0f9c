/* clprim/radix_sort.h: stably sort keys of a built-in type, alone or with values.
 *
 *     clprim_plan *plan;
 *     clprim_radix_sort_create(&plan, runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_F32});
 *     clprim_radix_sort_enqueue(plan, queue,
 *                               &(clprim_radix_sort_call){.keys_in = {keys}, .count = n, .keys_out = {sorted}},
 *                               0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The sort is stable: equal keys keep their order. Floats are in one total order on every device,
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * unless .nan_order puts all NaNs last (clprim/types.h). No bit of a key changes: the output is a permutation of the
 * input. The result depends neither on the variant nor on the device.
 *
 * Scratch memory: room for keys and values once more, and a few percent for counters. If .keys_out is optional, room
 * for the keys a second time; a call with .keys_out does not take that from the pool. Several keys together count as one
 * key of 16, 32 or 64 bits.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_RADIX_SORT_H
#define CLPRIM_RADIX_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/radix_sort/; clprim_radix_sort_operation.variants describes them. */
typedef enum clprim_radix_sort_variant {
    CLPRIM_RADIX_SORT_AUTO = 0,
    CLPRIM_RADIX_SORT_SPLIT,
    CLPRIM_RADIX_SORT_LOCAL,
    CLPRIM_RADIX_SORT_ONESWEEP,
    CLPRIM_RADIX_SORT_SINGLE_GROUP,
    CLPRIM_RADIX_SORT_CPU_CHUNK,
    CLPRIM_RADIX_SORT_CPU_BUCKETS
} clprim_radix_sort_variant;

/* What to sort. Zeroed: ascending keys of U32, without values. */
typedef struct clprim_radix_sort_desc {
    clprim_type key_type; /* default U32 */
    /* The keys, instead of .keys_in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .key_type (F16: from a float): "hypot(x[i], y[i])". With .argsort the result is the order of
     * elements by a computed key. Kernels compute a key more than once: the expression must give the same value each
     * time. NULL: the keys of .keys_in. */
    const char *input;
    /* Further keys, which decide between elements with equal keys; see clprim/types.h. Each has its own direction,
     * .then.descending; .nan_order holds for all of them. The sort must have values or .argsort, and calls have no
     * .keys_out. Not with .bit_range. Default: none. */
    clprim_sort_keys then;
    clprim_text text;       /* what .input and .then may name besides; see clprim/types.h */
    size_t value_size;      /* bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16 */
    bool argsort;           /* the values are the keys' indices, made by the sort, of .index_type; value_size is 0 */
    clprim_type index_type; /* of these indices: U32 (default) or U64 (required if max_count >= 2^32) */
    bool descending;        /* of .keys_in or .input. Equal keys still keep their order */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    /* Sort only by the bits begin_bit .. end_bit - 1 of each key. Bit 0 is the least significant bit. Default: false,
     * which sorts by all bits; begin_bit and end_bit must then be 0.
     * begin_bit must not exceed end_bit. If they are equal, the sort is a stable copy. end_bit may exceed the key's
     * width: the bits past it are 0 in every key. A program that computes the range should always set bit_range;
     * otherwise the range 0 .. 0 means all bits.
     * The bits are those of the key's image, an unsigned integer that has the same order. Unsigned integers are their
     * own image. In signed integers the sign bit is flipped. In floats all bits are flipped if the sign bit is set,
     * otherwise only the sign bit. CLPRIM_NAN_LAST then subtracts the number of negative NaNs (F32: 0x7fffff), modulo
     * 2^width, so that the image of -inf is 0. */
    bool bit_range;
    unsigned begin_bit;
    unsigned end_bit;
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count; /* elements of any call; default: fewer than 2^32. With more, variants that count in 32 bits are
                         unsupported */
    clprim_radix_sort_variant variant; /* default AUTO */
    size_t work_group_size;            /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_radix_sort_desc;

/* One sort. */
typedef struct clprim_radix_sort_call {
    clprim_array keys_in;                          /* none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array values_in; /* `count` of .value_size bytes, for a plan with values; not with .argsort */
    clprim_array count_at;  /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    /* One or both may also be exactly where an argument is, if .input reads that argument at i alone. */
    clprim_array keys_out;   /* may be in place of keys_in. Optional with .input if there are values or .argsort; none
                                with .then */
    clprim_array values_out; /* may be in place of values_in. With .argsort: for each key the index, from 0 on, at which
                                it was in keys_in */
} clprim_radix_sort_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * CLPRIM_UNSUPPORTED if the keys of .input and .then have more than 64 bits together: clprim/comparison_sort.h takes any
 * order. Also if the variant cannot do it: ONESWEEP needs 64-bit atomics and forward progress between work-groups
 * (clprim_device_info), and counts in 32 bits; SINGLE_GROUP sorts as many elements as fit one work-group's local
 * memory, so max_count must be given and no larger. AUTO always finds one.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_radix_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                  const clprim_radix_sort_desc *desc);

/* Enqueue a sort of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_radix_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                   const clprim_radix_sort_call *call, cl_uint num_waits,
                                                   const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_radix_sort_run(clprim_runtime *runtime, const clprim_radix_sort_desc *desc,
                                               const clprim_radix_sort_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_radix_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
