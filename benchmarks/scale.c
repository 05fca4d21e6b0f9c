// SPDX-License-Identifier: MIT
/* scale.c: how fast operations on several ranks are, from the ranks' memory and back to it; sorts step by step.
 *
 *     scale [--op=NAME,...] [--memory=KIND,...] [--total=KEYS] [--n=KEYS] [--repeats=COUNT] [--threads=RANKS]
 *     mpirun -n 4 scale --n=100000000
 *     scale --gpus
 *
 * --op: the operations, one after another, or `all`; without it `sort`:
 *
 *     sort         u32 keys
 *     pairs        u32 keys, with u32 values
 *     scan         inclusive sums of u32
 *     histogram    256 bins of u32
 *     top_k        the 1000 largest of u32
 *     copy         each rank copies its keys through its device: as fast as transfers can be
 *
 * --memory: `ordinary`, `registered` or `all`. Arrays are ordinary memory from malloc, or they are registered with the
 * device (clprim_memory_register), which is done once, before the time is taken. --total: so many keys on all ranks
 * together (strong scaling); --n: per rank (weak scaling); with both, one after the other. --threads: ranks are threads
 * of this process, otherwise MPI's processes. Rank 0 prints one line of JSON for each operation, memory and scaling.
 * Times are medians over the repeats; each is that of the slowest rank. --gpus prints how many GPUs there are.
 *
 *     own_sort       each rank sorts its piece
 *     splitters      from when all have done that until all know what to send to whom
 *     exchange       the all-to-all of the keys; nothing where ranks read each other's memory
 *     second_sort    each rank sorts what it has received, or takes from the others
 *     total          from when all begin until all have ended
 *
 * The steps are told apart by what a sort calls of its communicator: the library has no clocks in it. One rank alone
 * only sorts: that is all own_sort. Operations other than sorts have the total alone. */
#include <clprim/clprim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "keys.h"
#include "ranks.h"
#include "scale_ops.h"

enum {
    OWN_SORT,
    SPLITTERS,
    EXCHANGE,
    SECOND_SORT,
    TOTAL,
    NUM_STEPS,
    WARM_UP = 2,
    MAX_REPEATS = 101,
    MAX_THREADS = 1024
};

static const char *const names[NUM_STEPS] = {"own_sort", "splitters", "exchange", "second_sort", "total"};

static const char *const memories[] = {"ordinary", "registered"};

typedef struct settings {
    size_t total, n; /* 0: no strong, or no weak scaling */
    size_t repeats, threads;
    bool operations[SCALE_OPERATIONS], memories[2]; /* which */
} settings;

