// SPDX-License-Identifier: MIT
/* test_histogram.strided.c: elements in rows with gaps, with every variant: rows of one element and of many, around
 * packets of 16 bytes, aligned and not; a shorter last row; channels, weights, mappings, counts on the device; results
 * of the reference known in advance; the parts into which the host divides calls that are too large for one launch; and
 * calls that are refused. */
#include <string.h>

#include "histogram_internal.h"
#include "ordered.h"

enum { MAX_EXTENT = 40000 };

typedef clprim_histogram_desc description;

typedef struct shape {
    size_t length, stride,
        count; /* elements per channel in a row; elements of all channels from row to row; elements per channel in
                * total */
} shape;

static unsigned char elements[8 * MAX_EXTENT];
static double weights[MAX_EXTENT];

static size_t extent_of(const description *desc, const shape *at)
{
    const size_t channels = desc->channels > 0 ? desc->channels : 1;
    const size_t stride = at->stride > 0 ? at->stride : at->length * channels;
    const size_t rows = at->count == 0 ? 0 : at->length == 0 ? 1 : (at->count - 1) / at->length + 1;
    return rows == 0 ? 0 : (rows - 1) * stride + (at->count - (rows - 1) * at->length) * channels;
}

static void check(test_call *self, const description *desc, const shape *at, uint64_t seed)
{
    uint64_t counted = at->count - at->count / 3; /* on the device, if the plan has such counts */
    const bool is_weighted = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    const clprim_histogram_call call = {.in = {.host = elements},
                                        .weights = {.host = is_weighted ? weights : NULL},
                                        .count_at = {.host = desc->count_at_type != 0 ? &counted : NULL},
                                        .count = at->count,
                                        .row_length = at->length,
                                        .row_stride = at->stride};
    cr_assert_leq(extent_of(desc, at), MAX_EXTENT);
    test_fill(elements, desc->type, CLPRIM_SUM, seed % 3 == 0 ? TEST_FEW_DISTINCT : TEST_RANDOM, extent_of(desc, at),
              seed);
    if (is_weighted)
        test_fill(weights, desc->weights_type, CLPRIM_SUM, TEST_EXACT, at->count, seed);
    test_call_fill(self, &call, seed);
    test_call_check(self, "%zu elements in rows of %zu, %zu apart", at->count, at->length, at->stride);
    if (seed % 4 == 0)
        test_call_check_run(self, "%zu elements on the host", at->count);
}

/* Rows of every length around a packet, close together and far apart. */
static void check_shapes(clprim_runtime *runtime, const description *desc, uint64_t seed)
{
    static const size_t lengths[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 61, 128, 300, 2000};
    static const size_t gaps[] = {0, 1, 3, 13, 16, 64};
    const size_t channels = desc->channels > 0 ? desc->channels : 1;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, desc)) {
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
                if (!test_is_full() && (l + g + seed) % 6 != 0)
                    continue;
                const size_t rows = 1 + (l * 7 + g * 5 + (size_t)seed) % (4000 / (lengths[l] * channels + gaps[g]) + 3);
                const size_t rest = (l + g) % 2 == 0 ? 0 : lengths[l] / 2;
                const shape at = {lengths[l], lengths[l] * channels + gaps[g], rows * lengths[l] + rest};
                check(&self, desc, &at, seed + l + 100 * g);
            }
        const shape others[] = {{0, 0, 100}, {7, 0, 100}, {7, 7 * channels, 0}, {100, 600, 50}, {9, 300, 1}};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) /* the defaults, no element, less than a row */
            check(&self, desc, &others[i], seed + i);
    }
}

TEST_BY_VARIANT(histogram_strided, as_the_reference_does, clprim_histogram_operation)
{
    static const double ends[] = {-1e30, -1, 0, 0.5, 1, 3e38};
    const description rows[] = {
        {.type = CLPRIM_U8, .bins = 60},
        {.type = CLPRIM_U8, .channels = 3, .bins = 20},
        {.type = CLPRIM_U8, .channels = 4, .active_channels = 3, .bins = 16, .count_at_type = CLPRIM_U64},
        {.type = CLPRIM_U16, .mapping = CLPRIM_HISTOGRAM_EVEN, .low = 100, .high = 60000, .bins = 50},
        {.type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = 5, .boundaries = ends},
        {.type = CLPRIM_I64, .bins = 64, .count_at_type = CLPRIM_U64, .work_group_size = 32},
        {.type = CLPRIM_U8, .count_at_type = CLPRIM_U64, .cumulative = true},
        {.type = CLPRIM_U16, .bins = 70000, .counter_type = CLPRIM_U64},
        {.type = CLPRIM_I32, .bins = 12, .weights_type = CLPRIM_I32},
        {.type = CLPRIM_U8, .weights_type = CLPRIM_F32, .count_at_type = CLPRIM_U64},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        description desc = rows[r];
        if (!test_is_full() && (r + (size_t)variant) % 3 != 0)
            continue;
        desc.strided = true;
        desc.variant = (clprim_histogram_variant)variant;
        check_shapes(runtime, &desc, TEST_SEED + r);
    }
}

