// SPDX-License-Identifier: MIT
/* is_sorted_internal.h: the plan of is_sorted, which is a plan of find. */
#ifndef CLPRIM_LIB_IS_SORTED_INTERNAL_H
#define CLPRIM_LIB_IS_SORTED_INTERNAL_H

#include <clprim/is_sorted.h>

#include "find_internal.h"

/* The functions of clprim__operation. */
clprim_status clprim__is_sorted_make(clprim_plan *plan, const void *desc);
clprim_status clprim__is_sorted_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

#endif
