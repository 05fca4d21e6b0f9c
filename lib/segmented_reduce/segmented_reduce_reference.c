// SPDX-License-Identifier: MIT
/* segmented_reduce_reference.c: folds on the host, segment by segment. */
#include <clprim/reference.h>

#include "error.h"
#include "fold.h"
#include "segments.h"

clprim_status clprim_reference_segmented_reduce(void *out, const clprim_reference_operator *by, const void *in,
                                                size_t count, clprim_type offsets_type, const void *offsets,
                                                size_t num_segments)
{
    if (by == NULL || (by->combine != NULL && by->size == 0) || (in == NULL && count > 0) ||
        (out == NULL && num_segments > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_segmented_reduce: an argument is NULL or 0");
    clprim_reference_operator known = *by;
    size_t offset_size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (by->combine == NULL)
        CLPRIM__TRY(clprim__fold_check(&known, by, by->initial != NULL));
    CLPRIM__TRY(clprim__offsets_type_check(&offset_size, offsets_type));
    CLPRIM__TRY(clprim__offsets_check(offsets, offset_size, num_segments, count));
    const bool is_custom = by->combine != NULL;
    const size_t size = is_custom ? by->size : clprim_type_size(known.type);
    const size_t result_size = is_custom ? by->size : clprim__fold_result_size(&known);
    for (size_t s = 0; s < num_segments; s++) {
        const size_t begin = clprim__offset_at(offsets, offset_size, s);
        const size_t end = clprim__offset_at(offsets, offset_size, s + 1);
        CLPRIM__TRY(clprim_reference_reduce((char *)out + s * result_size, by,
                                            begin < end ? (const char *)in + begin * size : NULL, end - begin));
    }
done:
    return status;
}
