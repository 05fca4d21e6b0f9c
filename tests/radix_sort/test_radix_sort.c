// SPDX-License-Identifier: MIT
/* test_radix_sort.c: every variant agrees with the reference, for all types of keys, values of all sizes, indices, both
 * directions, ranges of bits, sizes, offsets and kinds of keys, in place and not. By default pairwise: each variant
 * with each type, and all pairs of everything else; for pairs of types with values, bits and groups, only the types'
 * sizes and classes count. With CLPRIM_TEST_FULL set, every variant with every type and all kinds of values. */
#include "ordered.h"
#include "slots.h"
#include "unoptimized.h"

/* Around powers of two, where sub-groups, work-groups and tiles end. */
static const size_t sizes[] = {0,    1,    2,    3,    31,   32,   33,   255,  256,   257,   1023,
                               1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 16383, 16384, 16385};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes };
#define VARIANTS ((size_t)test_last_variant(&clprim_radix_sort_operation) + 1) /* with AUTO */

/* Whether the header promises that the device can run it. */
static bool must_work(const clprim_radix_sort_desc *desc, const clprim_device_info *info)
{
    const size_t size = clprim_type_size(desc->key_type) + (!desc->argsort                   ? desc->value_size
                                                            : desc->index_type == CLPRIM_U64 ? 8
                                                                                             : 4);
    const bool is_long = desc->max_count > UINT32_MAX;
    switch (desc->variant) {
    case CLPRIM_RADIX_SORT_ONESWEEP: return !is_long;
    case CLPRIM_RADIX_SORT_SINGLE_GROUP:
        return desc->max_count != 0 && desc->max_count <= info->local_memory_size / (4 * size) &&
               desc->max_count <= 16 * info->max_work_group_size;
    case CLPRIM_RADIX_SORT_AUTO: return true;
    case CLPRIM_RADIX_SORT_NATIVE: return info->has_native_kernels && desc->key_type != CLPRIM_U128 && !is_long;
    default: return !is_long;
    }
}

static bool create(test_call *self, clprim_runtime *runtime, const clprim_radix_sort_desc *desc)
{
    return test_call_must(self, runtime, &clprim_radix_sort_operation, desc,
                          must_work(desc, clprim_runtime_info(runtime)));
}

/* Bit 0 of `replaced`: keys are sorted in place; bit 1: values are. */
static void check(test_call *self, size_t count, test_data data, uint64_t replaced, uint64_t seed)
{
    self->replaced = replaced;
    test_call_fill_data(self, &(clprim_radix_sort_call){.count = count}, data, seed);
    test_call_check(self, "%s", test_data_name(data));
}

/* All kinds of keys at one size, in place and not; if keys differ in only one byte, each byte: the number of digits
 * that differ determines where keys are between passes. */
static void check_data(test_call *self, size_t count, uint64_t seed)
{
    const clprim_radix_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t size = clprim_type_size(desc->key_type);
    uint64_t turn = seed;
    for (int data = 0; data < TEST_DATA_END; data++)
        for (size_t byte = 0; byte < (data == TEST_DATA_ONE_BYTE ? size : 1); byte++)
            for (uint64_t replaced = 0; replaced < (desc->value_size > 0 ? 4 : 2); replaced++)
                check(self, count, data, replaced, turn++ * 8 + byte); /* 8 is a multiple of every size, so the seed
                                                                        * modulo the size is the byte */
}

/* For the other order of NaNs, mostly special keys. */
static void check_all(test_call *self, size_t max_count, uint64_t seed)
{
    const bool is_special = ((const clprim_radix_sort_desc *)(void *)self->desc.bytes)->nan_order == CLPRIM_NAN_LAST;
    uint64_t turn = seed * 1000;
    for (size_t i = 0; i < NUM_SIZES; i++, turn++)
        if (sizes[i] <= max_count)
            check(self, sizes[i], is_special ? TEST_DATA_SPECIALS : turn % TEST_DATA_END, turn / 3 % 4, turn);
    check_data(self, TEST_SORT_SOME < max_count ? TEST_SORT_SOME : max_count, turn);
    for (size_t count = TEST_SORT_LARGE; count <= max_count; count += TEST_SORT_VERY_LARGE - TEST_SORT_LARGE)
        check(self, count, turn % TEST_DATA_END, turn % 4, turn);
}

static bool check_plan(clprim_runtime *runtime, const clprim_radix_sort_desc *desc, size_t max_count, uint64_t seed)
{
    test_call self;
    if (!create(&self, runtime, desc))
        return false;
    check_all(&self, max_count, seed);
    test_call_destroy(&self);
    return true;
}

