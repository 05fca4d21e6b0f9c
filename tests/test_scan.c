/* test_scan.c: every variant gives the reference's answer, for all types, operators, accumulators, sizes, offsets and
 * data, inclusive and exclusive, from an initial value or not, in place or not. By default pairwise: every variant
 * meets every type and every operator, and every type every operator; with CLPRIM_TEST_FULL set, everything meets
 * everything. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <criterion/criterion.h>
#include <criterion/parameterized.h> /* works only after criterion.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* Around powers of two, where blocks and tiles end. The last one stands for a random one. */
static const size_t sizes[] = {0,    1,    2,    3,    17,   255,  256,  257,  511,   512,   513,   600,   1023,
                               1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 65535, 65536, 65537, 100000};
static const size_t offsets[] = {0, 1, 3, 7};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, MAX_OFFSET = 7, TAIL = 32, MAX_COUNT = 100000 + 9999, POISON = 0xa5 };

/* Buffers for every test's arrays and what the host knows of them. */
typedef struct room {
    clprim_runtime *runtime;
    cl_mem in;
    cl_mem out;
    unsigned char *data;     /* the input as uploaded */
    unsigned char *before;   /* the output as uploaded */
    unsigned char *after;    /* as found afterwards */
    unsigned char *expected; /* from the reference */
} room;

static room room_create(size_t max_count)
{
    const size_t bytes = (MAX_OFFSET + max_count + TAIL) * sizeof(clprim_indexed);
    room self = {.runtime = test_runtime(NULL)};
    self.in = test_buffer(self.runtime, bytes);
    self.out = test_buffer(self.runtime, bytes);
    self.data = malloc(bytes);
    self.before = malloc(bytes);
    self.after = malloc(bytes);
    self.expected = malloc(bytes);
    cr_assert(self.data != NULL && self.before != NULL && self.after != NULL && self.expected != NULL);
    return self;
}

static void room_destroy(room *self)
{
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    free(self->data);
    free(self->before);
    free(self->after);
    free(self->expected);
    clprim_runtime_destroy(self->runtime);
}

/* Plans of one description: from the identity and, where there may be, an initial value; in a sample one of them. */
typedef struct subject {
    room *room;
    clprim_scan_desc desc;
    clprim_plan *plans[2];
    unsigned char initial[8];
    const char *variant;
    size_t in_size;
    size_t out_size;
    clprim_type out_type;
    bool is_slow; /* dozens of launches for each scan */
} subject;

static const char *variant_name(clprim_scan_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

static bool is_slow(clprim_scan_variant variant)
{
    return variant == CLPRIM_SCAN_NAIVE || variant == CLPRIM_SCAN_WORK_EFFICIENT || variant == CLPRIM_SCAN_BIT_REVERSED;
}

/* Results of more than 8 bytes are indexed ones, which have none. */
static bool may_have_initial(clprim_type type, clprim_op op, clprim_type accumulator)
{
    return test_result_size(type, op, accumulator) <= sizeof(uint64_t);
}

/* Whether a description of the sample is tried from an initial value: each variant, type and operator is, at times. */
static bool is_sampled_from_initial(clprim_scan_variant variant, clprim_type type)
{
    return ((unsigned)variant / 2 + (unsigned)type / 2) % 2 != 0;
}

/* False where the device cannot run it, and says so. */
static bool subject_create(subject *self, room *in_room, clprim_scan_desc desc)
{
    *self = (subject){.room = in_room, .desc = desc, .variant = variant_name(desc.variant)};
    const clprim_type type = desc.type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc.type;
    self->out_type = desc.accumulator_type == CLPRIM_TYPE_DEFAULT ? type : desc.accumulator_type;
    self->in_size = clprim_type_size(type);
    self->out_size = test_result_size(type, desc.op, desc.accumulator_type);
    self->is_slow = is_slow(desc.variant);
    if (!test_is_supported(in_room->runtime, type, desc.op, desc.accumulator_type))
        return false;
    test_fill(self->initial, self->out_type, desc.op, TEST_EXACT, 1, TEST_SEED + (uint64_t)desc.variant);
    const bool may_be = may_have_initial(type, desc.op, desc.accumulator_type);
    const bool sampled = may_be && is_sampled_from_initial(desc.variant, type);
    for (int i = 0; i < 2; i++) {
        clprim_scan_desc with = desc;
        if (test_is_full() ? i == 1 && !may_be : sampled != (i == 1))
            continue;
        with.initial = i == 0 ? NULL : self->initial;
        const clprim_status status = clprim_scan_create(&self->plans[i], in_room->runtime, &with);
        if (status == CLPRIM_UNSUPPORTED && self->plans[0] == NULL) {
            cr_log_info("skipped: %s", clprim_last_error());
            return false;
        }
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s of %s by %s: %s", clprim_op_name(desc.op),
                     clprim_type_name(desc.type), self->variant, clprim_last_error());
        if (desc.variant != CLPRIM_SCAN_AUTO)
            cr_assert_eq((int)clprim_plan_variant(self->plans[i])->id, (int)desc.variant);
    }
    return true;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plans[0]);
    clprim_plan_destroy(self->plans[1]);
}

