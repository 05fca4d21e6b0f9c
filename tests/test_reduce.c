/* test_reduce.c: every variant gives the reference's answer, for all types, operators, accumulators, sizes, offsets and
 * data. By default pairwise: every variant meets every type and every operator, and every type every operator; with
 * CLPRIM_TEST_FULL set, everything meets everything. */
#include <clprim/reduce.h>
#include <criterion/criterion.h>
#include <criterion/parameterized.h> /* works only after criterion.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* Around powers of two, where work-groups and tiles end. The 0 at the end stands for a random one. */
static const size_t sizes[] = {0,   1,    2,    3,    17,   255,  256,  257,   511,   512,   513,
                               600, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537, 100000};
static const size_t offsets[] = {0, 1, 3, 7};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, MAX_OFFSET = 7, TAIL = 32, MAX_COUNT = 100000 + 9999 };

/* A plan and what it is fed with. */
typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_reduce_desc desc;
    const char *variant;
    unsigned char *data;  /* as uploaded */
    unsigned char *check; /* as found afterwards */
    cl_mem in;
    test_output out;
} subject;

static const char *variant_name(clprim_reduce_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

/* False where the device cannot run it, and says so. */
static bool subject_create(subject *out, clprim_runtime *runtime, clprim_reduce_desc desc)
{
    subject self = {.runtime = runtime, .desc = desc, .variant = variant_name(desc.variant)};
    const clprim_status status = clprim_reduce_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("skipped: %s", clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s of %s by %s: %s", clprim_op_name(desc.op),
                 clprim_type_name(desc.type), self.variant, clprim_last_error());
    const size_t bytes = (MAX_OFFSET + MAX_COUNT + TAIL) * clprim_type_size(desc.type);
    self.data = malloc(bytes);
    self.check = malloc(bytes);
    cr_assert(self.data != NULL && self.check != NULL);
    self.in = test_buffer(runtime, bytes);
    self.out = test_output_create(runtime, test_result_size(desc.type, desc.op, desc.accumulator_type), 3);
    *out = self;
    return true;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    test_output_destroy(&self->out);
    free(self->data);
    free(self->check);
}

static void judge(const subject *self, const void *in, size_t count, bool is_exact, const void *result,
                  const char *what)
{
    const clprim_type accumulator =
        self->desc.accumulator_type == CLPRIM_TYPE_DEFAULT ? self->desc.type : self->desc.accumulator_type;
    if (test_is_float(accumulator) && test_is_arithmetic(self->desc.op) && !is_exact) {
        double error = 0;
        double bound = 0;
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, self->desc.type, self->desc.op,
                                                self->desc.accumulator_type, in, count, 0, result));
        cr_assert_leq(error, bound, "%s: error %g, bound %g", what, error, bound);
        return;
    }
    unsigned char expected[sizeof(clprim_indexed)];
    ASSERT_OK(clprim_reference_reduce_ordered(expected, self->desc.type, self->desc.op, self->desc.accumulator_type,
                                              self->desc.nan_order, in, count));
    uint64_t words[2][2] = {{0}};
    memcpy(words[0], expected, self->out.size);
    memcpy(words[1], result, self->out.size);
    cr_assert(memcmp(expected, result, self->out.size) == 0, "%s: %llx %llx, not %llx %llx", what,
              (unsigned long long)words[1][0], (unsigned long long)words[1][1], (unsigned long long)words[0][0],
              (unsigned long long)words[0][1]);
}

