// SPDX-License-Identifier: MIT
/* test_pieces.c: sorted runs on the host are cut at ranks and merged; splitters divide keys into pieces. */
#include <clprim/pieces.h>

#include "ordered.h"

enum { MOST_RUNS = 17, MOST_KEYS = 2000 };

/* Runs of different lengths, which together are one array. */
typedef struct fixture {
    clprim_key_order order;
    clprim_reference_sort_how how;
    size_t size, count, num_runs;
    uint64_t keys[MOST_KEYS], sorted[MOST_KEYS];
    uint32_t places[MOST_KEYS], sorted_places[MOST_KEYS]; /* in the whole array */
    clprim_sorted_run runs[MOST_RUNS];
    size_t begins[MOST_RUNS + 1];
} fixture;

static char *at(const void *array, size_t size, size_t place)
{
    return (char *)(uintptr_t)array + place * size;
}

/* Sort each run and, separately, all of them as one array. Every fourth run is empty. */
static void make(fixture *self, const clprim_key_order *order, test_data data, size_t num_runs, size_t count,
                 uint64_t seed)
{
    *self = (fixture){.order = *order, .count = count, .num_runs = num_runs};
    self->size = clprim_type_size(order->key_type);
    self->how = (clprim_reference_sort_how){.key_type = order->key_type,
                                            .value_size = 4,
                                            .descending = order->descending,
                                            .nan_order = order->nan_order,
                                            .bit_range = order->bit_range,
                                            .begin_bit = order->begin_bit,
                                            .end_bit = order->end_bit};
    test_fill_elements(self->keys, order->key_type, self->size, data, count, seed);
    for (size_t i = 0; i < count; i++)
        self->places[i] = self->sorted_places[i] = (uint32_t)i;
    memcpy(self->sorted, self->keys, sizeof self->keys);
    ASSERT_OK(clprim_reference_sort(self->sorted, self->sorted_places, &self->how, count));
    for (size_t i = 0; i < num_runs; i++) {
        const size_t rest = count - self->begins[i];
        const size_t length = i + 1 == num_runs ? rest : i % 4 == 1 ? 0 : 2 * rest / (num_runs - i + 1);
        char *keys = at(self->keys, self->size, self->begins[i]);
        uint32_t *places = self->places + self->begins[i];
        ASSERT_OK(clprim_reference_sort(keys, places, &self->how, length));
        self->runs[i] = (clprim_sorted_run){keys, places, length};
        self->begins[i + 1] = self->begins[i] + length;
    }
}

/* The elements before the cut must be those that come first in the sorted whole; they are counted run by run. */
static void check_split(const fixture *self, size_t rank)
{
    size_t expected[MOST_RUNS] = {0};
    size_t got[MOST_RUNS + 1];
    memset(got, 0xa5, sizeof got);
    for (size_t i = 0; i < rank; i++) {
        size_t run = 0;
        while (self->sorted_places[i] >= self->begins[run + 1])
            run++;
        expected[run]++;
    }
    ASSERT_OK(clprim_runs_split(got, &self->order, self->runs, self->num_runs, rank));
    for (size_t i = 0; i < self->num_runs; i++)
        cr_assert_eq(got[i], expected[i], "%s, rank %zu of %zu: run %zu is cut at %zu instead of %zu",
                     clprim_type_name(self->order.key_type), rank, self->count, i, got[i], expected[i]);
    memset(expected, 0xa5, sizeof *expected);
    cr_assert_eq(got[self->num_runs], *expected, "written past the last run");
}

static void check_merge(const fixture *self)
{
    uint64_t keys[MOST_KEYS];
    uint32_t places[MOST_KEYS];
    const size_t end = self->count * self->size;
    memset(keys, 0xa5, sizeof keys);
    ASSERT_OK(clprim_runs_merge(keys, places, &self->order, sizeof *places, self->runs, self->num_runs));
    cr_assert(memcmp(keys, self->sorted, end) == 0, "keys of %s", clprim_type_name(self->order.key_type));
    cr_assert(memcmp(places, self->sorted_places, self->count * sizeof *places) == 0, "values");
    for (size_t i = end; i < sizeof keys; i++)
        cr_assert_eq(((unsigned char *)keys)[i], 0xa5, "written past the end");
    memset(keys, 0xa5, sizeof keys);
    ASSERT_OK(clprim_runs_merge(keys, NULL, &self->order, 0, self->runs, self->num_runs));
    cr_assert(memcmp(keys, self->sorted, end) == 0, "keys alone");
}

/* Images must have the order of the keys in the sorted array. */
static void check_images(const fixture *self)
{
    uint64_t images[MOST_KEYS];
    ASSERT_OK(clprim_key_images(images, &self->order, self->sorted, self->count));
    for (size_t i = 1; i < self->count; i++)
        cr_assert_leq(images[i - 1], images[i]);
}

