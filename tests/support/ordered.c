// SPDX-License-Identifier: MIT
/* ordered.c: what the tests of sorts, merges and searches share. */
#include "ordered.h"

/* How plans differ besides their order. */
static const struct {
    const char *name;
    size_t every; /* number of successive turns with the same value */
    size_t count;
    uint64_t ways[8];
} turns[] = {
    {"value_size", 1, 8, {0, 4, 0, 8, 0, 1, 16, 2}},
    {"work_group_size", 1, 6, {0, 32, 0, 1, 0, 128}},
    {"descending", 3, 2, {0, 1}},
    {"bound", 1, 2, {CLPRIM_BOUND_LOWER, CLPRIM_BOUND_UPPER}},
    {"index_type", 1, 3, {CLPRIM_U32, CLPRIM_U64, CLPRIM_U32}},
    {"offsets_type", 1, 3, {CLPRIM_U32, CLPRIM_U64, CLPRIM_U32}},
};

static void check_in_order(clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                           const test_order *order, clprim_nan_order nan_order, uint64_t turn, test_ordered_check check)
{
    const clprim_member *members = face->desc_members;
    test_struct changed = test_with(face, desc, "nan_order", nan_order);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        test_put(&changed, members, turns[i].name, turns[i].ways[turn / turns[i].every % turns[i].count]);
    test_put(&changed, members, test_member(members, "key_type") != NULL ? "key_type" : "type", order->type);
    test_put(&changed, members, "less", (uintptr_t)order->less);
    test_put(&changed, members, "source", (uintptr_t)order->source);
    test_put(&changed, members, "type_name", (uintptr_t)order->type_name);
    test_put(&changed, members, "type_size", order->type_name != NULL ? order->size : 0);
    const bool descending = test_get(&changed, members, "descending") != 0;
    check(runtime, changed.bytes,
          &(const test_ordered){order->name, test_reference_order(order, descending, nan_order), turn});
}

void test_ordered_plans(const clprim_operation *face, const void *desc, size_t number, size_t types, size_t orders,
                        test_ordered_check check)
{
    enum { TYPES = CLPRIM_TYPE_END - 1, STEP = 4, VALUES = 8 }; /* steps of 4 come to all 11 types */
    const bool is_full = test_is_full();
    clprim_runtime *runtime = test_runtime(NULL);
    test_struct own;
    memcpy(own.bytes, desc, face->desc_size);
    const bool is_auto = test_get(&own, face->desc_members, "variant") == 0;
    for (size_t i = 0; i < (is_full ? TYPES * VALUES : types); i++) {
        const test_order order = test_total_order((clprim_type)(1 + (3 * number + STEP * i) % TYPES));
        check_in_order(runtime, face, desc, &order, CLPRIM_NAN_TOTAL, 5 * number + i, check);
    }
    for (size_t i = 0; i < (is_full ? TEST_ORDERS : orders); i++)
        check_in_order(runtime, face, desc, &test_orders[(number + 3 * i) % TEST_ORDERS], CLPRIM_NAN_TOTAL,
                       number + 3 * i, check);
    for (size_t i = 0; i < (is_auto ? 2 : 1); i++) {
        const test_order order = test_total_order(!is_auto ? CLPRIM_F32 : i == 0 ? CLPRIM_F16 : CLPRIM_F64);
        const test_order narrow = test_total_order(CLPRIM_BF16);
        check_in_order(runtime, face, desc, &order, CLPRIM_NAN_LAST, 3 * number + i, check);
        check_in_order(runtime, face, desc, &narrow, (number + i) % 2 == 0 ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL,
                       7 * number + i, check);
    }
    clprim_runtime_destroy(runtime);
}

/* Write what an output contains before its segments are sorted: inside segments, the input; elsewhere the old contents,
 * which are poison, or the input that it overwrites in place. */
static void copy_segments(void *out, const void *in, size_t size, size_t length, const test_segments *segments,
                          bool in_place)
{
    const size_t first = in_place ? 0 : (size_t)segments->bounds[0];
    const size_t end = in_place ? length : (size_t)segments->bounds[segments->count];
    memset(out, TEST_POISON, length * size);
    memcpy((char *)out + first * size, (const char *)in + first * size, (end - first) * size);
}

/* Compute the sorted keys and values, for known segment bounds. */
static void make_sorted(const test_ordered *how, char *const in[2], char *const out[2], const size_t sizes[2],
                        const test_segments *segments, size_t count, uint64_t replaced)
{
    for (size_t i = 0; i < 2; i++)
        copy_segments(out[i], in[i], sizes[i], count, segments, (replaced >> i & 1) != 0);
    for (size_t s = 0; s < segments->count; s++) {
        const size_t begin = (size_t)segments->bounds[s];
        test_sort_elements(out[0] + begin * sizes[0], out[1] + begin * sizes[1], sizes[1], &how->by,
                           (size_t)segments->bounds[s + 1] - begin);
    }
}