/* Where the arrays lie, and from what the scan begins. */
typedef struct placing {
    size_t in_offset;
    size_t out_offset;
    bool in_place;
    bool from_initial;
} placing;

/* All there are, in turn. */
static placing placing_of(const subject *self, size_t turn)
{
    placing p = {.in_offset = offsets[turn % 4], .out_offset = offsets[(turn / 4 + 1) % 4]};
    p.in_place = turn % 3 == 0 && self->in_size == self->out_size;
    p.from_initial = self->plans[0] == NULL || (turn % 5 < 2 && self->plans[1] != NULL);
    if (p.in_place)
        p.out_offset = p.in_offset;
    return p;
}

static void judge(const subject *self, const placing *p, size_t count, bool is_exact, const char *what)
{
    const clprim_scan_desc *desc = &self->desc;
    const clprim_reference_scan_how how = {
        .exclusive = desc->exclusive, .initial = p->from_initial ? self->initial : NULL, .nan_order = desc->nan_order};
    const bool may_round = test_is_float(self->out_type) && test_is_arithmetic(desc->op);
    const unsigned char *in = self->room->data + p->in_offset * self->in_size;
    unsigned char *got = self->room->after + p->out_offset * self->out_size;
    if (may_round && !is_exact) {
        double worst = 0;
        size_t where = 0;
        ASSERT_OK(clprim_reference_scan_error(&worst, &where, desc->type, desc->op, desc->accumulator_type, &how, in,
                                              count, 0, got));
        cr_assert(worst <= 1.0, "%s: element %zu errs by %g times the bound", what, where, worst);
        return;
    }
    ASSERT_OK(
        clprim_reference_scan(self->room->expected, desc->type, desc->op, desc->accumulator_type, &how, in, count));
    if (may_round && desc->op == CLPRIM_SUM) {
        test_drop_zero_signs(self->room->expected, self->out_type, count);
        test_drop_zero_signs(got, self->out_type, count);
    }
    test_expect_same(self->room->expected, got, self->out_size, count, what);
}

/* Long runs of factors on one side of 1 leave what a float can hold, and on the way back nothing is right any more. */
static size_t suitable_count(const subject *self, test_pattern pattern, size_t count)
{
    const bool drifts = pattern == TEST_ASCENDING || pattern == TEST_DESCENDING || pattern == TEST_EXTREMES;
    const bool matters = self->desc.op == CLPRIM_PROD && test_is_float(self->out_type);
    return drifts && matters && count > 4111 ? 4111 : count;
}

