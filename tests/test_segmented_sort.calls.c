/* test_segmented_sort.calls.c: how a sort by segments behaves among other work: queues, events, lifetimes, and memory
 * of its own or of the caller's. */
#include <stdlib.h>

#include "test_segmented_sort.h"

enum { MAX_COUNT = 100003, FEW = 4001 };

/* Two sets of arrays, of which the second is sorted by the first one's plan: of calls at the same time each has its
 * own. */
typedef struct couple {
    segment_subject first, second;
    segment_call calls[2];
    size_t segments[2];
} couple;

static segment_call call_of(size_t count, segment_shape shape, uint64_t seed)
{
    return (segment_call){
        .count = count, .shape = shape, .seed = seed, .pattern = TEST_RANDOM, .offsets = {1, 2, 3, 4}};
}

/* The second plan is needed only for what is not its own. */
static bool couple_create(couple *out, clprim_runtime *runtime, const clprim_segmented_sort_desc *desc)
{
    if (!segment_create(&out->first, runtime, *desc, MAX_COUNT) ||
        !segment_create(&out->second, runtime, *desc, MAX_COUNT))
        return false;
    clprim_segmented_sort_destroy(out->second.plan);
    out->second.plan = out->first.plan;
    return true;
}

static void couple_destroy(couple *self)
{
    self->second.plan = NULL;
    segment_destroy(&self->first);
    segment_destroy(&self->second);
}

static void couple_prepare(couple *self, segment_shape first, segment_shape second)
{
    self->calls[0] = call_of(MAX_COUNT, first, 7);
    self->calls[1] = call_of(FEW, second, 8);
    self->segments[0] = segment_prepare(&self->first, &self->calls[0]);
    self->segments[1] = segment_prepare(&self->second, &self->calls[1]);
}

/* Both on these queues, without waiting; several times. */
static void couple_run(couple *self, cl_command_queue first, cl_command_queue second)
{
    for (int again = 0; again < 3; again++) {
        ASSERT_OK(segment_enqueue(&self->first, &self->calls[0], self->segments[0], first, 0, NULL, NULL));
        ASSERT_OK(segment_enqueue(&self->second, &self->calls[1], self->segments[1], second, 0, NULL, NULL));
    }
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    segment_verify(&self->first, &self->calls[0], self->segments[0]);
    segment_verify(&self->second, &self->calls[1], self->segments[1]);
}

/* Plans that are compiled anyway: one of each variant. Each kernel first runs by itself, see test_radix_sort.calls.c.
 */
