// SPDX-License-Identifier: MIT
/* search_internal.h: the plan of a search, and the table of its variants. */
#ifndef CLPRIM_LIB_SEARCH_INTERNAL_H
#define CLPRIM_LIB_SEARCH_INTERNAL_H

#include <clprim/search.h>

#include "order.h"
#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "search/args.h"

typedef struct clprim__search_row {
    clprim_variant_info info;
    const char *kernel;
    bool for_sorted;   /* needles must be sorted */
    bool in_tiles;     /* tiles of local memory */
    size_t only_group; /* the only possible group size; 0: any */
    const clprim__source *source;
} clprim__search_row;

/* The parameters of a variant on a device. */
typedef struct clprim__search_tuning {
    size_t group_size;
    size_t items;           /* needles per work-item at a time */
    size_t share;           /* needles per work-item that are worth another group */
    size_t groups_per_unit; /* maximum */
    size_t sample_bytes;    /* for BINARY: maximum local memory for samples of the elements */
    size_t sample_worth;    /* needles per group that are worth one sample */
} clprim__search_tuning;

typedef struct clprim__search_plan {
    clprim_plan base;
    const clprim__search_row *row;
    size_t element_size, index_size;
    size_t tile; /* needles: a group's share is a multiple of this, and at least this */
    size_t max_groups;
    clprim__kernel kernel;
} clprim__search_plan;

/* The functions of clprim__operation. */
clprim_status clprim__search_make(clprim_plan *plan, const void *desc);
clprim_status clprim__search_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernel. */
clprim_status clprim__search_build(clprim__search_plan *self, const clprim__order *order,
                                   const clprim_search_desc *desc);

CLPRIM__DECLARE_ROWS(search)

/* The best variant for a device. */
clprim_search_variant clprim__search_auto(const clprim_device_info *info, bool needles_are_sorted);

#endif
