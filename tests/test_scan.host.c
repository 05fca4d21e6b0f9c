/* test_scan.host.c: the table of variants, scans of arrays on the host, and arrays of several levels of block sums. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <stdlib.h>

#include "support.h"

Test(scan, variants_describe_themselves)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_variants(&count);
    cr_assert_eq(count, CLPRIM_SCAN_FIXED_TREE, "as many as there are enumerators but AUTO");
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(variants[i].id, (int)i + 1, "in the order of the ladder");
        cr_assert(strlen(variants[i].name) > 0 && strlen(variants[i].summary) > 0 && strlen(variants[i].origin) > 0);
        cr_assert_not_null(variants[i].needs);
        cr_assert(variants[i].keeps_order, "%s: scans keep the order", variants[i].name);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(variants[i].name, variants[j].name);
    }
}

Test(scan, descriptions_left_out)
{
    static const int32_t in[] = {1, -2, 30, 400};
    static const int32_t sums[] = {1, -1, 29, 429};
    const clprim_scan_desc zeroed = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    int32_t out[5] = {0, 0, 0, 0, 77};
    ASSERT_OK(clprim_scan_host(out, runtime, NULL, in, NULL, 4));
    test_expect_same(sums, out, sizeof *out, 4, "a NULL description: inclusive sums of I32");
    memset(out, 0, 4 * sizeof *out);
    ASSERT_OK(clprim_scan_host(out, NULL, &zeroed, in, NULL, 3));
    test_expect_same(sums, out, sizeof *out, 3, "a zeroed one, by the default runtime");
    cr_assert_eq(out[3], 0);
    cr_assert_eq(out[4], 77);
    clprim_scan *plan = NULL;
    ASSERT_OK(clprim_scan_create(&plan, runtime, NULL));
    cr_assert_neq((int)clprim_scan_plan_variant(plan), (int)CLPRIM_SCAN_AUTO);
    clprim_scan_destroy(plan);
    clprim_scan_destroy(NULL);
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
    ASSERT_OK(clprim_scan_host(wide[1], runtime, &desc, in, NULL, COUNT));
    test_expect_same(wide[0], wide[1], sizeof **wide, COUNT, "into wider elements");

    const clprim_scan_desc greatest = {.type = CLPRIM_U64, .op = CLPRIM_MAX};
    test_fill(wide[0], CLPRIM_U64, CLPRIM_MAX, TEST_RANDOM, COUNT, TEST_SEED);
    memcpy(wide[1], wide[0], COUNT * sizeof **wide);
    ASSERT_OK(clprim_reference_scan(wide[0], CLPRIM_U64, CLPRIM_MAX, CLPRIM_TYPE_DEFAULT, NULL, wide[0], COUNT));
    ASSERT_OK(clprim_scan_host(wide[1], runtime, &greatest, wide[1], NULL, COUNT));
    test_expect_same(wide[0], wide[1], sizeof **wide, COUNT, "in place");

    ASSERT_OK(clprim_scan_host(wide[1], runtime, &greatest, wide[0], NULL, 0));
    test_expect_same(wide[0], wide[1], sizeof **wide, COUNT, "nothing to scan");
    ASSERT_OK(clprim_scan_host(NULL, runtime, &greatest, NULL, NULL, 0));
    free(in);
    free(wide[0]);
    free(wide[1]);
    clprim_runtime_destroy(runtime);
}

Test(scan, host_arrays_in_segments)
{
    static const int32_t in[] = {1, 2, 3, 4, 5, 6};
    static const int32_t keys[] = {7, 7, -1, -1, 7, 8};
    static const uint8_t flags[] = {0, 0, 128, 0, 1, 0};
    static const int32_t by_key[] = {1, 3, 3, 7, 5, 6};
    static const int32_t by_flag[] = {0, 1, 0, 3, 0, 5};
    const clprim_scan_desc keyed = {.segments = CLPRIM_SCAN_BY_KEY};
    const clprim_scan_desc flagged = {.segments = CLPRIM_SCAN_HEAD_FLAGS, .exclusive = true};
    int32_t out[6];
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_OK(clprim_scan_host(out, runtime, &keyed, in, keys, 6));
    test_expect_same(by_key, out, sizeof *out, 6, "keys are I32 unless said otherwise");
    memcpy(out, in, sizeof in);
    ASSERT_OK(clprim_scan_host(out, runtime, &flagged, out, flags, 6));
    test_expect_same(by_flag, out, sizeof *out, 6, "flags are U8 unless said otherwise; in place");
    clprim_runtime_destroy(runtime);
}

/* Several levels of block sums, and more tiles than a device runs at once; shifted, in place and not. */
Test(scan, millions_of_elements)
{
    enum { COUNT = 3000017 };
    const size_t bytes = (COUNT + 1) * sizeof(int32_t);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_variants(&num_variants);
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
        clprim_scan *plan = NULL;
        if ((id == CLPRIM_SCAN_NAIVE || id == CLPRIM_SCAN_WORK_EFFICIENT || id == CLPRIM_SCAN_BIT_REVERSED) &&
            !test_is_full())
            continue;
        const clprim_status status = clprim_scan_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED)
            continue;
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", variants[v].name, clprim_last_error());
        test_write(runtime, in, data, bytes);
        ASSERT_OK(clprim_scan_enqueue(plan, NULL, in, 1, COUNT, out, 1, 0, NULL, NULL));
        test_read(runtime, got, out, bytes);
        test_expect_same(expected, got, sizeof(int32_t), COUNT + 1, variants[v].name);
        ASSERT_OK(clprim_scan_enqueue(plan, NULL, in, 1, COUNT, in, 1, 0, NULL, NULL));
        test_read(runtime, got, in, bytes);
        test_expect_same(expected, got, sizeof(int32_t), COUNT + 1, variants[v].name);
        clprim_scan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    free(data);
    free(expected);
    free(got);
    clprim_runtime_destroy(runtime);
}
