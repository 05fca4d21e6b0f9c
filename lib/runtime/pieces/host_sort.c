// SPDX-License-Identifier: MIT
/* host_sort.c: sort arrays of the host. Keys alone of 8 and 16 bits are counted and written. Those of 32 and 64 bits are
 * words (host_sort_words.h). Of all others, a word has the upper bits of a key's image and, below them, the place from
 * which the element comes: so no words are equal, and the sort is stable. If not all bits of the image fit, words with
 * the same upper bits are sorted again by the others.
 *
 * Source: Polychroniou, Ross 2014, A Comprehensive Study of Main-Memory Partitioning (lines); Green 1969, in Knuth, The
 * Art of Computer Programming 3, 5.3.4 (the network). */
#include "host_sort.h"

#include <string.h>

#include "sizes.h"
#include "tasks.h"

enum {
    LINE = 64,
    STEP = 64,                /* words whose bins or runs are found together */
    BINS = 4096,              /* of which buckets are made, at most, and */
    WORTH_ALL_BINS = 1 << 15, /* words for so many; else an eighth */
    BUCKETS = 512,            /* at most, and */
    WORTH_A_BUCKET = 4096,    /* words that one gets, if there are enough, and */
    FEWEST_BUCKETS = 16,      /* wanted */
    MOST_BUCKETS = 448,       /* wanted: there can be some more */
    HELD_BYTES = 128,         /* of a bucket that are gathered */
    CACHED = 1 << 20,         /* bytes of words that are not gathered: the cache is large enough */
    SMALL = 1 << 17,          /* bytes of words that are not parted if they are spread evenly */
    LEAF = 1 << 16,           /* words that go to runs, at most */
    SLOT = 16,                /* places of a run */
    RUN = 10,                 /* words of a run on average */
    REST_PIECE = 16,          /* one in so many words may fail to fit its run */
    INSERTED = 24,            /* words that are sorted by insertion */
    FEW_WORDS = 1024,         /* that are sorted byte by byte if they are not spread evenly */
    FEW = 16,                 /* values, which are counted by comparison */
    SAMPLED = 1024,           /* words that are looked at to find out what they are like */
    WORTH_SHARING = 1 << 16,  /* words of a piece that several threads sort */
    WORTH_A_THREAD = 1 << 15  /* elements */
};

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector) &&                                                                          \
    (defined(__x86_64__) || defined(__SSE2__) || defined(__ARM_NEON) || defined(__ALTIVEC__))
#define HAS_VECTORS 1
#endif
#endif
#if !defined(HAS_VECTORS)
#define HAS_VECTORS 0
#endif

#if defined(__GNUC__)
#define LIKELY(condition) __builtin_expect((condition), 1)
#define ALWAYS_INLINE     inline __attribute__((always_inline))
#else
#define LIKELY(condition) (condition)
#define ALWAYS_INLINE     inline
#endif
#if defined(__clang__)
#define UNROLL   _Pragma("clang loop unroll(full)")
#define UNROLL_8 _Pragma("clang loop unroll_count(8)")
#define UNROLL_4 _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__)
#define UNROLL   _Pragma("GCC unroll 16")
#define UNROLL_8 _Pragma("GCC unroll 8")
#define UNROLL_4 _Pragma("GCC unroll 4")
#else
#define UNROLL
#define UNROLL_8
#define UNROLL_4
#endif

/* How words become images, which are unsigned integers with the same order: clprim__key_image without bits that are left
 * out. */
typedef struct order {
    uint64_t sign, negative, moved, flipped;
    bool is_plain; /* words are their images */
} order;

static const order plain = {0, 0, 0, 0, true};

static order order_of(const clprim__key_image *image)
{
    order result = {image->sign, image->is_float ? image->all ^ image->sign : 0, image->moved, image->flipped, false};
    result.is_plain = image->sign == 0 && image->flipped == 0;
    return result;
}

/* What one thread works with. */
typedef struct work {
    void *slots;            /* SLOT places for each run of `leaf` words */
    uint32_t *fill;         /* of each run: first how many words it has, then where it begins */
    uint32_t *fill_of_rest; /* the same for insert_rest */
    void *rest;             /* words that did not fit their run's places, and */
    uint32_t *run_of_rest;  /* their runs */
    void *last;             /* room for the runs of a vector's lanes */
    void *held;             /* lines that are gathered */
    uint32_t *counts;
    uint32_t *counts_of_pieces;
    uint32_t *next;
    uint16_t *bucket_of;
    size_t leaf;
} work;

