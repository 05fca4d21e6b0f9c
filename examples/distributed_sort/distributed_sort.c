// SPDX-License-Identifier: MIT
/* distributed_sort.c: sort keys that lie in pieces on several ranks, which are MPI's processes or threads. README.md
 * says what to look for. */
#include <clprim/clprim.h>
#include <clprim/distributed.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "keys.h"
#include "ranks.h"

static const char USAGE[] = "Sort keys that lie in pieces on ranks: MPI's processes (mpirun), or threads.\n"
                            "distributed_sort [OPTIONS] [FILE]\n"
                            "  FILE             u32 keys, of which each rank reads its piece; default: random keys\n"
                            "  --n COUNT        so many random keys per rank; default 2^20\n"
                            "  --threads COUNT  so many threads instead of MPI's processes\n"
                            "  --check          100000 keys per rank, sorted once\n"
                            "  --help           this\n"
                            "Each rank takes one of its machine's GPUs. CLPRIM_DEVICE=cpu|gpu|INDEX|NAME in the\n"
                            "environment chooses the device instead.\n"
                            "Exit status: 0; 1 where the result is wrong or a call failed; 2 for a bad command line.\n";

enum { REPEATS = 5, MOST_THREADS = 1024 };

typedef struct settings {
    const char *file; /* NULL: random keys */
    size_t n;         /* of these, per rank */
    size_t threads;   /* 0: by MPI */
    int repeats;
    bool help;
} settings;

/* One rank. */
typedef struct rank {
    const clprim_comm *comm;
    const settings *options;
    clprim_runtime *runtime;
    uint64_t first; /* number of the first key of its piece */
    size_t count;
    uint32_t *keys, *sorted;
    double seconds[REPEATS];
} rank;

/* Whether it is so on all ranks. No rank goes on, and waits for others, if one of them has given up. */
static bool agree(const clprim_comm *comm, bool is_well)
{
    uint64_t failed = !is_well;
    return comm->all_reduce_sum(comm->user, &failed, 1) == 0 && failed == 0;
}

static bool fail(const rank *self, const char *sentence)
{
    fprintf(stderr, "distributed_sort: rank %u: %s\n", self->comm->rank, sentence);
    return false;
}

static bool make_keys(rank *self)
{
    const settings *options = self->options;
    const unsigned number = self->comm->rank, size = self->comm->size;
    uint64_t total = 0;
    self->first = (uint64_t)number * options->n;
    self->count = options->n;
    if (options->file != NULL) {
        if (!keys_in_file(options->file, &total))
            return false;
        self->first = total / size * number + total % size * number / size;
        self->count = (size_t)(total / size * (number + 1) + total % size * (number + 1) / size - self->first);
    }
    self->keys = malloc(self->count * sizeof *self->keys + 1);
    self->sorted = malloc(self->count * sizeof *self->sorted + 1);
    if (self->keys == NULL || self->sorted == NULL)
        return fail(self, "no memory for its keys");
    if (options->file != NULL)
        return keys_read(options->file, self->first, self->count, self->keys);
    keys_generate(self->first, self->count, self->keys);
    return true;
}

static double now(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* All ranks return the same: the library agrees on errors. All know the sentence, and rank 0 prints it. */
static bool sort(rank *self)
{
    const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U32};
    const clprim_radix_sort_call call = {
        .keys_in = {.host = self->keys}, .count = self->count, .keys_out = {.host = self->sorted}};
    const clprim_status status = clprim_distributed_radix_sort(self->comm, self->runtime, &desc, &call, NULL, NULL);
    if (status != CLPRIM_SUCCESS && (self->comm->rank == 0 || status == CLPRIM_COMM_FAILED))
        fprintf(stderr, "distributed_sort: %s\n", clprim_last_error());
    return status == CLPRIM_SUCCESS;
}

/* From when all ranks begin until all have ended. The first sort, which compiles kernels, is not timed. */
static bool sort_often(rank *self)
{
    for (int i = -1; i < self->options->repeats; i++) {
        if (!agree(self->comm, true))
            return false;
        const double begin = now();
        if (!sort(self) || !agree(self->comm, true))
            return false;
        if (i >= 0)
            self->seconds[i] = now() - begin;
    }
    return true;
}

