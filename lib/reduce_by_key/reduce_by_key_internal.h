// SPDX-License-Identifier: MIT
/* reduce_by_key_internal.h: the plan of clprim_reduce_by_key is that of a scan by key that writes only the runs. */
#ifndef CLPRIM_LIB_REDUCE_BY_KEY_INTERNAL_H
#define CLPRIM_LIB_REDUCE_BY_KEY_INTERNAL_H

#include <clprim/reduce_by_key.h>

#include "scan_internal.h"

/* The functions of clprim__operation. */
clprim_status clprim__reduce_by_key_make(clprim_plan *plan, const void *desc);
clprim_status clprim__reduce_by_key_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* How clprim_run cuts calls into pieces. */
extern const struct clprim__pieces clprim__reduce_by_key_pieces;

#endif
