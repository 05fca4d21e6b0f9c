/* test_segmented_sort.c: every variant sorts the segments as the reference does, for keys of every type, values of all
 * sizes, indices, both directions, both types of offsets, and segments of all shapes, in place and not. By default each
 * variant meets each size of keys, each type meets a variant, and each kind of values does; with CLPRIM_TEST_FULL set,
 * every variant meets every type with all kinds of values. */
#include "test_segmented_sort.h"

enum {
    SOME = 3001,
    MANY = 30011,
    LONG_ENOUGH = 100003, /* for segments that are long to CPU_CHUNK */
    SHORT = 200           /* a promise */
};

static const size_t sizes[] = {0, 1, 2, 5, 31, 33, 255, 257, 1000, SOME, MANY};
static const size_t offsets[] = {0, 1, 3, SEGMENT_MAX_OFFSET};

/* The turn decides on offsets, different ones for each array, on what is in place, and on the keys. */
static segment_call call_of_turn(uint64_t turn, size_t count, segment_shape shape)
{
    uint64_t random = turn;
    const uint64_t r = test_random(&random);
    segment_call c = {.count = count, .seed = turn, .shape = shape};
    c.pattern = (test_pattern)(TEST_RANDOM + (r >> 32) % (TEST_PATTERN_END - TEST_RANDOM));
    for (int a = 0; a < SEGMENT_ARRAYS; a++)
        c.offsets[a] = offsets[(r >> 2 * a) % 4];
    c.offsets_offset = offsets[(r >> 20) % 4];
    c.in_place[SEGMENT_KEYS_IN] = (r >> 16) % 2 == 1;
    c.in_place[SEGMENT_VALUES_IN] = (r >> 17) % 2 == 1;
    c.repeat = count < 2000 ? 1 + (unsigned)(r >> 24) % 2 : 1;
    return c;
}

/* All shapes at one size, at each in another way; then all sizes. */
static void check_all(segment_subject *self, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    for (int shape = 0; shape < SEGMENTS_SHAPE_END; shape++)
        for (int in_place = 0; in_place < 4; in_place++) {
            segment_call c = call_of_turn(turn++, in_place == 0 ? MANY : SOME, (segment_shape)shape);
            c.in_place[SEGMENT_KEYS_IN] = in_place % 2 == 1;
            c.in_place[SEGMENT_VALUES_IN] = in_place / 2 == 1;
            segment_check(self, &c);
        }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const segment_call c =
            call_of_turn(turn, sizes[i], (segment_shape)(SEGMENTS_ONE + turn % (SEGMENTS_SHAPE_END - 1)));
        segment_check(self, &c);
        turn++;
    }
    for (int pattern = TEST_RANDOM; pattern < TEST_PATTERN_END; pattern++) {
        segment_call c = call_of_turn(turn++, MANY, SEGMENTS_EDGES);
        c.pattern = (test_pattern)pattern;
        segment_check(self, &c);
    }
    const segment_call large = call_of_turn(turn, LONG_ENOUGH, seed % 2 == 0 ? SEGMENTS_GIANT : SEGMENTS_ONE);
    segment_check(self, &large);
    for (uint64_t i = 0; i < 10; i++) {
        segment_call c = call_of_turn(turn++, i % 2 == 0 ? SOME : MANY, SEGMENTS_NONE);
        c.repeat = 1;
        segment_check_malformed(self, &c, turn);
    }
}

static void check_desc(clprim_runtime *runtime, const clprim_segmented_sort_desc *desc, uint64_t seed)
{
    segment_subject self;
    if (!segment_create(&self, runtime, *desc, LONG_ENOUGH))
        return;
    check_all(&self, seed);
    segment_destroy(&self);
}

/* Fields: key_type, value_size, argsort, index_type, descending, nan_order, offsets_type, max_count, max_segments,
 * max_segment_size, variant, work_group_size. Plans cost most of the time: each is here for several reasons. */
static const clprim_segmented_sort_desc descs[] = {
    {CLPRIM_U32, 0, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, LONG_ENOUGH, 0, SHORT,
     CLPRIM_SEGMENTED_SORT_LOCAL, 0},
    {CLPRIM_F64, 16, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U64, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_LOCAL,
     32},
    {CLPRIM_I8, 0, true, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_MIXED, 0},
    {CLPRIM_F32, 0, true, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, 0, 0, CLPRIM_SEGMENTED_SORT_MIXED, 0},
    {CLPRIM_F16, 2, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U64, LONG_ENOUGH, 300000, 0,
     CLPRIM_SEGMENTED_SORT_COMPOSITE, 0},
    {CLPRIM_I32, 16, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_COMPOSITE,
     0},
    {CLPRIM_I64, 0, true, CLPRIM_U64, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_COMPOSITE, 0},
    {CLPRIM_U8, 1, false, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_U16, 0, true, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, 0, 0, CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_I16, 4, false, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_CPU_CHUNK,
     0},
    {CLPRIM_U64, 8, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, LONG_ENOUGH, 0, 0,
     CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_F32, 0, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_AUTO, 0},
};

