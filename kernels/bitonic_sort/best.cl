/* bitonic_sort_best: one step of one stage in global memory: a work-item for each pair, which finds its first element by
 * shifts (lecture, bitonic sort; the CPU's last form).
 pairs: those that are at a distance of 2^shift of each other. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/copy.cl"

SORT_KERNEL void bitonic_sort_best(ARRAY_PARAMETERS(out), ulong n, ulong block, ulong shift, ulong pairs)
{
    const INDEX pair = (INDEX)get_global_id(0);
    if (pair >= (INDEX)pairs)
        return;
    const INDEX run = pair >> shift; /* of pairs that lie side by side */
    const INDEX place = pair + (run << shift);
    exchange(ARRAY(out), place, place ^ (INDEX)1 << shift, descends(place, (INDEX)block, (INDEX)n));
}
