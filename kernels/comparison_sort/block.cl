/* comparison_sort_block: sort tiles.
 * Parameters: register_tile.cl, passes.cl, block_network.cl or block_stable.cl. */
SORT_KERNEL void comparison_sort_block(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n FLAGS_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE) + 1);
    LOCAL_CHECK(check);
    const tile_place t = tile_at((INDEX)get_group_id(0));
    CLEAR_FLAGS
    HEED_COUNT(t)
    block_tile(tile, check, ARRAY(in), ARRAY(out), t, (INDEX)n);
}
