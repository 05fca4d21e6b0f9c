/* test_sort_by_key.c: sorts of arrays are what the reference makes of them, for one array that moves along with its
 * keys and for many that are gathered, of elements of all kinds of sizes, with every variant of the sort underneath;
 * all kinds of keys, sizes, offsets, in place and not. */
#include "test_sort_by_key.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

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

/* At one size all kinds of keys; then all in place, and nothing. */
static void check_data(const by_key_subject *self, uint64_t seed)
{
    const size_t some = SOME < self->max_count ? SOME : self->max_count;
    for (int pattern = 0; pattern < TEST_PATTERN_END; pattern++) {
        by_key_call c = by_key_call_of_turn(seed + (uint64_t)pattern, some);
        c.pattern = (test_pattern)pattern;
        by_key_check(self, &c);
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        by_key_call c = by_key_call_of_turn(seed, some + 1 < self->max_count ? some + 1 : some);
        for (size_t a = 0; a < self->num_arrays; a++)
            c.in_place[a] = in_place == 1;
        by_key_check(self, &c);
    }
}

static void check_row(clprim_runtime *runtime, size_t row)
{
    const size_t limit = rows[row].max_count;
    const size_t max_count = limit != 0 && limit < LARGE ? limit : LARGE;
    uint64_t turn = (uint64_t)row * 1000;
    by_key_subject self;
    if (!by_key_create(&self, runtime, rows[row], max_count))
        return;
    for (size_t i = 0; i < NUM_SIZES; i++)
        if (sizes[i] <= max_count) {
            const by_key_call c = by_key_call_of_turn(turn++, sizes[i]);
            by_key_check(&self, &c);
        }
    check_data(&self, turn);
    if (max_count == LARGE) {
        const by_key_call c = by_key_call_of_turn(turn + 100, LARGE);
        by_key_check(&self, &c);
    }
    by_key_destroy(&self);
}

ParameterizedTestParameters(sort_by_key, row)
{
    static size_t places[NUM_ROWS];
    for (size_t i = 0; i < NUM_ROWS; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, test_is_full() ? NUM_ROWS : NUM_ROWS - FULL_ROWS);
}

ParameterizedTest(size_t *row, sort_by_key, row, .timeout = 600)
{
    clprim_runtime *runtime = test_runtime(NULL);
    check_row(runtime, *row);
    clprim_runtime_destroy(runtime);
}

/* Every size of an element, in two arrays; with and without a group size. */
Test(sort_by_key, every_size_of_an_element, .timeout = 1700)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t size = 1; test_is_full() && size <= 256; size++) {
        const clprim_sort_by_key_desc desc = {
            .num_arrays = 2, .element_sizes = {size, size}, .work_group_size = size % 2 == 0 ? 0 : 64};
        by_key_subject self;
        cr_assert(by_key_create(&self, runtime, desc, SOME));
        check_data(&self, size);
        by_key_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* The order of NaNs reaches the sort underneath, with one array that moves along and with arrays that are gathered. */
Test(sort_by_key, nans_last, .timeout = 240)
{
    static const clprim_sort_by_key_desc descs[] = {
        {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_F64, .nan_order = CLPRIM_NAN_LAST, .descending = true, .element_sizes = {12}},
        {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST, .num_arrays = 2, .element_sizes = {4, 3}}};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        by_key_subject self;
        cr_assert(by_key_create(&self, runtime, descs[i], SOME));
        by_key_call c = by_key_call_of_turn(i, SOME);
        c.pattern = TEST_SPECIALS;
        by_key_check(&self, &c);
        by_key_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
