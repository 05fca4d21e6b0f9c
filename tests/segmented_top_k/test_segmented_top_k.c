// SPDX-License-Identifier: MIT
/* test_segmented_top_k.c: the first k of each segment with each variant, compared with the reference: keys of every
 * type, values of all sizes, indices, both directions, sorted and unsorted; rows of all lengths, and segments of all
 * shapes. */
#include "ordered.h"

enum {
    SOME = 3001,
    MANY = 30011,
    LONG = 200003, /* enough for segments that are divided into parts */
    TYPES = CLPRIM_TYPE_END - 1
};
#define VARIANTS ((size_t)test_last_variant(&clprim_segmented_top_k_operation) + 1) /* with AUTO */

#define BY(name) CLPRIM_SEGMENTED_TOP_K_##name

static const size_t sizes[] = {0, 1, 2, 5, 31, 33, 63, 65, 255, 257, 1000, 1025, SOME, MANY};

/* Whether the header promises that the device can run it. */
static bool must_work(const clprim_segmented_top_k_desc *desc)
{
    return desc->variant != BY(SELECT) || (desc->k <= 1024 && desc->max_count <= UINT32_MAX);
}

static bool create(test_call *self, clprim_runtime *runtime, const clprim_segmented_top_k_desc *desc)
{
    return test_call_must(self, runtime, &clprim_segmented_top_k_operation, desc, must_work(desc));
}

static test_segments segments; /* of the current call */

/* With offsets that are known on the host. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_segmented_top_k_desc *d = desc;
    const clprim_segmented_top_k_call *c = call;
    const size_t index_size = d->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
    const clprim_reference_top_k_how how = {.key_type = d->key_type,
                                            .k = d->k,
                                            .smallest = d->smallest,
                                            .nan_order = d->nan_order,
                                            .value_size = d->indices ? index_size : d->value_size,
                                            .indices = d->indices,
                                            .unsorted = d->unsorted};
    return clprim_reference_segmented_top_k(c->keys_out.host, c->values_out.host, &how, c->keys_in.host,
                                            c->values_in.host, c->count, 0, CLPRIM_U64, segments.bounds,
                                            segments.count);
}

static void check_segments(test_call *self, test_shape shape, size_t count, test_data data, uint64_t seed)
{
    const clprim_segmented_top_k_desc *desc = (const void *)self->desc.bytes;
    segments = test_make_segments(shape, count, SIZE_MAX, seed);
    const clprim_segmented_top_k_call call = {.offsets = {.host = test_pack_bounds(&segments, desc->offsets_type)},
                                              .count = count,
                                              .segment_count = segments.count};
    self->reference = reference;
    self->is_unspecified = shape == TEST_SEGMENTS_MALFORMED;
    test_call_fill_data(self, &call, data, seed);
    test_call_check(self, "%s, shape %d", test_data_name(data), (int)shape);
}

/* For a large k, fewer rows, so that there is memory for the results. */
static size_t fewer(const clprim_segmented_top_k_desc *desc, size_t count)
{
    return desc->k > 1000 && count > SOME ? SOME : count;
}

static bool has_many(test_shape shape)
{
    return shape == TEST_SEGMENTS_SINGLES || shape == TEST_SEGMENTS_HALF_EMPTY || shape == TEST_SEGMENTS_ALL_EMPTY;
}

