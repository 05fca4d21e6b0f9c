// SPDX-License-Identifier: MIT
/* segmented_reduce_cpu_chunk: for CPUs. A work-group is one work-item, which runs on one thread. It folds the segments
 * of its share of the path one after the other. The group that ends last joins the parts of segments that are divided
 * among several shares.
 * Parameters: the operator's prelude; GROUP_SIZE 1. */
#include "common/lanes.cl"
#include "segmented_reduce/args.h"
#include "segmented_reduce/parts/segments.cl"
#include "segmented_reduce/parts/chunk_run.cl"
#include "segmented_reduce/parts/join.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

/* The number of ends before item `item` of the path. */
static inline uint ends_before(const segments_of *all, ulong item)
{
    uint low = 0;
    uint high = (uint)min((ulong)all->count, item);
    LANES_NARROW(uint, low, high, tried, path_end(all, tried) < item)
    return low;
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_reduce_cpu_chunk(ARGS_OF(SEGMENTED_REDUCE_FOLD))
{
    const segmented_reduce_args args = ARGS(SEGMENTED_REDUCE_NUMBERS);
    SEGMENTS_HERE
    const __global ELEMENT *elements = in + args.in_offset;
    __local clprim__carry_memory places;
    __local uint is_last;
    group_record record = {NO_END, IDENTITY, IDENTITY};
    ulong item, end;
    path_share(&all, (uint)get_group_id(0), &item, &end);
    uint s = ends_before(&all, item);
    const uint stop = ends_before(&all, end);
    /* Elements are taken in ascending order, so malformed offsets do not make a group fold them repeatedly. */
    ulong i = all.base + item - s;

    if (s < stop)
        record.segment = NOT_DIVIDED;
    if (s < stop && i > segment_begin(&all, s)) {
        const ulong last = max(i, segment_begin(&all, s + 1));
        record.first = fold_run(elements, i, last, all.n);
        record.segment = s++;
        i = last;
    }
    while (s < stop) {
        const uint behind = s + min(stop - s, (uint)BLOCK_OF_SEGMENTS);
        if (behind - s == BLOCK_OF_SEGMENTS && fold_tiny_segments(&all, elements, s, i)) {
            s = behind;
            i = segment_begin(&all, s);
        }
        for (; s < behind; s++) {
            const ulong last = max(i, segment_begin(&all, s + 1));
            all.out[s] = segment_output_of(&all, s, fold_run(elements, i, last, all.n), last == i);
            i = last;
        }
    }
    if (get_num_groups(0) > 1) {
        record.carry = fold_run(elements, i, max(i, min(all.n, all.base + end - stop)), all.n);
        join(&all, memory, record, args.range_log >> 31, &places, &is_last);
    }
}
