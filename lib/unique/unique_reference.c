/* unique_reference.c: the first element of each run, on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"

clprim_status clprim_reference_unique(void *out, size_t *selected, size_t size, clprim_reference_equal equal,
                                      const void *in, size_t count)
{
    if (selected == NULL || size == 0 || (count > 0 && (out == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_unique: an argument is NULL or 0");
    size_t runs = 0;
    for (size_t i = 0; i < count; i++) {
        const char *element = (const char *)in + i * size;
        const bool goes_on =
            i > 0 && (equal != NULL ? equal(element - size, element) : memcmp(element - size, element, size) == 0);
        if (!goes_on)
            memcpy((char *)out + runs++ * size, element, size);
    }
    *selected = runs;
    return CLPRIM_SUCCESS;
}
