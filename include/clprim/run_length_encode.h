/* clprim/run_length_encode.h: runs of equal elements as pairs: the element, and the length of its run.
 *
 *     clprim_plan *plan;
 *     clprim_run_length_encode_create(&plan, runtime, &(clprim_run_length_encode_desc){.type = CLPRIM_U8});
 *     clprim_run_length_encode_enqueue(plan, queue,
 *                                      &(clprim_run_length_encode_call){.in = {in}, .count = n, .out = {out},
 *                                                                       .lengths_out = {lengths}, .out_count = {runs}},
 *                                      0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Elements are equal if their bits are the same: so -0.0 differs from +0.0, and a NaN equals itself. The order of the
 * runs is kept; their number is written on the device. Elements are copied bit for bit. Without elements
 * there are no runs.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_RUN_LENGTH_ENCODE_H
#define CLPRIM_RUN_LENGTH_ENCODE_H

#include <clprim/plan.h>
#include <clprim/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to encode. Zeroed: I32, with lengths of U32. */
typedef struct clprim_run_length_encode_desc {
    clprim_type type;            /* of the elements; default I32 */
    clprim_type index_type;      /* of lengths_out and out_count: U32 (default) or U64 (required if max_count is
                                    2^32 or more) */
    clprim_type count_at_type;   /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;            /* elements of any call; default: fewer than 2^32 */
    clprim_scan_variant variant; /* of the scan: CPU_CHUNK, REDUCE_THEN_SCAN or LOOK_BACK; default AUTO */
} clprim_run_length_encode_desc;

/* One call. */
typedef struct clprim_run_length_encode_call {
    clprim_array in;
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    clprim_array out;         /* the element of each run: room for `count`; elements after the last run are untouched */
    clprim_array lengths_out; /* the length of each run, likewise */
    clprim_array out_count;   /* one number of .index_type: how many runs there are */
} clprim_run_length_encode_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_run_length_encode_create(clprim_plan **out, clprim_runtime *runtime,
                                                         const clprim_run_length_encode_desc *desc);

/* Enqueue the encoding of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_run_length_encode_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                          const clprim_run_length_encode_call *call, cl_uint num_waits,
                                                          const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_run_length_encode_run(clprim_runtime *runtime,
                                                      const clprim_run_length_encode_desc *desc,
                                                      const clprim_run_length_encode_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_run_length_encode_operation;

#ifdef __cplusplus
}
#endif
#endif
