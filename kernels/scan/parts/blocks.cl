/* blocks.cl: what the scans by blocks in local memory share: blelloch, blelloch_padded and fixed_tree.
 *
 * Each group scans a block of BLOCK values in local memory; the blocks' sums are scanned in the same way, recursively,
 * until one block is left; then everything gets the prefix of its block. `work` holds the VALUEs of all levels: level
 * 0, as many as there are elements, its blocks' sums, their blocks' sums, and so on.
 * Parameters: the operator's prelude; BLOCK; FIRST_LEVEL, LAST_LEVEL. */
#include "scan/args.h"
#include "scan/parts/elements.cl"

/* flags: a level reads elements, not values; it is one block, whose sum nobody needs */
#if !defined(FIRST_LEVEL) || !defined(LAST_LEVEL)
#error "FIRST_LEVEL and LAST_LEVEL must be given"
#endif
#ifndef BLOCK
#error "BLOCK must be given"
#endif

/* How many values a level has, of n at most: on the first one there may be fewer elements than the host knows of. The
 * blocks behind them have the identity for their sum. */
static inline ulong level_count(ulong n, uint flags)
{
    return flags & FIRST_LEVEL ? CALL_COUNT_0(n) : n;
}

/* Of a level: work[work_at ..] becomes the exclusive prefixes within each block, work[next_at ..] the blocks' sums. */

/* The k-th value of the group's block; the identity behind the last one. */
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

/* One level: each value gets the prefix of its block; on the first level it becomes a result. */
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
