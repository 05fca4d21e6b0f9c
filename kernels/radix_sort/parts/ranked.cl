// SPDX-License-Identifier: MIT
/* ranked.cl: what a sort within a work-group is told of keys and arrays.
 *
 * Parameters: PARTIAL_KEYS: only some bits decide; keys.cl with its parameters. */
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"

#ifndef PARTIAL_KEYS
#error "PARTIAL_KEYS must be given"
#endif

/* Without shuffles a tile is sorted by merges (tile_by_merges.cl), else by tile_sort.cl. */
#define BY_MERGES (RANK_BY == RANK_BY_ITEM || RANK_BY == RANK_BY_MASKS)

/* What of an image decides. Elements of which this is equal keep their order. */
#if !PARTIAL_KEYS
#define RANKED(image) (image)
#elif END_BIT == 0
#define RANKED(image) ((KEY)0)
#else /* the highest bits */
#define RANKED(image) ((KEY)((image) >> BEGIN_BIT))
#endif

/* Keys and values, as they come and as they shall lie. */
typedef struct {
    const __global KEY *keys_in;
    __global KEY *keys_out;
#if VALUE_SIZE
    const __global VALUE *values_in;
    __global VALUE *values_out;
#endif
} sorted_arrays;
#if VALUE_SIZE
#define ARRAYS_HERE                                                                                                    \
    (sorted_arrays)                                                                                                    \
    {                                                                                                                  \
        keys_in + args.keys_in_offset, keys_out + args.keys_out_offset, values_in + args.values_in_offset,             \
            values_out + args.values_out_offset                                                                        \
    }
#else
#define ARRAYS_HERE                                                                                                    \
    (sorted_arrays)                                                                                                    \
    {                                                                                                                  \
        keys_in + args.keys_in_offset, keys_out + args.keys_out_offset                                                 \
    }
#endif
