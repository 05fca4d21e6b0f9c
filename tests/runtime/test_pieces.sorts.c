// SPDX-License-Identifier: MIT
/* test_pieces.sorts.c: run sorts arrays that do not fit the device. Device memory is limited so that there are 2, 3 or
 * many runs; results must be those of the reference, bit by bit. */
#include "ordered.h"

enum { COUNT = 5003 };

/* The arguments that a progress function got. */
typedef struct told {
    size_t calls, runs, done, total;
    size_t stop_at; /* that many calls; 0: never */
} told;

static int progress(void *user, const char *operation, size_t done, size_t total)
{
    told *t = user;
    (void)operation;
    t->calls++;
    t->runs += 2 * done <= total;
    cr_assert(done >= t->done && done <= total, "%zu of %zu after %zu", done, total, t->done);
    t->done = done;
    t->total = total;
    return t->calls == t->stop_at;
}

/* Host memory for the runs; all of it must be given back. */
static size_t allocated;

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    allocated += bytes;
    return malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user;
    allocated -= bytes;
    free(memory);
}

/* Set a limit with which pieces of `count` elements fit: three buffers per array, and scratch memory. */
static void limit(const test_call *self, told *t, size_t count)
{
    test_struct call = self->call;
    size_t width = 0;
    size_t scratch = 0;
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there &&
            (self->arrays[i].is_output || strcmp(self->arrays[i].slot.member->name, "keys_in") == 0))
            width += self->arrays[i].size;
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there && strcmp(self->arrays[i].slot.member->name, "keys_out") == 0)
            width -= self->arrays[i].size;
    test_put(&call, self->face->call_members, "count", count);
    ASSERT_OK(clprim_plan_scratch_size(&scratch, self->plan, call.bytes));
    *t = (told){0};
    ASSERT_OK(
        clprim_runtime_set_run_limits(self->runtime, &(clprim_run_limits){.device_memory = 3 * width * count + scratch,
                                                                          .allocate = allocate,
                                                                          .release = release,
                                                                          .progress = progress,
                                                                          .user = t}));
}

static void check_row(clprim_runtime *runtime, const clprim_operation *face, const void *desc, uint64_t seed)
{
    static const size_t runs[] = {2, 3, 17};
    test_call self;
    if (!test_call_create(&self, runtime, face, desc))
        return;
    const bool is_special = test_get(&self.desc, face->desc_members, "nan_order") == CLPRIM_NAN_LAST;
    for (int data = 0; data < TEST_DATA_END; data++) {
        const size_t k = runs[(seed + (uint64_t)data) % 3];
        test_struct call = {.bytes = {0}};
        told t;
        test_put(&call, face->call_members, "count", COUNT);
        self.replaced = (seed + (uint64_t)data) % 4;
        test_call_fill_data(&self, call.bytes, is_special && data % 2 == 0 ? TEST_DATA_SPECIALS : (test_data)data,
                            seed + (uint64_t)data);
        limit(&self, &t, COUNT / k + 1);
        test_call_check_run(&self, "%s, %zu runs", test_data_name((test_data)data), k);
        cr_assert(t.runs >= k - k / 8 && t.calls > t.runs && t.done == COUNT && t.total == COUNT,
                  "%s: %zu runs, %zu pieces, %zu of %zu", self.name, t.runs, t.calls, t.done, t.total);
        cr_assert_eq(allocated, 0);
    }
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, NULL));
    test_call_destroy(&self);
}

#define CHECK_ROWS(op, ...)                                                                                            \
    do {                                                                                                               \
        static const clprim_##op##_desc rows[] = {__VA_ARGS__};                                                        \
        clprim_runtime *runtime = test_runtime(NULL);                                                                  \
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)                                                        \
            check_row(runtime, &clprim_##op##_operation, &rows[i], i);                                                 \
        clprim_runtime_destroy(runtime);                                                                               \
    } while (0)

