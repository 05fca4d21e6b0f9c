/* test_trace.c: the timeline that CLPRIM_TRACE asks for. */
#define _XOPEN_SOURCE 700 /* setenv */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "support.h"

enum { COUNT = 30000, MAX_TRACKS = 64, FIRST_THREAD = 1000000 };

/* The clocks are compared by looking from the host: what the device does may seem to be a little before its cause. */
static const double SLACK = 200; /* microseconds */

static char directory[TEST_PATH_SIZE];
static char path[TEST_PATH_SIZE + 16];

static void begin(void)
{
    test_directory_create(directory);
    (void)snprintf(path, sizeof path, "%s/trace.json", directory);
    cr_assert_eq(setenv("CLPRIM_TRACE", path, 1), 0);
    cr_assert_eq(setenv("CLPRIM_SELF_TEST", "off", 1), 0); /* whose kernels are in the timeline, too */
}

static void end(void)
{
    test_directory_remove(directory);
}

TestSuite(trace, .init = begin, .fini = end);

static char *read_file(const char *from)
{
    FILE *file = fopen(from, "rb");
    cr_assert_not_null(file, "%s is missing", from);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    cr_assert_not_null(text);
    cr_assert_leq(fread(text, 1, (size_t)size, file), (size_t)size);
    (void)fclose(file);
    return text;
}

/* The file's text, which is valid JSON, but for the moment in which something is being written; the caller frees it. */
static char *read_trace_or_less(const char *from)
{
    const struct timespec a_moment = {.tv_nsec = 2000000};
    char *text = read_file(from);
    for (int tries = 0; tries < 20 && !json_is_valid(text); tries++) {
        (void)nanosleep(&a_moment, NULL);
        free(text);
        text = read_file(from);
    }
    return text;
}

static char *read_trace(const char *from)
{
    char *text = read_trace_or_less(from);
    cr_assert(json_is_valid(text), "%s is not valid JSON: %.1000s", from, text);
    return text;
}

static const char *argument(const char *event, const char *key)
{
    const char *arguments = json_member(event, "args");
    return arguments != NULL ? json_member(arguments, key) : NULL;
}

static size_t count_events(const char *trace, const char *kind, const char *category)
{
    size_t count = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e))
        count += json_is(json_member(e, "ph"), kind) && (category == NULL || json_is(json_member(e, "cat"), category));
    return count;
}

/* What one track of a process shows does not overlap but where it is nested: a host's call within another. */
static void expect_order(const char *trace)
{
    for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
        const double tid = json_number(json_member(e, "tid"), -1);
        const double pid = json_number(json_member(e, "pid"), -1);
        const double start = json_number(json_member(e, "ts"), -1);
        const double length = json_number(json_member(e, "dur"), -1);
        cr_assert(pid >= 1 && tid >= 0, "an event has no track");
        if (!json_is(json_member(e, "ph"), "X"))
            continue;
        cr_assert(start > 0 && length >= 0, "an event lasts %g from %g on", length, start);
        for (const char *f = json_next(e); f != NULL; f = json_next(f)) {
            if (!json_is(json_member(f, "ph"), "X") || json_number(json_member(f, "tid"), -1) != tid ||
                json_number(json_member(f, "pid"), -1) != pid)
                continue;
            const double other = json_number(json_member(f, "ts"), -1);
            const double its_length = json_number(json_member(f, "dur"), -1);
            const bool is_apart = start + length <= other + 0.0015 || other + its_length <= start + 0.0015;
            const bool is_nested = other <= start && start + length <= other + its_length;
            cr_assert(is_apart || (tid >= FIRST_THREAD && is_nested), "[%f, +%f) and [%f, +%f) overlap on track %g",
                      start, length, other, its_length, tid);
        }
    }
}

