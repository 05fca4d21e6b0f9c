/* test_scan.host.c: scans of arrays on the host, of arrays of several levels of block sums, and of one another. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <stdlib.h>

#include "support.h"

Test(scan, descriptions_left_out)
{
    static int32_t in[] = {1, -2, 30, 400};
    static const int32_t sums[] = {1, -1, 29, 429};
    const clprim_scan_desc zeroed = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    int32_t out[5] = {0, 0, 0, 0, 77};
    ASSERT_OK(
        clprim_scan_run(runtime, NULL, &(clprim_scan_call){.in = {.host = in}, .count = 4, .out = {.host = out}}));
    test_expect_same(sums, out, sizeof *out, 4, "a NULL description: inclusive sums of I32");
    memset(out, 0, 4 * sizeof *out);
    ASSERT_OK(
        clprim_scan_run(NULL, &zeroed, &(clprim_scan_call){.in = {.host = in}, .count = 3, .out = {.host = out}}));
    test_expect_same(sums, out, sizeof *out, 3, "a zeroed one, by the default runtime");
    cr_assert_eq(out[3], 0);
    cr_assert_eq(out[4], 77);
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_scan_create(&plan, runtime, NULL));
    cr_assert_neq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_SCAN_AUTO);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

Test(scan, host_arrays)
{
    enum { COUNT = 70001 };
    clprim_runtime *runtime = test_runtime(NULL);
    uint8_t *in = malloc(COUNT);
    uint64_t *wide[2] = {malloc(COUNT * sizeof **wide), malloc(COUNT * sizeof **wide)};
    cr_assert(in != NULL && wide[0] != NULL && wide[1] != NULL);
    const uint64_t initial = UINT64_C(1) << 40;
    const clprim_scan_desc desc = {
        .type = CLPRIM_U8, .accumulator_type = CLPRIM_U64, .exclusive = true, .initial = &initial};
    const clprim_reference_scan_how how = {.exclusive = true, .initial = &initial};
    test_fill(in, CLPRIM_U8, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    ASSERT_OK(clprim_reference_scan(wide[0], CLPRIM_U8, CLPRIM_SUM, CLPRIM_U64, &how, in, COUNT));
    ASSERT_OK(clprim_scan_run(runtime, &desc,
                              &(clprim_scan_call){.in = {.host = in}, .count = COUNT, .out = {.host = wide[1]}}));
    test_expect_same(wide[0], wide[1], sizeof **wide, COUNT, "into wider elements");

    const clprim_scan_desc greatest = {.type = CLPRIM_U64, .op = CLPRIM_MAX};
    test_fill(wide[0], CLPRIM_U64, CLPRIM_MAX, TEST_RANDOM, COUNT, TEST_SEED);
    memcpy(wide[1], wide[0], COUNT * sizeof **wide);
    ASSERT_OK(clprim_reference_scan(wide[0], CLPRIM_U64, CLPRIM_MAX, CLPRIM_TYPE_DEFAULT, NULL, wide[0], COUNT));
    ASSERT_OK(clprim_scan_run(runtime, &greatest,
                              &(clprim_scan_call){.in = {.host = wide[1]}, .count = COUNT, .out = {.host = wide[1]}}));
    test_expect_same(wide[0], wide[1], sizeof **wide, COUNT, "in place");

    ASSERT_OK(
        clprim_scan_run(runtime, &greatest, &(clprim_scan_call){.in = {.host = wide[0]}, .out = {.host = wide[1]}}));
    test_expect_same(wide[0], wide[1], sizeof **wide, COUNT, "nothing to scan");
    ASSERT_OK(clprim_scan_run(runtime, &greatest, &(clprim_scan_call){0}));
    free(in);
    free(wide[0]);
    free(wide[1]);
    clprim_runtime_destroy(runtime);
}

Test(scan, host_arrays_in_segments)
{
    static int32_t in[] = {1, 2, 3, 4, 5, 6};
    static int32_t keys[] = {7, 7, -1, -1, 7, 8};
    static uint8_t flags[] = {0, 0, 128, 0, 1, 0};
    static const int32_t by_key[] = {1, 3, 3, 7, 5, 6};
    static const int32_t by_flag[] = {0, 1, 0, 3, 0, 5};
    const clprim_scan_desc keyed = {.segments = CLPRIM_SEGMENTS_BY_KEY};
    const clprim_scan_desc flagged = {.segments = CLPRIM_SEGMENTS_BY_FLAG, .exclusive = true};
    int32_t out[6];
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_OK(clprim_scan_run(
        runtime, &keyed,
        &(clprim_scan_call){.in = {.host = in}, .heads = {.host = keys}, .count = 6, .out = {.host = out}}));
    test_expect_same(by_key, out, sizeof *out, 6, "keys are I32 unless said otherwise");
    memcpy(out, in, sizeof in);
    ASSERT_OK(clprim_scan_run(
        runtime, &flagged,
        &(clprim_scan_call){.in = {.host = out}, .heads = {.host = flags}, .count = 6, .out = {.host = out}}));
    test_expect_same(by_flag, out, sizeof *out, 6, "flags are U8 unless said otherwise; in place");
    clprim_runtime_destroy(runtime);
}

/* Several levels of block sums, and more tiles than a device runs at once; shifted, in place and not. */
Test(scan, millions_of_elements)
{
    enum { COUNT = 3000017 };
    const size_t bytes = (COUNT + 1) * sizeof(int32_t);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    unsigned char *data = malloc(bytes);
    unsigned char *expected = malloc(bytes);
    unsigned char *got = malloc(bytes);
    cr_assert(data != NULL && expected != NULL && got != NULL);
    test_fill(data, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT + 1, TEST_SEED);
    memcpy(expected, data, sizeof(int32_t));
    ASSERT_OK(clprim_reference_scan(expected + sizeof(int32_t), CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, NULL,
                                    data + sizeof(int32_t), COUNT));
    cl_mem in = test_buffer(runtime, bytes);
    cl_mem out = test_upload(runtime, data, bytes); /* whose first element stays as it is */
    for (size_t v = 0; v < num_variants; v++) {
        const int id = variants[v].id;
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)id};
        clprim_plan *plan = NULL;
        if ((id == CLPRIM_SCAN_NAIVE || id == CLPRIM_SCAN_WORK_EFFICIENT || id == CLPRIM_SCAN_BIT_REVERSED) &&
            !test_is_full())
            continue;
        const clprim_status status = clprim_scan_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED)
            continue;
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", variants[v].name, clprim_last_error());
        test_write(runtime, in, data, bytes);
        ASSERT_OK(clprim_scan_enqueue(plan, NULL, &(clprim_scan_call){.in = {in, 1}, .count = COUNT, .out = {out, 1}},
                                      0, NULL, NULL));
        test_read(runtime, got, out, bytes);
        test_expect_same(expected, got, sizeof(int32_t), COUNT + 1, variants[v].name);
        ASSERT_OK(clprim_scan_enqueue(plan, NULL, &(clprim_scan_call){.in = {in, 1}, .count = COUNT, .out = {in, 1}}, 0,
                                      NULL, NULL));
        test_read(runtime, got, in, bytes);
        test_expect_same(expected, got, sizeof(int32_t), COUNT + 1, variants[v].name);
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    free(data);
    free(expected);
    free(got);
    clprim_runtime_destroy(runtime);
}

/* Each scan takes the one before it, in place, on a queue that keeps their order by itself: sums of sums of sums. */
Test(scan, in_place_again_and_again)
{
    enum { COUNT = 100003, TIMES = 5 };
    static int32_t expected[COUNT];
    static int32_t got[COUNT];
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < num_variants; v++) {
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variants[v].id};
        clprim_plan *plan = NULL;
        const clprim_status status = clprim_scan_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED)
            continue;
        ASSERT_OK(status);
        test_fill(expected, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
        cl_mem data = test_upload(runtime, expected, sizeof expected);
        const clprim_scan_call call = {.in = {data}, .count = COUNT, .out = {data}};
        for (int i = 0; i < TIMES; i++) {
            ASSERT_OK(clprim_reference_scan(expected, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, NULL, expected, COUNT));
            ASSERT_OK(clprim_scan_enqueue(plan, NULL, &call, 0, NULL, NULL));
        }
        test_read(runtime, got, data, sizeof got);
        test_expect_same(expected, got, sizeof *got, COUNT, variants[v].name);
        clprim_plan_destroy(plan);
        ASSERT_CL(clReleaseMemObject(data));
    }
    clprim_runtime_destroy(runtime);
}
