/* test_scan.segments.c: scans by segments, that begin at flags or where keys change. What is expected comes from the
 * reference, told of the beginnings that the test laid out itself. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { MAX_COUNT = 100003, MAX_OFFSET = 7, TAIL = 16, ROOM = MAX_OFFSET + MAX_COUNT + TAIL, POISON = 0xa5 };

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 1023, 1025, 4095, 4096, 4097, 33333, MAX_COUNT};
static const size_t offsets[] = {0, 1, 3, 7};

static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO,
                                               CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                               CLPRIM_SCAN_LOOK_BACK,
                                               CLPRIM_SCAN_CPU_CHUNK,
                                               CLPRIM_SCAN_NAIVE,
                                               CLPRIM_SCAN_WORK_EFFICIENT,
                                               CLPRIM_SCAN_BIT_REVERSED,
                                               CLPRIM_SCAN_BLELLOCH,
                                               CLPRIM_SCAN_BLELLOCH_PADDED,
                                               CLPRIM_SCAN_FIXED_TREE};
static const char *const variant_names[] = {
    "auto",           "reduce_then_scan", "look_back", "cpu_chunk",       "naive",
    "work_efficient", "bit_reversed",     "blelloch",  "blelloch_padded", "fixed_tree"};

enum {
    NUM_COUNTS = sizeof counts / sizeof *counts,
    NUM_VARIANTS = sizeof variants / sizeof *variants,
    FIRST_OF_LADDER = 4
};

/* Where segments begin. Blocks and tiles are most likely to go wrong where one begins at their ends. */
typedef enum layout {
    LAYOUT_NONE = 0,
    LAYOUT_ALL,
    LAYOUT_OFTEN,
    LAYOUT_SELDOM,
    LAYOUT_256,
    LAYOUT_1024,
    LAYOUT_4096,
    LAYOUT_AROUND_256,
    LAYOUT_AROUND_4096,
    LAYOUT_LAST,
    LAYOUT_END
} layout;

static bool begins_at(layout where, size_t i, size_t count, uint64_t *random)
{
    const size_t around = test_random_below(random, 3);
    switch (where) {
    case LAYOUT_ALL: return true;
    case LAYOUT_OFTEN: return test_random_below(random, 5) == 0;
    case LAYOUT_SELDOM: return test_random_below(random, 3000) == 0;
    case LAYOUT_256: return i % 256 == 0;
    case LAYOUT_1024: return i % 1024 == 0;
    case LAYOUT_4096: return i % 4096 == 0;
    case LAYOUT_AROUND_256: return (i + around) % 256 == 1;
    case LAYOUT_AROUND_4096: return (i + around) % 4096 == 1;
    case LAYOUT_LAST: return i == count - 1;
    default: return false;
    }
}

/* How segments are told, and keys or flags (bits) of which a careless comparison sees too little. */
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

/* What is scanned: one after the other meets the ways of telling. */
static const struct {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator;
} scans[] = {{CLPRIM_I32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT}, {CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT},
             {CLPRIM_U8, CLPRIM_SUM, CLPRIM_U64},           {CLPRIM_I64, CLPRIM_MAX, CLPRIM_TYPE_DEFAULT},
             {CLPRIM_F16, CLPRIM_MIN, CLPRIM_TYPE_DEFAULT}, {CLPRIM_I16, CLPRIM_ARGMIN, CLPRIM_TYPE_DEFAULT},
             {CLPRIM_U8, CLPRIM_XOR, CLPRIM_TYPE_DEFAULT},  {CLPRIM_F32, CLPRIM_PROD, CLPRIM_TYPE_DEFAULT}};

enum { NUM_TELLINGS = sizeof tellings / sizeof *tellings, NUM_SCANS = sizeof scans / sizeof *scans };

static void store(unsigned char *out, clprim_type type, size_t i, uint64_t bits)
{
    memcpy(out + i * clprim_type_size(type), &bits, clprim_type_size(type)); /* the low bytes come first */
}

/* Lay out segments: begins, for the reference, and the keys or flags that tell the same. Whether the first element has
 * its flag makes no difference; nor do flags and keys outside of the range. */
