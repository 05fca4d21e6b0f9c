// SPDX-License-Identifier: MIT
/* test_shuffle.c: every variant shuffles as the reference does. The order is a permutation, equals the published one,
 * and looks uniform over many seeds. */
#include <clprim/reference.h>
#include <math.h>

#include "ordered.h"

typedef clprim_shuffle_desc description;
typedef clprim_shuffle_call shuffle_call;

enum { MOST = 1 << 17 };

/* The properties that a row tests. Elements have all sizes of units; indices have both types, and are computed in both
 * types. */
static const description rows[] = {
    {.element_size = 0},
    {.element_size = 1, .work_group_size = 32},
    {.element_size = 2},
    {.element_size = 3, .work_group_size = 64},
    {.element_size = 8},
    {.element_size = 12},
    {.element_size = 16, .work_group_size = 16},
    {.element_size = 20, .work_group_size = 1},
    {.element_size = 256},
    {.indices = true},
    {.indices = true, .index_type = CLPRIM_U64},
    {.indices = true, .index_type = CLPRIM_U64, .max_count = SIZE_MAX / 2 / UINT32_MAX * UINT32_MAX},
    {.element_size = 4, .max_count = SIZE_MAX},
};

static void check(test_call *self, size_t count, uint64_t seed)
{
    static unsigned char in[70001 * 16];
    const size_t given = ((const description *)(const void *)self->desc.bytes)->element_size;
    const size_t size = given != 0 ? given : sizeof(cl_uint);
    if (count * size > sizeof in)
        return;
    test_fill(in, CLPRIM_U8, CLPRIM_SUM, TEST_RANDOM, count * size, seed);
    test_call_fill(self, &(shuffle_call){.in = {.host = in}, .count = count, .seed = seed * seed * seed}, seed);
    test_call_check(self, "%zu elements", count);
}

TEST_BY_VARIANT(shuffle, as_the_reference_does, clprim_shuffle_operation)
{
    static const size_t counts[] = {0,   1,   2,   3,    4,    5,    9,    16,   17,   31,   32,    33,    255,
                                    256, 257, 511, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 65535, 65536, 65537};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        description desc = rows[r];
        desc.variant = (clprim_shuffle_variant)variant;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_shuffle_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, counts[i], TEST_SEED + r * 100 + i);
    }
}

/* Check that each number below count occurs once. */
static void expect_permutation(const uint32_t *out, size_t count, const char *what)
{
    static uint8_t seen[MOST + 2];
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
        cr_assert(out[i] < count && !seen[out[i]], "%s: %zu elements: %u at %zu", what, count, out[i], i);
        seen[out[i]] = 1;
    }
}

static bool is_near_power(size_t count)
{
    for (size_t power = 1; power <= MOST; power *= 2)
        if (count + 1 >= power && count <= power + 1)
            return true;
    return false;
}

/* Test the reference with each number of elements up to some thousands; then with numbers around powers of two, and
 * squares and products, which fill the permutation's table. */
Test(shuffle, is_a_permutation)
{
    static uint32_t out[MOST + 2];
    static const size_t others[] = {0, 127 * 127, 127 * 128, 127 * 127 + 1, 255 * 256, 300 * 300, 65535, 99991};
    for (size_t count = 0; count <= MOST + 1; count++) {
        if (count > 5000 && !is_near_power(count))
            continue;
        ASSERT_OK(clprim_reference_shuffle(out, NULL, sizeof *out, count, count * 77));
        expect_permutation(out, count, "the reference");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ASSERT_OK(clprim_reference_shuffle(out, NULL, sizeof *out, others[i], i));
        expect_permutation(out, others[i], "the reference");
    }
}

/* The same for kernels, with one plan, so that only arguments change. */
TEST_BY_VARIANT(shuffle, kernels_make_permutations, clprim_shuffle_operation)
{
    static uint32_t out[MOST + 2], expected[MOST + 2];
    clprim_plan *plan = NULL;
    cl_mem memory = test_buffer(runtime, sizeof out);
    const description desc = {.indices = true, .variant = (clprim_shuffle_variant)variant};
    ASSERT_OK(clprim_shuffle_create(&plan, runtime, &desc));
    for (size_t count = 1; count <= MOST + 1; count++) {
        if (count > 600 && !is_near_power(count))
            continue;
        const shuffle_call call = {.count = count, .seed = count * 13, .out = {.buffer = memory}};
        ASSERT_OK(clprim_shuffle_enqueue(plan, NULL, &call, 0, NULL, NULL));
        cr_assert_eq(clEnqueueReadBuffer(clprim_runtime_queue(runtime), memory, CL_TRUE, 0, count * sizeof *out, out, 0,
                                         NULL, NULL),
                     CL_SUCCESS);
        expect_permutation(out, count, "a kernel");
        ASSERT_OK(clprim_reference_shuffle(expected, NULL, sizeof *out, count, count * 13));
        test_expect_same(expected, out, sizeof *out, count, "a kernel");
    }
    clprim_plan_destroy(plan);
    clReleaseMemObject(memory);
}

