// SPDX-License-Identifier: MIT
/* nth_element_digits.c: find the keys at given ranks of an array of which no device has all elements. Histograms count
 * the digits; the host chooses those of the wanted keys. */
#include "nth_element_digits.h"

#include <clprim/histogram.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"
#include "key_image.h"
#include "plan_pieces.h"
#include "runtime_internal.h"
#include "sizes.h"

enum {
    SHARE = 16, /* bins for each of the ranks that are searched at the same time: their digits have 4 bits or more */
    SOURCE = 2048,
    MOST_KEYS = 1 << 30 /* that 32-bit counters count at a time */
};

/* A wanted key: the digits that are known, and its rank among the keys that begin with them. */
typedef struct wanted {
    uint64_t prefix, rank;
    size_t place; /* in the list of ranks */
} wanted;

typedef struct search {
    const clprim__digits *of;
    clprim__key_image image;
    clprim_plan *plan; /* of a piece's histogram */
    size_t piece;      /* the most keys of which */
    wanted *keys;      /* sorted, `num_keys` of them */
    size_t num_keys, most_keys;
    cl_ulong *prefixes; /* those of the wanted keys, without repetition */
    size_t num_prefixes;
    uint64_t *counts;  /* one for each prefix and digit */
    cl_uint *counters; /* those of a piece */
    cl_ulong shift;    /* bits below the digit */
    cl_ulong width;    /* bits of the digit */
    size_t rounds;     /* how often ranks are searched, so many at a time */
    size_t round;      /* rounds that are over */
} search;

/* The digit's bin: that of the place of the prefix, if it is among the wanted ones. The first two lines of digit_of are
 * clprim__image. */
static const char format[] =
    "long digit_of(ulong key, __global const ulong *prefixes, ulong count, ulong shift, ulong width)\n"
    "{\n"
    "    const ulong bits = key ^ (%d && (key & 0x%llxUL) != 0 ? 0x%llxUL : 0x%llxUL);\n"
    "    const ulong image = ((bits - 0x%llxUL) & 0x%llxUL) ^ 0x%llxUL;\n"
    "    const ulong digits = image >> shift;\n"
    "    const ulong prefix = digits >> width;\n"
    "    ulong begin = 0;\n"
    "    for (ulong left = count; left > 1;) {\n"
    "        const ulong half_of_it = left / 2;\n"
    "        begin = prefixes[begin + half_of_it] <= prefix ? begin + half_of_it : begin;\n"
    "        left -= half_of_it;\n"
    "    }\n"
    "    return prefixes[begin] == prefix ? (long)(begin << width | (digits & ((1UL << width) - 1))) : -1;\n"
    "}\n";

/* Make the plan of the histogram, with which all pieces are counted. */
static clprim_status make_plan(search *self)
{
    typedef unsigned long long wide;
    const clprim__key_image *how = &self->image;
    static const clprim_type types[] = {[1] = CLPRIM_U8, [2] = CLPRIM_U16, [4] = CLPRIM_U32, [8] = CLPRIM_U64};
    char source[SOURCE];
    (void)snprintf(source, SOURCE, format, how->is_float, (wide)how->sign, (wide)how->all, (wide)how->sign,
                   (wide)how->moved, (wide)how->all, (wide)how->flipped);
    return clprim_histogram_create(
        &self->plan, self->of->runtime,
        &(clprim_histogram_desc){.type = types[how->key_size],
                                 .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                 .bins = self->of->bins,
                                 .bin_of = "digit_of(x, prefixes, count, shift, width)",
                                 .text = {.source = source,
                                          .parameters = {{"prefixes", CLPRIM_U64, .is_array = true},
                                                         {"count", CLPRIM_U64},
                                                         {"shift", CLPRIM_U64},
                                                         {"width", CLPRIM_U64}}}});
}

/* Device memory for the histogram of `count` keys. */
static size_t bytes_of(const void *user, size_t count)
{
    const search *self = user;
    const clprim_histogram_call call = {.count = count};
    const size_t keys = clprim__times(count, self->image.key_size);
    const size_t others =
        clprim__plus(self->of->bins * sizeof *self->counters, self->most_keys * sizeof *self->prefixes);
    const size_t scratch = clprim__plan_scratch(self->plan, &call);
    return keys > clprim_runtime_info(self->of->runtime)->max_allocation_size
               ? SIZE_MAX
               : clprim__plus(clprim__plus(keys, others), scratch);
}

static clprim_status prepare(search *self, size_t rank_count)
{
    const size_t bins = self->of->bins;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__key_image_of(&self->image, &self->of->order));
    self->most_keys = clprim__smaller(rank_count, bins / SHARE);
    self->rounds = clprim__divide_up(rank_count, self->most_keys);
    self->keys = calloc(self->most_keys, sizeof *self->keys);
    self->prefixes = calloc(self->most_keys, sizeof *self->prefixes);
    self->counts = calloc(bins, sizeof *self->counts);
    self->counters = calloc(bins, sizeof *self->counters);
    if (self->keys == NULL || self->prefixes == NULL || self->counts == NULL || self->counters == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory to count digits of %zu keys", self->most_keys);
    CLPRIM__TRY(make_plan(self));
    self->piece = clprim__most_that_fits(clprim__device_limit(self->of->runtime), bytes_of, self,
                                         clprim__smaller(self->of->count, MOST_KEYS));
    if (self->piece == 0 && self->of->count > 0)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_nth_element_run: the call does not fit the device, and %zu bytes of its memory are "
                            "not enough to count the digits of one key",
                            clprim__device_limit(self->of->runtime));
