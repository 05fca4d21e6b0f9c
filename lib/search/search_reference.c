// SPDX-License-Identifier: MIT
/* search_reference.c: find where needles belong, on the host, by binary search. */
#include <clprim/reference.h>

#include "error.h"
#include "order.h"

clprim_status clprim_reference_search(uint64_t *out, const clprim_reference_order *wanted, bool upper, const void *in,
                                      size_t count, const void *needles, size_t num_needles)
{
    clprim_reference_order order = {.size = 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__reference_order_check(&order, wanted));
    if ((count > 0 && in == NULL) || (num_needles > 0 && (needles == NULL || out == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_search: an array is NULL");
    for (size_t k = 0; k < num_needles; k++) {
        const char *needle = (const char *)needles + k * order.size;
        size_t begin = 0;
        size_t end = count;
        while (begin < end) {
            const size_t middle = begin + (end - begin) / 2;
            const char *x = (const char *)in + middle * order.size;
            if (upper ? !clprim__comes_before(&order, needle, x) : clprim__comes_before(&order, x, needle))
                begin = middle + 1;
            else
                end = middle;
        }
        out[k] = begin;
    }
done:
    return status;
}
