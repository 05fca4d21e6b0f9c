// SPDX-License-Identifier: MIT
/* tile_merge.cl: merges two sorted runs in local memory. Each work-item produces ITEMS elements (merge path: Green,
 * McColl, Bader 2012). Stable.
 *
 *   split_in_tile(tile, runs, rank)      how many of the merge's first `rank` elements the first run has
 *   merge_serially(x, tile, a, b, runs)  ITEMS elements of the merge into x, from places a and b on. Elements after the
 *                                        runs are not compared: the caller's order need not support them
 *
 * The tile has one place more than there are elements, which is read but never used.
 * Parameters: ITEMS; PADDED(place): where in the tile a place is. Default: the place itself; RUNS_HAVE_PLACES: 1 if the
 * runs are of items that were sorted by their places. Default: 0. */
#include "common/items.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif
#if defined(RUNS_HAVE_PLACES) && RUNS_HAVE_PLACES
#define RUN_ITEM(tile, place) local_load(tile, place)
#else
#define RUN_ITEM(tile, place) staged_load(tile, place)
#endif
#ifndef PADDED
#define PADDED(i) (i)
#endif

/* Places of the runs in the tile: begin .. middle - 1 and middle .. end - 1. */
typedef struct {
    uint begin, middle, end;
} tile_runs;

ALWAYS_INLINE uint split_in_tile(local_array tile, tile_runs r, uint rank)
{
    const uint first = r.middle - r.begin;
    const uint second = r.end - r.middle;
    uint low = rank > second ? rank - second : 0;
    uint high = min(rank, first);
    while (low < high) {
        const uint tried = (low + high) / 2;
        if (before(RUN_ITEM(tile, PADDED(r.middle + (rank - 1 - tried))), RUN_ITEM(tile, PADDED(r.begin + tried))))
            high = tried;
        else
            low = tried + 1;
    }
    return low;
}

/* Begins with places a and b. Returns the place of the next element of the first run. */
ALWAYS_INLINE uint merge_serially(item *x, local_array tile, uint a, uint b, tile_runs r)
{
    item p = RUN_ITEM(tile, PADDED(a));
    item q = RUN_ITEM(tile, PADDED(b));
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const bool takes_second = a >= r.middle || (b < r.end && before(q, p));
        x[i] = pick(takes_second, q, p);
        a += !takes_second;
        b += takes_second;
        const item next = RUN_ITEM(tile, PADDED(takes_second ? b : a));
        p = pick(takes_second, p, next);
        q = pick(takes_second, next, q);
    }
    return a;
}
