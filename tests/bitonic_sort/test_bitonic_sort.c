/* test_bitonic_sort.c: every variant sorts all types of elements, alone and with values of all sizes, in both
 * directions and in orders of the caller's, for sizes around all edges, offsets and kinds of elements, in place and
 * not. By default each variant meets a quarter of the types, and each type a quarter of the variants; values,
 * directions and groups take turns. With CLPRIM_TEST_FULL set, every variant meets every type with all kinds of values.
 */
#include "orders.h"
#include "segments.h"

/* Around powers of two, where work-groups, tiles and chunks end; and in between. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    31,   32,    33,   63,
                               64,   65,   127,  129,  255,  256,  257,  511,  513,  1000, 1023,  1024, 1025,
                               2047, 2048, 2049, 3000, 4095, 4096, 4097, 6143, 8191, 8193, 16384, 16385};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 5003,
    LARGE = 100003,
    VERY_LARGE = (1 << 20) + 7,
    SINGLE_GROUP_COUNT = 1025, /* no power of two */
    TYPES = CLPRIM_TYPE_END - 1,
    VARIANTS = CLPRIM_BITONIC_SORT_CPU_CHUNK + 1
};

/* False where the device cannot run it; where the header promises that it can, that is an error. */
static bool create(test_call *self, clprim_runtime *runtime, const clprim_bitonic_sort_desc *desc)
{
    const size_t local = clprim_runtime_info(runtime)->local_memory_size;
    if (test_call_create(self, runtime, &clprim_bitonic_sort_operation, desc))
        return true;
    cr_assert(desc->variant == CLPRIM_BITONIC_SORT_SHARED_PAIRS &&
                  desc->max_count >
                      local / (4 * (clprim_type_size(desc->key_type) + desc->type_size + desc->value_size)),
              "%s", clprim_last_error());
    return false;
}

/* A plan of whole arrays takes them for one segment. */
static void check(test_call *self, const test_order *order, const test_segments *segments, size_t count, test_data data,
                  uint64_t replaced, uint64_t seed)
{
    const clprim_bitonic_sort_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order by = test_reference_order(order, desc->descending, desc->nan_order);
    const test_unstable unstable = {order->before, segments->bounds, segments->count};
    const size_t size = by.size;
    const size_t value_size = desc->value_size;
    char *keys = test_memory(0, count * size);
    char *values = test_memory(1, count * value_size);
    char *sorted = test_memory(2, count * size);
    char *sorted_values = test_memory(3, count * value_size);
    test_fill_elements(keys, order->type, size, data, count, seed);
    test_fill_values(values, value_size, count);
    self->is_unspecified = segments->shape == TEST_SEGMENTS_MALFORMED;
    self->judge = segments->count > 0 ? test_judge_unstable : NULL;
    self->user = &unstable;
    self->replaced = replaced;
    if (!self->is_unspecified) {
        test_copy_segments(sorted, keys, size, count, segments, (replaced & 1) != 0);
        test_copy_segments(sorted_values, values, value_size, count, segments, (replaced & 2) != 0);
    }
    for (size_t s = 0; s < segments->count && !self->is_unspecified; s++) {
        const size_t begin = (size_t)segments->bounds[s];
        test_sort_elements(sorted + begin * size, sorted_values + begin * value_size, value_size, &by,
                           (size_t)segments->bounds[s + 1] - begin);
    }
    test_call_fill(self,
                   &(clprim_bitonic_sort_call){.keys_in = {.host = keys},
                                               .values_in = {.host = values},
                                               .offsets = {.host = test_pack_bounds(segments, desc->offsets_type)},
                                               .count = count,
                                               .segment_count = desc->segmented ? segments->count : 0,
                                               .keys_out = {.host = sorted},
                                               .values_out = {.host = sorted_values}},
                   seed);
    test_call_check(self, "%s, %s, shape %d", order->name, test_data_name(data), (int)segments->shape);
}

static void check_shape(test_call *self, const test_order *order, test_shape shape, size_t count, test_data data,
                        uint64_t replaced, uint64_t seed)
{
    const size_t longest = shape == TEST_SEGMENTS_MALFORMED ? 200 : SIZE_MAX; /* which overlap, and take long */
    const test_segments segments = test_make_segments(shape, count, longest, seed);
    check(self, order, &segments, count, data, replaced, seed);
}

static void check_whole(test_call *self, const test_order *order, size_t count, test_data data, uint64_t turn)
{
    check_shape(self, order, TEST_SEGMENTS_ONE, count, data, turn / 2 % 4, turn);
}

/* All sizes, or some of special elements. SHARED_PAIRS must know how many there may be; with 2^33 whatever counts
 * elements takes 64 bits. */
