/* sort_by_key_internal.h: the plan of a sort of several arrays. */
#ifndef CLPRIM_LIB_SORT_BY_KEY_INTERNAL_H
#define CLPRIM_LIB_SORT_BY_KEY_INTERNAL_H

#include <clprim/sort_by_key.h>

#include "launch.h"
#include "radix_sort_internal.h"
#include "trial.h"
#include "workspace.h"

/* What moves elements of one size. */
typedef struct clprim__sort_by_key_mover {
    size_t element_size;
    size_t units; /* of an element: the largest powers of two that it is made of and that load at once */
    size_t tile;  /* units that a group gathers; of what runs in chunks those that are worth another chunk */
    clprim__kernel gather, copy;
} clprim__sort_by_key_mover;

struct clprim_sort_by_key {
    clprim_runtime *runtime;
    clprim_radix_sort *sort; /* of the keys, with the only array or the indices */
    size_t num_arrays;
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
    size_t largest; /* of these */
    bool values_only;
    bool gathers;                                                    /* else the only array moves along with its keys */
    clprim__sort_by_key_mover movers[CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* each size has one */
    size_t num_movers;
    size_t max_groups; /* of what runs in chunks, and of copies */
    bool in_chunks;
    clprim__queue queue;
    clprim__workspace workspace;
};

/* What one call works on. */
typedef struct clprim__sort_by_key_call {
    clprim__radix_sort_call sort; /* of the keys alone; the rest is filled in by the launch */
    const clprim_sort_by_key_array *arrays;
    bool in_place[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
} clprim__sort_by_key_call;

/* Bytes of scratch memory for n elements, of which any array may be in place. */
size_t clprim__sort_by_key_scratch(const clprim_sort_by_key *self, size_t n);

/* Enqueue all launches of a call. */
clprim_status clprim__sort_by_key_launch(clprim_sort_by_key *self, clprim__chain *chain,
                                         const clprim__sort_by_key_call *call);

/* Compile what moves the plan's elements. */
clprim_status clprim__sort_by_key_build(clprim_sort_by_key *self, size_t work_group_size);

/* For elements of a size that the plan has. */
clprim__sort_by_key_mover *clprim__sort_by_key_mover_of(clprim_sort_by_key *self, size_t element_size);

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(sort_by_key)

#endif
