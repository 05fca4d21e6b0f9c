// SPDX-License-Identifier: MIT
/* test_runtime.c: choosing a device, working in the caller's context, errors if there is no device, statuses. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "cases.h"
#include "files.h"

enum { MAX_DEVICES = 16 };

/* Use two devices, if the driver is PoCL, which can be told to have several. */
static void begin(void)
{
    test_setenv("POCL_DEVICES", "pthread pthread");
}

TestSuite(runtime, .init = begin);

static size_t list_devices(clprim_device_info devices[MAX_DEVICES])
{
    size_t count = 0;
    ASSERT_OK(clprim_runtime_devices(devices, MAX_DEVICES, &count));
    return count < MAX_DEVICES ? count : MAX_DEVICES;
}

static void expect_no_runtime(const clprim_runtime_desc *desc, clprim_status status, const char *word)
{
    clprim_runtime *runtime = NULL;
    ASSERT_REFUSED(clprim_runtime_create(&runtime, desc), status, word);
    cr_assert_null(runtime);
}

/* Check that a runtime works. */
static void expect_sum(clprim_runtime *runtime)
{
    const clprim_reduce_call call = {.in = {.host = (int32_t[]){1, 2, 3}}, .count = 3, .out = {.host = &(int32_t){6}}};
    test_check_known(runtime, &clprim_reduce_operation, NULL, &call);
}

static void check_facts(const clprim_device_info *info)
{
    cr_assert(info->platform != NULL && info->device != NULL);
    cr_assert(info->name[0] != '\0' && info->driver_version[0] != '\0' && info->platform_name[0] != '\0');
    cr_assert_geq(info->opencl_c_version, 100, "%s: OpenCL C %u", info->name, info->opencl_c_version);
    cr_assert(info->compute_units >= 1 && info->max_work_group_size >= 1 && info->sub_group_size >= 1);
    cr_assert(info->global_memory_size > 0 && info->max_allocation_size > 0 && info->local_memory_size > 0);
    cr_assert_geq(info->base_address_alignment, 1);
    cr_assert((info->sub_group_means == CLPRIM_SUB_GROUP_PTX) == (info->vendor == CLPRIM_VENDOR_NVIDIA));
}

