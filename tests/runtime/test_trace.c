// SPDX-License-Identifier: MIT
/* test_trace.c: the timeline for CLPRIM_TRACE. */
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "commands.h"
#include "files.h"

enum { COUNT = 30000, KERNELS = 3 /* for a sum of COUNT elements */, FIRST_THREAD = 1000000, MAX_EVENTS = 10000 };

/* Clocks are compared only from the host. So a command may seem to run a little before its cause. */
static const double SLACK = 200; /* microseconds */

static char directory[TEST_PATH_SIZE];
static char path[TEST_PATH_SIZE + 16];

static void begin(void)
{
    test_directory_create(directory);
    (void)snprintf(path, sizeof path, "%s/trace.json", directory);
    test_setenv("CLPRIM_TRACE", path);
    test_setenv("CLPRIM_SELF_TEST", "off"); /* its kernels would be in the timeline, too */
    cr_assert(test_has_locale());
}

static void end(void)
{
    test_directory_remove(directory);
}

TestSuite(trace, .init = begin, .fini = end);

/* An event of a timeline, or a pattern for events, in which NULL matches anything. */
typedef struct event {
    const char *kind, *category, *name;
    const char *key, *value; /* an argument; used in patterns */
    json_t *arguments;       /* all arguments; used in events */
    double pid, tid, id;     /* in patterns, 0 matches anything */
    double start, length;    /* in microseconds */
} event;

/* The timeline that was read last. */
static event events[MAX_EVENTS], *events_end;

/* A process may end in the middle of a write. Then the file has complete events and a part of one. */
static json_t *load(const char *from, bool may_be_cut, json_error_t *error)
{
    size_t length = 0;
    char *text = test_read_file(from, &length);
    json_t *timeline = json_loads(text, JSON_REJECT_DUPLICATES, error);
    for (; timeline == NULL && may_be_cut && length >= 2; length--)
        if (memcmp(text + length - 2, ",\n", 2) == 0) {
            (void)strcpy(text + length - 2, "\n]"); /* as viewers complete it */
            timeline = json_loads(text, JSON_REJECT_DUPLICATES, error);
            break;
        }
    free(text);
    return timeline;
}

static void read_trace(const char *from, bool may_be_cut)
{
    static json_t *timeline;
    json_error_t error;
    json_t *value = NULL;
    size_t i = 0;
    json_decref(timeline);
    timeline = load(from, may_be_cut, &error);
    for (int tries = 0; tries < 20 && timeline == NULL; tries++) { /* it may just be written */
        (void)nanosleep(&(const struct timespec){.tv_nsec = 2000000}, NULL);
        timeline = load(from, may_be_cut, &error);
    }
    cr_assert_not_null(timeline, "%s:%d: %s", from, error.line, error.text);
    cr_assert_lt(json_array_size(timeline), MAX_EVENTS);
    events_end = events;
    json_array_foreach(timeline, i, value)
    {
        event *e = events_end++;
        *e = (event){.pid = -1, .tid = -1, .id = -1, .start = -1, .length = -1};
        const int code = json_unpack_ex(value, &error, 0, "{s:s, s?s, s:s, s?o, s:F, s:F, s?F, s?F, s?F}", "ph",
                                        &e->kind, "cat", &e->category, "name", &e->name, "args", &e->arguments, "pid",
                                        &e->pid, "tid", &e->tid, "id", &e->id, "ts", &e->start, "dur", &e->length);
        cr_assert_eq(code, 0, "event %zu: %s", i, error.text);
    }
}

static bool is(const char *text, const char *like)
{
    return like == NULL || (text != NULL && strcmp(text, like) == 0);
}

static bool is_like(const event *e, const event *like)
{
    return is(e->kind, like->kind) && is(e->category, like->category) && is(e->name, like->name) &&
           is(json_string_value(json_object_get(e->arguments, like->key)), like->value) &&
           (like->pid == 0 || e->pid == like->pid) && (like->tid == 0 || e->tid == like->tid);
}