/* The parameters of plans. All pairs are tested, except that for pairs of a type with values, bits and groups, only its
 * size and class count, of which there are fewer. Every second level of bits means all bits. */
enum { VARIANT, TYPE, VALUES, BITS, DIRECTION, GROUP, KEY_SIZE, KEY_CLASS };
enum { TYPES = CLPRIM_TYPE_END - 1, ALL_VALUES = 8 };

static bool is_paired(size_t a, size_t b)
{
    return a != TYPE || b < VALUES || b == DIRECTION;
}

static void set_facts(size_t *at)
{
    static const size_t facts[TYPES][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1},
                                           {3, 0}, {3, 1}, {1, 2}, {2, 2}, {3, 2}};
    at[KEY_SIZE] = facts[at[TYPE]][0];
    at[KEY_CLASS] = facts[at[TYPE]][1];
}

static clprim_radix_sort_desc desc_of(clprim_radix_sort_variant variant, const size_t *at)
{
    static const size_t value_sizes[ALL_VALUES] = {0,  1, 2, 4, 8,
                                                   16, 0, 0}; /* the last two are indices, made by the
                                                                              * sort */
    static const size_t group_sizes[] = {0, 1, 2, 32, 256, 1024};
    const clprim_type type = (clprim_type)(at[TYPE] + 1);
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const unsigned ranges[][2] = {{0, bits}, {0, 5}, {0, bits}, {3, bits - 2}, {0, bits}, {bits - 1, bits + 9}};
    const bool bit_range = at[BITS] % 2 == 1 || at[DIRECTION] == 1;
    return (clprim_radix_sort_desc){.key_type = type,
                                    .value_size = value_sizes[at[VALUES]],
                                    .argsort = at[VALUES] >= 6,
                                    .index_type = at[VALUES] == 7 ? CLPRIM_U64 : CLPRIM_U32,
                                    .descending = at[DIRECTION] == 1,
                                    .bit_range = bit_range,
                                    .begin_bit = bit_range ? ranges[at[BITS]][0] : 0,
                                    .end_bit = bit_range ? ranges[at[BITS]][1] : 0,
                                    .variant = variant,
                                    .work_group_size = group_sizes[at[GROUP]]};
}

/* max_count determines tiles and the width of counts. SINGLE_GROUP must be given one, and may have room for fewer
 * elements than the test first asks for. */
static void check_case(clprim_runtime *runtime, clprim_radix_sort_variant variant, const size_t *at, size_t seed)
{
    clprim_radix_sort_desc desc = desc_of(variant, at);
    size_t max_count = test_is_full() ? TEST_SORT_VERY_LARGE : TEST_SORT_LARGE;
    desc.max_count = seed % 3 == 0 ? 0 : seed % 3 == 1 ? max_count : (size_t)1 << 21;
    if (variant == CLPRIM_RADIX_SORT_SINGLE_GROUP)
        desc.max_count = max_count = seed % 2 == 0 ? 4096 : 1024;
    if (check_plan(runtime, &desc, max_count, seed) || desc.max_count <= 1024)
        return;
    desc.max_count = 1024;
    (void)check_plan(runtime, &desc, desc.max_count, seed);
}

/* Each variant with its cases of the sample, or with all types and values, with bits, directions and groups in turn.
 * AUTO has the cases of the variant that it is likely to choose, so that programs are used twice. */
TEST_EACH_WITH_RUNTIME(radix_sort, variant, VARIANTS)
{
    const size_t levels[] = {VARIANTS - 1, TYPES, ALL_VALUES, 6, 2, 6, 1, 1, 0};
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const int usual = is_cpu ? CLPRIM_RADIX_SORT_CPU_BUCKETS : CLPRIM_RADIX_SORT_ONESWEEP;
    const test_case *cases = NULL;
    const size_t count = test_sample_pairs(&cases, number == 0 ? usual : (int)number, levels, set_facts, is_paired);
    for (size_t i = 0; i < count; i++)
        check_case(runtime, (clprim_radix_sort_variant)number, cases[i], i);
    for (size_t i = 0; i < TYPES * ALL_VALUES && test_is_full(); i++) {
        const size_t turn = i / TYPES + i % TYPES + number;
        check_case(runtime, (clprim_radix_sort_variant)number,
                   (test_case){number, i % TYPES, i / TYPES, turn % 6, turn / 6 % 2, turn % 11 % 6}, i);
    }
}

