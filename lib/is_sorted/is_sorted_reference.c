// SPDX-License-Identifier: MIT
/* is_sorted_reference.c: test on the host whether an array is sorted. */
#include <clprim/reference.h>

#include "error.h"
#include "order.h"

clprim_status clprim_reference_is_sorted(size_t *out, const clprim_reference_order *wanted, const void *in,
                                         size_t count)
{
    clprim_reference_order order = {.size = 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__reference_order_check(&order, wanted));
    if (out == NULL || (count > 0 && in == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_is_sorted: %s is NULL",
                            out == NULL ? "out" : "in");
    size_t i = count < 1 ? count : 1;
    while (i < count &&
           !clprim__comes_before(&order, (const char *)in + i * order.size, (const char *)in + (i - 1) * order.size))
        i++;
    *out = i;
done:
    return status;
}
