/* test_reduce.c: every variant gives the reference's answer, for all types, operators, accumulators, sizes, offsets and
 * data. By default pairwise: every variant meets every type and every operator, and every type every operator; with
 * CLPRIM_TEST_FULL set, everything meets everything. */
#include <clprim/reduce.h>
#include <clprim/reference.h>
#include <criterion/criterion.h>
#include <criterion/parameterized.h> /* works only after criterion.h */

#include "call.h"

/* As much error as rounding allows. */
static void judge(const test_call *self, size_t i, void *got, const char *what)
{
    const clprim_reduce_desc *desc = (const void *)self->desc.bytes;
    const clprim_reduce_call *call = (const void *)self->on_host.bytes;
    double error = 0;
    double bound = 0;
    (void)i;
    ASSERT_OK(clprim_reference_reduce_error(&error, &bound, TEST_FOLD(desc->type, desc->op, desc->accumulator_type),
                                            call->in.host, call->count, 0, got));
    cr_assert_leq(error, bound, "%s: error %g, bound %g", what, error, bound);
}

static void check(test_call *self, test_pattern pattern, size_t count, uint64_t seed)
{
    static uint64_t in[TEST_MAX_SIZE];
    const clprim_reduce_desc *desc = (const void *)self->desc.bytes;
    const clprim_type accumulator = desc->accumulator_type != 0 ? desc->accumulator_type : desc->type;
    const bool is_exact = pattern == TEST_EXACT && test_is_float(desc->type);
    test_fill(in, desc->type, desc->op, pattern, count, seed);
    self->judge = test_is_float(accumulator) && test_is_arithmetic(desc->op) && !is_exact ? judge : NULL;
    test_call_fill(self, &(clprim_reduce_call){.in = {.host = in}, .count = count}, seed);
    test_call_check(self, "%zu elements (%s, seed %llx)", count, test_pattern_name(pattern), (unsigned long long)seed);
}

/* All sizes, with patterns in turn; then all patterns at sizes with one and with many work-groups. */
static void check_desc(clprim_runtime *runtime, clprim_reduce_desc desc)
{
    test_call self;
    uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.op * 8 + (uint64_t)desc.variant;
    if (!test_is_supported(runtime, desc.type, desc.op, desc.accumulator_type) ||
        !test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
        return;
    for (size_t i = 0; i < TEST_SIZES; i++, seed++) {
        const size_t count = test_size(i, seed);
        check(&self, TEST_EXACT, count, seed);
        if (count > 1)
            check(&self, (test_pattern)(1 + seed % (TEST_PATTERN_END - 1)), count, seed);
    }
    for (int pattern = TEST_RANDOM; pattern < TEST_PATTERN_END; pattern++, seed++) {
        check(&self, (test_pattern)pattern, 613, seed);
        check(&self, (test_pattern)pattern, 33333, seed);
    }
    test_call_destroy(&self);
}

/* Pairwise: the type t meets the operator number (variant + t) of those it has. That leaves out one operator of a
 * variant, since there are nine operators and eight types that have them all: it gets an integer type of its own. */
static bool is_sampled(size_t variant, int type, int op)
{
    int ops[CLPRIM_OP_END];
    size_t num_ops = 0;
    for (int o = 0; o < CLPRIM_OP_END; o++)
        if (test_op_is_valid((clprim_type)type, (clprim_op)o))
            ops[num_ops++] = o;
    if (ops[(variant + (size_t)type) % num_ops] == op)
        return true;
    return (variant + CLPRIM_I8 + 8) % CLPRIM_OP_END == (size_t)op && (size_t)type == CLPRIM_I8 + variant % 8;
}

Test(reduce, the_sample_is_pairwise)
{
    size_t num_variants = 0;
    (void)clprim_reduce_operation.variants(&num_variants);
    cr_assert_eq(num_variants, CLPRIM_REDUCE_FIXED_TREE, "there is a variant behind the last one that is tested");
    cr_assert_geq(num_variants, CLPRIM_OP_END, "fewer variants than operators: not every type meets every operator");
    size_t total = 0;
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++) {
            bool met = !test_op_is_valid((clprim_type)type, (clprim_op)op);
            for (size_t v = 0; v < num_variants; v++) {
                met = met || is_sampled(v, type, op);
                total += is_sampled(v, type, op) && test_op_is_valid((clprim_type)type, (clprim_op)op);
            }
            cr_assert(met, "%s of %s is not tested", clprim_op_name((clprim_op)op),
                      clprim_type_name((clprim_type)type));
        }
    for (size_t v = 0; v < num_variants; v++)
        for (int op = 0; op < CLPRIM_OP_END; op++) {
            bool met = false;
            for (int type = 1; type < CLPRIM_TYPE_END; type++)
                met = met || is_sampled(v, type, op);
            cr_assert(met, "%s by variant %zu is not tested", clprim_op_name((clprim_op)op), v);
        }
    cr_assert_leq(total, num_variants * CLPRIM_TYPE_END, "the sample has grown to %zu", total);
}

