// SPDX-License-Identifier: MIT
/* reduce_reference.c: reductions on the host, one element after another. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "fold.h"

static clprim_status reduce_custom(void *out, const clprim_reference_operator *by, const void *in, size_t count)
{
    const void *first = by->initial != NULL ? by->initial : by->identity;
    const size_t begin = first == NULL && count > 0; /* begin with the first element */
    if (by->size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce: combine is given, but size is 0");
    if (begin > 0)
        first = in;
    if (first != NULL)
        memcpy(out, first, by->size);
    else
        memset(out, 0, by->size);
    for (size_t i = begin; i < count; i++)
        by->combine(out, (const char *)in + i * by->size);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce(void *out, const clprim_reference_operator *by, const void *in, size_t count)
{
    if (out == NULL || by == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce: %s is NULL",
                            out == NULL  ? "out"
                            : by == NULL ? "by"
                                         : "in");
    if (by->combine != NULL)
        return reduce_custom(out, by, in, count);
    clprim__fold fold;
    clprim_reference_operator known;
    const clprim_status status = clprim__fold_check(&known, by, by->initial != NULL);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(known.type);
    clprim__fold_begin(&fold, &known, by->initial);
    for (size_t i = 0; i < count; i++)
        clprim__fold_add(&fold, (const char *)in + i * size);
    clprim__fold_store(&fold, out);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce_error(double *error, double *bound, const clprim_reference_operator *by,
                                            const void *in, size_t count, size_t depth, const void *result)
{
    if (error == NULL || bound == NULL || by == NULL || result == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_error: an argument is NULL");
    clprim_reference_operator known;
    const clprim_status status = clprim__exact_check(&known, by);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(known.type);
    clprim__exact exact;
    clprim__exact_begin(&exact, &known, by->initial);
    for (size_t i = 0; i < count; i++)
        clprim__exact_add(&exact, (const char *)in + i * size);
    const size_t operands = count + (by->initial != NULL);
    clprim__exact_judge(error, bound, &exact, depth > 0 || operands == 0 ? depth : operands - 1, result);
    return CLPRIM_SUCCESS;
}
