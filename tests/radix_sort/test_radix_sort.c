/* test_radix_sort.c: every variant sorts as the reference does, for all types of keys, values of all sizes, indices,
 * both directions, ranges of bits, sizes, offsets and kinds of keys, in place and not. By default pairwise: each
 * variant meets each type, and of all else each two meet; of types, with values, bits and groups, their sizes and
 * classes do. With CLPRIM_TEST_FULL set, every variant meets every type with all kinds of values. */
#include <stdio.h>

#include "ordered.h"

/* Around powers of two, where sub-groups, work-groups and tiles end. */
static const size_t sizes[] = {0,    1,    2,    3,    31,   32,   33,   255,  256,   257,   1023,
                               1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 16383, 16384, 16385};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 5003,
    LARGE = 100003,
    VERY_LARGE = (1 << 20) + 7,
    VARIANTS = CLPRIM_RADIX_SORT_CPU_BUCKETS + 1
};

static bool must_work(const clprim_radix_sort_desc *desc, const clprim_device_info *info)
{
    const size_t size = clprim_type_size(desc->key_type) + (!desc->argsort                   ? desc->value_size
                                                            : desc->index_type == CLPRIM_U64 ? 8
                                                                                             : 4);
    const bool is_long = desc->max_count > UINT32_MAX;
    switch (desc->variant) {
    case CLPRIM_RADIX_SORT_ONESWEEP:
        return info->has_int64_atomics && info->has_device_fence && info->has_forward_progress && !is_long;
    case CLPRIM_RADIX_SORT_SINGLE_GROUP:
        return desc->max_count != 0 && desc->max_count <= info->local_memory_size / (4 * size) &&
               desc->max_count <= 16 * info->max_work_group_size;
    case CLPRIM_RADIX_SORT_AUTO: return true;
    default: return !is_long;
    }
}

/* False where the device cannot run it; where the header promises that it can, that is an error. */
static bool create(test_call *self, clprim_runtime *runtime, const clprim_radix_sort_desc *desc)
{
    const bool is_made = test_call_create(self, runtime, &clprim_radix_sort_operation, desc);
    cr_assert(is_made || !must_work(desc, clprim_runtime_info(runtime)), "%s", clprim_last_error());
    return is_made;
}

/* Of replaced, bit 0 says that keys are sorted in place, bit 1 that values are. */
static void check(test_call *self, size_t count, test_data data, uint64_t replaced, uint64_t seed)
{
    self->replaced = replaced;
    test_call_fill_data(self, &(clprim_radix_sort_call){.count = count}, data, seed);
    test_call_check(self, "%s", test_data_name(data));
}

/* At one size all kinds of keys, of those that differ in one byte each byte, in place and not: how many digits differ
 * decides on where keys are between the passes. */
static void check_data(test_call *self, size_t count, uint64_t seed)
{
    const clprim_radix_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t size = clprim_type_size(desc->key_type);
    uint64_t turn = seed;
    for (int data = 0; data < TEST_DATA_END; data++)
        for (size_t byte = 0; byte < (data == TEST_DATA_ONE_BYTE ? size : 1); byte++)
            for (uint64_t replaced = 0; replaced < (desc->value_size > 0 ? 4 : 2); replaced++)
                check(self, count, data, replaced, turn++ * 8 + byte); /* 8: of sizes a multiple */
}

/* Of the other order of NaNs mostly special keys. */
static void check_all(test_call *self, size_t max_count, uint64_t seed)
{
    const bool is_special = ((const clprim_radix_sort_desc *)(void *)self->desc.bytes)->nan_order == CLPRIM_NAN_LAST;
    uint64_t turn = seed * 1000;
    for (size_t i = 0; i < NUM_SIZES; i++, turn++)
        if (sizes[i] <= max_count)
            check(self, sizes[i], is_special ? TEST_DATA_SPECIALS : turn % TEST_DATA_END, turn / 3 % 4, turn);
    check_data(self, SOME < max_count ? SOME : max_count, turn);
    for (size_t count = LARGE; count <= max_count; count += VERY_LARGE - LARGE)
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

/* What plans differ in. A type stands for three: of its size and class there are fewer, so that they can meet all. */
enum { VARIANT, TYPE, KEY_SIZE, KEY_CLASS, VALUES, BITS, DIRECTION, GROUP, FACTORS };
enum {
    TYPES = CLPRIM_TYPE_END - 1,
    NUM_ROWS = (VARIANTS - 1) * TYPES, /* AUTO has none of its own */
    CHOICES = 8 * 4 * 2 * 6,           /* of values, bits, directions and groups */
    STRIDE = 29                        /* found by trying: with it all pairs meet, and most rows have all bits */
};

static const size_t ways[FACTORS] = {VARIANTS - 1, TYPES, 4, 3, 8, 4, 2, 6};

typedef struct row {
    size_t way[FACTORS];
} row;

/* One row for each variant and type, and which ways met in them. */
static struct {
    row rows[NUM_ROWS];
    bool met[FACTORS][FACTORS][TYPES][TYPES];
} sample;

/* Variants count from SPLIT on, types from I8. */
static row row_of(size_t variant, size_t type, size_t choice)
{
    static const size_t facts[TYPES][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1},
                                           {3, 0}, {3, 1}, {1, 2}, {2, 2}, {3, 2}};
    return (row){
        {variant, type, facts[type][0], facts[type][1], choice % 8, choice / 8 % 4, choice / 32 % 2, choice / 64 % 6}};
}

