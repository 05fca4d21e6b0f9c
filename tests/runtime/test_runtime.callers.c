/* test_runtime.callers.c: what a caller's own OpenCL objects and surroundings must be, what is said where they are not,
 * and how long an operation took. */
#include <clprim/clprim.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* A selection beside a queue or a context must match their device: by kind, by name, by place in the list. */
Test(runtime, selection_matches_the_device_given)
{
    clprim_runtime *own = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(own);
    char place[32];
    char other_place[32];
    (void)snprintf(place, sizeof place, "%zu", info->index);
    (void)snprintf(other_place, sizeof other_place, "%zu", info->index + 1);
    const struct {
        const char *select;
        bool matches;
    } rows[] = {{NULL, true},
                {"", true},
                {info->name, true},
                {info->platform_name, true},
                {place, true},
                {other_place, false},
                {"no such device", false},
                {info->kind == CLPRIM_DEVICE_GPU ? "cpu" : "gpu", false}};
    cr_assert_eq(setenv("CLPRIM_DEVICE", "no such device", 1), 0); /* which is for runtimes that choose themselves */
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        clprim_runtime_desc desc = {.select = rows[i / 2].select};
        clprim_runtime *runtime = NULL;
        if (i % 2 == 0)
            desc.queue = clprim_runtime_queue(own);
        else
            desc.context = clprim_runtime_context(own);
        const clprim_status status = clprim_runtime_create(&runtime, &desc);
        cr_assert_eq((int)status, (int)(rows[i / 2].matches ? CLPRIM_SUCCESS : CLPRIM_INVALID_ARGUMENT), "row %zu: %s",
                     i / 2, clprim_last_error());
        cr_assert_eq(runtime != NULL, rows[i / 2].matches);
        if (!rows[i / 2].matches) {
            cr_assert_not_null(strstr(clprim_last_error(), info->name), "%s", clprim_last_error());
            cr_assert_not_null(strstr(clprim_last_error(), rows[i / 2].select), "%s", clprim_last_error());
        }
        clprim_runtime_destroy(runtime);
    }
    clprim_runtime_destroy(own);
}

/* An event of another context is refused wherever it stands in the list, and nothing was written. */
Test(runtime, events_belong_to_its_context)
{
    enum { WAITS = 3 };
    static const int32_t in[] = {1, 2, 3};
    const cl_uint expected = 6;
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime *other = test_runtime(NULL);
    clprim_plan *plan = NULL;
    cl_int code = CL_SUCCESS;
    cl_event own = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    ASSERT_CL(code);
    cl_event foreign = clCreateUserEvent(clprim_runtime_context(other), &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(own, CL_COMPLETE));
    ASSERT_CL(clSetUserEventStatus(foreign, CL_COMPLETE));
    ASSERT_OK(clprim_reduce_create(&plan, runtime, NULL));
    cl_mem memory = test_upload(runtime, in, sizeof in);
    test_output out = test_output_create(runtime, sizeof expected, 1);
    for (size_t at = 0; at <= WAITS; at++) {
        cl_event waits[WAITS] = {own, own, own};
        cl_event done = NULL;
        cl_uint sum = 0;
        if (at < WAITS) {
            waits[at] = foreign;
            ASSERT_STATUS(
                clprim_reduce_enqueue(plan, NULL,
                                      &(clprim_reduce_call){.in = {memory}, .count = 3, .out = {out.buffer, out.slot}},
                                      WAITS, waits, &done),
                CLPRIM_INVALID_ARGUMENT);
            cr_assert_not_null(strstr(clprim_last_error(), "another context"), "%s", clprim_last_error());
            cr_assert_null(done);
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            test_output_is_untouched(runtime, &out, "a foreign event");
            continue;
        }
        ASSERT_OK(clprim_reduce_enqueue(
            plan, NULL, &(clprim_reduce_call){.in = {memory}, .count = 3, .out = {out.buffer, out.slot}}, WAITS, waits,
            NULL));
        test_output_read(runtime, &out, &sum, "events of its own");
        cr_assert_eq(sum, expected);
    }
    test_output_destroy(&out);
    ASSERT_CL(clReleaseMemObject(memory));
    ASSERT_CL(clReleaseEvent(own));
    ASSERT_CL(clReleaseEvent(foreign));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    clprim_runtime_destroy(other);
}

