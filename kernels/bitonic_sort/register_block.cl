/* bitonic_sort_block, _window, _merge: a pass over global memory makes all steps that fit a tile, in registers and in between
 * through local memory (register_tile.cl; lecture, "advanced" bitonic sort).
 * Parameters: register_tile.cl. */
/* Sort a tile. */
SORT_KERNEL void bitonic_sort_block(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    const tile_place t = tile_at((INDEX)get_group_id(0));
    const bool is_whole = (ulong)t.begin + TILE <= n;
    item x[ITEMS];
    spread s = spread_at(0, false);
    /* In a tile that is whole it does not matter which elements are where at first: read side by side. */
    tile_load(x, ARRAY(in), is_whole ? spread_at(GROUP_LOG, false) : s, t, (INDEX)n);
#pragma unroll
    for (int bit = 0; bit < ITEMS_LOG; bit++) {
        mirrored_step(x, bit, s, t, (INDEX)n);
        steps(x, bit - 1, 0, s, t, (INDEX)n);
    }
#if UNROLL
#pragma unroll
#endif
    for (int bit = ITEMS_LOG; bit < TILE_LOG; bit++) {
        const int low = bit + 1 - ITEMS_LOG;
        s = move(tile, x, s, spread_at(low, true));
        mirrored_step(x, ITEMS_LOG - 1, s, t, (INDEX)n);
        steps(x, ITEMS_LOG - 2, 0, s, t, (INDEX)n);
        s = tile_steps(tile, x, s, low - 1, 0, t, (INDEX)n);
    }
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    tile_store(ARRAY(out), x, s, t, (INDEX)n);
}

/* The steps of one stage at bits window .. window + TILE_LOG - COLUMNS_LOG - 1; mirrors: they are the stage's first. */
SORT_KERNEL void bitonic_sort_window(ARRAY_PARAMETERS(out), ulong n, ulong window, ulong mirrors)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    const tile_place t = tile_in_window((INDEX)get_group_id(0), (uint)window, mirrors != 0);
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, mirrors != 0);
    tile_load(x, ARRAY(out), s, t, (INDEX)n);
    if (mirrors != 0)
        mirrored_step(x, ITEMS_LOG - 1, s, t, (INDEX)n);
    steps(x, ITEMS_LOG - (mirrors != 0 ? 2 : 1), max(COLUMNS_LOG - GROUP_LOG, 0), s, t, (INDEX)n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, COLUMNS_LOG, t, (INDEX)n);
    tile_store(ARRAY(out), x, s, t, (INDEX)n);
}

/* All steps of a stage that are left when its parts are tiles. */
SORT_KERNEL void bitonic_sort_merge(ARRAY_PARAMETERS(out), ulong n)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    const tile_place t = tile_at((INDEX)get_group_id(0));
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, false);
    tile_load(x, ARRAY(out), s, t, (INDEX)n);
    steps(x, ITEMS_LOG - 1, 0, s, t, (INDEX)n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, 0, t, (INDEX)n);
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    tile_store(ARRAY(out), x, s, t, (INDEX)n);
}
