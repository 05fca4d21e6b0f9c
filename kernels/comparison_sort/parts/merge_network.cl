// SPDX-License-Identifier: MIT
/* merge_network.cl: merge_tile(tile, check, from, out, part, t, n) makes a tile of a merge's result. The second run's
 * part of the tile in reverse order, followed by the first run's part, is a bitonic sequence, which a network sorts.
 * Elements that do not exist come at the end, and stay there. Not stable. */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/search.cl"

ALWAYS_INLINE void network_merge(local_array tile, array from, array out, tile_part part, tile_place t, INDEX n)
{
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, false);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint place = place_of(s, i);
        const INDEX at = place < part.second ? part.b + (part.second - 1 - place) : part.a + (place - part.second);
        if (t.is_whole || place < part.first + part.second)
            x[i] = load(from, at);
        else
            x[i] = absent();
    }
    if (PLACES)
        stage_items(tile, x, s);
    steps(x, ITEMS_LOG - 1, 0, s, t, n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, 0, t, n);
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    fetch_items(tile, x);
    tile_store(out, x, s, t, n);
}

ALWAYS_INLINE void merge_tile(local_array tile, __local uint *check, array from, array out, tile_part part,
                              tile_place t, INDEX n)
{
#if TWO_PATHS
    if ((ulong)t.begin + TILE <= n) { /* the same for the whole group, so all work-items reach the same barriers */
        t.is_whole = true;
        network_merge(tile, from, out, part, t, n);
        return;
    }
#endif
    network_merge(tile, from, out, part, t, n);
}