/* A numeric argument of an event; 0 if there is none. */
static size_t argument(const event *e, const char *key)
{
    return (size_t)json_number_value(json_object_get(e->arguments, key));
}

/* The number of events that match; and the sum of one of their arguments. */
static size_t sum_of(const char *key, const event *like)
{
    size_t sum = 0;
    for (const event *e = events; e < events_end; e++)
        if (is_like(e, like))
            sum += key != NULL ? argument(e, key) : 1;
    return sum;
}
#define SUM(argument, ...) sum_of(argument, &(const event){__VA_ARGS__})
#define EVENTS(...)        SUM(NULL, __VA_ARGS__)

/* Events on one track of a process must not overlap, except if they are nested: a host's call inside another one. */
static void expect_order(void)
{
    const event span = {.kind = "X"};
    for (const event *e = events; e < events_end; e++) {
        cr_assert(e->pid >= 1 && e->tid >= 0, "an event has no track");
        if (!is_like(e, &span))
            continue;
        cr_assert(e->start > 0 && e->length >= 0, "an event lasts %g from %g on", e->length, e->start);
        for (const event *f = e + 1; f < events_end; f++) {
            const double ends[] = {e->start + e->length, f->start + f->length};
            const bool is_apart = ends[0] <= f->start + 0.0015 || ends[1] <= e->start + 0.0015;
            const bool is_nested = e->tid >= FIRST_THREAD && f->start <= e->start && ends[0] <= ends[1];
            if (is_like(f, &span) && f->tid == e->tid && f->pid == e->pid)
                cr_assert(is_apart || is_nested, "[%f, +%f) and [%f, +%f) overlap on track %g", e->start, e->length,
                          f->start, f->length, e->tid);
        }
    }
}

/* Each arrow must begin inside a call that enqueues a sum, and end later, where the command begins. */
static void expect_arrows(size_t arrows)
{
    cr_assert_eq(EVENTS(.kind = "s", .category = "flow"), arrows);
    cr_assert_eq(EVENTS(.kind = "f", .category = "flow"), arrows);
    for (const event *s = events; s < events_end; s++) {
        double to = -1;
        bool has_call = false;
        if (!is(s->kind, "s"))
            continue;
        for (const event *e = events; e < events_end; e++) {
            if (is(e->kind, "f") && e->id == s->id)
                to = e->start;
            has_call = has_call || (is(e->name, "enqueue reduce") && e->start <= s->start &&
                                    e->start + e->length >= s->start && e->tid == s->tid);
        }
        cr_assert(has_call, "arrow %g begins in no call", s->id);
        cr_assert(to >= s->start - SLACK, "arrow %g goes %f us back", s->id, s->start - to);
    }
}

/* The records that the trace hook got, for comparison. */
static struct {
    size_t kernels, work_items;
} seen;

static void see(void *user, const clprim_trace_record *record)
{
    (void)user;
    seen.kernels++;
    seen.work_items += record->global_size;
}

/* A sum of zeros. */
static void begin_sum(test_call *out, clprim_runtime *runtime)
{
    static uint32_t in[COUNT];
    const clprim_reduce_desc desc = {.type = CLPRIM_U32, .variant = CLPRIM_REDUCE_SEQUENTIAL, .work_group_size = 32};
    test_call_make(out, runtime, &clprim_reduce_operation, &desc);
    test_call_fill(out, &(const clprim_reduce_call){.in = {.host = in}, .count = COUNT}, 0);
}

static void enqueue(const test_call *sum, cl_command_queue queue, const cl_event *wait)
{
    ASSERT_OK(sum->face->enqueue(sum->plan, queue, sum->call.bytes, wait != NULL, wait, NULL));
}

/* Make `rounds` sums on a queue, or on the runtime's queue if it is NULL, and wait for them. */
static void work(clprim_runtime *runtime, cl_command_queue queue, size_t rounds)
{
    test_call sum;
    begin_sum(&sum, runtime);
    for (size_t i = 0; i < rounds; i++)
        enqueue(&sum, queue, NULL);
    ASSERT_CL(clFinish(queue != NULL ? queue : clprim_runtime_queue(runtime)));
    test_call_expect_right(&sum, "a traced sum");
    test_call_destroy(&sum);
}