/* Must these two factors meet in all their ways? */
static bool is_paired(int a, int b)
{
    return a < b && b >= VALUES && (a != TYPE || b == DIRECTION);
}

/* The pairs that are new in the row, which meet now or not yet. */
static size_t count_new(const row *r, bool meet)
{
    size_t count = 0;
    for (int a = 0; a < FACTORS; a++)
        for (int b = VALUES; b < FACTORS; b++) {
            bool *met = &sample.met[a][b][r->way[a]][r->way[b]];
            count += is_paired(a, b) && !*met;
            *met = *met || meet;
        }
    return count;
}

/* Row after row the one with most new pairs; with as many, one that sorts by all bits is worth more. Where the choices
 * begin moves on, lest the first be taken too often. */
static void make_sample(void)
{
    for (size_t n = 0; n < NUM_ROWS; n++) {
        size_t best = 0;
        for (size_t i = 0; i < CHOICES; i++) {
            const row r = row_of(n % ways[VARIANT], n / ways[VARIANT], (n * STRIDE + i) % CHOICES);
            const size_t worth = count_new(&r, false) + (r.way[BITS] == 0);
            if (worth > best)
                sample.rows[n] = r;
            best = worth > best ? worth : best;
        }
        (void)count_new(&sample.rows[n], true);
    }
}

Test(radix_sort, the_sample_is_pairwise)
{
    size_t by_all_bits = 0;
    make_sample();
    for (int a = 0; a < FACTORS; a++)
        for (int b = 0; b < FACTORS; b++)
            for (size_t i = 0; is_paired(a, b) && i < ways[a]; i++)
                for (size_t j = 0; j < ways[b]; j++)
                    cr_assert(sample.met[a][b][i][j], "way %zu of factor %d does not meet way %zu of %d", i, a, j, b);
    for (size_t n = 0; n < NUM_ROWS; n++)
        by_all_bits += sample.rows[n].way[BITS] == 0;
    cr_assert_gt(2 * by_all_bits, NUM_ROWS, "only %zu of %d rows have all bits", by_all_bits, NUM_ROWS);
}

static clprim_radix_sort_desc desc_of(clprim_radix_sort_variant variant, const row *r)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16, 0, 0}; /* the last two made by the sort */
    static const size_t group_sizes[] = {0, 1, 2, 32, 64, 1024};
    const clprim_type type = (clprim_type)(r->way[TYPE] + 1);
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const unsigned ranges[4][2] = {{0, bits}, {0, 5}, {3, bits - 2}, {bits - 1, bits + 9}};
    const bool bit_range = r->way[BITS] > 0 || r->way[DIRECTION] == 1;
    return (clprim_radix_sort_desc){.key_type = type,
                                    .value_size = value_sizes[r->way[VALUES]],
                                    .argsort = r->way[VALUES] >= 6,
                                    .index_type = r->way[VALUES] == 7 ? CLPRIM_U64 : CLPRIM_U32,
                                    .descending = r->way[DIRECTION] == 1,
                                    .bit_range = bit_range,
                                    .begin_bit = bit_range ? ranges[r->way[BITS]][0] : 0,
                                    .end_bit = bit_range ? ranges[r->way[BITS]][1] : 0,
                                    .variant = variant,
                                    .work_group_size = group_sizes[r->way[GROUP]]};
}

/* How many there may be decides on tiles and on how they are counted. SINGLE_GROUP must know, and may have room for
 * fewer than it is asked for first. */
static void check_row(clprim_runtime *runtime, clprim_radix_sort_variant variant, const row *r, size_t seed)
{
    clprim_radix_sort_desc desc = desc_of(variant, r);
    size_t max_count = test_is_full() ? VERY_LARGE : LARGE;
    desc.max_count = seed % 3 == 0 ? 0 : seed % 3 == 1 ? max_count : (size_t)1 << 21;
    if (variant == CLPRIM_RADIX_SORT_SINGLE_GROUP)
        desc.max_count = max_count = seed % 2 == 0 ? 4096 : 1024;
    if (check_plan(runtime, &desc, max_count, seed) || desc.max_count <= 1024)
        return;
    desc.max_count = 1024;
    (void)check_plan(runtime, &desc, desc.max_count, seed);
}

