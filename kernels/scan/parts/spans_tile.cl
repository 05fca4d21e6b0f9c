/* spans_tile.cl: with RUNS 3 what a scan does with the runs of a tile.
 *
 * Parameters: spans.cl, packet.cl, tile_scan.cl, tile_load.cl and tile.cl come before. */
#if RUNS == 3
/* The long runs that begin and end in a tile, in their order: the places in the tile where they begin, and their lengths. There are
 * holes for the same reason as in tile.cl's. */
typedef struct {
    ushort begin, length;
} tile_span;
typedef struct {
    tile_span spans[RUN_PLACE(TILE)];
} tile_staged;

/* The k-th element of the j-th packet, as an index + 1. */
TILE_INLINE run_count span_place(tile_range t, uint j, uint k) { return (run_count)(tile_place(t, j) + k + 1); }

TILE_INLINE void tile_totals(VALUE *totals, const tile_elements *e, tile_range t, ulong n)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        totals[j] = IDENTITY;
#pragma unroll
        for (uint k = 0; k < PACK; k++)
            if (e->begins[j] >> k & 1)
                totals[j] = span_with(totals[j], span_place(t, j, k));
    }
}

/* totals: of the tile before each packet. */
TILE_INLINE void tile_stage(__local tile_staged *staged, const tile_elements *e, tile_range t, const VALUE *totals, ulong n)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        VALUE so_far = totals[j];
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            if (!(e->begins[j] >> k & 1))
                continue;
            const VALUE before = so_far;
            so_far = span_with(before, span_place(t, j, k));
            if (so_far.count != before.count) {
                __local tile_span *to = staged->spans + RUN_PLACE((uint)before.count);
                to->begin = (ushort)((long)before.last - 1 - t.first);
                to->length = (ushort)(so_far.last - before.last);
            }
        }
    }
}

/* Write the long runs that end in the tile; where the elements end, also the last one, and how many were written. prefix: the
 * fold of everything before the tile. All work-items have staged their runs. */
TILE_INLINE void tile_store_runs(__global OUTPUT *out, __local const tile_staged *staged, tile_range t, VALUE prefix,
                                 VALUE total, ulong n HEADS_PARAMETERS)
{
    const VALUE all = COMBINE(prefix, total);
    const ulong first = all.count - total.count; /* behind the run that began before the tile, if that one ends here */
    for (uint k = (uint)get_local_id(0); k < (uint)total.count; k += GROUP_SIZE) {
        const tile_span span = staged->spans[RUN_PLACE(k)];
        span_store(out, first + k, (run_count)(t.first + span.begin + 1), span.length HEADS_ARGUMENTS);
    }
    if (get_local_id(0) > 0)
        return;
    if (first > prefix.count)
        span_store(out, prefix.count, prefix.last, total.first - prefix.last HEADS_ARGUMENTS);
    if (n > 0 && t.first < (long)n && (long)n <= t.first + TILE)
        span_store_last(out, all, n HEADS_ARGUMENTS);
}
#endif
