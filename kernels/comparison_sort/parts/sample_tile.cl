// SPDX-License-Identifier: MIT
/* sample_tile.cl: how a group sorts a tile or less: stably if STABLE, otherwise by a network.
 *
 *   LOCAL_TILE(name)                 local memory for it
 *   SORT_TILE(name, in, out, size)   sort that many elements; may be in place */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"
#if STABLE
#include "comparison_sort/parts/passes.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"
#include "comparison_sort/parts/block_stable.cl"
typedef struct {
    local_array items;
    __local uint *check;
} sample_tile;
#define LOCAL_TILE(name)                                                                                               \
    LOCAL_ARRAY(ARRAY_PART(name, items), PADDED(TILE) + 1);                                                            \
    LOCAL_CHECK(ARRAY_PART(name, check));                                                                              \
    const sample_tile name = {ARRAY_PART(name, items), ARRAY_PART(name, check)}
#define SORT_TILE(tile, in, out, size) block_tile((tile).items, (tile).check, in, out, tile_at(0), size)
#else
typedef local_array sample_tile;
#define LOCAL_TILE(name)               LOCAL_ARRAY(name, PADDED(TILE))
#define SORT_TILE(tile, in, out, size) sort_tile(tile, in, out, tile_at(0), size)
#endif
