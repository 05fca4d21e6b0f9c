// SPDX-License-Identifier: MIT
/* mpi.c: the sum of one number per process, as a user of clprim::mpi writes it. */
#include <clprim/distributed.h>
#include <clprim/mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    clprim_comm comm;
    int32_t mine = 5, sum = 0;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, NULL) != CLPRIM_SUCCESS)
        return 1;
    const clprim_reduce_call call = {.in = {.host = &mine}, .count = 1, .out = {.host = &sum}};
    const clprim_status status = clprim_distributed_reduce(&comm, NULL, NULL, &call);
    if (status != CLPRIM_SUCCESS)
        fprintf(stderr, "%s\n", clprim_last_error());
    const int is_right = status == CLPRIM_SUCCESS && sum == 5 * (int32_t)comm.size;
    clprim_mpi_comm_destroy(&comm);
    (void)MPI_Finalize();
    return !is_right;
}