static void lay_out(const telling *t, layout where, size_t count, size_t offset, uint64_t seed, uint8_t *begins,
                    unsigned char *heads)
{
    uint64_t random = seed;
    size_t k = test_random_below(&random, 6);
    const uint64_t negative_zero =
        test_is_float(t->type) ? UINT64_C(1) << (8 * clprim_type_size(t->type) - 1) : 0; /* not set */
    for (size_t i = 0; i < ROOM; i++)
        store(heads, t->type, i, t->bits[test_random_below(&random, 6)]);
    for (size_t i = 0; i < count; i++) {
        begins[i] = begins_at(where, i, count, &random);
        const size_t other = (k + 1 + test_random_below(&random, 5)) % 6;
        if (begins[i])
            k = other;
        const uint64_t unset = i % 2 == 0 ? negative_zero : 0;
        store(heads, t->type, offset + i, t->segments == CLPRIM_SEGMENTS_BY_KEY || begins[i] ? t->bits[k] : unset);
    }
}

/* What a check works with; the arrays are as large as the largest scan needs. */
typedef struct subject {
    clprim_runtime *runtime;
    const telling *telling;
    const char *variant;
    clprim_scan_desc desc;
    clprim_plan *plans[2]; /* from the identity and from an initial value */
    unsigned char initial[8];
    clprim_type out_type;
    size_t in_size;
    size_t out_size;
    cl_mem in;
    cl_mem heads;
    cl_mem out;
    uint8_t *begins;
    unsigned char *data;
    unsigned char *head_data;
    unsigned char *before;
    unsigned char *after;
    unsigned char *expected;
} subject;

static unsigned char *bytes_of(size_t size)
{
    unsigned char *bytes = malloc(ROOM * size);
    cr_assert_not_null(bytes);
    return bytes;
}

static bool is_for(const clprim_runtime *runtime, size_t v)
{
    return variants[v] != CLPRIM_SCAN_LOOK_BACK || test_can_look_back(runtime);
}

static void subject_create(subject *self, clprim_runtime *runtime, size_t v, size_t t, size_t s, bool exclusive)
{
    *self = (subject){.runtime = runtime, .telling = &tellings[t], .variant = variant_names[v]};
    self->desc = (clprim_scan_desc){.type = scans[s].type,
                                    .op = scans[s].op,
                                    .accumulator_type = scans[s].accumulator,
                                    .exclusive = exclusive,
                                    .segments = tellings[t].segments,
                                    .segments_type = tellings[t].type,
                                    .variant = variants[v]};
    /* Tiles of many small elements take a CPU's compiler ten seconds each: test_scan.c has these, without segments. */
    if (clprim_type_size(scans[s].type) < sizeof(int32_t) && !test_is_full())
        self->desc.items_per_work_item = 1;
    self->out_type = scans[s].accumulator == CLPRIM_TYPE_DEFAULT ? scans[s].type : scans[s].accumulator;
    self->in_size = clprim_type_size(scans[s].type);
    self->out_size = test_result_size(scans[s].type, scans[s].op, scans[s].accumulator);
    test_fill(self->initial, self->out_type, scans[s].op, TEST_EXACT, 1, TEST_SEED);
    for (int i = 0; i < 2 && (i == 0 || self->out_size <= sizeof self->initial); i++) {
        clprim_scan_desc with = self->desc;
        with.initial = i == 0 ? NULL : self->initial;
        ASSERT_OK(clprim_scan_create(&self->plans[i], runtime, &with));
    }
    const size_t head_size = clprim_type_size(tellings[t].type);
    self->in = test_buffer(runtime, ROOM * self->in_size);
    self->heads = test_buffer(runtime, ROOM * head_size);
    self->out = test_buffer(runtime, ROOM * self->out_size);
    self->begins = bytes_of(1);
    self->data = bytes_of(self->in_size);
    self->head_data = bytes_of(head_size);
    self->before = bytes_of(self->out_size);
    self->after = bytes_of(self->out_size);
    self->expected = bytes_of(self->out_size);
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plans[0]);
    clprim_plan_destroy(self->plans[1]);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->heads));
    ASSERT_CL(clReleaseMemObject(self->out));
    free(self->begins);
    free(self->data);
    free(self->head_data);
    free(self->before);
    free(self->after);
    free(self->expected);
}

