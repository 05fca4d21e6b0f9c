// SPDX-License-Identifier: MIT
/* clprim/histogram.h: count the elements that fall into each bin, or add up a weight for each bin.
 *
 *     clprim_plan *plan;
 *     clprim_histogram_create(
 *         &plan, runtime,
 *         &(clprim_histogram_desc){.type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 100, .high = 1});
 *     clprim_histogram_enqueue(plan, queue,
 *                              &(clprim_histogram_call){.in = {.buffer = in}, .count = n, .out = {.buffer = bins}}, 0,
 *                              NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Elements that belong to no bin, such as NaNs, are counted separately. The result does not depend on the variant, the
 * device, or the order of the elements, except for sums of float weights. If there are no elements, all counters are 0,
 * or unchanged with .accumulate.
 *
 * Sums of float weights: |computed - exact| <= min(m, k) * u * sum of |w| for a bin of m elements whose weights are w.
 * u is the unit roundoff (2^-24 for F32, 2^-53 for F64).
 * - CPU_CHUNK: k is 16 for F32 if the device has double precision, and otherwise max(2^14, 64 * counters).
 * - LOCAL_ATOMIC: k is max(2^14, 64 * counters).
 * - GLOBAL_ATOMIC, which AUTO chooses on GPUs if the counters do not fit in local memory: k is 2^14.
 * Counters are those of all active channels. What .accumulate adds to, each piece that run makes of an array, and each
 * 2^30 elements, round once more. Sums begin with +0.0: no bin is -0.0.
 *
 * The rows of an image may be further apart than they are long: because each is padded, or because they are a region of a
 * larger image. With .strided a call says how long rows are, and how far apart. Here they are those of a region of
 * width * height pixels, from (x, y) on, of an image whose rows have `pitch` elements:
 *
 *     clprim_histogram_run(runtime, &(clprim_histogram_desc){.strided = true},
 *                          &(clprim_histogram_call){.in = {image, .offset = y * pitch + x},
 *                                                   .count = width * height,
 *                                                   .row_length = width,
 *                                                   .row_stride = pitch,
 *                                                   .out = {.buffer = bins}});
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Podlozhnyuk 2007, Histogram Calculation in CUDA (tables in local memory); Shams and Kennedy 2007, Efficient
 * Histogram Algorithms for NVIDIA CUDA Compatible Devices (REPLICATED); Satish, Harris and Garland 2009, Designing
 * Efficient Sorting Algorithms for Manycore GPUs (SORT_BASED). */
#ifndef CLPRIM_HISTOGRAM_H
#define CLPRIM_HISTOGRAM_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/histogram/; clprim_histogram_operation.variants describes the variants. */
typedef enum clprim_histogram_variant {
    CLPRIM_HISTOGRAM_AUTO = 0,
    CLPRIM_HISTOGRAM_GLOBAL_ATOMIC,
    CLPRIM_HISTOGRAM_LOCAL_ATOMIC,
    CLPRIM_HISTOGRAM_PER_ITEM,
    CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED,
    CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED,
    CLPRIM_HISTOGRAM_REPLICATED,
    CLPRIM_HISTOGRAM_LARGE,
    CLPRIM_HISTOGRAM_SORT_BASED,
    CLPRIM_HISTOGRAM_CPU_CHUNK,
    CLPRIM_HISTOGRAM_NATIVE
} clprim_histogram_variant;

/* A further dimension of a joint histogram. Zeroed: there is none. */
typedef struct clprim_histogram_axis {
    /* An expression for element `i` of this dimension, which is converted to .type. Required. */
    const char *input;

    /* Type of the elements. Default: U8. */
    clprim_type type;

    /* Number of bins. Default: 0 (the dimension does not exist). */
    size_t bins;

    /* The ends of even bins, as for CLPRIM_HISTOGRAM_EVEN. Default: both 0 (each integer in the bin of its value). */
    double low, high;

    /* bins + 1 boundaries, which create copies, instead of even bins. Default: NULL. */
    const void *boundaries;
} clprim_histogram_axis;

/* What to count. Zeroed: U8 elements, each in the bin of its value. See EXPRESSIONS and COUNTS ON THE DEVICE
 * in clprim/plan.h. */