/* One scan of data whose surroundings would spoil the result, into elements between others that must stay. */
static void check_once(subject *self, test_pattern pattern, size_t wanted, placing p, uint64_t seed)
{
    char what[256];
    room *r = self->room;
    const size_t count = suitable_count(self, pattern, wanted);
    const size_t in_begin = p.in_offset * self->in_size;
    const size_t in_end = in_begin + count * self->in_size;
    const size_t in_bytes = in_end + TAIL * self->in_size;
    const size_t out_begin = p.out_offset * self->out_size;
    const size_t out_end = out_begin + count * self->out_size;
    const size_t out_bytes = out_end + TAIL * self->out_size;
    (void)snprintf(what, sizeof what, "%s %s of %s in %s by %s%s%s: %zu elements (%s, seed %llx) from %zu to %zu on",
                   self->desc.exclusive ? "exclusive" : "inclusive", clprim_op_name(self->desc.op),
                   clprim_type_name(self->desc.type), clprim_type_name(self->out_type), self->variant,
                   p.from_initial ? " from an initial value" : "", p.in_place ? " in place" : "", count,
                   test_pattern_name(pattern), (unsigned long long)seed, p.in_offset, p.out_offset);
    test_fill_margin(r->data, in_begin);
    test_fill(r->data + in_begin, self->desc.type, self->desc.op, pattern, count, seed);
    test_fill_margin(r->data + in_end, in_bytes - in_end);
    test_write(r->runtime, r->in, r->data, in_bytes);
    memset(r->before, POISON, out_bytes);
    test_write(r->runtime, r->out, r->before, out_bytes);

    cl_event done = NULL;
    cl_mem out = p.in_place ? r->in : r->out;
    ASSERT_OK(clprim_scan_enqueue(
        self->plans[p.from_initial], NULL,
        &(clprim_scan_call){.in = {r->in, p.in_offset}, .count = count, .out = {out, p.out_offset}}, 0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    test_read(r->runtime, r->after, out, out_bytes);
    judge(self, &p, count, pattern == TEST_EXACT && test_is_float(self->desc.type), what);
    test_expect_kept(p.in_place ? r->data : r->before, r->after, out_begin, out_end, out_bytes, what);
    if (!p.in_place) {
        test_read(r->runtime, r->after, r->in, in_bytes);
        cr_assert(memcmp(r->after, r->data, in_bytes) == 0, "%s: the input was written to", what);
    }
}

/* All sizes, placings and patterns in turn; then all patterns at sizes with one and with many blocks. */
static void check_all(subject *self, uint64_t seed)
{
    size_t turn = (size_t)seed;
    uint64_t random = seed;
    for (size_t i = 0; i < NUM_SIZES; i++, turn++) {
        if (self->is_slow && sizes[i] > 1025 && (turn + i) % 3 != 0 && !test_is_full())
            continue;
        const size_t count = sizes[i] == 100000 ? sizes[i] - 9999 + test_random_below(&random, 19999) : sizes[i];
        check_once(self, TEST_EXACT, count, placing_of(self, turn), seed + i);
        if (count > 1)
            check_once(self, (test_pattern)(1 + turn % (TEST_PATTERN_END - 1)), count, placing_of(self, turn + 7),
                       seed + i);
    }
    for (int pattern = TEST_RANDOM; pattern < TEST_PATTERN_END; pattern++) {
        check_once(self, (test_pattern)pattern, 613, placing_of(self, turn++), seed + (uint64_t)pattern);
        if (!self->is_slow || test_is_full())
            check_once(self, (test_pattern)pattern, 13333, placing_of(self, turn++), seed + (uint64_t)pattern);
    }
}

static void check_desc(room *in_room, clprim_scan_desc desc)
{
    subject self;
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.op * 8 + (uint64_t)desc.variant;
    if (subject_create(&self, in_room, desc)) {
        check_all(&self, seed);
        subject_destroy(&self);
    }
}

/* Pairwise: the integer type t meets the operator number (variant + t), which leaves out the number `variant`. That one
 * F16 meets, or where it is not for floats an integer type once more. F32 and F64 meet those for floats in turn. */
static bool is_sampled(size_t variant, int type, int op)
{
    static const int of_floats[] = {CLPRIM_SUM, CLPRIM_PROD, CLPRIM_MIN, CLPRIM_MAX, CLPRIM_ARGMIN, CLPRIM_ARGMAX};
    const int left_out = (int)(variant % CLPRIM_OP_END);
    const bool is_for_floats = test_op_is_valid(CLPRIM_F16, (clprim_op)left_out);
    if (!test_is_float((clprim_type)type))
        return (int)(variant + (size_t)type) % CLPRIM_OP_END == op ||
               (!is_for_floats && op == left_out && type == CLPRIM_I8 + (int)variant % 8);
    return op == (type == CLPRIM_F16 && is_for_floats ? left_out : of_floats[(variant + (size_t)type) % 6]);
}

/* Which of the two a sampled description is: each variant, type and operator is both at times. */
static bool is_sampled_exclusive(size_t variant, int type)
{
    return (variant / 2 + (size_t)type) % 2 != 0;
}

/* Each one of `what` has been tried both ways. */
static void expect_both(bool (*met)[2], int count, const char *what, const char *ways)
{
    for (int i = 0; i < count; i++)
        cr_assert(met[i][0] && met[i][1], "%s %d is not tested both %s", what, i, ways);
}

Test(scan, the_sample_is_pairwise)
{
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&num_variants);
    cr_assert_leq(num_variants, 16);
    size_t total = 0;
    bool met[CLPRIM_TYPE_END][CLPRIM_OP_END] = {{false}};
    bool by_variant[16][CLPRIM_OP_END] = {{false}};
    struct {
        bool variants[16][2], types[CLPRIM_TYPE_END][2], ops[CLPRIM_OP_END][2];
    } exclusive = {0}, from_initial = {0}; /* or not */
    for (size_t v = 0; v < num_variants; v++)
        for (int type = 1; type < CLPRIM_TYPE_END; type++)
            for (int op = 0; op < CLPRIM_OP_END; op++)
                if (is_sampled(v, type, op) && test_op_is_valid((clprim_type)type, (clprim_op)op)) {
                    const bool is_exclusive = is_sampled_exclusive(v, type);
                    const bool from = may_have_initial((clprim_type)type, (clprim_op)op, CLPRIM_TYPE_DEFAULT) &&
                                      is_sampled_from_initial((clprim_scan_variant)variants[v].id, (clprim_type)type);
                    met[type][op] = by_variant[v][op] = true;
                    exclusive.variants[v][is_exclusive] = from_initial.variants[v][from] = true;
                    exclusive.types[type][is_exclusive] = from_initial.types[type][from] = true;
                    exclusive.ops[op][is_exclusive] = from_initial.ops[op][from] = true;
                    total++;
                }
    for (int op = 0; op < CLPRIM_OP_END; op++) {
        for (int type = 1; type < CLPRIM_TYPE_END; type++)
            cr_assert(met[type][op] || !test_op_is_valid((clprim_type)type, (clprim_op)op), "%s of %s is not tested",
                      clprim_op_name((clprim_op)op), clprim_type_name((clprim_type)type));
        for (size_t v = 0; v < num_variants; v++)
            cr_assert(by_variant[v][op], "%s by variant %zu is not tested", clprim_op_name((clprim_op)op), v);
        from_initial.ops[op][1] |= !may_have_initial(CLPRIM_U8, (clprim_op)op, CLPRIM_TYPE_DEFAULT);
    }
    expect_both(exclusive.variants, (int)num_variants, "variant", "ways");
    expect_both(exclusive.types + 1, CLPRIM_TYPE_END - 1, "type", "ways");
    expect_both(exclusive.ops, CLPRIM_OP_END, "operator", "ways");
    expect_both(from_initial.variants, (int)num_variants, "variant", "from an initial value and not");
    expect_both(from_initial.types + 1, CLPRIM_TYPE_END - 1, "type", "from an initial value and not");
    expect_both(from_initial.ops, CLPRIM_OP_END, "operator", "from an initial value and not");
    cr_assert_leq(total, num_variants * CLPRIM_TYPE_END, "the sample has grown to %zu", total);
}

ParameterizedTestParameters(scan, variant)
{
    static size_t places[64];
    size_t count = 0;
    (void)clprim_scan_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, count);
}