/* Each arrow begins within a call that enqueues, and ends where the command begins, later. */
static void expect_arrows(const char *trace, size_t arrows)
{
    cr_assert_eq(count_events(trace, "s", "flow"), arrows);
    cr_assert_eq(count_events(trace, "f", "flow"), arrows);
    for (const char *s = json_first(trace); s != NULL; s = json_next(s)) {
        if (!json_is(json_member(s, "ph"), "s"))
            continue;
        const double id = json_number(json_member(s, "id"), -1);
        const double from = json_number(json_member(s, "ts"), -1);
        double to = -1;
        bool has_call = false;
        for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
            const double ts = json_number(json_member(e, "ts"), -1);
            if (json_is(json_member(e, "ph"), "f") && json_number(json_member(e, "id"), -1) == id)
                to = ts;
            has_call = has_call || (json_is(json_member(e, "cat"), "host") && ts <= from &&
                                    ts + json_number(json_member(e, "dur"), -1) >= from &&
                                    json_number(json_member(e, "tid"), -1) == json_number(json_member(s, "tid"), -2));
        }
        cr_assert(has_call, "arrow %g begins in no call", id);
        cr_assert(to >= from - SLACK, "arrow %g goes %f us back", id, from - to);
    }
}

/* What the hook for traces saw, to compare with. */
typedef struct sighting {
    size_t kernels;
    size_t work_items;
} sighting;

static void see(void *user, const clprim_trace_record *record)
{
    sighting *self = user;
    self->kernels++;
    self->work_items += record->global_size;
}

static clprim_plan *sum_plan(clprim_runtime *runtime)
{
    const clprim_reduce_desc desc = {.type = CLPRIM_U32, .variant = CLPRIM_REDUCE_SEQUENTIAL, .work_group_size = 32};
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &desc));
    return plan;
}

/* `rounds` sums of an array on a queue, which is then done with them. */
static void work(clprim_runtime *runtime, cl_command_queue queue, size_t rounds)
{
    clprim_plan *plan = sum_plan(runtime);
    cl_mem in = test_buffer(runtime, COUNT * sizeof(uint32_t));
    cl_mem out = test_buffer(runtime, sizeof(uint32_t));
    for (size_t i = 0; i < rounds; i++)
        ASSERT_OK(clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 0,
                                        NULL, NULL));
    ASSERT_CL(clFinish(queue != NULL ? queue : clprim_runtime_queue(runtime)));
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_plan_destroy(plan);
}

static void expect_kernels(const char *trace, const sighting *seen)
{
    size_t work_items = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
        if (!json_is(json_member(e, "cat"), "kernel"))
            continue;
        cr_assert(json_is(argument(e, "program"), "reduce/sequential.cl"));
        work_items += (size_t)(json_number(argument(e, "groups"), 0) * json_number(argument(e, "group_size"), 0));
    }
    cr_assert_eq(count_events(trace, "X", "kernel"), seen->kernels);
    cr_assert_eq(work_items, seen->work_items);
}

Test(trace, has_every_kernel_and_call)
{
    sighting seen = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime_set_trace(runtime, see, &seen);
    work(runtime, NULL, 3);
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    cr_assert_geq(seen.kernels, 9);
    expect_kernels(trace, &seen);
    expect_order(trace);
    expect_arrows(trace, seen.kernels);
    size_t calls = 0;
    size_t commands = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
        if (!json_is(json_member(e, "name"), "enqueue reduce"))
            continue;
        calls++;
        commands += (size_t)json_number(argument(e, "commands"), 0);
        cr_assert(json_is(argument(e, "status"), "success"));
    }
    cr_assert_eq(calls, 3);
    cr_assert_eq(commands, seen.kernels);
    free(trace);
}

