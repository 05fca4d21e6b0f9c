// SPDX-License-Identifier: MIT
/* clprim/plan.h: the rules that all operations share, and the functions that take any plan.
 *
 * Every operation has two structs and three functions. For merge they are:
 *
 *     clprim_merge_desc   what to do; a zeroed member means its default
 *     clprim_merge_call   the arrays to do it with
 *
 *     clprim_merge_create(&plan, runtime, &desc);                 compile the kernels; do this once
 *     clprim_merge_enqueue(plan, queue, &call, 0, NULL, NULL);    enqueue one call; does not block
 *     clprim_merge_run(runtime, &desc, &call);                    do all of it, and wait
 *
 * CREATE
 *
 * create checks the description, chooses a variant, and compiles its kernels. It copies what the description points to.
 * A NULL description means a zeroed one (top_k and segmented_top_k take no NULL: they need .k). On failure *out is
 * untouched. The caller destroys the plan with clprim_plan_destroy(). Errors:
 * - CLPRIM_INVALID_ARGUMENT: `out` or `runtime` is NULL, a value is unknown, or two members contradict each other.
 * - CLPRIM_INVALID_OPERATOR: the operator is not defined for the type.
 * - CLPRIM_UNSUPPORTED: the device lacks what the type or the variant needs.
 * - CLPRIM_BUILD_FAILED: a text does not compile, or is not complete (EXPRESSIONS below). clprim_last_error() returns
 *   the compiler's log or a sentence. There, each text is a file with the name of its member, such as `source` or
 *   `input`, or `then_1` for the second of several. Positions are lines and columns of the text: `input:1:7`.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code.
 *
 * ENQUEUE
 *
 * `queue` is an in-order or out-of-order queue of the runtime's device and context. NULL means the runtime's own queue.
 * enqueue does not block, compile, or call clFinish. It allocates device memory only if scratch memory must grow, and
 * with the variant `native` also for a table of addresses. The operation begins when the `num_waits` events of `waits`
 * are complete. If `done` is not NULL, *done receives an event that completes with the whole operation, even if the call
 * has no elements. The caller releases the event. The variant `native` enqueues functions of this library: do not unload
 * the library before they are complete. Errors:
 * - CLPRIM_INVALID_ARGUMENT: `plan` or `call` is NULL, the plan belongs to another operation, or an array is missing or
 *   not expected.
 * - CLPRIM_INVALID_BUFFER: a .buffer is no buffer, belongs to another context, or was created without the access that
 *   the call needs.
 * - CLPRIM_INVALID_RANGE: an array reaches past the end of its buffer, or a count is above its limit.
 * - CLPRIM_INVALID_OVERLAP: an output overlaps another array where it must not.
 * - CLPRIM_INVALID_SCRATCH: the buffer of clprim_plan_set_scratch() is too small for the call.
 * - CLPRIM_UNSUPPORTED: .svm on a device that has no shared virtual memory.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code.
 *
 * RUN
 *
 * run makes a plan, enqueues one call on the runtime's queue, and waits. Arrays may be on the host (.host): run copies
 * them to the device and back. A NULL runtime means clprim_runtime_default(). run takes no wait list: other work on the
 * call's buffers or shared memory must be complete before. Errors: those of create and enqueue, and CLPRIM_STOPPED
 * (clprim_run_limits). clprim/runtime.h says what a failure leaves in the outputs.
 *
 * On a CPU device, AUTO takes the variant `native` in run for up to 2^16 elements if all arrays are on the host, there is
 * such code for the description, and clprim_run_limits.device_memory is 0. Then, or if `native` is asked for, run computes
 * in the calling thread, for long arrays also in threads that it starts and joins. It works directly on the caller's
 * arrays: it uses no queue, copies nothing, and is never cut into pieces, so it makes no progress calls. It takes 3 to 4 us
 * longer than a plain loop for up to 2^14 elements (PoCL 3.1, an Intel Xeon).
 *
 * With kernels, run needs 50 to 100 us before any work is done (PoCL 3.1, two cores). A plain loop or std:: is then faster
 * for sorts of fewer than 2^12 elements, sums and histograms of fewer than 2^17, top_k of fewer than 2^20, and scans of
 * fewer than 2^22.
 *
 * FAILURES
 *
 * CLPRIM_INVALID_* and CLPRIM_UNSUPPORTED mean that the call was refused. Nothing was enqueued, no byte has changed,
 * and *done is untouched. clprim_last_error() returns a sentence that names the wrong argument.
 *
 * CLPRIM_OUT_OF_MEMORY and OpenCL's own codes mean that the host or the driver failed, perhaps after a part of the
 * operation was enqueued. That part still runs, and the outputs are then unspecified.
 *
 * In both cases the plan and the runtime can be used again. If an operation fails on the device, or an event of its
 * wait list fails, the execution status of *done shows it; clprim/runtime.h says how to go on.
 *
 * ARRAYS
 *
 * A clprim_array is a buffer or shared virtual memory, and an offset in elements.
 * - Buffers belong to the runtime's context.
 * - Arrays that the description does not ask for must be zeroed, such as .values_in of a sort without values.
 * - An array without elements may be zeroed, too.
 * - Outputs must overlap neither inputs nor other outputs. Exception: an output that "may be in place of" an input may
 *   be exactly that input, with the same beginning and the same elements. Both enqueue and run refuse other calls with
 *   CLPRIM_INVALID_OVERLAP, wherever the arrays are. They cannot notice that two buffers share memory, or that a buffer
 *   shares memory with a .host or an .svm.
 * - No operation writes to an input, unless that input is also an output.
 *
 * SHARED VIRTUAL MEMORY
 *
 * An array may lie in shared virtual memory (SVM, OpenCL 2.0), which host and device access through the same pointer.
 * .svm is then a pointer that clSVMAlloc returned for the runtime's context, coarse-grained or fine-grained. .offset
 * counts elements from there. enqueue and run use the memory directly and copy nothing. If the device has fine-grained
 * system SVM and shares its memory with the host (clprim_device_info.has_system_svm and .is_unified_memory), .svm may
 * be any pointer.
 * - Alignment: .svm must be aligned to 16 bytes and to its elements. The default alignment of clSVMAlloc is enough.
 * - Overlap: arrays of one call that lie in one allocation have the same .svm and an .offset each. Their ranges may
 *   overlap where ranges of one buffer may. A call is refused with CLPRIM_INVALID_OVERLAP if one .svm points into the
 *   memory that the call uses from another .svm on, and the call writes to either of them. The library does not notice
 *   if a .buffer of the call is the same memory as an .svm. If the call writes to such memory, the behaviour is
 *   undefined.
 * - Lifetime: the caller keeps the memory allocated until the operation is complete. clSVMFree does not wait;
 *   clEnqueueSVMFree waits for its queue and its wait list.
 * - Access: while the operation runs, coarse-grained memory must not be mapped. The host must not write to memory that
 *   the operation reads, and must not access memory that it writes. This holds for fine-grained memory, too, with or
 *   without SVM atomics. Queues and events order other commands on the same memory as usual, whether they use the
 *   pointer or a buffer.
 * - Visibility of inputs: in coarse-grained memory the operation sees what the host wrote before a clEnqueueSVMUnmap
 *   that is complete when the operation begins. In fine-grained memory it sees what the host wrote before enqueue.
 * - Visibility of outputs: when the operation is complete, later commands see its results. In fine-grained memory
 *   the host sees them, too. In coarse-grained memory the host sees them after a clEnqueueSVMMap that waits for
 *   the operation.
 * - Memory allocated with CL_MEM_READ_ONLY is for inputs only.
 * - Errors: CLPRIM_UNSUPPORTED (the device has no SVM), CLPRIM_INVALID_BUFFER (clSVMAlloc did not return this pointer,
 *   or it is not aligned), CLPRIM_INVALID_RANGE (the array reaches past the end of the allocation),
 *   CLPRIM_INVALID_ARGUMENT (.svm together with .buffer or .host).
 *
 * MEMBERS OF MOST DESCRIPTIONS
 *
 * - .variant: the implementation. AUTO lets the library choose one that supports the description. The result does not
 *   depend on the variant, except where a header says so.
 * - .max_count: the largest count of any call. If it is 2^32 or more, operations that write indices or counts require
 *   an .index_type of U64.
 * - .work_group_size: work-items per work-group (in CUDA: threads per block), a power of two. The plan adapts it to the
 *   device and the variant.
 * - .items_per_work_item: elements per work-item. Only the variants that the operation's header names use it.
 * - .type_name and .type_size: the caller's own element type, instead of .type. .type_name is its OpenCL C
 *   name, which .text.source declares. .type_size is its size on the host. If the device's size differs, create fails
 *   with CLPRIM_BUILD_FAILED.
 *
 * EXPRESSIONS
 *
 * Texts in a description are OpenCL C. They are compiled into the kernels. A text is code: never take it from someone
 * you would not let run code on your device. .text (clprim_text, clprim/types.h) holds what all texts of a description
 * share: declarations, parameters, compiler options. Every expression may use the parameters and its own operands.
 *
 * Each text must be complete in itself. It closes its own brackets, comments, strings and #if lines, and none that it
 * has not opened. An expression is not blank, and has no `;` outside of brackets. The name of a type consists of words.
 * create refuses a blank expression and other names with CLPRIM_INVALID_ARGUMENT, and everything else with
 * CLPRIM_BUILD_FAILED. In an expression, brackets in macros do not count. In .source, only the compiler can tell if
 * macros, branches of an #if or an #include open or close brackets.
 *
 * .input replaces an input array. It is an expression for element `i` (a ulong, from 0 on). Calls leave out the array
 * that it replaces. An element may be computed more than once; it must be the same each time. The value is converted to
 * the element type as an assignment in C would. For F16 it is converted to float, and then rounded to half. If the
 * element type is the caller's own, the value must have that type.
 *
 * .output replaces what is written. It is an expression over the result `r` (F16: a float) and its index `i` (a ulong).
 * The value is converted to .output_type (F16: from a float). If .output_type_name is given, the value must have that
 * type, and .output_type_size is the type's size on the host. .output is computed only for what is written. The output
 * may be in place only if its elements have the same size as the input's.
 *
 * .arguments of each call are the values of .text.parameters, in the same order. Each call may have new values; they
 * need no compilation.
 * - An array is a clprim_array. .length is the number of its elements, by default the call's count (histogram:
 *   count * channels; merge, set_operation: a_count + b_count; search: needle_count). Texts must not read past it.
 *   The library checks only that an array is not shorter than its default if .input, .then, .predicate or .expressions
 *   reads it as name[i] or vload_half(i, name), without a condition (?:, && or ||) and without macros. A shorter one is
 *   refused with CLPRIM_INVALID_RANGE. Outputs must not overlap it, unless the operation's header says that an output
 *   may be in place of an argument. For that, all texts must read the argument only at index i: as name[i], or F16 as
 *   vload_half(i, name). Macros that contain its name or `i`, that take an address (&) or paste words together (##), an
 *   #include, and statements in an expression leave that in doubt. In doubt, enqueue and run refuse the call with
 *   CLPRIM_INVALID_OVERLAP.
 * - A number or a struct is on the host: .host points to it, in calls of enqueue, too. enqueue copies it.
 *
 * COUNTS ON THE DEVICE
 *
 * If a description sets .count_at_type, each call has .count_at: one number of this type in device memory, the actual
 * number of elements. The operation reads it when it runs. So the .out_count of one operation can be the .count_at of
 * the next, and the host does not wait in between. .count is the upper limit: arrays have .count elements, scratch
 * memory is for .count elements, and a larger number at .count_at counts as .count. The call writes what a call with
 * the actual count would write.
 *
 * These operations have no .count_at_type:
 * - segmented_sort, segmented_reduce, segmented_top_k and batched_copy: their offsets are on the device already. If only
 *   the device knows how many segments there are, fill the array of offsets with `count` before an operation writes
 *   there those that exist. The segments after them are then empty (docs/guides/expressions.md).
 * - bitonic_sort: the host enqueues as many steps as the count needs. comparison_sort takes a count on the device.
 * - shuffle: the host derives the permutation from the count.
 *
 * PLANS, THREADS AND SCRATCH MEMORY
 *
 * A plan may be enqueued any number of times, on any queues, before the first call is complete. Calls that share memory
 * of the plan wait for each other on the device.
 *
 * Only one thread at a time may use a plan. Several threads may use different plans of one runtime at the same time.
 *
 * Scratch memory comes from a pool that the runtime keeps. clprim_plan_set_scratch() supplies a buffer instead.
 *
 * clprim_plan_record() records a call into a command buffer (cl_khr_command_buffer) instead of enqueuing it.
 * clEnqueueCommandBufferKHR then replays the commands as often as the caller likes.
 *
 * RUN IN PIECES
 *
 * run cuts a call into pieces, which go through the device one after the other
 * - if the call needs more device memory than run may use (clprim_run_limits, clprim/runtime.h);
 * - if an array on the host is larger than a buffer may be;
 * - or if that is faster: the device has memory of its own, all arrays are on the host, at least 256 MiB go to the
 *   device, and at least 256 MiB come back. Sorts that fit are not cut.
 *
 * The result is that of the whole call, except for the last bits of float SUM and PROD. These depend on where the
 * arrays are cut. The bounds in the headers still hold, but each piece rounds a sum of floats once more.
 *
 * These operations are cut by their elements: reduce, scan, histogram, select, unique, run_length_encode,
 * reduce_by_key, top_k, find, is_sorted, adjacent_difference, transform, and search by its needles.
 * - A piece has fewer than 2^32 elements; the call may have any number. .max_count and .index_type are about the
 *   whole call.
 * - Arrays with an element for each element of the call must be on the host (.host). All other arrays must fit the
 *   device as a whole, together with a piece. Examples are counters, the array that search looks in, and the k results
 *   of top_k.
 * - An argument that is an array is cut on two conditions: the texts read it only at index i (EXPRESSIONS above), and
 *   its .length is 0 or at least the call's count. Otherwise it must fit as a whole. In texts, `i` is the index in the
 *   whole array.
 * - The host reads .count_at before the first piece.
 *
 * radix_sort, sort_by_key, comparison_sort and bitonic_sort of built-in types are cut in another way. First, run sorts
 * each piece, and keeps the sorted pieces in host memory (clprim_run_limits.allocate). They take as much memory as the
 * keys and all arrays that are sorted with them. Then it sorts each range of the result, from slices of all sorted
 * pieces. It writes no output before all pieces are sorted. The result of a stable sort is that of the whole
 * call, bit for bit. A sort that is not stable may order equal keys differently.
 *
 * merge and set_operation of built-in types are cut where their merged order is: keys must be on the host, which finds the
 * elements of both arrays that belong to a piece.
 *
 * segmented_reduce is cut between segments: elements and offsets must be on the host, and each segment must fit.
 *
 * nth_element counts the digits of the keys, which must be on the host, piece by piece. Each digit takes another pass over
 * all of them: two for one rank among 32-bit keys.
 *
 * The following cannot be cut:
 *
 *     segmented_sort, segmented_top_k, batched_copy, shuffle
 *     reduce, scan     .reproducible sums and products of floats; .reproducible with .custom
 *     scan             .output; ARGMIN and ARGMAX; segments by offsets
 *     scan             segments by flag or by key together with an initial value (unless .sees_segments),
 *                      with .input, with results of another type than the elements, or with .exclusive and no identity
 *     histogram        .output; .cumulative; .strided
 *     transform        .out_index
 *     run_length_encode .min_length of 2 or more; .equal
 *     nth_element      .input
 *     segmented_reduce .input; .output
 *     sorts            keys from .input; keys of U128; .less; segments
 *     merge, set_operation   keys of U128; .less; .count_at_type
 *     search           .found_only
 *     reduce_by_key    .output; .equal; ARGMIN and ARGMAX; .input with .custom
 *     top_k            .input; .then
 *
 * If such a call does not fit, and .device_memory of clprim_run_limits is set or an array is larger than a buffer may
 * be, run refuses it with CLPRIM_UNSUPPORTED. Otherwise run tries it as a whole.
 *
 * Two kinds of calls are always refused if they do not fit: calls whose texts use `i` other than in name[i] while all
 * CLPRIM_MAX_PARAMETERS parameters are taken, and top_k if k times the number of pieces is more than an eighth of a
 * piece. A refused call has written nothing. */
