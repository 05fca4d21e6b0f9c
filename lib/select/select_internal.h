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
    const char *kernels[2]; /* in the order in which they are launched */
    bool looks_back;        /* one launch, which needs the plan's state; else two, with counts in between */
    size_t largest_group;   /* 0: any */
    const clprim__source *source;
} clprim__select_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__select_tuning {
    size_t group_size;
    size_t items;           /* packets of 16 bytes a work-item has of a tile */
    size_t groups_per_unit; /* of variants with two launches: groups a compute unit */
    size_t looks;           /* of LOOK_BACK: CLPRIM_LOOK_BACK_LOOKS */
} clprim__select_tuning;

/* Where the rest goes, the elements that are not selected: PARTITION of the kernels. */
typedef enum clprim__select_rest {
    CLPRIM__REST_NOWHERE = REST_NOWHERE,
    CLPRIM__REST_FOLLOWS = REST_FOLLOWS,
    CLPRIM__REST_REVERSED = REST_REVERSED,
    CLPRIM__REST_SEPARATE = REST_SEPARATE
} clprim__select_rest;

/* A selection, and what only unique and partition ask for. */
typedef struct clprim__select_how {
    clprim_select_desc desc;
    /* Select the first element of each run of equal ones. The predicate is then an expression over `a`, an element, and
     * `b`, the one after it, not 0 where they are equal; NULL: equality of all bits. Not with flags and a rest. */
    bool heads;
    clprim__select_rest rest;
    const char
        *second_predicate; /* of elements that are not selected, which are the second part; NULL: there is none */
} clprim__select_how;

/* The plan of select, unique and partition; of LOOK_BACK its state is what clprim/device/look_back.h needs. */
typedef struct clprim__select_plan {
    clprim_plan base;
    const clprim__select_row *row;
    size_t element_size;
    size_t output_size; /* of what is stored */
    size_t flag_size;   /* 0: by predicate, or heads */
    bool heads;         /* as clprim__select_how says */
    bool is_three_way;  /* there is a second part */
    clprim__select_rest rest;
    size_t value_size;    /* of what goes with each element, with heads; 0: nothing */
    bool indices;         /* which are indices, */
    cl_ulong first_index; /* that count from this one */
    size_t tile;          /* elements of a tile; of CPU_CHUNK those that are worth another chunk */
    size_t max_groups;
    size_t portion; /* of LOOK_BACK: elements of one launch at most */
    clprim__kernel kernels[2];
} clprim__select_plan;

/* What one call works on; of these arrays those that the plan has. */
typedef struct clprim__select_arrays {
    clprim_array in, flags, out, second_out, rest_out, out_count, second_count, rest_count, values_in, values_out;
    size_t count;
    size_t room, values_room, second_room, rest_room; /* elements that fit in .out, .values_out and so on */
} clprim__select_arrays;

/* As clprim__operation says; scratch is for unique and partition, too. */
clprim_status clprim__select_make(clprim_plan *plan, const void *desc);
size_t clprim__select_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__select_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Make the plan of select, unique or partition. Of unique, .value_size and .indices of the plan are set before. */
clprim_status clprim__select_make_by(clprim__select_plan *self, const clprim__select_how *how);

/* Compile the plan's kernels. */
clprim_status clprim__select_build(clprim__select_plan *self, const clprim__select_how *how);

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__select_bytes(const clprim__select_plan *self, size_t n);

/* Enqueue all launches of a call. */
clprim_status clprim__select_launch_on(clprim__select_plan *self, clprim__chain *chain,
                                       const clprim__select_arrays *arrays, cl_mem scratch);

CLPRIM__DECLARE_ROWS(select)

/* The best variant for a device. */
clprim_select_variant clprim__select_auto(const clprim_device_info *info, clprim__select_rest rest);

#endif
