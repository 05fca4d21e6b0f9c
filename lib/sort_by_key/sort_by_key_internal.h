// SPDX-License-Identifier: MIT
/* sort_by_key_internal.h: the plan of a sort of several arrays. */
#ifndef CLPRIM_LIB_SORT_BY_KEY_INTERNAL_H
#define CLPRIM_LIB_SORT_BY_KEY_INTERNAL_H

#include <clprim/sort_by_key.h>

#include "comparison_sort_internal.h"
#include "plan_internal.h"
#include "plan_mover.h"
#include "radix_sort_internal.h"

typedef struct clprim__sort_by_key_plan {
    clprim_plan base;
    clprim_plan *sort; /* sorts the keys with the only array, or with indices */
    bool compares;     /* it is a comparison sort by the caller's order; otherwise a radix sort */
    size_t key_size;
    size_t moved_size; /* size of the values that the sort moves */
    size_t num_arrays;
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
    size_t largest; /* the largest of these */
    bool values_only;
    bool gathers;                                        /* arrays are gathered; otherwise the only array moves along
                                                          * with its keys */
    clprim__mover movers[CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* one for each element size */
    size_t num_movers;
} clprim__sort_by_key_plan;

/* A description's arrays, with defaults filled in. */
size_t clprim__sort_by_key_num_arrays(const clprim_sort_by_key_desc *desc);
size_t clprim__sort_by_key_element_size(const clprim_sort_by_key_desc *desc, size_t index);

/* Whether the sorted keys are not written: the caller does not ask for them, or several keys were combined into one. */
static inline bool clprim__sort_by_key_has_no_keys_out(const clprim_sort_by_key_desc *desc)
{
    return desc->values_only || desc->then.inputs[0] != NULL;
}

/* The functions of clprim__operation. */
clprim_status clprim__sort_by_key_make(clprim_plan *plan, const void *desc);
void clprim__sort_by_key_clear(clprim_plan *plan);
clprim_status clprim__sort_by_key_check(const clprim_plan *plan, const void *call);
size_t clprim__sort_by_key_scratch(const clprim_plan *plan, const void *call);
size_t clprim__sort_by_key_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__sort_by_key_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* The mover for elements of this size; NULL: the plan has none. */
clprim__mover *clprim__sort_by_key_mover_of(clprim__sort_by_key_plan *self, size_t element_size);

#endif
