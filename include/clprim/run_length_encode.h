// SPDX-License-Identifier: MIT
/* clprim/run_length_encode.h: encode runs of equal elements as pairs of the element and the length of its run.
 *
 *     clprim_plan *plan;
 *     clprim_run_length_encode_create(&plan, runtime, &(clprim_run_length_encode_desc){.type = CLPRIM_U8});
 *     clprim_run_length_encode_enqueue(plan, queue,
 *                                      &(clprim_run_length_encode_call){.in = {.buffer = in},
 *                                                                       .count = n,
 *                                                                       .out = {.buffer = out},
 *                                                                       .lengths_out = {.buffer = lengths},
 *                                                                       .out_count = {.buffer = runs}},
 *                                      0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Each element is compared with the element right before it. By default, elements are equal if their bits are the same:
 * -0.0 differs from +0.0, and a NaN equals itself. The first element of each run is copied bit for bit. Runs keep their
 * order. Their number is written on the device. It is 0 if there are no elements.
 *
 * With .min_length only runs of at least so many elements are written, and with .offsets also where each begins.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: segmented scan (Schwartz 1980, Ultracomputers; Blelloch 1990, Prefix Sums and Their Applications), by the
 * variants of clprim/scan.h. */
#ifndef CLPRIM_RUN_LENGTH_ENCODE_H
#define CLPRIM_RUN_LENGTH_ENCODE_H

#include <clprim/plan.h>
#include <clprim/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to encode. Zeroed: I32 elements, with U32 lengths. See EXPRESSIONS and COUNTS ON THE DEVICE in
 * clprim/plan.h. */
typedef struct clprim_run_length_encode_desc {
    /* Type of the elements. Default: I32. */
    clprim_type type;

    /* An expression over an element `a` and the element `b` right after it (F16: floats), whose value is not 0 if b
     * belongs to the run of a. It need not be an equivalence relation. Default: NULL (all bits are the same). */
    const char *equal;

    /* Declarations, parameters and compiler options for .equal. Only with .equal or .type_name. Default: none. */
    clprim_text text;

    /* Instead of .type: the OpenCL C name of a type that .text.source declares. A type with padding requires .equal,
     * because padding bits are unspecified. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* The number of elements of the shortest run that is written. For example, 2 leaves out elements that differ from
     * both neighbours (non-trivial runs). Default: 0 (1: all runs are written). */
    size_t min_length;

    /* Write the index of the first element of each run, too. Default: false. */
    bool offsets;

    /* Type of .lengths_out, .offsets_out and .out_count: U32 or U64. U64 is required if .max_count is 2^32 or more.
     * Default: U32. */
    clprim_type index_type;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation of the scan: CPU_CHUNK, REDUCE_THEN_SCAN or LOOK_BACK. Default: CLPRIM_SCAN_AUTO (the
     * library chooses). */
    clprim_scan_variant variant;
} clprim_run_length_encode_desc;

/* One call. Each output with a place for each run has room for `count` of them, or for fewer if it has a .length: then
 * only the first .length runs are written there, and all are counted. Elements after these are unchanged. */
typedef struct clprim_run_length_encode_call {
    /* `count` elements of .type or .type_name. */
    clprim_array in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The first element of each run of at least .min_length elements. Not in place. */
    clprim_array out;

    /* The length of each of these runs: numbers of .index_type. */
    clprim_array lengths_out;

    /* The index that the first element of each of these runs has in .in: numbers of .index_type. Only with .offsets. */
    clprim_array offsets_out;

    /* The number of these runs: one number of .index_type. If it exceeds the .length of an output, they did not fit
     * there. */
    clprim_array out_count;
} clprim_run_length_encode_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 * Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_run_length_encode_create(clprim_plan **out, clprim_runtime *runtime,
                                                         const clprim_run_length_encode_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_run_length_encode_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                          const clprim_run_length_encode_call *call, cl_uint num_waits,
                                                          const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_run_length_encode_run(clprim_runtime *runtime,
                                                      const clprim_run_length_encode_desc *desc,
                                                      const clprim_run_length_encode_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_run_length_encode_operation;

#ifdef __cplusplus
}
#endif
#endif
