// SPDX-License-Identifier: MIT
/* test_nth_element.c: keys at given ranks, with each variant, for every type of key, compared with the reference, which
 * is checked against results known in advance: one rank and many, in any order, repeated, at both ends and past the
 * last key; sizes around tiles and chunks, and keys that are hard to select from. */
#include "ordered.h"

enum {
    TYPES = CLPRIM_TYPE_END - 1,
    SELECTED = CLPRIM_NTH_ELEMENT_SELECTED_RANKS,
    MOST = 1000 /* ranks, by SORT */
};
#define VARIANTS ((size_t)test_last_variant(&clprim_nth_element_operation) + 1) /* with AUTO */

static uint64_t wide[MOST];
static uint32_t narrow[MOST];

/* How ranks are distributed. */
typedef enum spread {
    ANYWHERE, /* also at both ends, and some of them twice */
    EVEN,     /* quantiles */
    ALL_SAME, /* in the middle */
    NEIGHBOURS,
    BEHIND, /* some are past the last key: they count as the last key's */
    SPREADS
} spread;

static const char *const spread_names[] = {"anywhere", "quantiles", "all the same", "neighbours", "behind the last"};

static uint64_t rank_of(spread how, size_t r, size_t rank_count, size_t count, uint64_t seed)
{
    const uint64_t any = (seed + r) * 0x9e3779b97f4a7c15u >> 20;
    switch (how) {
    case EVEN: return rank_count > 1 ? r * (count - 1) / (rank_count - 1) : (count - 1) / 2;
    case ALL_SAME: return count / 2;
    case NEIGHBOURS: return (count / 3 + rank_count - r) % count;
    case BEHIND: return r % 3 == 0 ? count + (r % 2 == 0 ? 0 : UINT32_MAX - count) : any % count;
    default: return r == rank_count - 1 ? 0 : r % 5 == 3 ? count - 1 : any / 2 % count;
    }
}

static void check(test_call *self, size_t count, size_t rank_count, spread how, test_data data, uint64_t seed)
{
    const clprim_nth_element_desc *desc = (const void *)&self->desc;
    const bool is_wide = desc->index_type == CLPRIM_U64;
    for (size_t r = 0; r < rank_count; r++) {
        wide[r] = count > 0 ? rank_of(how, r, rank_count, count, seed) : r;
        narrow[r] = (uint32_t)wide[r];
    }
    test_call_fill_data(self,
                        &(clprim_nth_element_call){.count = count,
                                                   .ranks = {.host = is_wide ? (void *)wide : narrow},
                                                   .rank_count = rank_count},
                        data, seed);
    test_call_check(self, "%zu ranks %s, %s", rank_count, spread_names[how], test_data_name(data));
}

/* One plan: each kind of data with one rank and with others; counts around tiles and chunks; every distribution of the
 * maximal number of ranks. */
static void check_plan(clprim_runtime *runtime, const clprim_nth_element_desc *desc, uint64_t seed)
{
    static const size_t sizes[] = {0,    1,    2,    3,     31,    63,    64,    65,    127,   128,   255,
                                   256,  257,  511,  513,   1023,  1025,  2047,  2048,  2049,  4095,  4097,
                                   8191, 8193, 8200, 16383, 16385, 32767, 32768, 32769, 65535, 65537, TEST_SORT_LARGE};
    const size_t most = desc->max_ranks != 0 ? desc->max_ranks : SELECTED;
    const size_t some[] = {1, 2, 7, 64, most};
    uint64_t turn = seed * 1000;
    test_call self;
    if (!test_call_create(&self, runtime, &clprim_nth_element_operation, desc))
        return;
    for (int data = 0; data < TEST_DATA_END; data++, turn++)
        for (size_t i = 0; i < 2; i++) {
            const size_t ranks = i == 0 ? 1 : some[1 + turn % 4];
            check(&self, TEST_SORT_SOME, ranks <= most ? ranks : most, turn % BEHIND, data, turn);
        }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++) {
        const size_t ranks = some[turn % 5];
        check(&self, sizes[i], ranks <= most ? ranks : most, turn % SPREADS, turn % TEST_DATA_END, turn);
    }
    for (int how = 0; how < SPREADS; how++, turn++)
        check(&self, TEST_SORT_LARGE, most, how, TEST_DATA_RANDOM, turn);
    check(&self, TEST_SORT_LARGE, 1, EVEN, TEST_DATA_RANDOM, turn);
    check(&self, TEST_SORT_LARGE, 0, EVEN, TEST_DATA_RANDOM, turn);
    test_call_destroy(&self);
}

