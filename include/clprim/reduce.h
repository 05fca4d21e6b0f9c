/* clprim/reduce.h: fold an array to one value with an associative operator.
 *
 *     clprim_reduce *plan;
 *     clprim_reduce_desc desc = {.type = CLPRIM_F32, .op = CLPRIM_MAX};
 *     clprim_reduce_create(&plan, runtime, &desc);                              // compiles, or loads from the cache
 *     clprim_reduce_enqueue(plan, queue, in, 0, count, out, 0, 0, NULL, NULL);  // neither compiles nor waits
 *     clprim_reduce_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_reduce_host().
 *
 * What is guaranteed:
 * - Integer results, and MIN, MAX, ARGMIN, ARGMAX of every type, are the same bits with every variant and device.
 * - MIN, MAX, ARGMIN and ARGMAX of floats follow clPRIM's one total order. The NaN that x86 computes comes first in it:
 *   MAX passes over it. With .nan_order CLPRIM_NAN_LAST NaNs are propagated (clprim/types.h).
 * - Float SUM and PROD depend in their last bits on the order of operations, hence on variant, device and count; a
 *   variant and count give the same bits again on one device. With .reproducible they are the same bits on every
 *   device that keeps denormals and rounds to nearest.
 *   For any variant |computed - exact| <= (count - 1) * u * sum of |x|, u the unit roundoff (2^-24 for F32); the
 *   variants AUTO picks are far better, since they add in trees. Where .accumulator_type rounds integers, x are the
 *   rounded ones, and exact is their sum.
 * - count == 0 gives the operator's identity. Counts may exceed 2^32. */
#ifndef CLPRIM_REDUCE_H
#define CLPRIM_REDUCE_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_reduce clprim_reduce;

/* Each is a kernel of its own in kernels/reduce/. The first five and MASTER and TREE are the course's optimisation
 * ladder; clprim_reduce_variants() describes them all. */
typedef enum clprim_reduce_variant {
    CLPRIM_REDUCE_AUTO = 0,
    CLPRIM_REDUCE_INTERLEAVED,
    CLPRIM_REDUCE_STRIDED,
    CLPRIM_REDUCE_SEQUENTIAL,
    CLPRIM_REDUCE_FIRST_ADD,
    CLPRIM_REDUCE_UNROLLED,
    CLPRIM_REDUCE_MASTER,
    CLPRIM_REDUCE_TREE,
    CLPRIM_REDUCE_CPU_CHUNK,
    CLPRIM_REDUCE_SINGLE_PASS,
    CLPRIM_REDUCE_FIXED_TREE
} clprim_reduce_variant;

/* What to reduce. Zeroed: the sum of I32, by the variant that is best on the device. */
typedef struct clprim_reduce_desc {
    clprim_type type; /* of the input; default I32 */
    clprim_op op;     /* ignored where .custom is given */
    /* Type of the running value and of the result; default: .type. For SUM and PROD only. It holds every value of .type
     * exactly: a wider integer for an integer (I64 for U8, not U16 for I16), F32 or F64 for small ones. F32 and F64 are
     * also allowed for integers that they do not hold: each element is then converted first, to nearest, ties to even,
     * on every device. F32 thus rounds integers above 2^24 before it adds them, F64 those above 2^53. */
    clprim_type accumulator_type;
    const clprim_custom_op *custom; /* the caller's own operator; NULL: .op */
    clprim_nan_order nan_order;     /* whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs, see clprim/types.h; not with
                                       .custom */
    clprim_reduce_variant variant;  /* default AUTO */
    bool reproducible;              /* the same bits on every device; AUTO then takes FIXED_TREE */
    size_t work_group_size;         /* 0: tuned. Else a power of two, fitted to what device and variant can do */
    size_t items_per_work_item;     /* 0: tuned. For MASTER, TREE and SINGLE_PASS: elements each work-item takes */
} clprim_reduce_desc;

/* Make a plan: check the description, pick the variant, compile its kernel. desc may be NULL (see above). The plan
 * holds a reference to the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 *         CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_reduce_create(clprim_reduce **out, clprim_runtime *runtime,
                                              const clprim_reduce_desc *desc);

/* Enqueue out[out_offset] = in[in_offset] OP ... OP in[in_offset + count - 1].
 * Units:  count and in_offset in elements of .type; out_offset in elements of the result: the accumulator's type, or
 *         clprim_indexed for ARGMIN and ARGMAX.
 * Pre:    the buffers belong to the runtime's context; the element read and the one written do not overlap.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 * Waits:  the work starts when all `waits` are complete. Where done is not NULL it gets one event, the caller's to
 *         release, that completes with the whole operation.
 * Blocks: never; nothing is compiled. A plan may be enqueued again at once: calls that would share its memory are
 *         ordered among themselves on the device, whatever their queues.
 * Errors: CLPRIM_INVALID_*, CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. Then the output is untouched, *done is
 *         untouched and the plan can be used again. */
CLPRIM_API clprim_status clprim_reduce_enqueue(clprim_reduce *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                               size_t count, cl_mem out, size_t out_offset, cl_uint num_waits,
                                               const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that clprim_reduce_enqueue takes for `count` elements; 0 for some variants.
 * Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_reduce_scratch_size(size_t *out, const clprim_reduce *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on. The plan keeps a reference and orders its own calls that use
 * it; nothing else may use it meanwhile. NULL returns to the runtime's pool.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_BUFFER. A later enqueue gives CLPRIM_INVALID_SCRATCH if too
 * small. */
CLPRIM_API clprim_status clprim_reduce_set_scratch(clprim_reduce *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_reduce_variant clprim_reduce_plan_variant(const clprim_reduce *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_reduce_destroy(clprim_reduce *plan);

/* All variants but AUTO, in the order of the ladder; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_reduce_variants(size_t *count);

/* Reduce an array on the host: copy it to the device, reduce, write the result to *out; returns when it is there.
 * runtime NULL: clprim_runtime_default(). desc NULL: the sum of I32.
 * Errors: as clprim_reduce_create and clprim_reduce_enqueue; then *out is untouched. */
CLPRIM_API clprim_status clprim_reduce_host(void *out, clprim_runtime *runtime, const clprim_reduce_desc *desc,
                                            const void *in, size_t count);

#ifdef __cplusplus
}
#endif
#endif
