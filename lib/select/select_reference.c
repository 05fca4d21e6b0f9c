// SPDX-License-Identifier: MIT
/* select_reference.c: stream compaction on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"

clprim_status clprim_reference_select(void *out, size_t *selected, size_t size, const uint8_t *keep, const void *in,
                                      size_t count)
{
    if (selected == NULL || size == 0 || (count > 0 && (out == NULL || keep == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_select: an argument is NULL or 0");
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        if (keep[i] != 0)
            memcpy((char *)out + at++ * size, (const char *)in + i * size, size);
    *selected = at;
    return CLPRIM_SUCCESS;
}
