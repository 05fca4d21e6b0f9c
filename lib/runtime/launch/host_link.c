// SPDX-License-Identifier: MIT
/* host_link.c: transfer arrays through pinned memory between the host and a device with its own memory. */
#include "host_link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "runtime_internal.h"

/* Pinning memory takes as long as five unpinned transfers of the same size (docs/notebook/run.md). So the rings are
 * pinned only after this many bytes were transferred. */
static const size_t WORTH_PINNING = (size_t)256 << 20;

typedef struct registered {
    struct registered *next;
    const char *data;
    size_t bytes;
    cl_mem buffer; /* a buffer over the memory, which stays pinned while the buffer exists; NULL: too small to be worth
                    * pinning */
} registered;

enum { UP = 0, DOWN, WAYS };

/* One direction. Only one transfer at a time runs in a direction, but both directions may be busy. */
typedef struct way {
    pthread_mutex_t mutex; /* held during a transfer */
    clprim__ring ring;     /* has no slots until they are worth pinning */
} way;

/* Memory that ranks share. */
typedef struct shared {
    uint64_t version; /* 0: none */
    size_t *bytes;    /* minimum size of each rank's memory */
    unsigned ranks;
    unsigned uses;     /* how often this version was used so far */
    unsigned in_use;   /* how many use it now */
    registered *first; /* the pinned memory: that of all ranks, or none */
} shared;

struct clprim__host_link {
    const clprim_runtime *runtime;
    way ways[WAYS];
    size_t transferred;    /* total bytes in both directions before the slots exist; changed atomically */
    pthread_mutex_t mutex; /* guards the registered and the shared memory */
    registered *first;
    shared shared;
};

clprim_status clprim__host_link_create(clprim__host_link **out, const clprim_runtime *runtime)
{
    clprim__host_link *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    self->runtime = runtime;
    pthread_mutex_init(&self->mutex, NULL);
    for (int i = 0; i < WAYS; i++)
        pthread_mutex_init(&self->ways[i].mutex, NULL);
    *out = self;
    return CLPRIM_SUCCESS;
}

static void release_registered(registered *memory)
{
    if (memory->buffer != NULL)
        (void)clReleaseMemObject(memory->buffer);
    free(memory);
}

static void release_list(registered **first)
{
    while (*first != NULL) {
        registered *next = (*first)->next;
        release_registered(*first);
        *first = next;
    }
}

static void clear_shared(shared *self)
{
    release_list(&self->first);
    free(self->bytes);
    *self = (shared){0};
}

void clprim__host_link_trim(clprim__host_link *self)
{
    pthread_mutex_lock(&self->mutex);
    if (self->shared.in_use == 0)
        clear_shared(&self->shared);
    pthread_mutex_unlock(&self->mutex);
    for (int i = 0; i < WAYS; i++) {
        pthread_mutex_lock(&self->ways[i].mutex);
        clprim__ring_release(&self->ways[i].ring);
        pthread_mutex_unlock(&self->ways[i].mutex);
    }
    __atomic_store_n(&self->transferred, 0, __ATOMIC_RELAXED);
}

