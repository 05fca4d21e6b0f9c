// SPDX-License-Identifier: MIT
/* scale.c: how fast a distributed sort of u32 keys is, step by step, from the ranks' memory and back to it.
 *
 *     scale [--n=KEYS | --total=KEYS] [--repeats=COUNT] [--threads=RANKS] [--registered=1]
 *     mpirun -n 4 scale --n=100000000
 *
 * --n: so many keys per rank (weak scaling); --total: on all ranks together (strong scaling). --threads: ranks are
 * threads of this process, otherwise MPI's processes. --registered=1: the arrays of keys are registered with the device
 * (clprim_memory_register), which is done once, before the time is taken. Rank 0 prints one line of JSON. Times are medians over the
 * repeats; each is that of the slowest rank.
 *
 *     own_sort       each rank sorts its piece
 *     splitters      from when all have done that until all know what to send to whom
 *     exchange       the all-to-all of the keys; nothing where ranks read each other's memory
 *     second_sort    each rank sorts what it has received, or takes from the others
 *     total          from when all begin until all have ended
 *
 * The steps are told apart by what the operation calls of its communicator: the library has no clocks in it. One rank
 * alone only sorts: that is all own_sort. */
#include <clprim/clprim.h>
#include <clprim/distributed.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "keys.h"
#include "ranks.h"

enum { OWN_SORT, SPLITTERS, EXCHANGE, SECOND_SORT, TOTAL, NUM_STEPS, MAX_REPEATS = 101, MAX_THREADS = 1024 };

static const char *const names[NUM_STEPS] = {"own_sort", "splitters", "exchange", "second_sort", "total"};

typedef struct settings {
    size_t n, total; /* one of them is 0 */
    size_t repeats, threads, registered;
} settings;

/* One rank, and the communicator that takes the times of its calls. */
typedef struct rank {
    const clprim_comm *inner;
    clprim_comm comm;
    clprim_runtime *runtime;
    size_t count;
    uint32_t *keys, *sorted;
    double *every; /* a row of steps from each rank */
    /* Of the sort that goes on, in seconds: */
    double begin;
    double gathered;            /* the end of the all-gather */
    double own_end, agreed;     /* the beginning and the end of the first call after that */
    double exchange, exchanged; /* the beginning and the end of the last all-to-all */
    double second_end;          /* the beginning of the first call after that */
    bool is_shared;             /* nothing is sent; the second all-gather stands for the exchange */
} rank;

