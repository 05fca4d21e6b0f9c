// SPDX-License-Identifier: MIT
/* test_top_k.c: the first k with each variant, for every type of key, of values and both directions. The results are
 * compared with the reference, and the reference with known results: sizes around k, around tiles and chunks, and keys
 * that are hard to choose among. */
#include "ordered.h"
#include "unoptimized.h"

static const size_t sizes[] = {0,   1,    2,    3,    31,   33,   63,   64,   65,   127,   128,  255,
                               257, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 16383, 16385};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, TYPES = CLPRIM_TYPE_END - 1 };
#define VARIANTS ((size_t)test_last_variant(&clprim_top_k_operation) + 1) /* with AUTO */

static void check(test_call *self, size_t count, test_data data, uint64_t seed)
{
    test_call_fill_data(self, &(clprim_top_k_call){.count = count}, data, seed);
    test_call_check(self, "%s", test_data_name(data));
}

/* One plan: counts around k, and counts up to many tiles and chunks. At one of these counts, all kinds of keys; with
 * NAN_LAST mostly special ones. */
static void check_k(clprim_runtime *runtime, clprim_top_k_desc desc, size_t k, uint64_t seed)
{
    const size_t around[] = {k - 1, k, k + 1, 2 * k, 3 * k + 1};
    const size_t max_count = test_is_full() ? TEST_SORT_VERY_LARGE : TEST_SORT_LARGE;
    const bool is_special = desc.nan_order == CLPRIM_NAN_LAST;
    uint64_t turn = seed * 1000 + k * 100;
    test_call self;
    desc.k = k;
    const bool must = desc.variant != CLPRIM_TOP_K_NATIVE ||
                      (clprim_runtime_info(runtime)->has_native_kernels && desc.max_count <= UINT32_MAX);
    if (!test_call_must(&self, runtime, &clprim_top_k_operation, &desc, must))
        return;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++, turn++)
        if (around[i] <= max_count)
            check(&self, around[i], is_special ? TEST_DATA_SPECIALS : turn % TEST_DATA_END, turn);
    for (size_t i = k % 3; i < NUM_SIZES; i += test_is_full() ? 1 : 3, turn++)
        check(&self, sizes[i], is_special ? TEST_DATA_SPECIALS : turn % TEST_DATA_END, turn);
    for (int data = 0; data < TEST_DATA_END; data++)
        check(&self, TEST_SORT_SOME, data, turn++);
    for (size_t count = TEST_SORT_LARGE; count <= max_count; count += TEST_SORT_VERY_LARGE - TEST_SORT_LARGE)
        for (int i = 0; i < 2; i++, turn++)
            check(&self, count, turn * 5 % TEST_DATA_END, turn);
    test_call_destroy(&self);
}

/* The description of a plan for a type: each type has another kind of values, and a direction. So the variants share
 * the programs of their sorts. */
static clprim_top_k_desc desc_of(clprim_top_k_variant variant, size_t type, size_t turn)
{
    static const size_t value_sizes[] = {0, 0, 8, 2, 4, 0, 1, 16, 0, 0, 0};
    static const bool indices[] = {false, true, false, false, false, false, false, false, true, true, false};
    static const size_t group_sizes[] = {2, 0, 1, 0, 32, 0, 1024, 0, 2, 0, 64};
    enum { WAYS = sizeof indices / sizeof *indices };
    const size_t way = (type + turn * 4) % WAYS;
    return (clprim_top_k_desc){.key_type = (clprim_type)(type + 1),
                               .k = 1,
                               .smallest = (type + turn) % 2 == 1,
                               .value_size = value_sizes[way],
                               .indices = indices[way],
                               .index_type = way == 8 ? CLPRIM_U64 : CLPRIM_U32,
                               .variant = variant,
                               .work_group_size = group_sizes[way],
                               .max_count = type % 3 == 0 ? 0 : (size_t)1 << 21};
}

