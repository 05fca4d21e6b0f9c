/* test_reduce_by_key.c: every variant finds the runs that the reference finds and folds their values as it does, for
 * keys and values of many types, operators, accumulators and the caller's own, all sizes of arrays, offsets, data and
 * lengths of runs. By default the variants share the cases among them; with CLPRIM_TEST_FULL every variant meets every
 * case, and every operator every type. */
#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* Around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    17,   255,  256,  257,   511,   512,   513,
                               1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 65535, 65536, 65537, 91003};
static const size_t offsets[] = {0, 1, 3, 7};

static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                               CLPRIM_SCAN_LOOK_BACK};

/* TAIL: a tile that is written as a whole does not fit into it unseen. */
enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    NUM_VARIANTS = sizeof variants / sizeof *variants,
    MAX_COUNT = 91003,
    MAX_OFFSET = 7,
    TAIL = 2048,
    POISON = 0xa5
};

/* A plan and what it is fed with. */
typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_reduce_by_key_desc desc;
    char name[160];
    size_t key_size;
    size_t size; /* of a value */
    size_t result_size;
    clprim_reference_combine combine; /* of the caller's own operator */
    unsigned char *keys;
    unsigned char *values;
    unsigned char *expected_keys;
    unsigned char *expected_values;
    unsigned char *found;
    cl_mem keys_in, values_in, keys_out, values_out;
    test_output runs;
} subject;

/* False where the device cannot run it, and says so. */
static bool subject_create(subject *out, clprim_runtime *runtime, clprim_reduce_by_key_desc desc,
                           clprim_reference_combine combine)
{
    const size_t room = MAX_OFFSET + MAX_COUNT + TAIL;
    subject self = {.runtime = runtime, .desc = desc, .key_size = clprim_type_size(desc.key_type), .combine = combine};
    self.size = combine != NULL ? desc.custom->type_size : clprim_type_size(desc.type);
    self.result_size = combine != NULL ? self.size : test_result_size(desc.type, desc.op, desc.accumulator_type);
    (void)snprintf(self.name, sizeof self.name, "%s of %s in %s by %s%s by variant %d",
                   combine != NULL ? "custom" : clprim_op_name(desc.op), clprim_type_name(desc.type),
                   clprim_type_name(desc.accumulator_type), clprim_type_name(desc.key_type),
                   desc.max_count > UINT32_MAX ? " (many)" : "", (int)desc.variant);
    const clprim_status status = clprim_reduce_by_key_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    self.keys = malloc(room * self.key_size);
    self.values = malloc(room * self.size);
    self.expected_keys = malloc(room * self.key_size);
    self.expected_values = malloc(room * self.result_size);
    self.found = malloc(room * sizeof(clprim_indexed));
    cr_assert(self.keys != NULL && self.values != NULL && self.expected_keys != NULL && self.expected_values != NULL &&
              self.found != NULL);
    self.keys_in = test_buffer(runtime, room * self.key_size);
    self.values_in = test_buffer(runtime, room * self.size);
    self.keys_out = test_buffer(runtime, room * self.key_size);
    self.values_out = test_buffer(runtime, room * self.result_size);
    self.runs = test_output_create(
        runtime, clprim_type_size(desc.index_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc.index_type), 3);
    *out = self;
    return true;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->keys_in));
    ASSERT_CL(clReleaseMemObject(self->values_in));
    ASSERT_CL(clReleaseMemObject(self->keys_out));
    ASSERT_CL(clReleaseMemObject(self->values_out));
    test_output_destroy(&self->runs);
    free(self->keys);
    free(self->values);
    free(self->expected_keys);
    free(self->expected_values);
    free(self->found);
}

/* One call. */
typedef struct call {
    size_t count;
    size_t keys_offset;
    size_t values_offset;
    size_t keys_out_offset;
    size_t values_out_offset;
    test_pattern pattern;
    test_runs runs;
    uint64_t seed;
} call;

