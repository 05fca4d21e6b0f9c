/* reduce_by_key_reference.c: the folds of runs, on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "fold.h"
#include "operator.h"
#include "order.h"

static bool begins_run(const void *keys, size_t key_size, size_t i)
{
    const char *key = (const char *)keys + i * key_size;
    return i == 0 || memcmp(key - key_size, key, key_size) != 0;
}

static clprim_status check(const void *keys_out, const void *values_out, const size_t *runs, size_t key_size,
                           const void *keys_in, const void *values_in, size_t count)
{
    if (runs == NULL || key_size == 0 ||
        (count > 0 && (keys_out == NULL || values_out == NULL || keys_in == NULL || values_in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_by_key: an argument is NULL or 0");
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce_by_key(void *keys_out, void *values_out, size_t *runs, size_t key_size,
                                             clprim_type type, clprim_op op, clprim_type accumulator_type,
                                             const void *keys_in, const void *values_in, size_t count)
{
    return clprim_reference_reduce_by_key_ordered(keys_out, values_out, runs, key_size, type, op, accumulator_type,
                                                  CLPRIM_NAN_TOTAL, keys_in, values_in, count);
}

clprim_status clprim_reference_reduce_by_key_ordered(void *keys_out, void *values_out, size_t *runs, size_t key_size,
                                                     clprim_type type, clprim_op op, clprim_type accumulator_type,
                                                     clprim_nan_order nan_order, const void *keys_in,
                                                     const void *values_in, size_t count)
{
    clprim_status status = check(keys_out, values_out, runs, key_size, keys_in, values_in, count);
    if (status == CLPRIM_SUCCESS)
        status = clprim__operator_check(type, op, &accumulator_type);
    if (status == CLPRIM_SUCCESS)
        status = clprim__nan_order_check(nan_order, false);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = clprim_type_size(type);
    const size_t result_size = clprim__fold_result_size(type, op, accumulator_type);
    clprim__fold fold = {0};
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        if (begins_run(keys_in, key_size, i)) {
            memcpy((char *)keys_out + number++ * key_size, (const char *)keys_in + i * key_size, key_size);
            clprim__fold_begin(&fold, type, op, accumulator_type, nan_order, NULL);
            fold.count = op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX ? i : 0;
        }
        clprim__fold_add(&fold, (const char *)values_in + i * size);
        clprim__fold_store(&fold, (char *)values_out + (number - 1) * result_size);
    }
    *runs = number;
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce_by_key_custom(void *keys_out, void *values_out, size_t *runs, size_t key_size,
                                                    size_t size, clprim_reference_combine combine, const void *keys_in,
                                                    const void *values_in, size_t count)
{
    const clprim_status status = check(keys_out, values_out, runs, key_size, keys_in, values_in, count);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (size == 0 || combine == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_by_key_custom: an argument is NULL or 0");
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        const char *value = (const char *)values_in + i * size;
        if (begins_run(keys_in, key_size, i)) {
            memcpy((char *)keys_out + number * key_size, (const char *)keys_in + i * key_size, key_size);
            memcpy((char *)values_out + number++ * size, value, size);
        } else {
            combine((char *)values_out + (number - 1) * size, value);
        }
    }
    *runs = number;
    return CLPRIM_SUCCESS;
}
