// SPDX-License-Identifier: MIT
/* test_segmented_reduce.c: every variant agrees with the reference for all shapes of segments: all operators, types of
 * all sizes, accumulators, custom operators, elements and results from expressions. By default, each row runs with one
 * of the variants, with CLPRIM_TEST_FULL with all of them, because each must compile its kernels. */
#include "folds.h"
#include "ordered.h"

enum {
    SOME = 3001,
    MANY = 30011,
    LONG = 200003, /* runs of several tiles in each group */
    ROWS_SHARED = 4
};

typedef clprim_segmented_reduce_desc description;

static uint64_t values[LONG];
static uint64_t elements[LONG];
static uint64_t expected[LONG * 10];

/* A row of the test: a description, and a custom operator or -1. by_input: elements are x[i] + 3 of U32. */
typedef struct row {
    description desc;
    int own;
    bool without_identity, by_input;
} row;

static const int32_t minus_seven = -7;
static const uint16_t half = 0x3c00;

#define BUILT_IN .own = -1
static const row rows[] = {
    {{.type = CLPRIM_I32, .work_group_size = 32}, BUILT_IN},
    {{.type = CLPRIM_U8, .accumulator_type = CLPRIM_U64, .offsets_type = CLPRIM_U64, .work_group_size = 64}, BUILT_IN},
    {{.type = CLPRIM_F32, .work_group_size = 32}, BUILT_IN},
    {{.type = CLPRIM_F64, .op = CLPRIM_PROD}, BUILT_IN},
    {{.type = CLPRIM_I16, .op = CLPRIM_MIN, .work_group_size = 1}, BUILT_IN},
    {{.type = CLPRIM_F32, .op = CLPRIM_MAX, .nan_order = CLPRIM_NAN_LAST, .work_group_size = 2}, BUILT_IN},
    {{.type = CLPRIM_U64, .op = CLPRIM_XOR, .offsets_type = CLPRIM_U64}, BUILT_IN},
    {{.type = CLPRIM_F32, .op = CLPRIM_ARGMAX, .work_group_size = 64}, BUILT_IN},
    {{.type = CLPRIM_U8, .op = CLPRIM_ARGMIN, .work_group_size = 32}, BUILT_IN},
    {{.type = CLPRIM_I32, .initial = &minus_seven}, BUILT_IN},
    {{.type = CLPRIM_F16, .has_initial_at = true, .work_group_size = 128}, BUILT_IN},
    {{.type = CLPRIM_U32, .input = "x[i] + 3", .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}},
     .by_input = true,
     BUILT_IN},
    {{.work_group_size = 32}, .own = TEST_MATRICES},
    {{.work_group_size = 64}, .own = TEST_WIDE},
    {{.offsets_type = CLPRIM_U64}, .own = TEST_MOVES, .without_identity = true},
    {{.work_group_size = 8}, .own = TEST_NEXT, .without_identity = true},
};

/* The expected results, by the reference. */
static void expect(const description *desc, const test_operator *own, const test_segments *of, const void *in,
                   size_t count)
{
    const clprim_type type = desc->type != CLPRIM_TYPE_DEFAULT ? desc->type : CLPRIM_I32;
    clprim_reference_operator by = {.type = type,
                                    .op = desc->op,
                                    .accumulator_type = desc->accumulator_type,
                                    .nan_order = desc->nan_order,
                                    .initial = desc->has_initial_at ? &half : desc->initial};
    if (own != NULL)
        by = (clprim_reference_operator){.combine = own->combine, .size = own->size, .identity = own->identity};
    ASSERT_OK(clprim_reference_segmented_reduce(expected, &by, in, count, CLPRIM_U64, of->bounds, of->count));
}

/* Any data will do, except for sums and products of floats. */
static test_pattern pattern_for(const description *desc, uint64_t seed)
{
    const bool is_float = desc->type == CLPRIM_F16 || desc->type == CLPRIM_F32 || desc->type == CLPRIM_F64;
    return is_float && desc->op <= CLPRIM_PROD ? TEST_EXACT : (test_pattern)(seed % TEST_PATTERN_END);
}