/* Orders that programs may rely on: the first elements, and a checksum of all. They come from another
 * implementation. */
TEST_BY_VARIANT(shuffle, never_changes, clprim_shuffle_operation)
{
    static const struct {
        size_t count;
        uint64_t seed;
        uint32_t first[10];
        uint64_t sum;
    } known[] = {
        {10, 0, {4, 2, 6, 1, 8, 3, 9, 0, 5, 7}, UINT64_C(107630465977965)},
        {10, 1, {6, 1, 3, 7, 8, 2, 9, 0, 4, 5}, UINT64_C(159579605518065)},
        {16, 12345, {6, 0, 13, 10, 11, 1, 3, 14, 5, 8}, UINT64_C(18011665246787025016)},
        {1000, 7, {943, 916, 448, 44, 997, 867, 638, 431, 501, 30}, UINT64_C(6496569822501445400)},
        {65536,
         3,
         {31604, 42777, 16717, 27170, 14862, 45531, 45743, 58170, 50846, 34436},
         UINT64_C(849776124651718354)},
        {65537,
         3,
         {59121, 52217, 35930, 34906, 13579, 26721, 11104, 6056, 62298, 19718},
         UINT64_C(5168601545965226972)},
        {1000003,
         UINT64_MAX,
         {68922, 511554, 630464, 572075, 653472, 778058, 571158, 620933, 71381, 631993},
         UINT64_C(2738601220450722919)},
    };
    uint32_t *out = test_allocate(1000003 * sizeof *out);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint64_t sum = 0;
        ASSERT_OK(
            clprim_shuffle_run(runtime, &(description){.indices = true, .variant = (clprim_shuffle_variant)variant},
                               &(shuffle_call){.count = known[k].count, .seed = known[k].seed, .out = {.host = out}}));
        test_expect_same(known[k].first, out, sizeof *out, 10, "the first ones");
        for (size_t i = 0; i < known[k].count; i++)
            sum = sum * 31 + out[i];
        cr_assert_eq(sum, known[k].sum, "%zu elements", known[k].count);
    }
    free(out);
}

/* The distance of counters from equal ones: chi-square, minus the degrees of freedom, in standard deviations. */
static double deviation(const uint32_t *counters, size_t count, double expected, double scale, double freedom)
{
    double square = 0;
    for (size_t i = 0; i < count; i++)
        square += (counters[i] - expected) * (counters[i] - expected) / expected;
    return (square * scale - freedom) / sqrt(2 * freedom);
}

static const size_t small_counts[] = {2, 3, 5, 6, 7, 8, 10, 16, 17, 31, 64, 100};
enum { SEEDS = 40000, LARGEST = 100 };

/* Over many seeds, each element gets to each place, and each pair of elements becomes adjacent, equally often. Seeds
 * are consecutive numbers, because programs often use these. */
Test(shuffle, elements_come_to_each_place)
{
    static uint32_t places[LARGEST * LARGEST], pairs[LARGEST * LARGEST], out[LARGEST];
    for (size_t k = 0; k < sizeof small_counts / sizeof *small_counts; k++) {
        const size_t n = small_counts[k];
        memset(places, 0, sizeof places);
        memset(pairs, 0, sizeof pairs);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            ASSERT_OK(clprim_reference_shuffle(out, NULL, sizeof *out, n, seed));
            for (size_t i = 0; i < n; i++) {
                places[i * n + out[i]]++;
                if (i > 0) /* no element is paired with itself */
                    pairs[out[i - 1] * (n - 1) + out[i] - (out[i] > out[i - 1])]++;
            }
        }
        const double of_places = deviation(places, n * n, (double)SEEDS / (double)n, (double)(n - 1) / (double)n,
                                           (double)((n - 1) * (n - 1)));
        const double of_pairs = deviation(pairs, n * (n - 1), (double)SEEDS / (double)n, 1, (double)(n * (n - 1)) - 1);
        cr_assert(fabs(of_places) < 4, "%zu elements: places deviate by %g", n, of_places);
        cr_assert(fabs(of_pairs) < 4, "%zu elements: pairs deviate by %g", n, of_pairs);
    }
}

