// SPDX-License-Identifier: MIT
/* plan_mover.h: gather elements of any size by indices, for sorts that sort only indices along with the keys. */
#ifndef CLPRIM_LIB_PLAN_MOVER_H
#define CLPRIM_LIB_PLAN_MOVER_H

#include "plan_internal.h"

enum { CLPRIM__MAX_MOVED_SIZE = 256 }; /* bytes of an element */

/* Kernels that move elements of one size. Zeroed: nothing to move. */
typedef struct clprim__mover {
    size_t element_size;
    size_t units;      /* units per element: the largest power-of-two sizes that divide the element and load at once */
    size_t tile;       /* units that a group gathers; for variants that work in chunks, the units that are worth another
                        * chunk */
    size_t max_groups; /* for variants that work in chunks, and for copies */
    bool in_chunks;
    clprim__kernel gather, copy;
} clprim__mover;

/* Compile the kernels. Indices have index_size bytes, 4 or 8. */
clprim_status clprim__mover_build(clprim__mover *out, const clprim_plan *plan, size_t element_size, size_t index_size);
void clprim__mover_clear(clprim__mover *self);

/* Whether a sort moves values of this size along with the keys. Larger values are gathered afterwards. */
static inline bool clprim__moves_along(size_t value_size)
{
    return value_size <= 16 && (value_size & (value_size - 1)) == 0;
}

/* Layout of scratch memory, in bytes. At 0 is the sort's scratch memory; when the sort is done, copies of arrays that
 * are gathered in place. Then the indices. */
typedef struct clprim__mover_layout {
    cl_ulong indices_at, end;
} clprim__mover_layout;

/* The layout for n elements. copied: size of the largest element whose array may need a copy, or 0. */
clprim__mover_layout clprim__mover_layout_for(size_t sort, size_t n, size_t copied, size_t index_size);

/* out[i] = in[indices[i]] for i < n. */
typedef struct clprim__move {
    const clprim_array *in, *out;
    bool in_place; /* in and out are the same array */
    cl_mem scratch;
    cl_ulong indices_at, n;
} clprim__move;

clprim_status clprim__mover_launch(clprim__mover *self, clprim__chain *chain, const clprim__move *move, bool is_last);

#endif
