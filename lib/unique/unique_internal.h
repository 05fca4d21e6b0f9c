// SPDX-License-Identifier: MIT
/* unique_internal.h: the plan of unique is a plan of select. */
#ifndef CLPRIM_LIB_UNIQUE_INTERNAL_H
#define CLPRIM_LIB_UNIQUE_INTERNAL_H

#include <clprim/unique.h>

#include "select_internal.h"

/* The functions of clprim__operation. */
clprim_status clprim__unique_make(clprim_plan *plan, const void *desc);
clprim_status clprim__unique_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

#endif
