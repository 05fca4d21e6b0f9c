/* merge_tiles: each work-group merges one tile of the output. Where it begins and where it ends in a and b are searched at once
 * by two sub-groups, each of whose lanes tries another place of the diagonal. Then the tile's elements of a, and of b behind
 * them, are in local memory; each work-item finds its own diagonal there, merges ITEMS elements into registers and puts them
 * back in order, to be stored side by side. No group waits for what another one has found, so that many are under way. All tiles
 * but the last are full: nothing is compared with their end.
 *
 * Ranges that are not in order never make it read or write out of bounds. Source: Green, McColl, Bader 2012 (merge path).
 * Parameters: lanes.cl, merged.cl, tile_merge.cl, whose ITEMS are an odd number here: places that far apart lie in different
 * banks. */
#define TILE (GROUP_SIZE * ITEMS)
#define MERGE_INLINE static inline __attribute__((always_inline))

/* How many of the first `place` elements of the output are a's: as many as can be, for a's come first. */
MERGE_INLINE INDEX split_at(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    INDEX low = place > b_count ? place - b_count : 0;
    INDEX high = min(place, a_count);
    while (low < high) {
        const INDEX step = (high - low) / (LANES + 1) + 1; /* so that one more would be beyond */
        const INDEX tried = low + (LANE + 1) * step - 1;
        const uint taken = votes_of(tried < high && !before(load(b, place - 1 - tried), load(a, tried)));
        high = min(high, low + (taken + 1) * step - 1);
        low += taken * step;
    }
    return low;
}

MERGE_KERNEL void merge_tiles(MERGE_PARAMETERS)
{
    LOCAL_ARRAY(tile, TILE + 1);
    __local INDEX ends[2];
    HEED_COUNTS
    const uint lid = (uint)get_local_id(0);
    const array from_a = ARRAY(a);
    const array from_b = ARRAY(b);
    const array to = ARRAY(out);
    const INDEX begin = (INDEX)(get_group_id(0) * share);
    const INDEX total = (INDEX)(a_count + b_count);
#ifdef CALL_COUNTED /* groups may have nothing */
    const uint valid = (uint)min((INDEX)TILE, total - min(begin, total));
#else
    const uint valid = (uint)min((INDEX)TILE, total - begin);
#endif
    for (uint end = SEARCHER; end < 2; end += SEARCHERS) {
        const INDEX split = split_at(from_a, (INDEX)a_count, from_b, (INDEX)b_count, begin + (end == 0 ? 0 : valid));
        if (LANE == 0)
            ends[end] = split;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both are found */
    const INDEX a_begin = ends[0];
    const INDEX b_begin = begin - a_begin;
    const uint first = (uint)min((INDEX)valid, max(ends[1], a_begin) - a_begin); /* of no order it might be anything */
    const INDEX b_shift = b_begin - first; /* the tile's b's lie behind its a's */
    item x[ITEMS];
    if (valid == TILE) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            const uint place = j * GROUP_SIZE + lid;
            if (place < first) /* not by a function for both: that took a sixth longer on an H200 */
                x[j] = load(from_a, a_begin + place);
            else
                x[j] = load(from_b, b_shift + place);
        }
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(tile, j * GROUP_SIZE + lid, x[j]);
    } else
        for (uint place = lid; place < valid; place += GROUP_SIZE) {
            const bool is_a = place < first;
            local_store(tile, place, load(is_a ? from_a : from_b, (is_a ? a_begin : b_shift) + place));
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    const tile_runs runs = {0, first, valid};
    if (lid * ITEMS < valid) {
        const uint split = split_in_tile(tile, runs, lid * ITEMS);
        (void)merge_serially(x, tile, split, first + (lid * ITEMS - split), runs);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (lid * ITEMS < valid) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(tile, lid * ITEMS + j, x[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the output in its order */
    if (valid == TILE) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            store(to, begin + j * GROUP_SIZE + lid, local_load(tile, j * GROUP_SIZE + lid));
    } else
        for (uint i = lid; i < valid; i += GROUP_SIZE)
            store(to, begin + i, local_load(tile, i));
}
