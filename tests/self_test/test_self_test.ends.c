// SPDX-License-Identifier: MIT
/* test_self_test.ends.c: compilers and kernels that end the process. The next process skips whatever ended the previous
 * one, reports it, and tries it again when asked to. */
#include <clprim/self_test.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "files.h"
#include "unoptimized.h"

/* Every plan is tried, with an empty cache. Child processes are started before this process has used a driver. */
static char directory[TEST_PATH_SIZE], cache[TEST_PATH_SIZE + 16];

static void begin(void)
{
    test_directory_create(directory);
    (void)snprintf(cache, sizeof cache, "%s/cache", directory);
    test_setenv("CLPRIM_CACHE_DIR", cache);
    test_setenv("CLPRIM_CACHE", "on");
    test_setenv("CLPRIM_SELF_TEST", "always");
}

static void end(void)
{
    test_directory_remove(directory);
}

TestSuite(ends, .init = begin, .fini = end, .timeout = 600);

enum { HAS_NO_CPU = 77, FAILED = 1 };

static const char *deadly = "kernels/reduce/cpu_chunk.cl"; /* part of the name of the broken program */
static int told[2];                                        /* a pipe; the compiler writes to it before it hangs */
static size_t seen;                                        /* how often that program was about to be compiled */

static bool is_deadly(cl_program program)
{
    size_t size = 0;
    bool is_one = false;
    char *source =
        clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) == CL_SUCCESS ? calloc(1, size + 1) : NULL;
    if (source != NULL && clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) == CL_SUCCESS)
        is_one = strstr(source, deadly) != NULL;
    free(source);
    return is_one;
}

/* Compilers. Each waits before it crashes, so that other threads would start to compile in the meantime if they were
 * allowed to. */
static void crash(cl_program program)
{
    if (!is_deadly(program))
        return;
    (void)usleep(100000);
    (void)kill(getpid(), SIGKILL);
}

static void hang(cl_program program)
{
    if (!is_deadly(program))
        return;
    (void)!write(told[1], "", 1);
    (void)alarm(600); /* ends the process if nobody else does; the test may have to wait for its slot in the meantime */
    for (;;)
        (void)pause();
}

static void see(cl_program program)
{
    seen += is_deadly(program);
}

/* A kernel that ends the process when it is enqueued, as a broken one that was compiled would. */
static void crash_on_launch(void *user, const clprim_trace_record *record)
{
    (void)user;
    if (strstr(deadly, record->program) != NULL)
        (void)kill(getpid(), SIGKILL);
}

typedef struct process {
    void (*compiler)(cl_program program);
    clprim_trace_fn launched;
    const clprim_operation *face;
    size_t num_threads; /* threads that make other plans */
} process;

static void *make_others(void *runtime)
{
    clprim_plan *plan = NULL;
    const clprim_scan_desc desc = {.variant = CLPRIM_SCAN_CPU_CHUNK};
    (void)clprim_scan_create(&plan, runtime, &desc);
    clprim_plan_destroy(plan);
    return NULL;
}

/* In a child process: make AUTO's plan of the operation. */
static int make_plan(const process *self)
{
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    pthread_t threads[4];
    test_before_build = self->compiler;
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS)
        return FAILED;
    if (clprim_runtime_info(runtime)->kind != CLPRIM_DEVICE_CPU) /* the deadly programs are for CPUs */
        return HAS_NO_CPU;
    clprim_runtime_set_trace(runtime, self->launched, NULL);
    for (size_t i = 0; i < self->num_threads; i++)
        if (pthread_create(&threads[i], NULL, make_others, runtime) != 0)
            return FAILED;
    const clprim_sort_by_key_desc sort = {.num_arrays = 1};
    const clprim_reduce_desc reduce = {.type = CLPRIM_I32};
    const clprim_status status = self->face == &clprim_sort_by_key_operation
                                     ? clprim_sort_by_key_create(&plan, runtime, &sort)
                                     : clprim_reduce_create(&plan, runtime, &reduce);
    for (size_t i = 0; i < self->num_threads; i++)
        (void)pthread_join(threads[i], NULL);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status == CLPRIM_SUCCESS ? 0 : FAILED;
}

static pid_t start(process self)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        _exit(make_plan(&self));
    return child;
}

static void expect_end(pid_t child, bool is_killed)
{
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == HAS_NO_CPU)
        cr_skip_test("the device is no CPU");
    cr_assert(is_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                        : WIFEXITED(status) && WEXITSTATUS(status) == 0,
              "the process ends with %d", status);
}

