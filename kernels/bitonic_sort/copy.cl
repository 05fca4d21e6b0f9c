/* bitonic_sort_copy: from one array to another; for variants that sort where the elements lie, in steps that do not touch
 * every element. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"

SORT_KERNEL void bitonic_sort_copy(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n)
{
    const ulong i = get_global_id(0);
    if (i < n)
        store(ARRAY(out), (INDEX)i, load(ARRAY(in), (INDEX)i));
}
