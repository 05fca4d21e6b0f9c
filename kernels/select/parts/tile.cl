/* tile.cl: what a selection does with the elements of a tile.
 *
 * Parameters: keep.cl, packet.cl, tile_scan.cl and tile_load.cl come before; PARTITION, see keep.cl. */

/* Of each packet the elements that are kept, bit k for the k-th, and how many these are. */
TILE_INLINE void tile_keep(uint *kept, VALUE *totals, const packet_words *x, tile_range t, const __global ELEMENT *in,
                           ulong n FLAGS_PARAMETERS)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        kept[j] = 0;
#if HEADS
        /* All but a packet's first element have the one before at hand. */
        const long first = tile_place(t, j);
        bool has_left = first > 0 && (t.is_whole || (ulong)first < n);
        ELEMENT left = packet_element(x[j], 0);
        if (has_left)
            left = ELEMENT_AT(in, (ulong)first - 1);
#endif
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const ulong i = (ulong)(tile_place(t, j) + k);
            if (t.is_whole || i < n) {
#if HEADS
                const ELEMENT own = packet_element(x[j], k);
                kept[j] |= (has_left ? differs(left, own) : 1) << k;
                left = own;
                has_left = true;
#else
                kept[j] |= keep(packet_element(x[j], k), i, in FLAGS_ARGUMENTS) << k;
#endif
            }
        }
        totals[j] = popcount(kept[j]);
    }
}

/* Bring what is stored for the kept elements together in local memory, so that it leaves in one piece. totals: of the tile
 * before each packet. With PARTITION the others follow from place `total` on. */
TILE_INLINE void tile_compact(__local OUTPUT *staged, const packet_words *x, tile_range t, const uint *kept, const VALUE *totals,
                              uint total, ulong n)
{
    const uint missing = t.first < 0 ? (uint)-t.first : 0; /* places of the tile before in[0] */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint rank = totals[j];
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const bool is_kept = kept[j] >> k & 1;
            if (is_kept)
                staged[rank] = OUTPUT_OF(packet_element(x[j], k), (ulong)(tile_place(t, j) + k));
#if PARTITION
            const uint place = tile_packet(j) * PACK + k;
            if (!is_kept && (t.is_whole || (ulong)(t.first + place) < n))
                staged[total + place - missing - rank] = OUTPUT_OF(packet_element(x[j], k), (ulong)(t.first + place));
#endif
            rank += is_kept;
        }
    }
}

#if PARTITION
/* Write the tile's elements that are not selected, which are staged from place `total` on. Of all elements `all` are
 * selected, `before` of them in front of the tile. */
TILE_INLINE void tile_store_others(__global OUTPUT *to, const __local OUTPUT *staged, tile_range t, uint total, ulong before,
                                   ulong all, ulong n)
{
    const ulong first = (ulong)max(t.first, 0l);
    const ulong end = min((ulong)(t.first + TILE), n);
    const uint elements = first < end ? (uint)(end - first) : 0; /* the last tile may begin behind the last element */
    for (uint k = total + (uint)get_local_id(0); k < elements; k += GROUP_SIZE)
        to[OTHER_PLACE(first - before + (k - total), all, n)] = staged[k];
}
#endif