static double now(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int gather(void *user, const void *mine, size_t bytes, void *all)
{
    rank *self = user;
    const int code = self->inner->all_gather(self->inner->user, mine, bytes, all);
    if (self->is_shared)
        self->exchange = self->exchanged = now();
    else
        self->gathered = now();
    return code;
}

static int share(void *user, size_t bytes, void **mine, const void **of_ranks, uint64_t *version)
{
    rank *self = user;
    const int code = self->inner->share(self->inner->user, bytes, mine, of_ranks, version);
    self->is_shared = true;
    self->gathered = now();
    self->own_end = 0;
    return code;
}

static int reduce(void *user, uint64_t *sums, size_t count)
{
    rank *self = user;
    const double before = now();
    const int code = self->inner->all_reduce_sum(self->inner->user, sums, count);
    if (self->gathered != 0 && self->own_end == 0) {
        self->own_end = before;
        self->agreed = now();
    }
    if (self->exchanged != 0 && self->second_end == 0)
        self->second_end = before;
    return code;
}

static int exchange(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes)
{
    rank *self = user;
    self->exchange = now();
    const int code = self->inner->all_to_all(self->inner->user, out, out_bytes, in, in_bytes);
    self->exchanged = now();
    self->second_end = 0;
    return code;
}

static void give_up(void *user)
{
    const rank *self = user;
    if (self->inner->abort != NULL)
        self->inner->abort(self->inner->user);
}

static bool agree(const rank *self, bool is_well)
{
    uint64_t failed = !is_well;
    return self->inner->all_reduce_sum(self->inner->user, &failed, 1) == 0 && failed == 0;
}

static bool fail(const rank *self, const char *sentence)
{
    fprintf(stderr, "scale: rank %u: %s\n", self->inner->rank, sentence);
    return false;
}

/* One sort, with the times of this rank. */
static bool sort(rank *self, double *steps)
{
    const clprim_radix_sort_call call = {
        .keys_in = {.host = self->keys}, .count = self->count, .keys_out = {.host = self->sorted}};
    self->gathered = self->own_end = self->agreed = self->exchange = self->exchanged = self->second_end = 0;
    self->is_shared = false;
    if (!agree(self, true))
        return false;
    self->begin = now();
    if (clprim_distributed_radix_sort(&self->comm, self->runtime, NULL, &call, NULL, NULL) != CLPRIM_SUCCESS)
        return fail(self, clprim_last_error());
    const bool is_alone = self->inner->size == 1;
    steps[OWN_SORT] = (is_alone ? now() : self->own_end) - self->gathered;
    steps[SPLITTERS] = is_alone ? 0 : self->exchange - self->agreed;
    steps[EXCHANGE] = is_alone ? 0 : self->exchanged - self->exchange;
    steps[SECOND_SORT] = is_alone ? 0 : self->second_end - self->exchanged;
    if (!agree(self, true))
        return false;
    steps[TOTAL] = now() - self->begin;
    return true;
}

/* The slowest rank's time of each step, on all ranks. */
static bool take_slowest(rank *self, double *steps)
{
    if (self->inner->all_gather(self->inner->user, steps, NUM_STEPS * sizeof *steps, self->every) != 0)
        return false;
    for (unsigned r = 0; r < self->inner->size; r++)
        for (int step = 0; step < NUM_STEPS; step++) {
            const double seconds = self->every[(size_t)r * NUM_STEPS + (size_t)step];
            steps[step] = seconds > steps[step] ? seconds : steps[step];
        }
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double (*rows)[NUM_STEPS], size_t repeats, int step)
{
    double sorted[MAX_REPEATS];
    for (size_t i = 0; i < repeats; i++)
        sorted[i] = rows[i][step];
    qsort(sorted, repeats, sizeof *sorted, compare);
    return sorted[repeats / 2];
}

static void print(const rank *self, const settings *options, uint64_t total, double (*rows)[NUM_STEPS])
{
    printf(
        "{\"device\": \"%s\", \"ranks\": %u, \"by\": \"%s\", \"scaling\": \"%s\", \"memory\": \"%s\", \"keys\": %llu, "
        "\"repeats\": %zu",
        clprim_runtime_info(self->runtime)->name, self->inner->size, options->threads > 0 ? "threads" : "mpi",
        options->total > 0 ? "strong" : "weak", options->registered > 0 ? "registered" : "ordinary",
        (unsigned long long)total, options->repeats);
    for (int step = 0; step < NUM_STEPS; step++) {
        const double seconds = median(rows, options->repeats, step);
        printf(", \"%s_ms\": %.4g", names[step], 1e3 * seconds);
        if (seconds > 0)
            printf(", \"%s_million_keys_per_s\": %.4g", names[step], 1e-6 * (double)total / seconds);
    }
    puts("}");
}

/* The sorted keys are those of before. */
static bool check(rank *self, const keys_summary *before)
{
    keys_summary after;
    bool is_right = false;
    if (!keys_summarise(self->inner, self->sorted, self->count, &after) ||
        !keys_are_sorted(self->inner, self->sorted, self->count, &is_right))
        return false;
    return (is_right && before->count == after.count && before->hash == after.hash) ||
           fail(self, "the result is wrong");
}

/* A first sort compiles kernels, and a second one may pin memory. Results of the first and of the last sort are
 * checked. */
static bool measure(rank *self, const settings *options)
{
    double rows[MAX_REPEATS][NUM_STEPS], first[NUM_STEPS];
    keys_summary before;
    if (!keys_summarise(self->inner, self->keys, self->count, &before) || !sort(self, first) || !check(self, &before))
        return false;
    memset(self->sorted, 0, self->count * sizeof *self->sorted);
    if (!sort(self, first))
        return false;
    for (size_t i = 0; i < options->repeats; i++)
        if (!sort(self, rows[i]) || !take_slowest(self, rows[i]))
            return false;
    if (!check(self, &before))
        return false;
    if (self->inner->rank == 0)
        print(self, options, before.count, rows);
    return true;
}

static bool prepare(rank *self, const settings *options, unsigned place)
{
    const unsigned number = self->inner->rank, size = self->inner->size;
    const size_t rest = options->total % size;
    const size_t first =
        options->total > 0 ? options->total / size * number + rest * number / size : options->n * number;
    self->count =
        options->total > 0 ? options->total / size * (number + 1) + rest * (number + 1) / size - first : options->n;
    self->keys = malloc(self->count * sizeof *self->keys + 1);
    self->sorted = malloc(self->count * sizeof *self->sorted + 1);
    self->every = calloc(size, NUM_STEPS * sizeof *self->every);
    if (self->keys == NULL || self->sorted == NULL || self->every == NULL)
        return fail(self, "no memory for its keys");
    keys_generate(first, self->count, self->keys);
    bool is_well = device_runtime(&self->runtime, place);
    uint32_t *const arrays[] = {self->keys, self->sorted};
    for (size_t i = 0; i < 2 && is_well && options->registered > 0 && self->count > 0; i++)
        is_well = clprim_memory_register(self->runtime, arrays[i], self->count * sizeof **arrays) == CLPRIM_SUCCESS;
    return is_well || fail(self, clprim_last_error());
}

static bool work(const clprim_comm *comm, unsigned place, const void *user)
{
    rank self = {.inner = comm};
    self.comm = (clprim_comm){comm->rank, comm->size, &self, gather, reduce, exchange, give_up, NULL};
    self.comm.share = comm->share != NULL ? share : NULL;
    const bool is_well = agree(&self, prepare(&self, user, place)) && measure(&self, user);
    clprim_runtime_destroy(self.runtime); /* which forgets registered memory */
    free(self.keys);
    free(self.sorted);
    free(self.every);
    return is_well;
}

static bool parse(settings *out, char **argv)
{
    const struct {
        const char *name;
        size_t *value, most;
    } numbers[] = {{"--n=", &out->n, SIZE_MAX / 8192},
                   {"--total=", &out->total, SIZE_MAX / 8},
                   {"--repeats=", &out->repeats, MAX_REPEATS},
                   {"--threads=", &out->threads, MAX_THREADS},
                   {"--registered=", &out->registered, 1}};
    *out = (settings){.repeats = 5};
    for (; *argv != NULL; argv++) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !is_known; i++) {
            const size_t length = strlen(numbers[i].name);
            char *end = NULL;
            if (strncmp(*argv, numbers[i].name, length) != 0)
                continue;
            *numbers[i].value = (size_t)strtoull(*argv + length, &end, 10);
            is_known = *end == '\0' && *numbers[i].value > 0 && *numbers[i].value <= numbers[i].most;
        }
        if (!is_known || (out->n > 0 && out->total > 0))
            return false;
    }
    if (out->n == 0 && out->total == 0)
        out->n = (size_t)1 << 24;
    return true;
}

int main(int argc, char **argv)
{
    settings options;
    if (!parse(&options, argv + 1)) {
        fprintf(stderr,
                "scale [--n=KEYS | --total=KEYS] [--repeats=COUNT, at most %d] [--threads=RANKS] [--registered=1]\n",
                MAX_REPEATS);
        return 2;
    }
    const bool is_well = options.threads > 0 ? ranks_by_threads((unsigned)options.threads, work, &options)
                                             : ranks_by_mpi(&argc, &argv, work, &options);
    return is_well ? EXIT_SUCCESS : EXIT_FAILURE;
}
