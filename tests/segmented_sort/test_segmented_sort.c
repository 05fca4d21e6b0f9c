// SPDX-License-Identifier: MIT
/* test_segmented_sort.c: every variant sorts the segments as the reference does, for keys of every type, values of all
 * sizes, indices, both directions, both types of offsets, and segments of all shapes, in place and not. By default each
 * variant meets each size of keys, each type meets a variant, and each kind of values does; with CLPRIM_TEST_FULL set,
 * every variant meets every type with all kinds of values. */
#include <stdio.h>

#include "files.h"
#include "ordered.h"

enum {
    SOME = 3001,
    MANY = 30011,
    LONG_ENOUGH = 100003, /* for segments that are long to CPU_CHUNK */
    SHORT = 200,          /* a promise */
    TYPES = CLPRIM_TYPE_END - 1
};
#define VARIANTS ((size_t)test_last_variant(&clprim_segmented_sort_operation) + 1) /* with AUTO */

static const size_t sizes[] = {0, 1, 2, 5, 31, 33, 255, 257, 1000, SOME, MANY};

static size_t value_size_of(const clprim_segmented_sort_desc *desc)
{
    return !desc->argsort ? desc->value_size : desc->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
}

/* Where the header promises that the device can run it. */
static bool must_work(const clprim_segmented_sort_desc *desc, const clprim_device_info *info)
{
    const bool is_short = desc->max_segment_size != 0 && desc->max_segment_size <= info->local_memory_size / 256 &&
                          desc->max_segment_size <= 2 * info->max_work_group_size;
    switch (desc->variant) {
    case CLPRIM_SEGMENTED_SORT_LOCAL: return is_short;
    case CLPRIM_SEGMENTED_SORT_MIXED:
    case CLPRIM_SEGMENTED_SORT_CPU_CHUNK: return desc->max_count <= UINT32_MAX;
    default: return true;
    }
}

static bool create(test_call *self, clprim_runtime *runtime, const clprim_segmented_sort_desc *desc)
{
    return test_call_must(self, runtime, &clprim_segmented_sort_operation, desc,
                          must_work(desc, clprim_runtime_info(runtime)));
}

static test_segments segments; /* of the call that is checked */

/* Where no segment is, outputs stay as they are. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_segmented_sort_desc *d = desc;
    const clprim_segmented_sort_call *c = call;
    const clprim_reference_sort_how how = {.key_type = d->key_type,
                                           .value_size = value_size_of(d),
                                           .argsort = d->argsort,
                                           .descending = d->descending,
                                           .bit_range = d->bit_range,
                                           .begin_bit = d->begin_bit,
                                           .end_bit = d->end_bit,
                                           .nan_order = d->nan_order};
    const size_t begin = (size_t)segments.bounds[0];
    const size_t count = (size_t)segments.bounds[segments.count] - begin;
    const size_t size = clprim_type_size(d->key_type);
    memcpy((char *)c->keys_out.host + begin * size, (char *)c->keys_in.host + begin * size, count * size);
    if (d->value_size > 0)
        memcpy((char *)c->values_out.host + begin * d->value_size, (char *)c->values_in.host + begin * d->value_size,
               count * d->value_size);
    return clprim_reference_segmented_sort(c->keys_out.host, c->values_out.host, &how, c->count, CLPRIM_U64,
                                           segments.bounds, segments.count);
}

/* Of replaced, bit 0 says that keys are sorted in place, bit 1 that values are. */
static void check_segments(test_call *self, test_segments of, size_t count, test_data data, uint64_t replaced,
                           uint64_t seed)
{
    const clprim_segmented_sort_desc *desc = (const void *)self->desc.bytes;
    segments = of;
    const clprim_segmented_sort_call call = {.offsets = {.host = test_pack_bounds(&segments, desc->offsets_type)},
                                             .count = count,
                                             .segment_count = segments.count};
    self->reference = reference;
    self->is_unspecified = of.shape == TEST_SEGMENTS_MALFORMED;
    self->replaced = replaced;
    test_call_fill_data(self, &call, data, seed);
    test_call_check(self, "%s, shape %d", test_data_name(data), (int)of.shape);
}

static void check(test_call *self, test_shape shape, size_t count, test_data data, uint64_t replaced, uint64_t seed)
{
    const clprim_segmented_sort_desc *desc = (const void *)self->desc.bytes;
    const bool is_limited = desc->max_segment_size != 0 && shape != TEST_SEGMENTS_MALFORMED;
    const size_t longest = is_limited ? desc->max_segment_size : SIZE_MAX;
    check_segments(self, test_make_segments(shape, count, longest, seed), count, data, replaced, seed);
}

