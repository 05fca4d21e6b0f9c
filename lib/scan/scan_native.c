// SPDX-License-Identifier: MIT
/* scan_native.c: scans by the host's code, for CPU devices. Blocks that a core's cache holds are converted to one of four
 * types, or to keys with the elements' order, and scanned one element after another. Where threads share an array, each
 * of its chunks is folded first. Chunks depend on the number of elements alone, and so do the results. */
#include <math.h>
#include <string.h>

#include "fold.h"
#include "kinds.h"
#include "native.h"
#include "numbers.h"
#include "plan_table.h"
#include "scan_internal.h"
#include "tasks.h"

enum {
    BLOCK = CLPRIM__BLOCK,
    RUN = 256,             /* elements whose additions need no correction (kernels/common/long_sum.cl) */
    LEAST_CHUNK = 1 << 17, /* elements: a multiple of a block */
    MOST_CHUNKS = 64
};

/* The fold of what comes before. Which member it is in, depends on the operator and the type. */
typedef struct state {
    uint32_t u32;
    uint64_t u64;
    int32_t i32; /* keys */
    int64_t i64;
    float f32;
    double f64, error; /* a sum, with what its additions rounded away */
} state;

typedef struct work {
    clprim_reference_operator by; /* with its defaults filled in */
    clprim__computed as;
    bool exclusive, is_key, is_direct; /* direct: results are written as they are computed */
    size_t size, result_size;
    uint64_t flip; /* of keys */
    const char *in;
    char *out;
    size_t n, chunk;
    state before[MOST_CHUNKS + 1]; /* each chunk */
} work;

static void add(state *s, double x)
{
    const double value = s->f64 + x;
    const double added = value - s->f64;
    s->error += (s->f64 - (value - added)) + (x - added);
    s->f64 = value;
}

/* Once a sum is infinite, the error is NaN. */
static double value_of(const state *s)
{
    return s->error != 0 && isfinite(s->error) ? s->f64 + s->error : s->f64;
}

#define LEAST(a, b) ((b) < (a) ? (b) : (a))

/* Scan a block, and fold one. The last argument combines a and b. */
#define SCAN(name, type, ...)                                                                                          \
    static void scan_##name##_##type(void *to, const void *from, size_t n, clprim__##type *all, bool exclusive)        \
    {                                                                                                                  \
        clprim__##type *out = to;                                                                                      \
        const clprim__##type *in = from;                                                                               \
        clprim__##type a = *all;                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const clprim__##type b = in[i];                                                                            \
            const clprim__##type next = (clprim__##type)(__VA_ARGS__);                                                 \
            out[i] = exclusive ? a : next;                                                                             \
            a = next;                                                                                                  \
        }                                                                                                              \
        *all = a;                                                                                                      \
    }

#define FOLD(name, type, ...)                                                                                          \
    static void fold_##name##_##type(const void *from, size_t n, clprim__##type *all)                                  \
    {                                                                                                                  \
        const clprim__##type *in = from;                                                                               \
        clprim__##type a = *all;                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const clprim__##type b = in[i];                                                                            \
            a = (clprim__##type)(__VA_ARGS__);                                                                         \
        }                                                                                                              \
        *all = a;                                                                                                      \
    }

#define SCAN_AND_FOLD(name, type, ...)                                                                                 \
    SCAN(name, type, __VA_ARGS__)                                                                                      \
    FOLD(name, type, __VA_ARGS__)

SCAN_AND_FOLD(sum, u32, a + b)
SCAN_AND_FOLD(product, u32, a *b)
SCAN_AND_FOLD(and, u32, a &b)
SCAN_AND_FOLD(or, u32, a | b)
SCAN_AND_FOLD(xor, u32, a ^ b)
SCAN_AND_FOLD(sum, u64, a + b)
SCAN_AND_FOLD(product, u64, a *b)
SCAN_AND_FOLD(and, u64, a &b)
SCAN_AND_FOLD(or, u64, a | b)
SCAN_AND_FOLD(xor, u64, a ^ b)
SCAN(least, i32, b < a ? b : a)
SCAN(least, i64, b < a ? b : a)
SCAN_AND_FOLD(product, f32, a *b)
SCAN_AND_FOLD(product, f64, a *b)

