/* host_link.c: the host's arrays to and from the memory of a device of its own, through pinned memory. */
#ifdef __linux__
#define _GNU_SOURCE /* for sched_getaffinity */
#include <sched.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "host_link.h"
#include "runtime_internal.h"

/* Measured on an H200 behind PCIe 5, 16 cores (docs/performance.md): 2 MiB a slot and 12 threads come to 45 GB/s. To pin
 * memory takes as long as to transfer five times as much of it without: so it is pinned when that has been transferred. */
enum { MAX_WORKERS = 12, SLOTS = 2, MIN_CHUNKS = 4 };
static const size_t CHUNK = (size_t)2 << 20;
static const size_t WORTH_PINNING = (size_t)256 << 20;

typedef struct registered {
    struct registered *next;
    const char *data;
    size_t bytes;
    cl_mem buffer; /* over the memory: while it is there, the memory is pinned */
} registered;

/* A thread's. */
typedef struct worker {
    cl_command_queue queue; /* in-order */
    cl_mem pinned;
    char *slots; /* where it is mapped: one slot after the other */
} worker;

/* A direction: one transfer at a time goes there, while another may go the other way. */
typedef struct way {
    const clprim_runtime *runtime;
    pthread_mutex_t mutex; /* held by a transfer */
    size_t num_workers;    /* 0: no slots */
    worker workers[MAX_WORKERS];
} way;

enum { UP = 0, DOWN, WAYS };

struct clprim__host_link {
    const clprim_runtime *runtime;
    way ways[WAYS];
    size_t transferred;    /* bytes both ways, until there are workers; changed atomically */
    pthread_mutex_t mutex; /* of the list of registered memory */
    registered *first;
};

/* A transfer under way. */
typedef struct transfer {
    cl_mem buffer;
    size_t offset, bytes;
    const char *from; /* NULL: to the host */
    char *to;
    size_t next_chunk;     /* changed atomically */
    pthread_mutex_t mutex; /* of what follows */
    cl_int code;           /* of the first failure */
    const char *failed;
} transfer;

clprim_status clprim__host_link_create(clprim__host_link **out, const clprim_runtime *runtime)
{
    clprim__host_link *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    self->runtime = runtime;
    pthread_mutex_init(&self->mutex, NULL);
    for (int i = 0; i < WAYS; i++) {
        self->ways[i].runtime = runtime;
        pthread_mutex_init(&self->ways[i].mutex, NULL);
    }
    *out = self;
    return CLPRIM_SUCCESS;
}

/* With the mutex held. What is unmapped in the worker's queue comes behind all transfers there, even where a driver that
 * has failed does not wait for them. */
static void release_slots(way *self)
{
    for (size_t i = 0; i < MAX_WORKERS; i++) {
        worker *w = &self->workers[i];
        if (w->slots != NULL)
            (void)clEnqueueUnmapMemObject(w->queue, w->pinned, w->slots, 0, NULL, NULL);
        if (w->pinned != NULL)
            (void)clReleaseMemObject(w->pinned);
        if (w->queue != NULL)
            (void)clReleaseCommandQueue(w->queue);
        *w = (worker){0};
    }
    self->num_workers = 0;
}

void clprim__host_link_trim(clprim__host_link *self)
{
    for (int i = 0; i < WAYS; i++) {
        pthread_mutex_lock(&self->ways[i].mutex);
        release_slots(&self->ways[i]);
        pthread_mutex_unlock(&self->ways[i].mutex);
    }
    __atomic_store_n(&self->transferred, 0, __ATOMIC_RELAXED);
}

static void release_registered(registered *memory)
{
    if (memory->buffer != NULL)
        (void)clReleaseMemObject(memory->buffer);
    free(memory);
}

void clprim__host_link_destroy(clprim__host_link *self)
{
    if (self == NULL)
        return;
    for (int i = 0; i < WAYS; i++) {
        release_slots(&self->ways[i]);
        pthread_mutex_destroy(&self->ways[i].mutex);
    }
    while (self->first != NULL) {
        registered *next = self->first->next;
        release_registered(self->first);
        self->first = next;
    }
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

/* Threads that copy: as many as there are cores for this one. */
static size_t worker_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
#endif
    return cores < 1 ? 1 : cores < MAX_WORKERS ? (size_t)cores : MAX_WORKERS;
}