/* What all threads share. */
typedef struct shared {
    uint32_t begins[BUCKETS + 1];
    bool is_done[BUCKETS];
    uint16_t bucket_of[BINS];
    uint32_t *counts; /* BINS of each thread */
} shared;

typedef struct machine {
    size_t threads;
    clprim__workers *workers;
    shared *shared;
    work *work;
} machine;

static size_t share_begin(size_t n, size_t index, size_t shares)
{
    return (size_t)((uint64_t)n / shares * index + (uint64_t)n % shares * index / shares) / LINE * LINE +
           (index == shares ? n % LINE : 0);
}

/* Neighbouring bins share a bucket, up to about its piece of all words. Then counts says for each thread and bucket where
 * its words go, and begins where each bucket begins and the last one ends. Returns the number of buckets. */
static size_t share_bins(uint16_t *bucket_of, uint32_t *begins, uint32_t *counts, size_t threads, size_t bins, size_t n)
{
    size_t wanted = n / WORTH_A_BUCKET;
    wanted = wanted < FEWEST_BUCKETS ? FEWEST_BUCKETS : wanted > MOST_BUCKETS ? MOST_BUCKETS : wanted;
    const size_t most = n / wanted + n / wanted / 8;
    size_t bucket = 0;
    size_t size = 0;
    uint32_t before = 0;
    begins[0] = 0;
    for (size_t k = 0; k < bins; k++) {
        size_t count = 0;
        for (size_t i = 0; i < threads; i++)
            count += counts[i * BINS + k];
        if (size > 0 && size + count > most && bucket + 1 < BUCKETS) {
            begins[++bucket] = before;
            size = 0;
        }
        bucket_of[k] = (uint16_t)bucket;
        size += count;
        before += (uint32_t)count;
    }
    begins[bucket + 1] = before;
    if (threads == 1) {
        memcpy(counts, begins, (bucket + 1) * sizeof *counts);
        return bucket + 1;
    }
    uint32_t next[BUCKETS];
    memcpy(next, begins, sizeof next);
    for (size_t i = 0; i < threads; i++) {
        uint32_t *own = counts + i * BINS;
        uint32_t places[BUCKETS];
        memcpy(places, next, sizeof places);
        for (size_t k = 0; k < bins; k++)
            next[bucket_of[k]] += own[k];
        memcpy(own, places, (bucket + 1) * sizeof *own);
    }
    return bucket + 1;
}

/* For any processor, and for those with wider vectors. */
#define JOIN(x, bits, processor)     x##_##bits##_##processor
#define NAME_FOR(x, bits, processor) JOIN(x, bits, processor)
#define LINES_BY_VECTOR(type, to, from)                                                                                \
    for (int line = 0; line < (int)(HELD_BYTES / sizeof(type)); line++)                                                \
        ((type *)(void *)(to))[line] = ((const type *)(const void *)(from))[line];
#if defined(__x86_64__)
#include <immintrin.h>
#define LINES_WRITTEN _mm_sfence();
#else
#define LINES_WRITTEN
#endif

#if !HAS_VECTORS
#define VECTOR                0
#define WRITE_LINES(to, from) memcpy(to, from, HELD_BYTES);
#elif defined(__x86_64__)
#define VECTOR 16
#define WRITE_LINES(to, from)                                                                                          \
    for (int line = 0; line < HELD_BYTES / 16; line++)                                                                 \
        _mm_stream_si128((__m128i *)(void *)(to) + line, ((const __m128i *)(const void *)(from))[line]);
#else
#define VECTOR                16
#define WRITE_LINES(to, from) memcpy(to, from, HELD_BYTES);
#endif
#define PROCESSOR any
#include "host_sort_words.h"
#undef PROCESSOR
#undef VECTOR
#undef WRITE_LINES