ParameterizedTestParameters(reduce, variant)
{
    size_t count = 0;
    size_t *places = test_variant_places(&clprim_reduce_operation, &count);
    return cr_make_param_array(size_t, places, count);
}

/* Each variant, with the types and operators of the sample, or with all. */
ParameterizedTest(size_t *place, reduce, variant)
{
    size_t count = 0;
    const clprim_reduce_variant variant = (clprim_reduce_variant)clprim_reduce_operation.variants(&count)[*place].id;
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++)
            if (test_op_is_valid((clprim_type)type, (clprim_op)op) && (test_is_full() || is_sampled(*place, type, op)))
                check_desc(runtime,
                           (clprim_reduce_desc){.type = (clprim_type)type, .op = (clprim_op)op, .variant = variant});
    clprim_runtime_destroy(runtime);
}

/* One special number among others, of which it may be the only NaN; NaNs of both signs and all payloads; and none. */
static void check_nans(clprim_runtime *runtime, clprim_reduce_desc desc)
{
    test_call self;
    desc.nan_order = CLPRIM_NAN_LAST;
    if (!test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
        return;
    for (uint64_t seed = 0; seed < 16; seed++)
        check(&self, TEST_ONE_SPECIAL, 613, seed);
    for (size_t i = 0; i < TEST_SIZES; i += 4) {
        check(&self, TEST_SPECIALS, test_size(i, i), i);
        check(&self, TEST_FEW_DISTINCT, test_size(i, i), i);
    }
    test_call_destroy(&self);
}

/* F32 by each variant, which meets a value alone and one with its index; F16 and F64 by AUTO. */
Test(reduce, propagates_nans, .timeout = 240)
{
    static const clprim_op ops[] = {CLPRIM_MIN, CLPRIM_ARGMAX, CLPRIM_MAX, CLPRIM_ARGMIN};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < CLPRIM_REDUCE_FIXED_TREE; v++)
        for (size_t k = 0; k < 2; k++)
            check_nans(runtime, (clprim_reduce_desc){.type = CLPRIM_F32,
                                                     .op = ops[v % 2 * 2 + k],
                                                     .variant = (clprim_reduce_variant)(v + 1)});
    for (size_t k = 0; k < 8; k++)
        check_nans(runtime, (clprim_reduce_desc){.type = k < 4 ? CLPRIM_F16 : CLPRIM_F64, .op = ops[k % 4]});
    clprim_runtime_destroy(runtime);
}

Test(reduce, by_auto)
{
    clprim_runtime *runtime = test_runtime(NULL);
    check_desc(runtime, (clprim_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_SUM});
    check_desc(runtime, (clprim_reduce_desc){.type = CLPRIM_U8, .op = CLPRIM_ARGMAX});
    clprim_runtime_destroy(runtime);
}

/* Each type in some wider ones, and each kind of accumulator, by a variant after the other. No products of integers in
 * floats: these overflow, and then depend on the order. */
Test(reduce, accumulator_types)
{
    static const clprim_type sample[][2] = {
        {CLPRIM_I8, CLPRIM_I32},  {CLPRIM_I8, CLPRIM_I64},  {CLPRIM_I8, CLPRIM_F32},  {CLPRIM_U8, CLPRIM_U16},
        {CLPRIM_U8, CLPRIM_I16},  {CLPRIM_U8, CLPRIM_U64},  {CLPRIM_U8, CLPRIM_F16},  {CLPRIM_I16, CLPRIM_I64},
        {CLPRIM_I16, CLPRIM_F64}, {CLPRIM_U16, CLPRIM_I32}, {CLPRIM_U16, CLPRIM_F32}, {CLPRIM_I32, CLPRIM_I64},
        {CLPRIM_I32, CLPRIM_F64}, {CLPRIM_U32, CLPRIM_U64}, {CLPRIM_U32, CLPRIM_I64}, {CLPRIM_F16, CLPRIM_F32},
        {CLPRIM_F16, CLPRIM_F64}, {CLPRIM_F32, CLPRIM_F64}, {CLPRIM_U64, CLPRIM_F32}};
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&num_variants);
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
            check_desc(runtime,
                       (clprim_reduce_desc){.type = (clprim_type)type,
                                            .op = turn % 4 == 3 && !overflows ? CLPRIM_PROD : CLPRIM_SUM,
                                            .accumulator_type = (clprim_type)accumulator,
                                            .variant = (clprim_reduce_variant)variants[turn % num_variants].id});
            turn++;
        }
    clprim_runtime_destroy(runtime);
}

