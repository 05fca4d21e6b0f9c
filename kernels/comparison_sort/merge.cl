// SPDX-License-Identifier: MIT
/* comparison_sort_merge: a pass that merges pairs of runs; each group makes a tile of the result.
 * Parameters: BY_NETWORK: tiles are merged by a network (merge_network.cl); otherwise serially by each work-item
 * (merge_path.cl). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "comparison_sort/parts/search.cl"
#include "comparison_sort/parts/split.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"
#if BY_NETWORK
#include "comparison_sort/parts/merge_network.cl"
#else
#include "comparison_sort/parts/merge_path.cl"
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_merge(ARGS_OF(COMPARISON_SORT_MOVE))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE) + 1);
    LOCAL_CHECK(check);
    __local INDEX ends[2];
    const tile_place t = tile_at((INDEX)get_group_id(0));
    const ulong n = CALL_COUNT_0(args.n);
    HEED_COUNT(t, n)
    /* After a pass that did damage, a tile is copied from the same place of the array that is about to be written,
     * where all elements are still there. In later passes, and if the parts do not fit together, it is copied from the
     * array that is read. */
    const uint state = STATE_BEFORE;
    const array from = state == PASS_DAMAGED ? ARRAY_OF(out) : ARRAY_OF(in);
    bool fits;
    tile_part part = part_of_tile(ends, from, t, (INDEX)n, (INDEX)args.run, args.is_split != 0, SPLITS, &fits);
    if (HAS_FLAGS && (state != PASS_INTACT || !fits)) {
        SET_STATE(state == PASS_INTACT ? PASS_DAMAGED : PASS_KEPT);
        part = (tile_part){t.begin, t.begin, (uint)min((INDEX)TILE, (INDEX)n - t.begin), 0};
    }
    merge_tile(tile, check, from, ARRAY_OF(out), part, t, (INDEX)n);
}
