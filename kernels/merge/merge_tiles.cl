/* merge_tiles: each work-group merges one tile of the output. Where it begins and where it ends in a and b are searched at once
 * by two sub-groups, each of whose lanes tries another place of the diagonal. Then the tile's elements of a, and of b behind
 * them, are in local memory; each work-item finds its own diagonal there, merges ITEMS elements into registers and puts them
 * back in order, to be stored side by side. No group waits for what another one has found, so that many are under way. All tiles
 * but the last are full: nothing is compared with their end.
 *
 * Each tile's search reads far from where its elements are, from memory where there are many: all of them together as much as a
 * third of what is merged. So there merge_splits is launched before, which finds where every STRETCH-th tile begins; what is left
 * to search lies between two of these, and will be read soon, or was.
 *
 * Ranges that are not in order never make it read or write out of bounds. Source: Green, McColl, Bader 2012 (merge path).
 * Parameters: lanes.cl, merged.cl, tile_merge.cl, whose ITEMS are an odd number here: places that far apart lie in different
 * banks; STRETCH, TEAM, the lanes that search between splits. */
#if !defined(STRETCH) || !defined(TEAM)
#error "STRETCH and TEAM must be given"
#endif

#define TILE (GROUP_SIZE * ITEMS)
#define MERGE_INLINE static inline __attribute__((always_inline))

/* How many of the first `place` elements of the output are a's, if it is known to be from low to high: as many as can be, for
 * a's come first. So many lanes try places; all ask the same. */
MERGE_INLINE INDEX split_between(array a, array b, INDEX place, INDEX low, INDEX high, uint lanes)
{
    const uint lane = lanes == 1 ? 0 : LANE;
    while (low < high) {
        const INDEX step = (high - low) / (lanes + 1) + 1; /* so that one more would be beyond */
        const INDEX tried = low + (lane + 1) * step - 1;
        const bool vote = lane < lanes && tried < high && !before(load(b, place - 1 - tried), load(a, tried));
        const uint taken = lanes == 1 ? (uint)vote : votes_of(vote);
        high = min(high, low + (taken + 1) * step - 1);
        low += taken * step;
    }
    return low;
}

/* The same if nothing is known. */
MERGE_INLINE INDEX split_at(array a, INDEX a_count, array b, INDEX b_count, INDEX place, uint lanes)
{
    return split_between(a, b, place, place > b_count ? place - b_count : 0, min(place, a_count), lanes);
}

MERGE_INLINE INDEX place_of_split(ulong number, ulong total)
{
    return (INDEX)min(number * ((ulong)STRETCH * TILE), total);
}

/* The same if every STRETCH-th tile's is known. */
MERGE_INLINE INDEX split_by_splits(array a, array b, INDEX b_count, ulong total, INDEX place, ulong tile,
                                   const __global ulong *splits)
{
    const ulong number = tile / STRETCH;
    const INDEX known = (INDEX)splits[number];
    const INDEX beyond = place - place_of_split(number, total);
    const INDEX low = max(known, place > b_count ? place - b_count : 0);
    return split_between(a, b, place, low, min((INDEX)splits[number + 1], known + beyond), min((uint)TEAM, (uint)LANES));
}

#if STRETCH < 4 /* so many that lanes would be too few for them */
#define SPLITTERS ((uint)GROUP_SIZE)
#define SPLITTER ((uint)get_local_id(0))
#define SPLITTERS_LANES 1
#define WRITES_SPLIT true
#else
#define SPLITTERS SEARCHERS
#define SPLITTER SEARCHER
#define SPLITTERS_LANES LANES
#define WRITES_SPLIT (LANE == 0)
#endif

/* splits[i]: how many of the elements before tile i * STRETCH, or of all, are a's. */
MERGE_KERNEL void merge_splits(MERGE_PARAMETERS, __global ulong *splits, ulong count)
{
    HEED_COUNTS
    const ulong groups = get_num_groups(0);
    for (ulong i = get_group_id(0) * SPLITTERS + SPLITTER; i < count; i += groups * SPLITTERS) {
        const INDEX place = place_of_split(i, a_count + b_count);
        const INDEX split = split_at(ARRAY(a), (INDEX)a_count, ARRAY(b), (INDEX)b_count, place, SPLITTERS_LANES);
        if (WRITES_SPLIT)
            splits[i] = split;
    }
}

/* is_split: there are splits. */
MERGE_KERNEL void merge_tiles(MERGE_PARAMETERS, const __global ulong *splits, uint is_split)
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
        const INDEX place = begin + (end == 0 ? 0 : valid);
        const INDEX split =
            is_split ? split_by_splits(from_a, from_b, (INDEX)b_count, total, place, get_group_id(0) + end, splits)
                     : split_at(from_a, (INDEX)a_count, from_b, (INDEX)b_count, place, LANES);
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