/* Set the arrays of keys and values, which may be NULL, on the host. */
static void set_arrays(test_struct *call, const clprim_operation *face, const void *desc, void *const hosts[4])
{
    static const char *const names[] = {"keys_in", "values_in", "keys_out", "values_out"};
    for (size_t i = 0; i < 4; i++)
        if (test_member(face->call_members, names[i])->element(desc, 0).size > 0)
            test_array_at(call, face, names[i])->host = hosts[i];
}

/* Data for the judge of unstable sorts; a call may be checked twice. */
static struct {
    clprim_reference_before before; /* NULL: equal elements have the same bits */
    test_segments segments;         /* within a segment, equal elements and their values may be reordered */
    uint64_t whole[2];
} judged;

static void judge_unstable(const test_call *self, size_t i, void *got, const char *what)
{
    const test_array *array = &self->arrays[i];
    const test_array *keys = test_array_named(self, "keys_out");
    const test_array *values = test_array_named(self, "values_out");
    const size_t size = keys->size;
    const size_t value_size = values->is_there ? values->size : 0;
    const unsigned char *got_keys = keys->after + keys->offset * size;
    const uint64_t *bounds = judged.segments.bounds;
    const size_t end = (size_t)bounds[judged.segments.count];
    const size_t end_bytes = end * array->size;
    test_expect_same(array->expected, got, array->size, (size_t)bounds[0], what);
    test_expect_same((const char *)array->expected + end_bytes, (char *)got + end_bytes, array->size,
                     array->length - end, what);
    if (array == keys && value_size > 0)
        return; /* values are read next */
    for (size_t s = 0; s < judged.segments.count; s++) {
        const size_t begin = (size_t)bounds[s];
        test_expect_as_good(judged.before, (const char *)keys->expected + begin * size, size,
                            (const char *)values->expected + begin * value_size, value_size, got_keys + begin * size,
                            (char *)got + begin * value_size, (size_t)bounds[s + 1] - begin, what);
    }
}

void test_check_sort(test_call *self, const test_ordered *how, const test_segments *segments, size_t count,
                     test_data data, uint64_t replaced, uint64_t seed)
{
    const clprim_member *members = self->face->desc_members;
    const size_t sizes[2] = {how->by.size, (size_t)test_get(&self->desc, members, "value_size")};
    const test_segments *all = &judged.segments;
    char *const in[2] = {test_memory(0, count * sizes[0]), test_memory(1, count * sizes[1])};
    char *const out[2] = {test_memory(2, count * sizes[0]), test_memory(3, count * sizes[1])};
    test_struct call = {.bytes = {0}};
    judged.before = how->by.before;
    judged.whole[1] = count;
    judged.segments = segments != NULL ? *segments : (test_segments){TEST_SEGMENTS_ONE, judged.whole, 1};
    test_fill_elements(in[0], how->by.type, sizes[0], data, count, seed);
    test_fill_values(in[1], sizes[1], count);
    self->is_unspecified = all->shape == TEST_SEGMENTS_MALFORMED;
    if (!self->is_unspecified)
        make_sorted(how, in, out, sizes, all, count, replaced);
    set_arrays(&call, self->face, self->desc.bytes, (void *[]){in[0], in[1], out[0], out[1]});
    test_put(&call, self->face->call_members, "count", count);
    if (segments != NULL) {
        test_put(&call, self->face->call_members, "segment_count", segments->count);
        test_array_at(&call, self->face, "offsets")->host =
            test_pack_bounds(segments, (clprim_type)test_get(&self->desc, members, "offsets_type"));
    }
    self->judge = test_get(&self->desc, members, "stable") == 0 && all->count > 0 ? judge_unstable : NULL;
    self->replaced = replaced;
    test_call_fill(self, call.bytes, seed);
    test_call_check(self, "%s, %s, shape %d", how->name, test_data_name(data), (int)all->shape);
}

void test_check_sorts(test_call *self, const test_ordered *how, size_t max_count)
{
    static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,     9,    15,   16,
                                   17,   31,   32,   33,   63,   64,   65,   127,   129,  255,  256,
                                   257,  511,  513,  768,  1000, 1023, 1024, 1025,  2047, 2048, 2049,
                                   3000, 4095, 4096, 4097, 6143, 8191, 8193, 16384, 16385};
    const bool is_special = how->by.nan_order == CLPRIM_NAN_LAST;
    const bool has_values = test_get(&self->desc, self->face->desc_members, "value_size") > 0;
    const size_t some = TEST_SORT_SOME < max_count ? TEST_SORT_SOME : max_count;
    const size_t most = test_is_full() || max_count < TEST_SORT_LARGE ? max_count : TEST_SORT_LARGE;
    uint64_t turn = how->seed * 1000;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += is_special ? 5 : 1, turn++)
        if (sizes[i] <= max_count)
            test_check_sort(self, how, NULL, sizes[i], is_special ? TEST_DATA_SPECIALS : turn % TEST_DATA_END,
                            turn / 2 % 4, turn);
    for (int data = 0; data < TEST_DATA_END; data++)
        for (uint64_t replaced = data % 2; replaced < (has_values ? 4 : 2); replaced += 2, turn++)
            if (!is_special || data == TEST_DATA_SPECIALS)
                test_check_sort(self, how, NULL, some, data, replaced, turn);
    for (size_t count = TEST_SORT_LARGE; count <= most; count += TEST_SORT_VERY_LARGE - TEST_SORT_LARGE, turn++)
        test_check_sort(self, how, NULL, count, is_special ? TEST_DATA_SPECIALS : turn % TEST_DATA_END, turn / 2 % 4,
                        turn);
}

