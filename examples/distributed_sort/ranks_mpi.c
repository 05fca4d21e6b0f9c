// SPDX-License-Identifier: MIT
/* ranks_mpi.c: ranks that are MPI's processes. */
#include <stdio.h>

#include "ranks.h"

#if defined(EXAMPLE_WITH_MPI)

#include <clprim/mpi.h>

/* This process's number among those on the same machine. */
static unsigned place_on_machine(void)
{
    MPI_Comm machine;
    int place = 0;
    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    (void)MPI_Comm_rank(machine, &place);
    (void)MPI_Comm_free(&machine);
    return (unsigned)place;
}

bool ranks_by_mpi(int *argc, char ***argv, ranks_work work, const void *user)
{
    clprim_comm comm;
    int level = 0; /* OpenCL's driver has threads of its own, but only this thread calls MPI: FUNNELED */
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        fprintf(stderr, "ranks: MPI_Init_thread failed\n");
        return false;
    }
    if (clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, NULL) != CLPRIM_SUCCESS) {
        fprintf(stderr, "ranks: %s\n", clprim_last_error());
        (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const bool is_well = work(&comm, place_on_machine(), user);
    clprim_mpi_comm_destroy(&comm);
    (void)MPI_Finalize();
    return is_well;
}

#else

bool ranks_by_mpi(int *argc, char ***argv, ranks_work work, const void *user)
{
    (void)argc, (void)argv, (void)work, (void)user;
    fprintf(stderr, "ranks: built without MPI: say how many ranks by --threads COUNT\n");
    return false;
}

#endif
