// SPDX-License-Identifier: MIT
/* find_internal.h: the plan of find and of is_sorted, which differ in the condition; and the table of their
 * variants. */
#ifndef CLPRIM_LIB_FIND_INTERNAL_H
#define CLPRIM_LIB_FIND_INTERNAL_H

#include <clprim/find.h>

#include "build.h"
#include "plan_internal.h"
#include "plan_pieces.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "find/args.h"

/* The kernels: LOOK searches; FINISH combines what the groups found. */
enum { CLPRIM__FIND_LOOK, CLPRIM__FIND_FINISH, CLPRIM__FIND_KERNELS };

/* Index of the 64-bit word of the state that groups share during the search. It is in the header of collect.cl. */
#define CLPRIM__FIND_SHARED(X) X(FIND_HINT, 8)

enum { CLPRIM__FIND_LAST_EPOCH = 0xffff }; /* kernels/find/parts/walk.cl cannot store a larger one */

typedef struct clprim__find_row {
    clprim_variant_info info;
    const char *kernels[CLPRIM__FIND_KERNELS]; /* the second is NULL if the first also combines */
    bool for_cpus;
    const clprim__source *source;
} clprim__find_row;

/* The parameters of a variant on a device. */
typedef struct clprim__find_tuning {
    size_t group_size;
    size_t items;           /* 16-byte loads that a work-item has in flight; for CPUs, those of a chunk */
    size_t groups_per_unit; /* maximum */
} clprim__find_tuning;

typedef struct clprim__find_plan {
    clprim_plan base; /* if it takes one launch, its state is what kernels/common/collect.cl needs, or as large */
    const clprim__find_row *row;
    size_t group_elements; /* elements that are worth another group */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__FIND_KERNELS];
} clprim__find_plan;

/* The condition of a search. */
typedef struct clprim__find_condition {
    const clprim__prelude *prelude; /* defines what kernels/find/parts/condition.cl needs */
    size_t element_size;
    bool has_input; /* elements come from an expression */
} clprim__find_condition;

/* The arrays of a call. */
typedef struct clprim__find_arrays {
    clprim_array in, out;
    size_t count;
} clprim__find_arrays;

/* The functions of clprim__operation. */
clprim_status clprim__find_make(clprim_plan *plan, const void *desc);
clprim_status clprim__find_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* For a plan with any condition: choose its variant and compile its kernels; launch a call. */
clprim_status clprim__find_choose(clprim__find_plan *self, clprim_find_variant variant, clprim_type index_type);
clprim_status clprim__find_build(clprim__find_plan *self, const clprim__find_condition *condition);
clprim_status clprim__find_launch_on(clprim__find_plan *self, clprim__chain *chain, const clprim__find_arrays *arrays);

CLPRIM__DECLARE_ROWS(find)

/* The best variant for a device. */
clprim_find_variant clprim__find_auto(const clprim_device_info *info);

/* Functions for clprim__pieces: .launched, for a piece of `count` elements, and .finish. */
clprim_status clprim__find_in_piece(clprim__cutting *self, const clprim_array *out, size_t count);
clprim_status clprim__find_in_pieces(clprim__cutting *self, const void *desc);

#endif
