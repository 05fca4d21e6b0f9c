// SPDX-License-Identifier: MIT
/* tile.cl: a work-group's tile of the balanced path: its elements of a, followed by those of b, in local memory.
 *
 *   set_tile          the position of a tile
 *   split_ends(...)   find the cuts at two places, by lanes; afterwards the whole group knows them
 *   tile_of(...)      the tile between two cuts
 *   tile_bring(...)   load it
 *   tile_walk(...)    each work-item makes at most ITEMS steps; returns how many of their elements it keeps
 *   tile_stage(...)   store, for each place of the output, which element goes there; `rank` elements are before those
 *                     of the work-item
 *   tile_write(...)   write the elements
 *
 * A tile has PATH_TILE elements, or one fewer or more, because cuts may be moved by one. In the same way, each
 * work-item has about PATH_ITEMS elements. PATH_ITEMS is odd, so that places that far apart are in different banks.
 *
 * Parameters: PATH_ITEMS. */
#include "common/lanes.cl"
#include "common/items.cl"
#include "set_operation/parts/sets.cl"
#include "set_operation/parts/balanced.cl"

#ifndef PATH_ITEMS
#error "PATH_ITEMS must be given"
#endif
#if PATH_ITEMS > 32
#error "what a work-item keeps is a bit for each step"
#endif

#define PATH_TILE   (GROUP_SIZE * PATH_ITEMS)
#define TILE_PLACES (PATH_TILE + 2) /* one more because of the last cut, and one that is read but never used */

typedef struct {
    INDEX a_begin, b_begin;
    uint a_length, b_length;
    uint skipped; /* how many places the tile begins after a multiple of PATH_TILE */
} set_tile;

ALWAYS_INLINE balanced cut_by_lanes(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    BALANCED_CUT(INDEX, GLOBAL_AT, LANES_NARROW);
}

#define LOCAL_AT(a, i) local_load(a, i)

ALWAYS_INLINE balanced cut_in_tile(local_array a, uint a_count, local_array b, uint b_count, uint place)
{
    BALANCED_CUT(uint, LOCAL_AT, HALVE);
}