/* Every shape at two sizes, all sizes, all kinds of keys, segments long enough for parts, and invalid offsets. */
static void check_offsets(clprim_runtime *runtime, const clprim_segmented_top_k_desc *desc, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    TEST_WITH_CALL(self, create(&self, runtime, desc)) {
        for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++)
            for (int i = 0; i < 2; i++, turn++)
                check_segments(&self, shape, fewer(desc, i == 0 && !has_many(shape) ? MANY : SOME),
                               turn % TEST_DATA_END, turn);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++)
            check_segments(&self, i % 2 == 0 ? TEST_SEGMENTS_ONE : TEST_SEGMENTS_INSIDE, fewer(desc, sizes[i]),
                           turn % TEST_DATA_END, turn);
        for (int data = 0; data < TEST_DATA_END; data++, turn++) {
            check_segments(&self, TEST_SEGMENTS_EDGES, fewer(desc, MANY), data, turn);
            check_segments(&self, TEST_SEGMENTS_GIANTS, MANY, data, turn);
        }
        for (int data = 0; data < TEST_DATA_END; data += 3, turn++)
            check_segments(&self, TEST_SEGMENTS_ONE, LONG, (data + seed % 3) % TEST_DATA_END, turn);
        if (desc->k <= 100)
            check_segments(&self, TEST_SEGMENTS_GIANT, LONG, turn % TEST_DATA_END, turn);
        for (uint64_t i = 0; i < 10; i++, turn++)
            check_segments(&self, TEST_SEGMENTS_MALFORMED, i % 2 == 0 ? SOME : fewer(desc, MANY), turn % TEST_DATA_END,
                           turn);
        check_segments(&self, TEST_SEGMENTS_INSIDE, SOME, TEST_DATA_RANDOM, turn);
        test_call_check_run(&self, "on the host");
    }
}

static void check_rows(clprim_runtime *runtime, clprim_segmented_top_k_desc desc, size_t rows, uint64_t seed)
{
    TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
        for (int i = 0; i < 3; i++) {
            const test_data data = i == 0 ? TEST_DATA_RANDOM : (seed + 5 * (uint64_t)i) % TEST_DATA_END;
            const clprim_segmented_top_k_call call = {.count = rows * desc.segment_length, .segment_count = rows};
            test_call_fill_data(&self, &call, data, seed + (uint64_t)i);
            test_call_check(&self, "%zu rows of %zu, %s", rows, desc.segment_length, test_data_name(data));
        }
        test_call_fill_data(&self, &(clprim_segmented_top_k_call){.count = 0}, TEST_DATA_RANDOM, seed);
        test_call_check(&self, "no rows");
    }
}

/* Rows for one work-item, one group, several groups; one row, few and many. */
static void check_all_rows(clprim_runtime *runtime, clprim_segmented_top_k_desc desc, uint64_t seed)
{
    static const struct {
        size_t length, rows;
    } shapes[] = {{1, 700}, {7, 1},    {32, 100}, {33, 40},  {64, 600}, {256, 300},
                  {257, 9}, {1000, 8}, {5003, 3}, {LONG, 1}, {70001, 3}};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (size_t i = test_is_full() ? 0 : seed % 3; i < SHAPES; i += test_is_full() ? 1 : 3) {
        desc.segment_length = shapes[i].length;
        check_rows(runtime, desc, shapes[i].rows, seed + i);
    }
}

/* The description of a plan for a type: each type has other values, another k, and a direction. */
static clprim_segmented_top_k_desc desc_of(int variant, size_t type, size_t turn)
{
    static const size_t value_sizes[] = {0, 0, 8, 2, 4, 0, 1, 16, 0, 0, 0};
    static const bool indices[] = {false, true, false, false, false, true, false, false, true, false, true};
    static const size_t ks[] = {1, 10, 100, 2, 1000, 33, 8, 100, 32, 300, 5000};
    static const size_t group_sizes[] = {0, 2, 0, 32, 0, 256, 0, 128, 0, 0, 64};
    enum { WAYS = sizeof indices / sizeof *indices };
    const size_t way = (type + turn * 3) % WAYS;
    const bool is_float = type + 1 >= CLPRIM_F16;
    return (clprim_segmented_top_k_desc){.key_type = (clprim_type)(type + 1),
                                         .k = ks[(type * 2 + turn) % WAYS],
                                         .smallest = (type + turn) % 2 == 1,
                                         .nan_order = is_float && turn % 2 == 1 ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL,
                                         .value_size = value_sizes[way],
                                         .indices = indices[way],
                                         .index_type = way == 8 ? CLPRIM_U64 : CLPRIM_U32,
                                         .unsorted = (type / 2 + turn) % 2 == 1,
                                         .offsets_type = type % 3 == 1 ? CLPRIM_U64 : CLPRIM_U32,
                                         .variant = variant,
                                         .work_group_size = group_sizes[way]};
}