/* One rank, and the communicator that takes the times of its calls. */
typedef struct rank {
    const clprim_comm *inner;
    clprim_comm comm;
    clprim_runtime *runtime;
    scale_piece piece;
    double *every; /* a row of steps from each rank */
    /* Of the call that goes on, in seconds: */
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

/* One call, with the times of this rank. */
static bool run(rank *self, const scale_operation *operation, double *steps)
{
    memset(steps, 0, NUM_STEPS * sizeof *steps);
    self->gathered = self->own_end = self->agreed = self->exchange = self->exchanged = self->second_end = 0;
    self->is_shared = false;
    if (!agree(self, true))
        return false;
    self->begin = now();
    if (operation->run(&self->comm, self->runtime, &self->piece) != CLPRIM_SUCCESS)
        return fail(self, clprim_last_error());
    if (self->inner->size == 1)
        steps[OWN_SORT] = now() - self->begin;
    else if (operation->is_sort) {
        steps[OWN_SORT] = self->own_end - self->gathered;
        steps[SPLITTERS] = self->exchange - self->agreed;
        steps[EXCHANGE] = self->exchanged - self->exchange;
        steps[SECOND_SORT] = self->second_end - self->exchanged;
    }
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

/* How many elements an array of this rank has. Results that all ranks get may be longer than a piece. */
static size_t length_of(const scale_piece *piece)
{
    return piece->count > SCALE_LEAST ? piece->count : SCALE_LEAST;
}

static void clear(const scale_piece *piece)
{
    memset(piece->keys_out, 0, length_of(piece) * sizeof *piece->keys_out);
    if (piece->values_out != NULL)
        memset(piece->values_out, 0, length_of(piece) * sizeof *piece->values_out);
}

static void print(const rank *self, const settings *options, const scale_operation *operation, const char *scaling,
                  const char *memory, double (*rows)[NUM_STEPS])
{
    printf("{\"op\": \"%s\", \"device\": \"%s\", \"ranks\": %u, \"by\": \"%s\", \"scaling\": \"%s\", "
           "\"memory\": \"%s\", \"keys\": %llu, \"repeats\": %zu",
           operation->name, clprim_runtime_info(self->runtime)->name, self->inner->size,
           options->threads > 0 ? "threads" : "mpi", scaling, memory, (unsigned long long)self->piece.total,
           options->repeats);
    for (int step = operation->is_sort ? 0 : TOTAL; step < NUM_STEPS; step++)
        printf(", \"%s_ms\": %.4g", names[step], 1e3 * median(rows, options->repeats, step));
    puts("}");
    (void)fflush(stdout);
}

/* A first call compiles kernels, and a second one may pin memory. The result of the last call is checked, which none
 * before it has left there. */
static bool measure(rank *self, const settings *options, const scale_operation *operation, const char *scaling,
                    const char *memory)
{
    double rows[MAX_REPEATS][NUM_STEPS] = {{0}};
    for (size_t i = 0; i < WARM_UP + options->repeats; i++) {
        double *steps = rows[i < WARM_UP ? 0 : i - WARM_UP];
        if (i == WARM_UP + options->repeats - 1)
            clear(&self->piece);
        if (!run(self, operation, steps) || !take_slowest(self, steps))
            return false;
    }
    if (!agree(self, operation->check(&self->piece) || fail(self, "the result is wrong")))
        return false;
    if (self->inner->rank == 0)
        print(self, options, operation, scaling, memory, rows);
    return true;
}

/* Register all arrays, or let go of them. */
static bool register_arrays(const rank *self, bool begins)
{
    const scale_piece *piece = &self->piece;
    uint32_t *const arrays[] = {piece->keys, piece->keys_out, piece->values, piece->values_out};
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == CLPRIM_SUCCESS; i++)
        if (arrays[i] != NULL)
            status = begins ? clprim_memory_register(self->runtime, arrays[i], length_of(piece) * sizeof **arrays)
                            : clprim_memory_unregister(self->runtime, arrays[i]);
    return agree(self, status == CLPRIM_SUCCESS || fail(self, clprim_last_error()));
}

static bool measure_memories(rank *self, const settings *options, const char *scaling)
{
    bool is_well = true;
    for (size_t memory = 0; memory < 2 && is_well; memory++) {
        if (!options->memories[memory])
            continue;
        is_well = memory == 0 || register_arrays(self, true);
        for (size_t i = 0; i < SCALE_OPERATIONS && is_well; i++)
            is_well =
                !options->operations[i] || measure(self, options, &scale_operations[i], scaling, memories[memory]);
        is_well = is_well && (memory == 0 || register_arrays(self, false));
    }
    return is_well;
}

/* Where the piece of a rank begins, of `total` keys or of n for each rank. */
static uint64_t begin_of(size_t total, size_t n, unsigned number, unsigned size)
{
    const uint64_t rest = total % size;
    return total > 0 ? total / size * number + rest * number / size : (uint64_t)n * number;
}

/* Take the rank's piece of so many keys, which are there already if it begins where the last piece did. */
static void take_piece(rank *self, size_t total, size_t n)
{
    const unsigned number = self->inner->rank, size = self->inner->size;
    scale_piece *piece = &self->piece;
    const uint64_t first = begin_of(total, n, number, size);
    const size_t count = (size_t)(begin_of(total, n, number + 1, size) - first);
    if (first != piece->first || count > piece->count) {
        keys_generate(first, count, piece->keys);
        for (size_t i = 0; piece->values != NULL && i < count; i++)
            piece->values[i] = (uint32_t)(first + i);
    }
    piece->first = first;
    piece->count = count;
    piece->total = begin_of(total, n, size, size);
}

static bool measure_all(rank *self, const settings *options)
{
    bool is_well = true;
    if (options->total > 0) {
        take_piece(self, options->total, 0);
        is_well = measure_memories(self, options, "strong");
    }
    if (options->n > 0 && is_well) {
        take_piece(self, 0, options->n);
        is_well = measure_memories(self, options, "weak");
    }
    return is_well;
}

static bool prepare(rank *self, const settings *options, unsigned place)
{
    const unsigned size = self->inner->size;
    const size_t shared = options->total / size + 1;
    const size_t most = options->n > shared ? options->n : shared;
    const size_t length = most > SCALE_LEAST ? most : SCALE_LEAST;
    scale_piece *piece = &self->piece;
    bool has_values = false;
    for (size_t i = 0; i < SCALE_OPERATIONS; i++)
        has_values = has_values || (options->operations[i] && scale_operations[i].has_values);
    if (has_values && (options->total > (uint64_t)UINT32_MAX + 1 || options->n > ((uint64_t)UINT32_MAX + 1) / size))
        return fail(self, "pairs have numbers of 32 bits: at most 4294967296 keys");
    piece->comm = self->inner;
    self->every = calloc(size, NUM_STEPS * sizeof *self->every);
    piece->every = calloc(size, NUM_STEPS * sizeof *piece->every);
    piece->keys = malloc(length * sizeof *piece->keys);
    piece->keys_out = malloc(length * sizeof *piece->keys_out);
    if (has_values) {
        piece->values = malloc(length * sizeof *piece->values);
        piece->values_out = malloc(length * sizeof *piece->values_out);
    }
    if (self->every == NULL || piece->every == NULL || piece->keys == NULL || piece->keys_out == NULL ||
        (has_values && (piece->values == NULL || piece->values_out == NULL)))
        return fail(self, "no memory for its keys");
    return device_runtime(&self->runtime, place) || fail(self, clprim_last_error());
}

static bool work(const clprim_comm *comm, unsigned place, const void *user)
{
    rank self = {.inner = comm};
    self.comm = (clprim_comm){comm->rank, comm->size, &self, gather, reduce, exchange, give_up, NULL};
    self.comm.share = comm->share != NULL ? share : NULL;
    const bool is_well = agree(&self, prepare(&self, user, place)) && measure_all(&self, user);
    clprim_runtime_destroy(self.runtime); /* which forgets registered memory */
    free(self.piece.keys);
    free(self.piece.values);
    free(self.piece.keys_out);
    free(self.piece.values_out);
    free(self.piece.every);
    free(self.every);
    return is_well;
}

/* Which of the names are in a list, with commas between them. False: one of them is none of these. */
static bool choose(bool *is_chosen, const char *const *of, size_t num, const char *list)
{
    const bool is_all = strcmp(list, "all") == 0;
    bool is_known = true;
    for (size_t length = 0; is_known; list += length + 1) {
        length = strcspn(list, ",");
        is_known = is_all;
        for (size_t i = 0; i < num; i++)
            if (is_all || (strlen(of[i]) == length && strncmp(of[i], list, length) == 0))
                is_known = is_chosen[i] = true;
        if (list[length] == '\0')
            break;
    }
    return is_known;
}

/* What stands behind the option's name, if the argument is that option. */
static const char *value_of(const char *argument, const char *option)
{
    const size_t length = strlen(option);
    return strncmp(argument, option, length) == 0 ? argument + length : NULL;
}

static bool parse_number(settings *out, const char *argument)
{
    const struct {
        const char *name;
        size_t *value, most;
    } numbers[] = {{"--n=", &out->n, SIZE_MAX / 8192},
                   {"--total=", &out->total, SIZE_MAX / 8},
                   {"--repeats=", &out->repeats, MAX_REPEATS},
                   {"--threads=", &out->threads, MAX_THREADS}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *value = value_of(argument, numbers[i].name);
        char *end = NULL;
        if (value == NULL)
            continue;
        *numbers[i].value = (size_t)strtoull(value, &end, 10);
        return *end == '\0' && *numbers[i].value > 0 && *numbers[i].value <= numbers[i].most;
    }
    return false;
}

static bool parse(settings *out, char **argv)
{
    const char *operations[SCALE_OPERATIONS], *chosen = "sort", *kinds = memories[0];
    *out = (settings){.repeats = 5};
    for (size_t i = 0; i < SCALE_OPERATIONS; i++)
        operations[i] = scale_operations[i].name;
    for (; *argv != NULL; argv++) {
        const char *op = value_of(*argv, "--op="), *memory = value_of(*argv, "--memory=");
        chosen = op != NULL ? op : chosen;
        kinds = memory != NULL ? memory : kinds;
        if (op == NULL && memory == NULL && !parse_number(out, *argv))
            return false;
    }
    if (out->n == 0 && out->total == 0)
        out->n = (size_t)1 << 24;
    return choose(out->operations, operations, SCALE_OPERATIONS, chosen) && choose(out->memories, memories, 2, kinds);
}

static int print_gpus(void)
{
    clprim_device_info devices[64];
    const size_t capacity = sizeof devices / sizeof *devices;
    size_t count = 0, num_gpus = 0;
    if (clprim_runtime_devices(devices, capacity, &count) != CLPRIM_SUCCESS)
        return EXIT_FAILURE;
    for (size_t i = 0; i < count && i < capacity; i++)
        num_gpus += devices[i].kind == CLPRIM_DEVICE_GPU;
    printf("%zu\n", num_gpus);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    settings options;
    if (argc == 2 && strcmp(argv[1], "--gpus") == 0)
        return print_gpus();
    if (!parse(&options, argv + 1)) {
        fprintf(stderr,
                "scale [--op=NAME,...|all] [--memory=ordinary,registered|all] [--total=KEYS] [--n=KEYS] "
                "[--repeats=COUNT, at most %d] [--threads=RANKS]\nscale --gpus\n",
                MAX_REPEATS);
        return 2;
    }
    const bool is_well = options.threads > 0 ? ranks_by_threads((unsigned)options.threads, work, &options)
                                             : ranks_by_mpi(&argc, &argv, work, &options);
    return is_well ? EXIT_SUCCESS : EXIT_FAILURE;
}
