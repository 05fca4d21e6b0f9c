/* bitonic_sort_naive: one step of one stage in global memory: a work-item for each element, of which half are idle, since
 * their partner does their work (lecture, bitonic sort; the inner loop of the CPU's first iterative form).
 block: elements that are sorted after this stage; distance of the elements of a pair. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/copy.cl"

SORT_KERNEL void bitonic_sort_naive(ARRAY_PARAMETERS(out), ulong n, ulong block, ulong distance)
{
    const ulong place = get_global_id(0);
    const ulong partner = place ^ distance;
    if (partner > place && partner < n)
        exchange(ARRAY(out), (INDEX)place, (INDEX)partner, descends((INDEX)place, (INDEX)block, (INDEX)n));
}
