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
    bool collects;        /* in one launch, one group folds what all have left; else passes, until one value is left */
    size_t largest_group; /* 0: any */
    size_t local_values;  /* VALUEs of local memory whatever the group's size; 0: one a work-item, none with group 1 */
    const clprim__source *source;
} clprim__reduce_row;

/* The parameters with which a variant runs on a device. Items are elements; for SINGLE_PASS, loads of 16 bytes. */
typedef struct clprim__reduce_tuning {
    size_t group_size;
    size_t items;           /* a work-item takes at a time */
    size_t share;           /* of a work-item before another group is worth it */
    size_t groups_per_unit; /* at most so many groups a compute unit; 0: no limit */
} clprim__reduce_tuning;

/* Kernels of a plan. */
enum { CLPRIM__REDUCE_FOLD, CLPRIM__REDUCE_NOTHING /* for no elements */, CLPRIM__REDUCE_KERNELS };

typedef struct clprim__reduce_plan {
    clprim_plan base; /* its state, if it collects: what kernels/common/collect.cl needs */
    const clprim__reduce_row *row;
    size_t element_size;
    size_t value_size;
    size_t group_elements; /* elements of a group before another one is worth it */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__REDUCE_KERNELS];
} clprim__reduce_plan;

/* As clprim__operation says. */
clprim_status clprim__reduce_make(clprim_plan *plan, const void *desc);
size_t clprim__reduce_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__reduce_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

extern const struct clprim__parts clprim__reduce_parts;

CLPRIM__DECLARE_ROWS(reduce)

/* The best variant for a device; keep_order: the operator does not commute. */
clprim_reduce_variant clprim__reduce_auto(const clprim_device_info *info, bool keep_order, bool reproducible);

#endif
