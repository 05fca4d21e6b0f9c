// SPDX-License-Identifier: MIT
/* partition_reference.c: a stable partition on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"

clprim_status clprim_reference_partition(void *out, size_t *counts, size_t num_parts, size_t size, const uint8_t *part,
                                         const void *in, size_t count)
{
    if (counts == NULL || num_parts == 0 || size == 0 || (count > 0 && (out == NULL || part == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_partition: an argument is NULL or 0");
    for (size_t i = 0; i < count; i++)
        if (part[i] >= num_parts)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_partition: part[%zu] is %u, of %zu parts", i,
                                part[i], num_parts);
    char *to = out;
    for (size_t p = 0; p < num_parts; p++) {
        counts[p] = 0;
        for (size_t i = 0; i < count; i++)
            if (part[i] == p) {
                memcpy(to, (const char *)in + i * size, size);
                to += size;
                counts[p]++;
            }
    }
    return CLPRIM_SUCCESS;
}
