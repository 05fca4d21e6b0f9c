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
    bool selects;   /* else all are sorted */
    bool in_chunks; /* one work-item a group; else tiles */
    const clprim__source *source;
} clprim__nth_element_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__nth_element_tuning {
    size_t group_size;
    size_t items;        /* packets of 16 bytes a work-item has of a tile */
    size_t chunk;        /* of what runs in chunks of one work-item each: elements that are worth another */
    size_t max_per_unit; /* groups a compute unit */
    size_t digit_bits;   /* at most */
    size_t words;        /* counters of a group, a power of two */
} clprim__nth_element_tuning;

/* A description with its defaults filled in. */
typedef struct clprim__nth_element_setting {
    clprim__radix_sort_setting keys; /* as if all were sorted */
    clprim_type count_at_type;
    size_t max_ranks;
} clprim__nth_element_setting;

/* Of kernels/nth_element/parts/search.cl. In the state, in words of 32 bits: the length of a list, and where totals begin;
 * ticket and length have cache lines of their own. A list has at most one of LIST_SHARE keys. Bytes of a search. */
#define CLPRIM__NTH_ELEMENT_SHARED(X) X(LIST_LENGTH, 32) X(TOTALS, 64) X(LIST_SHARE, 4) X(SEARCH_BYTES, 64)
enum { CLPRIM__NTH_ELEMENT_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* AUTO sorts up to so many elements where a call has at least so many ranks: each of these takes part in all passes. */
enum { CLPRIM__NTH_ELEMENT_FEW = 1 << 21, CLPRIM__NTH_ELEMENT_MANY_RANKS = 16 };

/* What a kernel is for. */
enum { CLPRIM__NTH_ELEMENT_LEVEL, CLPRIM__NTH_ELEMENT_CHOOSE, CLPRIM__NTH_ELEMENT_GATHER, CLPRIM__NTH_ELEMENT_KERNELS };

typedef struct clprim__nth_element_plan {
    clprim_plan base;
    const clprim__nth_element_row *row;
    clprim__nth_element_setting setting;
    unsigned digit_bits, words_log;
    bool is_wide;      /* counts have 64 bits */
    bool folds;        /* the group of a level that finishes last chooses the digits */
    bool has_lists;    /* of candidates */
    size_t tile;       /* elements of a tile; of what runs in chunks those that are worth another chunk */
    size_t max_groups; /* that a call's elements are divided among */
    clprim_plan *sort; /* of all elements; NULL: the variant selects */
    clprim_plan *few;  /* of the variant SORT, for few elements and many ranks; or NULL */
    clprim__kernel kernels[CLPRIM__NTH_ELEMENT_KERNELS];
} clprim__nth_element_plan;

/* As clprim__operation says. */
clprim_status clprim__nth_element_make(clprim_plan *plan, const void *desc);
void clprim__nth_element_clear(clprim_plan *plan);
clprim_status clprim__nth_element_check(const clprim_plan *plan, const void *call);
size_t clprim__nth_element_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__nth_element_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Make the plan's sort and compile its kernels. */
clprim_status clprim__nth_element_build(clprim__nth_element_plan *self);

/* Bytes of the state of a variant that selects. */
size_t clprim__nth_element_state(const clprim__nth_element_plan *self);

/* How many levels so many ranks take at most. */
unsigned clprim__nth_element_levels(const clprim__nth_element_plan *self, size_t rank_count);

CLPRIM__DECLARE_ROWS(nth_element)

/* The best variant for a device. */
clprim_nth_element_variant clprim__nth_element_auto(const clprim_device_info *info,
                                                    const clprim__nth_element_setting *setting);

#endif