enum { SHARES = 3 };

/* CPU_CHUNK runs each type with offsets and with rows, other variants with one of these, and AUTO with few types: their
 * kernels take CPU devices seconds to compile. */
static bool is_wanted(int variant, size_t type, bool by_rows)
{
    return variant == BY(CPU_CHUNK) || test_is_full() ||
           (variant == BY(AUTO) ? type % 5 == (by_rows ? 1 : 3) : type % 2 == (by_rows ? 1 : 0));
}

/* A third of the types for each test of a variant; with CLPRIM_TEST_FULL in several ways. */
TEST_EACH_WITH_RUNTIME(segmented_top_k, by_offsets, VARIANTS *SHARES)
{
    const int variant = (int)(number / SHARES);
    for (size_t type = number % SHARES; type < TYPES; type += SHARES)
        for (size_t turn = (size_t)variant; turn < (size_t)variant + (test_is_full() ? 8 : 1); turn++) {
            const clprim_segmented_top_k_desc desc = desc_of(variant, type, turn);
            if (is_wanted(variant, type, false))
                check_offsets(runtime, &desc, type + turn * TYPES);
        }
}

TEST_EACH_WITH_RUNTIME(segmented_top_k, by_rows, VARIANTS *SHARES)
{
    const int variant = (int)(number / SHARES);
    for (size_t type = number % SHARES; type < TYPES; type += SHARES)
        for (size_t turn = (size_t)variant + 1; turn < (size_t)variant + 1 + (test_is_full() ? 8 : 1); turn++)
            if (is_wanted(variant, type, true))
                check_all_rows(runtime, desc_of(variant, type, turn), type + turn * TYPES);
}

/* The same k and type with each variant and each way of writing; if the variant supports it, with a max_count of more
 * than 32 bits. */
TEST_BY_VARIANT(segmented_top_k, each_k, clprim_segmented_top_k_operation)
{
    static const size_t ks[] = {1, 2, 10, 100, 1000};
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        const clprim_segmented_top_k_desc desc = {.key_type = CLPRIM_F32,
                                                  .k = ks[i],
                                                  .indices = true,
                                                  .index_type = CLPRIM_U64,
                                                  .unsorted = (i + (size_t)variant) % 2 == 0,
                                                  .max_count = variant == BY(SELECT) ? 0 : (size_t)1 << 33,
                                                  .variant = variant};
        TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
            for (test_shape shape = TEST_SEGMENTS_SHORT; shape < TEST_SEGMENTS_END; shape++)
                check_segments(&self, shape, has_many(shape) ? SOME : MANY, (test_data)(shape % TEST_DATA_END), i);
            check_segments(&self, TEST_SEGMENTS_ONE, LONG, TEST_DATA_SPECIALS, i);
            check_segments(&self, TEST_SEGMENTS_ONE, LONG, TEST_DATA_EQUAL, i);
        }
    }
}

/* A caller's scratch memory that is just large enough, and not zeroed: nothing around it is written. */
TEST_BY_VARIANT(segmented_top_k, exact_scratch, clprim_segmented_top_k_operation)
{
    const clprim_segmented_top_k_desc desc = {.key_type = CLPRIM_U16, .k = 40, .indices = true, .variant = variant};
    TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
        const size_t unit = clprim_runtime_info(runtime)->base_address_alignment;
        size_t bytes = 0;
        ASSERT_OK(clprim_plan_scratch_size(&bytes, self.plan,
                                           &(clprim_segmented_top_k_call){.count = LONG, .segment_count = LONG + 1}));
        const size_t all = unit + bytes + 4096;
        unsigned char *before = test_memory(10, all);
        unsigned char *after = test_memory(11, all);
        memset(before, 0xff, all);
        cl_mem parent = test_upload(runtime, before, all);
        cl_mem scratch = test_part(parent, unit, bytes);
        ASSERT_OK(clprim_plan_set_scratch(self.plan, scratch));
        check_segments(&self, TEST_SEGMENTS_GIANTS, LONG, TEST_DATA_RANDOM, 7);
        check_segments(&self, TEST_SEGMENTS_ONE, LONG, TEST_DATA_FEW, 8);
        for (uint64_t seed = 0; seed < 8; seed++)
            check_segments(&self, TEST_SEGMENTS_MALFORMED, MANY, TEST_DATA_RANDOM, seed);
        ASSERT_OK(clprim_plan_set_scratch(self.plan, NULL));
        test_read(runtime, after, parent, all);
        test_expect_kept(before, after, unit, unit + bytes, all, self.name);
        ASSERT_CL(clReleaseMemObject(scratch));
        ASSERT_CL(clReleaseMemObject(parent));
    }
}

