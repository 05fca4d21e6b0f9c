// SPDX-License-Identifier: MIT
/* segmented_top_k_reference.c: the first k on the host, segment by segment. */
#include <clprim/reference.h>

#include "error.h"
#include "segments.h"
#include "sizes.h"

/* Where segment s begins; if s == num_segments, where the last one ends. */
static size_t begin_of(size_t s, size_t segment_length, const void *offsets, size_t offset_size)
{
    return segment_length != 0 ? s * segment_length : clprim__offset_at(offsets, offset_size, s);
}

clprim_status clprim_reference_segmented_top_k(void *keys_out, void *values_out, const clprim_reference_top_k_how *how,
                                               const void *keys, const void *values, size_t count,
                                               size_t segment_length, clprim_type offsets_type, const void *offsets,
                                               size_t num_segments)
{
    size_t offset_size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim_reference_top_k(NULL, NULL, how, NULL, NULL, 0)); /* check the description */
    CLPRIM__TRY(clprim__offsets_type_check(&offset_size, offsets_type));
    if (segment_length == 0)
        CLPRIM__TRY(clprim__offsets_check(offsets, offset_size, num_segments, count));
    else if (count % segment_length != 0 || count / segment_length != num_segments)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_reference_segmented_top_k: count is not num_segments * segment_length");
    if (clprim__times(clprim__times(num_segments, how->k), sizeof(uint64_t) * 2) == SIZE_MAX)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "clprim_reference_segmented_top_k: %zu rows of %zu elements are more than memory can hold",
                            num_segments, how->k);
    const size_t key_size = clprim_type_size(how->key_type != CLPRIM_TYPE_DEFAULT ? how->key_type : CLPRIM_U32);
    const size_t value_size = how->indices && how->value_size == 0 ? sizeof(uint32_t) : how->value_size;
    for (size_t s = 0; s < num_segments; s++) {
        const size_t begin = begin_of(s, segment_length, offsets, offset_size);
        const size_t length = begin_of(s + 1, segment_length, offsets, offset_size) - begin;
        const size_t at = s * how->k;
        CLPRIM__TRY(clprim_reference_top_k(keys_out != NULL ? (char *)keys_out + at * key_size : NULL,
                                           values_out != NULL ? (char *)values_out + at * value_size : NULL, how,
                                           keys != NULL ? (const char *)keys + begin * key_size : NULL,
                                           values != NULL ? (const char *)values + begin * value_size : NULL, length));
    }
done:
    return status;
}
