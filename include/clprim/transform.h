/* clprim/transform.h: one or several arrays, each from an expression: what a loop over i would compute, in one launch.
 *
 *     static const clprim_transform_desc axpy = {
 *         .expressions = {"a * x[i] + y[i]"}, .types = {CLPRIM_F32},
 *         .text.parameters = {{"a", CLPRIM_F32}, {"x", CLPRIM_F32, .is_array = true}, {"y", CLPRIM_F32, .is_array = true}},
 *     };
 *     clprim_plan *plan;
 *     clprim_transform_create(&plan, runtime, &axpy);
 *     clprim_transform_enqueue(plan, queue,
 *                              &(clprim_transform_call){
 *                                  .arguments = {{.host = &a}, {x}, {y}}, .count = n, .out = {{y}}},
 *                              0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * out[k][i] = expressions[k] for each i from 0 to count - 1. Expressions are OpenCL C over `i` (a ulong) and the
 * parameters. Their values are converted to the outputs' types as C does (to F16 from a float).
 *
 * The value of a parameter that is a number comes from its argument's .host while enqueue runs. An argument that is an
 * array has .length elements, by default `count`; a text must read none beyond them: nobody checks that.
 *
 * The text is code: never take it from someone you would not let run code on your device.
 *
 * Queues, events, overlap, threads and failures: clprim/plan.h. No scratch memory is used. */
#ifndef CLPRIM_TRANSFORM_H
#define CLPRIM_TRANSFORM_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Outputs of one call, at most. */
enum { CLPRIM_TRANSFORM_MAX_OUTPUTS = 8 };

/* Each is a kernel of its own in kernels/transform/; clprim_transform_operation.variants describes them. */
typedef enum clprim_transform_variant {
    CLPRIM_TRANSFORM_AUTO = 0,
    CLPRIM_TRANSFORM_TILES,
    CLPRIM_TRANSFORM_CPU_CHUNK
} clprim_transform_variant;

/* What to compute. Zeroed: the numbers from 0 on, as I32. */
typedef struct clprim_transform_desc {
    /* One for each output, from the first on. [0] NULL: "i", without parameters. */
    const char *expressions[CLPRIM_TRANSFORM_MAX_OUTPUTS];
    clprim_type types[CLPRIM_TRANSFORM_MAX_OUTPUTS]; /* of the outputs; default I32 */
    const char
        *type_names[CLPRIM_TRANSFORM_MAX_OUTPUTS];   /* instead: OpenCL C names of types declared in .text.source */
    size_t type_sizes[CLPRIM_TRANSFORM_MAX_OUTPUTS]; /* their sizes on the host, in bytes; else 0 */
    clprim_text text;          /* declarations in front of the expressions, parameters, options; see clprim/types.h */
    clprim_type count_at_type; /* of the calls' .count_at: U32 or U64; default: calls have none. See clprim/plan.h */
    size_t max_count;          /* elements of any call; default: fewer than 2^32 */
    clprim_transform_variant variant; /* default AUTO */
    size_t work_group_size;           /* default: tuned. Otherwise a power of two, adapted to what the device can do */
} clprim_transform_desc;

/* One call. */
typedef struct clprim_transform_call {
    clprim_array arguments[CLPRIM_MAX_PARAMETERS]; /* one for each parameter of .text */
    clprim_array count_at; /* for a plan with .count_at_type: the number of elements, if it is less than `count` */
    size_t count;
    /* One for each expression, of `count` elements each. One may be exactly where an argument is, if all expressions read
     * that argument at i alone. */
    clprim_array out[CLPRIM_TRANSFORM_MAX_OUTPUTS];
} clprim_transform_call;

/* Make a plan. desc NULL: zeroed. On failure *out is untouched.
 * A mistake in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which the source and the expressions
 * are named as files: source, expressions_0.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_transform_create(clprim_plan **out, clprim_runtime *runtime,
                                                 const clprim_transform_desc *desc);

/* Enqueue a call. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_transform_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                  const clprim_transform_call *call, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done);

/* The same for arrays on the host, buffers, or both: make a plan, copy what must be copied, and wait for the result.
 * runtime NULL: clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_transform_run(clprim_runtime *runtime, const clprim_transform_desc *desc,
                                              const clprim_transform_call *call);

/* All of the above as data: clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_transform_operation;

#ifdef __cplusplus
}
#endif
#endif
