// SPDX-License-Identifier: MIT
/* nth_element_internal.h: the plan for keys at given ranks, and the table of its variants. */
#ifndef CLPRIM_LIB_NTH_ELEMENT_INTERNAL_H
#define CLPRIM_LIB_NTH_ELEMENT_INTERNAL_H

#include <clprim/nth_element.h>

#include "build.h"
#include "plan_internal.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "tuning.h"
#include "variants.h"

#include "nth_element/args.h"

typedef struct clprim__nth_element_row {
    clprim_variant_info info;
    bool selects;   /* it selects; otherwise it sorts all elements */
    bool in_chunks; /* a group is one work-item; otherwise groups have tiles */
    const clprim__source *source;
} clprim__nth_element_row;

/* The parameters of a variant on a device. */
typedef struct clprim__nth_element_tuning {
    size_t group_size;
    size_t items;        /* packets of 16 bytes per work-item and tile */
    size_t chunk;        /* for variants that work in chunks of one work-item each: elements that are worth another
                          * chunk */
    size_t max_per_unit; /* groups per compute unit */
    size_t digit_bits;   /* maximum */
    size_t words;        /* counters per group, a power of two */
} clprim__nth_element_tuning;

/* A description with its defaults filled in. */
typedef struct clprim__nth_element_setting {
    clprim__radix_sort_setting keys; /* as if all elements were sorted */
    clprim_type count_at_type;
    size_t max_ranks;
} clprim__nth_element_setting;

/* Numbers for kernels/nth_element/parts/search.cl. Positions in the state, in 32-bit words: the length of a list, and
 * the beginning of the totals; ticket and length have their own cache lines. A list has at most 1/LIST_SHARE of the
 * keys. The size of a search in bytes. */
#define CLPRIM__NTH_ELEMENT_SHARED(X) X(LIST_LENGTH, 32) X(TOTALS, 64) X(LIST_SHARE, 4) X(SEARCH_BYTES, 64)
enum { CLPRIM__NTH_ELEMENT_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* AUTO sorts arrays of up to FEW elements if a call has at least MANY_RANKS ranks, because each rank takes part in all
 * passes of a selection. */
enum { CLPRIM__NTH_ELEMENT_FEW = 1 << 21, CLPRIM__NTH_ELEMENT_MANY_RANKS = 16 };

/* The purposes of kernels. */
enum { CLPRIM__NTH_ELEMENT_LEVEL, CLPRIM__NTH_ELEMENT_CHOOSE, CLPRIM__NTH_ELEMENT_GATHER, CLPRIM__NTH_ELEMENT_KERNELS };

typedef struct clprim__nth_element_plan {
    clprim_plan base;
    const clprim__nth_element_row *row;
    clprim__nth_element_setting setting;
    unsigned digit_bits, words_log;
    bool is_wide;      /* counts have 64 bits */
    bool folds;        /* the group of a level that finishes last chooses the digits */
    bool has_lists;    /* lists of candidates */
    size_t tile;       /* elements of a tile; for variants that work in chunks, how many are worth another chunk */
    size_t max_groups; /* maximum number of groups that share a call's elements */
    clprim_plan *sort; /* sorts all elements; NULL: the variant selects */
    clprim_plan *few;  /* a plan of variant SORT, for few elements and many ranks; or NULL */
    clprim__kernel kernels[CLPRIM__NTH_ELEMENT_KERNELS];
} clprim__nth_element_plan;

/* The functions of clprim__operation. */
clprim_status clprim__nth_element_make(clprim_plan *plan, const void *desc);
void clprim__nth_element_clear(clprim_plan *plan);
clprim_status clprim__nth_element_check(const clprim_plan *plan, const void *call);
size_t clprim__nth_element_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__nth_element_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Make the plan's sort, and compile its kernels. */
clprim_status clprim__nth_element_build(clprim__nth_element_plan *self);

/* The size of the state in bytes, for variants that select. */
size_t clprim__nth_element_state(const clprim__nth_element_plan *self);

/* The largest number of levels for this many ranks. */
unsigned clprim__nth_element_levels(const clprim__nth_element_plan *self, size_t rank_count);

CLPRIM__DECLARE_ROWS(nth_element)

/* How run divides calls that do not fit the device. */
extern const struct clprim__pieces clprim__nth_element_pieces;

/* The best variant for a device. */
clprim_nth_element_variant clprim__nth_element_auto(const clprim_device_info *info,
                                                    const clprim__nth_element_setting *setting);

#endif