/* gcc for Windows does not align the stack for wider vectors. */
#if HAS_VECTORS && defined(__x86_64__) && (!defined(_WIN32) || defined(__clang__))
#define HAS_WIDE 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif
#define VECTOR 32
#define WRITE_LINES(to, from)                                                                                          \
    for (int line = 0; line < HELD_BYTES / 32; line++)                                                                 \
        _mm256_stream_si256((__m256i *)(void *)(to) + line, ((const __m256i *)(const void *)(from))[line]);
#define PROCESSOR avx2
#include "host_sort_words.h"
#undef PROCESSOR
#undef VECTOR
#undef WRITE_LINES
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2"))),                   \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2")
#endif
#define VECTOR 64
#define WRITE_LINES(to, from)                                                                                          \
    for (int line = 0; line < HELD_BYTES / 64; line++)                                                                 \
        _mm512_stream_si512((void *)((__m512i *)(void *)(to) + line), ((const __m512i *)(const void *)(from))[line]);
#define PROCESSOR avx512
#include "host_sort_words.h"
#undef PROCESSOR
#undef VECTOR
#undef WRITE_LINES
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

/* The code for the processor. */
typedef struct code {
    void (*words_32)(const uint32_t *, uint32_t *, size_t, uint32_t *, const order *, const machine *);
    void (*words_64)(const uint64_t *, uint64_t *, size_t, uint64_t *, const order *, const machine *);
    void (*sort_64)(uint64_t *, uint64_t *, size_t, uint64_t *, const order *, const work *);
} code;

