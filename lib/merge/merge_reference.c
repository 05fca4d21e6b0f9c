// SPDX-License-Identifier: MIT
/* merge_reference.c: merge on the host, one element after another. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "order.h"

clprim_status clprim_reference_merge(void *out, void *out_values, const clprim_reference_order *wanted,
                                     size_t value_size, const void *a, const void *a_values, size_t a_count,
                                     const void *b, const void *b_values, size_t b_count)
{
    clprim_reference_order order = {.size = 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__reference_order_check(&order, wanted));
    if ((a_count > 0 && a == NULL) || (b_count > 0 && b == NULL) || (a_count + b_count > 0 && out == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_merge: an array is NULL");
    if ((a_count > 0 && (a_values != NULL) != (value_size > 0)) ||
        (b_count > 0 && (b_values != NULL) != (value_size > 0)) ||
        (a_count + b_count > 0 && (out_values != NULL) != (value_size > 0)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_reference_merge: the arrays of values do not match value_size %zu", value_size);
    size_t i = 0;
    size_t k = 0;
    while (i < a_count || k < b_count) {
        const char *x = (const char *)a + i * order.size;
        const char *y = (const char *)b + k * order.size;
        const bool from_b = i == a_count || (k < b_count && clprim__comes_before(&order, y, x));
        memcpy((char *)out + (i + k) * order.size, from_b ? y : x, order.size);
        if (value_size > 0)
            memcpy((char *)out_values + (i + k) * value_size,
                   from_b ? (const char *)b_values + k * value_size : (const char *)a_values + i * value_size,
                   value_size);
        i += !from_b;
        k += from_b;
    }
done:
    return status;
}