static void check(test_call *self, const row *of, const test_operator *own, test_shape shape, size_t count,
                  uint64_t seed)
{
    const description *desc = (const void *)self->desc.bytes;
    const bool are_words = own != NULL && own->op.type_name != NULL;
    const clprim_type type = are_words ? CLPRIM_U32 : own != NULL ? own->type : desc->type;
    const size_t words = are_words ? own->size / sizeof(uint32_t) : 1;
    const bool is_wrong = shape == TEST_SEGMENTS_MALFORMED;
    const test_segments segments = test_make_segments(shape, count, SIZE_MAX, seed);
    test_fill(values, type, desc->op, are_words ? TEST_RANDOM : pattern_for(desc, seed), count * words, seed);
    memcpy(elements, values, sizeof values);
    for (size_t i = 0; i < count && of->by_input; i++)
        ((uint32_t *)elements)[i] += 3;
    if (!is_wrong)
        expect(desc, own, &segments, elements, count);
    clprim_segmented_reduce_call call = {.in = {.host = values},
                                         .offsets = {.host = test_pack_bounds(&segments, desc->offsets_type)},
                                         .count = count,
                                         .segment_count = segments.count,
                                         .initial_at = {.host = (void *)(uintptr_t)&half},
                                         .out = {.host = expected}};
    if (of->by_input) {
        call.in.host = NULL;
        call.arguments[0].host = values;
    }
    self->is_unspecified = is_wrong;
    test_call_fill(self, &call, seed);
    test_call_check(self, "row %d, shape %d, %zu elements", (int)(of - rows), (int)shape, count);
}

/* All shapes at one size; some shape at each size around tiles; long segments; invalid offsets. */
static void check_all(test_call *self, const row *of, const test_operator *own, uint64_t seed)
{
    static const size_t counts[] = {0, 1, 2, 31, 33, 127, 480, 481, 959, 1920, 3839, 3840, 3841, 7681};
    uint64_t turn = seed * 100;
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++, turn++)
        check(self, of, own, shape, turn % 3 == 0 ? SOME : MANY, turn);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, turn++)
        check(self, of, own, TEST_SEGMENTS_ONE + turn % (TEST_SEGMENTS_END - 1), counts[i], turn);
    if (own == NULL || own->size <= sizeof(uint64_t)) {
        check(self, of, own, TEST_SEGMENTS_ONE, LONG, turn);
        check(self, of, own, TEST_SEGMENTS_GIANTS, LONG, turn);
    }
    for (uint64_t i = 0; i < 4; i++, turn++)
        check(self, of, own, TEST_SEGMENTS_MALFORMED, i % 2 == 0 ? SOME : MANY, turn);
}

static void check_row(clprim_runtime *runtime, size_t r, int variant)
{
    const row *of = &rows[r];
    test_operator own = {.name = NULL};
    description desc = of->desc;
    desc.variant = (clprim_segmented_reduce_variant)variant;
    if (of->own >= 0) {
        own = of->without_identity ? test_without_identity(&test_operators[of->own]) : test_operators[of->own];
        desc.custom = &own.op;
        desc.type = own.type;
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_reduce_operation, &desc))
        check_all(&self, of, of->own >= 0 ? &own : NULL, TEST_SEED + r);
}

TEST_EACH_WITH_RUNTIME(segmented_reduce, as_the_reference_does, ROWS_SHARED)
{
    for (size_t r = number; r < sizeof rows / sizeof *rows; r += ROWS_SHARED)
        for (int variant = 1; variant <= test_last_variant(&clprim_segmented_reduce_operation); variant++)
            if ((r + (size_t)variant) % 3 == 0 || r == 0 || test_is_full())
                check_row(runtime, r, variant);
}

