/* operations.h: all operations, as trials and tests see them. */
#ifndef CLPRIM_LIB_OPERATIONS_H
#define CLPRIM_LIB_OPERATIONS_H

#include "plan_internal.h"

/* In the order of clprim_operations(), *count of them. */
const clprim__trial_subject *const *clprim__operation_subjects(size_t *count);

#endif
