/* test_types.nans.c: CLPRIM_NAN_LAST: the references against vectors written by hand; what is refused by every
 * primitive that knows the order; and that plans of both orders live side by side. */
#include <clprim/clprim.h>
#include <clprim/reference.h>

#include "support.h"

enum { COUNT = 16, NUMBERS = 10, TYPES = 3 };

/* -inf, the least number, -1, a denormal, -0.0, and the same upwards; NaNs without and with the sign bit. */
static const struct {
    clprim_type type;
    uint64_t quiet, least, most; /* the NaN that results have, and what MIN and MAX of nothing are */
    uint64_t ascending[COUNT];
} vectors[TYPES] = {
    {CLPRIM_F16,
     0x7e00,
     0x7fff,
     0xffff,
     {0xfc00, 0xfbff, 0xbc00, 0x8001, 0x8000, 0x0000, 0x0001, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff, 0xffff,
      0xfe00, 0xfc01}},
    {CLPRIM_F32,
     0x7fc00000,
     0x7fffffff,
     0xffffffff,
     {0xff800000, 0xff7fffff, 0xbf800000, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3f800000, 0x7f7fffff,
      0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0xffffffff, 0xffc00000, 0xff800001}},
    {CLPRIM_F64,
     0x7ff8000000000000,
     0x7fffffffffffffff,
     0xffffffffffffffff,
     {0xfff0000000000000, 0xffefffffffffffff, 0xbff0000000000000, 0x8000000000000001, 0x8000000000000000,
      0x0000000000000000, 0x0000000000000001, 0x3ff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
      0x7ff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff, 0xffffffffffffffff, 0xfff8000000000000,
      0xfff0000000000001}},
};

/* What the order makes of elements in any other one. */
typedef struct elements {
    clprim_type type;
    size_t size;
    bool descending;
    unsigned char expected[COUNT * 8], mixed[COUNT * 8];
} elements;

static elements elements_of(size_t row, bool descending)
{
    elements e = {.type = vectors[row].type, .size = clprim_type_size(vectors[row].type), .descending = descending};
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t *bits = &vectors[row].ascending[descending ? COUNT - 1 - i : i];
        memcpy(e.expected + i * e.size, bits, e.size); /* little-endian, as all the devices there are */
        memcpy(e.mixed + (i * 7 + 3) % COUNT * e.size, bits, e.size);
    }
    return e;
}

static void expect(const elements *e, const void *got, const char *what)
{
    test_expect_same(e->expected, got, e->size, COUNT, what);
}

static void check_sorts(const elements *e)
{
    unsigned char got[3][COUNT * 8];
    const uint32_t offsets[] = {0, COUNT};
    const clprim_reference_sort_how by_radix = {
        .key_type = e->type, .descending = e->descending, .nan_order = CLPRIM_NAN_LAST};
    memcpy(got[0], e->mixed, sizeof got[0]);
    ASSERT_OK(clprim_reference_sort(got[0], NULL, &by_radix, COUNT));
    expect(e, got[0], "sort");
    memcpy(got[0], e->mixed, sizeof got[0]);
    ASSERT_OK(clprim_reference_segmented_sort(got[0], NULL, &by_radix, COUNT, CLPRIM_U32, offsets, 1));
    expect(e, got[0], "segmented_sort");
    const clprim_reference_sort_by_key_how by_key = {
        .key_type = e->type, .descending = e->descending, .element_sizes = {e->size}, .nan_order = CLPRIM_NAN_LAST};
    memcpy(got[0], e->mixed, sizeof got[0]);
    memcpy(got[1], e->mixed, sizeof got[1]);
    ASSERT_OK(clprim_reference_sort_by_key(got[0], (void *const[]){got[1]}, &by_key, COUNT));
    expect(e, got[0], "sort_by_key");
    expect(e, got[1], "sort_by_key's array");
    const clprim_reference_top_k_how first = {
        .key_type = e->type, .k = COUNT, .smallest = !e->descending, .nan_order = CLPRIM_NAN_LAST};
    ASSERT_OK(clprim_reference_top_k(got[2], NULL, &first, e->mixed, NULL, COUNT));
    expect(e, got[2], "top_k");
    const clprim_reference_comparison_how by_comparison = {
        .type = e->type, .descending = e->descending, .nan_order = CLPRIM_NAN_LAST};
    memcpy(got[0], e->mixed, sizeof got[0]);
    ASSERT_OK(clprim_reference_comparison_sort(got[0], NULL, &by_comparison, COUNT));
    expect(e, got[0], "comparison_sort");
    for (int step = 0; step < CLPRIM_REFERENCE_BITONIC_STEP_END; step++) {
        const clprim_reference_bitonic_how by_network = {.type = e->type,
                                                         .descending = e->descending,
                                                         .step = (clprim_reference_bitonic_step)step,
                                                         .nan_order = CLPRIM_NAN_LAST};
        memcpy(got[0], e->mixed, sizeof got[0]);
        ASSERT_OK(clprim_reference_bitonic_sort(got[0], NULL, &by_network, COUNT));
        expect(e, got[0], "bitonic_sort");
    }
}