static cl_int make_worker(worker *w, const clprim_runtime *runtime)
{
    cl_int code = CL_SUCCESS;
    w->queue = clCreateCommandQueue(runtime->context, runtime->info.device, 0, &code);
    if (code == CL_SUCCESS)
        w->pinned = clCreateBuffer(runtime->context, CL_MEM_ALLOC_HOST_PTR, SLOTS * CHUNK, NULL, &code);
    if (code == CL_SUCCESS)
        w->slots = clEnqueueMapBuffer(w->queue, w->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, SLOTS * CHUNK, 0,
                                      NULL, NULL, &code);
    return code;
}

/* With the mutex held. Where there is no pinned memory to be had, none is used. */
static void make_slots(way *self)
{
    const size_t wanted = worker_count();
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < wanted && code == CL_SUCCESS; i++)
        code = make_worker(&self->workers[i], self->runtime);
    if (code == CL_SUCCESS)
        self->num_workers = wanted;
    else
        release_slots(self);
}

static bool is_registered(clprim__host_link *self, const char *data, size_t bytes)
{
    bool is_there = false;
    pthread_mutex_lock(&self->mutex);
    for (const registered *r = self->first; r != NULL && !is_there; r = r->next)
        is_there = data >= r->data && bytes <= r->bytes && (size_t)(data - r->data) <= r->bytes - bytes;
    pthread_mutex_unlock(&self->mutex);
    return is_there;
}

/* Whether that much has been transferred, these bytes included, that pinned memory pays. */
static bool pays(clprim__host_link *self, size_t bytes)
{
    const size_t more = bytes < WORTH_PINNING ? bytes : WORTH_PINNING;
    const size_t before = __atomic_load_n(&self->transferred, __ATOMIC_RELAXED);
    return before >= WORTH_PINNING || __atomic_add_fetch(&self->transferred, more, __ATOMIC_RELAXED) >= WORTH_PINNING;
}

/* Whether it is worth it. */
static bool takes(clprim__host_link *self, const void *data, size_t bytes)
{
    return !self->runtime->info.is_unified_memory && bytes >= MIN_CHUNKS * CHUNK && !is_registered(self, data, bytes);
}

static void note_failure(transfer *t, cl_int code, const char *call)
{
    pthread_mutex_lock(&t->mutex);
    if (code != CL_SUCCESS && t->code == CL_SUCCESS) {
        t->code = code;
        t->failed = call;
    }
    pthread_mutex_unlock(&t->mutex);
}

static bool has_failed(transfer *t)
{
    pthread_mutex_lock(&t->mutex);
    const bool failed = t->code != CL_SUCCESS;
    pthread_mutex_unlock(&t->mutex);
    return failed;
}

