/* test_segmented_sort.calls.c: in memory of the caller's, also with offsets that make no sense; how much of it a call
 * takes. */
#include <stdlib.h>

#include "test_segmented_sort.h"

enum { MAX_COUNT = 100003 };

/* Plans that are compiled anyway: one of each variant. */
static void for_all_variants(void (*body)(segment_subject *self))
{
    size_t count = 0;
    const clprim_segmented_sort_desc *descs = segment_descs(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    bool was_tested[SEGMENT_VARIANTS] = {false};
    for (size_t i = 0; i < count; i++) {
        segment_subject self;
        const bool is_short = descs[i].variant != CLPRIM_SEGMENTED_SORT_LOCAL && descs[i].max_segment_size != 0;
        if (was_tested[descs[i].variant] || is_short || !segment_create(&self, runtime, descs[i], MAX_COUNT))
            continue;
        was_tested[descs[i].variant] = true;
        body(&self);
        segment_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* A part of a larger buffer, whose content is not zero, is just enough, and nothing around it is written. */
static void check_exact_scratch(segment_subject *self)
{
    const clprim_runtime *runtime = self->runtime;
    const size_t unit = clprim_runtime_info(runtime)->base_address_alignment;
    const segment_call c = {
        .count = MAX_COUNT, .shape = SEGMENTS_GIANTS, .seed = 7, .pattern = TEST_RANDOM, .offsets = {1, 2, 3, 4}};
    size_t bytes = 0;
    cl_int code = CL_SUCCESS;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_segmented_sort_call){.count = MAX_COUNT}));
    const size_t parent_bytes = unit + bytes + 4096;
    const cl_buffer_region region = {unit, bytes};
    unsigned char *before = test_allocate(parent_bytes);
    unsigned char *after = test_allocate(parent_bytes);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(runtime, before, parent_bytes);
    cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    segment_check(self, &c);
    segment_check_malformed(self, &c, 3);
    test_read(runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, self->name);
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

Test(segmented_sort_calls, scratch_memory_of_the_callers, .timeout = 240)
{
    for_all_variants(check_exact_scratch);
}

/* What the header says of it, for as many elements as the plan takes, or so many that single ones do not count. */
static void check_scratch_size(segment_subject *self)
{
    const clprim_segmented_sort_desc *desc = &self->desc;
    const size_t count = desc->max_count != 0 ? desc->max_count : (size_t)1 << 26;
    const size_t values = segment_value_size(desc);
    const size_t size = clprim_type_size(desc->key_type);
    const bool is_local = desc->variant == CLPRIM_SEGMENTED_SORT_LOCAL;
    const size_t limit = is_local ? 1 : size == 8 ? 32 + values : 2 * 8 + 2 * values;
    size_t bytes = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, &(clprim_segmented_sort_call){.count = count}));
    cr_assert_leq(bytes, count * limit / 8 * 9 + count / 64, "%s: %zu bytes", self->name, bytes);
}

Test(segmented_sort_calls, how_much_scratch_memory)
{
    for_all_variants(check_scratch_size);
}