static code code_of_processor(void)
{
#if defined(HAS_WIDE)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"))
        return (code){sort_words_32_avx512, sort_words_64_avx512, sort_64_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return (code){sort_words_32_avx2, sort_words_64_avx2, sort_64_avx2};
#endif
    return (code){sort_words_32_any, sort_words_64_any, sort_64_any};
}

/* What a sort needs, beyond its arrays. */
typedef struct plan {
    const clprim__host_sort *sort;
    size_t n, threads;
    bool counts;   /* keys of 8 and 16 bits alone */
    bool is_alone; /* keys of 32 and 64 bits */
    size_t word_size;
    unsigned place_bits;                                            /* of a word, the lowest */
    size_t counts_at, work_at, work_size, middle_at, words_at, end; /* in scratch memory; at first what threads share */
    size_t leaf;
} plan;

static size_t bytes_of_work(const plan *p)
{
    const size_t runs = p->leaf / RUN + 1 + 64;
    const size_t rest = p->leaf / REST_PIECE + (size_t)2 * STEP;
    return runs * (SLOT * p->word_size + 2 * sizeof(uint32_t)) + rest * (p->word_size + sizeof(uint32_t)) +
           ((size_t)64 * SLOT + rest) * p->word_size + BUCKETS * (HELD_BYTES + sizeof(uint32_t)) +
           BINS * (2 * sizeof(uint32_t) + sizeof(uint16_t)) + (size_t)12 * LINE;
}

static size_t align(size_t at)
{
    return clprim__plus(at, LINE - 1) / LINE * LINE;
}

/* The same in all calls of a process, so that there is scratch memory for them. */
static size_t threads_for(size_t n)
{
    static size_t kept; /* changed atomically */
    size_t most = __atomic_load_n(&kept, __ATOMIC_RELAXED);
    if (most == 0) {
        size_t none = 0;
        most = clprim__tasks_threads(CLPRIM__MOST_THREADS, 1);
        if (!__atomic_compare_exchange_n(&kept, &none, most, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            most = none;
    }
    return n / WORTH_A_THREAD < most ? n / WORTH_A_THREAD + (n < WORTH_A_THREAD) : most;
}

static plan plan_of(const clprim__host_sort *sort)
{
    const clprim__key_image *image = &sort->image;
    const bool is_whole = image->num_bits == 8 * image->key_size;
    plan p = {.sort = sort, .n = sort->count};
    p.threads = threads_for(p.n);
    p.counts = sort->value_size == 0 && is_whole && image->key_size < 4;
    p.is_alone = sort->value_size == 0 && is_whole && image->key_size >= 4;
    if (p.counts && image->key_size == 2) /* each thread has as many counters as these words */
        p.threads = threads_for(p.n / 8);
    p.leaf = p.n < LEAF ? p.n : LEAF;
    while (p.place_bits < 32 && ((uint64_t)p.n - (p.n > 0)) >> p.place_bits != 0)
        p.place_bits++;
    p.word_size = p.is_alone                             ? image->key_size
                  : image->num_bits + p.place_bits <= 32 ? sizeof(uint32_t)
                                                         : sizeof(uint64_t);
    p.counts_at = align(sizeof(shared));
    if (p.counts) {
        p.end = p.counts_at + (p.threads << (8 * image->key_size)) * sizeof(uint32_t);
        return p;
    }
    p.work_at = align(p.counts_at + p.threads * BINS * sizeof(uint32_t) + p.threads * sizeof(work));
    p.work_size = align(bytes_of_work(&p));
    p.middle_at = p.work_at + p.threads * p.work_size;
    size_t size = p.word_size;
    if (!p.is_alone) {
        size = size > image->key_size ? size : image->key_size;
        size = size > sort->value_size ? size : sort->value_size;
    }
    p.words_at = align(clprim__plus(p.middle_at, clprim__times(p.n, size)));
    p.end = p.is_alone ? p.words_at : clprim__plus(p.words_at, clprim__times(p.n, p.word_size));
    return p;
}

size_t clprim__host_sort_scratch(const clprim__host_sort *sort)
{
    return clprim__plus(plan_of(sort).end, LINE); /* to align it */
}

static void *piece_of(unsigned char **at, size_t size)
{
    void *const piece = *at;
    *at += align(size);
    return piece;
}

static machine machine_in(unsigned char *scratch, const plan *p, clprim__workers *workers)
{
    const size_t runs = p->leaf / RUN + 1 + 64;
    const size_t rest = p->leaf / REST_PIECE + (size_t)2 * STEP;
    machine m = {p->threads, workers, (shared *)(void *)scratch, NULL};
    m.shared->counts = (uint32_t *)(void *)(scratch + p->counts_at);
    if (p->counts)
        return m;
    m.work = (work *)(void *)(m.shared->counts + p->threads * BINS);
    for (size_t i = 0; i < p->threads; i++) {
        unsigned char *at = scratch + p->work_at + i * p->work_size;
        work *w = &m.work[i];
        w->leaf = p->leaf;
        w->slots = piece_of(&at, runs * SLOT * p->word_size);
        w->last = piece_of(&at, ((size_t)64 * SLOT + rest) * p->word_size);
        w->held = piece_of(&at, (size_t)BUCKETS * HELD_BYTES);
        w->rest = piece_of(&at, rest * p->word_size);
        w->run_of_rest = piece_of(&at, rest * sizeof(uint32_t));
        w->fill = piece_of(&at, runs * sizeof(uint32_t));
        w->fill_of_rest = piece_of(&at, runs * sizeof(uint32_t));
        w->counts = piece_of(&at, BINS * sizeof(uint32_t));
        w->counts_of_pieces = piece_of(&at, BINS * sizeof(uint32_t));
        w->next = piece_of(&at, BUCKETS * sizeof(uint32_t));
        w->bucket_of = piece_of(&at, BINS * sizeof(uint16_t));
    }
    return m;
}

/* What the tasks of the other sorts know. */
typedef struct elements {
    const plan *p;
    const machine *m;
    uint64_t least; /* of all images */
    unsigned shift; /* bits of an image, after that was subtracted, that no word has */
    void *words, *middle;
    const void *from; /* of gather */
    void *to;
    size_t element_size;
    uint64_t range[CLPRIM__MOST_THREADS][2]; /* of each share's images: the least and the greatest */
    size_t starts[CLPRIM__MOST_THREADS + 1]; /* of each share, whole runs */
    code code;
} elements;

static void count_keys(void *user, size_t index)
{
    const elements *self = user;
    const clprim__host_sort *sort = self->p->sort;
    const size_t begin = share_begin(self->p->n, index, self->p->threads);
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads);
    const size_t values = (size_t)1 << (8 * sort->image.key_size);
    uint32_t *counts = self->m->shared->counts + index * values;
    memset(counts, 0, values * sizeof *counts);
    if (sort->image.key_size == 2) {
        const uint16_t *keys = sort->keys_in;
        for (size_t i = begin; i < end; i++)
            counts[keys[i]]++;
        return;
    }
    const uint8_t *keys = sort->keys_in;
    uint32_t several[4][256] = {{0}}; /* for keys next to each other often are the same */
    size_t i = begin;
    for (; i + 4 <= end; i += 4)
        for (int k = 0; k < 4; k++)
            several[k][keys[i + k]]++;
    for (; i < end; i++)
        several[0][keys[i]]++;
    for (int k = 0; k < 256; k++)
        counts[k] = several[0][k] + several[1][k] + several[2][k] + several[3][k];
}

static void write_keys(void *user, size_t index)
{
    const elements *self = user;
    const clprim__host_sort *sort = self->p->sort;
    const size_t begin = share_begin(self->p->n, index, self->p->threads);
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads);
    const uint32_t *counts = self->m->shared->counts; /* now of all threads */
    const size_t values = (size_t)1 << (8 * sort->image.key_size);
    size_t before = 0;
    for (size_t k = 0; k < values && before < end; k++) {
        const uint64_t key = clprim__key_of_image(&sort->image, k);
        const size_t after = before + counts[key];
        const size_t from = before > begin ? before : begin;
        const size_t until = after < end ? after : end;
        before = after;
        if (sort->image.key_size == 1 && from < until)
            memset((uint8_t *)sort->keys_out + from, (int)key, until - from);
        else if (sort->image.key_size == 2) {
            uint16_t *to = (uint16_t *)sort->keys_out + from;
            const size_t count = from < until ? until - from : 0;
            if (count <= 4 && end - from >= 4) /* too many do no harm: the next keys follow. No branch for each count */
                to[0] = to[1] = to[2] = to[3] = (uint16_t)key;
            else
                for (size_t i = 0; i < count; i++)
                    to[i] = (uint16_t)key;
        }
    }
}

static void sort_by_counts(elements *self)
{
    const size_t threads = self->p->threads;
    const size_t values = (size_t)1 << (8 * self->p->sort->image.key_size);
    uint32_t *counts = self->m->shared->counts;
    clprim__workers_run(self->m->workers, threads, count_keys, self);
    for (size_t i = 1; i < threads; i++)
        for (size_t k = 0; k < values; k++)
            counts[k] += counts[i * values + k];
    clprim__workers_run(self->m->workers, threads, write_keys, self);
}

/* The bits of an image that are compared. */
#define PIECE(key)                                                                                                     \
    (((((((key) ^ image.sign ^ ((key)&image.sign && image.is_float ? image.all ^ image.sign : 0)) - image.moved) &     \
        image.all) ^                                                                                                   \
       image.flipped) &                                                                                                \
      image.kept) >>                                                                                                   \
     image.begin_bit)

#define FOR_EACH(type, ...)                                                                                            \
    for (size_t i = begin; i < end; i++) {                                                                             \
        const uint64_t key = ((const type *)sort->keys_in)[i];                                                         \
        const uint64_t piece = PIECE(key);                                                                             \
        __VA_ARGS__                                                                                                    \
    }
#define FOR_EACH_OF_TYPE(...)                                                                                          \
    switch (image.key_size) {                                                                                          \
    case 1: FOR_EACH(uint8_t, __VA_ARGS__) break;                                                                      \
    case 2: FOR_EACH(uint16_t, __VA_ARGS__) break;                                                                     \
    case 4: FOR_EACH(uint32_t, __VA_ARGS__) break;                                                                     \
    default: FOR_EACH(uint64_t, __VA_ARGS__) break;                                                                    \
    }

static void find_range(void *user, size_t index)
{
    elements *self = user;
    const clprim__host_sort *sort = self->p->sort;
    const clprim__key_image image = sort->image;
    const size_t begin = share_begin(self->p->n, index, self->p->threads);
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads);
    uint64_t least = UINT64_MAX;
    uint64_t greatest = 0;
    FOR_EACH_OF_TYPE(least = piece < least ? piece : least; greatest = piece > greatest ? piece : greatest;)
    self->range[index][0] = least;
    self->range[index][1] = greatest;
}