/* Rows around the lengths at which a team of lanes gets more lanes, or each lane more keys (teams.cl): each length with
 * another type, k, order, direction, and way of writing; one row, and enough rows for small teams. */
enum { EDGES_SHARES = 6 };
TEST_EACH_WITH_RUNTIME(segmented_top_k, rows_of_teams, EDGES_SHARES)
{
    static const size_t lengths[] = {17,  64,  129, 256, 257, 513, 1000, 1024, 1025, 33, 512, 32,
                                     128, 255, 511, 63,  65,  127, 31,   1023, 16,   15, 999, 600};
    static const size_t ks[] = {10, 1, 64, 32, 8, 33, 2000, 5};
    static const size_t value_sizes[] = {0, 0, 4, 0, 16, 1, 8};
    enum { ALL = sizeof lengths / sizeof *lengths, HALF = ALL / 2, KS = sizeof ks / sizeof *ks };
    enum { SIZES = sizeof value_sizes / sizeof *value_sizes };
    for (size_t i = number; i < (test_is_full() ? ALL : HALF); i += EDGES_SHARES)
        for (size_t turn = 0; turn < (test_is_full() ? 8 : 1); turn++) {
            const size_t way = i + i / EDGES_SHARES + turn;
            const size_t value_size = value_sizes[way % SIZES];
            const clprim_segmented_top_k_desc desc = {.key_type = (clprim_type)(way * 3 % TYPES + 1),
                                                      .k = ks[way % KS] < 2000 ? ks[way % KS] : lengths[i] / 2 % 64 + 1,
                                                      .smallest = way / 2 % 2 == 1,
                                                      .value_size = value_size,
                                                      .indices = value_size == 0 && way % 3 > 0,
                                                      .unsorted = way % 2 == 1,
                                                      .segment_length = lengths[i],
                                                      .variant = BY(SELECT)};
            check_rows(runtime, desc, 1, i);
            check_rows(runtime, desc, 100, i);
        }
}

/* Rows of few elements and small k, with all kinds of data: each lane finds its first keys by a network as wide as k,
 * and a list may not have room for all equal keys (exact.cl). */
TEST_WITH_RUNTIME(segmented_top_k, rows_of_small_teams)
{
    static const clprim_type types[] = {CLPRIM_U32, CLPRIM_F32, CLPRIM_I64, CLPRIM_U16, CLPRIM_F64, CLPRIM_U8};
    static const size_t lengths[] = {64, 17, 33, 128, 63, 100, 65, 32};
    static const size_t ks[] = {8, 1, 2, 3, 16, 5, 9, 4};
    enum { WAYS = sizeof ks / sizeof *ks, KINDS = sizeof types / sizeof *types, ROWS = 300 };
    for (size_t i = 0; i < WAYS; i++) {
        const clprim_segmented_top_k_desc desc = {.key_type = types[i % KINDS],
                                                  .k = ks[i],
                                                  .smallest = i % 4 >= 2,
                                                  .nan_order = i % 2 == 1 ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL,
                                                  .indices = i % 3 == 0,
                                                  .unsorted = i % 2 == 1,
                                                  .segment_length = lengths[i],
                                                  .variant = BY(SELECT)};
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            for (int data = 0; data < TEST_DATA_END; data++) {
                const clprim_segmented_top_k_call call = {.count = ROWS * lengths[i], .segment_count = ROWS};
                test_call_fill_data(&self, &call, data, (uint64_t)data + i);
                test_call_check(&self, "rows of %zu, %s", lengths[i], test_data_name(data));
            }
    }
}

