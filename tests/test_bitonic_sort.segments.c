/* test_bitonic_sort.segments.c: segments of an array, each sorted for itself, of all lengths around those that fit a
 * tile: against the sort of each by itself; offsets that are none; and what is refused. */
#include <stdio.h>
#include <stdlib.h>

#include "test_bitonic_sort.h"

enum { MAX_COUNT = 20011, MAX_SEGMENTS = 4000, MARGIN = 5, LARGE_COUNT = 150001 };

/* How long segments are. */
typedef enum lengths {
    LENGTHS_TINY = 0, /* 0 to 20 */
    LENGTHS_EDGES,    /* around powers of two */
    LENGTHS_MIXED,    /* tiny ones, and some that fit no tile */
    LENGTHS_ONE,
    LENGTHS_EMPTY, /* but for the last one */
    LENGTHS_END
} lengths;

static size_t length_of(lengths kind, size_t s, uint64_t *random, size_t left)
{
    static const size_t edges[] = {1, 2, 3, 63, 64, 65, 127, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2049};
    const size_t tiny = test_random_below(random, 21);
    switch (kind) {
    case LENGTHS_TINY: return tiny;
    case LENGTHS_EDGES: return edges[test_random_below(random, sizeof edges / sizeof *edges)];
    case LENGTHS_MIXED: return s % 100 == 50 ? 3000 + tiny : tiny;
    case LENGTHS_EMPTY: return s < MAX_SEGMENTS - 1 ? 0 : left;
    default: return left;
    }
}

typedef struct subject {
    clprim_runtime *runtime;
    clprim_bitonic_sort *plan;
    clprim_bitonic_sort_desc desc;
    clprim_reference_before before;
    size_t size, offset_size;
    char name[160];
} subject;

static subject subject_create(clprim_runtime *runtime, clprim_bitonic_sort_desc desc, const test_order *order)
{
    subject self = {.runtime = runtime, .desc = desc};
    self.desc.segmented = true;
    self.before = order != NULL ? order->before : NULL;
    self.size = order != NULL ? order->size : clprim_type_size(desc.type);
    self.offset_size = desc.offsets_type == CLPRIM_U64 ? 8 : 4;
    (void)snprintf(self.name, sizeof self.name, "%s, values of %zu bytes%s, groups of %zu, by %s",
                   order != NULL ? order->name : clprim_type_name(desc.type), desc.value_size,
                   desc.descending ? ", descending" : "", desc.work_group_size, bitonic_variant_name(desc.variant));
    const clprim_status status = clprim_bitonic_sort_create(&self.plan, runtime, &self.desc);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    return self;
}

/* Arrays of a call on the host and on the device, each MARGIN elements longer than what is used at both ends. */
typedef struct arrays {
    unsigned char *keys, *values, *got_keys, *got_values;
    cl_mem keys_in, values_in, keys_out, values_out, offsets;
    uint64_t *bounds;
    size_t segments, room;
} arrays;

static cl_mem upload_offsets(const subject *self, const uint64_t *bounds, size_t count)
{
    unsigned char *narrow = test_allocate((count + 1) * self->offset_size);
    memset(narrow, BITONIC_POISON, self->offset_size); /* offsets_offset is 1 */
    for (size_t i = 0; i < count; i++)
        memcpy(narrow + (i + 1) * self->offset_size, &bounds[i], self->offset_size);
    cl_mem memory = test_upload(self->runtime, narrow, (count + 1) * self->offset_size);
    free(narrow);
    return memory;
}

