// SPDX-License-Identifier: MIT
/* top_k_native.c: the first k by the host's code, for CPU devices. A list has the images of keys (key_image.h) and their
 * places, in the order of the input. Keys behind a limit are passed over, a step at a time. When the list is full, it is
 * shortened to its first k, of which the last one is the new limit. Chunks have lists of their own, which are joined. */
#include <string.h>

#include "host_sort.h"
#include "key_image.h"
#include "kinds.h"
#include "native.h"
#include "numbers.h"
#include "order.h"
#include "plan_table.h"
#include "sizes.h"
#include "tasks.h"
#include "top_k_internal.h"

enum {
    BLOCK = CLPRIM__BLOCK,
    STEP = 16,       /* elements that are compared with the limit together */
    TIMES_K = 4,     /* a list has room for so many times k elements, */
    AND_MORE = 4096, /* and for so many more */
    SAMPLES = 2048,
    BINS = 2048,           /* of images, among which the k-th is searched */
    LEAST_CHUNK = 1 << 17, /* elements */
    MOST_CHUNKS = 16
};

/* The elements that may be among the first k. */
typedef struct list {
    uint64_t *images;
    uint32_t *places;
    size_t count, room;
    uint64_t limit; /* the largest image that may still be */
    unsigned shift; /* which leaves 63 bits of an image */
    bool is_final;  /* none may */
} list;

typedef struct work {
    clprim__key_image image;
    const char *keys;
    size_t n, k, chunk;
    list lists[MOST_CHUNKS];
} work;

static size_t chunks_of(size_t n)
{
    const size_t chunks = n / LEAST_CHUNK;
    return chunks < 1 ? 1 : chunks > MOST_CHUNKS ? MOST_CHUNKS : chunks;
}

/* The most elements of a list. */
static size_t most_of(size_t k)
{
    return clprim__plus(clprim__times(k, TIMES_K), AND_MORE);
}

#define IMAGES(bits)                                                                                                   \
    static void read_images_##bits(uint64_t *images, const clprim__key_image *how, const void *keys, size_t n)         \
    {                                                                                                                  \
        const clprim__u##bits *in = keys;                                                                              \
        const uint##bits##_t sign = (uint##bits##_t)how->sign, moved = (uint##bits##_t)how->moved;                     \
        const uint##bits##_t negative = (uint##bits##_t)(how->is_float ? how->all ^ how->sign : 0);                    \
        const uint##bits##_t flipped = (uint##bits##_t)how->flipped;                                                   \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const uint##bits##_t key = in[i];                                                                          \
            const uint##bits##_t ordered = (uint##bits##_t)(key ^ sign ^ ((key & sign) != 0 ? negative : 0));          \
            images[i] = (uint##bits##_t)((uint##bits##_t)(ordered - moved) ^ flipped);                                 \
        }                                                                                                              \
    }

IMAGES(8)
IMAGES(16)
IMAGES(32)
IMAGES(64)

static void read_images(uint64_t *images, const work *self, size_t at, size_t n)
{
    const char *keys = self->keys + at * self->image.key_size;
    switch (self->image.key_size) {
    case 1: read_images_8(images, &self->image, keys, n); break;
    case 2: read_images_16(images, &self->image, keys, n); break;
    case 4: read_images_32(images, &self->image, keys, n); break;
    default: read_images_64(images, &self->image, keys, n);
    }
}

/* Count the images from `low` to low + width by their distance from it; all others together, behind these. */
static void count_bins(uint32_t *counts, const list *from, uint64_t low, uint64_t width, unsigned shift)
{
    memset(counts, 0, (BINS + 1) * sizeof *counts);
    for (size_t i = 0; i < from->count; i++) {
        const uint64_t distance = from->images[i] - low;
        counts[distance <= width ? distance >> shift : BINS]++;
    }
}

/* The first k are the images before *bound and, of those that are equal to it, at most so many as returned. Bins divide
 * the range in which the k-th image lies, until each has one image, or all of the k-th one's bin are wanted. */
