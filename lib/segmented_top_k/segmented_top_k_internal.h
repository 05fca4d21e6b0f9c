// SPDX-License-Identifier: MIT
/* segmented_top_k_internal.h: the plan of segmented_top_k, and the table of its variants. */
#ifndef CLPRIM_LIB_SEGMENTED_TOP_K_INTERNAL_H
#define CLPRIM_LIB_SEGMENTED_TOP_K_INTERNAL_H

#include <clprim/segmented_top_k.h>

#include "build.h"
#include "plan_internal.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "tuning.h"
#include "variants.h"

#include "segmented_top_k/args.h"

/* The plan's kernels. */
enum {
    CLPRIM__SEGMENTED_TOP_K_OFFSETS,
    CLPRIM__SEGMENTED_TOP_K_COPY, /* or GATHER: moves sorted elements to the output */
    CLPRIM__SEGMENTED_TOP_K_SHORT,
    CLPRIM__SEGMENTED_TOP_K_TEAMS,
    CLPRIM__SEGMENTED_TOP_K_SMALL_TEAMS,
    CLPRIM__SEGMENTED_TOP_K_SELECT,
    CLPRIM__SEGMENTED_TOP_K_CHUNK,
    CLPRIM__SEGMENTED_TOP_K_KERNELS
};

typedef struct clprim__segmented_top_k_row {
    clprim_variant_info info;
    enum { CLPRIM__SEGMENTED_TOP_K_SORTS, CLPRIM__SEGMENTED_TOP_K_SELECTS, CLPRIM__SEGMENTED_TOP_K_IN_CHUNKS } how;
    const clprim__source *source;
} clprim__segmented_top_k_row;

/* A variant's tuning parameters on a device. */
typedef struct clprim__segmented_top_k_tuning {
    size_t group_size;       /* 1 is for CPUs, and is never changed */
    size_t short_group_size; /* for kernels without a work-group per segment */
    size_t longest;          /* most elements of a short segment, if k is at most CLPRIM__SEGMENTED_TOP_K_LISTED */
    size_t team_longest;     /* the same for a team of lanes, if k is at most CLPRIM__SEGMENTED_TOP_K_TEAM_MOST; 0: no
                          * teams */
    size_t team_keys;        /* least keys per lane, if there are few elements */
    size_t small_from;       /* elements per compute unit from which on teams of rows have as few lanes as possible */
    size_t part;             /* least elements of a part of a row; with offsets, parts are four times as long */
    size_t groups_per_unit;  /* most groups per compute unit */
} clprim__segmented_top_k_tuning;

enum {
    CLPRIM__SEGMENTED_TOP_K_LISTED = 32,        /* largest k for which a work-item keeps the first k in a list */
    CLPRIM__SEGMENTED_TOP_K_TEAM_MOST = 64,     /* largest k of a team of lanes */
    CLPRIM__SEGMENTED_TOP_K_TEAM_FROM = 16,     /* largest number of elements of a row that a single work-item takes */
    CLPRIM__SEGMENTED_TOP_K_MOST = 2048,        /* largest k of SELECT */
    CLPRIM__SEGMENTED_TOP_K_MOST_KEPT = 1 << 28 /* largest k of CPU_CHUNK */
};

/* A description with its defaults filled in. */
typedef struct clprim__segmented_top_k_setting {
    clprim__radix_sort_setting keys; /* and values */
    bool unsorted;
    size_t k;
    size_t segment_length; /* 0: there are offsets */
    size_t offset_size;    /* bytes of an offset */
    size_t max_segments;
} clprim__segmented_top_k_setting;

/* Words of the header of kernels/segmented_top_k/parts/units.cl. Each has its own cache line. */
#define CLPRIM__SEGMENTED_TOP_K_SHARED(X) X(UNITS, 0) X(SLOTS, 32) X(JOINS, 64)
enum { CLPRIM__SEGMENTED_TOP_K_SHARED(CLPRIM__SHARED_ENUMERATOR) CLPRIM__SEGMENTED_TOP_K_HEADER = 512 /* bytes */ };

typedef struct clprim__segmented_top_k_plan {
    clprim_plan base;
    const clprim__segmented_top_k_row *row;
    clprim__segmented_top_k_setting setting;
    bool keeps_list;   /* for CPU_CHUNK: work-items need no slots of scratch memory */
    size_t longest;    /* most elements of a short segment */
    size_t team;       /* lanes of a team; 0: there are no teams */
    size_t small_team; /* lanes of a team if there are many elements in rows; 0: as many as `team` */
    size_t small_from; /* elements of a call from which on there are many */
    size_t team_longest;
    size_t part; /* as tuned, or more for a large k */
    size_t max_groups;
    clprim_plan *sort;  /* of all segments */
    bool sorts_indices; /* the sort writes indices besides the keys */
    clprim__kernel kernels[CLPRIM__SEGMENTED_TOP_K_KERNELS];
} clprim__segmented_top_k_plan;

/* The functions of clprim__operation. */
clprim_status clprim__segmented_top_k_make(clprim_plan *plan, const void *desc);
void clprim__segmented_top_k_clear(clprim_plan *plan);
clprim_status clprim__segmented_top_k_check(const clprim_plan *plan, const void *call);
size_t clprim__segmented_top_k_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__segmented_top_k_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Make the plan's sort, if it has one, and compile its kernels. */
clprim_status clprim__segmented_top_k_build(clprim__segmented_top_k_plan *self);

/* Elements that a group of select.cl can collect, a power of two, if it needs room for `wanted`. */
size_t clprim__segmented_top_k_capacity(size_t wanted);

CLPRIM__DECLARE_ROWS(segmented_top_k)

/* The best variant for a device. */
clprim_segmented_top_k_variant clprim__segmented_top_k_auto(const clprim_device_info *info,
                                                            const clprim__segmented_top_k_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, if the variant does not support the setting on such a device. */
clprim_status clprim__segmented_top_k_supported(const clprim__segmented_top_k_row *row,
                                                const clprim__segmented_top_k_setting *setting,
                                                const clprim_device_info *info);

#endif
