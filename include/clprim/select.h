/* clprim/select.h: keep the elements that satisfy a predicate (stream compaction), or put them before the others
 * (partition).
 *
 *     clprim_plan *plan;
 *     clprim_select_create(&plan, runtime, &(clprim_select_desc){.type = CLPRIM_F32, .predicate = "x > 0.5f"});
 *     clprim_select_enqueue(plan, queue,
 *                           &(clprim_select_call){.in = {in}, .count = n, .out = {out}, .out_count = {selected}}, 0,
 *                           NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The order of the elements is kept. How many were selected is written on the device: 0 if there are no elements.
 * Elements are copied bit for bit, unless .output says what is stored for them.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. */
#ifndef CLPRIM_SELECT_H
#define CLPRIM_SELECT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/select/; clprim_select_operation.variants describes them. */
typedef enum clprim_select_variant {
    CLPRIM_SELECT_AUTO = 0,
    CLPRIM_SELECT_COUNT_THEN_MOVE,
    CLPRIM_SELECT_CPU_CHUNK,
    CLPRIM_SELECT_LOOK_BACK
} clprim_select_variant;

/* What to select. Zeroed: I32 by flags of U8. */
typedef struct clprim_select_desc {
    clprim_type type; /* of the elements; default I32 */
    /* The predicate: an OpenCL C expression over the element `x` (a float for F16) and its index `i` (a ulong, counted
     * from the first element of the call); the element is selected if it is not 0. NULL: by flags. The text is code:
     * never take it from someone you would not let run code on your device. */
    const char *predicate;
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the type .type_name. So "i" selects indices. NULL: the
     * elements of .in. It may be computed twice for an element. */
    const char *input;
    /* What is stored for each selected element, instead of it: an OpenCL C expression over the element `r` (a float for
     * F16), its place `i` in the input (a ulong, counted from the first element of the call) and .text's parameters. Its
     * value is converted to .output_type (F16: from a float), or is of the type .output_type_name. So "i" stores the
     * indices of selected elements, and "r.key" one member of each. It is computed only for elements that are stored: the
     * selected ones, with .partition all. NULL: the element. */
    const char *output;
    clprim_type output_type;      /* default: the elements' */
    const char *output_type_name; /* instead: the OpenCL C name of a type declared in .text.source */
    size_t output_type_size;      /* its size on the host, in bytes, checked against the device's; else 0 */
    clprim_text text;       /* declarations in front of the expressions, parameters, options; see clprim/types.h */
    const char *type_name;  /* OpenCL C name of a type declared in .text.source; NULL: .type */
    size_t type_size;       /* its size on the host, in bytes, checked against the device's. 0 with a NULL type_name */
    clprim_type flags_type; /* of the flags; default U8. A flag is set if it is not equal to 0: -0.0 is not set, NaNs
                               and denormals are */
    bool partition;         /* the elements that were not selected follow the others, in their order */
    bool
        reversed_rest; /* with .partition: they follow in reverse order, so that LOOK_BACK can partition, in one pass */
    clprim_type index_type;    /* of out_count: U32 (default) or U64 (required if max_count >= 2^32) */
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;          /* elements of any call; default: fewer than 2^32 */
    clprim_select_variant variant; /* default AUTO */
    size_t work_group_size;        /* default: tuned. Otherwise a power of two, adapted to what the device can do */
    size_t items_per_work_item;    /* elements per work-item, for COUNT_THEN_MOVE and LOOK_BACK; default: tuned */
} clprim_select_desc;

/* One selection. */
typedef struct clprim_select_call {
    clprim_array in;    /* of .type; none with .input */
    clprim_array flags; /* of .flags_type: one for each element, for a plan without a predicate */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    /* Of .type, or of .output's type: room for `count`; those behind the selected ones are untouched, unless .partition is
     * set. */
    clprim_array out;
    clprim_array out_count; /* one number of .index_type: how many were selected */
} clprim_select_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `predicate`
 * are named as files of those names.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_select_create(clprim_plan **out, clprim_runtime *runtime,
                                              const clprim_select_desc *desc);

/* Enqueue a selection of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_select_enqueue(clprim_plan *plan, cl_command_queue queue,
                                               const clprim_select_call *call, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_select_run(clprim_runtime *runtime, const clprim_select_desc *desc,
                                           const clprim_select_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_select_operation;

#ifdef __cplusplus
}
#endif
#endif
