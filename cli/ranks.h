/* ranks.h: the processes that mpirun started together. Each of them is a rank, which takes its part of the file.
 *
 * A tool that was not started by mpirun, or as one process, is one rank: nothing of MPI is called, and what is
 * collective below does nothing. Errors of MPI itself end all ranks. */
#ifndef CLPRIM_CLI_RANKS_H
#define CLPRIM_CLI_RANKS_H

#include <clprim/comm.h>

#include "cli.h"

/* Join the other ranks. From then on standard output is rank 0's alone, and what cli_refuse and cli_fail say waits for
 * ranks_agree. To be ended in any case. */
cli_result ranks_begin(int argc, char **argv);
void ranks_end(void);

unsigned ranks_rank(void); /* 0 to ranks_size() - 1 */
unsigned ranks_size(void);
/* The same among the ranks on this host. */
unsigned ranks_rank_on_host(void);
unsigned ranks_size_on_host(void);

/* For distributed operations of the library, where there are several ranks. */
const clprim_comm *ranks_comm(void);

/* floor(count * rank / ranks_size()): where a rank's part of so many elements begins. */
size_t ranks_first(size_t count, unsigned rank);

/* Collective: CLI_OK if all ranks have that. Otherwise the largest result, on all ranks; the lowest rank that has it
 * says why. A step that may fail on one rank alone is agreed on before the next collective step, so that nobody waits. */
cli_result ranks_agree(cli_result mine);

/* Collective: is the number the same on all ranks? */
bool ranks_are_same(uint64_t number);

/* Collective: the bytes of rank `from` on all ranks. */
void ranks_broadcast(unsigned from, void *bytes, size_t size);

/* Collective: numbers[i] is the sum of all ranks' numbers[i] afterwards, modulo 2^64. */
void ranks_add(uint64_t *numbers, size_t count);

#endif
