// SPDX-License-Identifier: MIT
/* test_select.predicates.c: what predicates may contain, and elements of the caller's types. */
#include <math.h>

#include "test_select.h"

enum { MAX_COUNT = 20011 };

/* A predicate in the device's and in the host's version. */
typedef struct predicate_case {
    clprim_select_desc desc;
    test_pattern pattern;
    bool (*keeps)(const void *element, uint64_t i);
} predicate_case;

typedef struct span {
    uint32_t begin, end;
    int32_t weight;
} span;

typedef struct wide {
    uint64_t v[5];
} wide;

/* The host's predicates of x and i. */
#define KEEPS(name, type, condition)                                                                                   \
    static bool name(const void *element, uint64_t i)                                                                  \
    {                                                                                                                  \
        const type x = *(const type *)element;                                                                         \
        (void)x;                                                                                                       \
        (void)i;                                                                                                       \
        return condition;                                                                                              \
    }
KEEPS(is_below, int32_t, x < -12345)
KEEPS(is_third, uint8_t, i % 3 == 1)
KEEPS(is_second, uint8_t, i % 3 == 2)
KEEPS(is_odd_with_index, uint16_t, ((x ^ i) & 1) != 0 || i > 20000)
KEEPS(is_every, float, true)
KEEPS(is_no, int8_t, false)
KEEPS(has_high_bits, uint64_t, (x & UINT64_C(0x7000000000)) != 0)
KEEPS(is_small_half, uint16_t, clprim_half_to_float(x) * 0x1p-30f > 0.5f * 0x1p-30f)
KEEPS(is_float_nan, float, isnan(x))
KEEPS(is_float_not_zero, float, x != 0.0f)
KEEPS(is_half_not_zero, uint16_t, (x & 0x7fff) != 0)
KEEPS(is_double_small, double, fabs(x) < 0.3)
KEEPS(is_heavy_span, span, x.weight > 0 && x.end > x.begin)
KEEPS(is_even_wide, wide, ((x.v[0] ^ x.v[4] ^ i) & 1) == 0)

#define SPAN                                                                                                           \
    .type_name = "span", .type_size = 12, .text.source = "typedef struct { uint begin, end; int weight; } span;"
#define WIDE .type_name = "wide", .type_size = 40, .text.source = "typedef struct { ulong v[5]; } wide;"

/* Cases are in the order of the tests that use them. */
enum { INDICES = 7, FLOATS = 9, STRUCTS = 14, FLAGS = 16, NUM_CASES = 17 };

static const predicate_case cases[NUM_CASES] = {
    {{.type = CLPRIM_I32, .predicate = "x < -12345"}, TEST_RANDOM, is_below},
    {{.type = CLPRIM_U16, .predicate = "((x ^ i) & 1) || i > 20000"}, TEST_RANDOM, is_odd_with_index},
    {{.type = CLPRIM_F32, .predicate = "1"}, TEST_SPECIALS, is_every},
    {{.type = CLPRIM_I8, .predicate = "false"}, TEST_RANDOM, is_no},
    {{.type = CLPRIM_I32,
      .predicate = "is_below(x, LIMIT)",
      .text.source = "#define LIMIT limit_of[1]\n__constant int limit_of[2] = {7, -12345};\n"
                     "static inline bool is_below(int a, int limit)\n{\n    return a < limit;\n}"},
     TEST_RANDOM,
     is_below},
    /* Truncated to an int, or to its lowest bit, this would be 0. */
    {{.type = CLPRIM_U64, .predicate = "x & 0x7000000000ul"}, TEST_RANDOM, has_high_bits},
    /* Operators with lower precedence than those that the library may put around them, and comments. */
    {{.type = CLPRIM_I32, .predicate = "\n  x >= -12345 // large\n  ? false /* no */ : true // small"},
     TEST_RANDOM,
     is_below},
    {{.type = CLPRIM_U8, .predicate = "i % 3 == 1"}, TEST_RANDOM, is_third},
    {{.type = CLPRIM_U8, .predicate = "i % 3 == 2"}, TEST_RANDOM, is_second},
    /* Halves become floats: as a half, x * 2^-30 would be 0. NaNs and zeros are not greater. */
    {{.type = CLPRIM_F16, .predicate = "x * 0x1p-30f > 0.5f * 0x1p-30f"}, TEST_RANDOM, is_small_half},
    /* A predicate of type float: 0.5 is not 0. */
    {{.type = CLPRIM_F32, .predicate = "x"}, TEST_FEW_DISTINCT, is_float_not_zero},
    {{.type = CLPRIM_F64, .predicate = "fabs(x) < 0.3"}, TEST_RANDOM, is_double_small},
    {{.type = CLPRIM_F32, .predicate = "isnan(x)"}, TEST_SPECIALS, is_float_nan},
    {{.type = CLPRIM_F16, .predicate = "x"}, TEST_SPECIALS, is_half_not_zero},
    {{SPAN, .predicate = "x.weight > 0 && x.end > x.begin"}, TEST_RANDOM, is_heavy_span},
    {{WIDE, .predicate = "((x.v[0] ^ x.v[4] ^ i) & 1) == 0"}, TEST_RANDOM, is_even_wide},
    {{WIDE, .flags_type = CLPRIM_U16}, TEST_RANDOM, is_even_wide},
};

