/* comparison_sort_merge: a pass that merges runs by two, a tile of the result a group; within the tile each work-item merges its own
 * elements one by one (serial_merge.cl). Stable.
 * Parameters: register_tile.cl, passes.cl, search.cl, split.cl, serial_merge.cl. */
SORT_KERNEL void comparison_sort_merge(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), PASS_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE) + 1);
    LOCAL_CHECK(check);
    __local INDEX ends[2];
    const tile_place t = tile_at((INDEX)get_group_id(0));
    const uint own = (uint)get_local_id(0);
    BEGIN_PASS(t, ends)
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, false);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint place = place_of(s, i);
        const INDEX at = place < part.first ? part.a + place : part.b + (place - part.first);
        if (place < part.first + part.second)
            x[i] = load(from, at);
        else
            x[i] = absent();
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        local_store(tile, padded_place_of(s, i), x[i]);
#if CUSTOM
    if (own == 0)
        BROKEN(check) = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    merge_runs(x, tile, (tile_runs){0, part.first, part.first + part.second}, own * ITEMS, check);
    s = move(tile, x, spread_at(0, false), spread_at(GROUP_LOG, false));
    tile_store(ARRAY(out), x, s, t, (INDEX)n);
}
