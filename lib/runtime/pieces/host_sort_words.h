// SPDX-License-Identifier: MIT
/* host_sort_words.h: what host_sort.c has for each kind of processor, for words of 32 and of 64 bits: sort words, which
 * cannot be told apart if they are equal.
 *
 * One pass through memory brings the words into up to BUCKETS buckets by their upper bits, of nearly equal size where the
 * words allow. Lines are gathered in the cache, and written past it. A bucket then goes to short runs, each with SLOT
 * places of its own, so that nothing has to be counted. A network sorts a run in each lane of vectors. What does not fit
 * its run's places is inserted afterwards; if that is much, because the words are not spread evenly, the bucket is parted
 * once more by its own range. Each time the ranges become smaller, so this ends.
 *
 * Parameters: PROCESSOR, for names; VECTOR: bytes of a vector, 0: there are none; WRITE_LINES. WORD, WORD_BITS and NAME(x)
 * are set here: the file includes itself for each width. */
#if !defined(WORD)
#define WORD      uint32_t
#define WORD_BITS 32
#define NAME(x)   NAME_FOR(x, 32, PROCESSOR)
#include "host_sort_words.h"
#undef WORD
#undef WORD_BITS
#undef NAME
#define WORD      uint64_t
#define WORD_BITS 64
#define NAME(x)   NAME_FOR(x, 64, PROCESSOR)
#include "host_sort_words.h"
#undef WORD
#undef WORD_BITS
#undef NAME
#else
#define LANES  (VECTOR * 8 / WORD_BITS)
#define window NAME(window)
#define job    NAME(job)

/* A word's bin is the part of the range between two words, of 2^shift, in which it is; the first bin is what is below,
 * the last one what is above. */
typedef struct window {
    WORD least;
    unsigned shift;
    unsigned bins;
} window;

/* A sort by several threads. */
typedef struct job {
    const WORD *from;          /* not images yet if `in` is not plain */
    WORD *middle, *spare, *to; /* `to` is one of the others, as of sort() */
    size_t n, threads;
    clprim__workers *workers;
    order in, out;
    window window;
    shared *shared;
    struct work *work; /* of each thread */
    size_t buckets;
    size_t next;   /* the next bucket that no thread has taken; changed atomically */
    WORD few[FEW]; /* for words of few values: which */
    size_t num_few;
} job;

static inline WORD NAME(image_of)(WORD x, const order *o)
{
    const WORD is_negative = (WORD)0 - (x >> (WORD_BITS - 1));
    x ^= (WORD)o->sign ^ (is_negative & (WORD)o->negative);
    return (x - (WORD)o->moved) ^ (WORD)o->flipped;
}

static inline WORD NAME(word_of)(WORD x, const order *o)
{
    x = ((x ^ (WORD)o->flipped) + (WORD)o->moved) ^ (WORD)o->sign;
    return x ^ (((WORD)0 - (x >> (WORD_BITS - 1))) & (WORD)o->negative);
}

#if VECTOR
#define lanes NAME(lanes)
#define loose NAME(loose)
typedef WORD lanes __attribute__((vector_size(VECTOR)));
typedef WORD loose __attribute__((vector_size(VECTOR), aligned(WORD_BITS / 8), may_alias));

