// SPDX-License-Identifier: MIT
/* test_types.references.c: what the references on the CPU refuse, and that they then write nothing. That their results
 * are right follows from the comparison with the primitives. */
#include "folds.h"
#include "ordered.h"

enum { COUNT = 3 };

static const int32_t in[COUNT] = {3, 1, 2};
static const int32_t identity = 0;

#define REFUSES(reference, ...) ASSERT_STATUS(clprim_reference_##reference(__VA_ARGS__), CLPRIM_INVALID_ARGUMENT)

Test(references, of_folds_refuse_what_is_missing)
{
    int64_t out[COUNT] = {7, 7, 7};
    double error = 7;
    double bound = 7;
    const clprim_reference_combine combine = test_operators[TEST_JOIN].combine;
    const clprim_reference_scan_how how = {.initial = &identity};
    const clprim_reference_operator sum = {.type = CLPRIM_I32, .accumulator_type = CLPRIM_I64};
    const clprim_reference_operator least = {.type = CLPRIM_I32, .op = CLPRIM_ARGMIN};
    const clprim_reference_operator float_sum = {.type = CLPRIM_F32};
    const clprim_reference_operator float_max = {.type = CLPRIM_F32, .op = CLPRIM_MAX};
    const clprim_reference_operator own = {.combine = combine, .size = 4, .identity = &identity};
    const clprim_reference_operator own_float = {
        .type = CLPRIM_F32, .combine = combine, .size = 4, .identity = &identity};
    const clprim_reference_operator without_size = {.combine = combine, .identity = &identity};
    const clprim_reference_operator without_combine = {.size = 4, .identity = &identity};
    const clprim_reference_operator *incomplete[] = {NULL, &without_size, &without_combine};
    for (size_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++) {
        REFUSES(reduce, out, incomplete[i], in, COUNT);
        REFUSES(scan, out, incomplete[i], NULL, in, COUNT);
    }
    for (int is_own = 0; is_own < 2; is_own++) {
        REFUSES(reduce, NULL, is_own ? &own : &sum, in, COUNT);
        REFUSES(reduce, out, is_own ? &own : &sum, NULL, COUNT);
        REFUSES(scan, NULL, is_own ? &own : &sum, NULL, in, COUNT);
        REFUSES(scan, out, is_own ? &own : &sum, NULL, NULL, COUNT);
    }
    REFUSES(scan, out, &least, &how, in, COUNT);
    REFUSES(scan_error, NULL, NULL, &float_sum, NULL, in, COUNT, 0, in);
    REFUSES(scan_error, &error, NULL, NULL, NULL, in, COUNT, 0, in);
    REFUSES(scan_error, &error, NULL, &sum, NULL, in, COUNT, 0, in);
    REFUSES(reduce_error, &error, &bound, &sum, in, COUNT, 0, in); /* this does not round */
    REFUSES(reduce_error, &error, &bound, &float_max, in, COUNT, 0, in);
    REFUSES(reduce_error, &error, &bound, &own_float, in, COUNT, 0, in);
    REFUSES(reduce_error, &error, &bound, NULL, in, COUNT, 0, in);
    REFUSES(reduce_error, &error, &bound, &float_sum, NULL, COUNT, 0, in);
    cr_assert(out[0] == 7 && out[1] == 7 && out[2] == 7 && error == 7 && bound == 7, "something was written");
}

Test(references, of_orders_refuse_what_is_missing_or_unknown)
{
    int32_t keys[COUNT] = {7, 6, 5};
    int32_t out[2 * COUNT] = {7, 7, 7, 7, 7, 7};
    uint64_t places[COUNT] = {7, 7, 7};
    size_t number = 7;
    const clprim_reference_order unknown = {.type = CLPRIM_TYPE_END};
    const clprim_reference_order without_order = {.type = CLPRIM_I32, .size = 12};
    const clprim_nan_order no = (clprim_nan_order)2;
    const uint64_t offsets[] = {0, COUNT};
    const clprim_reference_sort_how sort = {.nan_order = no};
    const clprim_reference_sort_by_key_how by_key = {.nan_order = no};
    const clprim_reference_top_k_how top_k = {.k = 2, .nan_order = no};
    const clprim_reference_operator min = {.type = CLPRIM_F32, .op = CLPRIM_MIN, .nan_order = no};
    REFUSES(merge, NULL, NULL, NULL, 0, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(merge, out, NULL, NULL, 0, NULL, NULL, COUNT, in, NULL, COUNT);
    REFUSES(merge, out, NULL, &unknown, 0, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(set_operation, NULL, NULL, &number, CLPRIM_SET_UNION, NULL, 0, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(set_operation, out, NULL, NULL, CLPRIM_SET_UNION, NULL, 0, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(set_operation, out, NULL, &number, (clprim_set_op)4, NULL, 0, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(set_operation, out, NULL, &number, CLPRIM_SET_UNION, NULL, 4, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(set_operation, out, NULL, &number, CLPRIM_SET_UNION, &unknown, 0, in, NULL, COUNT, in, NULL, COUNT);
    REFUSES(is_sorted, &number, &without_order, in, COUNT);
    REFUSES(is_sorted, &number, NULL, NULL, COUNT);
    REFUSES(search, places, &unknown, false, in, COUNT, in, COUNT);
    REFUSES(search, NULL, NULL, false, in, COUNT, in, COUNT);
    /* An order of NaNs that does not exist, and one together with the caller's own order. */
    REFUSES(sort, keys, NULL, &sort, COUNT);
    REFUSES(segmented_sort, keys, NULL, &sort, COUNT, CLPRIM_U64, offsets, 1);
    REFUSES(sort_by_key, keys, (void *const[]){keys}, &by_key, COUNT);
    REFUSES(top_k, out, NULL, &top_k, in, NULL, COUNT);
    REFUSES(scan, out, &min, NULL, in, COUNT);
    REFUSES(reduce, out, &min, in, COUNT);
    REFUSES(reduce_by_key, out, out, &number, 4, &min, in, in, COUNT);
    for (int is_custom = 0; is_custom < 2; is_custom++) {
        const clprim_reference_before before = is_custom ? test_orders[0].before : NULL;
        const clprim_nan_order nan_order = is_custom ? CLPRIM_NAN_LAST : no;
        const clprim_reference_order order = {.before = before, .nan_order = nan_order};
        const clprim_reference_bitonic_how bitonic = {.before = before, .nan_order = nan_order};
        const clprim_reference_comparison_how comparison = {.before = before, .nan_order = nan_order};
        REFUSES(bitonic_sort, keys, NULL, &bitonic, COUNT);
        REFUSES(comparison_sort, keys, NULL, &comparison, COUNT);
        REFUSES(merge, out, NULL, &order, 0, in, NULL, 1, in, NULL, 1);
        REFUSES(set_operation, out, NULL, &number, CLPRIM_SET_UNION, &order, 0, in, NULL, 1, in, NULL, 1);
        REFUSES(is_sorted, &number, &order, in, COUNT);
        REFUSES(search, places, &order, false, in, COUNT, in, COUNT);
    }
    cr_assert(keys[0] == 7 && keys[1] == 6 && keys[2] == 5, "keys were written");
    cr_assert(out[0] == 7 && out[1] == 7 && out[2] == 7 && places[0] == 7 && number == 7, "something was written");
}
