// SPDX-License-Identifier: MIT
/* merge_path.cl: merge_tile(tile, check, from, out, part, t, n) makes a tile of a merge's result. Each work-item merges
 * its own elements serially (serial_merge.cl). If elements would be lost, because the order is inconsistent, the tile
 * gets those of the first run and then those of the second one. Stable. */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "comparison_sort/parts/search.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"

ALWAYS_INLINE INDEX place_in_runs(tile_part part, uint place)
{
    return place < part.first ? part.a + place : part.b + (place - part.first);
}

ALWAYS_INLINE void merge_tile(local_array tile, __local uint *check, array from, array out, tile_part part,
                              tile_place t, INDEX n)
{
    const uint own = (uint)get_local_id(0);
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, false);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint place = place_of(s, i);
        if (place < part.first + part.second)
            x[i] = load(from, place_in_runs(part, place));
        else
            x[i] = absent();
    }
    stage_items(tile, x, s);
#if CUSTOM
    if (own == 0)
        BROKEN(check) = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded */
    merge_runs(x, tile, (tile_runs){0, part.first, part.first + part.second}, own * ITEMS, check, GROUP_SIZE);
    s = move(tile, x, spread_at(0, false), spread_at(GROUP_LOG, false));
    const bool is_broken = CUSTOM && BROKEN(check) != 0; /* the same for the whole group */
    for (uint i = is_broken ? own : TILE; i < part.first + part.second; i += GROUP_SIZE)
        store(out, t.begin + i, load(from, place_in_runs(part, i)));
    if (!is_broken) {
        fetch_items(tile, x);
        tile_store(out, x, s, t, n);
    }
}
