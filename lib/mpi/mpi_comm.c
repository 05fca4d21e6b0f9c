// SPDX-License-Identifier: MIT
/* mpi_comm.c: a communicator whose ranks are MPI processes. It uses only the library's public interface. */
#include <clprim/mpi.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif
#if defined(MPICH) || (defined(OMPI_HAVE_MPI_EXT_FTMPI) && OMPI_HAVE_MPI_EXT_FTMPI)
#define CAN_REVOKE 1
#else
#define CAN_REVOKE 0
#endif

enum { TAG = 1, DEFAULT_MESSAGE = 1 << 30 };

/* The `user` of a communicator. */
typedef struct engine {
    MPI_Comm mpi;
    int rank, size;
    size_t max_message; /* in bytes */
    int *layout;        /* 4 numbers per rank: sizes and offsets of blocks, outgoing and incoming */
    MPI_Comm host;      /* a communicator with the same ranks, if all are on one host; otherwise MPI_COMM_NULL */
    MPI_Win window;     /* memory that the ranks of one host share; MPI_WIN_NULL: none yet */
    void *mine;         /* this rank's piece of it */
    size_t mine_size;
    uint64_t version; /* version of the window */
    bool is_revoked;
} engine;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Make writes to shared memory visible to the other ranks, after a collective call. */
static void sync_window(const engine *self)
{
    if (self->window != MPI_WIN_NULL)
        (void)MPI_Win_sync(self->window);
}

/* Gather in pieces: each piece has the bytes from `begin` on of each rank's block. */
static int all_gather(void *user, const void *mine, size_t bytes, void *all)
{
    const engine *self = user;
    int code = MPI_SUCCESS;
    sync_window(self);
    for (size_t begin = 0; begin < bytes && code == MPI_SUCCESS; begin += self->max_message) {
        const int piece = (int)least(bytes - begin, self->max_message);
        MPI_Datatype bytes_of_piece = MPI_DATATYPE_NULL, block = MPI_DATATYPE_NULL;
        code = MPI_Type_contiguous(piece, MPI_BYTE, &bytes_of_piece);
        if (code == MPI_SUCCESS)
            code = MPI_Type_create_resized(bytes_of_piece, 0, (MPI_Aint)bytes, &block);
        if (code == MPI_SUCCESS)
            code = MPI_Type_commit(&block);
        if (code == MPI_SUCCESS)
            code = MPI_Allgather((const char *)mine + begin, piece, MPI_BYTE, (char *)all + begin, 1, block, self->mpi);
        if (block != MPI_DATATYPE_NULL)
            (void)MPI_Type_free(&block);
        if (bytes_of_piece != MPI_DATATYPE_NULL)
            (void)MPI_Type_free(&bytes_of_piece);
    }
    sync_window(self);
    return code;
}

static int all_reduce_sum(void *user, uint64_t *sums, size_t count)
{
    const engine *self = user;
    const size_t most = self->max_message < 2 * sizeof *sums ? 1 : self->max_message / sizeof *sums;
    int code = MPI_SUCCESS;
    sync_window(self);
    for (size_t begin = 0; begin < count && code == MPI_SUCCESS; begin += most)
        code = MPI_Allreduce(MPI_IN_PLACE, sums + begin, (int)least(count - begin, most), MPI_UINT64_T, MPI_SUM,
                             self->mpi);
    sync_window(self);
    return code;
}

/* Compute sizes and offsets of one side's blocks for MPI_Alltoallv. Returns false if they do not fit int. */
static bool lay_out(const engine *self, int *sizes, int *places, const size_t *bytes)
{
    size_t place = 0;
    for (int r = 0; r < self->size; r++) {
        if (bytes[r] > self->max_message - place)
            return false;
        sizes[r] = (int)bytes[r];
        places[r] = (int)place;
        place += bytes[r];
    }
    return true;
}