/* RADIX_SELECT's kernels take seconds to compile for CPU devices, and depend on the type in the same ways as
 * CPU_CHUNK's. */
static bool is_wanted(clprim_runtime *runtime, clprim_nth_element_variant variant, size_t type)
{
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const bool is_slow = variant == CLPRIM_NTH_ELEMENT_AUTO || (variant == CLPRIM_NTH_ELEMENT_RADIX_SELECT && is_cpu);
    return !is_slow || type % 3 == 0 || type == TYPES - 1 || test_is_full();
}

TEST_EACH_WITH_RUNTIME(nth_element, types, VARIANTS)
{
    static const size_t ranks[] = {0, 1, 64, 7, 2};
    static const size_t group_sizes[] = {0, 2, 0, 32, 0, 1024, 0, 128};
    for (size_t type = 0; type < TYPES; type++) {
        const size_t turn = type + number;
        if (is_wanted(runtime, (clprim_nth_element_variant)number, type))
            check_plan(runtime,
                       &(clprim_nth_element_desc){.key_type = (clprim_type)(type + 1),
                                                  .descending = turn % 2 == 1,
                                                  .max_ranks = ranks[turn % 5],
                                                  .index_type = turn % 3 == 1 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                                  .max_count = turn % 4 == 2 ? (size_t)1 << 20 : 0,
                                                  .variant = (clprim_nth_element_variant)number,
                                                  .work_group_size = group_sizes[turn % 8]},
                       turn);
    }
}

/* NaNs last; counts of 64 bits; more ranks than slots. */
TEST_EACH_WITH_RUNTIME(nth_element, special_plans, VARIANTS)
{
    const bool sorts = number == CLPRIM_NTH_ELEMENT_AUTO || number == CLPRIM_NTH_ELEMENT_SORT;
    const clprim_nth_element_desc specials[] = {
        {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST, .descending = number % 2 == 0},
        {.key_type = CLPRIM_U32, .index_type = CLPRIM_U64, .max_count = (size_t)1 << 33},
        {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST, .max_ranks = 3},
        {.key_type = CLPRIM_I32, .max_ranks = MOST}};
    for (size_t i = 0; i < (sorts ? 4 : 3); i++) {
        clprim_nth_element_desc desc = specials[i];
        desc.variant = (clprim_nth_element_variant)number;
        check_plan(runtime, &desc, number + i);
    }
}

enum { NESTED = 1 << 19, NESTED_DIGIT = 11, NESTED_SHARE = 5 };

static uint64_t nested[NESTED];

/* Each digit of a key equals the wanted key's digit, or is random: among candidates, too, few have the wanted next
 * digit. So there is a list of the keys, a list of that list, and so on. */
TEST_BY_VARIANT(nth_element, lists_of_lists, clprim_nth_element_operation)
{
    const uint64_t wanted = 0x8123456789abcdefu;
    uint64_t random = 7;
    size_t less = 0;
    for (size_t i = 0; i < NESTED; i++) {
        nested[i] = wanted;
        for (int shift = 64 - NESTED_DIGIT; shift >= 0; shift -= NESTED_DIGIT) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            if ((random >> 40) % NESTED_SHARE == 0)
                continue;
            const uint64_t rest = UINT64_MAX >> (64 - NESTED_DIGIT - shift); /* this digit, and the lower ones */
            nested[i] = (wanted & ~rest) | ((random ^ random >> 32) & rest);
            break;
        }
        less += nested[i] < wanted;
    }
    const clprim_nth_element_desc desc = {.key_type = CLPRIM_U64,
                                          .index_type = CLPRIM_U64,
                                          .max_ranks = 3,
                                          .variant = (clprim_nth_element_variant)variant};
    const uint64_t ranks[] = {less, less + 1000, 0};
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_nth_element_operation, &desc))
        for (size_t rank_count = 1; rank_count <= 3; rank_count++) {
            test_call_fill(&self,
                           &(clprim_nth_element_call){.keys_in = {.host = nested},
                                                      .count = NESTED,
                                                      .ranks = {.host = (void *)ranks},
                                                      .rank_count = rank_count},
                           rank_count);
            test_call_check(&self, "%zu ranks", rank_count);
        }
}