static arrays arrays_create(const subject *self, size_t count, test_data data, uint64_t seed)
{
    arrays a = {.room = count + 2 * MARGIN};
    const size_t value_size = self->desc.value_size;
    const clprim_type type = self->desc.type_name != NULL ? CLPRIM_TYPE_DEFAULT : self->desc.type;
    a.keys = test_allocate(a.room * self->size);
    a.values = test_allocate(a.room * value_size + 1);
    a.got_keys = test_allocate(a.room * self->size);
    a.got_values = test_allocate(a.room * value_size + 1);
    test_fill_elements(a.keys, type, self->size, data, a.room, seed);
    test_fill_values(a.values, value_size, a.room);
    a.keys_in = test_upload(self->runtime, a.keys, a.room * self->size);
    a.values_in = value_size > 0 ? test_upload(self->runtime, a.values, a.room * value_size) : NULL;
    memset(a.got_keys, BITONIC_POISON, a.room * self->size);
    memset(a.got_values, BITONIC_POISON, a.room * value_size);
    a.keys_out = test_upload(self->runtime, a.got_keys, a.room * self->size);
    a.values_out = value_size > 0 ? test_upload(self->runtime, a.got_values, a.room * value_size) : NULL;
    return a;
}

/* From `first` on; what is left behind the last one is in no segment, of which MIXED leaves some. */
static void arrays_split(arrays *a, const subject *self, lengths kind, size_t first, size_t count, uint64_t seed)
{
    a->bounds = test_allocate((MAX_SEGMENTS + 1) * sizeof *a->bounds);
    a->bounds[0] = first;
    for (a->segments = 0; a->segments < MAX_SEGMENTS; a->segments++) {
        const size_t at = (size_t)a->bounds[a->segments];
        const size_t length = length_of(kind, a->segments, &seed, count - at);
        if (kind != LENGTHS_EMPTY && (length > count - at || at == count))
            break;
        a->bounds[a->segments + 1] = at + length;
    }
    a->offsets = upload_offsets(self, a->bounds, a->segments + 1);
}

static void arrays_destroy(arrays *a)
{
    const cl_mem memory[] = {a->keys_in, a->values_in, a->keys_out, a->values_out, a->offsets};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (memory[i] != NULL)
            ASSERT_CL(clReleaseMemObject(memory[i]));
    free(a->keys);
    free(a->values);
    free(a->got_keys);
    free(a->got_values);
    free(a->bounds);
}

