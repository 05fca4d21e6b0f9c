// SPDX-License-Identifier: MIT
/* pieces_split.c: cut sorted runs so that exactly `rank` elements come before the cuts. */
#include <stdlib.h>

#include "error.h"
#include "key_image.h"

/* The range in which a run's cut lies. */
typedef struct bracket {
    size_t begin; /* the elements before it have images below the bound found so far */
    size_t end;   /* the elements from here on have images that are too large */
} bracket;

static clprim_status check(size_t *total, const size_t *out, const clprim_sorted_run *runs, size_t num_runs)
{
    *total = 0;
    if (num_runs > 0 && (out == NULL || runs == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runs_split: %s is NULL", out == NULL ? "out" : "runs");
    for (size_t i = 0; i < num_runs; i++) {
        if (runs[i].keys == NULL && runs[i].count > 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runs_split: runs[%zu].keys is NULL", i);
        if (runs[i].count > SIZE_MAX - *total)
            return clprim__fail(CLPRIM_INVALID_RANGE,
                                "clprim_runs_split: the number of all elements does not fit size_t");
        *total += runs[i].count;
    }
    return CLPRIM_SUCCESS;
}

/* Narrow the brackets until all elements in them have the same image as the element of that rank. middle: room for
 * num_runs. This finds the image bit by bit, from the highest: `image` has the bits that are known so far. */
static void narrow(bracket *brackets, size_t *middle, const clprim__key_image *how, const clprim_sorted_run *runs,
                   size_t num_runs, size_t rank)
{
    uint64_t image = 0;
    for (unsigned bit = how->num_bits; bit-- > 0;) {
        const uint64_t bound = image | UINT64_C(1) << bit;
        size_t below = 0;
        for (size_t i = 0; i < num_runs; i++) {
            middle[i] = clprim__images_below(how, runs[i].keys, brackets[i].begin, brackets[i].end, bound);
            below += middle[i];
        }
        const bool is_set = below <= rank;
        image = is_set ? bound : image;
        for (size_t i = 0; i < num_runs; i++)
            *(is_set ? &brackets[i].begin : &brackets[i].end) = middle[i];
    }
}

clprim_status clprim_runs_split(size_t *out, const clprim_key_order *order, const clprim_sorted_run *runs,
                                size_t num_runs, size_t rank)
{
    clprim__key_image how;
    bracket *brackets = NULL;
    size_t total = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__key_image_of(&how, order));
    CLPRIM__TRY(check(&total, out, runs, num_runs));
    if (rank > total) {
        status = clprim__fail(CLPRIM_INVALID_RANGE, "clprim_runs_split: rank is %zu, but there are %zu elements", rank,
                              total);
        goto done;
    }
    if (num_runs == 0)
        goto done;
    brackets = calloc(num_runs, sizeof *brackets);
    if (brackets == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory to cut %zu runs", num_runs);
        goto done;
    }
    for (size_t i = 0; i < num_runs; i++)
        brackets[i].end = runs[i].count;
    narrow(brackets, out, &how, runs, num_runs, rank);
    size_t left = rank;
    for (size_t i = 0; i < num_runs; i++)
        left -= brackets[i].begin;
    for (size_t i = 0; i < num_runs; i++) { /* elements with equal images stay in the order of their runs */
        const size_t equal = brackets[i].end - brackets[i].begin;
        const size_t taken = equal < left ? equal : left;
        out[i] = brackets[i].begin + taken;
        left -= taken;
    }
done:
    free(brackets);
    return status;
}
