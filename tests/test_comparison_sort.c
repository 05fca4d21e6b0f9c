/* test_comparison_sort.c: every variant, stable and not, sorts types of elements, alone and with values of all sizes,
 * in both directions and in orders of the caller's, for sizes around all edges, offsets and kinds of elements, in place
 * and not; and orders that are none give a permutation. By default each variant meets some of the types; values,
 * directions and groups take turns. With CLPRIM_TEST_FULL set, every variant meets every type with all kinds of values.
 */
#include <stdlib.h>

#include "comparison_sort_internal.h"
#include "runtime_internal.h"
#include "test_comparison_sort.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

/* Around powers of two, where work-groups, tiles and chunks end; and in between. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    15,   16,   17,    31,
                               32,   33,   63,   64,   65,   127,  129,  255,  256,  257,  511,  513,   768,
                               1000, 1023, 1024, 1025, 2047, 2049, 3000, 4097, 6143, 8191, 8193, 16384, 16385};
static const size_t offsets[] = {0, 1, 3, COMPARISON_MAX_OFFSET};

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

/* The turn decides on offsets, different ones for each array, on what is in place, and on the elements. */
static comparison_call call_of_turn(uint64_t turn, size_t count)
{
    uint64_t random = turn;
    const uint64_t r = test_random(&random);
    comparison_call c = {.count = count, .seed = turn, .data = (test_data)((r >> 32) % TEST_DATA_END)};
    for (int a = 0; a < COMPARISON_ARRAYS; a++)
        c.offsets[a] = offsets[(r >> 2 * a) % 4];
    c.in_place[COMPARISON_KEYS_IN] = (r >> 16) % 2 == 1;
    c.in_place[COMPARISON_VALUES_IN] = (r >> 17) % 2 == 1;
    c.repeat = count < 5000 ? 1 + (unsigned)(r >> 24) % 2 : 1;
    return c;
}

static void check_all(comparison_subject *self, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    for (size_t i = 0; i < NUM_SIZES; i++) {
        const comparison_call c = call_of_turn(turn++, sizes[i]);
        comparison_check(self, &c);
    }
    for (int data = 0; data < TEST_DATA_END; data++)
        for (size_t in_place = 0; in_place < (self->desc.value_size > 0 ? 4 : 2); in_place++) {
            comparison_call c = call_of_turn(turn++, SOME);
            c.data = (test_data)data;
            c.in_place[COMPARISON_KEYS_IN] = in_place % 2 == 1;
            c.in_place[COMPARISON_VALUES_IN] = in_place / 2 == 1;
            comparison_check(self, &c);
        }
    for (size_t count = LARGE; count <= self->max_count; count += VERY_LARGE - LARGE) {
        const comparison_call c = call_of_turn(turn++, count);
        comparison_check(self, &c);
    }
}

/* A plan, all sizes. With 2^33 whatever counts elements takes 64 bits, which the sample sort refuses. */
static void check_plan(clprim_runtime *runtime, clprim_comparison_sort_desc desc, const test_order *order,
                       uint64_t seed)
{
    comparison_subject self;
    desc.max_count = seed % 4 == 3 && desc.variant != CLPRIM_COMPARISON_SORT_SAMPLE_SORT ? (size_t)1 << 33 : 0;
    comparison_create(&self, runtime, desc, order, test_is_full() ? VERY_LARGE : LARGE);
    check_all(&self, seed);
    comparison_destroy(&self);
}

ParameterizedTestParameters(comparison_sort, type)
{
    static size_t places[WAYS];
    for (size_t i = 0; i < WAYS; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, WAYS);
}

/* In the total order. By default one type each; of what is stable those with values, for without nothing is to see.
 * AUTO is another one of them, and the radix sort has tests of its own. */
