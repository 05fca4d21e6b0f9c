// SPDX-License-Identifier: MIT
/* clprim/batched_copy.h: copy many segments from one array to another in one call: short segments, long ones, or both.
 *
 *     clprim_plan *plan;
 *     clprim_batched_copy_create(&plan, runtime, &(clprim_batched_copy_desc){.element_size = 1});
 *     clprim_batched_copy_enqueue(plan, queue,
 *                                 &(clprim_batched_copy_call){.in = {.buffer = text},
 *                                                             .in_begins = {.buffer = begins},
 *                                                             .offsets = {.buffer = offsets},
 *                                                             .in_count = size,
 *                                                             .out_count = total,
 *                                                             .segment_count = words,
 *                                                             .out = {.buffer = packed}},
 *                                 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * `offsets` says how long the segments are, and where they are in the array that has them one after another (the
 * packed array): segment s has the elements offsets[s] to offsets[s + 1] - 1 there. For each j with
 * offsets[s] + j < offsets[s + 1]:
 *
 *     .packed = CLPRIM_PACKED_OUT    out[offsets[s] + j]    = in[in_begins[s] + j]    gather segments
 *     .packed = CLPRIM_PACKED_IN     out[out_begins[s] + j] = in[offsets[s] + j]      scatter segments
 *     .packed = CLPRIM_PACKED_NONE   out[out_begins[s] + j] = in[in_begins[s] + j]    neither array is packed
 *
 * If only the sizes of the segments are known, their exclusive scan (clprim/scan.h) makes the offsets.
 *
 * - Offsets must ascend; segments may be empty. Offsets and begins count from the first element of the call's arrays.
 *   Segments must not reach past the end of either array.
 * - Segments may overlap in `in`, but not in `out`. Where they do, the result is unspecified.
 * - Elements of `out` in no segment are not written.
 * - Offsets and begins stay on the device. If they are invalid there, the kernels still access nothing outside the
 *   arrays, but `out` is unspecified. run checks offsets and begins on the host and refuses invalid ones with
 *   CLPRIM_INVALID_ARGUMENT. It does not look for overlaps.
 *
 * The time depends on the number of elements and segments, and hardly on their lengths: all work-groups get equal
 * shares of elements and segments. Elements need no alignment beyond that of their buffer; small elements of long
 * segments travel 16 bytes at a time, wherever they begin.
 *
 * Scratch memory is 4 bytes per work-group. Queues, events, overlaps, threads and failures: clprim/plan.h.
 *
 * Source: merge path (Green, McColl and Bader 2012, GPU Merge Path), which divides elements and segments into
 * shares. */
#ifndef CLPRIM_BATCHED_COPY_H
#define CLPRIM_BATCHED_COPY_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/batched_copy/; clprim_batched_copy_operation.variants describes the variants. */
typedef enum clprim_batched_copy_variant {
    CLPRIM_BATCHED_COPY_AUTO = 0,
    CLPRIM_BATCHED_COPY_TILES,
    CLPRIM_BATCHED_COPY_CPU_CHUNK
} clprim_batched_copy_variant;

/* The array in which the segments follow one another without gaps, at the places that the offsets give. */
typedef enum clprim_batched_copy_packed {
    CLPRIM_PACKED_OUT = 0, /* calls have .in_begins */
    CLPRIM_PACKED_IN,      /* calls have .out_begins */
    CLPRIM_PACKED_NONE     /* calls have both; only differences of offsets count */
} clprim_batched_copy_packed;

/* What to copy. Zeroed: gather segments of 4-byte elements, by U32 offsets. */
typedef struct clprim_batched_copy_desc {
    /* Size of an element, in bytes: 1 to 256. Default: 0 (4). */
    size_t element_size;

    /* Which array is packed. Default: CLPRIM_PACKED_OUT. */
    clprim_batched_copy_packed packed;

    /* Type of .offsets, .in_begins and .out_begins: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* The largest in_count and out_count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_BATCHED_COPY_AUTO (the library chooses). */
    clprim_batched_copy_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_batched_copy_desc;

/* The copies of one call. */
typedef struct clprim_batched_copy_call {
    /* in_count elements. */
    clprim_array in;

    /* Where each segment begins in .in: segment_count numbers of .offsets_type. Not with CLPRIM_PACKED_IN. */
    clprim_array in_begins;

    /* segment_count + 1 numbers of .offsets_type. It may be left out if segment_count is 0. */
    clprim_array offsets;

    /* Where each segment begins in .out: segment_count numbers of .offsets_type. Not with CLPRIM_PACKED_OUT. */
    clprim_array out_begins;

    /* The number of elements of .in, at most .max_count. */
    size_t in_count;

    /* The number of elements of .out, at most .max_count. All segments together must not have more. */
    size_t out_count;

    /* The number of segments, at most 2^32 - 2. If only the device knows it: COUNTS ON THE DEVICE in clprim/plan.h. */
    size_t segment_count;

    /* out_count elements, of which those in segments are written. */
    clprim_array out;
} clprim_batched_copy_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched. Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_batched_copy_create(clprim_plan **out, clprim_runtime *runtime,
                                                    const clprim_batched_copy_desc *desc);

/* Enqueue the copies of one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_batched_copy_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                     const clprim_batched_copy_call *call, cl_uint num_waits,
                                                     const cl_event *waits, cl_event *done);

/* Make a plan, run the copies of one call, and wait for the result. Arrays may be on the host, on the device, or both.
 * A NULL runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_batched_copy_run(clprim_runtime *runtime, const clprim_batched_copy_desc *desc,
                                                 const clprim_batched_copy_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_batched_copy_operation;

#ifdef __cplusplus
}
#endif
#endif