/* A run's own sums, added to the sum before it: so an element goes through few additions, which need no correction, and
 * each waits for one addition only. */
#define FLOAT_SUMS(type)                                                                                               \
    static void scan_sum_##type(clprim__##type *out, const clprim__##type *in, size_t n, state *s, bool exclusive)     \
    {                                                                                                                  \
        for (size_t begin = 0; begin < n; begin += RUN) {                                                              \
            const size_t end = n - begin < RUN ? n : begin + RUN;                                                      \
            const clprim__##type before = (clprim__##type)value_of(s);                                                 \
            clprim__##type a = (clprim__##type) - 0.0;                                                                 \
            for (size_t i = begin; i < end; i++) {                                                                     \
                const clprim__##type next = a + in[i];                                                                 \
                out[i] = before + (exclusive ? a : next);                                                              \
                a = next;                                                                                              \
            }                                                                                                          \
            add(s, (double)a);                                                                                         \
        }                                                                                                              \
    }

FLOAT_SUMS(f32)
FLOAT_SUMS(f64)

#define FOLD_FLOATS(type)                                                                                              \
    static void fold_sum_##type(const void *from, size_t n, state *s)                                                  \
    {                                                                                                                  \
        const clprim__##type *in = from;                                                                               \
        double lanes[4] = {-0.0, -0.0, -0.0, -0.0};                                                                    \
        size_t i = 0;                                                                                                  \
        for (; i + 4 <= n; i += 4)                                                                                     \
            for (size_t k = 0; k < 4; k++)                                                                             \
                lanes[k] += (double)in[i + k];                                                                         \
        for (size_t k = 0; i < n; i++, k++)                                                                            \
            lanes[k] += (double)in[i];                                                                                 \
        add(s, (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));                                                         \
    }

FOLD_FLOATS(f32)
FOLD_FLOATS(f64)

/* NaN results are the quiet NaN. */
#define QUIET(type, nan)                                                                                               \
    static void quiet_##type(clprim__##type *out, size_t n)                                                            \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            out[i] = out[i] != out[i] ? (nan) : out[i];                                                                \
    }

QUIET(f32, NAN)
QUIET(f64, (double)NAN)