Test(trace, has_copies_fills_and_builds)
{
    uint32_t numbers[1000] = {0};
    const uint64_t bins = 16;
    uint32_t counts[16] = {0};
    const clprim_histogram_desc desc = {.type = CLPRIM_U32, .bins = bins, .variant = CLPRIM_HISTOGRAM_GLOBAL_ATOMIC};
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_OK(clprim_histogram_run(
        runtime, &desc, &(clprim_histogram_call){.in = {.host = numbers}, .count = 1000, .out = {.host = counts}}));
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    size_t bytes = 0;
    size_t filled = 0;
    size_t builds = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
        if (json_is(json_member(e, "cat"), "transfer") && json_is(json_member(e, "name"), "read"))
            bytes += (size_t)json_number(argument(e, "bytes"), 0);
        if (json_is(json_member(e, "cat"), "transfer") && json_is(json_member(e, "name"), "fill"))
            filled += (size_t)json_number(argument(e, "bytes"), 0);
        builds += json_is(json_member(e, "name"), "compile histogram/merge.cl") ||
                  json_is(json_member(e, "name"), "load histogram/merge.cl");
    }
    cr_assert_eq(counts[0], 1000);
    cr_assert_eq(bytes, sizeof counts);
    cr_assert_geq(filled, sizeof counts, "the table is cleared");
    cr_assert_geq(builds, 1);
    expect_order(trace);
    free(trace);
}

Test(trace, numbers_are_read_with_a_dot_in_every_locale)
{
    cr_assert(json_number("1.5", 0) == 1.5);
}

Test(trace, has_queues_of_the_caller)
{
    sighting seen = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    clprim_plan *plans[4];
    cl_mem in = test_buffer(runtime, COUNT * sizeof(uint32_t));
    cl_mem out = test_buffer(runtime, 4 * sizeof(uint32_t));
    clprim_runtime_set_trace(runtime, see, &seen);
    for (size_t i = 0; i < 4; i++)
        plans[i] = sum_plan(runtime);
    for (size_t i = 0; i < 40; i++) /* four chains side by side */
        ASSERT_OK(clprim_reduce_enqueue(plans[i % 4], queue,
                                        &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out, i % 4}}, 0, NULL,
                                        NULL));
    ASSERT_CL(clFinish(queue));
    for (size_t i = 0; i < 4; i++)
        clprim_plan_destroy(plans[i]);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    expect_kernels(trace, &seen);
    expect_order(trace);
    expect_arrows(trace, seen.kernels);
    free(trace);
}

Test(trace, says_where_a_queue_has_no_times)
{
    sighting seen = {0};
    clprim_runtime *own = test_runtime(NULL);
    cl_command_queue queue = test_queue(own, 0);
    const clprim_runtime_desc desc = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&desc);
    clprim_runtime_set_trace(runtime, see, &seen);
    work(runtime, NULL, 2);
    clprim_runtime_destroy(runtime);
    clprim_runtime_destroy(own);
    ASSERT_CL(clReleaseCommandQueue(queue));
    char *trace = read_trace(path);
    size_t said = 0;
    size_t kernels = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
        if (!json_is(json_member(e, "ph"), "i"))
            continue;
        said += json_is(json_member(e, "name"), "a queue without times");
        kernels += json_is(argument(e, "no_times"), "the queue records none");
    }
    cr_assert_eq(said, 1);
    cr_assert_eq(kernels, seen.kernels);
    cr_assert_eq(count_events(trace, "X", "kernel"), 0);
    free(trace);
}

static void *work_in_a_thread(void *runtime)
{
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_PROFILING_ENABLE);
    work(runtime, queue, 50);
    ASSERT_CL(clReleaseCommandQueue(queue));
    return NULL;
}

Test(trace, has_a_track_for_each_thread_and_queue)
{
    pthread_t threads[2];
    double tracks[2] = {0};
    size_t num_tracks = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, work_in_a_thread, runtime), 0);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    for (const char *e = json_first(trace); e != NULL; e = json_next(e)) {
        const double tid = json_number(json_member(e, "tid"), -1);
        if (!json_is(json_member(e, "name"), "enqueue reduce") || (num_tracks > 0 && tid == tracks[0]) ||
            (num_tracks > 1 && tid == tracks[1]))
            continue;
        cr_assert_lt(num_tracks, 2, "two threads have more than two tracks");
        tracks[num_tracks++] = tid;
    }
    cr_assert_eq(num_tracks, 2);
    cr_assert_eq(count_events(trace, "X", "kernel"), 2 * 50 * 3);
    expect_order(trace);
    free(trace);
}