/* All shapes at one size, at each in another way; then all sizes. */
static void check_all(test_call *self, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++)
        for (uint64_t replaced = 0; replaced < 4; replaced++, turn++)
            check(self, shape, replaced == 0 ? MANY : SOME, turn % TEST_DATA_END, replaced, turn);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++)
        check(self, TEST_SEGMENTS_ONE + turn % (TEST_SEGMENTS_END - 1), sizes[i], turn % TEST_DATA_END, turn % 4, turn);
    for (int data = 0; data < TEST_DATA_END; data++, turn++)
        check(self, TEST_SEGMENTS_EDGES, MANY, data, turn % 4, turn);
    check(self, seed % 2 == 0 ? TEST_SEGMENTS_GIANT : TEST_SEGMENTS_ONE, LONG_ENOUGH, turn % TEST_DATA_END, 0, turn);
    for (uint64_t i = 0; i < 10; i++, turn++)
        check(self, TEST_SEGMENTS_MALFORMED, i % 2 == 0 ? SOME : MANY, turn % TEST_DATA_END, turn % 4, turn);
    for (uint64_t replaced = 0; replaced < 4; replaced += 3) {
        check(self, TEST_SEGMENTS_INSIDE, SOME, TEST_DATA_RANDOM, replaced, turn);
        test_call_check_run(self, "on the host");
    }
}

static void check_giants(test_call *self)
{
    check(self, TEST_SEGMENTS_GIANTS, LONG_ENOUGH, TEST_DATA_RANDOM, 0, 7);
    check(self, TEST_SEGMENTS_MALFORMED, LONG_ENOUGH, TEST_DATA_RANDOM, 0, 3);
}

/* Scratch memory of the caller's that is a part of a larger buffer, whose content is not zero, is just enough for calls of
 * `most` elements, and nothing around it is written, whatever the offsets are. */
static void check_exact_scratch(test_call *self, size_t most, void (*check_calls)(test_call *self))
{
    const clprim_runtime *runtime = self->runtime;
    const size_t unit = clprim_runtime_info(runtime)->base_address_alignment;
    size_t bytes = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_segmented_sort_call){.count = most}));
    const size_t all = unit + bytes + 4096;
    unsigned char *before = test_memory(10, all);
    unsigned char *after = test_memory(11, all);
    memset(before, 0xff, all);
    cl_mem parent = test_upload(runtime, before, all);
    cl_mem scratch = test_part(parent, unit, bytes);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, scratch));
    check_calls(self);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, NULL));
    test_read(runtime, after, parent, all);
    test_expect_kept(before, after, unit, unit + bytes, all, self->name);
    ASSERT_CL(clReleaseMemObject(scratch));
    ASSERT_CL(clReleaseMemObject(parent));
}

/* How much scratch memory a call takes is what the header says, for as many elements as the plan takes, or so many that
 * single ones do not count. */
static void check_scratch_size(const test_call *self)
{
    const clprim_segmented_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t count = desc->max_count != 0 ? desc->max_count : (size_t)1 << 26;
    const size_t values = value_size_of(desc);
    const size_t size = clprim_type_size(desc->key_type);
    const bool is_local = desc->variant == CLPRIM_SEGMENTED_SORT_LOCAL;
    const size_t limit = is_local ? 1 : size == 8 ? 32 + values : 2 * 8 + 2 * values;
    size_t bytes = 0;
    if (!is_local && desc->max_segment_size != 0)
        return;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_segmented_sort_call){.count = count}));
    cr_assert_leq(bytes, count * limit / 8 * 9 + count / 64, "%s: %zu bytes", self->name, bytes);
}

/* Plans cost most of the time: each is here for several reasons. */
#define BY(name) CLPRIM_SEGMENTED_SORT_##name
#define DESC(key_type_, value_size_, argsort_, index_type_, descending_, nan_order_, offsets_type_, max_count_,        \
             max_segments_, max_segment_size_, variant_, work_group_size_)                                             \
    {                                                                                                                  \
        .key_type = (key_type_), .value_size = (value_size_), .argsort = (argsort_), .index_type = (index_type_),      \
        .descending = (descending_), .nan_order = (nan_order_), .offsets_type = (offsets_type_),                       \
        .max_count = (max_count_), .max_segments = (max_segments_), .max_segment_size = (max_segment_size_),           \
        .variant = (variant_), .work_group_size = (work_group_size_)                                                   \
    }