static size_t chunk_size(const transfer *t, size_t chunk)
{
    const size_t left = t->bytes - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

/* A slot's chunk. */
typedef struct pending {
    cl_event event; /* NULL: none */
    size_t chunk;
} pending;

static char *slot_of(const worker *w, size_t k)
{
    return w->slots + k * CHUNK;
}

/* The slot is free afterwards. */
static void finish(transfer *t, const worker *w, pending *slot, size_t k)
{
    if (slot->event == NULL)
        return;
    const cl_int code = clWaitForEvents(1, &slot->event);
    if (code != CL_SUCCESS)
        (void)clFinish(w->queue);
    note_failure(t, code, "clWaitForEvents for a transfer");
    if (code == CL_SUCCESS && t->to != NULL)
        memcpy(t->to + slot->chunk * CHUNK, slot_of(w, k), chunk_size(t, slot->chunk));
    (void)clReleaseEvent(slot->event);
    slot->event = NULL;
}

static void start(transfer *t, const worker *w, pending *slot, size_t k, size_t chunk)
{
    const size_t at = chunk * CHUNK;
    const size_t size = chunk_size(t, chunk);
    cl_int code = CL_SUCCESS;
    slot->chunk = chunk;
    if (t->from != NULL) {
        memcpy(slot_of(w, k), t->from + at, size);
        code = clEnqueueWriteBuffer(w->queue, t->buffer, CL_FALSE, t->offset + at, size, slot_of(w, k), 0, NULL,
                                    &slot->event);
    } else {
        code = clEnqueueReadBuffer(w->queue, t->buffer, CL_FALSE, t->offset + at, size, slot_of(w, k), 0, NULL,
                                   &slot->event);
    }
    if (code != CL_SUCCESS)
        slot->event = NULL;
    note_failure(t, code,
                 t->from != NULL ? "clEnqueueWriteBuffer for the input" : "clEnqueueReadBuffer for the result");
    if (code == CL_SUCCESS)
        note_failure(t, clFlush(w->queue), "clFlush");
}

/* A thread's share of a transfer: the next chunk, as long as there is one. */
static void work(transfer *t, const worker *w)
{
    pending slots[SLOTS] = {{0}};
    size_t k = 0;
    for (;; k = (k + 1) % SLOTS) {
        finish(t, w, &slots[k], k);
        if (has_failed(t))
            break;
        const size_t chunk = __atomic_fetch_add(&t->next_chunk, 1, __ATOMIC_RELAXED);
        if (chunk >= t->bytes / CHUNK + (t->bytes % CHUNK != 0))
            break;
        start(t, w, &slots[k], k, chunk);
    }
    for (size_t i = 0; i < SLOTS; i++)
        finish(t, w, &slots[i], i);
}

typedef struct helper {
    pthread_t thread;
    transfer *transfer;
    const worker *worker;
} helper;

static void *help(void *given)
{
    const helper *self = given;
    work(self->transfer, self->worker);
    return NULL;
}

/* With as many threads as there are workers, of which this is one; with fewer where the system has no more. */
static clprim_status run(way *self, transfer *t)
{
    helper helpers[MAX_WORKERS - 1];
    size_t started = 0;
    pthread_mutex_init(&t->mutex, NULL);
    const size_t wanted = t->bytes / CHUNK / SLOTS; /* two chunks each, at least */
    while (started + 1 < self->num_workers && started + 1 < wanted) {
        helper *h = &helpers[started];
        *h = (helper){.transfer = t, .worker = &self->workers[started + 1]};
        if (pthread_create(&h->thread, NULL, help, h) != 0)
            break;
        started++;
    }
    work(t, &self->workers[0]);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(helpers[i].thread, NULL);
    pthread_mutex_destroy(&t->mutex);
    return clprim__cl(t->code, t->failed);
}

static clprim_status run_if_worth_it(bool *took, clprim__host_link *self, transfer *t)
{
    way *taken = &self->ways[t->from != NULL ? UP : DOWN];
    clprim_status status = CLPRIM_SUCCESS;
    *took = takes(self, t->from != NULL ? t->from : t->to, t->bytes);
    if (!*took)
        return CLPRIM_SUCCESS;
    pthread_mutex_lock(&taken->mutex);
    if (taken->num_workers == 0 && pays(self, t->bytes))
        make_slots(taken);
    *took = taken->num_workers > 0;
    if (*took)
        status = run(taken, t);
    if (status != CLPRIM_SUCCESS) /* transfers may be under way that nobody has waited for */
        release_slots(taken);
    pthread_mutex_unlock(&taken->mutex);
    return status;
}

clprim_status clprim__host_link_write(bool *took, clprim__host_link *self, cl_mem to, size_t offset, const void *from,
                                      size_t bytes)
{
    transfer t = {.buffer = to, .offset = offset, .bytes = bytes, .from = from};
    return run_if_worth_it(took, self, &t);
}

clprim_status clprim__host_link_read(bool *took, clprim__host_link *self, void *to, cl_mem from, size_t offset,
                                     size_t bytes)
{
    transfer t = {.buffer = from, .offset = offset, .bytes = bytes, .to = to};
    return run_if_worth_it(took, self, &t);
}

clprim_status clprim__host_link_register(clprim__host_link *self, void *data, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    registered *added = calloc(1, sizeof *added);
    if (added == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for registered memory");
    added->buffer = clCreateBuffer(self->runtime->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, data, &code);
    if (code != CL_SUCCESS) {
        free(added);
        return clprim__cl(code, "clCreateBuffer over registered memory");
    }
    added->data = data;
    added->bytes = bytes;
    pthread_mutex_lock(&self->mutex);
    added->next = self->first;
    self->first = added;
    pthread_mutex_unlock(&self->mutex);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__host_link_unregister(clprim__host_link *self, const void *data)
{
    pthread_mutex_lock(&self->mutex);
    registered **at = &self->first;
    while (*at != NULL && (*at)->data != data)
        at = &(*at)->next;
    registered *found = *at;
    if (found != NULL)
        *at = found->next;
    pthread_mutex_unlock(&self->mutex);
    if (found == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "no memory is registered at %p", data);
    release_registered(found);
    return CLPRIM_SUCCESS;
}
