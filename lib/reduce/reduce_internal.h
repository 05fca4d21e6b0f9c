// SPDX-License-Identifier: MIT
/* reduce_internal.h: the reduction's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_REDUCE_INTERNAL_H
#define CLPRIM_LIB_REDUCE_INTERNAL_H

#include <clprim/reduce.h>

#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "reduce/args.h"

typedef struct clprim__reduce_row {
    clprim_variant_info info;
    const char *kernel;
    bool collects;        /* one launch, in which one group folds what all groups wrote; otherwise passes, until one
                           * value is left */
    size_t largest_group; /* 0: no limit */
    size_t local_values;  /* VALUEs in local memory for any group size; 0: one per work-item, or none if the group size
                           * is 1 */
    const clprim__source *source;
} clprim__reduce_row;

/* The parameters of a variant on a device. Items are elements; for SINGLE_PASS, 16-byte loads. */
typedef struct clprim__reduce_tuning {
    size_t group_size;
    size_t items;           /* items that a work-item loads at a time */
    size_t share;           /* items per work-item that are worth another group */
    size_t groups_per_unit; /* maximum number of groups per compute unit; 0: no limit */
} clprim__reduce_tuning;

/* The kernels of a plan. */
enum { CLPRIM__REDUCE_FOLD, CLPRIM__REDUCE_NOTHING /* for calls without elements */, CLPRIM__REDUCE_KERNELS };

typedef struct clprim__reduce_plan {
    clprim_plan base; /* if it collects, its state is what kernels/common/collect.cl needs */
    const clprim__reduce_row *row;
    size_t element_size;
    size_t value_size;
    size_t group_elements; /* elements that are worth another group */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__REDUCE_KERNELS];
} clprim__reduce_plan;

/* The functions of clprim__operation. */
clprim_status clprim__reduce_make(clprim_plan *plan, const void *desc);
size_t clprim__reduce_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__reduce_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

extern const struct clprim__pieces clprim__reduce_pieces;
extern const struct clprim__native clprim__reduce_native;

CLPRIM__DECLARE_ROWS(reduce)

/* The best variant for a device. keep_order: the operator does not commute. */
clprim_reduce_variant clprim__reduce_auto(const clprim_device_info *info, bool keep_order, bool reproducible);

#endif
