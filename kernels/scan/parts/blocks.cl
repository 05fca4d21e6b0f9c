// SPDX-License-Identifier: MIT
/* blocks.cl: shared by the scans that work by blocks in local memory: blelloch, blelloch_padded and fixed_tree.
 *
 * Each group scans a block of BLOCK values in local memory. The sums of the blocks are scanned in the same way,
 * recursively, until one block is left. Then the prefix of each block is distributed to its values. `work` holds the
 * VALUEs of all levels: level 0 has one per element, level 1 one per block of level 0, and so on.
 * Parameters: the operator's prelude; BLOCK; FIRST_LEVEL, LAST_LEVEL. */
#include "scan/args.h"
#include "scan/parts/elements.cl"

/* flags: FIRST_LEVEL reads elements instead of values; LAST_LEVEL is one block, whose sum is not needed */
#if !defined(FIRST_LEVEL) || !defined(LAST_LEVEL)
#error "FIRST_LEVEL and LAST_LEVEL must be given"
#endif
#ifndef BLOCK
#error "BLOCK must be given"
#endif

/* How many values a level has; n is the most. On the first level there may be fewer elements than the host knows of.
 * The sums of blocks after the last element are the identity. */
static inline ulong level_count(ulong n, uint flags)
{
    return flags & FIRST_LEVEL ? CALL_COUNT_0(n) : n;
}

/* On each level, work[work_at ..] becomes the exclusive prefixes within each block, and work[next_at ..] the blocks'
 * sums. */

/* The k-th value of the group's block; the identity after the last value. */
static inline VALUE block_load(const __global ELEMENT *in, const __global VALUE *work, uint k, const scan_args args,
                               segment_places segments)
{
    const ulong i = (ulong)get_group_id(0) * BLOCK + k;
    if (i >= level_count(args.n, args.flags))
        return IDENTITY;
    return args.flags & FIRST_LEVEL ? SCAN_VALUE(ELEMENT_AT(in + args.in_offset, i), i) : work[args.work_at + i];
}

static inline void block_store(__global VALUE *work, uint k, VALUE prefix, const scan_args args)
{
    const ulong i = (ulong)get_group_id(0) * BLOCK + k;
    if (i < level_count(args.n, args.flags))
        work[args.work_at + i] = prefix;
}

static inline void block_store_sum(__global VALUE *work, VALUE sum, const scan_args args)
{
    if (!(args.flags & LAST_LEVEL))
        work[args.next_at + get_group_id(0)] = sum;
}

/* On one level, combine each value with the prefix of its block. On the first level it then becomes a result. */
__kernel GROUP_OF(GROUP_SIZE) void scan_distribute(ARGS_OF(SCAN_WRITE))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const ulong i = get_global_id(0);
    const ulong own = args.work_at;
    if (i >= level_count(args.n, args.flags))
        return;
    VALUE before = work[own + i];
    if (!(args.flags & LAST_LEVEL))
        before = COMBINE(work[args.next_at + i / BLOCK], before);
    if (args.flags & FIRST_LEVEL) {
        const plain_value initial = initial_value();
        SEGMENTS_HERE
        const VALUE element = SCAN_VALUE(ELEMENT_AT(in + args.in_offset, i), i);
        before = COMBINE(scan_begin(initial), before);
        out[args.out_offset + i] = OUTPUT_OF(scan_result(before, COMBINE(before, element), element, initial), i);
    } else {
        work[own + i] = before;
    }
}