static void check_order(const clprim_key_order *order, test_data data, uint64_t seed)
{
    static const size_t runs[] = {1, 2, 3, MOST_RUNS};
    static fixture self;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        make(&self, order, data, runs[i], i == 1 ? MOST_KEYS - 9 : 300 + 7 * i, seed + i);
        check_images(&self);
        check_merge(&self);
        for (size_t rank = 0; rank <= self.count; rank += rank < 5 || rank + 5 > self.count ? 1 : 41)
            check_split(&self, rank);
        check_split(&self, self.count);
    }
}

Test(pieces, cut_and_merge_runs_of_all_types)
{
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int data = 0; data < TEST_DATA_END; data++)
            check_order(&(const clprim_key_order){.key_type = (clprim_type)type, .descending = (type + data) % 2 != 0},
                        (test_data)data, (uint64_t)(type * 100 + data));
    for (int data = 0; data < TEST_DATA_END; data++)
        check_order(&(const clprim_key_order){.key_type = CLPRIM_BF16, .descending = data % 2 != 0}, (test_data)data,
                    (uint64_t)data);
}

Test(pieces, cut_and_merge_with_nans_last)
{
    static const clprim_type types[] = {CLPRIM_F16, CLPRIM_F32, CLPRIM_F64, CLPRIM_BF16};
    for (size_t i = 0; i < 8; i++)
        check_order(
            &(const clprim_key_order){.key_type = types[i / 2], .nan_order = CLPRIM_NAN_LAST, .descending = i % 2 != 0},
            TEST_DATA_SPECIALS, i);
}

