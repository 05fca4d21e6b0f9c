// SPDX-License-Identifier: MIT
/* ranks.h: processes that mpirun started together. Each of them is a rank, which handles its piece of the file.
 *
 * If the tool was not started by mpirun, or as a single process, there is one rank. MPI is then not called, and the
 * collective functions below do nothing. Errors of MPI itself end all ranks. */
#ifndef CLPRIM_CLI_RANKS_H
#define CLPRIM_CLI_RANKS_H

#include <clprim/comm.h>

#include "cli.h"

/* Join the other ranks. From then on, only rank 0 writes to standard output, and messages of cli_refuse and cli_fail
 * are kept until ranks_agree. Call ranks_end even after an error. */
cli_result ranks_begin(int argc, char **argv);
void ranks_end(void);

unsigned ranks_rank(void); /* 0 to ranks_size() - 1 */
unsigned ranks_size(void);
/* The same among the ranks on this host. */
unsigned ranks_rank_on_host(void);
unsigned ranks_size_on_host(void);

/* A communicator for distributed operations of the library, if there are several ranks. */
const clprim_comm *ranks_comm(void);

/* floor(count * rank / ranks_size()): the beginning of a rank's piece of `count` elements. */
size_t ranks_first(size_t count, unsigned rank);

/* Collective: returns CLI_OK if all ranks pass it. Otherwise returns the largest result on all ranks, and the lowest
 * rank with that result writes its message. If a step may fail on a single rank, agree on it before the next collective
 * step, so that no rank waits forever. */
cli_result ranks_agree(cli_result mine);

/* Collective: whether all ranks pass the same number. */
bool ranks_are_same(uint64_t number);

/* Collective: all ranks receive the bytes of rank `from`. */
void ranks_broadcast(unsigned from, void *bytes, size_t size);

/* Collective: numbers[i] becomes the sum of all ranks' numbers[i], modulo 2^64. */
void ranks_add(uint64_t *numbers, size_t count);

#endif