#ifndef CLPRIM_PLAN_H
#define CLPRIM_PLAN_H

#include <clprim/operation.h>
#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An array of a call. Zeroed: no array. */
typedef struct clprim_array {
    /* A buffer of the runtime's context. The caller owns it. Default: NULL. */
    cl_mem buffer;

    /* Where the array begins in .buffer, .host or .svm, in elements. Default: 0. */
    size_t offset;

    /* Instead of a buffer: an array in host memory, aligned for its elements. Only run takes it, with one exception:
     * enqueue takes it for an argument that is one number or struct. Default: NULL. */
    void *host;

    /* Number of elements from .offset on. A call that needs more is refused with CLPRIM_INVALID_RANGE, except for
     * outputs whose header says that they may be shorter. Default: 0 (as many as the call needs). */
    size_t length;

    /* Instead of a buffer: a pointer that clSVMAlloc returned. See SHARED VIRTUAL MEMORY above. Default: NULL. */
    void *svm;
} clprim_array;

/* A plan of any operation. It holds a reference to its runtime, so the runtime may be destroyed first. */
typedef struct clprim_plan clprim_plan;

/* Destroy a plan. Work that it has enqueued still completes. NULL is allowed. */
CLPRIM_API void clprim_plan_destroy(clprim_plan *plan);

