/* top_k_parts.c: the first k of arrays that do not fit the device: the first k of each part, and of these the first k. */
#include "error.h"
#include "plan_parts.h"
#include "top_k_internal.h"

typedef clprim_top_k_desc description;

/* The first k of all parts are compared in one call, which fits for sure if they are no more than this share of a part:
 * of keys of one byte that get indices of eight. */
enum { SHARE = 8 };

/* The first k of the parts so far, on the host. */
typedef struct notes {
    char *keys, *values;
    size_t bytes[2]; /* of these */
    size_t count;
} notes;

_Static_assert(sizeof(notes) <= CLPRIM__PART_NOTES, "there is no room for the notes");

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->input != NULL || d->then.inputs[0] != NULL
               ? "of keys from expressions too little is kept to compare those of several parts"
               : NULL;
}

static size_t size_of(const clprim__cutting *self, const char *name)
{
    size_t size = 0;
    (void)clprim__cutting_array(self, name, &size);
    return size;
}

static clprim_status begin(clprim__cutting *self)
{
    notes *n = (void *)self->notes.bytes;
    const description *d = (const void *)self->desc.bytes;
    const size_t most = clprim__times(self->num_parts, d->k);
    if (most > self->part_size / SHARE)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_top_k_run: the call does not fit the device, and k %zu is too large to cut it into "
                            "%zu parts of %zu elements",
                            d->k, self->num_parts, self->part_size);
    n->bytes[0] = clprim__times(most, size_of(self, "keys_out"));
    n->bytes[1] = clprim__times(most, size_of(self, "values_out"));
    n->keys = n->bytes[0] > 0 ? clprim__host_allocate(self->runtime, n->bytes[0]) : NULL;
    n->values = n->bytes[1] > 0 ? clprim__host_allocate(self->runtime, n->bytes[1]) : NULL;
    return (n->bytes[0] > 0 && n->keys == NULL) || (n->bytes[1] > 0 && n->values == NULL) ? CLPRIM_OUT_OF_MEMORY
                                                                                          : CLPRIM_SUCCESS;
}

static void clear(clprim__cutting *self)
{
    const notes *n = (const void *)self->notes.bytes;
    clprim__host_release(self->runtime, n->keys, n->bytes[0]);
    clprim__host_release(self->runtime, n->values, n->bytes[1]);
}

/* Indices count from the whole array's first element. */
static void shift(void *indices, size_t size, size_t count, size_t by)
{
    cl_uint *narrow = indices;
    cl_ulong *wide = indices;
    for (size_t i = 0; i < count; i++)
        if (size == sizeof *wide)
            wide[i] += by;
        else
            narrow[i] += (cl_uint)by;
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_top_k_call *c = call;
    const description *d = (const void *)self->desc.bytes;
    notes *n = (void *)self->notes.bytes;
    const size_t sizes[] = {size_of(self, "keys_out"), size_of(self, "values_out")};
    const size_t found = self->count < d->k ? self->count : d->k;
    clprim_status status = CLPRIM_SUCCESS;
    (void)landing;
    if (sizes[0] > 0)
        CLPRIM__TRY(clprim__cutting_read(self, n->keys + n->count * sizes[0], c->keys_out.buffer,
                                         c->keys_out.offset * sizes[0], found * sizes[0]));
    if (sizes[1] > 0)
        CLPRIM__TRY(clprim__cutting_read(self, n->values + n->count * sizes[1], c->values_out.buffer,
                                         c->values_out.offset * sizes[1], found * sizes[1]));
    if (d->indices)
        shift(n->values + n->count * sizes[1], sizes[1], found, self->begin);
    n->count += found;
done:
    return status;
}

/* Of elements with equal keys those of earlier parts come first, as in the whole array. */
static clprim_status finish(clprim__cutting *self, const void *desc)
{
    const notes *n = (const void *)self->notes.bytes;
    clprim__given given;
    clprim__cutting_rest(&given, self);
    clprim_top_k_call *c = (void *)given.bytes;
    description d = *(const description *)desc;
    d.indices = false;
    d.index_type = CLPRIM_TYPE_DEFAULT;
    d.value_size = size_of(self, "values_out");
    d.max_count = n->count;
    c->keys_in = (clprim_array){.host = n->keys};
    c->values_in = (clprim_array){.host = n->values};
    c->count = n->count;
    return self->plan->operation->face->run(self->runtime, &d, c);
}

static const char *const whole[] = {"keys_out", "values_out", NULL};

const clprim__parts clprim__top_k_parts = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_top_k_call, count),
    .whole = whole,
    .begin = begin,
    .launched = launched,
    .finish = finish,
    .clear = clear,
};
