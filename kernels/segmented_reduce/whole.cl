// SPDX-License-Identifier: MIT
/* segmented_reduce_whole: one work-group per segment, for segments that are not short on average.
 *
 * In large arrays, elements are divided into ranges of 2^range_log. Segments of more than two ranges are divided at the
 * beginnings of ranges: the segment's own group folds its elements up to the first such beginning, and further groups,
 * one for each range, fold the rest. No range has the beginnings of two long segments, so data of a long segment are
 * stored under the number of the range in which it begins. In small arrays, no segment is divided.
 * segmented_reduce_undivided does this: it has fewer arguments, which matter at that size.
 *
 * The parts of a long segment are folded by the group that writes the last part, which a counter tells. No group waits.
 * A part is counted when the atomics that stored it have returned: last_group.cl says why that is enough.
 *
 * parts: the folds of long segments' first parts, by the range in which they begin; then the folds of other parts, by
 * range. Before these are two sets of MAX_RANGES counters, all 0 before the first launch. A launch uses one set and
 * clears the other one for the next launch. So invalid offsets, with which counters may end at any value, do not affect
 * later launches.
 * Parameters: the operator's prelude; MAX_RANGES; GROUP_SIZE. */
#include "common/lanes.cl"
#include "common/group_reduce.cl"
#include "common/device_scope.cl"
#include "segmented_reduce/args.h"
#include "segmented_reduce/parts/segments.cl"
#include "segmented_reduce/parts/run.cl"
#include "segmented_reduce/parts/left_values.cl"

#ifndef MAX_RANGES
#error "MAX_RANGES must be given"
#endif
#if COMMUTATIVE

typedef struct {
    uint segment; /* all.count: no segment */
    ulong begin, end;
} found_segment;

static inline bool is_long(found_segment at, uint range_log)
{
    return at.end > at.begin && at.end - at.begin > 2ul << range_log;
}

/* The segment that contains this element, if it is long and begins before it. Each sub-group searches. */
static inline found_segment long_segment_at(const segments_of *all, ulong element, uint range_log)
{
    uint begin = 0;
    uint end = all->count;
    LANES_NARROW(uint, begin, end, tried, segment_begin(all, tried + 1) <= element)
    found_segment found = {all->count, 0, 0};
    if (begin < all->count) {
        const found_segment there = {begin, segment_begin(all, begin), segment_begin(all, begin + 1)};
        if (there.begin < element && element < there.end && is_long(there, range_log))
            found = there;
    }
    return found;
}

/* The work-item's part of the fold of a long segment's `count` parts. `first` is the range in which the segment
 * begins. */
static inline VALUE fold_parts(LEFT parts, ulong ranges, ulong first, ulong count)
{
    VALUE x = IDENTITY;
    if (get_local_id(0) == 0 && count > 0)
        x = left_load(parts, first);
    for (ulong r = 1 + get_local_id(0); r < count; r += GROUP_SIZE)
        x = COMBINE(x, left_load(parts, ranges + first + r));
    return x;
}

static inline found_segment own_segment(const segments_of *all)
{
    found_segment own;
    own.segment = (uint)get_group_id(0);
    own.begin = segment_begin(all, own.segment);
    own.end = max(own.begin, segment_begin(all, own.segment + 1));
    return own;
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_reduce_undivided(ARGS_OF(SEGMENTED_REDUCE_ARRAYS))
{
    const segmented_reduce_args args = ARGS(SEGMENTED_REDUCE_NUMBERS);
    __local clprim__group_memory shared;
    SEGMENTS_HERE
    const found_segment own = own_segment(&all);
    const VALUE x = clprim__group_reduce_to_first(fold_run(in + args.in_offset, own.begin, own.end), &shared);
    if (get_local_id(0) == 0)
        all.out[own.segment] = segment_output(&all, own.segment, x);
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_reduce_whole(ARGS_OF(SEGMENTED_REDUCE_FOLD))
{
    const segmented_reduce_args args = ARGS(SEGMENTED_REDUCE_NUMBERS);
    __local clprim__group_memory shared;
    LEFT const sets = (LEFT)(memory + args.parts_at);
    LEFT const counters = sets + args.turn * MAX_RANGES;
    LEFT const others = sets + (1 - args.turn) * MAX_RANGES;
    LEFT const parts = sets + 2 * MAX_RANGES;
    SEGMENTS_HERE
    const uint range_log = args.range_log;
    const ulong ranges = args.ranges;
    const ulong group = get_group_id(0);
    for (ulong i = get_global_id(0); i < MAX_RANGES; i += get_global_size(0))
        others[i] = 0;
    const bool is_own = group < all.count;
    const uint range = is_own ? 0 : (uint)(group - all.count) + 1;
    const found_segment at = is_own ? own_segment(&all) : long_segment_at(&all, (ulong)range << range_log, range_log);
    const bool is_divided = is_long(at, range_log);
    const ulong first = is_own ? at.begin : (ulong)range << range_log;
    const ulong stop = is_divided ? min(at.end, ((first >> range_log) + 1) << range_log) : at.end;
    VALUE x = at.segment < all.count ? fold_run(in + args.in_offset, first, stop) : IDENTITY;
    x = clprim__group_reduce_to_first(x, &shared);
    if (get_local_id(0) == 0 && at.segment < all.count && !is_divided)
        all.out[at.segment] = segment_output(&all, at.segment, x);
    __local uint is_last;
    if (!is_divided)
        return;
    const ulong begin = at.begin >> range_log;
    const ulong count = ((at.end - 1) >> range_log) - begin + 1;
    if (get_local_id(0) == 0) {
        const ulong part = is_own ? begin : ranges + range;              /* made here, it takes no registers before */
        const uint never = left_store(parts, part, x) & range_log >> 31; /* 0, but the compiler does not know it */
        device_fence();                                                  /* the part before its count */
        is_last = atomic_add(counters + begin, 1 + never) == count - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for is_last; `shared` is free */
    if (!is_last)
        return;
    device_fence(); /* the counts before the parts */
    x = clprim__group_reduce_to_first(fold_parts(parts, ranges, begin, count), &shared);
    if (get_local_id(0) == 0)
        all.out[at.segment] = segment_output(&all, at.segment, x);
}
#endif
