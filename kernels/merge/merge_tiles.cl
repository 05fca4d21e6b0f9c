// SPDX-License-Identifier: MIT
/* merge_tiles: each work-group merges one tile of the output. Two sub-groups search at the same time where the tile
 * begins and where it ends in a and b; each lane tries another place of the diagonal. Then the tile's elements of a,
 * followed by those of b, are loaded into local memory. Each work-item finds its own diagonal there, merges ITEMS
 * elements into registers, and puts them back in order, so that adjacent work-items store adjacent elements. No group
 * waits for the result of another one, so many run at once. All tiles except the last one are full, so no comparison
 * with their end is needed.
 *
 * Each tile's search reads elements far from the tile. If there are many elements, they come from memory, and all
 * searches together read as much as a third of the data. So for large arrays, merge_splits is launched first, and finds
 * where every tile begins.
 *
 * Even if the ranges are not sorted, nothing is read or written out of bounds. Source: Green, McColl, Bader
 * 2012 (merge path).
 * Parameters: ITEMS, which must be odd here, so that places that far apart are in different banks; SPLITS, how many a
 * group of merge_splits finds. */
#include "common/lanes.cl"
#include "common/items.cl"
#include "merge/args.h"
#include "merge/parts/merged.cl"
#include "common/tile_merge.cl"

#ifndef SPLITS
#error "SPLITS must be given"
#endif

#define TILE                         (GROUP_SIZE * ITEMS)

#define IS_TAKEN(a, b, place, tried) (!before(load(b, (place)-1 - (tried)), load(a, tried)))
#define SPLIT_LEAST(b_count, place)  ((place) > (b_count) ? (place) - (b_count) : 0)

/* How many of the first elements of the output, at the places `first` and `last`, come from a: as many as possible,
 * because among equal elements those of a come first. Each lane tries another place of the diagonal. Afterwards, the
 * whole group knows the result. */
