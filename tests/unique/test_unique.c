// SPDX-License-Identifier: MIT
/* test_unique.c: every variant finds the runs that the reference finds, for elements of every type, all sizes of
 * arrays, offsets, data and lengths of runs; with a caller's equality; in portions. By default, each variant runs some
 * of the types and equalities; with CLPRIM_TEST_FULL, all combinations. */
#include <clprim/reference.h>

#include "cases.h"
#include "select_internal.h"

/* LOOK_BACK divides arrays into portions, of 2^31 elements unless a test wants fewer. */
static void set_portion(clprim_plan *plan, size_t n)
{
    ((clprim__select_plan *)(void *)plan)->portion = n;
}

/* An equality in the device's and in the host's version. */
typedef struct equality {
    clprim_unique_desc desc;
    test_pattern pattern; /* EXACT: all patterns in turn */
    clprim_reference_equal equal;
    bool by_look_back; /* if not all variants run it: LOOK_BACK does instead of CPU_CHUNK */
} equality;

static const equality *now;

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_unique_desc *d = desc;
    const clprim_unique_call *c = call;
    const size_t size = d->type_name != NULL ? d->type_size : clprim_type_size(d->type);
    const size_t index_size = clprim_type_size(d->index_type);
    void *indices = test_allocate((c->count + 1) * index_size);
    size_t runs = 0;
    for (size_t i = 0; i < c->count; i++)
        memcpy((char *)indices + i * index_size, &i, index_size); /* little-endian */
    const clprim_status status = clprim_reference_unique_by_key(
        c->out.host, c->values_out.host, &runs, size, d->indices ? index_size : d->value_size, now->equal, c->in.host,
        d->indices ? indices : c->values_in.host, c->count);
    memcpy(c->out_count.host, &runs, index_size);
    free(indices);
    return status;
}

static bool create(test_call *out, clprim_runtime *runtime, const equality *what, int variant)
{
    clprim_unique_desc desc = what->desc;
    desc.variant = (clprim_select_variant)variant;
    desc.index_type = desc.type % 2 == 0 ? CLPRIM_U64 : CLPRIM_U32;
    if (!test_call_create(out, runtime, &clprim_unique_operation, &desc))
        return false;
    now = what;
    out->reference = reference;
    return true;
}

static void check_by(clprim_runtime *runtime, const equality *what, int variant)
{
    const uint64_t seed = TEST_SEED + (uint64_t)what->desc.type * 7 + (uint64_t)variant;
    TEST_WITH_CALL(self, create(&self, runtime, what, variant))
        for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = seed}; test_next(&turn);) {
            turn.pattern = what->pattern != TEST_EXACT ? what->pattern : turn.pattern;
            test_check_turn(&self, &turn);
        }
}

/* Elements of the same size use the same kernel: each of the slower variants gets some sizes. */
static bool is_sampled(int variant, size_t size)
{
    return (variant != CLPRIM_SELECT_COUNT_THEN_MOVE || size == 2) &&
           (variant != CLPRIM_SELECT_LOOK_BACK || size == 1 || size == 4);
}

TEST_WITH_RUNTIME(unique, types_by_bits)
{
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int variant = CLPRIM_SELECT_AUTO; variant <= test_last_variant(&clprim_unique_operation); variant++) {
            const equality bits = {.desc = {.type = (clprim_type)type}};
            if (test_is_full() || is_sampled(variant, clprim_type_size((clprim_type)type)))
                check_by(runtime, &bits, variant);
        }
}

/* The host's equalities of x and the next element y. */
#define EQUAL(name, type, condition)                                                                                   \
    static bool name(const void *a, const void *b)                                                                     \
    {                                                                                                                  \
        const type x = *(const type *)a;                                                                               \
        const type y = *(const type *)b;                                                                               \
        return condition;                                                                                              \
    }
EQUAL(is_near, int32_t, x / 1000000000 <= y / 1000000000)
EQUAL(is_same_i32, int32_t, x == y)
EQUAL(is_same_number, float, x == y)
EQUAL(is_same_half, uint16_t, clprim_half_to_float(x) == clprim_half_to_float(y))
EQUAL(is_double_below, double, x < y)
EQUAL(has_same_low_bits, uint8_t, ((x ^ y) & 3) == 0)
EQUAL(has_same_begin, uint32_t, x % 4 == y % 4) /* for spans, whose first member is `begin` */

