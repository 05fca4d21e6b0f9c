// SPDX-License-Identifier: MIT
/* block_stable.cl: block_tile(tile, check, in, out, t, n) sorts a tile stably. Each work-item sorts its own elements by
 * odd-even transposition, which swaps only neighbours. Then pairs of runs are merged in local memory. */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"

ALWAYS_INLINE void block_tile(local_array tile, __local uint *check, array in, array out, tile_place t, INDEX n)
{
    const uint own = (uint)get_local_id(0);
    const uint valid = (uint)min((INDEX)TILE, n - t.begin);
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, false);
    tile_load(x, in, s, t, n);
#if PLACES
    stage_items(tile, x, s);
    if (own == 0)
        tile.places[PADDED(TILE)] = 0; /* merges may read this place, but do not use it */
#endif
    s = move(tile, x, s, spread_at(0, false));
#pragma unroll
    for (uint round = 0; round < ITEMS; round++)
#pragma unroll
        for (uint i = 0; i + 1 < ITEMS; i++)
            if ((i & 1) == (round & 1))
                compare(x, i, i + 1, s, t, n);
#if CUSTOM
    if (own == 0)
        BROKEN(check) = 0;
#endif
    for (uint run = ITEMS; run < TILE; run *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
#pragma unroll
        for (uint i = 0; i < ITEMS; i++)
            local_store(tile, padded_place_of(s, i), x[i]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the runs are complete */
        const uint begin = own * ITEMS & ~(2 * run - 1);
        const tile_runs r = {min(begin, valid), min(begin + run, valid), min(begin + 2 * run, valid)};
        merge_runs(x, tile, r, own * ITEMS - begin, check);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    fetch_items(tile, x);
    tile_store(out, x, s, t, n);
}
