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
 * Arrays. A clprim_array is a buffer, or shared virtual memory, and an offset in elements. A member that the
 * description does not ask for (the values of a sort of keys alone) stays zeroed. An array without elements may be
 * NULL. The buffers belong to the runtime's context. Outputs overlap neither inputs nor one another; where a header
 * says that an output may be written in place, it may be exactly the range of that input. Inputs that are not also
 * outputs are never written.
 *
 * Shared virtual memory (SVM, OpenCL 2.0). An array may lie in memory that host and device share: .svm is a pointer
 * that clSVMAlloc returned for the runtime's context, coarse- or fine-grained, and .offset counts elements from
 * there. enqueue and run use the memory where it lies; nothing is copied. If the device has fine-grained system SVM
 * and shares its memory with the host (clprim_device_info.has_system_svm and .is_unified_memory), .svm may be any
 * pointer.
 * - The pointer is aligned to 16 bytes and for its elements. The default alignment of clSVMAlloc is enough.
 * - Arrays of one call that lie in one allocation have the same .svm, and each its own .offset. Their ranges may
 *   overlap where ranges of one buffer may. If one pointer lies within what the call uses of another one, and the
 *   call writes to either, the call is refused with CLPRIM_INVALID_OVERLAP. The library does not notice that a
 *   .buffer or .host of the call is the same memory as an .svm: if the call writes to it, what happens is undefined.
 * - The caller keeps the memory allocated until the operation is complete. clSVMFree does not wait; clEnqueueSVMFree
 *   waits for its queue and its wait list.
 * - While the operation runs, coarse-grained memory must not be mapped. The host must not write what the operation
 *   reads, and must not access what it writes. This holds for fine-grained memory too, with or without SVM atomics.
 *   Other commands on the same memory, through the pointer or a buffer, are ordered by queues and events as usual.
 * - The operation sees what the host wrote to coarse-grained memory before a clEnqueueSVMUnmap that is complete when
 *   the operation begins, and to fine-grained memory before the operation was enqueued. Its results are visible when
 *   it is complete: to later commands, to the host in fine-grained memory, and in coarse-grained memory after a
 *   clEnqueueSVMMap that waits for the operation.
 * - Memory allocated with CL_MEM_READ_ONLY is for inputs only.
 * - Errors: CLPRIM_UNSUPPORTED (the device has no SVM), CLPRIM_INVALID_BUFFER (clSVMAlloc did not return this
 *   pointer, or it is not aligned), CLPRIM_INVALID_RANGE (the array reaches past the end of the allocation),
 *   CLPRIM_INVALID_ARGUMENT (.svm together with .buffer or .host).
 *
 * Arguments. Where a description has .parameters (clprim/types.h), .arguments of each call say what they stand for. For
 * an array: a clprim_array, whose length is its own, by default the call's count; no output overlaps it, unless the
 * operation's header says that one may be exactly where it is. For a number or a struct: .host points to it, also for
 * enqueue, which copies it before it returns.
 *
 * Elements from an expression. Where a description has .input, an OpenCL C expression over the index `i` and the
 * parameters gives the elements, and calls leave out the array that it stands for. An element may be computed more than
 * once; it must be the same each time.
 *
 * Outputs from an expression. Where a description has .output, an OpenCL C expression over what the operation computes,
 * `r`, its place, `i`, and the parameters gives what is written. It is computed only for what is written. Written in
 * place are only outputs of the size of the input's elements.
 *
 * Counts on the device. For a plan with .count_at_type, .count_at of a call is one number in device memory: how many
 * elements there are, if that is less than .count. It is read when the operation runs, not by the host: the .out_count
 * of one operation is the .count_at of the next, and nothing waits. .count is the most: arrays have so many elements,
 * scratch memory is for so many, and a greater number counts as .count. What is written is what a call with that count
 * writes.
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
 * CLPRIM_INVALID_OVERLAP, CLPRIM_INVALID_SCRATCH, CLPRIM_UNSUPPORTED (.svm on a device that has none),
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's code.
 *
 * Failures. With CLPRIM_INVALID_* or CLPRIM_UNSUPPORTED a call was refused: nothing was enqueued, no byte has changed,
 * *done is untouched, and clprim_last_error() says in a sentence which argument is wrong. With CLPRIM_OUT_OF_MEMORY or
 * a code of OpenCL's own, host or driver failed, perhaps after a part of the operation was enqueued: that part still
 * runs, and what the outputs then hold is unspecified. Plan and runtime can be used again in both cases. An operation
 * that fails on the device, or whose wait list fails, shows it in the execution status of *done; clprim/runtime.h says
 * what can be used again.
 *
 * Command buffers. clprim_plan_record() records a call into a command buffer of cl_khr_command_buffer instead of
 * enqueuing it. The commands are then replayed by clEnqueueCommandBufferKHR, as often as the caller likes.
 *
 * run makes a plan, enqueues one call on the runtime's queue, and waits. It takes no wait list: work on other queues
 * that uses the call's buffers or shared memory must be complete. clprim/runtime.h says what a failure leaves in the
 * outputs.
 *
 * run in parts. A call may need more device memory than run may use (clprim_run_limits, clprim/runtime.h), or have an
 * array on the host that is larger than a buffer may be. Then run cuts its arrays and takes them through the device
 * part by part. It also does so where parts are faster: if the device has memory of its own, all arrays are on the
 * host, at least 256 MiB go there and at least 256 MiB come back; sorts that fit stay whole. The result is that of the
 * whole call, but for the last bits of sums and products of floats, which depend on where arrays are cut; the bounds in
 * the headers hold all the same.
 * - These operations are cut by their elements: reduce, scan, histogram, select, unique, run_length_encode,
 *   reduce_by_key, top_k, is_sorted, adjacent_difference, transform, and search by its needles. A part has fewer than
 *   2^32 elements, the call any number: .max_count and .index_type are about the whole call.
 * - Arrays that have an element for each of the call's must be on the host (.host). All other arrays, which are whole
 *   on the device, must fit it together with a part: counters, the array in which search looks, k results.
 * - An argument that is an array is cut if the texts read it as name[i] alone, no text has a preprocessor directive,
 *   there are no .options, and its .length is 0 or at least the call's. Otherwise it is whole. `i` is the index in the
 *   whole array.
 * - .count_at is read before the first part.
 * - radix_sort, sort_by_key, comparison_sort and bitonic_sort of built-in types sort parts into runs in host memory,
 *   which takes as much memory as the keys and all arrays that are sorted with them (clprim_run_limits.allocate). Then
 *   they sort pieces of all runs, so that each range of the result is complete. No output is written before all runs
 *   are. The result of a stable sort is that of the whole call, bit by bit; a sort that is not stable may order equal
 *   keys differently.
 * - Not cut is what follows. If device_memory is set, or an array is larger than a buffer may be, such a call is
 *   refused with CLPRIM_UNSUPPORTED, and a sentence that says why; otherwise it is tried as a whole.
 *       merge, segmented_sort, segmented_reduce
 *       reduce, scan      .reproducible sums and products of floats, and .reproducible with .custom
 *       scan              .output; ARGMIN and ARGMAX; of segments: an initial value (unless .sees_segments), .input, a
 *                         result of another type than the elements, exclusive without an identity
 *       histogram         .output
 *       select            .partition
 *       sorts             keys from .input; .less; segments
 *       reduce_by_key     .output; ARGMIN and ARGMAX; .input with .custom
 *       top_k             .input and .then
 *   In any case refused, if they do not fit, are texts that use i beside CLPRIM_MAX_PARAMETERS parameters, and top_k
 *   where k times the number of parts is more than an eighth of a part. A call that is refused has written nothing. */
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
    size_t offset; /* of the first element in buffer, host or svm, in elements; default 0 */
    void *host;    /* instead of a buffer, only for run: an array in host memory, aligned for its elements. run never
                      writes to an array that is only an input. Of an argument that is one value also for enqueue */
    /* Elements that are there from the offset on. Default: as many as the call needs; with fewer it is refused. */
    size_t length;
    void *svm; /* instead of a buffer: a pointer that clSVMAlloc returned; see "Shared virtual memory" above */
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