static void check_plan(clprim_runtime *runtime, clprim_bitonic_sort_desc desc, const test_order *order, uint64_t seed)
{
    const bool is_special = desc.nan_order == CLPRIM_NAN_LAST;
    size_t max_count = test_is_full() ? VERY_LARGE : LARGE;
    uint64_t turn = seed * 1000;
    test_call self;
    desc.max_count = seed % 4 == 3 ? (size_t)1 << 33 : 0;
    if (desc.variant == CLPRIM_BITONIC_SORT_SHARED_PAIRS)
        desc.max_count = max_count = seed % 2 == 0 ? SINGLE_GROUP_COUNT : 256;
    if (!create(&self, runtime, &desc))
        return;
    for (size_t i = 0; i < NUM_SIZES && is_special; i += 5, turn++)
        if (sizes[i] <= max_count)
            check_whole(&self, order, sizes[i], TEST_DATA_SPECIALS, turn);
    for (size_t i = 0; i < NUM_SIZES && !is_special; i++, turn++)
        if (sizes[i] <= max_count)
            check_whole(&self, order, sizes[i], turn % TEST_DATA_END, turn);
    for (int data = 0; data < TEST_DATA_END && !is_special; data++)
        for (uint64_t replaced = data % 2; replaced < (desc.value_size > 0 ? 4 : 2); replaced += 2, turn++)
            check_shape(&self, order, TEST_SEGMENTS_ONE, SOME < max_count ? SOME : max_count, data, replaced, turn);
    for (size_t count = LARGE; count <= max_count && !is_special; count += VERY_LARGE - LARGE, turn++)
        check_whole(&self, order, count, turn % TEST_DATA_END, turn);
    test_call_destroy(&self);
}

/* AUTO has what the variant has that it is likely to pick, whose programs are then used twice. */
static size_t likely_way(const clprim_runtime *runtime, size_t variant)
{
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    return variant != CLPRIM_BITONIC_SORT_AUTO ? variant
           : is_cpu                            ? CLPRIM_BITONIC_SORT_CPU_CHUNK
                                               : CLPRIM_BITONIC_SORT_REGISTER_BLOCK;
}

/* Each variant meets one order of the caller's, those that are not the first steps two. NaNs are behind all numbers, or
 * descending before them: F32 by each variant, F16 and F64 by AUTO. */
TEST_EACH(bitonic_sort, variant, VARIANTS, .timeout = 1700)
{
    static const size_t value_sizes[] = {0, 4, 0, 8, 0, 1, 16, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1, 0, 128};
    clprim_runtime *runtime = test_runtime(NULL);
    const size_t way = likely_way(runtime, *number);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t values = 0; values < (test_is_full() ? 8 : 1); values++) {
            const size_t turn = way * 5 + type / 4 + values;
            const test_order order = test_total_order((clprim_type)(type + 1));
            const clprim_bitonic_sort_desc desc = {.key_type = order.type,
                                                   .variant = (clprim_bitonic_sort_variant)*number,
                                                   .value_size = value_sizes[turn % 8],
                                                   .descending = turn / 2 % 2 == 1,
                                                   .work_group_size = group_sizes[turn % 6]};
            if (test_is_full() || (type + way) % 4 == 0)
                check_plan(runtime, desc, &order, type + 1);
        }
    const size_t second = way >= CLPRIM_BITONIC_SORT_REGISTER_BLOCK ? (way + 3) % TEST_ORDERS : way % TEST_ORDERS;
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_bitonic_sort_desc desc = {.key_type = test_orders[i].type,
                                               TEST_ORDER_MEMBERS(&test_orders[i]),
                                               .variant = (clprim_bitonic_sort_variant)*number,
                                               .descending = (i + way) % 2 == 1,
                                               .value_size = (i + way) % 3 == 0 ? 4 : 0};
        if (test_is_full() || i == second || i == way % TEST_ORDERS)
            check_plan(runtime, desc, &test_orders[i], i + 1);
    }
    for (size_t i = 0; i < (*number == 0 ? 2 : 1); i++) {
        const test_order order = test_total_order(*number > 0 ? CLPRIM_F32 : i == 0 ? CLPRIM_F16 : CLPRIM_F64);
        const clprim_bitonic_sort_desc desc = {.key_type = order.type,
                                               .nan_order = CLPRIM_NAN_LAST,
                                               .variant = (clprim_bitonic_sort_variant)*number,
                                               .value_size = (i + *number) % 3 == 0 ? 4 : 0,
                                               .descending = (i + *number) % 2 == 0};
        check_plan(runtime, desc, &order, i);
    }
    clprim_runtime_destroy(runtime);
}

