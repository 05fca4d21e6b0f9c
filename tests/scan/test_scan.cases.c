// SPDX-License-Identifier: MIT
/* test_scan.cases.c: special cases: an initial NaN, millions of elements, scans of scans, devices that lack features,
 * and custom operators on built-in types and structs, also with segments. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "commands.h"
#include "files.h"
#include "folds.h"
#include "scan_internal.h"

/* An initial NaN is propagated, too, whatever its bits; also by the reference. */
TEST_WITH_RUNTIME(scan_cases, propagates_an_initial_nan)
{
    static const uint32_t nans[] = {0x7fffffff, 0xffffffff, 0xff800001};
    static uint32_t expected[] = {0x7fc00000, 0x7fc00000};
    static float in[] = {1, 2};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++)
        test_check_known(runtime, &clprim_scan_operation,
                         &(clprim_scan_desc){.type = CLPRIM_F32,
                                             .op = CLPRIM_MIN,
                                             .nan_order = CLPRIM_NAN_LAST,
                                             .exclusive = true,
                                             .initial = &nans[i]},
                         &(clprim_scan_call){.in = {.host = in}, .count = 2, .out = {.host = expected}});
}

/* Several levels of block sums, and more tiles than a device runs at once; in place and not. */
TEST_WITH_RUNTIME(scan_cases, millions_of_elements)
{
    for (int variant = 1; variant <= test_last_variant(&clprim_scan_operation); variant++) {
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variant};
        const bool is_slow = variant == CLPRIM_SCAN_NAIVE || variant == CLPRIM_SCAN_WORK_EFFICIENT ||
                             variant == CLPRIM_SCAN_BIT_REVERSED;
        if (is_slow && !test_is_full())
            continue;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc))
            for (uint64_t seed = 3; seed < 5; seed++) /* the first seed is in place */
                test_check_turn(&self,
                                &(test_turn){.kinds = 1, .count = 3000017, .pattern = TEST_RANDOM, .seed = seed});
    }
}

/* Sizes around those at which cpu_chunk divides the array: one element too few, just enough, and an incomplete piece;
 * in place with some seeds. The second operator is not commutative. */
TEST_WITH_RUNTIME(scan_cases, beyond_the_caches)
{
    enum { PIECE_BYTES = 8 << 20, LEAST_PIECES = 4 };
    static const uint32_t initial[4] = {5, 8, 11, 14};
    static const clprim_scan_desc descs[] = {
        {.type = CLPRIM_I64, .exclusive = true, .initial = initial, .variant = CLPRIM_SCAN_CPU_CHUNK},
        {.initial = initial, .variant = CLPRIM_SCAN_CPU_CHUNK},
        {.type = CLPRIM_F32, .op = CLPRIM_MIN, .exclusive = true, .variant = CLPRIM_SCAN_CPU_CHUNK}};
    static const size_t sizes[] = {8, 0, 4};
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        const test_operator *own = sizes[d] == 0 ? &test_operators[TEST_AFFINE] : NULL;
        const size_t piece = PIECE_BYTES / (own != NULL ? own->size : sizes[d]);
        const size_t counts[] = {LEAST_PIECES * piece - 1, LEAST_PIECES * piece, (LEAST_PIECES + 1) * piece + 77};
        test_call self;
        if (!test_fold_create(&self, runtime, &clprim_scan_operation, &descs[d], own))
            continue;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            test_check_turn(&self,
                            &(test_turn){.kinds = 1, .count = counts[i], .pattern = TEST_RANDOM, .seed = 3 + i + d});
        test_call_destroy(&self);
    }
}

/* Each scan reads the output of the previous one, in place, on an in-order queue: sums of sums of sums. */
TEST_WITH_RUNTIME(scan_cases, in_place_again_and_again)
{
    enum { COUNT = 100003, TIMES = 5 };
    static int32_t in[COUNT];
    static int32_t expected[COUNT];
    test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    for (int i = 0; i < TIMES; i++)
        ASSERT_OK(clprim_reference_scan(expected, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), NULL,
                                        i == 0 ? in : expected, COUNT));
    for (int variant = 1; variant <= test_last_variant(&clprim_scan_operation); variant++) {
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variant};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc)) {
            self.replaced = 1;
            test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = COUNT, .out = {.host = expected}},
                           1);
            for (int i = 1; i < TIMES; i++)
                ASSERT_OK(test_call_enqueue(&self, &self.call));
            test_call_check(&self, "%d times", TIMES);
        }
    }
}

