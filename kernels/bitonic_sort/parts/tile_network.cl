// SPDX-License-Identifier: MIT
/* tile_network.cl: sort a tile by a sorting network; equal elements may be reordered. Registers are sorted by Batcher's
 * odd-even merge sort, which has the fewest comparisons, and then merged by bitonic merges (register_tile.cl).
 *
 *   sort_items(tile, x, t, n)         sort the items of all work-items, which may be in any order at first. Afterwards,
 *                                     each work-item has those of spread_at(GROUP_LOG), and after a barrier, local
 *                                     memory has all of them, padded
 *   sort_tile(tile, in, out, t, n)    sort from memory to memory; may be in place */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"

/* Sort the registers of a work-item. The lesser element is always put in front, so elements that do not exist stay at
 * the end. */
ALWAYS_INLINE void sort_registers(item *x, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (int run = 0; run < ITEMS_LOG; run++) { /* log2 of the size of the sorted runs */
#pragma unroll
        for (int bit = ITEMS_LOG - 1; bit >= 0; bit--) { /* log2 of the distance */
#pragma unroll
            for (uint i = 0; i < ITEMS; i++) {
                const uint partner = i + (1u << bit);
                const bool is_first = (i >> bit & 1) == (bit == run ? 0 : 1);
                if (bit <= run && is_first && i >> (run + 1) == partner >> (run + 1))
                    compare(x, i, partner, s, t, n);
            }
        }
    }
}

ALWAYS_INLINE void sort_items(local_array tile, item *x, tile_place t, INDEX n)
{
    spread s = spread_at(0, false);
    sort_registers(x, s, t, n);
#if UNROLL
#pragma unroll
#endif
    for (int bit = ITEMS_LOG; bit < TILE_LOG; bit++) {
        const int low = bit + 1 - ITEMS_LOG;
        s = move(tile, x, s, spread_at(low, true));
        mirrored_step(x, ITEMS_LOG - 1, s, t, n);
        steps(x, ITEMS_LOG - 2, 0, s, t, n);
        s = tile_steps(tile, x, s, low - 1, 0, t, n);
    }
    move(tile, x, s, spread_at(GROUP_LOG, false));
}

ALWAYS_INLINE void sort_tile(local_array tile, array in, array out, tile_place t, INDEX n)
{
    item x[ITEMS];
    const spread across = spread_at(GROUP_LOG, false);
    tile_load(x, in, across, t, n);
    if (PLACES)
        stage_items(tile, x, across);
    if (!t.is_whole) /* otherwise, any initial order will do */
        move(tile, x, across, spread_at(0, false));
    sort_items(tile, x, t, n);
    fetch_items(tile, x);
    tile_store(out, x, across, t, n);
}
