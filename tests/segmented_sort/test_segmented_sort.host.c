/* test_segmented_sort.host.c: the reference against results known beforehand; arrays on the host. */
#include "call.h"

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

/* Offsets on the host are looked at. The plan is one of those in test_segmented_sort.c. */
Test(segmented_sort_host, offsets_that_are_refused, .timeout = 60)
{
    static const uint32_t falling[3] = {2, 1, 3};
    static const uint32_t beyond[2] = {0, COUNT + 1};
    static const struct {
        const uint32_t *offsets;
        size_t segments;
        clprim_status status;
    } rows[] = {{falling, 2, CLPRIM_INVALID_ARGUMENT},
                {beyond, 1, CLPRIM_INVALID_ARGUMENT},
                {offsets, SEGMENTS + 1, CLPRIM_INVALID_RANGE}};
    const clprim_segmented_sort_desc desc = {
        .key_type = CLPRIM_I16, .value_size = 4, .descending = true, .max_segments = SEGMENTS, .max_segment_size = 200};
    clprim_runtime *runtime = test_runtime(NULL);
    int16_t sorted[COUNT];
    uint32_t from[COUNT] = {0};
    memcpy(sorted, keys, sizeof sorted);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ASSERT_STATUS(
            clprim_segmented_sort_run(runtime, &desc,
                                      &(clprim_segmented_sort_call){.keys_in = {.host = sorted},
                                                                    .values_in = {.host = from},
                                                                    .offsets = {.host = (void *)rows[i].offsets},
                                                                    .count = COUNT,
                                                                    .segment_count = rows[i].segments,
                                                                    .keys_out = {.host = sorted},
                                                                    .values_out = {.host = from}}),
            rows[i].status);
    test_expect_same(keys, sorted, sizeof *sorted, COUNT, "after refusals");
    clprim_runtime_destroy(runtime);
}
