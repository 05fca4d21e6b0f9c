/* bitonic_sort_better: one step of one stage in global memory: a work-item for each pair, which finds its first element by a
 * division (lecture, bitonic sort; the CPU's single loop).
 pairs: those that are at this distance of each other. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/copy.cl"

SORT_KERNEL void bitonic_sort_better(ARRAY_PARAMETERS(out), ulong n, ulong block, ulong distance, ulong pairs)
{
    const INDEX pair = (INDEX)get_global_id(0);
    if (pair >= (INDEX)pairs)
        return;
    const INDEX run = pair / (INDEX)distance; /* of pairs that lie side by side */
    const INDEX place = pair + run * (INDEX)distance;
    exchange(ARRAY(out), place, place ^ (INDEX)distance, descends(place, (INDEX)block, (INDEX)n));
}
