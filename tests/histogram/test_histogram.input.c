// SPDX-License-Identifier: MIT
/* test_histogram.input.c: elements that come from an expression. Every variant counts what the reference counts for the
 * same elements in an array, with several channels and with weights, too, and with more than one round of launches. */
#include "test_histogram.h"
#include "elements.h"

enum { MAX_COUNT = 20001, CHANNELS = 3 };

static const size_t counts[] = {0, 1, 2, 255, 256, 257, 1023, 1025, 4097, 16384, MAX_COUNT};
static const int64_t boundaries[] = {INT64_MIN, INT64_MIN / 3, -1000, 0, 0, 77, INT64_MAX / 2, INT64_MAX};

static uint64_t values[CHANNELS * MAX_COUNT], elements[CHANNELS * MAX_COUNT], weights[MAX_COUNT];

/* Element i is computed from values[i] and 3. */
typedef struct input_row {
    clprim_histogram_desc desc;
    clprim_type values_type;
    test_element element;
} input_row;

TEST_ELEMENT(three_times_the_index, uint32_t, i * 3)

static int64_t bin_of(const void *element)
{
    return (int64_t)(*(const uint32_t *)element % 40) - 2;
}

#define INPUT(expression, type_)                                                                                       \
    .type = (type_), .input = (expression),                                                                            \
    .text.parameters = {{"values", (type_), .is_array = true}, {"three", CLPRIM_U8}}

static const input_row rows[] = {
    {{INPUT("values[i] + three", CLPRIM_U8)}, CLPRIM_U8, test_plus_three},
    {{INPUT("values[i] + three", CLPRIM_U8), .bins = 60, .channels = CHANNELS, .active_channels = 2},
     CLPRIM_U8,
     test_plus_three},
    {{INPUT("vload_half(i, values)", CLPRIM_F16), .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 50, .low = -1, .high = 1},
     CLPRIM_F16,
     test_same_half},
    {{INPUT("i * three", CLPRIM_U32), .mapping = CLPRIM_HISTOGRAM_CUSTOM, .bins = 37, .bin_of = "x % 40 - 2"},
     CLPRIM_U32,
     three_times_the_index},
    {{INPUT("values[i]", CLPRIM_U16), .bins = 1000, .weights_type = CLPRIM_I64}, CLPRIM_U16, test_same_2},
    {{INPUT("values[i]", CLPRIM_I64), .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .boundaries = boundaries,
      .bins = sizeof boundaries / sizeof *boundaries - 1, .accumulate = true},
     CLPRIM_I64,
     test_same_8},
    {{INPUT("values[i]", CLPRIM_F32), .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 2000, .low = -3, .high = 3,
      .counter_type = CLPRIM_U64},
     CLPRIM_F32,
     test_same_4},
    {{INPUT("values[i]", CLPRIM_F64), .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 64, .low = -2, .high = 1},
     CLPRIM_F64,
     test_same_8},
};

/* The reference reads an array. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_histogram_desc *d = desc;
    const clprim_histogram_call *c = call;
    const clprim_reference_histogram_how how = {.type = d->type,
                                                .mapping = d->mapping,
                                                .bins = d->bins,
                                                .low = d->low,
                                                .high = d->high,
                                                .boundaries = d->boundaries != NULL ? boundaries : NULL,
                                                .bin_of = bin_of,
                                                .channels = d->channels,
                                                .active_channels = d->active_channels,
                                                .weights_type = d->weights_type,
                                                .counter_type = d->counter_type,
                                                .accumulate = d->accumulate};
    return clprim_reference_histogram(c->out.host, c->outside_out.host, &how, elements, c->weights.host, c->count);
}

static void check(test_call *self, const input_row *row, size_t count, size_t number)
{
    const size_t channels = row->desc.channels != 0 ? row->desc.channels : 1;
    uint8_t three = 3;
    uint64_t counted = (uint64_t[]){count - count / 3, 0, count + 7}[number % 3];
    test_fill(values, row->values_type, CLPRIM_MAX, (test_pattern)(number % TEST_PATTERN_END), count * channels,
              TEST_SEED + number);
    test_fill(weights, CLPRIM_I64, CLPRIM_SUM, TEST_RANDOM, count, TEST_SEED + number);
    for (size_t i = 0; i < count * channels; i++)
        row->element(elements, i, values, i);
    self->reference = reference;
    test_call_fill(self,
                   &(clprim_histogram_call){.weights = {.host = weights},
                                            .arguments = {{.host = values}, {.host = &three}},
                                            .count_at = {.host = &counted},
                                            .count = count},
                   TEST_SEED + number);
    test_call_check_by(self, number == 5, "row %d, %zu elements", (int)(row - rows), count);
}

/* Each row is tested with some of the variants, half of them with counts on the device; with CLPRIM_TEST_FULL, with
 * all. */
