/* test_sort_by_key.c: sorts of arrays are what the reference makes of them, for one array that moves along with its
 * keys and for many that are gathered, of elements of all kinds of sizes, with every variant of the sort underneath;
 * all kinds of keys, sizes, offsets, in place and not. */
#include "orders.h"

enum {
    KEYS,
    ARRAYS,
    MAX_ARRAYS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS
}; /* places in memory, and numbers of arrays in place */

/* Around powers of two, where sub-groups, work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 33, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4097, 16385};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    SOME = 1003,
    LARGE = 100003,
    SINGLE_GROUP_COUNT = 128 /* more take longer to compile */
};

#define BEYOND_32_BITS ((size_t)1 << 33)

/* Sorts by U32 with indices of 4 bytes are one program, whatever is gathered by them. A group size makes tiles of what
 * is gathered on CPUs, too. The last rows are for CLPRIM_TEST_FULL. */
static const clprim_sort_by_key_desc rows[] = {
    {0},
    {.key_type = CLPRIM_U16, .values_only = true, .descending = true, .element_sizes = {16}},
    {.num_arrays = 3, .element_sizes = {4, 12, 64}},
    {.num_arrays = 3, .element_sizes = {4, 12, 64}, .work_group_size = 256},
    {.num_arrays = 16, .element_sizes = {4, 1, 64, 4, 7, 4, 12, 12, 4, 4, 64, 4, 1, 4, 4, 4}},
    {.num_arrays = 2, .element_sizes = {255, 6}, .work_group_size = 2, .values_only = true},
    {.num_arrays = 2, .element_sizes = {5, 24}, .work_group_size = 64, .max_count = LARGE},
    {.key_type = CLPRIM_I64,
     .bit_range = true,
     .begin_bit = 3,
     .end_bit = 62,
     .descending = true,
     .element_sizes = {40},
     .work_group_size = 1},
    {.key_type = CLPRIM_U8, .num_arrays = 2, .element_sizes = {8, 3}, .max_count = BEYOND_32_BITS},
    /* No key has such a bit: a copy. */
    {.key_type = CLPRIM_U8, .bit_range = true, .begin_bit = 8, .end_bit = 12, .num_arrays = 2, .element_sizes = {8, 3}},
    {.key_type = CLPRIM_I8,
     .num_arrays = 2,
     .element_sizes = {4, 64},
     .variant = CLPRIM_RADIX_SORT_SINGLE_GROUP,
     .max_count = SINGLE_GROUP_COUNT,
     .values_only = true},
    /* The order of NaNs reaches the sort underneath, also where arrays are gathered. */
    {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
    {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST, .descending = true, .element_sizes = {12}},
    {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST, .num_arrays = 2, .element_sizes = {4, 3}},
    {.key_type = CLPRIM_F32, .descending = true, .num_arrays = 2, .element_sizes = {40, 256}},
    {.num_arrays = 2, .element_sizes = {4, 12}, .variant = CLPRIM_RADIX_SORT_LOCAL},
    {.num_arrays = 2,
     .element_sizes = {12, 4},
     .variant = CLPRIM_RADIX_SORT_ONESWEEP,
     .bit_range = true,
     .end_bit = 12},
    {.key_type = CLPRIM_F64, .element_sizes = {8}, .variant = CLPRIM_RADIX_SORT_ONESWEEP, .values_only = true},
    {.key_type = CLPRIM_F16, .element_sizes = {10}, .variant = CLPRIM_RADIX_SORT_SPLIT},
    {.num_arrays = 3, .element_sizes = {256, 2, 48}, .work_group_size = 32},
};

enum { NUM_ROWS = sizeof rows / sizeof *rows, FULL_ROWS = 6 };

/* False where the device cannot run it, and says so; AUTO always can. */
static bool create(test_call *self, clprim_runtime *runtime, const clprim_sort_by_key_desc *desc)
{
    if (!test_call_create(self, runtime, &clprim_sort_by_key_operation, desc)) {
        cr_assert_neq((int)desc->variant, (int)CLPRIM_RADIX_SORT_AUTO, "%s", clprim_last_error());
        return false;
    }
    const int used = clprim_plan_variant(self->plan)->id;
    cr_assert(used != CLPRIM_RADIX_SORT_AUTO && (desc->variant == CLPRIM_RADIX_SORT_AUTO || used == (int)desc->variant),
              "%s: %s", self->name, clprim_plan_variant(self->plan)->name);
    return true;
}

/* Bits of replaced are those of arrays that are sorted in place, the keys' the lowest. */
static void fill(test_call *self, size_t count, test_data data, uint64_t replaced, uint64_t seed)
{
    self->replaced = replaced;
    test_call_fill_data(self, &(clprim_sort_by_key_call){.count = count}, data, seed);
}

static void check(test_call *self, size_t count, test_data data, uint64_t replaced, uint64_t seed)
{
    fill(self, count, data, replaced, seed);
    test_call_check(self, "%s", test_data_name(data));
}

/* At one size all kinds of keys; then all in place, and nothing. */
static void check_data(test_call *self, size_t max_count, uint64_t seed)
{
    const size_t some = SOME < max_count ? SOME : max_count;
    uint64_t random = seed;
    for (int data = 0; data < TEST_DATA_END; data++)
        check(self, some, data, test_random(&random), seed + (uint64_t)data);
    for (int in_place = 0; in_place < 2; in_place++)
        check(self, some + 1 < max_count ? some + 1 : some, TEST_DATA_RANDOM, in_place == 1 ? UINT64_MAX : 0, seed);
}

TEST_EACH(sort_by_key, row, test_is_full() ? NUM_ROWS : NUM_ROWS - FULL_ROWS, .timeout = 600)
{
    const clprim_sort_by_key_desc *desc = &rows[*number];
    const size_t max_count = desc->max_count != 0 && desc->max_count < LARGE ? desc->max_count : LARGE;
    clprim_runtime *runtime = test_runtime(NULL);
    uint64_t turn = *number * 1000;
    uint64_t random = turn;
    test_call self;
    if (create(&self, runtime, desc)) {
        for (size_t i = 0; i < NUM_SIZES; i++, turn++)
            if (sizes[i] <= max_count)
                check(&self, sizes[i], turn % TEST_DATA_END, test_random(&random), turn);
        check_data(&self, max_count, turn);
        if (max_count == LARGE)
            check(&self, LARGE, TEST_DATA_RANDOM, test_random(&random), turn);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Every size of an element, in two arrays; with and without a group size. */
Test(sort_by_key, every_size_of_an_element, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t size = 1; test_is_full() && size <= 256; size++) {
        const clprim_sort_by_key_desc desc = {
            .num_arrays = 2, .element_sizes = {size, size}, .work_group_size = size % 2 == 0 ? 0 : 64};
        test_call self;
        cr_assert(create(&self, runtime, &desc));
        check_data(&self, SOME, size);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* What is asked for is what is checked: a byte less is refused, also by the call with no array in place, which could do
 * without the copy. */
Test(sort_by_key, every_call_takes_what_scratch_size_says, .timeout = 120)
{
    enum { COUNT = 20011 };
    static const clprim_sort_by_key_desc desc = {.num_arrays = 3, .element_sizes = {4, 12, 64}};
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    size_t bytes = 0;
    cr_assert(create(&self, runtime, &desc));
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self.plan, &(clprim_sort_by_key_call){.count = COUNT}));
    cr_assert(bytes >= COUNT * (64 + 4) && bytes <= COUNT * (64 + 4) + 4096, "%zu bytes", bytes);
    for (int in_place = 0; in_place < 2; in_place++)
        for (size_t missing = 0; missing < 2; missing++) {
            cl_mem scratch = test_buffer(runtime, bytes - missing);
            ASSERT_OK(clprim_plan_set_scratch(self.plan, scratch));
            ASSERT_CL(clReleaseMemObject(scratch));
            fill(&self, COUNT, TEST_DATA_RANDOM, in_place == 1 ? UINT64_MAX : 0, 1);
            if (missing == 0)
                test_call_check(&self, "scratch memory as large as needed");
            else
                ASSERT_STATUS(test_call_enqueue(&self, &self.call), CLPRIM_INVALID_SCRATCH);
        }
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* From arrays on the host, which begin anywhere, as far as their elements' alignment allows: a unit of a kernel may be
 * larger. */
Test(sort_by_key, arrays_on_the_host, .timeout = 120)
{
    static const size_t counts[] = {0, 1, 5, 1000, 70001};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t row = 0; row < 3; row++) {
        test_call self;
        cr_assert(create(&self, runtime, &rows[row]));
        for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++) {
            fill(&self, counts[i / 2], TEST_DATA_FEW, i % 2 * UINT64_MAX, i);
            test_call_check_run(&self, "on the host");
        }
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
