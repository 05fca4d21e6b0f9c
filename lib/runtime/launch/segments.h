/* segments.h: segments of an array, given by where they begin and end: what descriptions and calls say of them. */
#ifndef CLPRIM_LIB_SEGMENTS_H
#define CLPRIM_LIB_SEGMENTS_H

#include <clprim/plan.h>
#include <stdint.h>

/* Kernels count segments, and the one behind the last, in 32 bits. */
static const size_t CLPRIM__MOST_SEGMENTS = UINT32_MAX - 1;

/* Bytes of an offset of offsets_type (default U32). Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__offsets_type_check(size_t *out, clprim_type offsets_type);

/* Offset i of an array on the host. */
size_t clprim__offset_at(const void *offsets, size_t offset_size, size_t i);

/* CLPRIM_INVALID_ARGUMENT if num_segments + 1 offsets on the host do not ascend, or exceed count. */
clprim_status clprim__offsets_check(const void *offsets, size_t offset_size, size_t num_segments, size_t count);

/* Whether a call's array of numbers of that size is on the host, and can be read before the call's arrays are checked. */
bool clprim__is_known(const clprim_array *array, size_t size);

/* Check the number of segments of a call, at most `most`, and offsets that are on the host, which only run has.
 * Errors: CLPRIM_INVALID_RANGE; CLPRIM_INVALID_ARGUMENT as clprim__offsets_check. */
clprim_status clprim__segments_check(const clprim_array *offsets, size_t offset_size, size_t num_segments, size_t most,
                                     size_t count);

/* The same of segments that all have `length` elements, which is not 0. */
clprim_status clprim__rows_check(size_t length, size_t num_segments, size_t most, size_t count);

#endif
