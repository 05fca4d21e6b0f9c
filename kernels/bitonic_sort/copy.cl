// SPDX-License-Identifier: MIT
/* bitonic_sort_copy: copy from one array to another. It is for variants that sort in place, and whose steps do not
 * touch every element. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_copy(ARGS_OF(BITONIC_SORT_MOVE))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const ulong i = get_global_id(0);
    if (i < args.n)
        store(ARRAY_OF(out), (INDEX)i, load(ARRAY_OF(in), (INDEX)i));
}
