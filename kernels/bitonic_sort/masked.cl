// SPDX-License-Identifier: MIT
/* bitonic_sort_masked: one step of one stage in global memory, with a work-item for each pair. Masks split the pair's
 * number: the bits below the distance stay, and the bits above are shifted by one, to make room for the bit that
 * distinguishes the pair's two elements. The bit that tells whether the number of the sequence is odd gives the
 * direction.
 * Why: masks find the pair instead of shifts, which makes no difference where memory is the limit.
 * Source: essay on bitonic sort in C++, part 1. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_masked(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const INDEX pair = (INDEX)get_global_id(0);
    if (pair >= (INDEX)args.pairs)
        return;
    const INDEX sequence = (INDEX)(args.block / 2); /* number of pairs in a sequence that this stage makes */
    const INDEX subsequence = (INDEX)args.distance; /* number of pairs in each part into which this step divides it */
    const INDEX mask = subsequence - 1;
    const INDEX first = (pair & mask) | (pair & ~mask) << 1;
    const INDEX last = first | (2 * sequence - 1); /* last element of its sequence */
    const bool down = (pair & sequence) == 0 && last < (INDEX)args.n - 1;
    compare_exchange(ARRAY_OF(out), first, first + subsequence, down);
}