static void check_orders(const elements *e)
{
    const clprim_reference_order order = {.type = e->type, .descending = e->descending, .nan_order = CLPRIM_NAN_LAST};
    const clprim_reference_order total = {.type = e->type, .descending = e->descending};
    unsigned char halves[2][COUNT * 8], merged[COUNT * 8];
    uint64_t places[COUNT];
    size_t sorted = 0;
    ASSERT_OK(clprim_reference_is_sorted(&sorted, &order, e->expected, COUNT));
    cr_assert_eq(sorted, COUNT);
    ASSERT_OK(clprim_reference_is_sorted(&sorted, &total, e->expected, COUNT));
    cr_assert_eq(sorted, e->descending ? 3 : COUNT - 3, "in the total order the negative NaNs are elsewhere");
    ASSERT_OK(clprim_reference_search(places, &order, false, e->expected, COUNT, e->expected, COUNT));
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert_eq(places[i], i);
        memcpy(halves[i % 2] + i / 2 * e->size, e->expected + i * e->size, e->size);
    }
    ASSERT_OK(clprim_reference_merge(merged, NULL, &order, 0, halves[0], NULL, COUNT / 2, halves[1], NULL, COUNT / 2));
    expect(e, merged, "merge");
}

Test(nans, come_last_in_the_references_of_sorts)
{
    for (size_t row = 0; row < TYPES; row++)
        for (int descending = 0; descending < 2; descending++) {
            const elements e = elements_of(row, descending == 1);
            check_sorts(&e);
            check_orders(&e);
        }
}

/* The numbers of a row, in one of which there is a NaN, and another one two places behind it. */
enum { PLACE = 3 };

static void check_fold(size_t row, clprim_op op, const unsigned char *in, bool has_nans)
{
    const clprim_type type = vectors[row].type;
    const size_t size = clprim_type_size(type);
    const bool is_min = op == CLPRIM_MIN || op == CLPRIM_ARGMIN;
    const bool is_indexed = op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX;
    const uint64_t best = has_nans ? vectors[row].quiet : vectors[row].ascending[is_min ? 0 : NUMBERS - 1];
    const uint64_t place = has_nans ? PLACE : is_min ? 0 : NUMBERS - 1;
    const size_t out_size = is_indexed ? sizeof(clprim_indexed) : size;
    const clprim_reference_operator by = {.type = type, .op = op, .nan_order = CLPRIM_NAN_LAST};
    unsigned char expected[sizeof(clprim_indexed)] = {0};
    unsigned char got[NUMBERS * sizeof(clprim_indexed)] = {0};
    uint8_t keys[NUMBERS] = {0};
    uint8_t keys_out[NUMBERS] = {0};
    size_t runs = 0;
    clprim_indexed indexed = {.index = place};
    indexed.value.u64 = best;
    memcpy(expected, is_indexed ? (const void *)&indexed : (const void *)&best, out_size);
    ASSERT_OK(clprim_reference_reduce(got, &by, in, NUMBERS));
    test_expect_same(expected, got, out_size, 1, "reduce");
    ASSERT_OK(clprim_reference_scan(got, &by, NULL, in, NUMBERS));
    test_expect_same(expected, got + (NUMBERS - 1) * out_size, out_size, 1, "the last of a scan");
    if (has_nans) { /* from the first one on */
        test_expect_same(expected, got + PLACE * out_size, out_size, 1, "a scan where the NaN is");
        cr_assert(memcmp(expected, got + (PLACE - 1) * out_size, out_size) != 0, "a scan before the NaN");
    }
    for (size_t i = PLACE + 3; i < NUMBERS; i++) /* a run behind all NaNs */
        keys[i] = 1;
    ASSERT_OK(clprim_reference_reduce_by_key(keys_out, got, &runs, 1, &by, keys, in, NUMBERS));
    cr_assert_eq(runs, 2);
    if (has_nans)
        test_expect_same(expected, got, out_size, 1, "a run with NaNs");
    const uint64_t later = is_min ? PLACE + 3 : NUMBERS - 1; /* the numbers are in ascending order */
    indexed.index = later;
    indexed.value.u64 = vectors[row].ascending[later];
    memcpy(expected, is_indexed ? (const void *)&indexed : (const void *)&vectors[row].ascending[later], out_size);
    test_expect_same(expected, got + out_size, out_size, 1, "a run without NaNs");
}