TEST_BY_VARIANT(histogram_input, is_counted_as_an_array_of_it_is, clprim_histogram_operation)
{
    size_t ran = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        clprim_histogram_desc desc = rows[r].desc;
        const bool is_small = desc.bins > 0 && desc.bins <= 64; /* for all variants */
        if (!test_is_full() && (r + (size_t)variant) % (is_small ? 2 : 3) != 0)
            continue;
        desc.variant = (clprim_histogram_variant)variant;
        desc.count_at_type = r % 2 == 1 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, &desc)) {
            ran++;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, &rows[r], counts[i], i);
        }
    }
    cr_assert(ran > 0 || test_is_sample() || variant == CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED ||
              variant == CLPRIM_HISTOGRAM_NATIVE);
}

/* More elements than the counters of one launch hold: the second launch continues the elements' indices. */
TEST_WITH_RUNTIME(histogram_input, goes_on_in_another_launch)
{
    enum { BINS = 1024, SHIFT = 22, BEHIND = 12345 };
    const uint64_t first = UINT64_C(3) << 29; /* elements of one launch */
    const clprim_histogram_desc desc = {
        .type = CLPRIM_U16, .input = "i >> 22", .bins = BINS, .count_at_type = CLPRIM_U64};
    static uint32_t expected[BINS];
    uint64_t counted = first + BEHIND;
    uint64_t outside = 0;
    for (uint64_t i = 0; i < counted; i += UINT64_C(1) << SHIFT)
        expected[i >> SHIFT] = (uint32_t)(counted - i < UINT64_C(1) << SHIFT ? counted - i : UINT64_C(1) << SHIFT);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, &desc)) {
        test_call_fill(&self,
                       &(clprim_histogram_call){.count_at = {.host = &counted},
                                                .count = first + 3 * BEHIND,
                                                .out = {.host = expected},
                                                .outside_out = {.host = &outside}},
                       TEST_SEED);
        test_call_check(&self, "two launches");
    }
}

/* A region of an image by an expression, where .strided cannot be: nothing around it is counted. Each variant that takes no promise counts it. */
TEST_BY_VARIANT(histogram_input, may_be_a_region_of_an_image, clprim_histogram_operation)
{
    enum { ROWS = 53, WIDTH = 61, STRIDE = 90, FIRST = 7 * STRIDE + 11, ALL = (ROWS + 9) * STRIDE };
    static uint8_t image[ALL];
    uint32_t expected[256] = {0}, found[256] = {0};
    uint32_t width = WIDTH, stride = STRIDE;
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < ALL; i++)
        image[i] = (uint8_t)test_random(&random);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < WIDTH; column++)
            expected[image[FIRST + row * STRIDE + column]]++;
    const clprim_histogram_desc desc = {
        .input = "image[(uint)i / width * stride + (uint)i % width]",
        .text.parameters = {{"image", CLPRIM_U8, .is_array = true}, {"width", CLPRIM_U32}, {"stride", CLPRIM_U32}},
        .variant = (clprim_histogram_variant)variant,
    };
    const clprim_status status = clprim_histogram_run(
        runtime, &desc,
        &(clprim_histogram_call){
            .arguments = {{.host = image, .offset = FIRST, .length = ALL - FIRST}, {.host = &width}, {.host = &stride}},
            .count = ROWS * WIDTH,
            .out = {.host = found}});
    if (status == CLPRIM_UNSUPPORTED)
        return;
    ASSERT_OK(status);
    test_expect_same(expected, found, sizeof *found, 256, "a region");
}