/* The same with a separate runtime, whose timeline is then read. */
static void work_in_a_runtime(size_t rounds)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime_set_trace(runtime, see, NULL);
    work(runtime, NULL, rounds);
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
}

/* Check the kernels, if only sums were made. */
static void expect_kernels(void)
{
    size_t work_items = 0;
    for (const event *e = events; e < events_end; e++)
        if (is(e->category, "kernel"))
            work_items += argument(e, "groups") * argument(e, "group_size");
    cr_assert_eq(work_items, seen.work_items);
    cr_assert_eq(EVENTS(.category = "kernel"), seen.kernels);
    cr_assert_eq(EVENTS(.kind = "X", .category = "kernel", .key = "program", .value = "reduce/sequential.cl"),
                 seen.kernels);
    expect_order();
    expect_arrows(seen.kernels);
}

Test(trace, has_every_kernel_and_call)
{
    work_in_a_runtime(3);
    cr_assert_geq(seen.kernels, 3 * KERNELS);
    expect_kernels();
    cr_assert_eq(EVENTS(.name = "enqueue reduce"), 3);
    cr_assert_eq(SUM("commands", .name = "enqueue reduce", .key = "status", .value = "success"), seen.kernels);
}

Test(trace, has_copies_fills_and_builds)
{
    uint32_t numbers[1000] = {0};
    uint32_t counts[16] = {0};
    const clprim_histogram_desc desc = {.type = CLPRIM_U32, .bins = 16, .variant = CLPRIM_HISTOGRAM_GLOBAL_ATOMIC};
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_OK(clprim_histogram_run(
        runtime, &desc, &(clprim_histogram_call){.in = {.host = numbers}, .count = 1000, .out = {.host = counts}}));
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
    cr_assert_eq(counts[0], 1000);
    cr_assert_eq(SUM("bytes", .category = "transfer", .name = "read"), sizeof counts);
    cr_assert_geq(SUM("bytes", .category = "transfer", .name = "fill"), sizeof counts, "the table is cleared");
    cr_assert_geq(
        EVENTS(.name = "compile histogram/global_atomic.cl") + EVENTS(.name = "load histogram/global_atomic.cl"), 1);
    expect_order();
}

/* For a recording, only the call is in the timeline; kernels that are recorded or replayed are not. */
Test(trace, has_recordings_without_their_kernels)
{
    test_call sum;
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime_set_trace(runtime, see, NULL);
    const bool has_commands = clprim_runtime_info(runtime)->has_command_buffers;
    begin_sum(&sum, runtime);
    if (has_commands) {
        test_commands commands = test_commands_begin(runtime, clprim_runtime_queue(runtime));
        ASSERT_OK(clprim_plan_record(sum.plan, commands.buffer, sum.call.bytes, 0, NULL, NULL));
        test_commands_finalize(&commands);
        test_commands_replay(&commands);
        test_call_expect_right(&sum, "a replay");
        test_commands_release(&commands);
    }
    test_call_destroy(&sum);
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
    cr_assert_eq(EVENTS(.name = "record reduce"), has_commands);
    cr_assert_geq(SUM("commands", .name = "record reduce"), has_commands ? KERNELS : 0);
    cr_assert_eq(EVENTS(.category = "kernel"), 0);
    cr_assert_eq(seen.kernels, 0);
}

Test(trace, has_queues_of_the_caller)
{
    enum { CHAINS = 4 };
    test_call sums[CHAINS];
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    clprim_runtime_set_trace(runtime, see, NULL);
    for (size_t i = 0; i < CHAINS; i++)
        begin_sum(&sums[i], runtime);
    for (size_t i = 0; i < 10 * CHAINS; i++) /* several run concurrently */
        enqueue(&sums[i % CHAINS], queue, NULL);
    ASSERT_CL(clFinish(queue));
    for (size_t i = 0; i < CHAINS; i++)
        test_call_destroy(&sums[i]);
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
    expect_kernels();
}

