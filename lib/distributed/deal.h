// SPDX-License-Identifier: MIT
/* deal.h: redistribute an array over the ranks, by the room that each rank has. */
#ifndef CLPRIM_LIB_DEAL_H
#define CLPRIM_LIB_DEAL_H

#include "team.h"

/* How the `total` elements of an output are distributed. */
typedef struct clprim__deal {
    uint64_t total;
    uint64_t begin, end; /* the elements that this rank gets */
} clprim__deal;

/* Each rank's share of `total` is proportional to its room. Errors: CLPRIM_INVALID_RANGE if the ranks do not have room
 * for so many. The result is the same on all ranks. */
clprim_status clprim__deal_make(clprim__deal *out, const clprim__team *team, uint64_t total);

/* Exchange elements. Before, rank r has counts[r] elements of `size_of` bytes. In the order of the ranks, they are the
 * output's elements from `first` on. `mine` points to this rank's elements; `out` to the beginning of its share of the
 * output. */
clprim_status clprim__deal_exchange(clprim__team *team, const clprim__deal *deal, void *out, const void *mine,
                                    size_t size_of, const uint64_t *counts, uint64_t first);

/* Write which elements this rank got, unless `part` is NULL. */
static inline void clprim__deal_tell(clprim_distributed_part *part, const clprim__deal *deal)
{
    if (part != NULL)
        *part = (clprim_distributed_part){deal->begin, (size_t)(deal->end - deal->begin), deal->total};
}

#endif
