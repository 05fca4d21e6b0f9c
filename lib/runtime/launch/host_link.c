/* host_link.c: the host's arrays to and from the memory of a device of its own, through pinned memory. */
#include "host_link.h"

#include <pthread.h>
#include <stdlib.h>

#include "error.h"
#include "runtime_internal.h"

/* To pin memory takes as long as to transfer five times as much of it without (docs/notebook/run.md): so it is pinned
 * when that has been transferred. */
static const size_t WORTH_PINNING = (size_t)256 << 20;

typedef struct registered {
    struct registered *next;
    const char *data;
    size_t bytes;
    cl_mem buffer; /* over the memory: while it is there, the memory is pinned */
} registered;

enum { UP = 0, DOWN, WAYS };

/* A direction: one transfer at a time goes there, while another may go the other way. */
typedef struct way {
    pthread_mutex_t mutex; /* held by a transfer */
    clprim__ring ring;     /* without slots until they pay */
} way;

struct clprim__host_link {
    const clprim_runtime *runtime;
    way ways[WAYS];
    size_t transferred;    /* bytes both ways, until there are slots; changed atomically */
    pthread_mutex_t mutex; /* of the list of registered memory */
    registered *first;
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

void clprim__host_link_trim(clprim__host_link *self)
{
    for (int i = 0; i < WAYS; i++) {
        pthread_mutex_lock(&self->ways[i].mutex);
        clprim__ring_release(&self->ways[i].ring);
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
        clprim__ring_release(&self->ways[i].ring);
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
