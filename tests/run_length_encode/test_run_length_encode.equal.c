// SPDX-License-Identifier: MIT
/* test_run_length_encode.equal.c: runs of records, and elements compared by a caller's text: every variant finds the
 * runs that the reference finds, also with offsets, and only runs of a minimum length. */
#include <clprim/reference.h>

#include "cases.h"

typedef struct equality {
    clprim_run_length_encode_desc desc;
    test_pattern pattern; /* EXACT: all patterns in turn */
    clprim_reference_equal equal;
} equality;

static const equality *now;

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_run_length_encode_desc *d = desc;
    const clprim_run_length_encode_call *c = call;
    const size_t size = d->type_name != NULL ? d->type_size : clprim_type_size(d->type);
    uint64_t *lengths = test_allocate((c->count + 1) * sizeof *lengths);
    uint64_t *offsets = test_allocate((c->count + 1) * sizeof *offsets);
    uint32_t *out[] = {c->lengths_out.host, c->offsets_out.host};
    size_t runs = 0;
    const clprim_reference_runs_how how = {.min_length = d->min_length, .offsets = offsets, .equal = now->equal};
    const clprim_status status = clprim_reference_runs(c->out.host, lengths, &runs, size, &how, c->in.host, c->count);
    for (size_t i = 0; i < runs; i++) {
        out[0][i] = (uint32_t)lengths[i];
        if (out[1] != NULL)
            out[1][i] = (uint32_t)offsets[i];
    }
    *(uint32_t *)c->out_count.host = (uint32_t)runs;
    free(lengths);
    free(offsets);
    return status;
}

#define EQUAL(name, type, condition)                                                                                   \
    static bool name(const void *a, const void *b)                                                                     \
    {                                                                                                                  \
        const type x = *(const type *)a;                                                                               \
        const type y = *(const type *)b;                                                                               \
        return condition;                                                                                              \
    }
EQUAL(is_near, int32_t, x / 1000000000 <= y / 1000000000)
EQUAL(is_same_half, uint16_t, clprim_half_to_float(x) == clprim_half_to_float(y))
EQUAL(has_same_low_bits, uint8_t, ((x ^ y) & 3) == 0)
EQUAL(has_same_begin, uint32_t, x % 4 == y % 4) /* for spans, whose first member is `begin` */

#define SPANS                                                                                                          \
    .type_name = "span", .type_size = 12, .text.source = "typedef struct { uint begin, end; int weight; } span;"

/* NaNs of the second row are not equal to themselves, while both zeros are equal. The last two rows compare bits. */
static const equality equalities[] = {
    {{.type = CLPRIM_I32,
      .equal = "a / LARGE <= b / LARGE // in steps\n ? 2 : 0",
      .text.source = "#define LARGE 1000000000"},
     TEST_RANDOM,
     is_near},
    {{.type = CLPRIM_F16, .equal = "a == b"}, TEST_SPECIALS, is_same_half},
    {{.type = CLPRIM_U8, .equal = "!((a ^ b) & 3)"}, TEST_RANDOM, has_same_low_bits},
    {{SPANS, .equal = "a.begin % 4 == b.begin % 4"}, TEST_RANDOM, has_same_begin},
    {{SPANS}, TEST_EXACT, NULL},
    {{.type_name = "wide", .type_size = 40, .text.source = "typedef struct { ulong v[5]; } wide;"},
     TEST_FEW_DISTINCT,
     NULL},
};

static void check(clprim_runtime *runtime, const equality *what, uint64_t seed)
{
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_run_length_encode_operation, &what->desc)) {
        now = what;
        self.reference = reference;
        for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = seed}; test_next(&turn);) {
            turn.pattern = what->pattern != TEST_EXACT ? what->pattern : turn.pattern;
            test_check_turn(&self, &turn);
        }
    }
}

/* By default, each variant runs two forms of each equality in turn: only lengths, offsets, long runs. */
TEST_WITH_RUNTIME(run_length_encode_equal, equalities)
{
    for (size_t e = 0; e < sizeof equalities / sizeof *equalities; e++)
        for (size_t v = 1; v < test_num_choices(&clprim_run_length_encode_operation); v++)
            for (size_t way = 0; way < 3; way++) {
                equality what = equalities[e];
                what.desc.variant = (clprim_scan_variant)test_choice(&clprim_run_length_encode_operation, v);
                what.desc.offsets = way > 0;
                what.desc.min_length = way > 1 ? 3 : 0;
                if (test_is_full() || (e + way + v) % 3 == 2)
                    check(runtime, &what, TEST_SEED + e * 3 + way);
            }
}

TEST_WITH_RUNTIME(run_length_encode_equal, parameters)
{
    static uint16_t in[] = {5, 6, 8, 3, 4, 4, 9}, elements[] = {5, 8, 3, 9};
    static uint32_t lengths[] = {2, 1, 3, 1};
    uint32_t limit = 1, runs = 4;
    test_check_known(runtime, &clprim_run_length_encode_operation,
                     &(clprim_run_length_encode_desc){.type = CLPRIM_U16,
                                                      .equal = "abs_diff(a, b) <= limit",
                                                      .text.parameters = {{"limit", CLPRIM_U32}}},
                     &(clprim_run_length_encode_call){.in = {.host = in},
                                                      .arguments = {{.host = &limit}},
                                                      .count = 7,
                                                      .out = {.host = elements},
                                                      .lengths_out = {.host = lengths},
                                                      .out_count = {.host = &runs}});
}

/* Runs of records that continue from part to part. Elements that only the device can compare are not cut. */
Test(run_length_encode_equal, in_parts)
{
    enum { COUNT = 5000, WORDS = 3, ROOM = COUNT * WORDS };
    static uint32_t in[ROOM], out[ROOM], expected[ROOM], lengths[COUNT];
    static uint64_t expected_lengths[COUNT];
    clprim_run_length_encode_desc desc = {SPANS};
    size_t num_expected = 0;
    uint32_t runs = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    for (uint32_t i = 0; i < ROOM; i++)
        in[i] = i / WORDS < COUNT / 2 ? i / WORDS / 7 : 77;
    const clprim_run_length_encode_call call = {.in = {.host = in},
                                                .count = COUNT,
                                                .out = {.host = out},
                                                .lengths_out = {.host = lengths},
                                                .out_count = {.host = &runs}};
    ASSERT_OK(clprim_reference_runs(expected, expected_lengths, &num_expected, 12, NULL, in, COUNT));
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = sizeof in}));
    ASSERT_OK(clprim_run_length_encode_run(runtime, &desc, &call));
    cr_assert_eq(runs, num_expected);
    test_expect_same(expected, out, 12, runs, "elements");
    for (size_t i = 0; i < runs; i++)
        cr_assert_eq(lengths[i], expected_lengths[i]);
    desc.equal = "a.begin == b.begin";
    ASSERT_REFUSED(clprim_run_length_encode_run(runtime, &desc, &call), CLPRIM_UNSUPPORTED, "with .equal");
    clprim_runtime_destroy(runtime);
}

Test(run_length_encode_equal, refusals)
{
    TEST_REFUSE_EACH(run_length_encode, TEST_INVALID(run_length_encode, "has no type_size", false, .type_name = "int"),
                     TEST_INVALID(run_length_encode, "without an expression", false, .text.source = "int x;"),
                     TEST_MISTAKE(run_length_encode, "equal:1", .equal = "a == nothing"));
}
