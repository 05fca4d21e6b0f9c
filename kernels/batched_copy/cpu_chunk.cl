// SPDX-License-Identifier: MIT
/* batched_copy_cpu_chunk: for CPUs. A work-group is one work-item, and so one thread at a time. It has one share of the
 * path (batch.cl), and copies segment after segment in it. The places of segments are known early, but a processor
 * cannot predict them. So the first bytes of the segment that is FETCH_AHEAD further on are prefetched into the cache.
 *
 * Parameters: GROUP_SIZE 1. */
#include "batched_copy/args.h"
#include "batched_copy/parts/batch.cl"
#include "batched_copy/parts/copy_bytes.cl"
#include "common/own_chunk.cl"

#define FETCH_AHEAD 16

static inline void fetch_ahead(const __global UNIT *in, const __global UNIT *out, const batch *all, uint s)
{
    const uint ahead = min(s + FETCH_AHEAD, all->count - 1);
#if HAS_IN_BEGINS
    FETCH(in + (ulong)all->in_begins[ahead] * UNITS);
#endif
#if HAS_OUT_BEGINS
    FETCH(out + (ulong)all->out_begins[ahead] * UNITS);
#endif
}

__kernel GROUP_OF(GROUP_SIZE) void batched_copy_cpu_chunk(ARGS_OF(BATCH_ARRAYS))
{
    const batch_args args = ARGS(BATCH_NUMBERS);
    BATCH_HERE
    ulong item;
    ulong end;
    own_chunk(&item, &end, path_length(&all));
    in += args.in_offset * UNITS;
    out += args.out_offset * UNITS;
    for (uint s = ends_before(&all, item); item < end && s < all.count; s++) {
        const ulong first = item - s; /* the place */
        const ulong last = max(first, places_before(&all, s + 1));
        const ulong count = min(last - first, end - item);
        const ulong from = (OFFSET)(in_shift(&all, s) + (OFFSET)first);
        const ulong to = (OFFSET)(out_shift(&all, s) + (OFFSET)first);
        const ulong n = limited(limited(count, from, all.in_count), to, all.out_count);
        fetch_ahead(in, out, &all, s);
        copy_bytes((const __global uchar *)(in + from * UNITS), (__global uchar *)(out + to * UNITS),
                   n * UNITS * UNIT_SIZE);
        item += count + 1;
    }
}
