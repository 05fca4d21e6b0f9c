/* test_comparison_sort.c: every variant, stable and not, sorts types of elements, alone and with values of all sizes,
 * in both directions and in orders of the caller's, for sizes around all edges, offsets and kinds of elements, in place
 * and not; and orders that are none give a permutation. By default each variant meets some of the types; values,
 * directions and groups take turns. With CLPRIM_TEST_FULL set, every variant meets every type with all kinds of values.
 */
#include <stdlib.h>

#include "comparison_sort_internal.h"
#include "orders.h"
#include "runtime_internal.h"

/* Around powers of two, where work-groups, tiles and chunks end; and in between. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    15,   16,   17,    31,
                               32,   33,   63,   64,   65,   127,  129,  255,  256,  257,  511,  513,   768,
                               1000, 1023, 1024, 1025, 2047, 2049, 3000, 4097, 6143, 8191, 8193, 16384, 16385};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 5003,
    LARGE = 100003, /* on PoCL from 2^16 on the tiles' splits are searched before each pass */
    VERY_LARGE = (1 << 20) + 7,
    TYPES = CLPRIM_TYPE_END - 1
};

/* A variant, stable or not. */
typedef struct way {
    clprim_comparison_sort_variant variant;
    bool stable;
} way;

static const way ways[] = {
    {CLPRIM_COMPARISON_SORT_AUTO, true},         {CLPRIM_COMPARISON_SORT_MERGE_PATH, false},
    {CLPRIM_COMPARISON_SORT_MERGE_PATH, true},   {CLPRIM_COMPARISON_SORT_MERGE_NETWORK, false},
    {CLPRIM_COMPARISON_SORT_BITONIC, false},     {CLPRIM_COMPARISON_SORT_RADIX, true},
    {CLPRIM_COMPARISON_SORT_CPU_CHUNK, true},    {CLPRIM_COMPARISON_SORT_CPU_CHUNK, false},
    {CLPRIM_COMPARISON_SORT_SAMPLE_SORT, false},
};

enum { WAYS = sizeof ways / sizeof *ways, SAMPLE_WAY = WAYS - 1 };

/* By default the others are left out where many types are met: AUTO, the bitonic sort, chunks, which are stable anyway,
 * and the sample sort, which takes long to compile and meets several orders. */
static bool has_own_kernels(size_t place)
{
    return place != 0 && ways[place].variant != CLPRIM_COMPARISON_SORT_BITONIC && place + 2 < WAYS;
}

static void check(test_call *self, const test_order *order, size_t count, test_data data, uint64_t replaced,
                  uint64_t seed)
{
    const clprim_comparison_sort_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order by = test_reference_order(order, desc->descending, desc->nan_order);
    const test_unstable unstable = {.before = order->before};
    void *keys = test_memory(0, count * by.size);
    void *values = test_memory(1, count * desc->value_size);
    void *sorted = test_memory(2, count * by.size);
    void *sorted_values = test_memory(3, count * desc->value_size);
    test_fill_elements(keys, order->type, by.size, data, count, seed);
    test_fill_values(values, desc->value_size, count);
    memcpy(sorted, keys, count * by.size);
    memcpy(sorted_values, values, count * desc->value_size);
    test_sort_elements(sorted, sorted_values, desc->value_size, &by, count);
    self->judge = desc->stable ? NULL : test_judge_unstable;
    self->user = &unstable;
    self->replaced = replaced;
    test_call_fill(self,
                   &(clprim_comparison_sort_call){.keys_in = {.host = keys},
                                                  .values_in = {.host = values},
                                                  .count = count,
                                                  .keys_out = {.host = sorted},
                                                  .values_out = {.host = sorted_values}},
                   seed);
    test_call_check(self, "%s, %s", order->name, test_data_name(data));
}

static void check_all(test_call *self, const test_order *order, uint64_t seed)
{
    const clprim_comparison_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t max_count = test_is_full() ? VERY_LARGE : LARGE;
    uint64_t turn = seed * 1000;
    for (size_t i = 0; i < NUM_SIZES; i++, turn++)
        check(self, order, sizes[i], turn % TEST_DATA_END, turn / 3 % 4, turn);
    for (int data = 0; data < TEST_DATA_END; data++)
        for (uint64_t replaced = data % 2; replaced < (desc->value_size > 0 ? 4 : 2); replaced += 2)
            check(self, order, SOME, data, replaced, turn++);
    for (size_t count = LARGE; count <= max_count; count += VERY_LARGE - LARGE)
        check(self, order, count, turn % TEST_DATA_END, turn % 4, turn);
}

/* All sizes, or some of special elements. With 2^33 whatever counts elements takes 64 bits, which the sample sort
 * refuses. */
