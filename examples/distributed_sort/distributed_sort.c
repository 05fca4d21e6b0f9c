/* distributed_sort.c: keys that lie in parts on several ranks, here threads, are sorted into one order. */
#include <clprim/distributed.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RANKS = 64 };

/* A rank: a thread with a part of the keys. */
typedef struct rank {
    clprim_comm comm;
    clprim_runtime *runtime;
    uint32_t *keys;
    size_t count;
    clprim_distributed_part part;
    clprim_status status;
    char error[256];
    pthread_t thread;
} rank;

static void *sort(void *given)
{
    rank *self = given;
    const clprim_radix_sort_call call = {
        .keys_in = {.host = self->keys}, .count = self->count, .keys_out = {.host = self->keys}};
    self->status = clprim_distributed_radix_sort(&self->comm, self->runtime, NULL, &call, NULL, &self->part);
    if (self->status != CLPRIM_SUCCESS)
        (void)snprintf(self->error, sizeof self->error, "%s", clprim_last_error());
    return NULL;
}

/* Parts differ in length: rank r has r + 1 parts of the sum of these. Small keys are frequent. */
static uint32_t *make_keys(rank *ranks, unsigned num, size_t n)
{
    uint32_t *keys = malloc((n > 0 ? n : 1) * sizeof *keys);
    uint64_t state = 1;
    size_t begin = 0;
    for (size_t i = 0; keys != NULL && i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        keys[i] = (uint32_t)(state >> 32 & state >> 33);
    }
    for (unsigned r = 0; keys != NULL && r < num; r++) {
        const size_t end = (size_t)((double)n * (r + 1) * (r + 2) / (num * (num + 1.0)));
        ranks[r].keys = keys + begin;
        ranks[r].count = (r + 1 < num ? end : n) - begin;
        begin += ranks[r].count;
    }
    return keys;
}

/* All threads sort together. Each has the runtime of the process here; with several devices each makes one of its
 * own. */
static int run(rank *ranks, unsigned num, clprim_runtime *runtime)
{
    clprim_comm comms[MAX_RANKS];
    if (clprim_comm_threads_create(comms, num) != CLPRIM_SUCCESS)
        return 1;
    int failed = 0;
    for (unsigned r = 0; r < num; r++) {
        ranks[r].comm = comms[r];
        ranks[r].runtime = runtime;
        if (pthread_create(&ranks[r].thread, NULL, sort, &ranks[r]) != 0)
            exit(1); /* the others would wait for this rank */
    }
    for (unsigned r = 0; r < num; r++) {
        (void)pthread_join(ranks[r].thread, NULL);
        if (ranks[r].status != CLPRIM_SUCCESS)
            fprintf(stderr, "rank %u: %s\n", r, ranks[r].error);
        failed += ranks[r].status != CLPRIM_SUCCESS;
    }
    clprim_comm_threads_destroy(comms);
    return failed;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    rank ranks[MAX_RANKS] = {0};
    unsigned num = 4;
    size_t n = 10000000;
    struct timespec begin, end;
    clprim_runtime *runtime = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0)
            n = 100000;
        else if (strcmp(argv[i], "--n") == 0 && i + 1 < argc)
            n = (size_t)strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--ranks") == 0 && i + 1 < argc)
            num = (unsigned)strtoul(argv[++i], NULL, 10);
        else
            num = 0;
    }
    if (num == 0 || num > MAX_RANKS) {
        fprintf(stderr, "usage: distributed_sort [--check] [--n KEYS] [--ranks 1..%d]\n", MAX_RANKS);
        return 2;
    }
    uint32_t *keys = make_keys(ranks, num, n);
    uint32_t *expected = malloc((n > 0 ? n : 1) * sizeof *expected);
    if (keys == NULL || expected == NULL || clprim_runtime_default(&runtime) != CLPRIM_SUCCESS) {
        fprintf(stderr, "no memory, or no device: %s\n", clprim_last_error());
        free(expected);
        free(keys);
        return 1;
    }
    memcpy(expected, keys, n * sizeof *keys);
    qsort(expected, n, sizeof *expected, compare);
    (void)timespec_get(&begin, TIME_UTC);
    const int failed = run(ranks, num, runtime);
    (void)timespec_get(&end, TIME_UTC);
    const double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    for (unsigned r = 0; r < num && failed == 0; r++)
        printf("rank %u has %zu keys, from key %llu on\n", r, ranks[r].part.count,
               (unsigned long long)ranks[r].part.first);
    const int is_right = failed == 0 && memcmp(expected, keys, n * sizeof *keys) == 0;
    printf("%s after %.3f s, kernels compiled in it\n", is_right ? "sorted" : "wrong", seconds);
    free(keys);
    free(expected);
    return is_right ? 0 : 1;
}