Test(trace, says_where_a_queue_has_no_times)
{
    clprim_runtime *own = test_runtime(NULL);
    cl_command_queue queue = test_queue(own, 0);
    clprim_runtime *runtime = test_runtime(&(const clprim_runtime_desc){.queue = queue});
    clprim_runtime_set_trace(runtime, see, NULL);
    work(runtime, NULL, 2);
    clprim_runtime_destroy(runtime);
    clprim_runtime_destroy(own);
    ASSERT_CL(clReleaseCommandQueue(queue));
    read_trace(path, false);
    cr_assert_eq(EVENTS(.kind = "i", .name = "a queue without times"), 1);
    cr_assert_eq(EVENTS(.kind = "i", .key = "no_times", .value = "the queue records none"), seen.kernels);
    cr_assert_eq(EVENTS(.kind = "X", .category = "kernel"), 0);
}

enum { THREADS = 2, ROUNDS = 50 };

static void *work_in_a_thread(void *runtime)
{
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_PROFILING_ENABLE);
    work(runtime, queue, ROUNDS);
    ASSERT_CL(clReleaseCommandQueue(queue));
    return NULL;
}

Test(trace, has_a_track_for_each_thread_and_queue)
{
    pthread_t threads[THREADS];
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, work_in_a_thread, runtime), 0);
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
    cr_assert_eq(EVENTS(.name = "enqueue reduce"), THREADS * ROUNDS);
    cr_assert_eq(EVENTS(.kind = "X", .category = "kernel"), THREADS * ROUNDS * KERNELS);
    for (const event *e = events; e < events_end; e++) {
        if (is(e->name, "enqueue reduce"))
            cr_assert_eq(EVENTS(.name = "enqueue reduce", .tid = e->tid), ROUNDS, "the track of a thread");
        if (is(e->category, "kernel"))
            cr_assert_eq(EVENTS(.category = "kernel", .tid = e->tid), ROUNDS * KERNELS, "the track of a queue");
    }
    expect_order();
}

/* A link to a directory whose name must be escaped in JSON, and parameters most of which are invalid. */
Test(trace, says_what_is_not_used)
{
    static const char named[] = "a \"quoted\"\001 \\ link";
    const char *parameters = test_path(directory, "tuned");
    const char *link = test_path(directory, named);
    test_write_file(parameters, "this is no line of parameters\n", 30);
    test_setenv("CLPRIM_TUNING", parameters);
    cr_assert_eq(symlink(directory, link), 0);
    test_setenv("CLPRIM_CACHE_DIR", link);
    test_setenv("CLPRIM_CACHE", "on");
    work_in_a_runtime(1);
    cr_assert_eq(EVENTS(.kind = "i", .name = "compiled kernels are not kept"), 1);
    cr_assert_eq(EVENTS(.kind = "i", .name = "lines of parameters passed over"), 1);
    for (const event *e = events; e < events_end; e++)
        if (is(e->name, "compiled kernels are not kept"))
            cr_assert_not_null(strstr(json_string_value(json_object_get(e->arguments, "text")), named));
}

/* Commands that can never begin must not delay others for long, and must not be left out silently. */
Test(trace, gives_up_what_never_begins)
{
    test_call sum;
    clprim_runtime *runtime = test_runtime(NULL);
    cl_event never = test_gate(runtime);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_PROFILING_ENABLE);
    begin_sum(&sum, runtime);
    enqueue(&sum, queue, &never);
    clprim_plan_destroy(sum.plan);
    sum.plan = NULL;
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
    cr_assert_eq(EVENTS(.key = "no_times", .value = "not complete when the trace ended"), KERNELS);
    test_gate_open(never);
    ASSERT_CL(clFinish(queue));
    ASSERT_CL(clReleaseCommandQueue(queue));
    test_call_destroy(&sum);
}

