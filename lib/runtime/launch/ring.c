// SPDX-License-Identifier: MIT
/* ring.c: transfer bytes between host arrays and a device buffer, through slots of pinned memory. */
#include "ring.h"

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "error.h"
#include "launch.h"
#include "platform.h"
#include "runtime_internal.h"

/* Measured on an H200 behind PCIe 5 with 16 cores (docs/notebook/run.md): with slots of 2 MiB and 7 copying threads, 50
 * GB/s in one direction, and 88 GB/s in both together if nothing else runs. */
enum { MIN_COPIERS = 2, MAX_SLOTS = 2 * CLPRIM__RING_MOST, AHEAD = 2, MIN_CHUNKS = 4 };
static const size_t CHUNK = (size_t)2 << 20;

/* When a chunk goes up, several threads copy a piece of it each, so that its transfer begins early. On the way down,
 * one thread copies the whole chunk: its writes may be the first to the pages of the caller's array, and the system
 * provides those one at a time. */
enum { PIECES_UP = 4, PIECES_DOWN = 1 };

/* A transfer in progress. Chunk c is put into slot c % num_slots and later taken from it. */
typedef struct clprim__ring_turn {
    clprim__ring *ring;
    const clprim__transfer *what;
    size_t num_chunks, num_slots;
    size_t pieces;            /* per chunk */
    size_t next_piece;        /* the next piece that a copier takes; changed atomically */
    size_t copied[MAX_SLOTS]; /* pieces of the slot's chunk that are copied; changed atomically */
    /* How often a chunk was put into the slot, plus how often one was taken from it. Changed atomically and with the
     * ring's mutex held, like the members below. */
    size_t steps[MAX_SLOTS];
    size_t num_steps; /* sum over all slots */
    cl_int code;      /* of the first failure */
    const char *failed;
} turn;

size_t clprim__ring_worth(void)
{
    return MIN_CHUNKS * CHUNK;
}

/* The number of copying threads. If there are several cores, one is left for the driver's threads. */
static size_t copier_count(void)
{
    const long cores = clprim__processors();
    return cores <= MIN_COPIERS ? MIN_COPIERS : cores <= CLPRIM__RING_MOST ? (size_t)cores - 1 : CLPRIM__RING_MOST;
}

static void fail(turn *t, cl_int code, const char *call)
{
    pthread_mutex_lock(&t->ring->mutex);
    if (t->code == CL_SUCCESS) {
        t->code = code;
        t->failed = call;
    }
    pthread_cond_broadcast(&t->ring->changed);
    pthread_mutex_unlock(&t->ring->mutex);
}

/* Wait until the slot is free for the chunk, or, if `is_full`, until the chunk is in the slot. Returns false if
 * something has failed. */
static bool wait_for(turn *t, size_t chunk, bool is_full)
{
    const size_t *steps = &t->steps[chunk % t->num_slots];
    const size_t wanted = 2 * (chunk / t->num_slots) + is_full;
    if (__atomic_load_n(steps, __ATOMIC_ACQUIRE) >= wanted)
        return true;
    pthread_mutex_lock(&t->ring->mutex);
    while (*steps < wanted && t->code == CL_SUCCESS)
        pthread_cond_wait(&t->ring->changed, &t->ring->mutex);
    const bool is_well = t->code == CL_SUCCESS;
    pthread_mutex_unlock(&t->ring->mutex);
    return is_well;
}

/* A chunk was put into its slot or taken from it. */
static void step(turn *t, size_t chunk)
{
    pthread_mutex_lock(&t->ring->mutex);
    (void)__atomic_add_fetch(&t->steps[chunk % t->num_slots], 1, __ATOMIC_RELEASE);
    t->num_steps++;
    pthread_cond_broadcast(&t->ring->changed);
    pthread_mutex_unlock(&t->ring->mutex);
}

static size_t chunk_size(const turn *t, size_t chunk)
{
    return clprim__smaller(t->what->bytes - chunk * CHUNK, CHUNK);
}

static char *slot_of(const turn *t, size_t chunk)
{
    return t->ring->slots + chunk % t->num_slots * CHUNK;
}

