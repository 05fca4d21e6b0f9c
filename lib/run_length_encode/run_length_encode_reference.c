// SPDX-License-Identifier: MIT
/* run_length_encode_reference.c: runs, their lengths and offsets, on the host. */
#include <clprim/reference.h>
#include <string.h>

#include "error.h"

/* The end of the run that begins with element `begin`. */
static size_t end_of_run(const char *in, size_t size, clprim_reference_equal equal, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count) {
        const char *b = in + end * size;
        if (equal != NULL ? !equal(b - size, b) : memcmp(b - size, b, size) != 0)
            break;
        end++;
    }
    return end;
}

clprim_status clprim_reference_runs(void *out, uint64_t *lengths, size_t *runs, size_t size,
                                    const clprim_reference_runs_how *how, const void *in, size_t count)
{
    static const clprim_reference_runs_how all = {0};
    how = how != NULL ? how : &all;
    if (runs == NULL || size == 0 || (count > 0 && (out == NULL || lengths == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_run_length_encode: an argument is NULL or 0");
    size_t number = 0;
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        end = end_of_run(in, size, how->equal, begin, count);
        if (end - begin < how->min_length)
            continue;
        memcpy((char *)out + number * size, (const char *)in + begin * size, size);
        if (how->offsets != NULL)
            how->offsets[number] = begin;
        lengths[number++] = end - begin;
    }
    *runs = number;
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_run_length_encode(void *out, uint64_t *lengths, size_t *runs, size_t size,
                                                 const void *in, size_t count)
{
    return clprim_reference_runs(out, lengths, runs, size, NULL, in, count);
}
