// SPDX-License-Identifier: MIT
/* folds.c: what the tests of reduce, scan and reduce_by_key have in common. */
#include "folds.h"

#include <clprim/reference.h>

static uint64_t get(const test_call *self, const char *name)
{
    return test_get(&self->desc, self->face->desc_members, name);
}

static test_struct desc_of(const clprim_operation *face, clprim_type type, clprim_op op, clprim_type accumulator,
                           size_t variant, bool exclusive)
{
    static const test_struct nothing;
    test_struct desc = test_with(face, nothing.bytes, "type", (uint64_t)type);
    test_put(&desc, face->desc_members, "op", (uint64_t)op);
    test_put(&desc, face->desc_members, "accumulator_type", (uint64_t)accumulator);
    test_put(&desc, face->desc_members, "variant", variant);
    test_put(&desc, face->desc_members, "exclusive", exclusive);
    return desc;
}

/* The type in which sums and products are computed. */
static clprim_type folded_type(const test_call *self)
{
    const clprim_type accumulator = (clprim_type)get(self, "accumulator_type");
    return accumulator != CLPRIM_TYPE_DEFAULT ? accumulator : (clprim_type)get(self, "type");
}

/* The initial value of a call of reduce or scan, if any. */
static const void *initial_of(const test_call *self)
{
    const clprim_member *at = test_member(self->face->call_members, "initial_at");
    return get(self, "has_initial_at") ? ((const clprim_array *)(const void *)(self->on_host.bytes + at->place))->host
                                       : (const void *)(uintptr_t)get(self, "initial");
}

/* Check that the error is within the bound for rounding, for each run of a call by key, or for the array. */
static void judge_runs(const test_call *self, const test_array *array, const char *got, const char *what)
{
    const clprim_type type = (clprim_type)get(self, "type");
    const bool has_keys = self->face == &clprim_reduce_by_key_operation;
    const clprim_reduce_by_key_call *by_key = (const void *)self->on_host.bytes;
    const clprim_reduce_call *whole = (const void *)self->on_host.bytes;
    const char *in = has_keys ? by_key->values_in.host : whole->in.host;
    const size_t count = has_keys ? by_key->count : whole->count;
    const size_t key_size = self->arrays[0].size;
    size_t begin = 0;
    for (size_t run = 0; run < array->written; run++, got += array->size) {
        double error = 0;
        double bound = 0;
        size_t end = has_keys ? begin + 1 : count;
        while (end < count && memcmp((const char *)by_key->keys_in.host + begin * key_size,
                                     (const char *)by_key->keys_in.host + end * key_size, key_size) == 0)
            end++;
        clprim_reference_operator by =
            *TEST_FOLD(type, (clprim_op)get(self, "op"), (clprim_type)get(self, "accumulator_type"));
        by.initial = has_keys ? NULL : initial_of(self);
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, &by, in + begin * clprim_type_size(type), end - begin,
                                                0, got));
        cr_assert_leq(error, bound, "%s: elements [%zu, %zu): error %g, bound %g", what, begin, end, error, bound);
        begin = end;
    }
}

static void judge_scan(const test_call *self, const void *got, const char *what)
{
    const clprim_scan_desc *desc = (const void *)self->desc.bytes;
    const clprim_scan_call *call = (const void *)self->on_host.bytes;
    const clprim_reference_scan_how how = {.exclusive = desc->exclusive, .initial = initial_of(self)};
    double worst = 0;
    size_t where = 0;
    ASSERT_OK(clprim_reference_scan_error(&worst, &where, TEST_FOLD(desc->type, desc->op, desc->accumulator_type), &how,
                                          call->in.host, call->count, 0, got));
    cr_assert(worst <= 1.0, "%s: element %zu errs by %g times the bound", what, where, worst);
}