static void check_by(clprim_runtime *runtime, const predicate_case *c, int variant)
{
    static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, MAX_COUNT};
    static uint8_t keep[MAX_COUNT];
    clprim_select_desc desc = c->desc;
    desc.variant = (clprim_select_variant)variant;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const test_turn turn = {.kinds = 1, .count = counts[i], .pattern = c->pattern, .seed = TEST_SEED + i};
            test_struct call;
            test_fill_turn(&self, &call, &turn);
            const char *in = ((clprim_select_call *)(void *)call.bytes)->in.host;
            for (size_t k = 0; k < counts[i]; k++)
                keep[k] = c->keeps(in + k * self.plan->slots[0].element_size, k);
            select_check(&self, &call, keep, &turn);
        }
}

/* The cases are distributed over the variants, or with CLPRIM_TEST_FULL all variants run all cases; those of `by_all`
 * always do. */
static void check_cases(clprim_runtime *runtime, size_t begin, size_t end, bool by_all)
{
    for (size_t c = begin; c < end; c++)
        for (int variant = 1; variant <= test_last_variant(&clprim_select_operation); variant++)
            if (by_all || test_is_full() ||
                (c - begin) % (size_t)test_last_variant(&clprim_select_operation) + 1 == (size_t)variant)
                check_by(runtime, &cases[c], variant);
}

/* Predicates on indices run with the same variant in the same runtime: the kernel of one text must not be mistaken for
 * that of another text of the same length. */
TEST_WITH_RUNTIME(select_predicates, texts)
{
    check_cases(runtime, 0, INDICES, false);
    check_cases(runtime, INDICES, FLOATS, true);
}

TEST_WITH_RUNTIME(select_predicates, floats)
{
    check_cases(runtime, FLOATS, STRUCTS, false);
}

TEST_WITH_RUNTIME(select_predicates, structs)
{
    check_cases(runtime, STRUCTS, FLAGS, true);
    check_cases(runtime, FLAGS, NUM_CASES, false);
}

/* The compiler's log names the text that contains the mistake, and the line. A failed compilation leaves nothing
 * behind. */
TEST_WITH_RUNTIME(select_predicates, mistakes_are_located)
{
#define WRONG(place, ...) TEST_MISTAKE(select, place, __VA_ARGS__)
    const test_refusal rows[] = {
        WRONG("predicate:1", .predicate = "x > missing"),
        WRONG("predicate:3", .predicate = "\nx >\n missing"),
        WRONG("predicate", .predicate = "x > 0;"),
        WRONG("predicate:1", .predicate = "x.weight > 0"),
        WRONG("source:2", .predicate = "fine(x)", .text.source = "typedef int fine;\ntypedef missing broken;"),
        WRONG("source:1", .text.source = "typedef missing number;", .type_name = "number", .type_size = 4),
        WRONG("type_size", .type_name = "span", .type_size = 16,
              .text.source = "typedef struct { uint begin, end; int weight; } span;"), /* without a predicate, too */
        WRONG("predicate:1:9", .predicate = "x > 0 +\t"),
    };
    test_refuse_texts(runtime, &clprim_select_operation, rows, sizeof rows / sizeof *rows);
    check_by(runtime, &cases[0], CLPRIM_SELECT_CPU_CHUNK);
}

Test(select_predicates, descriptions_that_make_no_sense)
{
#define SENSELESS(named, ...) TEST_INVALID(select, named, false, __VA_ARGS__)
    TEST_REFUSE_EACH(select, SENSELESS("type_size", .type_name = "int"), /* by flags, too */
                     SENSELESS("type_name", .type_size = 4));
}