static void run(const subject *self, const arrays *a, size_t count, bool in_place)
{
    const bool has_values = self->desc.value_size > 0;
    cl_event done = NULL;
    ASSERT_OK(clprim_bitonic_sort_enqueue_segments(
        self->plan, NULL, a->keys_in, MARGIN, a->values_in, has_values ? MARGIN : 0, count, a->offsets, 1, a->segments,
        in_place ? a->keys_in : a->keys_out, MARGIN, in_place ? a->values_in : a->values_out, has_values ? MARGIN : 0,
        0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    test_read(self->runtime, a->got_keys, in_place ? a->keys_in : a->keys_out, a->room * self->size);
    if (has_values)
        test_read(self->runtime, a->got_values, in_place ? a->values_in : a->values_out,
                  a->room * self->desc.value_size);
}

/* What is before `begin` and from `end` on is as it was. */
static void expect_kept(const subject *self, const arrays *a, size_t begin, size_t end, bool in_place, const char *what)
{
    for (size_t i = 0; i < a->room * self->size; i++)
        if (i < begin * self->size || i >= end * self->size)
            cr_assert_eq(a->got_keys[i], in_place ? a->keys[i] : BITONIC_POISON, "%s: byte %zu of the keys", what, i);
    for (size_t i = 0; i < a->room * self->desc.value_size; i++)
        if (i < begin * self->desc.value_size || i >= end * self->desc.value_size)
            cr_assert_eq(a->got_values[i], in_place ? a->values[i] : BITONIC_POISON, "%s: byte %zu of the values", what,
                         i);
}

static void check(const subject *self, lengths kind, test_data data, size_t count, bool in_place, uint64_t seed)
{
    const size_t first = kind == LENGTHS_TINY && count > 3 ? 3 : 0;
    const size_t value_size = self->desc.value_size;
    char what[320];
    arrays a = arrays_create(self, count, data, seed);
    arrays_split(&a, self, kind, first, count, seed);
    (void)snprintf(what, sizeof what, "%s: %zu elements (%s, seed %llx) in %zu segments (%d)%s", self->name, count,
                   test_data_name(data), (unsigned long long)seed, a.segments, (int)kind, in_place ? " in place" : "");
    run(self, &a, count, in_place);
    expect_kept(self, &a, MARGIN + first, MARGIN + (size_t)a.bounds[a.segments], in_place, what);
    for (size_t s = 0; s < a.segments; s++) {
        const size_t begin = MARGIN + (size_t)a.bounds[s];
        const size_t length = MARGIN + (size_t)a.bounds[s + 1] - begin;
        if (length > 0)
            bitonic_judge(&self->desc, self->before, a.keys + begin * self->size, a.values + begin * value_size,
                          a.got_keys + begin * self->size, a.got_values + begin * value_size, length, what);
    }
    arrays_destroy(&a);
}

static void check_all(const subject *self, uint64_t seed)
{
    static const size_t counts[] = {0, 1, 2, 1000, MAX_COUNT};
    for (int kind = 0; kind < LENGTHS_END; kind++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const uint64_t turn = seed + 10 * (uint64_t)kind + i;
            check(self, (lengths)kind, (test_data)(turn % TEST_DATA_END), counts[i], turn % 2 == 1, turn);
        }
    for (int data = 0; data < TEST_DATA_END; data++)
        check(self, (lengths)(data % LENGTHS_ONE), (test_data)data, 5003, data % 2 == 0, seed + (uint64_t)data);
    check(self, LENGTHS_MIXED, TEST_DATA_RANDOM, LARGE_COUNT, false, seed);
}

/* Offsets that descend, repeat, or lie far beyond the array: nothing around it is touched. */
static void check_hostile_offsets(const subject *self)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        arrays a = arrays_create(self, MAX_COUNT, TEST_DATA_RANDOM, seed);
        uint64_t random = seed;
        a.segments = 200 + seed;
        a.bounds = test_allocate((a.segments + 1) * sizeof *a.bounds);
        for (size_t i = 0; i <= a.segments; i++)
            a.bounds[i] = seed % 3 == 0   ? test_random(&random)
                          : seed % 3 == 1 ? test_random_below(&random, 2 * MAX_COUNT)
                                          : (uint64_t)(a.segments - i) * 100;
        a.offsets = upload_offsets(self, a.bounds, a.segments + 1);
        run(self, &a, MAX_COUNT, seed % 2 == 0);
        expect_kept(self, &a, MARGIN, MARGIN + MAX_COUNT, seed % 2 == 0, self->name);
        arrays_destroy(&a);
    }
}

static const clprim_bitonic_sort_variant segment_variants[] = {CLPRIM_BITONIC_SORT_LOCAL_MERGE,
                                                               CLPRIM_BITONIC_SORT_CPU_CHUNK};
enum { SEGMENT_VARIANTS = 2 };

/* By default some types, each with other values; fully all of both. */
Test(bitonic_sort_segments, types, .timeout = 1700)
{
    static const size_t value_sizes[] = {0, 4, 16, 8, 1, 2};
    static const size_t group_sizes[] = {0, 32, 0, 1};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < SEGMENT_VARIANTS; v++)
        for (size_t type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++)
            for (size_t k = 0; k < (test_is_full() ? 6 : 1); k++) {
                const clprim_bitonic_sort_desc desc = {.type = (clprim_type)type,
                                                       .variant = segment_variants[v],
                                                       .value_size = value_sizes[(type / 4 + k) % 6],
                                                       .descending = type % 2 == 0,
                                                       .offsets_type = type % 3 == 0 ? CLPRIM_U64 : CLPRIM_U32,
                                                       .max_count = type == CLPRIM_F32 ? (size_t)1 << 33 : 0,
                                                       .work_group_size = group_sizes[(type + k) % 4]};
                if (!test_is_full() && (type + v) % 6 != 2)
                    continue;
                subject self = subject_create(runtime, desc, NULL);
                check_all(&self, type);
                check_hostile_offsets(&self);
                clprim_bitonic_sort_destroy(self.plan);
            }
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them. */
Test(bitonic_sort_segments, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < SEGMENT_VARIANTS; v++) {
        const clprim_bitonic_sort_desc desc = {
            .type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST, .descending = v % 2 == 0, .variant = segment_variants[v]};
        subject self = subject_create(runtime, desc, NULL);
        for (int kind = 0; kind < LENGTHS_END; kind++)
            check(&self, (lengths)kind, TEST_DATA_SPECIALS, 5003, kind % 2 == 0, (uint64_t)kind);
        clprim_bitonic_sort_destroy(self.plan);
    }
    clprim_runtime_destroy(runtime);
}