/* Exchange a block with two ranks, in pieces: send one and receive one. They may have different sizes. */
static int send_receive(const engine *self, const char *out, size_t out_bytes, int to, char *in, size_t in_bytes,
                        int from)
{
    int code = MPI_SUCCESS;
    for (size_t begin = 0; (begin < out_bytes || begin < in_bytes) && code == MPI_SUCCESS; begin += self->max_message) {
        const bool sends = begin < out_bytes, receives = begin < in_bytes;
        code = MPI_Sendrecv(sends ? out + begin : NULL, sends ? (int)least(out_bytes - begin, self->max_message) : 0,
                            MPI_BYTE, sends ? to : MPI_PROC_NULL, TAG, receives ? in + begin : NULL,
                            receives ? (int)least(in_bytes - begin, self->max_message) : 0, MPI_BYTE,
                            receives ? from : MPI_PROC_NULL, TAG, self->mpi, MPI_STATUS_IGNORE);
    }
    return code;
}

static size_t before(const size_t *bytes, int rank)
{
    size_t sum = 0;
    for (int r = 0; r < rank; r++)
        sum += bytes[r];
    return sum;
}

/* Exchange blocks in steps. In step k, each rank sends to the rank k above it, and receives from the rank k below
 * it. */
static int exchange_by_pairs(const engine *self, const char *out, const size_t *out_bytes, char *in,
                             const size_t *in_bytes)
{
    int code = MPI_SUCCESS;
    if (out_bytes[self->rank] > 0)
        memcpy(in + before(in_bytes, self->rank), out + before(out_bytes, self->rank), out_bytes[self->rank]);
    for (int step = 1; step < self->size && code == MPI_SUCCESS; step++) {
        const int to = (int)(((unsigned)self->rank + (unsigned)step) % (unsigned)self->size);
        const int from = (int)(((unsigned)self->rank + (unsigned)(self->size - step)) % (unsigned)self->size);
        code = send_receive(self, out_bytes[to] > 0 ? out + before(out_bytes, to) : NULL, out_bytes[to], to,
                            in_bytes[from] > 0 ? in + before(in_bytes, from) : NULL, in_bytes[from], from);
    }
    return code;
}

/* MPI's own exchange counts in int. It is used only if that is enough on all ranks. */
static int all_to_all(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes)
{
    const engine *self = user;
    const size_t size = (size_t)self->size;
    int *sizes = self->layout;
    int is_large =
        !lay_out(self, sizes, sizes + size, out_bytes) || !lay_out(self, sizes + 2 * size, sizes + 3 * size, in_bytes);
    sync_window(self);
    int code = MPI_Allreduce(MPI_IN_PLACE, &is_large, 1, MPI_INT, MPI_MAX, self->mpi);
    if (code != MPI_SUCCESS)
        return code;
    code = is_large ? exchange_by_pairs(self, out, out_bytes, in, in_bytes)
                    : MPI_Alltoallv(out, sizes, sizes + size, MPI_BYTE, in, sizes + 2 * size, sizes + 3 * size,
                                    MPI_BYTE, self->mpi);
    sync_window(self);
    return code;
}

static void free_window(engine *self)
{
    if (self->window == MPI_WIN_NULL)
        return;
    (void)MPI_Win_unlock_all(self->window);
    (void)MPI_Win_free(&self->window);
    self->window = MPI_WIN_NULL;
    self->mine_size = 0;
}

/* Whether the host has room for the windows of all ranks. If it has not, Open MPI's ranks may wait for each other
 * forever, and MPICH's ranks are killed when they write to the window. */
static bool has_room(uint64_t bytes)
{
    struct statvfs there;
    if (statvfs("/dev/shm", &there) != 0)
        return true; /* this system keeps shared memory elsewhere */
    const uint64_t room = (uint64_t)there.f_bavail * there.f_frsize, spare = 1 << 20;
    return room > spare && bytes <= (room - spare) / 9 * 8;
}

static uint64_t num_windows; /* created by this process so far */

