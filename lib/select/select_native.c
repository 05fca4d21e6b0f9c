// SPDX-License-Identifier: MIT
/* select_native.c: selections by flags by the host's code, for CPU devices. A block's flags become bytes of 0 and 1. Then
 * its elements are written to a small array, each one over the element before it if that is not selected: so no branch
 * depends on the flags. */
#include <string.h>

#include "flags.h"
#include "kinds.h"
#include "native.h"
#include "numbers.h"
#include "order.h"
#include "plan_table.h"
#include "select_internal.h"
#include "sizes.h"
#include "tasks.h"

enum {
    BLOCK = CLPRIM__BLOCK,
    LEAST_CHUNK = 1 << 16, /* elements: a multiple of a block */
    MOST_CHUNKS = 64
};

typedef struct work {
    size_t size, flag_size; /* of an element and of a flag */
    uint64_t tested;        /* bits of a flag */
    const char *in, *flags;
    char *out;
    size_t n, room, chunk, chunks;
    size_t before[MOST_CHUNKS + 1]; /* each chunk, how many are selected; behind the last one: of all */
} work;

#define BY_SIZE(bits)                                                                                                  \
    static void read_flags_##bits(uint8_t *is_set, const void *flags, size_t n, uint64_t tested)                       \
    {                                                                                                                  \
        const clprim__u##bits *in = flags;                                                                             \
        const uint##bits##_t mask = (uint##bits##_t)tested;                                                            \
        for (size_t i = 0; i < n; i++)                                                                                 \
            is_set[i] = (in[i] & mask) != 0;                                                                           \
    }                                                                                                                  \
    static size_t move_##bits(void *to, const void *from, const uint8_t *is_set, size_t n)                             \
    {                                                                                                                  \
        const clprim__u##bits *in = from;                                                                              \
        clprim__u##bits *out = to;                                                                                     \
        size_t count = 0;                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            out[count] = in[i];                                                                                        \
            count += is_set[i];                                                                                        \
        }                                                                                                              \
        return count;                                                                                                  \
    }

BY_SIZE(8)
BY_SIZE(16)
BY_SIZE(32)
BY_SIZE(64)

/* Of each element from `at` on whether it is selected. */
static void read_flags(uint8_t *is_set, const work *self, size_t at, size_t n)
{
    const char *flags = self->flags + at * self->flag_size;
    switch (self->flag_size) {
    case 1: read_flags_8(is_set, flags, n, self->tested); break;
    case 2: read_flags_16(is_set, flags, n, self->tested); break;
    case 4: read_flags_32(is_set, flags, n, self->tested); break;
    default: read_flags_64(is_set, flags, n, self->tested);
    }
}

/* Write the selected elements of those from `at` on. Returns their number. */
static size_t move(void *to, const work *self, const uint8_t *is_set, size_t at, size_t n)
{
    const char *in = self->in + at * self->size;
    switch (self->size) {
    case 1: return move_8(to, in, is_set, n);
    case 2: return move_16(to, in, is_set, n);
    case 4: return move_32(to, in, is_set, n);
    default: return move_64(to, in, is_set, n);
    }
}

static size_t end_of(const work *self, size_t index)
{
    const size_t begin = index * self->chunk;
    return self->n - begin < self->chunk ? self->n : begin + self->chunk;
}

static void count_chunk(void *user, size_t index)
{
    work *self = user;
    uint8_t is_set[BLOCK];
    const size_t end = end_of(self, index);
    size_t count = 0;
    for (size_t i = index * self->chunk; i < end; i += BLOCK) {
        const size_t n = end - i < BLOCK ? end - i : BLOCK;
        read_flags(is_set, self, i, n);
        for (size_t k = 0; k < n; k++)
            count += is_set[k];
    }
    self->before[index + 1] = count;
}

static void move_chunk(void *user, size_t index)
{
    work *self = user;
    uint8_t is_set[BLOCK];
    clprim__u64 selected[BLOCK];
    const size_t end = end_of(self, index);
    size_t at = self->before[index];
    for (size_t i = index * self->chunk; i < end; i += BLOCK) {
        const size_t n = end - i < BLOCK ? end - i : BLOCK;
        read_flags(is_set, self, i, n);
        const size_t count = move(selected, self, is_set, i, n);
        const size_t left = at < self->room ? self->room - at : 0;
        const size_t written = count < left ? count : left;
        if (written > 0)
            memcpy(self->out + at * self->size, selected, written * self->size);
        at += count;
    }
    if (index + 1 == self->chunks)
        self->before[self->chunks] = at;
}

static bool is_type_or_default(clprim_type type)
{
    return type == CLPRIM_TYPE_DEFAULT || clprim__is_type(type);
}

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_select_desc *d = desc;
    size_t index_size = 0;
    (void)info; /* elements are only moved, whatever the device can compute */
    return is_type_or_default(d->type) && is_type_or_default(d->flags_type) && d->type_size == 0 &&
           d->output_type == CLPRIM_TYPE_DEFAULT && d->output_type_size == 0 &&
           clprim__index_check(&index_size, d->index_type, clprim__max_count_or(d->max_count)) == CLPRIM_SUCCESS;
}

static void run(const void *desc, const void *call, void *scratch)
{
    const clprim_select_desc *d = desc;
    const clprim_select_call *c = call;
    const clprim_element flag = clprim__type_or(d->flags_type, CLPRIM_U8);
    work self = {.size = clprim__type_or(d->type, CLPRIM_I32).size,
                 .flag_size = flag.size,
                 .tested = clprim__flag_bits(flag.type),
                 .in = c->in.host,
                 .flags = c->flags.host,
                 .out = c->out.host,
                 .n = c->count,
                 .room = c->out.length};
    (void)scratch;
    self.chunk = (self.n / MOST_CHUNKS / BLOCK + 1) * BLOCK;
    self.chunk = self.chunk < LEAST_CHUNK ? LEAST_CHUNK : self.chunk;
    self.chunks = clprim__divide_up(self.n, self.chunk);
    if (self.chunks > 0) {
        clprim__workers workers;
        clprim__workers_begin(&workers, clprim__tasks_threads(self.n, LEAST_CHUNK));
        clprim__workers_run(&workers, self.chunks - 1, count_chunk, &self);
        for (size_t i = 1; i < self.chunks; i++)
            self.before[i] += self.before[i - 1];
        clprim__workers_run(&workers, self.chunks, move_chunk, &self);
        clprim__workers_end(&workers);
    }
    clprim__put_number(&c->out_count, clprim__type_or(d->index_type, CLPRIM_U32), self.before[self.chunks]);
}

const clprim__native clprim__select_native = {CLPRIM__NATIVE_NAMES(select), .can = can, .run = run};