static void check_plan(clprim_runtime *runtime, clprim_comparison_sort_desc desc, const test_order *order,
                       uint64_t seed)
{
    test_call self;
    desc.max_count = seed % 4 == 3 && desc.variant != CLPRIM_COMPARISON_SORT_SAMPLE_SORT ? (size_t)1 << 33 : 0;
    cr_assert(test_call_create(&self, runtime, &clprim_comparison_sort_operation, &desc));
    for (uint64_t i = 0; i < 3 && desc.nan_order == CLPRIM_NAN_LAST; i++)
        check(&self, order, i == 0 ? 257 : i == 1 ? SOME : LARGE, TEST_DATA_SPECIALS, (seed + i) % 4, seed + i);
    if (desc.nan_order == CLPRIM_NAN_TOTAL)
        check_all(&self, order, seed);
    test_call_destroy(&self);
}

/* In the total order. By default one type each; of what is stable those with values, for without nothing is to see.
 * AUTO is another one of them, and the radix sort has tests of its own. */
TEST_EACH(comparison_sort, way, WAYS, .timeout = 1700)
{
    static const size_t value_sizes[] = {4, 0, 8, 16, 1, 0, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1, 0, 128};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t values = 0; values < (test_is_full() ? 7 : 1); values++) {
            const size_t turn = *number * 3 + type + values;
            const size_t value_size = value_sizes[turn % 7];
            const test_order order = test_total_order((clprim_type)(type + 1));
            const clprim_comparison_sort_desc desc = {.key_type = order.type,
                                                      .variant = ways[*number].variant,
                                                      .stable = ways[*number].stable,
                                                      .value_size =
                                                          value_size == 0 && ways[*number].stable ? 4 : value_size,
                                                      .descending = turn % 2 == 1,
                                                      .work_group_size = group_sizes[turn % 6]};
            if (test_is_full() || (has_own_kernels(*number) && type == *number * 4 % TYPES))
                check_plan(runtime, desc, &order, turn);
        }
    /* In orders of the caller's; by default one each, which the other half of the ways does not meet. The sample sort
     * has one of its own below, and none at all. */
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_comparison_sort_desc desc = {.key_type = test_orders[i].type,
                                                  TEST_ORDER_MEMBERS(&test_orders[i]),
                                                  .variant = ways[*number].variant,
                                                  .stable = ways[*number].stable,
                                                  .descending = (i + *number) % 2 == 1,
                                                  .value_size = (i + *number) % 3 == 0 ? 4 : 0};
        if (desc.variant != CLPRIM_COMPARISON_SORT_RADIX &&
            (test_is_full() || (*number > 0 && *number != SAMPLE_WAY && i == *number % TEST_ORDERS)))
            check_plan(runtime, desc, &test_orders[i], i + *number);
    }
    /* NaNs behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
    for (size_t i = 0; i < (*number == 0 ? 2 : 1); i++) {
        const test_order order = test_total_order(*number > 0 ? CLPRIM_F32 : i == 0 ? CLPRIM_F16 : CLPRIM_F64);
        const clprim_comparison_sort_desc desc = {.key_type = order.type,
                                                  .nan_order = CLPRIM_NAN_LAST,
                                                  .variant = ways[*number].variant,
                                                  .stable = ways[*number].stable,
                                                  .value_size = ways[*number].stable ? 4 : 0,
                                                  .descending = (i + *number) % 2 == 0};
        if (desc.variant != CLPRIM_COMPARISON_SORT_CPU_CHUNK || desc.stable) /* else the same kernels */
            check_plan(runtime, desc, &order, i);
    }
    clprim_runtime_destroy(runtime);
}

/* What is no order still gives a permutation: the elements say which one is no order, and where they were. */
static void judge_permutation(const test_call *self, size_t i, void *got, const char *what)
{
    const size_t count = self->arrays[i].length;
    const uint32_t *before = ((const clprim_comparison_sort_call *)(const void *)self->on_host.bytes)->keys_in.host;
    unsigned char *seen = test_allocate(count);
    memset(seen, 0, count);
    for (size_t k = 0; k < count; k++) {
        uint32_t element[2];
        memcpy(element, (char *)got + k * sizeof element, sizeof element);
        cr_assert(element[1] < count && seen[element[1]] == 0 && element[0] == before[2 * element[1]],
                  "%s: element %zu is no other's", what, k);
        seen[element[1]] = 1;
    }
    free(seen);
}