/* In exact sums by scans, the signs of zeros are not checked. */
static void judge(const test_call *self, size_t i, void *got, const char *what)
{
    const test_array *array = &self->arrays[i];
    const test_turn *turn = self->user;
    const clprim_type type = (clprim_type)get(self, "type");
    const clprim_type folded = folded_type(self);
    const clprim_op op = (clprim_op)get(self, "op");
    const bool is_result = strstr("values_out", array->slot.member->name) != NULL;
    const bool may_round = is_result && test_is_float(folded) && test_is_arithmetic(op);
    const bool is_scan = self->face == &clprim_scan_operation;
    if (may_round && (turn->pattern != TEST_EXACT || !test_is_float(type))) {
        if (is_scan)
            judge_scan(self, got, what);
        else
            judge_runs(self, array, got, what);
        return;
    }
    if (may_round && is_scan && op == CLPRIM_SUM) {
        size_t first = 0;
        while (first < array->written && test_load(folded, array->expected, first) == test_load(folded, got, first))
            first++;
        cr_assert_eq(first, array->written, "%s: element %zu", what, first);
        return;
    }
    test_expect_same(array->expected, got, array->size, array->written, what);
}

/* The host's fold, with the operator of the plan that was made last. */
static struct {
    const clprim_operation *face;
    const test_operator *own;
} custom;

static clprim_status fold_by_own(const void *desc, const void *call)
{
    const test_operator *own = custom.own;
    const clprim_scan_desc *scan = desc;
    const clprim_scan_call *c = call;
    const clprim_reduce_call *whole = call;
    const clprim_reduce_by_key_desc *keyed = desc;
    const clprim_reduce_by_key_call *by_key = call;
    const clprim_reduce_desc *reduce = desc;
    clprim_reference_operator by = {.combine = own->combine, .size = own->size, .identity = own->identity};
    size_t runs = 0;
    if (custom.face == &clprim_reduce_operation) {
        by.initial = reduce->has_initial_at ? whole->initial_at.host : reduce->initial;
        return clprim_reference_reduce(whole->out.host, &by, whole->in.host, whole->count);
    }
    if (custom.face == &clprim_scan_operation)
        return clprim_reference_scan(
            c->out.host, &by,
            &(clprim_reference_scan_how){.exclusive = scan->exclusive,
                                         .initial = scan->has_initial_at ? c->initial_at.host : scan->initial,
                                         .begins = c->heads.host},
            c->in.host, c->count);
    const clprim_status status = clprim_reference_reduce_by_key(
        by_key->keys_out.host, by_key->values_out.host, &runs, clprim_type_size(keyed->key_type), &by,
        by_key->keys_in.host, by_key->values_in.host, by_key->count);
    memcpy(by_key->out_count.host, &runs, keyed->index_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t));
    return status;
}

bool test_fold_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                      const test_operator *own)
{
    test_struct with = test_with(face, desc, own != NULL ? "custom" : "", own != NULL ? (uintptr_t)&own->op : 0);
    if (own != NULL)
        test_put(&with, face->desc_members, "type", (uint64_t)own->type);
    if (!test_call_create(out, runtime, face, with.bytes))
        return false;
    custom.face = face;
    custom.own = own;
    out->reference = own != NULL ? fold_by_own : NULL;
    out->judge = own != NULL ? NULL : judge;
    return true;
}

/* In a long run of factors on one side of 1, the product leaves the range of a float, and cannot return to a correct
 * value. */
static void limit_drift(const test_call *self, test_turn *turn)
{
    const bool drifts =
        turn->pattern == TEST_ASCENDING || turn->pattern == TEST_DESCENDING || turn->pattern == TEST_EXTREMES;
    if (self->face == &clprim_scan_operation && drifts && get(self, "op") == CLPRIM_PROD &&
        test_is_float(folded_type(self)) && turn->count > 4111)
        turn->count = 4111;
}

void test_fold_turns(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t share)
{
    test_call self;
    if (!test_fold_create(&self, runtime, face, desc, NULL))
        return;
    const uint64_t seed = TEST_SEED + get(&self, "type") * 64 + get(&self, "op") * 8 + get(&self, "variant");
    const bool has_large = (get(&self, "type") + get(&self, "op") + get(&self, "variant")) % 4 == 0 || test_is_full();
    for (test_turn turn = {.kinds = TEST_PATTERN_END, .seed = seed}; test_next(&turn);) {
        turn.pattern = turn.again ? (test_pattern)turn.kind : TEST_EXACT;
        limit_drift(&self, &turn);
        /* For more than 65535 work-items, PoCL compiles kernels again, so only one plan in four has such calls. */
        if ((turn.count <= 1025 || turn.seed % share == 0 || test_is_full()) && (turn.count <= 65535 || has_large))
            test_check_turn(&self, &turn);
    }
    test_call_destroy(&self);
}

