/* test_faults.runtime.c: faults while runtimes are made, and while programs are compiled, loaded and stored. */
#define _XOPEN_SOURCE 700
#include <clprim/clprim.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"
#include "sweep.h"

static char nothing; /* its address is that of no runtime */

/* Runtimes. */

typedef struct making {
    clprim_runtime_desc desc;
    clprim_runtime *runtime;
    clprim_device_info info; /* what the runtime should know */
} making;

static void prepare_runtime(void *self)
{
    making *m = self;
    m->runtime = (clprim_runtime *)(void *)&nothing;
}

static clprim_status run_runtime(void *self)
{
    making *m = self;
    return clprim_runtime_create(&m->runtime, &m->desc);
}

static bool runtime_is_untouched(void *self, const faults_report *report)
{
    making *m = self;
    (void)report;
    return m->runtime == (clprim_runtime *)(void *)&nothing || sweep_wrong("*out was written");
}

/* What a device need not say may be missing, but not what it is called and how large it is. */
static bool runtime_is_right(void *self)
{
    making *m = self;
    const clprim_device_info *info = clprim_runtime_info(m->runtime);
    const bool right = info->device == m->info.device && strcmp(info->name, m->info.name) == 0 &&
                       strcmp(info->driver_version, m->info.driver_version) == 0 &&
                       strcmp(info->platform_version, m->info.platform_version) == 0 &&
                       info->compute_units == m->info.compute_units &&
                       info->max_work_group_size == m->info.max_work_group_size &&
                       info->max_allocation_size == m->info.max_allocation_size &&
                       info->local_memory_size == m->info.local_memory_size &&
                       info->has_int64_atomics == m->info.has_int64_atomics && info->has_fp64 == m->info.has_fp64;
    clprim_runtime_destroy(m->runtime);
    return right || sweep_wrong("a basic fact about the device is not right");
}

static bool recover_runtime(void *self)
{
    prepare_runtime(self);
    return (run_runtime(self) == CLPRIM_SUCCESS || sweep_wrong("then fails: %s", clprim_last_error())) &&
           runtime_is_right(self);
}

static void sweep_runtime(making *m, const char *name, clprim_status instead)
{
    static const char *const tolerated[] = {"clGetDeviceInfo", NULL};
    for (int way = 0; way < 3; way++) {
        const sweep s = {.name = name,
                         .group = way == 2 ? FAULTS_MEMORY : FAULTS_OPENCL,
                         .is_forever = way == 1,
                         .tolerated = tolerated,
                         .instead = instead,
                         .self = m,
                         .prepare = prepare_runtime,
                         .run = run_runtime,
                         .is_kept = runtime_is_untouched,
                         .is_right = runtime_is_right,
                         .recover = way == 0 ? recover_runtime : NULL};
        sweep_expect(&s);
    }
}

Test(faults, runtimes_survive, .timeout = 1700)
{
    faults_forget();
    cr_assert_eq(setenv("CLPRIM_TUNING", "off", 1), 0);
    clprim_runtime *other = test_runtime(NULL);
    making m = {.info = *clprim_runtime_info(other)};
    sweep_runtime(&m, "a runtime on the best device", CLPRIM_NO_DEVICE);
    m.desc = (clprim_runtime_desc){.queue = clprim_runtime_queue(other)};
    sweep_runtime(&m, "a runtime on a queue", CLPRIM_SUCCESS);
    m.desc = (clprim_runtime_desc){.context = clprim_runtime_context(other)};
    sweep_runtime(&m, "a runtime on a context", CLPRIM_SUCCESS);
    m.desc.device = clprim_runtime_device(other);
    sweep_runtime(&m, "a runtime on a context and a device", CLPRIM_SUCCESS);
    clprim_runtime_destroy(other);
    sweep_expect_no_leaks("runtimes");
}

static clprim_status run_devices(void *self)
{
    size_t count = 0;
    (void)self;
    return clprim_runtime_devices(NULL, 0, &count);
}