/* Create a window. Its errors are returned. Versions of MPI processes are odd; those of threads are even. */
static int make_window(engine *self, size_t bytes)
{
    MPI_Info info = MPI_INFO_NULL;
    int code = MPI_Info_create(&info);
    if (code == MPI_SUCCESS) /* so that each rank's memory has its own pages */
        (void)MPI_Info_set(info, "alloc_shared_noncontig", "true");
    if (code == MPI_SUCCESS)
        code = MPI_Win_allocate_shared((MPI_Aint)bytes, 1, info, self->host, &self->mine, &self->window);
    if (code != MPI_SUCCESS)
        self->window = MPI_WIN_NULL;
    if (code == MPI_SUCCESS)
        code = MPI_Win_set_errhandler(self->window, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Win_lock_all(MPI_MODE_NOCHECK, self->window);
    if (info != MPI_INFO_NULL)
        (void)MPI_Info_free(&info);
    self->mine_size = code == MPI_SUCCESS ? bytes : 0;
    self->version = 2 * __atomic_add_fetch(&num_windows, 1, __ATOMIC_RELAXED) + 1;
    return code;
}

/* If one rank needs more memory, the window grows on all ranks. */
static int share(void *user, size_t bytes, void **mine, const void **of_ranks, uint64_t *version)
{
    engine *self = user;
    const size_t wanted = bytes > self->mine_size ? bytes : self->mine_size > 0 ? self->mine_size : 1;
    const uint64_t most = INT64_MAX / (unsigned)self->size; /* so that the sum over all ranks does not overflow */
    uint64_t sums[2] = {self->window == MPI_WIN_NULL || bytes > self->mine_size, wanted < most ? wanted : most};
    int has_failed = 0;
    int code = all_reduce_sum(self, sums, 2);
    if (code == MPI_SUCCESS && sums[0] > 0) {
        free_window(self);
        has_failed = !has_room(sums[1]);
        code = MPI_Allreduce(MPI_IN_PLACE, &has_failed, 1, MPI_INT, MPI_MAX, self->mpi);
    }
    if (code == MPI_SUCCESS && sums[0] > 0 && !has_failed) {
        has_failed = make_window(self, wanted) != MPI_SUCCESS;
        code = MPI_Allreduce(MPI_IN_PLACE, &has_failed, 1, MPI_INT, MPI_MAX, self->mpi);
    }
    if (has_failed) { /* the window of some ranks cannot be freed: that is collective */
        self->window = MPI_WIN_NULL;
        self->mine_size = 0;
    }
    *mine = self->mine;
    *version = self->version;
    of_ranks[0] = NULL;
    for (int r = 0; r < self->size && code == MPI_SUCCESS && !has_failed; r++) {
        MPI_Aint size = 0;
        int unit = 1;
        void *there = NULL;
        code = MPI_Win_shared_query(self->window, r, &size, &unit, &there);
        of_ranks[r] = there;
    }
    return code;
}

#if CAN_REVOKE
static void revoke(void *user)
{
    engine *self = user;
    self->is_revoked = true;
    (void)MPIX_Comm_revoke(self->mpi);
    if (self->host != MPI_COMM_NULL)
        (void)MPIX_Comm_revoke(self->host);
}
#endif

/* The reason why MPI must not be called here and now; NULL: there is none. */
static const char *refusal(void)
{
    int is_initialized = 0, is_finalized = 0, level = MPI_THREAD_SINGLE, is_main = 0;
    (void)MPI_Initialized(&is_initialized);
    if (!is_initialized)
        return "MPI is not initialized: call MPI_Init first";
    (void)MPI_Finalized(&is_finalized);
    if (is_finalized)
        return "MPI is finalized";
    (void)MPI_Query_thread(&level);
    (void)MPI_Is_thread_main(&is_main);
    return level >= MPI_THREAD_SERIALIZED || is_main
               ? NULL
               : "this is not MPI's main thread: call MPI_Init_thread with MPI_THREAD_SERIALIZED or more";
}

static clprim_status fail(clprim_status status, const char *sentence)
{
    char text[256];
    (void)snprintf(text, sizeof text, "clprim_mpi_comm_create: %s", sentence);
    return clprim_comm_fail(status, text);
}

/* Create a communicator of the ranks on this host, in the same order, if all ranks are on this host. */
static bool find_host(engine *self)
{
    int size = 0;
    if (MPI_Comm_split_type(self->mpi, MPI_COMM_TYPE_SHARED, self->rank, MPI_INFO_NULL, &self->host) != MPI_SUCCESS ||
        MPI_Comm_size(self->host, &size) != MPI_SUCCESS)
        return false;
    if (size < self->size || size == 1)
        return MPI_Comm_free(&self->host) == MPI_SUCCESS;
    return MPI_Comm_set_errhandler(self->host, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

static clprim_status start(engine *self, MPI_Comm mpi)
{
    if (MPI_Comm_dup(mpi, &self->mpi) != MPI_SUCCESS)
        return fail(CLPRIM_COMM_FAILED, "MPI_Comm_dup failed");
    if (MPI_Comm_rank(self->mpi, &self->rank) != MPI_SUCCESS || MPI_Comm_size(self->mpi, &self->size) != MPI_SUCCESS)
        return fail(CLPRIM_COMM_FAILED, "MPI_Comm_rank or MPI_Comm_size failed");
    if (!find_host(self))
        return fail(CLPRIM_COMM_FAILED, "MPI_Comm_split_type failed");
    self->layout = calloc((size_t)self->size, 4 * sizeof *self->layout);
    return self->layout != NULL ? CLPRIM_SUCCESS : fail(CLPRIM_OUT_OF_MEMORY, "out of host memory");
}

static void clear(engine *self)
{
    if (self == NULL)
        return;
    if (!self->is_revoked) /* freeing the window waits for all ranks */
        free_window(self);
    if (self->host != MPI_COMM_NULL)
        (void)MPI_Comm_free(&self->host);
    if (self->mpi != MPI_COMM_NULL)
        (void)MPI_Comm_free(&self->mpi);
    free(self->layout);
    free(self);
}

clprim_status clprim_mpi_comm_create(clprim_comm *out, MPI_Comm mpi, const clprim_mpi_options *options)
{
    const size_t max_message = options != NULL && options->max_message != 0 ? options->max_message : DEFAULT_MESSAGE;
    const char *wrong = out == NULL             ? "out is NULL"
                        : max_message > INT_MAX ? "max_message is above 2^31 - 1"
                                                : refusal();
    if (wrong != NULL)
        return fail(CLPRIM_INVALID_ARGUMENT, wrong);
    if (mpi == MPI_COMM_NULL)
        return fail(CLPRIM_INVALID_ARGUMENT, "mpi is MPI_COMM_NULL");
    engine *self = calloc(1, sizeof *self);
    if (self == NULL)
        return fail(CLPRIM_OUT_OF_MEMORY, "out of host memory");
    self->mpi = MPI_COMM_NULL;
    self->host = MPI_COMM_NULL;
    self->window = MPI_WIN_NULL;
    self->max_message = max_message;
    const clprim_status status = start(self, mpi);
    if (status != CLPRIM_SUCCESS) {
        clear(self);
        return status;
    }
    *out = (clprim_comm){.rank = (unsigned)self->rank,
                         .size = (unsigned)self->size,
                         .user = self,
                         .all_gather = all_gather,
                         .all_reduce_sum = all_reduce_sum,
                         .all_to_all = all_to_all};
    if (self->host != MPI_COMM_NULL)
        out->share = share;
#if CAN_REVOKE
    out->abort = revoke;
#endif
    return CLPRIM_SUCCESS;
}

void clprim_mpi_comm_destroy(clprim_comm *comm)
{
    if (comm != NULL)
        clear(comm->user);
}