/* PoCL has no device where it has no directory to write to. */
Test(runtime, says_what_pocl_misses)
{
    clprim_runtime *runtime = NULL;
    size_t count = 0;
    cr_assert_eq(unsetenv("POCL_CACHE_DIR"), 0);
    cr_assert_eq(unsetenv("XDG_CACHE_HOME"), 0);
    cr_assert_eq(setenv("HOME", "/proc/nowhere", 1), 0);
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    if (count > 0)
        cr_skip_test("there is a device that needs no directory");
    ASSERT_STATUS(clprim_runtime_create(&runtime, NULL), CLPRIM_NO_DEVICE);
    cr_assert_not_null(strstr(clprim_last_error(), "POCL_CACHE_DIR"), "%s", clprim_last_error());
}

/* Without any driver the loader has a code of its own for it. */
Test(runtime, says_that_there_is_no_platform)
{
    clprim_runtime *runtime = NULL;
    size_t count = 0;
    cr_assert_eq(setenv("OCL_ICD_VENDORS", "/nonexistent", 1), 0);
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    if (count > 0)
        cr_skip_test("this loader finds its drivers in another way");
    ASSERT_STATUS(clprim_runtime_create(&runtime, NULL), CLPRIM_NO_DEVICE);
    cr_assert_not_null(strstr(clprim_last_error(), "CL_PLATFORM_NOT_FOUND_KHR"), "%s", clprim_last_error());
}

enum { MOST_KERNELS = 16 };

typedef struct kernels {
    cl_event events[MOST_KERNELS];
    size_t count;
} kernels;

static void keep(void *user, const clprim_trace_record *record)
{
    kernels *self = user;
    if (self->count < MOST_KERNELS && clRetainEvent(record->event) == CL_SUCCESS)
        self->events[self->count++] = record->event;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    ASSERT_CL(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

/* As runtime.h says: from the end of a marker that the operation waits for to the end of its event; all kernels lie in
 * between. */
Test(runtime, a_marker_and_the_event_measure_an_operation)
{
    enum { COUNT = 100000 };
    const clprim_runtime_desc desc = {.profiling = true};
    const clprim_reduce_desc what = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .work_group_size = 64};
    clprim_runtime *runtime = test_runtime(&desc);
    clprim_plan *plan = NULL;
    kernels seen = {.count = 0};
    cl_event before = NULL;
    cl_event done = NULL;
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &what));
    cl_mem in = test_buffer(runtime, COUNT * sizeof(int32_t));
    cl_mem out = test_buffer(runtime, sizeof(int32_t));
    clprim_runtime_set_trace(runtime, keep, &seen);
    ASSERT_CL(clEnqueueMarkerWithWaitList(clprim_runtime_queue(runtime), 0, NULL, &before));
    ASSERT_OK(clprim_reduce_enqueue(plan, NULL, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 1,
                                    &before, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    cr_assert_geq(seen.count, 3, "%zu kernels", seen.count);
    for (size_t i = 0; i < seen.count; i++) {
        cr_assert_leq(time_of(before, CL_PROFILING_COMMAND_END), time_of(seen.events[i], CL_PROFILING_COMMAND_START));
        cr_assert_leq(time_of(seen.events[i], CL_PROFILING_COMMAND_END), time_of(done, CL_PROFILING_COMMAND_END));
        ASSERT_CL(clReleaseEvent(seen.events[i]));
    }
    ASSERT_CL(clReleaseEvent(before));
    ASSERT_CL(clReleaseEvent(done));
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}