static void check_permutations(const clprim_comparison_sort_desc *desc)
{
    static const size_t counts[] = {2, 17, 257, 1000, 3001, 5000, 9001, 40001, LARGE};
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *before = test_memory(0, (size_t)LARGE * 8);
    test_call self;
    cr_assert(test_call_create(&self, runtime, &clprim_comparison_sort_operation, desc));
    self.judge = judge_permutation;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint32_t kind = 0; kind < 4; kind++) {
            uint64_t random = kind + counts[c];
            for (size_t i = 0; i < counts[c]; i++) {
                before[2 * i] = (uint32_t)test_random(&random) << 2 | kind;
                before[2 * i + 1] = (uint32_t)i;
            }
            test_call_fill(&self,
                           &(clprim_comparison_sort_call){
                               .keys_in = {.host = before}, .count = counts[c], .keys_out = {.host = before}},
                           kind);
            test_call_check(&self, "kind %u", kind);
        }
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* Of an element's bits x and another one's, y. */
#define NO_ORDERS                                                                                                      \
    "(x & 3) == 0 ? 1 : (x & 3) == 1 ? (x * 2654435761u ^ y * 40503u) >> 16 & 1 : (x & 3) == 2 ?"                      \
    " ((y >> 2) - (x >> 2) & 0xffffu) < 0x8000u : (x ^ y) >> 5 & 1"

TEST_EACH(comparison_sort, without_any_order, 4, .timeout = 1700)
{
    static const size_t places[] = {2, 3, 6, SAMPLE_WAY}; /* kernels of their own */
    const clprim_comparison_sort_desc desc = {.type_name = "marked",
                                              .type_size = 8,
                                              .source = "typedef struct { uint bits, place; } marked;\n"
                                                        "static int is_less(uint x, uint y) { return " NO_ORDERS "; }",
                                              .less = "is_less(a.bits, b.bits)",
                                              .variant = ways[places[*number]].variant,
                                              .stable = ways[places[*number]].stable};
    check_permutations(&desc);
}

/* Buckets of built-in types are filled up, which must not be seen. */
Test(comparison_sort, numbers_without_any_order, .timeout = 1700)
{
    const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U64,
                                              .source = "static int is_less(uint x, uint y) { return " NO_ORDERS "; }",
                                              .less = "is_less((uint)a, (uint)b)",
                                              .variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT};
    check_permutations(&desc);
}

/* In groups of the size that is usual on CPUs, which PoCL 3.1 once compiled wrongly. */
Test(comparison_sort, samples_of_u32, .timeout = 600)
{
    const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U32, .variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT};
    const test_order order = test_total_order(CLPRIM_U32);
    clprim_runtime *runtime = test_runtime(NULL);
    check_plan(runtime, desc, &order, 1);
    clprim_runtime_destroy(runtime);
}

/* A plan whose samples miss everything: but for what is equal to the first element, all is too large for a work-group,
 * and merged. */
Test(comparison_sort, samples_that_miss_everything, .timeout = 600)
{
    static const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U16,
                                                     .less = "a < b",
                                                     .value_size = sizeof(cl_uint),
                                                     .variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT};
    const test_mistake blindly = {"comparison_sort/sample.cl", "return s.begin + begin",
                                  "return s.begin; return begin"};
    const test_order total = test_total_order(CLPRIM_U16);
    char directory[TEST_PATH_SIZE];
    test_call self;
    test_kernels_with(directory, &blindly, 1);
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert(test_call_create(&self, runtime, &clprim_comparison_sort_operation, &desc));
    check_all(&self, &total, TEST_SEED);
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
    test_kernels_end(directory);
}

/* Where AUTO takes the sample sort, which it does on no CPU, its plan has another for few elements. */
Test(comparison_sort, auto_takes_samples_of_many, .timeout = 600)
{
    enum { FROM = 1 << 21 };
    static const struct {
        bool stable;
        size_t max_count;
        bool by_samples;
    } rows[] = {{false, FROM, true}, {true, FROM, false}, {false, FROM - 1, false}};
    clprim_runtime *runtime = test_runtime(NULL);
    runtime->info.kind = CLPRIM_DEVICE_OTHER; /* no call of these plans is made: they are not for this device */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U64, /* few of which are compiled sooner */
                                                  .less = "a < b",
                                                  .value_size = 8,
                                                  .stable = rows[i].stable,
                                                  .max_count = rows[i].max_count,
                                                  .work_group_size = 8};
        clprim_plan *plan = NULL;
        ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, &desc));
        const clprim__comparison_sort_plan *own = (clprim__comparison_sort_plan *)(void *)plan;
        cr_assert_eq(clprim_plan_variant(plan)->id == (int)CLPRIM_COMPARISON_SORT_SAMPLE_SORT, rows[i].by_samples);
        cr_assert_eq(own->few_below, rows[i].by_samples ? FROM : 0);
        if (rows[i].by_samples)
            cr_assert_eq(clprim_plan_variant(own->few)->id, (int)CLPRIM_COMPARISON_SORT_MERGE_NETWORK);
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