static void make_words(void *user, size_t index)
{
    const elements *self = user;
    const clprim__host_sort *sort = self->p->sort;
    const clprim__key_image image = sort->image;
    const size_t begin = share_begin(self->p->n, index, self->p->threads);
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads);
    const unsigned bits = self->p->place_bits;
    const uint64_t least = self->least;
    const unsigned shift = self->shift;
    if (self->p->word_size == sizeof(uint32_t)) {
        uint32_t *words = self->words;
        FOR_EACH_OF_TYPE(words[i] = (uint32_t)(piece << bits | i);)
        return;
    }
    uint64_t *words = self->words;
    FOR_EACH_OF_TYPE(words[i] = (piece - least) >> shift << bits | i;)
}

/* Words whose upper bits are the same, in the order of the bits that they lack. A share has whole runs of them. */
static void finish_words(void *user, size_t index)
{
    const elements *self = user;
    const clprim__host_sort *sort = self->p->sort;
    const unsigned bits = self->p->place_bits;
    const uint64_t places = (UINT64_C(1) << bits) - 1;
    const size_t last = self->starts[index + 1];
    uint64_t *words = self->words;
    uint64_t *other = self->middle;
    for (size_t i = self->starts[index], end; i < last; i = end) {
        end = i + 1;
        while (end < last && words[end] >> bits == words[i] >> bits)
            end++;
        if (end - i == 1)
            continue;
        for (size_t k = i; k < end; k++) {
            const uint64_t place = words[k] & places;
            const uint64_t piece = clprim__image_at(&sort->image, sort->keys_in, (size_t)place) - self->least;
            words[k] = (piece & ((UINT64_C(1) << self->shift) - 1)) << bits | place;
        }
        self->code.sort_64(words + i, other + i, end - i, words + i, &plain, &self->m->work[index]);
    }
}