/* Platforms and devices that do not answer are passed over, and nobody's last error changes. */
Test(faults, listing_devices_passes_over_what_fails)
{
    static const char *const all[] = {"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo",
                                      NULL};
    const sweep s = {.name = "listing devices", .tolerated = all, .run = run_devices};
    const faults_order second = {.at = 2, .code = CL_OUT_OF_HOST_MEMORY};
    faults_forget();
    sweep_expect(&s);
    cr_assert_eq((int)clprim_runtime_create(NULL, NULL), (int)CLPRIM_INVALID_ARGUMENT);
    faults_arm(&second);
    ASSERT_OK(run_devices(NULL));
    cr_assert_not_null(faults_disarm().name);
    cr_assert_not_null(strstr(clprim_last_error(), "clprim_runtime_create"), "a success changes the last error");
    sweep_expect_no_leaks("listing devices");
}

/* Programs. */

typedef struct building {
    char directory[TEST_PATH_SIZE];
    char cache[TEST_PATH_SIZE + 16];
    bool is_cold; /* with an empty cache each time */
    clprim_runtime *runtime;
    clprim_plan *plan;
} building;

static void empty_cache(building *b)
{
    test_directory_remove(b->cache);
}

static void prepare_plan(void *self)
{
    building *b = self;
    if (b->is_cold)
        empty_cache(b);
    b->runtime = test_runtime(NULL);
    b->plan = (clprim_plan *)(void *)&nothing;
}

static clprim_status run_plan(void *self)
{
    building *b = self;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    return clprim_reduce_create(&b->plan, b->runtime, &desc);
}

/* The runtime is the one in which something failed: what it has kept of that is sound. */
static bool plan_is_untouched(void *self, const faults_report *report)
{
    building *b = self;
    (void)report;
    const bool untouched = b->plan == (clprim_plan *)(void *)&nothing;
    const bool works = run_plan(b) == CLPRIM_SUCCESS;
    if (works)
        clprim_plan_destroy(b->plan);
    clprim_runtime_destroy(b->runtime);
    return (untouched || sweep_wrong("the plan was written")) &&
           (works || sweep_wrong("then fails: %s", clprim_last_error()));
}

static bool plan_is_right(void *self)
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
    clprim_plan_destroy(b->plan);
    clprim_runtime_destroy(b->runtime);
    return sum == 321 || sweep_wrong("the sum is %d", sum);
}

/* Whatever happened to the cache, no entry of it is bad, and nothing temporary stays. */
static bool recover_plan(void *self)
{
    building *b = self;
    const bool was_cold = b->is_cold;
    b->is_cold = false;
    prepare_plan(b);
    b->is_cold = was_cold;
    ASSERT_OK(run_plan(b));
    const size_t rejected = clprim_runtime_program_stats(b->runtime).rejected;
    DIR *directory = opendir(b->cache);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, ".tmp") != NULL)
            (void)sweep_wrong("%s stays in the cache", entry->d_name);
    if (directory != NULL)
        (void)closedir(directory);
    return plan_is_right(b) && (rejected == 0 || sweep_wrong("the cache has a bad entry"));
}

static void sweep_plan(building *b, const char *name, const char *const *tolerated, faults_group group, cl_int code)
{
    const sweep s = {.name = name,
                     .group = group,
                     .code = code,
                     .tolerated = tolerated,
                     .self = b,
                     .prepare = prepare_plan,
                     .run = run_plan,
                     .is_kept = plan_is_untouched,
                     .is_right = plan_is_right,
                     .recover = recover_plan};
    sweep_expect(&s);
}

static void use_cache(building *b)
{
    faults_forget();
    test_directory_create(b->directory);
    (void)snprintf(b->cache, sizeof b->cache, "%s/cache", b->directory);
    cr_assert_eq(setenv("CLPRIM_CACHE_DIR", b->cache, 1), 0);
    cr_assert_eq(setenv("CLPRIM_CACHE", "on", 1), 0);
}

