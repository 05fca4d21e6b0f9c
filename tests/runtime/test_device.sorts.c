// SPDX-License-Identifier: MIT
/* test_device.sorts.c: the functions that rank, sort, merge and count in a work-group, compared with plain C. A program
 * has one type of keys, one of values, one group size and one number of items. Its kernels run on inputs that sorts find
 * hard, over several ranges of bits. */
#include "test_device.h"

#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "random.h"

typedef struct sort_case {
    size_t group_size, items;
    const char *key;
    uint32_t key_size, rank_bits;
    size_t value_size;              /* a struct of bytes, uints or ulongs */
    size_t item_size;               /* for the merge sort: a key, and what distinguishes equal keys */
    const char *keys_by, *pairs_by; /* for radix sorts: the functions' names after `sort` */
    size_t ways;                    /* a bit for each */
} sort_case;

enum {
    TEXT = 1 << BY_TEXT,
    INCLUDE = 1 << BY_INCLUDE,
    SOFTWARE = 1 << BY_SOFTWARE,
    MATCHES = 1 << BY_MATCHES,
    WIDE = 1 << BY_WIDE_MATCHES,
};

/* All sizes, all numbers of items, all types. A case for which a device has too little memory is left out. */
static const sort_case cases[] = {
    {1, 1, "uint", 4, 8, 4, 4, "", "_to_striped", TEXT | SOFTWARE},
    {1, 9, "ushort", 2, 4, 1, 8, "_descending", "_descending_to_striped", TEXT},
    {2, 3, "uchar", 1, 1, 64, 16, "_to_striped", "", TEXT},
    {3, 5, "ulong", 8, 5, 8, 64, "_descending_to_striped", "", TEXT | SOFTWARE | MATCHES},
    {17, 2, "uint", 4, 3, 12, 12, "", "_descending", TEXT | MATCHES},
    {32, 4, "uint", 4, 8, 8, 4, "_to_striped", "_to_striped", TEXT | WIDE},
    {33, 3, "uint", 4, 8, 4, 8, "_descending", "_descending_to_striped", TEXT | INCLUDE | SOFTWARE | MATCHES},
    {64, 6, "ushort", 2, 6, 2, 1, "", "", TEXT},
    {64, 1, "ulong", 8, 8, 16, 32, "_descending_to_striped", "_descending", TEXT},
    {128, 7, "uint", 4, 2, 4, 8, "_to_striped", "", TEXT | WIDE},
    {255, 2, "uchar", 1, 8, 1, 2, "_descending", "_to_striped", TEXT | WIDE},
    {256, 9, "uint", 4, 8, 4, 4, "_to_striped", "_to_striped", TEXT},
    {256, 8, "ulong", 8, 4, 8, 8, "", "_descending_to_striped", TEXT | INCLUDE},
    {512, 5, "ushort", 2, 7, 12, 12, "_descending_to_striped", "", TEXT},
    {1024, 4, "uint", 4, 4, 4, 4, "_to_striped", "_descending", TEXT},
    {1024, 1, "uint", 4, 8, 8, 16, "", "_to_striped", TEXT},
};
enum { CASES = sizeof cases / sizeof *cases };

/* In a value, and in an item of the merge sort, only `mark` is used, which is an index modulo the type's range. In an
 * item of less than 8 bytes, key and mark are in one number, of which the sort compares the upper half. */
