// SPDX-License-Identifier: MIT
/* test_faults.programs.c: faults while programs are compiled, loaded and stored, and while variants are tried. */
#include <stdio.h>

#include "files.h"
#include "support.h"
#include "sweep.h"

/* A plan that a new runtime makes. */
typedef struct building {
    char directory[TEST_PATH_SIZE];
    char cache[TEST_PATH_SIZE + 16];
    bool is_cold;                   /* the cache is empty each time */
    char dump[TEST_PATH_SIZE + 16]; /* a directory that does not exist; "": nothing is dumped */
    clprim_runtime *runtime;
    clprim_reduce_variant variant;
    clprim_plan *plan;
    size_t wrong; /* variants that were tried and found wrong */
} building;

static void prepare(void *self)
{
    building *b = self;
    if (b->is_cold)
        test_directory_remove(b->cache);
    if (b->dump[0] != '\0')
        test_directory_remove(b->dump);
    b->runtime = test_runtime(NULL);
    b->plan = NULL;
}

static clprim_status run(void *self)
{
    building *b = self;
    const clprim_reduce_desc desc = {.variant = b->variant};
    return clprim_reduce_create(&b->plan, b->runtime, &desc);
}

static void clear(void *self)
{
    building *b = self;
    clprim_plan_destroy(b->plan);
    clprim_runtime_destroy(b->runtime);
}

/* Check that what a runtime keeps of a build in which a call failed is sound. */
static bool is_kept(void *self, const faults_report *report)
{
    (void)report;
    return run(self) == CLPRIM_SUCCESS || sweep_wrong("then fails: %s", clprim_last_error());
}

static bool is_right(void *self)
{
    building *b = self;
    static const int32_t numbers[] = {1, 20, 300};
    int32_t sum = 0;
    cl_mem in = test_upload(b->runtime, numbers, sizeof numbers);
    cl_mem out = test_buffer(b->runtime, sizeof sum);
    ASSERT_OK(clprim_reduce_enqueue(b->plan, NULL, &(clprim_reduce_call){.in = {in}, .count = 3, .out = {out}}, 0, NULL,
                                    NULL));
    test_read(b->runtime, &sum, out, sizeof sum);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    return sum == 321 || sweep_wrong("the sum is %d", sum);
}

/* Whatever happened to the cache, it has no bad entry and no temporary files. */
static bool recover(void *self)
{
    building *b = self;
    const bool was_cold = b->is_cold;
    b->is_cold = false;
    prepare(b);
    b->is_cold = was_cold;
    ASSERT_OK(run(b));
    const bool right =
        ((test_count_files(b->cache, ".tmp") == 0 && (b->dump[0] == '\0' || test_count_files(b->dump, ".tmp") == 0)) ||
         sweep_wrong("a temporary file stays")) &&
        (clprim_runtime_program_stats(b->runtime).rejected == 0 || sweep_wrong("the cache has a bad entry")) &&
        is_right(b);
    clear(b);
    return right;
}

static building begin(void)
{
    building b = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    test_directory_create(b.directory);
    (void)snprintf(b.cache, sizeof b.cache, "%s/cache", b.directory);
    test_setenv("CLPRIM_CACHE_DIR", b.cache);
    test_setenv("CLPRIM_CACHE", "on");
    return b;
}

static sweep sweep_of(building *b)
{
    return (sweep){.ways = SWEEP_CALLS | SWEEP_MEMORY | SWEEP_FILES,
                   .self = b,
                   .out = &b->plan,
                   .prepare = prepare,
                   .run = run,
                   .is_kept = is_kept,
                   .is_right = is_right,
                   .clear = clear,
                   .recover = recover};
}

/* A cache entry that cannot be loaded is built again. */
FAULTS_TEST(programs_survive_with_a_full_cache)
{
    building b = begin();
    sweep s = sweep_of(&b);
    cr_assert(recover(&b));
    s.name = "a program from the cache";
    s.tolerated = "clCreateProgramWithBinary clBuildProgram malloc open openat fstat read fcntl";
    sweep_expect(&s);
    test_directory_remove(b.directory);
}

/* A program that cannot be stored is used without being stored. */
FAULTS_TEST(programs_survive_with_an_empty_cache)
{
    building b = begin();
    sweep s = sweep_of(&b);
    b.is_cold = true;
    s.name = "a program into the cache";
    s.tolerated = "clGetProgramInfo malloc strdup open openat fstat write mkdir renameat fcntl";
    sweep_expect(&s);
    s.name = "a program that does not compile";
    s.ways = SWEEP_CALLS;
    s.code = CL_BUILD_PROGRAM_FAILURE;
    sweep_expect(&s);
    test_directory_remove(b.directory);
}