static const clprim_segmented_sort_desc descs[] = {
    DESC(CLPRIM_U32, 0, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, LONG_ENOUGH, 0, SHORT, BY(LOCAL), 0),
    DESC(CLPRIM_F64, 16, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U64, 0, 0, SHORT, BY(LOCAL), 32),
    DESC(CLPRIM_I8, 0, true, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, BY(MIXED), 256),
    DESC(CLPRIM_F32, 0, true, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, 0, 0, BY(MIXED), 0),
    DESC(CLPRIM_F16, 2, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U64, LONG_ENOUGH, 300000, 0, BY(COMPOSITE), 0),
    DESC(CLPRIM_I32, 16, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, BY(COMPOSITE), 0),
    DESC(CLPRIM_I64, 0, true, CLPRIM_U64, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, BY(COMPOSITE), 0),
    DESC(CLPRIM_U8, 1, false, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, BY(CPU_CHUNK), 0),
    DESC(CLPRIM_U16, 0, true, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, 0, 0, BY(CPU_CHUNK), 0),
    DESC(CLPRIM_I16, 4, false, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, BY(CPU_CHUNK), 0),
    DESC(CLPRIM_U64, 8, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, LONG_ENOUGH, 0, 0, BY(CPU_CHUNK), 0),
    DESC(CLPRIM_F32, 0, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, BY(AUTO), 0),
    /* NaNs behind all numbers, where a code has room for a key and where it has none */
    DESC(CLPRIM_F32, 4, false, CLPRIM_U32, false, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, BY(CPU_CHUNK), 0),
    DESC(CLPRIM_F64, 0, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, BY(COMPOSITE), 0),
    DESC(CLPRIM_F32, 0, true, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, BY(MIXED), 0),
    /* and of the narrowest floats */
    DESC(CLPRIM_BF16, 4, false, CLPRIM_U32, false, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, BY(CPU_CHUNK), 0),
    DESC(CLPRIM_BF16, 0, true, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, BY(COMPOSITE), 0),
/* Some bits of the keys: the highest, the lowest, some amid, and none; the rest of a key moves with them. */
#define BITS(begin, end, key, ...)                                                                                     \
    {                                                                                                                  \
        .key_type = (key), .bit_range = true, .begin_bit = (begin), .end_bit = (end), __VA_ARGS__                      \
    }
    BITS(3, 9, CLPRIM_U32, .max_segment_size = SHORT, .variant = BY(LOCAL), .work_group_size = 256),
    BITS(7, 64, CLPRIM_I16, .value_size = 4, .max_segment_size = SHORT, .variant = BY(LOCAL)),
    BITS(5, 5, CLPRIM_F32, .argsort = true, .max_segment_size = SHORT, .variant = BY(LOCAL)),
    BITS(20, 32, CLPRIM_U32, .variant = BY(MIXED)), /* an odd number of digits, up to the highest bit */
    BITS(2, 7, CLPRIM_U8, .value_size = 16, .descending = true, .variant = BY(MIXED)),
    BITS(44, 64, CLPRIM_F64, .value_size = 8, .nan_order = CLPRIM_NAN_LAST, .variant = BY(MIXED),
         .work_group_size = 256),
    BITS(17, 41, CLPRIM_I64, .variant = BY(MIXED)),
    BITS(0, 0, CLPRIM_U16, .variant = BY(MIXED)),
    BITS(1, 12, CLPRIM_F16, .argsort = true, .variant = BY(COMPOSITE)),
    BITS(20, 51, CLPRIM_U64, .value_size = 2, .descending = true, .variant = BY(COMPOSITE)),
    BITS(9, 9, CLPRIM_I32, .value_size = 1, .variant = BY(COMPOSITE)),
    BITS(77, 99, CLPRIM_I64, .variant = BY(COMPOSITE)),
    BITS(4, 30, CLPRIM_F32, .value_size = 8, .descending = true, .variant = BY(CPU_CHUNK)),
    BITS(31, 32, CLPRIM_I32, .variant = BY(CPU_CHUNK)),
    BITS(0, 3, CLPRIM_U64, .argsort = true, .index_type = CLPRIM_U64, .variant = BY(CPU_CHUNK)),
    BITS(6, 6, CLPRIM_U8, .value_size = 2, .variant = BY(CPU_CHUNK)),
};

enum { NUM_DESCS = sizeof descs / sizeof *descs, PARTS = 3 };
#define ALL_DESCS (VARIANTS * TYPES * 8)

/* Every variant, type and kind of values, only when asked for: each compiles. */
static clprim_segmented_sort_desc desc_of(size_t i)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16, 0, 0}; /* the last two of indices */
    const clprim_segmented_sort_variant variant = (clprim_segmented_sort_variant)(i / 8 / TYPES);
    return (clprim_segmented_sort_desc){.key_type = (clprim_type)(1 + i / 8 % TYPES),
                                        .value_size = value_sizes[i % 8],
                                        .argsort = i % 8 >= 6,
                                        .index_type = i % 8 == 7 ? CLPRIM_U64 : CLPRIM_U32,
                                        .descending = i % 2 == 1,
                                        .offsets_type = i / 2 % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                        .max_segment_size = variant == BY(LOCAL) || i % 3 == 0 ? SHORT : 0,
                                        .variant = variant};
}