/* For random floats, whose sums round: the error of each segment is within the header's bound. */
static test_segments judged;
static void judge(const test_call *self, size_t i, void *got, const char *what)
{
    const clprim_reference_operator by = {.type = CLPRIM_F32};
    (void)self;
    (void)i;
    for (size_t s = 0; s < judged.count; s++) {
        double error = 0, bound = 0;
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, &by, (float *)values + judged.bounds[s],
                                                (size_t)(judged.bounds[s + 1] - judged.bounds[s]), 0,
                                                (float *)got + s));
        cr_assert(error <= bound, "%s: segment %zu is wrong by %g", what, s, error);
    }
}

TEST_BY_VARIANT(segmented_reduce, sums_that_round, clprim_segmented_reduce_operation)
{
    const description desc = {.type = CLPRIM_F32, .variant = (clprim_segmented_reduce_variant)variant};
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_reduce_operation, &desc))
        for (int shape = TEST_SEGMENTS_ONE; shape < TEST_SEGMENTS_END; shape++) {
            judged = test_make_segments((test_shape)shape, MANY, SIZE_MAX, TEST_SEED);
            test_fill(values, CLPRIM_F32, CLPRIM_SUM, TEST_RANDOM, MANY, TEST_SEED);
            self.judge = judge;
            test_call_fill(&self,
                           &(clprim_segmented_reduce_call){.in = {.host = values},
                                                           .offsets = {.host = test_pack_bounds(&judged, CLPRIM_U32)},
                                                           .count = MANY,
                                                           .segment_count = judged.count,
                                                           .out = {.host = expected}},
                           TEST_SEED);
            test_call_check(&self, "shape %d", shape);
        }
}

/* Data that a call with invalid offsets leaves in the plan's memory do not affect the next call: here two long segments
 * begin at nearly the same element, and groups share them. */
TEST_BY_VARIANT(segmented_reduce, right_after_malformed, clprim_segmented_reduce_operation)
{
    static uint64_t bounds[][5] = {{0, 9000, 100, 20000, MANY}, {0, 9000, 9000, 20000, MANY}};
    const description desc = {.type = CLPRIM_I32, .variant = (clprim_segmented_reduce_variant)variant};
    test_fill(values, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, MANY, TEST_SEED);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_reduce_operation, &desc))
        for (int i = 0; i < 4; i++) {
            const test_segments of = {.bounds = bounds[i % 2], .count = 4};
            self.is_unspecified = i % 2 == 0;
            if (!self.is_unspecified)
                expect(&desc, NULL, &of, values, MANY);
            test_call_fill(&self,
                           &(clprim_segmented_reduce_call){.in = {.host = values},
                                                           .offsets = {.host = test_pack_bounds(&of, CLPRIM_U32)},
                                                           .count = MANY,
                                                           .segment_count = of.count,
                                                           .out = {.host = expected}},
                           TEST_SEED);
            test_call_check(&self, "call %d", i);
        }
}

/* .output changes results, also by the segment's number: of a sum, and of a struct. */
TEST_BY_VARIANT(segmented_reduce, outputs, clprim_segmented_reduce_operation)
{
    const description desc = {.type = CLPRIM_U8,
                              .accumulator_type = CLPRIM_U32,
                              .output = "r * scale + i",
                              .output_type = CLPRIM_U64,
                              .text.parameters = {{"scale", CLPRIM_U64}},
                              .work_group_size = 32,
                              .variant = (clprim_segmented_reduce_variant)variant};
    uint64_t scale = 1000003;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_reduce_operation, &desc))
        for (int shape = TEST_SEGMENTS_ONE; shape < TEST_SEGMENTS_END; shape++) {
            const test_segments of = test_make_segments((test_shape)shape, MANY, SIZE_MAX, TEST_SEED);
            test_fill(values, CLPRIM_U8, CLPRIM_SUM, TEST_RANDOM, MANY, TEST_SEED);
            for (size_t s = 0; s < of.count; s++) {
                uint32_t sum = 0;
                for (size_t i = (size_t)of.bounds[s]; i < of.bounds[s + 1]; i++)
                    sum += ((uint8_t *)values)[i];
                expected[s] = sum * scale + s;
            }
            test_call_fill(&self,
                           &(clprim_segmented_reduce_call){.in = {.host = values},
                                                           .arguments = {{.host = &scale}},
                                                           .offsets = {.host = test_pack_bounds(&of, CLPRIM_U32)},
                                                           .count = MANY,
                                                           .segment_count = of.count,
                                                           .out = {.host = expected}},
                           TEST_SEED);
            test_call_check(&self, "shape %d", shape);
        }
}