/* Every other type sorted, and every type unsorted, because the programs of the sorts take long to compile. */
static void check_type(clprim_runtime *runtime, clprim_top_k_variant variant, size_t type, size_t turn)
{
    static const size_t ks[] = {1, 2, 7, 100, 1000, 4096, TEST_SORT_SOME - 1, TEST_SORT_SOME, 50000};
    clprim_top_k_desc desc = desc_of(variant, type, turn);
    const uint64_t seed = type + variant;
    for (int unsorted = 0; unsorted < 2; unsorted++) {
        desc.unsorted = unsorted == 1;
        if (desc.unsorted ? variant == CLPRIM_TOP_K_SORT : type % 2 == 0 && !test_is_full())
            continue;
        for (size_t i = test_is_full() ? 0 : seed % 2; i < sizeof ks / sizeof *ks; i += test_is_full() ? 1 : 2)
            check_k(runtime, desc, ks[i], seed);
    }
}

/* RADIX_SELECT's kernels take seconds to compile on CPU devices, and depend on the type as little as CPU_CHUNK's. There
 * it gets every size, and signed and unsigned integers and floats. AUTO gets the same types, because its programs are
 * those of other variants. */
static bool is_wanted(clprim_runtime *runtime, clprim_top_k_variant variant, size_t type)
{
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const bool is_slow = variant == CLPRIM_TOP_K_AUTO || (variant == CLPRIM_TOP_K_RADIX_SELECT && is_cpu);
    return !is_slow || type % 3 == 0 || type == TYPES - 1 || test_is_full();
}

/* Each variant with each type. */
TEST_EACH_WITH_RUNTIME(top_k, variant, VARIANTS)
{
    for (size_t type = 0; type < TYPES; type++)
        for (size_t turn = 0; turn < (test_is_full() ? TYPES : 1); turn++)
            if (is_wanted(runtime, (clprim_top_k_variant)number, type))
                check_type(runtime, (clprim_top_k_variant)number, type, turn);
}

/* With NAN_LAST: F32 and BF16 with each variant, F16 and F64 with AUTO. With a max_count of 2^33, elements are counted
 * in 64 bits; with SORT that is radix_sort's work. */
TEST_EACH_WITH_RUNTIME(top_k, special_plans, VARIANTS)
{
    static const clprim_top_k_desc specials[] = {
        {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_U16, .index_type = CLPRIM_U64, .unsorted = true, .max_count = (size_t)1 << 33},
        {.key_type = CLPRIM_BF16, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST}};
    for (size_t i = number == 0 ? 2 : 0; i < (number == 0 ? 5 : number == CLPRIM_TOP_K_SORT ? 1 : 3); i++) {
        clprim_top_k_desc desc = specials[i];
        desc.variant = (clprim_top_k_variant)number;
        desc.smallest = (number + i) % 2 == 0;
        desc.indices = i == 1 || desc.smallest;
        check_k(runtime, desc, 100, number + i);
    }
}

/* RADIX_SELECT may list candidates first (kernels/top_k/filter.cl). These arrays are large enough for samples, and of
 * each kind that treats the limit differently. */
enum { ANY, ASCENDING, DESCENDING, EQUAL, TWO_KEYS, FEW_ABOVE_EQUAL, HALF_EQUAL, MANY_EQUAL, MISLEADING, NUM_KINDS };

/* Where the kernel would take a sample if each part has `part` elements. MISLEADING arrays have their largest keys
 * there, so that the kernel expects more of them. */
static size_t sample_place(uint32_t i, uint32_t part)
{
    uint32_t x = i * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (size_t)i * part + (size_t)((uint64_t)x * part >> 32);
}

static void fill_kind(uint32_t *keys, size_t n, int kind, uint32_t *random)
{
    enum { FEWEST = 1024, MOST = 8192 }; /* of samples, depending on the group's size */
    for (size_t i = 0; i < n; i++) {
        const uint32_t r = *random = *random * 1664525 + 1013904223;
        const uint32_t of[NUM_KINDS] = {r,
                                        (uint32_t)i,
                                        (uint32_t)(n - i),
                                        7,
                                        r >> 31,
                                        r % 1000 == 0 ? r : 5,
                                        r >> 31 ? UINT32_MAX : r >> 8,
                                        i % (n / 1100 + 1) == 0 ? UINT32_MAX : r >> 1,
                                        r >> 8};
        keys[i] = of[kind];
    }
    for (size_t samples = FEWEST; kind == MISLEADING && samples <= MOST && samples <= n; samples *= 2)
        for (uint32_t i = 0; i < samples; i++)
            keys[sample_place(i, (uint32_t)(n / samples))] |= 0xff000000u;
}