void clprim__host_link_destroy(clprim__host_link *self)
{
    if (self == NULL)
        return;
    for (int i = 0; i < WAYS; i++) {
        clprim__ring_release(&self->ways[i].ring);
        pthread_mutex_destroy(&self->ways[i].mutex);
    }
    release_list(&self->first);
    clear_shared(&self->shared);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

static bool is_in(const registered *list, const char *data, size_t bytes)
{
    for (const registered *r = list; r != NULL; r = r->next)
        if (data >= r->data && bytes <= r->bytes && (size_t)(data - r->data) <= r->bytes - bytes)
            return true;
    return false;
}

static bool is_registered(clprim__host_link *self, const char *data, size_t bytes)
{
    pthread_mutex_lock(&self->mutex);
    const bool is_there =
        is_in(self->first, data, bytes) || (self->shared.in_use > 0 && is_in(self->shared.first, data, bytes));
    pthread_mutex_unlock(&self->mutex);
    return is_there;
}

/* Whether enough has been transferred, including these bytes, for pinned memory to pay off. */
static bool pays(clprim__host_link *self, size_t bytes)
{
    const size_t more = bytes < WORTH_PINNING ? bytes : WORTH_PINNING;
    const size_t before = __atomic_load_n(&self->transferred, __ATOMIC_RELAXED);
    return before >= WORTH_PINNING || __atomic_add_fetch(&self->transferred, more, __ATOMIC_RELAXED) >= WORTH_PINNING;
}

bool clprim__host_link_is_pinned(clprim__host_link *self, const clprim__transfer *what)
{
    bool is_pinned = true;
    if (what->from == NULL)
        return is_registered(self, what->to, what->bytes);
    for (size_t i = 0; i < what->num_spans && is_pinned; i++)
        is_pinned = is_registered(self, what->from[i].data, what->from[i].bytes);
    return is_pinned;
}

clprim_status clprim__host_link_run(bool *took, clprim__host_link *self, const clprim__transfer *what)
{
    way *taken = &self->ways[what->from != NULL ? UP : DOWN];
    clprim_status status = CLPRIM_SUCCESS;
    *took = !self->runtime->info.is_unified_memory && what->bytes >= clprim__ring_worth();
    if (!*took)
        return CLPRIM_SUCCESS;
    pthread_mutex_lock(&taken->mutex);
    *took = taken->ring.num_copiers > 0 || (pays(self, what->bytes) && clprim__ring_make(&taken->ring, self->runtime));
    if (*took)
        status = clprim__ring_run(&taken->ring, what);
    if (status != CLPRIM_SUCCESS)
        clprim__ring_release(&taken->ring);
    pthread_mutex_unlock(&taken->mutex);
    return status;
}

/* Pin memory, unless it is too small to gain anything: a few bytes share their page with other data, and while such
 * pages were pinned and unpinned, transfers failed with NVIDIA's driver (CL_OUT_OF_RESOURCES). Returns
 * CL_OUT_OF_HOST_MEMORY if there is no memory for the list entry. */
static cl_int make_registered(registered **out, const clprim_runtime *runtime, void *data, size_t bytes)
{
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    registered *made = calloc(1, sizeof *made);
    *out = made;
    if (made == NULL)
        return code;
    made->data = data;
    made->bytes = bytes;
    if (bytes < clprim__ring_worth())
        return CL_SUCCESS;
    made->buffer = clCreateBuffer(runtime->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, data, &code);
    if (code == CL_SUCCESS)
        return code;
    free(made);
    *out = NULL;
    return code;
}

/* Insert at the front of the list. */
static void insert(registered **first, registered *added)
{
    added->next = *first;
    *first = added;
}

clprim_status clprim__host_link_register(clprim__host_link *self, void *data, size_t bytes)
{
    registered *added = NULL;
    const cl_int code = make_registered(&added, self->runtime, data, bytes);
    if (code != CL_SUCCESS)
        return clprim__cl(code, "clCreateBuffer over registered memory");
    pthread_mutex_lock(&self->mutex);
    insert(&self->first, added);
    pthread_mutex_unlock(&self->mutex);
    return CLPRIM_SUCCESS;
}

static bool is_enough(const shared *self, const size_t *bytes, unsigned ranks)
{
    bool is_it = self->ranks == ranks;
    for (unsigned r = 0; r < ranks && is_it; r++)
        is_it = bytes[r] <= self->bytes[r];
    return is_it;
}

void clprim__host_link_before_share(clprim__host_link *self, const size_t *bytes, unsigned ranks)
{
    pthread_mutex_lock(&self->mutex);
    if (self->shared.in_use == 0 && !is_enough(&self->shared, bytes, ranks))
        clear_shared(&self->shared);
    pthread_mutex_unlock(&self->mutex);
}

/* Pin the memory of all ranks, or of none. */
static void pin_shared(shared *self, const clprim_runtime *runtime, const void *const *data)
{
    registered *pinned = NULL;
    for (unsigned r = 0; r < self->ranks; r++) {
        if (self->bytes[r] == 0)
            continue;
        if (make_registered(&pinned, runtime, (void *)(uintptr_t)data[r], self->bytes[r]) != CL_SUCCESS) {
            release_list(&self->first);
            return;
        }
        insert(&self->first, pinned);
    }
}

/* Begin another version. If there is no memory to store its sizes, it is never pinned. */
static void begin_version(shared *self, const clprim__shared *what)
{
    clear_shared(self);
    self->bytes = malloc(what->ranks * sizeof *what->bytes);
    if (self->bytes == NULL)
        return;
    memcpy(self->bytes, what->bytes, what->ranks * sizeof *what->bytes);
    self->ranks = what->ranks;
    self->version = what->version;
}

bool clprim__host_link_share(clprim__host_link *self, const clprim__shared *what)
{
    enum { SECOND = 2 };
    shared *there = &self->shared;
    pthread_mutex_lock(&self->mutex);
    if (there->version != what->version && there->in_use == 0)
        begin_version(there, what);
    const bool is_used = what->version != 0 && there->version == what->version;
    if (is_used && ++there->uses == SECOND) /* if pinning fails, this version is never pinned */
        pin_shared(there, self->runtime, what->data);
    there->in_use += is_used;
    pthread_mutex_unlock(&self->mutex);
    return is_used;
}

void clprim__host_link_unshare(clprim__host_link *self)
{
    pthread_mutex_lock(&self->mutex);
    self->shared.in_use--;
    pthread_mutex_unlock(&self->mutex);
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