Test(nans, are_propagated_by_the_references_of_folds)
{
    static const clprim_op ops[] = {CLPRIM_MIN, CLPRIM_MAX, CLPRIM_ARGMIN, CLPRIM_ARGMAX};
    for (size_t row = 0; row < TYPES; row++)
        for (size_t op = 0; op < 4; op++) {
            const size_t size = clprim_type_size(vectors[row].type);
            unsigned char in[NUMBERS * 8];
            uint64_t none[2] = {0};
            for (size_t i = 0; i < NUMBERS; i++)
                memcpy(in + i * size, &vectors[row].ascending[i], size);
            check_fold(row, ops[op], in, false);
            for (size_t nan = NUMBERS; nan < COUNT; nan++) {
                memcpy(in + PLACE * size, &vectors[row].ascending[nan], size);
                memcpy(in + (PLACE + 2) * size, &vectors[row].ascending[COUNT - 1 + NUMBERS - nan], size);
                check_fold(row, ops[op], in, true);
            }
            const clprim_reference_operator by = {
                .type = vectors[row].type, .op = ops[op], .nan_order = CLPRIM_NAN_LAST};
            ASSERT_OK(clprim_reference_reduce(none, &by, in, 0));
            cr_assert_eq(none[op / 2], op % 2 == 0 ? vectors[row].least : vectors[row].most, "the fold of nothing");
        }
}