static void check_listed(clprim_runtime *runtime, clprim_top_k_variant variant)
{
    static const size_t counts[] = {255, 256, 2048, 2500, 4096, 5000, 16383, 16384, 20000, 64001, 66001, 69001, 400001};
    static const size_t ks[] = {1, 10, 250, 1000, 1030, 3000};
    enum { MOST = 400001, NUM_COUNTS = sizeof counts / sizeof *counts, NUM_KS = sizeof ks / sizeof *ks };
    static uint32_t keys[MOST], found[3000], places[3000], right[3000], right_places[3000];
    uint32_t random = 1;
    for (size_t which = 0; which < NUM_KS; which++) {
        const clprim_top_k_desc desc = {.k = ks[which], .indices = true, .unsorted = true, .variant = variant};
        for (size_t i = 0; i < NUM_COUNTS; i++)
            for (int kind = 0; kind < NUM_KINDS; kind++) {
                const size_t n = counts[i];
                const size_t k = ks[which] < n ? ks[which] : n;
                fill_kind(keys, n, kind, &random);
                memset(found, 0xa5, sizeof found);
                ASSERT_OK(clprim_top_k_run(runtime, &desc,
                                           &(clprim_top_k_call){.keys_in = {.host = keys},
                                                                .count = n,
                                                                .keys_out = {.host = found},
                                                                .values_out = {.host = places}}));
                ASSERT_OK(clprim_reference_top_k(
                    right, right_places,
                    &(clprim_reference_top_k_how){.k = ks[which], .indices = true, .unsorted = true}, keys, NULL, n));
                for (size_t j = 0; j < k; j++)
                    cr_assert(places[j] == right_places[j] && found[j] == right[j],
                              "k %zu, n %zu, kind %d, [%zu]: key %u at %u, not %u at %u", ks[which], n, kind, j,
                              found[j], places[j], right[j], right_places[j]);
            }
    }
}

TEST_WITH_RUNTIME(top_k, listed_first)
{
    test_builds_unoptimized = test_is_unoptimized(runtime, &clprim_top_k_operation, CLPRIM_TOP_K_RADIX_SELECT);
    if (test_runs_variant(runtime, &clprim_top_k_operation, CLPRIM_TOP_K_RADIX_SELECT))
        check_listed(runtime, CLPRIM_TOP_K_RADIX_SELECT);
}

/* NATIVE lists candidates, too: in several chunks, if there are many elements. */
TEST_WITH_RUNTIME(top_k, listed_in_chunks)
{
    if (test_runs_variant(runtime, &clprim_top_k_operation, CLPRIM_TOP_K_NATIVE))
        check_listed(runtime, CLPRIM_TOP_K_NATIVE);
}

static void refuse_build(cl_program program)
{
    (void)program;
    cr_assert_fail("run compiles something for few elements on the host");
}

TEST_WITH_RUNTIME(top_k, few_elements_need_no_compiler)
{
    float keys[] = {3, -1, 7.5F};
    float found[2] = {0};
    uint32_t places[2] = {9, 9};
    if (!clprim_runtime_info(runtime)->has_native_kernels)
        cr_skip_test("the device cannot run functions of the host");
    test_before_build = refuse_build;
    ASSERT_OK(clprim_top_k_run(
        runtime, &(clprim_top_k_desc){.key_type = CLPRIM_F32, .k = 2, .indices = true},
        &(clprim_top_k_call){
            .keys_in = {.host = keys}, .count = 3, .keys_out = {.host = found}, .values_out = {.host = places}}));
    cr_assert(found[0] > 7 && found[1] > 2 && places[0] == 2 && places[1] == 0);
}

