// SPDX-License-Identifier: MIT
/* test_segmented_sort.input.c: keys from an expression, with every variant, written over the argument, elsewhere, or
 * not at all; with short segments, and with segments longer than a work-group sorts. */
#include "ordered.h"

enum { COUNT = 140000, SHORT = 100, SEGMENTS = 4 };

static uint32_t x[COUNT], keys[COUNT], indices[COUNT], found[COUNT], unsorted[COUNT];

enum { APART, IN_PLACE, LEFT_OUT, WAYS };

static void check(clprim_runtime *runtime, clprim_plan *plan, const uint32_t *offsets, int way)
{
    const clprim_reference_sort_how how = {.key_type = CLPRIM_U32, .value_size = 4, .argsort = true};
    uint32_t shift = 8;
    const size_t count = offsets[SEGMENTS] + 1; /* the last element is in no segment */
    test_fill(x, CLPRIM_U32, CLPRIM_MAX, TEST_RANDOM, count, count);
    for (size_t i = 0; i < count; i++) {
        keys[i] = x[i] << shift ^ (uint32_t)(i & 1) << 31;
        indices[i] = unsorted[i] = 77;
    }
    keys[count - 1] = way == IN_PLACE ? x[count - 1] : 77;
    cl_mem in = test_upload(runtime, x, count * sizeof *x);
    cl_mem out = way == IN_PLACE ? in : way == APART ? test_upload(runtime, unsorted, count * sizeof *x) : NULL;
    cl_mem indices_at = test_upload(runtime, unsorted, count * sizeof *x);
    cl_mem offsets_at = test_upload(runtime, offsets, (SEGMENTS + 1) * sizeof *offsets);
    ASSERT_OK(clprim_reference_segmented_sort(keys, indices, &how, count, CLPRIM_U32, offsets, SEGMENTS));
    ASSERT_OK(clprim_segmented_sort_enqueue(plan, NULL,
                                            &(clprim_segmented_sort_call){.arguments = {{.host = &shift}, {in}},
                                                                          .offsets = {offsets_at},
                                                                          .count = count,
                                                                          .segment_count = SEGMENTS,
                                                                          .keys_out = {out},
                                                                          .values_out = {indices_at}},
                                            0, NULL, NULL));
    if (way != LEFT_OUT) {
        test_read(runtime, found, out, count * sizeof *x);
        test_expect_same(keys, found, sizeof *x, count, way == IN_PLACE ? "keys, in place" : "keys");
    }
    test_read(runtime, found, indices_at, count * sizeof *x);
    test_expect_same(indices, found, sizeof *x, count, "indices");
    cl_mem all[] = {in, indices_at, offsets_at, way == IN_PLACE ? NULL : out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NULL)
            ASSERT_CL(clReleaseMemObject(all[i]));
}

TEST_BY_VARIANT(segmented_sort_input, is_sorted_as_an_array_of_it_is, clprim_segmented_sort_operation)
{
    static const uint32_t lengths[][SEGMENTS] = {
        {0, SHORT, 3, 1}, {7, SHORT, 20, 50}, {70000, 5, 66001, 3001}, {3, 1500, 0, 5000}};
    const bool are_short = variant == CLPRIM_SEGMENTED_SORT_LOCAL;
    const clprim_segmented_sort_desc desc = {
        .input = "x[i] << shift ^ (uint)(i & 1) << 31", /* an odd number of digits differ */
        .text.parameters = {{"shift", CLPRIM_U32}, {"x", CLPRIM_U32, .is_array = true}},
        .argsort = true,
        .max_segment_size = are_short ? SHORT : 0,
        .variant = (clprim_segmented_sort_variant)variant};
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_segmented_sort_create(&plan, runtime, &desc));
    for (size_t r = 0; r < (are_short ? 2 : 4); r++)
        for (int way = 0; way < WAYS; way++) {
            uint32_t offsets[SEGMENTS + 1] = {0};
            for (size_t s = 0; s < SEGMENTS; s++)
                offsets[s + 1] = offsets[s] + lengths[r][s];
            check(runtime, plan, offsets, way);
        }
    clprim_plan_destroy(plan);
}
