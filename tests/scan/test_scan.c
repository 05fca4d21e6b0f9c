/* test_scan.c: every variant gives the reference's answer, for all types, operators, accumulators, sizes, offsets and
 * data, inclusive and exclusive, from an initial value or not, in place or not. By default pairwise: every variant
 * meets every type and every operator, and every type every operator; with CLPRIM_TEST_FULL set, everything meets
 * everything. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h> /* works only after criterion.h */

#include "test_scan.h"

static bool is_slow(clprim_scan_variant variant) /* dozens of launches for each scan */
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

static clprim_type out_type(const clprim_scan_desc *desc)
{
    return desc->accumulator_type == CLPRIM_TYPE_DEFAULT ? desc->type : desc->accumulator_type;
}

void scan_judge_exact(const test_call *self, size_t i, void *got, const char *what)
{
    const test_array *array = &self->arrays[i];
    const clprim_scan_desc *desc = (const void *)self->desc.bytes;
    if (test_is_float(out_type(desc)) && desc->op == CLPRIM_SUM) {
        test_drop_zero_signs((void *)array->expected, out_type(desc), array->written);
        test_drop_zero_signs(got, out_type(desc), array->written);
    }
    test_expect_same(array->expected, got, array->size, array->written, what);
}

/* As much error as rounding allows. */
static void judge_rounded(const test_call *self, size_t i, void *got, const char *what)
{
    const clprim_scan_desc *desc = (const void *)self->desc.bytes;
    const clprim_scan_call *call = (const void *)self->on_host.bytes;
    const clprim_reference_scan_how how = {.exclusive = desc->exclusive, .initial = desc->initial};
    double worst = 0;
    size_t where = 0;
    (void)i;
    ASSERT_OK(clprim_reference_scan_error(&worst, &where, TEST_FOLD(desc->type, desc->op, desc->accumulator_type), &how,
                                          call->in.host, call->count, 0, got));
    cr_assert(worst <= 1.0, "%s: element %zu errs by %g times the bound", what, where, worst);
}

/* Long runs of factors on one side of 1 leave what a float can hold, and on the way back nothing is right any more. */
static size_t suitable_count(const clprim_scan_desc *desc, test_pattern pattern, size_t count)
{
    const bool drifts = pattern == TEST_ASCENDING || pattern == TEST_DESCENDING || pattern == TEST_EXTREMES;
    const bool matters = desc->op == CLPRIM_PROD && test_is_float(out_type(desc));
    return drifts && matters && count > 4111 ? 4111 : count;
}

static void check(test_call *self, test_pattern pattern, size_t wanted, uint64_t seed)
{
    static uint64_t in[TEST_MAX_SIZE];
    const clprim_scan_desc *desc = (const void *)self->desc.bytes;
    const size_t count = suitable_count(desc, pattern, wanted);
    const bool is_exact = pattern == TEST_EXACT && test_is_float(desc->type);
    const bool may_round = test_is_float(out_type(desc)) && test_is_arithmetic(desc->op);
    test_fill(in, desc->type, desc->op, pattern, count, seed);
    self->in_place = seed % 3 == 0;
    self->judge = !may_round ? NULL : is_exact ? scan_judge_exact : judge_rounded;
    test_call_fill(self, &(clprim_scan_call){.in = {.host = in}, .count = count}, seed);
    test_call_check(self, "%zu elements (%s, seed %llx)%s", count, test_pattern_name(pattern), (unsigned long long)seed,
                    self->in_place ? " in place" : "");
}

/* All sizes and patterns in turn; then all patterns at sizes with one and with many blocks. */
static void check_all(test_call *self, bool is_slow_one, uint64_t seed)
{
    for (size_t i = 0; i < TEST_SIZES; i++, seed++) {
        const size_t count = test_size(i, seed);
        if (is_slow_one && count > 1025 && (seed + i) % 3 != 0 && !test_is_full())
            continue;
        check(self, TEST_EXACT, count, seed);
        if (count > 1)
            check(self, (test_pattern)(1 + seed % (TEST_PATTERN_END - 1)), count, seed + 7);
    }
    for (int pattern = TEST_RANDOM; pattern < TEST_PATTERN_END; pattern++, seed++) {
        check(self, (test_pattern)pattern, 613, seed);
        if (!is_slow_one || test_is_full())
            check(self, (test_pattern)pattern, 13333, seed + 1);
    }
}

