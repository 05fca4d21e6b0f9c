// SPDX-License-Identifier: MIT
/* comparison_sort_block: sort tiles.
 * Parameters: STABLE: equal elements keep their order (block_stable.cl); otherwise they may be reordered
 * (block_network.cl). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"
#include "comparison_sort/parts/passes.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"
#if STABLE
#include "comparison_sort/parts/block_stable.cl"
#else
#include "comparison_sort/parts/block_network.cl"
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_block(ARGS_OF(COMPARISON_SORT_BLOCK))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE) + 1);
    LOCAL_CHECK(check);
    const tile_place t = tile_at((INDEX)get_group_id(0));
    const ulong n = CALL_COUNT_0(args.n);
    CLEAR_FLAGS
    HEED_COUNT(t, n)
    block_tile(tile, check, ARRAY_OF(in), ARRAY_OF(out), t, (INDEX)n);
}