Test(sorts_in_pieces, of_keys)
{
    CHECK_ROWS(radix_sort, {.key_type = CLPRIM_I8}, {.key_type = CLPRIM_U8, .descending = true},
               {.key_type = CLPRIM_I16, .descending = true}, {.key_type = CLPRIM_U16}, {.key_type = CLPRIM_I32},
               {.key_type = CLPRIM_U32, .descending = true}, {.key_type = CLPRIM_I64},
               {.key_type = CLPRIM_U64, .descending = true}, {.key_type = CLPRIM_F16},
               {.key_type = CLPRIM_F32, .descending = true}, {.key_type = CLPRIM_F64},
               {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST, .descending = true},
               {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
               {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST});
}

Test(sorts_in_pieces, of_values_and_indices)
{
#define BITS(begin, end) .bit_range = true, .begin_bit = (begin), .end_bit = (end)
    CHECK_ROWS(radix_sort, {.key_type = CLPRIM_U8, .value_size = 1},
               {.key_type = CLPRIM_U32, .value_size = 2, .descending = true}, {.key_type = CLPRIM_F16, .value_size = 4},
               {.key_type = CLPRIM_I64, .value_size = 8}, {.key_type = CLPRIM_F32, .value_size = 16},
               {.key_type = CLPRIM_U16, .argsort = true},
               {.key_type = CLPRIM_F64, .argsort = true, .index_type = CLPRIM_U64, .descending = true},
               {.key_type = CLPRIM_F32, .argsort = true, .nan_order = CLPRIM_NAN_LAST},
               {.key_type = CLPRIM_U8, .argsort = true, .index_type = CLPRIM_U64, .max_count = (size_t)1 << 33},
               {.key_type = CLPRIM_U32, .value_size = 4, BITS(4, 9)}, {.key_type = CLPRIM_I16, BITS(3, 3)},
               {.key_type = CLPRIM_F64, .argsort = true, .descending = true, BITS(40, 70)},
               {.key_type = CLPRIM_U32, .max_count = COUNT});
}

/* Also those for GPUs, whose scratch memory has another layout. */
Test(sorts_in_pieces, by_all_variants)
{
    CHECK_ROWS(radix_sort, {.key_type = CLPRIM_U32, .value_size = 4, .variant = CLPRIM_RADIX_SORT_ONESWEEP},
               {.key_type = CLPRIM_F32, .argsort = true, .variant = CLPRIM_RADIX_SORT_LOCAL},
               {.key_type = CLPRIM_U16, .variant = CLPRIM_RADIX_SORT_SPLIT},
               {.key_type = CLPRIM_I64, .value_size = 8, .variant = CLPRIM_RADIX_SORT_CPU_CHUNK});
}

Test(sorts_in_pieces, of_several_arrays)
{
    CHECK_ROWS(sort_by_key, {.key_type = CLPRIM_F32, .num_arrays = 3, .element_sizes = {4, 12, 1}},
               {.key_type = CLPRIM_U16, .values_only = true, .descending = true},
               {.key_type = CLPRIM_I64, .values_only = true, .num_arrays = 2, .element_sizes = {256, 2}},
               {.key_type = CLPRIM_U32, .num_arrays = CLPRIM_SORT_BY_KEY_MAX_ARRAYS, BITS(0, 12)});
}

Test(sorts_in_pieces, by_comparisons)
{
    CHECK_ROWS(comparison_sort, {.key_type = CLPRIM_F32, .value_size = 4, .stable = true},
               {.key_type = CLPRIM_I16, .descending = true});
    CHECK_ROWS(bitonic_sort, {.key_type = CLPRIM_U64}, {.key_type = CLPRIM_F32, .descending = true});
}

/* A call of COUNT elements, with a limit such that there are `runs` runs, must stop. */
static void expect_stopped(const clprim_operation *face, const void *desc, const clprim_run_limits *limits,
                           size_t stop_at, clprim_status expected, const char *culprit, bool is_untouched)
{
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    test_struct call = {.bytes = {0}};
    told t;
    test_call_make(&self, runtime, face, desc);
    test_put(&call, face->call_members, "count", COUNT);
    test_call_fill_data(&self, call.bytes, TEST_DATA_RANDOM, 1);
    limit(&self, &t, COUNT / 5);
    t.stop_at = stop_at;
    if (limits != NULL)
        ASSERT_OK(clprim_runtime_set_run_limits(runtime, limits));
    const test_struct on_host = test_call_on_host(&self);
    ASSERT_REFUSED(test_call_run(&self, &on_host), expected, culprit);
    if (is_untouched)
        test_call_expect_on_host(&self, culprit, false);
    cr_assert_eq(allocated, 0);
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, NULL));
    test_call_check_run(&self, "afterwards");
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

static size_t times_allocated;

static void *allocate_once(void *user, size_t bytes)
{
    return times_allocated++ == 0 ? allocate(user, bytes) : NULL;
}

Test(sorts_in_pieces, end_where_they_cannot_go_on)
{
    static const clprim_radix_sort_desc keys = {.key_type = CLPRIM_U32};
    static const clprim_radix_sort_desc pairs = {.key_type = CLPRIM_U32, .value_size = 4};
    const clprim_run_limits tiny = {.device_memory = 7};
    const clprim_run_limits no_room = {.device_memory = 30000, .allocate = allocate_once, .release = release};
    expect_stopped(&clprim_radix_sort_operation, &keys, NULL, 2, CLPRIM_STOPPED, "radix_sort", true);
    expect_stopped(&clprim_radix_sort_operation, &keys, NULL, 7, CLPRIM_STOPPED, "radix_sort", false);
    expect_stopped(&clprim_radix_sort_operation, &pairs, &tiny, 0, CLPRIM_UNSUPPORTED, "7 bytes of its memory", true);
    expect_stopped(&clprim_radix_sort_operation, &pairs, &no_room, 0, CLPRIM_OUT_OF_MEMORY, "host memory", true);
}