/* The plans with a number of this remainder, so that tests run side by side. */
TEST_EACH_WITH_RUNTIME(segmented_sort, as_the_reference_does, PARTS)
{
    for (size_t i = number; i < (test_is_full() ? NUM_DESCS + ALL_DESCS : NUM_DESCS); i += PARTS) {
        const clprim_segmented_sort_desc desc = i < NUM_DESCS ? descs[i] : desc_of(i - NUM_DESCS);
        TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
            check_all(&self, TEST_SEED + i);
            check_exact_scratch(&self, LONG_ENOUGH, check_giants);
            check_scratch_size(&self);
        }
    }
}

/* Lengths around what a tile holds, each alone and with neighbours: whatever the device makes a tile of. */
TEST_WITH_RUNTIME(segmented_sort, segments_as_large_as_a_tile)
{
    TEST_WITH_CALL(self, create(&self, runtime, &descs[3])) /* MIXED, with indices */
        for (size_t length = 128; length <= 16384; length *= 2)
            for (size_t count = length - 1; count <= length + 1; count++)
                for (int i = 0; i < 2; i++)
                    check(&self, i == 0 ? TEST_SEGMENTS_ONE : TEST_SEGMENTS_GIANT, count, count % TEST_DATA_END,
                          count % 4, count);
}

enum { EMPTY = 1 << 20 };

/* Segments of these lengths in turn, and so many empty ones before them, in their midst and behind them. */
static test_segments segments_of(const size_t *lengths, size_t kinds, size_t count, size_t empty)
{
    static uint64_t bounds[2 * MANY + 3 * EMPTY];
    test_segments self = {TEST_SEGMENTS_SHORT, bounds, 0};
    uint64_t begin = 0;
    for (size_t turn = 0; begin < count; turn++) {
        const uint64_t left = count - begin;
        const bool is_midst = begin < count / 2 && begin + lengths[turn % kinds] >= count / 2;
        for (size_t i = 0; i < (turn == 0 || is_midst ? empty : 0); i++)
            bounds[self.count++] = begin;
        bounds[self.count++] = begin;
        begin += lengths[turn % kinds] < left ? lengths[turn % kinds] : left;
    }
    for (size_t i = 0; i < empty; i++)
        bounds[self.count++] = begin;
    bounds[self.count] = begin;
    return self;
}

/* Segments as long as what a work-item sorts in registers, by networks of all sizes: a work-item's alone, and with some
 * that are longer by one; and a million that are empty. Each kind of key, of value and of way for long ones is there. */
TEST_EACH(segmented_sort, segments_as_long_as_a_network, 7, .timeout = 1800)
{
    static const struct {
        clprim_type key_type;
        size_t value_size;
        bool argsort;
        size_t network;
        const char *without;
    } plans[] = {{CLPRIM_I8, 0, true, 1, NULL},
                 {CLPRIM_U16, 16, false, 8, "device_fence"},
                 {CLPRIM_F16, 2, false, 13, NULL},
                 {CLPRIM_U32, 0, false, 16, "device_fence"},
                 {CLPRIM_F64, 8, false, 20, NULL},
                 {CLPRIM_F32, 4, false, 24, "device_fence"},
                 {CLPRIM_I64, 0, false, 32, "int64_atomics"}};
    const size_t network = plans[*number].network;
    const size_t lengths[] = {network, 1, 0, 2, network - 1, network, 0,  network / 2, network, network + 1,
                              network, 1, 3, 0, network - 1, network, 31, 32,          33,      network};
    const clprim_segmented_sort_desc desc = {.key_type = plans[*number].key_type,
                                             .value_size = plans[*number].value_size,
                                             .argsort = plans[*number].argsort,
                                             .descending = *number % 2 == 1,
                                             .variant = BY(MIXED)};
    char directory[TEST_PATH_SIZE];
    char line[64];
    test_directory_create(directory);
    const char *path = test_path(directory, "tuning.txt");
    const int size = snprintf(line, sizeof line, "segmented_sort local network=%zu\n", network);
    test_write_file(path, line, (size_t)size);
    test_setenv("CLPRIM_TUNING", path);
    test_without(plans[*number].without);
    clprim_runtime *runtime = test_runtime(NULL);
    TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
        for (int data = 0; data < TEST_DATA_END; data++)
            for (size_t kinds = 9; kinds <= 20; kinds += kinds == 9 ? 1 : 10) /* without longer ones, and with them */
                check_segments(&self, segments_of(lengths, kinds, data % 2 == 0 ? SOME : MANY, 0),
                               data % 2 == 0 ? SOME : MANY, data, (uint64_t)data % 4, TEST_SEED + (uint64_t)data);
        check_segments(&self, segments_of(lengths, 9 + *number, MANY, EMPTY), MANY, TEST_DATA_RANDOM, 0, TEST_SEED);
        check(&self, TEST_SEGMENTS_GIANTS, MANY, TEST_DATA_RANDOM, 0, TEST_SEED);
    }
    clprim_runtime_destroy(runtime);
    test_directory_remove(directory);
}

