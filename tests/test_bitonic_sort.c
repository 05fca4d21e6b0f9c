/* test_bitonic_sort.c: every variant sorts all types of elements, alone and with values of all sizes, in both
 * directions and in orders of the caller's, for sizes around all edges, offsets and kinds of elements, in place and
 * not. By default each variant meets a quarter of the types, and each type a quarter of the variants; values,
 * directions and groups take turns. With CLPRIM_TEST_FULL set, every variant meets every type with all kinds of values.
 */
#include "test_bitonic_sort.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

/* Around powers of two, where work-groups, tiles and chunks end; and in between. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    31,   32,    33,   63,
                               64,   65,   127,  129,  255,  256,  257,  511,  513,  1000, 1023,  1024, 1025,
                               2047, 2048, 2049, 3000, 4095, 4096, 4097, 6143, 8191, 8193, 16384, 16385};
static const size_t offsets[] = {0, 1, 3, BITONIC_MAX_OFFSET};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 5003,
    LARGE = 100003,
    VERY_LARGE = (1 << 20) + 7,
    SINGLE_GROUP_COUNT = 1025, /* no power of two */
    TYPES = CLPRIM_TYPE_END - 1
};

/* The turn decides on offsets, different ones for each array, on what is in place, and on the elements. */
static bitonic_call call_of_turn(uint64_t turn, size_t count)
{
    uint64_t random = turn;
    const uint64_t r = test_random(&random);
    bitonic_call c = {.count = count, .seed = turn, .data = (test_data)((r >> 32) % TEST_DATA_END)};
    for (int a = 0; a < BITONIC_ARRAYS; a++)
        c.offsets[a] = offsets[(r >> 2 * a) % 4];
    c.in_place[BITONIC_KEYS_IN] = (r >> 16) % 2 == 1;
    c.in_place[BITONIC_VALUES_IN] = (r >> 17) % 2 == 1;
    c.repeat = count < 5000 ? 1 + (unsigned)(r >> 24) % 2 : 1;
    return c;
}

static void check_all(bitonic_subject *self, uint64_t seed)
{
    const size_t some = SOME < self->max_count ? SOME : self->max_count;
    uint64_t turn = seed * 1000;
    for (size_t i = 0; i < NUM_SIZES; i++)
        if (sizes[i] <= self->max_count) {
            const bitonic_call c = call_of_turn(turn++, sizes[i]);
            bitonic_check(self, &c);
        }
    for (int data = 0; data < TEST_DATA_END; data++)
        for (size_t in_place = 0; in_place < (self->desc.value_size > 0 ? 4 : 2); in_place++) {
            bitonic_call c = call_of_turn(turn++, some);
            c.data = (test_data)data;
            c.in_place[BITONIC_KEYS_IN] = in_place % 2 == 1;
            c.in_place[BITONIC_VALUES_IN] = in_place / 2 == 1;
            bitonic_check(self, &c);
        }
    for (size_t count = LARGE; count <= self->max_count; count += VERY_LARGE - LARGE) {
        const bitonic_call c = call_of_turn(turn++, count);
        bitonic_check(self, &c);
    }
}

/* A plan, all sizes. SHARED_PAIRS must know how many there may be; with 2^33 whatever counts elements takes 64 bits. */
static void check_plan(clprim_runtime *runtime, clprim_bitonic_sort_desc desc, const test_order *order, uint64_t seed)
{
    size_t max_count = test_is_full() ? VERY_LARGE : LARGE;
    bitonic_subject self;
    desc.max_count = seed % 4 == 3 ? (size_t)1 << 33 : 0;
    if (desc.variant == CLPRIM_BITONIC_SORT_SHARED_PAIRS)
        desc.max_count = max_count = seed % 2 == 0 ? SINGLE_GROUP_COUNT : 256;
    if (!bitonic_create(&self, runtime, desc, order, max_count))
        return;
    check_all(&self, seed);
    bitonic_destroy(&self);
}

static clprim_bitonic_sort_desc desc_of(size_t variant, size_t type, size_t turn)
{
    static const size_t value_sizes[] = {0, 4, 0, 8, 0, 1, 16, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1, 0, 128};
    return (clprim_bitonic_sort_desc){.key_type = (clprim_type)(type + 1),
                                      .variant = (clprim_bitonic_sort_variant)variant,
                                      .value_size = value_sizes[turn % 8],
                                      .descending = turn / 2 % 2 == 1,
                                      .work_group_size = group_sizes[turn % 6]};
}

