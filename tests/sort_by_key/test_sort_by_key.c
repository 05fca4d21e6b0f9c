// SPDX-License-Identifier: MIT
/* test_sort_by_key.c: sorted arrays equal the reference's results, for one array that moves along with its keys and for
 * many that are gathered, with elements of all kinds of sizes, with every variant of the underlying sort; all kinds of
 * keys, sizes, offsets, in place and not. */
#include "ordered.h"

/* Around powers of two, where sub-groups, work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 33, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4097, 16385};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, SOME = 1003, LARGE = 100003 };

#define BEYOND_32_BITS ((size_t)1 << 33)

/* All sorts by U32 with indices of 4 bytes use the same program, whatever is gathered by them. With a group size,
 * gathering works in tiles on CPUs, too. The last rows are only for CLPRIM_TEST_FULL. */
#define BY(name)         .variant = CLPRIM_RADIX_SORT_##name
#define BITS(begin, end) .bit_range = true, .begin_bit = begin, .end_bit = end
static const clprim_sort_by_key_desc rows[] = {
    {0},
    {.key_type = CLPRIM_U16, .values_only = true, .descending = true, .element_sizes = {16}},
    {.num_arrays = 3, .element_sizes = {4, 12, 64}},
    {.num_arrays = 3, .element_sizes = {4, 12, 64}, .work_group_size = 256},
    {.num_arrays = 16, .element_sizes = {4, 1, 64, 4, 7, 4, 12, 12, 4, 4, 64, 4, 1, 4, 4, 4}},
    {.num_arrays = 2, .element_sizes = {255, 6}, .work_group_size = 2, .values_only = true},
    {.num_arrays = 2, .element_sizes = {5, 24}, .work_group_size = 64, .max_count = LARGE},
    {.key_type = CLPRIM_I64, BITS(3, 62), .descending = true, .element_sizes = {40}, .work_group_size = 1},
    {.key_type = CLPRIM_U8, .num_arrays = 2, .element_sizes = {8, 3}, .max_count = BEYOND_32_BITS},
    /* Keys do not have these bits, so the sort is a copy. */
    {.key_type = CLPRIM_U8, BITS(8, 12), .num_arrays = 2, .element_sizes = {8, 3}},
    {.key_type = CLPRIM_I8,
     .num_arrays = 2,
     .element_sizes = {4, 64},
     BY(SINGLE_GROUP),
     .max_count = 128, /* to be compiled faster */
     .values_only = true},
    /* The order of NaNs is passed to the underlying sort, also if arrays are gathered. */
    {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
    {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST, .descending = true, .element_sizes = {12}},
    {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST, .num_arrays = 2, .element_sizes = {4, 3}},
    {.key_type = CLPRIM_F32, .descending = true, .num_arrays = 2, .element_sizes = {40, 256}},
    {.num_arrays = 2, .element_sizes = {4, 12}, BY(LOCAL)},
    {.num_arrays = 2, .element_sizes = {12, 4}, BY(ONESWEEP), BITS(0, 12)},
    {.key_type = CLPRIM_F64, .element_sizes = {8}, BY(ONESWEEP), .values_only = true},
    {.key_type = CLPRIM_F16, .element_sizes = {10}, BY(SPLIT)},
    {.key_type = CLPRIM_BF16, .nan_order = CLPRIM_NAN_LAST, .element_sizes = {10}},
    {.num_arrays = 3, .element_sizes = {256, 2, 48}, .work_group_size = 32},
};

enum { NUM_ROWS = sizeof rows / sizeof *rows, FULL_ROWS = 6 };

/* False if the device does not support it, and says so. AUTO always works. */
static bool create(test_call *self, clprim_runtime *runtime, const clprim_sort_by_key_desc *desc)
{
    return test_call_must(self, runtime, &clprim_sort_by_key_operation, desc, desc->variant == CLPRIM_RADIX_SORT_AUTO);
}

/* Bits of `replaced` stand for arrays that are sorted in place; the lowest bit is the keys'. */
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

/* All kinds of keys at one size; then all arrays in place, and no elements; then arrays on the host that begin
 * anywhere, as far as the alignment of their elements allows. (The units that a kernel copies may be larger than that
 * alignment.) */
static void check_data(test_call *self, size_t max_count, uint64_t seed)
{
    static const size_t counts[] = {0, 1, 5, 1000, 70001};
    const size_t some = SOME < max_count ? SOME : max_count;
    uint64_t random = seed;
    for (int data = 0; data < TEST_DATA_END; data++)
        check(self, some, data, test_random(&random), seed + (uint64_t)data);
    for (uint64_t in_place = 0; in_place < 2; in_place++) {
        check(self, some + 1 < max_count ? some + 1 : some, TEST_DATA_RANDOM, in_place * UINT64_MAX, seed);
        for (size_t i = 0; i < sizeof counts / sizeof *counts && counts[i] <= max_count; i++) {
            fill(self, counts[i], TEST_DATA_FEW, in_place * UINT64_MAX, seed + i);
            test_call_check_run(self, "on the host");
        }
    }
}

TEST_EACH_WITH_RUNTIME(sort_by_key, row, test_is_full() ? NUM_ROWS : NUM_ROWS - FULL_ROWS)
{
    const clprim_sort_by_key_desc *desc = &rows[number];
    const size_t max_count = desc->max_count != 0 && desc->max_count < LARGE ? desc->max_count : LARGE;
    uint64_t turn = number * 1000;
    uint64_t random = turn;
    TEST_WITH_CALL(self, create(&self, runtime, desc)) {
        for (size_t i = 0; i < NUM_SIZES; i++, turn++)
            if (sizes[i] <= max_count)
                check(&self, sizes[i], turn % TEST_DATA_END, test_random(&random), turn);
        check_data(&self, max_count, turn);
        if (max_count == LARGE)
            check(&self, LARGE, TEST_DATA_RANDOM, test_random(&random), turn);
    }
}

/* Every size of an element, in two arrays, with and without a group size. */
TEST_WITH_RUNTIME(sort_by_key, every_size_of_an_element)
{
    for (size_t size = 1; test_is_full() && size <= 256; size++) {
        const clprim_sort_by_key_desc desc = {
            .num_arrays = 2, .element_sizes = {size, size}, .work_group_size = size % 2 == 0 ? 0 : 64};
        TEST_WITH_CALL(self, create(&self, runtime, &desc))
            check_data(&self, SOME, size);
    }
}

/* The size that is documented is the size that is checked: one byte less is refused, also in a call without arrays in
 * place, which would not need the copy. */
TEST_WITH_RUNTIME(sort_by_key, every_call_takes_what_scratch_size_says)
{
    enum { COUNT = 20011 };
    static const clprim_sort_by_key_desc desc = {.num_arrays = 3, .element_sizes = {4, 12, 64}};
    size_t bytes = 0;
    TEST_WITH_CALL(self, create(&self, runtime, &desc)) {
        ASSERT_OK(clprim_plan_scratch_size(&bytes, self.plan, &(clprim_sort_by_key_call){.count = COUNT}));
        cr_assert(bytes >= COUNT * (64 + 4) && bytes <= COUNT * (64 + 4) + 4096, "%zu bytes", bytes);
        for (uint64_t i = 0; i < 4; i++) {
            const size_t missing = i % 2;
            cl_mem scratch = test_buffer(runtime, bytes - missing);
            ASSERT_OK(clprim_plan_set_scratch(self.plan, scratch));
            ASSERT_CL(clReleaseMemObject(scratch));
            fill(&self, COUNT, TEST_DATA_RANDOM, i / 2 * UINT64_MAX, 1);
            if (missing == 0)
                test_call_check(&self, "scratch memory as large as needed");
            else
                ASSERT_STATUS(test_call_enqueue(&self, &self.call), CLPRIM_INVALID_SCRATCH);
        }
    }
}

/* Ranges next to each other in one buffer are allowed, and input ranges may overlap. The buffer holds the keys 3, 1, 2,
 * then their first array, then three more words; all of these together are the second array. */
TEST_WITH_RUNTIME(sort_by_key, ranges_beside_each_other)
{
    static const uint32_t before[24] = {3, 1, 2, 30, 10, 20, 7, 8, 9};
    static const uint32_t expected[24] = {3,  1,  2,  30, 10, 20, 7, 8, 9, 1, 2, 3,
                                          10, 20, 30, 30, 10, 20, 7, 8, 9, 3, 1, 2};
    const clprim_sort_by_key_desc desc = {.num_arrays = 2, .element_sizes = {4, 12}};
    clprim_plan *plan = NULL;
    uint32_t found[24];
    ASSERT_OK(clprim_sort_by_key_create(&plan, runtime, &desc));
    cl_mem all = test_upload(runtime, before, sizeof before);
    clprim_sort_by_key_call call = {.keys_in = {all},
                                    .arrays_in = {{all, 3}, {all}},
                                    .count = 3,
                                    .keys_out = {all, 9},
                                    .arrays_out = {{all, 12}, {all, 5}}};
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected, found, sizeof *found, 24, "beside each other");
    call.arrays_in[1].offset = 5;
    call.keys_out = call.keys_in;
    memcpy(call.arrays_out, call.arrays_in, sizeof call.arrays_out);
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected + 9, found, sizeof *found, 3, "keys in place beside each other");
    test_expect_same(expected + 12, found + 3, sizeof *found, 3, "arrays in place beside each other");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(all));
}

