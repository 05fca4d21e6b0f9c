/* clprim/mpi.h: distributed operations (clprim/distributed.h) over MPI. Each process is a rank, with a device of its
 * own.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *     clprim_comm comm;
 *     clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, NULL);
 *     clprim_distributed_radix_sort(&comm, runtime, &desc, &call, NULL, NULL);
 *     clprim_mpi_comm_destroy(&comm);
 *     MPI_Finalize();
 *
 * This is a library of its own, clprim_mpi: CMake's target is clprim::mpi (find_package(clprim COMPONENTS mpi)),
 * pkg-config's module clprim-mpi, to be compiled with mpicc. It is built where CMake finds MPI, of any implementation
 * with MPI 3.0, and works with the implementation that it was built with.
 *
 * Sizes. Messages may have any size: those of more than 1 GiB are sent in parts.
 *
 * Threads. MPI is called by the thread that calls the operation, and by no other. If that is the main thread, ask for
 * MPI_THREAD_FUNNELED; otherwise for MPI_THREAD_SERIALIZED. MPI_Init asks for MPI_THREAD_SINGLE, which the standard
 * means for processes with one thread, and OpenCL drivers have threads of their own. These never call MPI, so the main
 * thread is not refused with MPI_THREAD_SINGLE either, and Open MPI works with it.
 *
 * Errors. What fails on one rank, other than MPI itself, is agreed by all ranks, and MPI can be used as before. An
 * error of MPI is treated as the communicator's error handler says. The default, MPI_ERRORS_ARE_FATAL, ends all
 * processes, also if another process has died; mpirun says which one, and why. With MPI_ERRORS_RETURN the operation
 * returns CLPRIM_COMM_FAILED on the rank where it occurred. The other ranks get CLPRIM_COMM_FAILED, too, if MPI can
 * revoke a communicator (ULFM: MPIX_Comm_revoke). Without ULFM they may wait forever for the rank that has failed: call
 * MPI_Abort after CLPRIM_COMM_FAILED. */
#ifndef CLPRIM_MPI_H
#define CLPRIM_MPI_H

#include <clprim/comm.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to use MPI. Zeroed: the defaults. */
typedef struct clprim_mpi_options {
    size_t max_message; /* largest message, in bytes: at most 2^31 - 1. Default: 2^30. Larger ones are sent in parts */
} clprim_mpi_options;

/* Make *out of a duplicate of `mpi` (MPI_Comm_dup), so that messages of the library meet no others. Collective: all
 * ranks of `mpi` call it, with the same options; options NULL: zeroed. On failure *out is untouched. Errors:
 * CLPRIM_INVALID_ARGUMENT (NULL, a max_message that is too large, MPI is not initialized or already finalized, or
 * this is not the main thread and MPI was initialized for MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED),
 * CLPRIM_OUT_OF_MEMORY, CLPRIM_COMM_FAILED (MPI_Comm_dup, MPI_Comm_split_type).
 *
 * Where all ranks are on one host and all devices have memory of their own, sorts share memory (clprim_comm's .share):
 * a window of MPI, on Linux in /dev/shm, as large as the largest sort so far needs. It is kept until the communicator
 * is destroyed. Without enough room there, sorts send messages. */
clprim_status clprim_mpi_comm_create(clprim_comm *out, MPI_Comm mpi, const clprim_mpi_options *options);

/* Free the duplicate and the shared memory, before MPI_Finalize. Collective: it waits for all ranks. NULL is allowed. */
void clprim_mpi_comm_destroy(clprim_comm *comm);

#ifdef __cplusplus
}
#endif
#endif
