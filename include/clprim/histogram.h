/* clprim/histogram.h: count the elements that fall into each bin, or add up a weight for each bin.
 *
 *     clprim_plan *plan;
 *     clprim_histogram_create(&plan, runtime,
 *                             &(clprim_histogram_desc){
 *                                 .type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 100, .high = 1});
 *     clprim_histogram_enqueue(plan, queue, &(clprim_histogram_call){.in = {in}, .count = n, .out = {bins}}, 0, NULL,
 *                              NULL);
 *     clprim_plan_destroy(plan);
 *
 * Elements that belong to no bin are counted separately; NaNs are among them. The result depends neither on the
 * variant, nor on the device, nor on the order of the elements, except for sums of float weights. Without elements all
 * counters are 0, or with .accumulate what they were.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Podlozhnyuk 2007, Histogram calculation in CUDA (tables in local memory); Shams and Kennedy 2007 (replicated
 * tables); Satish, Harris and Garland 2009 (SORT_BASED). */
#ifndef CLPRIM_HISTOGRAM_H
#define CLPRIM_HISTOGRAM_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each variant is a kernel of its own in kernels/histogram/; clprim_histogram_operation.variants describes them. */
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
    CLPRIM_HISTOGRAM_CPU_CHUNK
} clprim_histogram_variant;

/* What to count. Zeroed: bytes, by their value. See EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_histogram_desc {
    /* Type of the elements. Default: U8. */
    clprim_type type;

    /* Which bin an element belongs to (clprim/types.h). Default: CLPRIM_HISTOGRAM_IDENTITY. */
    clprim_histogram_mapping mapping;

    /* Number of bins of each channel, 1 to 2^24. Default: 0 (256). */
    size_t bins;

    /* For EVEN: the lower end of the first bin and the upper end of the last one. Both are finite, and low < high. For
     * integer types they are integers, from -2^63 to 2^63, for U64 from 0 to 2^64. For F16 and F32 they are in the
     * range of F32. */
    double low, high;

    /* For BOUNDARIES: bins + 1 values (clprim_histogram_mapping), which create copies. */
    const void *boundaries;

    /* For CUSTOM: an OpenCL C expression (clprim_histogram_mapping). */
    const char *bin_of;

    /* An expression for element `i`, which is less than count * channels, instead of .in. Its value is converted to
     * .type. It may be computed several times for an element. Default: NULL (the elements of .in). */
    const char *input;

    /* Declarations, parameters and compiler options for the expressions. Default: none. */
    clprim_text text;

    /* Interleaved channels, each with a histogram of its own, 1 to 4. Default: 0 (1). */
    unsigned channels;

    /* Only the first `active_channels` channels are counted. Default: 0 (all). */
    unsigned active_channels;

    /* Type of the weights, which are added up instead of counting elements: I32, U32, F32, I64, U64 or F64. With one
     * channel only. Default: 0 (count elements). */
    clprim_type weights_type;

    /* Type of the counters: U32 or U64; with weights their type. Default: U32, or U64 if max_count is 2^32 or more;
     * with weights their type. */
    clprim_type counter_type;

    /* An expression for what is written at place `i` of the output, instead of the counter `r` of .counter_type. Bin b
     * of channel c is at place c * bins + b. For example, "r / (float)total" makes a distribution. It is computed only
     * for the counters of the whole call. A call then has at most 3 * 2^29 elements in all channels together, with
     * SORT_BASED 3 * 2^27. Not with .accumulate. Default: NULL (the counter). */
    const char *output;

    /* Type that the value of .output is converted to. Default: the counters' type. */
    clprim_type output_type;

    /* Instead of .output_type: the OpenCL C name of a type that .text.source declares. Default: NULL. */
    const char *output_type_name;

    /* Size of that type on the host, in bytes. create compares it with the device's. 0 without an output_type_name. */
    size_t output_type_size;

    /* Add to what the outputs hold, modulo the counter's size. Default: false (overwrite it). */
    bool accumulate;

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
    /* count * channels elements of .type. Absent with .input. */
    clprim_array in;

    /* `count` weights of .weights_type. Sums of integers wrap around. Only with .weights_type. */
    clprim_array weights;

    /* One for each parameter of .text. An array has count * channels elements, unless its .length says otherwise. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements per channel, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements per channel. With .count_at it is the upper limit. */
    size_t count;

    /* active_channels * bins counters, channel by channel: of .counter_type, or what .output makes of them. */
    clprim_array out;

    /* How many elements belong to no bin: one U64 for each active channel. Optional. */
    clprim_array outside_out;
} clprim_histogram_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_INVALID_ARGUMENT, also if max_count is 2^32 or more and counters are U32.
 * - CLPRIM_UNSUPPORTED, also for F64 elements or weights on a device without double precision, and if the variant
 *   cannot do it; AUTO always finds one that can. PER_ITEM and PER_ITEM_SHUFFLED take up to 64 bins. SUB_GROUP_TAGGED
 *   needs sub-groups whose work-items run in lock step. REPLICATED needs 64-bit atomics. Only GLOBAL_ATOMIC,
 *   LOCAL_ATOMIC and CPU_CHUNK take weights, the first two weights of 8 bytes only with 64-bit atomics. Tables of
 *   counters must fit local memory, except with GLOBAL_ATOMIC, LARGE, SORT_BASED and CPU_CHUNK.
 * - CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_histogram_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_histogram_desc *desc);

/* Enqueue one histogram. Errors: see clprim/plan.h. CLPRIM_INVALID_RANGE also if counters of U32 could wrap around, or
 * if the call has more elements than .output allows. */
CLPRIM_API clprim_status clprim_histogram_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_histogram_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* Make a plan, run one histogram, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_histogram_run(clprim_runtime *runtime, const clprim_histogram_desc *desc,
                                              const clprim_histogram_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_histogram_operation;

#ifdef __cplusplus
}
#endif
#endif