/* A program that cannot be dumped is used without being dumped. */
FAULTS_TEST(programs_survive_when_they_are_dumped)
{
    building b = begin();
    sweep s = sweep_of(&b);
    (void)snprintf(b.dump, sizeof b.dump, "%s/dump", b.directory);
    test_setenv("CLPRIM_DUMP", b.dump);
    cr_assert(recover(&b));
    s.name = "a program from the cache, and into a file";
    s.tolerated =
        "clCreateProgramWithBinary clBuildProgram malloc realloc mkdir open openat fstat read write renameat fcntl";
    sweep_expect(&s);
    b.is_cold = true;
    s.name = "a program that is dumped and built";
    s.tolerated = "clGetProgramInfo malloc strdup realloc open openat fstat write mkdir renameat fcntl";
    sweep_expect(&s);
    test_directory_remove(b.directory);
}

/* If a note that a program is being compiled or tried cannot be written, there is none. A file that cannot be removed
 * afterwards does not count as a note. */
FAULTS_TEST(programs_survive_when_they_are_noted)
{
    building b = begin();
    sweep s = sweep_of(&b);
    test_setenv("CLPRIM_SELF_TEST", "always");
    b.variant = CLPRIM_REDUCE_CPU_CHUNK;
    b.is_cold = true;
    s.ways = SWEEP_FILES;
    s.name = "a program that is noted, built, noted and tried";
    s.tolerated = "open openat fstat read write ftruncate mkdir renameat fsync fcntl unlinkat";
    sweep_expect(&s);
    test_directory_remove(b.directory);
}

/* Several programs and kernels, among them a histogram's sort, all compiled from source. */
static clprim_status run_several(void *self)
{
    building *b = self;
    static const double bounds[] = {0, 2, 3, 5};
    const clprim_histogram_desc histogram = {.variant = CLPRIM_HISTOGRAM_SORT_BASED,
                                             .type = CLPRIM_U32,
                                             .mapping = CLPRIM_HISTOGRAM_BOUNDARIES,
                                             .bins = 3,
                                             .boundaries = bounds};
    return clprim_histogram_create(&b->plan, b->runtime, &histogram);
}

/* A lost device is the rarest and worst fault: the test makes the device get lost at each call of a build. */
FAULTS_TEST(builds_survive_a_lost_device)
{
    building b = {.plan = NULL};
    const sweep s = {.name = "a histogram by sorting",
                     .ways = SWEEP_LOST | SWEEP_MEMORY,
                     .code = CL_DEVICE_NOT_AVAILABLE,
                     .tolerated = "clCreateProgramWithBinary clBuildProgram malloc realloc",
                     .self = &b,
                     .out = &b.plan,
                     .prepare = prepare,
                     .run = run_several,
                     .clear = clear};
    sweep_expect(&s);
}

/* Trying variants: faults are reported, and are not mistaken for errors of the variant. After the first time the
 * program is in the runtime's memory. */
static clprim_status run_test(void *self)
{
    building *b = self;
    const clprim_self_test_desc desc = {.primitive = "reduce", .variant = "cpu_chunk", .quick = true};
    return clprim_runtime_self_test(&b->wrong, b->runtime, &desc);
}

static bool none_is_wrong(void *self)
{
    const building *b = self;
    return b->wrong == 0 || sweep_wrong("%zu variants are wrong", b->wrong);
}

static bool nothing_is_set_aside(void *self)
{
    const building *b = self;
    char text[512];
    return clprim_runtime_set_aside(b->runtime, text, sizeof text) == 0 || sweep_wrong("a fault stays: %s", text);
}

static void clear_plan(void *self)
{
    const building *b = self;
    clprim_plan_destroy(b->plan);
}

FAULTS_TEST(trials_survive)
{
    test_setenv("CLPRIM_SELF_TEST", "always");
    building b = {.runtime = test_runtime(NULL), .variant = CLPRIM_REDUCE_CPU_CHUNK};
    ASSERT_OK(run_test(&b));
    /* The library can do without some of these calls. Scratch memory it requests again, in the size that is needed.
     * Memory for the last error and for the cache is optional. */
    sweep s = {.name = "a self-test",
               .ways = SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY,
               .code = CL_OUT_OF_RESOURCES,
               .tolerated = "clCreateBuffer clWaitForEvents clRetainEvent clFlush clFinish clRetainCommandQueue "
                            "strdup malloc",
               .self = &b,
               .out = &b.wrong,
               .run = run_test,
               .is_right = none_is_wrong,
               .recover = nothing_is_set_aside};
    sweep_expect(&s);
    s.name = "a plan that may be tried";
    s.out = &b.plan;
    s.run = run;
    s.is_right = NULL;
    s.clear = clear_plan;
    sweep_expect(&s);
    clprim_runtime_destroy(b.runtime);
}
