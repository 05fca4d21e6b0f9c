/* tile.cl: what a scan does with the elements of a tile.
 *
 * Parameters: elements.cl, packet.cl, tile_scan.cl and tile_load.cl come before. */

/* The VALUE of the k-th element of the j-th packet; the identity where there is none. */
TILE_INLINE VALUE tile_value(const packet_words *x, tile_range t, uint j, uint k, bool is_whole, ulong n HEADS_PARAMETERS)
{
    const ulong i = (ulong)(tile_place(t, j) + k);
    if (!is_whole && i >= n)
        return IDENTITY;
    return SCAN_VALUE(packet_element(x[j], k), i);
}

TILE_INLINE void fold_packets(VALUE *totals, const packet_words *x, tile_range t, bool is_whole, ulong n HEADS_PARAMETERS)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        totals[j] = tile_value(x, t, j, 0, is_whole, n HEADS_ARGUMENTS);
#pragma unroll
        for (uint k = 1; k < PACK; k++)
            totals[j] = COMBINE(totals[j], tile_value(x, t, j, k, is_whole, n HEADS_ARGUMENTS));
    }
}

TILE_INLINE void tile_totals(VALUE *totals, const packet_words *x, tile_range t, ulong n HEADS_PARAMETERS)
{
    if (t.is_whole)
        fold_packets(totals, x, t, true, n HEADS_ARGUMENTS);
    else
        fold_packets(totals, x, t, false, n HEADS_ARGUMENTS);
}

/* Outputs leave as elements came, 16 bytes at a time: outputs_with adds the k-th of a packet of elements to the 16 bytes it
 * belongs to. By shifts, for the same reason as packet_element. Outputs that are smaller than elements (of U64 in F32) do
 * not fill 16 bytes: they leave one by one. */
#if PACK > 1 && defined(BITS_OF_OUTPUT) && !RUNS && OUTPUT_SIZE >= ELEMENT_SIZE
#define OUTPUTS_IN_PACKETS 1
#else
#define OUTPUTS_IN_PACKETS 0
#endif

static inline ulong2 outputs_with(ulong2 words, OUTPUT output, uint k)
{
#if OUTPUTS_IN_PACKETS
    const ulong bits = (ulong)BITS_OF_OUTPUT(output) << k * OUTPUT_SIZE % 8 * 8;
    words |= k * OUTPUT_SIZE / 8 % 2 == 0 ? (ulong2)(bits, 0) : (ulong2)(0, bits);
#endif
    return words;
}

/* prefix: the fold of everything before the tile; totals: of the tile before each packet. */
TILE_INLINE void store_packets(__global OUTPUT *out, const packet_words *x, tile_range t, const VALUE *totals, VALUE prefix,
                               plain_value initial, bool is_whole, ulong n HEADS_PARAMETERS)
{
    const bool in_packets = OUTPUTS_IN_PACKETS && is_whole && (uintptr_t)(out + t.first) % 16 == 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        __global OUTPUT *to = out + tile_place(t, j);
        VALUE before = COMBINE(prefix, totals[j]);
        ulong2 words = 0;
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const VALUE own = tile_value(x, t, j, k, is_whole, n HEADS_ARGUMENTS);
            const VALUE through = COMBINE(before, own);
#if RUNS
            if (is_whole || (ulong)(tile_place(t, j) + k) < n)
                store_run(out, (ulong)(tile_place(t, j) + k), n, before, through, own HEADS_ARGUMENTS);
            before = through;
#else
            const ulong i = (ulong)(tile_place(t, j) + k);
            const RESULT result = scan_result(before, through, own, initial);
            before = through;
            if (in_packets) {
                words = outputs_with(words, OUTPUT_OF(result, i), k);
                if ((k + 1) * sizeof(OUTPUT) % 16 == 0) {
                    ((__global ulong2 *)to)[k * sizeof(OUTPUT) / 16] = words;
                    words = 0;
                }
            } else if (is_whole || i < n) {
                to[k] = OUTPUT_OF(result, i);
            }
#endif
        }
    }
}

TILE_INLINE void tile_store(__global OUTPUT *out, const packet_words *x, tile_range t, const VALUE *totals, VALUE prefix,
                            plain_value initial, ulong n HEADS_PARAMETERS)
{
    if (t.is_whole)
        store_packets(out, x, t, totals, prefix, initial, true, n HEADS_ARGUMENTS);
    else
        store_packets(out, x, t, totals, prefix, initial, false, n HEADS_ARGUMENTS);
}
