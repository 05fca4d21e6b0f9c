// SPDX-License-Identifier: MIT
/* soak.c: random operations for some time, in four threads on one runtime. Every result is checked, and memory must not
 * grow. It is a plain program, like threads.c.
 *
 *     soak [SECONDS [SEED]]           default 10, or 60 with CLPRIM_TEST_FULL; a failure prints the seed */
#define _DEFAULT_SOURCE
#include <clprim/clprim.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model.h"

#ifdef __GLIBC__
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2
#endif
#endif

enum {
    NUM_THREADS = 4,
    LARGEST = 20000, /* elements of a call */
    RANDOM_PLANS = 24,
    PARTS = 2,      /* parts of the time: after the first one, everything that the library keeps should exist */
    MORE_PARTS = 6, /* if it does not, because kernels were still being compiled, measure again; a leak keeps growing */
};

/* Resources in use while there is no plan and no command is running: resident memory and the memory that malloc has
 * given out, in KiB, 0 if the system does not say; and references to the context. With most drivers each of its
 * buffers, events, kernels etc. holds one. */
enum { RESIDENT, HEAP, OBJECTS, USES };

/* By how much each may grow: fragmentation of the allocator; data that drivers keep for each launch size; one object of
 * the scratch memory pool for each call that was running at the same time. */
static const size_t allowed[USES] = {[RESIDENT] = 8192, [HEAP] = 2048, [OBJECTS] = 6};

typedef struct worker {
    pthread_t thread;
    uint64_t seed;
    model *subject;
    size_t counts[MODEL_COUNTS];
    bool failed;
} worker;

static clprim_runtime *runtime;
static double deadline;

static double seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(size_t used[USES])
{
    cl_uint references = 0;
    (void)clFinish(clprim_runtime_queue(runtime));
#ifdef __linux__
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%*u %lu", &pages) == 1)
        used[RESIDENT] = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) / 1024;
    if (file != NULL)
        (void)fclose(file);
#endif
#ifdef HAS_MALLINFO2
    const struct mallinfo2 heap = mallinfo2();
    used[HEAP] = (heap.uordblks + heap.hblkhd) / 1024;
#endif
    if (clGetContextInfo(clprim_runtime_context(runtime), CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references,
                         NULL) == CL_SUCCESS)
        used[OBJECTS] = references;
}

/* Memory does not count under sanitizers, which keep freed memory for some time; they report leaks themselves. */
static bool is_flat(const size_t before[USES], const size_t after[USES])
{
    bool is_within = true;
    for (size_t i = 0; i < USES; i++)
        is_within = is_within && after[i] <= before[i] + allowed[i];
    return is_within || SANITIZERS[0] != '\0';
}

static void *work(void *argument)
{
    worker *self = argument;
    test_source source = {.state = self->seed};
    while (!self->failed && seconds() < deadline)
        self->failed = !model_step(self->subject, &source);
    return NULL;
}

/* Run for some time, with plans made for it. */
static bool run(worker workers[NUM_THREADS], uint64_t seed, double limit)
{
    bool is_well = true;
    for (worker *w = workers; w < workers + NUM_THREADS; w++)
        if ((w->subject = model_create(runtime, LARGEST, RANDOM_PLANS, seed, w->counts)) == NULL)
            exit(1); /* the model has printed the reason */
    deadline = seconds() + limit;
    for (worker *w = workers; w < workers + NUM_THREADS; w++)
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            abort();
    for (worker *w = workers; w < workers + NUM_THREADS; w++) {
        is_well = pthread_join(w->thread, NULL) == 0 && !w->failed && is_well;
        w->seed++;
        model_destroy(w->subject);
    }
    return is_well;
}

static bool soak(uint64_t seed, double limit)
{
    worker workers[NUM_THREADS] = {{0}};
    size_t all[MODEL_COUNTS] = {0};
    size_t before[USES] = {0};
    size_t after[USES] = {0};
    const double began = seconds();
    bool is_well = true;
    for (size_t i = 0; i < NUM_THREADS; i++)
        workers[i].seed = seed + i * 1000;
    for (int part = 0; is_well && part < PARTS + MORE_PARTS && (part < PARTS || !is_flat(before, after)); part++) {
        memcpy(before, after, sizeof before);
        is_well = run(workers, seed, limit / PARTS);
        measure(after);
    }
    if (!is_well) {
        (void)fprintf(stderr, "soak: failed with seed %llu\n", (unsigned long long)seed);
        return false;
    }
    for (size_t i = 0; i < NUM_THREADS * MODEL_COUNTS; i++)
        all[i % MODEL_COUNTS] += workers[i / MODEL_COUNTS].counts[i % MODEL_COUNTS];
    printf("soak: %.0f s, %d threads: %zu calls with the right result, %zu of them by run; %zu wrong ones and "
           "%zu descriptions refused; %zu plans\n",
           seconds() - began, NUM_THREADS, all[MODEL_CALLS], all[MODEL_HOST], all[MODEL_REFUSALS], all[MODEL_BAD_DESCS],
           all[MODEL_PLANS]);
    printf("soak: before the last part and at the end: resident %zu and %zu KiB, heap %zu and %zu KiB, references to "
           "the context %zu and %zu\n",
           before[RESIDENT], after[RESIDENT], before[HEAP], after[HEAP], before[OBJECTS], after[OBJECTS]);
    if (!is_flat(before, after))
        (void)fprintf(stderr, "soak: memory grows\n");
    return is_flat(before, after);
}

int main(int argc, char **argv)
{
    const char *full = getenv("CLPRIM_TEST_FULL");
    const double limit = argc > 1                          ? strtod(argv[1], NULL)
                         : full != NULL && full[0] != '\0' ? 60
                                                           : 10; /* three builds run this in CI: half a minute */
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_C(0x5eed0fc1);
#ifdef HAS_MALLINFO2
    (void)mallopt(M_ARENA_MAX, 1); /* because mallinfo2 looks only at this arena */
#endif
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        (void)fprintf(stderr, "soak: %s\n", clprim_last_error());
        return 1;
    }
    const bool is_well = soak(seed, limit);
    clprim_runtime_destroy(runtime);
    return is_well ? 0 : 1;
}
