// SPDX-License-Identifier: MIT
/* test_faults.runtime.c: faults while runtimes are made, including runtimes that read tuned parameters or write a
 * timeline. Faults in these two do not make the call fail: parameters that cannot be read are skipped, and records that
 * cannot be written are missing from the file. */
#include <jansson.h>
#include <stdlib.h>

#include "files.h"
#include "support.h"
#include "sweep.h"

typedef struct making {
    clprim_runtime_desc desc;
    clprim_runtime *runtime;
    clprim_device_info info; /* what the runtime should know about its device */
    cl_uint num_platforms;
    char directory[TEST_PATH_SIZE];
    unsigned files; /* number of files: each timeline has a separate one */
} making;

static clprim_status run(void *self)
{
    making *m = self;
    return clprim_runtime_create(&m->runtime, &m->desc);
}

static void clear(void *self)
{
    making *m = self;
    clprim_runtime_destroy(m->runtime);
    m->runtime = NULL;
}

/* Optional properties of a device may be missing, but not its name and its memory size. If there are several platforms,
 * one whose device does not answer is skipped, and the best device may belong to another platform. */
static bool runtime_is_right(void *self)
{
    const making *m = self;
    const clprim_device_info *info = clprim_runtime_info(m->runtime);
    if (m->num_platforms > 1 && info->device != m->info.device)
        return true;
    return (info->device == m->info.device && strcmp(info->name, m->info.name) == 0 &&
            strcmp(info->driver_version, m->info.driver_version) == 0 &&
            strcmp(info->platform_version, m->info.platform_version) == 0 &&
            info->compute_units == m->info.compute_units && info->max_work_group_size == m->info.max_work_group_size &&
            info->max_allocation_size == m->info.max_allocation_size &&
            info->local_memory_size == m->info.local_memory_size &&
            info->has_int64_atomics == m->info.has_int64_atomics && info->has_fp64 == m->info.has_fp64) ||
           sweep_wrong("a basic fact about the device is not right");
}

