// SPDX-License-Identifier: MIT
/* comparison_sort_internal.h: the sort's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_COMPARISON_SORT_INTERNAL_H
#define CLPRIM_LIB_COMPARISON_SORT_INTERNAL_H

#include <clprim/comparison_sort.h>

#include "bitonic_sort_internal.h"
#include "build.h"
#include "plan_internal.h"
#include "plan_mover.h"
#include "prelude.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "sample_sort.h"
#include "tuning.h"
#include "variants.h"

/* How many elements a work-group, and each of its work-items, compares with all others
 * (kernels/comparison_sort/ranks.cl). */
#define CLPRIM__RANKS_SHARED(X) X(RANKED_BY_GROUP, 32) X(RANKED_BY_ONE, 4)
enum { CLPRIM__RANKS_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* How a call is launched. */
typedef enum clprim__comparison_sort_shape {
    CLPRIM__COMPARISON_SORT_MERGES,  /* sort tiles, then merge them; each group makes one tile of the result */
    CLPRIM__COMPARISON_SORT_CHUNKS,  /* for CPUs: divide by splitters, as SAMPLES does, but each work-item works
                                      * alone */
    CLPRIM__COMPARISON_SORT_SAMPLES, /* divide by splitters from samples; see sample_sort.h */
    CLPRIM__COMPARISON_SORT_BY_BITONIC,
    CLPRIM__COMPARISON_SORT_BY_RADIX
} clprim__comparison_sort_shape;

/* The purposes of kernels. */
enum {
    CLPRIM__COMPARISON_SORT_BLOCK,          /* sorts tiles; for CHUNKS, sorts a small array */
    CLPRIM__COMPARISON_SORT_MERGE,          /* merges pairs of runs */
    CLPRIM__COMPARISON_SORT_MEND,           /* repairs the result of an inconsistent order */
    CLPRIM__COMPARISON_SORT_SPLIT,          /* finds where tiles begin in the runs, if there are many tiles */
    CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE, /* makes all passes in one launch, if work-groups may wait for each other */
    CLPRIM__COMPARISON_SORT_DRAW,           /* for CHUNKS: draws splitters */
    CLPRIM__COMPARISON_SORT_COUNT,          /* finds the elements' buckets, and counts them */
    CLPRIM__COMPARISON_SORT_DISTRIBUTE,     /* moves elements to their buckets */
    CLPRIM__COMPARISON_SORT_BUCKET,         /* sorts buckets */
    CLPRIM__COMPARISON_SORT_RANK,           /* for small arrays: compares each element with all others */
    CLPRIM__COMPARISON_SORT_PLACE,          /* moves elements to their places */
    CLPRIM__COMPARISON_SORT_INPUT,          /* computes the keys that come from an expression */
    CLPRIM__COMPARISON_SORT_INDICES,        /* generates the values that are indices */
    CLPRIM__COMPARISON_SORT_KERNELS
};

typedef struct clprim__comparison_sort_row {
    clprim_variant_info info; /* keeps_order: it can sort stably */
    clprim__comparison_sort_shape shape;
    bool by_network; /* for MERGES: how a tile is merged */
} clprim__comparison_sort_row;

/* The parameters of a variant on a device. For CHUNKS, arrays of up to block.bytes are sorted by one group, without
 * being divided. */
typedef struct clprim__comparison_sort_tuning {
    clprim__comparison_sort_group block, merge;
    size_t splits_from;   /* smallest number of elements for which a separate launch before each pass finds the tiles'
                           * splits */
    size_t at_once_bytes; /* bytes of elements up to which all passes are one launch, if that is possible */
    size_t pairs_a_unit; /* for n elements, n² per compute unit up to which each element is compared with all others */
    clprim__sample_sort_tuning samples; /* all parameters of SAMPLES */
} clprim__comparison_sort_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__comparison_sort_setting {
    size_t key_size, value_size;
    size_t max_count;
    bool is_custom; /* there is a caller's order */
    bool is_record; /* a struct of 32-bit words */
    bool in_place_only;
    bool is_counted;  /* the number of elements is on the device */
    bool stable;      /* the caller asks for a stable sort */
    bool shows_order; /* equal elements can be distinguished: by other bits, or by values */
} clprim__comparison_sort_setting;

/* The tile for which a kernel is compiled. */
typedef struct clprim__comparison_sort_tile {
    size_t group_size;
    unsigned items_log;
} clprim__comparison_sort_tile;

struct clprim__comparison_sort_plan {
    clprim_plan base;
    const clprim__comparison_sort_row *row;
    clprim__comparison_sort_setting setting;
    unsigned block_log;       /* BLOCK sorts tiles of 2^block_log elements */
    unsigned merge_items_log; /* per work-item of the merges' tiles */
    size_t ranked_up_to;      /* largest number of elements for RANK and PLACE: a power of two, or 0 */
    size_t at_once_up_to;     /* largest number of elements for which all passes are one launch; 0: there is no such
                               * kernel */
    bool has_flags;           /* BLOCK clears the words that the merge kernels share */
    size_t splits_from;
    size_t max_groups; /* for MEND, and for CHUNKS, whose groups share the array */
    size_t few_up_to;  /* largest number of elements that a single group of CHUNKS sorts */
    clprim__kernel kernels[CLPRIM__COMPARISON_SORT_KERNELS];
    clprim_plan *bitonic; /* for BY_BITONIC, otherwise NULL */
    clprim_plan *radix;   /* for BY_RADIX, otherwise NULL */
    clprim__sample_sort samples;
    clprim_plan *few; /* for SAMPLES chosen by AUTO: sorts fewer than few_below elements; otherwise NULL */
    size_t few_below;
    clprim_plan
        *indices; /* if values do not move along with the keys: sorts indices, by which `mover` gathers the values; then
                   * of the members above only base and row are set. Otherwise NULL */
    clprim__mover mover;
};

/* A call. */
typedef struct clprim__comparison_sort_call {
    clprim__bitonic_sort_call arrays;
    bool is_partly_in_place; /* either the keys or the values are in place; for RADIX */
} clprim__comparison_sort_call;

/* The functions of clprim__operation. */
clprim_status clprim__comparison_sort_make(clprim_plan *plan, const void *desc);
void clprim__comparison_sort_clear(clprim_plan *plan);
size_t clprim__comparison_sort_scratch(const clprim_plan *plan, const void *call);
size_t clprim__comparison_sort_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__comparison_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the kernel that computes keys. `order` has the caller's expression. */
clprim_status clprim__comparison_sort_build_input(clprim__comparison_sort_plan *self, const clprim__order *order);
/* Compile the kernel that generates indices. */
clprim_status clprim__comparison_sort_build_indices(clprim__comparison_sort_plan *self);
/* Compile the plan's kernels, or make the plan of the sort that does the work. `order` is that of keys in an array. */
clprim_status clprim__comparison_sort_build(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc,
                                            const clprim__order *order);

/* For CHUNKS: compile its kernels; the size of scratch memory for n elements in bytes; launch a call (chunk_sort.c). */
clprim_status clprim__chunk_sort_build(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                       size_t bytes);
size_t clprim__chunk_sort_scratch(const clprim__comparison_sort_plan *self, size_t n);
clprim_status clprim__chunk_sort_launch(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                        const clprim__bitonic_sort_call *call, cl_mem scratch);

/* The size of an element with its value, in bytes. */
size_t clprim__comparison_sort_item_size(const clprim__comparison_sort_plan *self);
/* log2(n), rounded down; 0 for 0. */
unsigned clprim__comparison_sort_log2_below(size_t n);

/* Find the tile: `wanted` work-items, halved until the tile fits and has at most 2^most_log elements. wanted 0: the
 * tuned size. */
clprim_status clprim__comparison_sort_fit_tile(clprim__comparison_sort_tile *out,
                                               const clprim__comparison_sort_plan *self,
                                               const clprim__comparison_sort_group *tuned, size_t wanted,
                                               unsigned most_log);
unsigned clprim__comparison_sort_tile_log(const clprim__comparison_sort_tile *shape);
/* The largest number of elements for which each is compared with all others: a power of two, or 0. */
size_t clprim__comparison_sort_ranked_up_to(const clprim_device_info *info,
                                            const clprim__comparison_sort_setting *setting, size_t pairs_a_unit);
/* Write options that say how records are laid out in memory, for kernels/common/items.cl. */
void clprim__comparison_sort_write_memory(clprim__text *text, const clprim__comparison_sort_plan *self);
/* Whether a tile is sorted by the elements' places in it, because elements are too large to be moved often. */
bool clprim__comparison_sort_by_places(const clprim__comparison_sort_setting *setting);
/* Write the tile as options for kernels/bitonic_sort/parts/register_tile.cl and others. */
void clprim__comparison_sort_write_tile(clprim__text *text, const clprim__comparison_sort_plan *self,
                                        const clprim__comparison_sort_tile *shape);

CLPRIM__DECLARE_ROWS(comparison_sort)

extern const struct clprim__native clprim__comparison_sort_native;

clprim__sample_sort_range clprim__sample_sort_range_of(const clprim_device_info *info);

/* The best variant for a device. */
clprim_comparison_sort_variant clprim__comparison_sort_auto(const clprim_device_info *info,
                                                            const clprim__comparison_sort_setting *setting);

/* The best variant among those that merge. */
clprim_comparison_sort_variant clprim__comparison_sort_merging(const clprim__comparison_sort_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, if the variant does not support the setting. */
clprim_status clprim__comparison_sort_supported(const clprim__comparison_sort_row *row,
                                                const clprim__comparison_sort_setting *setting);

#endif