static const char KERNELS[] =
    "#define GROUP __attribute__((reqd_work_group_size(SIZE, 1, 1)))\n"
    "#define TILE (SIZE * ITEMS)\n"
    "CLPRIM_WORK_GROUP_RADIX_RANK(ranks, KEY, BITS, SIZE, ITEMS)\n"
    "CLPRIM_WORK_GROUP_RADIX_SORT(keyed, KEY, SIZE, ITEMS)\n"
    "CLPRIM_WORK_GROUP_RADIX_SORT_PAIRS(paired, KEY, VALUE, SIZE, ITEMS)\n"
    "CLPRIM_WORK_GROUP_MERGE_SORT(merged, ITEM, LESS, SIZE, ITEMS)\n"
    "CLPRIM_WORK_GROUP_MERGE_SORT_PAIRS(merged_pairs, ITEM, VALUE, LESS, SIZE, ITEMS)\n"
    "__kernel GROUP void rank(const __global KEY *in, __global uint *out, uint4 n)\n"
    "{\n"
    "    __local ranks_memory memory;\n"
    "    KEY keys[ITEMS];\n"
    "    uint places[ITEMS];\n"
    "    for (uint k = 0; k < ITEMS; k++)\n"
    "        keys[k] = in[ranks_index(k)];\n"
    "    RANK(keys, places, n.x, n.y, &memory);\n"
    "    for (uint k = 0; k < ITEMS; k++)\n"
    "        out[ranks_index(k)] = places[k];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint d = get_local_id(0); d < 1u << n.y; d += SIZE)\n"
    "        out[TILE + d] = ranks_begin(d, &memory);\n"
    "}\n"
    "__kernel GROUP void sort_keys(const __global KEY *in, __global KEY *out, uint4 n)\n"
    "{\n"
    "    __local keyed_memory memory;\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    KEY keys[ITEMS];\n"
    "    for (uint k = 0; k < ITEMS; k++)\n"
    "        keys[k] = in[lid * ITEMS + k];\n"
    "    KEYS_BY(keyed)(keys, n.x, n.x + n.y, &memory);\n"
    "    for (uint k = 0; k < ITEMS; k++)\n"
    "        out[KEYS_TO(lid, k)] = keys[k];\n"
    "}\n"
    "__kernel GROUP void sort_pairs(const __global KEY *in, __global KEY *out, uint4 n)\n"
    "{\n"
    "    __local paired_memory memory;\n"
    "    __global VALUE *values_out = (__global VALUE *)(out + (TILE + 15) / 16 * 16);\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    KEY keys[ITEMS];\n"
    "    VALUE values[ITEMS] = {{0}};\n"
    "    for (uint k = 0; k < ITEMS; k++) {\n"
    "        keys[k] = in[lid * ITEMS + k];\n"
    "        values[k].mark = lid * ITEMS + k;\n"
    "    }\n"
    "    PAIRS_BY(paired)(keys, values, n.x, n.x + n.y, &memory);\n"
    "    for (uint k = 0; k < ITEMS; k++) {\n"
    "        out[PAIRS_TO(lid, k)] = keys[k];\n"
    "        values_out[PAIRS_TO(lid, k)] = values[k];\n"
    "    }\n"
    "}\n"
    "__kernel GROUP void merge_sort(const __global ITEM *in, __global ITEM *out, uint4 n)\n"
    "{\n"
    "    __local merged_memory memory;\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    ITEM items[ITEMS];\n"
    "    for (uint k = 0; k < ITEMS; k++)\n"
    "        items[k] = in[lid * ITEMS + k];\n"
    "    MERGE_BY(merged)(items, n.x, &memory);\n"
    "    for (uint k = 0; k < ITEMS; k++)\n"
    "        out[MERGE_TO(lid, k)] = items[k];\n"
    "}\n"
    "__kernel GROUP void merge_sort_pairs(const __global ITEM *in, __global ITEM *out, uint4 n)\n"
    "{\n"
    "    __local merged_pairs_memory memory;\n"
    "    __global VALUE *values_out = (__global VALUE *)(out + (TILE + 15) / 16 * 16);\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    ITEM items[ITEMS];\n"
    "    VALUE values[ITEMS] = {{0}};\n"
    "    for (uint k = 0; k < ITEMS; k++) {\n"
    "        items[k] = in[lid * ITEMS + k];\n"
    "        values[k].mark = lid * ITEMS + k;\n"
    "    }\n"
    "    MERGE_PAIRS_BY(merged_pairs)(items, values, n.x, &memory);\n"
    "    for (uint k = 0; k < ITEMS; k++) {\n"
    "        out[MERGE_PAIRS_TO(lid, k)] = items[k];\n"
    "        values_out[MERGE_PAIRS_TO(lid, k)] = values[k];\n"
    "    }\n"
    "}\n";

/* A case, as host and device describe it. */
typedef struct sort_run {
    const clprim_runtime *runtime;
    const sort_case *self;
    cl_program program;
    cl_mem input, output;
    size_t tile, out_bytes;
    unsigned char *in, *got;
    char what[160];
} sort_run;

