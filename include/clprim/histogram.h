/* clprim/histogram.h: count how many elements fall into each bin, or add up a weight for each bin.
 *
 *     clprim_plan *plan;
 *     clprim_histogram_create(&plan, runtime,
 *                             &(clprim_histogram_desc){
 *                                 .type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 100, .high = 1});
 *     clprim_histogram_enqueue(plan, queue, &(clprim_histogram_call){.in = {in}, .count = n, .out = {bins}}, 0, NULL,
 *                              NULL);
 *     clprim_plan_destroy(plan);
 *
 * Elements that belong to no bin, NaNs among them, are counted separately. The result does not depend on the variant,
 * the device, or the order of the elements, except for sums of weights that are floats. With no elements all counters
 * are 0, or with .accumulate what they were.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_HISTOGRAM_H
#define CLPRIM_HISTOGRAM_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/histogram/; clprim_histogram_operation.variants describes them. */
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

/* What to count. Zeroed: bytes, by their value. */
typedef struct clprim_histogram_desc {
    clprim_type type;                 /* of the elements; default U8 */
    clprim_histogram_mapping mapping; /* which bin an element belongs to: clprim/types.h; default IDENTITY */
    size_t bins;                      /* 1 to 2^24; default 256 */
    double low, high;                 /* of EVEN: finite, low < high. For integer types integers, from -2^63 to 2^63,
                                         for U64 from 0 to 2^64; for F16 and F32 in F32's range */
    const void *boundaries; /* of BOUNDARIES: bins + 1 values, see clprim_histogram_mapping; copied by create */
    const char *bin_of;     /* of CUSTOM: an OpenCL C expression, see clprim_histogram_mapping */
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong, less than count * channels) and
     * .text's parameters, whose value is converted to .type (F16: from a float). NULL: the elements of .in. It may be
     * computed several times for an element. */
    const char *input;
    clprim_text text;         /* declarations in front of the expressions, parameters, options; see clprim/types.h */
    unsigned channels;        /* 1 to 4 interleaved channels, each with a histogram of its own; default 1 */
    unsigned active_channels; /* only the first `active_channels` are counted; default: all */
    clprim_type weights_type; /* I32 U32 F32 I64 U64 F64: add up weights; default: count. One channel only */
    clprim_type counter_type; /* of the histogram: U32 or U64; default U32, or U64 where max_count is 2^32 or
                                         more. With weights: their type */
    /* What is written, instead of the counters: an OpenCL C expression over the counter `r`, of .counter_type, its place
     * `i` in the output (a ulong: the bin; of channel c it is c * bins + the bin) and .text's parameters. Its value is
     * converted to .output_type (F16: from a float), or is of the type .output_type_name. So "r / (float)total" makes a
     * distribution. It is computed only for the counters of the whole call: a call then has at most 3 * 2^29 elements, all
     * channels together, by SORT_BASED 3 * 2^27. NULL: the counters. Not with .accumulate. */
    const char *output;
    clprim_type output_type;      /* default: the counters' */
    const char *output_type_name; /* instead: the OpenCL C name of a type declared in .text.source */
    size_t output_type_size;      /* its size on the host, in bytes, checked against the device's; else 0 */
    bool accumulate;              /* add to what the outputs hold, modulo the counter's size; default: overwrite */
    clprim_type count_at_type;    /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;             /* elements per channel of any call; default: fewer than 2^32 */
    clprim_histogram_variant variant; /* default AUTO */
    size_t work_group_size;           /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_histogram_desc;

/* One histogram. */
typedef struct clprim_histogram_call {
    clprim_array in;      /* count * channels elements of .type; none with .input */
    clprim_array weights; /* `count` of .weights_type, for a plan with weights. Sums of integers wrap around */
    /* One for each parameter of .text. An array has count * channels elements unless its .length says otherwise. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];
    clprim_array count_at;    /* for a plan with .count_at_type: elements per channel, if they are fewer than `count` */
    size_t count;             /* elements per channel */
    clprim_array out;         /* active_channels * bins counters, or what .output makes of them, channel by channel */
    clprim_array outside_out; /* how many elements belong to no bin: a U64 for each active channel; may be left out */
} clprim_histogram_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `bin_of` are
 * named as files of those names.
 * CLPRIM_UNSUPPORTED if the variant cannot do it: PER_ITEM takes up to 64 bins; SUB_GROUP_TAGGED needs sub-groups
 * whose work-items run in lock step; only GLOBAL_ATOMIC, LOCAL_ATOMIC and CPU_CHUNK take weights (the first two those
 * of 8 bytes only with 64-bit atomics); tables must fit local memory, except for GLOBAL_ATOMIC, LARGE, SORT_BASED and
 * CPU_CHUNK. AUTO always finds one.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_histogram_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_histogram_desc *desc);

/* Enqueue a histogram of buffers. Errors: see clprim/plan.h; CLPRIM_INVALID_RANGE also if counters of U32 could wrap
 * around, and with .output if the call has more elements than it may have then. */
CLPRIM_API clprim_status clprim_histogram_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_histogram_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_histogram_run(clprim_runtime *runtime, const clprim_histogram_desc *desc,
                                              const clprim_histogram_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_histogram_operation;

#ifdef __cplusplus
}
#endif
#endif