/* One reduction of data whose surroundings would spoil the result. */
static void check_once(subject *self, test_pattern pattern, size_t count, size_t offset, uint64_t seed)
{
    char what[256];
    const size_t size = clprim_type_size(self->desc.type);
    (void)snprintf(what, sizeof what, "%s of %s in %s by %s: %zu elements (%s, seed %llx) from %zu on",
                   clprim_op_name(self->desc.op), clprim_type_name(self->desc.type),
                   clprim_type_name(self->desc.accumulator_type), self->variant, count, test_pattern_name(pattern),
                   (unsigned long long)seed, offset);
    const size_t bytes = (offset + count + TAIL) * size;
    test_fill_margin(self->data, offset * size);
    test_fill(self->data + offset * size, self->desc.type, self->desc.op, pattern, count, seed);
    test_fill_margin(self->data + (offset + count) * size, TAIL * size);
    test_write(self->runtime, self->in, self->data, bytes);
    test_output_poison(self->runtime, &self->out);

    cl_event done = NULL;
    unsigned char result[sizeof(clprim_indexed)];
    ASSERT_OK(clprim_reduce_enqueue(
        self->plan, NULL,
        &(clprim_reduce_call){.in = {self->in, offset}, .count = count, .out = {self->out.buffer, self->out.slot}}, 0,
        NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    test_output_read(self->runtime, &self->out, result, what);
    judge(self, self->data + offset * size, count, pattern == TEST_EXACT && test_is_float(self->desc.type), result,
          what);
    test_read(self->runtime, self->check, self->in, bytes);
    cr_assert(memcmp(self->check, self->data, bytes) == 0, "%s: the input was written to", what);
}

/* All sizes, with offsets and patterns in turn; then all patterns at sizes with one and with many work-groups. */
static void check_all(subject *self, uint64_t seed)
{
    size_t turn = (size_t)seed;
    uint64_t random = seed;
    for (size_t i = 0; i < NUM_SIZES; i++, turn++) {
        const size_t count = sizes[i] == 100000 ? sizes[i] - 9999 + test_random_below(&random, 19999) : sizes[i];
        check_once(self, TEST_EXACT, count, offsets[turn % 4], seed + i);
        if (count > 1)
            check_once(self, (test_pattern)(1 + turn % (TEST_PATTERN_END - 1)), count, offsets[(turn / 4) % 4],
                       seed + i);
    }
    for (int pattern = TEST_RANDOM; pattern < TEST_PATTERN_END; pattern++) {
        check_once(self, (test_pattern)pattern, 613, offsets[turn++ % 4], seed + (uint64_t)pattern);
        check_once(self, (test_pattern)pattern, 33333, offsets[turn++ % 4], seed + (uint64_t)pattern);
    }
}

static void check_desc(clprim_runtime *runtime, clprim_reduce_desc desc)
{
    subject self;
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.op * 8 + (uint64_t)desc.variant;
    if (!test_is_supported(runtime, desc.type, desc.op, desc.accumulator_type) || !subject_create(&self, runtime, desc))
        return;
    if (desc.variant != CLPRIM_REDUCE_AUTO)
        cr_assert_eq((int)clprim_plan_variant(self.plan)->id, (int)desc.variant);
    check_all(&self, seed);
    subject_destroy(&self);
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

static size_t *all_variants(size_t *count)
{
    static size_t places[64];
    (void)clprim_reduce_operation.variants(count);
    for (size_t i = 0; i < *count; i++)
        places[i] = i;
    return places;
}

ParameterizedTestParameters(reduce, variant)
{
    size_t count = 0;
    size_t *places = all_variants(&count);
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
    subject self;
    desc.nan_order = CLPRIM_NAN_LAST;
    if (!subject_create(&self, runtime, desc))
        return;
    for (uint64_t seed = 0; seed < 16; seed++)
        check_once(&self, TEST_ONE_SPECIAL, 613, offsets[seed % 4], seed);
    for (size_t i = 0; i < NUM_SIZES; i += 4) {
        check_once(&self, TEST_SPECIALS, sizes[i], offsets[i % 4], i);
        check_once(&self, TEST_FEW_DISTINCT, sizes[i], offsets[i % 4], i);
    }
    subject_destroy(&self);
}

/* F32 by each variant, which meets a value alone and one with its index; F16 and F64 by AUTO. */
Test(reduce, propagates_nans, .timeout = 240)
{
    static const clprim_op ops[] = {CLPRIM_MIN, CLPRIM_ARGMAX, CLPRIM_MAX, CLPRIM_ARGMIN};
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < num_variants; v++)
        for (size_t k = 0; k < 2; k++)
            check_nans(runtime, (clprim_reduce_desc){.type = CLPRIM_F32,
                                                     .op = ops[v % 2 * 2 + k],
                                                     .variant = (clprim_reduce_variant)variants[v].id});
    for (size_t k = 0; k < 8; k++)
        check_nans(runtime, (clprim_reduce_desc){.type = k < 4 ? CLPRIM_F16 : CLPRIM_F64, .op = ops[k % 4]});
    clprim_runtime_destroy(runtime);
}

/* AUTO, and a description left out altogether. */
Test(reduce, defaults)
{
    clprim_runtime *runtime = test_runtime(NULL);
    check_desc(runtime, (clprim_reduce_desc){.type = CLPRIM_F32, .op = CLPRIM_SUM});
    check_desc(runtime, (clprim_reduce_desc){.type = CLPRIM_U8, .op = CLPRIM_ARGMAX});
    static int32_t in[] = {1, -2, 30, 400};
    int32_t result = 0;
    ASSERT_OK(clprim_reduce_run(runtime, NULL,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 4, .out = {.host = &result}}));
    cr_assert_eq(result, 429, "a NULL description is the sum of I32");
    const clprim_reduce_desc zeroed = {0};
    ASSERT_OK(clprim_reduce_run(runtime, &zeroed,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &result}}));
    cr_assert_eq(result, 29, "a zeroed description is the sum of I32");
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_reduce_create(&plan, runtime, NULL));
    cr_assert_neq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_REDUCE_AUTO);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