void test_fold_own(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const test_operator *own)
{
    static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, 20011};
    test_call self;
    if (!test_fold_create(&self, runtime, face, desc, own))
        return;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        test_check_turn(&self,
                        &(test_turn){.kinds = 1, .count = counts[i], .pattern = TEST_RANDOM, .seed = TEST_SEED + i});
    test_call_destroy(&self);
}

/* Test every other pair of types, beginning with a different one for each operation. Products of integers in floats are
 * left out: they overflow, and then depend on the order. Tiles are small, because CPU compilers need ten seconds for
 * each tile of many small elements. */
void test_fold_accumulators(clprim_runtime *runtime, const clprim_operation *face, size_t share)
{
    const size_t last = (size_t)test_last_variant(face);
    size_t pair = face == &clprim_scan_operation;
    size_t turn = 0;
    for (clprim_type type = 1; type < CLPRIM_TYPE_END; type++)
        for (clprim_type accumulator = 1; accumulator < CLPRIM_TYPE_END; accumulator++) {
            const bool overflows = test_is_float(accumulator) && !test_is_float(type);
            const clprim_op op = turn % 4 == 3 && !overflows ? CLPRIM_PROD : CLPRIM_SUM;
            if (type == accumulator || !test_accumulator_is_valid(type, accumulator) ||
                (pair++ % 2 == 1 && !test_is_full()))
                continue;
            const test_struct desc = desc_of(face, type, op, accumulator, turn % last + 1, turn % 2);
            test_fold_turns(runtime, face, desc.bytes, share);
            turn++;
        }
}

/* A number, and its rounded value as a float and as a double. */
static const struct row {
    clprim_type type;
    uint64_t number;
    float f32;
    double f64;
} rows[] = {
    {CLPRIM_I32, 16777217, 0x1p24F, 0x1.000001p24},
    {CLPRIM_I32, 16777219, 0x1.000004p24F, 0x1.000003p24},
    {CLPRIM_I32, (uint64_t)-16777217, -0x1p24F, -0x1.000001p24},
    {CLPRIM_I32, INT32_MAX, 0x1p31F, 0x1.fffffffcp30},
    {CLPRIM_U32, UINT32_MAX, 0x1p32F, 0x1.fffffffep31},
    {CLPRIM_U32, 0x80000080, 0x1p31F, 0x1.000001p31},
    {CLPRIM_I64, (UINT64_C(1) << 53) + 1, 0x1p53F, 0x1p53},
    {CLPRIM_I64, (UINT64_C(1) << 53) + 3, 0x1p53F, 0x1.0000000000002p53},
    {CLPRIM_I64, (uint64_t)INT64_MIN, -0x1p63F, -0x1p63},
    {CLPRIM_I64, (UINT64_C(1) << 60) - (UINT64_C(1) << 35) - 1, 0x1.fffffep59F, 0x1.ffffffp59}, /* a double would round
                                                                                                 * first */
    {CLPRIM_U64, UINT64_MAX, 0x1p64F, 0x1p64},
    {CLPRIM_U64, (UINT64_C(1) << 63) + 1, 0x1p63F, 0x1p63},
};
enum { NUM_ROWS = sizeof rows / sizeof *rows, MANY = 33333, FEW = 1000, PLACE = 613 };

static void expect_reference_rounds(const struct row *row)
{
    for (int accumulator = CLPRIM_F32; accumulator <= CLPRIM_F64; accumulator++)
        for (int op = CLPRIM_SUM; op <= CLPRIM_PROD; op++) {
            double result = 77;
            ASSERT_OK(clprim_reference_reduce(&result, TEST_FOLD(row->type, (clprim_op)op, (clprim_type)accumulator),
                                              &row->number, 1));
            test_expect_same(accumulator == CLPRIM_F32 ? (const void *)&row->f32 : &row->f64, &result,
                             clprim_type_size((clprim_type)accumulator), 1, "the reference");
        }
}