/* Keys, which seem to go on before and behind themselves, values among extremes, and poisoned outputs. */
static void prepare(subject *self, const call *c)
{
    const size_t size = self->key_size;
    const size_t all = c->count + TAIL;
    unsigned char *keys = self->keys + c->keys_offset * size;
    unsigned char *values = self->values + c->values_offset * self->size;
    const clprim_op op = self->combine != NULL ? CLPRIM_MIN : self->desc.op;
    test_fill(self->keys, self->desc.key_type, CLPRIM_MIN, (test_pattern)(c->seed % TEST_PATTERN_END),
              c->keys_offset + all, c->seed);
    test_make_runs(keys, size, c->runs, c->count, c->seed);
    for (size_t i = c->keys_offset; i > 0 && c->count > 0; i--)
        memcpy(self->keys + (i - 1) * size, keys, size);
    for (size_t i = c->count; i < all && c->count > 0 && c->seed % 2 == 0; i++)
        memcpy(keys + i * size, keys + (i - 1) * size, size);
    test_fill_margin(self->values, (c->values_offset + all) * self->size);
    if (self->combine != NULL)
        test_fill(values, CLPRIM_U32, op, c->pattern, c->count * self->size / 4, c->seed);
    else
        test_fill(values, self->desc.type, op, c->pattern, c->count, c->seed);
    test_write(self->runtime, self->keys_in, self->keys, (c->keys_offset + all) * size);
    test_write(self->runtime, self->values_in, self->values, (c->values_offset + all) * self->size);
    memset(self->expected_keys, POISON, (c->keys_out_offset + all) * size);
    test_write(self->runtime, self->keys_out, self->expected_keys, (c->keys_out_offset + all) * size);
    memset(self->expected_values, POISON, (c->values_out_offset + all) * self->result_size);
    test_write(self->runtime, self->values_out, self->expected_values,
               (c->values_out_offset + all) * self->result_size);
    test_output_poison(self->runtime, &self->runs);
}

static size_t expect(subject *self, const call *c)
{
    const unsigned char *keys = self->keys + c->keys_offset * self->key_size;
    const unsigned char *values = self->values + c->values_offset * self->size;
    unsigned char *keys_out = self->expected_keys + c->keys_out_offset * self->key_size;
    unsigned char *values_out = self->expected_values + c->values_out_offset * self->result_size;
    size_t runs = 0;
    if (self->combine != NULL)
        ASSERT_OK(clprim_reference_reduce_by_key_custom(keys_out, values_out, &runs, self->key_size, self->size,
                                                        self->combine, keys, values, c->count));
    else
        ASSERT_OK(clprim_reference_reduce_by_key_ordered(keys_out, values_out, &runs, self->key_size, self->desc.type,
                                                         self->desc.op, self->desc.accumulator_type,
                                                         self->desc.nan_order, keys, values, c->count));
    return runs;
}

static clprim_type accumulator_of(const subject *self)
{
    return self->desc.accumulator_type != CLPRIM_TYPE_DEFAULT ? self->desc.accumulator_type : self->desc.type;
}

/* Float sums and products: what is found differs from each run's exact value by no more than rounding allows. What is
 * right takes the place of what was found. */
static void judge(subject *self, const call *c, const char *what)
{
    const unsigned char *keys = self->keys + c->keys_offset * self->key_size;
    const unsigned char *values = self->values + c->values_offset * self->size;
    size_t run = 0;
    for (size_t begin = 0, end = 0; begin < c->count; begin = end, run++) {
        double error = 0;
        double bound = 0;
        const size_t at = (c->values_out_offset + run) * self->result_size;
        for (end = begin + 1; end < c->count; end++)
            if (memcmp(keys + begin * self->key_size, keys + end * self->key_size, self->key_size) != 0)
                break;
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, self->desc.type, self->desc.op,
                                                self->desc.accumulator_type, values + begin * self->size, end - begin,
                                                0, self->found + at));
        cr_assert(error <= bound, "%s: run %zu, from %zu to %zu, is off by %g, allowed %g", what, run, begin, end,
                  error, bound);
        memcpy(self->found + at, self->expected_values + at, self->result_size);
    }
}

