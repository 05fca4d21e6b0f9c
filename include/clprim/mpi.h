// SPDX-License-Identifier: MIT
/* clprim/mpi.h: distributed operations (clprim/distributed.h) over MPI. Each process is a rank with its own device.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *     clprim_comm comm;
 *     clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, NULL);
 *     clprim_distributed_radix_sort(&comm, runtime, &desc, &call, NULL, NULL);
 *     clprim_mpi_comm_destroy(&comm);
 *     MPI_Finalize();
 *
 * Library. This is a separate library, clprim_mpi. In CMake, link clprim::mpi (find_package(clprim COMPONENTS mpi)).
 * With pkg-config, use the module clprim-mpi and compile with mpicc. The library is built if CMake finds MPI 3.0, of
 * any implementation. It works only with the implementation that it was built with.
 *
 * Sizes. Messages may have any size. By default, a message of more than 1 GiB is sent in pieces.
 *
 * Threads. Only the thread that calls the operation calls MPI. If that is the main thread, initialize MPI with
 * MPI_THREAD_FUNNELED, otherwise with MPI_THREAD_SERIALIZED. MPI_Init alone asks for MPI_THREAD_SINGLE. The standard
 * intends that for processes with one thread, but OpenCL drivers have their own threads. These never call MPI, so the
 * main thread may also use MPI_THREAD_SINGLE; this works with Open MPI.
 *
 * Errors. If something other than MPI fails on one rank, the operation fails on all ranks, and MPI can still be used.
 * The communicator's error handler handles errors of MPI:
 * - MPI_ERRORS_ARE_FATAL, the default, ends all processes, even if another process died. mpirun reports which one,
 *   and why.
 * - With MPI_ERRORS_RETURN, the operation returns CLPRIM_COMM_FAILED on the rank where the error occurred. If MPI can
 *   revoke a communicator (ULFM: MPIX_Comm_revoke), the other ranks get CLPRIM_COMM_FAILED too. Without ULFM they may
 *   wait forever for the failed rank: call MPI_Abort after CLPRIM_COMM_FAILED. */
#ifndef CLPRIM_MPI_H
#define CLPRIM_MPI_H

#include <clprim/comm.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to use MPI. Zeroed: the default. */
typedef struct clprim_mpi_options {
    /* Size of the largest message, in bytes, at most 2^31 - 1. Larger messages are sent in pieces. Default: 0 (2^30). */
    size_t max_message;
} clprim_mpi_options;

/* Make a communicator from a duplicate of `mpi` (MPI_Comm_dup), which keeps the library's messages apart from all
 * others. Collective: all ranks of `mpi` call it, with the same options. NULL options mean zeroed ones. On failure *out
 * is untouched.
 *
 * If all ranks are on one host and all devices have their own memory, sorts share memory (.share of clprim_comm): an
 * MPI window, on Linux in /dev/shm, as large as the largest sort so far needs. The communicator keeps it until it is
 * destroyed. If there is not enough memory, sorts send messages.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT: `out` is NULL; .max_message is too large; MPI is not initialized, or already finalized; or
 *   this is not the main thread, and MPI was initialized with MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED.
 * - CLPRIM_COMM_FAILED: MPI_Comm_dup or MPI_Comm_split_type failed.
 * - CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim_mpi_comm_create(clprim_comm *out, MPI_Comm mpi, const clprim_mpi_options *options);

/* Free the duplicate and the shared memory. Call it before MPI_Finalize. Collective: it waits for all ranks. NULL
 * is allowed. */
void clprim_mpi_comm_destroy(clprim_comm *comm);

#ifdef __cplusplus
}
#endif
#endif
