/* clprim/scan.h: all prefixes of an array, folded with an associative operator; by segments where wanted.
 *
 *     inclusive:  out[i] = initial OP in[0] OP ... OP in[i]
 *     exclusive:  out[i] = initial OP in[0] OP ... OP in[i - 1],  out[0] = initial
 *
 *     clprim_scan *plan;
 *     clprim_scan_desc desc = {.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true};
 *     clprim_scan_create(&plan, runtime, &desc);                              // compiles, or loads from the cache
 *     clprim_scan_enqueue(plan, queue, in, 0, count, out, 0, 0, NULL, NULL);  // neither compiles nor waits
 *     clprim_scan_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_scan_host().
 *
 * What is guaranteed:
 * - The operator need not commute: elements are combined in their order by every variant.
 * - Integer results, and MIN, MAX, ARGMIN, ARGMAX of every type, are the same bits with every variant and device.
 * - MIN, MAX, ARGMIN and ARGMAX of floats follow clPRIM's one total order. The NaN that x86 computes comes first in it:
 *   MAX passes over it. With .nan_order CLPRIM_NAN_LAST NaNs are propagated (clprim/types.h),
 *   one in .initial, too.
 * - Float SUM and PROD depend in their last bits on the order of operations, hence on variant, device and count; a
 *   variant and count give the same bits again on one device, except LOOK_BACK, whose tiles meet in an order that
 *   varies: there the last bits may differ from call to call. With .reproducible they are the same bits on every device
 *   that keeps denormals and rounds to nearest.
 *   For any variant |computed - exact| <= i * u * sum of |x| over the prefix, u the unit roundoff (2^-24 for F32).
 *   Where .accumulator_type rounds integers, x are the rounded ones, and exact is their sum.
 * - count == 0 writes nothing. Counts may exceed 2^32. */
#ifndef CLPRIM_SCAN_H
#define CLPRIM_SCAN_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_scan clprim_scan;

/* Each is a kernel of its own in kernels/scan/. The first five are the course's optimisation ladder;
 * clprim_scan_variants() describes them all. */
typedef enum clprim_scan_variant {
    CLPRIM_SCAN_AUTO = 0,
    CLPRIM_SCAN_NAIVE,
    CLPRIM_SCAN_WORK_EFFICIENT,
    CLPRIM_SCAN_BIT_REVERSED,
    CLPRIM_SCAN_BLELLOCH,
    CLPRIM_SCAN_BLELLOCH_PADDED,
    CLPRIM_SCAN_CPU_CHUNK,
    CLPRIM_SCAN_REDUCE_THEN_SCAN,
    CLPRIM_SCAN_LOOK_BACK,
    CLPRIM_SCAN_FIXED_TREE
} clprim_scan_variant;

/* Where segments begin. Each segment is scanned by itself, beginning with .initial; the first one begins at element 0
 * whatever is said there. */
typedef enum clprim_scan_segments {
    CLPRIM_SCAN_WHOLE = 0,  /* the array is one segment */
    CLPRIM_SCAN_HEAD_FLAGS, /* at each element whose flag is not equal to 0 (-0.0 is; NaNs and denormals are not) */
    CLPRIM_SCAN_BY_KEY      /* at each element whose key differs, in any bit, from that of the element before */
} clprim_scan_segments;