/* Fill with integers that a float accumulator cannot represent. They are rounded up and down to multiples of one
 * number, such that no sum of up to 2^18 rounded ones is rounded again. */
static void fill_rounded(char *out, clprim_type type, clprim_type accumulator)
{
    const uint64_t unit = UINT64_C(1) << (accumulator == CLPRIM_F32 ? 24 : 53);
    /* ties, rounded down and up; then numbers nearer to one side, rounded down and up */
    const uint64_t numbers[] = {unit + 1, 2 * unit - 1, 64 * unit + 63, 64 * unit - 31};
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < MANY; i++) {
        const uint64_t number = numbers[test_random_below(&random, 4)];
        const bool negates = (type == CLPRIM_I32 || type == CLPRIM_I64) && test_random_below(&random, 2) != 0;
        const uint64_t bits = negates ? 0 - number : number;
        memcpy(out + i * clprim_type_size(type), &bits, clprim_type_size(type)); /* little-endian */
    }
}

/* A single number among zeros shows how a variant rounds it. The sum of many rounded numbers, and each prefix of it, is
 * exact in any order. */
static void check_rounded(test_call *self, clprim_type type, clprim_type accumulator)
{
    static uint64_t in[MANY];
    for (size_t i = 0; i <= NUM_ROWS; i++) {
        test_struct call = {.bytes = {0}};
        const bool is_row = i < NUM_ROWS;
        const size_t size = clprim_type_size(type);
        if (is_row && rows[i].type != type)
            continue;
        memset(in, 0, sizeof in);
        if (is_row)
            memcpy((char *)in + PLACE * size, &rows[i].number, size);
        else
            fill_rounded((char *)in, type, accumulator);
        test_put(&call, self->face->call_members, "count", is_row ? FEW : MANY);
        test_array_at(&call, self->face, "in")->host = in;
        test_call_fill(self, call.bytes, i);
        test_call_check(self, "row %zu", i);
    }
}

void test_fold_rounded(clprim_runtime *runtime, const clprim_operation *face)
{
    for (size_t i = 0; i < NUM_ROWS; i++)
        expect_reference_rounds(&rows[i]);
    for (size_t v = 0; v < (size_t)test_last_variant(face); v++)
        for (int p = 0; p < 6; p++) {
            /* F32 cannot represent all I32, U32, I64 and U64; F64 cannot represent all I64 and U64 */
            const clprim_type type = CLPRIM_I32 + (p < 4 ? p : p - 2);
            const clprim_type accumulator = p < 4 ? CLPRIM_F32 : CLPRIM_F64;
            test_call self;
            const test_struct desc = desc_of(face, type, CLPRIM_SUM, accumulator, v + 1, v % 2);
            if (((v + (size_t)p) % 3 != 0 && !test_is_full()) || !test_call_create(&self, runtime, face, desc.bytes))
                continue;
            check_rounded(&self, type, accumulator);
            test_call_destroy(&self);
        }
}

/* Test one special number among others, which may be the only NaN; NaNs of both signs with all payloads; and data
 * without NaNs. */
static void check_nans(clprim_runtime *runtime, const clprim_operation *face, test_struct *desc)
{
    test_call self;
    const size_t kinds = face == &clprim_reduce_by_key_operation ? TEST_RUNS_END : 1;
    test_put(desc, face->desc_members, "nan_order", CLPRIM_NAN_LAST);
    if (!test_fold_create(&self, runtime, face, desc->bytes, NULL))
        return;
    for (uint64_t seed = 0; seed < 16; seed++)
        test_check_turn(&self, &(test_turn){.kinds = kinds,
                                            .seed = seed,
                                            .count = 613,
                                            .pattern = TEST_ONE_SPECIAL,
                                            .kind = (size_t)(seed / 2 % kinds)});
    for (test_turn turn = {.kinds = kinds}; test_next(&turn);) {
        turn.pattern = turn.again ? TEST_SPECIALS : TEST_FEW_DISTINCT;
        if (turn.count <= 5001 || turn.seed % 4 == 0)
            test_check_turn(&self, &turn);
    }
    test_call_destroy(&self);
}

