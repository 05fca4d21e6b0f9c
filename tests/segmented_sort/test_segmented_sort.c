/* test_segmented_sort.c: every variant sorts the segments as the reference does, for keys of every type, values of all
 * sizes, indices, both directions, both types of offsets, and segments of all shapes, in place and not. By default each
 * variant meets each size of keys, each type meets a variant, and each kind of values does; with CLPRIM_TEST_FULL set,
 * every variant meets every type with all kinds of values. */
#include <stdlib.h>

#include "orders.h"
#include "segments.h"

enum {
    SOME = 3001,
    MANY = 30011,
    LONG_ENOUGH = 100003, /* for segments that are long to CPU_CHUNK */
    SHORT = 200,          /* a promise */
    VARIANTS = CLPRIM_SEGMENTED_SORT_CPU_CHUNK + 1
};

static const size_t sizes[] = {0, 1, 2, 5, 31, 33, 255, 257, 1000, SOME, MANY};

static size_t value_size_of(const clprim_segmented_sort_desc *desc)
{
    return !desc->argsort ? desc->value_size : desc->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
}

static bool must_work(const clprim_segmented_sort_desc *desc, const clprim_device_info *info)
{
    const bool is_short = desc->max_segment_size != 0 && desc->max_segment_size <= info->local_memory_size / 256 &&
                          desc->max_segment_size <= 2 * info->max_work_group_size;
    switch (desc->variant) {
    case CLPRIM_SEGMENTED_SORT_LOCAL: return is_short;
    case CLPRIM_SEGMENTED_SORT_MIXED:
    case CLPRIM_SEGMENTED_SORT_CPU_CHUNK: return desc->max_count <= UINT32_MAX;
    default: return true;
    }
}

/* False where the device cannot run it; where the header promises that it can, that is an error. */
static bool create(test_call *self, clprim_runtime *runtime, const clprim_segmented_sort_desc *desc)
{
    const bool is_made = test_call_create(self, runtime, &clprim_segmented_sort_operation, desc);
    cr_assert(is_made || !must_work(desc, clprim_runtime_info(runtime)), "%s", clprim_last_error());
    return is_made;
}

/* Of replaced, bit 0 says that keys are sorted in place, bit 1 that values are. Where no segment is, outputs stay as
 * they are. */
static void check(test_call *self, test_shape shape, size_t count, test_data data, uint64_t replaced, uint64_t seed)
{
    const clprim_segmented_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t longest = desc->max_segment_size != 0 ? desc->max_segment_size : SIZE_MAX;
    const test_segments segments =
        test_make_segments(shape, count, shape == TEST_SEGMENTS_MALFORMED ? SIZE_MAX : longest, seed);
    const size_t size = clprim_type_size(desc->key_type);
    const size_t value_size = value_size_of(desc);
    const clprim_reference_sort_how how = {.key_type = desc->key_type,
                                           .value_size = value_size,
                                           .argsort = desc->argsort,
                                           .descending = desc->descending,
                                           .nan_order = desc->nan_order};
    void *keys = test_memory(0, count * size);
    void *values = test_memory(1, count * value_size);
    void *sorted = test_memory(2, count * size);
    void *sorted_values = test_memory(3, count * value_size);
    test_fill_elements(keys, desc->key_type, size, data, count, seed);
    test_fill_values(values, value_size, count);
    self->is_unspecified = shape == TEST_SEGMENTS_MALFORMED;
    self->replaced = replaced;
    if (!self->is_unspecified) {
        test_copy_segments(sorted, keys, size, count, &segments, (replaced & 1) != 0);
        test_copy_segments(sorted_values, values, value_size, count, &segments, !desc->argsort && (replaced & 2) != 0);
        ASSERT_OK(clprim_reference_segmented_sort(sorted, value_size > 0 ? sorted_values : NULL, &how, count,
                                                  CLPRIM_U64, segments.bounds, segments.count));
    }
    test_call_fill(self,
                   &(clprim_segmented_sort_call){.keys_in = {.host = keys},
                                                 .values_in = {.host = values},
                                                 .offsets = {.host = test_pack_bounds(&segments, desc->offsets_type)},
                                                 .count = count,
                                                 .segment_count = segments.count,
                                                 .keys_out = {.host = sorted},
                                                 .values_out = {.host = sorted_values}},
                   seed);
    test_call_check(self, "%s, shape %d", test_data_name(data), (int)shape);
}