/* Each variant, with its rows of the sample, or for all types and values; then bits, directions and groups take turns.
 * AUTO has the rows of the variant that it is likely to pick, whose programs are then used twice. */
TEST_EACH(radix_sort, variant, VARIANTS, .timeout = 1700)
{
    const clprim_radix_sort_variant variant = (clprim_radix_sort_variant)*number;
    clprim_runtime *runtime = test_runtime(NULL);
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const clprim_radix_sort_variant usual = is_cpu ? CLPRIM_RADIX_SORT_CPU_BUCKETS : CLPRIM_RADIX_SORT_ONESWEEP;
    const size_t way = (size_t)(variant == CLPRIM_RADIX_SORT_AUTO ? usual : variant) - 1;
    make_sample();
    for (size_t i = 0; i < (test_is_full() ? TYPES * ways[VALUES] : TYPES); i++) {
        const size_t turn = i / TYPES + i % TYPES + way;
        const size_t rest = turn % 2 == 0 ? turn / 2 % 12 * 4 : turn % 48; /* bits, of which half the rows have all */
        const row r =
            test_is_full() ? row_of(way, i % TYPES, i / TYPES + 8 * rest) : sample.rows[i * ways[VARIANT] + way];
        check_row(runtime, variant, &r, i);
    }
    clprim_runtime_destroy(runtime);
}

/* Buckets of one size, and all elements in one or two of them. */
Test(radix_sort, keys_of_all_kinds_in_buckets, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_radix_sort_desc desc = {
        .key_type = CLPRIM_F32, .argsort = true, .variant = CLPRIM_RADIX_SORT_CPU_BUCKETS, .descending = true};
    test_call self;
    cr_assert(create(&self, runtime, &desc));
    check_data(&self, LARGE - 1, 0);
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* Room for keys and values once more, and some per cent: no more than a quarter, and what is there however few. */
static void check_scratch(const test_call *self)
{
    const clprim_radix_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t count = (size_t)1 << 26;
    size_t bytes = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_radix_sort_call){.count = count}));
    cr_assert_leq(bytes, count * (clprim_type_size(desc->key_type) + desc->value_size) / 4 * 5 + (1 << 20),
                  "%s: %zu bytes", self->name, bytes);
}

/* Where no bit decides a sort is a stable copy. With 2^33 whatever counts elements takes 64 bits. NaNs of both signs
 * are behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO, and by a part of the
 * bits, which are those of the image that this order has. */