static void find_starts(elements *self)
{
    const uint64_t *words = self->words;
    const unsigned bits = self->p->place_bits;
    const size_t n = self->p->n;
    for (size_t index = 0; index < self->p->threads; index++) {
        size_t start = share_begin(n, index, self->p->threads);
        while (start > 0 && start < n && words[start] >> bits == words[start - 1] >> bits)
            start++;
        self->starts[index] = start;
    }
    self->starts[self->p->threads] = n;
}

typedef struct u128 {
    uint64_t words[2];
} u128;

/* Values may be structures that are aligned for less than their size. */
#define GATHER(type, words)                                                                                            \
    for (size_t i = begin; i < end; i++)                                                                               \
        memcpy((char *)self->to + i * sizeof(type),                                                                    \
               (const char *)self->from + (size_t)((words)[i] & places) * sizeof(type), sizeof(type));
#define GATHER_BY(words)                                                                                               \
    switch (self->element_size) {                                                                                      \
    case 1: GATHER(uint8_t, words) break;                                                                              \
    case 2: GATHER(uint16_t, words) break;                                                                             \
    case 4: GATHER(uint32_t, words) break;                                                                             \
    case 8: GATHER(uint64_t, words) break;                                                                             \
    default: GATHER(u128, words) break;                                                                                \
    }
#define PLACES_TO(type, words)                                                                                         \
    for (size_t i = begin; i < end; i++)                                                                               \
        ((type *)self->to)[i] = (type)((words)[i] & places);

/* Elements from where the words say, or these places themselves. */
static void gather(void *user, size_t index)
{
    const elements *self = user;
    const size_t begin = share_begin(self->p->n, index, self->p->threads);
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads);
    const uint64_t places = (UINT64_C(1) << self->p->place_bits) - 1;
    const uint32_t *narrow = self->words;
    const uint64_t *wide = self->words;
    const bool is_narrow = self->p->word_size == sizeof(uint32_t);
    if (self->from == NULL && self->element_size == sizeof(uint32_t)) {
        if (is_narrow)
            PLACES_TO(uint32_t, narrow)
        else
            PLACES_TO(uint32_t, wide)
    } else if (self->from == NULL) {
        if (is_narrow)
            PLACES_TO(uint64_t, narrow)
        else
            PLACES_TO(uint64_t, wide)
    } else if (is_narrow)
        GATHER_BY(narrow)
    else
        GATHER_BY(wide)
}