/* The number of notes in the cache whose keys begin with these words. */
static size_t count_notes(const char *words)
{
    size_t count = 0;
    glob_t files = test_list(cache, "");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        size_t size = 0;
        char *bytes = test_read_file(files.gl_pathv[i], &size);
        count += size > 32 + strlen(words) && strncmp(bytes + 32, words, strlen(words)) == 0;
        free(bytes);
    }
    globfree(&files);
    return count;
}

static void expect_notes(size_t compiled, size_t tried)
{
    cr_assert_eq(count_notes("under way: being compiled"), compiled, "%zu", count_notes("under way: being compiled"));
    cr_assert_eq(count_notes("under way: being tried"), tried, "%zu", count_notes("under way: being tried"));
}

/* Check that a plan adds up correctly, and whether it uses the CPU's variant. */
static void expect_plan(clprim_runtime *runtime, bool of_cpu, const char *what)
{
    static int32_t numbers[5000];
    test_call self;
    for (int32_t i = 0; i < 5000; i++)
        numbers[i] = i - 17;
    test_call_make(&self, runtime, &clprim_reduce_operation, NULL);
    cr_assert_eq(clprim_plan_variant(self.plan)->id == CLPRIM_REDUCE_CPU_CHUNK, of_cpu, "%s: %s", what,
                 clprim_plan_variant(self.plan)->name);
    test_call_fill(&self, &(const clprim_reduce_call){.in = {.host = numbers}, .count = 5000}, TEST_SEED);
    test_call_check(&self, "%s", what);
    test_call_destroy(&self);
}

/* AUTO skips the CPU's variant, and it is refused when requested by name. In neither case is it compiled or run. */
static void expect_passed_over(const char *words)
{
    char text[2048];
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_CPU_CHUNK};
    seen = 0;
    test_before_build = see;
    clprim_runtime *runtime = test_runtime(NULL);
    expect_plan(runtime, false, words);
    test_refuse(runtime, &clprim_reduce_operation, &desc, CLPRIM_UNSUPPORTED, words);
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 1, "%s", text);
    cr_assert(strncmp(text, "cpu_chunk of reduce: ", 21) == 0 && strstr(text, words) != NULL, "%s", text);
    cr_assert_eq(seen, 0, "it is compiled");
    clprim_runtime_destroy(runtime);
}

/* Check what the self-test reports of the CPU's variant. */
static void expect_self_test(bool again, size_t wrong)
{
    size_t found = SIZE_MAX;
    const clprim_self_test_desc desc = {.primitive = "reduce", .variant = "cpu_chunk", .quick = true, .again = again};
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_OK(clprim_runtime_self_test(&found, runtime, &desc));
    cr_assert_eq(found, wrong, "%zu", found);
    clprim_runtime_destroy(runtime);
}

/* When it is tried again it survives, and is then used as before. */
static void expect_again(void)
{
    expect_self_test(false, 1);
    expect_self_test(true, 0);
    expect_notes(0, 0);
    clprim_runtime *runtime = test_runtime(NULL);
    expect_plan(runtime, true, "it was tried again");
    cr_assert_eq(clprim_runtime_set_aside(runtime, NULL, 0), 0);
    clprim_runtime_destroy(runtime);
    expect_self_test(false, 0);
}

static const char compiled[] = "an earlier process ended while it compiled kernels/reduce/cpu_chunk.cl";
static const char tried[] = "an earlier process ended while it tried this variant";

Test(ends, a_compiler_that_crashes_does_so_once)
{
    expect_end(start((process){.compiler = crash}), true);
    expect_notes(1, 0);
    expect_end(start((process){.compiler = crash}), false);
    expect_notes(1, 0);
    expect_passed_over(compiled);
    expect_again();
}

Test(ends, a_compiler_that_hangs_is_met_once)
{
    char byte;
    cr_assert_eq(pipe(told), 0);
    const pid_t child = start((process){.compiler = hang});
    (void)close(told[1]);
    if (read(told[0], &byte, 1) == 1) /* otherwise it ends by itself */
        (void)kill(child, SIGKILL);
    expect_end(child, true);
    expect_notes(1, 0);
    expect_passed_over(compiled);
}

/* While a process is running, other processes ignore its notes. */
Test(ends, a_process_that_lives_has_not_ended)
{
    char byte;
    char text[1024];
    cr_assert_eq(pipe(told), 0);
    const pid_t child = start((process){.compiler = hang});
    (void)close(told[1]);
    if (read(told[0], &byte, 1) != 1)
        expect_end(child, true);
    expect_notes(1, 0);
    seen = 0;
    test_before_build = see;
    clprim_runtime *runtime = test_runtime(NULL);
    expect_plan(runtime, true, "another process compiles it");
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 0, "%s", text);
    cr_assert_eq(seen, 1);
    clprim_runtime_destroy(runtime);
    (void)kill(child, SIGKILL);
    expect_end(child, true);
    runtime = test_runtime(NULL);
    expect_plan(runtime, true, "it is in the cache");
    clprim_runtime_destroy(runtime);
}

