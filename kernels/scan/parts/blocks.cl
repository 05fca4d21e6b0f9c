/* blocks.cl: what the scans by blocks in local memory share: blelloch, blelloch_padded and fixed_tree.
 *
 * Each group scans a block of BLOCK values in local memory; the blocks' sums are scanned in the same way, recursively,
 * until one block is left; then everything gets the prefix of its block. `work` holds the VALUEs of all levels: level 0,
 * as many as there are elements, its blocks' sums, their blocks' sums, and so on.
 * Parameters: the operator's prelude, block.cl with its own; FIRST_LEVEL, LAST_LEVEL. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/block.cl"

#if !defined(FIRST_LEVEL) || !defined(LAST_LEVEL) /* flags: reads elements, not values; is one block, whose sum nobody needs */
#error "FIRST_LEVEL and LAST_LEVEL must be given"
#endif

/* How many values a level has, of n at most: on the first one there may be fewer elements than the host knows of. The
 * blocks behind them have the identity for their sum. */
static inline ulong level_count(ulong n, uint flags)
{
    return flags & FIRST_LEVEL ? CALL_COUNT_0(n) : n;
}

/* One level: work[work_at ..] becomes the exclusive prefixes within each block, work[next_at ..] the blocks' sums. */
static inline __attribute__((always_inline)) void scan_blocks(const __global ELEMENT *in, __global VALUE *work,
                                                              const scan_args args, __local VALUE *data,
                                                              segment_places segments)
{
    const ulong first = (ulong)get_group_id(0) * BLOCK;
    const ulong n = level_count(args.n, args.flags);
    const ulong own = args.work_at;
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE) {
        const ulong i = first + k;
        VALUE x = IDENTITY;
        if (i < n)
            x = args.flags & FIRST_LEVEL ? SCAN_VALUE(ELEMENT_AT(in, i), i) : work[own + i];
        data[PLACE(k)] = x;
    }
    const VALUE sum = scan_block(data);
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE)
        if (first + k < n)
            work[own + first + k] = data[PLACE(k)];
    if (get_local_id(0) == 0 && !(args.flags & LAST_LEVEL))
        work[args.next_at + get_group_id(0)] = sum;
}

/* One level: each value gets the prefix of its block; on the first level it becomes a result. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_distribute(BUFFERS_OF(SCAN_WRITE) const scan_args args)
{
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