/* The same lengths with offsets, so that segments begin at any alignment: with and without segments longer than a team
 * takes, and with segments that are so short on average that work-items take them. */
TEST_WITH_RUNTIME(segmented_top_k, segments_of_teams)
{
    static const uint32_t lengths[] = {0,   1,   2,   31,  32,  33,   127,  128, 129,  255,  256,
                                       257, 511, 512, 513, 900, 1023, 1024, 40,  1025, 2500, 3};
    enum { LENGTHS = sizeof lengths / sizeof *lengths, ROUNDS = 4, MOST = ROUNDS * 12000 };
    static const size_t ks[] = {10, 64, 32};
    static uint64_t bounds[ROUNDS * LENGTHS + 1];
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        const clprim_segmented_top_k_desc desc = {.key_type = i == 0   ? CLPRIM_U32
                                                              : i == 1 ? CLPRIM_F64
                                                                       : CLPRIM_I8,
                                                  .k = ks[i],
                                                  .smallest = i == 1,
                                                  .indices = true,
                                                  .unsorted = i == 0,
                                                  .variant = BY(SELECT)};
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            for (int data = 0; data < TEST_DATA_END; data++) {
                const size_t some = data % 2 == 0 ? LENGTHS : LENGTHS - 3; /* without the lengths that are longer than a
                                                                            * team takes */
                segments = (test_segments){TEST_SEGMENTS_EDGES, bounds, ROUNDS * some};
                for (size_t s = 0; s < segments.count; s++)
                    bounds[s + 1] = bounds[s] + lengths[s * 7 % some];
                cr_assert(bounds[segments.count] <= MOST);
                const clprim_segmented_top_k_call call = {.offsets = {.host = test_pack_bounds(&segments, CLPRIM_U32)},
                                                          .count = bounds[segments.count],
                                                          .segment_count = segments.count};
                self.reference = reference;
                test_call_fill_data(&self, &call, data, (uint64_t)data);
                test_call_check(&self, "%s, %zu lengths", test_data_name(data), some);
            }
    }
}

/* Minima do not help here: the best elements of each row are next to each other, or as far apart as those that a
 * work-item reads. */
TEST_WITH_RUNTIME(segmented_top_k, best_elements_of_one_work_item)
{
    static uint32_t keys[LONG];
    const clprim_segmented_top_k_desc desc = {.k = 500, .indices = true, .variant = BY(SELECT), .segment_length = LONG};
    TEST_WITH_CALL(self, create(&self, runtime, &desc))
        for (size_t stride = 1; stride <= 8192; stride *= 2) {
            for (size_t i = 0; i < LONG; i++)
                keys[i] = (uint32_t)(i % stride == 0 ? 1000000 + i : i % 1000);
            test_call_fill(&self,
                           &(clprim_segmented_top_k_call){.keys_in = {.host = keys}, .count = LONG, .segment_count = 1},
                           stride);
            test_call_check(&self, "stride %zu", stride);
        }
}

Test(segmented_top_k_host, refusals)
{
#define INVALID(named, by_reference, ...) TEST_INVALID(segmented_top_k, named, by_reference, __VA_ARGS__)
#define UNSUPPORTED(named, by, ...)       TEST_UNSUPPORTED(segmented_top_k, named, .variant = BY(by), __VA_ARGS__)
    TEST_REFUSE_EACH(segmented_top_k, INVALID("type", true, .key_type = CLPRIM_TYPE_END, .k = 1),
                     INVALID("k is 0", true, .k = 0), INVALID("value_size", true, .k = 1, .value_size = 3),
                     INVALID("value_size", false, .k = 1, .indices = true, .value_size = 4),
                     INVALID("index_type", false, .k = 1, .indices = true, .max_count = (size_t)1 << 33),
                     INVALID("offsets_type", true, .k = 1, .offsets_type = CLPRIM_F32),
                     INVALID("max_segments", false, .k = 1, .max_segments = UINT32_MAX),
                     UNSUPPORTED("max_count", SELECT, .k = 1, .max_count = (size_t)1 << 33),
                     UNSUPPORTED("local memory", SELECT, .k = 100000), UNSUPPORTED("k is", CPU_CHUNK, .k = SIZE_MAX));
}

