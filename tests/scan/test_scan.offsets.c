// SPDX-License-Identifier: MIT
/* test_scan.offsets.c: segments by offsets, of all shapes, including shapes that leave elements out, with each variant.
 * The reference gets the beginnings that the test itself found. */
#include <clprim/reference.h>

#include "folds.h"
#include "ordered.h"

enum { SOME = 3001, MANY = 30011, LONG = 100003, ROWS_SHARED = 4 };

typedef clprim_scan_desc description;

static uint64_t values[LONG * 5], elements[LONG * 5], expected[LONG * 5];
static uint8_t begins[LONG];

/* A row of the test: a description, and a custom operator or -1. by_input: elements are x[i] + 3 of U32. */
typedef struct row {
    description desc;
    int own;
    bool without_identity, by_input, in_place;
} row;

static const int32_t minus_seven = -7;
static const uint16_t half = 0x3c00;

#define BUILT_IN .own = -1
static const row rows[] = {
    {{.type = CLPRIM_I32}, BUILT_IN},
    {{.type = CLPRIM_U8, .accumulator_type = CLPRIM_U64, .exclusive = true, .offsets_type = CLPRIM_U64}, BUILT_IN},
    {{.type = CLPRIM_F32, .exclusive = true}, BUILT_IN, .in_place = true},
    {{.type = CLPRIM_U8, .op = CLPRIM_XOR, .items_per_work_item = 1}, BUILT_IN},
    {{.type = CLPRIM_F64, .op = CLPRIM_PROD}, BUILT_IN},
    {{.type = CLPRIM_I16, .op = CLPRIM_MIN, .offsets_type = CLPRIM_U64, .items_per_work_item = 8}, BUILT_IN},
    {{.type = CLPRIM_F32, .op = CLPRIM_MAX, .nan_order = CLPRIM_NAN_LAST}, BUILT_IN},
    {{.type = CLPRIM_F32, .op = CLPRIM_ARGMAX}, BUILT_IN},
    {{.type = CLPRIM_I32, .initial = &minus_seven, .exclusive = true}, BUILT_IN, .in_place = true},
    {{.type = CLPRIM_F16, .has_initial_at = true, .items_per_work_item = 8}, BUILT_IN},
    {{.type = CLPRIM_U32, .input = "x[i] + 3", .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}},
     .by_input = true,
     BUILT_IN},
    {{.offsets_type = CLPRIM_U64}, .own = TEST_MATRICES},
    {{.exclusive = true}, .own = TEST_WIDE},
    {{.offsets_type = CLPRIM_U64}, .own = TEST_MOVES, .without_identity = true},
    {{.exclusive = false}, .own = TEST_NEXT, .without_identity = true},
};

static void find_begins(const test_segments *of, size_t count)
{
    memset(begins, 0, sizeof begins);
    for (size_t s = 0; of->count > 0 && s <= of->count; s++)
        if (of->bounds[s] < count)
            begins[of->bounds[s]] = 1;
}

/* The expected results, by the reference. */
static void expect(const description *desc, const test_operator *own, const void *in, size_t count)
{
    clprim_reference_operator by = {
        .type = desc->type, .op = desc->op, .accumulator_type = desc->accumulator_type, .nan_order = desc->nan_order};
    if (own != NULL)
        by = (clprim_reference_operator){.combine = own->combine, .size = own->size, .identity = own->identity};
    const clprim_reference_scan_how how = {
        .exclusive = desc->exclusive, .initial = desc->has_initial_at ? &half : desc->initial, .begins = begins};
    ASSERT_OK(clprim_reference_scan(expected, &by, &how, in, count));
}

/* Any data will do, except for sums and products of floats. */
static test_pattern pattern_for(const description *desc, uint64_t seed)
{
    const bool is_float = desc->type == CLPRIM_F16 || desc->type == CLPRIM_F32 || desc->type == CLPRIM_F64;
    return is_float && desc->op <= CLPRIM_PROD ? TEST_EXACT : (test_pattern)(seed % TEST_PATTERN_END);
}