/* Buckets of equal size, and all elements in one or two of them. */
TEST_WITH_RUNTIME(radix_sort, keys_of_all_kinds_in_buckets)
{
    const clprim_radix_sort_desc desc = {
        .key_type = CLPRIM_F32, .argsort = true, .variant = CLPRIM_RADIX_SORT_CPU_BUCKETS, .descending = true};
    TEST_WITH_CALL(self, create(&self, runtime, &desc))
        check_data(&self, TEST_SORT_LARGE - 1, 0);
}

/* Random keys, a quarter of which are close together, and a quarter in groups of about ten: upper bits distinguish most
 * of them, but not all. One bucket, several, and so many elements that they are written by lines. */
TEST_WITH_RUNTIME(radix_sort, keys_that_agree_in_upper_bits)
{
    enum { MOST = (1 << 18) + 99 };
    static const size_t counts[] = {3000, 40000, MOST};
    static const clprim_radix_sort_desc descs[] = {{.key_type = CLPRIM_U64},
                                                   {.key_type = CLPRIM_I64, .argsort = true, .descending = true},
                                                   {.key_type = CLPRIM_F64, .value_size = 1},
                                                   {.key_type = CLPRIM_U64, .value_size = 16}};
    static uint64_t keys[MOST];
    static uint64_t values[MOST][2]; /* also for smaller values, which are the first bytes */
    for (size_t i = 0; i < MOST; i++)
        values[i][0] = values[i][1] = i * UINT64_C(0x0123456789abcdef);
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        clprim_radix_sort_desc desc = descs[d];
        desc.variant = CLPRIM_RADIX_SORT_CPU_BUCKETS;
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                uint64_t state = TEST_SEED + d;
                for (size_t i = 0; i < counts[c]; i++) {
                    const uint64_t random = test_random(&state);
                    const uint64_t base = i % 4 == 0 ? UINT64_C(5) << 60 : i / 40 * UINT64_C(0x3ffbfdfefffefdfb);
                    keys[i] = i % 4 > 1 ? random : base + random % 1000;
                }
                const clprim_radix_sort_call call = {.keys_in = {.host = keys},
                                                     .values_in = {.host = desc.value_size > 0 ? values : NULL},
                                                     .count = counts[c]};
                test_call_fill(&self, &call, d);
                test_call_check(&self, "%zu keys", counts[c]);
            }
    }
}

/* Keys without values are sorted in vectors where they are in short runs after a pass: here of 1 to 20 that are close
 * together, and one that is long. As many as fill blocks of vectors, or nearly; in one bucket, and in several. */
TEST_WITH_RUNTIME(radix_sort, keys_in_short_runs)
{
    enum { MOST = (1 << 16) + 77 };
    static const size_t counts[] = {63, 64, 255, 256, 257, 520, 4096, 33000, MOST};
    static const clprim_radix_sort_desc descs[] = {{.key_type = CLPRIM_U32},
                                                   {.key_type = CLPRIM_I32, .descending = true},
                                                   {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
                                                   {.key_type = CLPRIM_I64},
                                                   {.key_type = CLPRIM_F64, .descending = true}};
    static uint64_t keys[MOST];
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        clprim_radix_sort_desc desc = descs[d];
        const bool is_wide = clprim_type_size(desc.key_type) == sizeof *keys;
        desc.variant = CLPRIM_RADIX_SORT_CPU_BUCKETS;
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                uint64_t state = TEST_SEED + d;
                uint64_t base = 0;
                for (size_t i = 0, left = 0; i < counts[c]; i++, left--) {
                    const uint64_t random = test_random(&state);
                    if (left == 0) {
                        left = i == counts[c] / 2 ? 70 : 1 + random % (c % 2 == 0 ? 20 : 4);
                        base = test_random(&state);
                    }
                    if (is_wide)
                        keys[i] = base + random % 64;
                    else
                        ((uint32_t *)keys)[i] = (uint32_t)((base >> 32) + random % 64);
                }
                test_call_fill(&self, &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = counts[c]}, d);
                test_call_check(&self, "%zu keys", counts[c]);
            }
    }
}

/* Keys of one byte without values are counted and written, not moved: in one launch or two, with runs that begin and
 * end within a packet. Small groups move them like other keys. */
