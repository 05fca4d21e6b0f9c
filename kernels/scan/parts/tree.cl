/* tree.cl: the up-sweep and the down-sweep of a scan over global memory, in place, one launch a level. Over n = 2^bits
 * VALUEs, level d (d = 0 next to the leaves) has n / 2^(d + 1) pairs of nodes.
 *
 * The variant's own file defines scan_place(i, bits), see levels.cl, and left_node and right_node: where the nodes of
 * the p-th pair of level d are. Each work-item has a pair.
 * Source: Blelloch 1990, Prefix Sums and Their Applications.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "scan/args.h"
#include "scan/parts/elements.cl"

static ulong left_node(ulong pair, uint level, uint bits);
static ulong right_node(ulong pair, uint level, uint bits);

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

/* The right node holds the fold of everything before the pair (at the top: nothing). The left one gets just that, the
 * right one also what the left one held. */
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
