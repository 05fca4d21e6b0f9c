// SPDX-License-Identifier: MIT
/* test_self_test.c: kernels that were broken on purpose. The library sets the variant aside, AUTO takes another one,
 * and the finding is remembered and tried again when something has changed. The file also tests the self-test of all
 * variants: it knows all primitives, reports each plan, and finds errors. */
#define _XOPEN_SOURCE 700 /* glob */
#include <clprim/self_test.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "files.h"

/* In the suite `self_test`, kernels are read from a directory of the test, where they can be changed. Every plan is
 * tried, and the cache is empty. */
static char directory[TEST_PATH_SIZE], cache[TEST_PATH_SIZE + 16];
static bool is_broken;

static void begin(void)
{
    test_kernels_with(directory, NULL, 0);
    (void)snprintf(cache, sizeof cache, "%s/cache", directory);
    test_setenv("CLPRIM_CACHE_DIR", cache);
    test_setenv("CLPRIM_CACHE", "on");
    test_setenv("CLPRIM_SELF_TEST", "always");
}

static void end(void)
{
    test_kernels_end(directory);
}

TestSuite(self_test, .init = begin, .fini = end, .timeout = 600);

static void change(const char *file, const char *from, const char *to)
{
    test_kernels_change(directory, &(const test_mistake){file, from, to});
    is_broken = true;
}

/* The line that the test breaks in the CPU's variant of reduce. The variant then forgets the last element of every
 * chunk, unless the array is small. */
static const char ends[] = "const ulong end = min(n, i + chunk);";
static const char ends_early[] = "const ulong end = min(n, i + chunk) - (n > 2000);";

static size_t launches;

static void count_launch(void *user, const clprim_trace_record *record)
{
    (void)user, (void)record;
    launches++;
}

/* A runtime whose launches are counted from now on. */
static clprim_runtime *counted_runtime(void)
{
    clprim_runtime *runtime = test_runtime(NULL);
    launches = 0;
    clprim_runtime_set_trace(runtime, count_launch, NULL);
    return runtime;
}

/* Only kernels for CPUs are broken. */
static void skip_unless_cpu(void)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    clprim_runtime_destroy(runtime);
    if (!is_cpu)
        cr_skip_test("the device is no CPU");
}

/* Check which plan AUTO makes for a sum on a new runtime, with the library's operator or the caller's: whether it uses
 * the CPU's variant, and whether `create` tries it. While that variant is broken, only its results may be wrong. */
static void expect_plan(const clprim_custom_op *op, bool of_cpu, bool is_tried, const char *what)
{
    static int32_t numbers[5000];
    test_call self;
    const clprim_reduce_desc desc = {.custom = op};
    clprim_runtime *runtime = counted_runtime();
    (void)clprim_reduce_create(NULL, runtime, &desc);
    test_call_make(&self, runtime, &clprim_reduce_operation, &desc);
    cr_assert_not_null(strstr(clprim_last_error(), "out is NULL"), "a success changes the last error");
    cr_assert_eq(launches > 0, is_tried, "%s: %zu launches", what, launches);
    cr_assert_eq(clprim_plan_variant(self.plan)->id == CLPRIM_REDUCE_CPU_CHUNK, of_cpu, "%s: %s", what,
                 clprim_plan_variant(self.plan)->name);
    for (int32_t i = 0; i < 5000; i++)
        numbers[i] = i - 17;
    self.desc = (test_struct){.bytes = {0}}; /* the operator by which the reference knows it */
    test_call_fill(&self, &(const clprim_reduce_call){.in = {.host = numbers}, .count = 5000}, TEST_SEED);
    if (!of_cpu || !is_broken)
        test_call_check(&self, "%s", what);
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* Check the status when cpu_chunk is requested by name on a new runtime, and that the error sentence contains these
 * words. */
static void expect_refused(clprim_status expected, const char *words, bool is_tried, const char *what)
{
    char text[2048];
    char small[8] = "1234567";
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_CPU_CHUNK};
    clprim_runtime *runtime = counted_runtime();
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 0, "%s", text);
    test_refuse(runtime, &clprim_reduce_operation, &desc, expected, words);
    cr_assert_eq(launches > 0, is_tried, "%s: %zu launches", what, launches);
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
    glob_t files = test_list(cache, "");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        size_t size = 0;
        char *bytes = test_read_file(files.gl_pathv[i], &size);
        if (size > 41 && strncmp(bytes + 32, "self-test", 9) == 0) {
            bytes[size - 1] = '~';
            test_write_file(files.gl_pathv[i], bytes, size);
            count++;
        }
        free(bytes);
    }
    globfree(&files);
    cr_assert_gt(count, 0, "no verdict is in the cache");
}

