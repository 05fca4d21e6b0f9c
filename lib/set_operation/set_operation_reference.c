// SPDX-License-Identifier: MIT
/* set_operation_reference.c: set operations on the host, one element after another. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "order.h"

/* Which elements are kept. */
static const struct {
    bool only_a, in_both, only_b;
} kept[] = {
    [CLPRIM_SET_UNION] = {true, true, true},
    [CLPRIM_SET_INTERSECTION] = {false, true, false},
    [CLPRIM_SET_DIFFERENCE] = {true, false, false},
    [CLPRIM_SET_SYMMETRIC_DIFFERENCE] = {true, false, true},
};

clprim_status clprim_reference_set_operation(void *out, void *out_values, size_t *out_count, clprim_set_op op,
                                             const clprim_reference_order *wanted, size_t value_size, const void *a,
                                             const void *a_values, size_t a_count, const void *b, const void *b_values,
                                             size_t b_count)
{
    clprim_reference_order order = {.size = 0};
    clprim_status status = CLPRIM_SUCCESS;
    size_t at = 0;
    CLPRIM__TRY(clprim__reference_order_check(&order, wanted));
    if ((int)op < 0 || op > CLPRIM_SET_SYMMETRIC_DIFFERENCE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown op %d", (int)op);
    const bool only_a = kept[op].only_a, in_both = kept[op].in_both, only_b = kept[op].only_b;
    if ((a_count > 0 && a == NULL) || (b_count > 0 && b == NULL) || out_count == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_set_operation: an argument is NULL");
    if ((a_count > 0 && (a_values != NULL) != (value_size > 0)) ||
        (b_count > 0 && (b_values != NULL) != (value_size > 0 && only_b)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_reference_set_operation: the arrays of values do not match value_size %zu",
                            value_size);
    for (size_t i = 0, k = 0; i < a_count || k < b_count;) {
        const char *x = (const char *)a + i * order.size;
        const char *y = (const char *)b + k * order.size;
        const bool from_a = i < a_count && (k == b_count || !clprim__comes_before(&order, y, x));
        const bool from_b = k < b_count && (i == a_count || !clprim__comes_before(&order, x, y));
        if (from_a && from_b ? in_both : from_a ? only_a : only_b) {
            if (out == NULL || (out_values != NULL) != (value_size > 0))
                return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_set_operation: an output is missing");
            memcpy((char *)out + at * order.size, from_a ? x : y, order.size);
            if (value_size > 0)
                memcpy((char *)out_values + at * value_size,
                       from_a ? (const char *)a_values + i * value_size : (const char *)b_values + k * value_size,
                       value_size);
            at++;
        }
        i += from_a;
        k += from_b;
    }
    *out_count = at;
done:
    return status;
}
