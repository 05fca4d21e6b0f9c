/* test_reduce_by_key.errors.c: the references, and descriptions that are refused. */
#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>

#include "support.h"

/* Known by heart, so that not everything rests on one function. */
Test(reduce_by_key_errors, reference)
{
    static const int16_t keys[] = {5, 5, 5, -1, 5, 7, 7};
    static const uint8_t values[] = {200, 100, 1, 3, 9, 4, 6};
    static const int16_t expected_keys[] = {5, -1, 5, 7, 77};
    static const uint32_t sums[] = {301, 3, 9, 10, 99};
    int16_t keys_out[5] = {77, 77, 77, 77, 77};
    uint32_t out[5] = {99, 99, 99, 99, 99};
    clprim_indexed lowest[4];
    size_t runs = 99;
#define REFERENCE(keys_out, out, runs, size, op, in)                                                                   \
    clprim_reference_reduce_by_key(keys_out, out, runs, size, CLPRIM_U8, op, CLPRIM_U32, in, values, 7)
    ASSERT_STATUS(REFERENCE(NULL, out, &runs, 2, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, NULL, &runs, 2, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, NULL, 2, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 0, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 2, CLPRIM_MIN, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 2, CLPRIM_SUM, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(REFERENCE(keys_out, out, &runs, 2, CLPRIM_SUM, keys));
    cr_assert_eq(runs, 4);
    cr_assert(memcmp(keys_out, expected_keys, sizeof keys_out) == 0);
    cr_assert(memcmp(out, sums, sizeof out) == 0);
    ASSERT_OK(clprim_reference_reduce_by_key(keys_out, lowest, &runs, 2, CLPRIM_U8, CLPRIM_ARGMIN, CLPRIM_TYPE_DEFAULT,
                                             keys, values, 7));
    cr_assert(lowest[0].index == 2 && lowest[0].value.u8 == 1 && lowest[3].index == 5 && lowest[3].value.u8 == 4);
    ASSERT_OK(clprim_reference_reduce_by_key(NULL, NULL, &runs, 2, CLPRIM_U8, CLPRIM_SUM, CLPRIM_U8, NULL, NULL, 0));
    cr_assert_eq(runs, 0);
}

static void append(void *accumulated, const void *element)
{
    uint32_t digits = 0;
    uint32_t digit = 0;
    memcpy(&digits, accumulated, sizeof digits);
    memcpy(&digit, element, sizeof digit);
    digits = digits * 10 + digit;
    memcpy(accumulated, &digits, sizeof digits);
}

Test(reduce_by_key_errors, reference_of_custom_operators)
{
    static const uint8_t keys[] = {5, 5, 5, 1, 5};
    static const uint32_t values[] = {1, 2, 3, 4, 5};
    uint8_t keys_out[4] = {77, 77, 77, 77};
    uint32_t out[4] = {99, 99, 99, 99};
    size_t runs = 99;
#define CUSTOM(size, combine)                                                                                          \
    clprim_reference_reduce_by_key_custom(keys_out, out, &runs, 1, size, combine, keys, values, 5)
    ASSERT_STATUS(CUSTOM(0, append), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(CUSTOM(4, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(CUSTOM(4, append));
    cr_assert(runs == 3 && keys_out[0] == 5 && keys_out[1] == 1 && keys_out[2] == 5 && keys_out[3] == 77);
    cr_assert(out[0] == 123 && out[1] == 4 && out[2] == 5 && out[3] == 99);
}

static void check_desc(clprim_runtime *runtime, clprim_reduce_by_key_desc desc, clprim_status expected,
                       const char *word)
{
    clprim_plan *none = NULL;
    ASSERT_STATUS(clprim_reduce_by_key_create(&none, runtime, &desc), expected);
    cr_assert_null(none);
    cr_assert_not_null(strstr(clprim_last_error(), word), "\"%s\" does not say \"%s\"", clprim_last_error(), word);
}

Test(reduce_by_key_errors, descriptions)
{
    typedef clprim_reduce_by_key_desc desc;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_custom_op broken = {.combine = "a + missing", .identity = "0"};
    const clprim_custom_op halved = {.combine = "a + b"};
    check_desc(runtime, (desc){.key_type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "key_type 99");
    check_desc(runtime, (desc){.type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (desc){.op = (clprim_op)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (desc){.type = CLPRIM_F32, .op = CLPRIM_AND}, CLPRIM_INVALID_OPERATOR, "and");
    check_desc(runtime, (desc){.accumulator_type = CLPRIM_I16}, CLPRIM_INVALID_ARGUMENT, "accumulator_type");
    check_desc(runtime, (desc){.custom = &halved}, CLPRIM_INVALID_ARGUMENT, "identity");
    check_desc(runtime, (desc){.custom = &broken}, CLPRIM_BUILD_FAILED, "combine");
    check_desc(runtime, (desc){.index_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT, "index_type");
    check_desc(runtime, (desc){.max_count = (size_t)UINT32_MAX + 1}, CLPRIM_INVALID_ARGUMENT, "U64");
    check_desc(runtime, (desc){.variant = (clprim_scan_variant)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (desc){.variant = CLPRIM_SCAN_NAIVE}, CLPRIM_INVALID_ARGUMENT, "naive");
    clprim_runtime_destroy(runtime);
}
