/* comparison_sort_block: sort tiles by a network; what is equal may change its order.
 * Parameters: register_tile.cl, tile_network.cl, passes.cl. */
SORT_KERNEL void comparison_sort_block(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n FLAGS_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    tile_place t = tile_at((INDEX)get_group_id(0));
    CLEAR_FLAGS
#if TWO_PATHS
    if ((ulong)t.begin + TILE <= n) { /* the same for all of the group, so that barriers are met by all */
        t.is_whole = true;
        sort_tile(tile, ARRAY(in), ARRAY(out), t, (INDEX)n);
        return;
    }
#endif
    sort_tile(tile, ARRAY(in), ARRAY(out), t, (INDEX)n);
}
