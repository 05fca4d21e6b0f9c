// SPDX-License-Identifier: MIT
/* trace.c: turn commands and calls into events of a timeline. */
#include "trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "trace_event.h"

enum {
    LOOKS = 64, /* commands that are checked before other threads may enqueue again */
    MAX_LANES = 32,
    LANES_OF_A_QUEUE = 100, /* track numbers: each queue has this many lanes; threads come after all queues */
    FIRST_THREAD = 1000000,
    PATIENCE = 2000000000, /* nanoseconds to wait at the end while nothing makes progress */
    A_WHILE = 500000       /* nanoseconds between checks */
};

/* A command whose times are not known yet. */
typedef struct pending {
    clprim__trace_command command;
    cl_event event;
    size_t queue;
    long long began, ended; /* when the host enqueued it */
    unsigned thread;        /* the thread that enqueued it */
} pending;

/* Commands of one queue that overlap are shown on different lanes. */
typedef struct queue_track {
    cl_command_queue queue; /* no reference is held, so a later queue may have the same handle */
    cl_command_queue_properties properties;
    size_t lanes;
    long long ends[MAX_LANES]; /* end of the last command on each lane */
} queue_track;

struct clprim__trace {
    clprim__trace *next; /* list of all open traces */
    clprim__trace_process process;
    long owner; /* the process that created it; a forked process neither waits nor writes */
    pthread_t watcher;
    pthread_mutex_t mutex; /* guards the members below */
    pthread_cond_t changed;
    bool is_watched, is_ending;
    clprim__trace_clock clock;
    pending *ring; /* has `capacity` entries, 0 or a power of two */
    size_t first, count, capacity;
    queue_track *queues;
    size_t num_queues;
    bool *is_named; /* indexed by thread number */
    size_t num_threads;
};

static pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER;
static clprim__trace *open_traces;

bool clprim__trace_is_wanted(void)
{
    const char *path = clprim__environment("CLPRIM_TRACE");
    return path != NULL && path[0] != '\0';
}

static unsigned this_thread(void)
{
    static unsigned last;
    static _Thread_local unsigned number;
    if (number == 0)
        number = __atomic_add_fetch(&last, 1U, __ATOMIC_RELAXED);
    return number;
}

/* The track of a thread, which is named at its first use. The mutex must be held. */
static size_t thread_track(clprim__trace *self, unsigned thread)
{
    const size_t track = FIRST_THREAD + (size_t)thread;
    if (thread >= self->num_threads) {
        const size_t room = ((size_t)thread + 1) * 2;
        bool *more = realloc(self->is_named, room * sizeof *more);
        if (more == NULL)
            return track;
        memset(more + self->num_threads, 0, (room - self->num_threads) * sizeof *more);
        self->is_named = more;
        self->num_threads = room;
    }
    if (!self->is_named[thread]) {
        clprim__text name = {0};
        clprim__text_format(&name, "host, thread %u", thread);
        clprim__trace_describe(&self->process, "thread", track, name.data != NULL ? name.data : "host", thread);
        clprim__text_free(&name);
    }
    self->is_named[thread] = true;
    return track;
}

static size_t lane_track(size_t queue, size_t lane)
{
    return (queue + 1) * LANES_OF_A_QUEUE + lane;
}