ParameterizedTest(size_t *place, comparison_sort, type, .timeout = 1700)
{
    static const size_t value_sizes[] = {4, 0, 8, 16, 1, 0, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1, 0, 128};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t values = 0; values < (test_is_full() ? 7 : 1); values++) {
            const size_t turn = *place * 3 + type + values;
            const size_t value_size = value_sizes[turn % 7];
            const clprim_comparison_sort_desc desc = {.key_type = (clprim_type)(type + 1),
                                                      .variant = ways[*place].variant,
                                                      .stable = ways[*place].stable,
                                                      .value_size =
                                                          value_size == 0 && ways[*place].stable ? 4 : value_size,
                                                      .descending = turn % 2 == 1,
                                                      .work_group_size = group_sizes[turn % 6]};
            if (test_is_full() || (has_own_kernels(*place) && type == *place * 4 % TYPES))
                check_plan(runtime, desc, NULL, turn);
        }
    clprim_runtime_destroy(runtime);
}

ParameterizedTestParameters(comparison_sort, order)
{
    static size_t places[WAYS];
    for (size_t i = 0; i < WAYS; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, WAYS);
}

/* In orders of the caller's; by default one each, which the other half of the ways does not meet. The sample sort has
 * one of its own below, and none at all. */
ParameterizedTest(size_t *place, comparison_sort, order, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        clprim_comparison_sort_desc desc = comparison_desc_of(&test_orders[i]);
        desc.variant = ways[*place].variant;
        desc.stable = ways[*place].stable;
        desc.descending = (i + *place) % 2 == 1;
        desc.value_size = (i + *place) % 3 == 0 ? 4 : 0;
        if (desc.variant != CLPRIM_COMPARISON_SORT_RADIX &&
            (test_is_full() || (*place > 0 && *place != SAMPLE_WAY && i == *place % TEST_ORDERS)))
            check_plan(runtime, desc, &test_orders[i], i + *place);
    }
    clprim_runtime_destroy(runtime);
}

/* What is no order still gives a permutation: the elements say which one is no order. */
static void check_permutation(clprim_plan *plan, clprim_runtime *runtime, uint32_t kind, size_t count)
{
    uint32_t *before = test_allocate(count * 8);
    uint32_t *after = test_allocate(count * 8);
    unsigned char *seen = test_allocate(count);
    uint64_t random = kind + count;
    for (size_t i = 0; i < count; i++) {
        before[2 * i] = (uint32_t)test_random(&random) << 2 | kind;
        before[2 * i + 1] = (uint32_t)i;
    }
    cl_mem in = test_upload(runtime, before, count * 8);
    cl_mem out = test_buffer(runtime, count * 8);
    ASSERT_OK(clprim_comparison_sort_enqueue(
        plan, NULL, &(clprim_comparison_sort_call){.keys_in = {in}, .count = count, .keys_out = {out}}, 0, NULL, NULL));
    test_read(runtime, after, out, count * 8);
    memset(seen, 0, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = after[2 * i + 1];
        cr_assert(at < count && seen[at] == 0 && after[2 * i] == before[2 * at],
                  "%s, kind %u: element %zu of %zu is no other's", clprim_plan_variant(plan)->name, kind, i, count);
        seen[at] = 1;
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    free(before);
    free(after);
    free(seen);
}

ParameterizedTestParameters(comparison_sort, without_any_order)
{
    static size_t places[] = {2, 3, 6, SAMPLE_WAY}; /* kernels of their own */
    return cr_make_param_array(size_t, places, sizeof places / sizeof *places);
}

static void check_permutations(const clprim_comparison_sort_desc *desc)
{
    static const size_t counts[] = {2, 17, 257, 1000, 3001, 5000, 9001, 40001, LARGE};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, desc));
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint32_t kind = 0; kind < 4; kind++)
            check_permutation(plan, runtime, kind, counts[c]);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

/* Of an element's bits x and another one's, y. */
#define NO_ORDERS                                                                                                      \
    "(x & 3) == 0 ? 1 : (x & 3) == 1 ? (x * 2654435761u ^ y * 40503u) >> 16 & 1 : (x & 3) == 2 ?"                      \
    " ((y >> 2) - (x >> 2) & 0xffffu) < 0x8000u : (x ^ y) >> 5 & 1"

ParameterizedTest(size_t *place, comparison_sort, without_any_order, .timeout = 1700)
{
    const clprim_comparison_sort_desc desc = {.type_name = "marked",
                                              .type_size = 8,
                                              .source = "typedef struct { uint bits, place; } marked;\n"
                                                        "static int is_less(uint x, uint y) { return " NO_ORDERS "; }",
                                              .less = "is_less(a.bits, b.bits)",
                                              .variant = ways[*place].variant,
                                              .stable = ways[*place].stable};
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
    clprim_runtime *runtime = test_runtime(NULL);
    check_plan(runtime, desc, NULL, 1);
    clprim_runtime_destroy(runtime);
}

