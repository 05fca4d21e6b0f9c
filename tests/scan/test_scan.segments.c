// SPDX-License-Identifier: MIT
/* test_scan.segments.c: segments by flags or keys. The reference gets the beginnings that the test itself chose. */
#include <clprim/reference.h>

#include "folds.h"

enum { MAX_COUNT = 100003 };

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 1023, 1025, 4095, 4096, 4097, 33333, MAX_COUNT};

/* Whether AUTO takes this variant on some device. */
static bool is_usual(int variant)
{
    return variant == CLPRIM_SCAN_AUTO || variant == CLPRIM_SCAN_REDUCE_THEN_SCAN || variant == CLPRIM_SCAN_LOOK_BACK ||
           variant == CLPRIM_SCAN_CPU_CHUNK;
}

/* Where segments begin: nowhere, at each element, at random, at the ends of tiles, around these, and at the last
 * element. Blocks and tiles are most likely to go wrong if segments begin at their ends. */
static const struct layout {
    size_t every;
    enum { EXACTLY, AT_RANDOM, AROUND, LAST } how;
} layouts[] = {{SIZE_MAX, AT_RANDOM}, {1, EXACTLY},    {5, AT_RANDOM}, {3000, AT_RANDOM}, {256, EXACTLY},
               {1024, EXACTLY},       {4096, EXACTLY}, {256, AROUND},  {4096, AROUND},    {0, LAST}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static bool begins_at(const struct layout *where, size_t i, size_t count, uint64_t *random)
{
    switch (where->how) {
    case EXACTLY: return i % where->every == 0;
    case AT_RANDOM: return test_random_below(random, where->every) == 0;
    case AROUND: return (i + test_random_below(random, 3)) % where->every == 1;
    default: return i == count - 1;
    }
}

/* How segments are given, with keys or flags (as bits) that a careless comparison would confuse. */
typedef struct telling {
    clprim_scan_segments segments;
    clprim_type type;
    uint64_t bits[6]; /* keys that all differ; flags that are all set */
} telling;

static const telling tellings[] = {
    {CLPRIM_SEGMENTS_BY_FLAG, CLPRIM_U8, {1, 0x80, 2, 0xff, 0x10, 0x40}},
    {CLPRIM_SEGMENTS_BY_FLAG, CLPRIM_I32, {1, 0x80000000, 0x100, 0x10000, 0xffffffff, 0x1000000}},
    {CLPRIM_SEGMENTS_BY_FLAG,
     CLPRIM_U64,
     {1, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_C(0xff) << 40, UINT64_MAX, UINT64_C(1) << 31}},
    /* A denormal and its negative, infinity, NaNs of both signs, 1. */
    {CLPRIM_SEGMENTS_BY_FLAG, CLPRIM_F32, {1, 0x80000001, 0x7f800000, 0x7fc00000, 0xffc00000, 0x3f800000}},
    {CLPRIM_SEGMENTS_BY_FLAG, CLPRIM_F16, {1, 0x8001, 0x7c00, 0x7e00, 0xfe00, 0x3c00}},
    {CLPRIM_SEGMENTS_BY_KEY, CLPRIM_U8, {0, 1, 0x80, 0xff, 0x7f, 2}},
    {CLPRIM_SEGMENTS_BY_KEY, CLPRIM_I32, {0, 0x80000000, 0xffffffff, 0x100, 0x10000, 1}},
    /* both zeros, two NaNs, infinity, a denormal */
    {CLPRIM_SEGMENTS_BY_KEY, CLPRIM_F32, {0, 0x80000000, 0x7fc00000, 0x7fc00001, 0x7f800000, 1}},
    {CLPRIM_SEGMENTS_BY_KEY,
     CLPRIM_U64,
     {0, UINT64_C(1) << 32, UINT64_C(1) << 63, 1, UINT64_MAX, UINT64_C(0xffffffff) << 32}},
};

/* The elements and operators to scan; each test takes the next one. */
static const struct {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator;
} scans[] = {{CLPRIM_I32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT}, {CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT},
             {CLPRIM_U8, CLPRIM_SUM, CLPRIM_U64},           {CLPRIM_I64, CLPRIM_MAX, CLPRIM_TYPE_DEFAULT},
             {CLPRIM_F16, CLPRIM_MIN, CLPRIM_TYPE_DEFAULT}, {CLPRIM_I16, CLPRIM_ARGMIN, CLPRIM_TYPE_DEFAULT},
             {CLPRIM_U8, CLPRIM_XOR, CLPRIM_TYPE_DEFAULT},  {CLPRIM_F32, CLPRIM_PROD, CLPRIM_TYPE_DEFAULT}};

enum { NUM_TELLINGS = sizeof tellings / sizeof *tellings, NUM_SCANS = sizeof scans / sizeof *scans };

/* Choose segments: `begins` for the reference, and keys or flags for the call. The first element's flag makes no
 * difference. */
static void lay_out(const telling *t, size_t where, size_t count, uint64_t seed, uint8_t *begins, unsigned char *heads)
{
    uint64_t random = seed;
    size_t k = test_random_below(&random, 6);
    const size_t size = clprim_type_size(t->type);
    const uint64_t negative_zero = test_is_float(t->type) ? UINT64_C(1) << (8 * size - 1) : 0; /* as a flag it is not
                                                                                                * set */
    for (size_t i = 0; i < count; i++) {
        const size_t other = (k + 1 + test_random_below(&random, 5)) % 6;
        const uint64_t unset = i % 2 == 0 ? negative_zero : 0;
        begins[i] = begins_at(&layouts[where], i, count, &random);
        if (begins[i])
            k = other;
        const uint64_t bits = t->segments == CLPRIM_SEGMENTS_BY_KEY || begins[i] ? t->bits[k] : unset;
        memcpy(heads + i * size, &bits, size); /* the low bytes come first */
    }
}

/* Where segments begin, for the reference. */
static uint8_t begins[MAX_COUNT];

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_scan_desc *d = desc;
    const clprim_scan_call *c = call;
    const clprim_reference_scan_how how = {
        .exclusive = d->exclusive, .initial = d->has_initial_at ? c->initial_at.host : d->initial, .begins = begins};
    return clprim_reference_scan(c->out.host, TEST_FOLD(d->type, d->op, d->accumulator_type), &how, c->in.host,
                                 c->count);
}

