/* test_reduce_by_key.errors.c: the references, and descriptions that are refused. */
#include <clprim/reference.h>

#include "call.h"

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
    clprim_reference_reduce_by_key(keys_out, out, runs, size, TEST_FOLD(CLPRIM_U8, op, CLPRIM_U32), in, values, 7)
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
    ASSERT_OK(clprim_reference_reduce_by_key(
        keys_out, lowest, &runs, 2, TEST_FOLD(CLPRIM_U8, CLPRIM_ARGMIN, CLPRIM_TYPE_DEFAULT), keys, values, 7));
    cr_assert(lowest[0].index == 2 && lowest[0].value.u8 == 1 && lowest[3].index == 5 && lowest[3].value.u8 == 4);
    ASSERT_OK(clprim_reference_reduce_by_key(NULL, NULL, &runs, 2, TEST_FOLD(CLPRIM_U8, CLPRIM_SUM, CLPRIM_U8), NULL,
                                             NULL, 0));
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
#define CUSTOM(size_, combine_)                                                                                        \
    clprim_reference_reduce_by_key(keys_out, out, &runs, 1,                                                            \
                                   &(clprim_reference_operator){.combine = (combine_), .size = (size_)}, keys, values, \
                                   5)
    ASSERT_STATUS(CUSTOM(0, append), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(CUSTOM(4, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(CUSTOM(4, append));
    cr_assert(runs == 3 && keys_out[0] == 5 && keys_out[1] == 1 && keys_out[2] == 5 && keys_out[3] == 77);
    cr_assert(out[0] == 123 && out[1] == 4 && out[2] == 5 && out[3] == 99);
}

Test(reduce_by_key_errors, descriptions)
{
    static const struct {
        clprim_reduce_by_key_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_F32, .op = CLPRIM_AND}, CLPRIM_INVALID_OPERATOR, "and"},
        {{.accumulator_type = CLPRIM_I16}, CLPRIM_INVALID_ARGUMENT, "accumulator_type"},
        {{.variant = CLPRIM_SCAN_NAIVE}, CLPRIM_INVALID_ARGUMENT, "naive"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, &clprim_reduce_by_key_operation, &rows[i].desc, rows[i].status, rows[i].culprit);
    clprim_runtime_destroy(runtime);
}
