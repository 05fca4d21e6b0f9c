// SPDX-License-Identifier: MIT
/* histogram_native.c: histograms by the host's code, for CPU devices: of one channel, by value or in even bins of floats.
 * Each chunk of the elements has its own table, or four where they are small, so that one element's counter does not wait
 * for that of the element before it. */
#include <float.h>
#include <string.h>

#include "histogram_even.h"
#include "histogram_internal.h"
#include "kinds.h"
#include "native.h"
#include "numbers.h"
#include "plan_table.h"
#include "sizes.h"
#include "tasks.h"

enum {
    COPIES = 4,
    MOST_COPIED = 2048, /* bins of a table that has copies */
    MOST_CHUNKS = 16,
    LEAST_CHUNK = 1 << 17 /* elements */
};

typedef struct work {
    const clprim_histogram_desc *desc;
    clprim_type type;
    size_t bins, size;
    const char *in;
    size_t n, chunk, chunks, copies;
    uint32_t *tables; /* a table has a place more: for elements in no bin */
    float unit, low, scale;
    double unit_f64, low_f64, scale_f64;
} work;

static size_t bins_of(const clprim_histogram_desc *d)
{
    return d->bins != 0 ? d->bins : 256;
}

static size_t copies_of(size_t bins)
{
    return bins <= MOST_COPIED ? COPIES : 1;
}

/* A chunk has several times as many elements as a table has places, which must be cleared and added up. */
static size_t chunks_of(size_t bins, size_t n)
{
    const size_t least = bins > LEAST_CHUNK / COPIES ? COPIES * bins : LEAST_CHUNK;
    const size_t chunks = n / least;
    return chunks < 1 ? 1 : chunks > MOST_CHUNKS ? MOST_CHUNKS : chunks;
}

static size_t scratch(const void *desc, const void *call)
{
    const size_t bins = bins_of(desc);
    const size_t n = ((const clprim_histogram_call *)call)->count;
    return chunks_of(bins, n) * copies_of(bins) * (bins + 1) * sizeof(uint32_t);
}

/* Count the elements x[0 .. n), by turns in four tables, which may be the same. */
#define COUNT(name, element, bin)                                                                                      \
    static void count_##name(const work *self, const void *in, size_t n, uint32_t *table, size_t distance)             \
    {                                                                                                                  \
        const clprim__##element *x = in;                                                                               \
        const size_t bins = self->bins;                                                                                \
        uint32_t *const tables[COPIES] = {table, table + distance, table + 2 * distance, table + 3 * distance};        \
        size_t i = 0;                                                                                                  \
        for (; i + COPIES <= n; i += COPIES)                                                                           \
            for (size_t k = 0; k < COPIES; k++)                                                                        \
                tables[k][bin(self, bins, x[i + k])]++;                                                                \
        for (; i < n; i++)                                                                                             \
            table[bin(self, bins, x[i])]++;                                                                            \
    }

/* Negative numbers became large ones. */
static inline size_t value_bin(const work *self, size_t bins, uint64_t x)
{
    (void)self;
    return x < bins ? (size_t)x : bins;
}

static inline size_t even_bin_f32(const work *self, size_t bins, float x)
{
    const float scaled = x * self->unit;
    const float distance = scaled - self->low;
    const float bin = distance * self->scale;
    if (!((double)x >= self->desc->low && (double)x < self->desc->high)) /* also if x is a NaN */
        return bins;
    return (double)bin < (double)bins ? (size_t)bin : bins - 1;
}

static inline size_t even_bin_f64(const work *self, size_t bins, double x)
{
    const double scaled = x * self->unit_f64;
    const double distance = scaled - self->low_f64;
    const double bin = distance * self->scale_f64;
    if (!(x >= self->desc->low && x < self->desc->high))
        return bins;
    return bin < (double)bins ? (size_t)bin : bins - 1;
}

COUNT(i8, i8, value_bin)
COUNT(u8, u8, value_bin)
COUNT(i16, i16, value_bin)
COUNT(u16, u16, value_bin)
COUNT(i32, i32, value_bin)
COUNT(u32, u32, value_bin)
COUNT(i64, i64, value_bin)
COUNT(u64, u64, value_bin)
COUNT(f32, f32, even_bin_f32)
COUNT(f64, f64, even_bin_f64)

static void count_f16(const work *self, const void *in, size_t n, uint32_t *table, size_t distance)
{
    const clprim__u16 *x = in;
    clprim__numbers_block room;
    for (size_t i = 0; i < n; i += CLPRIM__BLOCK) {
        const size_t part = n - i < CLPRIM__BLOCK ? n - i : CLPRIM__BLOCK;
        count_f32(self, clprim__numbers_in(&room, CLPRIM__IN_F32, CLPRIM_F16, x + i, part), part, table, distance);
    }
}

