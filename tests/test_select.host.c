/* test_select.host.c: selections from arrays on the host, and the reference itself. */
#include <clprim/reference.h>
#include <clprim/select.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 70001, GUARD = 5 };

/* Known by heart, so that not everything rests on one function. */
Test(select_host, reference)
{
    static const int16_t in[] = {5, -1, 7, -3, 9};
    static const uint8_t keep[] = {0, 1, 0, 2, 255};
    int16_t out[6] = {77, 77, 77, 77, 77, 77};
    size_t selected = 99;
    ASSERT_OK(clprim_reference_select(out, &selected, sizeof *in, keep, false, in, 5));
    cr_assert_eq(selected, 3);
    static const int16_t compacted[] = {-1, -3, 9, 77, 77, 77};
    cr_assert(memcmp(out, compacted, sizeof out) == 0, "compaction");
    ASSERT_OK(clprim_reference_select(out, &selected, sizeof *in, keep, true, in, 5));
    cr_assert_eq(selected, 3);
    static const int16_t partitioned[] = {-1, -3, 9, 5, 7, 77};
    cr_assert(memcmp(out, partitioned, sizeof out) == 0, "partition");
    ASSERT_OK(clprim_reference_select(NULL, &selected, sizeof *in, NULL, true, NULL, 0));
    cr_assert_eq(selected, 0, "none of nothing");
}

Test(select_host, reference_refuses)
{
    static const int16_t in[] = {5, -1};
    static const uint8_t keep[] = {0, 1};
    int16_t out[2] = {77, 77};
    size_t selected = 99;
    ASSERT_STATUS(clprim_reference_select(NULL, &selected, 2, keep, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, NULL, 2, keep, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, &selected, 0, keep, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, &selected, 2, NULL, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, &selected, 2, keep, false, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && out[1] == 77 && selected == 99, "a refusal must not write");
}

/* Few and many elements by predicate, by flags and as partition, from arrays aligned as their elements need it; flags
 * that end where their memory does. */
static void check_count(clprim_runtime *runtime, size_t count, bool by_flags, bool partition)
{
    const clprim_select_desc desc = {.type = CLPRIM_I32,
                                     .predicate = by_flags ? NULL : "x < 0 && i != 3",
                                     .flags_type = CLPRIM_I8,
                                     .partition = partition};
    int32_t *in = malloc((count + 1) * sizeof *in);
    uint8_t *flags = malloc(count + 1);
    int32_t *out = malloc((count + GUARD) * sizeof *out);
    int32_t *expected = malloc((count + GUARD) * sizeof *expected);
    size_t expected_selected = 0;
    uint32_t selected = 99;
    cr_assert(in != NULL && flags != NULL && out != NULL && expected != NULL);
    test_fill(in + 1, CLPRIM_I32, CLPRIM_MIN, TEST_RANDOM, count, TEST_SEED + count);
    for (size_t i = 0; i < count; i++)
        flags[i + 1] = in[i + 1] < 0 && i != 3 ? 0x80 : 0;
    memset(out, 0xa5, (count + GUARD) * sizeof *out);
    memset(expected, 0xa5, (count + GUARD) * sizeof *expected);
    ASSERT_OK(
        clprim_reference_select(expected + 1, &expected_selected, sizeof *in, flags + 1, partition, in + 1, count));
    ASSERT_OK(clprim_select_run(runtime, &desc,
                                &(clprim_select_call){.in = {.host = in + 1},
                                                      .flags = {.host = by_flags ? flags + 1 : NULL},
                                                      .count = count,
                                                      .out = {.host = out + 1},
                                                      .out_count = {.host = &selected}}));
    cr_assert_eq(selected, expected_selected, "%u selected from %zu, not %zu", selected, count, expected_selected);
    test_expect_same(expected, out, sizeof *out, 1 + (partition ? count : selected), "the result");
    test_expect_same(expected + 1 + count, out + 1 + count, sizeof *out, GUARD - 1, "behind the room for the result");
    free(in);
    free(flags);
    free(out);
    free(expected);
}

Test(select_host, by_predicate_by_flags_and_as_partition)
{
    static const size_t counts[] = {0, 1, 2, 5, 1000, COUNT};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int by_flags = 0; by_flags < 2; by_flags++)
            for (int partition = 0; partition < 2; partition++)
                check_count(runtime, counts[i], by_flags != 0, partition != 0);
    clprim_runtime_destroy(runtime);
}

