// SPDX-License-Identifier: MIT
/* run_length_encode_internal.h: the plan of clprim_run_length_encode is that of a scan of ones by key that writes only
 * the runs. */
#ifndef CLPRIM_LIB_RUN_LENGTH_ENCODE_INTERNAL_H
#define CLPRIM_LIB_RUN_LENGTH_ENCODE_INTERNAL_H

#include <clprim/run_length_encode.h>

#include "scan_internal.h"

/* The functions of clprim__operation. */
clprim_status clprim__run_length_encode_make(clprim_plan *plan, const void *desc);
clprim_status clprim__run_length_encode_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* How clprim_run cuts calls into pieces. */
extern const struct clprim__pieces clprim__run_length_encode_pieces;

#endif
