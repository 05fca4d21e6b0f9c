/* test_merge.errors.c: what is refused, by its status and a sentence that names it, with nothing written; and calls on
 * queues of both kinds, held back by an event, whose plan is given up before. */
#include "test_merge.h"

enum { COUNT = 100, SENSELESS = 9 };

typedef struct call {
    cl_command_queue queue;
    cl_mem a, b, a_values, out, out_values;
    size_t a_offset, a_count, b_offset, b_count, out_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static clprim_status alone(clprim_merge *plan, const call *c, cl_event *done)
{
    return clprim_merge_enqueue(plan, c->queue, c->a, c->a_offset, c->a_count, c->b, c->b_offset, c->b_count, c->out,
                                c->out_offset, c->num_waits, c->waits, done);
}

static clprim_status pairs(clprim_merge *plan, const call *c, cl_event *done)
{
    return clprim_merge_enqueue_pairs(plan, c->queue, c->a, c->a_offset, c->a_values, 0, c->a_count, c->b, c->b_offset,
                                      c->a_values, 0, c->b_count, c->out, c->out_offset, c->out_values, 0, c->num_waits,
                                      c->waits, done);
}

#define REFUSED(way, plan, expected, culprit, ...)                                                                     \
    do {                                                                                                               \
        call wrong = right;                                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(way(plan, &wrong, &never), expected);                                                            \
        cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s: %s", #__VA_ARGS__, clprim_last_error());         \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched(runtime, &out, #__VA_ARGS__);                                                         \
    } while (0)

Test(merge_errors, calls)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime *other = test_runtime(NULL);
    const clprim_merge_desc keys = {.max_count = 2 * COUNT};
    const clprim_merge_desc with_values = {.value_size = 4};
    clprim_merge *plan = NULL;
    clprim_merge *with = NULL;
    clprim_merge *none = NULL;
    test_output out = {.size = 4, .slots = 2 * COUNT};
    out.buffer = test_buffer(runtime, out.slots * 4);
    test_output_poison(runtime, &out);
    ASSERT_OK(clprim_merge_create(&plan, runtime, &keys));
    ASSERT_OK(clprim_merge_create(&with, runtime, &with_values));
    const call right = {.a = test_buffer(runtime, COUNT * 4),
                        .b = test_buffer(runtime, COUNT * 4),
                        .a_values = test_buffer(runtime, COUNT * 4),
                        .out = out.buffer,
                        .out_values = test_buffer(runtime, 2 * COUNT * 4),
                        .a_count = COUNT,
                        .b_count = COUNT};
    cl_mem foreign = test_buffer(other, 2 * COUNT * 4);
    cl_mem larger = test_buffer(runtime, (COUNT + 1) * 4);
    REFUSED(alone, NULL, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED(pairs, NULL, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED(alone, with, CLPRIM_INVALID_ARGUMENT, "pairs", (void)0);
    REFUSED(pairs, plan, CLPRIM_INVALID_ARGUMENT, "no values", (void)0);
    REFUSED(alone, plan, CLPRIM_INVALID_ARGUMENT, "a is NULL", wrong.a = NULL);
    REFUSED(alone, plan, CLPRIM_INVALID_ARGUMENT, "b is NULL", wrong.b = NULL);
    REFUSED(alone, plan, CLPRIM_INVALID_ARGUMENT, "out is NULL", wrong.out = NULL);
    REFUSED(pairs, with, CLPRIM_INVALID_ARGUMENT, "a_values", wrong.a_values = NULL);
    REFUSED(pairs, with, CLPRIM_INVALID_ARGUMENT, "out_values", wrong.out_values = NULL);
    REFUSED(alone, plan, CLPRIM_INVALID_RANGE, "a has room", wrong.a_offset = 1);
    REFUSED(alone, plan, CLPRIM_INVALID_RANGE, "b has room", wrong.b_offset = SIZE_MAX);
    REFUSED(alone, plan, CLPRIM_INVALID_RANGE, "out", wrong.out_offset = 1);
    REFUSED(alone, plan, CLPRIM_INVALID_RANGE, "max_count", wrong.a = larger, wrong.a_count = COUNT + 1);
    REFUSED(alone, plan, CLPRIM_INVALID_RANGE, "max_count", wrong.a_count = SIZE_MAX);
    REFUSED(alone, plan, CLPRIM_INVALID_RANGE, "max_count", wrong.b_count = SIZE_MAX - COUNT + 1);
    REFUSED(alone, plan, CLPRIM_INVALID_OVERLAP, "overlap", wrong.a = wrong.out, wrong.a_offset = COUNT - 1);
    REFUSED(alone, plan, CLPRIM_INVALID_OVERLAP, "overlap", wrong.b = wrong.out);
    REFUSED(pairs, with, CLPRIM_INVALID_OVERLAP, "overlap", wrong.out_values = wrong.out);
    REFUSED(alone, plan, CLPRIM_INVALID_BUFFER, "context", wrong.b = foreign);
    REFUSED(alone, plan, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other));
    REFUSED(alone, plan, CLPRIM_INVALID_ARGUMENT, "wait", wrong.num_waits = 1);
    ASSERT_STATUS(clprim_merge_create(NULL, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    /* no elements need no arrays, and still give an event */
    cl_event done = NULL;
    ASSERT_OK(clprim_merge_enqueue(plan, NULL, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    const cl_mem memory[] = {right.a, right.b, right.a_values, right.out_values, foreign, larger};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        ASSERT_CL(clReleaseMemObject(memory[i]));
    test_output_destroy(&out);
    clprim_merge_destroy(plan);
    clprim_merge_destroy(with);
    clprim_merge_destroy(NULL);
    clprim_runtime_destroy(other);
    clprim_runtime_destroy(runtime);
}

Test(merge_errors, descriptions_and_host_arrays)
{
    static const struct {
        clprim_merge_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[SENSELESS] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.value_size = 3}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.type_name = "t", .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.type_name = "t", .type_size = 4}, CLPRIM_INVALID_ARGUMENT, "less"},
        {{.source = "typedef int t;"}, CLPRIM_INVALID_ARGUMENT, "source"},
        {{.variant = (clprim_merge_variant)MERGE_VARIANTS}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.less = "a << < b"}, CLPRIM_BUILD_FAILED, "less"},
        {{.type_name = "t",
          .type_size = 1 << 20,
          .source = "typedef struct { char x[1 << 20]; } t;",
          .less = "1",
          .variant = CLPRIM_MERGE_PATH},
         CLPRIM_UNSUPPORTED,
         "local memory"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    const uint32_t a[2] = {1, 3};
    const uint32_t b[3] = {1, 2, 9};
    const uint32_t expected[5] = {1, 1, 2, 3, 9};
    uint32_t out[5] = {77, 77, 77, 77, 77};
    uint32_t values[5] = {0};
    for (size_t i = 0; i < SENSELESS; i++) {
        clprim_merge *plan = NULL;
        ASSERT_STATUS(clprim_merge_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    ASSERT_STATUS(clprim_merge_host(NULL, NULL, runtime, NULL, a, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_host(out, NULL, runtime, NULL, NULL, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_host(out, values, runtime, NULL, a, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_host(out, NULL, runtime, NULL, a, NULL, 2, b, NULL, SIZE_MAX), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_merge_host(out, NULL, runtime, NULL, a, NULL, 2, b, NULL, SIZE_MAX / 2), CLPRIM_INVALID_RANGE);
    cr_assert_eq(out[0], 77, "a refusal must not write");
    ASSERT_OK(clprim_merge_host(NULL, NULL, runtime, NULL, NULL, NULL, 0, NULL, NULL, 0));
    ASSERT_OK(clprim_merge_host(out, NULL, NULL, NULL, a, NULL, 2, b, NULL, 3));
    test_expect_same(expected, out, sizeof *out, 5, "on the host");
    ASSERT_STATUS(clprim_reference_merge(out, NULL, NULL, 4, a, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    clprim_runtime_destroy(runtime);
}

/* The same plan twice at once, on an in-order and an out-of-order queue, for nothing may happen before. */
Test(merge_errors, waits_and_lifetimes)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_merge *plan = NULL;
    uint32_t data[2 * COUNT];
    uint32_t found[2][2 * COUNT];
    cl_int code = CL_SUCCESS;
    cl_command_queue queues[2] = {test_queue(runtime, 0), test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    cl_event done[2] = {NULL, NULL};
    cl_mem outs[2];
    ASSERT_CL(code);
    ASSERT_OK(clprim_merge_create(&plan, runtime, NULL));
    for (uint32_t i = 0; i < 2 * COUNT; i++) /* even numbers, then odd ones */
        data[i] = i < COUNT ? 2 * i : 2 * (i - COUNT) + 1;
    cl_mem in = test_upload(runtime, data, sizeof data);
    memset(data, MERGE_POISON, sizeof data);
    for (int i = 0; i < 2; i++) {
        outs[i] = test_upload(runtime, data, sizeof data);
        ASSERT_OK(
            clprim_merge_enqueue(plan, queues[i], in, 0, COUNT, in, COUNT, COUNT, outs[i], 0, 1, &start, &done[i]));
        test_read(runtime, found[i], outs[i], sizeof data);
        cr_assert(memcmp(found[i], data, sizeof data) == 0, "before the wait list is complete");
    }
    clprim_merge_destroy(plan);
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(1, &done[0]));
    ASSERT_CL(clWaitForEvents(1, &done[1]));
    for (int i = 0; i < 2; i++) {
        test_read(runtime, found[i], outs[i], sizeof data);
        for (uint32_t k = 0; k < 2 * COUNT; k++)
            cr_assert_eq(found[i][k], k);
        ASSERT_CL(clReleaseMemObject(outs[i]));
        ASSERT_CL(clReleaseEvent(done[i]));
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseEvent(start));
    clprim_runtime_destroy(runtime);
}
