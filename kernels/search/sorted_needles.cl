// SPDX-License-Identifier: MIT
/* search_sorted_needles: for needles that are sorted, too. A group processes a tile of needles. The places of the first
 * and the last needle bound the range of elements for the others. If that range fits local memory, needles and elements
 * are loaded there and merged, and each work-item has its own diagonal (merge path): the place of a needle is the
 * number of elements before it. Otherwise, each needle is searched within the range.
 *
 * Even if needles or elements are not sorted, nothing is read or written out of bounds.
 * Source: Green, McColl, Bader 2012; Baxter 2013 (Modern GPU, vectorized sorted search).
 * Parameters: ITEMS needles per work-item; CAPACITY, elements. */
#include "common/lanes.cl"
#include "common/items.cl"
#include "search/args.h"
#include "search/parts/needles.cl"

#if !defined(ITEMS) || !defined(CAPACITY)
#error "ITEMS and CAPACITY must be given"
#endif

#define TILE (GROUP_SIZE * ITEMS)

/* How many of the first `place` items of the merge of elements and needles are elements. */
ALWAYS_INLINE uint item_split(local_array elements, uint length, local_array needles, uint valid, uint place)
{
    uint begin = place > valid ? place - valid : 0;
    uint end = min(place, length);
    while (begin < end) {
        const uint middle = (begin + end) / 2;
        if (is_behind(local_load(elements, middle), local_load(needles, place - 1 - middle)))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

ALWAYS_INLINE void merge_places(__local uint *places, local_array elements, uint length, local_array needles,
                                uint valid)
{
    const uint total = length + valid;
    const uint share_of_one = (total + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint begin = min((uint)get_local_id(0) * share_of_one, total);
    const uint end = min(begin + share_of_one, total);
    uint i = item_split(elements, length, needles, valid, begin);
    uint k = begin - i;
    for (uint place = begin; place < end; place++) {
        const bool passes = i < length && (k >= valid || is_behind(local_load(elements, i), local_load(needles, k)));
        if (!passes)
            places[k] = i;
        i += passes ? 1 : 0;
        k += passes ? 0 : 1;
    }
}

__kernel GROUP_OF(GROUP_SIZE) void search_sorted_needles(ARGS_OF(SEARCH_ARRAYS))
{
    const search_args args = ARGS(SEARCH_NUMBERS);
    LOCAL_ARRAY(elements_here, CAPACITY);
    LOCAL_ARRAY(needles_here, TILE);
    __local uint places[TILE];
    __local INDEX ends[2];
    HEED_COUNTS
    const ulong share = args.share;
    const uint lid = (uint)get_local_id(0);
    const array a = ARRAY_OF(in);
    const ulong end = min(m, (get_group_id(0) + 1) * share);
    for (ulong begin = get_group_id(0) * share; begin < end; begin += TILE) {
        const array own = array_from(ARRAY_OF(needles), begin);
        __global INDEX *const out_here = out + args.out_offset + begin;
        const uint valid = (uint)min((ulong)TILE, end - begin);
        for (uint i = lid; i < valid; i += GROUP_SIZE)
            local_store(needles_here, i, needle_at(own, begin, i));
        for (uint k = SEARCHER; k < 2; k += SEARCHERS) {
            const item x = needle_at(own, begin, k == 0 ? 0 : valid - 1);
            INDEX low = 0;
            INDEX high = (INDEX)n;
            LANES_NARROW(INDEX, low, high, tried, is_behind(load(a, tried), x))
            if (LANE == 0)
                ends[k] = low;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the group's needles and the bounds are known */
        const INDEX first = ends[0];
        const INDEX length = max(ends[1], first) - first;
        const array part = array_from(a, first);
        const bool fits = length <= CAPACITY;
        const uint length_here = fits ? (uint)length : 0;
        for (uint i = lid; i < length_here; i += GROUP_SIZE)
            local_store(elements_here, i, load(part, i));
        barrier(CLK_LOCAL_MEM_FENCE); /* the elements are loaded */
        if (fits)
            merge_places(places, elements_here, length_here, needles_here, valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* the places are known */
        for (uint i = lid; i < valid; i += GROUP_SIZE) {
            /* if something is not sorted, a needle may have got no place */
            const INDEX place = fits ? min((INDEX)places[i], length) : bound(part, length, local_load(needles_here, i));
            PUT_PLACE(out_here[i], a, (INDEX)n, first + place, local_load(needles_here, i));
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* nobody uses local memory any more */
    }
}