/* Keys: numbers.c says how elements become signed numbers in their order. */
#define KEYS(bits, wide)                                                                                               \
    static void to_keys_##bits(clprim__i##wide *keys, const void *from, size_t n, uint64_t flip, bool is_float)        \
    {                                                                                                                  \
        const clprim__i##bits *in = from;                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                 \
            keys[i] = (int##bits##_t)(in[i] ^ (is_float && in[i] < 0 ? INT##bits##_MAX : 0) ^ (int##bits##_t)flip);    \
    }                                                                                                                  \
    static void from_keys_##bits(void *to, const clprim__i##wide *keys, size_t n, uint64_t flip, bool is_float)        \
    {                                                                                                                  \
        clprim__i##bits *out = to;                                                                                     \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const int##bits##_t x = (int##bits##_t)(keys[i] ^ (int##bits##_t)flip);                                    \
            out[i] = (int##bits##_t)(x ^ (is_float && x < 0 ? INT##bits##_MAX : 0));                                   \
        }                                                                                                              \
    }

KEYS(8, 32)
KEYS(16, 32)
KEYS(32, 32)
KEYS(64, 64)

typedef union keys {
    clprim__i32 i32[BLOCK];
    clprim__i64 i64[BLOCK];
} keys;

static void to_keys(keys *room, const work *self, const void *in, size_t n)
{
    const bool is_float = clprim__is_float(self->by.type);
    switch (self->size) {
    case 1: to_keys_8(room->i32, in, n, self->flip, is_float); break;
    case 2: to_keys_16(room->i32, in, n, self->flip, is_float); break;
    case 4: to_keys_32(room->i32, in, n, self->flip, is_float); break;
    default: to_keys_64(room->i64, in, n, self->flip, is_float);
    }
}

static void from_keys(void *out, const work *self, const keys *room, size_t n)
{
    const bool is_float = clprim__is_float(self->by.type);
    switch (self->size) {
    case 1: from_keys_8(out, room->i32, n, self->flip, is_float); break;
    case 2: from_keys_16(out, room->i32, n, self->flip, is_float); break;
    case 4: from_keys_32(out, room->i32, n, self->flip, is_float); break;
    default: from_keys_64(out, room->i64, n, self->flip, is_float);
    }
}

#define BY_OPERATOR(type, ...)                                                                                         \
    switch (self->by.op) {                                                                                             \
    case CLPRIM_SUM: CALL(sum, type, __VA_ARGS__); break;                                                              \
    case CLPRIM_PROD: CALL(product, type, __VA_ARGS__); break;                                                         \
    case CLPRIM_AND: CALL(and, type, __VA_ARGS__); break;                                                              \
    case CLPRIM_OR: CALL(or, type, __VA_ARGS__); break;                                                                \
    default: CALL(xor, type, __VA_ARGS__);                                                                             \
    }

/* Scan a block of converted elements; `to` may be in its place. */
static void scan_numbers(void *to, const work *self, const void *in, size_t n, state *s)
{
    const bool is_sum = self->by.op == CLPRIM_SUM;
#define CALL(name, type, ...) scan_##name##_##type(to, in, n, &s->type, self->exclusive)
    switch (self->as) {
    case CLPRIM__IN_U32: BY_OPERATOR(u32, ) break;
    case CLPRIM__IN_U64: BY_OPERATOR(u64, ) break;
    case CLPRIM__IN_F32:
        if (is_sum)
            scan_sum_f32(to, in, n, s, self->exclusive);
        else
            CALL(product, f32, );
        quiet_f32(to, n);
        break;
    default:
        if (is_sum)
            scan_sum_f64(to, in, n, s, self->exclusive);
        else
            CALL(product, f64, );
        quiet_f64(to, n);
    }
#undef CALL
}

static void fold_numbers(const work *self, const void *in, size_t n, state *s)
{
    const bool is_sum = self->by.op == CLPRIM_SUM;
#define CALL(name, type, ...) fold_##name##_##type(in, n, &s->type)
    switch (self->as) {
    case CLPRIM__IN_U32: BY_OPERATOR(u32, ) break;
    case CLPRIM__IN_U64: BY_OPERATOR(u64, ) break;
    case CLPRIM__IN_F32:
        if (is_sum)
            fold_sum_f32(in, n, s);
        else
            CALL(product, f32, );
        break;
    default:
        if (is_sum)
            fold_sum_f64(in, n, s);
        else
            CALL(product, f64, );
    }
#undef CALL
}

/* Write results that are narrower than what they were computed in. */
static void narrow(void *to, const work *self, const clprim__numbers_block *room, size_t n)
{
    clprim__u8 *bytes = to;
    clprim__u16 *halves = to;
    if (self->by.accumulator_type == CLPRIM_F16) {
        for (size_t i = 0; i < n; i++)
            halves[i] = clprim_half_from_float(room->f32[i]);
    } else if (self->result_size == sizeof *halves) {
        for (size_t i = 0; i < n; i++)
            halves[i] = (uint16_t)room->u32[i];
    } else {
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)room->u32[i];
    }
}