/* An unknown order, and one together with the caller's own order or operator. */
#define REFUSES(stem, ...)                                                                                             \
    do {                                                                                                               \
        clprim_plan *plan = NULL;                                                                                      \
        const clprim_##stem##_desc desc = {__VA_ARGS__};                                                               \
        ASSERT_STATUS(clprim_##stem##_create(&plan, runtime, &desc), CLPRIM_INVALID_ARGUMENT);                         \
        cr_assert_not_null(strstr(clprim_last_error(), "nan_order"), #stem ": %s", clprim_last_error());               \
        cr_assert_null(plan);                                                                                          \
    } while (0)
#define UNKNOWN .nan_order = (clprim_nan_order)2

Test(nans, unknown_orders_are_refused)
{
    static const clprim_custom_op custom = {.combine = "max(a, b)", .identity = "0"};
    clprim_runtime *runtime = test_runtime(NULL);
    REFUSES(radix_sort, UNKNOWN);
    REFUSES(segmented_sort, UNKNOWN);
    REFUSES(sort_by_key, UNKNOWN);
    REFUSES(top_k, UNKNOWN, .k = 1);
    REFUSES(bitonic_sort, UNKNOWN);
    REFUSES(comparison_sort, UNKNOWN);
    REFUSES(merge, UNKNOWN);
    REFUSES(is_sorted, UNKNOWN);
    REFUSES(search, UNKNOWN);
    REFUSES(reduce, UNKNOWN);
    REFUSES(scan, UNKNOWN);
    REFUSES(reduce_by_key, UNKNOWN);
    REFUSES(bitonic_sort, .nan_order = CLPRIM_NAN_LAST, .less = "a < b");
    REFUSES(comparison_sort, .nan_order = CLPRIM_NAN_LAST, .less = "a < b");
    REFUSES(merge, .nan_order = CLPRIM_NAN_LAST, .less = "a < b");
    REFUSES(is_sorted, .nan_order = CLPRIM_NAN_LAST, .less = "a < b");
    REFUSES(search, .nan_order = CLPRIM_NAN_LAST, .less = "a < b");
    REFUSES(reduce, .nan_order = CLPRIM_NAN_LAST, .custom = &custom);
    REFUSES(scan, .nan_order = CLPRIM_NAN_LAST, .custom = &custom);
    REFUSES(reduce_by_key, .nan_order = CLPRIM_NAN_LAST, .custom = &custom);
    clprim_runtime_destroy(runtime);
}

static bool is_less(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

Test(nans, unknown_orders_are_refused_by_references)
{
    static const uint32_t in[2] = {1, 0};
    uint32_t out[2] = {7, 7};
    uint64_t places[2] = {7, 7};
    size_t number = 7;
    const clprim_reference_sort_how sort = {UNKNOWN};
    const clprim_reference_sort_by_key_how by_key = {UNKNOWN};
    const clprim_reference_top_k_how top_k = {.k = 2, UNKNOWN};
    const clprim_reference_operator min = {.type = CLPRIM_F32, .op = CLPRIM_MIN, UNKNOWN};
    const clprim_nan_order unknown = (clprim_nan_order)2;
    uint32_t keys[2] = {7, 6};
    const clprim_status others[] = {
        clprim_reference_sort(keys, NULL, &sort, 2),
        clprim_reference_segmented_sort(keys, NULL, &sort, 2, CLPRIM_U64, (const uint64_t[]){0, 2}, 1),
        clprim_reference_sort_by_key(keys, (void *const[]){keys}, &by_key, 2),
        clprim_reference_top_k(out, NULL, &top_k, in, NULL, 2),
        clprim_reference_scan(out, &min, NULL, in, 2),
        clprim_reference_reduce(out, &min, in, 2),
        clprim_reference_reduce_by_key(out, out, &number, 4, &min, in, in, 2)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert(others[i] == CLPRIM_INVALID_ARGUMENT, "call %zu: %s", i, clprim_status_string(others[i]));
    for (int is_custom = 0; is_custom < 2; is_custom++) {
        const clprim_reference_before before = is_custom ? is_less : NULL;
        const clprim_nan_order nan_order = is_custom ? CLPRIM_NAN_LAST : unknown;
        const clprim_reference_order order = {.before = before, .nan_order = nan_order};
        const clprim_reference_bitonic_how bitonic = {.before = before, .nan_order = nan_order};
        const clprim_reference_comparison_how comparison = {.before = before, .nan_order = nan_order};
        const clprim_status refused[] = {clprim_reference_bitonic_sort(keys, NULL, &bitonic, 2),
                                         clprim_reference_comparison_sort(keys, NULL, &comparison, 2),
                                         clprim_reference_merge(out, NULL, &order, 0, in, NULL, 1, in, NULL, 1),
                                         clprim_reference_is_sorted(&number, &order, in, 2),
                                         clprim_reference_search(places, &order, false, in, 2, in, 2)};
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
            cr_assert(refused[i] == CLPRIM_INVALID_ARGUMENT, "call %zu: %s", i, clprim_status_string(refused[i]));
    }
    cr_assert(keys[0] == 7 && keys[1] == 6 && out[0] == 7 && places[0] == 7 && number == 7, "something was written");
}

/* Plans of both orders in one runtime, which keeps programs; an order of NaNs is nothing to integers. */
Test(nans, both_orders_side_by_side)
{
    static uint32_t in[] = {0x3f800000, 0xffc00000, 0xbf800000}; /* 1, the NaN that x86 computes, -1 */
    static const uint32_t total[] = {0xffc00000, 0xbf800000, 0x3f800000};
    static const uint32_t last[] = {0xbf800000, 0x3f800000, 0xffc00000};
    static const uint32_t numbers[] = {0x3f800000, 0xbf800000, 0xffc00000};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int turn = 0; turn < 4; turn++) {
        const clprim_nan_order nan_order = turn % 2 == 1 ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL;
        const clprim_radix_sort_desc sort = {.key_type = CLPRIM_F32, .nan_order = nan_order};
        const clprim_radix_sort_desc sort_bits = {.key_type = CLPRIM_U32, .nan_order = nan_order};
        const clprim_reduce_desc max = {.type = CLPRIM_F32, .op = CLPRIM_MAX, .nan_order = nan_order};
        uint32_t got[3], most = 0;
        const clprim_radix_sort_call call = {.keys_in = {.host = got}, .count = 3, .keys_out = {.host = got}};
        memcpy(got, in, sizeof got);
        ASSERT_OK(clprim_radix_sort_run(runtime, &sort, &call));
        test_expect_same(turn % 2 == 1 ? last : total, got, sizeof *got, 3, "sort");
        ASSERT_OK(clprim_radix_sort_run(runtime, &sort_bits, &call));
        test_expect_same(numbers, got, sizeof *got, 3, "sort of u32");
        ASSERT_OK(clprim_reduce_run(runtime, &max,
                                    &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &most}}));
        cr_assert_eq(most, turn % 2 == 1 ? 0x7fc00000 : 0x3f800000, "max is %08x", (unsigned)most);
    }
    clprim_runtime_destroy(runtime);
}
