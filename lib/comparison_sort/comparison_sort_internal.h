/* comparison_sort_internal.h: the sort's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_COMPARISON_SORT_INTERNAL_H
#define CLPRIM_LIB_COMPARISON_SORT_INTERNAL_H

#include <clprim/comparison_sort.h>

#include "bitonic_sort_internal.h"
#include "launch.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "workspace.h"

/* What a call launches. */
typedef enum clprim__comparison_sort_shape {
    CLPRIM__COMPARISON_SORT_MERGES, /* tiles are sorted, then merged, a tile of the result a group */
    CLPRIM__COMPARISON_SORT_CHUNKS, /* the same for CPUs: each work-item has much of the array to itself */
    CLPRIM__COMPARISON_SORT_BY_BITONIC,
    CLPRIM__COMPARISON_SORT_BY_RADIX
} clprim__comparison_sort_shape;

/* What a kernel is for. */
enum {
    CLPRIM__COMPARISON_SORT_BLOCK, /* sorts tiles, or chunks */
    CLPRIM__COMPARISON_SORT_MERGE, /* merges runs by two */
    CLPRIM__COMPARISON_SORT_MEND,  /* where the caller's order may be none */
    CLPRIM__COMPARISON_SORT_SPLIT, /* searches, for so many tiles, where they begin in the runs */
    CLPRIM__COMPARISON_SORT_KERNELS
};

typedef struct clprim__comparison_sort_row {
    clprim_variant_info info; /* keeps_order: it can sort stably */
    clprim__comparison_sort_shape shape;
    const clprim__source *merge_sources[CLPRIM__MAX_SOURCES]; /* the last one is the variant's own */
} clprim__comparison_sort_row;

/* A work-group, and the bytes of elements that each of its work-items has in registers. */
typedef struct clprim__comparison_sort_group {
    size_t group_size, bytes;
} clprim__comparison_sort_group;

/* The parameters with which a variant runs on a device. Of CHUNKS `bytes` are those of a chunk, for both. */
typedef struct clprim__comparison_sort_tuning {
    clprim__comparison_sort_group block, merge;
    size_t splits_from; /* elements from which on the tiles' splits are searched before a pass */
} clprim__comparison_sort_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__comparison_sort_setting {
    clprim__bitonic_sort_setting elements;
    bool is_custom; /* in an order of the caller's */
    bool in_place_only;
    bool stable;      /* wanted */
    bool shows_order; /* that of equal elements can be told, for they have other bits, or values */
} clprim__comparison_sort_setting;

struct clprim_comparison_sort {
    clprim_runtime *runtime;
    const clprim__comparison_sort_row *row;
    clprim__comparison_sort_setting setting;
    unsigned block_log, merge_log; /* 2^block_log elements are a tile, or a chunk, that BLOCK sorts; MERGE's tile */
    size_t splits_from;
    size_t max_groups; /* of CHUNKS in a pass, and of MEND */
    clprim__kernel kernels[CLPRIM__COMPARISON_SORT_KERNELS];
    clprim_bitonic_sort *bitonic; /* NULL but for BY_BITONIC */
    clprim_radix_sort *radix;     /* NULL but for BY_RADIX */
    clprim__queue queue;
    clprim__workspace workspace;
};

/* What one call works on. */
typedef struct clprim__comparison_sort_call {
    clprim__bitonic_sort_call arrays;
    bool is_partly_in_place; /* keys, or values; for RADIX */
} clprim__comparison_sort_call;

/* Bytes of scratch memory for n elements. */
size_t clprim__comparison_sort_scratch(const clprim_comparison_sort *self, size_t n);

/* Enqueue all launches of a call, which may be a range of an array that another operation is about: lend it scratch
 * memory then (clprim__workspace_supply). */
clprim_status clprim__comparison_sort_launch(clprim_comparison_sort *self, clprim__chain *chain,
                                             const clprim__comparison_sort_call *call);

/* Compile the plan's kernels, or make the plan of the sort that does it. */
clprim_status clprim__comparison_sort_build(clprim_comparison_sort *self, const clprim_comparison_sort_desc *desc,
                                            const clprim__order *order);

/* NULL for AUTO and unknown variants. */
const clprim__comparison_sort_row *clprim__comparison_sort_row_of(clprim_comparison_sort_variant variant);

/* What sorts the tiles of MERGES. */
void clprim__comparison_sort_block_sources(const clprim__source **out, const clprim__comparison_sort_setting *setting);

clprim__comparison_sort_tuning clprim__comparison_sort_tuning_of(clprim_comparison_sort_variant variant,
                                                                 const clprim__comparison_sort_setting *setting,
                                                                 const clprim_device_info *info);

/* The best variant for a device. */
clprim_comparison_sort_variant clprim__comparison_sort_auto(const clprim_device_info *info,
                                                            const clprim__comparison_sort_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, where the setting is not for this variant. */
clprim_status clprim__comparison_sort_supported(const clprim__comparison_sort_row *row,
                                                const clprim__comparison_sort_setting *setting);

#endif
