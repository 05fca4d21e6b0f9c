/* test_types.references.c: what the references on the CPU refuse. That they are right follows from what primitives make
 * of their results; here nothing is written. */
#include <clprim/reference.h>

#include "support.h"

enum { COUNT = 3 };

static const int32_t in[COUNT] = {3, 1, 2};
static const int32_t identity = 0;

static void add(void *accumulated, const void *element)
{
    *(int32_t *)accumulated += *(const int32_t *)element;
}

Test(references, of_folds_refuse_what_is_missing)
{
    int64_t out[COUNT] = {7, 7, 7};
    double error = 7;
    double bound = 7;
    const clprim_reference_scan_how with_initial = {.initial = &identity};
    const clprim_status refused[] = {
        clprim_reference_reduce(NULL, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I64), in, COUNT),
        clprim_reference_reduce(out, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I64), NULL, COUNT),
        clprim_reference_scan(NULL, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I64), NULL, in, COUNT),
        clprim_reference_scan(out, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I64), NULL, NULL, COUNT),
        clprim_reference_scan(out, TEST_FOLD(CLPRIM_I32, CLPRIM_ARGMIN, CLPRIM_TYPE_DEFAULT), &with_initial, in, COUNT),
        clprim_reference_scan(out, &(clprim_reference_operator){.combine = add, .size = 0, .identity = &identity}, NULL,
                              in, COUNT),
        clprim_reference_scan(out, &(clprim_reference_operator){.combine = add, .size = 4, .identity = NULL}, NULL, in,
                              COUNT),
        clprim_reference_scan(out, &(clprim_reference_operator){.combine = NULL, .size = 4, .identity = &identity},
                              NULL, in, COUNT),
        clprim_reference_scan(out, &(clprim_reference_operator){.combine = add, .size = 4, .identity = &identity}, NULL,
                              NULL, COUNT),
        clprim_reference_scan_error(NULL, NULL, TEST_FOLD(CLPRIM_F32, CLPRIM_SUM, CLPRIM_F32), NULL, in, COUNT, 0, in),
        clprim_reference_scan_error(&error, NULL, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), NULL, in, COUNT, 0,
                                    in),
        clprim_reference_reduce_error(&error, &bound, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), in, COUNT, 0, in),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        cr_assert(refused[i] != CLPRIM_SUCCESS, "call %zu was taken", i);
    cr_assert(out[0] == 7 && out[1] == 7 && out[2] == 7 && error == 7 && bound == 7, "something was written");
}

Test(references, of_orders_refuse_what_is_missing)
{
    int32_t out[2 * COUNT] = {7, 7, 7, 7, 7, 7};
    uint64_t places[COUNT] = {7, 7, 7};
    size_t sorted = 7;
    const clprim_reference_order unknown = {.type = CLPRIM_TYPE_END};
    const clprim_reference_order without_order = {.type = CLPRIM_I32, .size = 12};
    const clprim_status refused[] = {
        clprim_reference_merge(NULL, NULL, NULL, 0, in, NULL, COUNT, in, NULL, COUNT),
        clprim_reference_merge(out, NULL, NULL, 0, NULL, NULL, COUNT, in, NULL, COUNT),
        clprim_reference_merge(out, NULL, &unknown, 0, in, NULL, COUNT, in, NULL, COUNT),
        clprim_reference_is_sorted(&sorted, &without_order, in, COUNT),
        clprim_reference_is_sorted(&sorted, NULL, NULL, COUNT),
        clprim_reference_search(places, &unknown, false, in, COUNT, in, COUNT),
        clprim_reference_search(NULL, NULL, false, in, COUNT, in, COUNT),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        cr_assert(refused[i] == CLPRIM_INVALID_ARGUMENT, "call %zu: %s", i, clprim_status_string(refused[i]));
    cr_assert(out[0] == 7 && places[0] == 7 && sorted == 7, "something was written");
}
