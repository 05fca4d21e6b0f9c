// SPDX-License-Identifier: MIT
/* test_batched_copy.c: every variant copies each segment as the reference does, however the segments lie: elements of
 * all sizes, at all alignments, from and to packed arrays and arbitrary places. */
#include <clprim/reference.h>

#include "ordered.h"

enum { SOME = 3001, MANY = 30011, MAX_SIZE = 256, SHARES = 4 };

typedef clprim_batched_copy_desc description;
typedef clprim_batched_copy_call copy_call;

static unsigned char *in, *expected;
static uint64_t in_begins[2 * MANY + 4200], out_begins[2 * MANY + 4200];

/* The case of a row. Tiles of small groups have few elements, so that there are many of them. */
static const description rows[] = {
    {.element_size = 1, .work_group_size = 32},
    {.element_size = 0},
    {.element_size = 2, .packed = CLPRIM_PACKED_IN, .work_group_size = 64},
    {.element_size = 1, .packed = CLPRIM_PACKED_NONE, .offsets_type = CLPRIM_U64},
    {.element_size = 3, .packed = CLPRIM_PACKED_NONE, .work_group_size = 16},
    {.element_size = 8, .packed = CLPRIM_PACKED_IN, .offsets_type = CLPRIM_U64, .work_group_size = 1},
    {.element_size = 12, .work_group_size = 32},
    {.element_size = 16, .packed = CLPRIM_PACKED_NONE, .work_group_size = 128},
    {.element_size = 4, .packed = CLPRIM_PACKED_IN, .work_group_size = 8},
    {.element_size = 20, .offsets_type = CLPRIM_U64},
    {.element_size = 48, .packed = CLPRIM_PACKED_IN, .work_group_size = 64},
    {.element_size = 7, .packed = CLPRIM_PACKED_IN},
    {.element_size = 256, .packed = CLPRIM_PACKED_NONE},
    {.element_size = 6, .work_group_size = 256},
};

/* Segments of the input begin anywhere, also at its end. Those of the output are in another order, with gaps of up to
 * two elements if `gap` is set. Returns the number of elements of the output. */
static size_t place(const test_segments *of, size_t in_count, bool gap, uint64_t seed)
{
    uint64_t random = seed;
    size_t at = test_random_below(&random, 3);
    for (size_t k = 0; k < of->count; k++) {
        const size_t s = k % 2 == 0 ? of->count - 1 - k / 2 : k / 2;
        const size_t size = (size_t)(of->bounds[s + 1] - of->bounds[s]);
        const size_t room = in_count - size;
        in_begins[s] = k % 3 == 0 ? room : test_random_below(&random, room + 1);
        out_begins[s] = at;
        at += size + (gap ? test_random_below(&random, 3) : 0);
    }
    return at + 1;
}

static void *pack(const uint64_t *numbers, size_t count, clprim_type type, uint32_t *narrow)
{
    for (size_t i = 0; i < count; i++)
        narrow[i] = (uint32_t)numbers[i];
    return type == CLPRIM_U64 ? (void *)(uintptr_t)numbers : narrow;
}

static void check(test_call *self, test_shape shape, size_t count, uint64_t seed)
{
    static uint32_t narrow_in[2 * MANY + 4200], narrow_out[2 * MANY + 4200];
    const description *desc = (const void *)self->desc.bytes;
    const size_t size = desc->element_size == 0 ? 4 : desc->element_size;
    const test_segments segments = test_make_segments(shape, count, SIZE_MAX, seed);
    const bool is_wrong = shape == TEST_SEGMENTS_MALFORMED;
    const size_t in_count = desc->packed == CLPRIM_PACKED_IN ? count : count + seed % 5;
    size_t out_count = count;
    test_fill(in, CLPRIM_U8, CLPRIM_SUM, TEST_RANDOM, in_count * size, seed);
    for (size_t s = 0; s < segments.count && is_wrong; s++)
        in_begins[s] = out_begins[s] = s % 3 == 0 ? UINT64_MAX - s : segments.bounds[s] * 3 / 2;
    const size_t needed = is_wrong ? count : place(&segments, in_count, seed % 2 == 0, seed);
    if (desc->packed != CLPRIM_PACKED_OUT)
        out_count = needed;
    const void *const offsets = test_pack_bounds(&segments, desc->offsets_type);
    const copy_call call = {.in = {.host = in},
                            .in_begins = {.host = pack(in_begins, segments.count, desc->offsets_type, narrow_in)},
                            .offsets = {.host = (void *)(uintptr_t)offsets},
                            .out_begins = {.host = pack(out_begins, segments.count, desc->offsets_type, narrow_out)},
                            .in_count = in_count,
                            .out_count = out_count,
                            .segment_count = segments.count,
                            .out = {.host = expected}};
    memset(expected, TEST_POISON, out_count * size);
    self->is_unspecified = is_wrong;
    if (!is_wrong)
        for (size_t s = 0; s < segments.count; s++) {
            const size_t begin = (size_t)segments.bounds[s];
            const size_t from = desc->packed == CLPRIM_PACKED_IN ? begin : (size_t)in_begins[s];
            const size_t to = desc->packed == CLPRIM_PACKED_OUT ? begin : (size_t)out_begins[s];
            memcpy(expected + to * size, in + from * size, (size_t)(segments.bounds[s + 1] - begin) * size);
        }
    test_call_fill(self, &call, seed);
    test_call_check(self, "%zu bytes, shape %d, %zu elements", size, (int)shape, count);
}

