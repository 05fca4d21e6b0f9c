// SPDX-License-Identifier: MIT
/* bitonic_sort_naive: one step of one stage in global memory. The stage merges pairs of sorted blocks into blocks of
 * args.block elements. Its steps compare at distances args.block / 2, then half of that, and so on to 1, with one
 * launch per step. There is a work-item for each element. It finds its partner, whose number differs in the bit of the
 * distance. What is wrong with it: half of the work-items are idle, because their partners do the work.
 * Why: each step is a launch that passes over all of memory, and half of the work-items only find that their partner
 * does the work.
 * Source: lecture, bitonic sort; the inner loop of the CPU's first iterative form. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_naive(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const ulong place = get_global_id(0);
    const ulong partner = place ^ args.distance;
    if (partner > place && partner < args.n) {
        /* Every second block is sorted in descending order. Together with its neighbour, it is the bitonic sequence of
         * the next stage. */
        const bool down = descends((INDEX)place, (INDEX)args.block, (INDEX)args.n);
        compare_exchange(ARRAY_OF(out), (INDEX)place, (INDEX)partner, down);
    }
}
