// SPDX-License-Identifier: MIT
/* test_comparison_sort.c: every variant, stable and not, sorts elements of all types, alone and with values of all
 * sizes, in both directions and in callers' orders, for sizes around all boundaries, offsets and kinds of elements, in
 * place and not. A comparison that is no order gives a permutation. By default each variant meets some of the types;
 * values, directions and group sizes alternate. With CLPRIM_TEST_FULL set, every variant meets every type with all
 * kinds of values. */
#include <stdlib.h>

#include "comparison_sort_internal.h"
#include "ordered.h"
#include "runtime_internal.h"

#define BY(variant) CLPRIM_COMPARISON_SORT_##variant

/* A variant, stable or not, and how many types and callers' orders it meets by default. There are few or none for sorts
 * that are tested elsewhere: AUTO is another variant, bitonic and radix sort have separate tests, and sorts of chunks
 * are always stable. The sample sort takes long to compile, and meets several orders below. */
static const struct way {
    clprim_comparison_sort_variant variant;
    bool stable;
    size_t types, orders;
} ways[] = {
    {BY(AUTO), true, 0, 0},           {BY(MERGE_PATH), false, 1, 1}, {BY(MERGE_PATH), true, 1, 1},
    {BY(MERGE_NETWORK), false, 1, 1}, {BY(BITONIC), false, 0, 1},    {BY(RADIX), true, 1, 0},
    {BY(CPU_CHUNK), true, 1, 1},      {BY(CPU_CHUNK), false, 0, 1},  {BY(SAMPLE_SORT), false, 0, 0},
    {BY(SAMPLE_SORT), true, 0, 0},
};

enum { WAYS = sizeof ways / sizeof *ways };

static test_ordered total_order(clprim_type type, uint64_t seed)
{
    return (test_ordered){clprim_type_name(type), {.type = type, .size = clprim_type_size(type)}, seed};
}

/* Without values, stability cannot be observed. With 2^33 elements, everything that counts elements needs 64 bits,
 * which the sample sort refuses. */
static void check_plan(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    clprim_comparison_sort_desc *desc = changed;
    const bool is_special = how->by.nan_order == CLPRIM_NAN_LAST;
    if ((desc->variant == BY(RADIX) && desc->less != NULL) ||            /* which it refuses */
        (desc->variant == BY(CPU_CHUNK) && !desc->stable && is_special)) /* the same kernels */
        return;
    if (desc->stable && desc->value_size == 0)
        desc->value_size = 4;
    desc->max_count = how->seed % 4 == 3 && desc->variant != BY(SAMPLE_SORT) ? (size_t)1 << 33 : 0;
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, desc, true))
        test_check_sorts(&self, how, TEST_SORT_VERY_LARGE);
}

TEST_EACH(comparison_sort, way, WAYS, .timeout = 1700)
{
    const struct way *way = &ways[*number];
    const clprim_comparison_sort_desc desc = {.variant = way->variant, .stable = way->stable};
    test_ordered_plans(&clprim_comparison_sort_operation, &desc, *number, way->types, way->orders, check_plan);
}

/* A comparison that is no order must still give a permutation. The elements tell which comparison it was, and at which
 * places they were. */
static void judge_permutation(const test_call *self, size_t i, void *got, const char *what)
{
    const size_t count = self->arrays[i].length;
    const uint32_t *before = ((const clprim_comparison_sort_call *)(const void *)self->on_host.bytes)->keys_in.host;
    unsigned char *seen = test_allocate(count);
    memset(seen, 0, count);
    for (size_t k = 0; k < count; k++) {
        const size_t size = self->arrays[i].size;
        uint32_t element[2];
        memcpy(element, (char *)got + k * size, sizeof element);
        cr_assert(element[1] < count && seen[element[1]] == 0 &&
                      memcmp((char *)got + k * size, (const char *)before + element[1] * size, size) == 0,
                  "%s: element %zu is no other's", what, k);
        seen[element[1]] = 1;
    }
    free(seen);
}

/* Comparisons of an element's bits x with another one's, y. */
#define NO_ORDERS                                                                                                      \
    "static int is_less(uint x, uint y) { return (x & 3) == 0 ? 1 : (x & 3) == 1 ?"                                    \
    " (x * 2654435761u ^ y * 40503u) >> 16 & 1 : (x & 3) == 2 ?"                                                       \
    " ((y >> 2) - (x >> 2) & 0xffffu) < 0x8000u : (x ^ y) >> 5 & 1; }"
