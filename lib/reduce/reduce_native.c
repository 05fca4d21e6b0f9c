// SPDX-License-Identifier: MIT
/* reduce_native.c: reductions by the host's code, for CPU devices. An array is cut into chunks, which threads may share,
 * and a chunk into blocks that a core's cache holds. Both depend on the number of elements alone, and so do the results. */
#include <math.h>
#include <string.h>

#include "fold.h"
#include "kinds.h"
#include "nan_order.h"
#include "native.h"
#include "numbers.h"
#include "operator.h"
#include "plan_table.h"
#include "reduce_internal.h"
#include "tasks.h"

enum {
    BLOCK = CLPRIM__BLOCK,
    LEAST_CHUNK = 1 << 16, /* elements: a multiple of a block */
    MOST_CHUNKS = 64,
    WORTH_A_THREAD = 1 << 17, /* elements */
    VECTOR = 16,              /* bytes of a vector, which every processor with vectors has */
    VECTORS = 4
};

/* A float sum with the sum of what its additions rounded away (kernels/common/long_sum.cl). Floats are added in double
 * precision, which rounds hardly anything. */
typedef struct long_sum {
    double value, error;
} long_sum;

/* The fold of a chunk. */
typedef struct part {
    uint64_t integer; /* by any operator; for MIN, MAX, ARGMIN and ARGMAX the element's index */
    double product;
    long_sum sum;
} part;

typedef struct work {
    clprim_reference_operator by; /* with its defaults filled in */
    clprim__computed as;
    size_t size; /* of an element */
    const char *in;
    size_t n, chunk;
    part parts[MOST_CHUNKS];
} work;

static void add(long_sum *s, double x)
{
    const double value = s->value + x;
    const double added = value - s->value;
    s->error += (s->value - (value - added)) + (x - added);
    s->value = value;
}

/* Fold in vectors: compilers must not change the order of additions of floats themselves. Four vectors do not wait for each
 * other. */
#define FOLD(name, type, first, OP)                                                                                    \
    static type name##_##type(const void *in, size_t n)                                                                \
    {                                                                                                                  \
        enum { WIDTH = VECTOR / sizeof(type), LANES = VECTORS * WIDTH };                                               \
        typedef type vector __attribute__((vector_size(VECTOR)));                                                      \
        const clprim__##type *x = in;                                                                                  \
        type lanes[LANES];                                                                                             \
        vector a, b, c, d;                                                                                             \
        size_t i = 0;                                                                                                  \
        for (size_t k = 0; k < LANES; k++)                                                                             \
            lanes[k] = (first);                                                                                        \
        memcpy(&a, lanes, sizeof a);                                                                                   \
        b = c = d = a;                                                                                                 \
        for (; i + LANES <= n; i += LANES) {                                                                           \
            vector next[VECTORS];                                                                                      \
            memcpy(next, &x[i], sizeof next);                                                                          \
            a = a OP next[0];                                                                                          \
            b = b OP next[1];                                                                                          \
            c = c OP next[2];                                                                                          \
            d = d OP next[3];                                                                                          \
        }                                                                                                              \
        memcpy(lanes, &a, sizeof a);                                                                                   \
        memcpy(lanes + WIDTH, &b, sizeof b);                                                                           \
        memcpy(lanes + (size_t)2 * WIDTH, &c, sizeof c);                                                               \
        memcpy(lanes + (size_t)3 * WIDTH, &d, sizeof d);                                                               \
        for (size_t k = 0; i < n; i++, k++)                                                                            \
            lanes[k] = lanes[k] OP x[i];                                                                               \
        for (size_t half = LANES / 2; half > 0; half /= 2)                                                             \
            for (size_t k = 0; k < half; k++)                                                                          \
                lanes[k] = lanes[k] OP lanes[k + half];                                                                \
        return lanes[0];                                                                                               \
    }

typedef uint32_t u32;
typedef uint64_t u64;
typedef float f32;
typedef double f64;
FOLD(sum, u32, 0, +)
FOLD(sum, u64, 0, +)
FOLD(product, u32, 1, *)
FOLD(product, u64, 1, *)
FOLD(sum, f32, -0.0F, +)
FOLD(sum, f64, -0.0, +)
FOLD(product, f32, 1, *)
FOLD(product, f64, 1, *)

