/* clprim/plan.h: what holds for every operation.
 *
 * An operation has two structs and three functions:
 *
 *     clprim_merge_desc   what to do; zeroed members are defaults
 *     clprim_merge_call   the arrays to do it with
 *     clprim_merge_create(&plan, runtime, &desc);                          compiles; do it once
 *     clprim_merge_enqueue(plan, queue, &call, 0, NULL, NULL);             enqueues; does not block
 *     clprim_merge_run(runtime, &desc, &call);                             does it all, and waits
 *
 * The functions below take the plans of all operations.
 *
 * Arrays. A clprim_array is a buffer and an offset in elements. A member that the description does not ask for (the
 * values of a sort of keys alone) stays zeroed. An array without elements may be NULL. The buffers belong to the
 * runtime's context. Outputs overlap neither inputs nor one another; where a header says that an output may be written
 * in place, it may be exactly the range of that input. Inputs that are not also outputs are never written.
 *
 * Arguments. Where a description has .parameters (clprim/types.h), .arguments of each call say what they stand for. For an
 * array: a clprim_array, whose length is its own, by default the call's count; no output overlaps it, unless the
 * operation's header says that one may be exactly where it is. For a number or a struct: .host points to it, also for
 * enqueue, which copies it before it returns.
 *
 * Elements from an expression. Where a description has .input, an OpenCL C expression over the index `i` and the
 * parameters gives the elements, and calls leave out the array that it stands for. An element may be computed more than
 * once; it must be the same each time.
 *
 * Outputs from an expression. Where a description has .output, an OpenCL C expression over what the operation computes,
 * `r`, its place, `i`, and the parameters gives what is written. It is computed only for what is written. Written in place
 * are only outputs of the size of the input's elements.
 *
 * Counts on the device. For a plan with .count_at_type, .count_at of a call is one number in device memory: how many
 * elements there are, if that is less than .count. It is read when the operation runs, not by the host: the .out_count of
 * one operation is the .count_at of the next, and nothing waits. .count is the most: arrays have so many elements, scratch
 * memory is for so many, and a greater number counts as .count. What is written is what a call with that count writes.
 *
 * Queues. `queue` is the caller's own, in-order or out-of-order, on the runtime's device and context; NULL is the
 * runtime's queue. enqueue does not block, compile, or call clFinish. It allocates device memory only where scratch
 * memory has to grow. The operation begins when the `num_waits` events of `waits` are complete. Where `done` is not
 * NULL, *done is one event that completes with the whole operation; the caller releases it. A call without elements
 * still gives an event.
 *
 * Overlapping calls. One plan may be enqueued any number of times, on any queues, before the first call is complete:
 * calls that share the plan's memory wait for each other on the device.
 *
 * Threads. A plan is used by one thread at a time. Different plans of one runtime may be used by different threads.
 *
 * Scratch memory comes from a pool of the runtime's. clprim_plan_set_scratch() supplies a buffer instead.
 *
 * Errors of enqueue: CLPRIM_INVALID_ARGUMENT (NULL, a plan of another operation, a missing or unexpected array),
 * CLPRIM_INVALID_BUFFER, CLPRIM_INVALID_RANGE (past the end of a buffer, or a count above its limit),
 * CLPRIM_INVALID_OVERLAP, CLPRIM_INVALID_SCRATCH, CLPRIM_OUT_OF_MEMORY, or OpenCL's code.
 *
 * Failures. With CLPRIM_INVALID_* or CLPRIM_UNSUPPORTED a call was refused: nothing was enqueued, no byte has changed,
 * *done is untouched, and clprim_last_error() says in a sentence which argument is wrong. With CLPRIM_OUT_OF_MEMORY or
 * a code of OpenCL's own, host or driver failed, perhaps after a part of the operation was enqueued: that part still
 * runs, and what the outputs then hold is unspecified. Plan and runtime can be used again in both cases. An operation
 * that fails on the device, or whose wait list fails, shows it in the execution status of *done; clprim/runtime.h says
 * what can be used again.
 *
 * run makes a plan, enqueues one call on the runtime's queue, and waits. It takes no wait list: work on other queues
 * that uses the call's buffers must be complete. clprim/runtime.h says what a failure leaves in the outputs. */
#ifndef CLPRIM_PLAN_H
#define CLPRIM_PLAN_H

#include <clprim/operation.h>
#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An array of a call. Zeroed: none. */
typedef struct clprim_array {
    cl_mem buffer; /* the caller owns it; it belongs to the runtime's context */
    size_t offset; /* of the first element in buffer or host, in elements; default 0 */
    void *host;    /* instead of a buffer, only for run: an array in host memory, aligned for its elements. run never
                      writes to an array that is only an input. Of an argument that is one value also for enqueue */
    /* Elements that are there from the offset on. Default: as many as the call needs; with fewer it is refused. */
    size_t length;
} clprim_array;

/* A plan of any operation. It holds a reference to its runtime, which may be destroyed before it. */
typedef struct clprim_plan clprim_plan;

/* Destroy a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_plan_destroy(clprim_plan *plan);

/* Write to *out how many bytes of scratch memory enqueuing `call` takes; 0 if none. `call` is the call struct of the
 * plan's operation; only its counts are read. A call of more elements never takes less than one of fewer, so one buffer
 * serves all calls up to a size. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL), CLPRIM_INVALID_RANGE (more elements than the plan takes, or more scratch
 * memory than size_t can express). */
CLPRIM_API clprim_status clprim_plan_scratch_size(size_t *out, const clprim_plan *plan, const void *call);

/* Use `scratch` from the next call on; NULL: the runtime's pool again. The plan keeps a reference. The buffer's content
 * is unspecified from then on. Until the plan gets other scratch memory or is destroyed, nothing else may write to the
 * buffer, not even between two calls: some variants keep state there from one call to the next. While a call is under
 * way, nothing else may read it either. A call that takes more than the buffer has is refused with
 * CLPRIM_INVALID_SCRATCH.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL plan), CLPRIM_INVALID_BUFFER, or OpenCL's code. */
CLPRIM_API clprim_status clprim_plan_set_scratch(clprim_plan *plan, cl_mem scratch);

/* The variant that the plan uses, never AUTO. The row is static. NULL for a NULL plan. */
CLPRIM_API const clprim_variant_info *clprim_plan_variant(const clprim_plan *plan);

/* The operation that the plan was made for; static. NULL for a NULL plan. */
CLPRIM_API const clprim_operation *clprim_plan_operation(const clprim_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
