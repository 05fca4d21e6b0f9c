// SPDX-License-Identifier: MIT
/* top_k_internal.h: the plan of top_k, and the table of its variants. */
#ifndef CLPRIM_LIB_TOP_K_INTERNAL_H
#define CLPRIM_LIB_TOP_K_INTERNAL_H

#include <clprim/top_k.h>

#include "build.h"
#include "plan_internal.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "tuning.h"
#include "variants.h"

#include "top_k/args.h"

typedef struct clprim__top_k_row {
    clprim_variant_info info;
    bool selects;   /* otherwise all elements are sorted */
    bool in_chunks; /* one work-item per group, which keeps a list; otherwise tiles */
    const clprim__source *source;
} clprim__top_k_row;

/* A variant's tuning parameters on a device. */
typedef struct clprim__top_k_tuning {
    size_t group_size;
    size_t items;        /* packets of 16 bytes per work-item and tile */
    size_t chunk;        /* for chunks of one work-item each: elements that are worth another chunk */
    size_t max_per_unit; /* groups per compute unit */
    size_t digit_bits;
    size_t filtered_from; /* elements of a call from which on candidates are listed first; 0: never */
} clprim__top_k_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__top_k_setting {
    clprim__radix_sort_setting keys; /* and values, as if all elements were sorted */
    bool unsorted;
    size_t k;
    clprim_type count_at_type;
} clprim__top_k_setting;

/* Constants that kernels share: TOTALS, where the totals begin in the state of kernels/top_k/radix_select.cl, in words
 * of 32 bits; SLOT_HEAD, the bytes before a slot's elements in kernels/top_k/parts/kept.cl; and those of
 * kernels/top_k/filter.cl and finish.cl. */
#define CLPRIM__TOP_K_SHARED(X)                                                                                        \
    X(TOTALS, 32)                                                                                                      \
    X(SLOT_HEAD, 16)                                                                                                   \
    X(TAKEN, 1024) X(TAKEN_BUCKET_BITS, 9) X(FILTER_SHARE, 64) X(SAMPLES_AT_MOST, 8192) X(SAMPLES_EACH, 32)
enum { CLPRIM__TOP_K_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* The plan's kernels. */
enum {
    CLPRIM__TOP_K_COPY,
    CLPRIM__TOP_K_COUNT,
    CLPRIM__TOP_K_GATHER,
    CLPRIM__TOP_K_CHOOSE,
    CLPRIM__TOP_K_KEEP,
    CLPRIM__TOP_K_SAMPLE,
    CLPRIM__TOP_K_FILTER,
    CLPRIM__TOP_K_FINISH,
    CLPRIM__TOP_K_ORDER,
    CLPRIM__TOP_K_KERNELS
};

typedef struct clprim__top_k_plan {
    clprim_plan base;
    const clprim__top_k_row *row;
    clprim__top_k_setting setting;
    unsigned digit_bits;
    unsigned passes;
    bool folds;           /* the group that finishes a pass last chooses the digit; needs the plan's state */
    bool orders;          /* kernels/top_k/order.cl orders the k instead of a sort */
    size_t filtered_from; /* elements of a call; SIZE_MAX: never */
    size_t few_most;      /* the most listed elements among which one group finds the result */
    size_t tile;          /* elements of a tile; with chunks, elements that are worth another chunk */
    size_t max_groups;    /* at most so many groups share a call's elements */
    clprim_plan *sort;    /* of all elements, or of the k; NULL if the k stay unsorted, or kernels order them */
    clprim__kernel kernels[CLPRIM__TOP_K_KERNELS];
} clprim__top_k_plan;

/* The functions of clprim__operation. */
clprim_status clprim__top_k_make(clprim_plan *plan, const void *desc);
void clprim__top_k_clear(clprim_plan *plan);
size_t clprim__top_k_scratch(const clprim_plan *plan, const void *call);
size_t clprim__top_k_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__top_k_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Bytes of the state, if the plan folds. */
size_t clprim__top_k_state(const clprim__top_k_plan *self);

/* Make the plan's sort and compile its kernels. */
clprim_status clprim__top_k_build(clprim__top_k_plan *self);

CLPRIM__DECLARE_ROWS(top_k)

/* The best variant for a device. */
clprim_top_k_variant clprim__top_k_auto(const clprim_device_info *info, const clprim__top_k_setting *setting);

/* How clprim_run cuts calls into pieces. */
extern const struct clprim__pieces clprim__top_k_pieces;
extern const struct clprim__native clprim__top_k_native;

#endif