enum { NUM_DESCS = sizeof descs / sizeof *descs };

const clprim_segmented_sort_desc *segment_descs(size_t *count)
{
    *count = NUM_DESCS;
    return descs;
}

/* The plans with an index of this remainder, so that tests run side by side. */
static void check_some(size_t remainder)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = remainder; i < NUM_DESCS; i += 3)
        check_desc(runtime, &descs[i], TEST_SEED + i);
    clprim_runtime_destroy(runtime);
}

Test(segmented_sort, as_the_reference_does_first_third, .timeout = 240)
{
    check_some(0);
}

Test(segmented_sort, as_the_reference_does_second_third, .timeout = 240)
{
    check_some(1);
}

Test(segmented_sort, as_the_reference_does_last_third, .timeout = 240)
{
    check_some(2);
}

/* What the plans above leave: NaNs behind all numbers by the other variants, where a code has room for a key and where
 * it has none. */
Test(segmented_sort, nans_last, .timeout = 240)
{
    static const clprim_segmented_sort_desc with_nans[] = {
        {.key_type = CLPRIM_F32, .value_size = 4, .variant = CLPRIM_SEGMENTED_SORT_CPU_CHUNK},
        {.key_type = CLPRIM_F64, .descending = true, .variant = CLPRIM_SEGMENTED_SORT_COMPOSITE},
        {.key_type = CLPRIM_F32, .argsort = true, .descending = true, .variant = CLPRIM_SEGMENTED_SORT_MIXED}};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof with_nans / sizeof *with_nans; i++) {
        clprim_segmented_sort_desc desc = with_nans[i];
        segment_subject self;
        desc.nan_order = CLPRIM_NAN_LAST;
        if (!segment_create(&self, runtime, desc, LONG_ENOUGH))
            continue;
        for (int shape = SEGMENTS_ONE; shape < SEGMENTS_SHAPE_END; shape++) {
            segment_call c = call_of_turn(i * 100 + (uint64_t)shape, SOME, (segment_shape)shape);
            c.pattern = TEST_SPECIALS;
            segment_check(&self, &c);
        }
        segment_call c = call_of_turn(i, LONG_ENOUGH, SEGMENTS_GIANT);
        c.pattern = TEST_SPECIALS;
        segment_check(&self, &c);
        segment_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Every variant, type and kind of values, only when asked for: each compiles. */
Test(segmented_sort, everything, .timeout = 7200)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16, 0, 0}; /* the last two of indices */
    clprim_runtime *runtime = test_is_full() ? test_runtime(NULL) : NULL;
    uint64_t seed = 1;
    for (int variant = 0; test_is_full() && variant < SEGMENT_VARIANTS; variant++)
        for (int type = 1; type < CLPRIM_TYPE_END; type++)
            for (size_t v = 0; v < 8; v++, seed++) {
                const bool is_local = variant == CLPRIM_SEGMENTED_SORT_LOCAL;
                const clprim_segmented_sort_desc desc = {.key_type = (clprim_type)type,
                                                         .value_size = value_sizes[v],
                                                         .argsort = v >= 6,
                                                         .index_type = v == 7 ? CLPRIM_U64 : CLPRIM_U32,
                                                         .descending = seed % 2 == 0,
                                                         .offsets_type = seed / 2 % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                                         .max_segment_size = is_local || seed % 3 == 0 ? SHORT : 0,
                                                         .variant = (clprim_segmented_sort_variant)variant};
                check_desc(runtime, &desc, seed);
            }
    clprim_runtime_destroy(runtime);
}

/* Lengths around what a tile holds, each alone and with neighbours: whatever the device makes a tile of. */
Test(segmented_sort, segments_as_large_as_a_tile, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    segment_subject self;
    const clprim_segmented_sort_desc desc = descs[3]; /* MIXED, with indices */
    if (segment_create(&self, runtime, desc, LONG_ENOUGH)) {
        for (size_t length = 128; length <= 16384; length *= 2)
            for (int distance = -1; distance <= 1; distance++)
                for (int shape = SEGMENTS_ONE; shape <= SEGMENTS_GIANT; shape += SEGMENTS_GIANT - SEGMENTS_ONE) {
                    segment_call c =
                        call_of_turn(length + (uint64_t)distance, length + (size_t)distance, (segment_shape)shape);
                    segment_check(&self, &c);
                }
        segment_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
