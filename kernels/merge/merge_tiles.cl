/* merge_tiles: each work-group merges one tile of the output. Where it begins and where it ends in a and b are searched at once
 * by two sub-groups, each of whose lanes tries another place of the diagonal. Then the tile's elements of a, and of b behind
 * them, are in local memory; each work-item finds its own diagonal there, merges ITEMS elements into registers and puts them
 * back in order, to be stored side by side. No group waits for what another one has found, so that many are under way. All tiles
 * but the last are full: nothing is compared with their end.
 *
 * Each tile's search reads far from where its elements are, from memory where there are many: all of them together as much as a
 * third of what is merged. So there merge_splits is launched before, which finds where every tile begins.
 *
 * Ranges that are not in order never make it read or write out of bounds. Source: Green, McColl, Bader 2012 (merge path).
 * Parameters: lanes.cl, merged.cl, tile_merge.cl, whose ITEMS are an odd number here: places that far apart lie in different
 * banks; FAN, places of the diagonal that a work-item of merge_splits tries at once; SPLITTERS, splits of its groups. */
#if !defined(FAN) || !defined(SPLITTERS)
#error "FAN and SPLITTERS must be given"
#endif

#define TILE (GROUP_SIZE * ITEMS)
#define MERGE_INLINE static inline __attribute__((always_inline))

/* The least and the most of the first `place` elements of the output that can be a's. */
#define SPLIT_LEAST(b_count, place) ((place) > (b_count) ? (place) - (b_count) : 0)

/* How many of the first `place` elements of the output are a's: as many as can be, for a's come first. Many lanes try places; all
 * ask the same. */
MERGE_INLINE INDEX split_by_lanes(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    INDEX low = SPLIT_LEAST(b_count, place);
    INDEX high = min(place, a_count);
    LANES_NARROW(INDEX, low, high, tried, !before(load(b, place - 1 - tried), load(a, tried)))
    return low;
}

/* The same by one work-item, FAN of whose loads of either range do not wait for each other. */
MERGE_INLINE INDEX split_alone(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    INDEX low = SPLIT_LEAST(b_count, place);
    INDEX high = min(place, a_count);
    while (low < high) {
        const INDEX step = (high - low) / (FAN + 1) + 1; /* so that one more would be beyond */
        INDEX taken = 0;
#pragma unroll
        for (uint k = 1; k <= FAN; k++) {
            const INDEX ahead = k * step - 1;
            const INDEX tried = low + min(ahead, high - low - 1);
            const bool is_before = !before(load(b, place - 1 - tried), load(a, tried));
            taken += ahead < high - low && is_before ? 1 : 0;
        }
        high = low + min(high - low, (taken + 1) * step - 1);
        low += taken * step;
    }
    return low;
}

/* splits[i]: how many of the elements before tile i, or of all, are a's. */
MERGE_KERNEL void merge_splits(MERGE_PARAMETERS, __global ulong *splits, ulong count)
{
    HEED_COUNTS
    const ulong i = get_group_id(0) * SPLITTERS + get_local_id(0);
    if (get_local_id(0) < SPLITTERS && i < count) {
        const INDEX place = (INDEX)min(i * share, a_count + b_count);
        splits[i] = split_alone(ARRAY(a), (INDEX)a_count, ARRAY(b), (INDEX)b_count, place);
    }
}

#define IS_PLAIN (SUB_GROUP_MEANS == 1 && HAS_REDUX && !VALUE_SIZE && (ELEMENT_SIZE == 4 || ELEMENT_SIZE == 8) && (CUSTOM || (ELEMENT_KIND == 0 && !DESCENDING)))
#if !IS_PLAIN
#undef COPY
#define COPY 0
#undef OUT_BY
#define OUT_BY 0
#endif
#define PACK (16 / ELEMENT_SIZE)
#define ADDRESS(p) ((uint)(size_t)(p))
#if COPY == 1
MERGE_INLINE void copy_async(local_array to, uint i, array from, uint k)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(ADDRESS(to.keys + i)), "l"(from.keys + k),
                 "n"(ELEMENT_SIZE)
                 : "memory");
}
#endif
#if COPY == 5 /* no_allocate */
MERGE_INLINE item load_once(array a, INDEX i)
{
#if ELEMENT_SIZE == 4
    uint x;
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(x) : "l"(a.keys + i));
#else
    ulong x;
    asm volatile("ld.global.nc.L1::no_allocate.u64 %0, [%1];" : "=l"(x) : "l"(a.keys + i));
