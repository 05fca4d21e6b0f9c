/* test_histogram.errors.c: the caller's own mappings, right and wrong; descriptions need not outlive create. */
#include "test_histogram.h"

/* Texts of several lines, with declarations, and values that an int would make a bin of. */
Test(histogram_errors, mappings_of_the_callers)
{
    static int32_t in[] = {-9, 0, 1, 2, 3, 0x10001, 7, 7};
    static const struct {
        const char *bin_of, *source;
        uint32_t expected[4];
        uint64_t outside;
    } rows[] = {
        {"\n  x > LIMIT // large\n  ? -1 /* none */ : third(x)",
         "#define LIMIT limits[1]\n__constant int limits[2] = {5, 6};\n"
         "static inline int third(int a)\n{\n    return a / 3;\n}",
         {3, 1, 0, 0},
         4},
        {"((long)x << 32) + 2", NULL, {0, 0, 1, 0}, 7},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_histogram_desc desc = {.type = CLPRIM_I32,
                                            .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                            .bins = 4,
                                            .bin_of = rows[i].bin_of,
                                            .source = rows[i].source};
        uint32_t out[4];
        uint64_t outside = 99;
        ASSERT_OK(clprim_histogram_run(
            runtime, &desc,
            &(clprim_histogram_call){
                .in = {.host = in}, .count = 8, .out = {.host = out}, .outside_out = {.host = &outside}}));
        test_expect_same(rows[i].expected, out, sizeof *out, 4, rows[i].bin_of);
        cr_assert_eq(outside, rows[i].outside, "%s: %llu", rows[i].bin_of, (unsigned long long)outside);
    }
    clprim_runtime_destroy(runtime);
}

/* The compiler's log names the text with the mistake, and its line. */
Test(histogram_errors, mistakes_are_located)
{
    static const struct {
        const char *bin_of, *source, *place;
    } rows[] = {
        {"x + missing", NULL, "bin_of:1"},
        {"\nx +\n missing", NULL, "bin_of:3"},
        {"x + 1;", NULL, "bin_of"},
        {"fine(x)", "typedef int fine;\ntypedef missing broken;", "source:2"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            clprim_plan *plan = NULL;
            const clprim_histogram_desc desc = {.type = CLPRIM_I32,
                                                .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                                .bins = 4,
                                                .bin_of = rows[i].bin_of,
                                                .source = rows[i].source,
                                                .variant = (clprim_histogram_variant)variant};
            uint32_t out[4] = {77, 77, 77, 77};
            uint64_t outside = 99;
            if (i > 0 && (int)i % HISTOGRAM_VARIANTS != variant && !test_is_full()) /* the first by all */
                continue;
            const clprim_status status = clprim_histogram_create(&plan, runtime, &desc);
            cr_assert_null(plan);
            if (status == CLPRIM_UNSUPPORTED && variant != CLPRIM_HISTOGRAM_AUTO)
                continue;
            cr_assert_eq((int)status, (int)CLPRIM_BUILD_FAILED, "row %zu: %s", i, clprim_status_string(status));
            cr_assert_not_null(strstr(clprim_last_error(), rows[i].place), "%s is not named in: %s", rows[i].place,
                               clprim_last_error());
            if (variant == CLPRIM_HISTOGRAM_AUTO)
                ASSERT_STATUS(clprim_histogram_run(
                                  runtime, &desc,
                                  &(clprim_histogram_call){.out = {.host = out}, .outside_out = {.host = &outside}}),
                              CLPRIM_BUILD_FAILED);
            cr_assert(out[0] == 77 && out[3] == 77 && outside == 99, "a refusal must not write");
        }
    clprim_runtime_destroy(runtime);
}

/* Texts and boundaries are the plan's own copies. */
Test(histogram_errors, the_description_may_go_once_the_plan_is_made)
{
    static const int32_t data[] = {-5, 0, 3, 4, 9, 12};
    static const uint32_t expected[2][2] = {{2, 1}, {1, 1}};
    clprim_runtime *runtime = test_runtime(NULL);
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, 2 * sizeof(uint32_t));
    for (int custom = 0; custom < 2; custom++) {
        char bin_of[] = "x < 9 ? quarter(x) : -1";
        char source[] = "static int quarter(int a) { return (a >> 1) - 1; }";
        double boundaries[] = {0, 3.5, 4.5};
        uint32_t found[2];
        clprim_plan *plan = NULL;
        clprim_histogram_desc desc = {.type = CLPRIM_I32,
                                      .mapping = custom ? CLPRIM_HISTOGRAM_CUSTOM : CLPRIM_HISTOGRAM_BOUNDARIES,
                                      .bins = 2,
                                      .boundaries = boundaries,
                                      .bin_of = bin_of,
                                      .source = source};
        ASSERT_OK(clprim_histogram_create(&plan, runtime, &desc));
        memset(bin_of, '?', sizeof bin_of);
        memset(source, '?', sizeof source);
        memset(boundaries, 0xff, sizeof boundaries);
        memset(&desc, 0xff, sizeof desc);
        ASSERT_OK(clprim_histogram_enqueue(plan, NULL, &(clprim_histogram_call){.in = {in}, .count = 6, .out = {out}},
                                           0, NULL, NULL));
        test_read(runtime, found, out, sizeof found);
        test_expect_same(expected[custom], found, sizeof *found, 2, custom ? "custom" : "boundaries");
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}