Test(histogram_strided, by_heart)
{
    static const uint8_t in[] = {1, 2, 9, 9, 1, 1, 9, 9, 3};
    static const uint32_t wanted[] = {0, 3, 1, 1};
    const clprim_reference_histogram_how how = {.bins = 4, .row_length = 2, .row_stride = 4};
    uint32_t got[4];
    uint64_t outside = 7;
    ASSERT_OK(clprim_reference_histogram(got, &outside, &how, in, NULL, 5));
    test_expect_same(wanted, got, sizeof *got, 4, "by heart");
    cr_assert_eq(outside, 0);
    ASSERT_REFUSED(clprim_reference_histogram(
                       got, NULL, &(clprim_reference_histogram_how){.row_length = 2, .row_stride = 1}, in, NULL, 5),
                   CLPRIM_INVALID_ARGUMENT, "row_stride");
}

/* Check that every element is in exactly one part, at its place, and that no part has more than `most`. */
static void check_parts(const clprim__histogram_lines *lines, size_t most)
{
    size_t next = 0;
    for (size_t p = 0; p < clprim__histogram_num_parts(lines, most); p++) {
        const clprim__histogram_part part = clprim__histogram_part_of(lines, most, p);
        cr_assert(part.start == next && part.lines.count <= most && (part.lines.count > 0 || lines->count == 0));
        for (size_t i = 0; i < part.lines.count; i++, next++) {
            const size_t place = part.place + i / part.lines.length * part.lines.stride + i % part.lines.length;
            cr_assert_eq(place, next / lines->length * lines->stride + next % lines->length,
                         "%zu of %zu elements in rows of %zu, in pieces of %zu", next, lines->count, lines->length,
                         most);
        }
    }
    cr_assert_eq(next, lines->count);
}

Test(histogram_strided, parts_of_a_call)
{
    for (size_t count = 0; count < 70; count++)
        for (size_t length = 1; length <= count; length++)
            for (size_t gap = 0; gap < 3; gap++)
                for (size_t most = 1; most < 30; most += 4)
                    check_parts(&(clprim__histogram_lines){count, length, length + gap}, most);
    check_parts(&(clprim__histogram_lines){0, 0, 0}, 12);
}

/* Lengths that do not fit in size_t. */
Test(histogram_strided, extents)
{
    const description desc = {.strided = true, .channels = 3};
    clprim_histogram_call call = {.count = 10, .row_length = 4, .row_stride = SIZE_MAX / 2};
    const clprim_member *in = clprim_histogram_operation.call_members;
    cr_assert_str_eq(in->name, "in");
    cr_assert_eq(in->length(&desc, &call), SIZE_MAX);
    call.row_stride = 1000;
    cr_assert_eq(in->length(&desc, &call), 2006);
    call.count = SIZE_MAX / 3 + 1;
    cr_assert_eq(in->length(&desc, &call), SIZE_MAX);
    call.count = 0;
    cr_assert_eq(in->length(&desc, &call), 0);
}

#define INVALID(culprit, ...) TEST_INVALID(histogram, culprit, false, __VA_ARGS__)

TEST_WITH_RUNTIME(histogram_strided, refusals)
{
    static uint8_t in[100];
    uint32_t out[256];
    const struct {
        bool strided;
        size_t length, stride;
        clprim_status status;
        const char *culprit;
    } rows[] = {{false, 5, 0, CLPRIM_INVALID_ARGUMENT, "row_length is given"},
                {false, 0, 5, CLPRIM_INVALID_ARGUMENT, "row_stride is given"},
                {true, 0, 5, CLPRIM_INVALID_ARGUMENT, "there is no row_length"},
                {true, 5, 9, CLPRIM_INVALID_ARGUMENT, "but a row has 10 elements"},
                {true, 5, 92, CLPRIM_INVALID_RANGE, "in has a length of 100"},
                {true, SIZE_MAX, 0, CLPRIM_SUCCESS, ""},
                {true, 5, 90, CLPRIM_SUCCESS, ""}};
    TEST_REFUSE_EACH(histogram, INVALID("strided cannot be combined with input", .strided = true, .input = "i"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const description desc = {.strided = rows[i].strided, .channels = 2, .bins = 128};
        const clprim_histogram_call call = {.in = {.host = in, .length = sizeof in},
                                            .count = 10,
                                            .row_length = rows[i].length,
                                            .row_stride = rows[i].stride,
                                            .out = {.host = out}};
        out[0] = 77;
        if (rows[i].status == CLPRIM_SUCCESS) {
            ASSERT_OK(clprim_histogram_run(runtime, &desc, &call));
            cr_assert_eq(out[0], 10);
            continue;
        }
        ASSERT_REFUSED(clprim_histogram_run(runtime, &desc, &call), rows[i].status, rows[i].culprit);
        cr_assert_eq(out[0], 77);
    }
}
