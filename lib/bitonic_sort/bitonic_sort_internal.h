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

/* How a kernel that makes steps in global memory is called. */
typedef enum clprim__bitonic_sort_steps {
    CLPRIM__BITONIC_SORT_NO_STEPS, /* there is none: one launch sorts everything */
    CLPRIM__BITONIC_SORT_ELEMENTS, /* a work-item for each element: block and distance */
    CLPRIM__BITONIC_SORT_PAIRS,    /* for each pair: block, distance, pairs */
    CLPRIM__BITONIC_SORT_SHIFTS,   /* for each pair: block, the distance's logarithm, pairs */
    CLPRIM__BITONIC_SORT_MASKS,    /* for each pair: both of them as pairs, pairs */
    CLPRIM__BITONIC_SORT_WINDOWS,  /* several steps for tiles across the array: the lowest bit, and are they the first?
                                    */
    CLPRIM__BITONIC_SORT_STREAMS   /* the same for CPUs: all work is divided among the cores */
} clprim__bitonic_sort_steps;

/* What a kernel is for. */
enum {
    CLPRIM__BITONIC_SORT_STEP,
    CLPRIM__BITONIC_SORT_COPY,       /* to where the elements are sorted; else BLOCK does that */
    CLPRIM__BITONIC_SORT_BLOCK,      /* sorts tiles */
    CLPRIM__BITONIC_SORT_LOCAL_STEP, /* a step within tiles */
    CLPRIM__BITONIC_SORT_MERGE,      /* all steps of a stage within tiles */
    CLPRIM__BITONIC_SORT_STRIDES,    /* as STEP, but fewer steps, and sooner */
    CLPRIM__BITONIC_SORT_STAGES,     /* all that BLOCK leaves, in one launch, where work-groups may wait for others */
    CLPRIM__BITONIC_SORT_SEGMENTS,   /* sorts each segment; of plans for these the only one */
    CLPRIM__BITONIC_SORT_KERNELS
};

typedef struct clprim__bitonic_sort_row {
    clprim_variant_info info;
    clprim__bitonic_sort_steps steps;
    size_t items;                                       /* of a tile, a work-item; 0: what fits */
    const char *kernels[CLPRIM__BITONIC_SORT_KERNELS];  /* by what they are for; NULL where there is none */
    const clprim__source *sources[CLPRIM__MAX_SOURCES]; /* the variant's own is the last one */
    const clprim__source
        *segment_sources[CLPRIM__MAX_SOURCES]; /* the same for segments; none where it cannot do them */
} clprim__bitonic_sort_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__bitonic_sort_tuning {
    size_t group_size;
    size_t bytes;         /* of elements that a work-item has in registers; of CPU_CHUNK those of a chunk */
    size_t segment_items; /* elements of a work-item in a tile of segments */
    size_t at_once_bytes; /* of elements for which STAGES is, where it can be */
} clprim__bitonic_sort_tuning;

typedef struct clprim__bitonic_sort_plan {
    clprim_plan base; /* its state: in which the groups of STAGES count what is done */
    const clprim__bitonic_sort_row *row;
    size_t key_size, value_size;
    size_t offset_size;   /* of segments' offsets; 0: the plan is for arrays that are one segment */
    unsigned tile_log;    /* 2^tile_log elements are a tile of BLOCK, LOCAL_STEP and MERGE; 0: there are no tiles */
    unsigned window_log;  /* steps of a window */
    unsigned strides_log; /* of STRIDES */
    size_t max_groups;    /* of STREAMS, and of segments */
    size_t least_window;  /* elements whose segments are worth a group of their own */
    size_t at_once_up_to; /* elements for which STAGES is; 0: there is no such kernel */
    clprim__kernel kernels[CLPRIM__BITONIC_SORT_KERNELS];
} clprim__bitonic_sort_plan;

/* What a call works on that sorts an array as a whole, perhaps another operation's. Without values their buffers are
 * NULL. */
typedef struct clprim__bitonic_sort_call {
    clprim__pairs in, out;
    cl_ulong n;
    bool in_place; /* all that is there */
} clprim__bitonic_sort_call;

/* As clprim__operation says. */
clprim_status clprim__bitonic_sort_make(clprim_plan *plan, const void *desc);
clprim_status clprim__bitonic_sort_check(const clprim_plan *plan, const void *call);
clprim_status clprim__bitonic_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Enqueue all launches of a call by a plan for whole arrays. */
clprim_status clprim__bitonic_sort_launch_array(clprim__bitonic_sort_plan *self, clprim__chain *chain,
                                                const clprim__bitonic_sort_call *call);

/* What STAGES takes for n elements: the tiles of all its steps, and words, of which the first is a ticket. */
typedef struct clprim__bitonic_sort_stages {
    size_t tiles, words;
} clprim__bitonic_sort_stages;

clprim__bitonic_sort_stages clprim__bitonic_sort_stages_of(const clprim__bitonic_sort_plan *self, size_t n);

/* Compile the plan's kernels. */
clprim_status clprim__bitonic_sort_build(clprim__bitonic_sort_plan *self, const clprim__order *order);

/* The logarithm of n, a power of two; of other n rounded up. */
unsigned clprim__bitonic_sort_log2(size_t n);

CLPRIM__DECLARE_ROWS(bitonic_sort)

/* The best variant for a device. */
clprim_bitonic_sort_variant clprim__bitonic_sort_auto(const clprim_device_info *info, bool segmented);

extern const clprim__trial_subject clprim__bitonic_sort_trial;

#endif
