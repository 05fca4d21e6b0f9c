/* test_merge.c: every variant merges all types of elements, alone and with values of all sizes, in both directions and
 * in orders of the caller's, for sizes around all edges, offsets and kinds of elements, bit for bit as the reference
 * does, which is stable. By default each variant meets a quarter of the types, and each type one of the variants or
 * more; with CLPRIM_TEST_FULL set, every variant meets every type. */
#include "orders.h"

/* Of a, and of b by other turns: around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 7, 31, 64, 65, 255, 256, 257, 513, 1023, 1025, 2047, 2816, 3000, 4096, 8193};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 5003,
    LARGE = 100003,
    VERY_LARGE = (1 << 20) + 7,
    TYPES = CLPRIM_TYPE_END - 1,
    VARIANTS = CLPRIM_MERGE_TILES + 1
};

/* Which elements are a's. */
typedef enum merge_split {
    SPLIT_ANY = 0, /* both ranges are alike */
    SPLIT_BEFORE,  /* all of a come before all of b, or are equal to them */
    SPLIT_BEHIND,
    SPLIT_UNSORTED, /* the ranges are not in order */
    SPLIT_END
} merge_split;

static void check(test_call *self, const test_order *order, size_t a_count, size_t b_count, test_data data,
                  merge_split split, uint64_t seed)
{
    const clprim_merge_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order by = test_reference_order(order, desc->descending, desc->nan_order);
    const size_t n = a_count + b_count;
    const size_t value_size = desc->value_size;
    unsigned char *keys = test_memory(0, n * by.size);
    unsigned char *a = keys + (split == SPLIT_BEHIND ? b_count * by.size : 0);
    unsigned char *b = keys + (split == SPLIT_BEHIND ? 0 : a_count * by.size);
    unsigned char *values = value_size > 0 ? test_memory(1, n * value_size) : NULL;
    unsigned char *b_values = value_size > 0 ? values + a_count * value_size : NULL;
    void *out = test_memory(2, n * by.size);
    void *values_out = value_size > 0 ? test_memory(3, n * value_size) : NULL;
    test_fill_elements(keys, order->type, by.size, data, n, seed);
    test_fill_values(values, value_size, n);
    if (split == SPLIT_BEFORE || split == SPLIT_BEHIND)
        test_sort_elements(keys, NULL, 0, &by, n);
    self->is_unspecified = split == SPLIT_UNSORTED;
    if (!self->is_unspecified) {
        test_sort_elements(a, NULL, 0, &by, a_count);
        test_sort_elements(b, NULL, 0, &by, b_count);
        ASSERT_OK(clprim_reference_merge(out, values_out, &by, value_size, a, values, a_count, b, b_values, b_count));
    }
    test_call_fill(self,
                   &(clprim_merge_call){.a_keys = {.host = a},
                                        .a_values = {.host = values},
                                        .b_keys = {.host = b},
                                        .b_values = {.host = b_values},
                                        .a_count = a_count,
                                        .b_count = b_count,
                                        .keys_out = {.host = out},
                                        .values_out = {.host = values_out}},
                   seed);
    test_call_check(self, "%s, %s, split %d", order->name, test_data_name(data), (int)split);
}

/* Of the other order of NaNs special elements alone. */
static void check_all(test_call *self, const test_order *order, bool is_special, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    for (int data = 0; data < TEST_DATA_END; data++)
        for (merge_split split = data % 2; split < SPLIT_END && (!is_special || data == TEST_DATA_SPECIALS); split += 2)
            check(self, order, SOME, data % 3 == 0 ? SOME - 17 : 37, data, split, turn++);
    for (size_t i = 0; i < NUM_SIZES && !is_special; i++)
        for (size_t k = 0; k < 4; k++, turn++) /* of b one of the same size, and others */
            check(self, order, sizes[i], sizes[(i * (k + 1) + 7 * k) % NUM_SIZES], turn % TEST_DATA_END,
                  k == 3 ? SPLIT_UNSORTED : (turn + i) % SPLIT_UNSORTED, turn);
    for (size_t count = LARGE; count <= (test_is_full() ? VERY_LARGE : LARGE); count += VERY_LARGE - LARGE)
        check(self, order, count, count / 3, turn % TEST_DATA_END, turn % SPLIT_UNSORTED, turn);
}

/* With 2^33 whatever counts elements takes 64 bits. */
static void check_plan(clprim_runtime *runtime, clprim_merge_desc desc, const test_order *order, uint64_t seed)
{
    test_call self;
    desc.max_count = seed % 4 == 3 ? (size_t)1 << 33 : 0;
    cr_assert(test_call_create(&self, runtime, &clprim_merge_operation, &desc));
    check_all(&self, order, desc.nan_order == CLPRIM_NAN_LAST, seed);
    test_call_destroy(&self);
}

/* NaNs are behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
TEST_EACH(merge, variant, VARIANTS, .timeout = 1700)
{
    static const size_t value_sizes[] = {0, 4, 0, 8, 0, 1, 16, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1, 0, 128};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t values = 0; values < (test_is_full() ? 8 : 1); values++) {
            const size_t turn = *number * 5 + type / 4 + values;
            const test_order order = test_total_order((clprim_type)(type + 1));
            const clprim_merge_desc desc = {.key_type = order.type,
                                            .variant = (clprim_merge_variant)*number,
                                            .value_size = value_sizes[turn % 8],
                                            .descending = turn / 2 % 2 == 1,
                                            .work_group_size = group_sizes[turn % 6]};
            if (test_is_full() || (type + 3 * *number) % 6 == 0)
                check_plan(runtime, desc, &order, type + 1);
        }
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_merge_desc desc = {.key_type = test_orders[i].type,
                                        TEST_ORDER_MEMBERS(&test_orders[i]),
                                        .variant = (clprim_merge_variant)*number,
                                        .descending = (i + *number) % 2 == 1,
                                        .value_size = i % 2 == 0 ? 4 : 0};
        if (test_is_full() || i == *number)
            check_plan(runtime, desc, &test_orders[i], i + 1);
    }
    for (size_t i = 0; i < (*number == 0 ? 2 : 1); i++) {
        const test_order order = test_total_order(*number > 0 ? CLPRIM_F32 : i == 0 ? CLPRIM_F16 : CLPRIM_F64);
        const clprim_merge_desc desc = {.key_type = order.type,
                                        .nan_order = CLPRIM_NAN_LAST,
                                        .variant = (clprim_merge_variant)*number,
                                        .value_size = (i + *number) % 2 * 4,
                                        .descending = (i + *number) % 2 == 0};
        check_plan(runtime, desc, &order, i + 1);
    }
    clprim_runtime_destroy(runtime);
}