Test(bitonic_sort_segments, orders, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < SEGMENT_VARIANTS; v++)
        for (size_t i = 0; i < TEST_ORDERS; i++) {
            clprim_bitonic_sort_desc desc = bitonic_desc_of(&test_orders[i]);
            desc.variant = segment_variants[v];
            desc.value_size = i % 2 == 0 ? 4 : 0;
            desc.descending = i % 3 == 1;
            if (!test_is_full() && i != 1 + v)
                continue;
            subject self = subject_create(runtime, desc, &test_orders[i]);
            check_all(&self, i);
            clprim_bitonic_sort_destroy(self.plan);
        }
    clprim_runtime_destroy(runtime);
}

/* Held back by an event, on an out-of-order queue; the plan is given up before its work has run. */
Test(bitonic_sort_segments, waits_and_lifetimes, .timeout = 120)
{
    enum { COUNT = 1000 };
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_bitonic_sort_desc desc = {.type = CLPRIM_U32};
    subject self = subject_create(runtime, desc, NULL);
    arrays a = arrays_create(&self, COUNT, TEST_DATA_RANDOM, 1);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int code = CL_SUCCESS;
    cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    cl_event done[2] = {NULL, NULL};
    ASSERT_CL(code);
    arrays_split(&a, &self, LENGTHS_TINY, 0, COUNT, 1);
    for (int i = 0; i < 2; i++) /* twice at once, without and with segments */
        ASSERT_OK(clprim_bitonic_sort_enqueue_segments(self.plan, queue, a.keys_in, MARGIN, NULL, 0, COUNT, a.offsets,
                                                       1, i == 0 ? 0 : a.segments, a.keys_out, MARGIN, NULL, 0, 1,
                                                       &start, &done[i]));
    test_read(runtime, a.got_keys, a.keys_out, a.room * self.size);
    expect_kept(&self, &a, 0, 0, false, "before the wait list is complete");
    clprim_bitonic_sort_destroy(self.plan);
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(2, done));
    test_read(runtime, a.got_keys, a.keys_out, a.room * self.size);
    for (size_t s = 0; s < a.segments; s++)
        bitonic_judge(&self.desc, NULL, a.keys + (MARGIN + a.bounds[s]) * 4, NULL,
                      a.got_keys + (MARGIN + a.bounds[s]) * 4, NULL, (size_t)(a.bounds[s + 1] - a.bounds[s]), "later");
    for (int i = 0; i < 2; i++)
        ASSERT_CL(clReleaseEvent(done[i]));
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
    arrays_destroy(&a);
    clprim_runtime_destroy(runtime);
}

/* The arguments of a call, of which each test changes some. */
typedef struct call {
    cl_mem keys_in, values_in, offsets, keys_out, values_out;
    size_t keys_in_offset, count, offsets_offset, segments, keys_out_offset;
} call;

static clprim_status start(clprim_bitonic_sort *plan, const call *c, cl_event *done)
{
    return clprim_bitonic_sort_enqueue_segments(plan, NULL, c->keys_in, c->keys_in_offset, c->values_in, 0, c->count,
                                                c->offsets, c->offsets_offset, c->segments, c->keys_out,
                                                c->keys_out_offset, c->values_out, 0, 0, NULL, done);
}