#define SPANS                                                                                                          \
    .type_name = "span", .type_size = 12, .text.source = "typedef struct { uint begin, end; int weight; } span;"

/* The first row is an order, not an equality, and says 2 for true. NaNs of the second row are not equal to themselves,
 * while both zeros are equal. The last two rows compare bits. */
static const equality equalities[] = {
    {{.type = CLPRIM_I32,
      .equal = "a / LARGE <= b / LARGE // in steps\n ? 2 : 0",
      .text.source = "#define LARGE 1000000000"},
     TEST_RANDOM,
     is_near,
     false},
    {{.type = CLPRIM_F32, .equal = "a == b"}, TEST_SPECIALS, is_same_number, false},
    {{.type = CLPRIM_F16, .equal = "a == b"}, TEST_SPECIALS, is_same_half, false},
    {{.type = CLPRIM_F64, .equal = "a < b"}, TEST_RANDOM, is_double_below, false},
    {{.type = CLPRIM_U8, .equal = "!((a ^ b) & 3)"}, TEST_RANDOM, has_same_low_bits, false},
    {{SPANS, .equal = "a.begin % 4 == b.begin % 4"}, TEST_RANDOM, has_same_begin, true},
    {{SPANS}, TEST_RANDOM, NULL, false},
    {{.type_name = "wide", .type_size = 40, .text.source = "typedef struct { ulong v[5]; } wide;"},
     TEST_FEW_DISTINCT,
     NULL,
     false},
};

TEST_WITH_RUNTIME(unique, equalities)
{
    for (size_t e = 0; e < sizeof equalities / sizeof *equalities; e++)
        for (int variant = 1; variant <= test_last_variant(&clprim_unique_operation); variant++)
            if (test_is_full() ||
                (variant != CLPRIM_SELECT_COUNT_THEN_MOVE &&
                 variant != (equalities[e].by_look_back ? CLPRIM_SELECT_CPU_CHUNK : CLPRIM_SELECT_LOOK_BACK)))
                check_by(runtime, &equalities[e], variant);
}

/* Values of all sizes and indices, with keys of all sizes. By default, each variant runs each of them once. */
TEST_BY_VARIANT(unique, values, clprim_unique_operation)
{
    static const clprim_unique_desc keys[] = {
        {.type = CLPRIM_U8},  {.type = CLPRIM_F16, .equal = "a == b"},        {.type = CLPRIM_F32},
        {.type = CLPRIM_I64}, {SPANS, .equal = "a.begin % 4 == b.begin % 4"}, {.type = CLPRIM_I16}};
    static const size_t sizes[] = {1, 2, 4, 8, 16, 0 /* indices */};
    for (size_t v = 0; v < sizeof sizes / sizeof *sizes; v++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            equality what = {.desc = keys[k],
                             .pattern = keys[k].type == CLPRIM_F16 ? TEST_SPECIALS : TEST_EXACT,
                             .equal = keys[k].equal == NULL       ? NULL
                                      : keys[k].type_name != NULL ? has_same_begin
                                                                  : is_same_half};
            what.desc.value_size = sizes[v];
            what.desc.indices = sizes[v] == 0;
            if (test_is_full() || (v + (size_t)variant) % (sizeof keys / sizeof *keys) == k)
                check_by(runtime, &what, variant);
        }
}

/* Larger arrays than one launch can count: in this test, a launch counts 1000 elements. */
static void check_portions(clprim_runtime *runtime, const equality *bits)
{
    TEST_WITH_CALL(self, create(&self, runtime, bits, CLPRIM_SELECT_LOOK_BACK)) {
        set_portion(self.plan, 1000);
        for (size_t runs = 0; runs < TEST_RUNS_END; runs++)
            for (size_t count = 999; count <= 3001; count += count % 1000 == 1 ? 998 : 1)
                test_check_turn(&self, &(test_turn){.kinds = TEST_RUNS_END,
                                                    .seed = TEST_SEED + count,
                                                    .count = count,
                                                    .pattern = (test_pattern)(count % TEST_PATTERN_END),
                                                    .kind = runs});
    }
}

TEST_WITH_RUNTIME(unique, portions)
{
    check_portions(runtime, &(equality){.desc = {.type = CLPRIM_I32}});
    check_portions(runtime, &(equality){.desc = {.type = CLPRIM_I32, .value_size = 2}});
    check_portions(runtime, &(equality){.desc = {.type = CLPRIM_I32, .indices = true}});
}