/* Few segments, each of which has a work-group of its own. A tile has 256 elements, and up to 64 are enumerated. */
enum {
    FEW_TILE = 256,
    FEW_ENUMERATED = 64,
    FEW_LISTS = 10,
    FEW_KINDS = 10,
    FEW = 40,
    FEW_MALFORMED = 5003,
    FEW_EMPTY = 400
};

static const size_t few_lengths[FEW_LISTS][FEW_KINDS] = {
    {0, 1, 2, 3, 0, 31, 32, 33, 5, 0},
    {FEW_ENUMERATED - 1, FEW_ENUMERATED, FEW_ENUMERATED + 1, 2 * FEW_ENUMERATED - 1, 2 * FEW_ENUMERATED,
     2 * FEW_ENUMERATED + 1, 100, 190, 191, 193},
    {FEW_TILE - 1, FEW_TILE, FEW_TILE, FEW_TILE - 2, 1, FEW_TILE, 0, 2, FEW_TILE - 1, FEW_TILE},
    {FEW_TILE - 1, FEW_TILE, FEW_TILE + 1, 0, FEW_TILE + 1, FEW_TILE + 2, 2 * FEW_TILE, 2 * FEW_TILE + 1, 3, FEW_TILE},
    {7, 1, 5000, 2, 3, 0, 11, FEW_TILE, 40, 1},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 20000},
    {0},
    /* parts of long ones: from a multiple of the tile on, up to one, one more and one less; two halves; one alone */
    {2 * FEW_TILE, FEW_TILE + 1, FEW_TILE - 1, 5 * FEW_TILE, 3 * FEW_TILE - 1, 1, 0, 4 * FEW_TILE + 1, 255,
     7 * FEW_TILE},
    {0, 10000, 0, 0, 0, 10000, 0, 0, 0, 0},
    {8 * FEW_TILE - 2, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

/* With values of MOST_VALUE bytes these are more than 4 MiB. */
enum { MOST_VALUE = 16 };
static const size_t many_elements[FEW_KINDS] = {7, 60000, 1, FEW_TILE + 1, 0, 30001, FEW_TILE, 2, 5, 200000};

/* Segments of these lengths in turn, from element `begin` on; then FEW_EMPTY without elements. */
static test_segments few_segments(const size_t *lengths, size_t kinds, uint64_t begin)
{
    static uint64_t bounds[FEW + FEW_EMPTY + 1];
    bounds[0] = begin;
    for (size_t s = 0; s < kinds; s++)
        bounds[s + 1] = bounds[s] + lengths[s % FEW_KINDS];
    for (size_t s = kinds; s < FEW + FEW_EMPTY; s++)
        bounds[s + 1] = bounds[s];
    return (test_segments){TEST_SEGMENTS_SHORT, bounds, kinds};
}

/* Offsets that descend, repeat long segments, or lie behind the array. Between two such calls, right offsets. */
static void check_few_malformed(test_call *self)
{
    const bool are_short = ((const clprim_segmented_sort_desc *)(const void *)self->desc.bytes)->max_segment_size != 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        static uint64_t bounds[FEW + 1];
        for (uint64_t s = 0; s <= FEW; s++)
            bounds[s] = seed == 0 ? s % 2 * FEW_MALFORMED
                                  : (s + 1) * (seed * 2654435761) / 7 % (seed % 3 == 0 ? 9000 : FEW_MALFORMED);
        check_segments(self, (test_segments){TEST_SEGMENTS_MALFORMED, bounds, FEW}, FEW_MALFORMED, TEST_DATA_RANDOM,
                       seed % 4, seed);
        const test_segments right = few_segments(few_lengths[are_short ? 2 : 3], FEW_KINDS, seed % 2);
        check_segments(self, right, right.bounds[right.count], TEST_DATA_RANDOM, seed % 4, seed);
    }
}

