// SPDX-License-Identifier: MIT
/* comparison_sort_sample: the first launch of a level of the sample sort, with a group for each segment. It draws a
 * tile of the segment's elements, one from each of TILE equal parts, sorts them, and keeps those at equal distances as
 * splitters. Elements before the first splitter are bucket 0, and so on; an element that is equal to a splitter comes
 * after it.
 *
 * There are no elements between equal splitters. So the bucket before the last one of several equal splitters is used
 * for the elements that are equal to them, which need not be sorted (classify.cl). If a segment needs fewer splitters,
 * copies of the last one therefore do no harm.
 *
 * Parameters: WANTED, the desired number of elements per bucket; FITS, the number that a group can sort. Source:
 * Leischner, Osipov and Sanders 2010. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"
#include "comparison_sort/parts/sample_tables.cl"

#if !defined(WANTED) || !defined(FITS)
#error "WANTED and FITS must be given"
#endif

/* A random place in the part-th of TILE parts. */
ALWAYS_INLINE uint drawn_from(segment s, uint number, uint part)
{
    const uint begin = (uint)((ulong)s.size * part / TILE);
    const uint end = (uint)((ulong)s.size * (part + 1) / TILE);
    uint random = (number * TILE + part) * 2654435761u;
    random = (random ^ random >> 15) * 2246822519u;
    return s.begin + begin + (uint)((ulong)(random ^ random >> 13) * (end - begin) >> 32);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_sample(ARGS_OF(SAMPLE_SORT_LOOK))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE));
    __local uint first;
    __local uint repeats;
    const uint lid = (uint)get_local_id(0);
    const uint number = (uint)get_group_id(0);
    const uint level = args.level;
    const uint buckets_log = args.buckets_log;
    const uint buckets = 1u << buckets_log;
    const segment s = segment_at(level - 1, PARENTS, args.parents, number, CALL_COUNT_0(args.n));
    const uint needed = s.size / WANTED + 1;
    const bool is_copied = s.is_equal || s.size <= FITS;
    __global uint *counts = COUNTS + (number << buckets_log);
    __global uint *kinds = KINDS + (number << buckets_log);
    for (uint b = lid; b < buckets; b += GROUP_SIZE) {
        counts[b] = is_copied && b == 0 ? s.size : 0;
        kinds[b] = is_copied && b == 0 ? KIND_COPIED | (s.is_equal ? KIND_EQUAL : 0) : 0;
    }
    for (uint i = lid; level == 1 && i < HEADER_WORDS; i += GROUP_SIZE)
        HEADER[i] = 0;
    const uint ranges = level == 1 ? 0 : ranges_of(s.size); /* at the first level, all are known */
    if (lid == 0) {
        repeats = 0;
        first = ranges == 0 ? 0 : atomic_add(HEADER + level, ranges);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* their position in the list is known */
    for (uint i = lid; i < ranges; i += GROUP_SIZE)
        TILES[first + i] = (uint2)(number, i);
    if (is_copied) /* the same for the whole group */
        return;
    const uint used = min(needed, buckets);
    const spread across = spread_at(GROUP_LOG, false);
    tile_place whole = tile_at(0);
    whole.is_whole = true;
    item x[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        x[i] = load(ARRAY_OF(in), drawn_from(s, number, place_of(across, i)));
    if (PLACES)
        stage_items(tile, x, across);
    sort_items(tile, x, whole, TILE);
    barrier(CLK_LOCAL_MEM_FENCE); /* the sample is sorted */
    for (uint b = lid; b < buckets - 1; b += GROUP_SIZE) {
        const uint place = (uint)((ulong)(min(b, used - 2) + 1) * TILE / used);
        SPLITTERS[((size_t)number << buckets_log) + b] = KEY_OF(local_load(tile, PADDED(place)));
        if (b > 0) {
            const uint place_before = (uint)((ulong)(min(b - 1, used - 2) + 1) * TILE / used);
            if (!before(local_load(tile, PADDED(place_before)), local_load(tile, PADDED(place)))) {
                kinds[b] = KIND_EQUAL;
                if (b <= used - 2)
                    repeats = 1;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known whether there are any */
    if (lid == 0 && repeats != 0)
        kinds[0] = KIND_REPEATS;
}