/* What CL/cl_ext.h calls cl_command_buffer_khr is a pointer to this. Systems without that type have the struct alone. */
struct _cl_command_buffer_khr;

/* Record `call`, the call struct of the plan's operation, into a command buffer instead of enqueuing it. The call is
 * checked as enqueue checks it. Values of the call (counts, offsets, numbers of .arguments, the initial value) are
 * fixed from then on. What is in buffers is read at each replay, numbers at .count_at included. For memory of .svm make
 * a buffer over it that lives as long: CLPRIM_INVALID_ARGUMENT otherwise.
 *
 * The device must have cl_khr_command_buffer: clprim_device_info.has_command_buffers says so. `buffer` is a
 * cl_command_buffer_khr, still being recorded, for one queue of the runtime's device and context. The operation's
 * commands begin after the `num_waits` sync points (cl_sync_point_khr) of `waits`, and each of them waits for the one
 * before it. Where `done` is not NULL, *done is a sync point that is reached when the whole operation is done, also for
 * a call without elements. Two operations of one command buffer are ordered by sync points alone if its queue keeps no
 * order.
 *
 * A plan is recorded once. From then on it belongs to the command buffer: to enqueue or record it again, or to set its
 * scratch memory, is refused. Record a second call with a second plan. Calls that were enqueued with the plan before
 * must be complete when the first replay begins. The plan and the buffers of the call must live until the last replay
 * is complete. Each replay must be ordered after the one before it, also where the command buffer allows simultaneous
 * use: they share the plan's memory. That is either a buffer that the plan makes now and keeps until it is destroyed,
 * or what clprim_plan_set_scratch() supplied before.
 *
 * The first recording of a runtime may compile a small kernel; recording can allocate device memory. Replays do
 * neither. clprim_runtime_set_trace() and CLPRIM_TRACE do not see replayed kernels.
 *
 * Errors: as those of enqueue; CLPRIM_INVALID_ARGUMENT also where the plan was recorded before, or the command buffer
 * was finalized or is for several queues; CLPRIM_UNSUPPORTED where the device has no command buffers;
 * CLPRIM_BUILD_FAILED. With CLPRIM_INVALID_* and CLPRIM_UNSUPPORTED nothing was recorded. After any other failure the
 * command buffer may hold a part of the operation: release it without replaying it. The plan can be used again in both
 * cases. */
CLPRIM_API clprim_status clprim_plan_record(clprim_plan *plan, struct _cl_command_buffer_khr *buffer, const void *call,
                                            cl_uint num_waits, const cl_uint *waits, cl_uint *done);

/* The variant that the plan uses, never AUTO. The row is static. NULL for a NULL plan. */
CLPRIM_API const clprim_variant_info *clprim_plan_variant(const clprim_plan *plan);

/* The operation that the plan was made for; static. NULL for a NULL plan. */
CLPRIM_API const clprim_operation *clprim_plan_operation(const clprim_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