ALWAYS_INLINE void split_ends(__local INDEX *ends, array a, INDEX a_count, array b, INDEX b_count, INDEX first,
                              INDEX last)
{
    for (uint end = SEARCHER; end < 2; end += SEARCHERS) {
        const INDEX place = end == 0 ? first : last;
        INDEX low = SPLIT_LEAST(b_count, place);
        INDEX high = min(place, a_count);
        LANES_NARROW(INDEX, low, high, tried, IS_TAKEN(a, b, place, tried))
        if (LANE == 0)
            ends[end] = low;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both are found */
}

/* splits[i]: how many of the elements before tile i, or of all elements, come from a. Each group finds SPLITS of them;
 * first it finds the two between which they are. A single element that a search reads takes as long as 8 or 16 adjacent
 * ones, which was a tenth of the merge's time. So every SAMPLED-th element in between is loaded into local memory.
 * These samples narrow down each split to twice SAMPLED elements. */
#define SAMPLES (GROUP_SIZE * (ITEMS < 4 ? ITEMS : 4))
#define SAMPLED ((INDEX)((ulong)SPLITS * TILE / SAMPLES + 1))

__kernel GROUP_OF(GROUP_SIZE) void merge_splits(ARGS_OF(MERGE_TILES))
{
    const merge_args args = ARGS(MERGE_NUMBERS);
    __local ELEMENT samples[SAMPLES + 2];
    __local INDEX ends[2];
    HEED_COUNTS
    const ulong share = args.share;
    const uint lid = (uint)get_local_id(0);
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const ulong number = get_group_id(0) * SPLITS;
    const ulong total = a_count + b_count;
    const INDEX begin = (INDEX)min(number * share, total);
    const INDEX length = (INDEX)min((number + SPLITS) * share, total) - begin;
    split_ends(ends, from_a, (INDEX)a_count, from_b, (INDEX)b_count, begin, begin + length);
    const INDEX a_low = ends[0];
    const INDEX b_low = begin - a_low;
    const INDEX a_length = min(length, max(ends[1], a_low) - a_low); /* without a sorted order it might be negative */
    const INDEX b_length = length - a_length;
    const array own_a = array_from(from_a, a_low);
    const array own_b = array_from(from_b, b_low);
    const uint a_samples = (uint)((a_length + SAMPLED - 1) / SAMPLED);
    const uint b_samples = (uint)((b_length + SAMPLED - 1) / SAMPLED);
    for (uint i = lid; i < a_samples + b_samples; i += GROUP_SIZE) {
        const bool is_a = i < a_samples;
        samples[i] = KEY_OF(load(is_a ? own_a : own_b, (is_a ? i : i - a_samples) * SAMPLED));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the samples are loaded */
    for (ulong i = number + lid; i < min(args.num_splits, number + SPLITS); i += GROUP_SIZE) {
        const INDEX place = (INDEX)min(i * share, total) - begin;
        INDEX low = SPLIT_LEAST(b_length, place);
        INDEX high = min(place, a_length);
        /* Find the first of a's samples that is not certainly taken. Each is compared with b's last sample up to the
         * element with which it would be compared. If it comes after that sample, a's next sample is certainly not
         * taken. */
        uint least = (uint)((low + SAMPLED - 1) / SAMPLED);
        uint most = (uint)((high + SAMPLED - 1) / SAMPLED);
        while (least < most) {
            const uint tried = (least + most) / 2;
            const ELEMENT x = samples[tried];
            const ELEMENT y = samples[a_samples + (uint)((place - 1 - tried * SAMPLED) / SAMPLED)];
            if (!KEY_BEFORE(y, x))
                least = tried + 1;
            else
                most = tried;
        }
        if (least > 0)
            low = max(low, (least - 1) * SAMPLED + 1);
        high = min(high, (least + 1) * SAMPLED);
        while (low < high) {
            const INDEX tried = low + (high - low) / 2;
            if (IS_TAKEN(own_a, own_b, place, tried))
                low = tried + 1;
            else
                high = tried;
        }
        splits[i] = a_low + low;
    }
}

__kernel GROUP_OF(GROUP_SIZE) void merge_tiles(ARGS_OF(MERGE_TILES))
{
    const merge_args args = ARGS(MERGE_NUMBERS);
    LOCAL_ARRAY(tile, TILE + 1);
    __local INDEX ends[2];
    HEED_COUNTS
    const ulong share = args.share;
    const uint lid = (uint)get_local_id(0);
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const array to = ARRAY_OF(out);
    const INDEX begin = (INDEX)(get_group_id(0) * share);
    const INDEX total = (INDEX)(a_count + b_count);
#ifdef CALL_COUNTED /* a group may have no tile */
    const uint valid = (uint)min((INDEX)TILE, total - min(begin, total));
#else
    const uint valid = (uint)min((INDEX)TILE, total - begin);
#endif
    INDEX a_begin;
    INDEX a_end;
    if (args.num_splits > 0) {
        a_begin = (INDEX)splits[get_group_id(0)];
        a_end = (INDEX)splits[get_group_id(0) + 1];
    } else {
        split_ends(ends, from_a, (INDEX)a_count, from_b, (INDEX)b_count, begin, begin + valid);
        a_begin = ends[0];
        a_end = ends[1];
    }
    const INDEX b_begin = begin - a_begin;
    const uint first = (uint)min((INDEX)valid, max(a_end, a_begin) - a_begin); /* may be negative if not sorted */
    const INDEX b_shift = b_begin - first;                                     /* the elements of b follow those of a */
    item x[ITEMS];
    const local_array own = local_from(tile, lid); /* each work-item loads and stores every GROUP_SIZE-th element */
    if (valid == TILE) {
        const array own_a = array_from(from_a, (ulong)a_begin + lid);
        const array own_b = array_from(from_b, (ulong)b_begin + lid - first);
        const int ahead = (int)first - (int)lid;
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if ((int)(j * GROUP_SIZE) < ahead) /* not in one function for both: that took a sixth longer on an H200 */
                x[j] = load(own_a, j * GROUP_SIZE);
            else
                x[j] = load(own_b, j * GROUP_SIZE);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(own, j * GROUP_SIZE, x[j]);
    } else
        for (uint place = lid; place < valid; place += GROUP_SIZE) {
            const bool is_a = place < first;
            local_store(tile, place, load(is_a ? from_a : from_b, (is_a ? a_begin : b_shift) + place));
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded */
    const tile_runs runs = {0, first, valid};
    if (lid * ITEMS < valid) {
        const uint split = split_in_tile(tile, runs, lid * ITEMS);
        (void)merge_serially(x, tile, split, first + (lid * ITEMS - split), runs);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (lid * ITEMS < valid) {
        const local_array part = local_from(tile, lid * ITEMS);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            local_store(part, j, x[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the output is in its order */
    if (valid == TILE) {
        const array own_out = array_from(to, (ulong)begin + lid);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            store(own_out, j * GROUP_SIZE, local_load(own, j * GROUP_SIZE));
    } else
        for (uint i = lid; i < valid; i += GROUP_SIZE)
            store(to, begin + i, local_load(tile, i));
}