FAULTS_TEST(runtimes_survive)
{
    test_setenv("CLPRIM_TUNING", "off");
    clprim_runtime *other = test_runtime(NULL);
    const cl_context context = clprim_runtime_context(other);
    cl_uint num_platforms = 0;
    ASSERT_CL(clGetPlatformIDs(0, NULL, &num_platforms));
    const char *tolerated = num_platforms > 1 ? "clGetDeviceInfo clGetDeviceIDs clGetPlatformInfo" : "clGetDeviceInfo";
    const struct {
        const char *name;
        clprim_runtime_desc desc;
        clprim_status instead;
    } rows[] = {
        {"a runtime on the best device", {.queue = NULL}, CLPRIM_NO_DEVICE},
        {"a runtime on a queue", {.queue = clprim_runtime_queue(other)}, CLPRIM_SUCCESS},
        {"a runtime on a context", {.context = context}, CLPRIM_SUCCESS},
        {"a runtime on a context and a device",
         {.context = context, .device = clprim_runtime_info(other)->device},
         CLPRIM_SUCCESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        making m = {.desc = rows[i].desc, .info = *clprim_runtime_info(other), .num_platforms = num_platforms};
        const sweep s = {.name = rows[i].name,
                         .ways = SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY,
                         .tolerated = tolerated,
                         .instead = rows[i].instead,
                         .self = &m,
                         .out = &m.runtime,
                         .run = run,
                         .is_right = runtime_is_right,
                         .clear = clear};
        sweep_expect(&s);
    }
    clprim_runtime_destroy(other);
}

static clprim_status run_devices(void *self)
{
    size_t count = 0;
    (void)self;
    return clprim_runtime_devices(NULL, 0, &count);
}

/* Platforms and devices that do not answer are skipped, and no thread's last error changes. */
FAULTS_TEST(listing_devices_passes_over_what_fails)
{
    const sweep s = {.name = "listing devices",
                     .tolerated = "clGetPlatformIDs clGetPlatformInfo clGetDeviceIDs clGetDeviceInfo",
                     .run = run_devices};
    const faults_order second = {.at = 2, .code = CL_OUT_OF_HOST_MEMORY};
    sweep_expect(&s);
    cr_assert_eq((int)clprim_runtime_create(NULL, NULL), (int)CLPRIM_INVALID_ARGUMENT);
    faults_arm(&second);
    ASSERT_OK(run_devices(NULL));
    cr_assert_not_null(faults_disarm().name);
    cr_assert_not_null(strstr(clprim_last_error(), "clprim_runtime_create"), "a success changes the last error");
}

/* Compiler options for callers' kernels. */

typedef struct asking {
    cl_device_id device;
    union {
        char text[CLPRIM_DEVICE_OPTIONS_SIZE];
        size_t beginning; /* 0: nothing is written */
    } options;
} asking;

static clprim_status ask(void *self)
{
    asking *a = self;
    return clprim_device_options(a->options.text, sizeof a->options.text, a->device);
}

static bool options_are_right(void *self)
{
    const asking *a = self;
    return strstr(a->options.text, "-DCLPRIM_SUB_GROUP_MEANS=") != NULL || sweep_wrong("it is \"%s\"", a->options.text);
}

static void forget(void *self)
{
    asking *a = self;
    a->options.beginning = 0;
}

FAULTS_TEST(options_survive)
{
    clprim_runtime *other = test_runtime(NULL);
    asking a = {.device = clprim_runtime_info(other)->device};
    const sweep s = {.name = "options for callers' kernels",
                     .tolerated = "clGetDeviceInfo",
                     .self = &a,
                     .out = &a.options.beginning,
                     .run = ask,
                     .is_right = options_are_right,
                     .clear = forget};
    sweep_expect(&s);
    clprim_runtime_destroy(other);
}

/* These runtimes use a queue of the other runtime, because finding a device is tested above. The cache opens files,
 * too: see test_faults.programs.c. */
static making begin(const clprim_runtime *other)
{
    making m = {.desc = {.queue = clprim_runtime_queue(other)}};
    test_setenv("CLPRIM_CACHE", "off");
    test_setenv("CLPRIM_TUNING", "off");
    test_directory_create(m.directory);
    return m;
}

/* Tuned parameters. */

static bool is_told(void *self)
{
    const making *m = self;
    char text[1024];
    (void)clprim_runtime_tuning_problems(m->runtime, text, sizeof text);
    return true;
}

static bool tuning_is_read(void *self)
{
    making *m = self;
    char text[1024];
    if (run(m) != CLPRIM_SUCCESS)
        return sweep_wrong("then fails: %s", clprim_last_error());
    const size_t problems = clprim_runtime_tuning_problems(m->runtime, text, sizeof text);
    clear(m);
    return problems == 1 || sweep_wrong("%zu lines are passed over: %s", problems, text);
}

FAULTS_TEST(tuned_parameters_survive)
{
    static const char line[] = "this is no line of parameters\n";
    clprim_runtime *other = test_runtime(NULL);
    making m = begin(other);
    const sweep s = {.name = "a runtime with tuned parameters",
                     .ways = SWEEP_CALLS | SWEEP_MEMORY | SWEEP_FILES,
                     .tolerated = "clGetDeviceInfo malloc realloc openat fstat read",
                     .self = &m,
                     .out = &m.runtime,
                     .run = run,
                     .is_right = is_told,
                     .clear = clear,
                     .recover = tuning_is_read};
    test_setenv("CLPRIM_TUNING", test_path(m.directory, "tuning.txt"));
    test_write_file(getenv("CLPRIM_TUNING"), line, sizeof line - 1);
    sweep_expect(&s);
    clprim_runtime_destroy(other);
    test_directory_remove(m.directory);
}

/* Timelines. */

static void prepare_timeline(void *self)
{
    const making *m = self;
    char name[32];
    (void)snprintf(name, sizeof name, "%u.json", m->files);
    test_setenv("CLPRIM_TRACE", test_path(m->directory, name));
}

static void prepare_new_timeline(void *self)
{
    ((making *)self)->files++;
    prepare_timeline(self);
}

/* The file can be read, whatever is missing in it. */
static bool timeline_is_right(void *self)
{
    json_error_t error;
    clear(self);
    json_t *timeline = json_load_file(getenv("CLPRIM_TRACE"), 0, &error);
    json_decref(timeline);
    return timeline != NULL || sweep_wrong("the timeline is not valid in line %d: %s", error.line, error.text);
}

/* Write to the same file again. */
static bool recover_timeline(void *self)
{
    prepare_timeline(self);
    return (run(self) == CLPRIM_SUCCESS || sweep_wrong("then fails: %s", clprim_last_error())) &&
           timeline_is_right(self);
}

/* A file stays open as long as the process lives, so leaks are visible only if all runtimes write into one file. */
Test(faults, timelines_survive)
{
    clprim_runtime *other = test_runtime(NULL);
    making m = begin(other);
    sweep s = {.name = "a runtime with a timeline",
               .ways = SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY,
               .tolerated = "clGetDeviceInfo clCreateCommandQueue clCreateBuffer clEnqueueWriteBuffer clWaitForEvents "
                            "clGetEventProfilingInfo realloc fstat pwrite ftruncate fcntl",
               .self = &m,
               .out = &m.runtime,
               .prepare = prepare_timeline,
               .run = run,
               .is_right = timeline_is_right,
               .clear = clear,
               .recover = recover_timeline};
    cr_assert(recover_timeline(&m));
    const faults_balance before = faults_held();
    sweep_expect(&s);
    const char *wrong = sweep_leaks(&before);
    cr_assert_null(wrong, "%s", wrong);
    s.name = "a runtime with a timeline of its own";
    s.prepare = prepare_new_timeline;
    s.ways = SWEEP_MEMORY;
    sweep_expect(&s);
    s.ways = SWEEP_FILES;
    s.instead = CLPRIM_INVALID_ARGUMENT;
    sweep_expect(&s);
    clprim_runtime_destroy(other);
    test_directory_remove(m.directory);
}