/* All permutations of a few elements occur equally often. */
Test(shuffle, all_permutations_of_few)
{
    static uint32_t counters[720];
    for (size_t n = 2, all = 2; n <= 6; n++, all *= n) {
        memset(counters, 0, sizeof counters);
        for (uint64_t seed = 0; seed < 10 * SEEDS; seed++) {
            uint32_t out[6];
            size_t number = 0;
            ASSERT_OK(clprim_reference_shuffle(out, NULL, sizeof *out, n, seed << 32 | seed));
            for (size_t i = 0; i < n; i++) {
                size_t less = 0;
                for (size_t j = i + 1; j < n; j++)
                    less += out[j] < out[i];
                number = number * (n - i) + less;
            }
            counters[number]++;
        }
        const double far = deviation(counters, all, 10.0 * SEEDS / (double)all, 1, (double)all - 1);
        cr_assert(fabs(far) < 4, "%zu elements: permutations deviate by %g", n, far);
    }
}

/* More elements than get twice as many rounds. Blocks of places and of elements meet equally often, and all distances
 * of neighbours occur equally often. */
Test(shuffle, blocks_of_many)
{
    enum { BLOCKS = 32 };
    static uint32_t meetings[BLOCKS * BLOCKS], distances[BLOCKS];
    static const size_t counts[] = {65537, 100003, 1 << 17, 362 * 362};
    uint32_t *out = test_allocate((size_t)(MOST + 2) * sizeof *out);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const size_t n = counts[k];
        memset(meetings, 0, sizeof meetings);
        memset(distances, 0, sizeof distances);
        for (uint64_t seed = 0; seed < 20; seed++) {
            ASSERT_OK(clprim_reference_shuffle(out, NULL, sizeof *out, n, seed));
            for (size_t i = 0; i < n / BLOCKS * BLOCKS; i++) {
                if (out[i] < n / BLOCKS * BLOCKS)
                    meetings[i * BLOCKS / n * BLOCKS + (size_t)out[i] * BLOCKS / n]++;
                if (i > 0)
                    distances[(out[i] + n - out[i - 1]) % n * BLOCKS / n]++;
            }
        }
        const double each = 20.0 * (double)n / BLOCKS;
        cr_assert(fabs(deviation(distances, BLOCKS, each, 1, BLOCKS - 1)) < 5, "%zu elements: distances", n);
        cr_assert(fabs(deviation(meetings, (size_t)BLOCKS * BLOCKS, each / BLOCKS, 1, (BLOCKS - 1) * (BLOCKS - 1))) < 6,
                  "%zu elements: blocks", n);
    }
    free(out);
}

/* Arrays that are shuffled with the same seed get the same order, and the indices tell where their elements were. */
TEST_WITH_RUNTIME(shuffle, arrays_stay_in_step)
{
    enum { SOME = 3001 };
    static uint8_t small[SOME], small_out[SOME];
    static uint64_t large[SOME], large_out[SOME];
    static uint32_t from[SOME];
    test_fill(small, CLPRIM_U8, CLPRIM_SUM, TEST_RANDOM, SOME, 1);
    test_fill(large, CLPRIM_U64, CLPRIM_SUM, TEST_RANDOM, SOME, 2);
    ASSERT_OK(clprim_shuffle_run(
        runtime, &(description){.element_size = 1},
        &(shuffle_call){.in = {.host = small}, .count = SOME, .seed = 5, .out = {.host = small_out}}));
    ASSERT_OK(clprim_shuffle_run(
        runtime, &(description){.element_size = 8},
        &(shuffle_call){.in = {.host = large}, .count = SOME, .seed = 5, .out = {.host = large_out}}));
    ASSERT_OK(clprim_shuffle_run(runtime, &(description){.indices = true},
                                 &(shuffle_call){.count = SOME, .seed = 5, .out = {.host = from}}));
    for (size_t i = 0; i < SOME; i++)
        cr_assert(small_out[i] == small[from[i]] && large_out[i] == large[from[i]], "place %zu", i);
}

Test(shuffle, refusals)
{
    uint32_t out[4];
    TEST_REFUSE_EACH(shuffle, TEST_INVALID(shuffle, "element_size", false, .element_size = 257),
                     TEST_INVALID(shuffle, "element_size", false, .element_size = 4, .indices = true),
                     TEST_INVALID(shuffle, "index_type", false, .indices = true, .max_count = (size_t)1 << 32));
    ASSERT_STATUS(clprim_reference_shuffle(NULL, NULL, 4, 3, 0), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_shuffle(out, NULL, 2, 3, 0), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_shuffle(out, out, 0, 3, 0), CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_reference_shuffle(NULL, NULL, 4, 0, 0));
}