/* Keys, and the places of the first k in sorted order. */
#define KNOWN(...) TEST_KNOWN(top_k, __VA_ARGS__)
static const test_known rows[] = {
    KNOWN(U8, uint8_t, (5, 255, 0, 5, 128), (1, 4, 0), .k = 3),
    KNOWN(U8, uint8_t, (5, 7, 5, 5, 7), (1, 4), .k = 2),    /* ties */
    KNOWN(U8, uint8_t, (5, 7, 5, 5, 7), (1, 4, 0), .k = 3), /* ties at the threshold */
    KNOWN(I8, int8_t, (5, -1, 0, -128, 127, -1), (1, 3, 5), .k = 3, .unsorted = true, .smallest = true),
    KNOWN(TYPE_DEFAULT, uint32_t, (0x01000000, 0x00ffffff, 0x80000000, 0), (2, 0, 1, 3), .k = 9),
    KNOWN(I64, int64_t, (0, INT64_MAX, INT64_MIN, -1, 1), (2, 3), .k = 2, .smallest = true),
    /* NaN, -NaN, inf, -inf, 1, -0, 0, the least denormal and its negative, a NaN with a smaller payload */
    KNOWN(F16, uint16_t, (0x7e00, 0xfe00, 0x7c00, 0xfc00, 0x3c00, 0x8000, 0, 1, 0x8001, 0x7c01), (0, 9, 2, 4, 7, 6, 5),
          .k = 7),
    KNOWN(F32, float, (0.0f, -0.0f, 1e-45f, -1e-45f, 3.0f, -3.0f, 3.0f, 1e38f), (5, 3, 1, 0), .k = 4, .smallest = true),
    KNOWN(F32, float, (3.0f, -1.0f, 7.5f, 0.0f, 2.0f, 9.0f, -8.0f), (6, 1, 3, 4),
          .k = 7 / 2 + 1, /* the median comes last */
          .smallest = true),
};

Test(top_k_host, by_heart)
{
    test_expect_known(&clprim_top_k_operation, rows, sizeof rows / sizeof *rows);
}

Test(top_k_host, refusals)
{
#define INVALID(named, by_reference, ...) TEST_INVALID(top_k, named, by_reference, __VA_ARGS__)
    TEST_REFUSE_EACH(top_k, INVALID("type", true, .key_type = CLPRIM_TYPE_END, .k = 1),
                     INVALID("type", true, .key_type = (clprim_type)-1, .k = 1),
                     INVALID("k is 0", true, .k = 0), /* 0 is the default */
                     INVALID("value_size", true, .k = 1, .value_size = 3),
                     INVALID("value_size", true, .k = 1, .value_size = 32),
                     INVALID("value_size", true, .k = 1, .value_size = SIZE_MAX),
                     INVALID("unsorted", false, .k = 1, .variant = CLPRIM_TOP_K_SORT, .unsorted = true),
                     INVALID("value_size", false, .k = 1, .indices = true, .value_size = 4),
                     INVALID("index_type", false, .k = 1, .indices = true, .max_count = (size_t)1 << 33));
}

/* Arrays that are missing, or too many; and sizes of values that indices cannot have. */
Test(top_k_host, reference_refuses)
{
    const uint32_t keys[2] = {77, 7};
    uint32_t out[2] = {99, 98};
    uint32_t values_out[2] = {97, 96};
#define REFUSED(culprit, out, values_out, in, values, ...)                                                             \
    ASSERT_REFUSED(clprim_reference_top_k(out, values_out, &(const clprim_reference_top_k_how){.k = 1, __VA_ARGS__},   \
                                          in, values, 2),                                                              \
                   CLPRIM_INVALID_ARGUMENT, culprit)
    REFUSED("keys_out", NULL, NULL, keys, NULL, .value_size = 0);
    REFUSED("keys", out, NULL, NULL, NULL, .value_size = 0);
    REFUSED("values_out", out, values_out, keys, NULL, .value_size = 0);
    REFUSED("values", out, NULL, keys, keys, .value_size = 0);
    REFUSED("values_out", out, NULL, keys, NULL, .indices = true, .value_size = 4);
    REFUSED("values", out, values_out, keys, keys, .indices = true, .value_size = 4);
    REFUSED("", out, values_out, keys, NULL, .indices = true, .value_size = 1);
    REFUSED("", out, values_out, keys, NULL, .indices = true, .value_size = 2);
    REFUSED("", out, values_out, keys, NULL, .indices = true, .value_size = 16);
    cr_assert(out[0] == 99 && out[1] == 98 && values_out[0] == 97 && values_out[1] == 96, "a refusal must not write");
}
