// SPDX-License-Identifier: MIT
/* scan_work_efficient: up-sweep and down-sweep of a tree in global memory, in place, with one launch per level. For n =
 * 2^bits VALUEs, level d (d = 0 is next to the leaves) has n / 2^(d + 1) pairs of nodes, one per work-item: 2 n
 * operations in all. Pairs of level d are 2^(d + 1) places apart.
 * What is wrong with it: from the second level on, neighbouring work-items access different cache lines.
 * Why: there are 2 n operations instead of n log2(n), so the higher levels touch little of memory.
 * Source: Blelloch 1990, Prefix Sums and Their Applications; Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE; IS_BIT_REVERSED, if the including file defines the nodes' places
 * (bit_reversed.cl). */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/levels.cl"

#ifndef IS_BIT_REVERSED
static ulong scan_place(ulong i, uint bits)
{
    return i;
}

static ulong left_node(ulong pair, uint level, uint bits)
{
    return (2 * pair + 1 << level) - 1;
}

static ulong right_node(ulong pair, uint level, uint bits)
{
    return (2 * pair + 2 << level) - 1;
}
#endif

/* The right node becomes the fold of both. */
__kernel GROUP_OF(GROUP_SIZE) void scan_up_sweep(ARGS_OF(SCAN_WORK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const uint level = args.level;
    const uint bits = args.bits;
    const ulong pair = get_global_id(0);
    if (pair >= 1ul << (bits - level - 1))
        return;
    const ulong right = right_node(pair, level, bits);
    work[right] = COMBINE(work[left_node(pair, level, bits)], work[right]);
}

/* The right node holds the fold of everything before the pair, or of nothing at the top. The left node gets this value,
 * and the right node gets it combined with the left node's old value. */
__kernel GROUP_OF(GROUP_SIZE) void scan_down_sweep(ARGS_OF(SCAN_WORK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const uint level = args.level;
    const uint bits = args.bits;
    const ulong pair = get_global_id(0);
    if (pair >= 1ul << (bits - level - 1))
        return;
    const ulong left = left_node(pair, level, bits);
    const ulong right = right_node(pair, level, bits);
    const VALUE before = level == bits - 1 ? IDENTITY : work[right];
    const VALUE x = work[left];
    work[left] = before;
    work[right] = COMBINE(before, x);
}

static VALUE scan_before(const __global VALUE *work, ulong i, uint bits)
{
    return work[scan_place(i, bits)];
}
