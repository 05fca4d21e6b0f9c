/* test_merge.c: every variant merges all types of elements, alone and with values of all sizes, in both directions and
 * in orders of the caller's, for sizes around all edges, offsets and kinds of elements, bit for bit as the reference
 * does, which is stable. By default each variant meets a quarter of the types, and each type one of the variants or
 * more; with CLPRIM_TEST_FULL set, every variant meets every type. */
#include "test_merge.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

/* Of a, and of b by other turns: around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 7, 31, 64, 65, 255, 256, 257, 513, 1023, 1025, 2047, 2816, 3000, 4096, 8193};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 5003,
    LARGE = 100003,
    VERY_LARGE = (1 << 20) + 7,
    TYPES = CLPRIM_TYPE_END - 1
};

static merge_call call_of_turn(uint64_t turn, size_t a_count, size_t b_count)
{
    static const size_t offsets[] = {0, 1, 3, MERGE_MAX_OFFSET};
    uint64_t random = turn;
    const uint64_t r = test_random(&random);
    merge_call c = {.a_count = a_count, .b_count = b_count, .seed = turn};
    c.data = (test_data)((r >> 32) % TEST_DATA_END);
    c.split = (merge_split)((r >> 40) % MERGE_SPLIT_END);
    for (int a = 0; a < MERGE_ARRAYS; a++)
        c.offsets[a] = offsets[(r >> 2 * a) % 4];
    return c;
}

static void check_all(merge_subject *self, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    for (size_t i = 0; i < NUM_SIZES; i++)
        for (size_t k = 0; k < 3; k++) { /* of b one of the same size, and others */
            const merge_call c = call_of_turn(turn++, sizes[i], sizes[(i * (k + 1) + 7 * k) % NUM_SIZES]);
            merge_check(self, &c);
        }
    for (int data = 0; data < TEST_DATA_END; data++)
        for (int split = 0; split < MERGE_SPLIT_END; split++) {
            merge_call c = call_of_turn(turn++, SOME, split % 2 == 0 ? SOME - 17 : 37);
            c.data = (test_data)data;
            c.split = (merge_split)split;
            merge_check(self, &c);
        }
    for (size_t count = LARGE; count <= self->max_count / 2; count += VERY_LARGE - LARGE) {
        const merge_call c = call_of_turn(turn++, count, count / 3);
        merge_check(self, &c);
    }
}

/* With 2^33 whatever counts elements takes 64 bits. */
static void check_plan(clprim_runtime *runtime, clprim_merge_desc desc, const test_order *order, uint64_t seed)
{
    merge_subject self;
    desc.max_count = seed % 4 == 3 ? (size_t)1 << 33 : 0;
    merge_create(&self, runtime, desc, order, 2 * (test_is_full() ? VERY_LARGE : LARGE));
    check_all(&self, seed);
    merge_destroy(&self);
}

static clprim_merge_desc desc_of(size_t variant, size_t type, size_t turn)
{
    static const size_t value_sizes[] = {0, 4, 0, 8, 0, 1, 16, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1, 0, 128};
    return (clprim_merge_desc){.key_type = (clprim_type)(type + 1),
                               .variant = (clprim_merge_variant)variant,
                               .value_size = value_sizes[turn % 8],
                               .descending = turn / 2 % 2 == 1,
                               .work_group_size = group_sizes[turn % 6]};
}

ParameterizedTestParameters(merge, variant)
{
    static size_t variants[MERGE_VARIANTS];
    for (size_t i = 0; i < MERGE_VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, MERGE_VARIANTS);
}

ParameterizedTest(size_t *place, merge, variant, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t values = 0; values < (test_is_full() ? 8 : 1); values++)
            if (test_is_full() || (type + 3 * *place) % 6 == 0)
                check_plan(runtime, desc_of(*place, type, *place * 5 + type / 4 + values), NULL, type + 1);
    clprim_runtime_destroy(runtime);
}

ParameterizedTestParameters(merge, order)
{
    static size_t variants[MERGE_VARIANTS];
    for (size_t i = 0; i < MERGE_VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, MERGE_VARIANTS);
}

ParameterizedTest(size_t *place, merge, order, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        clprim_merge_desc desc = merge_desc_of(&test_orders[i]);
        desc.variant = (clprim_merge_variant)*place;
        desc.descending = (i + *place) % 2 == 1;
        desc.value_size = i % 2 == 0 ? 4 : 0;
        if (test_is_full() || i == *place)
            check_plan(runtime, desc, &test_orders[i], i + 1);
    }
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
Test(merge, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < MERGE_VARIANTS + 2; i++) {
        const bool is_auto = i >= MERGE_VARIANTS;
        const clprim_merge_desc desc = {.key_type = !is_auto              ? CLPRIM_F32
                                                    : i == MERGE_VARIANTS ? CLPRIM_F16
                                                                          : CLPRIM_F64,
                                        .nan_order = CLPRIM_NAN_LAST,
                                        .value_size = i % 2 * 4,
                                        .descending = i % 2 == 0,
                                        .variant = is_auto ? CLPRIM_MERGE_AUTO : (clprim_merge_variant)i};
        merge_subject self;
        merge_create(&self, runtime, desc, NULL, 2 * SOME);
        for (int split = 0; split < MERGE_SPLIT_END; split++) {
            merge_call c = call_of_turn(i * 100 + (uint64_t)split, SOME, split == 0 ? SOME - 17 : 37);
            c.data = TEST_DATA_SPECIALS;
            c.split = (merge_split)split;
            merge_check(&self, &c);
        }
        merge_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* What is not in order may come out as anything, but where nothing should be written nothing is. */
Test(merge, ranges_that_are_not_in_order, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t variant = 1; variant < MERGE_VARIANTS; variant++) {
        merge_subject self;
        const clprim_merge_desc desc = {.variant = (clprim_merge_variant)variant};
        merge_create(&self, runtime, desc, NULL, 2 * LARGE);
        for (size_t i = 0; i < NUM_SIZES; i++) {
            merge_call c = call_of_turn(i, sizes[i], sizes[NUM_SIZES - 1 - i]);
            c.data = i % 2 == 0 ? TEST_DATA_RANDOM : TEST_DATA_REVERSED;
            c.is_unsorted = true;
            merge_check(&self, &c);
        }
        merge_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
