// SPDX-License-Identifier: MIT
/* segmented_sort_local: segments that fit the local memory of one work-group. A group has the segments that begin in a
 * window that short.cl has left. Of these it takes as many whole ones at a time as fit a tile, reads them, sorts them
 * all together, and writes them: so that many short segments keep it as busy as one long. With shuffles, where none of
 * the tile's segments is long, each key counts those of its segment that come before it (enumeration sort); else the
 * tile is sorted by its keys, digit by digit, and then by its segments, whose numbers in the tile are digits like any
 * others. Without shuffles it is sorted by merges. A segment that does not fit is left alone, and entered as a long
 * one where there are such; in a call with merges what the window has of it is sorted like a segment.
 * Parameters: keys.cl with COUNTED 0; ENUMERATED, the longest segment whose keys are enumerated. */
#include "radix_sort/modes.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#if BY_MERGES
#define ONE_SEGMENT 0
#include "radix_sort/parts/tile_by_merges.cl"
#else
#include "radix_sort/parts/tile_sort.cl"
#endif

#ifndef ENUMERATED
#error "ENUMERATED must be given"
#endif
/* in one go: of more most are empty, and where they lie together nobody looks at each */
#define MOST_SEGMENTS (4 * TILE)

CLPRIM_WORK_GROUP_SCAN(clprim__segments, uint, a + b, 0, GROUP_SIZE)

/* Where segment s begins, and the one before it ends: within the bounds of the window where these have parts of long
 * segments. The bounds are in local memory, where they take no registers. */
static inline ulong part_begin(const segments_of *all, const __local uint *bounds, uint s)
{
#if MERGES
    return min(max((uint)segment_begin(all, s), bounds[0]), bounds[1]);
#else
    return segment_begin(all, s);
#endif
}

/* Number the tile's segments: `numbers` and `firsts`. *shared_count is how many have elements, *shared_longest the
 * length of the longest. Segments from s to before `end` lie from `first` on. */
ALWAYS_INLINE void number_segments(const tile_memory *m, const segments_of *all, const __local uint *bounds, uint s,
                                   uint end, ulong first, uint valid, __local uint *shared_count,
                                   __local uint *shared_longest, __local clprim__segments_memory *sums)
{
    const uint lid = (uint)get_local_id(0);
    for (uint i = lid; i < TILE; i += GROUP_SIZE)
        m->numbers[i] = i == 0;
    if (lid == 0)
        *shared_longest = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* no segment begins but the first */
    uint longest = 0;
    for (uint k = s + lid; k < end; k += GROUP_SIZE) {
        const ulong begin = part_begin(all, bounds, k);
        const ulong beyond = part_begin(all, bounds, k + 1);
        if (begin < beyond && begin >= first && beyond - first <= valid) {
            m->numbers[begin - first] = 1;
            longest = max(longest, (uint)(beyond - begin));
        }
    }
    if (longest > 0)
        (void)atomic_max(shared_longest, longest);
    barrier(CLK_LOCAL_MEM_FENCE); /* a 1 where each segment begins */
    uint own = 0;
    for (uint j = 0; j < ITEMS; j++)
        own += m->numbers[lid * ITEMS + j];
    uint segments;
    uint number = clprim__segments_exclusive(own, &segments, sums);
    for (uint j = 0; j < ITEMS; j++) {
        const uint i = lid * ITEMS + j;
        if (m->numbers[i] != 0)
            m->firsts[number++] = (ushort)i;
        m->numbers[i] = (ushort)(number - 1);
    }
    if (lid == GROUP_SIZE - 1) {
        m->firsts[number] = (ushort)valid;
        *shared_count = number;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the numbers */
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_local(ARGS_OF(SEGMENTED_SORT_SHORT))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
#if BY_MERGES
    __local uint4 staged[KEY_WORDS];
#else
    __local KEY staged[TILE];
#endif
    TILE_MEMORY_HERE(TILE, staged)
    __local clprim__segments_memory segment_sums;
    __local uint shared_count;
    __local uint shared_longest;
    __local uint shared_from;
    __local uint shared_next;
    __local uint shared_place;
#if MERGES
    __local uint bounds[2];
#else
    const __local uint *const bounds = 0;
#endif
    SEGMENTS_HERE
    const uint lid = (uint)get_local_id(0);
    const uint left = left_window(&all, (uint)get_group_id(0), (uint)get_num_groups(0));
    if (left == NO_WINDOW)
        return;
    const uint end = min(all.firsts[left + 1], all.count);
    uint next_one = all.firsts[left];
#if MERGES
    const ulong position = left * args.window;
    next_one -= IS_MERGED && is_within_long(&all, next_one, position) ? 1 : 0;
    if (lid == 0) {
        const bool is_part = IS_MERGED && next_one < end && is_long(&all, end - 1);
        bounds[0] = IS_MERGED ? (uint)position : 0;
        bounds[1] = (uint)(is_part ? min(args.n, position + args.window) : args.n);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the bounds */
#endif
    while (next_one < end) {
        const ulong first = part_begin(&all, bounds, next_one);
        if (lid == 0) {
            uint from = next_one;
            uint most = end - from <= MOST_SEGMENTS ? end : from + MOST_SEGMENTS;
            if (most < end && part_begin(&all, bounds, most) == first) { /* the last here, behind empty ones */
                from = segment_search(&all, most, end, first + 1) - 1;
                most = end - from <= MOST_SEGMENTS ? end : from + MOST_SEGMENTS;
            }
            const bool fit = part_begin(&all, bounds, most) <= first + TILE; /* as a rule */
            shared_from = from;
            shared_next = fit ? most : segment_search(&all, from + 1, most, first + TILE + 1) - 1;
#if HAS_LONG
            shared_place = shared_next == from && !IS_MERGED ? long_reserve(&all, from) : NO_PLACE;
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* what to do; and all are done with what was before */
        const uint s = shared_from;
        const uint next = shared_next;
        const ulong beyond = part_begin(&all, bounds, next);
        const uint valid = beyond > first && beyond - first <= TILE ? (uint)(beyond - first) : 0;
#if HAS_LONG
        if (shared_place != NO_PLACE)
            (void)long_enter(&all, s, shared_place);
#endif
#if BY_MERGES
        load_tile(&m, keys_in + args.keys_in_offset, first, valid);
        number_segments(&m, &all, bounds, s, next, first, valid, &shared_count, &shared_longest, &segment_sums);
        sort_by_merges(&m, valid);
        write_tile(ARRAYS_HERE, &m, first, valid);
#else
        KEY images[ITEMS];
        ushort origins[ITEMS];
        tile_load(images, keys_in + args.keys_in_offset, first, valid, true);
        tile_turn(images, true);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            origins[j] = (ushort)TILE_INDEX(j);
            keys[TILE_INDEX(j)] = images[j];
        }
        number_segments(&m, &all, bounds, s, next, first, valid, &shared_count, &shared_longest, &segment_sums);
        if (shared_longest <= ENUMERATED) {
            sort_by_enumeration(images, origins, &m, valid, ITEMS);
        } else if (END_BIT > 0) { /* else all are where they belong */
            uint passes = PASSES;
            for (uint count = shared_count - 1; count != 0; count >>= DIGIT_BITS)
                passes++;
            for (uint pass = 0; pass < passes; pass++)
                sort_by_digit(images, origins, &m, valid, pass);
        }
        write_tile(ARRAYS_HERE, images, origins, first, valid, ITEMS);
#endif
        next_one = max(next, s + 1);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next tile may take the memory */
    }
}