/* AUTO has what the variant has that it is likely to pick, whose programs are then used twice. */
static size_t likely_way(const clprim_runtime *runtime, size_t variant)
{
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    return variant != CLPRIM_BITONIC_SORT_AUTO ? variant
           : is_cpu                            ? CLPRIM_BITONIC_SORT_CPU_CHUNK
                                               : CLPRIM_BITONIC_SORT_REGISTER_BLOCK;
}

ParameterizedTestParameters(bitonic_sort, variant)
{
    static size_t variants[BITONIC_VARIANTS];
    for (size_t i = 0; i < BITONIC_VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, BITONIC_VARIANTS);
}

ParameterizedTest(size_t *place, bitonic_sort, variant, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const size_t way = likely_way(runtime, *place);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t values = 0; values < (test_is_full() ? 8 : 1); values++)
            if (test_is_full() || (type + way) % 4 == 0)
                check_plan(runtime, desc_of(*place, type, way * 5 + type / 4 + values), NULL, type + 1);
    clprim_runtime_destroy(runtime);
}

/* Each variant meets one order of the caller's, those that are not the first steps two. */
ParameterizedTestParameters(bitonic_sort, order)
{
    static size_t variants[BITONIC_VARIANTS];
    for (size_t i = 0; i < BITONIC_VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, BITONIC_VARIANTS);
}

ParameterizedTest(size_t *place, bitonic_sort, order, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const size_t way = likely_way(runtime, *place);
    const size_t second = way >= CLPRIM_BITONIC_SORT_REGISTER_BLOCK ? (way + 3) % TEST_ORDERS : way % TEST_ORDERS;
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        clprim_bitonic_sort_desc desc = bitonic_desc_of(&test_orders[i]);
        desc.variant = (clprim_bitonic_sort_variant)*place;
        desc.descending = (i + way) % 2 == 1;
        desc.value_size = (i + way) % 3 == 0 ? 4 : 0;
        if (test_is_full() || i == second || i == way % TEST_ORDERS)
            check_plan(runtime, desc, &test_orders[i], i + 1);
    }
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
Test(bitonic_sort, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < BITONIC_VARIANTS + 2; i++) {
        const bool is_auto = i >= BITONIC_VARIANTS;
        const clprim_bitonic_sort_desc desc = {
            .key_type = !is_auto                ? CLPRIM_F32
                        : i == BITONIC_VARIANTS ? CLPRIM_F16
                                                : CLPRIM_F64,
            .nan_order = CLPRIM_NAN_LAST,
            .value_size = i % 3 == 0 ? 4 : 0,
            .descending = i % 2 == 0,
            .max_count = i == CLPRIM_BITONIC_SORT_SHARED_PAIRS ? SINGLE_GROUP_COUNT : 0,
            .variant = is_auto ? CLPRIM_BITONIC_SORT_AUTO : (clprim_bitonic_sort_variant)i};
        bitonic_subject self;
        if (!bitonic_create(&self, runtime, desc, NULL, SOME))
            continue;
        for (uint64_t k = 0; k < 4; k++) {
            bitonic_call c = call_of_turn(i * 100 + k, k == 0 ? 2 : k == 1 ? 257 : k == 2 ? SINGLE_GROUP_COUNT : SOME);
            c.data = TEST_DATA_SPECIALS;
            if (desc.max_count == 0 || c.count <= desc.max_count)
                bitonic_check(&self, &c);
        }
        bitonic_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* What is no order still gives a permutation. */
Test(bitonic_sort, without_any_order, .timeout = 240)
{
    static const test_order none = {"no order", CLPRIM_U32, NULL, NULL, "(a ^ b) & 1", sizeof(cl_uint), NULL};
    enum { COUNT = 3001 };
    static uint32_t before[COUNT], after[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_bitonic_sort_desc desc = bitonic_desc_of(&none);
    test_fill_elements(before, CLPRIM_U32, sizeof *before, TEST_DATA_RANDOM, COUNT, TEST_SEED);
    memcpy(after, before, sizeof after);
    ASSERT_OK(clprim_bitonic_sort_run(
        runtime, &desc,
        &(clprim_bitonic_sort_call){.keys_in = {.host = after}, .count = COUNT, .keys_out = {.host = after}}));
    ASSERT_OK(clprim_reference_sort(before, NULL, NULL, COUNT));
    ASSERT_OK(clprim_reference_sort(after, NULL, NULL, COUNT));
    test_expect_same(before, after, sizeof *before, COUNT, "without an order");
    clprim_runtime_destroy(runtime);
}
