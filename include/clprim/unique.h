/* clprim/unique.h: of each run of equal elements (as many in a row as there are) the first one. The order is kept; how
 * many there are is written on the device. Of a sorted array these are its distinct elements.
 *
 *     clprim_unique *plan;
 *     clprim_unique_desc desc = {.type = CLPRIM_F32};
 *     clprim_unique_create(&plan, runtime, &desc);                                           // compiles
 *     clprim_unique_enqueue(plan, queue, in, 0, count, out, 0, selected, 0, 0, NULL, NULL);  // does not
 *     clprim_unique_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_unique_host().
 *
 * Each element is compared with the one right before it in the input. Equal are elements with the same bits, unless
 * .equal says something else: so -0.0 differs from +0.0 and a NaN equals itself, as in clPRIM's total order of floats.
 * Elements are moved bit for bit. count == 0 has no runs; counts may exceed 2^32. */
#ifndef CLPRIM_UNIQUE_H
#define CLPRIM_UNIQUE_H

#include <clprim/runtime.h>
#include <clprim/select.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_unique clprim_unique;

/* What is equal. Zeroed: I32, by all bits. */
typedef struct clprim_unique_desc {
    clprim_type type; /* of the elements; default I32 */
    /* An OpenCL C expression over `a`, an element, and `b`, the one right after it (floats for F16); where it is not 0,
     * b belongs to a's run. It need not be an equivalence. NULL: all bits are the same. The text is code: never take it
     * from someone you would not let run code on your device. */
    const char *equal;
    const char *source;    /* declarations placed before the expression; may be NULL */
    const char *type_name; /* OpenCL C name of an element type declared in .source; NULL: .type. A type with padding,
                              whose bits are nobody's, needs .equal */
    size_t type_size;      /* its size in bytes on the host; checked against the device's. 0 with a NULL type_name */
    clprim_select_variant variant; /* of the selection that does it; default AUTO */
} clprim_unique_desc;

/* Make a plan: check the description, compile its kernels. desc may be NULL: I32 by all bits. A mistake in the caller's
 * text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `equal` are named as files of those
 * names. The plan holds a reference to the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_unique_create(clprim_unique **out, clprim_runtime *runtime,
                                              const clprim_unique_desc *desc);

/* Enqueue: the first elements of the runs of in[in_offset .. in_offset + count) go to out[out_offset ..], and their
 * number, a cl_ulong, to selected[selected_offset] (an offset in units of 8 bytes).
 * Pre:    the buffers belong to the runtime's context; out has room for `count` elements from out_offset on, of which
 *         those behind the last run's stay untouched. No two of the ranges overlap.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 * Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_unique_enqueue(clprim_unique *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                               size_t count, cl_mem out, size_t out_offset, cl_mem selected,
                                               size_t selected_offset, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* Bytes of scratch memory that an enqueued call with `count` elements takes. Errors: CLPRIM_INVALID_ARGUMENT, also
 * where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_unique_scratch_size(size_t *out, const clprim_unique *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_unique_set_scratch(clprim_unique *plan, cl_mem scratch);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_unique_destroy(clprim_unique *plan);

/* The same from an array on the host; returns when the result is in out (room for `count` elements) and *selected.
 * runtime NULL: clprim_runtime_default().
 * Errors: as clprim_unique_create and clprim_unique_enqueue; then out and *selected are untouched. */
CLPRIM_API clprim_status clprim_unique_host(void *out, size_t *selected, clprim_runtime *runtime,
                                            const clprim_unique_desc *desc, const void *in, size_t count);

#ifdef __cplusplus
}
#endif
#endif