/* Each variant, with the types and operators of the sample, or with all. In the sample U8 and U16 have the smallest
 * tiles: the largest take a CPU's compiler many seconds, and I8, I16 and F16 have these. */
ParameterizedTest(size_t *place, scan, variant)
{
    size_t count = 0;
    const clprim_scan_variant variant = (clprim_scan_variant)clprim_scan_operation.variants(&count)[*place].id;
    room r = room_create(MAX_COUNT);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++)
            for (int exclusive = 0; exclusive < 2; exclusive++) {
                const bool sampled =
                    is_sampled(*place, type, op) && is_sampled_exclusive(*place, type) == (exclusive != 0);
                const bool small = (type == CLPRIM_U8 || type == CLPRIM_U16) && !test_is_full();
                if (test_op_is_valid((clprim_type)type, (clprim_op)op) && (test_is_full() || sampled))
                    check_desc(&r, (clprim_scan_desc){.type = (clprim_type)type,
                                                      .op = (clprim_op)op,
                                                      .exclusive = exclusive != 0,
                                                      .variant = variant,
                                                      .items_per_work_item = small ? 1 : 0});
            }
    room_destroy(&r);
}

/* Each type in some wider ones, and each kind of accumulator, by a variant after the other. No products of integers in
 * floats: these overflow, and then depend on the order. */
