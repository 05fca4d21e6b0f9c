// SPDX-License-Identifier: MIT
/* bitonic_sort_internal.h: the sort's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_BITONIC_SORT_INTERNAL_H
#define CLPRIM_LIB_BITONIC_SORT_INTERNAL_H

#include <clprim/bitonic_sort.h>

#include "order.h"
#include "plan_internal.h"
#include "program.h"
#include "text.h"
#include "tuning.h"
#include "variants.h"

/* How steps in global memory are launched. */
typedef enum clprim__bitonic_sort_steps {
    CLPRIM__BITONIC_SORT_NO_STEPS, /* not at all: one launch sorts everything */
    CLPRIM__BITONIC_SORT_ELEMENTS, /* one work-item per element */
    CLPRIM__BITONIC_SORT_PAIRS,    /* one work-item per pair */
    CLPRIM__BITONIC_SORT_WINDOWS,  /* a launch makes several steps, on tiles that span the array */
    CLPRIM__BITONIC_SORT_STREAMS   /* the same for CPUs: the cores share all work */
} clprim__bitonic_sort_steps;

/* The purposes of kernels. */
enum {
    CLPRIM__BITONIC_SORT_STEP,
    CLPRIM__BITONIC_SORT_COPY,       /* copies the elements to the output, where they are sorted; if NULL, BLOCK does
                                      * that */
    CLPRIM__BITONIC_SORT_BLOCK,      /* sorts tiles */
    CLPRIM__BITONIC_SORT_LOCAL_STEP, /* makes one step within tiles */
    CLPRIM__BITONIC_SORT_MERGE,      /* makes all remaining steps of a stage within tiles */
    CLPRIM__BITONIC_SORT_STRIDES,    /* like STEP, but makes fewer steps, in registers alone */
    CLPRIM__BITONIC_SORT_STAGES,     /* makes everything after BLOCK in one launch, if work-groups may wait for each
                                      * other */
    CLPRIM__BITONIC_SORT_SEGMENTS,   /* sorts each segment; the only kernel of such plans */
    CLPRIM__BITONIC_SORT_KERNELS
};

typedef struct clprim__bitonic_sort_row {
    clprim_variant_info info;
    clprim__bitonic_sort_steps steps;
    size_t items;                                      /* per work-item of a tile; 0: as many as fit */
    const char *kernels[CLPRIM__BITONIC_SORT_KERNELS]; /* indexed by purpose; NULL: the variant does not have it */
    const clprim__source *source;
    const clprim__source *segment_source; /* the same for segments; NULL if the variant does not support them */
} clprim__bitonic_sort_row;

/* The parameters of a variant on a device. */
typedef struct clprim__bitonic_sort_tuning {
    size_t group_size;
    size_t bytes;         /* bytes of elements that a work-item holds in registers; for CPU_CHUNK, bytes of a chunk */
    size_t segment_items; /* elements per work-item in a tile of segments */
    size_t at_once_bytes; /* bytes of elements up to which STAGES is used, if it can be */
} clprim__bitonic_sort_tuning;

typedef struct clprim__bitonic_sort_plan {
    clprim_plan base; /* in its state, the groups of STAGES count finished work */
    const clprim__bitonic_sort_row *row;
    size_t key_size, value_size;
    size_t offset_size;   /* size of the segments' offsets; 0: the plan sorts whole arrays */
    unsigned tile_log;    /* BLOCK, LOCAL_STEP and MERGE have tiles of 2^tile_log elements; 0: there are no tiles */
    unsigned window_log;  /* number of steps of a window */
    unsigned strides_log; /* number of steps of STRIDES */
    size_t max_groups;    /* for STREAMS, and for segments */
    size_t least_window;  /* elements of segments that are worth their own group */
    size_t at_once_up_to; /* largest number of elements for STAGES; 0: there is no such kernel */
    clprim__kernel kernels[CLPRIM__BITONIC_SORT_KERNELS];
} clprim__bitonic_sort_plan;

/* A call on a whole array. It may come from another operation. Without values, their buffers are NULL. */
typedef struct clprim__bitonic_sort_call {
    clprim__pairs in, out;
    cl_ulong n;
    bool in_place; /* the keys and, if there are any, the values */
} clprim__bitonic_sort_call;

/* The functions of clprim__operation. */
clprim_status clprim__bitonic_sort_make(clprim_plan *plan, const void *desc);
clprim_status clprim__bitonic_sort_check(const clprim_plan *plan, const void *call);
clprim_status clprim__bitonic_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Enqueue all launches of a call, for plans that sort whole arrays. */
clprim_status clprim__bitonic_sort_launch_array(clprim__bitonic_sort_plan *self, clprim__chain *chain,
                                                const clprim__bitonic_sort_call *call);

/* The sizes that STAGES needs for n elements: the number of tiles over all its steps, and the number of words; the
 * first word is a ticket. */
typedef struct clprim__bitonic_sort_stages {
    size_t tiles, words;
} clprim__bitonic_sort_stages;

clprim__bitonic_sort_stages clprim__bitonic_sort_stages_of(const clprim__bitonic_sort_plan *self, size_t n);

/* Compile the plan's kernels. */
clprim_status clprim__bitonic_sort_build(clprim__bitonic_sort_plan *self, const clprim__order *order);

/* log2(n), rounded up. */
unsigned clprim__bitonic_sort_log2(size_t n);

/* For the references of this sort and of comparison_sort: describe what is wrong with their arguments; NULL: nothing.
 * is_custom: the order is the caller's. */
const char *clprim__reference_sort_mistake(clprim_type type, size_t size, bool is_custom, clprim_nan_order nan_order,
                                           const void *data, const void *values, size_t value_size, size_t count);

CLPRIM__DECLARE_ROWS(bitonic_sort)

/* The best variant for a device. */
clprim_bitonic_sort_variant clprim__bitonic_sort_auto(const clprim_device_info *info, bool segmented);

extern const clprim__trial_subject clprim__bitonic_sort_trial;

#endif