/* No runtime: the default one. No description: I32 by flags of U8. No elements: no arrays needed. */
Test(select_host, defaults)
{
    static int32_t in[] = {1, -2, 30, 400};
    static uint8_t flags[] = {0, 7, 0, 255};
    int32_t out[4] = {0};
    uint32_t selected = 99;
    ASSERT_OK(clprim_select_run(NULL, NULL,
                                &(clprim_select_call){.in = {.host = in},
                                                      .flags = {.host = flags},
                                                      .count = 4,
                                                      .out = {.host = out},
                                                      .out_count = {.host = &selected}}));
    cr_assert(selected == 2 && out[0] == -2 && out[1] == 400, "%u: %d %d", selected, out[0], out[1]);
    selected = 99;
    ASSERT_OK(clprim_select_run(NULL, NULL, &(clprim_select_call){.out_count = {.host = &selected}}));
    cr_assert_eq(selected, 0);
    const clprim_select_desc desc = {.type = CLPRIM_I32, .predicate = "x > 20"};
    selected = 99;
    ASSERT_OK(
        clprim_select_run(NULL, &desc, &(clprim_select_call){.out = {.host = out}, .out_count = {.host = &selected}}));
    cr_assert_eq(selected, 0);
    ASSERT_OK(clprim_select_run(
        NULL, &desc,
        &(clprim_select_call){.in = {.host = in}, .count = 4, .out = {.host = out}, .out_count = {.host = &selected}}));
    cr_assert(selected == 2 && out[0] == 30 && out[1] == 400, "%u: %d %d", selected, out[0], out[1]);
}

Test(select_host, structs)
{
    typedef struct span {
        uint32_t begin, end;
        int32_t weight;
    } span;
    static span in[] = {{1, 2, 3}, {5, 4, 3}, {6, 8, 0}, {7, 9, 4}};
    const clprim_select_desc desc = {.type_name = "span",
                                     .type_size = sizeof(span),
                                     .source = "typedef struct { uint begin, end; int weight; } span;",
                                     .predicate = "x.begin < x.end && x.weight != 0",
                                     .partition = true};
    static const span expected[] = {{1, 2, 3}, {7, 9, 4}, {5, 4, 3}, {6, 8, 0}};
    clprim_runtime *runtime = test_runtime(NULL);
    span out[4];
    uint32_t selected = 99;
    ASSERT_OK(clprim_select_run(
        runtime, &desc,
        &(clprim_select_call){.in = {.host = in}, .count = 4, .out = {.host = out}, .out_count = {.host = &selected}}));
    cr_assert_eq(selected, 2);
    test_expect_same(expected, out, sizeof(span), 4, "structs");
    clprim_runtime_destroy(runtime);
}

/* The strings are the library's own copies. */
Test(select_host, the_texts_may_go_once_the_plan_is_made)
{
    char source[] = "typedef int number;";
    char predicate[] = "x < -2";
    char type_name[] = "number";
    clprim_select_desc desc = {
        .source = source, .predicate = predicate, .type_name = type_name, .type_size = sizeof(int32_t)};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_select_create(&plan, runtime, &desc));
    memset(source, '?', sizeof source);
    memset(predicate, '?', sizeof predicate);
    memset(type_name, '?', sizeof type_name);
    memset(&desc, 0xff, sizeof desc);
    static const int32_t data[] = {-5, -1, -7};
    int32_t result[2] = {0};
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, sizeof data);
    test_output selected = test_output_create(runtime, sizeof(cl_uint), 1);
    ASSERT_OK(clprim_select_enqueue(
        plan, NULL, &(clprim_select_call){.in = {in}, .count = 3, .out = {out}, .out_count = {selected.buffer, 1}}, 0,
        NULL, NULL));
    cl_uint number = 0;
    test_output_read(runtime, &selected, &number, "after the texts went");
    test_read(runtime, result, out, sizeof result);
    cr_assert(number == 2 && result[0] == -5 && result[1] == -7);
    clprim_plan_destroy(plan);
    test_output_destroy(&selected);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}
