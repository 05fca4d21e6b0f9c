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

/* What a packet of elements becomes; RESULTs are as large as ELEMENTs, or larger. */
#define RESULT_PACKETS (PACK * sizeof(RESULT) / 16)

#ifdef BITS_OF_RESULT
/* The i-th word of 32 bits. By shifts, for the same reason as packet_element. */
static inline uint results_word(const RESULT *results, uint i)
{
#if RESULT_SIZE == 8
    return (uint)(BITS_OF_RESULT(results[i / 2]) >> i % 2 * 32);
#else
    uint word = 0;
#pragma unroll
    for (uint k = 0; k < 4 / RESULT_SIZE; k++)
        word |= (uint)BITS_OF_RESULT(results[i * (4 / RESULT_SIZE) + k]) << 8 * RESULT_SIZE * k;
    return word;
#endif
}

static inline uint4 results_packet(const RESULT *results, uint p)
{
    return (uint4)(results_word(results, 4 * p), results_word(results, 4 * p + 1), results_word(results, 4 * p + 2),
                   results_word(results, 4 * p + 3));
}
#else
static inline uint4 results_packet(const RESULT *results, uint p)
{
    union {
        RESULT results[PACK];
        uint4 packets[RESULT_PACKETS + 1]; /* not 0 of them */
    } u;
    for (uint k = 0; k < PACK; k++)
        u.results[k] = results[k];
    return u.packets[p];
}
#endif

/* prefix: the fold of everything before the tile; totals: of the tile before each packet. */
TILE_INLINE void store_packets(__global RESULT *out, const packet_words *x, tile_range t, const VALUE *totals, VALUE prefix,
                               plain_value initial, bool is_whole, ulong n HEADS_PARAMETERS)
{
    const bool in_packets = is_whole && PACK > 1 && (uintptr_t)(out + t.first) % 16 == 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        RESULT results[PACK];
        VALUE before = COMBINE(prefix, totals[j]);
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const VALUE own = tile_value(x, t, j, k, is_whole, n HEADS_ARGUMENTS);
            const VALUE through = COMBINE(before, own);
            results[k] = scan_result(before, through, own, initial);
            before = through;
        }
        __global RESULT *to = out + tile_place(t, j);
        if (in_packets) {
#pragma unroll
            for (uint p = 0; p < RESULT_PACKETS; p++)
                ((__global uint4 *)to)[p] = results_packet(results, p);
        } else {
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                if (is_whole || (ulong)(tile_place(t, j) + k) < n)
                    to[k] = results[k];
        }
    }
}

TILE_INLINE void tile_store(__global RESULT *out, const packet_words *x, tile_range t, const VALUE *totals, VALUE prefix,
                            plain_value initial, ulong n HEADS_PARAMETERS)
{
    if (t.is_whole)
        store_packets(out, x, t, totals, prefix, initial, true, n HEADS_ARGUMENTS);
    else
        store_packets(out, x, t, totals, prefix, initial, false, n HEADS_ARGUMENTS);
}
