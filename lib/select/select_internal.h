/* select_internal.h: the selection's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SELECT_INTERNAL_H
#define CLPRIM_LIB_SELECT_INTERNAL_H

#include <clprim/select.h>

#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

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

/* The plan of select, and of unique; of LOOK_BACK its state is what kernels/common/look_back.cl needs. */
typedef struct clprim__select_plan {
    clprim_plan base;
    const clprim__select_row *row;
    size_t element_size;
    size_t output_size;   /* of what is stored */
    size_t flag_size;     /* 0: by predicate, or heads */
    bool heads;           /* selected is what differs from the element before it: see clprim__select_make_by */
    size_t value_size;    /* of what goes with each element, with heads; 0: nothing */
    bool indices;         /* which are indices, */
    cl_ulong first_index; /* that count from this one */
    size_t tile;          /* elements of a tile; of CPU_CHUNK those that are worth another chunk */
    size_t max_groups;
    size_t portion; /* of LOOK_BACK: elements of one launch at most */
    clprim__kernel kernels[2];
} clprim__select_plan;

/* What one call works on. */
typedef struct clprim__select_arrays {
    clprim_array in, flags, out, out_count, values_in, values_out;
    size_t count;
} clprim__select_arrays;

/* As clprim__operation says; scratch is for unique, too. */
clprim_status clprim__select_make(clprim_plan *plan, const void *desc);
size_t clprim__select_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__select_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* The same with `heads`: a plan that selects the first element of each run of equal ones, for unique. The predicate is
 * an expression over `a`, an element, and `b`, the one after it, not 0 where they are equal; NULL: equality of all
 * bits. Not for flags and partition. With .value_size and .indices of the plan elements have values. */
clprim_status clprim__select_make_by(clprim__select_plan *self, const clprim_select_desc *desc, bool heads);

/* Compile the plan's kernels. */
clprim_status clprim__select_build(clprim__select_plan *self, const clprim_select_desc *desc);

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__select_bytes(const clprim__select_plan *self, size_t n);

/* Enqueue all launches of a call. */
clprim_status clprim__select_launch_on(clprim__select_plan *self, clprim__chain *chain,
                                       const clprim__select_arrays *arrays, cl_mem scratch);

CLPRIM__DECLARE_ROWS(select)

/* The best variant for a device. */
clprim_select_variant clprim__select_auto(const clprim_device_info *info, bool is_stable_partition);

#endif