/* Copy bytes from the spans, starting at byte `at`. */
static void gather(char *to, const clprim__transfer *what, size_t at, size_t size)
{
    for (const clprim__span *span = what->from; size > 0; span++) {
        if (at >= span->bytes) {
            at -= span->bytes;
            continue;
        }
        const size_t part = clprim__smaller(size, span->bytes - at);
        memcpy(to, span->data + at, part);
        to += part;
        size -= part;
        at = 0;
    }
}

/* Write results to the caller's memory, with stores that bypass the caches if the processor has them. Ordinary stores
 * would first read the memory that they overwrite, which is a third of all memory traffic. */
static void scatter(char *to, const char *from, size_t size)
{
#ifdef __SSE2__
    const size_t lead = clprim__smaller(size, -(uintptr_t)to % sizeof(__m128i));
    memcpy(to, from, lead);
    to += lead;
    from += lead;
    for (size -= lead; size >= sizeof(__m128i); size -= sizeof(__m128i)) {
        _mm_stream_si128((void *)to, _mm_loadu_si128((const void *)from));
        to += sizeof(__m128i);
        from += sizeof(__m128i);
    }
    _mm_sfence(); /* before other threads are told that the bytes are there */
#endif
    memcpy(to, from, size);
}

static void copy_piece(turn *t, size_t number)
{
    const size_t chunk = number / t->pieces;
    const size_t slot = chunk % t->num_slots;
    const size_t piece = CHUNK / t->pieces;
    const size_t begin = number % t->pieces * piece; /* offset in the chunk */
    const size_t size = chunk_size(t, chunk);
    char *there = slot_of(t, chunk) + begin;
    if (begin < size && t->what->from != NULL)
        gather(there, t->what, chunk * CHUNK + begin, clprim__smaller(size - begin, piece));
    else if (begin < size)
        scatter(t->what->to + chunk * CHUNK + begin, there, clprim__smaller(size - begin, piece));
    if (__atomic_add_fetch(&t->copied[slot], 1, __ATOMIC_ACQ_REL) == t->pieces) {
        __atomic_store_n(&t->copied[slot], 0, __ATOMIC_RELAXED); /* for the slot's next chunk, which waits for: */
        step(t, chunk);
    }
}

/* The copying work of one thread: take the next piece as long as there is one. */
static void copy_pieces(turn *t)
{
    for (;;) {
        const size_t piece = __atomic_fetch_add(&t->next_piece, 1, __ATOMIC_RELAXED);
        if (piece >= t->num_chunks * t->pieces || !wait_for(t, piece / t->pieces, t->what->to != NULL))
            return;
        copy_piece(t, piece);
    }
}

static cl_int enqueue(const turn *t, size_t chunk, cl_event *event)
{
    const clprim__transfer *what = t->what;
    const cl_command_queue queue = t->ring->queue;
    const size_t at = what->offset + chunk * CHUNK;
    const size_t size = chunk_size(t, chunk);
    char *slot = slot_of(t, chunk);
    return what->from != NULL ? clEnqueueWriteBuffer(queue, what->buffer, CL_FALSE, at, size, slot, 0, NULL, event)
                              : clEnqueueReadBuffer(queue, what->buffer, CL_FALSE, at, size, slot, 0, NULL, event);
}

/* Transfer chunks between slots and the device. Only this thread calls the driver, which becomes slower if many threads
 * call it. Two transfers are in flight at a time. */
static void transfer_chunks(turn *t)
{
    const bool is_up = t->what->from != NULL;
    cl_event events[AHEAD] = {NULL};
    size_t begun = 0, ended = 0;
    cl_int code = CL_SUCCESS;
    const char *call = NULL;
    while (ended < t->num_chunks && code == CL_SUCCESS) {
        if (begun < t->num_chunks && begun - ended < AHEAD) {
            (void)wait_for(t, begun, is_up);
            call = is_up ? "clEnqueueWriteBuffer for the input" : "clEnqueueReadBuffer for the result";
            code = enqueue(t, begun, &events[begun % AHEAD]);
            if (code != CL_SUCCESS)
                break;
            begun++;
            call = "clFlush";
            code = clFlush(t->ring->queue);
        } else {
            call = "clWaitForEvents for a transfer";
            code = clWaitForEvents(1, &events[ended % AHEAD]);
            if (code != CL_SUCCESS)
                break;
            (void)clReleaseEvent(events[ended % AHEAD]);
            step(t, ended++);
        }
    }
    if (code != CL_SUCCESS)
        fail(t, code, call);
    if (ended < begun)
        (void)clFinish(t->ring->queue);
    for (; ended < begun; ended++)
        (void)clReleaseEvent(events[ended % AHEAD]);
}

