// SPDX-License-Identifier: MIT
/* sort_by_key_reference.c: sort arrays on the host: first indices by the keys, then each array by the indices. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { MAX_ELEMENT_SIZE = 256 };

/* data[i] becomes the old data[order[i]]. copy: room for a copy of the data. */
static void rearrange(void *data, size_t size, const uint64_t *order, size_t count, void *copy)
{
    memcpy(copy, data, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)data + i * size, (const char *)copy + order[i] * size, size);
}

/* Fill in the defaults of a zeroed description. */
static clprim_reference_sort_by_key_how resolved(const clprim_reference_sort_by_key_how *how)
{
    clprim_reference_sort_by_key_how result = *how;
    result.num_arrays = how->num_arrays != 0 ? how->num_arrays : 1;
    for (size_t a = 0; a < CLPRIM_SORT_BY_KEY_MAX_ARRAYS; a++)
        if (how->element_sizes[a] == 0 && a < result.num_arrays)
            result.element_sizes[a] = 4;
    return result;
}

static const char *mistake_in(const clprim_reference_sort_by_key_how *how, const void *keys, void *const *arrays,
                              size_t count)
{
    if (how->num_arrays > CLPRIM_SORT_BY_KEY_MAX_ARRAYS)
        return "num_arrays is more than 16";
    for (size_t a = 0; a < CLPRIM_SORT_BY_KEY_MAX_ARRAYS; a++) {
        if (how->element_sizes[a] > MAX_ELEMENT_SIZE)
            return "one of element_sizes is more than 256 bytes";
        if (how->element_sizes[a] != 0 && a >= how->num_arrays)
            return "there are more element_sizes than num_arrays";
    }
    if (count > 0 && (keys == NULL || arrays == NULL))
        return keys == NULL ? "keys is NULL" : "arrays is NULL";
    for (size_t a = 0; count > 0 && a < how->num_arrays; a++)
        if (arrays[a] == NULL)
            return "one of arrays is NULL";
    return NULL;
}

clprim_status clprim_reference_sort_by_key(void *keys, void *const *arrays,
                                           const clprim_reference_sort_by_key_how *wanted, size_t count)
{
    static const clprim_reference_sort_by_key_how zeroed = {0};
    const clprim_reference_sort_by_key_how how = resolved(wanted != NULL ? wanted : &zeroed);
    const clprim_reference_sort_how indices = {.key_type = how.key_type,
                                               .value_size = sizeof(uint64_t),
                                               .argsort = true,
                                               .descending = how.descending,
                                               .bit_range = how.bit_range,
                                               .nan_order = how.nan_order,
                                               .begin_bit = how.begin_bit,
                                               .end_bit = how.end_bit};
    const char *wrong = mistake_in(&how, keys, arrays, count);
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_sort_by_key: %s", wrong);
    if (count == 0)
        return clprim_reference_sort(NULL, NULL, &indices, 0);
    const size_t key_size = clprim_type_size(how.key_type != CLPRIM_TYPE_DEFAULT ? how.key_type : CLPRIM_U32);
    uint64_t *order = calloc(count, sizeof *order);
    void *sorted = calloc(count, key_size);
    void *copy = calloc(count, MAX_ELEMENT_SIZE);
    clprim_status status = CLPRIM_SUCCESS;
    if (order == NULL || sorted == NULL || copy == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort");
        goto done;
    }
    memcpy(sorted, keys, count * key_size);
    CLPRIM__TRY(clprim_reference_sort(sorted, order, &indices, count));
    if (!how.values_only)
        memcpy(keys, sorted, count * key_size);
    for (size_t a = 0; a < how.num_arrays; a++)
        rearrange(arrays[a], how.element_sizes[a], order, count, copy);
done:
    free(order);
    free(sorted);
    free(copy);
    return status;
}
