// SPDX-License-Identifier: MIT
/* top_k_reference.c: the first k on the host, by sorting all elements. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "order.h"

static const char *mistake_in(const clprim_reference_top_k_how *how)
{
    const size_t v = how->value_size;
    if (clprim_type_size(how->key_type) == 0)
        return "unknown key_type";
    if (how->k == 0)
        return "k is 0";
    if (how->indices ? v != 4 && v != 8 : v != 0 && v != 1 && v != 2 && v != 4 && v != 8 && v != 16)
        return "value_size is 0, 1, 2, 4, 8 or 16, and of indices 4 or 8";
    if (clprim__nan_order_check(how->nan_order, false) != CLPRIM_SUCCESS)
        return "unknown nan_order";
    return NULL;
}

static int compare_indices(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The indices of all elements in sorted order; overwrites `sorted`. */
static clprim_status sort_indices(uint64_t *order, void *sorted, const clprim_reference_top_k_how *how, size_t count)
{
    const clprim_reference_sort_how sort = {.key_type = how->key_type,
                                            .value_size = sizeof *order,
                                            .argsort = true,
                                            .descending = !how->smallest,
                                            .nan_order = how->nan_order};
    return clprim_reference_sort(sorted, order, &sort, count);
}

clprim_status clprim_reference_top_k(void *keys_out, void *values_out, const clprim_reference_top_k_how *wanted,
                                     const void *keys, const void *values, size_t count)
{
    clprim_reference_top_k_how how = wanted != NULL ? *wanted : (clprim_reference_top_k_how){.k = 0};
    how.key_type = how.key_type != CLPRIM_TYPE_DEFAULT ? how.key_type : CLPRIM_U32;
    how.value_size = how.indices && how.value_size == 0 ? 4 : how.value_size;
    const size_t size = clprim_type_size(how.key_type);
    const size_t value_size = how.value_size;
    const size_t m = count < how.k ? count : how.k;
    const char *wrong = mistake_in(&how);
    if (wrong == NULL && count > 0)
        wrong = keys == NULL || keys_out == NULL                       ? "keys or keys_out is NULL"
                : (values_out != NULL) != (value_size > 0)             ? "values_out does not fit value_size"
                : (values != NULL) != (value_size > 0 && !how.indices) ? "values does not fit value_size and indices"
                                                                       : NULL;
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_top_k: %s", wrong);
    if (count == 0)
        return CLPRIM_SUCCESS;

    uint64_t *order = calloc(count, sizeof *order);
    void *sorted = calloc(count, size);
    clprim_status status = CLPRIM_SUCCESS;
    if (order == NULL || sorted == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the first k");
        goto done;
    }
    memcpy(sorted, keys, count * size);
    CLPRIM__TRY(sort_indices(order, sorted, &how, count));
    if (how.unsorted)
        qsort(order, m, sizeof *order, compare_indices);
    for (size_t i = 0; i < m; i++) {
        memcpy((char *)keys_out + i * size, (const char *)keys + order[i] * size, size);
        if (values_out != NULL && how.indices)
            memcpy((char *)values_out + i * value_size, &order[i], value_size); /* little-endian */
        else if (values_out != NULL && values != NULL)
            memcpy((char *)values_out + i * value_size, (const char *)values + order[i] * value_size, value_size);
    }
done:
    free(order);
    free(sorted);
    return status;
}
