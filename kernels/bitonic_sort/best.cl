// SPDX-License-Identifier: MIT
/* bitonic_sort_best: one step of one stage in global memory. It is like bitonic_sort_better, but the distance is given
 * as a power of two, so that shifts find the pair. What is wrong with it: each step is a launch that reads and writes
 * the whole array, and this takes most of the time.
 * Why: shifts replace the division, which hardly shows where memory is the limit.
 * Source: lecture, bitonic sort; the CPU's last form. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_best(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const INDEX pair = (INDEX)get_global_id(0);
    if (pair >= (INDEX)args.pairs)
        return;
    const uint shift = args.shift;
    const INDEX run = pair >> shift;           /* of adjacent pairs */
    const INDEX place = pair + (run << shift); /* after the partners of all runs before */
    const bool down = descends(place, (INDEX)args.block, (INDEX)args.n);
    compare_exchange(ARRAY_OF(out), place, place ^ (INDEX)1 << shift, down);
}