/* With `distinct`, few elements are equal, and the first tile is slow, also that of the second portion if there is one.
 * Otherwise one portion has distinct elements, so that each portion differs from that of the other call. */
static void check_slow(test_call *self, size_t count, size_t portion, bool distinct)
{
    enum { SLOW = 77 };
    static int32_t elements[TEST_MAX_SIZE];
    for (size_t i = 0; i < count; i++)
        elements[i] = 100 + (distinct != (i / portion == 1) ? (int32_t)i : 0);
    for (size_t i = 1; distinct && i < count && i <= portion + 1; i += portion)
        elements[i] = SLOW;
    test_call_fill(self, &(clprim_unique_call){.in = {.host = elements}, .count = count}, TEST_SEED);
    test_call_check(self, "%s", distinct ? "distinct" : "equal");
}

/* Tiles must not use what the tiles of an earlier launch published, of another call or of the same. If an element of
 * the first tile takes long to compare, later tiles look back meanwhile, and find what was left there. */
TEST_WITH_RUNTIME(unique, launches_that_begin_slowly)
{
    static const equality slow = {
        .desc = {.type = CLPRIM_I32,
                 .equal = "slow(a) == slow(b)",
                 .text.source =
                     "int slow(int x)\n{\n    uint y = 1;\n    for (uint k = 0; x == 77 && k < 50000000; k++) {\n"
                     "        y ^= y << 13;\n        y ^= y >> 17;\n        y ^= y << 5;\n    }\n"
                     "    return y != 0 ? x : 0; /* never 0, but no compiler knows */\n}\n"},
        .equal = is_same_i32};
    enum { PORTION = 20000, COUNT = 3 * PORTION };
    TEST_WITH_CALL(self, create(&self, runtime, &slow, CLPRIM_SELECT_LOOK_BACK)) {
        self.goes_on = true;
        for (int distinct = 0; distinct < 2; distinct++)
            check_slow(&self, PORTION, COUNT, distinct != 0);
        set_portion(self.plan, PORTION);
        for (int distinct = 0; distinct < 2; distinct++)
            check_slow(&self, COUNT, PORTION, distinct != 0);
    }
}

/* Constants, so that not everything relies on the reference. */
TEST_WITH_RUNTIME(unique, known_by_heart)
{
    static int16_t in[] = {5, 5, 5, -1, 5, 7, 7}, expected[] = {5, -1, 5, 7};
    static uint8_t values[] = {1, 2, 3, 4, 5, 6, 7}, kept[] = {1, 4, 5, 6};
    static uint64_t indices[] = {0, 3, 4, 5}, runs_of_64_bits = 4;
    static uint32_t runs = 4;
    const clprim_unique_call call = {
        .in = {.host = in}, .count = 7, .out = {.host = expected}, .out_count = {.host = &runs}};
    clprim_unique_call with_values = call, with_indices = call;
    with_values.values_in.host = values;
    with_values.values_out.host = kept;
    with_indices.values_out.host = indices;
    with_indices.out_count.host = &runs_of_64_bits;
    int16_t out[2] = {77};
    size_t none = 99;
    test_check_known(runtime, &clprim_unique_operation, &(clprim_unique_desc){.type = CLPRIM_I16}, &call);
    test_check_known(runtime, &clprim_unique_operation, &(clprim_unique_desc){.type = CLPRIM_I16, .value_size = 1},
                     &with_values);
    test_check_known(runtime, &clprim_unique_operation,
                     &(clprim_unique_desc){.type = CLPRIM_I16, .indices = true, .index_type = CLPRIM_U64},
                     &with_indices);
    ASSERT_STATUS(clprim_reference_unique(NULL, &none, 2, NULL, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique_by_key(out, NULL, &none, 2, 1, NULL, in, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique_by_key(out, out, &none, 2, 1, NULL, in, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, NULL, 2, NULL, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, &none, 0, NULL, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, &none, 2, NULL, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && none == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_unique(NULL, &none, 2, NULL, NULL, 0));
    cr_assert_eq(none, 0);
}

Test(unique, refusals)
{
    TEST_REFUSE_EACH(unique, TEST_INVALID(unique, "value_size 3", false, .value_size = 3),
                     TEST_INVALID(unique, "value_size 32", false, .value_size = 32),
                     TEST_INVALID(unique, "values are indices", false, .value_size = 4, .indices = true),
                     TEST_UNSUPPORTED(unique, "native", .variant = CLPRIM_SELECT_NATIVE)); /* select has it */
}
