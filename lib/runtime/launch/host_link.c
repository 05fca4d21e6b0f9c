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

/* Measured on an H200 behind PCIe 5, 16 cores (docs/performance.md): slots of 2 MiB and 7 threads that copy come to 50 GB/s
 * one way, and to 88 both ways at once. To pin memory takes as long as to transfer five times as much of it without: so it
 * is pinned when that has been transferred. */
enum { MIN_COPIERS = 2, MAX_COPIERS = 7, MAX_SLOTS = 2 * MAX_COPIERS, AHEAD = 2, MIN_CHUNKS = 4 };
static const size_t CHUNK = (size_t)2 << 20;
static const size_t WORTH_PINNING = (size_t)256 << 20;

typedef struct registered {
    struct registered *next;
    const char *data;
    size_t bytes;
    cl_mem buffer; /* over the memory: while it is there, the memory is pinned */
} registered;

/* A direction: one transfer at a time goes there, while another may go the other way. */
typedef struct way {
    const clprim_runtime *runtime;
    pthread_mutex_t mutex;  /* held by a transfer */
    size_t num_copiers;     /* 0: no slots; otherwise there are two for each */
    cl_command_queue queue; /* in-order */
    cl_mem pinned;
    char *slots; /* where it is mapped: one slot after the other */
} way;

enum { UP = 0, DOWN, WAYS };

struct clprim__host_link {
    const clprim_runtime *runtime;
    way ways[WAYS];
    size_t transferred;    /* bytes both ways, until there are slots; changed atomically */
    pthread_mutex_t mutex; /* of the list of registered memory */
    registered *first;
};

