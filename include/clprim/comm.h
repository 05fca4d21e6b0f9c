// SPDX-License-Identifier: MIT
/* clprim/comm.h: how the ranks of a distributed operation (clprim/distributed.h) exchange data.
 *
 * A rank is a thread or a process that has a part of each array and a device to work on it. Ranks are numbered from 0
 * to size - 1. The library has two implementations of clprim_comm:
 *
 *     threads of one process      clprim_comm_threads_create(), below
 *     processes, through MPI      clprim/mpi.h
 *
 * An application with its own communication layer fills in the callbacks itself. */
#ifndef CLPRIM_COMM_H
#define CLPRIM_COMM_H

#include <stddef.h>
#include <stdint.h>

#include <clprim/export.h>
#include <clprim/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A communicator: one rank's access to all ranks.
 *
 * Every callback except .abort is collective: all ranks call it, in the same order, and with the same sizes unless its
 * description says otherwise. It returns when the caller may use its arrays again. It returns 0 on success, and any
 * other value on failure.
 *
 * If a callback fails on a rank, that rank calls .abort, if there is one, and the operation returns
 * CLPRIM_COMM_FAILED. The implementation must then make the pending or the next calls of the other ranks fail, too.
 * Otherwise they wait forever. */
typedef struct clprim_comm {
    /* This rank, 0 to size - 1. */
    unsigned rank;

    /* Number of ranks. At least 1. */
    unsigned size;

    /* Passed to all callbacks. */
    void *user;

    /* Copy `bytes` bytes from each rank to all[0 .. size * bytes) on all ranks, in the order of the ranks. */
    int (*all_gather)(void *user, const void *mine, size_t bytes, void *all);

    /* Replace sums[i] on all ranks with the sum of sums[i] over all ranks, modulo 2^64. */
    int (*all_reduce_sum)(void *user, uint64_t *sums, size_t count);

    /* Send a block to each rank. `out` holds the blocks for ranks 0, 1, 2 and so on, without gaps; out_bytes[r] is the
     * size of the block for rank r, in bytes. `in` receives the blocks from ranks 0, 1, 2 and so on in the same layout;
     * in_bytes[r] is the size of the block from rank r, in bytes. A block may be empty, or larger than 2 GiB. `out` or
     * `in` may be NULL if all its blocks are empty. */
    int (*all_to_all)(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes);

    /* Make all collective calls fail in which other ranks are waiting, and all later calls. A rank whose callback
     * failed calls .abort, at most once per operation. NULL: the implementation aborts by itself, or cannot. */
    void (*abort)(void *user);

    /* Allocate memory that all other ranks can read directly, which is possible only if all ranks are on one host.
     * NULL: there is no such memory.
     *
     * Each rank asks for `bytes` bytes; ranks may ask for different sizes. The memory is aligned like that of malloc.
     * The rank writes to its own memory at *mine, and reads that of rank r at of_ranks[r]. Everything that a rank wrote
     * before it called a collective callback is visible to the others when that callback returns. The memory is valid
     * until the next call of .share, or until the communicator is destroyed. If one rank cannot get its memory,
     * of_ranks[0] is NULL on all ranks.
     *
     * Sorts use this memory if devices have their own memory. They then send no elements: each rank reads what the
     * others have sorted.
     *
     * *version identifies the memory. A later call may return the same number only if the memory of all ranks is the
     * same as before, and no other communicator of this process may return it. The numbers of the library's
     * communicators are below 2^63. When a runtime gets a number for the second time, it pins the memory of all ranks
     * (of each that has at least 8 MiB), so that its device transfers it at the full speed of the link. Memory that
     * begins and ends with a page is best: nothing else is pinned with it then. The memory stays pinned until the
     * runtime gets another number, needs more, or is trimmed or destroyed, and is not given back to the system before.
     * So trim or destroy runtimes before the communicator. *version is 0 before the call; 0 means that the memory is
     * never pinned. */
    int (*share)(void *user, size_t bytes, void **mine, const void **of_ranks, uint64_t *version);
} clprim_comm;

/* For functions that make communicators: let clprim_last_error() return a copy of `sentence` in this thread.
 * Returns `status`. */
CLPRIM_API clprim_status clprim_comm_fail(clprim_status status, const char *sentence);

/* Make `size` communicators, comms[0 .. size), for `size` threads of this process; comms[r] is rank r. Each thread uses
 * one of them, for one operation at a time. Each thread may have its own runtime, perhaps on its own device, or all may
 * share one runtime. Arrays are copied directly between the threads' memory.
 *
 * After .abort, all calls fail in which other threads are waiting, and all later calls. Destroy the communicators then.
 *
 * On failure `comms` is untouched.
 * Errors: CLPRIM_INVALID_ARGUMENT (comms is NULL, or size is 0), CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_comm_threads_create(clprim_comm *comms, unsigned size);

/* Destroy all communicators that clprim_comm_threads_create wrote to `comms`. No thread may be in a call. NULL
 * is allowed. */
CLPRIM_API void clprim_comm_threads_destroy(clprim_comm *comms);

#ifdef __cplusplus
}
#endif
#endif