static void check_segments(test_call *self, const row *of, const test_operator *own, const test_segments *segments,
                           size_t count, uint64_t seed)
{
    const description *desc = (const void *)self->desc.bytes;
    const bool are_words = own != NULL && own->op.type_name != NULL;
    const clprim_type type = are_words ? CLPRIM_U32 : own != NULL ? own->type : desc->type;
    const size_t words = are_words ? own->size / sizeof(uint32_t) : 1;
    uint64_t counted = desc->count_at_type != CLPRIM_TYPE_DEFAULT ? count - count / 3 : count; /* little-endian */
    test_fill(values, type, desc->op, are_words ? TEST_RANDOM : pattern_for(desc, seed), count * words, seed);
    memcpy(elements, values, sizeof values);
    for (size_t i = 0; i < count && of->by_input; i++)
        ((uint32_t *)elements)[i] += 3;
    self->is_unspecified = segments->shape == TEST_SEGMENTS_MALFORMED;
    if (!self->is_unspecified) {
        find_begins(segments, (size_t)counted);
        expect(desc, own, elements, (size_t)counted);
    }
    clprim_scan_call call = {.in = {.host = values},
                             .offsets = {.host = test_pack_bounds(segments, desc->offsets_type)},
                             .count = count,
                             .segment_count = segments->count,
                             .count_at = {.host = &counted},
                             .initial_at = {.host = (void *)(uintptr_t)&half},
                             .out = {.host = expected}};
    if (of->by_input) {
        call.in.host = NULL;
        call.arguments[0].host = values;
    }
    self->replaced = of->in_place;
    test_call_fill(self, &call, seed);
    test_call_check(self, "shape %d, %zu segments, %zu elements", (int)segments->shape, segments->count, count);
}

static void check(test_call *self, const row *of, const test_operator *own, test_shape shape, size_t count,
                  uint64_t seed)
{
    const test_segments segments = test_make_segments(shape, count, SIZE_MAX, seed);
    check_segments(self, of, own, &segments, count, seed);
}

/* All shapes at two sizes; some shape at each size around words of bits and tiles; invalid offsets. */
static void check_all(test_call *self, const row *of, const test_operator *own, uint64_t seed)
{
    static const size_t counts[] = {0,   1,   2,    31,   32,   33,   63,   64,   65,  127,
                                    511, 512, 1023, 1024, 1025, 4095, 4096, 4097, 8191};
    uint64_t turn = seed * 100;
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++, turn++) {
        check(self, of, own, shape, SOME, turn);
        check(self, of, own, shape, MANY, turn);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, turn++)
        check(self, of, own, TEST_SEGMENTS_ONE + turn % (TEST_SEGMENTS_END - 1), counts[i], turn);
    if (own == NULL)
        check(self, of, own, TEST_SEGMENTS_SHORT, LONG, turn);
    for (uint64_t i = 0; i < 4; i++, turn++)
        check(self, of, own, TEST_SEGMENTS_MALFORMED, i % 2 == 0 ? SOME : MANY, turn);
}

static void check_row(clprim_runtime *runtime, size_t r, int variant)
{
    const row *of = &rows[r];
    test_operator own = {.name = NULL};
    description desc = of->desc;
    desc.segments = CLPRIM_SEGMENTS_BY_OFFSETS;
    desc.variant = (clprim_scan_variant)variant;
    if (of->own >= 0) {
        own = of->without_identity ? test_without_identity(&test_operators[of->own]) : test_operators[of->own];
        desc.custom = &own.op;
        desc.type = own.type;
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc))
        check_all(&self, of, of->own >= 0 ? &own : NULL, TEST_SEED + r);
}

/* Each variant that AUTO may take runs every second row, the others every fifth. */
TEST_EACH_WITH_RUNTIME(scan_offsets, as_the_reference_does, ROWS_SHARED)
{
    for (size_t r = number; r < sizeof rows / sizeof *rows; r += ROWS_SHARED)
        for (int variant = 1; variant <= test_last_variant(&clprim_scan_operation); variant++) {
            const bool is_usual = variant >= CLPRIM_SCAN_CPU_CHUNK && variant <= CLPRIM_SCAN_LOOK_BACK;
            if ((r + (size_t)variant) % (is_usual ? 2 : 5) == 0 || (r == 0 && is_usual) || test_is_full())
                check_row(runtime, r, variant);
        }
}

/* Offsets for which tiles must go on, skip or stop in the right place. Tiles read offsets in chunks as large as
 * groups. */
typedef enum crowd {
    CROWD_RUNS,    /* runs of equal offsets, around the sizes of groups, at neighbouring and at distant elements */
    CROWD_EACH,    /* 300 equal offsets at each element */
    CROWD_MIDDLE,  /* all at one element */
    CROWD_FIRST,   /* all 0 */
    CROWD_LAST,    /* all after the last element */
    CROWD_EDGES,   /* right before, at and after each multiple of 64 */
    CROWD_BEYOND,  /* from the middle of the elements to far after them */
    CROWD_ONE,     /* one segment, with elements before and after it */
    CROWD_SINGLES, /* one element each, 4096 offsets */
    CROWD_END
} crowd;