/* One scan, by calls[0] from the identity or calls[1] from an initial value. The data are exact: no sum or product
 * rounds. */
static void check(test_call calls[2], const telling *t, size_t where, size_t count, uint64_t seed)
{
    test_struct call;
    const test_turn turn = {.kinds = 1, .seed = TEST_SEED + seed, .count = count, .pattern = TEST_EXACT};
    test_call *self = &calls[seed % 5 < 2 && calls[1].plan != NULL];
    test_fill_turn(self, &call, &turn);
    lay_out(t, where, count, turn.seed, begins, ((clprim_scan_call *)(void *)call.bytes)->heads.host);
    self->reference = reference;
    test_check_filled(self, &call, &turn);
}

/* All counts, with the layouts in turn; then all layouts at counts of a few tiles and of many. */
static void check_all(test_call calls[2], const telling *t, uint64_t turn)
{
    for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++, turn++)
        check(calls, t, (turn + i % 2 * 3) % LAYOUTS, counts[i / 2], turn);
    for (size_t i = 0; i < 2 * LAYOUTS; i++, turn++)
        check(calls, t, i / 2, i % 2 == 0 ? 4097 : 33333, turn);
}

static void check_scan(clprim_runtime *runtime, int variant, size_t t, size_t s, bool exclusive)
{
    unsigned char initial[8];
    test_call calls[2] = {{.plan = NULL}, {.plan = NULL}};
    const clprim_type stored = scans[s].accumulator == CLPRIM_TYPE_DEFAULT ? scans[s].type : scans[s].accumulator;
    clprim_scan_desc desc = {.type = scans[s].type,
                             .op = scans[s].op,
                             .accumulator_type = scans[s].accumulator,
                             .exclusive = exclusive,
                             .segments = tellings[t].segments,
                             .segments_type = tellings[t].type,
                             .variant = (clprim_scan_variant)variant};
    /* A CPU's compiler takes ten seconds for each kernel with tiles of many small elements: test_scan.c has these,
     * without segments. */
    if (clprim_type_size(scans[s].type) < sizeof(int32_t) && !test_is_full())
        desc.items_per_work_item = 1;
    test_fill(initial, stored, desc.op, TEST_EXACT, 1, TEST_SEED);
    if (!test_fold_create(&calls[0], runtime, &clprim_scan_operation, &desc, NULL))
        return;
    desc.has_initial_at = t % 2 == 0;
    desc.initial = desc.has_initial_at ? NULL : initial;
    if (test_result_size(desc.type, desc.op, desc.accumulator_type) <= sizeof initial)
        cr_assert(test_fold_create(&calls[1], runtime, &clprim_scan_operation, &desc, NULL) || test_is_sample());
    check_all(calls, &tellings[t], t * 16 + (uint64_t)variant);
    test_call_destroy(&calls[0]);
    test_call_destroy(&calls[1]);
}