static size_t find_bound(uint64_t *bound, const list *from, size_t k)
{
    uint32_t counts[BINS + 1];
    uint64_t low = UINT64_MAX;
    uint64_t high = 0;
    size_t bin = 0;
    unsigned shift = 0;
    for (size_t i = 0; i < from->count; i++) {
        low = from->images[i] < low ? from->images[i] : low;
        high = from->images[i] > high ? from->images[i] : high;
    }
    do {
        for (shift = 0; (high - low) >> shift >= BINS;)
            shift++;
        count_bins(counts, from, low, high - low, shift);
        for (bin = 0; counts[bin] < k; bin++)
            k -= counts[bin];
        const uint64_t width = (UINT64_C(1) << shift) - 1;
        low += (uint64_t)bin << shift;
        high = high - low > width ? low + width : high;
    } while (shift > 0 && counts[bin] > k);
    *bound = high;
    return k;
}

/* Leave the first k. Of equal keys, those that come first stay. */
static void shorten(list *self, size_t k)
{
    uint64_t bound = 0;
    uint64_t last = 0;
    size_t count = 0;
    if (self->count <= k)
        return;
    size_t equal = find_bound(&bound, self, k);
    for (size_t i = 0; i < self->count; i++) {
        const uint64_t image = self->images[i];
        const size_t is_equal = (size_t)(image == bound) & (size_t)(equal > 0);
        const size_t stays = (size_t)(image < bound) | is_equal;
        self->images[count] = image;
        self->places[count] = self->places[i];
        last = stays != 0 && image > last ? image : last;
        equal -= is_equal;
        count += stays;
    }
    self->count = count;
    self->limit = last - 1; /* a later key that is equal to the last one does not come before it */
    self->is_final = last == 0;
}

/* Append those of up to STEP elements that are not behind the limit. Differences of 63 bits tell by their signs whether
 * all are, which vectors find faster than comparisons. */
static void append(list *self, const uint64_t *images, size_t n, size_t place)
{
    const unsigned shift = self->shift;
    const uint64_t limit = self->limit >> shift;
    uint64_t behind = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        behind &= limit - (images[i] >> shift);
    if (behind >> 63 != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        self->images[self->count] = images[i];
        self->places[self->count] = (uint32_t)(place + i);
        self->count += images[i] <= self->limit;
    }
}

/* Where k is small, a sample gives a limit to begin with: the array may be such that each element comes before those that
 * were seen. */
static void set_limit(list *out, const work *self, size_t begin, size_t end)
{
    const size_t distance = (end - begin) / SAMPLES;
    if (distance < 2 || self->k > SAMPLES / 4)
        return;
    out->count = SAMPLES;
    for (size_t i = 0; i < SAMPLES; i++)
        out->images[i] = clprim__image_at(&self->image, self->keys, begin + i * distance);
    (void)find_bound(&out->limit, out, self->k);
    out->count = 0;
}

static void list_chunk(void *user, size_t index)
{
    work *self = user;
    list *out = &self->lists[index];
    uint64_t images[BLOCK];
    const size_t begin = index * self->chunk < self->n ? index * self->chunk : self->n;
    const size_t end = self->n - begin < self->chunk ? self->n : begin + self->chunk;
    set_limit(out, self, begin, end);
    for (size_t i = begin; i < end && !out->is_final; i += BLOCK) {
        const size_t n = end - i < BLOCK ? end - i : BLOCK;
        read_images(images, self, i, n);
        for (size_t k = 0; k < n && !out->is_final; k += STEP) {
            const size_t step = n - k < STEP ? n - k : STEP;
            if (step > out->room - out->count)
                shorten(out, self->k);
            if (!out->is_final)
                append(out, images + k, step, i + k);
        }
    }
    shorten(out, self->k);
}

/* Join the lists of all chunks to the first one. */
static list *join(work *self, size_t chunks)
{
    list *all = &self->lists[0];
    for (size_t i = 1; i < chunks; i++) {
        const list *next = &self->lists[i];
        memmove(all->images + all->count, next->images, next->count * sizeof *next->images);
        memmove(all->places + all->count, next->places, next->count * sizeof *next->places);
        all->count += next->count;
    }
    shorten(all, self->k);
    return all;
}

static inline void gather_by(char *to, const char *from, const uint32_t *places, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * size, from + places[i] * size, size);
}

static void gather(void *to, const void *from, const uint32_t *places, size_t n, size_t size)
{
    switch (size) {
    case 1: gather_by(to, from, places, n, 1); break;
    case 2: gather_by(to, from, places, n, 2); break;
    case 4: gather_by(to, from, places, n, 4); break;
    case 8: gather_by(to, from, places, n, 8); break;
    default: gather_by(to, from, places, n, 16);
    }
}