/* An entry of the cache that cannot be loaded is built again. */
Test(faults, programs_survive_with_a_full_cache, .timeout = 1700)
{
    static const char *const loading[] = {"clCreateProgramWithBinary", "clBuildProgram", "malloc", NULL};
    static const char *const files[] = {"open", "openat", "fstat", "read", NULL};
    building b = {.is_cold = false};
    use_cache(&b);
    prepare_plan(&b);
    ASSERT_OK(run_plan(&b));
    cr_assert(plan_is_right(&b));
    sweep_plan(&b, "a program from the cache", loading, FAULTS_OPENCL, 0);
    sweep_plan(&b, "a program from the cache, in little memory", loading, FAULTS_MEMORY, 0);
    sweep_plan(&b, "a program from the cache, on a bad disk", files, FAULTS_FILES, 0);
    test_directory_remove(b.directory);
    sweep_expect_no_leaks("programs from the cache");
}

/* What cannot be stored is not. */
Test(faults, programs_survive_with_an_empty_cache, .timeout = 1700)
{
    static const char *const storing[] = {"clGetProgramInfo", "malloc", "strdup", NULL};
    static const char *const files[] = {"open", "openat", "fstat", "write", "mkdir", "renameat", NULL};
    building b = {.is_cold = true};
    use_cache(&b);
    sweep_plan(&b, "a program into the cache", storing, FAULTS_OPENCL, 0);
    sweep_plan(&b, "a program into the cache, in little memory", storing, FAULTS_MEMORY, 0);
    sweep_plan(&b, "a program into the cache, on a bad disk", files, FAULTS_FILES, 0);
    sweep_plan(&b, "a program that does not compile", storing, FAULTS_OPENCL, CL_BUILD_PROGRAM_FAILURE);
    test_directory_remove(b.directory);
    sweep_expect_no_leaks("programs into the cache");
}

/* Several programs and kernels, the sort of a histogram among them, each from source. */
typedef struct compiling {
    clprim_runtime *runtime;
    void *plan;
    bool sorts;
} compiling;

static void prepare_several(void *self)
{
    compiling *c = self;
    c->runtime = test_runtime(NULL);
    c->plan = NULL;
}

static clprim_status run_several(void *self)
{
    compiling *c = self;
    static const double bounds[] = {0, 2, 3, 5};
    const clprim_histogram_desc histogram = {.variant = CLPRIM_HISTOGRAM_SORT_BASED,
                                             .type = CLPRIM_U32,
                                             .mapping = CLPRIM_HISTOGRAM_BOUNDARIES,
                                             .bins = 3,
                                             .boundaries = bounds};
    clprim_plan *plan = NULL;
    const clprim_status status = clprim_histogram_create(&plan, c->runtime, &histogram);
    c->plan = plan;
    return status;
}

static void finish_several(void *self)
{
    compiling *c = self;
    clprim_plan_destroy(c->plan);
    clprim_runtime_destroy(c->runtime);
}

/* The lost device is the rarest and worst of faults: at each call of a build it says so, to the end. */
Test(faults, builds_survive_a_lost_device, .timeout = 1700)
{
    compiling c = {.plan = NULL};
    static const char *const loading[] = {"clCreateProgramWithBinary", "clBuildProgram", "malloc", NULL};
    faults_forget();
    for (int way = 0; way < 2; way++) {
        const sweep s = {.name = "a histogram by sorting",
                         .group = way == 0 ? FAULTS_OPENCL : FAULTS_MEMORY,
                         .is_forever = way == 0,
                         .code = way == 0 ? CL_DEVICE_NOT_AVAILABLE : 0,
                         .tolerated = loading,
                         .self = &c,
                         .prepare = prepare_several,
                         .run = run_several,
                         .finish = finish_several};
        sweep_expect(&s);
    }
    sweep_expect_no_leaks("builds");
}
