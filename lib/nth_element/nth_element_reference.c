// SPDX-License-Identifier: MIT
/* nth_element_reference.c: keys at given ranks on the host, by sorting all keys. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "sizes.h"

clprim_status clprim_reference_nth_element(void *keys_out, const clprim_reference_nth_element_how *how,
                                           const void *keys, size_t count, const uint64_t *ranks, size_t rank_count)
{
    const clprim_reference_sort_how sort = {.key_type = how != NULL ? how->key_type : CLPRIM_U32,
                                            .descending = how != NULL && how->descending,
                                            .nan_order = how != NULL ? how->nan_order : CLPRIM_NAN_TOTAL};
    const size_t size = clprim_type_size(sort.key_type != CLPRIM_TYPE_DEFAULT ? sort.key_type : CLPRIM_U32);
    clprim_status status = CLPRIM_SUCCESS;
    if ((count > 0 && rank_count > 0 && (keys == NULL || keys_out == NULL)) || (rank_count > 0 && ranks == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_nth_element: keys, keys_out or ranks is NULL");
    const size_t bytes = clprim__plus(clprim__times(count, size), 1);
    char *sorted = bytes < SIZE_MAX ? malloc(bytes) : NULL;
    if (sorted == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the sorted keys");
    if (keys != NULL)
        memcpy(sorted, keys, count * size);
    CLPRIM__TRY(clprim_reference_sort(sorted, NULL, &sort, count));
    for (size_t r = 0; r < rank_count && count > 0; r++) {
        const size_t rank = ranks[r] < count ? (size_t)ranks[r] : count - 1;
        memcpy((char *)keys_out + r * size, sorted + rank * size, size);
    }
done:
    free(sorted);
    return status;
}