Test(self_test, sets_a_wrong_variant_aside_and_remembers_it)
{
    skip_unless_cpu();
    expect_plan(NULL, true, true, "a new plan");
    expect_plan(NULL, true, false, "a plan that was tried");
    change("reduce/cpu_chunk.cl", ends, ends_early);
    expect_refused(CLPRIM_UNSUPPORTED, "of 2049 elements out is wrong from element 0 of 1 on", true, "a new mistake");
    expect_refused(CLPRIM_UNSUPPORTED, "of 2049 elements", false, "a mistake that was found");
    expect_plan(NULL, false, true, "the next variant");
    expect_plan(NULL, false, false, "the next variant, which was tried");
    damage_verdicts();
    expect_refused(CLPRIM_UNSUPPORTED, "of 2049 elements", true, "a damaged verdict");
    test_kernels_copy(directory);
    is_broken = false;
    expect_plan(NULL, true, true, "the first kernel again, whose verdict was damaged");
    test_setenv("CLPRIM_CACHE", "off");
    expect_plan(NULL, true, true, "without a cache");
}

Test(self_test, sets_aside_what_does_not_compile)
{
    change("reduce/cpu_chunk.cl", ends, "#error this driver knows no chunks");
    expect_refused(CLPRIM_BUILD_FAILED, "this driver knows no chunks", false, "nothing to launch");
    expect_plan(NULL, false, true, "the next variant");
}

Test(self_test, is_off_where_nobody_wants_it)
{
    skip_unless_cpu();
    change("reduce/cpu_chunk.cl", ends, ends_early);
    test_setenv("CLPRIM_SELF_TEST", "off");
    expect_plan(NULL, true, false, "off");
    test_setenv("CLPRIM_SELF_TEST", "");
    clprim_runtime *runtime = test_runtime(NULL);
    if (clprim_runtime_info(runtime)->vendor == CLPRIM_VENDOR_POCL)
        expect_plan(NULL, true, false, "a driver that is known");
    clprim_runtime_destroy(runtime);
    runtime = NULL;
    test_setenv("CLPRIM_SELF_TEST", "sometimes");
    ASSERT_STATUS(clprim_runtime_create(&runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "sometimes"), "%s", clprim_last_error());
    cr_assert_null(runtime);
}

/* There is no reference for a caller's operator: the variant is judged by its results for a sum. */
Test(self_test, judges_a_callers_own_operator_by_a_sample)
{
    static const clprim_custom_op sum = {.combine = "a + b", .identity = "0"};
    static const clprim_custom_op mistake = {.combine = "a + nothing", .identity = "0"};
    static const clprim_reduce_desc wrong = {.custom = &mistake};
    static const clprim_reduce_desc chunk = {.custom = &sum, .variant = CLPRIM_REDUCE_CPU_CHUNK};
    change("reduce/cpu_chunk.cl", ends, ends_early);
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_reduce_operation, &chunk, CLPRIM_UNSUPPORTED, "");
    test_refuse(runtime, &clprim_reduce_operation, &wrong, CLPRIM_BUILD_FAILED, "nothing");
    cr_assert_eq(clprim_runtime_set_aside(runtime, NULL, 0), 1, "the caller's mistake is held against a variant");
    clprim_runtime_destroy(runtime);
    expect_plan(&sum, false, true, "the next variant");
}