/* One scan; offsets, initial value and place by the turn. All of the data are exact: no sum or product rounds. */
static void check_once(subject *self, layout where, size_t count, size_t turn)
{
    char what[256];
    const bool in_place = turn % 3 == 0 && self->in_size == self->out_size;
    const bool from_initial = turn % 5 < 2 && self->plans[1] != NULL;
    const size_t in_offset = offsets[turn % 4];
    const size_t heads_offset = offsets[(turn / 2 + 1) % 4];
    const size_t out_offset = in_place ? in_offset : offsets[(turn / 4 + 2) % 4];
    const size_t head_bytes = ROOM * clprim_type_size(self->telling->type);
    const size_t out_bytes = (out_offset + count + TAIL) * self->out_size;
    (void)snprintf(what, sizeof what, "%s %s of %s by %s of %s, %s%s%s: layout %d of %zu, offsets %zu %zu %zu",
                   self->desc.exclusive ? "exclusive" : "inclusive", clprim_op_name(self->desc.op),
                   clprim_type_name(self->desc.type),
                   self->telling->segments == CLPRIM_SEGMENTS_BY_KEY ? "keys" : "flags",
                   clprim_type_name(self->telling->type), self->variant, from_initial ? " from an initial value" : "",
                   in_place ? " in place" : "", (int)where, count, in_offset, heads_offset, out_offset);
    test_fill(self->data, self->desc.type, self->desc.op, TEST_EXACT, in_offset + count + TAIL, TEST_SEED + turn);
    lay_out(self->telling, where, count, heads_offset, TEST_SEED + turn, self->begins, self->head_data);
    memset(self->before, POISON, out_bytes);
    test_write(self->runtime, self->in, self->data, (in_offset + count + TAIL) * self->in_size);
    test_write(self->runtime, self->heads, self->head_data, head_bytes);
    test_write(self->runtime, self->out, self->before, out_bytes);

    cl_mem out = in_place ? self->in : self->out;
    ASSERT_OK(clprim_scan_enqueue(self->plans[from_initial], NULL,
                                  &(clprim_scan_call){.in = {self->in, in_offset},
                                                      .heads = {self->heads, heads_offset},
                                                      .count = count,
                                                      .out = {out, out_offset}},
                                  0, NULL, NULL));
    test_read(self->runtime, self->after, out, out_bytes);
    const clprim_reference_scan_how how = {
        .exclusive = self->desc.exclusive, .initial = from_initial ? self->initial : NULL, .begins = self->begins};
    ASSERT_OK(clprim_reference_scan(self->expected, self->desc.type, self->desc.op, self->desc.accumulator_type, &how,
                                    self->data + in_offset * self->in_size, count));
    unsigned char *got = self->after + out_offset * self->out_size;
    if (test_is_float(self->out_type) && self->desc.op == CLPRIM_SUM) {
        test_drop_zero_signs(self->expected, self->out_type, count);
        test_drop_zero_signs(got, self->out_type, count);
    }
    test_expect_same(self->expected, got, self->out_size, count, what);
    test_expect_kept(in_place ? self->data : self->before, self->after, out_offset * self->out_size,
                     (out_offset + count) * self->out_size, out_bytes, what);
}

/* All counts, with layouts in turn; then all layouts at counts of a few and of many tiles. */
static void check_all(subject *self, size_t turn)
{
    for (size_t i = 0; i < NUM_COUNTS; i++, turn++) {
        check_once(self, (layout)((turn + i) % LAYOUT_END), counts[i], turn);
        check_once(self, (layout)((turn + i + 3) % LAYOUT_END), counts[i], turn + 5);
    }
    for (int where = 0; where < LAYOUT_END; where++, turn++) {
        check_once(self, (layout)where, 4097, turn);
        check_once(self, (layout)where, 33333, turn + 7);
    }
}

/* Each variant that AUTO may take meets each way of telling, the others each third one; and what is scanned in turn,
 * inclusive and exclusive. */
static void check_variant(size_t v)
{
    clprim_runtime *runtime = test_runtime(NULL);
    if (!is_for(runtime, v))
        cr_skip_test("the device cannot look back");
    for (size_t t = 0; t < NUM_TELLINGS; t++)
        for (size_t s = 0; s < NUM_SCANS; s++)
            for (int exclusive = 0; exclusive < 2; exclusive++) {
                const bool sampled = s == (t + 3 * v) % NUM_SCANS && (t + v) % 2 == (size_t)exclusive &&
                                     (v < FIRST_OF_LADDER || (t + v) % 3 == 0);
                subject self;
                if (!sampled && !test_is_full())
                    continue;
                subject_create(&self, runtime, v, t, s, exclusive != 0);
                check_all(&self, t * 16 + v);
                subject_destroy(&self);
            }
    clprim_runtime_destroy(runtime);
}