/* The lanes of two vectors by turns: of their lower halves, of their upper ones. */
#if LANES == 16
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define UPPER(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif LANES == 8
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif LANES == 4
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define UPPER(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 2)
#define UPPER(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

/* gcc 12 makes four instructions of what is one. */
#if VECTOR == 64 && WORD_BITS == 32
#define LEAST(a, b)    (lanes) _mm512_min_epu32((__m512i)(a), (__m512i)(b))
#define GREATEST(a, b) (lanes) _mm512_max_epu32((__m512i)(a), (__m512i)(b))
#elif VECTOR == 64
#define LEAST(a, b)    (lanes) _mm512_min_epu64((__m512i)(a), (__m512i)(b))
#define GREATEST(a, b) (lanes) _mm512_max_epu64((__m512i)(a), (__m512i)(b))
#elif VECTOR == 32 && WORD_BITS == 32
#define LEAST(a, b)    (lanes) _mm256_min_epu32((__m256i)(a), (__m256i)(b))
#define GREATEST(a, b) (lanes) _mm256_max_epu32((__m256i)(a), (__m256i)(b))
#else
#define LEAST(a, b)    ((a) & (lanes)((a) < (b))) | ((b) & ~(lanes)((a) < (b)))
#define GREATEST(a, b) ((b) & (lanes)((a) < (b))) | ((a) & ~(lanes)((a) < (b)))
#endif

/* One step of a transposition: the bits of the number of a vector and then of a lane are rotated by one. */
static ALWAYS_INLINE void NAME(interleave)(lanes *to, const lanes *from)
{
    UNROLL
    for (size_t k = 0; k < LANES / 2; k++) {
        to[2 * k] = LOWER(from[k], from[k + LANES / 2]);
        to[2 * k + 1] = UPPER(from[k], from[k + LANES / 2]);
    }
}

static ALWAYS_INLINE void NAME(transpose)(lanes *x)
{
    lanes y[LANES];
    NAME(interleave)(y, x);
#if LANES > 2
    NAME(interleave)(x, y);
#endif
#if LANES > 4
    NAME(interleave)(y, x);
#endif
#if LANES > 8
    NAME(interleave)(x, y);
#endif
#if LANES == 2 || LANES == 8
    UNROLL
    for (size_t k = 0; k < LANES; k++)
        x[k] = y[k];
#endif
}

#define ORDER(a, b)                                                                                                    \
    {                                                                                                                  \
        const lanes less = LEAST(x[a], x[b]);                                                                          \
        x[b] = GREATEST(x[a], x[b]);                                                                                   \
        x[a] = less;                                                                                                   \
    }
#define FOUR(a, b, c, d, e, f, g, h) ORDER(a, b) ORDER(c, d) ORDER(e, f) ORDER(g, h)

/* Green's network of 60 comparisons: the first half, and the second. */
static ALWAYS_INLINE void NAME(sort_lanes_first)(lanes *x)
{
    FOUR(0, 1, 2, 3, 4, 5, 6, 7);
    FOUR(8, 9, 10, 11, 12, 13, 14, 15);
    FOUR(0, 2, 1, 3, 4, 6, 5, 7);
    FOUR(8, 10, 9, 11, 12, 14, 13, 15);
    FOUR(0, 4, 1, 5, 2, 6, 3, 7);
    FOUR(8, 12, 9, 13, 10, 14, 11, 15);
    FOUR(0, 8, 1, 9, 2, 10, 3, 11);
    FOUR(4, 12, 5, 13, 6, 14, 7, 15);
}

static ALWAYS_INLINE void NAME(sort_lanes)(lanes *x)
{
    NAME(sort_lanes_first)(x);
    FOUR(5, 10, 6, 9, 3, 12, 13, 14);
    ORDER(4, 8);
    ORDER(7, 11);
    ORDER(1, 2);
    FOUR(1, 4, 7, 13, 2, 8, 11, 14);
    FOUR(2, 4, 5, 6, 9, 10, 11, 13);
    ORDER(3, 8);
    ORDER(7, 12);
    FOUR(6, 8, 10, 12, 3, 5, 7, 9);
    FOUR(3, 4, 5, 6, 7, 8, 9, 10);
    ORDER(11, 12);
    ORDER(6, 7);
    ORDER(8, 9);
}

/* Sort the first `fill[k]` words of LANES runs from `slots` on, and write them behind one another as words. Places
 * behind the last one of each are written, too, up to SLOT. Then fill says where each begins. */
static ALWAYS_INLINE size_t NAME(sort_runs)(WORD *to, size_t at, const WORD *slots, uint32_t *fill, const order *out)
{
    lanes x[SLOT];
    UNROLL
    for (size_t j = 0; j < SLOT / LANES; j++) {
        lanes places;
        for (size_t k = 0; k < LANES; k++)
            places[k] = (WORD)(j * LANES + k);
        UNROLL
        for (size_t k = 0; k < LANES; k++) { /* behind the last word: the greatest one */
            const WORD last = (WORD)(fill[k] < SLOT - 1 ? fill[k] : SLOT - 1);
            x[j * LANES + k] = ((const lanes *)slots)[k * (SLOT / LANES) + j] | (lanes)(places >= last);
        }
        NAME(transpose)(x + j * LANES);
    }
    NAME(sort_lanes)(x);
    UNROLL
    for (size_t j = 0; j < SLOT / LANES; j++)
        NAME(transpose)(x + j * LANES);
    if (!out->is_plain) {
        UNROLL
        for (size_t k = 0; k < SLOT; k++) {
            const lanes y = ((x[k] ^ (WORD)out->flipped) + (WORD)out->moved) ^ (WORD)out->sign;
            x[k] = y ^ (((WORD)0 - (y >> (WORD_BITS - 1))) & (WORD)out->negative);
        }
    }
    UNROLL
    for (size_t k = 0; k < LANES; k++) {
        const uint32_t length = fill[k];
        UNROLL
        for (size_t j = 0; j < SLOT / LANES; j++)
            *(loose *)(to + at + j * LANES) = x[j * LANES + k];
        fill[k] = (uint32_t)at;
        at += length;
    }
    return at;
}
#undef FOUR
#undef ORDER
#undef LEAST
#undef GREATEST
#undef LOWER
#undef UPPER
#undef loose
#endif

/* Words that are images, by insertion. */
static void NAME(insert)(WORD *words, size_t begin, size_t n)
{
    for (size_t i = begin; i < n; i++) {
        const WORD word = words[i];
        size_t k = i;
        for (; k > 0 && words[k - 1] > word; k--)
            words[k] = words[k - 1];
        words[k] = word;
    }
}

static void NAME(write_words)(WORD *to, const WORD *images, size_t n, const order *out)
{
    const order own = *out;
    for (size_t i = 0; i < n; i++)
        to[i] = NAME(word_of)(images[i], &own);
}

#if !VECTOR
#define RUNS_AT_ONCE 4
static size_t NAME(sort_runs)(WORD *to, size_t at, const WORD *slots, uint32_t *fill, const order *out)
{
    for (int k = 0; k < RUNS_AT_ONCE; k++) {
        const uint32_t length = fill[k];
        WORD run[SLOT];
        memcpy(run, slots + k * SLOT, sizeof run);
        NAME(insert)(run, 1, length < SLOT - 1 ? length : SLOT - 1);
        NAME(write_words)(to + at, run, SLOT, out);
        fill[k] = (uint32_t)at;
        at += length;
    }
    return at;
}
#else
#define RUNS_AT_ONCE LANES
#endif

static void NAME(range_of)(const WORD *from, size_t n, WORD *least, WORD *greatest)
{
    WORD low[16];
    WORD high[16];
    size_t i = 0;
    for (int k = 0; k < 16; k++)
        low[k] = high[k] = from[0];
    for (; i + 16 <= n; i += 16)
        for (int k = 0; k < 16; k++) {
            low[k] = from[i + k] < low[k] ? from[i + k] : low[k];
            high[k] = from[i + k] > high[k] ? from[i + k] : high[k];
        }
    for (; i < n; i++) {
        low[0] = from[i] < low[0] ? from[i] : low[0];
        high[0] = from[i] > high[0] ? from[i] : high[0];
    }
    for (int k = 1; k < 16; k++) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[k] > high[0] ? high[k] : high[0];
    }
    *least = low[0];
    *greatest = high[0];
}