Test(self_test, refuses_where_no_variant_is_right)
{
    char text[4096];
    change("find/parts/condition.cl", "#define NOWHERE", "#define NOWHERE 5ul\n#define WAS_NOWHERE");
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_is_sorted_operation, NULL, CLPRIM_UNSUPPORTED, "disabled");
    cr_assert_geq(clprim_runtime_set_aside(runtime, text, sizeof text), 2, "%s", text); /* 3 if groups may wait */
    clprim_runtime_destroy(runtime);
}

/* A caller's queue may be waiting for something that happens only after the call. */
Test(self_test, does_not_use_the_callers_queue)
{
    clprim_plan *plan = NULL;
    clprim_runtime *other = test_runtime(NULL);
    cl_command_queue queue = test_queue(other, 0);
    cl_event gate = test_gate(other);
    ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
    clprim_runtime *runtime = test_runtime(&(const clprim_runtime_desc){.queue = queue});
    ASSERT_OK(clprim_is_sorted_create(&plan, runtime, NULL));
    test_gate_open(gate);
    ASSERT_CL(clFinish(queue));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(other);
}

/* Operations that are built on others use the variants of these that are right. */
Test(self_test, goes_on_underneath_composites)
{
    enum { N = 3000 };
    static uint32_t keys[N], values[N];
    static const clprim_sort_by_key_call sort = {
        .keys_in = {.host = keys}, .arrays_in = {{.host = values}}, .count = N};
    static const clprim_unique_call unique = {.in = {.host = keys}, .count = N};
    static const struct {
        const clprim_operation *face;
        const void *call;
    } rows[] = {{&clprim_sort_by_key_operation, &sort}, {&clprim_unique_operation, &unique}};
    change("radix_sort/cpu_buckets.cl", "sort_digits(b, end - begin,",
           "sort_digits(b, end - begin - (end - begin > 900),");
    change("select/cpu_chunk.cl", "to.first[k] = OUTPUT_OF(buffer[k],", "to.first[k] = OUTPUT_OF(buffer[0],");
    test_setenv("CLPRIM_CACHE", "off"); /* each is tried once, and compiled once */
    clprim_runtime *runtime = test_runtime(NULL);
    for (uint32_t i = 0; i < N; i++) {
        keys[i] = (N - i) / 3;
        values[i] = i;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_call self;
        test_call_make(&self, runtime, rows[i].face, NULL);
        test_call_fill(&self, rows[i].call, TEST_SEED);
        test_call_check(&self, "above what is broken");
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

#define ROW(orders, operation, ...)                                                                                    \
    {                                                                                                                  \
        &clprim_##operation##_operation, &(const clprim_##operation##_desc){__VA_ARGS__}, orders                       \
    }
#define FOLDS(...) ROW(1, reduce, __VA_ARGS__), ROW(1, scan, __VA_ARGS__), ROW(1, reduce_by_key, __VA_ARGS__)

/* Plans that a trial must not mistake for wrong ones: each order of NaNs, each tried separately; sums and products of
 * integers that are rounded in floating point; and the plan with the most arrays. */
Test(self_test, finds_nothing_wrong_with_what_is_right)
{
    const struct {
        const clprim_operation *face;
        const void *desc;
        int nan_orders;
    } rows[] = {
        ROW(2, reduce, .type = CLPRIM_F32, .op = CLPRIM_MAX),
        ROW(2, scan, .type = CLPRIM_F32, .op = CLPRIM_MIN),
        ROW(2, radix_sort, .key_type = CLPRIM_F32),
        ROW(2, merge, .key_type = CLPRIM_F32),
        ROW(2, set_operation, .key_type = CLPRIM_F32, .op = CLPRIM_SET_DIFFERENCE),
        ROW(2, search, .type = CLPRIM_F32, .needles_are_sorted = true),
        ROW(2, is_sorted, .type = CLPRIM_F32, .descending = true),
        FOLDS(.type = CLPRIM_I32, .accumulator_type = CLPRIM_F32),
        FOLDS(.type = CLPRIM_U64, .accumulator_type = CLPRIM_F32),
        FOLDS(.type = CLPRIM_I16, .op = CLPRIM_PROD, .accumulator_type = CLPRIM_F32),
        ROW(1, sort_by_key, .num_arrays = CLPRIM_SORT_BY_KEY_MAX_ARRAYS),
    };
    char text[2048];
    clprim_runtime *runtime = counted_runtime();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int order = 0; order < rows[i].nan_orders; order++) {
            test_call self;
            test_struct desc = {.bytes = {0}};
            memcpy(desc.bytes, rows[i].desc, rows[i].face->desc_size);
            test_put(&desc, rows[i].face->desc_members, "nan_order", (uint64_t)order);
            launches = 0;
            test_call_make(&self, runtime, rows[i].face, desc.bytes);
            cr_assert_gt(launches, 0, "%s is not tried", self.name);
            cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 0, "%s: %s", self.name, text);
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* The reports of the self-test of all variants. */
typedef struct tally {
    size_t plans[3]; /* by their outcome */
    char primitive[64];
    char wrong[128]; /* the last wrong plan */
} tally;

static void note(void *user, const clprim_self_test_record *record)
{
    tally *t = user;
    t->plans[record->outcome]++;
    (void)snprintf(t->primitive, sizeof t->primitive, "%s", record->primitive);
    cr_assert_eq(record->why[0] == '\0', record->outcome == CLPRIM_SELF_TEST_RIGHT, "%s of %s, %s: %s", record->variant,
                 record->primitive, record->plan, record->why);
    cr_assert_gt(strlen(record->plan), 0);
    if (record->outcome == CLPRIM_SELF_TEST_WRONG)
        (void)snprintf(t->wrong, sizeof t->wrong, "%s", record->plan);
}

static tally run(clprim_runtime *runtime, clprim_self_test_desc desc, size_t wrong)
{
    size_t found = SIZE_MAX;
    char text[4096];
    tally t = {0};
    desc.report = note;
    desc.user = &t;
    ASSERT_OK(clprim_runtime_self_test(&found, runtime, &desc));
    (void)clprim_runtime_set_aside(runtime, text, sizeof text);
    cr_assert(found == wrong && t.plans[CLPRIM_SELF_TEST_WRONG] == wrong, "%zu wrong, %zu told: %s", found,
              t.plans[CLPRIM_SELF_TEST_WRONG], text);
    return t;
}

/* Check that the variant is refused, and that the error sentence contains these words. */
static void refuse(clprim_runtime *runtime, const char *primitive, const char *variant, const char *words)
{
    size_t wrong = 7;
    const clprim_self_test_desc desc = {.primitive = primitive, .variant = variant};
    ASSERT_STATUS(clprim_runtime_self_test(&wrong, runtime, &desc), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), words), "%s", clprim_last_error());
    cr_assert_eq(wrong, 7);
}