TEST_EACH(segmented_sort, few_segments, 14, .timeout = 1800)
{
    static const struct {
        clprim_segmented_sort_desc desc;
        const char *own; /* parameters */
        const char *without;
    } plans[] = {
        {{.key_type = CLPRIM_U32}, "", NULL},
        {{.key_type = CLPRIM_U32, .value_size = 4}, "whole_per_unit=0 ", NULL}, /* the same by windows */
        {{.key_type = CLPRIM_U8, .value_size = 16, .descending = true}, "", NULL},
        {{.key_type = CLPRIM_F64, .value_size = 8, .offsets_type = CLPRIM_U64, .nan_order = CLPRIM_NAN_LAST}, "", NULL},
        {{.key_type = CLPRIM_I64, .argsort = true, .descending = true}, "", NULL},
        {{.key_type = CLPRIM_I16, .value_size = 1, .bit_range = true, .begin_bit = 3, .end_bit = 12}, "", NULL},
        {{.key_type = CLPRIM_F32, .argsort = true, .bit_range = true, .begin_bit = 5, .end_bit = 5}, "", NULL},
        {{.key_type = CLPRIM_F32, .max_segment_size = FEW_TILE}, "", NULL},              /* one launch */
        {{.key_type = CLPRIM_U16}, "groups_per_unit=64 most_merged=0 ", "device_fence"}, /* long ones by sweeps */
        {{.key_type = CLPRIM_U32, .value_size = 4, .descending = true}, "", NULL},
        {{.key_type = CLPRIM_U8, .value_size = 4, .descending = true},
         "groups_per_unit=64 group_size=256 ",
         "forward_progress"}, /* by merges of up to 32 parts */
        {{.key_type = CLPRIM_F64, .argsort = true}, "groups_per_unit=6 most_merged=0 ", "int64_atomics,device_fence"},
        /* by merges of up to 8 parts: two launches, or four */
        {{.key_type = CLPRIM_U32, .value_size = 4}, "", "device_fence"},
        /* the same, but large calls, and those of which the average segment is long, by sweeps */
        {{.key_type = CLPRIM_I64, .value_size = 2, .descending = true, .offsets_type = CLPRIM_U64},
         "most_merged=20000 ",
         "forward_progress,sub_groups"},
    };
    clprim_segmented_sort_desc desc = plans[*number].desc;
    desc.variant = BY(MIXED);
    char directory[TEST_PATH_SIZE];
    char line[200];
    test_directory_create(directory);
    const char *path = test_path(directory, "tuning.txt");
    const int size = snprintf(
        line, sizeof line,
        "segmented_sort local group_size=64 items=%d whole_enumerated=%d long_bytes=32 swept_bytes=32 %s%s\n",
        FEW_TILE / 64, FEW_ENUMERATED, plans[*number].own, plans[*number].own[0] == '\0' ? "whole_per_unit=64" : "");
    test_write_file(path, line, (size_t)size);
    test_setenv("CLPRIM_TUNING", path);
    test_without(plans[*number].without);
    clprim_runtime *runtime = test_runtime(NULL);
    TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
        uint64_t turn = *number;
        for (size_t list = 0; list < FEW_LISTS; list++)
            for (int data = 0; data < TEST_DATA_END && (desc.max_segment_size == 0 || list < 3 || list == 6);
                 data++, turn++) {
                const size_t begin = turn % 3;
                const size_t kinds = turn % 5 == 0 ? 1 + turn % FEW_KINDS : turn % 2 == 0 ? FEW_KINDS : FEW;
                test_segments of = few_segments(few_lengths[list], kinds, begin);
                if (plans[*number].without != NULL && turn % 4 != 3) /* the average is short: parts are merged */
                    of.count += FEW_EMPTY;
                check_segments(&self, of, of.bounds[kinds] + turn / 3 % 3, data, turn % 4, TEST_SEED + turn);
            }
        check_few_malformed(&self);
        check_exact_scratch(&self, FEW_MALFORMED, check_few_malformed);
        if (desc.value_size == MOST_VALUE) { /* more than 4 MiB: a second launch for long ones */
            const test_segments of = few_segments(many_elements, FEW_KINDS, 1);
            check_segments(&self, of, of.bounds[FEW_KINDS] + 1, TEST_DATA_RANDOM, 0, TEST_SEED);
        }
    }
    clprim_runtime_destroy(runtime);
    test_directory_remove(directory);
}

/* If a kernel for long segments does not compile, or groups may not wait for each other, they are sorted in another way, as
 * correctly: only the timeline shows it. */
TEST_EACH(segmented_sort, long_segments_take_their_kernels, 6, .timeout = 600)
{
    const bool are_few = *number % 2 != 0;
    const bool may_wait = *number < 4;
    const char *kernel = !may_wait ? (are_few ? "segmented_sort_sweep" : "segmented_sort_merge")
                         : are_few ? "segmented_sort_whole"
                                   : "segmented_sort_long";
    const clprim_segmented_sort_desc desc = {.key_type = *number / 2 % 2 == 0 ? CLPRIM_U32 : CLPRIM_F64,
                                             .value_size = *number / 2 % 2 == 0 ? 0 : 8,
                                             .variant = BY(MIXED)};
    char directory[TEST_PATH_SIZE];
    char line[100];
    test_directory_create(directory);
    /* Merges take fewer launches, but longer if the average segment is longer than a tile: then by sweeps. */
    const int size =
        snprintf(line, sizeof line, "segmented_sort local long_bytes=32 swept_bytes=32 whole_per_unit=%d%s\n",
                 are_few ? 64 : 0, are_few && !may_wait ? " group_size=64 items=4" : "");
    test_write_file(test_path(directory, "tuning.txt"), line, (size_t)size);
    test_setenv("CLPRIM_TUNING", test_path(directory, "tuning.txt"));
    test_setenv("CLPRIM_TRACE", test_path(directory, "trace.json"));
    test_setenv("CLPRIM_SELF_TEST", "off"); /* whose kernels would be in the timeline, too */
    if (!may_wait)
        test_without("forward_progress");
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    const bool can_wait = info->has_forward_progress && info->has_device_fence && info->has_int64_atomics;
    bool is_made = false; /* a sample leaves plans out */
    TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
        is_made = true;
        test_segments of = few_segments(few_lengths[5], FEW_KINDS, 0);
        of.count += are_few ? 0 : FEW_EMPTY;
        check_segments(&self, of, of.bounds[FEW_KINDS], TEST_DATA_RANDOM, 0, TEST_SEED);
    }
    cr_assert(is_made || test_is_sample());
    clprim_runtime_destroy(runtime);
    size_t length = 0;
    char *text = is_made ? test_read_file(test_path(directory, "trace.json"), &length) : NULL;
    cr_assert(!is_made || (may_wait && !can_wait) || strstr(text, kernel) != NULL, "no %s in the timeline", kernel);
    free(text);
    test_directory_remove(directory);
}

