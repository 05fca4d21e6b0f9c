// SPDX-License-Identifier: MIT
/* set_operation_internal.h: the set operation's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SET_OPERATION_INTERNAL_H
#define CLPRIM_LIB_SET_OPERATION_INTERNAL_H

#include <clprim/set_operation.h>

#include "order.h"
#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "set_operation/args.h"

enum {
    CLPRIM__SET_OPERATION_STREAMS = 4, /* ranges that a core processes side by side */
    CLPRIM__SET_OPERATION_KERNELS = 2
};

typedef struct clprim__set_operation_row {
    clprim_variant_info info;
    const char *kernels[CLPRIM__SET_OPERATION_KERNELS]; /* in the order of their launches */
    bool looks_back;   /* one launch, which needs the plan's state, preceded by another one if cuts are found
                        * separately; otherwise two launches, with counts in between */
    bool is_for_cores; /* a group is one work-item, and there are no tiles */
    const clprim__source *source;
} clprim__set_operation_row;

/* The parameters of a variant on a device. */
typedef struct clprim__set_operation_tuning {
    size_t group_size;
    size_t bytes; /* local memory per work-item for its part of a tile; for CPU_CHUNK, bytes of elements that are worth
                * another group */
    size_t groups_per_unit; /* maximum, for variants with two launches */
    size_t cuts_from;       /* for LOOK_BACK: smallest number of elements for which a separate launch finds where tiles
                             * begin */
    size_t looks;           /* for LOOK_BACK: CLPRIM_LOOK_BACK_LOOKS */
} clprim__set_operation_tuning;

/* For LOOK_BACK, the state is what clprim/device/look_back.h needs, and the cuts. */
typedef struct clprim__set_operation_plan {
    clprim_plan base;
    const clprim__set_operation_row *row;
    size_t key_size, value_size;
    size_t tile; /* elements of both arrays; for CPU_CHUNK, how many are worth another group */
    size_t max_groups;
    size_t cuts_from; /* as tuned; SIZE_MAX: never */
    clprim__kernel kernels[CLPRIM__SET_OPERATION_KERNELS];
} clprim__set_operation_plan;

/* The functions of clprim__operation. */
clprim_status clprim__set_operation_make(clprim_plan *plan, const void *desc);
size_t clprim__set_operation_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__set_operation_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernels. */
clprim_status clprim__set_operation_build(clprim__set_operation_plan *self, const clprim__order *order,
                                          clprim_set_op op);

/* Whether the result may contain elements of b. */
static inline bool clprim__set_op_takes_b(clprim_set_op op)
{
    return op == CLPRIM_SET_UNION || op == CLPRIM_SET_SYMMETRIC_DIFFERENCE;
}

CLPRIM__DECLARE_ROWS(set_operation)

/* The best variant for a device. */
clprim_set_operation_variant clprim__set_operation_auto(const clprim_device_info *info);

#endif
