/* test_faults.settings.c: faults while runtimes are made that read tuned parameters or write a timeline. Neither is
 * worth a failure of its own: what cannot be read is passed over, what cannot be written is missing from the file. */
#define _XOPEN_SOURCE 700
#include <clprim/clprim.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "support.h"
#include "sweep.h"

typedef struct setting {
    char directory[TEST_PATH_SIZE];
    char path[TEST_PATH_SIZE + 32];
    unsigned files; /* each timeline has one of its own */
    clprim_runtime_desc desc;
    clprim_runtime *runtime;
} setting;

static clprim_status run(void *self)
{
    setting *s = self;
    s->runtime = NULL;
    return clprim_runtime_create(&s->runtime, &s->desc);
}

/* Runtimes on a queue, for how one finds its device is seen to elsewhere. */
static clprim_runtime *begin(setting *s)
{
    faults_forget();
    cr_assert_eq(setenv("CLPRIM_CACHE", "off", 1), 0); /* opens files, too: test_faults.runtime.c */
    clprim_runtime *other = test_runtime(NULL);
    *s = (setting){.desc = {.queue = clprim_runtime_queue(other)}};
    test_directory_create(s->directory);
    cr_assert_eq(setenv("CLPRIM_TUNING", "off", 1), 0);
    return other;
}

/* Tuned parameters. */

static bool is_told(void *self)
{
    setting *s = self;
    char text[1024];
    (void)clprim_runtime_tuning_problems(s->runtime, text, sizeof text);
    clprim_runtime_destroy(s->runtime);
    return true;
}

static bool tuning_is_read(void *self)
{
    setting *s = self;
    char text[1024];
    if (run(s) != CLPRIM_SUCCESS)
        return sweep_wrong("then fails: %s", clprim_last_error());
    const size_t problems = clprim_runtime_tuning_problems(s->runtime, text, sizeof text);
    clprim_runtime_destroy(s->runtime);
    return problems == 1 || sweep_wrong("%zu lines are passed over: %s", problems, text);
}

Test(faults, tuned_parameters_survive, .timeout = 1700)
{
    static const char *const passed_over[] = {"malloc", "realloc", "open", "fstat", "read", NULL};
    static const faults_group groups[] = {FAULTS_OPENCL, FAULTS_MEMORY, FAULTS_FILES};
    setting s;
    clprim_runtime *other = begin(&s);
    (void)snprintf(s.path, sizeof s.path, "%s/tuning.txt", s.directory);
    FILE *file = fopen(s.path, "w");
    cr_assert_not_null(file);
    cr_assert_gt(fprintf(file, "this is no line of parameters\n"), 0);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(setenv("CLPRIM_TUNING", s.path, 1), 0);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        static const char *const optional[] = {"clGetDeviceInfo", NULL};
        const sweep tuned = {.name = "a runtime with tuned parameters",
                             .group = groups[i],
                             .tolerated = groups[i] == FAULTS_OPENCL ? optional : passed_over,
                             .self = &s,
                             .run = run,
                             .is_right = is_told,
                             .recover = tuning_is_read};
        sweep_expect(&tuned);
    }
    clprim_runtime_destroy(other);
    test_directory_remove(s.directory);
    sweep_expect_no_leaks("tuned parameters");
}

/* Timelines. */

static void prepare_timeline(void *self)
{
    setting *s = self;
    (void)snprintf(s->path, sizeof s->path, "%s/%u.json", s->directory, s->files);
    cr_assert_eq(setenv("CLPRIM_TRACE", s->path, 1), 0);
}

static void prepare_new_timeline(void *self)
{
    setting *s = self;
    s->files++;
    prepare_timeline(self);
}

/* Whatever is missing, it can be read. */
static bool timeline_is_right(void *self)
{
    setting *s = self;
    static char text[1 << 20];
    clprim_runtime_destroy(s->runtime);
    FILE *file = fopen(s->path, "r");
    const size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    text[size] = '\0';
    return json_is_valid(text) || sweep_wrong("the timeline is \"%.200s\"", text);
}

static bool recover_timeline(void *self)
{
    prepare_timeline(self);
    return (run(self) == CLPRIM_SUCCESS || sweep_wrong("then fails: %s", clprim_last_error())) &&
           timeline_is_right(self);
}

static sweep sweep_of(setting *s)
{
    static const char *const missing[] = {"clGetDeviceInfo",
                                          "clCreateCommandQueue",
                                          "clCreateBuffer",
                                          "clEnqueueWriteBuffer",
                                          "clWaitForEvents",
                                          "clGetEventProfilingInfo",
                                          "realloc",
                                          "fstat",
                                          "pwrite",
                                          "ftruncate",
                                          NULL};
    return (sweep){.tolerated = missing,
                   .self = s,
                   .prepare = prepare_timeline,
                   .run = run,
                   .is_right = timeline_is_right,
                   .recover = recover_timeline};
}

/* A file lives as long as the process, so that leaks show where all runtimes write into one. */
Test(faults, timelines_survive, .timeout = 1700)
{
    setting s;
    clprim_runtime *other = begin(&s);
    cr_assert(recover_timeline(&s));
    const size_t objects = faults_objects();
    const size_t blocks = faults_blocks();
    for (int way = 0; way < 3; way++) {
        sweep timed = sweep_of(&s);
        timed.name = "a runtime with a timeline";
        timed.group = way == 2 ? FAULTS_MEMORY : FAULTS_OPENCL;
        timed.is_forever = way == 1;
        sweep_expect(&timed);
    }
    const char *wrong = sweep_leaks("timelines", objects, blocks);
    cr_assert_null(wrong, "%s", wrong);
    for (int way = 0; way < 2; way++) {
        sweep opened = sweep_of(&s);
        opened.name = "a runtime with a timeline of its own";
        opened.group = way == 0 ? FAULTS_MEMORY : FAULTS_FILES;
        opened.instead = way == 0 ? CLPRIM_SUCCESS : CLPRIM_INVALID_ARGUMENT;
        opened.prepare = prepare_new_timeline;
        sweep_expect(&opened);
    }
    clprim_runtime_destroy(other);
    test_directory_remove(s.directory);
}
