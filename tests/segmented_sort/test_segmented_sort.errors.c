/* test_segmented_sort.errors.c: descriptions and numbers of segments that are refused. */
#include "call.h"

/* Descriptions that make no sense, or that a variant is not for; the sentence names what is wrong. */
Test(segmented_sort_errors, descriptions)
{
    static const struct {
        clprim_segmented_sort_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.argsort = true, .value_size = 4}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.argsort = true, .max_count = (size_t)1 << 33}, CLPRIM_INVALID_ARGUMENT, "index_type"},
        {{.max_segments = UINT32_MAX}, CLPRIM_INVALID_ARGUMENT, "max_segments"},
        {{.variant = CLPRIM_SEGMENTED_SORT_LOCAL}, CLPRIM_UNSUPPORTED, "max_segment_size"},
        {{.variant = CLPRIM_SEGMENTED_SORT_LOCAL, .max_segment_size = SIZE_MAX}, CLPRIM_UNSUPPORTED, "segments"},
        {{.variant = CLPRIM_SEGMENTED_SORT_MIXED, .max_count = (size_t)1 << 33}, CLPRIM_UNSUPPORTED, "max_count"},
        {{.variant = CLPRIM_SEGMENTED_SORT_CPU_CHUNK, .max_count = (size_t)1 << 33}, CLPRIM_UNSUPPORTED, "max_count"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, &clprim_segmented_sort_operation, &rows[i].desc, rows[i].status, rows[i].culprit);
    clprim_runtime_destroy(runtime);
}

Test(segmented_sort_errors, more_segments_than_the_plan_was_made_for)
{
    static const uint32_t keys[2] = {2, 1};
    static const uint32_t offsets[4] = {0, 1, 2, 2};
    const clprim_segmented_sort_desc desc = {.key_type = CLPRIM_F32, .max_segments = 2, .max_segment_size = 200};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    cl_event never = NULL;
    ASSERT_OK(clprim_segmented_sort_create(&plan, runtime, &desc));
    cl_mem in_place = test_upload(runtime, keys, sizeof keys);
    cl_mem ends = test_upload(runtime, offsets, sizeof offsets);
    clprim_segmented_sort_call call = {
        .keys_in = {in_place}, .offsets = {ends}, .count = 2, .segment_count = 3, .keys_out = {in_place}};
    ASSERT_STATUS(clprim_segmented_sort_enqueue(plan, NULL, &call, 0, NULL, &never), CLPRIM_INVALID_RANGE);
    cr_assert_not_null(strstr(clprim_last_error(), "segments are more"), "%s", clprim_last_error());
    call.segment_count = SIZE_MAX; /* of which there are more offsets than size_t can say */
    ASSERT_STATUS(clprim_segmented_sort_enqueue(plan, NULL, &call, 0, NULL, &never), CLPRIM_INVALID_RANGE);
    cr_assert_null(never);
    ASSERT_CL(clReleaseMemObject(in_place));
    ASSERT_CL(clReleaseMemObject(ends));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}