static const clprim_radix_sort_desc specials[] = {
    {.key_type = CLPRIM_U32, .bit_range = true},
    {.key_type = CLPRIM_I16, .bit_range = true, .value_size = 4, .begin_bit = 5, .end_bit = 5},
    {.key_type = CLPRIM_F64, .bit_range = true, .argsort = true, .descending = true, .begin_bit = 64, .end_bit = 70},
    {.key_type = CLPRIM_U16, .argsort = true, .index_type = CLPRIM_U64, .max_count = (size_t)1 << 33},
    {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
    {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST, .value_size = 2, .descending = true},
    {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST, .argsort = true},
    {CLPRIM_F16, 0, true, CLPRIM_U32, true, CLPRIM_NAN_LAST, true, 3, 13, 0, CLPRIM_RADIX_SORT_AUTO, 0}};

enum { NUM_SPECIALS = sizeof specials / sizeof *specials, WITHOUT_BITS = 3, BY_AUTO = 3 };

TEST_EACH(radix_sort, special_plans, VARIANTS, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < (*number == 0 ? NUM_SPECIALS : NUM_SPECIALS - BY_AUTO); i++) {
        clprim_radix_sort_desc desc = specials[i];
        const bool is_single = *number == CLPRIM_RADIX_SORT_SINGLE_GROUP && desc.max_count == 0;
        test_call self;
        desc.variant = (clprim_radix_sort_variant)*number;
        desc.max_count = is_single ? 1024 : desc.max_count;
        if (desc.key_type == CLPRIM_F32) {
            desc.value_size = *number % 3 * 4;
            desc.descending = *number % 2 == 0;
        }
        if (!create(&self, runtime, &desc))
            continue;
        if (desc.nan_order == CLPRIM_NAN_LAST && desc.max_count == 0 && !desc.argsort)
            check_scratch(&self);
        check_all(&self, is_single ? 1024 : i < WITHOUT_BITS ? LARGE : SOME, *number + i);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Where sub-groups rank keys by what no specification promises, and it does not hold, the result is right all the same.
 */
Test(radix_sort, ranks_in_no_order)
{
    static const char backwards[] =
        "    const uint same = same_digit(digit_of(image, shift));\n"
        "    const uint before = popcount(same & ((1u << (uint)get_local_id(0) % 32) - 1));\n"
        "    return place - before + popcount(same) - 1 - before;\n";
    static char of_tile[512], of_single[512];
    const test_mistake mistakes[] = {
        {"radix_sort/parts/tile.cl", "    return atomic_inc(OWN_TABLE(table) + digit_of(image, shift));\n", of_tile},
        {"radix_sort/single_group.cl", "    return atomic_inc(OWN_TABLE(table) + digit_of(image, shift));\n",
         of_single},
        {"radix_sort/parts/checked.cl", /* all lanes take part in ballots */
         "        if (digit != digit_a && digit != digit_b)\n            place = tile_place(table, images[j], "
         "shift);\n",
         "        const uint other = tile_place(table, images[j], shift);\n"
         "        if (digit != digit_a && digit != digit_b)\n            place = other;\n"}};
    char directory[TEST_PATH_SIZE];
    (void)snprintf(of_tile, sizeof of_tile, "    const uint place = tile_place_by_ballots(table, image, shift);\n%s",
                   backwards);
    (void)snprintf(of_single, sizeof of_single,
                   "    const uint place = atomic_inc(OWN_TABLE(table) + digit_of(image, shift));\n%s", backwards);
    test_kernels_with(directory, mistakes, sizeof mistakes / sizeof *mistakes);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < 4; i++) {
        const bool is_single = i >= 2;
        const clprim_radix_sort_desc desc = {.key_type = is_single ? CLPRIM_F32 : CLPRIM_I64,
                                             .value_size = i % 2 * 2,
                                             .variant =
                                                 is_single ? CLPRIM_RADIX_SORT_SINGLE_GROUP : CLPRIM_RADIX_SORT_AUTO,
                                             .max_count = is_single ? 1000 : 0};
        cr_assert(check_plan(runtime, &desc, is_single ? 1000 : LARGE, TEST_SEED));
    }
    clprim_runtime_destroy(runtime);
    test_kernels_end(directory);
}

/* More keys than an int counts; only of devices that have much memory and are fast. */
Test(radix_sort, more_than_2_to_the_31_keys, .timeout = 600)
{
    const size_t count = ((size_t)1 << 31) + 5;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    if (info->kind != CLPRIM_DEVICE_GPU || info->global_memory_size / 4 < count || info->max_allocation_size < count) {
        clprim_runtime_destroy(runtime);
        cr_skip_test("the device is no GPU with room for so many keys");
    }
    const clprim_radix_sort_desc desc = {.key_type = CLPRIM_I8, .max_count = count};
    clprim_plan *plan = NULL;
    signed char *keys = test_allocate(count + sizeof(uint64_t));
    size_t left[256] = {0};
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < count; i += sizeof random) {
        const uint64_t eight = test_random(&random);
        memcpy(keys + i, &eight, sizeof eight);
    }
    for (size_t i = 0; i < count; i++)
        left[keys[i] + 128]++;
    ASSERT_OK(clprim_radix_sort_create(&plan, runtime, &desc));
    cl_mem in = test_upload(runtime, keys, count);
    cl_mem out = test_buffer(runtime, count);
    ASSERT_OK(clprim_radix_sort_enqueue(
        plan, NULL, &(clprim_radix_sort_call){.keys_in = {in}, .count = count, .keys_out = {out}}, 0, NULL, NULL));
    test_read(runtime, keys, out, count);
    for (size_t i = 0; i < count; i++)
        if (left[keys[i] + 128]-- == 0 || (i > 0 && keys[i - 1] > keys[i]))
            cr_assert(false, "key %zu is %d, behind %d", i, keys[i], i > 0 ? keys[i - 1] : -128);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    free(keys);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

/* A variant that cannot do it says why. */
Test(radix_sort, unsupported)
{
    const test_refusal rows[] = {
        TEST_UNSUPPORTED(radix_sort, "max_count", .variant = CLPRIM_RADIX_SORT_SINGLE_GROUP, .max_count = 0),
        TEST_UNSUPPORTED(radix_sort, "max_count", .variant = CLPRIM_RADIX_SORT_SINGLE_GROUP, .max_count = 1 << 24),
        TEST_UNSUPPORTED(radix_sort, "", .variant = CLPRIM_RADIX_SORT_ONESWEEP, .max_count = (size_t)1 << 33)};
    test_refuse_each(&clprim_radix_sort_operation, rows, sizeof rows / sizeof *rows);
}
