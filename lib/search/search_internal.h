/* search_internal.h: the plan of a search, and the table of its variants. */
#ifndef CLPRIM_LIB_SEARCH_INTERNAL_H
#define CLPRIM_LIB_SEARCH_INTERNAL_H

#include <clprim/search.h>

#include "launch.h"
#include "order.h"
#include "program.h"
#include "trial.h"
#include "tuning.h"

typedef struct clprim__search_row {
    clprim_variant_info info;
    const char *kernel;
    bool for_sorted;                                    /* needles */
    bool in_tiles;                                      /* of local memory */
    size_t only_group;                                  /* the only size of a group; 0: any */
    const clprim__source *sources[CLPRIM__MAX_SOURCES]; /* the variant's own is the last one */
} clprim__search_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__search_tuning {
    size_t group_size;
    size_t items;           /* needles of a work-item at a time */
    size_t share;           /* needles of a work-item before another group is worth it */
    size_t groups_per_unit; /* at most */
} clprim__search_tuning;

struct clprim_search {
    clprim_runtime *runtime;
    const clprim__search_row *row;
    size_t element_size, index_size;
    size_t portion; /* needles: a group's share is a multiple of them, and it may have one alone */
    size_t max_groups;
    clprim__kernel kernel;
    clprim__queue queue;
};

/* Compile the plan's kernel. */
clprim_status clprim__search_build(clprim_search *self, const clprim__order *order, bool upper, size_t work_group_size);

/* NULL for AUTO and unknown variants. */
const clprim__search_row *clprim__search_row_of(clprim_search_variant variant);

clprim__search_tuning clprim__search_tuning_of(clprim_search_variant variant, const clprim_runtime *runtime,
                                               size_t element_size);
extern const clprim__tunables clprim__search_tunables;

/* The best variant for a device. */
clprim_search_variant clprim__search_auto(const clprim_device_info *info, bool needles_are_sorted);

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(search)

#endif
