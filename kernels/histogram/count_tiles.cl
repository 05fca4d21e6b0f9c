/* count_tiles.cl: hand the elements of tiles to a variant's count(). Parameters: see slots.cl; tile_load.cl and the
 * variant come before; ALL_COUNT, if work-items must count together, those that have nothing to count in slot TABLE. */
TILE_INLINE void count_packets(const packet_words *x, tile_range t, bool is_whole, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const ulong i = (ulong)(tile_place(t, j) + k);
            const uint channel = CHANNELS > 1 ? (uint)(i % CHANNELS) : 0;
            uint slot = TABLE;
            if ((is_whole || i < n) && channel < ACTIVE)
                slot = channel * SLOTS + bin_of(packet_element(x[j], k) BINS_ARGUMENTS);
#ifndef ALL_COUNT
            if (slot == TABLE)
                continue;
#endif
#if WEIGHT_KIND == 0
            count(slot, k, 1 TABLE_ARGUMENTS);
#else
            count(slot, k, amount_of(slot, WORD_OF(weights[weights_offset + i])) TABLE_ARGUMENTS);
#endif
        }
    }
}

TILE_INLINE void count_tile(uint tile, const __global ELEMENT *in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    packet_words x[ITEMS];
    const tile_range t = tile_range_of(in, n, tile);
    tile_load(x, t, in, n);
    if (t.is_whole)
        count_packets(x, t, true, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    else
        count_packets(x, t, false, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

TILE_INLINE void count_tiles(const __global ELEMENT *in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint tiles = tiles_of(in, n);
    for (uint tile = (uint)get_group_id(0); tile < tiles; tile += (uint)get_num_groups(0))
        count_tile(tile, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}