/* Keys from the words, which have all of their bits. */
static void write_images(void *user, size_t index)
{
    const elements *self = user;
    const clprim__key_image image = self->p->sort->image;
    const size_t begin = share_begin(self->p->n, index, self->p->threads);
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads);
    const unsigned bits = self->p->place_bits;
    for (size_t i = begin; i < end; i++) {
        const uint64_t word = self->p->word_size == sizeof(uint32_t) ? ((const uint32_t *)self->words)[i]
                                                                     : ((const uint64_t *)self->words)[i];
        const uint64_t key = clprim__key_of_image(&image, word >> bits);
        switch (image.key_size) {
        case 1: ((uint8_t *)self->to)[i] = (uint8_t)key; break;
        case 2: ((uint16_t *)self->to)[i] = (uint16_t)key; break;
        case 4: ((uint32_t *)self->to)[i] = (uint32_t)key; break;
        default: ((uint64_t *)self->to)[i] = key; break;
        }
    }
}

static void copy_share(void *user, size_t index)
{
    const elements *self = user;
    const size_t begin = share_begin(self->p->n, index, self->p->threads) * self->element_size;
    const size_t end = share_begin(self->p->n, index + 1, self->p->threads) * self->element_size;
    memcpy((char *)self->middle + begin, (const char *)self->to + begin, end - begin);
}

/* Elements of `from`, or from a copy if `to` is the same memory. */
static void write_elements(elements *self, const void *from, void *to, size_t size)
{
    self->from = from;
    self->to = to;
    self->element_size = size;
    if (from == to) {
        clprim__workers_run(self->m->workers, self->p->threads, copy_share, self);
        self->from = self->middle;
    }
    clprim__workers_run(self->m->workers, self->p->threads, gather, self);
}

static void sort_elements(elements *self)
{
    const clprim__host_sort *sort = self->p->sort;
    const clprim__key_image *image = &sort->image;
    const size_t threads = self->p->threads;
    if (image->num_bits + self->p->place_bits > 64) {
        uint64_t greatest = 0;
        self->least = UINT64_MAX;
        clprim__workers_run(self->m->workers, threads, find_range, self);
        for (size_t i = 0; i < threads; i++) {
            self->least = self->range[i][0] < self->least ? self->range[i][0] : self->least;
            greatest = self->range[i][1] > greatest ? self->range[i][1] : greatest;
        }
        while (((greatest - self->least) >> self->shift) > UINT64_MAX >> self->p->place_bits)
            self->shift++;
    }
    clprim__workers_run(self->m->workers, threads, make_words, self);
    if (self->p->word_size == sizeof(uint32_t))
        self->code.words_32(self->words, self->middle, self->p->n, self->words, &plain, self->m);
    else
        self->code.words_64(self->words, self->middle, self->p->n, self->words, &plain, self->m);
    if (self->shift > 0) {
        find_starts(self);
        clprim__workers_run(self->m->workers, threads, finish_words, self);
    }
    if (sort->value_size > 0)
        write_elements(self, sort->indices ? NULL : sort->values_in, sort->values_out, sort->value_size);
    if (sort->keys_out == NULL)
        return;
    self->to = sort->keys_out;
    if (image->num_bits == 8 * image->key_size && self->least == 0 && self->shift == 0)
        clprim__workers_run(self->m->workers, threads, write_images, self);
    else
        write_elements(self, sort->keys_in, sort->keys_out, image->key_size);
}

void clprim__host_sort_run(const clprim__host_sort *sort, void *scratch)
{
    const plan p = plan_of(sort);
    unsigned char *aligned = (unsigned char *)scratch + (LINE - (uintptr_t)scratch % LINE) % LINE;
    if (p.n == 0)
        return;
    clprim__workers workers;
    const machine m = machine_in(aligned, &p, &workers);
    const order by = order_of(&sort->image);
    elements e = {
        .p = &p, .m = &m, .words = aligned + p.words_at, .middle = aligned + p.middle_at, .code = code_of_processor()};
    clprim__workers_begin(&workers, p.threads);
    if (p.counts)
        sort_by_counts(&e);
    else if (p.is_alone && p.word_size == sizeof(uint32_t))
        e.code.words_32(sort->keys_in, e.middle, p.n, sort->keys_out, &by, &m);
    else if (p.is_alone)
        e.code.words_64(sort->keys_in, e.middle, p.n, sort->keys_out, &by, &m);
    else
        sort_elements(&e);
    clprim__workers_end(&workers);
}