#define MARKED                                                                                                         \
    .type_name = "marked", .type_size = 8, .text.source = "typedef struct { uint bits, place; } marked;\n" NO_ORDERS,  \
    .less = "is_less(a.bits, b.bits)"

#define MARKED_WIDE                                                                                                    \
    .type_name = "marked", .type_size = 16,                                                                            \
    .text.source = "typedef struct { uint bits, place, more[2]; } marked;\n" NO_ORDERS,                                \
    .less = "is_less(a.bits, b.bits)"

/* For different kernels: wide elements are sorted by their indices; FEW elements by the kernels of other devices;
 * buckets of built-in types are padded by the sample sort, which must not be visible. */
enum { FEW = 4000 };
static const clprim_comparison_sort_desc without_orders[] = {
    {MARKED, .variant = BY(MERGE_PATH), .stable = true},
    {MARKED, .variant = BY(MERGE_NETWORK)},
    {MARKED, .variant = BY(CPU_CHUNK), .stable = true},
    {MARKED, .variant = BY(SAMPLE_SORT)},
    {MARKED, .variant = BY(SAMPLE_SORT), .stable = true},
    {MARKED_WIDE, .variant = BY(MERGE_PATH)},
    {MARKED_WIDE, .variant = BY(MERGE_PATH), .stable = true},
    {MARKED_WIDE, .variant = BY(MERGE_NETWORK)},
    {MARKED_WIDE, .variant = BY(SAMPLE_SORT)},
    {MARKED_WIDE, .variant = BY(SAMPLE_SORT), .stable = true},
    {MARKED, .stable = true, .max_count = FEW},
    {MARKED_WIDE, .max_count = FEW},
    {.key_type = CLPRIM_U64, .text.source = NO_ORDERS, .less = "is_less((uint)a, (uint)b)", .variant = BY(SAMPLE_SORT)},
};

/* Pretend to be another kind of device, with so many compute units that each of few elements is compared with all
 * others. */
static void pretend_to_be_wide(clprim_runtime *runtime)
{
    runtime->info.kind = CLPRIM_DEVICE_OTHER;
    runtime->info.compute_units = 128;
}

TEST_EACH_WITH_RUNTIME(comparison_sort, without_any_order, sizeof without_orders / sizeof *without_orders)
{
    static const size_t counts[] = {2, 17, 257, 1000, 3001, 5000, 9001, 40001, TEST_SORT_LARGE};
    const clprim_comparison_sort_desc *desc = &without_orders[number];
    const size_t words = desc->type_size == 16 ? 4 : 2;
    uint32_t *before = test_memory(0, (size_t)TEST_SORT_LARGE * words * sizeof *before);
    if (desc->max_count == FEW)
        pretend_to_be_wide(runtime);
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, desc, true))
        for (size_t c = 0; c < 4 * sizeof counts / sizeof *counts && (desc->max_count == 0 || counts[c / 4] < FEW);
             c++) {
            const uint32_t kind = (uint32_t)c % 4;
            const size_t count = counts[c / 4];
            const clprim_comparison_sort_call call = {
                .keys_in = {.host = before}, .count = count, .keys_out = {.host = before}};
            uint64_t random = kind + count;
            for (size_t i = 0; i < count; i++) {
                before[words * i] = (uint32_t)test_random(&random) << 2 | kind;
                for (size_t w = 1; w < words; w++)
                    before[words * i + w] = (uint32_t)(w * i);
            }
            self.judge = judge_permutation;
            test_call_fill(&self, &call, kind);
            test_call_check(&self, "kind %u", kind);
        }
}

/* Use groups of the size that is usual on CPUs, which PoCL 3.1 once compiled wrongly. */
TEST_EACH_WITH_RUNTIME(comparison_sort, samples_of_u32, 2)
{
    clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U32, .variant = BY(SAMPLE_SORT), .stable = number == 1};
    const test_ordered how = total_order(CLPRIM_U32, 1);
    check_plan(runtime, &desc, &how);
}

/* A stable sort by samples, of an array that one compute unit would move: so each range has several tiles. */
TEST_WITH_RUNTIME(comparison_sort, ranges_of_tiles)
{
    const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U16,
                                              .less = "a < b",
                                              .value_size = sizeof(cl_uint),
                                              .variant = BY(SAMPLE_SORT),
                                              .work_group_size = 16,
                                              .stable = true};
    const test_ordered how = total_order(CLPRIM_U16, TEST_SEED + 2);
    runtime->info.compute_units = 1;
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, &desc, true))
        test_check_sorts(&self, &how, TEST_SORT_VERY_LARGE);
}

