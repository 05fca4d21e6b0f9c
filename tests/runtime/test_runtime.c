/* test_runtime.c: choosing a device, working in the caller's context, traces, statuses and sentences. */
#include <clprim/clprim.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support.h"
#include "workspace.h"

enum { MAX_DEVICES = 16 };

static size_t list_devices(clprim_device_info devices[MAX_DEVICES])
{
    size_t count = 0;
    ASSERT_OK(clprim_runtime_devices(devices, MAX_DEVICES, &count));
    return count < MAX_DEVICES ? count : MAX_DEVICES;
}

Test(runtime, lists_the_devices)
{
    clprim_device_info devices[MAX_DEVICES];
    size_t count = 0;
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    cr_assert_gt(count, 0, "these tests need an OpenCL device");
    cr_assert_eq(list_devices(devices), count < MAX_DEVICES ? count : MAX_DEVICES);
    for (size_t i = 0; i < count && i < MAX_DEVICES; i++) {
        const clprim_device_info *info = &devices[i];
        cr_assert_eq(info->index, i);
        cr_assert(info->platform != NULL && info->device != NULL);
        cr_assert(info->name[0] != '\0' && info->driver_version[0] != '\0' && info->platform_name[0] != '\0');
        cr_assert_geq(info->opencl_c_version, 100, "%s: OpenCL C %u", info->name, info->opencl_c_version);
        cr_assert(info->compute_units >= 1 && info->max_work_group_size >= 1 && info->sub_group_size >= 1);
        cr_assert(info->global_memory_size > 0 && info->max_allocation_size > 0 && info->local_memory_size > 0);
        cr_assert_geq(info->base_address_alignment, 1);
        cr_assert((info->sub_group_means == CLPRIM_SUB_GROUP_PTX) == (info->vendor == CLPRIM_VENDOR_NVIDIA));
    }
}