done:
    return status;
}

static int by_rank(const void *a, const void *b)
{
    const wanted *x = a;
    const wanted *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Begin with no digits: the ranks are those among all keys. Keys stay sorted by rank, and so by prefix. */
static void take_ranks(search *self, const uint64_t *ranks, size_t begin, size_t end)
{
    self->num_keys = end - begin;
    for (size_t i = begin; i < end; i++)
        self->keys[i - begin] = (wanted){.rank = ranks[i], .place = i};
    qsort(self->keys, self->num_keys, sizeof *self->keys, by_rank);
    self->shift = self->image.num_bits;
}

/* The next digit is as wide as the bins for all prefixes allow. */
static void next_digit(search *self)
{
    size_t bins = self->of->bins;
    self->num_prefixes = 0;
    for (size_t i = 0; i < self->num_keys; i++)
        if (i == 0 || self->keys[i].prefix != self->keys[i - 1].prefix)
            self->prefixes[self->num_prefixes++] = self->keys[i].prefix;
    self->width = 0;
    while (self->width < self->shift && bins / 2 >= self->num_prefixes) {
        bins /= 2;
        self->width++;
    }
    self->shift -= self->width;
}

static clprim_status tell(const search *self, size_t counted)
{
    const clprim__digits *of = self->of;
    const double bits = self->image.num_bits;
    const double before = (bits - (double)self->shift - (double)self->width) * (double)of->count;
    if (of->progress == NULL)
        return CLPRIM_SUCCESS;
    return of->progress(of->user,
                        of->count * self->round + (size_t)((before + (double)self->width * (double)counted) / bits),
                        of->count * self->rounds);
}

/* Count the keys that are here. */
static clprim_status count_here(search *self)
{
    const clprim__digits *of = self->of;
    const cl_ulong num_prefixes = self->num_prefixes;
    clprim_status status = CLPRIM_SUCCESS;
    memset(self->counts, 0, of->bins * sizeof *self->counts);
    for (size_t begin = 0; begin < of->count; begin += self->piece) {
        const size_t count = clprim__smaller(of->count - begin, self->piece);
        const clprim_histogram_call call = {.in = {.host = (char *)(uintptr_t)of->keys + begin * self->image.key_size},
                                            .arguments = {{.host = self->prefixes, .length = self->num_prefixes},
                                                          {.host = (void *)(uintptr_t)&num_prefixes},
                                                          {.host = &self->shift},
                                                          {.host = &self->width}},
                                            .count = count,
                                            .out = {.host = self->counters}};
        CLPRIM__TRY(clprim__plan_run_whole(self->plan, &call));
        for (size_t i = 0; i < of->bins; i++)
            self->counts[i] += self->counters[i];
        CLPRIM__TRY(tell(self, begin + count));
    }
done:
    return status;
}

/* Add the digit to each wanted key's prefix. */
static void choose_digits(search *self)
{
    size_t group = 0; /* place of the key's prefix */
    uint64_t digit = 0, below = 0;
    for (size_t i = 0; i < self->num_keys; i++) {
        wanted *key = &self->keys[i];
        if (key->prefix != self->prefixes[group]) {
            group++;
            digit = below = 0;
        }
        const uint64_t *counts = self->counts + (group << self->width);
        while (digit + 1 < UINT64_C(1) << self->width && below + counts[digit] <= key->rank)
            below += counts[digit++];
        key->prefix = key->prefix << self->width | digit;
        key->rank -= below;
    }
}

static clprim_status select_keys(search *self)
{
    const clprim__digits *of = self->of;
    clprim_status status = CLPRIM_SUCCESS;
    while (self->shift > 0) {
        next_digit(self);
        status = count_here(self);
        if (of->add_up != NULL)
            status = of->add_up(of->user, status, self->counts, of->bins);
        if (status != CLPRIM_SUCCESS)
            break;
        choose_digits(self);
    }
    return status;
}

clprim_status clprim__digits_select(void *out, const clprim__digits *of, const uint64_t *ranks, size_t rank_count)
{
    clprim_status status = CLPRIM_SUCCESS;
    search *self = NULL;
    if (rank_count == 0)
        return CLPRIM_SUCCESS;
    self = calloc(1, sizeof *self);
    if (self == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory to count digits");
    } else {
        self->of = of;
        status = prepare(self, rank_count);
    }
    if (self == NULL || status != CLPRIM_SUCCESS) { /* the others learn it when they add up what they have counted */
        status = of->add_up != NULL ? of->add_up(of->user, status, NULL, 0) : status;
        goto done;
    }
    for (; self->round < self->rounds; self->round++) {
        const size_t begin = self->round * self->most_keys;
        take_ranks(self, ranks, begin, clprim__smaller(begin + self->most_keys, rank_count));
        CLPRIM__TRY(select_keys(self));
        for (size_t i = 0; i < self->num_keys; i++) {
            const uint64_t bits = clprim__key_of_image(&self->image, self->keys[i].prefix);
            memcpy((char *)out + self->keys[i].place * self->image.key_size, &bits, self->image.key_size);
        }
    }
done:
    if (self != NULL) {
        clprim_plan_destroy(self->plan);
        free(self->keys);
        free(self->prefixes);
        free(self->counts);
        free(self->counters);
    }
    free(self);
    return status;
}