/* A variant that does not support a description says why. */
Test(sort_by_key, unsupported)
{
    TEST_REFUSE_EACH(sort_by_key, TEST_UNSUPPORTED(sort_by_key, "", BY(SINGLE_GROUP)),
                     TEST_UNSUPPORTED(sort_by_key, "", BY(ONESWEEP), .max_count = BEYOND_32_BITS));
}

/* Three arrays. Elements of equal keys keep their order. */
TEST_WITH_RUNTIME(sort_by_key_host, known_by_heart)
{
    static float points[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}};
    static float sorted_points[4][3] = {{4, 5, 6}, {-1, -2, -3}, {1, 2, 3}, {7, 8, 9}};
    static uint32_t keys[] = {40, 7, 0x80000000, 7}, sorted_keys[] = {7, 7, 40, 0x80000000};
    static uint32_t ids[] = {100, 101, 102, 103}, sorted_ids[] = {101, 103, 100, 102};
    static char letters[] = "abcd", sorted_letters[] = "bdac";
    const clprim_sort_by_key_call call = {
        .keys_in = {.host = keys},
        .arrays_in = {{.host = ids}, {.host = points}, {.host = letters}},
        .count = 4,
        .keys_out = {.host = sorted_keys},
        .arrays_out = {{.host = sorted_ids}, {.host = sorted_points}, {.host = sorted_letters}}};
    for (int values_only = 0; values_only < 2; values_only++)
        test_check_known(runtime, &clprim_sort_by_key_operation,
                         &(clprim_sort_by_key_desc){
                             .num_arrays = 3, .element_sizes = {4, sizeof *points, 1}, .values_only = values_only == 1},
                         &call);
}

