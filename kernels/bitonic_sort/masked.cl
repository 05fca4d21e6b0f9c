/* bitonic_sort_masked: one step of one stage in global memory: a work-item for each pair, whose number is taken apart by
 * masks: the bits below the distance stay, those above make room for the one that tells the pair's elements apart; and the
 * one that says which sequence it is gives the direction (essay on bitonic sort in C++, part 1).
 sequence, subsequence: pairs in the sequence that this stage makes, and in each of those into which
 * this step divides it. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/copy.cl"

SORT_KERNEL void bitonic_sort_masked(ARRAY_PARAMETERS(out), ulong n, ulong sequence, ulong subsequence, ulong pairs)
{
    const INDEX pair = (INDEX)get_global_id(0);
    if (pair >= (INDEX)pairs)
        return;
    const INDEX mask = (INDEX)subsequence - 1;
    const INDEX first = (pair & mask) | (pair & ~mask) << 1;
    const INDEX last = first | (2 * (INDEX)sequence - 1); /* of its sequence */
    const bool down = (pair & (INDEX)sequence) == 0 && last < (INDEX)n - 1;
    exchange(ARRAY(out), first, first + (INDEX)subsequence, down);
}