/* An element of a reference: its key, and its original place. */
typedef struct placed {
    uint64_t key;
    size_t place;
} placed;

static int by_key_and_place(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->place < y->place ? -1 : x->place > y->place;
}

static int by_falling_key_and_place(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    return x->key != y->key ? (x->key > y->key ? -1 : 1) : x->place < y->place ? -1 : x->place > y->place;
}

static uint64_t load(const unsigned char *from, size_t size)
{
    uint64_t x = 0;
    memcpy(&x, from, size < 8 ? size : 8); /* test hosts are little-endian */
    return x;
}

enum { EQUAL, SORTED, REVERSED, FEW, EXTREMES, RANDOM, ONE_DIGIT, INPUTS };

static uint64_t hostile(size_t kind, size_t i, size_t count, uint64_t *state)
{
    static const uint64_t extremes[] = {0, UINT64_MAX, 1, UINT64_MAX - 1, UINT64_C(0x8080808080808080), UINT64_MAX / 2};
    switch (kind) {
    case EQUAL: return UINT64_C(0xa5c3e187b4d29617);
    case SORTED: return UINT64_MAX / count * i;
    case REVERSED: return UINT64_MAX / count * (count - 1 - i);
    case FEW: return test_random_below(state, 3) * UINT64_C(0x2545f4914f6cdd1d);
    case EXTREMES: return extremes[test_random_below(state, sizeof extremes / sizeof *extremes)];
    case ONE_DIGIT: return test_random(state) & UINT64_C(0x00f0000f00f000f0);
    default: return test_random(state);
    }
}

static void launch(sort_run *run, const char *kernel, cl_uint4 numbers, size_t in_bytes)
{
    memset(run->got, TEST_POISON, run->out_bytes);
    test_write(run->runtime, run->input, run->in, in_bytes);
    test_write(run->runtime, run->output, run->got, run->out_bytes);
    device_run(run->runtime, run->program, kernel, run->input, run->output, &numbers, run->self->group_size);
    test_read(run->runtime, run->got, run->output, run->out_bytes);
}

static bool is_descending(const char *function)
{
    return strstr(function, "descending") != NULL;
}

/* The tile's keys in the order of bits [begin, begin + bits). */
static const placed *in_order(const sort_run *run, uint32_t begin, uint32_t bits, bool is_falling)
{
    placed *order = test_memory(10, run->tile * sizeof *order);
    for (size_t i = 0; i < run->tile; i++) {
        const uint64_t key = load(run->in + i * run->self->key_size, run->self->key_size);
        const uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
        order[i] = (placed){begin >= 64 ? 0 : key >> begin & mask, i};
    }
    qsort(order, run->tile, sizeof *order, is_falling ? by_falling_key_and_place : by_key_and_place);
    return order;
}

static void check_rank(sort_run *run, uint32_t begin, uint32_t bits)
{
    const bool is_falling = is_descending(run->self->keys_by);
    const placed *order = in_order(run, begin, bits, is_falling);
    launch(run, "rank", (cl_uint4){{begin, bits, 0, 0}}, run->tile * run->self->key_size);
    for (size_t i = 0; i < run->tile; i++)
        cr_assert_eq(load(run->got + order[i].place * 4, 4), i,
                     "%s: the rank of number %zu by bits %u + %u is %u, not %zu", run->what, order[i].place, begin,
                     bits, (unsigned)load(run->got + order[i].place * 4, 4), i);
    size_t place = 0;
    for (uint32_t d = 0; d < 1u << bits; d++) {
        while (place < run->tile && (is_falling ? (1u << bits) - 1 - order[place].key : order[place].key) < d)
            place++;
        cr_assert_eq(load(run->got + (run->tile + d) * 4, 4), place, "%s: digit %u begins at %u, not %zu", run->what, d,
                     (unsigned)load(run->got + (run->tile + d) * 4, 4), place);
    }
}

