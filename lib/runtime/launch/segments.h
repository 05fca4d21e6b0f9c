// SPDX-License-Identifier: MIT
/* segments.h: check the segments of an array, which are given by offsets or by one length. */
#ifndef CLPRIM_LIB_SEGMENTS_H
#define CLPRIM_LIB_SEGMENTS_H

#include <clprim/plan.h>
#include <stdint.h>

/* The most segments of a call: kernels count the segments, plus one, in 32 bits. */
static const size_t CLPRIM__MOST_SEGMENTS = UINT32_MAX - 1;

/* The size in bytes of an offset of type offsets_type (default: U32). Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__offsets_type_check(size_t *out, clprim_type offsets_type);

/* Read offset i of an array on the host. */
size_t clprim__offset_at(const void *offsets, size_t offset_size, size_t i);

/* Returns CLPRIM_INVALID_ARGUMENT if the num_segments + 1 offsets on the host decrease somewhere or exceed count. */
clprim_status clprim__offsets_check(const void *offsets, size_t offset_size, size_t num_segments, size_t count);

/* Whether a call's array of numbers of this size is on the host, and can be read before the call's arrays are
 * checked. */
bool clprim__is_known(const clprim_array *array, size_t size);

/* Check a call's number of segments, at most `most`. If the offsets are on the host, which is possible only for run,
 * check them, too.
 * Errors: CLPRIM_INVALID_RANGE; CLPRIM_INVALID_ARGUMENT as for clprim__offsets_check. */
clprim_status clprim__segments_check(const clprim_array *offsets, size_t offset_size, size_t num_segments, size_t most,
                                     size_t count);

/* The same for segments that all have `length` elements; length is not 0. */
clprim_status clprim__rows_check(size_t length, size_t num_segments, size_t most, size_t count);

#endif