/* A plan with useless samples: except for elements that equal the first one, all elements are in a bucket that is too
 * large for a work-group, and are merged. */
static void check_useless_samples(bool stable)
{
    const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U16,
                                              .less = "a < b",
                                              .value_size = sizeof(cl_uint),
                                              .variant = BY(SAMPLE_SORT),
                                              .stable = stable};
    const test_mistake blindly = {"comparison_sort/sample.cl", "return s.begin + begin",
                                  "return s.begin; return begin"};
    const test_ordered how = total_order(CLPRIM_U16, TEST_SEED);
    char directory[TEST_PATH_SIZE];
    test_kernels_with(directory, &blindly, 1);
    clprim_runtime *runtime = test_runtime(NULL);
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, &desc, true))
        test_check_sorts(&self, &how, TEST_SORT_VERY_LARGE);
    clprim_runtime_destroy(runtime);
    test_kernels_end(directory);
}

Test(comparison_sort, samples_that_miss_everything, .timeout = 600)
{
    check_useless_samples(false);
}

Test(comparison_sort, samples_that_miss_everything_stable, .timeout = 600)
{
    check_useless_samples(true);
}

static bool has_less_second_word(const void *a, const void *b)
{
    return ((const uint32_t *)a)[1] < ((const uint32_t *)b)[1];
}

/* Records sorted by the kernels of other devices, which load 16 bytes at once. AUTO merges them, or, if there are FEW,
 * compares each with all others. PoCL 3.1 miscompiles the sample sort in groups of 4 if its barriers are inside an
 * `if`. */
static const test_order of_second_words = {
    "16 bytes", CLPRIM_TYPE_DEFAULT, "quad", "typedef struct { uint v[4]; } quad;", "a.v[1] < b.v[1]",
    16,         has_less_second_word};

TEST_EACH_WITH_RUNTIME(comparison_sort, records_as_on_gpus, 3)
{
    static const clprim_comparison_sort_variant variants[] = {BY(AUTO), BY(MERGE_NETWORK), BY(SAMPLE_SORT)};
    const bool by_samples = variants[number] == BY(SAMPLE_SORT);
    const test_order *order = &of_second_words;
    const clprim_comparison_sort_desc desc = {.type_name = order->type_name,
                                              .type_size = order->size,
                                              .text.source = order->source,
                                              .less = order->less,
                                              .max_count = 1 << 20,
                                              .work_group_size = by_samples ? 4 : 8, /* compiled faster */
                                              .variant = variants[number]};
    const test_ordered how = {order->name, test_reference_order(order, false, CLPRIM_NAN_TOTAL), 1};
    if (!by_samples && runtime->info.vendor == CLPRIM_VENDOR_POCL && runtime->info.driver_version[0] > '5')
        return; /* it miscompiles the end of two paths (docs/design.md) */
    runtime->info.kind = CLPRIM_DEVICE_OTHER;
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, &desc, true)) {
        if (number == 0)
            cr_assert_eq(clprim_plan_variant(self.plan)->id, (int)BY(MERGE_PATH));
        test_check_sorts(&self, &how, TEST_SORT_VERY_LARGE);
    }
}

/* By `less` and in the total order, with values and without, in groups of all sizes, and also if a plan is for more
 * elements. With groups of 64 the results are wrong on PoCL 3.1 and right on Oclgrind. */
TEST_EACH_WITH_RUNTIME(comparison_sort, few_as_on_gpus, 4)
{
    const test_order *order = &of_second_words;
#define RECORDS                                                                                                        \
    .type_name = order->type_name, .type_size = order->size, .text.source = order->source, .less = order->less
    const clprim_comparison_sort_desc descs[] = {
        {.key_type = CLPRIM_U32, .less = "a < b", .value_size = 4, .stable = true, .max_count = FEW},
        {.key_type = CLPRIM_F32, .descending = true, .nan_order = CLPRIM_NAN_LAST, .value_size = 8, .max_count = FEW},
        {RECORDS, .value_size = 4, .work_group_size = 4, .stable = true, .max_count = FEW},
        {RECORDS, .work_group_size = 16, .max_count = TEST_SORT_SOME},
    };
    const clprim_comparison_sort_desc *desc = &descs[number];
    const bool is_record = desc->type_name != NULL;
    const test_order total = is_record ? *order : test_total_order(desc->key_type);
    const test_ordered how = {total.name, test_reference_order(&total, desc->descending, desc->nan_order), number + 1};
    pretend_to_be_wide(runtime);
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, desc, true)) {
        cr_assert_eq(((clprim__comparison_sort_plan *)(void *)self.plan)->ranked_up_to, 4096);
        test_check_sorts(&self, &how, desc->max_count);
    }
}

