/* test_self_test.c: kernels that were broken on purpose: the variant is set aside, AUTO takes another, what was found
 * is remembered, and tried again when something has changed. */
#define _XOPEN_SOURCE 700 /* symlink, setenv */
#include "test_self_test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the CPU's variant of reduce then does: it forgets the last element of every chunk, of arrays that are not small.
 */
static const char ends[] = "const ulong end = min(n, i + chunk);";
static const char ends_early[] = "const ulong end = min(n, i + chunk) - (n > 2000);";

static void count_launch(void *user, const clprim_trace_record *record)
{
    (void)record;
    ++*(size_t *)user;
}

/* A runtime whose launches are counted. */
static clprim_runtime *counted_runtime(size_t *launches)
{
    clprim_runtime *runtime = test_runtime(NULL);
    *launches = 0;
    clprim_runtime_set_trace(runtime, count_launch, launches);
    return runtime;
}

/* The kernels that are broken are those of CPUs. */
static void skip_unless_cpu(void)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    clprim_runtime_destroy(runtime);
    if (!is_cpu)
        cr_skip_test("the device is no CPU");
}

/* The plan that a description gets on a new runtime: its variant, and whether it adds up 5000 numbers. */
static clprim_reduce_variant reduce_by(const clprim_reduce_desc *desc, size_t *launches)
{
    static int32_t numbers[5000];
    int32_t sum = 0;
    int32_t expected = 0;
    clprim_plan *plan = NULL;
    clprim_runtime *runtime = counted_runtime(launches);
    (void)clprim_reduce_create(NULL, runtime, desc);
    ASSERT_OK(clprim_reduce_create(&plan, runtime, desc));
    cr_assert_not_null(strstr(clprim_last_error(), "out is NULL"), "a success changes the last error");
    const size_t at_create = *launches;
    for (int32_t i = 0; i < 5000; i++)
        expected += numbers[i] = i - 17;
    cl_mem in = test_upload(runtime, numbers, sizeof numbers);
    cl_mem out = test_buffer(runtime, sizeof sum);
    ASSERT_OK(clprim_reduce_enqueue(plan, NULL, &(clprim_reduce_call){.in = {in}, .count = 5000, .out = {out}}, 0, NULL,
                                    NULL));
    test_read(runtime, &sum, out, sizeof sum);
    const clprim_reduce_variant variant = clprim_plan_variant(plan)->id;
    cr_assert(sum == expected || variant == CLPRIM_REDUCE_CPU_CHUNK, "a plan that is wrong was made: %d", sum);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    *launches = at_create;
    return variant;
}

/* What asking for cpu_chunk by name gives on a new runtime, and that the sentence has these words. */
static void expect_refused(clprim_status expected, const char *words, size_t *launches)
{
    char text[2048];
    char small[8] = "1234567";
    clprim_plan *plan = NULL;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_CPU_CHUNK};
    clprim_runtime *runtime = counted_runtime(launches);
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 0, "%s", text);
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), expected);
    cr_assert_null(plan);
    cr_assert_not_null(strstr(clprim_last_error(), words), "\"%s\" is not in: %s", words, clprim_last_error());
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 1, "%s", text);
    cr_assert(strstr(text, "cpu_chunk of reduce") == text && strstr(text, words) != NULL, "%s", text);
    cr_assert_eq(clprim_runtime_set_aside(runtime, NULL, 0), 1);
    cr_assert_eq(clprim_runtime_set_aside(runtime, small, sizeof small), 1);
    cr_assert_str_eq(small, "cpu_chu");
    clprim_runtime_destroy(runtime);
}

/* Overwrite the last byte of every verdict in the cache. */
static void damage_verdicts(void)
{
    size_t count = 0;
    DIR *list = opendir(kernels_cache());
    cr_assert_not_null(list);
    for (const struct dirent *item; (item = readdir(list)) != NULL;) {
        char path[2 * TEST_PATH_SIZE + 300];
        char head[128] = "";
        (void)snprintf(path, sizeof path, "%s/%s", kernels_cache(), item->d_name);
        FILE *file = item->d_name[0] != '.' ? fopen(path, "r+b") : NULL;
        if (file == NULL)
            continue;
        const size_t got = fread(head, 1, sizeof head - 1, file);
        if (got > 40 && strncmp(head + 32, "self-test", 9) == 0) {
            cr_assert_eq(fseek(file, -1, SEEK_END), 0);
            cr_assert_eq(fputc('~', file), '~');
            count++;
        }
        cr_assert_eq(fclose(file), 0);
    }
    (void)closedir(list);
    cr_assert_gt(count, 0, "no verdict is in the cache");
}

