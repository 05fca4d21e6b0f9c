// SPDX-License-Identifier: MIT
/* segmented_sort_reference.c: sorting on the host, one segment after the other. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "segments.h"

clprim_status clprim_reference_segmented_sort(void *keys, void *values, const clprim_reference_sort_how *wanted,
                                              size_t count, clprim_type offsets_type, const void *offsets,
                                              size_t num_segments)
{
    static const clprim_reference_sort_how zeroed = {0};
    const clprim_reference_sort_how *how = wanted != NULL ? wanted : &zeroed;
    const size_t offset_size = offsets_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    const size_t size = how->key_type != CLPRIM_TYPE_DEFAULT ? clprim_type_size(how->key_type) : sizeof(uint32_t);
    const size_t value_size = how->argsort && how->value_size == 0 ? sizeof(uint32_t) : how->value_size;
    if (offsets_type != CLPRIM_TYPE_DEFAULT && offsets_type != CLPRIM_U32 && offsets_type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_reference_segmented_sort: offsets_type must be U32 or U64");
    if (count > 0 && keys == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_segmented_sort: keys is NULL");
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim_reference_sort(NULL, NULL, how, 0)); /* the description makes sense */
    if (count > 0 && (values != NULL) != (value_size != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_segmented_sort: values is %s",
                            values == NULL ? "NULL" : "given, but value_size is 0");
    CLPRIM__TRY(clprim__offsets_check(offsets, offset_size, num_segments, count));
    for (size_t s = 0; s < num_segments; s++) {
        const size_t begin = clprim__offset_at(offsets, offset_size, s);
        const size_t length = clprim__offset_at(offsets, offset_size, s + 1) - begin;
        char *own_values = values != NULL ? (char *)values + begin * value_size : NULL;
        if (length == 0)
            continue;
        CLPRIM__TRY(clprim_reference_sort((char *)keys + begin * size, own_values, how, length));
        for (size_t i = 0; how->argsort && own_values != NULL && i < length; i++) { /* indices in the array */
            const uint64_t index = begin + clprim__offset_at(own_values, value_size, i);
            memcpy(own_values + i * value_size, &index, value_size);
        }
    }
done:
    return status;
}
