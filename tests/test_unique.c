/* test_unique.c: every variant finds the runs that the reference finds, for elements of every type, all sizes of
 * arrays, offsets, data and lengths of runs; by the caller's own equality; in portions. By default the variants share
 * the types and equalities among them; with CLPRIM_TEST_FULL everything meets everything. */
#include <clprim/reference.h>
#include <clprim/unique.h>
#include <stdio.h>
#include <stdlib.h>

#include "select_internal.h"
#include "support.h"

/* LOOK_BACK divides arrays into portions, of 2^31 elements unless a test wants fewer. */
static void set_portion(clprim_plan *plan, size_t n)
{
    ((clprim__select_plan *)(void *)plan)->portion = n;
}

/* Around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    17,   255,  256,  257,   511,   512,   513,
                               1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 65535, 65536, 65537, 91003};
static const size_t offsets[] = {0, 1, 3, 7};

/* TAIL: a tile that is written as a whole does not fit into it unseen. */
enum { NUM_SIZES = sizeof sizes / sizeof *sizes, MAX_COUNT = 91003, MAX_OFFSET = 7, TAIL = 2048, POISON = 0xa5 };

/* What is equal, as the device and as the host know it. */
typedef struct equality {
    const char *name;
    clprim_unique_desc desc;
    test_pattern pattern;
    clprim_reference_equal equal;
    clprim_select_variant variant; /* that meets it where not all do */
} equality;

/* A plan and what it is fed with. */
typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    const equality *what;
    char name[128];
    size_t size; /* of an element */
    unsigned char *in;
    unsigned char *expected;
    unsigned char *found;
    cl_mem in_memory;
    cl_mem out_memory;
    test_output selected;
} subject;

static const char *variant_name(clprim_select_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

/* False where the device cannot run it, and says so. */
static bool subject_create(subject *out, clprim_runtime *runtime, const equality *what, int variant)
{
    subject self = {.runtime = runtime, .what = what};
    clprim_unique_desc desc = what->desc;
    desc.variant = (clprim_select_variant)variant;
    desc.index_type = desc.type % 2 == 0 ? CLPRIM_U64 : CLPRIM_U32;
    self.size = desc.type_name != NULL ? desc.type_size : clprim_type_size(desc.type);
    (void)snprintf(self.name, sizeof self.name, "unique of %s by %s", what->name, variant_name(desc.variant));
    const clprim_status status = clprim_unique_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    const size_t bytes = (MAX_OFFSET + MAX_COUNT + TAIL) * self.size;
    self.in = malloc(bytes);
    self.expected = malloc(bytes);
    self.found = malloc(bytes);
    cr_assert(self.in != NULL && self.expected != NULL && self.found != NULL);
    self.in_memory = test_buffer(runtime, bytes);
    self.out_memory = test_buffer(runtime, bytes);
    self.selected = test_output_create(runtime, clprim_type_size(desc.index_type), 3);
    *out = self;
    return true;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in_memory));
    ASSERT_CL(clReleaseMemObject(self->out_memory));
    test_output_destroy(&self->selected);
    free(self->in);
    free(self->expected);
    free(self->found);
}

/* One call. */
typedef struct call {
    size_t count;
    size_t in_offset;
    size_t out_offset;
    test_pattern pattern;
    test_runs runs;
    uint64_t seed;
} call;

/* Elements, which seem to go on before and behind themselves, and a poisoned output. */
static void prepare(subject *self, const call *c)
{
    const size_t size = self->size;
    const size_t all = c->in_offset + c->count + TAIL;
    unsigned char *elements = self->in + c->in_offset * size;
    if (self->what->desc.type_name != NULL)
        test_fill(self->in, CLPRIM_U32, CLPRIM_MIN, c->pattern, all * size / 4, c->seed);
    else
        test_fill(self->in, self->what->desc.type, CLPRIM_MIN, c->pattern, all, c->seed);
    test_make_runs(elements, size, c->runs, c->count, c->seed);
    for (size_t i = c->in_offset; i > 0 && c->count > 0; i--)
        memcpy(self->in + (i - 1) * size, elements, size);
    for (size_t i = c->count; i < c->count + TAIL && c->count > 0 && c->seed % 2 == 0; i++)
        memcpy(elements + i * size, elements + (i - 1) * size, size);
    test_write(self->runtime, self->in_memory, self->in, all * size);
    memset(self->expected, POISON, (c->out_offset + c->count + TAIL) * size);
    test_write(self->runtime, self->out_memory, self->expected, (c->out_offset + c->count + TAIL) * size);
    test_output_poison(self->runtime, &self->selected);
}