/* All shapes with two sizes; sizes around words of bits and tiles, with one of the shapes; offsets and beginnings that
 * are not valid. */
static void check_all(test_call *self, uint64_t seed)
{
    static const size_t counts[] = {0, 1, 2, 3, 31, 32, 33, 63, 65, 127, 255, 256, 257, 1023, 1025, 2047, 2048, 2049};
    uint64_t turn = seed * 100;
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++, turn++) {
        check(self, shape, SOME, turn);
        check(self, shape, MANY, turn + 1);
    }
    for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++, turn++)
        check(self, TEST_SEGMENTS_ONE + turn % (TEST_SEGMENTS_END - 1), counts[i / 2], turn);
    for (uint64_t i = 0; i < 4; i++, turn++)
        check(self, TEST_SEGMENTS_MALFORMED, i % 2 == 0 ? SOME : MANY, turn);
}

/* One long segment, and two, whose copies begin at each distance from an address that is a multiple of 16 bytes, on
 * both sides. */
static void check_alignments(test_call *self)
{
    const description *desc = (const void *)self->desc.bytes;
    const size_t size = desc->element_size == 0 ? 4 : desc->element_size;
    uint64_t offsets[] = {0, 0, 0};
    for (size_t i = 0; i < 17 * 17; i++) {
        uint64_t begins[] = {i % 17, 500 + i / 17};
        uint64_t places[] = {i / 17, 400 + i % 17};
        const size_t lengths[] = {300 + i % 37, i % 2 == 0 ? 0 : 60 + i % 41};
        uint32_t narrow[3][3];
        offsets[1] = lengths[0];
        offsets[2] = lengths[0] + lengths[1];
        test_fill(in, CLPRIM_U8, CLPRIM_SUM, TEST_RANDOM, 700 * size, i);
        memset(expected, TEST_POISON, 700 * size);
        for (size_t s = 0; s < 2; s++)
            memcpy(expected + places[s] * size, in + begins[s] * size, lengths[s] * size);
        const copy_call call = {.in = {.host = in},
                                .in_begins = {.host = pack(begins, 2, desc->offsets_type, narrow[0])},
                                .offsets = {.host = pack(offsets, 3, desc->offsets_type, narrow[1])},
                                .out_begins = {.host = pack(places, 2, desc->offsets_type, narrow[2])},
                                .in_count = 700,
                                .out_count = 700,
                                .segment_count = 2,
                                .out = {.host = expected}};
        self->is_unspecified = false;
        self->is_tight = i % 3 == 0;
        test_call_fill(self, &call, i);
        test_call_check(self, "alignment %zu", i);
    }
    self->is_tight = false;
}

static void check_row(clprim_runtime *runtime, size_t r, int variant)
{
    description desc = rows[r];
    desc.variant = (clprim_batched_copy_variant)variant;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_batched_copy_operation, &desc)) {
        check_all(&self, TEST_SEED + r);
        if (desc.packed == CLPRIM_PACKED_NONE && desc.element_size <= 16)
            check_alignments(&self);
    }
}

TEST_EACH_WITH_RUNTIME(batched_copy, as_the_reference_does, SHARES)
{
    in = test_allocate((size_t)(MANY + 10) * MAX_SIZE);
    expected = test_allocate((size_t)(5 * MANY + 9000) * MAX_SIZE);
    for (size_t r = number; r < sizeof rows / sizeof *rows; r += SHARES)
        for (int variant = 0; variant <= test_last_variant(&clprim_batched_copy_operation); variant++)
            if (variant == CLPRIM_BATCHED_COPY_TILES || (r + (size_t)variant) % 2 == 0 || test_is_full())
                check_row(runtime, r, variant);
    free(in);
    free(expected);
}

