/* find_internal.h: the plan of find, and of is_sorted, which has another condition; the table of their variants. */
#ifndef CLPRIM_LIB_FIND_INTERNAL_H
#define CLPRIM_LIB_FIND_INTERNAL_H

#include <clprim/find.h>

#include "build.h"
#include "plan_internal.h"
#include "plan_parts.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "find/args.h"

/* The kernels: search; combine what the groups have found. */
enum { CLPRIM__FIND_LOOK, CLPRIM__FIND_FINISH, CLPRIM__FIND_KERNELS };

/* The word of the state, of 64 bits, that groups share while they look: it is in the header of collect.cl. */
#define CLPRIM__FIND_SHARED(X) X(FIND_HINT, 8)

enum { CLPRIM__FIND_LAST_EPOCH = 0xffff }; /* kernels/find/parts/walk.cl has room for no more */

typedef struct clprim__find_row {
    clprim_variant_info info;
    const char *kernels[CLPRIM__FIND_KERNELS]; /* the latter is NULL where the former does that, too */
    bool for_cpus;
    const clprim__source *source;
} clprim__find_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__find_tuning {
    size_t group_size;
    size_t items;           /* loads of 16 bytes that a work-item has in flight; for CPUs those of a chunk */
    size_t groups_per_unit; /* at most */
} clprim__find_tuning;

typedef struct clprim__find_plan {
    clprim_plan base; /* its state, of one launch, is what kernels/common/collect.cl needs, or as large */
    const clprim__find_row *row;
    size_t group_elements; /* elements of a group before another one is worth it */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__FIND_KERNELS];
} clprim__find_plan;

/* What is looked for. */
typedef struct clprim__find_condition {
    const clprim__prelude *prelude; /* as kernels/find/parts/condition.cl needs it */
    size_t element_size;
    bool has_input; /* elements come from an expression */
} clprim__find_condition;

/* What one call works on. */
typedef struct clprim__find_arrays {
    clprim_array in, out;
    size_t count;
} clprim__find_arrays;

/* As clprim__operation says. */
clprim_status clprim__find_make(clprim_plan *plan, const void *desc);
clprim_status clprim__find_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Of a plan for any condition: choose its variant, compile its kernels; launch a call. */
clprim_status clprim__find_choose(clprim__find_plan *self, clprim_find_variant variant, clprim_type index_type);
clprim_status clprim__find_build(clprim__find_plan *self, const clprim__find_condition *condition);
clprim_status clprim__find_launch_on(clprim__find_plan *self, clprim__chain *chain, const clprim__find_arrays *arrays);

CLPRIM__DECLARE_ROWS(find)

/* The best variant for a device. */
clprim_find_variant clprim__find_auto(const clprim_device_info *info);

/* For clprim__parts: .launched, of a part of `count` elements, and .finish. */
clprim_status clprim__find_in_part(clprim__cutting *self, const clprim_array *out, size_t count);
clprim_status clprim__find_in_parts(clprim__cutting *self, const void *desc);

#endif
