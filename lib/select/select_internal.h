/* select_internal.h: the selection's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SELECT_INTERNAL_H
#define CLPRIM_LIB_SELECT_INTERNAL_H

#include <clprim/select.h>

#include "check.h"
#include "launch.h"
#include "program.h"
#include "state.h"
#include "workspace.h"

typedef struct clprim__select_row {
    clprim_variant_info info;
    const char *kernels[2]; /* in the order in which they are launched */
    bool looks_back;        /* one launch, which needs the plan's state; else two, with counts in between */
    size_t largest_group;   /* 0: any */
    const clprim__source *sources[CLPRIM__MAX_SOURCES];
} clprim__select_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__select_tuning {
    size_t group_size;
    size_t items;           /* packets of 16 bytes a work-item has of a tile */
    size_t groups_per_unit; /* of variants with two launches: groups a compute unit */
} clprim__select_tuning;

struct clprim_select {
    clprim_runtime *runtime;
    const clprim__select_row *row;
    size_t element_size;
    size_t flag_size; /* 0: by predicate */
    size_t tile;      /* elements of a tile; of CPU_CHUNK those that are worth another chunk */
    size_t max_groups;
    size_t portion; /* of LOOK_BACK: elements of one launch at most */
    clprim__kernel kernels[2];
    clprim__queue queue;
    clprim__state state; /* of LOOK_BACK: what kernels/common/look_back.cl needs */
    clprim__workspace workspace;
};

/* NULL for AUTO and unknown variants. */
const clprim__select_row *clprim__select_row_of(clprim_select_variant variant);

clprim__select_tuning clprim__select_tuning_of(clprim_select_variant variant, const clprim_device_info *info);

/* The best variant for a device. */
clprim_select_variant clprim__select_auto(const clprim_device_info *info, bool partition);

/* For tests: let LOOK_BACK divide arrays into portions of at most n elements, which else are 2^31. */
void clprim__select_set_portion(clprim_select *plan, size_t n);

#endif