Test(runtime, lists_as_many_devices_as_are_asked_for)
{
    clprim_device_info devices[MAX_DEVICES];
    size_t count = 0;
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    cr_assert_gt(count, 0, "these tests need an OpenCL device");
    for (size_t capacity = 0; capacity <= count + 1 && capacity < MAX_DEVICES; capacity++) {
        size_t again = 0;
        memset(devices, 0xa5, sizeof devices);
        ASSERT_OK(clprim_runtime_devices(devices, capacity, &again));
        cr_assert_eq(again, count, "capacity %zu", capacity);
        for (size_t i = 0; i < MAX_DEVICES; i++) {
            const bool written = devices[i].index == i;
            cr_assert_eq(written, i < capacity && i < count, "capacity %zu, place %zu", capacity, i);
            if (written)
                check_facts(&devices[i]);
        }
    }
    ASSERT_STATUS(clprim_runtime_devices(devices, 1, NULL), CLPRIM_INVALID_ARGUMENT);
    count = 77;
    ASSERT_STATUS(clprim_runtime_devices(NULL, 1, &count), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(count, 77);
}

static size_t index_of_selected(const char *select)
{
    clprim_runtime *runtime = test_runtime(&(const clprim_runtime_desc){.select = select});
    const size_t index = clprim_runtime_info(runtime)->index;
    clprim_runtime_destroy(runtime);
    return index;
}

/* The beginning of the text in capitals; toupper() depends on the locale. */
static const char *capitals(const char *text, size_t length)
{
    static char out[256];
    (void)snprintf(out, sizeof out, "%.*s", (int)length, text);
    for (char *p = out; *p != '\0'; p++)
        *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
    return out;
}

Test(runtime, selects_by_index_name_and_kind)
{
    static const char *const kinds[] = {"other", "CPU", "gpu", "Accelerator"};
    clprim_device_info devices[MAX_DEVICES];
    const size_t count = list_devices(devices);
    cr_assert(test_has_locale());
    for (size_t i = 0; i < count; i++) {
        char index[32];
        (void)snprintf(index, sizeof index, "%zu", i);
        cr_assert_eq(index_of_selected(index), i);
        const char *name = devices[index_of_selected(capitals(devices[i].name, 5))].name;
        cr_assert_eq(strncmp(name, devices[i].name, 5), 0, "%s instead of %s", name, devices[i].name);
        const char *platform = capitals(devices[i].platform_name, sizeof devices[i].platform_name);
        cr_assert_str_eq(devices[index_of_selected(platform)].platform_name, devices[i].platform_name);
        if (devices[i].kind != CLPRIM_DEVICE_OTHER)
            cr_assert_eq((int)devices[index_of_selected(kinds[devices[i].kind])].kind, (int)devices[i].kind);
    }
}

Test(runtime, knows_when_no_device_answers)
{
    static const char *const selections[] = {"no such device", "4711", "cpux", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
        expect_no_runtime(&(const clprim_runtime_desc){.select = selections[i]}, CLPRIM_NO_DEVICE, selections[i]);
    ASSERT_STATUS(clprim_runtime_create(NULL, NULL), CLPRIM_INVALID_ARGUMENT);
}

Test(runtime, takes_the_environment_before_the_best_and_the_description_before_both)
{
    clprim_device_info devices[MAX_DEVICES];
    const size_t last = list_devices(devices) - 1;
    char text[32];
    (void)snprintf(text, sizeof text, "%zu", last);
    test_setenv("CLPRIM_DEVICE", text);
    cr_assert_eq(index_of_selected(NULL), last);
    cr_assert_eq(index_of_selected("0"), 0, "the description overrides the environment");
    test_setenv("CLPRIM_DEVICE", "no such device");
    expect_no_runtime(NULL, CLPRIM_NO_DEVICE, "no such device");
    cr_assert_eq(index_of_selected("0"), 0);
    test_setenv("CLPRIM_DEVICE", "");
    const clprim_device_info *best = &devices[index_of_selected(NULL)];
    for (size_t i = 0; i <= last; i++)
        cr_assert(best->kind == CLPRIM_DEVICE_GPU || devices[i].kind != CLPRIM_DEVICE_GPU, "a GPU comes first");
}

/* The references to both objects. */
static cl_ulong references(cl_context context, cl_command_queue queue)
{
    cl_uint contexts = 0;
    cl_uint queues = 0;
    ASSERT_CL(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof contexts, &contexts, NULL));
    ASSERT_CL(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof queues, &queues, NULL));
    return (cl_ulong)contexts << 32 | queues;
}

/* Given a queue, a context, a context and a device, or all of them, the runtime works with these objects, and leaves
 * nothing behind. */
TEST_WITH_RUNTIME(runtime, works_in_the_callers_context)
{
    cl_int code = CL_SUCCESS;
    cl_device_id device = clprim_runtime_info(runtime)->device;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    ASSERT_CL(code);
    const cl_ulong before = references(context, queue);
    const clprim_runtime_desc rows[] = {{.queue = queue},
                                        {.context = context},
                                        {.context = context, .device = device},
                                        {.context = context, .device = device, .queue = queue}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_runtime *within = test_runtime(&rows[i]);
        cr_assert_eq(clprim_runtime_context(within), context, "row %zu", i);
        cr_assert_eq(clprim_runtime_info(within)->device, device, "row %zu", i);
        cr_assert_eq(clprim_runtime_info(within)->index, SIZE_MAX, "row %zu", i);
        cr_assert_eq(clprim_runtime_queue(within) == queue, rows[i].queue != NULL, "row %zu", i);
        cr_assert_gt(references(context, queue) >> 32, before >> 32, "row %zu: no reference is held", i);
        expect_sum(within);
        clprim_runtime_destroy(within);
        /* PoCL releases its own references in another thread, shortly after the work has ended. */
        for (int tries = 0; tries < 5000 && references(context, queue) != before; tries++)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        cr_assert_eq(references(context, queue), before, "row %zu: references to the context or the queue remain", i);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseContext(context));
}

