/* top_k_internal.h: the plan for the first k, and the table of its variants. */
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
    bool selects;   /* else all are sorted */
    bool in_chunks; /* one work-item a group, which keeps a list; else tiles */
    const clprim__source *source;
} clprim__top_k_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__top_k_tuning {
    size_t group_size;
    size_t items;        /* packets of 16 bytes a work-item has of a tile */
    size_t chunk;        /* of what runs in chunks of one work-item each: elements that are worth another */
    size_t max_per_unit; /* groups a compute unit */
    size_t digit_bits;
    size_t
        filtered_from; /* elements of a call, from which on those that may be among the k are listed first; 0: never */
} clprim__top_k_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__top_k_setting {
    clprim__radix_sort_setting keys; /* and values, as if all were sorted */
    bool unsorted;
    size_t k;
    clprim_type count_at_type;
} clprim__top_k_setting;

/* Where the totals begin in the state of kernels/top_k/radix_select.cl, in words of 32 bits; before a slot's elements in
 * kernels/top_k/parts/kept.cl, in bytes; and of kernels/top_k/filter.cl and finish.cl. */
#define CLPRIM__TOP_K_SHARED(X)                                                                                        \
    X(TOTALS, 32)                                                                                                      \
    X(SLOT_HEAD, 16)                                                                                                   \
    X(TAKEN, 1024) X(TAKEN_BUCKET_BITS, 9) X(FILTER_SHARE, 64) X(SAMPLES_AT_MOST, 8192) X(SAMPLES_EACH, 32)
enum { CLPRIM__TOP_K_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* What a kernel is for. */
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
    bool folds;           /* the group of a pass that finishes last chooses the digit; needs the plan's state */
    bool orders;          /* the k, by kernels/top_k/order.cl instead of a sort */
    size_t filtered_from; /* elements of a call; SIZE_MAX: none is filtered */
    size_t few_most;      /* among so many listed elements one group finds the result */
    size_t tile;          /* elements of a tile; of what runs in chunks those that are worth another chunk */
    size_t max_groups;    /* that a call's elements are divided among */
    clprim_plan *sort;    /* of all elements, or of the k; NULL where these stay as they come, or are put in order */
    clprim__kernel kernels[CLPRIM__TOP_K_KERNELS];
} clprim__top_k_plan;

/* As clprim__operation says. */
clprim_status clprim__top_k_make(clprim_plan *plan, const void *desc);
void clprim__top_k_clear(clprim_plan *plan);
size_t clprim__top_k_scratch(const clprim_plan *plan, const void *call);
size_t clprim__top_k_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__top_k_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Bytes of the state of what folds. */
size_t clprim__top_k_state(const clprim__top_k_plan *self);

/* Make the plan's sort and compile its kernels. */
clprim_status clprim__top_k_build(clprim__top_k_plan *self);

CLPRIM__DECLARE_ROWS(top_k)

/* The best variant for a device. */
clprim_top_k_variant clprim__top_k_auto(const clprim_device_info *info, const clprim__top_k_setting *setting);

/* How run cuts calls into parts. */
extern const struct clprim__parts clprim__top_k_parts;

#endif