#endif
    return x;
}
#else
#define load_once load
#endif

/* How far the tile's split and merge look: a's elements from place a_at on, b's from b_at on. */
MERGE_INLINE uint split_apart(local_array tile, uint a_at, uint first, uint b_at, uint second, uint rank)
{
    uint low = rank > second ? rank - second : 0;
    uint high = min(rank, first);
    while (low < high) {
        const uint tried = (low + high) / 2;
        if (before(local_load(tile, b_at + (rank - 1 - tried)), local_load(tile, a_at + tried)))
            high = tried;
        else
            low = tried + 1;
    }
    return low;
}

/* is_split: there are splits. */
MERGE_KERNEL void merge_tiles(MERGE_PARAMETERS, const __global ulong *splits, uint is_split)
{
#if IS_PLAIN
    __local uint4 tile_words[TILE / PACK + 4];
    const local_array tile = {(__local ELEMENT *)tile_words};
#else
    LOCAL_ARRAY(tile, TILE + 1);
#endif
    __local INDEX ends[2];
#if COPY == 4
    __local ulong arrived;
#endif
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
    INDEX a_begin;
    INDEX a_end;
    if (is_split) {
        a_begin = (INDEX)splits[get_group_id(0)];
        a_end = (INDEX)splits[get_group_id(0) + 1];
    } else {
        for (uint end = SEARCHER; end < 2; end += SEARCHERS) {
            const INDEX split =
                split_by_lanes(from_a, (INDEX)a_count, from_b, (INDEX)b_count, begin + (end == 0 ? 0 : valid));
            if (LANE == 0)
                ends[end] = split;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* both are found */
        a_begin = ends[0];
        a_end = ends[1];
    }
    const INDEX b_begin = begin - a_begin;
    const uint first = (uint)min((INDEX)valid, max(a_end, a_begin) - a_begin); /* of no order it might be anything */
    const INDEX b_shift = b_begin - first; /* the tile's b's lie behind its a's */
    item x[ITEMS];
    const local_array own = local_from(tile, lid); /* what is loaded and stored side by side: each GROUP_SIZE-th from there on */
    uint a_at = 0;
    uint b_at = first;
    if (valid == TILE) {
        const array own_a = array_from(from_a, (ulong)a_begin + lid);
        const array own_b = array_from(from_b, (ulong)b_begin + lid - first);
        const int ahead = (int)first - (int)lid;
#if COPY >= 2 && COPY <= 4
        const uint second = TILE - first;
        a_at = (uint)((size_t)(from_a.keys + a_begin) / ELEMENT_SIZE) % PACK;
        const uint b_off = (uint)((size_t)(from_b.keys + b_begin) / ELEMENT_SIZE) % PACK;
        const uint a_packets = first > 0 ? (a_at + first + PACK - 1) / PACK : 0;
        const uint b_packets = second > 0 ? (b_off + second + PACK - 1) / PACK : 0;
        const __global ELEMENT *const pa = from_a.keys + a_begin - a_at;
        const __global ELEMENT *const pb = from_b.keys + b_begin - b_off;
        const ulong a_left = a_count - a_begin + a_at; /* elements from there on */
        const ulong b_left = b_count - b_begin + b_off;
        b_at = a_packets * PACK + b_off;
#if COPY == 4
        const uint a_whole = a_packets - (a_left < a_packets * PACK ? 1 : 0);
        const uint b_whole = b_packets - (b_left < b_packets * PACK ? 1 : 0);
        const uint bar = ADDRESS(&arrived);
        if (lid == 0) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(bar) : "memory");
            asm volatile("{.reg .b64 t; mbarrier.arrive.expect_tx.shared::cta.b64 t, [%0], %1;}" ::"r"(bar), "r"((a_whole + b_whole) * 16) : "memory");
            if (a_whole > 0)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(ADDRESS(tile.keys)), "l"(pa), "r"(a_whole * 16), "r"(bar) : "memory");
            if (b_whole > 0)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(ADDRESS(tile.keys + a_packets * PACK)), "l"(pb), "r"(b_whole * 16), "r"(bar) : "memory");
        }
        if (a_whole < a_packets && lid < a_left - a_whole * PACK)
            tile.keys[a_whole * PACK + lid] = pa[a_whole * PACK + lid];
        if (b_whole < b_packets && lid < b_left - b_whole * PACK)
            tile.keys[(a_packets + b_whole) * PACK + lid] = pb[b_whole * PACK + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        asm volatile("{.reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @p bra D; bra W; D: }" ::"r"(bar) : "memory");
#else
#pragma unroll
        for (uint j = 0; j < (TILE / PACK + 3 + GROUP_SIZE - 1) / GROUP_SIZE; j++) {
            const uint p = lid + j * GROUP_SIZE;
            const bool is_a = p < a_packets;
            const uint k = (is_a ? p : p - a_packets) * PACK;
            const __global ELEMENT *const source = (is_a ? pa : pb) + k;
            const ulong left = is_a ? a_left : b_left;
            if (p < a_packets + b_packets) {
#if COPY == 2
                const uint bytes = (uint)min((ulong)PACK, left - k) * ELEMENT_SIZE;
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(ADDRESS(tile_words + p)), "l"(source), "r"(bytes) : "memory");
#else
                if (left - k >= PACK)
                    tile_words[p] = *(const __global uint4 *)source;
                else
                    for (uint e = 0; e < left - k; e++)
                        tile.keys[p * PACK + e] = source[e];
#endif
            }
        }
