/* bitonic_sort_best: one step of one stage in global memory: a work-item for each pair, which finds its first element
 * by shifts (lecture, bitonic sort; the CPU's last form). */
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
    const INDEX run = pair >> shift; /* of pairs that lie side by side */
    const INDEX place = pair + (run << shift);
    exchange(ARRAY_OF(out), place, place ^ (INDEX)1 << shift, descends(place, (INDEX)args.block, (INDEX)args.n));
}