static void add_bounds(test_segments *out, size_t at, size_t times)
{
    for (size_t k = 0; k < times; k++)
        out->bounds[out->count++] = at;
}

static test_segments make_crowd(crowd kind, size_t count)
{
    static const size_t runs[] = {1, 15, 16, 17, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511, 513, 1000, 5000};
    enum { RUNS = sizeof runs / sizeof *runs };
    static uint64_t bounds[1 << 20];
    test_segments self = {.bounds = bounds};
    for (size_t k = 0, at = 5; kind == CROWD_RUNS && k < 3 * RUNS; at += k % 3 == 0 ? 40 : k % 3, k++)
        add_bounds(&self, at, runs[k * 5 % RUNS]);
    for (size_t at = 0; kind == CROWD_EACH && at < count; at++)
        add_bounds(&self, at, 300);
    for (size_t at = 64; kind == CROWD_EDGES && at < count; at += 64)
        for (size_t k = 0; k < 3; k++)
            add_bounds(&self, at + k - 1, 1);
    for (size_t at = count / 2; kind == CROWD_BEYOND && at < 3 * count; at += 7)
        add_bounds(&self, at, 1);
    for (size_t at = 3; kind == CROWD_SINGLES && at < 3 + 4096; at++)
        add_bounds(&self, at < count ? at : count, 1);
    if (kind >= CROWD_MIDDLE && kind <= CROWD_LAST)
        add_bounds(&self, count / 2 * (size_t)(kind == CROWD_MIDDLE) + count * (size_t)(kind == CROWD_LAST), 5000);
    if (kind == CROWD_ONE) {
        add_bounds(&self, count / 3, 1);
        add_bounds(&self, count - count / 3, 1);
    }
    self.count--; /* segments are between offsets */
    return self;
}

static const row crowded[] = {
    {{.type = CLPRIM_U32}, BUILT_IN},
    {{.type = CLPRIM_I32, .initial = &minus_seven, .exclusive = true, .offsets_type = CLPRIM_U64}, BUILT_IN},
    {{.type = CLPRIM_U8, .accumulator_type = CLPRIM_U32, .exclusive = true, .count_at_type = CLPRIM_U32}, BUILT_IN},
    {{.type = CLPRIM_U64, .op = CLPRIM_MAX, .offsets_type = CLPRIM_U64, .count_at_type = CLPRIM_U64}, BUILT_IN},
};

TEST_EACH_WITH_RUNTIME(scan_offsets, in_crowds, sizeof crowded / sizeof *crowded)
{
    static const clprim_scan_variant variants[] = {CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_CPU_CHUNK,
                                                   CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_FIXED_LOOK_BACK};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        description desc = crowded[number].desc;
        desc.segments = CLPRIM_SEGMENTS_BY_OFFSETS;
        desc.variant = variants[v];
        if (v > 0 && (v + number) % 2 != 0 && !test_is_full())
            continue;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc))
            for (int kind = 0; kind < CROWD_END; kind++)
                for (size_t k = 0; k < 2; k++) {
                    const size_t count = k == 0 ? 700 : SOME;
                    const test_segments segments = make_crowd((crowd)kind, count);
                    check_segments(&self, &crowded[number], NULL, &segments, count, TEST_SEED + number + (size_t)kind);
                }
    }
}

/* On PoCL, AUTO is not a variant whose tiles find their own offsets. */
static const clprim_scan_variant two_ways[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_LOOK_BACK};

/* Millions of empty segments at one element, and offsets with few different values. */
TEST_EACH_WITH_RUNTIME(scan_offsets, many_empty_segments, 2)
{
    enum { SEGMENTS = 1 << 20, COUNT = 5000 };
    static uint32_t offsets[SEGMENTS + 1], out[COUNT];
    for (size_t s = 0; s <= SEGMENTS; s++)
        offsets[s] = s < SEGMENTS / 3 ? 0 : s < SEGMENTS / 2 ? 77 : s < SEGMENTS - 1 ? 4000 : 4001;
    const clprim_scan_call call = {
        .offsets = {.host = offsets}, .count = COUNT, .segment_count = SEGMENTS, .out = {.host = out}};
    const description desc = {
        .type = CLPRIM_U32, .input = "1", .segments = CLPRIM_SEGMENTS_BY_OFFSETS, .variant = two_ways[number]};
    if (two_ways[number] == CLPRIM_SCAN_LOOK_BACK && !test_can_wait(runtime))
        return;
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    for (uint32_t i = 0; i < COUNT; i++)
        cr_assert_eq(out[i], i < 77 ? i + 1 : i < 4000 ? i - 76 : i < 4001 ? 1 : i - 4000, "element %u", i);
}