/* Write the size of the scratch memory that a call takes to *out, in bytes; 0 if it takes none. `call` is the call
 * struct of the plan's operation; only its counts are read. A call with more elements never takes less than one with
 * fewer, so the size for the largest call is enough for all. On failure *out is untouched.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (an argument is NULL), CLPRIM_INVALID_RANGE (more elements than .max_count, or more
 * bytes than size_t can express). */
CLPRIM_API clprim_status clprim_plan_scratch_size(size_t *out, const clprim_plan *plan, const void *call);

/* Use the buffer `scratch` as scratch memory from the next call on. NULL returns to the runtime's pool. The plan keeps
 * a reference to the buffer. From then on, its content is unspecified.
 *
 * Nothing else may write to the buffer until the plan gets other scratch memory or is destroyed, not even between two
 * calls: some variants keep state there from one call to the next. While a call runs, nothing else may read it either.
 * A call that needs a larger buffer is refused with CLPRIM_INVALID_SCRATCH.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (the plan is NULL, or was recorded), CLPRIM_INVALID_BUFFER, or OpenCL's code. */
CLPRIM_API clprim_status clprim_plan_set_scratch(clprim_plan *plan, cl_mem scratch);

/* CL/cl_ext.h declares cl_command_buffer_khr as a pointer to this struct. Older versions of it lack the type. */
struct _cl_command_buffer_khr;