#if COPY == 2
        asm volatile("cp.async.wait_all;" ::: "memory");
#endif
#endif
#elif COPY == 1
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if ((int)(j * GROUP_SIZE) < ahead)
                copy_async(own, j * GROUP_SIZE, own_a, j * GROUP_SIZE);
            else
                copy_async(own, j * GROUP_SIZE, own_b, j * GROUP_SIZE);
        asm volatile("cp.async.wait_all;" ::: "memory");
#else
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if ((int)(j * GROUP_SIZE) < ahead) /* not by a function for both: that took a sixth longer on an H200 */
                x[j] = load_once(own_a, j * GROUP_SIZE);
            else
                x[j] = load_once(own_b, j * GROUP_SIZE);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(own, j * GROUP_SIZE, x[j]);
#endif
    } else
        for (uint place = lid; place < valid; place += GROUP_SIZE) {
            const bool is_a = place < first;
            local_store(tile, place, load(is_a ? from_a : from_b, (is_a ? a_begin : b_shift) + place));
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    const tile_runs runs = {a_at, a_at + first, b_at + (valid - first)};
    if (lid * ITEMS < valid) {
        const uint split = split_apart(tile, a_at, first, b_at, valid - first, lid * ITEMS);
        (void)merge_serially(x, tile, a_at + split, b_at + (lid * ITEMS - split), runs);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (lid * ITEMS < valid) {
        const local_array part = local_from(tile, lid * ITEMS);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(part, j, x[j]);
    }
#if OUT_BY == 2
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the output in its order */
#if OUT_BY > 0
    if (valid == TILE && (size_t)(to.keys + begin) % 16 == 0) {
#if OUT_BY == 2
        if (lid == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to.keys + begin), "r"(ADDRESS(tile.keys)), "r"(TILE * ELEMENT_SIZE) : "memory");
            asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;" ::: "memory");
        }
#else
        __global uint4 *const words = (__global uint4 *)(to.keys + begin);
#pragma unroll
        for (uint j = 0; j < (TILE / PACK + GROUP_SIZE - 1) / GROUP_SIZE; j++)
            if (lid + j * GROUP_SIZE < TILE / PACK)
                words[lid + j * GROUP_SIZE] = tile_words[lid + j * GROUP_SIZE];
#endif
    } else
#endif
    if (valid == TILE) {
        const array own_out = array_from(to, (ulong)begin + lid);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            store(own_out, j * GROUP_SIZE, local_load(own, j * GROUP_SIZE));
    } else
        for (uint i = lid; i < valid; i += GROUP_SIZE)
            store(to, begin + i, local_load(tile, i));
}