/* What is no order still gives a permutation. */
Test(bitonic_sort, without_any_order, .timeout = 240)
{
    enum { COUNT = 3001 };
    static uint32_t before[COUNT], after[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_bitonic_sort_desc desc = {.less = "(a ^ b) & 1"};
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

enum { MAX_COUNT = 20011, LARGE_COUNT = 150001, SEGMENT_VARIANTS = 2 };
static const clprim_bitonic_sort_variant segment_variants[SEGMENT_VARIANTS] = {CLPRIM_BITONIC_SORT_LOCAL_MERGE,
                                                                               CLPRIM_BITONIC_SORT_CPU_CHUNK};

static void check_segments(clprim_runtime *runtime, const clprim_bitonic_sort_desc *desc, const test_order *order,
                           uint64_t seed)
{
    static const size_t counts[] = {0, 1, 2, 1000, MAX_COUNT};
    uint64_t turn = seed * 1000;
    test_call self;
    cr_assert(create(&self, runtime, desc));
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, turn++)
            check_shape(&self, order, shape, counts[i], turn % TEST_DATA_END, turn % 4, turn);
    for (int data = 0; data < TEST_DATA_END; data++, turn++)
        check_shape(&self, order, TEST_SEGMENTS_SHORT + data % 5, SOME, data, turn % 4, turn);
    for (int i = 0; i < 12; i++, turn++) /* nothing around the array is touched */
        check_shape(&self, order, TEST_SEGMENTS_MALFORMED, MAX_COUNT, TEST_DATA_RANDOM, turn % 4, turn);
    check_shape(&self, order, TEST_SEGMENTS_GIANTS, LARGE_COUNT, TEST_DATA_RANDOM, 0, seed);
    check_shape(&self, order, TEST_SEGMENTS_INSIDE, 1000, TEST_DATA_RANDOM, 0, seed);
    test_call_check_run(&self, "what is in no segment is not written");
    test_call_destroy(&self);
}

/* By default some types, each with other values; fully all of both. */
Test(bitonic_sort_segments, types, .timeout = 1700)
{
    static const size_t value_sizes[] = {0, 4, 16, 8, 1, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < SEGMENT_VARIANTS; v++)
        for (size_t type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++)
            for (size_t k = 0; k < (test_is_full() ? 6 : 1); k++) {
                const test_order order = test_total_order((clprim_type)type);
                const clprim_bitonic_sort_desc desc = {.key_type = order.type,
                                                       .segmented = true,
                                                       .variant = segment_variants[v],
                                                       .value_size = value_sizes[(type / 4 + k) % 6],
                                                       .descending = type % 2 == 0,
                                                       .offsets_type = type % 3 == 0 ? CLPRIM_U64 : CLPRIM_U32,
                                                       .max_count = type == CLPRIM_F32 ? (size_t)1 << 33 : 0,
                                                       .work_group_size = group_sizes[(type + k) % 4]};
                if (test_is_full() || (type + v) % 6 == 2)
                    check_segments(runtime, &desc, &order, type);
            }
    clprim_runtime_destroy(runtime);
}

/* Of F32 NaNs are behind all numbers, or descending before them; and in orders of the caller's. */
Test(bitonic_sort_segments, nans_last_and_orders, .timeout = 1700)
{
    const test_order floats = test_total_order(CLPRIM_F32);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < SEGMENT_VARIANTS; v++)
        for (size_t i = 0; i <= TEST_ORDERS; i++) {
            const bool has_nans = i == TEST_ORDERS;
            const test_order *order = has_nans ? &floats : &test_orders[i];
            const clprim_bitonic_sort_desc desc = {.key_type = order->type,
                                                   TEST_ORDER_MEMBERS(order),
                                                   .segmented = true,
                                                   .nan_order = has_nans ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL,
                                                   .variant = segment_variants[v],
                                                   .value_size = !has_nans && i % 2 == 0 ? 4 : 0,
                                                   .descending = has_nans ? v % 2 == 0 : i % 3 == 1};
            if (test_is_full() || has_nans || i == 1 + v)
                check_segments(runtime, &desc, order, i);
        }
    clprim_runtime_destroy(runtime);
}

/* Without segments no offsets are needed; a plan for whole arrays takes no segments. */
Test(bitonic_sort_segments, none)
{
    static const clprim_bitonic_sort_desc descs[] = {{.segmented = false}, {.segmented = true}};
    static const char *const culprits[] = {"segment_count", "offsets"};
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t keys[] = {9, 3};
    clprim_bitonic_sort_call call = {.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}};
    ASSERT_OK(clprim_bitonic_sort_run(runtime, &descs[1], &call));
    call.segment_count = 1;
    for (int i = 0; i < 2; i++) {
        ASSERT_STATUS(clprim_bitonic_sort_run(runtime, &descs[i], &call), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), culprits[i]), "%s", clprim_last_error());
    }
    cr_assert(keys[0] == 9 && keys[1] == 3);
    clprim_runtime_destroy(runtime);
}