static bool NAME(is_ascending)(const WORD *from, size_t n, const order *in)
{
    const order own = *in;
    size_t i = 0;
    for (; i + STEP < n; i += STEP) {
        WORD falls = 0;
        for (int k = 0; k < STEP; k++)
            falls |= (WORD)(NAME(image_of)(from[i + k], &own) > NAME(image_of)(from[i + k + 1], &own));
        if (falls)
            return false;
    }
    for (; i + 1 < n; i++)
        if (NAME(image_of)(from[i], &own) > NAME(image_of)(from[i + 1], &own))
            return false;
    return true;
}

/* What did not fit its run's places, which are sorted from `begins` on. */
static void NAME(insert_rest)(WORD *to, const uint32_t *begins, size_t over, const order *out, const work *w)
{
    const WORD *rest = w->rest;
    for (size_t i = 0; i < over; i++)
        w->fill_of_rest[w->run_of_rest[i]] = SLOT - 1;
    for (size_t i = 0; i < over; i++) {
        const uint32_t run = w->run_of_rest[i];
        WORD *words = to + begins[run];
        uint32_t k = w->fill_of_rest[run]++;
        for (; k > 0 && NAME(image_of)(words[k - 1], out) > rest[i]; k--)
            words[k] = words[k - 1];
        words[k] = NAME(word_of)(rest[i], out);
    }
}