Test(ends, a_kernel_that_crashes_does_so_once)
{
    expect_end(start((process){.launched = crash_on_launch}), true);
    expect_notes(0, 1);
    expect_end(start((process){.launched = crash_on_launch}), false);
    expect_notes(0, 1);
    expect_passed_over(tried);
    expect_again();
}

/* Only one thread at a time compiles: programs of other threads are not blamed. */
Test(ends, what_other_threads_compile_is_not_noted)
{
    expect_end(start((process){.compiler = crash, .num_threads = 4}), true);
    expect_notes(1, 0);
    expect_passed_over(compiled);
}

/* This also works for an operation that another one is built on. */
Test(ends, what_others_are_built_of_is_passed_over)
{
    enum { N = 3000 };
    static uint32_t keys[N], values[N];
    static const clprim_sort_by_key_call call = {
        .keys_in = {.host = keys}, .arrays_in = {{.host = values}}, .count = N};
    char text[1024];
    test_call self;
    deadly = "kernels/radix_sort/cpu_buckets.cl";
    expect_end(start((process){.compiler = crash, .face = &clprim_sort_by_key_operation}), true);
    expect_notes(1, 0);
    test_before_build = see;
    clprim_runtime *runtime = test_runtime(NULL);
    for (uint32_t i = 0; i < N; i++) {
        keys[i] = (N - i) / 3;
        values[i] = i;
    }
    test_call_make(&self, runtime, &clprim_sort_by_key_operation, &(const clprim_sort_by_key_desc){.num_arrays = 1});
    test_call_fill(&self, &call, TEST_SEED);
    test_call_check(&self, "above what ended a process");
    test_call_destroy(&self);
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 1, "%s", text);
    cr_assert_not_null(strstr(text, deadly), "%s", text);
    cr_assert_eq(seen, 0);
    clprim_runtime_destroy(runtime);
}

/* An error of the compiler does not end the process. */
Test(ends, nothing_is_left_by_what_goes_on)
{
    static const clprim_custom_op mistake = {.combine = "a + nothing", .identity = "0"};
    static const clprim_reduce_desc wrong = {.custom = &mistake};
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_reduce_operation, &wrong, CLPRIM_BUILD_FAILED, "nothing");
    expect_plan(runtime, clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU, "all goes well");
    clprim_runtime_destroy(runtime);
    expect_notes(0, 0);
    cr_assert_gt(test_count_files(cache, ""), 0);
}

/* If nothing can be noted, the next process tries again. */
Test(ends, nothing_is_passed_over_without_a_directory)
{
    for (int i = 0; i < 2; i++) {
        test_setenv(i == 0 ? "CLPRIM_CACHE" : "CLPRIM_CACHE_DIR", i == 0 ? "off" : "/proc/clprim");
        expect_end(start((process){.compiler = crash}), true);
        expect_end(start((process){.compiler = NULL}), false);
        cr_assert_neq(access(cache, F_OK), 0);
        test_setenv("CLPRIM_CACHE", "on");
    }
}

static size_t most_notes;

static void count_while_compiling(cl_program program)
{
    (void)program;
    const size_t files = access(cache, F_OK) == 0 ? test_count_files(cache, "") : 0;
    most_notes = files > most_notes ? files : most_notes;
}

/* On drivers that the project itself tests, no notes are written, so they cost nothing. */
Test(ends, nothing_is_noted_on_drivers_that_are_known)
{
    test_before_build = count_while_compiling;
    for (int i = 0; i < 3; i++) {
        test_setenv("CLPRIM_SELF_TEST", i == 0 ? "always" : i == 1 ? NULL : "off");
        test_directory_remove(cache);
        most_notes = 0;
        clprim_runtime *runtime = test_runtime(NULL);
        const bool is_known = clprim_runtime_info(runtime)->vendor == CLPRIM_VENDOR_POCL ||
                              clprim_runtime_info(runtime)->vendor == CLPRIM_VENDOR_NVIDIA;
        expect_plan(runtime, clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU, "it survives");
        clprim_runtime_destroy(runtime);
        cr_assert(i == 1 && !is_known ? true : (most_notes > 0) == (i == 0), "%d: %zu notes", i, most_notes);
    }
}
