/* clprim/adjacent_difference.h: the difference of each element and its neighbour, or what a caller's expression makes of
 * the two, at the speed of a copy.
 *
 *     clprim_plan *plan;
 *     clprim_adjacent_difference_create(&plan, runtime,
 *                                       &(clprim_adjacent_difference_desc){.type = CLPRIM_U8, .out_type = CLPRIM_I16});
 *     clprim_adjacent_difference_enqueue(
 *         plan, queue, &(clprim_adjacent_difference_call){.in = {in}, .count = n, .out = {out}}, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * With n = count:
 *
 *     default             n outputs        out[0] = in[0],          out[i] = in[i] - in[i - 1]
 *     .right_neighbour    n outputs        out[n - 1] = in[n - 1],  out[i] = in[i] - in[i + 1]
 *     .pairs_only         n - 1 outputs    out[i] = in[i + 1] - in[i]; with .right_neighbour in[i] - in[i + 1]
 *
 * An element without a neighbour is copied, unless .pairs_only leaves it out. 0 elements have no output.
 *
 * Integers: the result is the exact difference modulo 2^bits of .out_type. With .out_type left out it wraps around: of
 * U8 1 - 2 is 255. A signed type that is wider than .type holds every difference. Floats, and integers where .out_type
 * is a float: both operands are converted to .out_type, rounded to nearest, and then subtracted. (F16 is subtracted in
 * F32, and the difference rounded.) Each NaN that is written is the quiet NaN (0x7e00, 0x7fc00000, 0x7ff8000000000000),
 * also where an element is copied. The result depends neither on the variant nor on the device, unless the device
 * flushes denormals.
 *
 * Queues, events, overlap, scratch memory, threads and failures: clprim/plan.h. Scratch memory is used only in place. */
#ifndef CLPRIM_ADJACENT_DIFFERENCE_H
#define CLPRIM_ADJACENT_DIFFERENCE_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a kernel of its own in kernels/adjacent_difference/; clprim_adjacent_difference_operation.variants describes
 * them. */
typedef enum clprim_adjacent_difference_variant {
    CLPRIM_ADJACENT_DIFFERENCE_AUTO = 0,
    CLPRIM_ADJACENT_DIFFERENCE_TILES,
    CLPRIM_ADJACENT_DIFFERENCE_CPU_CHUNK
} clprim_adjacent_difference_variant;

/* What to compute. Zeroed: in[i] - in[i - 1] of I32. */
typedef struct clprim_adjacent_difference_desc {
    clprim_type type;     /* of the elements; default I32 */
    clprim_type out_type; /* of the results; default: the type of the elements. It holds every value of .type, or is F32
                             or F64 for integers of any size; with both .combine and .pairs_only it is any type */
    /* An OpenCL C expression over the element `a` and its neighbour `b` (floats for F16), whose value is converted to
     * .out_type as C does; NULL: a - b. The text is code: never take it from someone you would not let run code on your
     * device. */
    const char *combine;
    /* The elements, instead of .in: an OpenCL C expression over the index `i` (a ulong) and .text's parameters, whose
     * value is converted to .type (F16: from a float), or is of the type .type_name. NULL: the elements of .in. It may
     * be computed twice for an element. */
    const char *input;
    clprim_text text; /* declarations in front of the expression, parameters, options; see clprim/types.h */
    const char
        *type_name;   /* OpenCL C name of a type declared in .text.source; NULL: .type. Then .combine is required, and
                              .pairs_only, too, if there is an .out_type */
    size_t type_size; /* its size on the host, in bytes, checked against the device's. 0 with a NULL type_name */
    bool right_neighbour;      /* the neighbour of in[i] is in[i + 1]; default: in[i - 1] */
    bool pairs_only;           /* leave out the element without a neighbour: count - 1 outputs */
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;          /* elements of any call; default: fewer than 2^32 */
    clprim_adjacent_difference_variant variant; /* default AUTO */
    size_t work_group_size; /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_adjacent_difference_desc;

/* One call. */
typedef struct clprim_adjacent_difference_call {
    clprim_array in;                               /* of .type; none with .input */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    clprim_array out; /* `count` results, with .pairs_only one less. It may begin exactly where `in` does, if results
                         are as large as elements */
} clprim_adjacent_difference_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `combine` are
 * named as files of those names.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_adjacent_difference_create(clprim_plan **out, clprim_runtime *runtime,
                                                           const clprim_adjacent_difference_desc *desc);

/* Enqueue the differences of buffers. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_adjacent_difference_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                            const clprim_adjacent_difference_call *call,
                                                            cl_uint num_waits, const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_adjacent_difference_run(clprim_runtime *runtime,
                                                        const clprim_adjacent_difference_desc *desc,
                                                        const clprim_adjacent_difference_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_adjacent_difference_operation;

#ifdef __cplusplus
}
#endif
#endif