/* Wait for the next transfer, in which this copier takes part; NULL: there are no more. */
static turn *next_turn(clprim__ring *self, size_t *seen)
{
    pthread_mutex_lock(&self->mutex);
    while (!self->is_over && (self->turn == NULL || self->turns == *seen))
        pthread_cond_wait(&self->changed, &self->mutex);
    turn *next = self->is_over ? NULL : self->turn;
    *seen = self->turns;
    self->at_work += next != NULL;
    pthread_mutex_unlock(&self->mutex);
    return next;
}

static void *copy(void *given)
{
    clprim__ring *self = given;
    size_t seen = 0;
    for (turn *t = next_turn(self, &seen); t != NULL; t = next_turn(self, &seen)) {
        copy_pieces(t);
        pthread_mutex_lock(&self->mutex);
        self->at_work--;
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->mutex);
    }
    return NULL;
}

static void end_copiers(clprim__ring *self)
{
    pthread_mutex_lock(&self->mutex);
    self->is_over = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
    for (size_t i = 0; i < self->num_copiers; i++)
        (void)pthread_join(self->copiers[i], NULL);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
}

static void begin_copiers(clprim__ring *self, size_t wanted)
{
    while (self->num_copiers < wanted && clprim__thread_begin(&self->copiers[self->num_copiers], copy, self))
        self->num_copiers++;
}

/* Release the ring. The unmap command runs after all transfers in the queue, even if a driver that has failed does not
 * wait for them. */
static void clear(clprim__ring *self)
{
    if (self->owner == clprim__process())
        end_copiers(self);
    if (self->slots != NULL)
        (void)clEnqueueUnmapMemObject(self->queue, self->pinned, self->slots, 0, NULL, NULL);
    if (self->pinned != NULL)
        (void)clReleaseMemObject(self->pinned);
    if (self->queue != NULL)
        (void)clReleaseCommandQueue(self->queue);
    *self = (clprim__ring){0};
}

void clprim__ring_release(clprim__ring *self)
{
    if (self->num_copiers > 0)
        clear(self);
}

bool clprim__ring_make(clprim__ring *self, const clprim_runtime *runtime)
{
    const size_t copiers = copier_count();
    const size_t bytes = 2 * copiers * CHUNK;
    cl_int code = CL_SUCCESS;
    self->owner = clprim__process();
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->changed, NULL);
    self->queue = clCreateCommandQueue(runtime->context, runtime->info.device, 0, &code);
    if (code == CL_SUCCESS)
        self->pinned = clCreateBuffer(runtime->context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        self->slots = clEnqueueMapBuffer(self->queue, self->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                         NULL, NULL, &code);
    if (code == CL_SUCCESS)
        begin_copiers(self, copiers);
    if (self->num_copiers > 0)
        return true;
    clear(self);
    return false;
}

clprim_status clprim__ring_run(clprim__ring *self, const clprim__transfer *what)
{
    turn t = {.ring = self,
              .what = what,
              .num_chunks = what->bytes / CHUNK + (what->bytes % CHUNK != 0),
              .num_slots = 2 * self->num_copiers,
              .pieces = what->from != NULL ? PIECES_UP : PIECES_DOWN};
    pthread_mutex_lock(&self->mutex);
    self->turn = &t;
    self->turns++;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
    transfer_chunks(&t);
    pthread_mutex_lock(&self->mutex);
    while (t.code == CL_SUCCESS && t.num_steps < 2 * t.num_chunks)
        pthread_cond_wait(&self->changed, &self->mutex);
    self->turn = NULL; /* copiers that have not started on this transfer are no longer needed */
    while (self->at_work > 0)
        pthread_cond_wait(&self->changed, &self->mutex);
    pthread_mutex_unlock(&self->mutex);
    return clprim__cl(t.code, t.failed);
}