Test(pieces, cut_and_merge_by_ranges_of_bits)
{
    static const unsigned ranges[][2] = {{0, 8}, {3, 11}, {5, 5}, {0, 64}, {31, 40}, {16, 32}, {70, 80}, {0, 0}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        check_order(&(const clprim_key_order){.key_type = i % 2 != 0 ? CLPRIM_U64 : CLPRIM_F32,
                                              .bit_range = true,
                                              .begin_bit = ranges[i][0],
                                              .end_bit = ranges[i][1],
                                              .descending = i % 3 == 1},
                    TEST_DATA_RANDOM, i);
}

Test(pieces, are_counted_and_parted_by_splitters)
{
    enum { COUNT = 500, SPLITTERS = 5, PARTS = SPLITTERS + 1 };
    for (int type = 1; type < CLPRIM_TYPE_END; type++) {
        static fixture self;
        const clprim_key_order order = {.key_type = (clprim_type)type, .descending = type % 2 != 0};
        uint64_t splitters[SPLITTERS], images[COUNT], bounds[SPLITTERS], keys[COUNT], expected[COUNT];
        uint32_t places[COUNT], expected_places[COUNT];
        size_t counts[PARTS], again[PARTS], expected_counts[PARTS] = {0}, put = 0;
        make(&self, &order, type % 3 == 0 ? TEST_DATA_FEW : TEST_DATA_RANDOM, 3, COUNT, (uint64_t)type);
        ASSERT_OK(clprim_keys_sample(splitters, SPLITTERS, order.key_type, self.sorted, COUNT));
        ASSERT_OK(clprim_key_images(images, &order, self.keys, COUNT));
        ASSERT_OK(clprim_key_images(bounds, &order, splitters, SPLITTERS));
        for (size_t p = 0; p < PARTS; p++)
            for (size_t i = 0; i < COUNT; i++)
                if ((p == 0 || images[i] >= bounds[p - 1]) && (p == SPLITTERS || images[i] < bounds[p])) {
                    expected_counts[p]++;
                    memcpy(at(expected, self.size, put), at(self.keys, self.size, i), self.size);
                    expected_places[put++] = self.places[i];
                }
        ASSERT_OK(clprim_keys_count(counts, &order, self.keys, COUNT, splitters, SPLITTERS));
        ASSERT_OK(clprim_keys_partition(keys, places, again, &order, self.keys, self.places, sizeof *places, COUNT,
                                        splitters, SPLITTERS));
        cr_assert(memcmp(counts, expected_counts, sizeof counts) == 0);
        cr_assert(memcmp(again, expected_counts, sizeof counts) == 0);
        cr_assert(memcmp(keys, expected, COUNT * self.size) == 0, "%s", clprim_type_name(order.key_type));
        cr_assert(memcmp(places, expected_places, sizeof places) == 0);
        memset(keys, 0, sizeof keys);
        ASSERT_OK(clprim_keys_partition(keys, NULL, NULL, &order, self.keys, NULL, 0, COUNT, splitters, SPLITTERS));
        cr_assert(memcmp(keys, expected, COUNT * self.size) == 0, "keys alone");
    }
}

Test(pieces, samples_are_spread_evenly)
{
    uint8_t keys[200], samples[7];
    for (size_t i = 0; i < sizeof keys; i++)
        keys[i] = (uint8_t)i;
    for (size_t count = 7; count <= sizeof keys; count += 11) {
        ASSERT_OK(clprim_keys_sample(samples, 7, CLPRIM_U8, keys, count));
        for (size_t i = 0; i < 7; i++) {
            const double middle = ((double)i + 0.5) * (double)count / 7;
            cr_assert(samples[i] < count && samples[i] >= middle - 2 && samples[i] <= middle + 2, "%u of %zu",
                      samples[i], count);
        }
    }
    ASSERT_OK(clprim_keys_sample(samples, 7, CLPRIM_U8, keys, 2)); /* more samples than keys */
    for (size_t i = 0; i < 7; i++)
        cr_assert_leq(samples[i], 1);
}

Test(pieces, refuse_what_is_missing_or_unknown)
{
    const uint32_t keys[] = {1, 2, 3};
    const uint32_t backwards[] = {3, 1};
    const clprim_sorted_run run = {keys, keys, 3};
    const clprim_sorted_run missing = {NULL, keys, 3};
    const clprim_key_order wrong[] = {{.key_type = CLPRIM_TYPE_END},
                                      {.nan_order = (clprim_nan_order)2},
                                      {.end_bit = 3},
                                      {.bit_range = true, .begin_bit = 4, .end_bit = 3}};
    uint32_t out[3] = {7, 7, 7};
    uint32_t values[3] = {7, 7, 7};
    uint64_t images[3] = {7, 7, 7};
    size_t numbers[3] = {7, 7, 7};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ASSERT_STATUS(clprim_key_images(images, &wrong[i], keys, 3), CLPRIM_INVALID_ARGUMENT);
        ASSERT_STATUS(clprim_runs_split(numbers, &wrong[i], &run, 1, 2), CLPRIM_INVALID_ARGUMENT);
        ASSERT_STATUS(clprim_runs_merge(out, values, &wrong[i], 4, &run, 1), CLPRIM_INVALID_ARGUMENT);
        ASSERT_STATUS(clprim_keys_count(numbers, &wrong[i], keys, 3, keys, 1), CLPRIM_INVALID_ARGUMENT);
        ASSERT_STATUS(clprim_keys_partition(out, values, numbers, &wrong[i], keys, keys, 4, 3, keys, 1),
                      CLPRIM_INVALID_ARGUMENT);
    }
    ASSERT_STATUS(clprim_key_images(NULL, NULL, keys, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_key_images(images, NULL, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_split(NULL, NULL, &run, 1, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_split(numbers, NULL, NULL, 1, 0), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_split(numbers, NULL, &missing, 1, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_split(numbers, NULL, &run, 1, 4), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_runs_merge(NULL, values, NULL, 4, &run, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_merge(out, NULL, NULL, 4, &run, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_merge(out, values, NULL, 4, NULL, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runs_merge(out, values, NULL, 4, &missing, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_sample(NULL, 1, CLPRIM_U32, keys, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_sample(out, 1, CLPRIM_U32, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_sample(out, 1, CLPRIM_U32, keys, 0), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_sample(out, 1, CLPRIM_TYPE_END, keys, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_count(NULL, NULL, keys, 3, keys, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_count(numbers, NULL, NULL, 3, keys, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_count(numbers, NULL, keys, 3, NULL, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_count(numbers, NULL, keys, 3, backwards, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_partition(NULL, values, numbers, NULL, keys, keys, 4, 3, keys, 1),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_partition(out, NULL, numbers, NULL, keys, keys, 4, 3, keys, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_keys_partition(out, values, numbers, NULL, keys, NULL, 4, 3, keys, 1),
                  CLPRIM_INVALID_ARGUMENT);
    for (size_t i = 0; i < 3; i++)
        cr_assert(out[i] == 7 && values[i] == 7 && images[i] == 7 && numbers[i] == 7, "something was written");
}

Test(pieces, may_be_none)
{
    size_t cut = 7;
    size_t counts[2] = {7, 7};
    const clprim_sorted_run empty = {NULL, NULL, 0};
    ASSERT_OK(clprim_runs_split(NULL, NULL, NULL, 0, 0));
    ASSERT_OK(clprim_runs_split(&cut, NULL, &empty, 1, 0));
    cr_assert_eq(cut, 0);
    ASSERT_OK(clprim_runs_merge(NULL, NULL, NULL, 4, &empty, 1));
    ASSERT_OK(clprim_runs_merge(NULL, NULL, NULL, 4, NULL, 0));
    ASSERT_OK(clprim_keys_sample(NULL, 0, CLPRIM_U32, NULL, 0));
    ASSERT_OK(clprim_keys_count(counts, NULL, NULL, 0, &(uint32_t){3}, 1));
    cr_assert(counts[0] == 0 && counts[1] == 0);
    ASSERT_OK(clprim_keys_partition(NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, 0));
}
