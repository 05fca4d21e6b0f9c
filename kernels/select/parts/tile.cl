/* tile.cl: what a selection does with the elements of a tile.
 *
 *   LOCAL_PLACES                          the places of kept elements that have values, in a kernel's local memory
 *   PLACES_PARAMETER, PLACES_ARGUMENT     in a parameter list, and to hand them on
 *
 * Parameters: keep.cl, packet.cl, tile_scan.cl and tile_load.cl come before; PARTITION, see keep.cl. */

#if PAYLOAD_SIZE
#define LOCAL_PLACES __local ushort places[TILE];
#define PLACES_PARAMETER , __local ushort *places
#define PLACES_ARGUMENT , places
#else
#define LOCAL_PLACES
#define PLACES_PARAMETER
#define PLACES_ARGUMENT
#endif

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
 * before each packet. With PARTITION the others follow from place `total` on. Where the elements have values, their places in
 * the tile are brought together, too. */
TILE_INLINE void tile_compact(__local OUTPUT *staged, const packet_words *x, tile_range t, const uint *kept, const VALUE *totals,
                              uint total, ulong n PLACES_PARAMETER)
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
#if PAYLOAD_SIZE
            if (is_kept)
                places[rank] = (ushort)(tile_packet(j) * PACK + k);
#endif
#if PARTITION
            const uint place = tile_packet(j) * PACK + k;
            if (!is_kept && (t.is_whole || (ulong)(t.first + place) < n))
                staged[total + place - missing - rank] = OUTPUT_OF(packet_element(x[j], k), (ulong)(t.first + place));
#endif
            rank += is_kept;
        }
    }
}

#if PAYLOAD_SIZE
/* Write the values of the tile's kept elements, from place `to` on. */
TILE_INLINE void tile_store_payloads(ulong to, const __local ushort *places, tile_range t, uint total PAYLOADS_PARAMETERS)
{
    for (uint k = (uint)get_local_id(0); k < total; k += GROUP_SIZE)
        payload_move(to + k, (ulong)(t.first + places[k]) PAYLOADS_ARGUMENTS);
}
#endif

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