/* From the identity and, where there may be, an initial value; in a sample by one of them. */
static void check_desc(clprim_runtime *runtime, clprim_scan_desc desc)
{
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.op * 8 + (uint64_t)desc.variant;
    const bool may_be = may_have_initial(desc.type, desc.op, desc.accumulator_type);
    const bool sampled = may_be && is_sampled_from_initial(desc.variant, desc.type);
    unsigned char initial[8];
    test_fill(initial, out_type(&desc), desc.op, TEST_EXACT, 1, TEST_SEED + (uint64_t)desc.variant);
    for (int from_initial = 0; from_initial < 2; from_initial++) {
        test_call self;
        if (test_is_full() ? from_initial == 1 && !may_be : sampled != (from_initial == 1))
            continue;
        desc.initial = from_initial != 0 ? initial : NULL;
        if (!test_is_supported(runtime, desc.type, desc.op, desc.accumulator_type) ||
            !test_call_create(&self, runtime, &clprim_scan_operation, &desc))
            return;
        check_all(&self, is_slow(desc.variant), seed);
        test_call_destroy(&self);
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
    cr_assert_eq(num_variants, CLPRIM_SCAN_FIXED_TREE, "there is a variant behind the last one that is tested");
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
    size_t count = 0;
    size_t *places = test_variant_places(&clprim_scan_operation, &count);
    return cr_make_param_array(size_t, places, count);
}

/* Each variant, with the types and operators of the sample, or with all. In the sample U8 and U16 have the smallest
 * tiles: the largest take a CPU's compiler many seconds, and I8, I16 and F16 have these. */
ParameterizedTest(size_t *place, scan, variant)
{
    size_t count = 0;
    const clprim_scan_variant variant = (clprim_scan_variant)clprim_scan_operation.variants(&count)[*place].id;
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++)
            for (int exclusive = 0; exclusive < 2; exclusive++) {
                const bool sampled =
                    is_sampled(*place, type, op) && is_sampled_exclusive(*place, type) == (exclusive != 0);
                const bool small = (type == CLPRIM_U8 || type == CLPRIM_U16) && !test_is_full();
                if (test_op_is_valid((clprim_type)type, (clprim_op)op) && (test_is_full() || sampled))
                    check_desc(runtime, (clprim_scan_desc){.type = (clprim_type)type,
                                                           .op = (clprim_op)op,
                                                           .exclusive = exclusive != 0,
                                                           .variant = variant,
                                                           .items_per_work_item = small ? 1 : 0});
            }
    clprim_runtime_destroy(runtime);
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
    clprim_runtime *runtime = test_runtime(NULL);
    size_t turn = 0;
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int accumulator = 1; accumulator < CLPRIM_TYPE_END; accumulator++) {
            bool wanted = test_is_full() && test_accumulator_is_valid((clprim_type)type, (clprim_type)accumulator);
            for (size_t i = 0; i < sizeof sample / sizeof *sample; i++)
                wanted = wanted || (sample[i][0] == (clprim_type)type && sample[i][1] == (clprim_type)accumulator);
            if (!wanted)
                continue;
            const bool overflows = test_is_float((clprim_type)accumulator) && !test_is_float((clprim_type)type);
            check_desc(runtime, (clprim_scan_desc){.type = (clprim_type)type,
                                                   .op = turn % 3 == 2 && !overflows ? CLPRIM_PROD : CLPRIM_SUM,
                                                   .accumulator_type = (clprim_type)accumulator,
                                                   .exclusive = turn % 2 != 0,
                                                   .variant = (clprim_scan_variant)variants[turn % num_variants].id});
            turn++;
        }
    clprim_runtime_destroy(runtime);
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
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_scan_desc desc = rows[i];
        if (desc.type == CLPRIM_TYPE_DEFAULT) /* the smallest: most elements in a packet or word */
            desc.type = CLPRIM_U8;
        check_desc(runtime, desc);
    }
    clprim_runtime_destroy(runtime);
}

/* One special number among others, of which it may be the only NaN; NaNs of both signs and all payloads; and none. */
static void check_nans(clprim_runtime *runtime, clprim_scan_desc desc)
{
    test_call self;
    desc.nan_order = CLPRIM_NAN_LAST;
    if (!test_call_create(&self, runtime, &clprim_scan_operation, &desc))
        return;
    for (uint64_t seed = 0; seed < 16; seed++)
        check(&self, TEST_ONE_SPECIAL, 613, seed);
    check(&self, TEST_SPECIALS, 1, 1);
    check(&self, TEST_SPECIALS, 5003, 2);
    check(&self, TEST_FEW_DISTINCT, 5003, 3);
    test_call_destroy(&self);
}

/* F32 by each variant, F16 and F64 by AUTO; inclusive and exclusive, of values alone and with their index. */
Test(scan, propagates_nans, .timeout = 240)
{
    static const clprim_op ops[] = {CLPRIM_MAX, CLPRIM_ARGMIN, CLPRIM_MIN, CLPRIM_MAX, CLPRIM_ARGMAX};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int v = 0; v < CLPRIM_SCAN_FIXED_TREE; v++)
        check_nans(runtime, (clprim_scan_desc){.type = CLPRIM_F32,
                                               .op = ops[v % 5],
                                               .exclusive = v % 2 == 0,
                                               .variant = (clprim_scan_variant)(v + 1)});
    for (size_t k = 0; k < 4; k++)
        check_nans(runtime,
                   (clprim_scan_desc){.type = k < 2 ? CLPRIM_F16 : CLPRIM_F64, .op = ops[k], .exclusive = k % 2 == 1});
    clprim_runtime_destroy(runtime);
}