/* Segments of some hundred elements on average have a group each, long ones among them none, and only the timeline shows
 * it. */
Test(segmented_sort, have_a_group_each, .timeout = 600)
{
    static const clprim_segmented_sort_desc keys[] = {
        {.key_type = CLPRIM_U32, .variant = BY(MIXED)},
        {.key_type = CLPRIM_F32, .value_size = 4, .descending = true, .variant = BY(MIXED)},
        {.key_type = CLPRIM_I64, .offsets_type = CLPRIM_U64, .variant = BY(MIXED)}};
    static const size_t lengths[FEW_KINDS] = {700, 1, 2000, 1024, 0, 513, 2500, 4096, 257, 4097};
    static const char line[] =
        "segmented_sort local group_size=256 items=15 whole_per_unit=0 most_merged=0 long_bytes=32 swept_bytes=32\n";
    char directory[TEST_PATH_SIZE];
    test_directory_create(directory);
    test_write_file(test_path(directory, "tuning.txt"), line, sizeof line - 1);
    test_setenv("CLPRIM_TUNING", test_path(directory, "tuning.txt"));
    test_setenv("CLPRIM_TRACE", test_path(directory, "trace.json"));
    test_setenv("CLPRIM_SELF_TEST", "off"); /* whose kernels would be in the timeline, too */
    clprim_runtime *runtime = test_runtime(NULL);
    const size_t group_size = clprim_runtime_info(runtime)->max_work_group_size;
    bool is_made = false; /* a sample leaves plans out */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        TEST_WITH_CALL(self, create(&self, runtime, &keys[i])) {
            is_made = true;
            for (int data = 0; data < TEST_DATA_END; data += 1 + (int)i) {
                const test_segments of = few_segments(lengths, FEW_KINDS, (uint64_t)data % 2);
                check_segments(&self, of, of.bounds[FEW_KINDS], data, 0, TEST_SEED + (uint64_t)data);
            }
        }
    clprim_runtime_destroy(runtime);
    size_t length = 0;
    char *text = is_made ? test_read_file(test_path(directory, "trace.json"), &length) : NULL;
    cr_assert(!is_made || group_size < 256 || strstr(text, "segmented_sort_rows") != NULL, "no rows in the timeline");
    free(text);
    test_directory_remove(directory);
}

/* Few segments are right also where sub-groups rank keys by what no specification promises, and it does not hold. */
Test(segmented_sort, ranks_in_no_order, .timeout = 600)
{
    static const test_mistake mistake = TEST_RANKS_IN_PASSES;
    char directory[TEST_PATH_SIZE];
    test_kernels_with(directory, &mistake, 1);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t value_size = 0; value_size <= 4; value_size += 4) {
        const clprim_segmented_sort_desc desc = {
            .key_type = CLPRIM_U32, .value_size = value_size, .variant = BY(MIXED)};
        static const size_t lengths[FEW_KINDS] = {700, 1, 2000, 1024, 0, 513, 3000, 4096, 257, 4097};
        TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
            for (int data = 0; data < TEST_DATA_END; data++) {
                const test_segments of = few_segments(lengths, FEW_KINDS, (uint64_t)data % 2);
                check_segments(&self, of, of.bounds[FEW_KINDS], data, 0, TEST_SEED + (uint64_t)data);
            }
        }
    }
    clprim_runtime_destroy(runtime);
    test_kernels_end(directory);
}