Test(runtime, refuses_objects_that_do_not_belong_together)
{
    clprim_runtime *a = test_runtime(NULL);
    clprim_runtime *b = test_runtime(NULL);
    expect_no_runtime(&(const clprim_runtime_desc){.device = clprim_runtime_info(a)->device}, CLPRIM_INVALID_ARGUMENT,
                      "");
    expect_no_runtime(
        &(const clprim_runtime_desc){.context = clprim_runtime_context(a), .queue = clprim_runtime_queue(b)},
        CLPRIM_INVALID_ARGUMENT, "another context");
    clprim_runtime_destroy(a);
    clprim_runtime_destroy(b);
}

/* A context with two devices does not say which one to use. */
Test(runtime, asks_which_device_of_a_context)
{
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
    clprim_runtime_desc desc = {.context = clCreateContext(NULL, 2, pair, NULL, NULL, &code)};
    ASSERT_CL(code);
    expect_no_runtime(&desc, CLPRIM_INVALID_ARGUMENT, "device");
    desc.device = pair[1];
    clprim_runtime *runtime = test_runtime(&desc);
    cr_assert_eq(clprim_runtime_info(runtime)->device, pair[1]);
    expect_sum(runtime);
    clprim_runtime_destroy(runtime);
    ASSERT_CL(clReleaseContext(desc.context));
}

/* If a queue or a context is given, a selection must match its device: by kind, by name, by place in the list. */
TEST_WITH_RUNTIME(runtime, selection_matches_the_device_given)
{
    const clprim_device_info *info = clprim_runtime_info(runtime);
    char place[32];
    char other_place[32];
    (void)snprintf(place, sizeof place, "%zu", info->index);
    (void)snprintf(other_place, sizeof other_place, "%zu", info->index + 1);
    const char *const matching[] = {NULL, "", info->name, info->platform_name, place};
    const char *const others[] = {other_place, "no such device", info->kind == CLPRIM_DEVICE_GPU ? "cpu" : "gpu"};
    test_setenv("CLPRIM_DEVICE", "no such device"); /* it is only for runtimes that choose a device themselves */
    for (int by_queue = 0; by_queue < 2; by_queue++) {
        clprim_runtime_desc desc = {.queue = by_queue ? clprim_runtime_queue(runtime) : NULL,
                                    .context = by_queue ? NULL : clprim_runtime_context(runtime)};
        for (size_t i = 0; i < sizeof matching / sizeof *matching; i++) {
            desc.select = matching[i];
            clprim_runtime_destroy(test_runtime(&desc));
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            desc.select = others[i];
            expect_no_runtime(&desc, CLPRIM_INVALID_ARGUMENT, info->name);
            expect_no_runtime(&desc, CLPRIM_INVALID_ARGUMENT, others[i]);
        }
    }
}

static void expect_no_device(const char *word)
{
    size_t count = 0;
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    if (count > 0)
        cr_skip_test("there is a device that needs no such thing, or this loader finds its drivers in another way");
    expect_no_runtime(NULL, CLPRIM_NO_DEVICE, word);
}

/* If PoCL has no directory to which it can write, it has no device. */
Test(runtime, says_what_pocl_misses)
{
    test_setenv("POCL_CACHE_DIR", NULL);
    test_setenv("XDG_CACHE_HOME", NULL);
    test_setenv("HOME", "/proc/nowhere");
    expect_no_device("POCL_CACHE_DIR");
}

/* If there is no driver, the loader returns its own error code. */
Test(runtime, says_that_there_is_no_platform)
{
    test_setenv("OCL_ICD_VENDORS", "/nonexistent");
    expect_no_device("CL_PLATFORM_NOT_FOUND_KHR");
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

Test(runtime, is_patient_with_null)
{
    clprim_runtime_destroy(NULL);
    cr_assert_null(clprim_runtime_info(NULL));
    cr_assert_null(clprim_runtime_context(NULL));
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
    size_t count = 0;
    pthread_t thread;
    cr_assert_str_eq(clprim_last_error(), "", "nothing has failed yet");
    expect_no_runtime(&(const clprim_runtime_desc){.select = "no such device"}, CLPRIM_NO_DEVICE, "");
    (void)snprintf(before, sizeof before, "%s", clprim_last_error());
    cr_assert_eq(pthread_create(&thread, NULL, fail_elsewhere, &is_right), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert(is_right, "the other thread");
    cr_assert_str_eq(clprim_last_error(), before, "another thread's failure shows here");
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    cr_assert_str_eq(clprim_last_error(), before, "a success must not change it");
}