TEST_WITH_RUNTIME(radix_sort, keys_of_one_byte)
{
    static const clprim_radix_sort_variant variants[] = {CLPRIM_RADIX_SORT_AUTO, CLPRIM_RADIX_SORT_ONESWEEP,
                                                         CLPRIM_RADIX_SORT_CPU_BUCKETS};
    for (uint64_t turn = 0; turn < (test_is_full() ? 48 : 12); turn++) {
        const clprim_radix_sort_desc desc = {.key_type = turn % 2 == 0 ? CLPRIM_I8 : CLPRIM_U8,
                                             .variant = variants[turn % 3],
                                             .descending = turn / 2 % 2 == 1,
                                             .max_count = turn % 5 == 4 ? (size_t)1 << 21 : 0,
                                             .work_group_size = turn / 6 == 1    ? 256
                                                                : turn / 12 == 2 ? 64
                                                                                 : 0};
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            check_all(&self, TEST_SORT_VERY_LARGE, turn);
    }
}

/* Without sub-groups, groups of 256 sort keys without values by the two halves of each digit, of which the last one may
 * lack the second half; and rank pairs by masks. */
TEST_WITH_RUNTIME(radix_sort, in_groups_of_256)
{
    static const clprim_radix_sort_desc descs[] = {
        {.key_type = CLPRIM_U32},
        {.key_type = CLPRIM_I64, .descending = true, .bit_range = true, .begin_bit = 5, .end_bit = 16},
        {.key_type = CLPRIM_U32, .value_size = 4}};
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        clprim_radix_sort_desc desc = descs[i];
        desc.variant = CLPRIM_RADIX_SORT_ONESWEEP;
        desc.work_group_size = 256;
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            check_all(&self, TEST_SORT_LARGE, i);
    }
}

/* Scratch memory has room for a copy of keys and values, plus at most a quarter, and a constant that is needed for any
 * number of elements. */
static void check_scratch(const test_call *self)
{
    const clprim_radix_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t count = (size_t)1 << 26;
    size_t bytes = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_radix_sort_call){.count = count}));
    cr_assert_leq(bytes, count * (clprim_type_size(desc->key_type) + desc->value_size) / 4 * 5 + (1 << 20),
                  "%s: %zu bytes", self->name, bytes);
}

/* If no bit matters, a sort is a stable copy. With a max_count of 2^33, elements are counted in 64 bits. NaNs of both
 * signs come after all numbers, or if descending before them: F32 and BF16 with each variant, F16 and F64 with AUTO,
 * also for a range of bits, which then counts the bits of this order's images. */
static const clprim_radix_sort_desc specials[] = {
    {.key_type = CLPRIM_U32, .bit_range = true},
    {.key_type = CLPRIM_I16, .bit_range = true, .value_size = 4, .begin_bit = 5, .end_bit = 5},
    {.key_type = CLPRIM_F64, .bit_range = true, .argsort = true, .descending = true, .begin_bit = 64, .end_bit = 70},
    {.key_type = CLPRIM_U16, .argsort = true, .index_type = CLPRIM_U64, .max_count = (size_t)1 << 33},
    {.key_type = CLPRIM_BF16, .value_size = 2},
    {.key_type = CLPRIM_BF16, .nan_order = CLPRIM_NAN_LAST, .argsort = true, .descending = true},
    {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
    {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST, .value_size = 2, .descending = true},
    {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST, .argsort = true},
    {.key_type = CLPRIM_F16,
     .argsort = true,
     .index_type = CLPRIM_U32,
     .descending = true,
     .nan_order = CLPRIM_NAN_LAST,
     .bit_range = true,
     .begin_bit = 3,
     .end_bit = 13}};

enum { NUM_SPECIALS = sizeof specials / sizeof *specials, WITHOUT_BITS = 3, BY_AUTO = 3 };

TEST_EACH_WITH_RUNTIME(radix_sort, special_plans, VARIANTS)
{
    for (size_t i = 0; i < (number == 0 ? NUM_SPECIALS : NUM_SPECIALS - BY_AUTO); i++) {
        clprim_radix_sort_desc desc = specials[i];
        const bool is_single = number == CLPRIM_RADIX_SORT_SINGLE_GROUP && desc.max_count == 0;
        desc.variant = (clprim_radix_sort_variant)number;
        desc.max_count = is_single ? 1024 : desc.max_count;
        if (desc.key_type == CLPRIM_F32) {
            desc.value_size = number % 3 * 4;
            desc.descending = number % 2 == 0;
        }
        TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
            if (desc.nan_order == CLPRIM_NAN_LAST && desc.max_count == 0 && !desc.argsort &&
                number != CLPRIM_RADIX_SORT_NATIVE) /* which has words of its own for keys with values */
                check_scratch(&self);
            check_all(&self, is_single ? 1024 : i < WITHOUT_BITS ? TEST_SORT_LARGE : TEST_SORT_SOME, number + i);
        }
    }
}