/* Offsets on the host that are not sorted, or beyond the array; and more segments than the plan allows. */
TEST_WITH_RUNTIME(segmented_top_k, wrong_segments)
{
    static const uint32_t wrong[][4] = {{0, 2, 1, 3}, {0, 0, 2, 7}, {0, 7, 2, 3}}, right[4] = {0, 2, 2, 6};
    static uint32_t keys[6], out[9];
    const clprim_segmented_top_k_desc desc = {.k = 3, .max_segments = 3};
    clprim_segmented_top_k_call call = {
        .keys_in = {.host = keys}, .count = 6, .segment_count = 3, .keys_out = {.host = out}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        call.offsets.host = (void *)(uintptr_t)wrong[i];
        ASSERT_REFUSED(clprim_segmented_top_k_run(runtime, &desc, &call), CLPRIM_INVALID_ARGUMENT, "offsets[");
    }
    call.offsets.host = (void *)(uintptr_t)right;
    ASSERT_OK(clprim_segmented_top_k_run(runtime, &desc, &call));
    call.segment_count = 4;
    ASSERT_REFUSED(clprim_segmented_top_k_run(runtime, &desc, &call), CLPRIM_INVALID_RANGE, "segments are more");
}

/* The count must be that of the rows. */
TEST_WITH_RUNTIME(segmented_top_k, rows_must_fit)
{
    const clprim_segmented_top_k_desc desc = {.k = 3, .segment_length = 10};
    static uint32_t keys[40], out[12];
    for (size_t count = 38; count <= 40; count++)
        for (size_t rows = 3; rows <= 4; rows++) {
            const clprim_segmented_top_k_call call = {
                .keys_in = {.host = keys}, .count = count, .segment_count = rows, .keys_out = {.host = out}};
            const clprim_status status = clprim_segmented_top_k_run(runtime, &desc, &call);
            cr_assert_eq(status, count == 40 && rows == 4 ? CLPRIM_SUCCESS : CLPRIM_INVALID_ARGUMENT);
        }
}

/* The reference, compared with known results: the first and the last element are in no segment; segments of four, none
 * and two elements. */
Test(segmented_top_k_host, reference)
{
    static const int16_t keys[] = {99, 3, -1, 3, 7, 5, 5, 98};
    static const uint32_t offsets[] = {1, 5, 5, 7};
    static const int16_t expected[9] = {7, 3, 3, 77, 77, 77, 5, 5, 77}, by_rows[8] = {99, 3, 3, -1, 7, 5, 98, 5};
    static const uint32_t expected_places[9] = {3, 0, 2, 77, 77, 77, 0, 1, 77};
    clprim_reference_top_k_how how = {.key_type = CLPRIM_I16, .k = 3, .indices = true};
    int16_t found[9];
    uint32_t places[9];
    for (size_t i = 0; i < 9; i++)
        found[i] = 77, places[i] = 77;
    ASSERT_OK(clprim_reference_segmented_top_k(found, places, &how, keys, NULL, 8, 0, CLPRIM_U32, offsets, 3));
    test_expect_same(expected, found, sizeof *found, 9, "keys");
    test_expect_same(expected_places, places, sizeof *places, 9, "places");
    how.k = 2;
    ASSERT_OK(clprim_reference_segmented_top_k(found, places, &how, keys, NULL, 8, 2, CLPRIM_U32, NULL, 4));
    test_expect_same(by_rows, found, sizeof *found, 8, "rows");
    ASSERT_STATUS(clprim_reference_segmented_top_k(found, places, &how, keys, NULL, 8, 3, CLPRIM_U32, NULL, 4),
                  CLPRIM_INVALID_ARGUMENT);
}