Test(scan, accumulator_types)
{
    static const clprim_type sample[][2] = {
        {CLPRIM_I8, CLPRIM_I64},  {CLPRIM_U8, CLPRIM_U32},  {CLPRIM_U8, CLPRIM_I16},  {CLPRIM_U8, CLPRIM_F16},
        {CLPRIM_I16, CLPRIM_F32}, {CLPRIM_U16, CLPRIM_F64}, {CLPRIM_I32, CLPRIM_I64}, {CLPRIM_U32, CLPRIM_U64},
        {CLPRIM_I32, CLPRIM_F32}, {CLPRIM_F16, CLPRIM_F32}, {CLPRIM_F32, CLPRIM_F64}};
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&num_variants);
    room r = room_create(MAX_COUNT);
    size_t turn = 0;
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int accumulator = 1; accumulator < CLPRIM_TYPE_END; accumulator++) {
            bool wanted = test_is_full() && test_accumulator_is_valid((clprim_type)type, (clprim_type)accumulator);
            for (size_t i = 0; i < sizeof sample / sizeof *sample; i++)
                wanted = wanted || (sample[i][0] == (clprim_type)type && sample[i][1] == (clprim_type)accumulator);
            if (!wanted)
                continue;
            const bool overflows = test_is_float((clprim_type)accumulator) && !test_is_float((clprim_type)type);
            check_desc(&r, (clprim_scan_desc){.type = (clprim_type)type,
                                              .op = turn % 3 == 2 && !overflows ? CLPRIM_PROD : CLPRIM_SUM,
                                              .accumulator_type = (clprim_type)accumulator,
                                              .exclusive = turn % 2 != 0,
                                              .variant = (clprim_scan_variant)variants[turn % num_variants].id});
            turn++;
        }
    room_destroy(&r);
}

/* What AUTO makes of it; and work-groups from one work-item to more than any device has, few and many elements for
 * each, few and many banks. */
