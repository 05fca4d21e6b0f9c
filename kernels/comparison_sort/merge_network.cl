/* comparison_sort_merge: a pass that merges runs by two, a tile of the result a group, by a network (tile_merge.cl). Not stable.
 * Parameters: register_tile.cl, passes.cl, search.cl, split.cl, tile_merge.cl. */
SORT_KERNEL void comparison_sort_merge(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), PASS_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    __local INDEX ends[2];
    tile_place t = tile_at((INDEX)get_group_id(0));
    BEGIN_PASS(t, ends)
#if TWO_PATHS
    if ((ulong)t.begin + TILE <= n) { /* the same for all of the group, so that barriers are met by all */
        t.is_whole = true;
        merge_tile(tile, from, ARRAY(out), part, t, (INDEX)n);
        return;
    }
#endif
    merge_tile(tile, from, ARRAY(out), part, t, (INDEX)n);
}
