/* shift_indices: `count` indices within a part of an array become those within the whole: `begin` is added.
 *
 * INDEX is uint or ulong. For sorts in parts (lib/runtime/plan/plan_sort_indices.c). */
#include "common/kernel.h"
#ifndef INDEX
#error "INDEX, the type of indices, must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void shift_indices(__global INDEX *indices, ulong begin, ulong count)
{
    const ulong i = get_global_id(0);
    if (i < count)
        indices[i] += (INDEX)begin;
}
