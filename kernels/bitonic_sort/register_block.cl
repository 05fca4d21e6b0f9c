/* bitonic_sort_block, _window, _strides, _merge: a pass over global memory makes all steps that fit a tile, in registers and in between
 * through local memory (register_tile.cl; lecture, "advanced" bitonic sort).
 *
 * With TWO_PATHS 1 the copy of the code for tiles whose last place is in the array need not ask whether elements are there. That
 * is the same for all of the group, so that barriers are met by all.
 * Parameters: register_tile.cl, tile_network.cl; TWO_PATHS. */
#ifndef TWO_PATHS
#error "TWO_PATHS must be given"
#endif

#if TWO_PATHS
#define IN_TWO_PATHS(t, n, CALL)                                                                                       \
    if (index_of(t, TILE - 1) < (n)) {                                                                                 \
        t.is_whole = true;                                                                                             \
        CALL;                                                                                                          \
        return;                                                                                                        \
    }                                                                                                                  \
    CALL;
#else
#define IN_TWO_PATHS(t, n, CALL) CALL;
#endif

/* Sort a tile. */
SORT_KERNEL void bitonic_sort_block(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    tile_place t = tile_at((INDEX)get_group_id(0));
    IN_TWO_PATHS(t, (INDEX)n, sort_tile(tile, ARRAY(in), ARRAY(out), t, (INDEX)n))
}

TILE_INLINE void make_window(local_array tile, array out, tile_place t, bool mirrors, INDEX n)
{
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, mirrors);
    tile_load(x, out, s, t, n);
    if (mirrors)
        mirrored_step(x, ITEMS_LOG - 1, s, t, n);
    steps(x, ITEMS_LOG - (mirrors ? 2 : 1), max(COLUMNS_LOG - GROUP_LOG, 0), s, t, n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, COLUMNS_LOG, t, n);
    tile_store(out, x, s, t, n);
}

/* The steps of one stage at bits window .. window + TILE_LOG - COLUMNS_LOG - 1; mirrors: they are the stage's first. */
SORT_KERNEL void bitonic_sort_window(ARRAY_PARAMETERS(out), ulong n, ulong window, ulong mirrors)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    tile_place t = tile_in_window((INDEX)get_group_id(0), COLUMNS_LOG, (uint)window, mirrors != 0);
    IN_TWO_PATHS(t, (INDEX)n, make_window(tile, ARRAY(out), t, mirrors != 0, (INDEX)n))
}

TILE_INLINE void make_strides(array out, tile_place t, bool mirrors, INDEX n)
{
    item x[ITEMS];
    const spread s = spread_at(GROUP_LOG, mirrors);
    tile_load(x, out, s, t, n);
    if (mirrors)
        mirrored_step(x, ITEMS_LOG - 1, s, t, n);
    steps(x, ITEMS_LOG - (mirrors ? 2 : 1), 0, s, t, n);
    tile_store(out, x, s, t, n);
}

/* The same at bits window .. window + ITEMS_LOG - 1, which registers alone are enough for: for a stage that has no more above its
 * tiles. */
SORT_KERNEL void bitonic_sort_strides(ARRAY_PARAMETERS(out), ulong n, ulong window, ulong mirrors)
{
    tile_place t = tile_in_window((INDEX)get_group_id(0), GROUP_LOG, (uint)window, mirrors != 0);
    IN_TWO_PATHS(t, (INDEX)n, make_strides(ARRAY(out), t, mirrors != 0, (INDEX)n))
}

TILE_INLINE void merge_tile(local_array tile, array out, tile_place t, INDEX n)
{
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, false);
    tile_load(x, out, s, t, n);
    steps(x, ITEMS_LOG - 1, 0, s, t, n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, 0, t, n);
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    tile_store(out, x, s, t, n);
}

/* All steps of a stage that are left when its parts are tiles. */
SORT_KERNEL void bitonic_sort_merge(ARRAY_PARAMETERS(out), ulong n)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    tile_place t = tile_at((INDEX)get_group_id(0));
    IN_TWO_PATHS(t, (INDEX)n, merge_tile(tile, ARRAY(out), t, (INDEX)n))
}
