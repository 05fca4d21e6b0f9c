// SPDX-License-Identifier: MIT
/* partials.h: the result of each rank's piece, and the combination of these results. */
#ifndef CLPRIM_LIB_PARTIALS_H
#define CLPRIM_LIB_PARTIALS_H

#include "team.h"

/* A fold over the pieces of all ranks. */
typedef struct clprim__partials {
    clprim_runtime *runtime;
    clprim_reduce_desc desc;       /* folds elements, without an initial value or an output */
    const clprim_array *arguments; /* arguments for its texts, CLPRIM_MAX_PARAMETERS of them */
    size_t size;                   /* size of a result in bytes */
    size_t stride;                 /* distance between records in bytes */
    char *records;                 /* one record per rank: whether there is a result, as a uint64_t, then the result */
    char *mine;                    /* this rank's record */
} clprim__partials;

/* Allocate records for results of this size. Call clprim__partials_free even after an error. Errors:
 * CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__partials_make(clprim__partials *self, size_t num_records, size_t size);
void clprim__partials_free(clprim__partials *self);

/* Fold a piece of `count` elements into the record `mine`. Without elements, there is no result. */
clprim_status clprim__partials_fold(clprim__partials *self, const clprim_array *in, size_t count);

/* Combine the results of records begin .. end - 1, in order, into *out, with the same operator. `last`, if not NULL,
 * gives an initial value or an output. Results of ARGMIN and ARGMAX keep their indices. */
clprim_status clprim__partials_combine(const clprim__partials *self, void *out, const clprim_reduce_desc *last,
                                       size_t begin, size_t end);

/* Whether a record has a result; and the result, or NULL. */
static inline bool clprim__has_partial(const char *record)
{
    return *(const uint64_t *)(const void *)record != 0;
}

static inline void *clprim__partial(char *record)
{
    return clprim__has_partial(record) ? record + sizeof(uint64_t) : NULL;
}

#endif