/* All shapes at one size, at each in another way; then all sizes. */
static void check_all(test_call *self, uint64_t seed)
{
    uint64_t turn = seed * 1000;
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++)
        for (uint64_t replaced = 0; replaced < 4; replaced++, turn++)
            check(self, shape, replaced == 0 ? MANY : SOME, turn % TEST_DATA_END, replaced, turn);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++)
        check(self, TEST_SEGMENTS_ONE + turn % (TEST_SEGMENTS_END - 1), sizes[i], turn % TEST_DATA_END, turn % 4, turn);
    for (int data = 0; data < TEST_DATA_END; data++, turn++)
        check(self, TEST_SEGMENTS_EDGES, MANY, data, turn % 4, turn);
    check(self, seed % 2 == 0 ? TEST_SEGMENTS_GIANT : TEST_SEGMENTS_ONE, LONG_ENOUGH, turn % TEST_DATA_END, 0, turn);
    for (uint64_t i = 0; i < 10; i++, turn++)
        check(self, TEST_SEGMENTS_MALFORMED, i % 2 == 0 ? SOME : MANY, turn % TEST_DATA_END, turn % 4, turn);
    for (uint64_t replaced = 0; replaced < 4; replaced += 3) {
        check(self, TEST_SEGMENTS_INSIDE, SOME, TEST_DATA_RANDOM, replaced, turn);
        test_call_check_run(self, "on the host");
    }
}

/* Scratch memory of the caller's that is a part of a larger buffer, whose content is not zero, is just enough, and
 * nothing around it is written, whatever the offsets are. */
static void check_exact_scratch(test_call *self)
{
    const clprim_runtime *runtime = self->runtime;
    const size_t unit = clprim_runtime_info(runtime)->base_address_alignment;
    size_t bytes = 0;
    cl_int code = CL_SUCCESS;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_segmented_sort_call){.count = LONG_ENOUGH}));
    const size_t parent_bytes = unit + bytes + 4096;
    const cl_buffer_region region = {unit, bytes};
    unsigned char *before = test_allocate(parent_bytes);
    unsigned char *after = test_allocate(parent_bytes);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(runtime, before, parent_bytes);
    cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    check(self, TEST_SEGMENTS_GIANTS, LONG_ENOUGH, TEST_DATA_RANDOM, 0, 7);
    check(self, TEST_SEGMENTS_MALFORMED, LONG_ENOUGH, TEST_DATA_RANDOM, 0, 3);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, NULL));
    test_read(runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, self->name);
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* How much scratch memory a call takes is what the header says, for as many elements as the plan takes, or so many that
 * single ones do not count. */
static void check_scratch_size(const test_call *self)
{
    const clprim_segmented_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t count = desc->max_count != 0 ? desc->max_count : (size_t)1 << 26;
    const size_t values = value_size_of(desc);
    const size_t size = clprim_type_size(desc->key_type);
    const bool is_local = desc->variant == CLPRIM_SEGMENTED_SORT_LOCAL;
    const size_t limit = is_local ? 1 : size == 8 ? 32 + values : 2 * 8 + 2 * values;
    size_t bytes = 0;
    if (!is_local && desc->max_segment_size != 0)
        return;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_segmented_sort_call){.count = count}));
    cr_assert_leq(bytes, count * limit / 8 * 9 + count / 64, "%s: %zu bytes", self->name, bytes);
}

static void check_desc(clprim_runtime *runtime, const clprim_segmented_sort_desc *desc, uint64_t seed)
{
    test_call self;
    if (!create(&self, runtime, desc))
        return;
    check_all(&self, seed);
    check_exact_scratch(&self);
    check_scratch_size(&self);
    test_call_destroy(&self);
}

/* Fields: key_type, value_size, argsort, index_type, descending, nan_order, offsets_type, max_count, max_segments,
 * max_segment_size, variant, work_group_size. Plans cost most of the time: each is here for several reasons. */