typedef struct clprim_histogram_desc {
    /* Type of the elements. Default: U8. */
    clprim_type type;

    /* Which bin an element belongs to (clprim/types.h). Default: CLPRIM_HISTOGRAM_IDENTITY. */
    clprim_histogram_mapping mapping;

    /* Number of bins per channel, 1 to 2^24; or that of the first channel, if channels differ. Default: 0 (256). */
    size_t bins;

    /* For EVEN: the lower end of the first bin and the upper end of the last one. Both are finite, and low < high. For
     * integer elements, both are integers from -2^63 to 2^63, or from 0 to 2^64 for U64. For F16 and F32 elements, both
     * are within the range of F32. */
    double low, high;

    /* For BOUNDARIES: bins + 1 boundaries (clprim_histogram_mapping), which create copies. */
    const void *boundaries;

    /* For CUSTOM: an expression for the bin of element `x` (clprim_histogram_mapping). */
    const char *bin_of;

    /* An expression for element `i`, from 0 to count * channels - 1, instead of .in. Its value is converted to .type.
     * Default: NULL (the elements of .in). */
    const char *input;

    /* Elements are in rows with gaps between them, such as a region of an image: calls have .row_length and .row_stride.
     * Elements are read 16 bytes at a time nevertheless. Not with .input, whose text says where elements are; run cannot
     * cut such a call. Default: false (elements have no gaps). */
    bool strided;

    /* Further dimensions: the histogram is joint. The first dimension is .input, which is then required, with .type,
     * .mapping and .bins; .third needs .second. An element belongs to a joint bin if it belongs to a bin in each
     * dimension; otherwise it belongs to none. The counter of bins a, b and c is at index
     * (a * second.bins + b) * third.bins + c. All dimensions together have at most 2^24 bins. Only with one channel.
     * Default: none. */
    clprim_histogram_axis second, third;

    /* Declarations, parameters and compiler options for the expressions. Default: none. */
    clprim_text text;

    /* Number of interleaved channels, 1 to 4. Each has its own histogram. Default: 0 (1). */
    unsigned channels;

    /* Only the first `active_channels` channels are counted. Default: 0 (all). */
    unsigned active_channels;

    /* The bins of the other active channels, if they differ from those of the first: other numbers of bins, other ranges or
     * other boundaries. All channels have the same .mapping, which is not CUSTOM. There are then as many counters for each
     * channel as the channel with the most bins has; those after a channel's own bins are 0, unchanged with
     * .accumulate, and the channel's total with .cumulative. Default: zeroed (all channels have the same bins). */
    clprim_histogram_channel second_channel, third_channel, fourth_channel;

    /* Type of the weights: I32, U32, F32, I64, U64 or F64. Each bin then has the sum of its elements' weights instead
     * of their number. Only with one channel. Default: 0 (count elements). */
    clprim_type weights_type;

    /* Type of the counters: U32 or U64; with weights, only .weights_type. Default: .weights_type; without weights U32,
     * or U64 if .max_count is 2^32 or more. */
    clprim_type counter_type;

    /* An expression over the counter `r` at index `i`, whose value is written instead of `r`. `r` has the type
     * .counter_type. Bin b of active channel c is at index c * bins + b. For example, "r / (float)total" makes a
     * distribution. It is computed only for the final counters. A call then has at most 3 * 2^29 elements in all
     * channels together (SORT_BASED: 3 * 2^27). Not with .accumulate. Default: NULL (the counter). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the counters' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .output_type_name). */
    size_t output_type_size;

    /* Add the counters to the content of the outputs, modulo 2^bits of a counter. Default: false (overwrite it). */
    bool accumulate;

    /* Each counter becomes the sum of the counters of its channel up to it: of bins 0 to b. Elements that belong to no
     * bin are in none of them. It takes one more launch, in which a work-group adds up the counters of a channel. Not
     * with .accumulate, .output or several dimensions; run cannot cut such a call. Default: false. */
    bool cumulative;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements per channel. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_HISTOGRAM_AUTO (the library chooses). */
    clprim_histogram_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_histogram_desc;

/* One histogram. */
typedef struct clprim_histogram_call {
    /* count * channels elements of .type. Not with .input. With .strided these are rows, and the array also has the gaps
     * between them, but none after the last row. */
    clprim_array in;

    /* `count` weights of .weights_type, without gaps. Sums of integers wrap around. Only with .weights_type. */
    clprim_array weights;

    /* The values of .text.parameters, in the same order. An array has count * channels elements, unless its .length
     * says otherwise. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements per channel, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements per channel, at most .max_count. With .count_at it is the upper limit. With .strided it is that
     * of all rows together; if it is not a multiple of .row_length, the last row is shorter. */
    size_t count;

    /* The number of elements per channel in each row. Only with .strided. Default: 0 (`count`: one row). */
    size_t row_length;

    /* From the first element of a row to that of the next, in elements of .type: at least row_length * channels. Only with
     * .row_length. Default: 0 (row_length * channels: no gaps). */
    size_t row_stride;

    /* The active_channels * bins counters of .counter_type, or the values of .output, channel by channel; with several
     * dimensions, all joint bins. If channels have different numbers of bins, `bins` is the largest one. */
    clprim_array out;

    /* The number of elements that belong to no bin: one U64 for each active channel. Optional. */
    clprim_array outside_out;
} clprim_histogram_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: .max_count is 2^32 or more, and the counters are U32.
 * - CLPRIM_UNSUPPORTED: the elements or weights are F64, and the device has no double precision. Or the variant does
 *   not support the description; AUTO always finds one that does. PER_ITEM and PER_ITEM_SHUFFLED take at most 64 bins.
 *   SUB_GROUP_TAGGED needs sub-groups whose work-items run in lock step. Only GLOBAL_ATOMIC, LOCAL_ATOMIC and
 *   CPU_CHUNK take weights; the first two take weights of 8 bytes only with 64-bit atomics. The tables of counters must
 *   fit local memory, except with GLOBAL_ATOMIC, LARGE, SORT_BASED and CPU_CHUNK. */
CLPRIM_API clprim_status clprim_histogram_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_histogram_desc *desc);

/* Enqueue one histogram. Errors: see ENQUEUE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_RANGE: the call has more elements than .output allows.
 * - CLPRIM_INVALID_ARGUMENT: .row_length or .row_stride is given without .strided, .row_stride without .row_length, or
 *   .row_stride is less than row_length * channels. */
CLPRIM_API clprim_status clprim_histogram_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_histogram_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* Make a plan, run one histogram, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_histogram_run(clprim_runtime *runtime, const clprim_histogram_desc *desc,
                                              const clprim_histogram_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_histogram_operation;

#ifdef __cplusplus
}
#endif
#endif
