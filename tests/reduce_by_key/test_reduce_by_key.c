/* test_reduce_by_key.c: every variant finds the runs that the reference finds and folds their values as it does, for
 * keys and values of many types, operators, accumulators and the caller's own, all sizes of arrays, offsets, data and
 * lengths of runs. By default the variants share the cases among them; with CLPRIM_TEST_FULL every variant meets every
 * case, and every operator every type. */
#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>

#include "call.h"
#include "operators.h"

static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                               CLPRIM_SCAN_LOOK_BACK};

enum { NUM_VARIANTS = sizeof variants / sizeof *variants };

/* Float sums and products: what is found differs from each run's exact value by no more than rounding allows. */
static void judge(const test_call *self, size_t i, void *got, const char *what)
{
    const test_array *array = &self->arrays[i];
    const clprim_reduce_by_key_desc *desc = (const void *)self->desc.bytes;
    const clprim_reduce_by_key_call *call = (const void *)self->on_host.bytes;
    const size_t size = clprim_type_size(desc->type);
    const size_t key_size = clprim_type_size(desc->key_type);
    const char *keys = call->keys_in.host;
    size_t run = 0;
    if (array != test_array_named(self, "values_out")) {
        test_expect_same(array->expected, got, array->size, array->written, what);
        return;
    }
    for (size_t begin = 0, end = 0; begin < call->count; begin = end, run++) {
        double error = 0;
        double bound = 0;
        for (end = begin + 1; end < call->count; end++)
            if (memcmp(keys + begin * key_size, keys + end * key_size, key_size) != 0)
                break;
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, TEST_FOLD(desc->type, desc->op, desc->accumulator_type),
                                                (char *)call->values_in.host + begin * size, end - begin, 0,
                                                (char *)got + run * array->size));
        cr_assert(error <= bound, "%s: run %zu, from %zu to %zu, is off by %g, allowed %g", what, run, begin, end,
                  error, bound);
    }
}

/* Keys that seem to go on before and behind themselves; of the caller's own operator the reference is told. */
static void check(test_call *self, size_t count, test_pattern pattern, test_runs runs, uint64_t seed)
{
    static uint64_t keys[TEST_MAX_SIZE];
    static uint64_t values[2 * TEST_MAX_SIZE];
    static uint64_t expected[2][2 * TEST_MAX_SIZE];
    const clprim_reduce_by_key_desc *desc = (const void *)self->desc.bytes;
    const test_operator *own = self->user;
    const size_t key_size = clprim_type_size(desc->key_type);
    size_t found = 0;
    uint64_t number = 0;
    clprim_reduce_by_key_call call = {.keys_in = {.host = keys}, .values_in = {.host = values}, .count = count};
    test_fill(keys, desc->key_type, CLPRIM_MIN, (test_pattern)(seed % TEST_PATTERN_END), count, seed);
    test_make_runs(keys, key_size, runs, count, seed);
    if (own == NULL) {
        test_fill(values, desc->type, desc->op, pattern, count, seed);
    } else {
        test_fill(values, CLPRIM_U32, CLPRIM_MIN, pattern, count * own->size / 4, seed);
        ASSERT_OK(clprim_reference_reduce_by_key(
            expected[0], expected[1], &found, key_size,
            &(clprim_reference_operator){.combine = own->combine, .size = own->size}, keys, values, count));
        number = found;
        call.keys_out.host = expected[0];
        call.values_out.host = expected[1];
        call.out_count.host = &number;
    }
    self->goes_on = seed % 2 == 0;
    test_call_fill(self, &call, seed);
    test_call_check(self, "%zu elements (%s, %s, seed %llx)", count, test_pattern_name(pattern), test_runs_name(runs),
                    (unsigned long long)seed);
}

static bool create(test_call *out, clprim_runtime *runtime, const clprim_reduce_by_key_desc *desc,
                   const test_operator *own)
{
    clprim_reduce_by_key_desc with = *desc;
    const clprim_type accumulator = desc->accumulator_type != 0 ? desc->accumulator_type : desc->type;
    with.custom = own != NULL ? &own->op : NULL;
    const bool created = test_call_create(out, runtime, &clprim_reduce_by_key_operation, &with);
    out->user = own;
    out->judge = own == NULL && test_is_float(accumulator) && test_is_arithmetic(desc->op) ? judge : NULL;
    return created;
}