/* If sub-groups rank keys by an order that no specification guarantees, the result must be right even if the order does
 * not hold. */
Test(radix_sort, ranks_in_no_order)
{
    static const test_mistake mistakes[] = {
        TEST_RANKS_IN_TILE,
        TEST_RANKS_IN_PASSES,
        {"radix_sort/parts/checked.cl", /* all lanes take part in ballots */
         "        if (digit != digit_a && digit != digit_b)\n            place = tile_place(table, images[j], "
         "shift);\n",
         "        const uint other = tile_place(table, images[j], shift);\n"
         "        if (digit != digit_a && digit != digit_b)\n            place = other;\n"}};
    char directory[TEST_PATH_SIZE];
    if (getenv("CLPRIM_TEST_NATIVE") != NULL)
        cr_skip_test("it is about kernels");
    test_kernels_with(directory, mistakes, sizeof mistakes / sizeof *mistakes);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < 4; i++) {
        const bool is_single = i >= 2;
        const clprim_radix_sort_desc desc = {.key_type = is_single ? CLPRIM_F32 : CLPRIM_I64,
                                             .value_size = i % 2 * 2,
                                             .variant = is_single ? CLPRIM_RADIX_SORT_SINGLE_GROUP : 0,
                                             .max_count = is_single ? 1000 : 0};
        cr_assert(check_plan(runtime, &desc, is_single ? 1000 : TEST_SORT_LARGE, TEST_SEED) || test_is_sample());
    }
    clprim_runtime_destroy(runtime);
    test_kernels_end(directory);
}

static void refuse_build(cl_program program)
{
    (void)program;
    cr_assert_fail("a sort of keys alone compiles something");
}

/* AUTO sorts keys alone by the host's code, also where they are many and in buffers, but not with limited memory. */
TEST_WITH_RUNTIME(radix_sort, keys_alone_need_no_compiler)
{
    const clprim_radix_sort_desc desc = {.key_type = CLPRIM_F64};
    clprim_plan *plan = NULL;
    if (!clprim_runtime_info(runtime)->has_native_kernels)
        cr_skip_test("the device cannot run functions of the host");
    test_before_build = refuse_build;
    check_plan(runtime, &desc, TEST_SORT_LARGE, TEST_SEED);
    test_before_build = NULL;
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = (size_t)1 << 30}));
    ASSERT_OK(clprim_radix_sort_create(&plan, runtime, &desc));
    cr_assert_neq(clprim_plan_variant(plan)->id, (int)CLPRIM_RADIX_SORT_NATIVE);
    clprim_plan_destroy(plan);
}

/* More keys than an int can count; only on fast devices with much memory. */
TEST_WITH_RUNTIME(radix_sort, more_than_2_to_the_31_keys)
{
    const size_t count = ((size_t)1 << 31) + 5;
    if (!test_take_huge(clprim_runtime_info(runtime), count))
        cr_skip_test("the device is no GPU with room for so many keys");
    signed char *keys = test_allocate(count + sizeof(uint64_t));
    size_t left[256] = {0};
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < count; i += sizeof random) {
        const uint64_t eight = test_random(&random);
        memcpy(keys + i, &eight, sizeof eight);
    }
    for (size_t i = 0; i < count; i++)
        left[keys[i] + 128]++;
    ASSERT_OK(clprim_radix_sort_run(
        runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_I8, .max_count = count},
        &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = count, .keys_out = {.host = keys}}));
    for (size_t i = 0; i < count; i++)
        if (left[keys[i] + 128]-- == 0 || (i > 0 && keys[i - 1] > keys[i]))
            cr_assert(false, "key %zu is %d, behind %d", i, keys[i], i > 0 ? keys[i - 1] : -128);
    free(keys);
}

/* A variant that does not support a description says why. */
Test(radix_sort, unsupported)
{
#define UNSUPPORTED(named, by, ...) TEST_UNSUPPORTED(radix_sort, named, .variant = CLPRIM_RADIX_SORT_##by, __VA_ARGS__)
    TEST_REFUSE_EACH(radix_sort, UNSUPPORTED("max_count", SINGLE_GROUP, .max_count = 0),
                     UNSUPPORTED("max_count", SINGLE_GROUP, .max_count = 1 << 24),
                     UNSUPPORTED("", ONESWEEP, .max_count = (size_t)1 << 33));
}
