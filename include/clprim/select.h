/* clprim/select.h: keep the elements that satisfy a predicate (stream compaction), or put them before the others
 * (partition). The order of the elements is kept; how many were selected is written on the device.
 *
 *     clprim_select *plan;
 *     clprim_select_desc desc = {.type = CLPRIM_F32, .predicate = "x > 0.5f"};
 *     clprim_select_create(&plan, runtime, &desc);                                        // compiles
 *     clprim_select_enqueue(plan, queue, in, 0, count, out, 0, selected, 0, 0, NULL, NULL);  // does not
 *     clprim_select_destroy(plan);
 *
 * With the data on the host and no wish for OpenCL: clprim_select_host().
 *
 * Elements are moved bit for bit, whatever they are. count == 0 selects nothing; counts may exceed 2^32. */
#ifndef CLPRIM_SELECT_H
#define CLPRIM_SELECT_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_select clprim_select;

/* Each is a kernel of its own in kernels/select/; clprim_select_variants() describes them. */
typedef enum clprim_select_variant {
    CLPRIM_SELECT_AUTO = 0,
    CLPRIM_SELECT_COUNT_THEN_MOVE,
    CLPRIM_SELECT_CPU_CHUNK,
    CLPRIM_SELECT_LOOK_BACK
} clprim_select_variant;

/* What to select. */
typedef struct clprim_select_desc {
    clprim_type type; /* of the elements; default I32 */
    /* The predicate, an OpenCL C expression over the element `x` (a float for F16) and its index `i` (a ulong, counted
     * from the first element of the call); selected where it is not 0. NULL: by flags, see
     * clprim_select_enqueue_flagged. The text is code: never take it from someone you would not let run code on your
     * device. */
    const char *predicate;
    const char *source;     /* declarations placed before the predicate; may be NULL */
    const char *type_name;  /* OpenCL C name of an element type declared in .source; NULL: .type */
    size_t type_size;       /* its size in bytes on the host; checked against the device's. 0 with a NULL type_name */
    clprim_type flags_type; /* of the flags; default U8 */
    bool partition; /* the elements that were not selected follow the others, in their order. Not by LOOK_BACK */
    clprim_select_variant variant; /* default AUTO */
    size_t work_group_size;        /* 0: tuned. Else a power of two, fitted to what the device can do */
    size_t items_per_work_item;    /* 0: tuned. For COUNT_THEN_MOVE and LOOK_BACK: elements each work-item takes */
} clprim_select_desc;

/* Make a plan: check the description, pick the variant, compile its kernels. desc may be NULL: I32 by flags. A mistake
 * in the caller's text gives CLPRIM_BUILD_FAILED with the compiler's log, in which `source` and `predicate` are named
 * as files of those names. The plan holds a reference to the runtime. On failure *out is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY, or OpenCL's code. */
CLPRIM_API clprim_status clprim_select_create(clprim_select **out, clprim_runtime *runtime,
                                              const clprim_select_desc *desc);

/* Enqueue: those of in[in_offset .. in_offset + count) that satisfy the predicate go to out[out_offset ..], and their
 * number, a cl_ulong, to selected[selected_offset] (an offset in units of 8 bytes).
 * Pre:    the buffers belong to the runtime's context; out has room for `count` elements from out_offset on, of which
 *         those behind the selected ones stay untouched unless .partition is set. No two of the ranges overlap.
 *         queue is the runtime's own (NULL) or the caller's, in-order or out-of-order, on the runtime's device.
 *         The plan has a predicate.
 * Waits, blocks, errors: as clprim_scan_enqueue. */
CLPRIM_API clprim_status clprim_select_enqueue(clprim_select *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                               size_t count, cl_mem out, size_t out_offset, cl_mem selected,
                                               size_t selected_offset, cl_uint num_waits, const cl_event *waits,
                                               cl_event *done);

/* The same for a plan without a predicate: an element is selected if its flag in flags[flags_offset ..
 * flags_offset + count), of .flags_type, is not equal to 0. Of floats -0.0 is equal to 0; NaNs and denormals are not.
 * The offset counts in flags. They may not overlap what is written. */
CLPRIM_API clprim_status clprim_select_enqueue_flagged(clprim_select *plan, cl_command_queue queue, cl_mem in,
                                                       size_t in_offset, size_t count, cl_mem flags,
                                                       size_t flags_offset, cl_mem out, size_t out_offset,
                                                       cl_mem selected, size_t selected_offset, cl_uint num_waits,
                                                       const cl_event *waits, cl_event *done);

/* Bytes of scratch memory that an enqueued selection from `count` elements takes.
 * Errors: CLPRIM_INVALID_ARGUMENT, also where the bytes do not fit size_t. */
CLPRIM_API clprim_status clprim_select_scratch_size(size_t *out, const clprim_select *plan, size_t count);

/* Use the caller's buffer as scratch memory from now on; see clprim_scan_set_scratch. */
CLPRIM_API clprim_status clprim_select_set_scratch(clprim_select *plan, cl_mem scratch);

/* The variant the plan uses: never AUTO. */
CLPRIM_API clprim_select_variant clprim_select_plan_variant(const clprim_select *plan);

/* Give up a plan; NULL is allowed. Work that it enqueued still completes. */
CLPRIM_API void clprim_select_destroy(clprim_select *plan);

/* All variants but AUTO; static, *count of them. */
CLPRIM_API const clprim_variant_info *clprim_select_variants(size_t *count);

/* Select from an array on the host; returns when the result is in out (room for `count` elements) and *selected.
 * flags: for a description without predicate, else NULL. runtime NULL: clprim_runtime_default().
 * Errors: as clprim_select_create and clprim_select_enqueue; then out and *selected are untouched. */
CLPRIM_API clprim_status clprim_select_host(void *out, size_t *selected, clprim_runtime *runtime,
                                            const clprim_select_desc *desc, const void *in, const void *flags,
                                            size_t count);

#ifdef __cplusplus
}
#endif
#endif
