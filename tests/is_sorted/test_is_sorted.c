/* test_is_sorted.c: every variant says up to where an array is in order, as the reference does: for all types, orders
 * of the caller's, directions, sizes around all edges, unaligned beginnings, and the first descent anywhere. */
#include "orders.h"

enum { VARIANTS = CLPRIM_IS_SORTED_CPU_CHUNK + 1, MAX_COUNT = 300007 };
enum { SORTED, DATA }; /* places in memory */

static bool create(test_call *self, clprim_runtime *runtime, const clprim_is_sorted_desc *desc, const test_order *order)
{
    const clprim_reference_order by = test_reference_order(order, desc->descending, desc->nan_order);
    void *sorted = test_memory(SORTED, MAX_COUNT * order->size);
    if (!test_call_create(self, runtime, &clprim_is_sorted_operation, desc)) {
        cr_assert(desc->variant == CLPRIM_IS_SORTED_SINGLE_PASS && !clprim_runtime_info(runtime)->has_device_fence);
        return false;
    }
    test_fill_elements(sorted, order->type, order->size, TEST_DATA_RANDOM, MAX_COUNT, TEST_SEED);
    test_sort_elements(sorted, NULL, 0, &by, MAX_COUNT);
    return true;
}

static void swap_elements(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        const unsigned char byte = a[k];
        a[k] = b[k];
        b[k] = byte;
    }
}

/* An array in order but for `wrong` elements exchanged from `place` on (0: none). */
static void check(test_call *self, const test_order *order, size_t count, size_t place, size_t wrong, uint64_t seed)
{
    const clprim_is_sorted_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order by = test_reference_order(order, desc->descending, desc->nan_order);
    const size_t size = order->size;
    unsigned char *data = test_memory(DATA, MAX_COUNT * size);
    size_t until = 0;
    memcpy(data, (char *)test_memory(SORTED, MAX_COUNT * size) + (MAX_COUNT - count) / 2 * size, count * size);
    for (size_t k = 0; k < wrong && place + k + 1 < count; k++)
        swap_elements(data + (place + k) * size, data + (count - 1 - k) * size, size);
    ASSERT_OK(clprim_reference_is_sorted(&until, &by, data, count));
    uint64_t expected = until; /* little-endian */
    test_call_fill(self, &(clprim_is_sorted_call){.in = {.host = data}, .count = count, .out = {.host = &expected}},
                   seed);
    test_call_check(self, "%s, %zu wrong from %zu on", order->name, wrong, place);
}

static void check_plan(clprim_runtime *runtime, const clprim_is_sorted_desc *desc, const test_order *order,
                       uint64_t seed)
{
    static const size_t counts[] = {0,    1,    2,    3,     4,     5,     15,     16,       17,
                                    63,   64,   65,   255,   257,   1023,  1024,   1025,     2049,
                                    4097, 8191, 8193, 16385, 32769, 65537, 100003, MAX_COUNT};
    uint64_t random = seed;
    test_call self;
    if (!create(&self, runtime, desc, order))
        return;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t count = counts[i];
        check(&self, order, count, 0, 0, random);
        if (count < 2)
            continue;
        check(&self, order, count, count - 2, 1, random);
        check(&self, order, count, 0, 1, random);
        const size_t place = test_random_below(&random, count);
        check(&self, order, count, place, 1 + test_random_below(&random, 3), random);
    }
    for (size_t place = 0; place < 70; place++) /* around a packet, and a block */
        check(&self, order, 4099, place < 35 ? place : 1000 + place, 1, place);
    test_call_destroy(&self);
}

/* Elements of any bits, of F32 one NaN in 256. NaNs are behind all numbers, or descending before them: F32 by each
 * variant, F16 and F64 by AUTO. */
TEST_EACH(is_sorted, variant, VARIANTS, .timeout = 1700)
{
    static const size_t group_sizes[] = {0, 32, 1, 128};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++) {
        const clprim_is_sorted_desc desc = {.type = (clprim_type)type,
                                            .variant = (clprim_is_sorted_variant)*number,
                                            .descending = type % 2 == 0,
                                            .index_type = type % 3 == 0 ? CLPRIM_U64 : CLPRIM_U32,
                                            .work_group_size = group_sizes[(type + *number) % 4]};
        if (!test_is_full() && (type + 2 * *number) % 7 != 1)
            continue;
        const test_order order = test_total_order(desc.type);
        check_plan(runtime, &desc, &order, type);
    }
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_is_sorted_desc desc = {.type = test_orders[i].type,
                                            TEST_ORDER_MEMBERS(&test_orders[i]),
                                            .variant = (clprim_is_sorted_variant)*number,
                                            .descending = i % 2 == 1};
        if (!test_is_full() && i != (*number + 1) % TEST_ORDERS)
            continue;
        check_plan(runtime, &desc, &test_orders[i], i);
    }
    for (size_t i = 0; i < (*number == 0 ? 2 : 1); i++) {
        const test_order order = test_total_order(*number > 0 ? CLPRIM_F32 : i == 0 ? CLPRIM_F16 : CLPRIM_F64);
        const clprim_is_sorted_desc desc = {.type = order.type,
                                            .nan_order = CLPRIM_NAN_LAST,
                                            .descending = (i + *number) % 2 == 0,
                                            .variant = (clprim_is_sorted_variant)*number};
        check_plan(runtime, &desc, &order, i);
    }
    clprim_runtime_destroy(runtime);
}

/* Elements whose order is special: NaNs, zeros of both signs, infinities. */
Test(is_sorted, total_order_of_floats)
{
    static const uint32_t in_order[] = {0xffffffff, 0xff800001, 0xff800000, 0xbf800000, 0x80000001,
                                        0x80000000, 0x80000000, 0x00000000, 0x00000001, 0x3f800000,
                                        0x7f800000, 0x7f800001, 0x7fffffff};
    enum { COUNT = sizeof in_order / sizeof *in_order };
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_is_sorted_desc desc = {.type = CLPRIM_F32};
    for (size_t i = 0; i < COUNT; i++) { /* each neighbour exchanged with the next */
        uint32_t data[COUNT];
        uint32_t until = 77;
        memcpy(data, in_order, sizeof data);
        if (i + 1 < COUNT) {
            data[i] = in_order[i + 1];
            data[i + 1] = in_order[i];
        }
        const bool wanted = i + 1 == COUNT || in_order[i] == in_order[i + 1];
        ASSERT_OK(clprim_is_sorted_run(
            runtime, &desc, &(clprim_is_sorted_call){.in = {.host = data}, .count = COUNT, .out = {.host = &until}}));
        cr_assert_eq(until, wanted ? COUNT : i + 1, "%zu: %u", i, until);
    }
    clprim_runtime_destroy(runtime);
}