/* AUTO and each variant that it may take run with all keys and flags, the other variants with every third. The scans
 * take turns, inclusive and exclusive. */
TEST_EACH_WITH_RUNTIME(scan_segments, variant, (size_t)test_last_variant(&clprim_scan_operation) + 1)
{
    for (size_t t = 0; t < NUM_TELLINGS; t++)
        for (size_t s = 0; s < NUM_SCANS; s++)
            for (size_t exclusive = 0; exclusive < 2; exclusive++) {
                const bool sampled = s == (t + 3 * number) % NUM_SCANS && (t + number) % 2 == exclusive &&
                                     (is_usual((int)number) || (t + number) % 3 == 0);
                if (sampled || test_is_full())
                    check_scan(runtime, (int)number, t, s, exclusive != 0);
            }
}

/* Runs of equal elements: the array is its own key. */
TEST_WITH_RUNTIME(scan_segments, the_input_may_be_the_keys)
{
    static int32_t in[9001];
    const clprim_scan_call call = {.in = {.host = in}, .heads = {.host = in}, .count = 9001};
    test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_FEW_DISTINCT, call.count, TEST_SEED);
    for (size_t i = 1; i < call.count; i++)
        begins[i] = in[i] != in[i - 1];
    for (int variant = 0; variant <= test_last_variant(&clprim_scan_operation); variant++) {
        const clprim_scan_desc desc = {
            .type = CLPRIM_I32, .segments = CLPRIM_SEGMENTS_BY_KEY, .variant = (clprim_scan_variant)variant};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc)) {
            clprim_scan_call *enqueued = (void *)self.call.bytes;
            self.reference = reference;
            test_call_fill(&self, &call, (uint64_t)variant);
            enqueued->heads = enqueued->in;
            test_call_check(&self, "the array is its own key");
        }
    }
}

/* Operators that see segments compute: sums of both numbers that restart; sums of the first numbers that restart, and
 * of the second ones over the whole array; the first number of all, and sums of the second ones that restart. */
typedef struct seen {
    uint32_t sum, count;
} seen;

static seen by_segments(seen a, seen b, bool across)
{
    return across ? b : (seen){a.sum + b.sum, a.count + b.count};
}

static seen forgets_one_half(seen a, seen b, bool across)
{
    return (seen){across ? b.sum : a.sum + b.sum, a.count + b.count};
}

static seen keeps_left_half(seen a, seen b, bool across)
{
    return (seen){a.sum, across ? b.count : a.count + b.count};
}

#define SEEN(expression, neutral)                                                                                      \
    {                                                                                                                  \
        .type_name = "seen", .type_size = sizeof(seen), .source = "typedef struct { uint sum, count; } seen;",         \
        .combine = (expression), .identity = (neutral), .non_commutative = true                                        \
    }

static const struct {
    clprim_custom_op op;
    seen (*combine)(seen a, seen b, bool across);
} sights[] = {
    {SEEN("across_segment ? b : (seen){a.sum + b.sum, a.count + b.count}", "(seen){0, 0}"), by_segments},
    {SEEN("(seen){across_segment ? b.sum : a.sum + b.sum, a.count + b.count}", NULL), forgets_one_half},
    {SEEN("(seen){a.sum, across_segment ? b.count : a.count + b.count}", NULL), keeps_left_half},
};
enum { NUM_SIGHTS = sizeof sights / sizeof *sights };

/* From `first`, or from the first element if `first` is NULL. */
static void see(seen *out, const clprim_scan_desc *desc, size_t sight, const seen *first, const seen *in, size_t count)
{
    seen folded = first != NULL ? *first : (seen){0, 0};
    for (size_t i = 0; i < count; i++) {
        if (desc->exclusive)
            out[i] = folded;
        folded = i == 0 && first == NULL ? in[0] : sights[sight].combine(folded, in[i], i > 0 && begins[i]);
        if (!desc->exclusive)
            out[i] = folded;
    }
}