/* It knows every primitive. Test one variant of some, or all if there is time. */
TEST_WITH_RUNTIME(whole_self_test, finds_nothing_wrong_with_the_library)
{
    static const char *const stems[] = {CLPRIM_TEST_STEMS};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        refuse(runtime, stems[i], "?", "no variant ?");
    if (test_is_full())
        cr_assert_gt(run(runtime, (clprim_self_test_desc){0}, 0).plans[CLPRIM_SELF_TEST_RIGHT], 100);
    else
        for (size_t i = 0; i < sizeof stems / sizeof *stems; i += 5) { /* each takes a second */
            const bool has_variants = strcmp(stems[i], "sort_by_key") != 0;
            const clprim_self_test_desc chunk = {
                .primitive = stems[i], .variant = has_variants ? "cpu_chunk" : NULL, .quick = true};
            cr_assert_eq(run(runtime, chunk, 0).plans[CLPRIM_SELF_TEST_RIGHT], 1, "%s", stems[i]);
        }
    cr_assert_not_null(strstr(clprim_last_error(), "no variant ?"), "a success changes the last error");
}

TEST_WITH_RUNTIME(whole_self_test, refuses_what_it_does_not_know)
{
    size_t wrong = 7;
    ASSERT_STATUS(clprim_runtime_self_test(NULL, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runtime_self_test(&wrong, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(wrong, 7);
    refuse(runtime, "sorting", NULL, "no primitive sorting");
    refuse(runtime, "merge", "sorting", "no variant sorting");
    cr_assert_eq(clprim_runtime_set_aside(NULL, NULL, 0), 0);
}

Test(self_test, finds_what_is_wrong)
{
    char text[1024];
    const clprim_merge_desc naive = {.variant = CLPRIM_MERGE_NAIVE};
    change("merge/naive.cl", "upper_bound(ARRAY_OF(a)", "lower_bound(ARRAY_OF(a)");
    test_setenv("CLPRIM_SELF_TEST", "");
    clprim_runtime *runtime = test_runtime(NULL);
    const tally t = run(runtime, (clprim_self_test_desc){.primitive = "merge", .variant = "naive", .quick = true}, 1);
    cr_assert(t.plans[CLPRIM_SELF_TEST_RIGHT] + t.plans[CLPRIM_SELF_TEST_UNSUPPORTED] == 0, "a quick one goes on");
    cr_assert_str_eq(t.primitive, "merge");
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 1);
    cr_assert_eq(strstr(text, "naive of merge"), text, "%s", text);
    test_refuse(runtime, &clprim_merge_operation, &naive, CLPRIM_UNSUPPORTED, ""); /* although the driver is known */
    clprim_runtime_destroy(runtime);
}

/* One plan of each variant reads its elements from an expression and their count from the device. If a variant is wrong
 * only then, only that plan is reported. */
Test(self_test, finds_what_is_wrong_without_an_array_and_without_the_count)
{
    static const struct {
        test_mistake mistake;
        const char *primitive, *plan;
    } rows[] = {
        {{"common/chunk_fold.cl", "ELEMENT_AT(e, *i + l), ", "ELEMENT_AT(e, *i), "},
         "reduce",
         "sum of i32, .input, .count_at"},
        {{"find/cpu_chunk.cl", "n = CALL_COUNT_0(args.n);", "n = args.n;"}, "find", "i32, .input, .count_at"},
    };
    test_setenv("CLPRIM_SELF_TEST", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        change(rows[i].mistake.file, rows[i].mistake.from, rows[i].mistake.to);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_self_test_desc desc = {.primitive = rows[i].primitive, .variant = "cpu_chunk"};
        const tally t = run(runtime, desc, 1);
        cr_assert_str_eq(t.wrong, rows[i].plan);
        cr_assert_gt(t.plans[CLPRIM_SELF_TEST_RIGHT], 1);
    }
    clprim_runtime_destroy(runtime);
}

static void take_speed(void *user, const clprim_self_test_speed *speed)
{
    size_t *counts = user;
    cr_assert_str_eq(speed->primitive, "find");
    cr_assert(speed->seconds > 0 && speed->seconds < 60, "%g s", speed->seconds);
    cr_assert(strlen(speed->variant) > 0 && strlen(speed->plan) > 0);
    counts[0]++;
    counts[1] = speed->count;
}

/* One plan of each operation, with the variant that AUTO takes. */
TEST_WITH_RUNTIME(whole_self_test, measures_what_auto_takes)
{
    size_t wrong = 0;
    size_t counts[2] = {0};
    clprim_self_test_desc desc = {.primitive = "find", .quick = true, .measured = take_speed, .user = counts};
    ASSERT_OK(clprim_runtime_self_test(&wrong, runtime, &desc));
    cr_assert(counts[0] == 1 && counts[1] == 1 << 20, "%zu calls, %zu elements", counts[0], counts[1]);
    desc.measured_count = 5000;
    ASSERT_OK(clprim_runtime_self_test(&wrong, runtime, &desc));
    cr_assert(counts[0] == 2 && counts[1] == 5000, "%zu calls, %zu elements", counts[0], counts[1]);
    desc.variant = "cpu_chunk";
    ASSERT_OK(clprim_runtime_self_test(&wrong, runtime, &desc));
    cr_assert_eq(counts[0], 2, "one variant is tested, and what AUTO takes is measured");
}
