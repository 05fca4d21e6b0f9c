// SPDX-License-Identifier: MIT
/* reduce_by_key_reference.c: the folds of runs, on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"
#include "fold.h"

static bool begins_run(const void *keys, size_t key_size, size_t i)
{
    const char *key = (const char *)keys + i * key_size;
    return i == 0 || memcmp(key - key_size, key, key_size) != 0;
}

static size_t reduce_custom(char *keys_out, char *values_out, size_t key_size, const clprim_reference_operator *by,
                            const char *keys_in, const char *values_in, size_t count)
{
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        const char *value = values_in + i * by->size;
        if (begins_run(keys_in, key_size, i)) {
            memcpy(keys_out + number * key_size, keys_in + i * key_size, key_size);
            memcpy(values_out + number++ * by->size, value, by->size);
        } else {
            by->combine(values_out + (number - 1) * by->size, value);
        }
    }
    return number;
}

static size_t reduce(char *keys_out, char *values_out, size_t key_size, const clprim_reference_operator *by,
                     const char *keys_in, const char *values_in, size_t count)
{
    const size_t size = clprim_type_size(by->type);
    const size_t result_size = clprim__fold_result_size(by);
    clprim__fold fold = {0};
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        if (begins_run(keys_in, key_size, i)) {
            memcpy(keys_out + number++ * key_size, keys_in + i * key_size, key_size);
            clprim__fold_begin(&fold, by, NULL);
            fold.count = by->op == CLPRIM_ARGMIN || by->op == CLPRIM_ARGMAX ? i : 0;
        }
        clprim__fold_add(&fold, values_in + i * size);
        clprim__fold_store(&fold, values_out + (number - 1) * result_size);
    }
    return number;
}

clprim_status clprim_reference_reduce_by_key(void *keys_out, void *values_out, size_t *runs, size_t key_size,
                                             const clprim_reference_operator *by, const void *keys_in,
                                             const void *values_in, size_t count)
{
    if (runs == NULL || key_size == 0 || by == NULL || (by->combine != NULL && by->size == 0) ||
        (count > 0 && (keys_out == NULL || values_out == NULL || keys_in == NULL || values_in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_by_key: an argument is NULL or 0");
    clprim_reference_operator known;
    const clprim_status status = by->combine != NULL ? CLPRIM_SUCCESS : clprim__fold_check(&known, by, false);
    if (status == CLPRIM_SUCCESS)
        *runs = by->combine != NULL ? reduce_custom(keys_out, values_out, key_size, by, keys_in, values_in, count)
                                    : reduce(keys_out, values_out, key_size, &known, keys_in, values_in, count);
    return status;
}