/* Record a call into a command buffer instead of enqueuing it. `call` is the call struct of the plan's operation. It is
 * checked like a call of enqueue.
 *
 * The device must have cl_khr_command_buffer (clprim_device_info.has_command_buffers). `buffer` is a
 * cl_command_buffer_khr that is not finalized yet, for one queue of the runtime's device and context. The operation
 * begins after the `num_waits` sync points (cl_sync_point_khr) of `waits`. Its commands run one after the other. If
 * `done` is not NULL, *done receives a sync point that is reached when the whole operation is complete, even if the
 * call has no elements. If the command buffer's queue is out-of-order, only sync points order two operations of one
 * command buffer.
 *
 * A recording fixes the counts, offsets, numbers in .arguments, and the initial value of the description. Each replay
 * reads the current content of buffers, including .count_at and .initial_at. An .svm is refused with
 * CLPRIM_INVALID_ARGUMENT: make a buffer over the memory instead, and keep it as long as the command buffer.
 *
 * A plan is recorded once. From then on it belongs to the command buffer: enqueuing it, recording it again and setting
 * its scratch memory are refused. Record a second call with a second plan.
 * - Earlier calls of the plan must be complete when the first replay begins.
 * - The plan and the buffers of the call must live until the last replay is complete.
 * - Each replay must be ordered after the one before it, even if the command buffer allows simultaneous use, because
 *   replays share the plan's scratch memory. That is the buffer that clprim_plan_set_scratch() supplied before, or a
 *   new one that the plan keeps until it is destroyed.
 *
 * The first recording of a runtime may compile a small kernel, and each recording may allocate device memory. Replays
 * do neither. A plan of the variant `native` compiles kernels when it is recorded, and uses the variant of these kernels
 * from then on.
 * clprim_runtime_set_trace() and CLPRIM_TRACE do not see the kernels of replays.
 *
 * Errors: those of enqueue; CLPRIM_INVALID_ARGUMENT also if the plan was recorded before, or if the command buffer is
 * finalized or has several queues; CLPRIM_UNSUPPORTED if the device has no command buffers; CLPRIM_BUILD_FAILED. After
 * CLPRIM_INVALID_* and CLPRIM_UNSUPPORTED nothing was recorded. After any other failure the command buffer may hold a
 * part of the operation: release it without replaying it. The plan can be used again in both cases. */
CLPRIM_API clprim_status clprim_plan_record(clprim_plan *plan, struct _cl_command_buffer_khr *buffer, const void *call,
                                            cl_uint num_waits, const cl_uint *waits, cl_uint *done);

/* The variant that the plan uses, never AUTO. The row is static. NULL if the plan is NULL. */
CLPRIM_API const clprim_variant_info *clprim_plan_variant(const clprim_plan *plan);

/* The table of the operation that the plan belongs to. It is static. NULL if the plan is NULL. */
CLPRIM_API const clprim_operation *clprim_plan_operation(const clprim_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