/* Each variant; with and without an initial value, by flags and by keys, in turn. */
TEST_WITH_RUNTIME(scan_segments, may_be_seen_by_operators)
{
    static seen in[20011], out[20011];
    static unsigned char heads[20011];
    static const seen first = {1000, 2000};
    static const size_t sizes[] = {0, 1, 2, 257, 4097, 20011};
    test_fill(in, CLPRIM_U32, CLPRIM_SUM, TEST_RANDOM, 2 * sizeof in / sizeof *in, TEST_SEED);
    for (size_t v = 0; v <= (size_t)test_last_variant(&clprim_scan_operation); v++)
        for (size_t s = 0; s < NUM_SIGHTS; s++) {
            const telling *t = &tellings[v % 2 == 0 ? 0 : 5];
            const clprim_scan_desc desc = {.custom = &sights[s].op,
                                           .exclusive = (v + s) % 3 == 1,
                                           .initial = (v + s) % 3 > 0 ? &first : NULL,
                                           .segments = t->segments,
                                           .segments_type = t->type,
                                           .sees_segments = true,
                                           .variant = (clprim_scan_variant)v};
            if (v != CLPRIM_SCAN_LOOK_BACK && v % NUM_SIGHTS != s && !test_is_full())
                continue;
            TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc))
                for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
                    const size_t count = sizes[i / 2];
                    lay_out(t, (i + v) % LAYOUTS, count, TEST_SEED + i, begins, heads);
                    see(out, &desc, s, desc.initial != NULL ? &first : NULL, in, count);
                    test_call_fill(
                        &self,
                        &(clprim_scan_call){
                            .in = {.host = in}, .heads = {.host = heads}, .count = count, .out = {.host = out}},
                        TEST_SEED + i);
                    test_call_check(&self, "layout %zu, %zu elements", (i + v) % LAYOUTS, count);
                }
        }
}

Test(scan_segments, refusals)
{
    TEST_REFUSE_EACH(
        scan, TEST_INVALID(scan, "sees_segments", false, .sees_segments = true, .segments = CLPRIM_SEGMENTS_BY_KEY),
        TEST_INVALID(scan, "sees_segments", false, .sees_segments = true, .custom = &sights[0].op),
        TEST_MISTAKE(scan, "across_segment", .custom = &sights[0].op, .segments = CLPRIM_SEGMENTS_BY_KEY));
}

/* The default types: I32 for keys, U8 for flags. The expected values are constants. */
TEST_WITH_RUNTIME(scan_segments, known_by_heart)
{
    static int32_t in[] = {1, 2, 3, 4, 5, 6};
    static int32_t keys[] = {7, 7, -1, -1, 7, 8};
    static uint8_t flags[] = {0, 0, 128, 0, 1, 0};
    static int32_t expected[2][6] = {{1, 3, 3, 7, 5, 6}, {0, 1, 0, 3, 0, 5}};
    test_check_known(
        runtime, &clprim_scan_operation, &(clprim_scan_desc){.segments = CLPRIM_SEGMENTS_BY_KEY},
        &(clprim_scan_call){.in = {.host = in}, .heads = {.host = keys}, .count = 6, .out = {.host = expected[0]}});
    test_check_known(
        runtime, &clprim_scan_operation, &(clprim_scan_desc){.segments = CLPRIM_SEGMENTS_BY_FLAG, .exclusive = true},
        &(clprim_scan_call){.in = {.host = in}, .heads = {.host = flags}, .count = 6, .out = {.host = expected[1]}});
}

/* Float sums with segments have the same bits for all sizes of work-groups, and AUTO chooses a variant that does
 * this. */
TEST_WITH_RUNTIME(scan_segments, may_be_reproducible)
{
    enum { SOME = 33333 };
    static const size_t group_sizes[] = {0, 1, 16, 256};
    static float data[SOME];
    static float found[2][SOME];
    const clprim_reference_scan_how how = {.begins = begins};
    double worst = 2;
    uint64_t random = TEST_SEED;
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    test_fill(data, CLPRIM_F32, CLPRIM_SUM, TEST_EXTREMES, SOME, TEST_SEED);
    for (size_t i = 0; i < SOME; i++)
        begins[i] = test_random_below(&random, 3000) == 0;
    for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
        const clprim_scan_desc desc = {.type = CLPRIM_F32,
                                       .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                       .reproducible = true,
                                       .work_group_size = group_sizes[g]};
        const clprim_scan_call call = {
            .in = {.host = data}, .heads = {.host = begins}, .count = SOME, .out = {.host = found[g > 0]}};
        ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
        test_expect_same(found[0], found[g > 0], sizeof(float), SOME, "another size of work-groups");
    }
    ASSERT_OK(clprim_reference_scan_error(&worst, NULL, TEST_FOLD(CLPRIM_F32, CLPRIM_SUM, CLPRIM_F32), &how, data, SOME,
                                          0, found[0]));
    cr_assert_leq(worst, 1.0);
}
