/* blocks.cl: what the scans by blocks in local memory share: blelloch, blelloch_padded and fixed_tree.
 *
 * Each group scans a block of BLOCK values in local memory; the blocks' sums are scanned in the same way, recursively,
 * until one block is left; then everything gets the prefix of its block. `work` holds the VALUEs of all levels: level 0,
 * as many as there are elements, its blocks' sums, their blocks' sums, and so on.
 * Parameters: the operator's prelude, block.cl with its own; FIRST_LEVEL, LAST_LEVEL. */
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

/* One level: work[own ..] becomes the exclusive prefixes within each block, work[sums ..] the blocks' sums. */
static inline __attribute__((always_inline)) void scan_blocks(const __global ELEMENT *in, ulong in_offset, ulong n,
                                                              __global VALUE *work, ulong own, ulong sums, uint flags,
                                                              __local VALUE *data HEADS_PARAMETERS)
{
    const ulong first = (ulong)get_group_id(0) * BLOCK;
    n = level_count(n, flags);
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE) {
        const ulong i = first + k;
        VALUE x = IDENTITY;
        if (i < n)
            x = flags & FIRST_LEVEL ? SCAN_VALUE(ELEMENT_AT(in + in_offset, i), i) : work[own + i];
        data[PLACE(k)] = x;
    }
    const VALUE sum = scan_block(data);
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE)
        if (first + k < n)
            work[own + first + k] = data[PLACE(k)];
    if (get_local_id(0) == 0 && !(flags & LAST_LEVEL))
        work[sums + get_group_id(0)] = sum;
}

/* One level: each value gets the prefix of its block; on the first level it becomes a result. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_distribute(const __global ELEMENT *in, ulong in_offset, ulong n, __global OUTPUT *out, ulong out_offset,
                RESULT initial_result, uint has_initial, __global VALUE *work, ulong own, ulong sums,
                uint flags HEADS_PARAMETERS)
{
    const ulong i = get_global_id(0);
    if (i >= level_count(n, flags))
        return;
    VALUE before = work[own + i];
    if (!(flags & LAST_LEVEL))
        before = COMBINE(work[sums + i / BLOCK], before);
    if (flags & FIRST_LEVEL) {
        const plain_value initial = initial_of(initial_result, has_initial);
        const VALUE element = SCAN_VALUE(ELEMENT_AT(in + in_offset, i), i);
        before = COMBINE(scan_begin(initial), before);
        out[out_offset + i] = OUTPUT_OF(scan_result(before, COMBINE(before, element), element, initial), i);
    } else {
        work[own + i] = before;
    }
}