Test(reduce, variants_describe_themselves)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    cr_assert_eq(count, CLPRIM_REDUCE_FIXED_TREE, "as many as there are enumerators but AUTO");
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(variants[i].id, (int)i + 1, "in the order of the ladder");
        cr_assert(strlen(variants[i].name) > 0 && strlen(variants[i].summary) > 0 && strlen(variants[i].origin) > 0);
        cr_assert_not_null(variants[i].needs);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(variants[i].name, variants[j].name);
    }
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
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < num_variants; v++)
        for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
            /* U8: most elements in a packet, so that heads and tails are longest; one group size each, but for those
             * variants whose groups are the most involved. */
            const int id = variants[v].id;
            const bool involved = id == CLPRIM_REDUCE_SINGLE_PASS || id == CLPRIM_REDUCE_UNROLLED;
            if (!involved && !test_is_full() && g != v % (sizeof group_sizes / sizeof *group_sizes))
                continue;
            subject self;
            const clprim_reduce_desc desc = {.type = CLPRIM_U8,
                                             .op = CLPRIM_SUM,
                                             .variant = (clprim_reduce_variant)id,
                                             .work_group_size = group_sizes[g],
                                             .items_per_work_item = items[(v + g) % 4]};
            if (!subject_create(&self, runtime, desc))
                continue;
            for (size_t i = 0; i < NUM_SIZES; i++)
                check_once(&self, TEST_RANDOM, sizes[i], offsets[(i + g) % 4], TEST_SEED + g);
            for (size_t count = 4; count < 40; count++)
                check_once(&self, TEST_RANDOM, count, offsets[count % 4], TEST_SEED + g);
            subject_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* From the host: clEnqueueFillBuffer takes no sizes of 2^31 bytes on NVIDIA's driver 580, it does not come back. */
static void fill_with_ones_but_the_last(cl_command_queue queue, cl_mem buffer, size_t size)
{
    enum { PART = 1 << 26 };
    const unsigned char two = 2;
    unsigned char *ones = malloc(PART);
    cr_assert_not_null(ones);
    memset(ones, 1, PART);
    for (size_t at = 0; at < size; at += PART)
        ASSERT_CL(
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, at, size - at < PART ? size - at : PART, ones, 0, NULL, NULL));
    ASSERT_CL(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, size - 1, 1, &two, 0, NULL, NULL));
    free(ones);
}

/* Offsets, counts and indices that 32 bits do not hold. */
Test(reduce, more_than_2_to_the_32_elements)
{
    const size_t count = (UINT64_C(1) << 32) + 17;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    if (info->kind != CLPRIM_DEVICE_GPU || info->max_allocation_size < count + 64 ||
        info->global_memory_size / 2 < count + 64)
        cr_skip_test("%s is no GPU with room for an array of 2^32 bytes", info->name);
    cl_command_queue queue = clprim_runtime_queue(runtime);
    cl_mem in = test_buffer(runtime, count + 3);
    test_output sum = test_output_create(runtime, sizeof(uint64_t), 1);
    test_output place = test_output_create(runtime, sizeof(clprim_indexed), 1);
    fill_with_ones_but_the_last(queue, in, count + 3);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&num_variants);
    for (size_t v = 0; v < num_variants; v++) {
        if (variants[v].id == CLPRIM_REDUCE_CPU_CHUNK) /* a few work-items for 2^32 elements: minutes on a GPU */
            continue;
        uint64_t total = 0;
        clprim_indexed largest;
        clprim_plan *plan = NULL;
        clprim_reduce_desc desc = {.type = CLPRIM_U8,
                                   .accumulator_type = CLPRIM_U64,
                                   .max_count = count,
                                   .variant = (clprim_reduce_variant)variants[v].id};
        if (clprim_reduce_create(&plan, runtime, &desc) == CLPRIM_UNSUPPORTED)
            continue;
        ASSERT_OK(clprim_reduce_enqueue(
            plan, NULL, &(clprim_reduce_call){.in = {in, 3}, .count = count, .out = {sum.buffer, sum.slot}}, 0, NULL,
            NULL));
        test_output_read(runtime, &sum, &total, variants[v].name);
        cr_assert_eq(total, count + 1, "sum by %s: %llu", variants[v].name, (unsigned long long)total);
        clprim_plan_destroy(plan);
        desc =
            (clprim_reduce_desc){.type = CLPRIM_U8, .op = CLPRIM_ARGMAX, .max_count = count, .variant = desc.variant};
        ASSERT_OK(clprim_reduce_create(&plan, runtime, &desc));
        ASSERT_OK(clprim_reduce_enqueue(
            plan, NULL, &(clprim_reduce_call){.in = {in, 3}, .count = count, .out = {place.buffer, place.slot}}, 0,
            NULL, NULL));
        test_output_read(runtime, &place, &largest, variants[v].name);
        cr_assert_eq(largest.index, count - 1, "argmax by %s: %llu", variants[v].name,
                     (unsigned long long)largest.index);
        clprim_plan_destroy(plan);
    }
    test_output_destroy(&sum);
    test_output_destroy(&place);
    ASSERT_CL(clReleaseMemObject(in));
    clprim_runtime_destroy(runtime);
}
