/* select_internal.h: the selection's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SELECT_INTERNAL_H
#define CLPRIM_LIB_SELECT_INTERNAL_H

#include <clprim/select.h>

#include "check.h"
#include "launch.h"
#include "program.h"
#include "state.h"
#include "trial.h"
#include "tuning.h"
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
    size_t flag_size; /* 0: by predicate, or heads */
    bool heads;       /* selected is what differs from the element before it: see clprim__select_create_heads */
    size_t tile;      /* elements of a tile; of CPU_CHUNK those that are worth another chunk */
    size_t max_groups;
    size_t portion; /* of LOOK_BACK: elements of one launch at most */
    clprim__kernel kernels[2];
    clprim__queue queue;
    clprim__state state; /* of LOOK_BACK: what kernels/common/look_back.cl needs */
    clprim__workspace workspace;
};

/* What one call works on; offsets in elements. Arrays there are none of are any buffer. */
typedef struct clprim__select_call {
    cl_mem in, flags, out, selected;
    cl_ulong in_offset, flags_offset, out_offset, selected_offset;
    cl_ulong n;
} clprim__select_call;

enum { CLPRIM__SELECT_PACKET_BYTES = 16 };

/* A plan that selects the first element of each run of equal ones, for clprim_unique. The predicate is an expression
 * over `a`, an element, and `b`, the one after it, not 0 where they are equal; NULL: equality of all bits. Not for
 * flags and partition. Errors: as clprim_select_create, in whose name they speak. */
clprim_status clprim__select_create_heads(clprim_select **out, clprim_runtime *runtime, const clprim_select_desc *desc);

/* Compile the plan's kernels. */
clprim_status clprim__select_build(clprim_select *self, const clprim_select_desc *desc);

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__select_scratch(const clprim_select *self, size_t n);

/* Enqueue all launches of a call. */
clprim_status clprim__select_launch(clprim_select *self, clprim__chain *chain, const clprim__select_call *call);

/* NULL for AUTO and unknown variants. */
const clprim__select_row *clprim__select_row_of(clprim_select_variant variant);

clprim__select_tuning clprim__select_tuning_of(clprim_select_variant variant, const clprim_runtime *runtime,
                                               size_t element_size);
extern const clprim__tunables clprim__select_tunables;

/* The best variant for a device. */
clprim_select_variant clprim__select_auto(const clprim_device_info *info, bool partition);

/* For tests: let LOOK_BACK divide arrays into portions of at most n elements, which else are 2^31. */
void clprim__select_set_portion(clprim_select *plan, size_t n);

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(select)

#endif
