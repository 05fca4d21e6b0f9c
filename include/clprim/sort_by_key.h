/* clprim/sort_by_key.h: sort several arrays at once, of elements of any size, by the keys that go with them: a struct
 * of arrays, or an array of structs whose keys stand beside it.
 *
 *     clprim_sort_by_key *plan;
 *     clprim_sort_by_key_desc desc = {.key_type = CLPRIM_F32, .num_arrays = 2, .element_sizes = {4, 12}};
 *     clprim_sort_by_key_array arrays[2] = {{.in = ids, .out = ids}, {.in = points, .out = points_sorted}};
 *     clprim_sort_by_key_create(&plan, runtime, &desc);                                          // compiles
 *     clprim_sort_by_key_enqueue(plan, queue, keys, 0, count, keys, 0, arrays, 0, NULL, NULL);   // does not
 *     clprim_sort_by_key_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_sort_by_key_host().
 *
 * The order is clprim_radix_sort's, and stable: elements with equal keys keep their order in every array. Elements are
 * moved bit for bit, whatever they are. count == 0 and 1 are allowed.
 *
 * Source: radix sorts of clprim/radix_sort.h. One array of small elements moves along with the keys; else the indices
 * do, and each array is then gathered by them: each element is moved once, however many passes the sort makes. */
#ifndef CLPRIM_SORT_BY_KEY_H
#define CLPRIM_SORT_BY_KEY_H

#include <clprim/radix_sort.h>
#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_sort_by_key clprim_sort_by_key;

/* What to sort. Zeroed: one array of elements of 4 bytes by keys of U32, upwards. */
typedef struct clprim_sort_by_key_desc {
    clprim_type key_type;       /* default U32 */
    bool descending;            /* elements with equal keys keep their order all the same */
    clprim_nan_order nan_order; /* where NaNs stand, see clprim/types.h; default: in the total order */
    bool bit_range;     /* sort by the bits begin_bit .. end_bit - 1 alone, as in clprim_radix_sort_desc. Default: */
    unsigned begin_bit; /* false, which sorts by all bits; both must then be 0 */
    unsigned end_bit;
    bool values_only;  /* the keys are not wanted in order: keys_out is NULL, and keys_in is unchanged */
    size_t num_arrays; /* 1 to CLPRIM_SORT_BY_KEY_MAX_ARRAYS; default 1 */
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* bytes of an element of each array, 1 to 256: any number, not
                                                            powers of two alone. Default: 4 */
    clprim_radix_sort_variant variant;                   /* of the sort underneath; default AUTO */
    size_t work_group_size; /* 0: tuned. Else a power of two, fitted to what the device can do */
    size_t max_count;       /* elements of any call; 0: less than 2^32. With more, indices take 8 bytes, and
                               variants that count in 32 bits are unsupported */
} clprim_sort_by_key_desc;

/* An array of a call: where it is and where it goes. Offsets in elements, of the array's own size. */
typedef struct clprim_sort_by_key_array {
    cl_mem in;
    size_t in_offset;
    cl_mem out;
    size_t out_offset;
} clprim_sort_by_key_array;

/* Make a plan: check the description, pick the sort's variant, compile its kernels and those that gather. desc may be
 * NULL. The plan holds a reference to the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED where the named variant cannot do it (see
 * clprim_radix_sort_create), CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_sort_by_key_create(clprim_sort_by_key **out, clprim_runtime *runtime,
                                                   const clprim_sort_by_key_desc *desc);

/* Enqueue: keys_in[keys_in_offset .. + count) in order to keys_out[keys_out_offset .. + count), and the elements of
 * each of arrays[0 .. num_arrays) to where their keys go. `arrays` is read by the call alone. Keys and arrays are in
 * place (in and out are the same range), or not, each for itself. Any other overlap of what is written with what is
 * read or written is refused; what is read alone is unchanged, and may overlap. With .values_only keys_out is NULL and
 * its offset 0. Pre:    the buffers belong to the runtime's context. queue is the runtime's own (NULL) or the caller's,
 * in-order or out-of-order, on the runtime's device. count <= max_count; with count 0 arrays may be NULL, and each
 * buffer. Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_sort_by_key_enqueue(clprim_sort_by_key *plan, cl_command_queue queue, cl_mem keys_in,
                                                    size_t keys_in_offset, size_t count, cl_mem keys_out,
                                                    size_t keys_out_offset, const clprim_sort_by_key_array *arrays,
                                                    cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that the caller's buffer must have for an enqueued sort of `count` elements: what the sort of
 * the keys and indices takes (room for both once more, and a few percent), or where that is less a copy of the largest
 * array, for one that is in place; and the indices, and with .values_only the keys in order. One array of 1, 2, 4, 8 or
 * 16 bytes needs neither indices nor copy. Of the runtime's own memory a call with no array in place takes no copy.
 * Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_sort_by_key_scratch_size(size_t *out, const clprim_sort_by_key *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_sort_by_key_set_scratch(clprim_sort_by_key *plan, cl_mem scratch);

/* The variant of the sort underneath: never AUTO. */
CLPRIM_API clprim_radix_sort_variant clprim_sort_by_key_plan_variant(const clprim_sort_by_key *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_sort_by_key_destroy(clprim_sort_by_key *plan);

/* Sort arrays on the host where they lie; returns when all are sorted. arrays: num_arrays of them, each with `count`
 * elements of its size. With .values_only the keys stay as they are. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_sort_by_key_create and clprim_sort_by_key_enqueue; then keys and arrays are untouched. */
CLPRIM_API clprim_status clprim_sort_by_key_host(void *keys, void *const *arrays, clprim_runtime *runtime,
                                                 const clprim_sort_by_key_desc *desc, size_t count);

#ifdef __cplusplus
}
#endif
#endif