static void check_unchanged(const subject *self, cl_mem memory, const unsigned char *uploaded, size_t size,
                            size_t elements)
{
    test_read(self->runtime, self->found, memory, elements * size);
    test_expect_same(uploaded, self->found, size, elements, "an input");
}

/* The keys, the folds and their number, poison behind them, and inputs that are as they were. */
static void check_result(subject *self, const call *c, const char *what)
{
    const size_t expected = expect(self, c);
    const size_t all = c->count + TAIL;
    cl_ulong runs = 0;
    test_output_read(self->runtime, &self->runs, &runs, what);
    cr_assert_eq(runs, expected, "%s: %llu runs, not %zu", what, (unsigned long long)runs, expected);
    test_read(self->runtime, self->found, self->keys_out, (c->keys_out_offset + all) * self->key_size);
    test_expect_same(self->expected_keys, self->found, self->key_size, c->keys_out_offset + all, what);
    test_read(self->runtime, self->found, self->values_out, (c->values_out_offset + all) * self->result_size);
    if (self->combine == NULL && test_is_float(accumulator_of(self)) && test_is_arithmetic(self->desc.op))
        judge(self, c, what);
    test_expect_same(self->expected_values, self->found, self->result_size, c->values_out_offset + all, what);
    check_unchanged(self, self->keys_in, self->keys, self->key_size, c->keys_offset + all);
    check_unchanged(self, self->values_in, self->values, self->size, c->values_offset + all);
}

