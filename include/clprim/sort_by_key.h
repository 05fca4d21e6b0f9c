/* clprim/sort_by_key.h: stably sort several arrays at once by one array of keys: a struct of arrays, or an array of
 * structs whose keys stand beside it.
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
 * With .input an expression gives the keys, and there is no array of them.
 *
 * The order is that of clprim/radix_sort.h, and stable: elements with equal keys keep their order in every array.
 * Elements are copied bit for bit, whatever they are.
 *
 * One array of small elements moves along with the keys. Otherwise indices do, and each array is gathered by them: each
 * element is moved once, however many passes the sort makes. Scratch memory: what the sort of keys and indices takes
 * (room for both once more and a few percent) or, if that is less, a copy of the largest array for one that is in
 * place; and the indices, and with .values_only or .then the sorted keys. One array of 1, 2, 4, 8 or 16 bytes needs neither
 * indices nor a copy. With the runtime's pool, a call with no array in place takes no memory for a copy.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_SORT_BY_KEY_H
#define CLPRIM_SORT_BY_KEY_H

#include <clprim/plan.h>
#include <clprim/radix_sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to sort. Zeroed: one array of elements of 4 bytes by ascending keys of U32. */
typedef struct clprim_sort_by_key_desc {
    clprim_type key_type; /* default U32 */
    /* The keys, instead of .keys_in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .key_type (F16: from a float). So an array of structs is sorted by one of its members,
     * "records[i].price", where the array is both an argument and one of .arrays_in. Kernels compute a key more than
     * once: the expression must give the same value each time. NULL: the keys of .keys_in. */
    const char *input;
    /* Further keys, which decide between elements with equal keys; see clprim/types.h. Each has its own direction,
     * .then.descending; .nan_order holds for all of them. Calls have no .keys_out. Not with .bit_range. Default: none. */
    clprim_sort_keys then;
    clprim_text text;           /* what .input and .then may name besides; see clprim/types.h */
    bool descending;            /* of .keys_in or .input. Elements with equal keys still keep their order */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    /* Sort only by the bits begin_bit .. end_bit - 1, as in clprim_radix_sort_desc. Default: false, which sorts by all
     * bits; begin_bit and end_bit must then be 0. */
    bool bit_range;
    unsigned begin_bit;
    unsigned end_bit;
    bool values_only;  /* the sorted keys are not wanted: there is no keys_out */
    size_t num_arrays; /* 1 to CLPRIM_SORT_BY_KEY_MAX_ARRAYS; default 1 */
    /* Bytes per element of each array, 1 to 256, not only powers of two; default 4. */
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count; /* elements of any call; default: fewer than 2^32. With more, variants that count in 32 bits are
                         unsupported */
    clprim_radix_sort_variant variant; /* of the sort underneath; default AUTO */
    size_t work_group_size;            /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_sort_by_key_desc;

/* One sort. Keys and arrays may each be in place or not. Inputs that are only read may overlap. */
typedef struct clprim_sort_by_key_call {
    clprim_array keys_in;                                  /* none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];         /* one for each parameter of .text */
    clprim_array arrays_in[CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* the first num_arrays: `count` elements each */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    /* Outputs may also be exactly where arguments are, if .input reads these at i alone. */
    clprim_array keys_out; /* may be in place of keys_in; none with .values_only or .then */
    clprim_array arrays_out[CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* each may be in place of the same one of arrays_in */
} clprim_sort_by_key_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * CLPRIM_UNSUPPORTED if the keys of .input and .then have more than 64 bits together, or if the named variant cannot do
 * it: see clprim_radix_sort_create.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_sort_by_key_create(clprim_plan **out, clprim_runtime *runtime,
                                                   const clprim_sort_by_key_desc *desc);

/* Enqueue a sort of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_sort_by_key_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                    const clprim_sort_by_key_call *call, cl_uint num_waits,
                                                    const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_sort_by_key_run(clprim_runtime *runtime, const clprim_sort_by_key_desc *desc,
                                                const clprim_sort_by_key_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_sort_by_key_operation;

#ifdef __cplusplus
}
#endif
#endif