Test(self_test, sets_a_wrong_variant_aside_and_remembers_it, .timeout = 600)
{
    static const clprim_reduce_desc automatic = {0};
    size_t launches = 0;
    skip_unless_cpu();
    kernels_begin();
    cr_assert_eq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK, "of a CPU");
    cr_assert_gt(launches, 0, "it is not tried");
    cr_assert_eq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK);
    cr_assert_eq(launches, 0, "it is tried twice");

    kernels_change("reduce/cpu_chunk.cl", ends, ends_early);
    expect_refused(CLPRIM_UNSUPPORTED, "of 2049 elements out is wrong from element 0 of 1 on", &launches);
    cr_assert_gt(launches, 0);
    expect_refused(CLPRIM_UNSUPPORTED, "of 2049 elements", &launches);
    cr_assert_eq(launches, 0, "what is wrong is tried twice");
    cr_assert_neq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK);
    cr_assert_gt(launches, 0, "the next is not tried");
    cr_assert_neq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK);
    cr_assert_eq(launches, 0, "the next is tried twice");

    damage_verdicts();
    expect_refused(CLPRIM_UNSUPPORTED, "of 2049 elements", &launches);
    cr_assert_gt(launches, 0, "a damaged verdict is believed");

    kernels_repair();
    cr_assert_eq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK, "another kernel is not tried anew");
    kernels_set("CLPRIM_CACHE", "off");
    cr_assert_eq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK);
    cr_assert_gt(launches, 0, "without a cache it is not tried");
    kernels_end();
}

Test(self_test, sets_aside_what_does_not_compile, .timeout = 600)
{
    static const clprim_reduce_desc automatic = {0};
    size_t launches = 0;
    kernels_begin();
    kernels_change("reduce/cpu_chunk.cl", ends, "#error this driver knows no chunks");
    expect_refused(CLPRIM_BUILD_FAILED, "this driver knows no chunks", &launches);
    cr_assert_eq(launches, 0);
    cr_assert_neq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK);
    kernels_end();
}

Test(self_test, is_off_where_nobody_wants_it, .timeout = 600)
{
    static const clprim_reduce_desc automatic = {0};
    size_t launches = 0;
    clprim_runtime *runtime = NULL;
    skip_unless_cpu();
    kernels_begin();
    kernels_change("reduce/cpu_chunk.cl", ends, ends_early);
    kernels_set("CLPRIM_SELF_TEST", "off");
    cr_assert_eq(reduce_by(&automatic, &launches), CLPRIM_REDUCE_CPU_CHUNK, "it is tried");
    cr_assert_eq(launches, 0);
    kernels_set("CLPRIM_SELF_TEST", "");
    const clprim_reduce_variant found = reduce_by(&automatic, &launches);
    clprim_runtime *other = test_runtime(NULL);
    if (clprim_runtime_info(other)->vendor == CLPRIM_VENDOR_POCL)
        cr_assert(found == CLPRIM_REDUCE_CPU_CHUNK && launches == 0, "a driver that is known is tried");
    clprim_runtime_destroy(other);
    kernels_set("CLPRIM_SELF_TEST", "sometimes");
    ASSERT_STATUS(clprim_runtime_create(&runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "sometimes"), "%s", clprim_last_error());
    cr_assert_null(runtime);
    kernels_end();
}

/* There is no reference for a caller's own operator: the variant is judged by what it does with a sum. */
Test(self_test, judges_a_callers_own_operator_by_a_sample, .timeout = 600)
{
    static const clprim_custom_op sum = {.combine = "a + b", .identity = "0"};
    static const clprim_custom_op mistake = {.combine = "a + nothing", .identity = "0"};
    const clprim_reduce_desc wrong = {.custom = &mistake};
    const clprim_reduce_desc desc = {.custom = &sum};
    const clprim_reduce_desc chunk = {.custom = &sum, .variant = CLPRIM_REDUCE_CPU_CHUNK};
    clprim_plan *plan = NULL;
    size_t launches = 0;
    kernels_begin();
    kernels_change("reduce/cpu_chunk.cl", ends, ends_early);
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &chunk), CLPRIM_UNSUPPORTED);
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &wrong), CLPRIM_BUILD_FAILED);
    cr_assert_not_null(strstr(clprim_last_error(), "nothing"), "%s", clprim_last_error());
    cr_assert_eq(clprim_runtime_set_aside(runtime, NULL, 0), 1, "the caller's mistake is held against a variant");
    clprim_runtime_destroy(runtime);
    cr_assert_neq(reduce_by(&desc, &launches), CLPRIM_REDUCE_CPU_CHUNK);
    kernels_end();
}

Test(self_test, refuses_where_no_variant_is_right, .timeout = 600)
{
    char text[4096];
    static const clprim_is_sorted_desc automatic = {0};
    clprim_plan *plan = NULL;
    kernels_begin();
    kernels_change("is_sorted/parts/least.cl", "#define NOWHERE", "#define NOWHERE 5ul\n#define WAS_NOWHERE");
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_STATUS(clprim_is_sorted_create(&plan, runtime, &automatic), CLPRIM_UNSUPPORTED);
    cr_assert_not_null(strstr(clprim_last_error(), "set aside"), "%s", clprim_last_error());
    cr_assert_null(plan);
    cr_assert_geq(clprim_runtime_set_aside(runtime, text, sizeof text), 2, "%s", text); /* 3 where groups may wait */
    clprim_runtime_destroy(runtime);
    kernels_end();
}

