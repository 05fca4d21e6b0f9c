// SPDX-License-Identifier: MIT
/* mpi.c: operations on arrays in pieces, in several processes: a plain program for mpirun. Each rank compares its piece.
 * Then all ranks repeat the cases with messages that are sent in small pieces, as large messages are. With an argument,
 * the program runs only groups of cases whose names begin with it. */
#include <clprim/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* The number of ranks that report an error. They print it. */
static int failures(const char *sentence)
{
    int failed = sentence[0] != '\0';
    if (failed)
        fprintf(stderr, "%s\n", sentence);
    (void)MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failed;
}

static int run_groups(clprim_runtime *runtime, size_t max_message, const char *beginning)
{
    clprim_comm comm;
    const clprim_mpi_options options = {.max_message = max_message};
    cases_rank self = {.comm = &comm, .runtime = runtime};
    if (clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, &options) != CLPRIM_SUCCESS)
        return failures(clprim_last_error());
    for (size_t i = 0; i < cases_num_groups; i++) {
        if (strncmp(cases_groups[i].name, beginning, strlen(beginning)) != 0)
            continue;
        cases_groups[i].run(&self);
        if (failures(self.message) > 0)
            return 1;
    }
    clprim_mpi_comm_destroy(&comm);
    return 0;
}

/* Arguments that clprim_mpi_comm_create refuses, on all ranks. */
static const char *check_refusals(void)
{
    clprim_comm comm;
    const clprim_mpi_options too_large = {.max_message = (size_t)1 << 31};
    return clprim_mpi_comm_create(NULL, MPI_COMM_WORLD, NULL) != CLPRIM_INVALID_ARGUMENT ||
                   strstr(clprim_last_error(), "out is NULL") == NULL
               ? "out NULL is not refused"
           : clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, &too_large) != CLPRIM_INVALID_ARGUMENT
               ? "a max_message of 2^31 is not refused"
           : clprim_mpi_comm_create(&comm, MPI_COMM_NULL, NULL) != CLPRIM_INVALID_ARGUMENT
               ? "MPI_COMM_NULL is not refused"
               : "";
}

/* On devices with memory of their own: sorts in pieces, from and to memory that all ranks can read; and arguments, which
 * must not be read past their length. */
static int run_on_own_memory(void)
{
    clprim_runtime *runtime = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    (void)setenv("CLPRIM_WITHOUT", "unified_memory,native_kernels", 1);
    status = clprim_runtime_create(&runtime, NULL);
    if (status == CLPRIM_SUCCESS)
        status = clprim_runtime_set_run_limits(runtime, &(const clprim_run_limits){.device_memory = 8 << 10});
    int failed = failures(status != CLPRIM_SUCCESS ? clprim_last_error() : "");
    if (failed == 0)
        failed = run_groups(runtime, 0, "sort");
    if (failed == 0)
        failed = run_groups(runtime, 0, "arguments");
    clprim_runtime_destroy(runtime);
    return failed;
}

int main(int argc, char **argv)
{
    static const size_t limits[] = {0, 1000};
    clprim_comm early;
    clprim_runtime *runtime = NULL;
    const clprim_status status = clprim_mpi_comm_create(&early, MPI_COMM_WORLD, NULL);
    const int is_refused = status == CLPRIM_INVALID_ARGUMENT && strstr(clprim_last_error(), "not initialized") != NULL;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    int failed = failures(is_refused ? "" : "before MPI_Init it is not refused");
    failed += failures(check_refusals());
    if (failures(clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS ? clprim_last_error() : "") > 0)
        failed = 1;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0] && failed == 0; i++)
        failed = run_groups(runtime, limits[i], argc > 1 ? argv[1] : "");
    clprim_runtime_destroy(runtime);
    if (failed == 0 && argc == 1)
        failed = run_on_own_memory();
    (void)MPI_Finalize();
    return failed != 0;
}
