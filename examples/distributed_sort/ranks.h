// SPDX-License-Identifier: MIT
/* ranks.h: start the ranks, and give each a communicator. */
#ifndef CLPRIM_EXAMPLES_RANKS_H
#define CLPRIM_EXAMPLES_RANKS_H

#include <clprim/comm.h>
#include <stdbool.h>

/* What each rank does. `place` is its number among the ranks on the same machine, which choose their devices by it.
 * Returns the same on all ranks: true if all went well. */
typedef bool (*ranks_work)(const clprim_comm *comm, unsigned place, const void *user);

/* `size` threads of this process. True if all ranks have returned true. */
bool ranks_by_threads(unsigned size, ranks_work work, const void *user);

/* The processes that mpirun has started; one rank without mpirun. A program that was built without MPI prints that, and
 * returns false. */
bool ranks_by_mpi(int *argc, char ***argv, ranks_work work, const void *user);

#endif