/* Work-groups from one work-item to more than any device has, and few or many elements for each. */
Test(reduce, work_group_sizes_and_items, .timeout = 120)
{
    static const size_t group_sizes[] = {1, 2, 8, 64, 1024, 65536};
    static const size_t items[] = {0, 1, 3, 1024};
    enum { NUM_GROUP_SIZES = sizeof group_sizes / sizeof *group_sizes };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < CLPRIM_REDUCE_FIXED_TREE; v++)
        for (size_t g = 0; g < NUM_GROUP_SIZES; g++) {
            /* U8: most elements in a packet, so that heads and tails are longest; one group size each, but for those
             * variants whose groups are the most involved. */
            const clprim_reduce_desc desc = {.type = CLPRIM_U8,
                                             .variant = (clprim_reduce_variant)(v + 1),
                                             .work_group_size = group_sizes[g],
                                             .items_per_work_item = items[(v + g) % 4]};
            const bool involved = desc.variant == CLPRIM_REDUCE_SINGLE_PASS || desc.variant == CLPRIM_REDUCE_UNROLLED;
            test_call self;
            if ((!involved && !test_is_full() && g != v % NUM_GROUP_SIZES) ||
                !test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
                continue;
            for (size_t i = 0; i < TEST_SIZES; i++)
                check(&self, TEST_RANDOM, test_size(i, g), TEST_SEED + g + i);
            for (size_t count = 4; count < 40; count++)
                check(&self, TEST_RANDOM, count, TEST_SEED + g + count);
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* A reduction of `count` ones and a two at the end, from element 3 on: one value of `size` bytes. */
static void reduce_huge(clprim_runtime *runtime, const clprim_reduce_desc *desc, cl_mem in, size_t size, void *result)
{
    test_call self;
    test_output out = test_output_create(runtime, size, 1);
    cr_assert(test_call_create(&self, runtime, &clprim_reduce_operation, desc));
    const clprim_reduce_call call = {.in = {in, 3}, .count = desc->max_count, .out = {out.buffer, out.slot}};
    ASSERT_OK(clprim_reduce_enqueue(self.plan, NULL, &call, 0, NULL, NULL));
    test_output_read(runtime, &out, result, self.name);
    test_output_destroy(&out);
    test_call_destroy(&self);
}

/* Offsets, counts and indices that 32 bits do not hold. */
Test(reduce, more_than_2_to_the_32_elements)
{
    const size_t count = (UINT64_C(1) << 32) + 17;
    const unsigned char two = 2;
    clprim_runtime *runtime = test_runtime(NULL);
    if (!test_has_room_for_huge(runtime, 1))
        cr_skip_test("the device is no GPU with room for an array of 2^32 bytes");
    cl_mem in = test_buffer(runtime, count + 3);
    test_write_ones(runtime, in, count + 3);
    ASSERT_CL(clEnqueueWriteBuffer(clprim_runtime_queue(runtime), in, CL_TRUE, count + 2, 1, &two, 0, NULL, NULL));
    for (int variant = 1; variant <= CLPRIM_REDUCE_FIXED_TREE; variant++) {
        uint64_t sum = 0;
        clprim_indexed largest = {0};
        clprim_reduce_desc desc = {.type = CLPRIM_U8,
                                   .accumulator_type = CLPRIM_U64,
                                   .max_count = count,
                                   .variant = (clprim_reduce_variant)variant};
        clprim_plan *plan = NULL;
        if (variant == CLPRIM_REDUCE_CPU_CHUNK || /* a few work-items for 2^32 elements: minutes on a GPU */
            clprim_reduce_create(&plan, runtime, &desc) == CLPRIM_UNSUPPORTED)
            continue;
        clprim_plan_destroy(plan);
        reduce_huge(runtime, &desc, in, sizeof sum, &sum);
        cr_assert_eq(sum, count + 1, "variant %d: %llu", variant, (unsigned long long)sum);
        desc.accumulator_type = CLPRIM_TYPE_DEFAULT;
        desc.op = CLPRIM_ARGMAX;
        reduce_huge(runtime, &desc, in, sizeof largest, &largest);
        cr_assert_eq(largest.index, count - 1, "variant %d: %llu", variant, (unsigned long long)largest.index);
    }
    ASSERT_CL(clReleaseMemObject(in));
    clprim_runtime_destroy(runtime);
}