void test_fold_nans(clprim_runtime *runtime, const clprim_operation *face, size_t operators)
{
    static const clprim_op ops[] = {CLPRIM_MIN, CLPRIM_ARGMAX, CLPRIM_MAX, CLPRIM_ARGMIN};
    size_t count = 0;
    const clprim_variant_info *variants = test_variants(face, &count);
    for (size_t k = 0; k < (count + 4) * operators; k++) {
        const size_t v = k / operators;
        const clprim_type type = v < count ? CLPRIM_F32 : v < count + 2 ? CLPRIM_F16 : CLPRIM_F64;
        test_struct desc =
            desc_of(face, type, ops[k % 4], CLPRIM_TYPE_DEFAULT, v < count ? (size_t)variants[v].id : 0, k / 2 % 2);
        check_nans(runtime, face, &desc);
    }
}

/* Whether it is AUTO or one of the variants, by name, whose order of operations depends only on the count. */
static bool is_reproducible(const clprim_operation *face, int variant)
{
    return variant == 0 || strncmp(test_variant_name(face, variant), "fixed_", strlen("fixed_")) == 0;
}

void test_fold_reproducible(clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                            clprim_status (*reference)(const void *desc, const void *call), const size_t *counts,
                            size_t num_counts)
{
    static const size_t group_sizes[] = {0, 1, 16, 256};
    for (int variant = 0; variant <= test_last_variant(face); variant++)
        for (size_t g = 0; is_reproducible(face, variant) && g < sizeof group_sizes / sizeof *group_sizes; g++) {
            test_call self;
            test_struct with = test_with(face, desc, "reproducible", true);
            test_put(&with, face->desc_members, "variant", (size_t)variant);
            test_put(&with, face->desc_members, "work_group_size", group_sizes[g]);
            if (!test_call_create(&self, runtime, face, with.bytes))
                continue;
            cr_assert(is_reproducible(face, clprim_plan_variant(self.plan)->id));
            self.reference = reference;
            for (size_t i = 0; i < 2 * num_counts; i++)
                test_check_turn(&self, &(test_turn){.kinds = 1,
                                                    .seed = TEST_SEED + i + g,
                                                    .count = counts[i / 2],
                                                    .pattern = i % 2 == 0 ? TEST_RANDOM : TEST_EXTREMES});
            test_call_destroy(&self);
        }
}

/* Other variants are not reproducible for operators that round. For operators that do not round, every variant is. */
static void refuse_irreproducible(clprim_runtime *runtime, const clprim_operation *face)
{
    test_call self;
    test_struct desc;
    for (int variant = test_last_variant(face); variant > 0; variant--) {
        desc = desc_of(face, CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, (size_t)variant, false);
        test_put(&desc, face->desc_members, "reproducible", true);
        if (!is_reproducible(face, variant))
            test_refuse(runtime, face, desc.bytes, CLPRIM_INVALID_ARGUMENT, "");
    }
    test_put(&desc, face->desc_members, "type", CLPRIM_I32);
    test_call_make(&self, runtime, face, desc.bytes);
    test_call_destroy(&self);
}

void test_fold_refusals(clprim_runtime *runtime, const clprim_operation *face)
{
    for (clprim_type type = 1; type < CLPRIM_TYPE_END; type++)
        for (clprim_op op = 0; op < CLPRIM_OP_END; op++)
            for (clprim_type accumulator = 0; accumulator < CLPRIM_TYPE_END; accumulator++) {
                const bool is_own = accumulator == CLPRIM_TYPE_DEFAULT || accumulator == type;
                const test_struct desc = desc_of(face, type, op, accumulator, 0, false);
                if (!test_op_is_valid(type, op))
                    test_refuse(runtime, face, desc.bytes, CLPRIM_INVALID_OPERATOR, clprim_op_name(op));
                else if (!is_own && !(test_is_arithmetic(op) && test_accumulator_is_valid(type, accumulator)))
                    test_refuse(runtime, face, desc.bytes, CLPRIM_INVALID_ARGUMENT, "accumulator_type");
            }
    if (test_member(face->desc_members, "reproducible") != NULL)
        refuse_irreproducible(runtime, face);
}