/* Each rank in its turn. */
static void print_ranks(const rank *self)
{
    for (unsigned r = 0; r < self->comm->size; r++) {
        if (r == self->comm->rank) {
            printf("Rank %u:  %s, %zu keys\n", r, clprim_runtime_info(self->runtime)->name, self->count);
            (void)fflush(stdout);
        }
        (void)agree(self->comm, true);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(rank *self, uint64_t count)
{
    const int repeats = self->options->repeats;
    if (repeats == 0)
        return;
    qsort(self->seconds, (size_t)repeats, sizeof *self->seconds, compare);
    const double median = self->seconds[repeats / 2];
    printf("Time:    %.3g ms (%.3g to %.3g, %d sorts), %.4g million keys a second, %.4g per rank\n", 1e3 * median,
           1e3 * self->seconds[0], 1e3 * self->seconds[repeats - 1], repeats, 1e-6 * (double)count / median,
           1e-6 * (double)count / median / self->comm->size);
}

static bool sort_and_check(rank *self)
{
    keys_summary before, after;
    bool are_sorted = false;
    if (!keys_summarise(self->comm, self->keys, self->count, &before) || !sort_often(self) ||
        !keys_summarise(self->comm, self->sorted, self->count, &after) ||
        !keys_are_sorted(self->comm, self->sorted, self->count, &are_sorted))
        return false;
    const bool is_right = are_sorted && before.count == after.count && before.hash == after.hash;
    if (self->comm->rank == 0) {
        printf("Keys:    %llu on %u ranks\n", (unsigned long long)before.count, self->comm->size);
        print_times(self, before.count);
        printf("Result:  %s\n", is_right      ? "right: all keys are there, in order from rank to rank"
                                : !are_sorted ? "WRONG: keys are not in order"
                                              : "WRONG: the keys are not those that were there before");
        (void)fflush(stdout);
    }
    return is_right;
}

static bool work(const clprim_comm *comm, unsigned place, const void *user)
{
    rank self = {.comm = comm, .options = user};
    bool is_well =
        agree(comm, (device_runtime(&self.runtime, place) || fail(&self, clprim_last_error())) && make_keys(&self));
    if (is_well) {
        print_ranks(&self);
        is_well = sort_and_check(&self);
    }
    free(self.keys);
    free(self.sorted);
    clprim_runtime_destroy(self.runtime);
    return is_well;
}

static bool parse_count(size_t *out, const char *text, size_t most)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = text != NULL && text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    *out = (size_t)value;
    return value > 0 && value <= most && errno == 0 && *end == '\0';
}

static bool parse(settings *out, char **argv)
{
    *out = (settings){.n = (size_t)1 << 20, .repeats = REPEATS};
    for (char **at = argv + 1; *at != NULL; at++) {
        if (strcmp(*at, "--check") == 0) {
            out->repeats = 0;
            out->n = 100000;
        } else if (strcmp(*at, "--help") == 0) {
            out->help = true;
        } else if (strcmp(*at, "--n") == 0 || strcmp(*at, "--threads") == 0) {
            const bool is_n = strcmp(*at, "--n") == 0;
            at++;
            if (!parse_count(is_n ? &out->n : &out->threads, *at, is_n ? SIZE_MAX / 16 : MOST_THREADS))
                return false;
        } else if ((*at)[0] == '-' || out->file != NULL) {
            return false;
        } else {
            out->file = *at;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    settings options;
    const bool is_understood = parse(&options, argv);
    if (!is_understood || options.help) {
        (void)fputs(USAGE, is_understood ? stdout : stderr);
        return is_understood ? EXIT_SUCCESS : 2;
    }
    const bool is_well = options.threads > 0 ? ranks_by_threads((unsigned)options.threads, work, &options)
                                             : ranks_by_mpi(&argc, &argv, work, &options);
    return is_well ? EXIT_SUCCESS : EXIT_FAILURE;
}