/* Millions of empty segments between two that are not empty. */
TEST_BY_VARIANT(batched_copy, many_empty_segments, clprim_batched_copy_operation)
{
    enum { SEGMENTS = 1 << 20, COUNT = 5000 };
    static uint32_t offsets[SEGMENTS + 1], begins[SEGMENTS];
    static uint8_t from[COUNT], out[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        from[i] = (uint8_t)(i * 7 + i / 256);
    for (size_t s = 0; s <= SEGMENTS; s++)
        offsets[s] = s == 0 ? 0 : s < SEGMENTS ? 2000 : 4000;
    memset(begins, 0xff, sizeof begins); /* empty segments may begin anywhere */
    begins[0] = 3000;
    begins[SEGMENTS - 1] = 1;
    memset(out, TEST_POISON, sizeof out);
    ASSERT_OK(clprim_batched_copy_run(
        runtime, &(description){.element_size = 1, .variant = (clprim_batched_copy_variant)variant},
        &(copy_call){.in = {.host = from},
                     .in_begins = {.host = begins},
                     .offsets = {.host = offsets},
                     .in_count = COUNT,
                     .out_count = COUNT,
                     .segment_count = SEGMENTS,
                     .out = {.host = out}}));
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(out[i], i < 2000 ? from[3000 + i] : i < 4000 ? from[i - 1999] : TEST_POISON, "element %zu", i);
}

/* The words of a text in another order, with a result known in advance. */
TEST_WITH_RUNTIME(batched_copy, known_by_heart)
{
    static char text[] = "merge sort scan";
    static uint32_t begins[] = {11, 5, 10, 0};
    static uint32_t offsets[] = {0, 4, 9, 10, 15};
    static char packed[] = "scan sort merge";
    static uint32_t places[] = {6, 0, 5, 0};
    static uint32_t cuts[] = {0, 5, 10, 11, 11};
    static char scattered[] = " sort merge";
    test_check_known(runtime, &clprim_batched_copy_operation, &(description){.element_size = 1},
                     &(copy_call){.in = {.host = text},
                                  .in_begins = {.host = begins},
                                  .offsets = {.host = offsets},
                                  .in_count = 15,
                                  .out_count = 15,
                                  .segment_count = 4,
                                  .out = {.host = packed}});
    memcpy(text, "merge sort scan", 15);
    test_check_known(runtime, &clprim_batched_copy_operation,
                     &(description){.element_size = 1, .packed = CLPRIM_PACKED_IN},
                     &(copy_call){.in = {.host = text},
                                  .offsets = {.host = cuts},
                                  .out_begins = {.host = places},
                                  .in_count = 15,
                                  .out_count = 11,
                                  .segment_count = 4,
                                  .out = {.host = scattered}});
}

/* Offsets and beginnings on the host are checked. */
TEST_WITH_RUNTIME(batched_copy, refusals)
{
    static uint32_t descending[] = {0, 5, 4}, beyond[] = {0, 5, 11}, right[] = {0, 5, 10};
    static uint32_t begins[] = {0, 0}, late[] = {5, 6};
    static uint32_t from[10], out[10];
    copy_call call = {.in = {.host = from},
                      .in_begins = {.host = begins},
                      .offsets = {.host = descending},
                      .in_count = 10,
                      .out_count = 10,
                      .segment_count = 2,
                      .out = {.host = out}};
    memset(out, TEST_POISON, sizeof out);
#define REFUSED(...) ASSERT_REFUSED(clprim_batched_copy_run(runtime, __VA_ARGS__)
    REFUSED(NULL, &call), CLPRIM_INVALID_ARGUMENT, "offsets[2] is 4");
    call.offsets.host = beyond;
    REFUSED(NULL, &call), CLPRIM_INVALID_ARGUMENT, "offsets[2] is 11");
    call.offsets.host = right;
    call.in_begins.host = late;
    REFUSED(NULL, &call), CLPRIM_INVALID_ARGUMENT, "in_begins[1] is 6");
    call.in_begins.host = begins;
    call.out_begins.host = late;
    REFUSED(NULL, &call), CLPRIM_INVALID_ARGUMENT, "out_begins");
    REFUSED(&((description){.packed = CLPRIM_PACKED_NONE}), &call), CLPRIM_INVALID_ARGUMENT, "out_begins[1] is 6");
    REFUSED(&((description){.packed = CLPRIM_PACKED_IN}), &call), CLPRIM_INVALID_ARGUMENT, "");
    call.out_begins.host = NULL;
    call.segment_count = SIZE_MAX;
    REFUSED(NULL, &call), CLPRIM_INVALID_RANGE, "in_begins");
    call.segment_count = UINT32_MAX;
    REFUSED(NULL, &call), CLPRIM_INVALID_RANGE, "segments are more");
    for (size_t i = 0; i < sizeof out; i++)
        cr_assert_eq(((unsigned char *)out)[i], TEST_POISON, "a refused call has written");
    TEST_REFUSE_EACH(batched_copy, TEST_INVALID(batched_copy, "element_size", false, .element_size = 257),
                     TEST_INVALID(batched_copy, "packed", false, .packed = (clprim_batched_copy_packed)3),
                     TEST_INVALID(batched_copy, "offsets_type", false, .offsets_type = CLPRIM_I64));
}

Test(batched_copy, reference)
{
    static const uint32_t falling[] = {2, 1}, offsets[] = {1, 3, 3, 4}, begins[] = {2, 9, 0};
    static const uint16_t from[] = {10, 11, 12, 13, 14};
    uint16_t out[5] = {0};
    ASSERT_STATUS(clprim_reference_batched_copy(out, from, 2, CLPRIM_U32, NULL, falling, NULL, 1),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_batched_copy(out, from, 2, CLPRIM_F32, NULL, offsets, NULL, 1),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_batched_copy(NULL, from, 2, CLPRIM_U32, NULL, offsets, NULL, 3),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_reference_batched_copy(out, from, 2, CLPRIM_TYPE_DEFAULT, begins, offsets, NULL, 3));
    cr_assert(out[0] == 0 && out[1] == 12 && out[2] == 13 && out[3] == 10 && out[4] == 0);
}