/* Descending, by some bits, floats of either sign: as the keys' own tests show; ascending U32 by default. */
Test(sort_by_key_host, reference_takes_the_orders_of_keys)
{
    static const clprim_reference_sort_by_key_how hows[] = {
        {.key_type = CLPRIM_F32, .descending = true, .element_sizes = {2}}, {.key_type = CLPRIM_I32, BITS(4, 8)}};
    float floats[] = {-0.0f, 0.0f, 3.0f, -3.0f, 3.0f};
    int32_t numbers[] = {0x12f, -1, 0x7f00, 0x21, 0x1d};
    uint32_t keys[] = {7, 0x80000000, 0};
    uint16_t narrow[] = {0, 1, 2, 3, 4};
    uint32_t wide[] = {0, 1, 2, 3, 4};
    ASSERT_OK(clprim_reference_sort_by_key(floats, (void *const[]){narrow}, &hows[0], 5));
    test_expect_same((const uint16_t[]){2, 4, 1, 0, 3}, narrow, sizeof *narrow, 5, "descending");
    ASSERT_OK(clprim_reference_sort_by_key(numbers, (void *const[]){wide}, &hows[1], 5));
    test_expect_same((const uint32_t[]){2, 4, 0, 3, 1}, wide, sizeof *wide, 5, "by a nibble");
    ASSERT_OK(clprim_reference_sort_by_key(keys, (void *const[]){wide}, NULL, 3));
    test_expect_same((const uint32_t[]){0, 7, 0x80000000}, keys, sizeof *keys, 3, "keys by default");
    test_expect_same((const uint32_t[]){0, 2, 4}, wide, sizeof *wide, 3, "elements by default");
    ASSERT_OK(clprim_reference_sort_by_key(NULL, NULL, NULL, 0));
    ASSERT_OK(clprim_sort_by_key_run(NULL, NULL, &(clprim_sort_by_key_call){0}));
}