/* A directory of a name that JSON has to escape, which is a link, and parameters of which most are none. */
Test(trace, says_what_is_not_used)
{
    char place[TEST_PATH_SIZE + 64];
    FILE *file = NULL;
    (void)snprintf(place, sizeof place, "%s/tuned", directory);
    file = fopen(place, "w");
    cr_assert_not_null(file);
    cr_assert_gt(fprintf(file, "this is no line of parameters\n"), 0);
    (void)fclose(file);
    cr_assert_eq(setenv("CLPRIM_TUNING", place, 1), 0);
    (void)snprintf(place, sizeof place, "%s/a \"quoted\"\001 \\ link", directory);
    cr_assert_eq(symlink(directory, place), 0);
    cr_assert_eq(setenv("CLPRIM_CACHE_DIR", place, 1), 0);
    cr_assert_eq(setenv("CLPRIM_CACHE", "on", 1), 0);
    clprim_runtime *runtime = test_runtime(NULL);
    work(runtime, NULL, 1);
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    size_t notes = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e))
        if (json_is(json_member(e, "ph"), "i"))
            notes += json_is(json_member(e, "name"), "compiled kernels are not kept") ||
                     json_is(json_member(e, "name"), "lines of parameters passed over");
    cr_assert_eq(notes, 2, "%.3000s", trace);
    cr_assert_not_null(strstr(trace, "a \\\"quoted\\\"\\u0001 \\\\ link"), "%.3000s", trace);
    free(trace);
}

/* Commands that can never begin hold nothing up for long, nor are they passed over in silence. */
Test(trace, gives_up_what_never_begins)
{
    cl_int code = CL_SUCCESS;
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = sum_plan(runtime);
    cl_event never = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    cl_mem in = test_buffer(runtime, COUNT * sizeof(uint32_t));
    cl_mem out = test_buffer(runtime, sizeof(uint32_t));
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_PROFILING_ENABLE);
    ASSERT_CL(code);
    ASSERT_OK(clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 1,
                                    &never, NULL));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    size_t given_up = 0;
    for (const char *e = json_first(trace); e != NULL; e = json_next(e))
        given_up += json_is(argument(e, "no_times"), "not complete when the trace ended");
    cr_assert_eq(given_up, 3);
    free(trace);
    ASSERT_CL(clSetUserEventStatus(never, CL_COMPLETE));
    ASSERT_CL(clFinish(queue));
    ASSERT_CL(clReleaseEvent(never));
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
}

Test(trace, is_valid_at_any_time)
{
    clprim_runtime *runtime = test_runtime(NULL);
    free(read_trace(path));
    for (size_t i = 0; i < 4; i++) {
        work(runtime, NULL, 40); /* more than is kept back */
        free(read_trace(path));
    }
    char *trace = read_trace(path);
    cr_assert_gt(count_events(trace, "X", "kernel"), 0, "nothing was written before the end");
    free(trace);
    clprim_runtime_destroy(runtime);
}

/* A process may end in the middle of a write. What is then left are whole events, and a part of one. */
static char *read_cut_trace(const char *from)
{
    char *text = read_trace_or_less(from);
    for (size_t length = strlen(text); !json_is_valid(text) && length >= 2; length--)
        if (text[length - 1] == '\n' && text[length - 2] == ',') {
            (void)strcpy(text + length - 2, "\n]"); /* as viewers read it */
            break;
        }
    cr_assert(json_is_valid(text), "%s is not valid JSON without its last event: %.1000s", from, text);
    return text;
}

/* In a process that ends in one of three ways. */
static void end_process(int way)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        clprim_runtime *runtime = NULL;
        if (clprim_runtime_default(&runtime) != CLPRIM_SUCCESS)
            _exit(1);
        work(runtime, NULL, way == 2 ? 100 : 1);
        if (way == 0)
            exit(0);
        _exit(0);
    }
    int state = 0;
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0, "the process failed");
}

