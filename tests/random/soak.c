/* soak.c: random operations for a while, by four threads on one runtime: every result is checked, and memory does not
 * grow. A plain program, as threads.c.
 *
 *     soak [SECONDS [SEED]]           default 20, or 60 with CLPRIM_TEST_FULL; a failure names the seed */
#define _DEFAULT_SOURCE
#include <clprim/clprim.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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
    PARTS = 2,               /* of the time: after the first one all that is kept should be there */
    MORE_PARTS = 6,          /* where it is not, for then kernels were still being compiled; what leaks always grows */
    ALLOWED_RESIDENT = 8192, /* KiB: an allocator's fragments */
    ALLOWED_HEAP = 2048,     /* KiB: what drivers keep of each shape of a launch */
    ALLOWED_OBJECTS = 6      /* of the pool's scratch memory: as many as calls were under way at once */
};

/* Sanitizers keep what was freed for a while: what leaks they say themselves. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SANITIZER = 1 };
#elif defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { HAS_SANITIZER = 1 };
#else
enum { HAS_SANITIZER = 0 };
#endif
#else
enum { HAS_SANITIZER = 0 };
#endif

typedef struct worker {
    pthread_t thread;
    uint64_t seed;
    model *subject;
    bool is_started;
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

/* What is in use while there is no plan and nothing under way. */
typedef struct usage {
    size_t resident; /* KiB; 0 where the system does not say */
    size_t heap;     /* KiB that malloc has given out; 0 likewise */
    size_t objects; /* references to the context: one for each of its buffers, events, kernels, ... with most drivers */
} usage;

static usage measure(void)
{
    usage now = {0};
    unsigned long pages = 0;
    cl_uint references = 0;
    (void)clFinish(clprim_runtime_queue(runtime));
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%*u %lu", &pages) == 1)
        now.resident = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) / 1024;
    if (file != NULL)
        (void)fclose(file);
#ifdef HAS_MALLINFO2
    const struct mallinfo2 heap = mallinfo2();
    now.heap = (heap.uordblks + heap.hblkhd) / 1024;
#endif
    if (clGetContextInfo(clprim_runtime_context(runtime), CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references,
                         NULL) == CL_SUCCESS)
        now.objects = references;
    return now;
}

static bool is_flat(const usage *before, const usage *after)
{
    return HAS_SANITIZER ||
           (after->resident <= before->resident + ALLOWED_RESIDENT && after->heap <= before->heap + ALLOWED_HEAP &&
            after->objects <= before->objects + ALLOWED_OBJECTS);
}

static void *work(void *argument)
{
    worker *self = argument;
    test_source source = {.state = self->seed};
    while (!self->failed && seconds() < deadline) {
        self->failed = !model_step(self->subject, &source);
    }
    return NULL;
}

static void add(model_counts *sum, const model_counts *own)
{
    sum->calls += own->calls;
    sum->host += own->host;
    sum->refusals += own->refusals;
    sum->bad_descs += own->bad_descs;
    sum->plans += own->plans;
}

/* For a while, with plans made for it. */
static bool run(worker workers[NUM_THREADS], model_counts *total, uint64_t seed, double limit)
{
    bool is_well = true;
    for (size_t i = 0; i < NUM_THREADS && is_well; i++) {
        workers[i].subject = model_create(runtime, LARGEST, RANDOM_PLANS, seed);
        is_well = workers[i].subject != NULL;
    }
    deadline = seconds() + limit;
    for (size_t i = 0; i < NUM_THREADS && is_well; i++)
        workers[i].is_started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    for (size_t i = 0; i < NUM_THREADS; i++) {
        if (workers[i].is_started)
            (void)pthread_join(workers[i].thread, NULL);
        is_well = is_well && workers[i].is_started && !workers[i].failed;
        workers[i].is_started = false;
        workers[i].seed++;
        if (workers[i].subject != NULL) {
            const model_counts own = model_total(workers[i].subject);
            add(total, &own);
        }
        model_destroy(workers[i].subject);
        workers[i].subject = NULL;
    }
    return is_well;
}

static bool soak(uint64_t seed, double limit)
{
    worker workers[NUM_THREADS] = {{0}};
    model_counts all = {0};
    const double began = seconds();
    for (size_t i = 0; i < NUM_THREADS; i++)
        workers[i].seed = seed + i * 1000;
    bool is_well = run(workers, &all, seed, limit / PARTS);
    usage before = measure();
    usage after = before;
    for (int part = 1; is_well && part < PARTS + MORE_PARTS && (part < PARTS || !is_flat(&before, &after)); part++) {
        before = after;
        is_well = run(workers, &all, seed, limit / PARTS);
        after = measure();
    }
    if (!is_well) {
        (void)fprintf(stderr, "soak: failed with seed %llu\n", (unsigned long long)seed);
        return false;
    }
    printf("soak: %.0f s, %d threads: %zu calls with the right result, %zu of them by run; %zu wrong ones and "
           "%zu descriptions refused; %zu plans\n",
           seconds() - began, NUM_THREADS, all.calls, all.host, all.refusals, all.bad_descs, all.plans);
    printf("soak: before the last part and at the end: resident %zu and %zu KiB, heap %zu and %zu KiB, references to "
           "the context %zu and %zu\n",
           before.resident, after.resident, before.heap, after.heap, before.objects, after.objects);
    if (!is_flat(&before, &after))
        (void)fprintf(stderr, "soak: memory grows\n");
    return is_flat(&before, &after);
}

int main(int argc, char **argv)
{
    const char *full = getenv("CLPRIM_TEST_FULL");
    const double limit = argc > 1                          ? strtod(argv[1], NULL)
                         : full != NULL && full[0] != '\0' ? 60
                                                           : 20; /* three builds: a minute of CI */
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_C(0x5eed0fc1);
#ifdef HAS_MALLINFO2
    (void)mallopt(M_ARENA_MAX, 1); /* which mallinfo2 looks at */
#endif
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        (void)fprintf(stderr, "soak: %s\n", clprim_last_error());
        return 1;
    }
    const bool is_well = soak(seed, limit);
    clprim_runtime_destroy(runtime);
    return is_well ? 0 : 1;
}