/* What to scan. Zeroed: the inclusive sums of I32, by the variant that is best on the device. */
typedef struct clprim_scan_desc {
    clprim_type type; /* of the input; default I32 */
    clprim_op op;     /* ignored where .custom is given */
    /* Type of the running value and of the output; default: .type. For SUM and PROD only. It holds every value of .type
     * exactly: a wider integer for an integer (U32 for U8, not U16 for I16), F32 or F64 for small ones. F32 and F64 are
     * also allowed for integers that they do not hold: each element is then converted first, to nearest, ties to even,
     * on every device. F32 thus rounds integers above 2^24 before it adds them, F64 those above 2^53. */
    clprim_type accumulator_type;
    const clprim_custom_op *custom; /* the caller's own operator; NULL: .op */
    clprim_nan_order nan_order;     /* whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs, see clprim/types.h; not with
                                       .custom */
    bool exclusive;                 /* default: inclusive */
    /* One value of the output's type, copied by create; NULL: the operator's identity. Not for ARGMIN and ARGMAX. */
    const void *initial;
    clprim_scan_segments segments; /* default: none */
    clprim_type segments_type;     /* of the flags (default U8) or keys (default I32) */
    clprim_scan_variant variant;   /* default AUTO */
    bool reproducible;             /* the same bits on every device; AUTO then takes FIXED_TREE */
    size_t work_group_size;        /* 0: tuned. Else a power of two, fitted to what device and variant can do */
    size_t items_per_work_item;    /* 0: tuned. For REDUCE_THEN_SCAN and LOOK_BACK: elements each work-item takes */
    size_t banks;                  /* 0: 32. For BLELLOCH_PADDED: banks of local memory, a power of two */
} clprim_scan_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL (see above). The plan
 * holds a reference to the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED,
 *         CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_scan_create(clprim_scan **out, clprim_runtime *runtime, const clprim_scan_desc *desc);

/* Enqueue the scan of in[in_offset .. in_offset + count) into out[out_offset .. out_offset + count).
 * Units:  count and in_offset in elements of .type; out_offset in elements of the output: the accumulator's type, or
 *         clprim_indexed for ARGMIN and ARGMAX.
 * Pre:    the buffers belong to the runtime's context. In place (the same range of the same buffer, elements of equal
 *         size) is allowed; any other overlap of the elements read and written is not.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 *         The plan has no segments.
 * Waits:  the work starts when all `waits` are complete. Where done is not NULL it gets one event, the caller's to
 *         release, that completes with the whole operation.
 * Blocks: never; nothing is compiled. A plan may be enqueued again at once: calls that would share its memory are
 *         ordered among themselves on the device, whatever their queues.
 * Errors: CLPRIM_INVALID_*, CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. Where an argument was refused nothing was
 *         enqueued. In any case *done is untouched and the plan can be used again: see Failures in runtime.h. */
CLPRIM_API clprim_status clprim_scan_enqueue(clprim_scan *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                             size_t count, cl_mem out, size_t out_offset, cl_uint num_waits,
                                             const cl_event *waits, cl_event *done);

/* The same for a plan with segments: heads[heads_offset .. heads_offset + count) are the flags or keys, of
 * .segments_type, and offsets into them count in these. They may not overlap the output. */
CLPRIM_API clprim_status clprim_scan_enqueue_segments(clprim_scan *plan, cl_command_queue queue, cl_mem in,
                                                      size_t in_offset, size_t count, cl_mem heads, size_t heads_offset,
                                                      cl_mem out, size_t out_offset, cl_uint num_waits,
                                                      const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued scan of `count` elements takes.
 * Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_scan_scratch_size(size_t *out, const clprim_scan *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on. The plan keeps a reference and orders its own calls that use
 * it; nothing else may use it meanwhile, for LOOK_BACK also between calls. NULL returns to memory of the library's.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_BUFFER. A later enqueue gives CLPRIM_INVALID_SCRATCH if too
 * small. */
CLPRIM_API clprim_status clprim_scan_set_scratch(clprim_scan *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_scan_variant clprim_scan_plan_variant(const clprim_scan *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_scan_destroy(clprim_scan *plan);

/* All variants but AUTO, in the order of the ladder; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_scan_variants(size_t *count);

/* Scan an array on the host: copy it to the device, scan, copy back; returns when out[0 .. count) is there. out may be
 * in where their elements have one size. runtime NULL: clprim_runtime_default(). desc NULL: inclusive sums of I32.
 * heads: the flags or keys for a description with segments, else NULL.
 * Errors: as clprim_scan_create and clprim_scan_enqueue; then out is untouched. */
CLPRIM_API clprim_status clprim_scan_host(void *out, clprim_runtime *runtime, const clprim_scan_desc *desc,
                                          const void *in, const void *heads, size_t count);

#ifdef __cplusplus
}
#endif
#endif