static void scan_block(const work *self, size_t at, size_t n, state *s)
{
    const void *in = self->in + at * self->size;
    void *out = self->out + at * self->result_size;
    if (self->is_key) {
        keys room;
        to_keys(&room, self, in, n);
        if (self->size < sizeof(int64_t))
            scan_least_i32(room.i32, room.i32, n, &s->i32, self->exclusive);
        else
            scan_least_i64(room.i64, room.i64, n, &s->i64, self->exclusive);
        from_keys(out, self, &room, n);
    } else {
        clprim__numbers_block room;
        const void *numbers = clprim__numbers_in(&room, self->as, self->by.type, in, n);
        scan_numbers(self->is_direct ? out : &room, self, numbers, n, s);
        if (!self->is_direct)
            narrow(out, self, &room, n);
    }
}

static void fold_block(const work *self, size_t at, size_t n, state *s)
{
    const void *in = self->in + at * self->size;
    if (self->is_key) {
        const int64_t least = clprim__numbers_least(self->by.type, self->by.op == CLPRIM_MAX, in, n);
        s->i64 = least < s->i64 ? least : s->i64;
    } else {
        clprim__numbers_block room;
        fold_numbers(self, clprim__numbers_in(&room, self->as, self->by.type, in, n), n, s);
    }
}

static size_t end_of(const work *self, size_t index)
{
    const size_t begin = index * self->chunk;
    return self->n - begin < self->chunk ? self->n : begin + self->chunk;
}

static state nothing(clprim_op op)
{
    const bool is_product = op == CLPRIM_PROD;
    const uint64_t bits = is_product ? 1 : op == CLPRIM_AND ? UINT64_MAX : 0;
    return (state){
        .u32 = (uint32_t)bits, .u64 = bits, .i32 = INT32_MAX, .i64 = INT64_MAX, .f32 = 1, .f64 = is_product ? 1 : -0.0};
}

/* The fold of a chunk, in the place of what comes before the next one. */
static void fold_chunk(void *user, size_t index)
{
    work *self = user;
    state s = nothing(self->by.op);
    const size_t end = end_of(self, index);
    for (size_t i = index * self->chunk; i < end; i += BLOCK)
        fold_block(self, i, end - i < BLOCK ? end - i : BLOCK, &s);
    self->before[index + 1] = s;
}

static void scan_chunk(void *user, size_t index)
{
    work *self = user;
    state s = self->before[index];
    const size_t end = end_of(self, index);
    for (size_t i = index * self->chunk; i < end; i += BLOCK)
        scan_block(self, i, end - i < BLOCK ? end - i : BLOCK, &s);
}

/* Fold the fold of a chunk behind what comes before it. */
static void join(const work *self, state *s, const state *before)
{
    const double sum = s->f64;
    const double error = s->error;
    const bool is_sum = self->by.op == CLPRIM_SUM;
    switch (self->by.op) {
    case CLPRIM_SUM:
        s->u32 += before->u32;
        s->u64 += before->u64;
        break;
    case CLPRIM_PROD:
        s->u32 *= before->u32;
        s->u64 *= before->u64;
        s->f32 *= before->f32;
        s->f64 *= before->f64;
        break;
    case CLPRIM_AND:
        s->u32 &= before->u32;
        s->u64 &= before->u64;
        break;
    case CLPRIM_OR:
        s->u32 |= before->u32;
        s->u64 |= before->u64;
        break;
    case CLPRIM_XOR:
        s->u32 ^= before->u32;
        s->u64 ^= before->u64;
        break;
    default:
        s->i64 = before->i64 < s->i64 ? before->i64 : s->i64;
        s->i32 = self->size < sizeof s->i64 ? (int32_t)LEAST(s->i64, INT32_MAX) : 0;
    }
    if (is_sum) {
        s->f64 = before->f64;
        s->error = before->error + error;
        add(s, sum);
    }
}