/* The header's example: a sparse matrix times a vector. */
TEST_WITH_RUNTIME(segmented_reduce, sparse_matrix_times_vector)
{
    static float entries[] = {2, 1, 3, 4, -1};
    static uint32_t columns[] = {0, 2, 1, 0, 2};
    static uint32_t begins[] = {0, 2, 2, 3, 5};
    static float x[] = {1, 10, 100};
    static float y[] = {102, 0, 30, -96};
    test_check_known(
        runtime, &clprim_segmented_reduce_operation,
        &(description){.type = CLPRIM_F32,
                       .input = "values[i] * x[columns[i]]",
                       .text.parameters = {{"values", CLPRIM_F32, .is_array = true},
                                           {"columns", CLPRIM_U32, .is_array = true},
                                           {"x", CLPRIM_F32, .is_array = true}}},
        &(clprim_segmented_reduce_call){.arguments = {{.host = entries}, {.host = columns}, {.host = x, .length = 3}},
                                        .offsets = {.host = begins},
                                        .count = 5,
                                        .segment_count = 4,
                                        .out = {.host = y}});
}

TEST_WITH_RUNTIME(segmented_reduce, known_results)
{
    static float in[] = {9, 3, 5, 5, 1, 7};
    static uint64_t begins[] = {1, 4, 4, 6};
    static clprim_indexed best[] = {
        {.index = 1, .value.f32 = 5}, {.index = UINT64_MAX, .value.u32 = 0xffffffff}, {.index = 1, .value.f32 = 7}};
    static float sums[] = {13.5F, 0.5F, 8.5F};
    static float half_one = 0.5F;
    const clprim_segmented_reduce_call call = {
        .in = {.host = in}, .offsets = {.host = begins}, .count = 6, .segment_count = 3, .out = {.host = best}};
    clprim_segmented_reduce_call with_initial = call;
    with_initial.out.host = sums;
    test_check_known(runtime, &clprim_segmented_reduce_operation,
                     &(description){.type = CLPRIM_F32, .op = CLPRIM_ARGMAX, .offsets_type = CLPRIM_U64}, &call);
    test_check_known(runtime, &clprim_segmented_reduce_operation,
                     &(description){.type = CLPRIM_F32, .initial = &half_one, .offsets_type = CLPRIM_U64},
                     &with_initial);
}

/* Offsets on the host are checked; offsets on the device are not. */
TEST_WITH_RUNTIME(segmented_reduce, refuses_offsets_on_the_host_that_descend)
{
    static const uint32_t descending[] = {0, 5, 4};
    static const uint32_t beyond[] = {0, 5, 11};
    int32_t in[10] = {0}, out[2] = {0};
    clprim_segmented_reduce_call call = {.in = {.host = in}, .count = 10, .segment_count = 2, .out = {.host = out}};
    call.offsets.host = (void *)(uintptr_t)descending;
    ASSERT_REFUSED(clprim_segmented_reduce_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "offsets[2] is 4");
    call.offsets.host = (void *)(uintptr_t)beyond;
    ASSERT_REFUSED(clprim_segmented_reduce_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "offsets[2] is 11");
    ASSERT_REFUSED(clprim_segmented_reduce_run(runtime, &(description){.max_segments = 1}, &call), CLPRIM_INVALID_RANGE,
                   "2 segments");
}

/* Texts of operators may read arrays. These may be empty if the call has no elements: then the operator must not be
 * called. The result of the division by zero would not be the identity, if the kernel survives it. */
