/* test_search.errors.c: what is refused, by its status and a sentence that names it, with nothing written; searches of
 * arrays on the host; calls held back by an event. */
#include <clprim/reference.h>
#include <clprim/search.h>

#include "support.h"

enum { COUNT = 100 };

typedef struct call {
    cl_mem in, needles, out;
    size_t in_offset, count, needles_offset, num_needles, out_offset;
} call;

static clprim_status start(clprim_search *plan, const call *c, cl_event *done)
{
    return clprim_search_enqueue(plan, NULL, c->in, c->in_offset, c->count, c->needles, c->needles_offset,
                                 c->num_needles, c->out, c->out_offset, 0, NULL, done);
}

#define REFUSED(plan, expected, culprit, ...)                                                                          \
    do {                                                                                                               \
        call wrong = right;                                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(start(plan, &wrong, &never), expected);                                                          \
        cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s: %s", #__VA_ARGS__, clprim_last_error());         \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched(runtime, &out, #__VA_ARGS__);                                                         \
    } while (0)

Test(search_errors, calls)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime *other = test_runtime(NULL);
    clprim_search *plan = NULL;
    cl_event done = NULL;
    ASSERT_OK(clprim_search_create(&plan, runtime, NULL));
    test_output out = {.size = 4, .slots = COUNT};
    out.buffer = test_buffer(runtime, COUNT * 4);
    test_output_poison(runtime, &out);
    const call right = {.in = test_buffer(runtime, COUNT * 4),
                        .needles = test_buffer(runtime, COUNT * 4),
                        .out = out.buffer,
                        .count = COUNT,
                        .num_needles = COUNT};
    cl_mem foreign = test_buffer(other, COUNT * 4);
    REFUSED(NULL, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED(plan, CLPRIM_INVALID_ARGUMENT, "in is NULL", wrong.in = NULL);
    REFUSED(plan, CLPRIM_INVALID_ARGUMENT, "needles is NULL", wrong.needles = NULL);
    REFUSED(plan, CLPRIM_INVALID_ARGUMENT, "out is NULL", wrong.out = NULL);
    REFUSED(plan, CLPRIM_INVALID_RANGE, "in has room", wrong.in_offset = 1);
    REFUSED(plan, CLPRIM_INVALID_RANGE, "needles has room", wrong.needles_offset = SIZE_MAX);
    REFUSED(plan, CLPRIM_INVALID_RANGE, "out has room", wrong.out_offset = 1);
    REFUSED(plan, CLPRIM_INVALID_RANGE, "U64", wrong.count = (size_t)1 << 32);
    REFUSED(plan, CLPRIM_INVALID_OVERLAP, "overlap", wrong.out = wrong.in);
    REFUSED(plan, CLPRIM_INVALID_OVERLAP, "overlap", wrong.out = wrong.needles);
    REFUSED(plan, CLPRIM_INVALID_BUFFER, "context", wrong.needles = foreign);
    ASSERT_OK(clprim_search_enqueue(plan, NULL, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    ASSERT_CL(clReleaseMemObject(right.in));
    ASSERT_CL(clReleaseMemObject(right.needles));
    ASSERT_CL(clReleaseMemObject(foreign));
    test_output_destroy(&out);
    clprim_search_destroy(plan);
    clprim_search_destroy(NULL);
    clprim_runtime_destroy(other);
    clprim_runtime_destroy(runtime);
}

Test(search_errors, descriptions_and_host_arrays)
{
    static const struct {
        clprim_search_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.bound = (clprim_search_bound)2}, CLPRIM_INVALID_ARGUMENT, "bound"},
        {{.index_type = CLPRIM_F32}, CLPRIM_INVALID_ARGUMENT, "index_type"},
        {{.type_size = 4, .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.variant = (clprim_search_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.variant = CLPRIM_SEARCH_SORTED_NEEDLES}, CLPRIM_INVALID_ARGUMENT, "needles_are_sorted"},
        {{.variant = CLPRIM_SEARCH_CPU_CHUNK}, CLPRIM_INVALID_ARGUMENT, "needles_are_sorted"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.less = "a.x < b"}, CLPRIM_BUILD_FAILED, "less"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    const uint32_t in[5] = {1, 3, 3, 3, 9};
    const uint32_t needles[4] = {3, 0, 10, 4};
    const uint64_t lower[4] = {1, 0, 5, 4};
    uint32_t found[4] = {77, 77, 77, 77};
    clprim_search *plan = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ASSERT_STATUS(clprim_search_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    ASSERT_STATUS(clprim_search_create(NULL, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_create(&plan, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_host(found, runtime, NULL, NULL, 5, needles, 4), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_host(found, runtime, NULL, in, 5, NULL, 4), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_host(NULL, runtime, NULL, in, 5, needles, 4), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_host(found, runtime, NULL, in, 5, needles, SIZE_MAX), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_reference_search(NULL, NULL, false, in, 5, needles, 4), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(found[0], 77, "a refusal must not write");
    ASSERT_OK(clprim_search_host(found, NULL, NULL, in, 5, needles, 4));
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(found[i], lower[i], "needle %zu is at %u", i, found[i]);
    ASSERT_OK(clprim_search_host(found, runtime, NULL, NULL, 0, needles, 4));
    cr_assert(found[0] == 0 && found[3] == 0, "in no elements all belong at 0");
    ASSERT_OK(clprim_search_host(NULL, runtime, NULL, in, 5, NULL, 0));
    clprim_runtime_destroy(runtime);
}

Test(search_errors, waits_and_lifetimes)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_search *plan = NULL;
    uint32_t data[COUNT];
    uint32_t found[2 * COUNT];
    cl_int code = CL_SUCCESS;
    cl_command_queue queues[2] = {test_queue(runtime, 0), test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    cl_event go = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    cl_event done[2] = {NULL, NULL};
    ASSERT_CL(code);
    ASSERT_OK(clprim_search_create(&plan, runtime, NULL));
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = 3 * i;
    cl_mem in = test_upload(runtime, data, sizeof data);
    memset(found, 0xa5, sizeof found);
    cl_mem out = test_upload(runtime, found, sizeof found);
    for (size_t i = 0; i < 2; i++)
        ASSERT_OK(clprim_search_enqueue(plan, queues[i], in, 0, COUNT, in, 0, COUNT, out, i * COUNT, 1, &go, &done[i]));
    test_read(runtime, found, out, sizeof found);
    cr_assert(found[0] == 0xa5a5a5a5U && found[2 * COUNT - 1] == 0xa5a5a5a5U, "before the wait list is complete");
    clprim_search_destroy(plan);
    ASSERT_CL(clSetUserEventStatus(go, CL_COMPLETE));
    for (int i = 0; i < 2; i++) {
        ASSERT_CL(clWaitForEvents(1, &done[i]));
        ASSERT_CL(clReleaseEvent(done[i]));
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    }
    test_read(runtime, found, out, sizeof found);
    for (uint32_t i = 0; i < 2 * COUNT; i++)
        cr_assert_eq(found[i], i % COUNT);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseEvent(go));
    clprim_runtime_destroy(runtime);
}
