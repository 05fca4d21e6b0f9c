/* clprim/run_length_encode.h: runs of equal elements (as many in a row as there are) as pairs: the element, and how
 * many there are. Their order is kept; the number of runs is written on the device.
 *
 *     clprim_run_length_encode *plan;
 *     clprim_run_length_encode_desc desc = {.type = CLPRIM_U8};
 *     clprim_run_length_encode_create(&plan, runtime, &desc);                                          // compiles
 *     clprim_run_length_encode_enqueue(plan, queue, in, 0, count, out, 0, lengths, 0, runs, 0, 0, NULL, NULL);
 *     clprim_run_length_encode_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_run_length_encode_host().
 *
 * Equal are elements with the same bits: so -0.0 differs from +0.0 and a NaN equals itself, as in clPRIM's total order
 * of floats. Elements are moved bit for bit. count == 0 has no runs. */
#ifndef CLPRIM_RUN_LENGTH_ENCODE_H
#define CLPRIM_RUN_LENGTH_ENCODE_H

#include <clprim/runtime.h>
#include <clprim/scan.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_run_length_encode clprim_run_length_encode;

/* What to encode. Zeroed: I32, with lengths of U32. */
typedef struct clprim_run_length_encode_desc {
    clprim_type type;            /* of the elements; default I32 */
    clprim_type lengths_type;    /* U32 (default) or U64 */
    clprim_scan_variant variant; /* of the scan: CPU_CHUNK, REDUCE_THEN_SCAN or LOOK_BACK; default AUTO */
    size_t max_count;            /* elements of any call; 0: less than 2^32. More take lengths of U64 */
} clprim_run_length_encode_desc;

/* Make a plan: check the description, compile its kernels. desc may be NULL (see above). The plan holds a reference to
 * the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_run_length_encode_create(clprim_run_length_encode **out, clprim_runtime *runtime,
                                                         const clprim_run_length_encode_desc *desc);

/* Enqueue: the elements of the runs of in[in_offset .. in_offset + count) go to out[out_offset ..], their lengths to
 * lengths[lengths_offset ..], and the number of runs, a cl_ulong, to runs[runs_offset] (an offset in units of 8 bytes).
 * Pre:    the buffers belong to the runtime's context; out and lengths have room for `count` elements from their
 *         offsets on, of which those behind the last run's stay untouched. No two of the ranges overlap.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 *         count <= max_count.
 * Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_run_length_encode_enqueue(clprim_run_length_encode *plan, cl_command_queue queue,
                                                          cl_mem in, size_t in_offset, size_t count, cl_mem out,
                                                          size_t out_offset, cl_mem lengths, size_t lengths_offset,
                                                          cl_mem runs, size_t runs_offset, cl_uint num_waits,
                                                          const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued call with `count` elements takes. Errors: CLPRIM_INVALID_ARGUMENT, also
 * where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_run_length_encode_scratch_size(size_t *out, const clprim_run_length_encode *plan,
                                                               size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_run_length_encode_set_scratch(clprim_run_length_encode *plan, cl_mem scratch);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_run_length_encode_destroy(clprim_run_length_encode *plan);

/* Encode an array on the host; returns when the result is in out and lengths (room for `count` elements in each) and
 * *runs. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_run_length_encode_create and clprim_run_length_encode_enqueue; then *runs is untouched. */
CLPRIM_API clprim_status clprim_run_length_encode_host(void *out, void *lengths, size_t *runs, clprim_runtime *runtime,
                                                       const clprim_run_length_encode_desc *desc, const void *in,
                                                       size_t count);

#ifdef __cplusplus
}
#endif
#endif
