// SPDX-License-Identifier: MIT
/* test_is_sorted.c: every variant finds how far an array is in order, as the reference does: for all types, callers'
 * orders, directions, sizes around all boundaries, unaligned beginnings, and the first descent anywhere. */
#include "ordered.h"

#define VARIANTS ((size_t)test_last_variant(&clprim_is_sorted_operation) + 1) /* with AUTO */
enum { MAX_COUNT = 300007 };
enum { SORTED, DATA, ELEMENT }; /* regions of memory */

/* Check an array that is in order, except that `wrong` elements from `place` on are exchanged (0: none). */
static void check(test_call *self, const test_ordered *how, size_t count, size_t place, size_t wrong, uint64_t seed)
{
    const size_t size = how->by.size;
    unsigned char *data = test_memory(DATA, MAX_COUNT * size);
    size_t until = 0;
    memcpy(data, (char *)test_memory(SORTED, MAX_COUNT * size) + (MAX_COUNT - count) / 2 * size, count * size);
    for (size_t k = 0; k < wrong && place + k + 1 < count; k++) {
        void *element = test_memory(ELEMENT, size);
        memcpy(element, data + (place + k) * size, size);
        memcpy(data + (place + k) * size, data + (count - 1 - k) * size, size);
        memcpy(data + (count - 1 - k) * size, element, size);
    }
    ASSERT_OK(clprim_reference_is_sorted(&until, &how->by, data, count));
    uint64_t expected = until; /* little-endian */
    test_call_fill(self, &(clprim_is_sorted_call){.in = {.host = data}, .count = count, .out = {.host = &expected}},
                   seed);
    test_call_check(self, "%s, %zu wrong from %zu on", how->name, wrong, place);
}

/* Elements have random bits; with F32 one in 256 is a NaN. */
static void check_plan(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    const clprim_is_sorted_desc *desc = changed;
    static const size_t counts[] = {0,    1,    2,    3,     4,     5,     15,     16,       17,
                                    63,   64,   65,   255,   257,   1023,  1024,   1025,     2049,
                                    4097, 8191, 8193, 16385, 32769, 65537, 100003, MAX_COUNT};
    void *sorted = test_memory(SORTED, MAX_COUNT * how->by.size);
    uint64_t random = how->seed;
    test_call self;
    if (!test_call_must(&self, runtime, &clprim_is_sorted_operation, desc, true))
        return;
    test_fill_elements(sorted, how->by.type, how->by.size, TEST_DATA_RANDOM, MAX_COUNT, TEST_SEED);
    test_sort_elements(sorted, NULL, 0, &how->by, MAX_COUNT);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t count = counts[i];
        check(&self, how, count, 0, 0, random);
        if (count < 2)
            continue;
        check(&self, how, count, count - 2, 1, random);
        check(&self, how, count, 0, 1, random);
        const size_t place = test_random_below(&random, count);
        check(&self, how, count, place, 1 + test_random_below(&random, 3), random);
    }
    for (size_t place = 0; place < 70; place++) /* around a packet, and a block */
        check(&self, how, 4099, place < 35 ? place : 1000 + place, 1, place);
    test_call_destroy(&self);
}

TEST_EACH(is_sorted, variant, VARIANTS, .timeout = 1700)
{
    const clprim_is_sorted_desc desc = {.variant = (clprim_is_sorted_variant)*number};
    test_ordered_plans(&clprim_is_sorted_operation, &desc, *number, *number == 0 ? 1 : 2, 1, check_plan);
}

/* Elements with a special order: NaNs, zeros of both signs, infinities. */
TEST_WITH_RUNTIME(is_sorted, total_order_of_floats)
{
    static const uint32_t in_order[] = {0xffffffff, 0xff800001, 0xff800000, 0xbf800000, 0x80000001,
                                        0x80000000, 0x80000000, 0x00000000, 0x00000001, 0x3f800000,
                                        0x7f800000, 0x7f800001, 0x7fffffff};
    enum { COUNT = sizeof in_order / sizeof *in_order };
    for (uint32_t i = 0; i < COUNT; i++) { /* each element is exchanged with the next */
        const uint32_t next = i + 1 < COUNT ? i + 1 : i;
        uint32_t until = in_order[i] == in_order[next] ? COUNT : next;
        uint32_t data[COUNT];
        memcpy(data, in_order, sizeof data);
        data[i] = in_order[next];
        data[next] = in_order[i];
        test_check_known(runtime, &clprim_is_sorted_operation, &(clprim_is_sorted_desc){.type = CLPRIM_F32},
                         &(clprim_is_sorted_call){.in = {.host = data}, .count = COUNT, .out = {.host = &until}});
    }
}

Test(is_sorted, no_elements)
{
    uint32_t until = 77;
    ASSERT_STATUS(clprim_reference_is_sorted(NULL, NULL, (const uint32_t[]){2, 1}, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_is_sorted_run(NULL, NULL, &(clprim_is_sorted_call){.out = {.host = &until}}));
    cr_assert_eq(until, 0, "no elements are sorted");
}