/* A caller's queue may wait for what comes after the call. */
Test(self_test, does_not_use_the_callers_queue, .timeout = 600)
{
    cl_int code = CL_SUCCESS;
    clprim_plan *plan = NULL;
    kernels_begin();
    clprim_runtime *other = test_runtime(NULL);
    cl_command_queue queue = test_queue(other, 0);
    cl_event gate = clCreateUserEvent(clprim_runtime_context(other), &code);
    ASSERT_CL(code);
    ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
    const clprim_runtime_desc desc = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&desc);
    ASSERT_OK(clprim_is_sorted_create(&plan, runtime, NULL));
    ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    ASSERT_CL(clFinish(queue));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    ASSERT_CL(clReleaseEvent(gate));
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(other);
    kernels_end();
}

/* What is built from others has what is right of them. */
Test(self_test, goes_on_underneath_composites, .timeout = 600)
{
    enum { N = 3000 };
    static uint32_t keys[N];
    static uint32_t values[N];
    static int32_t elements[N];
    uint32_t number = 0;
    kernels_begin();
    kernels_change("radix_sort/cpu_buckets.cl", "sort_bucket(b, end - begin,",
                   "sort_bucket(b, end - begin - (end - begin > 900),");
    kernels_change("select/cpu_chunk.cl", "to[at + k] = buffer[k];", "to[at + k] = buffer[0];");
    kernels_set("CLPRIM_CACHE", "off"); /* each is tried once, and compiled once */
    clprim_runtime *runtime = test_runtime(NULL);
    for (uint32_t i = 0; i < N; i++) {
        keys[i] = N - i;
        values[i] = i;
        elements[i] = (int32_t)i / 3;
    }
    ASSERT_OK(clprim_sort_by_key_run(runtime, NULL,
                                     &(clprim_sort_by_key_call){.keys_in = {.host = keys},
                                                                .arrays_in = {{.host = values}},
                                                                .count = N,
                                                                .keys_out = {.host = keys},
                                                                .arrays_out = {{.host = values}}}));
    for (uint32_t i = 0; i < N; i++)
        cr_assert(keys[i] == i + 1 && values[i] == N - 1 - i, "place %u has %u, %u", i, keys[i], values[i]);
    ASSERT_OK(clprim_unique_run(
        runtime, NULL,
        &(clprim_unique_call){
            .in = {.host = elements}, .count = N, .out = {.host = elements}, .out_count = {.host = &number}}));
    cr_assert_eq(number, N / 3);
    for (int32_t i = 0; i < N / 3; i++)
        cr_assert_eq(elements[i], i);
    clprim_runtime_destroy(runtime);
    kernels_end();
}

/* Sums and products of integers round in floats: a trial must not take that for a mistake. */
Test(self_test, tries_integers_in_floats, .timeout = 600)
{
    static const clprim_reduce_desc descs[] = {{.type = CLPRIM_I32, .accumulator_type = CLPRIM_F32},
                                               {.type = CLPRIM_U64, .accumulator_type = CLPRIM_F32},
                                               {.type = CLPRIM_I16, .op = CLPRIM_PROD, .accumulator_type = CLPRIM_F32}};
    char text[2048];
    kernels_set("CLPRIM_SELF_TEST", "always");
    kernels_set("CLPRIM_CACHE", "off");
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        clprim_plan *plan = NULL;
        clprim_plan *scan = NULL;
        clprim_plan *by_key = NULL;
        const clprim_scan_desc prefixes = {
            .type = descs[i].type, .op = descs[i].op, .accumulator_type = descs[i].accumulator_type};
        const clprim_reduce_by_key_desc runs = {
            .type = descs[i].type, .op = descs[i].op, .accumulator_type = descs[i].accumulator_type};
        ASSERT_OK(clprim_reduce_create(&plan, runtime, &descs[i]));
        ASSERT_OK(clprim_scan_create(&scan, runtime, &prefixes));
        ASSERT_OK(clprim_reduce_by_key_create(&by_key, runtime, &runs));
        cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 0, "%s", text);
        clprim_plan_destroy(plan);
        clprim_plan_destroy(scan);
        clprim_plan_destroy(by_key);
    }
    clprim_runtime_destroy(runtime);
}

/* With more arrays than any other plan has. */
Test(self_test, tries_as_many_arrays_as_there_may_be, .timeout = 600)
{
    clprim_plan *plan = NULL;
    const clprim_sort_by_key_desc desc = {.num_arrays = CLPRIM_SORT_BY_KEY_MAX_ARRAYS};
    kernels_set("CLPRIM_SELF_TEST", "always");
    kernels_set("CLPRIM_CACHE", "off");
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_OK(clprim_sort_by_key_create(&plan, runtime, &desc));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}