/* Each word's run: its piece of the range from `least` on. */
static ALWAYS_INLINE void NAME(runs_of)(uint32_t *run, const WORD *from, size_t count, WORD least, unsigned shift,
                                        uint32_t factor)
{
    for (size_t k = 0; k < count; k++)
        run[k] = ((uint32_t)((WORD)(from[k] - least) >> shift) * factor) >> 16;
}

/* To the places of its run, of which the last one stays free: so the number of a place says whether there is room. */
#define PUT(k)                                                                                                         \
    {                                                                                                                  \
        const uint32_t place = fill[run[k]];                                                                           \
        if (LIKELY(place % SLOT < SLOT - 1)) {                                                                         \
            slots[place] = from[i + (k)];                                                                              \
            fill[run[k]] = place + 1;                                                                                  \
        } else {                                                                                                       \
            rest[over] = from[i + (k)];                                                                                \
            w->run_of_rest[over++] = run[k];                                                                           \
        }                                                                                                              \
    }

/* Sort by runs. Returns false if too many words do not fit their runs; then nothing was written. */
static bool NAME(sort_by_runs)(const WORD *from, size_t n, WORD *to, WORD least, WORD greatest, const order *out,
                               const work *w)
{
    WORD *slots = w->slots;
    WORD *rest = w->rest;
    uint32_t *fill = w->fill;
    const size_t most_over = n / REST_PIECE;
    unsigned shift = 0;
    while (((WORD)(greatest - least) >> shift) > UINT16_MAX)
        shift++;
    const uint32_t pieces = (uint32_t)((WORD)(greatest - least) >> shift) + 1;
    const uint32_t wanted = (uint32_t)(n / RUN) + 1;
    const uint32_t runs = wanted < pieces ? wanted : pieces;
    const uint32_t all = (runs + RUNS_AT_ONCE - 1) / RUNS_AT_ONCE * RUNS_AT_ONCE;
    const uint32_t factor = (uint32_t)(((uint64_t)runs << 16) / pieces);
    size_t over = 0;
    for (uint32_t k = 0; k < all; k++)
        fill[k] = k * SLOT;
    for (size_t i = 0; i < n; i += STEP) {
        uint32_t run[STEP];
        if (i + STEP <= n) {
            NAME(runs_of)(run, from + i, STEP, least, shift, factor);
            UNROLL_8
            for (int k = 0; k < STEP; k++)
                PUT(k)
        } else {
            NAME(runs_of)(run, from + i, n - i, least, shift, factor);
            for (size_t k = 0; k < n - i; k++)
                PUT(k)
        }
        if (over > most_over)
            return false;
    }
    for (uint32_t k = 0; k < all; k++)
        fill[k] %= SLOT;
    for (size_t i = 0; i < over; i++)
        fill[w->run_of_rest[i]]++;
    size_t at = 0;
    for (uint32_t k = 0; k < all; k += RUNS_AT_ONCE) {
        size_t length = SLOT;
        for (int j = 0; j < RUNS_AT_ONCE; j++)
            length += fill[k + j];
        if (LIKELY(at + length <= n)) {
            at = NAME(sort_runs)(to, at, slots + (size_t)k * SLOT, fill + k, out);
            continue;
        }
        /* near the end, places behind a run may be beyond it */
        WORD *some = w->last;
        const size_t end = NAME(sort_runs)(some, 0, slots + (size_t)k * SLOT, fill + k, out);
        memcpy(to + at, some, end * sizeof(WORD));
        for (int j = 0; j < RUNS_AT_ONCE; j++)
            fill[k + j] += (uint32_t)at;
        at += end;
    }
    if (over > 0)
        NAME(insert_rest)(to, fill, over, out, w);
    return true;
}
#undef PUT

