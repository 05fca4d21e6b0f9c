// SPDX-License-Identifier: MIT
/* block_network.cl: block_tile(tile, check, in, out, t, n) sorts a tile by a sorting network; equal elements may be
 * reordered. */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"

ALWAYS_INLINE void block_tile(local_array tile, __local uint *check, array in, array out, tile_place t, INDEX n)
{
#if TWO_PATHS
    if ((ulong)t.begin + TILE <= n) { /* the same for the whole group, so all work-items reach the same barriers */
        t.is_whole = true;
        sort_tile(tile, in, out, t, n);
        return;
    }
#endif
    sort_tile(tile, in, out, t, n);
}