#define REFUSED(culprit_, ...)                                                                                         \
    {                                                                                                                  \
        .desc = {__VA_ARGS__}, .how = {__VA_ARGS__}, .culprit = culprit_                                               \
    }

TEST_WITH_RUNTIME(sort_by_key_host, refusals)
{
    static const struct {
        clprim_sort_by_key_desc desc;
        clprim_reference_sort_by_key_how how;
        const char *culprit;
    } wrong[] = {
        REFUSED("type", .key_type = CLPRIM_TYPE_END),
        REFUSED("type", .key_type = (clprim_type)-1),
        REFUSED("num_arrays", .num_arrays = 17),
        REFUSED("num_arrays", .num_arrays = SIZE_MAX),
        REFUSED("element_sizes", .element_sizes = {257}),
        REFUSED("element_sizes", .num_arrays = 3, .element_sizes = {1, 2, SIZE_MAX}),
        REFUSED("element_sizes", .element_sizes = {4, 4}),
        REFUSED("element_sizes", .num_arrays = 2, .element_sizes = {4, 4, 4}),
        REFUSED("bit_range", .end_bit = 8),
        REFUSED("begin_bit", .bit_range = true, .begin_bit = 9, .end_bit = 8),
        REFUSED("begin_bit", .bit_range = true, .begin_bit = 8),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_refuse(runtime, &clprim_sort_by_key_operation, &wrong[i].desc, CLPRIM_INVALID_ARGUMENT, wrong[i].culprit);
        ASSERT_REFUSED(clprim_reference_sort_by_key(NULL, NULL, &wrong[i].how, 0), CLPRIM_INVALID_ARGUMENT,
                       wrong[i].culprit);
    }
}

/* Arrays that the reference needs and does not get, or too many elements. */
Test(sort_by_key_host, arrays_that_do_not_fit_the_description)
{
    static const clprim_reference_sort_by_key_how how = {.num_arrays = 3, .element_sizes = {4, 12, 64}};
    static unsigned char elements[3][192];
    uint32_t keys[] = {7, 5, 3};
    void *const arrays[] = {elements[0], elements[1], elements[2]};
    void *const holed[] = {elements[0], elements[1], NULL};
    ASSERT_REFUSED(clprim_reference_sort_by_key(NULL, arrays, &how, 2), CLPRIM_INVALID_ARGUMENT, "keys");
    ASSERT_REFUSED(clprim_reference_sort_by_key(keys, NULL, &how, 2), CLPRIM_INVALID_ARGUMENT, "arrays");
    ASSERT_REFUSED(clprim_reference_sort_by_key(keys, holed, &how, 2), CLPRIM_INVALID_ARGUMENT, "arrays");
    cr_assert_neq((int)clprim_reference_sort_by_key(keys, arrays, NULL, SIZE_MAX), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)clprim_reference_sort_by_key(keys, arrays, NULL, SIZE_MAX / 256), (int)CLPRIM_SUCCESS);
    cr_assert(keys[0] == 7 && keys[1] == 5 && keys[2] == 3, "a refusal must not write");
}