static void check_once(subject *self, const call *c)
{
    char what[400];
    cl_event done = NULL;
    (void)snprintf(what, sizeof what,
                   "%s: %zu elements (%s, %s, seed %llx), keys from %zu to %zu, values from %zu to %zu", self->name,
                   c->count, test_pattern_name(c->pattern), test_runs_name(c->runs), (unsigned long long)c->seed,
                   c->keys_offset, c->keys_out_offset, c->values_offset, c->values_out_offset);
    prepare(self, c);
    ASSERT_OK(clprim_reduce_by_key_enqueue(
        self->plan, NULL,
        &(clprim_reduce_by_key_call){.keys_in = {self->keys_in, c->keys_offset},
                                     .values_in = {self->values_in, c->values_offset},
                                     .count = c->count,
                                     .keys_out = {self->keys_out, c->keys_out_offset},
                                     .values_out = {self->values_out, c->values_out_offset},
                                     .out_count = {self->runs.buffer, self->runs.slot}},
        0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    check_result(self, c, what);
}

/* The turn decides on offsets, pattern and runs. */
static call call_of_turn(size_t turn, size_t count)
{
    return (call){.count = count,
                  .keys_offset = offsets[turn % 4],
                  .values_offset = offsets[(turn + turn / 4) % 4],
                  .keys_out_offset = offsets[(turn + 1 + turn / 4 % 3) % 4],
                  .values_out_offset = offsets[(turn + 2 + turn / 12 % 3) % 4],
                  .pattern = (test_pattern)(turn % TEST_PATTERN_END),
                  .runs = (test_runs)(turn % TEST_RUNS_END),
                  .seed = TEST_SEED + turn};
}

/* All sizes, with the rest in turn; then all patterns and runs at sizes with one and with many work-groups. */
static void check_desc(clprim_runtime *runtime, clprim_reduce_by_key_desc desc, clprim_reference_combine combine)
{
    subject self;
    size_t turn = (size_t)desc.type * 7 + (size_t)desc.op * 3 + (size_t)desc.variant;
    if (!subject_create(&self, runtime, desc, combine))
        return;
    for (size_t i = 0; i < NUM_SIZES; i++, turn += 5) {
        const call c = call_of_turn(turn, sizes[i]);
        check_once(&self, &c);
    }
    for (int runs = 0; runs < TEST_RUNS_END; runs++)
        for (int many = 0; many < 2; many++, turn++) {
            call c = call_of_turn(turn, many ? 33333 : 613);
            c.runs = (test_runs)runs;
            check_once(&self, &c);
        }
    for (int pattern = 0; pattern < TEST_PATTERN_END; pattern++, turn++) {
        call c = call_of_turn(turn, 5001);
        c.pattern = (test_pattern)pattern;
        c.runs = pattern % 2 == 0 ? TEST_RUNS_SHORT : TEST_RUNS_LONG;
        check_once(&self, &c);
    }
    subject_destroy(&self);
}

/* x -> factor * x + offset, modulo 2^32: a, then b. */
typedef struct affine {
    uint32_t factor;
    uint32_t offset;
} affine;

static void compose(void *accumulated, const void *element)
{
    affine a;
    affine b;
    memcpy(&a, accumulated, sizeof a);
    memcpy(&b, element, sizeof b);
    a.offset = a.offset * b.factor + b.offset;
    a.factor = a.factor * b.factor;
    memcpy(accumulated, &a, sizeof a);
}

static const clprim_custom_op composition = {
    .type_name = "affine",
    .type_size = sizeof(affine),
    .source = "typedef struct { uint factor, offset; } affine;",
    .combine = "(affine){a.factor * b.factor, a.offset * b.factor + b.offset}",
    .identity = "(affine){1, 0}",
    .non_commutative = true,
};

/* Twelve bytes: no packet holds several. */
typedef struct span {
    uint32_t lowest;
    uint32_t highest;
    uint32_t last;
} span;

static void join(void *accumulated, const void *element)
{
    span a;
    span b;
    memcpy(&a, accumulated, sizeof a);
    memcpy(&b, element, sizeof b);
    a.lowest = a.lowest < b.lowest ? a.lowest : b.lowest;
    a.highest = a.highest > b.highest ? a.highest : b.highest;
    a.last = b.last != 0 ? b.last : a.last;
    memcpy(accumulated, &a, sizeof a);
}

static const clprim_custom_op joining = {
    .type_name = "span",
    .type_size = sizeof(span),
    .source = "typedef struct { uint lowest, highest, last; } span;",
    .combine = "(span){min(a.lowest, b.lowest), max(a.highest, b.highest), b.last != 0 ? b.last : a.last}",
    .identity = "(span){0xffffffff, 0, 0}",
    .non_commutative = true,
};

#define ONLY_FULL ((clprim_scan_variant)-1) /* no variant */

/* What each case meets by default; programs of CPU_CHUNK cost least. */
static const struct {
    clprim_reduce_by_key_desc desc;
    clprim_reference_combine combine;
} cases[] = {
    {{CLPRIM_I32, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, CLPRIM_SCAN_AUTO}, NULL},
    {{CLPRIM_U8, CLPRIM_U16, CLPRIM_SUM, CLPRIM_U64, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, CLPRIM_SCAN_LOOK_BACK},
     NULL},
    {{CLPRIM_U64, CLPRIM_F32, CLPRIM_SUM, CLPRIM_F32, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U64, (size_t)1 << 40,
      CLPRIM_SCAN_REDUCE_THEN_SCAN},
     NULL},
    {{CLPRIM_F32, CLPRIM_U8, CLPRIM_XOR, CLPRIM_U8, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, CLPRIM_SCAN_CPU_CHUNK},
     NULL},
    {{CLPRIM_U16, CLPRIM_TYPE_DEFAULT, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, &joining, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0,
      CLPRIM_SCAN_CPU_CHUNK},
     join},
    {{CLPRIM_F64, CLPRIM_F32, CLPRIM_SUM, CLPRIM_F64, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, ONLY_FULL}, NULL},
    {{CLPRIM_F16, CLPRIM_F16, CLPRIM_SUM, CLPRIM_F16, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, CLPRIM_SCAN_CPU_CHUNK},
     NULL},
    {{CLPRIM_U8, CLPRIM_I64, CLPRIM_SUM, CLPRIM_F32, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, CLPRIM_SCAN_CPU_CHUNK},
     NULL},
    {{CLPRIM_I8, CLPRIM_F64, CLPRIM_MAX, CLPRIM_F64, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, ONLY_FULL}, NULL},
    {{CLPRIM_I64, CLPRIM_I16, CLPRIM_PROD, CLPRIM_I32, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U64, (size_t)1 << 40,
      CLPRIM_SCAN_CPU_CHUNK},
     NULL},
    {{CLPRIM_U32, CLPRIM_F32, CLPRIM_ARGMIN, CLPRIM_F32, NULL, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, CLPRIM_SCAN_CPU_CHUNK},
     NULL},
    {{CLPRIM_I16, CLPRIM_TYPE_DEFAULT, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, &composition, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0,
      CLPRIM_SCAN_CPU_CHUNK},
     compose},
};

enum { NUM_CASES = sizeof cases / sizeof *cases };

Test(reduce_by_key, cases_by_variants, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < NUM_CASES; i++)
        for (size_t v = 0; v < NUM_VARIANTS; v++) {
            clprim_reduce_by_key_desc desc = cases[i].desc;
            if (!test_is_full() && variants[v] != desc.variant)
                continue;
            desc.variant = variants[v];
            check_desc(runtime, desc, cases[i].combine);
        }
    clprim_runtime_destroy(runtime);
}

/* All types and operators, in turn with all types of keys. */
Test(reduce_by_key, types_by_operators, .timeout = 1800)
{
    if (!test_is_full())
        cr_skip_test("only with CLPRIM_TEST_FULL");
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++)
            if (test_op_is_valid((clprim_type)type, (clprim_op)op))
                check_desc(runtime,
                           (clprim_reduce_by_key_desc){.key_type = (clprim_type)((type + op) % 11 + 1),
                                                       .type = (clprim_type)type,
                                                       .op = (clprim_op)op,
                                                       .index_type = (type + op) % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                                       .variant = variants[(size_t)(type + op) % NUM_VARIANTS]},
                           NULL);
    clprim_runtime_destroy(runtime);
}

