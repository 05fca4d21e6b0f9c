/* comparison_sort_merge: a pass that merges runs by two, a tile of the result a group: of the second run the tile's part backwards,
 * then that of the first is one bitonic sequence, which a network sorts. What is not there comes at the end, and stays there.
 * Not stable.
 * Parameters: register_tile.cl, passes.cl, split.cl. */

TILE_INLINE void merge_tile(local_array tile, array from, array out, tile_part part, tile_place t, INDEX n)
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
            x[i] = absent(from);
    }
    steps(x, ITEMS_LOG - 1, 0, s, t, n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, 0, t, n);
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    tile_store(out, x, s, t, n);
}

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