/* Fold bits, of whatever type. */
#define BITS(name, first, OP)                                                                                          \
    static uint64_t name##_bits(const char *in, size_t bytes, size_t size)                                             \
    {                                                                                                                  \
        enum { WORDS = (size_t)VECTORS * VECTOR / sizeof(uint64_t) };                                                  \
        uint64_t words[WORDS];                                                                                         \
        uint64_t all = (first);                                                                                        \
        for (size_t k = 0; k < WORDS; k++)                                                                             \
            words[k] = (first);                                                                                        \
        for (; bytes >= sizeof words; in += sizeof words, bytes -= sizeof words) {                                     \
            uint64_t next[WORDS];                                                                                      \
            memcpy(next, in, sizeof next);                                                                             \
            for (size_t k = 0; k < WORDS; k++)                                                                         \
                words[k] = words[k] OP next[k];                                                                        \
        }                                                                                                              \
        uint64_t rest[WORDS];                                                                                          \
        memset(rest, (first) != 0 ? 0xff : 0, sizeof rest);                                                            \
        memcpy(rest, in, bytes);                                                                                       \
        for (size_t k = 0; k < WORDS; k++)                                                                             \
            all = all OP words[k] OP rest[k];                                                                          \
        for (size_t half = 32; half >= 8 * size; half /= 2)                                                            \
            all = all OP(all >> half);                                                                                 \
        return all;                                                                                                    \
    }

BITS(and, UINT64_MAX, &)
BITS(or, 0, |)
BITS(xor, 0, ^)

static bool is_reversed(clprim_op op)
{
    return op == CLPRIM_MAX || op == CLPRIM_ARGMAX;
}

/* The index of the first element that is better than all others, or of the first NaN if they propagate. */
static size_t best_of(const work *self, size_t begin, size_t end)
{
    const bool reversed = is_reversed(self->by.op);
    const clprim_type type = self->by.type;
    const bool finds_nans = self->by.nan_order == CLPRIM_NAN_LAST;
    int64_t best = INT64_MAX;
    size_t at = begin;
    for (size_t i = begin; i < end; i += BLOCK) {
        const size_t n = end - i < BLOCK ? end - i : BLOCK;
        const void *in = self->in + i * self->size;
        const size_t nan = finds_nans ? clprim__numbers_first_nan(type, in, n) : n;
        if (nan < n)
            return i + nan;
        const int64_t key = clprim__numbers_least(type, reversed, in, n);
        at = key < best ? i : at;
        best = key < best ? key : best;
    }
    const size_t n = end - at < BLOCK ? end - at : BLOCK;
    return at + clprim__numbers_where(type, reversed, best, self->in + at * self->size, n) % n;
}

static void fold_block(part *out, const work *self, const void *in, size_t n)
{
    const bool is_product = self->by.op == CLPRIM_PROD;
    switch (self->as) {
    case CLPRIM__IN_U32:
        if (is_product)
            out->integer *= product_u32(in, n);
        else
            out->integer += sum_u32(in, n);
        break;
    case CLPRIM__IN_U64:
        if (is_product)
            out->integer *= product_u64(in, n);
        else
            out->integer += sum_u64(in, n);
        break;
    case CLPRIM__IN_F32:
        if (is_product)
            out->product = (double)((float)out->product * product_f32(in, n));
        else
            add(&out->sum, (double)sum_f32(in, n));
        break;
    default:
        if (is_product)
            out->product *= product_f64(in, n);
        else
            add(&out->sum, sum_f64(in, n));
    }
}