/* Empty segments, elements before the first and after the last one, and an operator that sees where segments begin. The
 * expected values are constants. */
TEST_EACH_WITH_RUNTIME(scan_offsets, known_by_heart, 2)
{
    static int32_t in[] = {1, 2, 3, 4, 5, 6, 7};
    static uint32_t offsets[] = {1, 1, 4, 4, 6};
    static uint64_t wide[] = {1, 1, 4, 4, 6};
    static int32_t inclusive[] = {1, 2, 5, 9, 5, 11, 7};
    static int32_t exclusive[] = {0, 0, 2, 5, 0, 5, 0};
    static int32_t seen[] = {101, 2, 5, 9, 5, 11, 7};
    static int32_t seen_first[] = {101, 103, 106, 4, 9, 15, 22};
    static uint32_t from_first[] = {0, 3, 7};
    static const int32_t hundred = 100;
    static int32_t whole[] = {1, 3, 6, 10, 15, 21, 28};
    const clprim_custom_op sees = {.combine = "across_segment ? b : a + b", .identity = "0"};
    clprim_scan_call call = {
        .in = {.host = in}, .offsets = {.host = offsets}, .count = 7, .segment_count = 4, .out = {.host = inclusive}};
    description desc = {.segments = CLPRIM_SEGMENTS_BY_OFFSETS, .variant = two_ways[number]};
    test_check_known(runtime, &clprim_scan_operation, &desc, &call);
    call.out.host = exclusive;
    call.offsets.host = wide;
    desc.exclusive = true;
    desc.offsets_type = CLPRIM_U64;
    test_check_known(runtime, &clprim_scan_operation, &desc, &call);
    desc = (description){.custom = &sees,
                         .initial = &hundred,
                         .sees_segments = true,
                         .segments = CLPRIM_SEGMENTS_BY_OFFSETS,
                         .variant = two_ways[number]};
    call.offsets.host = offsets;
    call.out.host = seen;
    test_check_known(runtime, &clprim_scan_operation, &desc, &call);
    call.offsets.host = from_first;
    call.segment_count = 2;
    call.out.host = seen_first;
    test_check_known(runtime, &clprim_scan_operation, &desc, &call);
    desc = (description){.segments = CLPRIM_SEGMENTS_BY_OFFSETS, .variant = two_ways[number]};
    call.offsets.host = NULL;
    call.segment_count = 0;
    call.out.host = whole;
    test_check_known(runtime, &clprim_scan_operation, &desc, &call);
}

/* Offsets on the host are checked. A segment_count requires segments by offsets. */
TEST_WITH_RUNTIME(scan_offsets, refusals)
{
    static uint32_t descending[] = {0, 5, 4}, beyond[] = {0, 5, 11}, right[] = {0, 5, 10};
    int32_t in[10] = {0}, out[10];
    const description by_offsets = {.segments = CLPRIM_SEGMENTS_BY_OFFSETS};
    clprim_scan_call call = {.in = {.host = in}, .count = 10, .segment_count = 2, .out = {.host = out}};
    memset(out, TEST_POISON, sizeof out);
    call.offsets.host = descending;
    ASSERT_REFUSED(clprim_scan_run(runtime, &by_offsets, &call), CLPRIM_INVALID_ARGUMENT, "offsets[2] is 4");
    call.offsets.host = beyond;
    ASSERT_REFUSED(clprim_scan_run(runtime, &by_offsets, &call), CLPRIM_INVALID_ARGUMENT, "offsets[2] is 11");
    call.offsets.host = NULL;
    ASSERT_REFUSED(clprim_scan_run(runtime, &by_offsets, &call), CLPRIM_INVALID_ARGUMENT, "offsets");
    ASSERT_REFUSED(clprim_scan_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "segment_count");
    call.offsets.host = right;
    call.segment_count = 0;
    ASSERT_REFUSED(clprim_scan_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "offsets");
    call.segment_count = SIZE_MAX;
    ASSERT_REFUSED(clprim_scan_run(runtime, &by_offsets, &call), CLPRIM_INVALID_RANGE, "offsets");
    call.segment_count = UINT32_MAX;
    ASSERT_REFUSED(clprim_scan_run(runtime, &by_offsets, &call), CLPRIM_INVALID_RANGE, "segments are more");
    for (size_t i = 0; i < sizeof out; i++)
        cr_assert_eq(((unsigned char *)out)[i], TEST_POISON, "a refused call has written");
    TEST_REFUSE_EACH(scan, TEST_INVALID(scan, "offsets_type", false, .segments = CLPRIM_SEGMENTS_BY_OFFSETS,
                                        .offsets_type = CLPRIM_I32));
}
