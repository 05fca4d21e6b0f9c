/* comparison_sort_merge: a pass that merges runs by two, a tile of the result a group.
 * Parameters: register_tile.cl, passes.cl, search.cl, split.cl, merge_network.cl or merge_path.cl. */
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