/* Check the order: `size` bytes per key in the input and, if values have a size, marks of the values after the tile. */
static void expect_order(const sort_run *run, const placed *order, size_t size, size_t value_size, const char *what)
{
    const unsigned char *values = run->got + (run->tile + 15) / 16 * 16 * size;
    for (size_t i = 0; i < run->tile; i++) {
        cr_assert(memcmp(run->got + i * size, run->in + order[i].place * size, size) == 0, "%s: %s: number %zu",
                  run->what, what, i);
        if (value_size == 0)
            continue;
        const size_t mark_size = value_size < 4 ? value_size : 4;
        const uint64_t mark = order[i].place & (mark_size < 4 ? (UINT64_C(1) << mark_size * 8) - 1 : UINT32_MAX);
        cr_assert_eq(load(values + i * value_size, mark_size), mark, "%s: %s: value %zu", run->what, what, i);
    }
}

/* For large tiles, only one range of bits or count in several is used, with another one for each input: Oclgrind is
 * slow. */
static size_t step(const sort_run *run)
{
    return run->tile > 500 ? 3 : 1;
}

static void check_radix(sort_run *run)
{
    const sort_case *self = run->self;
    const uint32_t all = self->key_size * 8;
    const uint32_t ranges[][2] = {{0, all}, {3, all - 3}, {1, 5}, {all - 1, 1}, {all, 0}, {2, 0}};
    uint64_t state = TEST_SEED;
    for (size_t kind = 0; kind < INPUTS; kind++) {
        for (size_t i = 0; i < run->tile; i++) {
            const uint64_t key = hostile(kind, i, run->tile, &state) >> (64 - all);
            memcpy(run->in + i * self->key_size, &key, self->key_size);
        }
        for (uint32_t begin = 0; begin < all; begin += kind == RANDOM ? 5 : all - 1)
            check_rank(run, begin, self->rank_bits < all - begin ? self->rank_bits : all - begin);
        check_rank(run, 1, 0);
        for (size_t r = kind % step(run); r < sizeof ranges / sizeof *ranges; r += step(run)) {
            const cl_uint4 numbers = {{ranges[r][0], ranges[r][1], 0, 0}};
            launch(run, "sort_keys", numbers, run->tile * self->key_size);
            expect_order(run, in_order(run, ranges[r][0], ranges[r][1], is_descending(self->keys_by)), self->key_size,
                         0, "keys");
            launch(run, "sort_pairs", numbers, run->tile * self->key_size);
            expect_order(run, in_order(run, ranges[r][0], ranges[r][1], is_descending(self->pairs_by)), self->key_size,
                         self->value_size, "pairs");
        }
    }
}

static void check_merge(sort_run *run)
{
    const sort_case *self = run->self;
    const size_t size = self->item_size;
    const size_t counts[] = {run->tile, run->tile - 1, run->tile / 2, 1, 0, run->tile / 3 * 2};
    placed *order = test_memory(10, run->tile * sizeof *order);
    uint64_t state = TEST_SEED;
    memset(run->in, 0, run->tile * size);
    for (size_t kind = 0; kind < INPUTS; kind++)
        for (size_t c = kind % step(run); c < sizeof counts / sizeof *counts; c += step(run)) {
            const size_t n = counts[c];
            for (size_t i = 0; i < run->tile; i++) {
                const uint64_t x = hostile(kind, i, run->tile, &state);
                const uint64_t key = size >= 8 ? x >> 32 : x >> (64 - size * 4);
                const uint64_t item =
                    size >= 8 ? key | (uint64_t)i << 32 : key << size * 4 | (i & ((UINT64_C(1) << size * 4) - 1));
                memcpy(run->in + i * size, &item, size < 8 ? size : 8);
                order[i] = (placed){key, i};
            }
            qsort(order, n, sizeof *order, by_key_and_place);
            launch(run, "merge_sort", (cl_uint4){{(cl_uint)n, 0, 0, 0}}, run->tile * size);
            expect_order(run, order, size, 0, "merge sort");
            launch(run, "merge_sort_pairs", (cl_uint4){{(cl_uint)n, 0, 0, 0}}, run->tile * size);
            expect_order(run, order, size, self->value_size, "merge sort of pairs");
        }
}

/* The largest local memory that any of the kernels needs. */
static size_t local_bytes(const sort_case *self)
{
    const size_t tile = self->group_size * self->items;
    const size_t most = self->value_size > self->item_size ? self->value_size : self->item_size;
    const size_t counters = self->group_size * 64 + (self->rank_bits > 4 ? tile * 3 : 0) + 1024;
    return tile * (most > self->key_size ? most + 2 : self->key_size + 2) * 33 / 32 + counters;
}

