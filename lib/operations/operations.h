// SPDX-License-Identifier: MIT
/* operations.h: the list of all operations, for trials and tests. */
#ifndef CLPRIM_LIB_OPERATIONS_H
#define CLPRIM_LIB_OPERATIONS_H

#include "plan_internal.h"

/* All operations in the order of clprim_operations(). *count is their number. */
const clprim__trial_subject *const *clprim__operation_subjects(size_t *count);

#endif