Test(scan, defaults_and_shapes)
{
    static const clprim_scan_desc rows[] = {
        {.type = CLPRIM_F32},
        {.type = CLPRIM_U8, .op = CLPRIM_ARGMAX, .exclusive = true},
        {.variant = CLPRIM_SCAN_NAIVE, .work_group_size = 2},
        {.variant = CLPRIM_SCAN_WORK_EFFICIENT, .work_group_size = 1},
        {.variant = CLPRIM_SCAN_BIT_REVERSED, .work_group_size = 65536},
        {.variant = CLPRIM_SCAN_BLELLOCH, .work_group_size = 8},
        {.variant = CLPRIM_SCAN_BLELLOCH, .work_group_size = 1},
        {.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .work_group_size = 64, .banks = 1},
        {.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = 256, .exclusive = true},
        {.variant = CLPRIM_SCAN_CPU_CHUNK, .work_group_size = 8},
        {.variant = CLPRIM_SCAN_REDUCE_THEN_SCAN, .work_group_size = 1, .items_per_work_item = 1},
        {.variant = CLPRIM_SCAN_REDUCE_THEN_SCAN, .work_group_size = 65536, .items_per_work_item = 3},
        {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 1, .items_per_work_item = 1},
        {.type = CLPRIM_U16, .variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 2, .items_per_work_item = 1024},
        {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 65536, .items_per_work_item = 7, .exclusive = true},
        {.variant = CLPRIM_SCAN_FIXED_TREE, .work_group_size = 16},
    };
    room r = room_create(MAX_COUNT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_scan_desc desc = rows[i];
        if (desc.type == CLPRIM_TYPE_DEFAULT) /* the smallest: most elements in a packet or word */
            desc.type = CLPRIM_U8;
        check_desc(&r, desc);
    }
    room_destroy(&r);
}

/* One special number among others, of which it may be the only NaN; NaNs of both signs and all payloads; and none. */
static void check_nans(room *r, clprim_scan_desc desc)
{
    subject self;
    desc.nan_order = CLPRIM_NAN_LAST;
    if (!subject_create(&self, r, desc))
        return;
    for (uint64_t seed = 0; seed < 16; seed++)
        check_once(&self, TEST_ONE_SPECIAL, 613, placing_of(&self, seed), seed);
    check_once(&self, TEST_SPECIALS, 1, placing_of(&self, 1), 1);
    check_once(&self, TEST_SPECIALS, 5003, placing_of(&self, 2), 2);
    check_once(&self, TEST_FEW_DISTINCT, 5003, placing_of(&self, 3), 3);
    subject_destroy(&self);
}

/* F32 by each variant, F16 and F64 by AUTO; inclusive and exclusive, of values alone and with their index. */
Test(scan, propagates_nans, .timeout = 240)
{
    static const clprim_op ops[] = {CLPRIM_MAX, CLPRIM_ARGMIN, CLPRIM_MIN, CLPRIM_MAX, CLPRIM_ARGMAX};
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&num_variants);
    room r = room_create(5003);
    for (size_t v = 0; v < num_variants; v++)
        check_nans(&r, (clprim_scan_desc){.type = CLPRIM_F32,
                                          .op = ops[v % 5],
                                          .exclusive = v % 2 == 0,
                                          .variant = (clprim_scan_variant)variants[v].id});
    for (size_t k = 0; k < 4; k++)
        check_nans(&r,
                   (clprim_scan_desc){.type = k < 2 ? CLPRIM_F16 : CLPRIM_F64, .op = ops[k], .exclusive = k % 2 == 1});
    room_destroy(&r);
}

/* A NaN that a scan begins with is propagated, too, whatever its bits. */
Test(scan, propagates_an_initial_nan)
{
    static const uint32_t nans[] = {0x7fffffff, 0xffffffff, 0xff800001};
    static float in[] = {1, 2};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        const clprim_scan_desc desc = {
            .type = CLPRIM_F32, .op = CLPRIM_MIN, .nan_order = CLPRIM_NAN_LAST, .exclusive = true, .initial = &nans[i]};
        uint32_t out[2] = {0};
        ASSERT_OK(
            clprim_scan_run(runtime, &desc, &(clprim_scan_call){.in = {.host = in}, .count = 2, .out = {.host = out}}));
        cr_assert(out[0] == 0x7fc00000 && out[1] == 0x7fc00000, "%08x, %08x from %08x", (unsigned)out[0],
                  (unsigned)out[1], (unsigned)nans[i]);
    }
    clprim_runtime_destroy(runtime);
}