/* Few elements are merged, with the same scratch memory. */
Test(comparison_sort, few_elements_of_many, .timeout = 600)
{
    enum { FROM = 3000 };
    const test_order total = test_total_order(CLPRIM_U16);
    clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U16,
                                        .less = "a < b",
                                        .value_size = sizeof(cl_uint),
                                        .variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT};
    test_call self;
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert(test_call_create(&self, runtime, &clprim_comparison_sort_operation, &desc));
    clprim__comparison_sort_plan *own = (clprim__comparison_sort_plan *)(void *)self.plan;
    desc.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK;
    desc.max_count = own->few_below = FROM;
    ASSERT_OK(clprim_comparison_sort_create(&own->few, runtime, &desc));
    check_all(&self, &total, TEST_SEED + 1);
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

enum { MAX_COUNT = 1030 };

/* The total order as the radix sort's reference has it, which knows nothing of comparisons. */
Test(comparison_sort_host, reference_in_the_total_order)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 33, 100, MAX_COUNT};
    static unsigned char keys[2][MAX_COUNT * 8];
    static uint32_t values[2][MAX_COUNT];
    for (int type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int data = 0; data < TEST_DATA_END; data++) {
                const bool descending = (type + data) % 2 == 1;
                const clprim_reference_sort_how radix = {
                    .key_type = (clprim_type)type, .value_size = 4, .descending = descending};
                const clprim_reference_comparison_how how = {
                    .type = (clprim_type)type, .value_size = 4, .descending = descending};
                const size_t size = clprim_type_size((clprim_type)type);
                for (int i = 0; i < 2; i++) {
                    test_fill_elements(keys[i], (clprim_type)type, size, (test_data)data, counts[c], c);
                    test_fill_values(values[i], 4, counts[c]);
                }
                ASSERT_OK(clprim_reference_sort(keys[0], values[0], &radix, counts[c]));
                ASSERT_OK(clprim_reference_comparison_sort(keys[1], values[1], &how, counts[c]));
                test_expect_same(keys[0], keys[1], size, counts[c], clprim_type_name((clprim_type)type));
                test_expect_same(values[0], values[1], 4, counts[c], clprim_type_name((clprim_type)type));
            }
}

/* In orders of the caller's nothing comes before what is before it, and what is equal is in the order of the values. */
Test(comparison_sort_host, reference_in_orders_of_the_callers)
{
    static unsigned char keys[MAX_COUNT * 40];
    static uint32_t values[MAX_COUNT];
    for (size_t o = 0; o < TEST_ORDERS; o++)
        for (int descending = 0; descending < 2; descending++) {
            const test_order *order = &test_orders[o];
            const clprim_reference_comparison_how how = {.type = order->type,
                                                         .before = order->before,
                                                         .size = order->size,
                                                         .value_size = 4,
                                                         .descending = descending};
            bool seen[MAX_COUNT] = {false};
            test_fill_elements(keys, order->type, order->size, TEST_DATA_RANDOM, MAX_COUNT, o);
            test_fill_values(values, 4, MAX_COUNT);
            ASSERT_OK(clprim_reference_comparison_sort(keys, values, &how, MAX_COUNT));
            for (size_t i = 0; i < MAX_COUNT; i++) {
                const unsigned char *b = keys + i * order->size;
                const unsigned char *a = i > 0 ? b - order->size : b;
                const bool follows = descending ? order->before(b, a) : order->before(a, b);
                const bool precedes = descending ? order->before(a, b) : order->before(b, a);
                cr_assert(i == 0 || (!precedes && (follows || values[i - 1] < values[i])), "%s: element %zu",
                          order->name, i);
                cr_assert(values[i] < MAX_COUNT && !seen[values[i]], "%s: value %u twice", order->name, values[i]);
                seen[values[i]] = true;
            }
        }
}

Test(comparison_sort_host, what_the_reference_refuses)
{
    static const struct {
        clprim_reference_comparison_how how;
        bool has_data, has_values;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, true, false, "type"}, {{.size = 12}, true, false, "before"},
        {{.descending = true}, false, false, "data"},     {{.descending = true}, true, true, "values"},
        {{.value_size = 4}, true, false, "values"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t data[2] = {77, 7};
        uint32_t values[2] = {99, 98};
        ASSERT_STATUS(clprim_reference_comparison_sort(rows[i].has_data ? data : NULL,
                                                       rows[i].has_values ? values : NULL, &rows[i].how, 2),
                      CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert(data[0] == 77 && data[1] == 7 && values[0] == 99);
    }
    ASSERT_OK(clprim_reference_comparison_sort(NULL, NULL, NULL, 0));
}