Test(scan_segments, by_the_variant_of_choice)
{
    check_variant(0);
}

Test(scan_segments, by_reduce_then_scan)
{
    check_variant(1);
}

Test(scan_segments, by_look_back)
{
    check_variant(2);
}

Test(scan_segments, by_cpu_chunk)
{
    check_variant(3);
}

Test(scan_segments, by_naive)
{
    check_variant(4);
}

Test(scan_segments, by_work_efficient)
{
    check_variant(5);
}

Test(scan_segments, by_bit_reversed)
{
    check_variant(6);
}

Test(scan_segments, by_blelloch)
{
    check_variant(7);
}

Test(scan_segments, by_blelloch_padded)
{
    check_variant(8);
}

Test(scan_segments, by_fixed_tree)
{
    check_variant(9);
}

/* Runs of equal elements: the array is its own key. */
Test(scan_segments, the_input_may_be_the_keys)
{
    enum { COUNT = 9001 };
    clprim_runtime *runtime = test_runtime(NULL);
    int32_t data[COUNT];
    int32_t expected[COUNT];
    int32_t got[COUNT];
    uint8_t begins[COUNT] = {1};
    test_fill(data, CLPRIM_I32, CLPRIM_SUM, TEST_FEW_DISTINCT, COUNT, TEST_SEED);
    for (size_t i = 1; i < COUNT; i++)
        begins[i] = data[i] != data[i - 1];
    const clprim_reference_scan_how how = {.begins = begins};
    ASSERT_OK(clprim_reference_scan(expected, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, &how, data, COUNT));
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, sizeof data);
    for (size_t v = 0; v < NUM_VARIANTS; v++) {
        clprim_plan *plan = NULL;
        const clprim_scan_desc desc = {.segments = CLPRIM_SEGMENTS_BY_KEY, .variant = variants[v]};
        if (!is_for(runtime, v))
            continue;
        ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
        ASSERT_OK(clprim_scan_enqueue(
            plan, NULL, &(clprim_scan_call){.in = {in}, .heads = {in}, .count = COUNT, .out = {out}}, 0, NULL, NULL));
        test_read(runtime, got, out, sizeof got);
        test_expect_same(expected, got, sizeof *got, COUNT, variant_names[v]);
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}

/* None is left out above. */
Test(scan_segments, every_variant_is_tried)
{
    size_t count = 0;
    const clprim_variant_info *all = clprim_scan_operation.variants(&count);
    for (size_t i = 0; i < count; i++) {
        bool is_tried = false;
        for (size_t v = 1; v < NUM_VARIANTS; v++)
            is_tried = is_tried || all[i].id == (int)variants[v];
        cr_assert(is_tried, "%s", all[i].name);
    }
}

/* Float sums by segments are the same bits whatever the work-groups, and AUTO knows which variant does it. */
Test(scan_segments, may_be_reproducible)
{
    enum { SOME = 33333 };
    static const size_t group_sizes[] = {0, 1, 16, 256};
    static float data[SOME];
    static float found[2][SOME];
    static uint8_t flags[SOME];
    double worst = 2;
    uint64_t random = TEST_SEED;
    clprim_runtime *runtime = test_runtime(NULL);
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    test_fill(data, CLPRIM_F32, CLPRIM_SUM, TEST_EXTREMES, SOME, TEST_SEED);
    for (size_t i = 0; i < SOME; i++)
        flags[i] = test_random_below(&random, 3000) == 0;
    for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
        clprim_plan *plan = NULL;
        const clprim_scan_desc desc = {.type = CLPRIM_F32,
                                       .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                       .reproducible = true,
                                       .work_group_size = group_sizes[g]};
        ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
        cr_assert_eq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_SCAN_FIXED_TREE);
        clprim_plan_destroy(plan);
        ASSERT_OK(clprim_scan_run(
            runtime, &desc,
            &(clprim_scan_call){
                .in = {.host = data}, .heads = {.host = flags}, .count = SOME, .out = {.host = found[g > 0]}}));
        test_expect_same(found[0], found[g > 0], sizeof(float), SOME, "another size of work-groups");
    }
    const clprim_reference_scan_how how = {.begins = flags};
    ASSERT_OK(
        clprim_reference_scan_error(&worst, NULL, CLPRIM_F32, CLPRIM_SUM, CLPRIM_F32, &how, data, SOME, 0, found[0]));
    cr_assert_leq(worst, 1.0);
    clprim_runtime_destroy(runtime);
}