/* A transfer under way, chunk by chunk: chunk c goes through slot c % slots, where it is put first and taken from then. */
typedef struct transfer {
    const way *way;
    cl_mem buffer;
    size_t offset, bytes;
    const char *from; /* NULL: to the host */
    char *to;
    size_t num_chunks, num_slots;
    size_t next_chunk;     /* for copiers; changed atomically */
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t changed;
    size_t steps[MAX_SLOTS]; /* of each slot: how often something was put there, and how often taken, together */
    cl_int code;             /* of the first failure */
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

/* With the mutex held. What is unmapped in the queue comes behind all transfers there, even where a driver that has failed
 * does not wait for them. */
static void release_slots(way *self)
{
    if (self->slots != NULL)
        (void)clEnqueueUnmapMemObject(self->queue, self->pinned, self->slots, 0, NULL, NULL);
    if (self->pinned != NULL)
        (void)clReleaseMemObject(self->pinned);
    if (self->queue != NULL)
        (void)clReleaseCommandQueue(self->queue);
    self->slots = NULL;
    self->pinned = NULL;
    self->queue = NULL;
    self->num_copiers = 0;
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

/* Threads that copy in one direction. One core is left for the driver's, where there are several. */
static size_t copier_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
#endif
    return cores <= MIN_COPIERS ? MIN_COPIERS : cores <= MAX_COPIERS ? (size_t)cores - 1 : MAX_COPIERS;
}

/* With the mutex held. Where there is no pinned memory to be had, none is used. */
static void make_slots(way *self)
{
    const size_t copiers = copier_count();
    const size_t bytes = 2 * copiers * CHUNK;
    const clprim_runtime *runtime = self->runtime;
    cl_int code = CL_SUCCESS;
    self->queue = clCreateCommandQueue(runtime->context, runtime->info.device, 0, &code);
    if (code == CL_SUCCESS)
        self->pinned = clCreateBuffer(runtime->context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        self->slots = clEnqueueMapBuffer(self->queue, self->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                         NULL, NULL, &code);
    if (code == CL_SUCCESS)
        self->num_copiers = copiers;
    else
        release_slots(self);
}

bool clprim__host_link_is_registered(clprim__host_link *self, const void *data, size_t bytes)
{
    const char *begin = data;
    bool is_there = false;
    pthread_mutex_lock(&self->mutex);
    for (const registered *r = self->first; r != NULL && !is_there; r = r->next)
        is_there = begin >= r->data && bytes <= r->bytes && (size_t)(begin - r->data) <= r->bytes - bytes;
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
    return !self->runtime->info.is_unified_memory && bytes >= MIN_CHUNKS * CHUNK &&
           !clprim__host_link_is_registered(self, data, bytes);
}

static void fail(transfer *t, cl_int code, const char *call)
{
    pthread_mutex_lock(&t->mutex);
    if (t->code == CL_SUCCESS) {
        t->code = code;
        t->failed = call;
    }
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

/* Wait until the chunk's slot is free for it, or with `is_full`, until the chunk is there. False if something has failed. */
static bool wait_for(transfer *t, size_t chunk, bool is_full)
{
    const size_t *steps = &t->steps[chunk % t->num_slots];
    const size_t wanted = 2 * (chunk / t->num_slots) + is_full;
    pthread_mutex_lock(&t->mutex);
    while (*steps < wanted && t->code == CL_SUCCESS)
        pthread_cond_wait(&t->changed, &t->mutex);
    const bool is_well = t->code == CL_SUCCESS;
    pthread_mutex_unlock(&t->mutex);
    return is_well;
}

/* The chunk was put into its slot, or taken from it. */
static void step(transfer *t, size_t chunk)
{
    pthread_mutex_lock(&t->mutex);
    t->steps[chunk % t->num_slots]++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

static size_t chunk_size(const transfer *t, size_t chunk)
{
    const size_t left = t->bytes - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static char *slot_of(const transfer *t, size_t chunk)
{
    return t->way->slots + chunk % t->num_slots * CHUNK;
}

/* A thread's share of the copies: the next chunk, as long as there is one. */
static void *copy_chunks(void *given)
{
    transfer *t = given;
    for (;;) {
        const size_t chunk = __atomic_fetch_add(&t->next_chunk, 1, __ATOMIC_RELAXED);
        if (chunk >= t->num_chunks || !wait_for(t, chunk, t->to != NULL))
            return NULL;
        if (t->from != NULL)
            memcpy(slot_of(t, chunk), t->from + chunk * CHUNK, chunk_size(t, chunk));
        else
            memcpy(t->to + chunk * CHUNK, slot_of(t, chunk), chunk_size(t, chunk));
        step(t, chunk);
    }
}

static cl_int enqueue(const transfer *t, size_t chunk, cl_event *event)
{
    const cl_command_queue queue = t->way->queue;
    const size_t at = t->offset + chunk * CHUNK;
    const size_t size = chunk_size(t, chunk);
    char *slot = slot_of(t, chunk);
    return t->from != NULL ? clEnqueueWriteBuffer(queue, t->buffer, CL_FALSE, at, size, slot, 0, NULL, event)
                           : clEnqueueReadBuffer(queue, t->buffer, CL_FALSE, at, size, slot, 0, NULL, event);
}

/* The chunks between slots and the device, by this thread alone: where many threads call it, a driver loses time. The
 * event of the last chunk but one is waited for while the last one is on its way. */
static void transfer_chunks(transfer *t)
{
    cl_event events[AHEAD] = {NULL};
    size_t begun = 0, ended = 0;
    cl_int code = CL_SUCCESS;
    const char *call = "clWaitForEvents for a transfer";
    while (ended < t->num_chunks && code == CL_SUCCESS) {
        if (begun < t->num_chunks && begun - ended < AHEAD) {
            if (!wait_for(t, begun, t->from != NULL))
                break;
            code = enqueue(t, begun, &events[begun % AHEAD]);
            call = t->from != NULL ? "clEnqueueWriteBuffer for the input" : "clEnqueueReadBuffer for the result";
            if (code != CL_SUCCESS)
                break;
            begun++;
            code = clFlush(t->way->queue);
            call = "clFlush";
        } else {
            code = clWaitForEvents(1, &events[ended % AHEAD]);
            call = "clWaitForEvents for a transfer";
            if (code != CL_SUCCESS)
                break;
            (void)clReleaseEvent(events[ended % AHEAD]);
            step(t, ended++);
        }
    }
    if (code != CL_SUCCESS)
        fail(t, code, call);
    if (ended < begun)
        (void)clFinish(t->way->queue);
    for (; ended < begun; ended++)
        (void)clReleaseEvent(events[ended % AHEAD]);
}

/* False where the system has no thread for it. */
static bool run(const way *self, transfer *t)
{
    pthread_t copiers[MAX_COPIERS];
    size_t started = 0;
    t->way = self;
    t->num_slots = 2 * self->num_copiers;
    t->num_chunks = t->bytes / CHUNK + (t->bytes % CHUNK != 0);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->changed, NULL);
    while (started < self->num_copiers && started < t->num_chunks &&
           pthread_create(&copiers[started], NULL, copy_chunks, t) == 0)
        started++;
    if (started > 0)
        transfer_chunks(t);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(copiers[i], NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->mutex);
    return started > 0;
}

static clprim_status run_if_worth_it(bool *took, clprim__host_link *self, transfer *t)
{
    way *taken = &self->ways[t->from != NULL ? UP : DOWN];
    clprim_status status = CLPRIM_SUCCESS;
    *took = takes(self, t->from != NULL ? t->from : t->to, t->bytes);
    if (!*took)
        return CLPRIM_SUCCESS;
    pthread_mutex_lock(&taken->mutex);
    if (taken->num_copiers == 0 && pays(self, t->bytes))
        make_slots(taken);
    *took = taken->num_copiers > 0 && run(taken, t);
    if (*took)
        status = clprim__cl(t->code, t->failed);
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