/* Words of few values that are close together: count them, and write each so often. */
static void NAME(sort_by_counts)(const WORD *from, size_t n, WORD *to, WORD least, WORD greatest, const order *out,
                                 const work *w)
{
    uint32_t *counts = w->counts;
    const uint32_t values = (uint32_t)(greatest - least) + 1;
    memset(counts, 0, values * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[from[i] - least]++;
    for (uint32_t k = 0; k < values; k++) {
        const WORD word = NAME(word_of)((WORD)(least + k), out);
        for (uint32_t j = 0; j < counts[k]; j++)
            *to++ = word;
    }
}

/* A few words that are not spread evenly: byte by byte, from the lowest on. */
static void NAME(sort_by_bytes)(WORD *from, WORD *other, size_t n, WORD *to, WORD least, WORD greatest,
                                const order *out)
{
    for (unsigned shift = 0; shift < WORD_BITS && (WORD)(greatest - least) >> shift != 0; shift += 8) {
        uint32_t next[256] = {0};
        uint32_t before = 0;
        WORD *const now = from;
        for (size_t i = 0; i < n; i++)
            next[(WORD)(from[i] - least) >> shift & 255]++;
        for (int k = 0; k < 256; k++) {
            const uint32_t count = next[k];
            next[k] = before;
            before += count;
        }
        for (size_t i = 0; i < n; i++)
            other[next[(WORD)(from[i] - least) >> shift & 255]++] = from[i];
        from = other;
        other = now;
    }
    NAME(write_words)(to, from, n, out);
}

static window NAME(window_between)(WORD least, WORD greatest, size_t n)
{
    window result = {least, 0, n < WORTH_ALL_BINS ? BINS / 8 : BINS};
    while ((WORD)(greatest - least) >> result.shift >= result.bins - 2)
        result.shift++;
    return result;
}

static ALWAYS_INLINE void NAME(bins_of)(uint16_t *bin, WORD *image, const WORD *from, size_t count, const window *given,
                                        const order *given_order)
{
    const window win = *given;
    const order in = *given_order;
    const WORD last = (WORD)(win.bins - 2);
    for (size_t k = 0; k < count; k++) {
        const WORD x = NAME(image_of)(from[k], &in);
        const WORD piece = (WORD)(x - win.least) >> win.shift;
        image[k] = x;
        bin[k] = (uint16_t)(x < win.least ? 0 : (piece < last ? piece : last) + 1);
    }
}

/* Each count is split in two, for keys next to each other often have the same bin, and one addition waits for the
 * other. */
static void NAME(count_bins)(uint32_t *counts, const WORD *from, size_t n, const window *win, const order *in,
                             const work *w)
{
    uint32_t *others = w->counts;
    uint16_t bin[STEP];
    WORD image[STEP];
    size_t i = 0;
    memset(counts, 0, win->bins * sizeof *counts);
    memset(others, 0, win->bins * sizeof *others);
    for (; i + STEP <= n; i += STEP) {
        NAME(bins_of)(bin, image, from + i, STEP, win, in);
        UNROLL_8
        for (int k = 0; k < STEP / 2; k++) {
            counts[bin[k]]++;
            others[bin[k + STEP / 2]]++;
        }
    }
    NAME(bins_of)(bin, image, from + i, n - i, win, in);
    for (size_t k = 0; k < n - i; k++)
        counts[bin[k]]++;
    for (unsigned k = 0; k < win->bins; k++)
        counts[k] += others[k];
}

#define HELD (HELD_BYTES * 8 / WORD_BITS)

/* Write a bucket's gathered lines, or, of the first ones, the end that is the bucket's. */
static ALWAYS_INLINE void NAME(write_lines)(WORD *base, const WORD *own, size_t *written)
{
    const size_t first = *written % HELD;
    WORD *to = base + (*written - first);
    *written += HELD - first;
    if (LIKELY(first == 0)) {
        WRITE_LINES(to, own)
        return;
    }
    for (size_t k = first; k < HELD; k++)
        to[k] = own[k];
}

/* A word to its bucket's lines. */
#define PUT(k)                                                                                                         \
    {                                                                                                                  \
        const size_t bucket = bucket_of[bin[k]];                                                                       \
        const uint32_t place = places[bucket];                                                                         \
        held[place] = image[k];                                                                                        \
        places[bucket] = place + 1;                                                                                    \
        if (!LIKELY((place + 1) % HELD != 0)) {                                                                        \
            NAME(write_lines)(base, held + bucket * HELD, written + bucket);                                           \
            places[bucket] = (uint32_t)(bucket * HELD);                                                                \
        }                                                                                                              \
    }

/* Move words to their buckets by whole lines. next: where the next word of each bucket goes. */
static void NAME(move_by_lines)(const WORD *from, size_t n, WORD *to, const uint16_t *bucket_of, const uint32_t *next,
                                size_t buckets, const window *win, const order *in, const work *w)
{
    WORD *held = w->held;
    size_t written[BUCKETS];
    uint32_t places[BUCKETS];
    uint16_t bin[STEP];
    WORD image[STEP];
    const size_t skew = (uintptr_t)to / sizeof(WORD) % HELD; /* of the line in which `to` begins */
    WORD *base = to - skew;
    size_t i = 0;
    for (size_t k = 0; k < buckets; k++) {
        written[k] = next[k] + skew;
        places[k] = (uint32_t)(k * HELD + written[k] % HELD);
    }
    for (; i + STEP <= n; i += STEP) {
        NAME(bins_of)(bin, image, from + i, STEP, win, in);
        UNROLL_4
        for (int k = 0; k < STEP; k++)
            PUT(k)
    }
    NAME(bins_of)(bin, image, from + i, n - i, win, in);
    for (size_t k = 0; k < n - i; k++)
        PUT(k)
    for (size_t k = 0; k < buckets; k++)
        for (size_t j = k * HELD + written[k] % HELD; j < places[k]; j++)
            base[written[k]++] = held[j];
    LINES_WRITTEN
}
#undef PUT
#undef HELD

static void NAME(move)(const WORD *from, size_t n, WORD *to, const uint16_t *bucket_of, uint32_t *next,
                       const window *win, const order *in)
{
    uint16_t bin[STEP];
    WORD image[STEP];
    for (size_t i = 0; i < n; i += STEP) {
        const size_t count = n - i < STEP ? n - i : STEP;
        if (count == STEP)
            NAME(bins_of)(bin, image, from + i, STEP, win, in);
        else
            NAME(bins_of)(bin, image, from + i, count, win, in);
        for (size_t k = 0; k < count; k++)
            to[next[bucket_of[bin[k]]]++] = image[k];
    }
}

static void NAME(sort)(WORD *from, WORD *other, size_t n, WORD *to, const order *out, const work *w);

/* Piece the words, which are images, by their range, and sort each piece. */
static void NAME(sort_by_pieces)(WORD *from, WORD *other, size_t n, WORD *to, const window *win, const order *out,
                                 const work *w)
{
    uint32_t begins[BUCKETS + 1];
    NAME(count_bins)(w->counts_of_pieces, from, n, win, &plain, w);
    const size_t buckets = share_bins(w->bucket_of, begins, w->counts_of_pieces, 1, win->bins, n);
    memcpy(w->next, begins, buckets * sizeof *begins);
    if (n * sizeof(WORD) > CACHED)
        NAME(move_by_lines)(from, n, other, w->bucket_of, w->next, buckets, win, &plain, w);
    else
        NAME(move)(from, n, other, w->bucket_of, w->next, win, &plain);
    for (size_t k = 0; k < buckets; k++)
        NAME(sort)(other + begins[k], from + begins[k], begins[k + 1] - begins[k], to + begins[k], out, w);
}

/* Sort images, by one thread, to words in `to`, which is `from` or `other`. Both are overwritten. */
static void NAME(sort)(WORD *from, WORD *other, size_t n, WORD *to, const order *out, const work *w)
{
    WORD least;
    WORD greatest;
    if (n <= INSERTED) {
        NAME(insert)(from, 1, n);
        NAME(write_words)(to, from, n, out);
        return;
    }
    NAME(range_of)(from, n, &least, &greatest);
    const WORD range = (WORD)(greatest - least);
    if (from[0] == least && from[n - 1] == greatest && NAME(is_ascending)(from, n, &plain)) /* also if all are equal */
        NAME(write_words)(to, from, n, out);
    else if (range < BINS && range < n / 4)
        NAME(sort_by_counts)(from, n, to, least, greatest, out, w);
    else if (n <= w->leaf && NAME(sort_by_runs)(from, n, to, least, greatest, out, w))
        return;
    else if (n <= FEW_WORDS)
        NAME(sort_by_bytes)(from, other, n, to, least, greatest, out);
    else {
        const window win = NAME(window_between)(least, greatest, n);
        NAME(sort_by_pieces)(from, other, n, to, &win, out, w);
    }
}

/* The tasks of several threads, each for its share of the words. */
static void NAME(count_share)(void *user, size_t index)
{
    const job *self = user;
    const size_t begin = share_begin(self->n, index, self->threads);
    const size_t end = share_begin(self->n, index + 1, self->threads);
    NAME(count_bins)
    (self->shared->counts + index * BINS, self->from + begin, end - begin, &self->window, &self->in,
     &self->work[index]);
}

static void NAME(move_share)(void *user, size_t index)
{
    const job *self = user;
    const size_t begin = share_begin(self->n, index, self->threads);
    const size_t end = share_begin(self->n, index + 1, self->threads);
    uint32_t *next = self->shared->counts + index * BINS; /* share_bins leaves them there */
    if (self->n * sizeof(WORD) > CACHED)
        NAME(move_by_lines)
    (self->from + begin, end - begin, self->middle, self->shared->bucket_of, next, self->buckets, &self->window,
     &self->in, &self->work[index]);
    else NAME(move)(self->from + begin, end - begin, self->middle, self->shared->bucket_of, next, &self->window,
                    &self->in);
}

static void NAME(sort_buckets)(void *user, size_t index)
{
    job *self = user;
    const uint32_t *begins = self->shared->begins;
    for (;;) {
        const size_t k = __atomic_fetch_add(&self->next, 1, __ATOMIC_RELAXED);
        if (k >= self->buckets)
            return;
        if (!self->shared->is_done[k])
            NAME(sort)
        (self->middle + begins[k], self->spare + begins[k], begins[k + 1] - begins[k], self->to + begins[k], &self->out,
         &self->work[index]);
    }
}

/* For each of a few values, how many words of the share have it. */
static void NAME(count_few)(void *user, size_t index)
{
    const job *self = user;
    const size_t end = share_begin(self->n, index + 1, self->threads);
    uint32_t *counts = self->shared->counts + index * BINS;
    memset(counts, 0, self->num_few * sizeof *counts);
    for (size_t i = share_begin(self->n, index, self->threads); i < end; i += 1024) {
        const size_t count = end - i < 1024 ? end - i : 1024;
        for (size_t k = 0; k < self->num_few; k++) {
            const WORD value = self->few[k];
            WORD same = 0;
            for (size_t j = 0; j < count; j++)
                same += (WORD)(self->from[i + j] == value);
            counts[k] += (uint32_t)same;
        }
    }
}

static void NAME(write_few)(void *user, size_t index)
{
    const job *self = user;
    const size_t begin = share_begin(self->n, index, self->threads);
    const size_t end = share_begin(self->n, index + 1, self->threads);
    for (size_t k = 0; k < self->num_few; k++) {
        const size_t from = self->shared->begins[k] > begin ? self->shared->begins[k] : begin;
        const size_t until = self->shared->begins[k + 1] < end ? self->shared->begins[k + 1] : end;
        const WORD value = self->few[k];
        for (size_t i = from; i < until; i++)
            self->to[i] = value;
    }
}

/* Whether the words have no more than FEW values, which then were counted and written. */
static bool NAME(sort_few)(job *self)
{
    const size_t step = self->n / SAMPLED + 1;
    size_t num_few = 0;
    for (size_t i = 0; i < self->n; i += step) {
        size_t k = 0;
        while (k < num_few && self->few[k] != self->from[i])
            k++;
        if (k == FEW)
            return false;
        if (k < num_few)
            continue;
        for (; k > 0 && NAME(image_of)(self->few[k - 1], &self->in) > NAME(image_of)(self->from[i], &self->in); k--)
            self->few[k] = self->few[k - 1];
        self->few[k] = self->from[i];
        num_few++;
    }
    self->num_few = num_few;
    clprim__workers_run(self->workers, self->threads, NAME(count_few), self);
    size_t total = 0;
    for (size_t k = 0; k < self->num_few; k++) {
        self->shared->begins[k] = (uint32_t)total;
        for (size_t i = 0; i < self->threads; i++)
            total += self->shared->counts[i * BINS + k];
    }
    if (total < self->n)
        return false;
    self->shared->begins[self->num_few] = (uint32_t)total;
    clprim__workers_run(self->workers, self->threads, NAME(write_few), self);
    return true;
}

/* The range of a sample. */
static void NAME(sample)(const job *self, WORD *least, WORD *greatest)
{
    const size_t step = self->n / SAMPLED + 1;
    *least = *greatest = NAME(image_of)(self->from[0], &self->in);
    for (size_t i = 0; i < self->n; i += step) {
        const WORD image = NAME(image_of)(self->from[i], &self->in);
        *least = image < *least ? image : *least;
        *greatest = image > *greatest ? image : *greatest;
    }
}

/* Piece the words by the range of a sample, by all threads. A piece that would keep one thread busy after the others is
 * parted again, up to `levels` times. */
static void NAME(sort_shares)(job *self, unsigned levels)
{
    uint32_t begins[BUCKETS + 1];
    bool is_done[BUCKETS] = {false};
    WORD least;
    WORD greatest;
    NAME(sample)(self, &least, &greatest);
    self->window = NAME(window_between)(least, greatest, self->n);
    clprim__workers_run(self->workers, self->threads, NAME(count_share), self);
    self->buckets = share_bins(self->shared->bucket_of, self->shared->begins, self->shared->counts, self->threads,
                               self->window.bins, self->n);
    clprim__workers_run(self->workers, self->threads, NAME(move_share), self);
    memcpy(begins, self->shared->begins, (self->buckets + 1) * sizeof *begins);
    for (size_t k = 0; k < self->buckets && self->threads > 1 && levels > 0; k++) {
        job piece = *self;
        piece.from = self->middle + begins[k];
        piece.middle = self->spare + begins[k];
        piece.spare = self->middle + begins[k];
        piece.to = self->to + begins[k];
        piece.n = begins[k + 1] - begins[k];
        piece.in = plain;
        if (piece.n < WORTH_SHARING || piece.n <= self->n / self->threads / 2)
            continue;
        NAME(sample)(&piece, &least, &greatest);
        is_done[k] = least != greatest; /* else it takes a thread no longer than a copy */
        if (is_done[k])
            NAME(sort_shares)(&piece, levels - 1);
    }
    memcpy(self->shared->begins, begins, (self->buckets + 1) * sizeof *begins);
    memcpy(self->shared->is_done, is_done, sizeof is_done);
    self->next = 0;
    clprim__workers_run(self->workers, self->threads, NAME(sort_buckets), self);
}

/* Sort n words by an order to `to`, which may be `from`; `middle` has room for them. */
static void NAME(sort_words)(const WORD *from, WORD *middle, size_t n, WORD *to, const order *by,
                             const struct machine *m)
{
    job self = {.from = from,
                .middle = middle,
                .spare = to,
                .to = to,
                .n = n,
                .threads = m->threads,
                .workers = m->workers,
                .in = *by,
                .out = *by,
                .shared = m->shared,
                .work = m->work};
    order opposite = *by;
    opposite.flipped ^= ~UINT64_C(0);
    opposite.is_plain = false;
    if (n * sizeof(WORD) <= SMALL) {
        for (size_t i = 0; i < n; i++)
            middle[i] = NAME(image_of)(from[i], by);
        NAME(sort)(middle, to, n, to, by, m->work);
        return;
    }
    if (NAME(is_ascending)(from, n, by)) {
        if (to != from)
            memcpy(to, from, n * sizeof(WORD));
    } else if (NAME(is_ascending)(from, n, &opposite)) {
        for (size_t i = 0; i < n - n / 2; i++) {
            const WORD word = from[i];
            to[i] = from[n - 1 - i];
            to[n - 1 - i] = word;
        }
    } else if (!NAME(sort_few)(&self))
        NAME(sort_shares)(&self, 3);
}
#undef RUNS_AT_ONCE
#undef LANES
#undef lanes
#undef window
#undef job
#endif
