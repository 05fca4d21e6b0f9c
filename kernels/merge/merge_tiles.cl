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

#ifndef MIRROR
#define MIRROR 0
#endif
#if MIRROR && !CUSTOM && !VALUE_SIZE
/* Keys whose bits say all: of equal ones it does not matter whose they are. The tile's b's lie mirrored behind its a's, the least
 * one at the end, and whatever lacks of a whole tile is in between, of the last key there is. So who has come to the end of one
 * range finds the other one's last elements, or these, before which nothing of the other one must come: ends are not looked at.
 * Whatever is there, as many places are left in between as are yet to be taken. */
#define IS_MIRRORED 1
MERGE_INLINE uint split_mirrored(local_array tile, uint a_length, uint rank)
{
    const uint b_length = TILE - a_length;
    uint low = rank > b_length ? rank - b_length : 0;
    uint high = min(rank, a_length);
    while (low < high) {
        const uint tried = (low + high) / 2;
        if (before(local_load(tile, TILE - rank + tried), local_load(tile, tried)))
            high = tried;
        else
            low = tried + 1;
    }
    return low;
}

/* After i elements the next ones are at a and at a + apart - i. */
MERGE_INLINE void merge_mirrored(item *x, local_array tile, uint a, uint apart)
{
    item p = local_load(tile, a);
    item q = local_load(tile, a + apart);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const bool takes_b = before(q, p);
        x[i] = takes_b ? q : p;
        if (i + 1 < ITEMS) {
            a += takes_b ? 0 : 1;
            const item next = tile.keys[(int)(a + (takes_b ? apart : i + 1)) - (int)(i + 1)];
            p = takes_b ? p : next;
            q = takes_b ? next : q;
        }
    }
}
#else
#define IS_MIRRORED 0
#endif

/* Elements that are their own images can go to local memory without registers in between. */
#if ASYNC && SUB_GROUP_MEANS == 1 && HAS_REDUX && !VALUE_SIZE && (ELEMENT_SIZE == 4 || ELEMENT_SIZE == 8) &&              \
    (CUSTOM || (ELEMENT_KIND == 0 && !DESCENDING))
#define IS_ASYNC 1
MERGE_INLINE void copy_async(local_array to, uint i, array from, uint k)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((uint)(size_t)(to.keys + i)), "l"(from.keys + k),
                 "n"(ELEMENT_SIZE)
                 : "memory");
}
#else
#define IS_ASYNC 0
#endif

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
    const local_array own = local_from(tile, lid); /* what is loaded and stored side by side: each GROUP_SIZE-th from there on */
    if (valid == TILE) {
        const array own_a = array_from(from_a, (ulong)a_begin + lid);
#if IS_MIRRORED
        const array own_b = array_from(from_b, (ulong)b_begin + (GROUP_SIZE - 1 - lid));
#define OWN_B(j) ((ITEMS - 1 - (j)) * GROUP_SIZE)
#else
        const array own_b = array_from(from_b, (ulong)b_begin + lid - first);
#define OWN_B(j) ((j) * GROUP_SIZE)
#endif
        const int ahead = (int)first - (int)lid;
#if IS_ASYNC
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if ((int)(j * GROUP_SIZE) < ahead)
                copy_async(own, j * GROUP_SIZE, own_a, j * GROUP_SIZE);
            else
                copy_async(own, j * GROUP_SIZE, own_b, OWN_B(j));
        asm volatile("cp.async.wait_all;" ::: "memory");
#else
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if ((int)(j * GROUP_SIZE) < ahead) /* not by a function for both: that took a sixth longer on an H200 */
                x[j] = load(own_a, j * GROUP_SIZE);
            else
                x[j] = load(own_b, OWN_B(j));
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(own, j * GROUP_SIZE, x[j]);
#endif
    } else
#if IS_MIRRORED
        for (uint place = lid; place < TILE; place += GROUP_SIZE) {
            const uint from_end = TILE - 1 - place;
            item x = LAST_IMAGE;
            if (place < first)
                x = load(from_a, a_begin + place);
            else if (from_end < valid - first)
                x = load(from_b, b_begin + from_end);
            local_store(tile, place, x);
        }
#else
        for (uint place = lid; place < valid; place += GROUP_SIZE) {
            const bool is_a = place < first;
            local_store(tile, place, load(is_a ? from_a : from_b, (is_a ? a_begin : b_shift) + place));
        }
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    const tile_runs runs = {0, first, valid};
    if (lid * ITEMS < valid) {
#if IS_MIRRORED
        const uint split = split_mirrored(tile, TILE - (valid - first), lid * ITEMS);
        merge_mirrored(x, tile, split, TILE - 1 - lid * ITEMS);
#else
        const uint split = split_in_tile(tile, runs, lid * ITEMS);
        (void)merge_serially(x, tile, split, first + (lid * ITEMS - split), runs);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (lid * ITEMS < valid) {
        const local_array part = local_from(tile, lid * ITEMS);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(part, j, x[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the output in its order */
    if (valid == TILE) {
        const array own_out = array_from(to, (ulong)begin + lid);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            store(own_out, j * GROUP_SIZE, local_load(own, j * GROUP_SIZE));
    } else
        for (uint i = lid; i < valid; i += GROUP_SIZE)
            store(to, begin + i, local_load(tile, i));
}