/* The runs and their number, poison behind them, and an input that is as it was. */
static void check_result(const subject *self, const call *c, const char *what)
{
    const size_t size = self->size;
    const size_t out_elements = c->out_offset + c->count + TAIL;
    size_t expected = 0;
    cl_ulong selected = 0;
    ASSERT_OK(clprim_reference_unique(self->expected + c->out_offset * size, &expected, size, self->what->equal,
                                      self->in + c->in_offset * size, c->count));
    test_output_read(self->runtime, &self->selected, &selected, what);
    cr_assert_eq(selected, expected, "%s: %llu runs, not %zu", what, (unsigned long long)selected, expected);
    test_read(self->runtime, self->found, self->out_memory, out_elements * size);
    test_expect_same(self->expected, self->found, size, out_elements, what);
    test_read(self->runtime, self->found, self->in_memory, (c->in_offset + c->count + TAIL) * size);
    test_expect_same(self->in, self->found, size, c->in_offset + c->count + TAIL, "the input");
}

static void check_once(subject *self, const call *c)
{
    char what[320];
    cl_event done = NULL;
    (void)snprintf(what, sizeof what, "%s: %zu elements (%s, %s, seed %llx) from %zu to %zu", self->name, c->count,
                   test_pattern_name(c->pattern), test_runs_name(c->runs), (unsigned long long)c->seed, c->in_offset,
                   c->out_offset);
    prepare(self, c);
    ASSERT_OK(clprim_unique_enqueue(self->plan, NULL,
                                    &(clprim_unique_call){.in = {self->in_memory, c->in_offset},
                                                          .count = c->count,
                                                          .out = {self->out_memory, c->out_offset},
                                                          .out_count = {self->selected.buffer, self->selected.slot}},
                                    0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    check_result(self, c, what);
}

/* The turn decides on offsets, pattern and runs. */
static call call_of_turn(const subject *self, size_t turn, size_t count)
{
    return (call){.count = count,
                  .in_offset = offsets[turn % 4],
                  .out_offset = offsets[(turn + 1 + turn / 4 % 3) % 4],
                  .pattern =
                      self->what->pattern != TEST_EXACT ? self->what->pattern : (test_pattern)(turn % TEST_PATTERN_END),
                  .runs = (test_runs)(turn % TEST_RUNS_END),
                  .seed = TEST_SEED + turn};
}

/* All sizes, with the rest in turn; then all patterns and runs at sizes with one and with many work-groups. */
static void check_all(subject *self, size_t turn)
{
    for (size_t i = 0; i < NUM_SIZES; i++, turn += 5) {
        const call c = call_of_turn(self, turn, sizes[i]);
        check_once(self, &c);
    }
    for (int runs = 0; runs < TEST_RUNS_END; runs++)
        for (int many = 0; many < 2; many++, turn++) {
            call c = call_of_turn(self, turn, many ? 33333 : 613);
            c.runs = (test_runs)runs;
            check_once(self, &c);
        }
    for (int pattern = 0; self->what->pattern == TEST_EXACT && pattern < TEST_PATTERN_END; pattern++, turn++) {
        call c = call_of_turn(self, turn, 5001);
        c.pattern = (test_pattern)pattern;
        c.runs = pattern % 2 == 0 ? TEST_RUNS_AS_THEY_ARE : TEST_RUNS_SHORT;
        check_once(self, &c);
    }
}

static void check_by(clprim_runtime *runtime, const equality *what, int variant)
{
    subject self;
    if (!subject_create(&self, runtime, what, variant))
        return;
    check_all(&self, (size_t)what->desc.type * 7 + (size_t)variant);
    subject_destroy(&self);
}

/* Elements of one size are one kernel: each of the slower variants meets some sizes. */
static bool is_sampled(int variant, size_t size)
{
    return variant == CLPRIM_SELECT_AUTO || variant == CLPRIM_SELECT_CPU_CHUNK ||
           (variant == CLPRIM_SELECT_COUNT_THEN_MOVE && size == 2) ||
           (variant == CLPRIM_SELECT_LOOK_BACK && (size == 1 || size == 4));
}

Test(unique, types_by_bits, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
            const equality bits = {.name = clprim_type_name((clprim_type)type), .desc = {.type = (clprim_type)type}};
            if (test_is_full() || is_sampled(variant, clprim_type_size((clprim_type)type)))
                check_by(runtime, &bits, variant);
        }
    clprim_runtime_destroy(runtime);
}

static bool is_near(const void *a, const void *b)
{
    int32_t x = 0;
    int32_t y = 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x / 1000000000 <= y / 1000000000;
}

static bool is_same_number(const void *a, const void *b)
{
    float x = 0;
    float y = 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x == y;
}

static bool is_same_half(const void *a, const void *b)
{
    uint16_t x = 0;
    uint16_t y = 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return clprim_half_to_float(x) == clprim_half_to_float(y);
}

static bool has_same_low_bits(const void *a, const void *b)
{
    return ((*(const uint8_t *)a ^ *(const uint8_t *)b) & 3) == 0;
}

static bool is_double_below(const void *a, const void *b)
{
    double x = 0;
    double y = 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y;
}

typedef struct span {
    uint32_t begin;
    uint32_t end;
    int32_t weight;
} span;

static bool has_same_begin(const void *a, const void *b)
{
    span x;
    span y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x.begin % 4 == y.begin % 4;
}

static const char spans[] = "typedef struct { uint begin, end; int weight; } span;";

/* The first is an order, not an equality, and says 2 where it is true; NaNs of the second are not equal to themselves,
 * while both zeros are. */
static const equality equalities[] = {
    {"i32, not falling by much",
     {.type = CLPRIM_I32,
      .equal = "a / LARGE <= b / LARGE // in steps\n ? 2 : 0",
      .source = "#define LARGE 1000000000"},
     TEST_RANDOM,
     is_near,
     CLPRIM_SELECT_CPU_CHUNK},
    {"f32 as numbers", {.type = CLPRIM_F32, .equal = "a == b"}, TEST_SPECIALS, is_same_number, CLPRIM_SELECT_CPU_CHUNK},
    {"f16 as numbers", {.type = CLPRIM_F16, .equal = "a == b"}, TEST_SPECIALS, is_same_half, CLPRIM_SELECT_CPU_CHUNK},
    {"f64, rising", {.type = CLPRIM_F64, .equal = "a < b"}, TEST_RANDOM, is_double_below, CLPRIM_SELECT_CPU_CHUNK},
    {"u8 by two bits",
     {.type = CLPRIM_U8, .equal = "!((a ^ b) & 3)"},
     TEST_RANDOM,
     has_same_low_bits,
     CLPRIM_SELECT_CPU_CHUNK},
    {"spans by their begin",
     {.type_name = "span", .type_size = sizeof(span), .source = spans, .equal = "a.begin % 4 == b.begin % 4"},
     TEST_RANDOM,
     has_same_begin,
     CLPRIM_SELECT_LOOK_BACK},
    {"spans by bits",
     {.type_name = "span", .type_size = sizeof(span), .source = spans},
     TEST_RANDOM,
     NULL,
     CLPRIM_SELECT_CPU_CHUNK},
    {"structs of 40 bytes by bits",
     {.type_name = "wide", .type_size = 40, .source = "typedef struct { ulong v[5]; } wide;"},
     TEST_FEW_DISTINCT,
     NULL,
     CLPRIM_SELECT_CPU_CHUNK},
};

enum { NUM_EQUALITIES = sizeof equalities / sizeof *equalities };

Test(unique, equalities, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t e = 0; e < NUM_EQUALITIES; e++)
        for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
            if (test_is_full() || variant == (int)equalities[e].variant)
                check_by(runtime, &equalities[e], variant);
    clprim_runtime_destroy(runtime);
}

