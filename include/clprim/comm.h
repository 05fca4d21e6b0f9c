/* clprim/comm.h: how the ranks of a distributed operation (clprim/distributed.h) exchange data.
 *
 * A rank is a thread or a process that has a part of each array, and a device to work on it. Ranks are numbered from
 * 0 to size - 1. Two implementations of clprim_comm exist:
 *
 *     threads of one process      clprim_comm_threads_create(), below
 *     processes, through MPI      clprim/mpi.h
 *
 * An application with an engine of its own fills in the callbacks itself. */
#ifndef CLPRIM_COMM_H
#define CLPRIM_COMM_H

#include <stddef.h>
#include <stdint.h>

#include <clprim/export.h>
#include <clprim/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One rank's view of all ranks. Every callback but .abort is collective: all ranks call it, in the same order and
 * with the same sizes unless it says otherwise, and it returns when the caller's arrays may be used again. It returns
 * 0, or a code of the engine's own if it failed.
 *
 * A rank whose callback fails calls .abort, if there is one, and the operation returns CLPRIM_COMM_FAILED. What
 * happens on the other ranks is up to the engine: a failure must reach them, as a failure of their own call or of a
 * later one, or they wait forever. */
typedef struct clprim_comm {
    unsigned rank; /* of the caller, 0 to size - 1 */
    unsigned size; /* number of ranks, at least 1 */
    void *user;    /* passed to all callbacks */

    /* Copy `bytes` bytes of each rank into all[0 .. size * bytes), in the order of the ranks. */
    int (*all_gather)(void *user, const void *mine, size_t bytes, void *all);

    /* Replace sums[i] on all ranks by the sum of sums[i] over all ranks, modulo 2^64. */
    int (*all_reduce_sum)(void *user, uint64_t *sums, size_t count);

    /* Send a block to each rank. `out` holds the blocks for ranks 0, 1, 2 and so on, one after the other without
     * gaps; out_bytes[r] is the size of the block for rank r, in bytes. `in` receives the blocks of ranks 0, 1, 2 and
     * so on in the same layout; in_bytes[r] is the size of the block from rank r. Blocks may be empty, and larger
     * than 2 GiB. `out` or `in` may be NULL if all of its blocks are empty. */
    int (*all_to_all)(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes);

    /* Make the collective calls fail that other ranks wait in, and all later ones. Called at most once per operation,
     * by a rank whose callback failed. NULL: the engine does that by itself, or cannot. */
    void (*abort)(void *user);

    /* Memory that the other ranks read where it is; only where all ranks are on one host. Give each rank at least the
     * `bytes` bytes that it asks for (ranks may ask for different sizes), aligned as by malloc: *mine is where it
     * writes them, and of_ranks[r] is where it reads those of rank r. The memory stays until the next call of .share,
     * or until the communicator is destroyed. What a rank wrote before any collective callback returns, the others see
     * after it. If there is not enough memory on one of the ranks, of_ranks[0] is NULL on all. With it, sorts on
     * devices with memory of their own send nothing from rank to rank, and each device reads what the others have
     * sorted. NULL: there is none. */
    int (*share)(void *user, size_t bytes, void **mine, const void **of_ranks);
} clprim_comm;

/* For functions that make communicators: make `sentence` what clprim_last_error() says in this thread. Returns
 * `status`. */
CLPRIM_API clprim_status clprim_comm_fail(clprim_status status, const char *sentence);

/* Make `size` communicators, comms[0 .. size), for as many threads of this process. Each thread uses one of them, at
 * one time for one operation; comms[r] is rank r. Arrays are copied directly from one thread's memory to the other's.
 * Each thread may have a runtime of its own, perhaps on a device of its own, or all of them may share one. .abort
 * makes the call fail that other threads wait in, and all later calls: destroy the communicators then. On failure
 * nothing is written. Errors: CLPRIM_INVALID_ARGUMENT (comms is NULL, or size is 0), CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_comm_threads_create(clprim_comm *comms, unsigned size);

/* Destroy what clprim_comm_threads_create made; comms is the array that it filled in. NULL is allowed. No thread may be
 * in a call. */
CLPRIM_API void clprim_comm_threads_destroy(clprim_comm *comms);

#ifdef __cplusplus
}
#endif
#endif
