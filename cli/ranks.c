// SPDX-License-Identifier: MIT
/* ranks.c: processes that mpirun started together. */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    unsigned rank, size;
    unsigned rank_on_host, size_on_host;
    clprim_comm comm;
    bool is_begun; /* whether MPI was initialised */
} self = {.size = 1, .size_on_host = 1};

/* The rank and the size, from the launcher's environment variables. */
typedef struct launch {
    bool is_there;
    unsigned size; /* 0: not known */
    unsigned rank;
} launch;

static unsigned number(const char *name)
{
    const char *text = name != NULL ? getenv(name) : NULL;
    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static launch find_launch(void)
{
    static const struct {
        const char *size, *rank;
    } launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}, {NULL, "PMIX_RANK"}};
    const char *wanted = getenv("CLPRIM_MPI");
    launch found = {false, 0, 0};
    if (wanted != NULL && strcmp(wanted, "off") == 0)
        return found;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !found.is_there; i++)
        if (getenv(launchers[i].rank) != NULL)
            found = (launch){true, number(launchers[i].size), number(launchers[i].rank)};
    return found;
}

/* Refuse before the ranks know each other: only the launcher's first rank writes the message. */
static cli_result refuse(const launch *by, const char *why)
{
    return by->rank > 0 ? CLI_REFUSED : cli_refuse(NULL, "started as one of %u ranks, but %s", by->size, why);
}

static cli_result check_wanted(const launch *by)
{
    const char *wanted = getenv("CLPRIM_MPI");
    if (wanted == NULL || wanted[0] == '\0' || strcmp(wanted, "on") == 0 || strcmp(wanted, "off") == 0)
        return CLI_OK;
    return by->rank > 0 ? CLI_REFUSED : cli_refuse(NULL, "CLPRIM_MPI must be \"on\" or \"off\", not \"%s\"", wanted);
}

unsigned ranks_rank(void)
{
    return self.rank;
}

unsigned ranks_size(void)
{
    return self.size;
}

unsigned ranks_rank_on_host(void)
{
    return self.rank_on_host;
}

unsigned ranks_size_on_host(void)
{
    return self.size_on_host;
}

const clprim_comm *ranks_comm(void)
{
    return &self.comm;
}

size_t ranks_first(size_t count, unsigned rank)
{
    return count / self.size * rank + count % self.size * rank / self.size;
}

#if CLPRIM_CLI_MPI
#include <clprim/mpi.h>

static uint64_t digest(int argc, char **argv)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (int i = 1; i < argc; i++)
        for (size_t j = 0; j <= strlen(argv[i]); j++) /* including the terminating zero */
            hash = (hash ^ (unsigned char)argv[i][j]) * 0x100000001b3;
    return hash;
}

static void look_around(void)
{
    MPI_Comm host;
    int rank = 0, size = 1;
    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    (void)MPI_Comm_rank(host, &rank);
    (void)MPI_Comm_size(host, &size);
    (void)MPI_Comm_free(&host);
    self.rank_on_host = (unsigned)rank;
    self.size_on_host = (unsigned)size;
}

static cli_result join(void)
{
    int rank = 0, size = 1;
    cli_result result = CLI_OK;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1)
        return CLI_OK;
    self.rank = (unsigned)rank;
    self.size = (unsigned)size;
    cli_speak_as_rank(self.rank);
    look_around();
    if (rank > 0 && freopen("/dev/null", "w", stdout) == NULL)
        result = cli_refuse("/dev/null", "cannot be written");
    if (clprim_mpi_comm_create(&self.comm, MPI_COMM_WORLD, NULL) != CLPRIM_SUCCESS)
        result = cli_fail("MPI", "%s", clprim_last_error());
    result = ranks_agree(result);
    if (result != CLI_OK)
        self.comm.user = NULL; /* collective, and not all ranks may have a communicator */
    return result;
}

cli_result ranks_begin(int argc, char **argv)
{
    const launch by = find_launch();
    cli_result result = CLI_OK;
    int level = MPI_THREAD_SINGLE;
    CLI_TRY(check_wanted(&by));
    if (!by.is_there || by.size == 1)
        return CLI_OK;
    (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    self.is_begun = true;
    CLI_TRY(join());
    if (by.size > 0 && by.size != self.size)
        result = refuse(&by, "its MPI is not the launcher's; it works with the MPI that it was built with");
    else if (!ranks_are_same(digest(argc, argv)))
        result = ranks_agree(cli_refuse(NULL, "the ranks were started with different command lines"));
done:
    return result;
}

void ranks_end(void)
{
    if (self.comm.user != NULL)
        clprim_mpi_comm_destroy(&self.comm);
    if (self.is_begun)
        (void)MPI_Finalize();
}

cli_result ranks_agree(cli_result mine)
{
    struct {
        int result, rank;
    } worst = {(int)mine, (int)self.rank};
    if (self.size == 1)
        return mine;
    (void)MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.result != (int)CLI_OK)
        cli_end_kept(worst.rank == (int)self.rank);
    return (cli_result)worst.result;
}

bool ranks_are_same(uint64_t number_here)
{
    uint64_t most[2] = {number_here, ~number_here};
    if (self.size > 1)
        (void)MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most[0] == ~most[1];
}

void ranks_broadcast(unsigned from, void *bytes, size_t size)
{
    if (self.size > 1)
        (void)MPI_Bcast(bytes, (int)size, MPI_BYTE, (int)from, MPI_COMM_WORLD);
}

void ranks_add(uint64_t *numbers, size_t count)
{
    if (self.size > 1)
        (void)MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}
#else
cli_result ranks_begin(int argc, char **argv)
{
    const launch by = find_launch();
    const cli_result result = check_wanted(&by);
    (void)argc, (void)argv;
    return result != CLI_OK ? result : by.size > 1 ? refuse(&by, "built without MPI") : CLI_OK;
}

void ranks_end(void)
{
}

cli_result ranks_agree(cli_result mine)
{
    return mine;
}

bool ranks_are_same(uint64_t number_here)
{
    (void)number_here;
    return true;
}

void ranks_broadcast(unsigned from, void *bytes, size_t size)
{
    (void)from, (void)bytes, (void)size;
}

void ranks_add(uint64_t *numbers, size_t count)
{
    (void)numbers, (void)count;
}
#endif