/* The actual number of elements is on the device: ranks past it count as the last element's. */
TEST_BY_VARIANT(nth_element, counted, clprim_nth_element_operation)
{
    enum { COUNT = 40001 };
    static uint32_t keys[COUNT];
    static const uint32_t counts[] = {COUNT, 0, 1, 2, 255, 4097, COUNT - 1, COUNT + 1};
    const uint32_t ranks[] = {0, COUNT - 1, COUNT / 2, 3};
    uint32_t out[] = {7, 7, 7, 7};
    const clprim_nth_element_desc desc = {.count_at_type = CLPRIM_U32, .variant = (clprim_nth_element_variant)variant};
    test_fill_elements(keys, CLPRIM_U32, 4, TEST_DATA_RANDOM, COUNT, 3);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_nth_element_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const size_t there = counts[i] < COUNT ? counts[i] : COUNT;
            uint32_t at = counts[i];
            uint64_t known[4];
            for (size_t r = 0; r < 4; r++)
                known[r] = ranks[r];
            ASSERT_OK(clprim_reference_nth_element(out, NULL, keys, there, known, 4));
            test_call_fill(&self,
                           &(clprim_nth_element_call){.keys_in = {.host = keys},
                                                      .count_at = {.host = &at},
                                                      .count = COUNT,
                                                      .ranks = {.host = (void *)ranks},
                                                      .rank_count = 4,
                                                      .keys_out = {.host = out}},
                           i);
            if (there > 0)
                test_call_check(&self, "%zu of %d", there, COUNT);
        }
}