/* Check that the reference sorts keys_in to keys_out, and values_in, which may be NULL, to values_out. Values have
 * value_size bytes. */
static void expect_by_heart(const clprim_operation *face, const void *desc, size_t value_size, const test_known *known)
{
    uint64_t values[24], keys_out[12], values_out[24];
    const size_t size = test_member(face->call_members, "keys_out")->element(desc, 0).size;
    test_struct call = {.bytes = {0}};
    test_fill_values(values, value_size, known->count);
    test_put(&call, face->call_members, "count", known->count);
    set_arrays(&call, face, desc, (void *[]){(void *)known->keys, values, keys_out, values_out});
    ASSERT_OK(test_reference(face, desc, call.bytes));
    for (size_t i = 0; i < known->written; i++) {
        const size_t from = known->places[i];
        test_expect_same((const char *)known->keys + from * size, (char *)keys_out + i * size, size, 1, known->name);
        test_expect_same((char *)values + from * value_size, (char *)values_out + i * value_size, value_size,
                         value_size > 0, known->name);
    }
}

void test_expect_known(const clprim_operation *face, const test_known *rows, size_t count)
{
    static const size_t value_sizes[] = {sizeof(cl_uint), sizeof(cl_ulong), 0, 1, 2, 4, 8, 16}; /* first the indices */
    enum { WAYS = sizeof value_sizes / sizeof *value_sizes };
    const bool is_argsort = test_member(face->desc_members, "argsort") != NULL;
    for (size_t i = 0; i < count * WAYS; i++) {
        const size_t way = i % WAYS;
        test_struct desc = test_with(face, rows[i / WAYS].desc, is_argsort ? "argsort" : "indices", way < 2);
        test_put(&desc, face->desc_members, "index_type", way == 1 ? CLPRIM_U64 : CLPRIM_U32);
        test_put(&desc, face->desc_members, "value_size", way < 2 ? 0 : value_sizes[way]);
        expect_by_heart(face, desc.bytes, value_sizes[way], &rows[i / WAYS]);
    }
}

void test_refuse_segments(const clprim_operation *face, const void *desc, size_t max_segments)
{
    enum { COUNT = 6, SEGMENTS = 2, BAD = 3 };
    static uint64_t right[] = {0, 2, 4};
    static uint64_t bad[BAD][2 + SEGMENTS] = {
        {0, 2, 1, 3}, {0, 0, 2, COUNT + 1}, {0, COUNT + 1, 2, 3}}; /* from [1] on */
    const size_t too_many[] = {SIZE_MAX, max_segments + 1};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int wide = 0; wide < 2; wide++) {
        const clprim_type type = wide == 1 ? CLPRIM_U64 : CLPRIM_U32;
        const test_ordered how = {"u32", {.type = CLPRIM_U32, .size = sizeof(cl_uint)}, 0};
        const test_segments segments = {TEST_SEGMENTS_EDGES, right, SEGMENTS};
        test_call self;
        const test_struct own = test_with(face, desc, "offsets_type", type);
        test_call_make(&self, runtime, face, own.bytes);
        test_check_sort(&self, &how, &segments, COUNT, TEST_DATA_RANDOM, 0, 1);
        test_call_reset(&self);
        for (size_t i = 0; i < BAD; i++) {
            test_struct wrong = test_call_on_host(&self);
            const test_segments wrong_ones = {TEST_SEGMENTS_MALFORMED, bad[i], SEGMENTS + 1};
            *test_array_at(&wrong, face, "offsets") =
                (clprim_array){.host = test_pack_bounds(&wrong_ones, type), .offset = 1};
            ASSERT_REFUSED(test_call_run(&self, &wrong), CLPRIM_INVALID_ARGUMENT, "offsets[");
            test_call_expect_on_host(&self, "bad offsets", false);
        }
        for (size_t i = 0; i < (max_segments != 0 ? 2 : 1); i++) {
            test_struct wrong = self.call;
            test_put(&wrong, face->call_members, "segment_count", too_many[i]);
            test_array_at(&wrong, face, "offsets")->length = 0;
            ASSERT_REFUSED(test_call_enqueue(&self, &wrong), CLPRIM_INVALID_RANGE, i > 0 ? "segments are more" : "");
            ASSERT_REFUSED(test_call_run(&self, &wrong), CLPRIM_INVALID_RANGE, "segments are more");
            test_call_expect_untouched(&self, "too many segments");
        }
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
