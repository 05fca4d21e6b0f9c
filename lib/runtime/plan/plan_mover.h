/* plan_mover.h: elements of any size that go where indices say, for sorts that move only indices along with keys. */
#ifndef CLPRIM_LIB_PLAN_MOVER_H
#define CLPRIM_LIB_PLAN_MOVER_H

#include "plan_internal.h"

enum { CLPRIM__MAX_MOVED_SIZE = 256 }; /* bytes of an element */

/* What moves elements of one size; zeroed: nothing. */
typedef struct clprim__mover {
    size_t element_size;
    size_t units;      /* of an element: the largest powers of two that it is made of and that load at once */
    size_t tile;       /* units that a group gathers; of what runs in chunks those that are worth another chunk */
    size_t max_groups; /* of what runs in chunks, and of copies */
    bool in_chunks;
    clprim__kernel gather, copy;
} clprim__mover;

/* Compile it. Indices have index_size bytes, 4 or 8. */
clprim_status clprim__mover_build(clprim__mover *out, const clprim_plan *plan, size_t element_size, size_t index_size);
void clprim__mover_clear(clprim__mover *self);

/* Whether a sort moves values of this size along with keys; others are gathered. */
static inline bool clprim__moves_along(size_t value_size)
{
    return value_size <= 16 && (value_size & (value_size - 1)) == 0;
}

/* Scratch memory, in bytes: at 0 is what the sort takes, and when it is done copies of arrays that are gathered where they lie;
 * then the indices. */
typedef struct clprim__mover_layout {
    cl_ulong indices_at, end;
} clprim__mover_layout;

/* For n elements. copied: bytes of the largest element of which there may be copies, or 0. */
clprim__mover_layout clprim__mover_layout_for(size_t sort, size_t n, size_t copied, size_t index_size);

/* out[i] = in[indices[i]] for i < n. */
typedef struct clprim__move {
    const clprim_array *in, *out;
    bool in_place; /* they are the same */
    cl_mem scratch;
    cl_ulong indices_at, n;
} clprim__move;

clprim_status clprim__mover_launch(clprim__mover *self, clprim__chain *chain, const clprim__move *move, bool is_last);

#endif