Test(trace, is_valid_at_any_time)
{
    clprim_runtime *runtime = test_runtime(NULL);
    read_trace(path, false);
    bool is_any = false;
    for (size_t i = 0; i < 4 || (!is_any && i < 200); i++) { /* the writing thread may be late */
        work(runtime, NULL, 40);                             /* more than is buffered */
        read_trace(path, false);
        is_any = EVENTS(.kind = "X", .category = "kernel") > 0;
    }
    cr_assert_gt(EVENTS(.kind = "X", .category = "kernel"), 0, "nothing was written before the end");
    clprim_runtime_destroy(runtime);
}

/* Another process. It works after it has read a byte, never destroys the default runtime, and ends with or without
 * exit(). */
static pid_t begin_process(const int gate[2], size_t rounds, void (*leave)(int))
{
    char byte = 0;
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        clprim_runtime *runtime = NULL;
        if (read(gate[0], &byte, 1) != 1 || clprim_runtime_default(&runtime) != CLPRIM_SUCCESS)
            _exit(1);
        work(runtime, NULL, rounds);
        leave(0);
    }
    return child;
}

static void end_process(pid_t child, const int gate[2])
{
    int state = 0;
    cr_assert_eq(write(gate[1], "", 1), 1);
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0, "the process failed");
}

Test(trace, outlives_the_process)
{
    int gate[2];
    cr_assert_eq(pipe(gate), 0);
    end_process(begin_process(gate, 1, exit), gate);
    read_trace(path, false);
    cr_assert_eq(EVENTS(.kind = "X", .category = "kernel"), KERNELS);
    end_process(begin_process(gate, 1, _exit), gate);
    read_trace(path, true);
    end_process(begin_process(gate, 100, _exit), gate);
    read_trace(path, true);
    cr_assert_gt(EVENTS(.kind = "X", .category = "kernel"), 0);
}

Test(trace, is_shared_by_runtimes)
{
    clprim_runtime *runtimes[2] = {test_runtime(NULL), test_runtime(NULL)};
    for (size_t i = 0; i < 2; i++)
        work(runtimes[i], NULL, 1);
    for (size_t i = 0; i < 2; i++)
        clprim_runtime_destroy(runtimes[i]);
    work_in_a_runtime(1); /* existing contents stay */
    for (int pid = 1; pid <= 3; pid++)
        cr_assert_eq(EVENTS(.category = "kernel", .pid = pid), KERNELS, "runtime %d", pid);
    expect_order();
}

Test(trace, leaves_other_processes_files_alone)
{
    char name[64];
    int gate[2];
    cr_assert_eq(pipe(gate), 0);
    const pid_t child = begin_process(gate, 2, exit); /* before drivers have created threads */
    clprim_runtime *runtime = test_runtime(NULL);
    end_process(child, gate);
    work(runtime, NULL, 1);
    clprim_runtime_destroy(runtime);
    read_trace(path, false);
    cr_assert_eq(EVENTS(.kind = "X", .category = "kernel"), KERNELS);
    (void)snprintf(name, sizeof name, "trace.json.%ld", (long)child);
    read_trace(test_path(directory, name), false);
    cr_assert_eq(EVENTS(.kind = "X", .category = "kernel"), 2 * KERNELS);
}

Test(trace, puts_the_process_into_the_path)
{
    char name[64];
    test_setenv("CLPRIM_TRACE", test_path(directory, "trace-%p.json"));
    clprim_runtime_destroy(test_runtime(NULL));
    (void)snprintf(name, sizeof name, "trace-%ld.json", (long)getpid());
    read_trace(test_path(directory, name), false);
}

Test(trace, refuses_what_cannot_be_written)
{
    static const char *const bad[] = {"missing/trace.json", "."};
    clprim_runtime *untouched = (clprim_runtime *)&untouched;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *name = test_path(directory, bad[i]);
        clprim_runtime *runtime = untouched;
        test_setenv("CLPRIM_TRACE", name);
        ASSERT_REFUSED(clprim_runtime_create(&runtime, NULL), CLPRIM_INVALID_ARGUMENT, name);
        cr_assert_eq(runtime, untouched);
        cr_assert_not_null(strstr(clprim_last_error(), "CLPRIM_TRACE"));
    }
    test_setenv("CLPRIM_TRACE", "");
    clprim_runtime_destroy(test_runtime(NULL));
}