static void fold_chunk(void *user, size_t index)
{
    work *self = user;
    part *out = &self->parts[index];
    const size_t begin = index * self->chunk;
    const size_t end = self->n - begin < self->chunk ? self->n : begin + self->chunk;
    const char *in = self->in + begin * self->size;
    const size_t bytes = (end - begin) * self->size;
    const bool is_plain = !clprim__is_float(self->by.accumulator_type) && self->by.type == self->by.accumulator_type &&
                          self->size >= sizeof(uint32_t); /* neither converted nor rounded */
    const size_t block = is_plain ? LEAST_CHUNK : BLOCK;
    clprim__numbers_block room;
    *out = (part){.integer = self->by.op == CLPRIM_PROD, .product = 1, .sum = {-0.0, 0}};
    switch (self->by.op) {
    case CLPRIM_SUM:
    case CLPRIM_PROD:
        for (size_t i = begin; i < end; i += block) {
            const size_t n = end - i < block ? end - i : block;
            const void *elements = self->in + i * self->size;
            fold_block(out, self, clprim__numbers_in(&room, self->as, self->by.type, elements, n), n);
        }
        break;
    case CLPRIM_AND: out->integer = and_bits(in, bytes, self->size); break;
    case CLPRIM_OR: out->integer = or_bits(in, bytes, self->size); break;
    case CLPRIM_XOR: out->integer = xor_bits(in, bytes, self->size); break;
    default: out->integer = best_of(self, begin, end);
    }
}

/* Put the folds of all chunks together, in order. */
static void join(clprim__fold *fold, const work *self, size_t chunks)
{
    long_sum sum = {self->as == CLPRIM__IN_F32 ? (double)fold->f32 : fold->f64, 0};
    for (size_t i = 0; i < chunks; i++) {
        const part *p = &self->parts[i];
        switch (self->by.op) {
        case CLPRIM_SUM:
            fold->integer += p->integer;
            add(&sum, p->sum.value);
            sum.error += p->sum.error;
            break;
        case CLPRIM_PROD:
            fold->integer *= p->integer;
            fold->f32 *= (float)p->product;
            fold->f64 *= p->product;
            break;
        case CLPRIM_AND: fold->integer &= p->integer; break;
        case CLPRIM_OR: fold->integer |= p->integer; break;
        case CLPRIM_XOR: fold->integer ^= p->integer; break;
        default: fold->count = p->integer; clprim__fold_add(fold, self->in + p->integer * self->size);
        }
    }
    if (self->by.op != CLPRIM_SUM)
        return;
    /* once the sum is infinite, the error is NaN */
    fold->f64 = sum.error != 0 && isfinite(sum.error) ? sum.value + sum.error : sum.value;
    fold->f32 = (float)fold->f64;
    fold->is_nothing = fold->is_nothing && chunks == 0;
}

static clprim_reference_operator operator_of(const clprim_reduce_desc *d)
{
    return CLPRIM__REFERENCE_OPERATOR_OF(d, d->type != CLPRIM_TYPE_DEFAULT ? d->type : CLPRIM_I32);
}

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_reduce_desc *d = desc;
    const clprim_reference_operator by = operator_of(d);
    clprim_reference_operator known;
    if (!clprim__native_has_type(by.type, info) || d->output_type != CLPRIM_TYPE_DEFAULT || d->output_type_size != 0 ||
        (d->initial != NULL && d->has_initial_at) ||
        clprim__fold_check(&known, &by, d->initial != NULL || d->has_initial_at) != CLPRIM_SUCCESS)
        return false;
    const bool rounds = clprim__is_rounding(clprim__built_in(known.accumulator_type), known.op);
    return clprim__native_has_type(known.accumulator_type, info) && !(rounds && d->reproducible);
}

static void run(const void *desc, const void *call, void *scratch)
{
    const clprim_reduce_desc *d = desc;
    const clprim_reduce_call *c = call;
    const clprim_reference_operator by = operator_of(d);
    work self = {.in = c->in.host, .n = c->count};
    clprim__fold fold;
    (void)scratch;
    (void)clprim__fold_check(&self.by, &by, false);
    self.as = clprim__computed_in(self.by.accumulator_type);
    self.size = clprim_type_size(self.by.type);
    self.chunk = (self.n / MOST_CHUNKS / BLOCK + 1) * BLOCK;
    self.chunk = self.chunk < LEAST_CHUNK ? LEAST_CHUNK : self.chunk;
    const size_t chunks = clprim__divide_up(self.n, self.chunk);
    clprim__fold_begin(&fold, &self.by, d->has_initial_at ? c->initial_at.host : d->initial);
    clprim__tasks_run(chunks, clprim__tasks_threads(self.n, WORTH_A_THREAD), fold_chunk, &self);
    join(&fold, &self, chunks);
    clprim__fold_store(&fold, c->out.host);
}

const clprim__native clprim__reduce_native = {CLPRIM__NATIVE_NAMES(reduce), .can = can, .run = run};
