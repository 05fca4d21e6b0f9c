/* bitonic_sort_naive: one step of one stage in global memory: a work-item for each element, of which half are idle,
 * since their partner does their work (lecture, bitonic sort; the inner loop of the CPU's first iterative form). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_naive(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const ulong place = get_global_id(0);
    const ulong partner = place ^ args.distance;
    if (partner > place && partner < args.n)
        exchange(ARRAY_OF(out), (INDEX)place, (INDEX)partner, descends((INDEX)place, (INDEX)args.block, (INDEX)args.n));
}