#define SEGMENTS_REFUSED(plan, expected, culprit, ...)                                                                 \
    do {                                                                                                               \
        call wrong = right;                                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(start(plan, &wrong, &never), expected);                                                          \
        cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s: %s", #__VA_ARGS__, clprim_last_error());         \
        cr_assert_null(never);                                                                                         \
    } while (0)

Test(bitonic_sort_segments, refusals)
{
    enum { COUNT = 100, SEGMENTS = 10 };
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_bitonic_sort *whole = NULL;
    clprim_bitonic_sort *none = NULL;
    const clprim_bitonic_sort_desc of_arrays = {.variant = CLPRIM_BITONIC_SORT_NAIVE};
    const clprim_bitonic_sort_desc wrong_offsets = {.segmented = true, .offsets_type = CLPRIM_I32};
    const clprim_bitonic_sort_desc wrong_variant = {.segmented = true, .variant = CLPRIM_BITONIC_SORT_NAIVE};
    const clprim_bitonic_sort_desc of_segments = {.type = CLPRIM_U32, .max_count = COUNT};
    subject self = subject_create(runtime, of_segments, NULL);
    uint32_t keys[2] = {2, 1};
    ASSERT_OK(clprim_bitonic_sort_create(&whole, runtime, &of_arrays));
    ASSERT_STATUS(clprim_bitonic_sort_create(&none, runtime, &wrong_offsets), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_bitonic_sort_create(&none, runtime, &wrong_variant), CLPRIM_UNSUPPORTED);
    ASSERT_STATUS(clprim_bitonic_sort_host(keys, NULL, runtime, &self.desc, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys[0] == 2 && none == NULL);
    const call right = {.keys_in = test_buffer(runtime, COUNT * 4),
                        .offsets = test_buffer(runtime, (SEGMENTS + 1) * 4),
                        .keys_out = test_buffer(runtime, COUNT * 4),
                        .count = COUNT,
                        .segments = SEGMENTS};
    cl_mem larger = test_buffer(runtime, (COUNT + 1) * 4);
    SEGMENTS_REFUSED(NULL, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    SEGMENTS_REFUSED(whole, CLPRIM_INVALID_ARGUMENT, "segments", (void)0);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_ARGUMENT, "keys_in", wrong.keys_in = NULL);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.keys_out = NULL);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_ARGUMENT, "offsets", wrong.offsets = NULL);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_ARGUMENT, "values", wrong.values_in = larger);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_ARGUMENT, "values", wrong.values_out = larger);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = 1);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = SIZE_MAX);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_RANGE, "offsets", wrong.offsets_offset = 1);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_RANGE, "offsets", wrong.segments = SEGMENTS + 1);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_RANGE, "segments", wrong.segments = SIZE_MAX);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_RANGE, "max_count", wrong.count = COUNT + 1, wrong.keys_in = larger,
                     wrong.keys_out = larger);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_out = wrong.keys_in = larger,
                     wrong.keys_in_offset = 1);
    SEGMENTS_REFUSED(self.plan, CLPRIM_INVALID_OVERLAP, "offsets", wrong.keys_out = larger, wrong.offsets = larger);
    ASSERT_STATUS(
        clprim_bitonic_sort_enqueue(self.plan, NULL, right.keys_in, 0, COUNT, right.keys_out, 0, 0, NULL, NULL),
        CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "segments"));
    clprim_bitonic_sort_destroy(whole);
    clprim_bitonic_sort_destroy(self.plan);
    ASSERT_CL(clReleaseMemObject(right.keys_in));
    ASSERT_CL(clReleaseMemObject(right.offsets));
    ASSERT_CL(clReleaseMemObject(right.keys_out));
    ASSERT_CL(clReleaseMemObject(larger));
    clprim_runtime_destroy(runtime);
}
