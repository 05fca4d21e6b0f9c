// SPDX-License-Identifier: MIT
/* team_piece.h: run a rank's call on its piece of the whole array, by what the operation says about pieces
 * (plan_pieces.h). */
#ifndef CLPRIM_LIB_TEAM_PIECE_H
#define CLPRIM_LIB_TEAM_PIECE_H

#include "team.h"

/* Run the task's operation with this description and call. Indices count from the beginning of the whole array. Elements
 * next to the piece come from the neighbouring ranks. A rank without elements writes nothing. The team must be open.
 * Collective: ranks agree on success, and outputs are written only after that. Errors: those of run; CLPRIM_UNSUPPORTED
 * also if calls with this description cannot be cut. */
clprim_status clprim__team_run_piece(clprim__team *team, const clprim__task *task, const void *desc, const void *call);

#endif
