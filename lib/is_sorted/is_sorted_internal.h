/* is_sorted_internal.h: the plan of a test of order, and the table of its variants. */
#ifndef CLPRIM_LIB_IS_SORTED_INTERNAL_H
#define CLPRIM_LIB_IS_SORTED_INTERNAL_H

#include <clprim/is_sorted.h>

#include "order.h"
#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

/* The kernels: search; combine what the groups have found. */
enum { CLPRIM__IS_SORTED_LOOK, CLPRIM__IS_SORTED_FINISH, CLPRIM__IS_SORTED_KERNELS };

typedef struct clprim__is_sorted_row {
    clprim_variant_info info;
    const char *kernels[CLPRIM__IS_SORTED_KERNELS]; /* the latter is NULL where the former does that, too */
    bool for_cpus;
    const clprim__source *sources[CLPRIM__MAX_SOURCES]; /* the variant's own is the last one */
} clprim__is_sorted_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__is_sorted_tuning {
    size_t group_size;
    size_t items; /* loads of 16 bytes that a work-item has in flight; for CPUs those that are worth another group */
    size_t groups_per_unit; /* at most */
} clprim__is_sorted_tuning;

typedef struct clprim__is_sorted_plan {
    clprim_plan base; /* its state, of one launch, is what kernels/common/collect.cl needs */
    const clprim__is_sorted_row *row;
    size_t element_size, index_size;
    size_t group_elements; /* elements of a group before another one is worth it */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__IS_SORTED_KERNELS];
} clprim__is_sorted_plan;

/* As clprim__operation says. */
clprim_status clprim__is_sorted_make(clprim_plan *plan, const void *desc);
size_t clprim__is_sorted_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__is_sorted_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernels. */
clprim_status clprim__is_sorted_build(clprim__is_sorted_plan *self, const clprim__order *order);

CLPRIM__DECLARE_ROWS(is_sorted)

/* The best variant for a device. */
clprim_is_sorted_variant clprim__is_sorted_auto(const clprim_device_info *info);

/* How run cuts calls into parts. */
extern const struct clprim__parts clprim__is_sorted_parts;

#endif