static const clprim_segmented_sort_desc descs[] = {
    {CLPRIM_U32, 0, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, LONG_ENOUGH, 0, SHORT,
     CLPRIM_SEGMENTED_SORT_LOCAL, 0},
    {CLPRIM_F64, 16, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U64, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_LOCAL,
     32},
    {CLPRIM_I8, 0, true, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_MIXED, 0},
    {CLPRIM_F32, 0, true, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, 0, 0, CLPRIM_SEGMENTED_SORT_MIXED, 0},
    {CLPRIM_F16, 2, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U64, LONG_ENOUGH, 300000, 0,
     CLPRIM_SEGMENTED_SORT_COMPOSITE, 0},
    {CLPRIM_I32, 16, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_COMPOSITE,
     0},
    {CLPRIM_I64, 0, true, CLPRIM_U64, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_COMPOSITE, 0},
    {CLPRIM_U8, 1, false, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_U16, 0, true, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U64, 0, 0, 0, CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_I16, 4, false, CLPRIM_U32, true, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_CPU_CHUNK,
     0},
    {CLPRIM_U64, 8, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, LONG_ENOUGH, 0, 0,
     CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_F32, 0, false, CLPRIM_U32, false, CLPRIM_NAN_TOTAL, CLPRIM_U32, 0, 0, SHORT, CLPRIM_SEGMENTED_SORT_AUTO, 0},
    /* NaNs behind all numbers, where a code has room for a key and where it has none */
    {CLPRIM_F32, 4, false, CLPRIM_U32, false, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_CPU_CHUNK, 0},
    {CLPRIM_F64, 0, false, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_COMPOSITE, 0},
    {CLPRIM_F32, 0, true, CLPRIM_U32, true, CLPRIM_NAN_LAST, CLPRIM_U32, 0, 0, 0, CLPRIM_SEGMENTED_SORT_MIXED, 0},
};

enum { NUM_DESCS = sizeof descs / sizeof *descs };

/* The plans with an index of this remainder, so that tests run side by side. */
TEST_EACH(segmented_sort, as_the_reference_does, 3, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = *number; i < NUM_DESCS; i += 3)
        check_desc(runtime, &descs[i], TEST_SEED + i);
    clprim_runtime_destroy(runtime);
}

/* Every variant, type and kind of values, only when asked for: each compiles. */
Test(segmented_sort, everything, .timeout = 7200)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16, 0, 0}; /* the last two of indices */
    clprim_runtime *runtime = test_is_full() ? test_runtime(NULL) : NULL;
    uint64_t seed = 1;
    for (int variant = 0; test_is_full() && variant < VARIANTS; variant++)
        for (int type = 1; type < CLPRIM_TYPE_END; type++)
            for (size_t v = 0; v < 8; v++, seed++) {
                const bool is_local = variant == CLPRIM_SEGMENTED_SORT_LOCAL;
                const clprim_segmented_sort_desc desc = {.key_type = (clprim_type)type,
                                                         .value_size = value_sizes[v],
                                                         .argsort = v >= 6,
                                                         .index_type = v == 7 ? CLPRIM_U64 : CLPRIM_U32,
                                                         .descending = seed % 2 == 0,
                                                         .offsets_type = seed / 2 % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                                         .max_segment_size = is_local || seed % 3 == 0 ? SHORT : 0,
                                                         .variant = (clprim_segmented_sort_variant)variant};
                check_desc(runtime, &desc, seed);
            }
    clprim_runtime_destroy(runtime);
}

/* Lengths around what a tile holds, each alone and with neighbours: whatever the device makes a tile of. */
Test(segmented_sort, segments_as_large_as_a_tile, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    if (create(&self, runtime, &descs[3])) { /* MIXED, with indices */
        for (size_t length = 128; length <= 16384; length *= 2)
            for (size_t count = length - 1; count <= length + 1; count++)
                for (int i = 0; i < 2; i++)
                    check(&self, i == 0 ? TEST_SEGMENTS_ONE : TEST_SEGMENTS_GIANT, count, count % TEST_DATA_END,
                          count % 4, count);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
