// SPDX-License-Identifier: MIT
/* top_k_pieces.c: the first k of arrays that come in pieces: the first k of each piece, and of these the first k. */
#include "error.h"
#include "plan_pieces.h"
#include "sizes.h"
#include "top_k_first.h"
#include "top_k_internal.h"

typedef clprim_top_k_desc description;

/* The first k of all pieces are compared in one call, which fits for sure if they are no more than this share of a piece:
 * of keys of one byte that get indices of eight. In a stream, whose pieces nobody has counted, they are compared whenever
 * so many pieces have found theirs. */
enum { SHARE = 8, PIECES_OF_STREAM = 16 };

/* The first k of the pieces so far, on the host. */
typedef struct notes {
    char *memory[2]; /* keys and values */
    size_t sizes[2]; /* of one, in bytes */
    size_t count, room;
} notes;

_Static_assert(sizeof(notes) <= CLPRIM__PIECE_NOTES, "there is no room for the notes");

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->input != NULL || d->then.inputs[0] != NULL
               ? "of keys from expressions too little is kept to compare those of several pieces"
               : NULL;
}

/* A stream keeps room behind the list for the first k of the list. */
static size_t bytes_of(const clprim__cutting *self, int i)
{
    const notes *n = (const void *)self->notes.bytes;
    const description *d = (const void *)self->desc.bytes;
    return clprim__times(clprim__plus(n->room, self->is_open ? d->k : 0), n->sizes[i]);
}

static clprim_status begin(clprim__cutting *self)
{
    notes *n = (void *)self->notes.bytes;
    const description *d = (const void *)self->desc.bytes;
    const size_t fit = self->piece_size / SHARE / d->k;
    const size_t usual = clprim__smaller(fit, PIECES_OF_STREAM);
    n->room = clprim__times(self->is_open ? clprim__larger(usual, 2) : self->num_pieces, d->k);
    if (!self->is_open && n->room > self->piece_size / SHARE)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_top_k_run: the call does not fit the device, and k %zu is too large to cut it into "
                            "%zu pieces of %zu elements",
                            d->k, self->num_pieces, self->piece_size);
    (void)clprim__cutting_array(self, "keys_out", &n->sizes[0]);
    (void)clprim__cutting_array(self, "values_out", &n->sizes[1]);
    for (int i = 0; i < 2; i++) {
        n->memory[i] = n->sizes[i] > 0 ? clprim__host_allocate(self->runtime, bytes_of(self, i)) : NULL;
        if (n->sizes[i] > 0 && n->memory[i] == NULL)
            return CLPRIM_OUT_OF_MEMORY;
    }
    return CLPRIM_SUCCESS;
}

static void clear(clprim__cutting *self)
{
    const notes *n = (const void *)self->notes.bytes;
    for (int i = 0; i < 2; i++)
        clprim__host_release(self->runtime, n->memory[i], bytes_of(self, i));
}

void clprim__top_k_shift(void *indices, size_t size, size_t count, uint64_t by)
{
    cl_uint *narrow = indices;
    cl_ulong *wide = indices;
    for (size_t i = 0; i < count; i++)
        if (size == sizeof *wide)
            wide[i] += by;
        else
            narrow[i] += (cl_uint)by;
}

/* Of elements with equal keys those of earlier pieces come first, as in the whole array. */
clprim_status clprim__top_k_first(clprim_runtime *runtime, const clprim_operation *face, const clprim_top_k_desc *desc,
                                  const clprim_top_k_call *call, void *keys, void *values, size_t value_size,
                                  size_t count)
{
    clprim_top_k_desc d = *desc;
    clprim_top_k_call c = *call;
    d.indices = false;
    d.index_type = CLPRIM_TYPE_DEFAULT;
    d.value_size = value_size;
    d.max_count = count;
    c.keys_in = (clprim_array){.host = keys};
    c.values_in = (clprim_array){.host = value_size > 0 ? values : NULL};
    c.count = count;
    return face->run(runtime, &d, &c);
}

static clprim_status first_of_list(clprim__cutting *self, const clprim_top_k_call *call)
{
    const notes *n = (const void *)self->notes.bytes;
    return clprim__top_k_first(self->runtime, self->plan->operation->face, (const void *)self->desc.bytes, call,
                               n->memory[0], n->memory[1], n->sizes[1], n->count);
}

/* Make room in the list of a stream. */
static clprim_status shorten(clprim__cutting *self)
{
    notes *n = (void *)self->notes.bytes;
    const description *d = (const void *)self->desc.bytes;
    clprim__given given;
    clprim__cutting_rest(&given, self);
    clprim_top_k_call *c = (void *)given.bytes;
    char *ends[2];
    for (int i = 0; i < 2; i++)
        ends[i] = n->sizes[i] > 0 ? n->memory[i] + n->room * n->sizes[i] : NULL;
    c->keys_out = (clprim_array){.host = ends[0]};
    c->values_out = (clprim_array){.host = ends[1]};
    const clprim_status status = first_of_list(self, c);
    n->count = clprim__smaller(n->count, d->k);
    for (int i = 0; i < 2 && status == CLPRIM_SUCCESS; i++)
        if (ends[i] != NULL)
            memcpy(n->memory[i], ends[i], n->count * n->sizes[i]);
    return status;
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_top_k_call *c = call;
    const clprim_array *from[] = {&c->keys_out, &c->values_out};
    const description *d = (const void *)self->desc.bytes;
    notes *n = (void *)self->notes.bytes;
    const size_t found = clprim__smaller(self->count, d->k);
    clprim_status status = CLPRIM_SUCCESS;
    (void)landing;
    if (n->count + found > n->room)
        CLPRIM__TRY(shorten(self));
    for (int i = 0; i < 2; i++)
        if (n->sizes[i] > 0)
            CLPRIM__TRY(clprim__cutting_read(self, n->memory[i] + n->count * n->sizes[i], from[i]->buffer,
                                             from[i]->offset * n->sizes[i], found * n->sizes[i]));
    if (d->indices)
        clprim__top_k_shift(n->memory[1] + n->count * n->sizes[1], n->sizes[1], found, self->begin);
    n->count += found;
done:
    return status;
}

static clprim_status finish(clprim__cutting *self, const void *desc)
{
    clprim__given given;
    (void)desc;
    clprim__cutting_rest(&given, self);
    return first_of_list(self, (const void *)given.bytes);
}

static const char *const whole[] = {"keys_out", "values_out", NULL};

const clprim__pieces clprim__top_k_pieces = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_top_k_call, count),
    .whole = whole,
    .begin = begin,
    .launched = launched,
    .finish = finish,
    .clear = clear,
};
