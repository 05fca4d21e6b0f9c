/* test_segmented_sort.host.c: the reference against results known beforehand, and the function that takes arrays on the
 * host. */
#include "test_segmented_sort.h"

enum { COUNT = 12, SEGMENTS = 5 };

/* The first and the last two elements are in no segment; segments of four, none, one, three and none. */
static const uint32_t offsets[SEGMENTS + 1] = {2, 6, 6, 7, 10, 10};
static const int16_t keys[COUNT] = {9, -9, 3, -1, 3, -32768, 5, 0, 2, 0, 1, 0};
static const int16_t upwards[COUNT] = {9, -9, -32768, -1, 3, 3, 5, 0, 0, 2, 1, 0};
static const uint32_t upwards_from[COUNT] = {77, 77, 5, 3, 2, 4, 6, 7, 9, 8, 77, 77};
static const int16_t downwards[COUNT] = {9, -9, 3, 3, -1, -32768, 5, 2, 0, 0, 1, 0};
static const uint32_t downwards_from[COUNT] = {77, 77, 2, 4, 3, 5, 6, 8, 7, 9, 77, 77};

Test(segmented_sort_host, reference)
{
    uint64_t wide[SEGMENTS + 1];
    for (int s = 0; s <= SEGMENTS; s++)
        wide[s] = offsets[s];
    for (int way = 0; way < 8; way++) {
        const clprim_reference_sort_how how = {.key_type = CLPRIM_I16,
                                               .argsort = way / 2 % 2 == 1,
                                               .value_size = way / 2 % 2 == 1 ? 0 : 4,
                                               .descending = way % 2 == 1};
        int16_t found[COUNT];
        uint32_t from[COUNT];
        memcpy(found, keys, sizeof found);
        for (uint32_t i = 0; i < COUNT; i++) /* values are what indices would be, in segments */
            from[i] = how.argsort || i < offsets[0] || i >= offsets[SEGMENTS] ? 77 : i;
        ASSERT_OK(clprim_reference_segmented_sort(found, from, &how, COUNT, way < 4 ? CLPRIM_U32 : CLPRIM_U64,
                                                  way < 4 ? (const void *)offsets : wide, SEGMENTS));
        test_expect_same(how.descending ? downwards : upwards, found, sizeof *found, COUNT, "keys");
        test_expect_same(how.descending ? downwards_from : upwards_from, from, sizeof *from, COUNT, "values");
    }
}

Test(segmented_sort_host, reference_refuses)
{
    static const uint32_t falling[3] = {2, 1, 3};
    static const uint32_t beyond[2] = {0, COUNT + 1};
    int16_t found[COUNT];
    const clprim_reference_sort_how how = {.key_type = CLPRIM_I16};
    const clprim_reference_sort_how senseless = {.value_size = 3};
    memcpy(found, keys, sizeof found);
    ASSERT_STATUS(clprim_reference_segmented_sort(found, NULL, &how, COUNT, CLPRIM_U32, falling, 2),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_segmented_sort(found, NULL, &how, COUNT, CLPRIM_U32, beyond, 1),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_segmented_sort(found, NULL, &how, COUNT, CLPRIM_U32, NULL, 1),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_segmented_sort(found, NULL, &how, COUNT, CLPRIM_I32, offsets, SEGMENTS),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_segmented_sort(NULL, NULL, &how, COUNT, CLPRIM_U32, offsets, SEGMENTS),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_segmented_sort(found, found, &how, COUNT, CLPRIM_U32, offsets, SEGMENTS),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_segmented_sort(found, NULL, &senseless, COUNT, CLPRIM_U32, offsets, SEGMENTS),
                  CLPRIM_INVALID_ARGUMENT);
    test_expect_same(keys, found, sizeof *found, COUNT, "after refusals");
    ASSERT_OK(clprim_reference_segmented_sort(NULL, NULL, NULL, 0, CLPRIM_TYPE_DEFAULT, NULL, 0));
}