/* A struct, so that all types have a mark. */
static const char *filler(char *text, size_t room, size_t size, size_t taken, const char *first)
{
    const size_t word = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    const char *type = word == 4 ? "uint" : word == 2 ? "ushort" : "uchar";
    if (size > taken * word)
        (void)snprintf(text, room, "struct { %s %s, rest[%zu]; }", type, first, size / word - taken);
    else
        (void)snprintf(text, room, "struct { %s %s; }", type, first);
    return text;
}

static void check_case(const clprim_runtime *runtime, const sort_case *self, size_t way)
{
    static char text[16384];
    const size_t tile = self->group_size * self->items;
    const size_t size = self->item_size;
    const size_t most = 64 * tile > 4096 ? 64 * tile : 4096;
    sort_run run = {.runtime = runtime, .self = self, .tile = tile, .out_bytes = 2 * most + 4096};
    char value[96];
    char item[96];
    char less[96];
#define PLACE(function) (strstr(function, "striped") != NULL ? "k * SIZE + lid" : "lid * ITEMS + k")
    (void)snprintf(run.what, sizeof run.what, "groups of %zu, %zu items, %s, way %zu", self->group_size, self->items,
                   self->key, way);
    if (size >= 8) {
        (void)filler(item, sizeof item, size, 2, "key, mark");
        (void)strcpy(less, "a.key < b.key");
    } else {
        (void)strcpy(item, size == 4 ? "uint" : size == 2 ? "ushort" : "uchar");
        (void)snprintf(less, sizeof less, "a >> %zu < b >> %zu", size * 4, size * 4);
    }
    (void)snprintf(text, sizeof text,
                   "#define SIZE %zu\n#define ITEMS %zu\n#define KEY %s\n#define BITS %u\ntypedef %s VALUE;\n"
                   "typedef %s ITEM;\n#define LESS %s\n#define RANK ranks_rank%s\n#define KEYS_BY(name) name##_sort%s\n"
                   "#define KEYS_TO(lid, k) (%s)\n#define PAIRS_BY(name) name##_sort%s\n#define PAIRS_TO(lid, k) (%s)\n"
                   "#define MERGE_BY(name) name##_sort%s\n#define MERGE_TO(lid, k) (%s)\n"
                   "#define MERGE_PAIRS_BY(name) name##_sort%s\n#define MERGE_PAIRS_TO(lid, k) (%s)\n%s",
                   self->group_size, self->items, self->key, self->rank_bits,
                   filler(value, sizeof value, self->value_size, 1, "mark"), item, less,
                   is_descending(self->keys_by) ? "_descending" : "", self->keys_by, PLACE(self->keys_by),
                   self->pairs_by, PLACE(self->pairs_by),
                   strstr(self->keys_by, "_to_striped") != NULL ? "_to_striped" : "", PLACE(self->keys_by),
                   strstr(self->pairs_by, "_to_striped") != NULL ? "_to_striped" : "", PLACE(self->pairs_by), KERNELS);
    run.program = device_build(runtime, way, "", text);
    run.in = test_memory(11, most);
    run.got = test_memory(12, run.out_bytes);
    run.input = test_buffer(runtime, most);
    run.output = test_buffer(runtime, run.out_bytes);
    check_radix(&run);
    check_merge(&run);
    ASSERT_CL(clReleaseMemObject(run.input));
    ASSERT_CL(clReleaseMemObject(run.output));
    ASSERT_CL(clReleaseProgram(run.program));
}

TEST_EACH(device, sorts, CASES *WAYS, .timeout = 1800)
{
    const sort_case *self = &cases[*number % CASES];
    const size_t way = *number / CASES;
    char name[64];
    (void)snprintf(name, sizeof name, "device sorts %zu", *number);
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    if ((self->ways >> way & 1) != 0 && self->group_size <= info->max_work_group_size &&
        local_bytes(self) <= info->local_memory_size && (way < BY_SOFTWARE || info->vendor == CLPRIM_VENDOR_POCL) &&
        test_is_sampled(name))
        check_case(runtime, self, way);
    clprim_runtime_destroy(runtime);
}
