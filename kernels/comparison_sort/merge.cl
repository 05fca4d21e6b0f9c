/* comparison_sort_merge: a pass that merges runs by two, a tile of the result a group.
 * Parameters: BY_NETWORK: tiles are merged by a network (merge_network.cl), else one by one (merge_path.cl). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
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

SORT_KERNEL void comparison_sort_merge(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), PASS_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE) + 1);
    LOCAL_CHECK(check);
    __local INDEX ends[2];
    const tile_place t = tile_at((INDEX)get_group_id(0));
    HEED_COUNT(t)
    BEGIN_PASS(t, ends)
    merge_tile(tile, check, from, ARRAY(out), part, t, (INDEX)n);
}
