/* scan_reference.c: scans on the host, one element after the other. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "fold.h"
#include "operator.h"
#include "order.h"

static const clprim_reference_scan_how plainly = {0};

static bool begins_at(const clprim_reference_scan_how *how, size_t i)
{
    return i == 0 || (how->begins != NULL && how->begins[i] != 0);
}

static clprim_status check(const char *function, const void *out, clprim_type type, clprim_op op,
                           clprim_type *accumulator_type, const clprim_reference_scan_how *how, const void *in,
                           size_t count)
{
    if (count > 0 && (out == NULL || in == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s: %s is NULL", function, out == NULL ? "out" : "in");
    if (how->initial != NULL && (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s takes no initial value", clprim_op_name(op));
    const clprim_status status = clprim__nan_order_check(how->nan_order, false);
    return status != CLPRIM_SUCCESS ? status : clprim__operator_check(type, op, accumulator_type);
}

clprim_status clprim_reference_scan(void *out, clprim_type type, clprim_op op, clprim_type accumulator_type,
                                    const clprim_reference_scan_how *how, const void *in, size_t count)
{
    how = how != NULL ? how : &plainly;
    const clprim_status status = check("clprim_reference_scan", out, type, op, &accumulator_type, how, in, count);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(type);
    const size_t result_size = clprim__fold_result_size(type, op, accumulator_type);
    clprim__fold fold = {0};
    uint64_t element = 0; /* a copy: out may be in */
    for (size_t i = 0; i < count; i++) {
        if (begins_at(how, i)) {
            clprim__fold_begin(&fold, type, op, accumulator_type, how->nan_order, how->initial);
            fold.count = op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX ? i : 0;
        }
        memcpy(&element, (const char *)in + i * size, size);
        if (how->exclusive)
            clprim__fold_store(&fold, (char *)out + i * result_size);
        clprim__fold_add(&fold, &element);
        if (!how->exclusive)
            clprim__fold_store(&fold, (char *)out + i * result_size);
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_scan_custom(void *out, size_t size, const void *identity,
                                           clprim_reference_combine combine, const clprim_reference_scan_how *how,
                                           const void *in, size_t count)
{
    how = how != NULL ? how : &plainly;
    if (size == 0 || identity == NULL || combine == NULL || (count > 0 && (out == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_scan_custom: an argument is NULL or 0");
    char *folded = malloc(2 * size);
    if (folded == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for an element");
    char *element = folded + size; /* a copy: out may be in */
    for (size_t i = 0; i < count; i++) {
        if (begins_at(how, i))
            memcpy(folded, how->initial != NULL ? how->initial : identity, size);
        memcpy(element, (const char *)in + i * size, size);
        if (how->exclusive)
            memcpy((char *)out + i * size, folded, size);
        combine(folded, element);
        if (!how->exclusive)
            memcpy((char *)out + i * size, folded, size);
    }
    free(folded);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_scan_error(double *worst, size_t *where, clprim_type type, clprim_op op,
                                          clprim_type accumulator_type, const clprim_reference_scan_how *how,
                                          const void *in, size_t count, size_t depth, const void *result)
{
    how = how != NULL ? how : &plainly;
    if (worst == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_scan_error: worst is NULL");
    clprim_status status = check("clprim_reference_scan_error", result, type, op, &accumulator_type, how, in, count);
    if (status == CLPRIM_SUCCESS)
        status = clprim__exact_check(op, accumulator_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(type);
    const size_t result_size = clprim_type_size(accumulator_type);
    clprim__exact exact = {0};
    size_t begin = 0;
    size_t worst_at = 0;
    double greatest = 0;
    for (size_t i = 0; i < count; i++) {
        double error = 0;
        double bound = 0;
        if (begins_at(how, i)) {
            clprim__exact_begin(&exact, op, accumulator_type, how->initial);
            begin = i;
        }
        const size_t chain = depth > 0 ? depth : i - begin + 1;
        if (!how->exclusive)
            clprim__exact_add(&exact, type, (const char *)in + i * size);
        clprim__exact_judge(&error, &bound, &exact, accumulator_type, chain, (const char *)result + i * result_size);
        if (how->exclusive)
            clprim__exact_add(&exact, type, (const char *)in + i * size);
        const double share = error == 0 ? 0 : error / bound;
        if (share > greatest) {
            greatest = share;
            worst_at = i;
        }
    }
    *worst = greatest;
    if (where != NULL)
        *where = worst_at;
    return CLPRIM_SUCCESS;
}
