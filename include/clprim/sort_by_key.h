/* clprim/sort_by_key.h: stably sort several arrays at once by one array of keys: a struct of arrays, or an array of
 * structs beside its keys.
 *
 *     clprim_plan *plan;
 *     clprim_sort_by_key_create(&plan, runtime,
 *                               &(clprim_sort_by_key_desc){
 *                                   .key_type = CLPRIM_F32, .num_arrays = 2, .element_sizes = {4, 12}});
 *     clprim_sort_by_key_enqueue(plan, queue,
 *                                &(clprim_sort_by_key_call){.keys_in = {keys}, .arrays_in = {{ids}, {points}},
 *                                                           .count = n, .keys_out = {keys},
 *                                                           .arrays_out = {{ids}, {sorted}}},
 *                                0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The keys are an array, or an expression (.input) gives them. The order is that of clprim/radix_sort.h. The sort is
 * stable: elements with equal keys keep their order in every array. It copies elements bit for bit, whatever they are.
 *
 * A single array moves along with the keys, if its elements have 1, 2, 4, 8 or 16 bytes. Otherwise the sort moves
 * indices, and then gathers each array by them. So each element moves once, however many passes the sort makes.
 *
 * Scratch memory for a single array that moves along: room for the keys and the array once more, and a few percent.
 *
 * Scratch memory otherwise:
 * - room for the indices;
 * - and the larger of two things: what the sort of keys and indices takes, which is room for both once more and a few
 *   percent; and a copy of the largest array. Only calls with an array in place take that copy from the runtime's pool.
 *
 * In both cases, .values_only and .then also take room for the sorted keys.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: the radix sort; see clprim/radix_sort.h. */
#ifndef CLPRIM_SORT_BY_KEY_H
#define CLPRIM_SORT_BY_KEY_H

#include <clprim/plan.h>
#include <clprim/radix_sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to sort. Zeroed: one array of 4-byte elements by U32 keys, in ascending order. See EXPRESSIONS and COUNTS ON THE
 * DEVICE in clprim/plan.h. */
typedef struct clprim_sort_by_key_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value has the type .key_type. Kernels compute a key more
     * than once; it must be the same each time. For example, "records[i].price" sorts an array of structs by one of
     * its members: the array is then both an argument and one of .arrays_in. Default: NULL (the keys of .keys_in). */
    const char *input;

    /* Further keys, which order elements with equal keys; see clprim/types.h. Each has its own direction in
     * .then.descending; .nan_order applies to all. Needs .input; calls have no .keys_out. Not with .bit_range.
     * Default: none. */
    clprim_sort_keys then;

    /* Declarations, parameters and compiler options for .input and .then. Default: none. */
    clprim_text text;

    /* Sort the keys of .keys_in or .input in descending order. Elements with equal keys still keep their order.
     * Default: false. */
    bool descending;

    /* Where NaNs are sorted; see clprim/types.h. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Sort only by the bits begin_bit to end_bit - 1 of each key's image, which clprim/radix_sort.h defines. Default:
     * false (all bits); begin_bit and end_bit must then be 0. */
    bool bit_range;

    /* First bit of the range. Must not exceed end_bit. */
    unsigned begin_bit;

    /* One past the last bit of the range. */
    unsigned end_bit;

    /* Do not write the sorted keys: calls have no .keys_out. Default: false. */
    bool values_only;

    /* Number of arrays, 1 to CLPRIM_SORT_BY_KEY_MAX_ARRAYS. Default: 1. */
    size_t num_arrays;

    /* Size of an element of each array, in bytes: 1 to 256, not only powers of two. Default: 4. */
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). From 2^32 on, variants that count in 32 bits
     * are unsupported. */
    size_t max_count;

    /* The implementation of the radix sort. Default: CLPRIM_RADIX_SORT_AUTO (the library chooses). */
    clprim_radix_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_sort_by_key_desc;

/* One sort. The keys and each array may be in place or not. Inputs that are not written may overlap. If .input reads an
 * argument at index i only, outputs may be exactly where that argument is. */
typedef struct clprim_sort_by_key_call {
    /* The keys: `count` elements. None with .input. */
    clprim_array keys_in;

    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The first .num_arrays are the arrays to sort: `count` elements each. */
    clprim_array arrays_in[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The sorted keys. May be in place of .keys_in. None with .values_only or .then. */
    clprim_array keys_out;

    /* The arrays in the order of the keys. Each may be in place of the same element of .arrays_in. */
    clprim_array arrays_out[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
} clprim_sort_by_key_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_UNSUPPORTED: the keys of .input and .then have more than 64 bits together. Or the variant cannot do this
 *   sort; see clprim_radix_sort_create.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile; clprim_last_error() has the compiler's log.
 * - CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_sort_by_key_create(clprim_plan **out, clprim_runtime *runtime,
                                                   const clprim_sort_by_key_desc *desc);

/* Enqueue one sort. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_sort_by_key_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                    const clprim_sort_by_key_call *call, cl_uint num_waits,
                                                    const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_sort_by_key_run(clprim_runtime *runtime, const clprim_sort_by_key_desc *desc,
                                                const clprim_sort_by_key_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_sort_by_key_operation;

#ifdef __cplusplus
}
#endif
#endif
