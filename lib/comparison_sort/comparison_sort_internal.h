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

/* How many elements a group, and each of its work-items, compare with all others (kernels/comparison_sort/ranks.cl). */
#define CLPRIM__RANKS_SHARED(X) X(RANKED_BY_GROUP, 32) X(RANKED_BY_ONE, 4)
enum { CLPRIM__RANKS_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* What a call launches. */
typedef enum clprim__comparison_sort_shape {
    CLPRIM__COMPARISON_SORT_MERGES,  /* tiles are sorted, then merged; each group makes one tile of the result */
    CLPRIM__COMPARISON_SORT_CHUNKS,  /* for CPUs: divided by splitters, as SAMPLES, but each work-item by itself */
    CLPRIM__COMPARISON_SORT_SAMPLES, /* divided by splitters from samples; see sample_sort.h */
    CLPRIM__COMPARISON_SORT_BY_BITONIC,
    CLPRIM__COMPARISON_SORT_BY_RADIX
} clprim__comparison_sort_shape;

/* What a kernel is for. */
enum {
    CLPRIM__COMPARISON_SORT_BLOCK,          /* sorts tiles; of CHUNKS few elements */
    CLPRIM__COMPARISON_SORT_MERGE,          /* merges runs by two */
    CLPRIM__COMPARISON_SORT_MEND,           /* repairs the result of an inconsistent order */
    CLPRIM__COMPARISON_SORT_SPLIT,          /* searches where so many tiles begin in the runs */
    CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE, /* all passes in one launch, where work-groups may wait for others */
    CLPRIM__COMPARISON_SORT_DRAW,           /* of CHUNKS: draws splitters */
    CLPRIM__COMPARISON_SORT_COUNT,          /* finds elements' buckets, and counts */
    CLPRIM__COMPARISON_SORT_DISTRIBUTE,     /* moves them there */
    CLPRIM__COMPARISON_SORT_BUCKET,         /* sorts buckets */
    CLPRIM__COMPARISON_SORT_RANK,           /* for few elements: compares each with all others */
    CLPRIM__COMPARISON_SORT_PLACE,          /* moves them to their places */
    CLPRIM__COMPARISON_SORT_INPUT,          /* computes the keys, if they come from an expression */
    CLPRIM__COMPARISON_SORT_INDICES,        /* makes up the values, if they are indices */
    CLPRIM__COMPARISON_SORT_KERNELS
};

typedef struct clprim__comparison_sort_row {
    clprim_variant_info info; /* keeps_order: it can sort stably */
    clprim__comparison_sort_shape shape;
    bool by_network; /* of MERGES: how a tile is merged */
} clprim__comparison_sort_row;

/* The parameters with which a variant runs on a device. CHUNKS: up to block.bytes of elements are sorted by one group, and
 * not divided. */
typedef struct clprim__comparison_sort_tuning {
    clprim__comparison_sort_group block, merge;
    size_t splits_from;   /* elements from which on a launch before each pass searches the tiles' splits */
    size_t at_once_bytes; /* elements up to which all passes are one launch, if that is possible */
    size_t pairs_a_unit;  /* of n elements, n² for each compute unit, up to which all are compared with all */
    clprim__sample_sort_tuning samples; /* all parameters of SAMPLES */
} clprim__comparison_sort_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__comparison_sort_setting {
    size_t key_size, value_size;
    size_t max_count;
    bool is_custom; /* in the caller's order */
    bool is_record; /* a struct of 32-bit words */
    bool in_place_only;
    bool is_counted;  /* elements are counted on the device */
    bool stable;      /* wanted */
    bool shows_order; /* equal elements can be told apart: by other bits, or by values */
} clprim__comparison_sort_setting;

/* What a kernel's tile is compiled for. */
typedef struct clprim__comparison_sort_tile {
    size_t group_size;
    unsigned items_log;
} clprim__comparison_sort_tile;

struct clprim__comparison_sort_plan {
    clprim_plan base;
    const clprim__comparison_sort_row *row;
    clprim__comparison_sort_setting setting;
    unsigned block_log;       /* 2^block_log elements are a tile that BLOCK sorts */
    unsigned merge_items_log; /* per work-item of the merges' tiles */
    size_t ranked_up_to;      /* elements that RANK and PLACE sort: a power of two, or 0 */
    size_t at_once_up_to;     /* elements up to which all passes are one launch; 0: there is no such kernel */
    bool has_flags;           /* BLOCK clears the words that the merges share */
    size_t splits_from;
    size_t max_groups; /* of CHUNKS that share the array, and of MEND */
    size_t few_up_to;  /* elements that one group of CHUNKS sorts */
    clprim__kernel kernels[CLPRIM__COMPARISON_SORT_KERNELS];
    clprim_plan *bitonic; /* NULL but for BY_BITONIC */
    clprim_plan *radix;   /* NULL but for BY_RADIX */
    clprim__sample_sort samples;
    clprim_plan *few; /* of SAMPLES by AUTO: sorts fewer than few_below elements; else NULL */
    size_t few_below;
    clprim_plan
        *indices; /* of values that do not move along with keys: sorts indices, by which `mover` gathers the values;
                             then nothing above is set but base and row. Else NULL */
    clprim__mover mover;
};

/* What a call works on. */
typedef struct clprim__comparison_sort_call {
    clprim__bitonic_sort_call arrays;
    bool is_partly_in_place; /* keys, or values; for RADIX */
} clprim__comparison_sort_call;

/* As clprim__operation says. */
clprim_status clprim__comparison_sort_make(clprim_plan *plan, const void *desc);
void clprim__comparison_sort_clear(clprim_plan *plan);
size_t clprim__comparison_sort_scratch(const clprim_plan *plan, const void *call);
size_t clprim__comparison_sort_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__comparison_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the kernel that computes keys. order: with the caller's expression. */
clprim_status clprim__comparison_sort_build_input(clprim__comparison_sort_plan *self, const clprim__order *order);
/* Compile the kernel that makes up indices. */
clprim_status clprim__comparison_sort_build_indices(clprim__comparison_sort_plan *self);
/* Compile the plan's kernels, or make the plan of the sort that does it. order: of keys in an array. */
clprim_status clprim__comparison_sort_build(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc,
                                            const clprim__order *order);

/* CHUNKS: its kernels, scratch memory for n elements in bytes, its launches (chunk_sort.c). */
clprim_status clprim__chunk_sort_build(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                       size_t bytes);
size_t clprim__chunk_sort_scratch(const clprim__comparison_sort_plan *self, size_t n);
clprim_status clprim__chunk_sort_launch(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                        const clprim__bitonic_sort_call *call, cl_mem scratch);

/* Bytes of an element, with its value. */
size_t clprim__comparison_sort_item_size(const clprim__comparison_sort_plan *self);
/* log2(n), rounded down; 0 for 0. */
unsigned clprim__comparison_sort_log2_below(size_t n);

/* The size of a work-group: `wanted`, halved until its tile fits and has at most 2^most_log elements. wanted 0:
 * as tuned. */
clprim_status clprim__comparison_sort_fit_tile(clprim__comparison_sort_tile *out,
                                               const clprim__comparison_sort_plan *self,
                                               const clprim__comparison_sort_group *tuned, size_t wanted,
                                               unsigned most_log);
unsigned clprim__comparison_sort_tile_log(const clprim__comparison_sort_tile *shape);
/* The largest number of elements that are compared each with every other one: a power of two, or 0. */
size_t clprim__comparison_sort_ranked_up_to(const clprim_device_info *info,
                                            const clprim__comparison_sort_setting *setting, size_t pairs_a_unit);
/* How records lie in memory, for kernels/common/items.cl. */
void clprim__comparison_sort_write_memory(clprim__text *text, const clprim__comparison_sort_plan *self);
/* Whether items are sorted by their places in a tile, because they are large to move. */
bool clprim__comparison_sort_by_places(const clprim__comparison_sort_setting *setting);
/* The tile as options for kernels/bitonic_sort/parts/register_tile.cl, and others. */
void clprim__comparison_sort_write_tile(clprim__text *text, const clprim__comparison_sort_plan *self,
                                        const clprim__comparison_sort_tile *shape);

CLPRIM__DECLARE_ROWS(comparison_sort)

clprim__sample_sort_range clprim__sample_sort_range_of(const clprim_device_info *info);

/* The best variant for a device. */
clprim_comparison_sort_variant clprim__comparison_sort_auto(const clprim_device_info *info,
                                                            const clprim__comparison_sort_setting *setting);

/* Of those that merge. */
clprim_comparison_sort_variant clprim__comparison_sort_merging(const clprim__comparison_sort_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, if the variant does not support the setting. */
clprim_status clprim__comparison_sort_supported(const clprim__comparison_sort_row *row,
                                                const clprim__comparison_sort_setting *setting);

#endif