/* Several calls in a row on one plan, so that the state is reused. False if the variant is refused. */
static bool check_on(clprim_runtime *runtime, clprim_type type, clprim_scan_variant variant, const char *lacking)
{
    const clprim_scan_desc desc = {.type = type, .variant = variant, .items_per_work_item = 4};
    test_call self;
    cr_log_info("without %s", lacking);
    if (test_call_try(&self, runtime, &clprim_scan_operation, &desc) == CLPRIM_UNSUPPORTED)
        return false;
    cr_assert_not_null(self.plan, "%s: %s", self.name, clprim_last_error());
    for (size_t i = 0; i < 5; i++)
        test_check_turn(
            &self, &(test_turn){
                       .kinds = 1, .count = i % 2 == 0 ? 50021 : 3001, .pattern = TEST_RANDOM, .seed = TEST_SEED + i});
    test_call_destroy(&self);
    return true;
}

#define WITHOUT_ORDER    "forward_progress,device_fence"
#define WITHOUT_ANYTHING WITHOUT_ORDER ",sub_groups,int64_atomics,group_order"

/* look_back on devices that lack features, by CLPRIM_WITHOUT; in place and not. */
Test(scan_paths, look_back_by_other_means)
{
    static const char *const lists[] = {
        "int64_atomics", "sub_groups", "group_order", "sub_groups,int64_atomics", "device_fence,group_order,sub_groups",
        WITHOUT_ORDER};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        test_without(lists[i]);
        clprim_runtime *runtime = test_runtime(NULL);
        cr_assert(check_on(runtime, CLPRIM_U32, CLPRIM_SCAN_LOOK_BACK, lists[i]));
        cr_assert(check_on(runtime, CLPRIM_U64, CLPRIM_SCAN_LOOK_BACK, lists[i]));
        cr_assert(check_on(runtime, CLPRIM_U32, CLPRIM_SCAN_REDUCE_THEN_SCAN, lists[i]));
        cr_assert(check_on(runtime, CLPRIM_U32, CLPRIM_SCAN_AUTO, lists[i]));
        clprim_runtime_destroy(runtime);
    }
}

/* fixed_look_back always waits for other groups. */
Test(scan_paths, no_waiting_without_forward_progress)
{
    const clprim_scan_desc fixed = {.type = CLPRIM_F32, .reproducible = true, .variant = CLPRIM_SCAN_FIXED_LOOK_BACK};
    test_without("forward_progress");
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_scan_operation, &fixed, CLPRIM_UNSUPPORTED, "forward progress");
    clprim_runtime_destroy(runtime);
}

#define READS(x_at) .input = x_at, .text.parameters = {{"x", CLPRIM_I32, .is_array = true}}

/* If a group that falls back may read data that has been replaced, the plan has another plan for calls in place. On
 * devices with a device_fence, only expressions need it. */
Test(scan_paths, plans_for_calls_in_place)
{
    static const struct {
        clprim_scan_desc desc;
        bool without_order, without_progress;
    } rows[] = {
        {{.type = CLPRIM_I32}, true, false},
        {{.type = CLPRIM_I32, .segments = CLPRIM_SEGMENTS_BY_KEY}, true, false},
        {{.type = CLPRIM_F16, .output = "r + 1"}, true, false},
        {{.type = CLPRIM_U8, .accumulator_type = CLPRIM_U32}, false, false}, /* cannot be in place */
        {{READS("x[i] + 1")}, true, true},
        {{READS("x[i ^ 1]")}, false, false},
        {{.input = "(int)i"}, false, false},
        {{.type = CLPRIM_I32, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN}, false, false},
    };
    static const char *const lists[] = {"sub_groups", "forward_progress", WITHOUT_ORDER, WITHOUT_ANYTHING};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        test_without(lists[l]);
        clprim_runtime *runtime = test_runtime(NULL);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const bool expected = l == 0 ? false : l == 1 ? rows[i].without_progress : rows[i].without_order;
            clprim_scan_desc desc = rows[i].desc;
            clprim_plan *plan = NULL;
            desc.variant = desc.variant != CLPRIM_SCAN_AUTO ? desc.variant : CLPRIM_SCAN_LOOK_BACK;
            ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
            cr_expect_eq(clprim_plan_variant(plan)->id, (int)desc.variant);
            const clprim_plan *in_place = ((const clprim__scan_plan *)(const void *)plan)->in_place;
            cr_expect_eq(in_place != NULL, expected, "without %s, row %zu", lists[l], i);
            if (in_place != NULL)
                cr_expect_eq(clprim_plan_variant(in_place)->id, (int)CLPRIM_SCAN_REDUCE_THEN_SCAN);
            clprim_plan_destroy(plan);
        }
        clprim_runtime_destroy(runtime);
    }
}

