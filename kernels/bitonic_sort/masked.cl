/* bitonic_sort_masked: one step of one stage in global memory: a work-item for each pair, whose number is taken apart
 * by masks: the bits below the distance stay, those above make room for the one that tells the pair's elements apart;
 * and the one that says which sequence it is gives the direction.
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
    const INDEX sequence = (INDEX)(args.block / 2); /* pairs in the one that this stage makes */
    const INDEX subsequence = (INDEX)args.distance; /* in each of those into which this step divides it */
    const INDEX mask = subsequence - 1;
    const INDEX first = (pair & mask) | (pair & ~mask) << 1;
    const INDEX last = first | (2 * sequence - 1); /* of its sequence */
    const bool down = (pair & sequence) == 0 && last < (INDEX)args.n - 1;
    compare_exchange(ARRAY_OF(out), first, first + subsequence, down);
}