static void for_all_variants(void (*body)(couple *self))
{
    size_t count = 0;
    const clprim_segmented_sort_desc *descs = segment_descs(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    bool was_tested[SEGMENT_VARIANTS] = {false};
    for (size_t i = 0; i < count; i++) {
        couple self;
        const bool is_short = descs[i].variant != CLPRIM_SEGMENTED_SORT_LOCAL && descs[i].max_segment_size != 0;
        if (was_tested[descs[i].variant] || is_short || !couple_create(&self, runtime, &descs[i]))
            continue;
        was_tested[descs[i].variant] = true;
        couple_prepare(&self, SEGMENTS_GIANTS, SEGMENTS_SHORT);
        for (int again = 0; again < 2; again++) {
            ASSERT_OK(segment_enqueue(&self.first, &self.calls[0], self.segments[0], NULL, 0, NULL, NULL));
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            ASSERT_OK(segment_enqueue(&self.second, &self.calls[1], self.segments[1], NULL, 0, NULL, NULL));
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        }
        body(&self);
        couple_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_pairs_of_queues(couple *self)
{
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    clprim_runtime *runtime = self->first.runtime;
    cl_command_queue queues[4] = {test_queue(runtime, 0), test_queue(runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(runtime, out_of_order), test_queue(runtime, out_of_order)};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++) {
            couple_prepare(self, SEGMENTS_GIANTS, SEGMENTS_SHORT);
            couple_run(self, queues[a], queues[b]);
        }
    for (size_t i = 0; i < 4; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
}

Test(segmented_sort_calls, a_plan_twice_at_once, .timeout = 240)
{
    for_all_variants(check_pairs_of_queues);
}

/* Held back by an event: nothing is written before. The plan may go before its work has run. */
static void check_waiting(couple *self)
{
    const clprim_runtime *runtime = self->first.runtime;
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int code = CL_SUCCESS;
    cl_event events[3] = {NULL};
    couple_prepare(self, SEGMENTS_GIANTS, SEGMENTS_SHORT);
    const cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    ASSERT_CL(code);
    ASSERT_OK(segment_enqueue(&self->first, &self->calls[0], self->segments[0], queue, 1, &start, &events[0]));
    ASSERT_OK(segment_enqueue(&self->second, &self->calls[1], self->segments[1], queue, 1, &start, &events[1]));
    ASSERT_OK(segment_enqueue(&self->second, &self->calls[1], 0, queue, 1, &start, &events[2])); /* nothing to do */
    ASSERT_CL(clFlush(queue));
    for (size_t i = 0; i < 3; i++) {
        cl_int state = CL_COMPLETE;
        ASSERT_CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "%s: call %zu is done before what it waits for", self->first.name, i);
    }
    segment_verify_untouched(&self->first, &self->calls[0], "before the wait list is complete");
    segment_verify_untouched(&self->second, &self->calls[1], "before the wait list is complete");
    clprim_segmented_sort_destroy(self->first.plan);
    self->first.plan = self->second.plan = NULL;
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(3, events));
    segment_verify(&self->first, &self->calls[0], self->segments[0]);
    segment_verify(&self->second, &self->calls[1], self->segments[1]);
    for (size_t i = 0; i < 3; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(segmented_sort_calls, wait_lists_and_lifetimes, .timeout = 120)
{
    for_all_variants(check_waiting);
}

/* A part of a larger buffer, whose content is not zero, is just enough, and nothing around it is written. */
static void check_exact_scratch(couple *self, size_t bytes)
{
    const clprim_runtime *runtime = self->first.runtime;
    const size_t unit = clprim_runtime_info(runtime)->base_address_alignment;
    const size_t parent_bytes = unit + bytes + 4096;
    const cl_buffer_region region = {unit, bytes};
    unsigned char *before = test_allocate(parent_bytes);
    unsigned char *after = test_allocate(parent_bytes);
    cl_int code = CL_SUCCESS;
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(runtime, before, parent_bytes);
    cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    ASSERT_OK(clprim_segmented_sort_set_scratch(self->first.plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    couple_prepare(self, SEGMENTS_GIANTS, SEGMENTS_SHORT);
    couple_run(self, queue, clprim_runtime_queue(runtime));
    segment_check_malformed(&self->first, &self->calls[0], 3);
    test_read(runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, self->first.name);
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* One byte less is refused, and writes nothing; a call that needs less is served in between. */
static void check_scratch(couple *self)
{
    const clprim_runtime *runtime = self->first.runtime;
    size_t bytes = 0;
    size_t bytes_for_few = 0;
    ASSERT_OK(clprim_segmented_sort_scratch_size(&bytes, self->first.plan, MAX_COUNT));
    ASSERT_OK(clprim_segmented_sort_scratch_size(&bytes_for_few, self->first.plan, FEW));
    cr_assert_geq(bytes, bytes_for_few);
    check_exact_scratch(self, bytes);
    cl_mem small = test_buffer(runtime, bytes - 1);
    ASSERT_OK(clprim_segmented_sort_set_scratch(self->first.plan, small));
    ASSERT_CL(clReleaseMemObject(small));
    couple_prepare(self, SEGMENTS_GIANTS, SEGMENTS_SHORT);
    cl_event never = NULL;
    ASSERT_STATUS(segment_enqueue(&self->first, &self->calls[0], self->segments[0], NULL, 0, NULL, &never),
                  CLPRIM_INVALID_SCRATCH);
    cr_assert_null(never);
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
    segment_verify_untouched(&self->first, &self->calls[0], "refused");
    if (bytes_for_few < bytes) { /* where it depends on the elements at all */
        ASSERT_OK(segment_enqueue(&self->second, &self->calls[1], self->segments[1], NULL, 0, NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        segment_verify(&self->second, &self->calls[1], self->segments[1]);
    }
    ASSERT_OK(clprim_segmented_sort_set_scratch(self->first.plan, NULL));
    couple_run(self, clprim_runtime_queue(runtime), clprim_runtime_queue(runtime));
}

Test(segmented_sort_calls, scratch_memory_of_the_callers, .timeout = 240)
{
    for_all_variants(check_scratch);
}

/* What the header says of it, for so many elements that single ones do not count. */
static void check_scratch_size(couple *self)
{
    const clprim_segmented_sort_desc *desc = &self->first.desc;
    const size_t count = (size_t)1 << 26;
    const size_t values = segment_value_size(desc);
    const size_t size = clprim_type_size(desc->key_type);
    const bool is_local = desc->variant == CLPRIM_SEGMENTED_SORT_LOCAL;
    const size_t limit = is_local ? 1 : size == 8 ? 32 + values : 2 * 8 + 2 * values;
    size_t bytes = 0;
    ASSERT_OK(clprim_segmented_sort_scratch_size(&bytes, self->first.plan, count));
    cr_assert_leq(bytes, count * limit / 8 * 9 + (1 << 20), "%s: %zu bytes", self->first.name, bytes);
}

Test(segmented_sort_calls, how_much_scratch_memory)
{
    for_all_variants(check_scratch_size);
}
