/* reduce_reference.c: reductions on the host, one element after the other. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "fold.h"
#include "operator.h"
#include "order.h"

clprim_status clprim_reference_reduce(void *out, clprim_type type, clprim_op op, clprim_type accumulator_type,
                                      const void *in, size_t count)
{
    return clprim_reference_reduce_ordered(out, type, op, accumulator_type, CLPRIM_NAN_TOTAL, in, count);
}

clprim_status clprim_reference_reduce_ordered(void *out, clprim_type type, clprim_op op, clprim_type accumulator_type,
                                              clprim_nan_order nan_order, const void *in, size_t count)
{
    if (out == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce: %s is NULL", out == NULL ? "out" : "in");
    clprim_status status = clprim__operator_check(type, op, &accumulator_type);
    if (status == CLPRIM_SUCCESS)
        status = clprim__nan_order_check(nan_order, false);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(type);
    clprim__fold fold;
    clprim__fold_begin(&fold, type, op, accumulator_type, nan_order, NULL);
    for (size_t i = 0; i < count; i++)
        clprim__fold_add(&fold, (const char *)in + i * size);
    clprim__fold_store(&fold, out);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce_custom(void *out, size_t size, const void *identity,
                                             clprim_reference_combine combine, const void *in, size_t count)
{
    if (out == NULL || size == 0 || identity == NULL || combine == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_custom: an argument is NULL or 0");
    memcpy(out, identity, size);
    for (size_t i = 0; i < count; i++)
        combine(out, (const char *)in + i * size);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce_error(double *error, double *bound, clprim_type type, clprim_op op,
                                            clprim_type accumulator_type, const void *in, size_t count, size_t depth,
                                            const void *result)
{
    if (error == NULL || bound == NULL || result == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_error: an argument is NULL");
    clprim_status status = clprim__operator_check(type, op, &accumulator_type);
    if (status == CLPRIM_SUCCESS)
        status = clprim__exact_check(op, accumulator_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(type);
    clprim__exact exact;
    clprim__exact_begin(&exact, op, accumulator_type, NULL);
    for (size_t i = 0; i < count; i++)
        clprim__exact_add(&exact, type, (const char *)in + i * size);
    clprim__exact_judge(error, bound, &exact, accumulator_type, depth > 0 || count == 0 ? depth : count - 1, result);
    return CLPRIM_SUCCESS;
}
