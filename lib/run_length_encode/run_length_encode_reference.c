/* run_length_encode_reference.c: runs and their lengths, on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"

clprim_status clprim_reference_run_length_encode(void *out, uint64_t *lengths, size_t *runs, size_t size,
                                                 const void *in, size_t count)
{
    if (runs == NULL || size == 0 || (count > 0 && (out == NULL || lengths == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_run_length_encode: an argument is NULL or 0");
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        const char *element = (const char *)in + i * size;
        if (i == 0 || memcmp(element - size, element, size) != 0) {
            memcpy((char *)out + number * size, element, size);
            lengths[number++] = 0;
        }
        lengths[number - 1]++;
    }
    *runs = number;
    return CLPRIM_SUCCESS;
}