/* Calls in place use the plan's state as scratch memory, and leave it to be cleared. Others leave words that the next
 * call recognises by their epoch. Small results are right either way, so the test looks at the state. */
static void check_passes(clprim_scan_variant variant)
{
    enum { COUNT = 1000 };
    const clprim_scan_desc desc = {.type = CLPRIM_I32, .variant = variant};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
    const clprim__state *state = &((const clprim__scan_plan *)(const void *)plan)->base.state;
    cl_mem a = test_buffer(runtime, COUNT * sizeof(cl_int));
    cl_mem b = test_buffer(runtime, COUNT * sizeof(cl_int));
    for (size_t turn = 0; turn < 4; turn++) {
        const bool in_place = turn % 2 == 1;
        const clprim_scan_call call = {.in = {.buffer = a}, .count = COUNT, .out = {.buffer = in_place ? a : b}};
        ASSERT_OK(clprim_scan_enqueue(plan, clprim_runtime_queue(runtime), &call, 0, NULL, NULL));
        cr_expect_eq(state->is_dirty, in_place, "%s, turn %zu", clprim_plan_variant(plan)->name, turn);
    }
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
    ASSERT_CL(clReleaseMemObject(a));
    ASSERT_CL(clReleaseMemObject(b));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

Test(scan_paths, only_calls_in_place_take_two_passes)
{
    test_without(WITHOUT_ORDER);
    check_passes(CLPRIM_SCAN_LOOK_BACK);
    check_passes(CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN);
}

static bool has_recorded(const clprim_plan *plan, const char *name)
{
    for (size_t k = 0; k < plan->recording.num_kernels; k++) {
        char found[64];
        ASSERT_CL(clGetKernelInfo(plan->recording.kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof found, found, NULL));
        if (strcmp(found, name) == 0)
            return true;
    }
    return false;
}

/* A recorded call in place takes two passes, too, and so do its replays. */
Test(scan_paths, recorded_calls_in_place)
{
    enum { COUNT = 100003, REPLAYS = 3 };
    static int32_t in[COUNT], expected[COUNT], got[COUNT];
    const clprim_scan_desc desc = {.type = CLPRIM_I32, .variant = CLPRIM_SCAN_LOOK_BACK};
    test_without(WITHOUT_ORDER);
    clprim_runtime *runtime = test_runtime(NULL);
    for (int k = 0; k < 2 && clprim_runtime_info(runtime)->has_command_buffers; k++) {
        const bool in_place = k == 1;
        clprim_plan *plan = NULL;
        ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
        cl_mem a = test_buffer(runtime, sizeof in);
        cl_mem b = test_buffer(runtime, sizeof in);
        cl_mem out = in_place ? a : b;
        const clprim_scan_call call = {.in = {.buffer = a}, .count = COUNT, .out = {.buffer = out}};
        test_commands commands = test_commands_begin(runtime, clprim_runtime_queue(runtime));
        ASSERT_OK(clprim_plan_record(plan, commands.buffer, &call, 0, NULL, NULL));
        cr_expect_eq(has_recorded(plan, "scan_look_back"), !in_place);
        cr_expect_eq(has_recorded(plan, "scan_chunks"), in_place);
        test_commands_finalize(&commands);
        for (uint64_t i = 0; i < REPLAYS; i++) {
            test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED + i);
            ASSERT_OK(clprim_reference_scan(expected, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), NULL, in, COUNT));
            test_write(runtime, a, in, sizeof in);
            test_commands_replay(&commands);
            test_read(runtime, got, out, sizeof got);
            test_expect_same(expected, got, sizeof *got, COUNT, "a replay");
        }
        test_commands_release(&commands);
        ASSERT_CL(clReleaseMemObject(a));
        ASSERT_CL(clReleaseMemObject(b));
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

/* Calls of one plan, in place and not in turn, share the scratch memory that the plan asks for, and do not exceed
 * it. */
Test(scan_paths, scratch_of_calls_in_place)
{
    static const size_t counts[] = {40001, 40001, 5, 5, 40001, 1};
    const clprim_scan_desc desc = {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 16};
    test_without(WITHOUT_ANYTHING);
    clprim_runtime *runtime = test_runtime(NULL);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_scan_operation, &desc)) {
        size_t needed = 0;
        const clprim_scan_call most = {.count = counts[0]};
        ASSERT_OK(clprim_plan_scratch_size(&needed, self.plan, &most));
        cl_mem scratch = test_buffer(runtime, needed);
        ASSERT_OK(clprim_plan_set_scratch(self.plan, scratch));
        for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++)
            test_check_turn(&self, &(test_turn){.kinds = 1,
                                                .count = counts[i / 2],
                                                .pattern = TEST_RANDOM,
                                                .seed = 3 * i + i % 2}); /* every other one is in place */
        ASSERT_OK(clprim_plan_set_scratch(self.plan, NULL));
        ASSERT_CL(clReleaseMemObject(scratch));
    }
    clprim_runtime_destroy(runtime);
}

