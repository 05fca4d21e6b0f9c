// SPDX-License-Identifier: MIT
/* look_back.cl: clprim/device/look_back.h with the types and operators of the library's kernels.
 *
 *     clprim__tiles_tile tile = clprim__tiles_begin(state, epoch, groups, &memory);
 *     do {
 *         ...                                      // fold tile tile.at
 *         clprim__tiles_publish(&tile, folded);
 *     } while (clprim__tiles_look_back(&tile) || needs_own_tile_again(&tile));
 *     ... tile.prefix ...
 *
 * needs_own_tile_again is for kernels that use registers of the loop's body after the loop. If these belong to another
 * tile, the body runs for the group's own tile once more, and its fold is not published again.
 *
 * Parameters: VALUE, COMBINE, IDENTITY. If prefixes have another type than VALUEs: PREFIX, PREFIX_NONE, PREFIX_THEN(a,
 * b), and PREFIX_REDUCE_REVERSED(x), over all lanes, the last one first. If LONG_PREFIX is 1, sums of VALUEs are
 * carried in PREFIXes (scan/parts/long_prefix.cl). */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"
#include "clprim/device/base.h"
#include "clprim/device/look_back.h"

#ifndef PREFIX
#define PREFIX            VALUE
#define PREFIX_NONE       IDENTITY
#define PREFIX_THEN(a, b) COMBINE(a, b)
#endif
#ifndef PREFIX_REDUCE_REVERSED
#define PREFIX_REDUCE_REVERSED(x) subgroup_reduce_reversed(x)
#endif

CLPRIM__DEFINE_COMBINE(clprim__tiles, PREFIX, PREFIX_THEN(a, b))
CLPRIM__DEFINE_TILE_WORDS(clprim__tiles_inner, clprim__tiles, PREFIX)

#if !CLPRIM_SUB_GROUPS || !defined(SUBGROUP_SHUFFLE)
CLPRIM__DEFINE_TILE_FOLD(clprim__tiles, PREFIX, GROUP_SIZE)
#elif defined(LONG_PREFIX)
/* All lanes add up the totals. The prefix is more than one rounded number; it is combined with that sum last. */
CLPRIM__DEFINE_MOVE(clprim__tiles, clprim__tiles, shuffle, PREFIX, GROUP_SIZE)
static inline PREFIX clprim__tiles_inner_fold(PREFIX x, uint count, bool has_prefix, PREFIX before, bool is_first)
{
    const uint totals = count - has_prefix;
    const VALUE total = subgroup_reduce_reversed(clprim_sub_group_lane() < totals ? x.value : IDENTITY);
    x = clprim__tiles_shuffle(x, totals);
    return prefix_then(has_prefix ? x : PREFIX_NONE, COMBINE(total, before.value));
}
#else
static inline PREFIX clprim__tiles_inner_fold(PREFIX x, uint count, bool has_prefix, PREFIX before, bool is_first)
{
    if (clprim_sub_group_lane() >= count)
        x = PREFIX_NONE;
    return PREFIX_THEN(PREFIX_REDUCE_REVERSED(x), before);
}
#endif
CLPRIM__DEFINE_LOOK_BACK(clprim__tiles, PREFIX, PREFIX_NONE, GROUP_SIZE)

static inline bool needs_own_tile_again(clprim__tiles_tile *tile)
{
    const bool returns = tile->at != tile->own;
    tile->at = tile->own;
    return returns;
}
