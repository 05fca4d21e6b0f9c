// SPDX-License-Identifier: MIT
/* select_internal.h: the selection's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SELECT_INTERNAL_H
#define CLPRIM_LIB_SELECT_INTERNAL_H

#include <clprim/select.h>

#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "select/args.h"

typedef struct clprim__select_row {
    clprim_variant_info info;
    const char *kernels[2]; /* in the order of their launches */
    bool looks_back;        /* one launch, which needs the plan's state; otherwise two launches, with counts in
                             * between */
    size_t largest_group;   /* 0: no limit */
    const clprim__source *source;
} clprim__select_row;

/* The parameters of a variant on a device. */
typedef struct clprim__select_tuning {
    size_t group_size;
    size_t items;           /* packets of 16 bytes per work-item and tile */
    size_t groups_per_unit; /* for variants with two launches: groups per compute unit */
    size_t looks;           /* for LOOK_BACK: CLPRIM_LOOK_BACK_LOOKS */
} clprim__select_tuning;

/* Where the elements go that are not selected: PARTITION of the kernels. */
typedef enum clprim__select_rest {
    CLPRIM__REST_NOWHERE = REST_NOWHERE,
    CLPRIM__REST_FOLLOWS = REST_FOLLOWS,
    CLPRIM__REST_REVERSED = REST_REVERSED,
    CLPRIM__REST_SEPARATE = REST_SEPARATE
} clprim__select_rest;

/* A selection, with settings that only unique and partition use. */
typedef struct clprim__select_how {
    clprim_select_desc desc;
    /* Select the first element of each run of equal elements. The predicate is then an expression over an element `a`
     * and the next element `b`, which is not 0 if they are equal; NULL: compare all bits. It cannot be combined with
     * flags or a rest. */
    bool heads;
    clprim__select_rest rest;
    const char
        *second_predicate; /* selects the second part among the elements that are not selected; NULL: there is no second
                            * part */
} clprim__select_how;

/* The plan of select, unique and partition. For LOOK_BACK, its state is what clprim/device/look_back.h needs. */
typedef struct clprim__select_plan {
    clprim_plan base;
    const clprim__select_row *row;
    size_t element_size;
    size_t output_size; /* size of an element that is stored */
    size_t flag_size;   /* 0: selects by predicate, or heads of runs */
    bool heads;         /* as in clprim__select_how */
    bool is_three_way;  /* there is a second part */
    clprim__select_rest rest;
    size_t value_size;    /* size of the value of each element, with heads; 0: none */
    bool indices;         /* the values are indices, */
    cl_ulong first_index; /* counted from this one */
    size_t tile;          /* elements of a tile; for CPU_CHUNK, how many are worth another chunk */
    size_t max_groups;
    size_t portion; /* for LOOK_BACK: maximum number of elements per launch */
    clprim__kernel kernels[2];
} clprim__select_plan;

/* The arrays of a call; only those that the plan uses are set. */
typedef struct clprim__select_arrays {
    clprim_array in, flags, out, second_out, rest_out, out_count, second_count, rest_count, values_in, values_out;
    size_t count;
    size_t room, values_room, second_room, rest_room; /* number of elements that fit into .out, .values_out and so on */
} clprim__select_arrays;

/* The functions of clprim__operation. unique and partition also use the one for scratch memory. */
clprim_status clprim__select_make(clprim_plan *plan, const void *desc);
size_t clprim__select_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__select_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Make the plan of select, unique or partition. unique sets .value_size and .indices of the plan first. */
clprim_status clprim__select_make_by(clprim__select_plan *self, const clprim__select_how *how);

/* Compile the plan's kernels. */
clprim_status clprim__select_build(clprim__select_plan *self, const clprim__select_how *how);

/* The size of scratch memory, or of the state, for n elements, in bytes. */
size_t clprim__select_bytes(const clprim__select_plan *self, size_t n);

/* Enqueue all launches of a call. */
clprim_status clprim__select_launch_on(clprim__select_plan *self, clprim__chain *chain,
                                       const clprim__select_arrays *arrays, cl_mem scratch);

CLPRIM__DECLARE_ROWS(select)

/* The variants that are kernels, which unique and partition have, too. */
const clprim_variant_info *clprim__select_kernel_variants(size_t *count);

/* The best variant for a device. */
clprim_select_variant clprim__select_auto(const clprim_device_info *info, clprim__select_rest rest);

extern const struct clprim__native clprim__select_native;

#endif