static void count_chunk(void *user, size_t index)
{
    static void (*const counters[])(const work *self, const void *in, size_t n, uint32_t *table, size_t distance) = {
        [CLPRIM_I8] = count_i8,   [CLPRIM_U8] = count_u8,   [CLPRIM_I16] = count_i16, [CLPRIM_U16] = count_u16,
        [CLPRIM_I32] = count_i32, [CLPRIM_U32] = count_u32, [CLPRIM_I64] = count_i64, [CLPRIM_U64] = count_u64,
        [CLPRIM_F16] = count_f16, [CLPRIM_F32] = count_f32, [CLPRIM_F64] = count_f64};
    const work *self = user;
    const size_t places = self->bins + 1;
    const size_t begin = index * self->chunk < self->n ? index * self->chunk : self->n;
    const size_t n = self->n - begin < self->chunk ? self->n - begin : self->chunk;
    uint32_t *table = self->tables + index * self->copies * places;
    memset(table, 0, self->copies * places * sizeof *table);
    if (n > 0)
        counters[self->type](self, self->in + begin * self->size, n, table, self->copies > 1 ? places : 0);
}

/* How many elements belong to a bin. */
static uint64_t count_of(const work *self, size_t bin)
{
    uint64_t count = 0;
    for (size_t k = 0; k < self->chunks * self->copies; k++)
        count += self->tables[k * (self->bins + 1) + bin];
    return count;
}

static void write_counters(const work *self, void *out, uint64_t *outside)
{
    const bool is_wide = clprim__histogram_counter_type(self->desc) == CLPRIM_U64;
    clprim__u32 *narrow = out;
    clprim__u64 *wide = out;
    uint64_t sum = 0;
    for (size_t b = 0; b < self->bins; b++) {
        const uint64_t before = !self->desc->accumulate ? 0 : is_wide ? wide[b] : narrow[b];
        const uint64_t count = count_of(self, b);
        sum = self->desc->cumulative ? sum + count : before + count;
        if (is_wide)
            wide[b] = sum;
        else
            narrow[b] = (uint32_t)sum;
    }
    if (outside != NULL)
        *outside = (self->desc->accumulate ? *outside : 0) + count_of(self, self->bins);
}

static bool is_zeroed(const void *member, size_t size)
{
    static const char zeros[128];
    return size <= sizeof zeros && memcmp(member, zeros, size) == 0;
}

#define IS_ZEROED(member) is_zeroed(&(member), sizeof(member))

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_histogram_desc *d = desc;
    const clprim_type type = d->type != CLPRIM_TYPE_DEFAULT ? d->type : CLPRIM_U8;
    const clprim_type counter = clprim__histogram_counter_type(d);
    clprim__even even;
    if (!clprim__native_has_type(type, info) || bins_of(d) > 1 << 24 || d->max_count > UINT32_MAX || d->strided ||
        d->boundaries != NULL || d->channels > 1 || d->active_channels > 1 || d->weights_type != CLPRIM_TYPE_DEFAULT ||
        (counter != CLPRIM_U32 && counter != CLPRIM_U64) || d->output_type != CLPRIM_TYPE_DEFAULT ||
        d->output_type_size != 0 || (d->accumulate && d->cumulative) || !IS_ZEROED(d->second) || !IS_ZEROED(d->third) ||
        !IS_ZEROED(d->second_channel) || !IS_ZEROED(d->third_channel) || !IS_ZEROED(d->fourth_channel))
        return false;
    if (!clprim__is_float(type))
        return d->mapping == CLPRIM_HISTOGRAM_IDENTITY;
    const double most = type == CLPRIM_F64 ? DBL_MAX : (double)FLT_MAX;
    return d->mapping == CLPRIM_HISTOGRAM_EVEN && d->low >= -most && d->high <= most && d->low < d->high &&
           clprim__histogram_even(&even, type, d->low, d->high, bins_of(d));
}

static void run(const void *desc, const void *call, void *memory)
{
    const clprim_histogram_desc *d = desc;
    const clprim_histogram_call *c = call;
    clprim__even even = {0};
    work self = {.desc = d,
                 .type = d->type != CLPRIM_TYPE_DEFAULT ? d->type : CLPRIM_U8,
                 .bins = bins_of(d),
                 .in = c->in.host,
                 .n = c->count,
                 .tables = memory};
    self.size = clprim_type_size(self.type);
    self.copies = copies_of(self.bins);
    self.chunks = chunks_of(self.bins, self.n);
    self.chunk = clprim__divide_up(self.n, self.chunks);
    if (d->mapping == CLPRIM_HISTOGRAM_EVEN)
        (void)clprim__histogram_even(&even, self.type, d->low, d->high, self.bins);
    self.unit = (float)even.unit;
    self.low = (float)even.low;
    self.scale = (float)even.scale;
    self.unit_f64 = even.unit;
    self.low_f64 = even.low;
    self.scale_f64 = even.scale;
    clprim__tasks_run(self.chunks, clprim__tasks_threads(self.n, LEAST_CHUNK), count_chunk, &self);
    write_counters(&self, c->out.host, c->outside_out.host);
}

const clprim__native clprim__histogram_native = {CLPRIM__NATIVE_NAMES(histogram), .can = can, .scratch = scratch,
                                                 .run = run};