/* Two devices where PoCL is there: it can be told to have several. */
Test(runtime, writes_no_more_devices_than_asked_for)
{
    clprim_device_info devices[MAX_DEVICES];
    size_t count = 0;
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    for (size_t capacity = 0; capacity <= count + 1 && capacity < MAX_DEVICES; capacity++) {
        size_t again = 0;
        memset(devices, 0xa5, sizeof devices);
        ASSERT_OK(clprim_runtime_devices(devices, capacity, &again));
        cr_assert_eq(again, count, "capacity %zu", capacity);
        for (size_t i = 0; i < MAX_DEVICES; i++) {
            const bool written = devices[i].index == i;
            cr_assert_eq(written, i < capacity && i < count, "capacity %zu, place %zu", capacity, i);
        }
    }
    ASSERT_STATUS(clprim_runtime_devices(devices, 1, NULL), CLPRIM_INVALID_ARGUMENT);
    count = 77;
    ASSERT_STATUS(clprim_runtime_devices(NULL, 1, &count), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(count, 77);
}

static size_t index_of_selected(const char *select)
{
    const clprim_runtime_desc desc = {.select = select};
    clprim_runtime *runtime = test_runtime(&desc);
    const size_t index = clprim_runtime_info(runtime)->index;
    clprim_runtime_destroy(runtime);
    return index;
}

/* toupper() depends on the locale. */
static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

Test(runtime, selects_by_index_name_and_kind)
{
    static const char *const kinds[] = {"other", "CPU", "gpu", "Accelerator"};
    clprim_device_info devices[MAX_DEVICES];
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    const size_t count = list_devices(devices);
    cr_assert(test_has_locale());
    for (size_t i = 0; i < count; i++) {
        char text[sizeof devices[i].name];
        (void)snprintf(text, sizeof text, "%zu", i);
        cr_assert_eq(index_of_selected(text), i, "\"%s\"", text);
        for (size_t k = 0; k < 5 && devices[i].name[k] != '\0'; k++) {
            text[k] = upper(devices[i].name[k]);
            text[k + 1] = '\0';
        }
        const size_t by_name = index_of_selected(text);
        cr_assert_eq(strncmp(devices[by_name].name, devices[i].name, 5), 0, "\"%s\" gives %s", text,
                     devices[by_name].name);
        char platform[sizeof devices[i].platform_name] = "";
        for (size_t k = 0; devices[i].platform_name[k] != '\0'; k++)
            platform[k] = upper(devices[i].platform_name[k]);
        const size_t by_platform = index_of_selected(platform);
        cr_assert_str_eq(devices[by_platform].platform_name, devices[i].platform_name);
        if (devices[i].kind != CLPRIM_DEVICE_OTHER)
            cr_assert_eq((int)devices[index_of_selected(kinds[devices[i].kind])].kind, (int)devices[i].kind);
    }
}

Test(runtime, knows_when_no_device_answers)
{
    static const char *const selections[] = {"no such device", "4711", "cpux", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
        clprim_runtime *runtime = NULL;
        const clprim_runtime_desc desc = {.select = selections[i]};
        ASSERT_STATUS(clprim_runtime_create(&runtime, &desc), CLPRIM_NO_DEVICE);
        cr_assert_null(runtime);
        cr_assert_not_null(strstr(clprim_last_error(), selections[i]), "%s", clprim_last_error());
    }
    ASSERT_STATUS(clprim_runtime_create(NULL, NULL), CLPRIM_INVALID_ARGUMENT);
}

Test(runtime, takes_the_environment_before_the_best_and_the_description_before_both)
{
    clprim_runtime *runtime = NULL;
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    clprim_device_info devices[MAX_DEVICES];
    const size_t last = list_devices(devices) - 1;
    char text[32];
    (void)snprintf(text, sizeof text, "%zu", last);
    cr_assert_eq(setenv("CLPRIM_DEVICE", text, 1), 0);
    cr_assert_eq(index_of_selected(NULL), last);
    cr_assert_eq(index_of_selected("0"), 0, "the description overrides the environment");
    cr_assert_eq(setenv("CLPRIM_DEVICE", "no such device", 1), 0);
    ASSERT_STATUS(clprim_runtime_create(&runtime, NULL), CLPRIM_NO_DEVICE);
    cr_assert_null(runtime);
    cr_assert_eq(index_of_selected("0"), 0);
    cr_assert_eq(setenv("CLPRIM_DEVICE", "", 1), 0);
    const clprim_device_info *best = &devices[index_of_selected(NULL)];
    for (size_t i = 0; i <= last; i++)
        cr_assert(best->kind == CLPRIM_DEVICE_GPU || devices[i].kind != CLPRIM_DEVICE_GPU, "a GPU comes first");
}

static cl_uint context_references(cl_context context)
{
    cl_uint count = 0;
    ASSERT_CL(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

static cl_uint queue_references(cl_command_queue queue)
{
    cl_uint count = 0;
    ASSERT_CL(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* By queue, by context, by context and device, by all: the runtime works in what it is given, and when it goes nothing
 * of it is left behind. */
Test(runtime, works_in_the_callers_context)
{
    clprim_runtime *own = test_runtime(NULL);
    cl_int code = CL_SUCCESS;
    cl_device_id device = clprim_runtime_device(own);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    ASSERT_CL(code);
    const cl_uint contexts = context_references(context);
    const cl_uint queues = queue_references(queue);
    const clprim_runtime_desc rows[] = {{.queue = queue},
                                        {.context = context},
                                        {.context = context, .device = device},
                                        {.context = context, .device = device, .queue = queue}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_runtime *runtime = test_runtime(&rows[i]);
        cr_assert_eq(clprim_runtime_context(runtime), context, "row %zu", i);
        cr_assert_eq(clprim_runtime_device(runtime), device, "row %zu", i);
        cr_assert_eq(clprim_runtime_info(runtime)->index, SIZE_MAX, "row %zu", i);
        cr_assert_eq(clprim_runtime_queue(runtime) == queue, rows[i].queue != NULL, "row %zu", i);
        cr_assert_gt(context_references(context), contexts, "row %zu: no reference is held", i);
        static int32_t in[] = {1, 2, 3};
        int32_t sum = 0;
        ASSERT_OK(clprim_reduce_run(runtime, NULL,
                                    &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &sum}}));
        cr_assert_eq(sum, 6, "row %zu", i);
        clprim_runtime_destroy(runtime);
        /* PoCL gives up its own references a moment after the work's end, in another thread. */
        for (int tries = 0;
             tries < 5000 && (context_references(context) != contexts || queue_references(queue) != queues); tries++)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        cr_assert_eq(context_references(context), contexts, "row %zu: references to the context remain", i);
        cr_assert_eq(queue_references(queue), queues, "row %zu: references to the queue remain", i);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseContext(context));
    clprim_runtime_destroy(own);
}

Test(runtime, refuses_objects_that_do_not_belong_together)
{
    clprim_runtime *a = test_runtime(NULL);
    clprim_runtime *b = test_runtime(NULL);
    clprim_runtime *never = NULL;
    const clprim_runtime_desc rows[] = {
        {.device = clprim_runtime_device(a)},
        {.context = clprim_runtime_context(a), .queue = clprim_runtime_queue(b)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ASSERT_STATUS(clprim_runtime_create(&never, &rows[i]), CLPRIM_INVALID_ARGUMENT);
        cr_assert_null(never, "row %zu", i);
    }
    clprim_runtime_destroy(a);
    clprim_runtime_destroy(b);
    clprim_runtime_destroy(NULL);
}

/* A context of two devices does not say which one is meant. */
Test(runtime, asks_which_device_of_a_context)
{
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    clprim_device_info devices[MAX_DEVICES];
    const size_t count = list_devices(devices);
    cl_device_id pair[2] = {NULL, NULL};
    for (size_t i = 0; i + 1 < count; i++)
        if (devices[i].platform == devices[i + 1].platform) {
            pair[0] = devices[i].device;
            pair[1] = devices[i + 1].device;
        }
    if (pair[0] == NULL)
        cr_skip_test("no platform has two devices");
    cl_int code = CL_SUCCESS;
    clprim_runtime *runtime = NULL;
    cl_context context = clCreateContext(NULL, 2, pair, NULL, NULL, &code);
    ASSERT_CL(code);
    clprim_runtime_desc desc = {.context = context};
    ASSERT_STATUS(clprim_runtime_create(&runtime, &desc), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(runtime);
    desc.device = pair[1];
    ASSERT_OK(clprim_runtime_create(&runtime, &desc));
    cr_assert_eq(clprim_runtime_device(runtime), pair[1]);
    static int32_t in[] = {4, 5};
    int32_t sum = 0;
    ASSERT_OK(
        clprim_reduce_run(runtime, NULL, &(clprim_reduce_call){.in = {.host = in}, .count = 2, .out = {.host = &sum}}));
    cr_assert_eq(sum, 9);
    clprim_runtime_destroy(runtime);
    ASSERT_CL(clReleaseContext(context));
}

/* What a trace has seen. */
typedef struct sighting {
    size_t kernels;
    cl_ulong nanoseconds;
    cl_event last;
    cl_command_queue queue;
    bool is_sound;
} sighting;

static void see(void *user, const clprim_trace_record *record)
{
    sighting *self = user;
    self->kernels++;
    self->queue = record->queue;
    self->is_sound = self->is_sound && strcmp(record->kernel, "reduce_sequential") == 0 &&
                     strcmp(record->program, "reduce/sequential.cl") == 0 && record->local_size > 0 &&
                     record->global_size % record->local_size == 0;
    if (self->last != NULL)
        (void)clReleaseEvent(self->last);
    self->last = clRetainEvent(record->event) == CL_SUCCESS ? record->event : NULL;
}

Test(runtime, traces_every_kernel)
{
    enum { COUNT = 100000 };
    const clprim_runtime_desc desc = {.profiling = true};
    const clprim_reduce_desc what = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .work_group_size = 64};
    clprim_runtime *runtime = test_runtime(&desc);
    clprim_plan *plan = NULL;
    sighting seen = {.is_sound = true};
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &what));
    cl_mem in = test_buffer(runtime, COUNT * sizeof(int32_t));
    cl_mem out = test_buffer(runtime, sizeof(int32_t));
    clprim_runtime_set_trace(runtime, see, &seen);
    ASSERT_OK(clprim_reduce_enqueue(plan, NULL, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 0,
                                    NULL, NULL));
    /* 100000 -> 1563 -> 25 -> 1 with groups of 64 (a device may only do smaller ones) */
    cr_assert_geq(seen.kernels, 3, "%zu kernels", seen.kernels);
    cr_assert(seen.is_sound, "a record is wrong");
    cr_assert_eq(seen.queue, clprim_runtime_queue(runtime));
    ASSERT_CL(clFinish(seen.queue));
    cl_ulong begin = 0;
    cl_ulong end = 0;
    ASSERT_CL(clGetEventProfilingInfo(seen.last, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    ASSERT_CL(clGetEventProfilingInfo(seen.last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    cr_assert_geq(end, begin);
    const size_t before = seen.kernels;
    clprim_runtime_set_trace(runtime, NULL, NULL);
    ASSERT_OK(clprim_reduce_enqueue(plan, NULL, &(clprim_reduce_call){.in = {in}, .count = COUNT, .out = {out}}, 0,
                                    NULL, NULL));
    cr_assert_eq(seen.kernels, before, "traced after its end");
    ASSERT_CL(clReleaseEvent(seen.last));
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

static void *default_runtime(void *unused)
{
    (void)unused;
    clprim_runtime *runtime = NULL;
    return clprim_runtime_default(&runtime) == CLPRIM_SUCCESS ? runtime : NULL;
}

Test(runtime, has_one_default)
{
    pthread_t threads[4];
    void *first = default_runtime(NULL);
    cr_assert_not_null(first);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, default_runtime, NULL), 0);
    for (size_t i = 0; i < 4; i++) {
        void *other = NULL;
        cr_assert_eq(pthread_join(threads[i], &other), 0);
        cr_assert_eq(other, first);
    }
    ASSERT_STATUS(clprim_runtime_default(NULL), CLPRIM_INVALID_ARGUMENT);
}

/* One operation that clears a word, with `bytes` of the workspace's memory. */
static void clear_a_word(clprim__workspace *workspace, clprim_runtime *runtime, cl_command_queue queue, size_t bytes)
{
    clprim__queue known = {0};
    clprim__chain chain = {0};
    cl_mem word = test_buffer(runtime, sizeof(cl_uint));
    cl_mem scratch = NULL;
    ASSERT_OK(clprim__chain_begin(&chain, runtime, &known, queue, 0, NULL, false));
    ASSERT_OK(clprim__workspace_begin(&scratch, workspace, &chain, bytes));
    cr_assert_eq(scratch != NULL, bytes > 0);
    ASSERT_OK(clprim__fill_zeros(&chain, word, 0, sizeof(cl_uint)));
    clprim__workspace_end(workspace, &chain);
    clprim__chain_end(&chain, CLPRIM_SUCCESS, NULL);
    clprim__queue_clear(&known);
    ASSERT_CL(clReleaseMemObject(word));
}

/* A call that takes none waits for no other: who comes next must still wait for the one before it. */
Test(runtime, remembers_who_used_supplied_memory_last)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue first = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue second = test_queue(runtime, 0);
    cl_mem scratch = test_buffer(runtime, 8);
    clprim__workspace workspace = {0};
    clprim__workspace_supply(&workspace, scratch, 8);
    clear_a_word(&workspace, runtime, first, 8);
    cr_assert_eq(workspace.use.queue, first);
    clear_a_word(&workspace, runtime, second, 0);
    cr_assert_eq(workspace.use.queue, first, "the call that took none is taken for the last user");
    clear_a_word(&workspace, runtime, second, 8);
    cr_assert_eq(workspace.use.queue, second);
    clprim__workspace_clear(&workspace);
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    ASSERT_CL(clReleaseMemObject(scratch));
    ASSERT_CL(clReleaseCommandQueue(first));
    ASSERT_CL(clReleaseCommandQueue(second));
    clprim_runtime_destroy(runtime);
}

/* A plan's state grows to half as much again as a call takes; where size_t cannot express that, it does not wrap. */
Test(runtime, state_too_large_is_refused)
{
    const size_t size = SIZE_MAX / 3 * 2 + 2; /* half as much again wraps around to 2 bytes */
    clprim_runtime *runtime = test_runtime(NULL);
    clprim__queue known = {0};
    clprim__chain chain = {0};
    clprim__state state = {0};
    ASSERT_OK(clprim__state_create(&state, runtime, 64, 100));
    ASSERT_OK(clprim__chain_begin(&chain, runtime, &known, NULL, 0, NULL, false));
    const clprim_status status = clprim__state_begin(&state, &chain, size, 1);
    cr_assert_neq((int)status, (int)CLPRIM_SUCCESS, "%zu bytes were had in %zu", size, state.size);
    cr_assert_eq(state.size, 64);
    clprim__state_end(&state, &chain, status);
    clprim__chain_end(&chain, status, NULL);
    clprim__state_clear(&state);
    clprim__queue_clear(&known);
    clprim_runtime_destroy(runtime);
}

/* Arrays and scratch memory that are larger than a buffer, or than size_t can express: no element is looked at. */
Test(runtime, refuses_what_no_memory_can_hold)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_reduce_desc sum = {.max_count = SIZE_MAX};
    const clprim_scan_desc prefixes = {.max_count = SIZE_MAX, .variant = CLPRIM_SCAN_NAIVE};
    const size_t one_too_many = (size_t)clprim_runtime_info(runtime)->max_allocation_size / sizeof(int32_t) + 1;
    clprim_plan *plan = NULL;
    size_t bytes = 7;
    int32_t in = 0;
    int32_t out = 7;
    clprim_reduce_call call = {.in = {.host = &in}, .count = one_too_many, .out = {.host = &out}};
    ASSERT_STATUS(clprim_reduce_run(runtime, &sum, &call), CLPRIM_UNSUPPORTED);
    cr_assert_not_null(strstr(clprim_last_error(), "in one buffer"), "%s", clprim_last_error());
    call.count = SIZE_MAX / 2;
    ASSERT_STATUS(clprim_reduce_run(runtime, &sum, &call), CLPRIM_INVALID_RANGE);
    cr_assert_not_null(strstr(clprim_last_error(), "memory can hold"), "%s", clprim_last_error());
    cr_assert_eq(out, 7);
    ASSERT_OK(clprim_scan_create(&plan, runtime, &prefixes));
    ASSERT_STATUS(clprim_plan_scratch_size(&bytes, plan, &(clprim_scan_call){.count = SIZE_MAX / 4}),
                  CLPRIM_INVALID_RANGE);
    cr_assert_not_null(strstr(clprim_last_error(), "size_t"), "%s", clprim_last_error());
    cr_assert_eq(bytes, 7);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

/* A device without double precision refuses doubles, of elements and of what they are added up in, and says why. */
Test(runtime, without_doubles)
{
    const clprim_reduce_desc sum = {.type = CLPRIM_F64};
    const clprim_scan_desc prefixes = {.type = CLPRIM_F32, .accumulator_type = CLPRIM_F64};
    const clprim_histogram_desc bins = {.type = CLPRIM_F64, .bins = 4, .mapping = CLPRIM_HISTOGRAM_EVEN, .high = 1};
    const clprim_select_desc positive = {.type = CLPRIM_F64, .predicate = "x > 0"};
    const clprim_merge_desc halves = {.key_type = CLPRIM_F64, .less = "a < b"};
    clprim_plan *reduce = NULL;
    clprim_plan *scan = NULL;
    clprim_plan *histogram = NULL;
    clprim_plan *select = NULL;
    clprim_plan *merge = NULL;
    cr_assert_eq(setenv("CLPRIM_WITHOUT", "fp64", 1), 0);
    clprim_runtime *runtime = test_runtime(NULL);
#define REFUSED(create, plan, desc)                                                                                    \
    do {                                                                                                               \
        ASSERT_STATUS(create(&(plan), runtime, &(desc)), CLPRIM_UNSUPPORTED);                                          \
        cr_assert_not_null(strstr(clprim_last_error(), "double precision"), "%s", clprim_last_error());                \
        cr_assert_null(plan);                                                                                          \
    } while (0)
    REFUSED(clprim_reduce_create, reduce, sum);
    REFUSED(clprim_scan_create, scan, prefixes);
    REFUSED(clprim_histogram_create, histogram, bins);
    REFUSED(clprim_select_create, select, positive);
    REFUSED(clprim_merge_create, merge, halves);
#undef REFUSED
    clprim_runtime_destroy(runtime);
}

Test(runtime, is_patient_with_null)
{
    clprim_runtime_destroy(NULL);
    cr_assert_null(clprim_runtime_info(NULL));
    cr_assert_null(clprim_runtime_context(NULL));
    cr_assert_null(clprim_runtime_device(NULL));
    cr_assert_null(clprim_runtime_queue(NULL));
    cr_assert_eq(clprim_runtime_program_stats(NULL).built, 0);
    clprim_runtime_set_trace(NULL, NULL, NULL);
}

Test(status, has_sentences)
{
#define CHECK_SENTENCE(name, code, sentence)                                                                           \
    cr_assert_eq((int)name, code);                                                                                     \
    cr_assert_str_eq(clprim_status_string(name), sentence);                                                            \
    cr_assert(code == 0 || code < -30000, #name " lies in OpenCL's range");
    CLPRIM_STATUS_LIST(CHECK_SENTENCE)
#undef CHECK_SENTENCE
    cr_assert_str_eq(clprim_status_string((clprim_status)CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    cr_assert_str_eq(clprim_status_string((clprim_status)CL_INVALID_WORK_GROUP_SIZE), "CL_INVALID_WORK_GROUP_SIZE");
    cr_assert_str_eq(clprim_status_string((clprim_status)-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    cr_assert_str_eq(clprim_status_string((clprim_status)-29999), "unknown status");
    cr_assert_str_eq(clprim_status_string((clprim_status)1), "unknown status");
}

static void *fail_elsewhere(void *is_right)
{
    *(bool *)is_right = strcmp(clprim_last_error(), "") == 0 && clprim_runtime_create(NULL, NULL) != CLPRIM_SUCCESS &&
                        strstr(clprim_last_error(), "clprim_runtime_create") != NULL;
    return NULL;
}

Test(status, keeps_the_last_error_of_each_thread)
{
    char before[512];
    bool is_right = false;
    pthread_t thread;
    cr_assert_str_eq(clprim_last_error(), "", "nothing has failed yet");
    const clprim_runtime_desc desc = {.select = "no such device"};
    clprim_runtime *runtime = NULL;
    ASSERT_STATUS(clprim_runtime_create(&runtime, &desc), CLPRIM_NO_DEVICE);
    (void)snprintf(before, sizeof before, "%s", clprim_last_error());
    cr_assert_eq(pthread_create(&thread, NULL, fail_elsewhere, &is_right), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert(is_right, "the other thread");
    cr_assert_str_eq(clprim_last_error(), before, "another thread's failure shows here");
    size_t count = 0;
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    cr_assert_str_eq(clprim_last_error(), before, "a success must not change it");
}
