// SPDX-License-Identifier: MIT
/* unique_reference.c: the first element of each run, and its value, on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"

static bool is_missing(const void *array, size_t size, size_t count)
{
    return size > 0 && count > 0 && array == NULL;
}

clprim_status clprim_reference_unique_by_key(void *keys_out, void *values_out, size_t *selected, size_t key_size,
                                             size_t value_size, clprim_reference_equal equal, const void *keys_in,
                                             const void *values_in, size_t count)
{
    size_t runs = 0;
    if (selected == NULL || key_size == 0 || is_missing(keys_out, key_size, count) ||
        is_missing(keys_in, key_size, count) || is_missing(values_out, value_size, count) ||
        is_missing(values_in, value_size, count))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_unique: an argument is NULL or 0");
    for (size_t i = 0; i < count; i++) {
        const char *key = (const char *)keys_in + i * key_size;
        if (i > 0 && (equal != NULL ? equal(key - key_size, key) : memcmp(key - key_size, key, key_size) == 0))
            continue;
        memcpy((char *)keys_out + runs * key_size, key, key_size);
        if (value_size > 0)
            memcpy((char *)values_out + runs * value_size, (const char *)values_in + i * value_size, value_size);
        runs++;
    }
    *selected = runs;
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_unique(void *out, size_t *selected, size_t size, clprim_reference_equal equal,
                                      const void *in, size_t count)
{
    return clprim_reference_unique_by_key(out, NULL, selected, size, 0, equal, in, NULL, count);
}