/* AUTO takes two passes for reproducible scans if a GPU's groups may not wait for each other, if it has no shuffles, or
 * if there are more elements than fixed_look_back takes. For custom operators and segments it takes the tree. */
Test(scan_paths, choices_for_reproducible_scans)
{
    static const struct {
        clprim_device_info info;
        uint64_t most;
        clprim_scan_variant expected;
        bool is_plain;
    } rows[] = {
        {{.kind = CLPRIM_DEVICE_GPU, .has_forward_progress = true, .sub_group_means = CLPRIM_SUB_GROUP_PTX},
         UINT64_C(1) << 36,
         CLPRIM_SCAN_FIXED_LOOK_BACK,
         false},
        {{.kind = CLPRIM_DEVICE_GPU, .has_forward_progress = true, .sub_group_means = CLPRIM_SUB_GROUP_PTX},
         (UINT64_C(1) << 36) + 1,
         CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN,
         true},
        {{.kind = CLPRIM_DEVICE_GPU, .sub_group_means = CLPRIM_SUB_GROUP_PTX}, 1, CLPRIM_SCAN_FIXED_TREE, false},
        {{.kind = CLPRIM_DEVICE_GPU, .has_forward_progress = true, .has_device_fence = true},
         1,
         CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN,
         true},
        {{.kind = CLPRIM_DEVICE_CPU, .has_forward_progress = true}, 1, CLPRIM_SCAN_FIXED_CHUNK, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].most <= SIZE_MAX)
            cr_expect_eq(clprim__scan_auto(&rows[i].info, true, rows[i].is_plain, (size_t)rows[i].most),
                         rows[i].expected, "row %zu", i);
}

static const uint32_t initial[] = {5, 8, 11, 14, 17, 20, 23, 26, 29, 32};

/* Each operator with every variant; with the identity or an initial value, in the plan or on the device; inclusive and
 * exclusive in turn. */
TEST_WITH_RUNTIME(scan_custom, operators_by_variants)
{
    for (size_t o = 0; o <= TEST_AFFINE; o++)
        for (size_t v = 0; v <= (size_t)test_last_variant(&clprim_scan_operation); v++)
            for (size_t way = 0; way < 4; way++) {
                const test_operator *own = &test_operators[o];
                const clprim_scan_desc desc = {.exclusive = way % 2 != 0,
                                               .initial = way / 2 != 0 && o % 2 == 0 ? initial : NULL,
                                               .has_initial_at = way / 2 != 0 && o % 2 == 1,
                                               .variant = (clprim_scan_variant)v};
                if (test_is_full() || (v + own->size / 4) % 2 == way % 2)
                    test_fold_own(runtime, &clprim_scan_operation, &desc, own);
            }
}

/* Some operators with each variant, inclusive or with an initial value, and the latter also exclusive; with segments in
 * turn. */
TEST_WITH_RUNTIME(scan_custom, operators_without_identity)
{
    static const int rows[] = {TEST_RANGES, TEST_MATRICES, TEST_MOVES, TEST_FIRST, TEST_NEXT};
    enum { NUM_ROWS = sizeof rows / sizeof *rows };
    for (size_t o = 0; o < NUM_ROWS; o++)
        for (size_t v = 0; v <= (size_t)test_last_variant(&clprim_scan_operation); v++) {
            const test_operator own = test_without_identity(&test_operators[rows[o]]);
            const size_t way = (o + v) % 3;
            const clprim_scan_desc desc = {.exclusive = way == 2,
                                           .initial = way == 1 ? initial : NULL,
                                           .has_initial_at = way == 2,
                                           .segments = v % 2 == 0 ? CLPRIM_SEGMENTS_BY_FLAG : CLPRIM_SEGMENTS_NONE,
                                           .variant = (clprim_scan_variant)v};
            if (test_is_full() || (o + v) % NUM_ROWS == 0)
                test_fold_own(runtime, &clprim_scan_operation, &desc, &own);
        }
}

