// SPDX-License-Identifier: MIT
/* bitonic_sort_better: one step of one stage in global memory: as bitonic_sort_naive, but with a work-item for each
 * pair, which finds its first element by a division.
 * What is wrong with it: the division.
 * Why: a work-item for each pair instead of each element leaves none idle.
 * Source: lecture, bitonic sort; the CPU's single loop. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_better(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const INDEX pair = (INDEX)get_global_id(0);
    if (pair >= (INDEX)args.pairs)
        return;
    const INDEX distance = (INDEX)args.distance;
    const INDEX run = pair / distance;         /* of adjacent pairs */
    const INDEX place = pair + run * distance; /* after the partners of all runs before */
    const bool down = descends(place, (INDEX)args.block, (INDEX)args.n);
    compare_exchange(ARRAY_OF(out), place, place ^ distance, down);
}