/* What the first chunk begins with. */
static state begin(const work *self, const void *initial)
{
    state s = nothing(self->by.op);
    const bool is_float = clprim__is_float(self->by.accumulator_type);
    clprim__fold fold;
    keys room;
    clprim__fold_begin(&fold, &self->by, initial);
    if (self->is_key) { /* the identity, too, is an element */
        clprim__fold_store(&fold, &room);
        const int64_t key = clprim__numbers_least(self->by.type, self->by.op == CLPRIM_MAX, &room, 1);
        s.i64 = key;
        s.i32 = (int32_t)key;
        return s;
    }
    s.u64 = fold.integer;
    s.u32 = (uint32_t)fold.integer;
    s.f32 = fold.f32;
    s.f64 = self->as == CLPRIM__IN_F32 ? (double)fold.f32 : fold.f64;
    if (is_float && self->by.op == CLPRIM_SUM && self->exclusive && initial == NULL)
        s.f64 = 0; /* an empty sum is written and added to */
    return s;
}

static clprim_reference_operator operator_of(const clprim_scan_desc *d)
{
    return CLPRIM__REFERENCE_OPERATOR_OF(d, d->type != CLPRIM_TYPE_DEFAULT ? d->type : CLPRIM_I32);
}

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_scan_desc *d = desc;
    const clprim_reference_operator by = operator_of(d);
    clprim_reference_operator known;
    if (!clprim__native_has_type(by.type, info) || d->output_type != CLPRIM_TYPE_DEFAULT || d->output_type_size != 0 ||
        (d->initial != NULL && d->has_initial_at) || d->segments != CLPRIM_SEGMENTS_NONE || d->sees_segments ||
        d->segments_type != CLPRIM_TYPE_DEFAULT || d->offsets_type != CLPRIM_TYPE_DEFAULT || d->banks != 0 ||
        by.op == CLPRIM_ARGMIN || by.op == CLPRIM_ARGMAX ||
        (by.nan_order != CLPRIM_NAN_TOTAL && clprim__is_float(by.type)) ||
        clprim__fold_check(&known, &by, d->initial != NULL || d->has_initial_at) != CLPRIM_SUCCESS)
        return false;
    const bool rounds = clprim__is_rounding(clprim__built_in(known.accumulator_type), known.op);
    return clprim__native_has_type(known.accumulator_type, info) && !(rounds && d->reproducible);
}

static void run(const void *desc, const void *call, void *scratch)
{
    const clprim_scan_desc *d = desc;
    const clprim_scan_call *c = call;
    const clprim_reference_operator by = operator_of(d);
    work self = {.exclusive = d->exclusive, .in = c->in.host, .out = c->out.host, .n = c->count};
    (void)scratch;
    if (self.n == 0)
        return;
    (void)clprim__fold_check(&self.by, &by, false);
    self.as = clprim__computed_in(self.by.accumulator_type);
    self.is_key = self.by.op == CLPRIM_MIN || self.by.op == CLPRIM_MAX;
    self.size = clprim_type_size(self.by.type);
    self.result_size = clprim_type_size(self.by.accumulator_type);
    self.is_direct = self.result_size >= sizeof(uint32_t);
    self.flip = clprim__numbers_flip(self.by.type, self.by.op == CLPRIM_MAX);
    self.chunk = (self.n / MOST_CHUNKS / BLOCK + 1) * BLOCK;
    self.chunk = self.chunk < LEAST_CHUNK ? LEAST_CHUNK : self.chunk;
    self.before[0] = begin(&self, d->has_initial_at ? c->initial_at.host : d->initial);
    const size_t chunks = clprim__divide_up(self.n, self.chunk);
    clprim__workers workers;
    clprim__workers_begin(&workers, clprim__tasks_threads(self.n, LEAST_CHUNK));
    clprim__workers_run(&workers, chunks - 1, fold_chunk, &self);
    for (size_t i = 1; i < chunks; i++)
        join(&self, &self.before[i], &self.before[i - 1]);
    clprim__workers_run(&workers, chunks, scan_chunk, &self);
    clprim__workers_end(&workers);
}

const clprim__native clprim__scan_native = {CLPRIM__NATIVE_NAMES(scan), .can = can, .run = run};