/* Segments by flags, with the variants that AUTO takes. */
TEST_WITH_RUNTIME(scan_custom, operators_in_segments)
{
    static const struct {
        clprim_scan_variant variant;
        int own;
    } rows[] = {{CLPRIM_SCAN_AUTO, TEST_MATRICES},
                {CLPRIM_SCAN_REDUCE_THEN_SCAN, TEST_RANGES},
                {CLPRIM_SCAN_LOOK_BACK, TEST_MATRICES},
                {CLPRIM_SCAN_CPU_CHUNK, TEST_AFFINE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_scan_desc desc = {.exclusive = i % 2 == 1,
                                       .initial = rows[i].own == TEST_MATRICES ? initial : NULL,
                                       .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                       .variant = rows[i].variant};
        test_fold_own(runtime, &clprim_scan_operation, &desc, &test_operators[rows[i].own]);
    }
}

static void keep_larger(void *accumulated, const void *element)
{
    uint32_t a, b;
    memcpy(&a, accumulated, sizeof a);
    memcpy(&b, element, sizeof b);
    memcpy(accumulated, a > b ? &a : &b, sizeof a);
}

/* A segment's first prefix is the initial value, for which the prefix before it is not needed. PoCL 6.0 must compile
 * that. */
TEST_WITH_RUNTIME(scan_custom, first_prefixes_of_segments)
{
    const test_operator larger = {"the larger one", {.combine = "a > b ? a : b"}, CLPRIM_U32, sizeof(uint32_t), NULL,
                                  keep_larger};
    const clprim_scan_desc desc = {.exclusive = true,
                                   .initial = initial,
                                   .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                   .variant = CLPRIM_SCAN_FIXED_LOOK_BACK};
    test_fold_own(runtime, &clprim_scan_operation, &desc, &larger);
}

/* Halves are floats inside the operator. */
TEST_WITH_RUNTIME(scan_custom, operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0xc400}; /* 1 -3 2 -4 */
    static uint16_t farthest[] = {0x3c00, 0xc200, 0xc200, 0xc400};
    const clprim_custom_op op = {.combine = "fabs(a) >= fabs(b) ? a : b", .identity = "0.0f"};
    test_check_known(runtime, &clprim_scan_operation, &(clprim_scan_desc){.type = CLPRIM_F16, .custom = &op},
                     &(clprim_scan_call){.in = {.host = in}, .count = 4, .out = {.host = farthest}});
}

/* OpenCL keeps a buffer for as long as commands use it, so its owner may release it once a call is enqueued. */
Test(scan_paths, inputs_may_be_released_at_once)
{
    enum { COUNT = 100003 };
    static int32_t in[COUNT], expected[COUNT], got[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    const cl_context context = clprim_runtime_context(runtime);
    const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_NATIVE};
    const size_t count = clprim_runtime_info(runtime)->has_native_kernels ? 2 : 1;
    test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    ASSERT_OK(clprim_reference_scan(expected, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), NULL, in, COUNT));
    for (size_t i = 0; i < count; i++) {
        const clprim_scan_desc desc = {.type = CLPRIM_I32, .variant = variants[i]};
        clprim_plan *plan = NULL;
        cl_event done = NULL;
        cl_int code = CL_SUCCESS;
        ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
        cl_mem a = test_buffer(runtime, sizeof in);
        cl_mem b = test_buffer(runtime, sizeof in);
        test_write(runtime, a, in, sizeof in);
        const cl_event gate = clCreateUserEvent(context, &code);
        ASSERT_CL(code);
        const clprim_scan_call call = {.in = {.buffer = a}, .count = COUNT, .out = {.buffer = b}};
        ASSERT_OK(clprim_scan_enqueue(plan, clprim_runtime_queue(runtime), &call, 1, &gate, &done));
        ASSERT_CL(clReleaseMemObject(a));
        clprim_plan_destroy(plan);
        ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done));
        test_read(runtime, got, b, sizeof got);
        test_expect_same(expected, got, sizeof *got, COUNT, "a scan whose input was released");
        ASSERT_CL(clReleaseMemObject(b));
        ASSERT_CL(clReleaseEvent(done));
        ASSERT_CL(clReleaseEvent(gate));
    }
    clprim_runtime_destroy(runtime);
}