static void describe_lane(const clprim__trace *self, size_t queue, size_t lane)
{
    const bool keeps_order = (self->queues[queue].properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    clprim__text name = {0};
    clprim__text_format(&name, "queue %zu%s%s", queue + 1, keeps_order ? "" : ", out of order",
                        lane > 0 ? ", side by side" : "");
    clprim__trace_describe(&self->process, "thread", lane_track(queue, lane), name.data != NULL ? name.data : "queue",
                           FIRST_THREAD + lane_track(queue, lane));
    clprim__text_free(&name);
}

/* A lane that is free from *start on; the last lane if none is free. An in-order queue needs only one lane: its
 * commands do not overlap. If they seem to, because the clocks were compared again between them, *start is moved. */
static size_t free_lane(clprim__trace *self, size_t queue, long long *start, long long *end)
{
    queue_track *track = &self->queues[queue];
    const bool keeps_order = (track->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    size_t lane = 0;
    if (keeps_order && track->lanes > 0 && *start < track->ends[lane])
        *start = track->ends[lane];
    if (*end < *start)
        *end = *start;
    while (lane < track->lanes && track->ends[lane] > *start && !keeps_order)
        lane++;
    if (lane == MAX_LANES)
        lane--;
    if (lane == track->lanes) {
        describe_lane(self, queue, lane);
        track->lanes++;
    }
    track->ends[lane] = *end;
    return lane;
}

/* The lane for a command whose times are unknown. */
static size_t lane_at(clprim__trace *self, size_t queue, long long when)
{
    long long start = when, end = when;
    return free_lane(self, queue, &start, &end);
}

/* Write a command that is complete, and release its event. The mutex must be held. */
static void write_command(clprim__trace *self, pending *item, const char *why_not)
{
    static const cl_profiling_info keys[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                             CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    enum { QUEUED, SUBMIT, START, END, TIMES };
    cl_ulong times[TIMES] = {0};
    for (int i = 0; i < TIMES && why_not == NULL; i++)
        if (clGetEventProfilingInfo(item->event, keys[i], sizeof times[i], &times[i], NULL) != CL_SUCCESS)
            why_not = "the queue records none";
    (void)clReleaseEvent(item->event);
    if (why_not != NULL) {
        const size_t lane = lane_at(self, item->queue, item->began);
        clprim__trace_instant(&self->process, lane_track(item->queue, lane), item->command.name, item->began,
                              &item->command, why_not);
        return;
    }
    clprim__trace_clock_check(&self->clock, times[QUEUED], item->began, item->ended);
    long long start = (long long)times[START] + self->clock.ahead;
    long long end = (long long)times[END] + self->clock.ahead;
    const size_t track = lane_track(item->queue, free_lane(self, item->queue, &start, &end));
    clprim__text *text = clprim__trace_event_begin(&self->process, 'X', track, item->command.name);
    clprim__text_format(text, ",\"cat\":\"%s\"", item->command.program != NULL ? "kernel" : "transfer");
    clprim__trace_append_time(text, "ts", start);
    clprim__trace_append_time(text, "dur", end - start);
    clprim__text_format(text, ",\"args\":{");
    clprim__trace_append_facts(text, &item->command);
    clprim__trace_append_time(text, "us_from_queued_to_submitted", (long long)(times[SUBMIT] - times[QUEUED]));
    clprim__trace_append_time(text, "us_from_submitted_to_started", (long long)(times[START] - times[SUBMIT]));
    clprim__text_append(text, "}", 1);
    clprim__trace_event_end(&self->process, text);
    clprim__trace_arrow(&self->process, FIRST_THREAD + (size_t)item->thread, item->began, track, start);
}

/* Check up to `looks` commands, and write those that are complete. *runs is set if one of the others is running. The
 * mutex must be held. */
static void write_complete(clprim__trace *self, size_t looks, bool *runs)
{
    for (; looks > 0 && self->count > 0; looks--) {
        cl_int state = CL_COMPLETE;
        pending item = self->ring[self->first];
        self->first = (self->first + 1) & (self->capacity - 1);
        self->count--;
        if (clGetEventInfo(item.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) != CL_SUCCESS)
            state = CL_INVALID_EVENT;
        if (state <= CL_COMPLETE) {
            write_command(self, &item, state < 0 ? "the command failed" : NULL);
            continue;
        }
        *runs = *runs || state == CL_RUNNING;
        self->ring[(self->first + self->count++) & (self->capacity - 1)] = item;
    }
}

static bool make_room(clprim__trace *self)
{
    if (self->count < self->capacity)
        return true;
    const size_t capacity = self->capacity > 0 ? self->capacity * 2 : 64;
    pending *ring = malloc(capacity * sizeof *ring);
    if (ring == NULL)
        return false;
    for (size_t i = 0; i < self->count; i++)
        ring[i] = self->ring[(self->first + i) & (self->capacity - 1)];
    free(self->ring);
    self->ring = ring;
    self->first = 0;
    self->capacity = capacity;
    return true;
}

/* The number of a queue; SIZE_MAX if there is no memory for another one. At its first use, a queue without profiling is
 * marked as such in the timeline. The mutex must be held. */
static size_t queue_number(clprim__trace *self, cl_command_queue queue, const pending *item)
{
    cl_command_queue_properties properties = 0;
    (void)clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    for (size_t i = 0; i < self->num_queues; i++)
        if (self->queues[i].queue == queue && self->queues[i].properties == properties)
            return i;
    queue_track *more = realloc(self->queues, (self->num_queues + 1) * sizeof *more);
    if (more == NULL)
        return SIZE_MAX;
    self->queues = more;
    self->queues[self->num_queues] = (queue_track){.queue = queue, .properties = properties};
    const size_t number = self->num_queues++;
    if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0) {
        const size_t lane = lane_at(self, number, item->began);
        clprim__trace_instant(&self->process, lane_track(number, lane), "a queue without times", item->began,
                              &item->command,
                              "CL_QUEUE_PROFILING_ENABLE is not set; commands are shown when they were enqueued");
    }
    return number;
}

void clprim__trace_device(clprim__trace *self, const clprim__trace_command *command, cl_command_queue queue,
                          cl_event event, long long began)
{
    if (self == NULL)
        return;
    pending item = {
        .command = *command, .event = event, .began = began, .ended = clprim__trace_now(), .thread = this_thread()};
    pthread_mutex_lock(&self->mutex);
    (void)thread_track(self, item.thread);
    item.queue = queue_number(self, queue, &item);
    if (!self->is_ending && item.queue != SIZE_MAX && make_room(self) && clRetainEvent(event) == CL_SUCCESS)
        self->ring[(self->first + self->count++) & (self->capacity - 1)] = item;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->mutex);
}

void clprim__trace_host(clprim__trace *self, const clprim__trace_span *span, long long began)
{
    if (self == NULL)
        return;
    const long long ended = clprim__trace_now();
    const size_t length = span->is_folder ? strcspn(span->object, "/") : strlen(span->object);
    clprim__text name = {0};
    clprim__text_format(&name, "%s %.*s", span->verb, (int)length, span->object);
    pthread_mutex_lock(&self->mutex);
    const size_t track = thread_track(self, this_thread());
    pthread_mutex_unlock(&self->mutex);
    clprim__text *text =
        clprim__trace_event_begin(&self->process, 'X', track, name.data != NULL ? name.data : span->verb);
    clprim__text_format(text, ",\"cat\":\"host\"");
    clprim__trace_append_time(text, "ts", began);
    clprim__trace_append_time(text, "dur", ended - began);
    clprim__text_format(text, ",\"args\":{\"status\":");
    clprim__trace_append_string(text, clprim_status_string(span->status));
    if (span->unit != NULL)
        clprim__text_format(text, ",\"%s\":%zu", span->unit, span->number);
    clprim__text_append(text, "}", 1);
    clprim__trace_event_end(&self->process, text);
    clprim__text_free(&name);
}

void clprim__trace_note(clprim__trace *self, const char *name, const char *text)
{
    pthread_mutex_lock(&self->mutex);
    const size_t track = thread_track(self, this_thread());
    pthread_mutex_unlock(&self->mutex);
    clprim__text *event = clprim__trace_event_begin(&self->process, 'i', track, name);
    clprim__text_format(event, ",\"s\":\"t\"");
    clprim__trace_append_time(event, "ts", clprim__trace_now());
    clprim__text_format(event, ",\"args\":{\"text\":");
    clprim__trace_append_string(event, text);
    clprim__text_append(event, "}", 1);
    clprim__trace_event_end(&self->process, event);
}

/* The thread that writes completed commands, so that they are soon in the file, whatever happens to the program. At the
 * end, it stops after the last command, or if nothing has happened for a long time: a queue may wait for something that
 * never happens. */
static void *watch(void *trace)
{
    clprim__trace *self = trace;
    long long progress = 0;
    pthread_mutex_lock(&self->mutex);
    for (;;) {
        bool runs = false;
        while (self->count == 0 && !self->is_ending)
            pthread_cond_wait(&self->changed, &self->mutex);
        const size_t before = self->count;
        write_complete(self, before < LOOKS ? before : LOOKS, &runs);
        if (self->count == 0)
            clprim__trace_file_flush(self->process.file);
        if (self->count < before || runs || !self->is_ending)
            progress = clprim__trace_now();
        if (self->is_ending && (self->count == 0 || clprim__trace_now() - progress > PATIENCE))
            break;
        const bool is_idle = self->count == before;
        pthread_mutex_unlock(&self->mutex);
        if (is_idle)
            clprim__sleep(A_WHILE);
        pthread_mutex_lock(&self->mutex);
    }
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

static clprim_status start_watching(clprim__trace *self)
{
    self->is_watched = clprim__thread_begin(&self->watcher, watch, self);
    return self->is_watched ? CLPRIM_SUCCESS
                            : clprim__fail(CLPRIM_OUT_OF_MEMORY, "cannot create a thread for CLPRIM_TRACE");
}

static void finish(clprim__trace *self)
{
    if (!self->is_watched || self->owner != clprim__process())
        return;
    pthread_mutex_lock(&self->mutex);
    self->is_ending = true;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->mutex);
    (void)pthread_join(self->watcher, NULL);
    self->is_watched = false;
    pthread_mutex_lock(&self->mutex);
    while (self->count > 0) {
        pending item = self->ring[self->first];
        self->first = (self->first + 1) & (self->capacity - 1);
        self->count--;
        write_command(self, &item, "not complete when the trace ended");
    }
    pthread_mutex_unlock(&self->mutex);
    clprim__trace_file_flush(self->process.file);
}

/* At exit, finish all traces: programs may end without destroying their runtimes, and the shared runtime is never
 * destroyed. This runs before the drivers' exit handlers, because it was registered after them. */
static void finish_all(void)
{
    if (open_traces == NULL || open_traces->owner != clprim__process())
        return;
    pthread_mutex_lock(&open_mutex);
    for (clprim__trace *self = open_traces; self != NULL; self = self->next)
        finish(self);
    pthread_mutex_unlock(&open_mutex);
}

static void register_at_exit(void)
{
    (void)atexit(finish_all);
}

static void free_trace(clprim__trace *self)
{
    if (self == NULL)
        return;
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
    free(self->ring);
    free(self->queues);
    free(self->is_named);
    free(self);
}

clprim_status clprim__trace_open(clprim__trace **out, cl_context context, const clprim_device_info *info)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text name = {0};
    *out = NULL;
    if (!clprim__trace_is_wanted())
        return CLPRIM_SUCCESS;
    clprim__trace *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a trace");
    self->owner = clprim__process();
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->changed, NULL);
    CLPRIM__TRY(
        clprim__trace_file_open(&self->process.file, &self->process.number, clprim__environment("CLPRIM_TRACE")));
    clprim__trace_clock_set(&self->clock, context, info->device);
    clprim__text_format(&name, "clPRIM on %s", info->name);
    clprim__trace_describe(&self->process, "process", 0, name.data != NULL ? name.data : info->name,
                           self->process.number);
    CLPRIM__TRY(start_watching(self));
    pthread_once(&once, register_at_exit);
    pthread_mutex_lock(&open_mutex);
    self->next = open_traces;
    open_traces = self;
    pthread_mutex_unlock(&open_mutex);
    *out = self;
    self = NULL;
done:
    free_trace(self);
    clprim__text_free(&name);
    return status;
}

void clprim__trace_close(clprim__trace *self)
{
    if (self == NULL)
        return;
    pthread_mutex_lock(&open_mutex);
    clprim__trace **link = &open_traces;
    while (*link != self)
        link = &(*link)->next;
    *link = self->next;
    pthread_mutex_unlock(&open_mutex);
    finish(self);
    free_trace(self);
}