/* A plan whose samples miss everything: but for what is equal to the first element, all is too large for a work-group,
 * and merged. */
Test(comparison_sort, samples_that_miss_everything, .timeout = 600)
{
    const test_order order = {.type = CLPRIM_U16, .less = "a < b", .size = 2, .name = "less"};
    clprim_comparison_sort_desc desc = comparison_desc_of(&order);
    const test_mistake blindly = {"comparison_sort/sample.cl", "return s.begin + begin",
                                  "return s.begin; return begin"};
    char directory[TEST_PATH_SIZE];
    test_kernels_with(directory, &blindly, 1);
    clprim_runtime *runtime = test_runtime(NULL);
    comparison_subject self;
    desc.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT;
    desc.value_size = sizeof(cl_uint);
    comparison_create(&self, runtime, desc, NULL, LARGE);
    check_all(&self, TEST_SEED);
    comparison_destroy(&self);
    clprim_runtime_destroy(runtime);
    test_kernels_end(directory);
}

static clprim__comparison_sort_plan *plan_of(const comparison_subject *self)
{
    return (clprim__comparison_sort_plan *)(void *)self->plan;
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
        comparison_subject self = {.runtime = runtime};
        ASSERT_OK(clprim_comparison_sort_create(&self.plan, runtime, &desc));
        cr_assert_eq(clprim_plan_variant(self.plan)->id == (int)CLPRIM_COMPARISON_SORT_SAMPLE_SORT, rows[i].by_samples);
        cr_assert_eq(plan_of(&self)->few_below, rows[i].by_samples ? FROM : 0);
        if (rows[i].by_samples)
            cr_assert_eq(clprim_plan_variant(plan_of(&self)->few)->id, (int)CLPRIM_COMPARISON_SORT_MERGE_NETWORK);
        clprim_plan_destroy(self.plan);
    }
    clprim_runtime_destroy(runtime);
}

/* Few elements are merged, with the same scratch memory. */
Test(comparison_sort, few_elements_of_many, .timeout = 600)
{
    enum { FROM = 3000 };
    const test_order order = {.type = CLPRIM_U16, .less = "a < b", .size = 2, .name = "less"};
    clprim_comparison_sort_desc desc = comparison_desc_of(&order);
    clprim_runtime *runtime = test_runtime(NULL);
    comparison_subject self;
    desc.value_size = sizeof(cl_uint);
    desc.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT;
    comparison_create(&self, runtime, desc, NULL, LARGE);
    desc.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK;
    desc.max_count = plan_of(&self)->few_below = FROM;
    ASSERT_OK(clprim_comparison_sort_create(&plan_of(&self)->few, runtime, &desc));
    check_all(&self, TEST_SEED + 1);
    comparison_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
Test(comparison_sort, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < WAYS + 2; i++) {
        const way w = i < WAYS ? ways[i] : ways[0];
        const clprim_comparison_sort_desc desc = {.key_type = i < WAYS    ? CLPRIM_F32
                                                              : i == WAYS ? CLPRIM_F16
                                                                          : CLPRIM_F64,
                                                  .nan_order = CLPRIM_NAN_LAST,
                                                  .value_size = w.stable ? 4 : 0,
                                                  .descending = i % 2 == 0,
                                                  .variant = w.variant,
                                                  .stable = w.stable};
        comparison_subject self;
        if (i < WAYS && w.variant == CLPRIM_COMPARISON_SORT_CPU_CHUNK && !w.stable)
            continue; /* the same kernels */
        comparison_create(&self, runtime, desc, NULL, LARGE);
        for (uint64_t k = 0; k < 3; k++) {
            comparison_call c = call_of_turn(i * 100 + k, k == 0 ? 257 : k == 1 ? SOME : LARGE);
            c.data = TEST_DATA_SPECIALS;
            comparison_check(&self, &c);
        }
        comparison_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