/* Where they lie. */
static clprim_status run(void *keys_to, void *values_to, clprim_runtime *runtime,
                         const clprim_segmented_sort_desc *desc, size_t count, const void *ends, size_t segments)
{
    return clprim_segmented_sort_run(runtime, desc,
                                     &(clprim_segmented_sort_call){.keys_in = {.host = keys_to},
                                                                   .values_in = {.host = values_to},
                                                                   .offsets = {.host = (void *)ends},
                                                                   .count = count,
                                                                   .segment_count = segments,
                                                                   .keys_out = {.host = keys_to},
                                                                   .values_out = {.host = values_to}});
}

/* In one launch or two, since segments are short; the keys and values are those of a plan in test_segmented_sort.c. */
Test(segmented_sort_host, by_a_device, .timeout = 60)
{
    const clprim_segmented_sort_desc desc = {
        .key_type = CLPRIM_I16, .value_size = 4, .descending = true, .max_segment_size = 200};
    int16_t found[COUNT];
    uint32_t from[COUNT];
    memcpy(found, keys, sizeof found);
    for (uint32_t i = 0; i < COUNT; i++)
        from[i] = i < offsets[0] || i >= offsets[SEGMENTS] ? 77 : i;
    ASSERT_OK(run(found, from, NULL, &desc, COUNT, offsets, SEGMENTS));
    test_expect_same(downwards, found, sizeof *found, COUNT, "keys");
    test_expect_same(downwards_from, from, sizeof *from, COUNT, "values");
    ASSERT_OK(run(found, from, NULL, &desc, COUNT, NULL, 0)); /* no segments */
    ASSERT_OK(run(NULL, NULL, NULL, &desc, 0, NULL, 0));
    test_expect_same(downwards, found, sizeof *found, COUNT, "keys as they were");
}

/* From arrays to others, in which what is in no segment stays as it is. */
Test(segmented_sort_host, what_is_in_no_segment_is_not_written, .timeout = 60)
{
    const clprim_segmented_sort_desc desc = {
        .key_type = CLPRIM_I16, .value_size = 4, .descending = true, .max_segment_size = 200};
    int16_t in[COUNT], out[COUNT], expected[COUNT];
    uint32_t from[COUNT], from_out[COUNT];
    memcpy(in, keys, sizeof in);
    memcpy(expected, downwards, sizeof expected);
    for (uint32_t i = 0; i < COUNT; i++) {
        from[i] = i;
        from_out[i] = 77;
        out[i] = 5;
        expected[i] = i < offsets[0] || i >= offsets[SEGMENTS] ? 5 : downwards[i];
    }
    ASSERT_OK(clprim_segmented_sort_run(NULL, &desc,
                                        &(clprim_segmented_sort_call){.keys_in = {.host = in},
                                                                      .values_in = {.host = from},
                                                                      .offsets = {.host = (void *)offsets},
                                                                      .count = COUNT,
                                                                      .segment_count = SEGMENTS,
                                                                      .keys_out = {.host = out},
                                                                      .values_out = {.host = from_out}}));
    test_expect_same(expected, out, sizeof *out, COUNT, "keys");
    test_expect_same(downwards_from, from_out, sizeof *from_out, COUNT, "values");
}

Test(segmented_sort_host, refusals, .timeout = 60)
{
    static const uint32_t falling[3] = {2, 1, 3};
    static const uint32_t beyond[2] = {0, COUNT + 1};
    const clprim_segmented_sort_desc desc = {
        .key_type = CLPRIM_I16, .value_size = 4, .descending = true, .max_segments = SEGMENTS, .max_segment_size = 200};
    clprim_runtime *runtime = test_runtime(NULL);
    int16_t found[COUNT];
    uint32_t from[COUNT] = {0};
    memcpy(found, keys, sizeof found);
    ASSERT_STATUS(run(NULL, from, runtime, &desc, COUNT, offsets, SEGMENTS), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(run(found, NULL, runtime, &desc, COUNT, offsets, SEGMENTS), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(run(found, from, runtime, &desc, COUNT, NULL, SEGMENTS), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(run(found, from, runtime, &desc, COUNT, falling, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(run(found, from, runtime, &desc, COUNT, beyond, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(run(found, from, runtime, &desc, COUNT, offsets, SEGMENTS + 1), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(run(found, from, runtime, &desc, SIZE_MAX, offsets, SEGMENTS), CLPRIM_INVALID_RANGE);
    test_expect_same(keys, found, sizeof *found, COUNT, "after refusals");
    clprim_runtime_destroy(runtime);
}
