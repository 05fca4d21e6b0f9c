// SPDX-License-Identifier: MIT
/* block_stable.cl: block_tile(tile, check, in, out, t, n) sorts a tile stably. Each work-item sorts its own elements by
 * odd-even transposition, which swaps only neighbours. Then pairs of runs are merged in local memory. If one of these
 * merges loses elements, because the order is inconsistent, the tile remains as it was. */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"

ALWAYS_INLINE void transpose(item *x, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (uint round = 0; round < ITEMS; round++)
#pragma unroll
        for (uint i = 0; i + 1 < ITEMS; i++)
            if ((i & 1) == (round & 1))
                compare(x, i, i + 1, s, t, n);
}

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
#if CUSTOM
    if (own == 0)
        BROKEN(check) = 0;
#endif
    s = move(tile, x, s, spread_at(0, false));
#if CUSTOM && TWO_PATHS
    const uint first = own * ITEMS;
    if (first + ITEMS <= valid) { /* so all but one of the work-items that have elements need not check which exist */
        tile_place whole = t;
        whole.is_whole = true;
        transpose(x, s, whole, n);
    } else if (first < valid) {
        transpose(x, s, t, n);
    }
#else
    transpose(x, s, t, n);
#endif
    for (uint run = ITEMS; run < TILE; run *= 2) {
#pragma unroll
        for (uint i = 0; i < ITEMS; i++)
            local_store(tile, padded_place_of(s, i), x[i]);
        join_barrier(2 * run / ITEMS); /* the runs are complete */
        const uint begin = own * ITEMS & ~(2 * run - 1);
        const tile_runs r = {min(begin, valid), min(begin + run, valid), min(begin + 2 * run, valid)};
        merge_runs(x, tile, r, own * ITEMS - begin, check, 2 * run / ITEMS);
    }
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    const bool is_broken = CUSTOM && BROKEN(check) != 0;              /* the same for the whole group */
    for (uint i = is_broken ? own : TILE; i < valid; i += GROUP_SIZE) /* unrolled, it would take registers */
        store(out, t.begin + i, load(in, t.begin + i));
    if (!is_broken) {
        fetch_items(tile, x);
        tile_store(out, x, s, t, n);
    }
}