Test(reduce_by_key, defaults)
{
    static const clprim_reduce_by_key_desc zeroed = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int given = 0; given < 2; given++) {
        subject self;
        cr_assert(subject_create(&self, runtime, cases[0].desc, NULL));
        clprim_plan_destroy(self.plan);
        ASSERT_OK(clprim_reduce_by_key_create(&self.plan, runtime, given ? &zeroed : NULL));
        const call c = call_of_turn(2, 4099);
        check_once(&self, &c);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* NaNs are propagated within their run, and not beyond it: F32 by each variant, F16 and F64 by AUTO. */
Test(reduce_by_key, propagates_nans, .timeout = 240)
{
    static const clprim_op ops[] = {CLPRIM_MAX, CLPRIM_ARGMIN, CLPRIM_MIN, CLPRIM_ARGMAX, CLPRIM_MAX};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < NUM_VARIANTS + 2; i++) {
        const bool is_auto = i >= NUM_VARIANTS;
        const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U8,
                                                .type = !is_auto            ? CLPRIM_F32
                                                        : i == NUM_VARIANTS ? CLPRIM_F16
                                                                            : CLPRIM_F64,
                                                .op = ops[i - 1],
                                                .nan_order = CLPRIM_NAN_LAST,
                                                .variant = is_auto ? CLPRIM_SCAN_AUTO : variants[i]};
        subject self;
        if (!subject_create(&self, runtime, desc, NULL))
            continue;
        for (int runs = 0; runs < TEST_RUNS_END; runs++) {
            call c = call_of_turn((size_t)runs, 5001);
            c.runs = (test_runs)runs;
            c.pattern = runs % 3 == 0 ? TEST_ONE_SPECIAL : TEST_SPECIALS;
            check_once(&self, &c);
        }
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
