/* register_sort.cl: sort a tile by a network; what is equal may change its order. In registers by Batcher's odd-even merge sort,
 * which compares fewest; from there on by bitonic merges.
 *
 * IN_TWO_PATHS(t, n, CALL) makes a CALL of what works on tile t twice with TWO_PATHS 1: where its last place is in the
 * array, the copy of the code need not ask whether elements are there. That is the same for all of the group, so that
 * barriers are met by all.
 * Parameters: register_tile.cl; TWO_PATHS. Source: Batcher 1968. */
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

/* The lesser element always comes in front, so that what is not there stays at the end. */
TILE_INLINE void sort_registers(item *x, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (int run = 0; run < ITEMS_LOG; run++) { /* logarithm of what is sorted */
#pragma unroll
        for (int bit = ITEMS_LOG - 1; bit >= 0; bit--) { /* of the distance */
#pragma unroll
            for (uint i = 0; i < ITEMS; i++) {
                const uint partner = i + (1u << bit);
                const bool is_first = (i >> bit & 1) == (bit == run ? 0 : 1);
                if (bit <= run && is_first && i >> (run + 1) == partner >> (run + 1))
                    compare(x, i, partner, s, t, n);
            }
        }
    }
}

TILE_INLINE void sort_tile(local_array tile, array in, array out, tile_place t, INDEX n)
{
    item x[ITEMS];
    spread s = spread_at(0, false);
    /* In a tile that is whole it does not matter which elements are where at first: read side by side. */
    tile_load(x, in, t.is_whole ? spread_at(GROUP_LOG, false) : s, t, n);
    sort_registers(x, s, t, n);
#if UNROLL
#pragma unroll
#endif
    for (int bit = ITEMS_LOG; bit < TILE_LOG; bit++) {
        const int low = bit + 1 - ITEMS_LOG;
        s = move(tile, x, s, spread_at(low, true));
        mirrored_step(x, ITEMS_LOG - 1, s, t, n);
        steps(x, ITEMS_LOG - 2, 0, s, t, n);
        s = tile_steps(tile, x, s, low - 1, 0, t, n);
    }
    s = move(tile, x, s, spread_at(GROUP_LOG, false));
    tile_store(out, x, s, t, n);
}