/* All sizes, with the rest in turn; then all patterns and runs at sizes with one and with many work-groups. */
static void check_desc(clprim_runtime *runtime, const clprim_reduce_by_key_desc *desc, const test_operator *own)
{
    test_call self;
    uint64_t turn = TEST_SEED + (uint64_t)desc->type * 7 + (uint64_t)desc->op * 3 + (uint64_t)desc->variant;
    if (!create(&self, runtime, desc, own))
        return;
    for (size_t i = 0; i < TEST_SIZES; i++, turn += 5)
        check(&self, test_size(i, turn), (test_pattern)(turn % TEST_PATTERN_END), (test_runs)(turn % TEST_RUNS_END),
              turn);
    for (int runs = 0; runs < TEST_RUNS_END; runs++)
        for (int many = 0; many < 2; many++, turn++)
            check(&self, many ? 33333 : 613, (test_pattern)(turn % TEST_PATTERN_END), (test_runs)runs, turn);
    for (int pattern = 0; pattern < TEST_PATTERN_END; pattern++, turn++)
        check(&self, 5001, (test_pattern)pattern, pattern % 2 == 0 ? TEST_RUNS_SHORT : TEST_RUNS_LONG, turn);
    test_call_destroy(&self);
}

#define ONLY_FULL ((clprim_scan_variant)-1) /* no variant */
#define MANY      ((size_t)1 << 40)
#define TYPES(key, value, operator, in)                                                                                \
    .key_type = CLPRIM_##key, .type = CLPRIM_##value, .op = CLPRIM_##operator, .accumulator_type = CLPRIM_##in

/* What each case meets by default; programs of CPU_CHUNK cost least. */
static const struct {
    clprim_reduce_by_key_desc desc;
    const test_operator *own;
} cases[] = {
    {{TYPES(I32, I32, SUM, I32)}, NULL},
    {{TYPES(U8, U16, SUM, U64), .variant = CLPRIM_SCAN_LOOK_BACK}, NULL},
    {{TYPES(U64, F32, SUM, F32), .index_type = CLPRIM_U64, .max_count = MANY, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN},
     NULL},
    {{TYPES(F32, U8, XOR, U8), .index_type = CLPRIM_U64, .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{.key_type = CLPRIM_U16, .variant = CLPRIM_SCAN_CPU_CHUNK}, &test_operators[TEST_SPANS]},
    {{TYPES(F64, F32, SUM, F64), .variant = ONLY_FULL}, NULL},
    {{TYPES(F16, F16, SUM, F16), .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{TYPES(U8, I64, SUM, F32), .index_type = CLPRIM_U64, .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{TYPES(I8, F64, MAX, F64), .variant = ONLY_FULL}, NULL},
    {{TYPES(I64, I16, PROD, I32), .index_type = CLPRIM_U64, .max_count = MANY, .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{TYPES(U32, F32, ARGMIN, F32), .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{.key_type = CLPRIM_I16, .index_type = CLPRIM_U64, .variant = CLPRIM_SCAN_CPU_CHUNK},
     &test_operators[TEST_AFFINE]},
};

Test(reduce_by_key, cases_by_variants, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t v = 0; v < NUM_VARIANTS; v++) {
            clprim_reduce_by_key_desc desc = cases[i].desc;
            if (!test_is_full() && variants[v] != desc.variant)
                continue;
            desc.variant = variants[v];
            check_desc(runtime, &desc, cases[i].own);
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
        for (int op = 0; op < CLPRIM_OP_END; op++) {
            const clprim_reduce_by_key_desc desc = {.key_type = (clprim_type)((type + op) % 11 + 1),
                                                    .type = (clprim_type)type,
                                                    .op = (clprim_op)op,
                                                    .index_type = (type + op) % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                                    .variant = variants[(size_t)(type + op) % NUM_VARIANTS]};
            if (test_op_is_valid((clprim_type)type, (clprim_op)op))
                check_desc(runtime, &desc, NULL);
        }
    clprim_runtime_destroy(runtime);
}

/* NaNs are propagated within their run, and not beyond it: F32 by each variant, F16 and F64 by AUTO. */
Test(reduce_by_key, propagates_nans, .timeout = 240)
{
    static const struct {
        clprim_type type;
        clprim_op op;
        clprim_scan_variant variant;
    } rows[] = {
        {CLPRIM_F32, CLPRIM_MAX, CLPRIM_SCAN_CPU_CHUNK}, {CLPRIM_F32, CLPRIM_ARGMIN, CLPRIM_SCAN_REDUCE_THEN_SCAN},
        {CLPRIM_F32, CLPRIM_MIN, CLPRIM_SCAN_LOOK_BACK}, {CLPRIM_F16, CLPRIM_ARGMAX, CLPRIM_SCAN_AUTO},
        {CLPRIM_F64, CLPRIM_MAX, CLPRIM_SCAN_AUTO},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U8,
                                                .type = rows[i].type,
                                                .op = rows[i].op,
                                                .nan_order = CLPRIM_NAN_LAST,
                                                .variant = rows[i].variant};
        test_call self;
        if (!create(&self, runtime, &desc, NULL))
            continue;
        for (int runs = 0; runs < TEST_RUNS_END; runs++)
            check(&self, 5001, runs % 3 == 0 ? TEST_ONE_SPECIAL : TEST_SPECIALS, (test_runs)runs,
                  TEST_SEED + (uint64_t)runs);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