/* The number of elements is on the host or in a buffer; after these elements, nothing may be written. */
Test(sorts_in_pieces, heed_a_count_on_the_device)
{
    enum { SOME = 4000 };
    static uint32_t keys[COUNT], out[COUNT], expected[COUNT];
    static const size_t numbers[] = {SOME, 0, COUNT + 7};
    const clprim_radix_sort_desc desc = {.count_at_type = CLPRIM_U64};
    clprim_runtime *runtime = test_runtime(NULL);
    test_fill_elements(keys, CLPRIM_U32, sizeof *keys, TEST_DATA_RANDOM, COUNT, 3);
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 20000}));
    for (size_t i = 0; i < 2 * sizeof numbers / sizeof *numbers; i++) {
        const cl_ulong number = numbers[i / 2];
        const size_t count = number < COUNT ? (size_t)number : COUNT;
        cl_mem buffer = test_upload(runtime, &number, sizeof number);
        clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = COUNT, .keys_out = {.host = out}};
        if (i % 2 == 0)
            call.count_at.buffer = buffer;
        else
            call.count_at.host = (void *)(uintptr_t)&number;
        memset(out, TEST_POISON, sizeof out);
        memset(expected, TEST_POISON, sizeof expected);
        memcpy(expected, keys, count * sizeof *keys);
        ASSERT_OK(clprim_reference_sort(expected, NULL, NULL, count));
        ASSERT_OK(clprim_radix_sort_run(runtime, &desc, &call));
        test_expect_same(expected, out, sizeof *out, COUNT, "counted on the device");
        ASSERT_CL(clReleaseMemObject(buffer));
    }
    clprim_runtime_destroy(runtime);
}

/* A call that cannot be cut must say why. */
Test(sorts_in_pieces, refuse_what_they_cannot_cut)
{
    static uint32_t keys[COUNT], values[COUNT], out[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    cl_mem buffer = test_buffer(runtime, sizeof values);
    const clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = COUNT, .keys_out = {.host = out}};
    clprim_radix_sort_call computed = {
        .arguments = {{.host = keys}}, .count = COUNT, .keys_out = {.host = out}, .values_out = {.host = values}};
    clprim_radix_sort_call mixed = call;
    clprim_radix_sort_call missing = call;
    clprim_radix_sort_call unexpected = call;
    clprim_comparison_sort_call by_less = {.keys_in = {.host = keys}, .count = COUNT, .keys_out = {.host = out}};
    clprim_bitonic_sort_call by_segments = {.keys_in = {.host = keys},
                                            .count = COUNT,
                                            .offsets = {.host = keys},
                                            .segment_count = 1,
                                            .keys_out = {.host = out}};
    mixed.values_in = (clprim_array){.buffer = buffer};
    mixed.values_out = (clprim_array){.host = values};
    missing.values_in = (clprim_array){.host = values};
    unexpected.values_out = (clprim_array){.host = values};
    memset(out, TEST_POISON, sizeof out);
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 20000}));
    ASSERT_REFUSED(clprim_radix_sort_run(
                       runtime,
                       &(clprim_radix_sort_desc){
                           .input = "x[i]", .argsort = true, .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}},
                       &computed),
                   CLPRIM_UNSUPPORTED, ".input");
    ASSERT_REFUSED(clprim_radix_sort_run(runtime, &(clprim_radix_sort_desc){.value_size = 4}, &mixed),
                   CLPRIM_UNSUPPORTED, "values_in has no .host");
    ASSERT_REFUSED(clprim_radix_sort_run(runtime, &(clprim_radix_sort_desc){.value_size = 4}, &missing),
                   CLPRIM_INVALID_ARGUMENT, "values_out");
    ASSERT_REFUSED(clprim_radix_sort_run(runtime, NULL, &unexpected), CLPRIM_INVALID_ARGUMENT, "values_out");
    ASSERT_REFUSED(clprim_comparison_sort_run(runtime, &(clprim_comparison_sort_desc){.less = "a < b"}, &by_less),
                   CLPRIM_UNSUPPORTED, ".less");
    ASSERT_REFUSED(clprim_bitonic_sort_run(runtime, &(clprim_bitonic_sort_desc){.segmented = true}, &by_segments),
                   CLPRIM_UNSUPPORTED, "segments");
    for (size_t i = 0; i < sizeof out; i++)
        cr_assert_eq(((unsigned char *)out)[i], TEST_POISON);
    ASSERT_CL(clReleaseMemObject(buffer));
    clprim_runtime_destroy(runtime);
}