ALWAYS_INLINE void split_ends(__local balanced *ends, array a, INDEX a_count, array b, INDEX b_count, INDEX first,
                              INDEX last, bool are_known)
{
    for (uint end = are_known ? 2 : SEARCHER; end < 2; end += SEARCHERS) {
        const balanced cut = cut_by_lanes(a, a_count, b, b_count, end == 0 ? first : last);
        if (LANE == 0)
            ends[end] = cut;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both are found */
}

/* The number of tiles, at least one. */
ALWAYS_INLINE ulong path_tiles(ulong n)
{
    return max((n + PATH_TILE - 1) / PATH_TILE, 1ul);
}

/* If the arrays are not sorted, cuts may be in descending order. */
ALWAYS_INLINE set_tile tile_of(balanced begin, balanced end, INDEX place)
{
    const INDEX length = end.a + end.b - (begin.a + begin.b);
    set_tile t;
    t.a_begin = begin.a;
    t.b_begin = begin.b;
    t.a_length = (uint)min(length, max(end.a, begin.a) - begin.a);
    t.b_length = (uint)length - t.a_length;
    t.skipped = (uint)(begin.a + begin.b - place);
    return t;
}

ALWAYS_INLINE void tile_bring(local_array tile, set_tile t, array a, array b)
{
    const uint lid = (uint)get_local_id(0);
    const uint length = t.a_length + t.b_length;
    const array own_a = array_from(a, t.a_begin);
    const array own_b = array_from(b, t.b_begin);
    uint done = 0; /* places */
    if (length + 1 >= PATH_TILE && length > 0) {
        item x[PATH_ITEMS]; /* the last place may not exist: then the one before it is read again */
#pragma unroll
        for (uint j = 0; j < PATH_ITEMS; j++) {
            const uint place = j + 1 < PATH_ITEMS ? j * GROUP_SIZE + lid : min(j * GROUP_SIZE + lid, length - 1);
            if (place < t.a_length) /* not in one function for both, nor from a selected address: see merge_tiles.cl */
                x[j] = load(own_a, place);
            else
                x[j] = load(own_b, place - t.a_length);
        }
#pragma unroll
        for (uint j = 0; j < PATH_ITEMS; j++)
            local_store(tile, j * GROUP_SIZE + lid, x[j]);
        done = PATH_TILE;
    }
    for (uint place = done + lid; place < length; place += GROUP_SIZE)
        local_store(tile, place,
                    load(place < t.a_length ? own_a : own_b, place < t.a_length ? place : place - t.a_length));
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded */
}

/* The array from which each step of a work-item takes its element, as a bit, with the first step's bit highest. This is
 * enough to repeat the steps, and takes fewer registers than places. */
typedef struct {
    uint i, k; /* the first elements of a and b, as places in the tile */
    uint from_a, from_b;
    uint kept;
} set_steps;

/* Returns how many elements are kept. Elements that do not exist are not compared: the caller's order may not support
 * them. */
ALWAYS_INLINE uint tile_walk(set_steps *steps, local_array tile, set_tile t)
{
    const uint length = t.a_length + t.b_length;
    const uint first = (uint)get_local_id(0) * PATH_ITEMS;
    const uint begin = min(max(first, t.skipped) - t.skipped, length);
    const uint end = min(first + PATH_ITEMS - t.skipped, length);
    const balanced cut = cut_in_tile(tile, t.a_length, local_from(tile, t.a_length), t.b_length, begin);
    uint i = (uint)cut.a;
    uint k = t.a_length + (uint)cut.b;
    item x = local_load(tile, i);
    item y = local_load(tile, k);
    *steps = (set_steps){i, k, 0, 0, 0};
#pragma unroll
    for (uint s = 0; s < PATH_ITEMS; s++) {
        const bool has_a = i < t.a_length;
        const bool has_b = k < length;
        const bool from_a = has_a && (!has_b || !before(y, x));
        const bool from_b = has_b && (!has_a || !before(x, y));
        const bool is_own = i + (k - t.a_length) < end;
        steps->from_a = 2 * steps->from_a + (from_a ? 1 : 0);
        steps->from_b = 2 * steps->from_b + (from_b ? 1 : 0);
        steps->kept = 2 * steps->kept + (is_own && TAKES(from_a, from_b) ? 1 : 0);
        i += from_a ? 1 : 0;
        k += from_b ? 1 : 0;
        if (from_a)
            x = local_load(tile, i);
        if (from_b)
            y = local_load(tile, k);
    }
    return popcount(steps->kept);
}

/* rank: that of the work-item's first kept element. */
ALWAYS_INLINE void tile_stage(__local ushort *staged, set_steps steps, uint rank)
{
#pragma unroll 5 /* fully unrolled, all ranks would be computed first, and kept in registers */
    for (uint s = PATH_ITEMS; s-- > 0;) {
        const uint is_a = steps.from_a >> s & 1;
        if (steps.kept >> s & 1)
            staged[rank++] = (ushort)(is_a ? steps.i : steps.k);
        steps.i += is_a;
        steps.k += steps.from_b >> s & 1;
    }
}

/* Write to the output, beginning at place `at`, up to `most` elements. */
ALWAYS_INLINE void tile_write(array out, set_values values, ulong at, ulong most, uint total,
                              const __local ushort *staged, local_array tile, set_tile t)
{
    const uint written = (uint)min((ulong)total, most - min(at, most));
    for (uint k = (uint)get_local_id(0); k < written; k += GROUP_SIZE) {
        const uint place = staged[k];
        const bool is_a = place < t.a_length;
        move_out(out, values, at + k, local_load(tile, place), is_a, (ulong)t.a_begin + place,
                 (ulong)t.b_begin + (place - t.a_length));
    }
}
