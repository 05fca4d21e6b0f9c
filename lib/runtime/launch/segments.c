// SPDX-License-Identifier: MIT
/* segments.c: check a caller's segments. */
#include "segments.h"

#include <string.h>

#include "error.h"
#include "sizes.h"

clprim_status clprim__offsets_type_check(size_t *out, clprim_type offsets_type)
{
    const clprim_type type = offsets_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : offsets_type;
    if (type != CLPRIM_U32 && type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "offsets_type must be U32 or U64, not %s", clprim_type_name(type));
    *out = clprim_type_size(type);
    return CLPRIM_SUCCESS;
}

size_t clprim__offset_at(const void *offsets, size_t offset_size, size_t i)
{
    uint64_t offset = 0; /* little-endian, like all supported devices */
    memcpy(&offset, (const char *)offsets + i * offset_size, offset_size);
    return clprim__size_of(offset);
}

clprim_status clprim__offsets_check(const void *offsets, size_t offset_size, size_t num_segments, size_t count)
{
    size_t before = 0;
    if (num_segments > 0 && offsets == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "offsets is NULL");
    for (size_t s = 0; num_segments > 0 && s <= num_segments; s++) {
        const size_t offset = clprim__offset_at(offsets, offset_size, s);
        if (offset > count || offset < before)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "offsets[%zu] is %zu, %s", s, offset,
                                offset > count ? "beyond the array" : "less than the one before it");
        before = offset;
    }
    return CLPRIM_SUCCESS;
}

bool clprim__is_known(const clprim_array *array, size_t size)
{
    return array->host != NULL && array->buffer == NULL && array->svm == NULL && array->offset <= SIZE_MAX / size;
}

clprim_status clprim__rows_check(size_t length, size_t num_segments, size_t most, size_t count)
{
    if (count % length != 0 || count / length != num_segments)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "count is %zu, but there are %zu segments of %zu elements", count,
                            num_segments, length);
    if (num_segments > most)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu segments are more than the plan allows (%zu)", num_segments,
                            most);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__segments_check(const clprim_array *offsets, size_t offset_size, size_t num_segments, size_t most,
                                     size_t count)
{
    if (num_segments > most)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu segments are more than the plan allows (%zu)", num_segments,
                            most);
    if (!clprim__is_known(offsets, offset_size))
        return CLPRIM_SUCCESS;
    return clprim__offsets_check((const char *)offsets->host + offsets->offset * offset_size, offset_size, num_segments,
                                 count);
}