/* Keys, ranks, and the keys expected at these ranks. */
#define BY_HEART(type_, c_type, keys_, ranks_, expected, ...)                                                          \
    {                                                                                                                  \
        const c_type keys[] = TEST_IN_BRACES keys_;                                                                    \
        const uint64_t ranks[] = TEST_IN_BRACES ranks_;                                                                \
        const c_type wanted[] = TEST_IN_BRACES expected;                                                               \
        c_type got[sizeof wanted / sizeof *wanted];                                                                    \
        const clprim_reference_nth_element_how how = {.key_type = CLPRIM_##type_, __VA_ARGS__};                        \
        ASSERT_OK(clprim_reference_nth_element(got, &how, keys, sizeof keys / sizeof *keys, ranks,                     \
                                               sizeof ranks / sizeof *ranks));                                         \
        test_expect_same(wanted, got, sizeof *got, sizeof got / sizeof *got, #type_ " " #keys_);                       \
    }

Test(nth_element_host, by_heart){
    BY_HEART(U8, uint8_t, (5, 255, 0, 5, 128), (0, 1, 2, 3, 4), (0, 5, 5, 128, 255), .descending = false)
        BY_HEART(U8, uint8_t, (5, 255, 0, 5, 128), (4, 0, 0, 9), (0, 255, 255, 0), .descending = true)
            BY_HEART(TYPE_DEFAULT, uint32_t, (0x01000000, 0x00ffffff, 0x80000000, 0), (2, 1), (0x01000000, 0x00ffffff),
                     .descending = false) BY_HEART(I64, int64_t, (0, INT64_MAX, INT64_MIN, -1, 1), (2, 0, 4),
                                                   (0, INT64_MIN, INT64_MAX), .descending = false)
                BY_HEART(F32, float, (0.0f, -0.0f, 1e-45f, -1e-45f), (1, 2, 0), (-0.0f, 0.0f, -1e-45f),
                         .descending = false)
    /* NaN, -NaN, inf, -inf: by default at both ends */
    BY_HEART(F16, uint16_t, (0x7e00, 0xfe00, 0x7c00, 0xfc00), (0, 1, 3), (0xfe00, 0xfc00, 0x7e00), .descending = false)
        BY_HEART(F16, uint16_t, (0x7e00, 0xfe00, 0x7c00, 0xfc00), (0, 1), (0xfc00, 0x7c00),
                 .nan_order = CLPRIM_NAN_LAST)
            BY_HEART(BF16, uint16_t, (0x7fc0, 0xffc0, 0x7f80, 0xff80, 0x7f81), (0, 1, 2, 4),
                     (0xff80, 0x7f80, 0x7f81, 0xffc0), .nan_order = CLPRIM_NAN_LAST)}

Test(nth_element_host, refusals)
{
#define INVALID(named, by_reference, ...) TEST_INVALID(nth_element, named, by_reference, __VA_ARGS__)
    TEST_REFUSE_EACH(nth_element, INVALID("type", true, .key_type = CLPRIM_TYPE_END),
                     INVALID("nan_order", true, .nan_order = (clprim_nan_order)9),
                     INVALID("index_type", false, .index_type = CLPRIM_I32),
                     INVALID("index_type", false, .max_count = (size_t)1 << 33),
                     INVALID("max_ranks", false, .max_ranks = SELECTED + 1, .variant = CLPRIM_NTH_ELEMENT_RADIX_SELECT),
                     INVALID("max_ranks", false, .max_ranks = SIZE_MAX, .variant = CLPRIM_NTH_ELEMENT_CPU_CHUNK));
}

/* Ranks on the host that do not exist, and too many ranks. */
TEST_WITH_RUNTIME(nth_element, ranks_are_refused)
{
    const uint32_t keys[] = {3, 1, 2};
    const uint32_t ranks[] = {0, 2, 3};
    uint32_t out[] = {77, 78, 79};
    clprim_nth_element_call call = {.keys_in = {.host = (void *)keys},
                                    .count = 3,
                                    .ranks = {.host = (void *)ranks},
                                    .rank_count = 3,
                                    .keys_out = {.host = out}};
    const clprim_nth_element_desc few = {.max_ranks = 2};
    ASSERT_REFUSED(clprim_nth_element_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "ranks[2] is 3");
    ASSERT_REFUSED(clprim_nth_element_run(runtime, &few, &call), CLPRIM_INVALID_RANGE, "max_ranks 2");
    call.count = 0;
    ASSERT_REFUSED(clprim_nth_element_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "ranks[0] is 0");
    cr_assert(out[0] == 77 && out[1] == 78 && out[2] == 79, "a refusal must not write");
    call.rank_count = 0;
    ASSERT_OK(clprim_nth_element_run(runtime, NULL, &call));
    call.count = 3;
    call.rank_count = 2;
    ASSERT_OK(clprim_nth_element_run(runtime, NULL, &call));
    cr_assert(out[0] == 1 && out[1] == 3 && out[2] == 79);
    call.ranks.offset = 1;
    ASSERT_REFUSED(clprim_nth_element_run(runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "ranks[1] is 3");
}

Test(nth_element_host, reference_refuses)
{
    const uint32_t keys[2] = {77, 7};
    const uint64_t ranks[1] = {0};
    uint32_t out[1] = {99};
#define REFUSED(culprit, out, keys, ranks)                                                                             \
    ASSERT_REFUSED(clprim_reference_nth_element(out, NULL, keys, 2, ranks, 1), CLPRIM_INVALID_ARGUMENT, culprit)
    REFUSED("keys_out", NULL, keys, ranks);
    REFUSED("keys", out, NULL, ranks);
    REFUSED("ranks", out, keys, NULL);
    cr_assert(out[0] == 99, "a refusal must not write");
}