TEST_BY_VARIANT(segmented_reduce, no_elements_call_no_operator, clprim_segmented_reduce_operation)
{
    static const clprim_custom_op plus = {.combine = "(a + b) % zero[0]", .identity = "7"};
    static const uint32_t initial = 5;
    for (int has_initial = 0; has_initial < 2; has_initial++) {
        uint32_t offsets[4] = {0}, zero = 0, out[3] = {0};
        const description desc = {.variant = (clprim_segmented_reduce_variant)variant,
                                  .type = CLPRIM_U32,
                                  .custom = &plus,
                                  .initial = has_initial ? &initial : NULL,
                                  .text.parameters = {{"zero", CLPRIM_U32, .is_array = true}}};
        const clprim_segmented_reduce_call call = {.arguments = {{.host = &zero, .length = 1}},
                                                   .offsets = {.host = offsets},
                                                   .segment_count = 3,
                                                   .out = {.host = out}};
        const clprim_status status = clprim_segmented_reduce_run(runtime, &desc, &call);
        if (status == CLPRIM_UNSUPPORTED)
            return;
        ASSERT_OK(status);
        for (size_t s = 0; s < 3; s++)
            cr_assert_eq(out[s], has_initial ? 5 : 7);
    }
}

Test(segmented_reduce, reference_refuses)
{
    static const uint32_t falling[] = {2, 1, 3}, beyond[] = {0, 4}, right[] = {1, 1, 3};
    static const int32_t in[3] = {5, 6, 7};
    const clprim_reference_operator sum = {.type = CLPRIM_I32};
    const clprim_reference_operator senseless = {.type = CLPRIM_F32, .op = CLPRIM_XOR};
    int32_t out[2] = {-1, -1};
#define REFERENCE(out, by, in, ...) clprim_reference_segmented_reduce(out, by, in, 3, __VA_ARGS__)
#define REFUSED(...)                ASSERT_STATUS(REFERENCE(__VA_ARGS__), CLPRIM_INVALID_ARGUMENT)
    REFUSED(out, &sum, in, CLPRIM_U32, falling, 2);
    REFUSED(out, &sum, in, CLPRIM_U32, beyond, 1);
    REFUSED(out, &sum, in, CLPRIM_U32, NULL, 1);
    REFUSED(out, &sum, in, CLPRIM_I32, right, 2);
    REFUSED(out, &sum, NULL, CLPRIM_U32, right, 2);
    REFUSED(NULL, &sum, in, CLPRIM_U32, right, 2);
    REFUSED(out, NULL, in, CLPRIM_U32, right, 2);
    ASSERT_STATUS(REFERENCE(out, &senseless, in, CLPRIM_U32, right, 2), CLPRIM_INVALID_OPERATOR);
    cr_assert(out[0] == -1 && out[1] == -1, "after refusals");
    ASSERT_OK(REFERENCE(out, &sum, in, CLPRIM_TYPE_DEFAULT, right, 2));
    cr_assert(out[0] == 0 && out[1] == 13, "an empty segment, and one of two elements");
    ASSERT_OK(clprim_reference_segmented_reduce(NULL, &sum, NULL, 0, CLPRIM_U64, NULL, 0));
}

#define INVALID(culprit, ...) TEST_INVALID(segmented_reduce, culprit, false, __VA_ARGS__)

Test(segmented_reduce, refusals)
{
    TEST_REFUSE_EACH(segmented_reduce, INVALID("offsets_type", .offsets_type = CLPRIM_I32),
                     INVALID("max_segments", .max_segments = UINT32_MAX),
                     INVALID("argmin", .op = CLPRIM_ARGMIN, .has_initial_at = true),
                     INVALID("argmax", .op = CLPRIM_ARGMAX, .output = "r"),
                     INVALID("accumulator_type", .type = CLPRIM_I32, .accumulator_type = CLPRIM_I16),
                     TEST_REFUSAL(INVALID_OPERATOR, segmented_reduce, "xor", .type = CLPRIM_F32, .op = CLPRIM_XOR));
}