static void write_indices(void *to, const uint32_t *places, size_t n, size_t size)
{
    clprim__u64 *wide = to;
    if (size == sizeof *places)
        memcpy(to, places, n * sizeof *places);
    else
        for (size_t i = 0; i < n; i++)
            wide[i] = places[i];
}

/* The sort of the k that were found, without arrays. */
static clprim_status sort_of(clprim__host_sort *out, const clprim_top_k_desc *d)
{
    const clprim_key_order by = {.key_type = d->key_type, .descending = !d->smallest, .nan_order = d->nan_order};
    clprim_status status = CLPRIM_SUCCESS;
    *out = (clprim__host_sort){.indices = false};
    CLPRIM__TRY(clprim__key_image_of(&out->image, &by));
    status = clprim__value_check(&out->value_size, d->value_size, d->indices, d->index_type,
                                 clprim__max_count_or(d->max_count));
done:
    return status;
}

static bool has_one_key(const clprim_top_k_desc *d)
{
    bool others = d->input != NULL;
    for (size_t k = 0; k < CLPRIM_MAX_KEYS - 1; k++)
        others =
            others || d->then.inputs[k] != NULL || d->then.types[k] != CLPRIM_TYPE_DEFAULT || d->then.descending[k];
    return !others;
}

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_top_k_desc *d = desc;
    clprim__host_sort sort;
    (void)info; /* images are integers, whatever the device can compute */
    return has_one_key(d) && d->k > 0 && clprim__max_count_or(d->max_count) <= UINT32_MAX &&
           (d->key_type == CLPRIM_TYPE_DEFAULT || clprim__is_key_type(d->key_type)) &&
           sort_of(&sort, d) == CLPRIM_SUCCESS;
}

/* Where scratch memory for the sort begins. The lists come before it; with fewer elements, which may be in fewer chunks,
 * there can be a few more places in them. */
static size_t before_sort(size_t n, size_t k)
{
    const size_t places = clprim__smaller(clprim__plus(n, MOST_CHUNKS), clprim__times(chunks_of(n), most_of(k)));
    return clprim__times(places, sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t scratch(const void *desc, const void *call)
{
    const clprim_top_k_desc *d = desc;
    const size_t n = ((const clprim_top_k_call *)call)->count;
    clprim__host_sort sort;
    (void)sort_of(&sort, d);
    sort.count = clprim__smaller(n, d->k);
    return clprim__plus(before_sort(n, d->k), d->unsorted ? 0 : clprim__host_sort_scratch(&sort));
}

static void run(const void *desc, const void *call, void *memory)
{
    const clprim_top_k_desc *d = desc;
    const clprim_top_k_call *c = call;
    clprim__host_sort sort;
    (void)sort_of(&sort, d);
    work self = {.image = sort.image, .keys = c->keys_in.host, .n = c->count, .k = d->k};
    const size_t chunks = chunks_of(self.n);
    self.chunk = clprim__divide_up(self.n, chunks);
    const size_t room = clprim__smaller(self.chunk, most_of(self.k));
    uint64_t *images = memory;
    uint32_t *places = (uint32_t *)(void *)(images + chunks * room);
    for (size_t i = 0; i < chunks; i++)
        self.lists[i] = (list){.images = images + i * room,
                               .places = places + i * room,
                               .room = room,
                               .limit = self.image.all,
                               .shift = self.image.key_size == sizeof *images};
    clprim__tasks_run(chunks, clprim__tasks_threads(self.n, LEAST_CHUNK), list_chunk, &self);
    const list *found = join(&self, chunks);
    gather(c->keys_out.host, c->keys_in.host, found->places, found->count, self.image.key_size);
    if (d->indices)
        write_indices(c->values_out.host, found->places, found->count, sort.value_size);
    else if (sort.value_size > 0)
        gather(c->values_out.host, c->values_in.host, found->places, found->count, sort.value_size);
    if (d->unsorted || found->count < 2)
        return;
    sort.count = found->count;
    sort.keys_in = sort.keys_out = c->keys_out.host;
    sort.values_in = sort.values_out = c->values_out.host;
    clprim__host_sort_run(&sort, (char *)memory + before_sort(self.n, self.k));
}

const clprim__native clprim__top_k_native = {CLPRIM__NATIVE_NAMES(top_k), .can = can, .scratch = scratch, .run = run};