/* If AUTO takes the sample sort, which it does on no CPU, its plan contains another sort for few elements. */
TEST_WITH_RUNTIME(comparison_sort, auto_takes_samples_of_many)
{
    enum { FROM = 1 << 21, STABLE_FROM = 1 << 23 };
    static const struct {
        bool stable;
        size_t max_count;
        bool by_samples;
    } rows[] = {
        {false, FROM, true}, {false, FROM - 1, false}, {true, STABLE_FROM, true}, {true, STABLE_FROM - 1, false}};
    runtime->info.kind = CLPRIM_DEVICE_OTHER; /* these plans are never called: they are not for this device */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_comparison_sort_desc desc = {.key_type = CLPRIM_U64, /* smaller groups are compiled faster */
                                                  .less = "a < b",
                                                  .value_size = 8,
                                                  .stable = rows[i].stable,
                                                  .max_count = rows[i].max_count,
                                                  .work_group_size = 8};
        clprim_plan *plan = NULL;
        ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, &desc));
        const clprim__comparison_sort_plan *own = (clprim__comparison_sort_plan *)(void *)plan;
        cr_assert_eq(clprim_plan_variant(plan)->id == (int)BY(SAMPLE_SORT), rows[i].by_samples);
        cr_assert_eq(own->few_below, !rows[i].by_samples ? 0 : rows[i].stable ? STABLE_FROM : FROM);
        if (rows[i].by_samples)
            cr_assert_eq(clprim_plan_variant(own->few)->id, (int)(rows[i].stable ? BY(MERGE_PATH) : BY(MERGE_NETWORK)));
        clprim_plan_destroy(plan);
    }
}

/* Few elements are merged, with the same scratch memory. */
TEST_WITH_RUNTIME(comparison_sort, few_elements_of_many)
{
    enum { FROM = 3000 };
    const test_ordered how = total_order(CLPRIM_U16, TEST_SEED + 1);
    clprim_comparison_sort_desc desc = {
        .key_type = CLPRIM_U16, .less = "a < b", .value_size = sizeof(cl_uint), .variant = BY(SAMPLE_SORT)};
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_comparison_sort_operation, &desc, true)) {
        clprim__comparison_sort_plan *own = (clprim__comparison_sort_plan *)(void *)self.plan;
        desc.variant = BY(MERGE_NETWORK);
        desc.max_count = own->few_below = FROM;
        ASSERT_OK(clprim_comparison_sort_create(&own->few, runtime, &desc));
        test_check_sorts(&self, &how, TEST_SORT_VERY_LARGE);
    }
}

/* A variant that does not support a description says why; so does AUTO, if no variant supports it. */
Test(comparison_sort, refusals)
{
#define UNSUPPORTED(named, by, ...) TEST_UNSUPPORTED(comparison_sort, named, .variant = BY(by), __VA_ARGS__)
    TEST_REFUSE_EACH(comparison_sort, UNSUPPORTED("stable", MERGE_NETWORK, .stable = true),
                     UNSUPPORTED("stable", BITONIC, .stable = true),
                     UNSUPPORTED("max_count", SAMPLE_SORT, .max_count = (size_t)1 << 32),
                     UNSUPPORTED("less", RADIX, .less = "a < b"),
                     UNSUPPORTED("in_place_only", SAMPLE_SORT, .in_place_only = true),
                     UNSUPPORTED("in_place_only", MERGE_PATH, .in_place_only = true),
                     UNSUPPORTED("in_place_only", MERGE_NETWORK, .in_place_only = true),
                     UNSUPPORTED("in_place_only", RADIX, .in_place_only = true),
                     UNSUPPORTED("in_place_only", CPU_CHUNK, .in_place_only = true),
                     UNSUPPORTED("in_place_only", AUTO, .stable = true, .in_place_only = true, .less = "a < b"));
}

/* AUTO takes the variants that the header documents. Only BITONIC needs no scratch memory for this number of
 * elements. */
