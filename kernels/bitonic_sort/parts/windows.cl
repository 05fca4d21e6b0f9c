/* windows.cl: which segments a work-group has.
 *
 * Segment s has the elements from offset s up to offset s + 1. Offsets beyond n count as n, and what lies between two
 * that are not ascending as no element: whatever they are, nothing is read or written out of bounds. A group has the
 * segments that begin in its window, a share of the array; the last group all that begin there or later.
 *
 * Parameters: OFFSET, an unsigned integer. */
#include "common/items.cl"
#include "bitonic_sort/args.h"

#ifndef OFFSET
#error "OFFSET must be given"
#endif

#define SEGMENTS_HERE                                                                                                  \
    const segments_of all = {offsets + args.offsets_offset, args.n};                                                   \
    const uint first_segment = segment_search(&all, 0, (uint)args.segments, get_group_id(0) * args.share);             \
    const uint end_segment =                                                                                           \
        get_group_id(0) + 1 < get_num_groups(0)                                                                        \
            ? segment_search(&all, first_segment, (uint)args.segments, (get_group_id(0) + 1) * args.share)             \
            : (uint)args.segments;

typedef struct {
    const __global OFFSET *offsets;
    ulong n;
} segments_of;

/* Where segment s begins, and the one before it ends; s up to the number of segments. */
static inline INDEX segment_begin(const segments_of *all, uint s)
{
    return (INDEX)min((ulong)all->offsets[s], all->n);
}

/* The first of the offsets from `s` to before `end` that is `position` or more; else `end`. */
static inline uint segment_search(const segments_of *all, uint s, uint end, ulong position)
{
    while (s < end) {
        const uint middle = s + (end - s) / 2;
        if (segment_begin(all, middle) < position)
            s = middle + 1;
        else
            end = middle;
    }
    return s;
}
