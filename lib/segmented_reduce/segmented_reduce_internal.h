// SPDX-License-Identifier: MIT
/* segmented_reduce_internal.h: the plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SEGMENTED_REDUCE_INTERNAL_H
#define CLPRIM_LIB_SEGMENTED_REDUCE_INTERNAL_H

#include <clprim/segmented_reduce.h>

#include "build.h"
#include "plan_internal.h"
#include "variants.h"

#include "segmented_reduce/args.h"

enum {
    CLPRIM__SEGMENTED_REDUCE_FOLD,      /* the kernel of all segments */
    CLPRIM__SEGMENTED_REDUCE_NOTHING,   /* if all segments are empty */
    CLPRIM__SEGMENTED_REDUCE_WHOLE,     /* one group per segment, if the operator is commutative */
    CLPRIM__SEGMENTED_REDUCE_UNDIVIDED, /* the same for small arrays */
    CLPRIM__SEGMENTED_REDUCE_KERNELS
};

/* The most ranges of an array. Long segments are divided by ranges. */
#define CLPRIM__SEGMENTED_REDUCE_SHARED(X) X(MAX_RANGES, 2048)
enum { CLPRIM__SEGMENTED_REDUCE_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* A variant's tuning parameters on a device. */
typedef struct clprim__segmented_reduce_tuning {
    size_t group_size;      /* 1 is for CPUs, and is never changed */
    size_t bytes;           /* of a work-item's places in a tile */
    size_t loads;           /* of 16 bytes, which a work-item has in flight while the group folds one long segment */
    size_t share;           /* items (elements and ends of segments) that are worth another group; 0: a tile */
    size_t groups_per_unit; /* most groups per compute unit */
} clprim__segmented_reduce_tuning;

typedef struct clprim__segmented_reduce_row {
    clprim_variant_info info;
    bool looks_back; /* a group waits for earlier ones; otherwise the group that ends last joins what all have left */
    const char *kernels[CLPRIM__SEGMENTED_REDUCE_KERNELS];
    const clprim__source *source;
} clprim__segmented_reduce_row;

typedef struct clprim__segmented_reduce_plan {
    clprim_plan base; /* its state holds what groups leave for others */
    const clprim__segmented_reduce_row *row;
    size_t element_size, value_size, output_size;
    size_t offset_size;
    size_t max_segments;
    size_t share; /* as tuned, or a tile */
    size_t max_groups;
    cl_uint turn; /* the set of counters of the last launch of one group per segment; the other set is cleared */
    clprim__kernel kernels[CLPRIM__SEGMENTED_REDUCE_KERNELS];
} clprim__segmented_reduce_plan;

/* Bytes of the state that groups need to share segments. */
size_t clprim__segmented_reduce_shares_bytes(const clprim__segmented_reduce_plan *self, size_t groups);

/* How run divides calls that do not fit the device. */
extern const struct clprim__pieces clprim__segmented_reduce_pieces;

/* Scratch memory of a call, and its launches. */
size_t clprim__segmented_reduce_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__segmented_reduce_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c);

#endif