TEST_WITH_RUNTIME(comparison_sort, automatic)
{
    enum { SOME = 1000, MANY = 100000 };
#define BY_LESS .key_type = CLPRIM_U16, .value_size = 2, .less = "a < b"
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const bool has_native = clprim_runtime_info(runtime)->has_native_kernels; /* the device is all of the machine */
    const struct {
        clprim_comparison_sort_desc desc;
        clprim_comparison_sort_variant expected;
    } rows[] = {
        {{.max_count = SOME},
         has_native ? BY(NATIVE)
         : is_cpu   ? BY(RADIX)
                    : BY(BITONIC)},
        {{.stable = true, .value_size = 8}, BY(RADIX)},
        {{.stable = true, .in_place_only = true}, BY(BITONIC)},
        {{BY_LESS, .stable = true}, is_cpu ? BY(CPU_CHUNK) : BY(SAMPLE_SORT)},
        {{BY_LESS, .stable = true, .max_count = MANY}, is_cpu ? BY(CPU_CHUNK) : BY(MERGE_PATH)},
        {{BY_LESS}, is_cpu ? BY(CPU_CHUNK) : BY(SAMPLE_SORT)},
        {{BY_LESS, .max_count = MANY}, is_cpu ? BY(CPU_CHUNK) : BY(MERGE_NETWORK)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_comparison_sort_call call = {.count = rows[i].desc.max_count == SOME ? SOME : MANY};
        clprim_plan *plan = NULL;
        size_t bytes = 1;
        ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, &rows[i].desc));
        cr_assert_eq(clprim_plan_variant(plan)->id, (int)rows[i].expected, "row %zu: %s", i,
                     clprim_plan_variant(plan)->name);
        ASSERT_OK(clprim_plan_scratch_size(&bytes, plan, &call));
        cr_assert((bytes == 0) == (rows[i].expected == BY(BITONIC)), "row %zu: %zu bytes", i, bytes);
        clprim_plan_destroy(plan);
    }
}

enum { MAX_COUNT = 1030 };

/* The total order is compared with the radix sort's reference, which uses no comparisons. */
Test(comparison_sort_host, reference_in_the_total_order)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 33, 100, MAX_COUNT};
    static unsigned char keys[2][MAX_COUNT * 8];
    static uint32_t values[2][MAX_COUNT];
    for (int type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int data = 0; data < TEST_DATA_END; data++) {
                const test_order order = test_total_order((clprim_type)type);
                const clprim_reference_order by =
                    test_reference_order(&order, (type + data) % 2 == 1, CLPRIM_NAN_TOTAL);
                const clprim_reference_sort_how radix = {
                    .key_type = order.type, .value_size = 4, .descending = by.descending};
                for (int i = 0; i < 2; i++) {
                    test_fill_elements(keys[i], order.type, order.size, (test_data)data, counts[c], c);
                    test_fill_values(values[i], 4, counts[c]);
                }
                ASSERT_OK(clprim_reference_sort(keys[0], values[0], &radix, counts[c]));
                test_sort_elements(keys[1], values[1], 4, &by, counts[c]);
                test_expect_same(keys[0], keys[1], order.size, counts[c], order.name);
                test_expect_same(values[0], values[1], 4, counts[c], order.name);
            }
}

/* In a caller's order, no element comes before one that precedes it in that order, and equal elements are in the order
 * of their values. */
Test(comparison_sort_host, reference_in_orders_of_the_callers)
{
    static unsigned char keys[MAX_COUNT * 40];
    static uint32_t values[MAX_COUNT];
    for (size_t o = 0; o < TEST_ORDERS; o++)
        for (int descending = 0; descending < 2; descending++) {
            const test_order *order = &test_orders[o];
            const clprim_reference_order by = test_reference_order(order, descending == 1, CLPRIM_NAN_TOTAL);
            bool seen[MAX_COUNT] = {false};
            test_fill_elements(keys, order->type, order->size, TEST_DATA_RANDOM, MAX_COUNT, o);
            test_fill_values(values, 4, MAX_COUNT);
            test_sort_elements(keys, values, 4, &by, MAX_COUNT);
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

Test(comparison_sort_host, reference_refuses)
{
    uint32_t data[2] = {77, 7}, values[2] = {99, 98};
#define REFUSED(culprit, data, values, ...)                                                                            \
    ASSERT_REFUSED(                                                                                                    \
        clprim_reference_comparison_sort(data, values, &(const clprim_reference_comparison_how){__VA_ARGS__}, 2),      \
        CLPRIM_INVALID_ARGUMENT, culprit)
    REFUSED("type", data, NULL, .type = CLPRIM_TYPE_END);
    REFUSED("before", data, NULL, .size = 12);
    REFUSED("data", NULL, NULL, .descending = true);
    REFUSED("values", data, values, .descending = true);
    REFUSED("values", data, NULL, .value_size = 4);
    cr_assert(data[0] == 77 && data[1] == 7 && values[0] == 99);
    ASSERT_OK(clprim_reference_comparison_sort(NULL, NULL, NULL, 0));
}
