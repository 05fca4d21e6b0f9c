// SPDX-License-Identifier: MIT
/* operations.c: the list of all operations. */
#include "operations.h"

#include <clprim/operations.h>

#define DECLARE(op) extern const clprim__trial_subject clprim__##op##_trial;
CLPRIM_OPERATIONS(DECLARE)
#undef DECLARE

static const clprim_operation *const faces[] = {
#define ROW(op) &clprim_##op##_operation,
    CLPRIM_OPERATIONS(ROW)
#undef ROW
};

static const clprim__trial_subject *const subjects[] = {
#define ROW(op) &clprim__##op##_trial,
    CLPRIM_OPERATIONS(ROW)
#undef ROW
};

const clprim_operation *const *clprim_operations(size_t *count)
{
    if (count != NULL)
        *count = sizeof faces / sizeof *faces;
    return faces;
}

const clprim__trial_subject *const *clprim__operation_subjects(size_t *count)
{
    if (count != NULL)
        *count = sizeof subjects / sizeof *subjects;
    return subjects;
}