Test(segmented_sort, refusals, .timeout = 600)
{
    const clprim_segmented_sort_desc desc = {.max_segments = 2, .max_segment_size = SHORT};
#define UNSUPPORTED(named, by, ...) TEST_UNSUPPORTED(segmented_sort, named, .variant = BY(by), __VA_ARGS__)
    TEST_REFUSE_EACH(segmented_sort,
                     TEST_INVALID(segmented_sort, "value_size", false, .argsort = true, .value_size = 4),
                     TEST_INVALID(segmented_sort, "index_type", false, .argsort = true, .max_count = (size_t)1 << 33),
                     TEST_INVALID(segmented_sort, "max_segments", false, .max_segments = UINT32_MAX),
                     TEST_INVALID(segmented_sort, "without bit_range", false, .end_bit = 3),
                     TEST_INVALID(segmented_sort, "greater than end_bit", false, .bit_range = true, .begin_bit = 3),
                     TEST_INVALID(segmented_sort, "only one key", false, .bit_range = true, .end_bit = 3, .input = "i",
                                  .then.inputs = {"i"}, .argsort = true),
                     TEST_INVALID(segmented_sort, "segment_length", false, .segment_length = 3, .max_segment_size = 2),
                     UNSUPPORTED("max_segment_size", LOCAL, .max_segment_size = 0),
                     UNSUPPORTED("segments", LOCAL, .max_segment_size = SIZE_MAX),
                     UNSUPPORTED("max_count", MIXED, .max_count = (size_t)1 << 33),
                     UNSUPPORTED("max_count", CPU_CHUNK, .max_count = (size_t)1 << 33));
    test_refuse_segments(&clprim_segmented_sort_operation, &desc, 2);
}

/* The reference against results known beforehand. */
enum { COUNT = 12, SEGMENTS = 5 };

/* The first and the last two elements are in no segment; segments of four, none, one, three and none. */
static const uint32_t offsets[SEGMENTS + 1] = {2, 6, 6, 7, 10, 10};
static const int16_t keys[COUNT] = {9, -9, 3, -1, 3, -32768, 5, 0, 2, 0, 1, 0};
static const int16_t upwards[COUNT] = {9, -9, -32768, -1, 3, 3, 5, 0, 0, 2, 1, 0};
static const uint32_t upwards_from[COUNT] = {77, 77, 5, 3, 2, 4, 6, 7, 9, 8, 77, 77};
static const int16_t downwards[COUNT] = {9, -9, 3, 3, -1, -32768, 5, 2, 0, 0, 1, 0};
static const uint32_t downwards_from[COUNT] = {77, 77, 2, 4, 3, 5, 6, 8, 7, 9, 77, 77};

Test(segmented_sort_host, reference)
{
    uint64_t wide[SEGMENTS + 1];
    for (int s = 0; s <= SEGMENTS; s++)
        wide[s] = offsets[s];
    for (int way = 0; way < 8; way++) {
        const clprim_reference_sort_how how = {.key_type = CLPRIM_I16,
                                               .argsort = way / 2 % 2 == 1,
                                               .value_size = way / 2 % 2 == 1 ? 0 : 4,
                                               .descending = way % 2 == 1};
        int16_t found[COUNT];
        uint32_t from[COUNT];
        memcpy(found, keys, sizeof found);
        for (uint32_t i = 0; i < COUNT; i++) /* values are what indices would be, in segments */
            from[i] = how.argsort || i < offsets[0] || i >= offsets[SEGMENTS] ? 77 : i;
        ASSERT_OK(clprim_reference_segmented_sort(found, from, &how, COUNT, way < 4 ? CLPRIM_U32 : CLPRIM_U64,
                                                  way < 4 ? (const void *)offsets : wide, SEGMENTS));
        test_expect_same(how.descending ? downwards : upwards, found, sizeof *found, COUNT, "keys");
        test_expect_same(how.descending ? downwards_from : upwards_from, from, sizeof *from, COUNT, "values");
    }
}

Test(segmented_sort_host, reference_refuses)
{
    static const uint32_t falling[] = {2, 1, 3}, beyond[] = {0, COUNT + 1};
    static const clprim_reference_sort_how right = {.key_type = CLPRIM_I16}, senseless = {.value_size = 3};
    int16_t found[COUNT];
    memcpy(found, keys, sizeof found);
#define REFUSED(keys, values, how, ...)                                                                                \
    ASSERT_STATUS(clprim_reference_segmented_sort(keys, values, how, COUNT, __VA_ARGS__), CLPRIM_INVALID_ARGUMENT)
    REFUSED(found, NULL, &right, CLPRIM_U32, falling, 2);
    REFUSED(found, NULL, &right, CLPRIM_U32, beyond, 1);
    REFUSED(found, NULL, &right, CLPRIM_U32, NULL, 1);
    REFUSED(found, NULL, &right, CLPRIM_I32, offsets, SEGMENTS);
    REFUSED(NULL, NULL, &right, CLPRIM_U32, offsets, SEGMENTS);
    REFUSED(found, found, &right, CLPRIM_U32, offsets, SEGMENTS);
    REFUSED(found, NULL, &senseless, CLPRIM_U32, offsets, SEGMENTS);
    test_expect_same(keys, found, sizeof *found, COUNT, "after refusals");
    ASSERT_OK(clprim_reference_segmented_sort(NULL, NULL, NULL, 0, CLPRIM_TYPE_DEFAULT, NULL, 0));
}
