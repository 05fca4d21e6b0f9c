/* test_bitonic_sort.segments.c: segments of an array, each sorted for itself, of all lengths around those that fit a
 * tile: against the sort of each by itself; offsets that are none; and calls without segments. */
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
    clprim_plan *plan;
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
    self.size = order != NULL ? order->size : clprim_type_size(desc.key_type);
    self.offset_size = desc.offsets_type == CLPRIM_U64 ? 8 : 4;
    (void)snprintf(self.name, sizeof self.name, "%s, values of %zu bytes%s, groups of %zu, by %s",
                   order != NULL ? order->name : clprim_type_name(desc.key_type), desc.value_size,
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
    const clprim_type type = self->desc.type_name != NULL ? CLPRIM_TYPE_DEFAULT : self->desc.key_type;
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
    clprim_bitonic_sort_call call = {.keys_in = {a->keys_in, MARGIN},
                                     .offsets = {a->offsets, 1},
                                     .count = count,
                                     .segment_count = a->segments,
                                     .keys_out = {in_place ? a->keys_in : a->keys_out, MARGIN}};
    if (has_values) {
        call.values_in = (clprim_array){a->values_in, MARGIN, NULL};
        call.values_out = (clprim_array){in_place ? a->values_in : a->values_out, MARGIN, NULL};
    }
    ASSERT_OK(clprim_bitonic_sort_enqueue(self->plan, NULL, &call, 0, NULL, &done));
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
                const clprim_bitonic_sort_desc desc = {.key_type = (clprim_type)type,
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
                clprim_plan_destroy(self.plan);
            }
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them. */
Test(bitonic_sort_segments, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < SEGMENT_VARIANTS; v++) {
        const clprim_bitonic_sort_desc desc = {.key_type = CLPRIM_F32,
                                               .nan_order = CLPRIM_NAN_LAST,
                                               .descending = v % 2 == 0,
                                               .variant = segment_variants[v]};
        subject self = subject_create(runtime, desc, NULL);
        for (int kind = 0; kind < LENGTHS_END; kind++)
            check(&self, (lengths)kind, TEST_DATA_SPECIALS, 5003, kind % 2 == 0, (uint64_t)kind);
        clprim_plan_destroy(self.plan);
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
            clprim_plan_destroy(self.plan);
        }
    clprim_runtime_destroy(runtime);
}

/* Without segments nothing is written, and no offsets are needed; a plan for whole arrays takes no segments. */
Test(bitonic_sort_segments, none)
{
    enum { COUNT = 100 };
    const clprim_bitonic_sort_desc by_segments = {.key_type = CLPRIM_U32};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *whole = NULL;
    subject self = subject_create(runtime, by_segments, NULL);
    arrays a = arrays_create(&self, COUNT, TEST_DATA_RANDOM, 1);
    clprim_bitonic_sort_call call = {.keys_in = {a.keys_in, MARGIN}, .count = COUNT, .keys_out = {a.keys_out, MARGIN}};
    ASSERT_OK(clprim_bitonic_sort_enqueue(self.plan, NULL, &call, 0, NULL, NULL));
    ASSERT_OK(clprim_bitonic_sort_create(&whole, runtime, NULL));
    call.segment_count = 1;
    ASSERT_STATUS(clprim_bitonic_sort_enqueue(whole, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "segment_count"), "%s", clprim_last_error());
    ASSERT_STATUS(clprim_bitonic_sort_enqueue(self.plan, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "offsets"), "%s", clprim_last_error());
    test_read(runtime, a.got_keys, a.keys_out, a.room * self.size);
    expect_kept(&self, &a, 0, 0, false, "no segments");
    clprim_plan_destroy(whole);
    clprim_plan_destroy(self.plan);
    arrays_destroy(&a);
    clprim_runtime_destroy(runtime);
}

/* On the host, too, what is in no segment stays as it is. */
Test(bitonic_sort_segments, what_is_in_no_segment_is_not_written)
{
    static const uint32_t expected[] = {77, 1, 3, 2, 77, 77};
    const clprim_bitonic_sort_desc desc = {.key_type = CLPRIM_U32, .segmented = true};
    uint32_t in[] = {9, 3, 1, 2, 8, 7};
    uint32_t out[] = {77, 77, 77, 77, 77, 77};
    uint32_t offsets[] = {1, 3, 4};
    ASSERT_OK(clprim_bitonic_sort_run(NULL, &desc,
                                      &(clprim_bitonic_sort_call){.keys_in = {.host = in},
                                                                  .offsets = {.host = offsets},
                                                                  .count = 6,
                                                                  .segment_count = 2,
                                                                  .keys_out = {.host = out}}));
    test_expect_same(expected, out, sizeof *out, 6, "keys");
}

/* Of offsets on the host, of either type, run sees what is wrong with them, and writes nothing. */
Test(bitonic_sort_segments, run_refuses_bad_offsets)
{
    enum { COUNT = 6, ROWS = 3 };
    static const uint64_t bad[ROWS][3] = {{2, 1, 3}, {0, 2, COUNT + 1}, {COUNT + 1, 2, 3}};
    static const uint32_t kept[COUNT] = {77, 77, 77, 77, 77, 77};
    const uint32_t in[COUNT] = {9, 3, 1, 2, 8, 7};
    uint32_t out[COUNT];
    memcpy(out, kept, sizeof out);
    for (int row = 0; row < 2 * ROWS; row++) {
        const bool is_wide = row >= ROWS;
        const clprim_bitonic_sort_desc desc = {.segmented = true, .offsets_type = is_wide ? CLPRIM_U64 : CLPRIM_U32};
        uint64_t wide[4] = {0};
        uint32_t narrow[4] = {0};
        memcpy(wide + 1, bad[row % ROWS], sizeof bad[0]);
        for (int i = 0; i < 4; i++)
            narrow[i] = (uint32_t)wide[i];
        const clprim_bitonic_sort_call call = {.keys_in = {.host = (void *)in},
                                               .offsets = {.host = is_wide ? (void *)wide : narrow, .offset = 1},
                                               .count = COUNT,
                                               .segment_count = 2,
                                               .keys_out = {.host = out}};
        ASSERT_STATUS(clprim_bitonic_sort_run(NULL, &desc, &call), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), "offsets["), "%s", clprim_last_error());
        test_expect_same(kept, out, sizeof *out, COUNT, "after a refusal");
    }
}

/* More segments than kernels can count. */
Test(bitonic_sort_segments, too_many)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    cl_mem any = test_buffer(runtime, sizeof(uint32_t));
    const clprim_bitonic_sort_call call = {
        .keys_in = {any}, .offsets = {any}, .count = 1, .segment_count = SIZE_MAX, .keys_out = {any}};
    ASSERT_OK(clprim_bitonic_sort_create(&plan, runtime, &(clprim_bitonic_sort_desc){.segmented = true}));
    ASSERT_STATUS(clprim_bitonic_sort_enqueue(plan, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_bitonic_sort_run(runtime, &(clprim_bitonic_sort_desc){.segmented = true}, &call),
                  CLPRIM_INVALID_RANGE);
    cr_assert_not_null(strstr(clprim_last_error(), "segments are more"), "%s", clprim_last_error());
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(any));
    clprim_runtime_destroy(runtime);
}
