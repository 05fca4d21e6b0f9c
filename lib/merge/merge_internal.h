// SPDX-License-Identifier: MIT
/* merge_internal.h: the merge's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_MERGE_INTERNAL_H
#define CLPRIM_LIB_MERGE_INTERNAL_H

#include <clprim/merge.h>

#include "order.h"
#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "merge/args.h"

/* How the work-groups of a variant divide the output. */
typedef enum clprim__merge_shape {
    CLPRIM__MERGE_ELEMENTS, /* a work-item for each element */
    CLPRIM__MERGE_SHARES,   /* tiles of both ranges are in local memory, and each group makes several */
    CLPRIM__MERGE_TILES,    /* each group makes one tile of the output */
    CLPRIM__MERGE_CHUNKS    /* each core makes one share */
} clprim__merge_shape;

/* Kernels of a plan. */
enum { CLPRIM__MERGE_MERGE, CLPRIM__MERGE_SPLITS, CLPRIM__MERGE_KERNELS };

typedef struct clprim__merge_row {
    clprim_variant_info info;
    clprim__merge_shape shape;
    const char *kernel;
    const clprim__source *source;
} clprim__merge_row;

/* The parameters of a variant on a device. */
typedef struct clprim__merge_tuning {
    size_t group_size;
    size_t bytes; /* bytes of elements, with their values, that a work-item merges at a time; for CHUNKS, how many are
                   * worth another group */
    size_t groups_per_unit; /* maximum */
    size_t splits_from;     /* for TILES: smallest number of elements for which a separate launch finds where tiles
                             * begin */
    size_t splits;          /* splits per group of that launch */
} clprim__merge_tuning;

typedef struct clprim__merge_plan {
    clprim_plan base;
    const clprim__merge_row *row;
    size_t key_size, value_size;
    size_t tile;        /* elements of the output: a group's share is a multiple of this, and at least this */
    size_t max_groups;  /* groups that divide the output; ELEMENTS has no limit */
    size_t splits_from; /* for TILES, as tuned; SIZE_MAX: never */
    size_t splits;      /* splits that a group finds */
    clprim__kernel kernels[CLPRIM__MERGE_KERNELS];
} clprim__merge_plan;

/* The functions of clprim__operation. */
clprim_status clprim__merge_make(clprim_plan *plan, const void *desc);
size_t clprim__merge_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__merge_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernels. */
clprim_status clprim__merge_build(clprim__merge_plan *self, const clprim__order *order);

CLPRIM__DECLARE_ROWS(merge)

/* The best variant for a device. */
clprim_merge_variant clprim__merge_auto(const clprim_device_info *info);

#endif
