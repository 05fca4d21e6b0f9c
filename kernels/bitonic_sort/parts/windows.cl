// SPDX-License-Identifier: MIT
/* windows.cl: which segments a work-group processes.
 *
 * Segment s has the elements from offset s up to, but not including, offset s + 1. Offsets beyond n are treated as n,
 * and a segment whose end is before its beginning is empty. So nothing is read or written out of bounds, whatever the
 * offsets are. A group has the segments that begin in its window, which is a share of the array; the last group has all
 * segments that begin there or later.
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

/* The beginning of segment s, which is the end of the segment before; s is at most the number of segments. */
static inline INDEX segment_begin(const segments_of *all, uint s)
{
    return (INDEX)min((ulong)all->offsets[s], all->n);
}

/* The index of the first offset, from `s` to before `end`, that is at least `position`; otherwise `end`. */
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