Test(trace, outlives_the_process)
{
    end_process(0); /* the default runtime is never destroyed */
    char *trace = read_trace(path);
    cr_assert_eq(count_events(trace, "X", "kernel"), 3);
    free(trace);
    end_process(1);
    free(read_cut_trace(path));
    end_process(2);
    trace = read_cut_trace(path);
    cr_assert_gt(count_events(trace, "X", "kernel"), 0);
    free(trace);
}

Test(trace, is_shared_by_runtimes)
{
    clprim_runtime *first = test_runtime(NULL);
    clprim_runtime *second = test_runtime(NULL);
    work(first, NULL, 1);
    work(second, NULL, 1);
    clprim_runtime_destroy(first);
    clprim_runtime_destroy(second);
    clprim_runtime *third = test_runtime(NULL); /* what is there stays */
    work(third, NULL, 1);
    clprim_runtime_destroy(third);
    char *trace = read_trace(path);
    size_t kernels[4] = {0};
    for (const char *e = json_first(trace); e != NULL; e = json_next(e))
        if (json_is(json_member(e, "cat"), "kernel"))
            kernels[(size_t)json_number(json_member(e, "pid"), 0) & 3]++;
    cr_assert(kernels[1] == 3 && kernels[2] == 3 && kernels[3] == 3);
    expect_order(trace);
    free(trace);
}

Test(trace, leaves_other_processes_files_alone)
{
    char name[TEST_PATH_SIZE + 64];
    char byte = 0;
    int pipe_ends[2];
    int state = 0;
    cr_assert_eq(pipe(pipe_ends), 0);
    const pid_t child = fork(); /* before drivers have threads */
    cr_assert_geq(child, 0);
    if (child == 0) {
        clprim_runtime *runtime = NULL;
        if (read(pipe_ends[0], &byte, 1) != 1 || clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS)
            _exit(1);
        clprim_runtime_destroy(runtime);
        _exit(0);
    }
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_eq(write(pipe_ends[1], &byte, 1), 1);
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0, "the process failed");
    work(runtime, NULL, 1);
    clprim_runtime_destroy(runtime);
    char *trace = read_trace(path);
    cr_assert_eq(count_events(trace, "X", "kernel"), 3);
    free(trace);
    (void)snprintf(name, sizeof name, "%s.%ld", path, (long)child);
    free(read_trace(name));
}

Test(trace, puts_the_process_into_the_path)
{
    char name[TEST_PATH_SIZE + 64];
    (void)snprintf(name, sizeof name, "%s/trace-%%p.json", directory);
    cr_assert_eq(setenv("CLPRIM_TRACE", name, 1), 0);
    clprim_runtime_destroy(test_runtime(NULL));
    (void)snprintf(name, sizeof name, "%s/trace-%ld.json", directory, (long)getpid());
    free(read_trace(name));
}

Test(trace, refuses_what_cannot_be_written)
{
    static const char *const bad[] = {"missing/trace.json", "."};
    char name[TEST_PATH_SIZE + 64];
    clprim_runtime *untouched = (clprim_runtime *)&untouched;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        clprim_runtime *runtime = untouched;
        (void)snprintf(name, sizeof name, "%s/%s", directory, bad[i]);
        cr_assert_eq(setenv("CLPRIM_TRACE", name, 1), 0);
        ASSERT_STATUS(clprim_runtime_create(&runtime, NULL), CLPRIM_INVALID_ARGUMENT);
        cr_assert_eq(runtime, untouched);
        cr_assert_not_null(strstr(clprim_last_error(), name), "%s", clprim_last_error());
        cr_assert_not_null(strstr(clprim_last_error(), "CLPRIM_TRACE"));
    }
    cr_assert_eq(setenv("CLPRIM_TRACE", "", 1), 0);
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime_destroy(runtime);
}
