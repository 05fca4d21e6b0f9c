// SPDX-License-Identifier: MIT
/* scan_reference.c: scans on the host, element by element. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "fold.h"

static const clprim_reference_scan_how plainly = {0};

static bool begins_at(const clprim_reference_scan_how *how, size_t i)
{
    return i == 0 || (how->begins != NULL && how->begins[i] != 0);
}

static clprim_status scan_custom(char *out, const clprim_reference_operator *by, const clprim_reference_scan_how *how,
                                 const char *in, size_t count)
{
    const size_t size = by->size;
    const void *first = how->initial != NULL ? how->initial : by->identity; /* NULL: begin with the segment's first
                                                                             * element */
    if (size == 0 || (first == NULL && how->exclusive))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_scan: %s",
                            size == 0 ? "combine is given, but size is 0"
                                      : "an exclusive scan by combine requires an identity or an initial value");
    char *folded = malloc(2 * size);
    if (folded == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for an element");
    char *element = folded + size; /* a copy: out may be in */
    for (size_t i = 0; i < count; i++) {
        const bool begins = begins_at(how, i);
        memcpy(element, in + i * size, size);
        if (begins)
            memcpy(folded, first != NULL ? first : element, size);
        if (how->exclusive)
            memcpy(out + i * size, folded, size);
        if (!begins || first != NULL)
            by->combine(folded, element);
        if (!how->exclusive)
            memcpy(out + i * size, folded, size);
    }
    free(folded);
    return CLPRIM_SUCCESS;
}

static void scan(char *out, const clprim_reference_operator *by, const clprim_reference_scan_how *how, const char *in,
                 size_t count)
{
    const size_t size = clprim_type_size(by->type);
    const size_t result_size = clprim__fold_result_size(by);
    clprim__fold fold = {0};
    uint64_t element = 0; /* a copy: out may be in */
    const uint64_t zero = 0;
    const void *initial = how->initial;
    if (initial == NULL && how->exclusive && by->op == CLPRIM_SUM) /* an empty sum is written and added to */
        initial = &zero;
    for (size_t i = 0; i < count; i++) {
        if (begins_at(how, i)) {
            clprim__fold_begin(&fold, by, initial);
            fold.count = by->op == CLPRIM_ARGMIN || by->op == CLPRIM_ARGMAX ? i : 0;
        }
        memcpy(&element, in + i * size, size);
        if (how->exclusive)
            clprim__fold_store(&fold, out + i * result_size);
        clprim__fold_add(&fold, &element);
        if (!how->exclusive)
            clprim__fold_store(&fold, out + i * result_size);
    }
}

clprim_status clprim_reference_scan(void *out, const clprim_reference_operator *by,
                                    const clprim_reference_scan_how *how, const void *in, size_t count)
{
    how = how != NULL ? how : &plainly;
    if (by == NULL || (count > 0 && (out == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_scan: %s is NULL",
                            by == NULL    ? "by"
                            : out == NULL ? "out"
                                          : "in");
    if (by->combine != NULL)
        return scan_custom(out, by, how, in, count);
    clprim_reference_operator known;
    const clprim_status status = clprim__fold_check(&known, by, how->initial != NULL);
    if (status == CLPRIM_SUCCESS)
        scan(out, &known, how, in, count);
    return status;
}

clprim_status clprim_reference_scan_error(double *worst, size_t *where, const clprim_reference_operator *by,
                                          const clprim_reference_scan_how *how, const void *in, size_t count,
                                          size_t depth, const void *result)
{
    how = how != NULL ? how : &plainly;
    if (worst == NULL || by == NULL || (count > 0 && (in == NULL || result == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_scan_error: an argument is NULL");
    clprim_reference_operator known;
    const clprim_status status = clprim__exact_check(&known, by);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(known.type);
    const size_t result_size = clprim_type_size(known.accumulator_type);
    clprim__exact exact = {0};
    size_t begin = 0;
    size_t worst_at = 0;
    double greatest = 0;
    for (size_t i = 0; i < count; i++) {
        double error = 0;
        double bound = 0;
        if (begins_at(how, i)) {
            clprim__exact_begin(&exact, &known, how->initial);
            begin = i;
        }
        const size_t chain = depth > 0 ? depth : i - begin + 1;
        if (!how->exclusive)
            clprim__exact_add(&exact, (const char *)in + i * size);
        clprim__exact_judge(&error, &bound, &exact, chain, (const char *)result + i * result_size);
        if (how->exclusive)
            clprim__exact_add(&exact, (const char *)in + i * size);
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