/* Larger arrays than one launch can count: here it counts 1000 elements. */
Test(unique, portions, .timeout = 240)
{
    static const equality bits = {.name = "i32 in portions", .desc = {.type = CLPRIM_I32}};
    clprim_runtime *runtime = test_runtime(NULL);
    subject self;
    if (subject_create(&self, runtime, &bits, CLPRIM_SELECT_LOOK_BACK)) {
        set_portion(self.plan, 1000);
        for (int runs = 0; runs < TEST_RUNS_END; runs++)
            for (size_t count = 999; count <= 3001; count += count % 1000 == 1 ? 998 : 1) {
                call c = call_of_turn(&self, count, count);
                c.runs = (test_runs)runs;
                check_once(&self, &c);
            }
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Elements and the number of runs in them, by one call. With `distinct` few are equal, and the first tile is slow, also
 * that of the second portion if there are several; else one portion is distinct, so that each differs from that of the
 * other call. */
static void check_slow(subject *self, size_t count, size_t portion, bool distinct)
{
    enum { SLOW = 77 };
    const call c = {.count = count};
    int32_t *elements = (int32_t *)(void *)self->in;
    prepare(self, &c);
    for (size_t i = 0; i < count; i++)
        elements[i] = 100 + (distinct != (i / portion == 1) ? (int32_t)i : 0);
    for (size_t i = 1; distinct && i < count && i <= portion + 1; i += portion)
        elements[i] = SLOW;
    test_write(self->runtime, self->in_memory, self->in, count * sizeof *elements);
    ASSERT_OK(clprim_unique_enqueue(self->plan, NULL,
                                    &(clprim_unique_call){.in = {self->in_memory},
                                                          .count = count,
                                                          .out = {self->out_memory},
                                                          .out_count = {self->selected.buffer, self->selected.slot}},
                                    0, NULL, NULL));
    check_result(self, &c, self->name);
}

/* What the tiles of one launch publish must not count in the next one, of another call or of the same. Where an element
 * of the first tile takes long to compare, the tiles behind it look back meanwhile, and find what was left there. */
Test(unique, launches_that_begin_slowly, .timeout = 240)
{
    static const equality slow = {
        .name = "i32, some of them slow",
        .desc = {.type = CLPRIM_I32,
                 .equal = "slow(a) == slow(b)",
                 .source = "int slow(int x)\n{\n    uint y = 1;\n    for (uint k = 0; x == 77 && k < 50000000; k++) {\n"
                           "        y ^= y << 13;\n        y ^= y >> 17;\n        y ^= y << 5;\n    }\n"
                           "    return y != 0 ? x : 0; /* never 0, but no compiler knows */\n}\n"}};
    enum { PORTION = 20000, COUNT = 3 * PORTION };
    clprim_runtime *runtime = test_runtime(NULL);
    subject self;
    if (subject_create(&self, runtime, &slow, CLPRIM_SELECT_LOOK_BACK)) {
        for (int distinct = 0; distinct < 2; distinct++)
            check_slow(&self, PORTION, COUNT, distinct != 0);
        set_portion(self.plan, PORTION);
        for (int distinct = 0; distinct < 2; distinct++)
            check_slow(&self, COUNT, PORTION, distinct != 0);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

Test(unique, defaults)
{
    static const equality i32 = {.name = "i32", .desc = {.type = CLPRIM_I32}};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int given = 0; given < 2; given++) {
        subject self;
        const clprim_unique_desc zeroed = {0};
        cr_assert(subject_create(&self, runtime, &i32, CLPRIM_SELECT_AUTO));
        clprim_plan_destroy(self.plan);
        ASSERT_OK(clprim_unique_create(&self.plan, runtime, given ? &zeroed : NULL));
        const call c = call_of_turn(&self, 2, 4099);
        check_once(&self, &c);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
