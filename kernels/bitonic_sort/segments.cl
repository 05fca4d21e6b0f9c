// SPDX-License-Identifier: MIT
/* bitonic_sort_segments: sort each segment independently, in one launch. A group takes as many segments at a time as
 * fit its tile in local memory, and sorts all of them at once: an element is compared with its partner in its own
 * segment, if it has one. A segment that is longer than a tile is sorted alone: tile by tile if the distance allows it,
 * otherwise in global memory.
 *
 * This is the mirrored form of the network (see register_tile.cl): no block descends, so segments may have any length.
 *
 * Parameters: ITEMS, elements per work-item in a tile, a power of two, like GROUP_SIZE. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/parts/windows.cl"

#if !defined(ITEMS) || ITEMS & (ITEMS - 1) || GROUP_SIZE & (GROUP_SIZE - 1)
#error "ITEMS must be given, a power of two, as is GROUP_SIZE"
#endif

#define TILE   (GROUP_SIZE * ITEMS)
#define OWN(j) ((uint)get_local_id(0) + (j)*GROUP_SIZE) /* the places of the work-item's elements */

/* The segments of a work-item's elements, each given by its beginning and end in the tile. */
typedef struct {
    uint begin[ITEMS], end[ITEMS];
} spans;

ALWAYS_INLINE void tile_load(local_array tile, array from, uint valid)
{
    for (uint i = (uint)get_local_id(0); i < valid; i += GROUP_SIZE)
        local_store(tile, i, load(from, i));
}

ALWAYS_INLINE void tile_store(array to, local_array tile, uint valid)
{
    for (uint i = (uint)get_local_id(0); i < valid; i += GROUP_SIZE)
        store(to, i, local_load(tile, i));
}

/* Make a step at a distance that is a power of two. With `mirrors`, the places of a pair have the same distance from
 * the middle of 2 * distance places. */
ALWAYS_INLINE void tile_step(local_array tile, const spans *s, uint distance, bool mirrors)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = OWN(j) - s->begin[j];
        const uint partner = s->begin[j] + (place ^ (mirrors ? 2 * distance - 1 : distance));
        if (partner > OWN(j) && partner < s->end[j])
            local_compare_exchange(tile, OWN(j), partner, false);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what this step has written */
}

/* Make all steps, from the one at `distance` in the stage for blocks of 2 * half_block elements, up to the stage that
 * sorts segments of length `longest`. It is a single loop, so that the step is compiled once. */
ALWAYS_INLINE void tile_sort(local_array tile, const spans *s, uint half_block, uint distance, uint longest)
{
    while (half_block < longest || distance < half_block) {
        tile_step(tile, s, distance, distance == half_block);
        distance /= 2;
        if (distance == 0) {
            half_block *= 2;
            distance = half_block;
        }
    }
}

/* Find the segments of a tile's elements: some of s .. next - 1, which begin at `first`. If offsets do not ascend, an
 * element may be in no segment that is completely in the tile; it is then treated as a separate segment. */
ALWAYS_INLINE uint find_spans(spans *out, const segments_of *all, uint s, uint next, INDEX first, uint valid)
{
    uint longest = 1;
    for (uint j = 0; j < ITEMS; j++) {
        const uint i = OWN(j);
        out->begin[j] = i;
        out->end[j] = i + 1;
        if (i >= valid) {
            out->end[j] = i;
            continue;
        }
        const uint own = segment_search(all, s + 1, next, (ulong)first + i + 1) - 1;
        const INDEX begin = segment_begin(all, own);
        const INDEX end = segment_begin(all, own + 1);
        if (begin >= first && begin - first <= i && end > first && end - first > i && end - first <= valid) {
            out->begin[j] = (uint)(begin - first);
            out->end[j] = (uint)(end - first);
            longest = max(longest, out->end[j] - out->begin[j]);
        }
    }
    return longest;
}

/* Make a stage's steps at distances of at least a tile, in a long segment. */
ALWAYS_INLINE void long_steps(array to, INDEX length, INDEX half_block)
{
    bool mirrors = true;
    for (INDEX distance = half_block; distance >= TILE; distance /= 2) {
        for (INDEX pair = (INDEX)get_local_id(0); pair < length; pair += GROUP_SIZE) {
            const INDEX place = 2 * pair - (pair & (distance - 1));
            const INDEX partner = place ^ (mirrors ? 2 * distance - 1 : distance);
            if (place >= length || place < pair) /* no more pairs; or an overflow */
                break;
            if (partner < length)
                compare_exchange(to, place, partner, false);
        }
        mirrors = false;
        barrier(CLK_GLOBAL_MEM_FENCE); /* the next step reads what this step has written */
    }
}

ALWAYS_INLINE void sort_long(local_array tile, array from, array to, INDEX length)
{
    for (INDEX half_block = TILE / 2; half_block < length; half_block *= 2) {
        const bool is_first = half_block == TILE / 2;
        if (!is_first)
            long_steps(to, length, half_block);
        for (INDEX begin = 0; begin < length; begin += TILE) {
            const uint valid = (uint)min((INDEX)TILE, length - begin);
            spans whole;
            for (uint j = 0; j < ITEMS; j++) {
                whole.begin[j] = 0;
                whole.end[j] = valid;
            }
            tile_load(tile, array_from(is_first ? from : to, begin), valid);
            barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded */
            tile_sort(tile, &whole, is_first ? 1 : TILE, is_first ? 1 : TILE / 2, TILE);
            tile_store(array_from(to, begin), tile, valid);
            barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the tile */
            if (length - begin <= TILE)
                break; /* avoid overflow */
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* the next stage reads what this stage has stored */
        if (half_block > length / 2)
            break; /* avoid overflow */
    }
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_segments(ARGS_OF(BITONIC_SORT_SEGMENTS))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, TILE);
    __local uint shared_longest;
    SEGMENTS_HERE
    for (uint s = first_segment; s < end_segment;) {
        const INDEX first = segment_begin(&all, s);
        const uint next = segment_search(&all, s + 1, end_segment + 1, (ulong)first + TILE + 1) - 1;
        if (next == s) { /* the segment does not fit */
            const INDEX beyond = segment_begin(&all, s + 1);
            sort_long(tile, array_from(ARRAY_OF(in), first), array_from(ARRAY_OF(out), first), beyond - first);
            s++;
            continue;
        }
        const INDEX beyond = segment_begin(&all, next);
        const uint valid = beyond > first && beyond - first <= TILE ? (uint)(beyond - first) : 0;
        spans own;
        if (get_local_id(0) == 0)
            shared_longest = 0;
        tile_load(tile, array_from(ARRAY_OF(in), first), valid);
        const uint longest = find_spans(&own, &all, s, next, first, valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded, and the maximum is initialised */
        (void)atomic_max(&shared_longest, longest);
        barrier(CLK_LOCAL_MEM_FENCE); /* the maximum is known */
        tile_sort(tile, &own, 1, 1, shared_longest);
        tile_store(array_from(ARRAY_OF(out), first), tile, valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the tile */
        s = next;
    }
}
