// SPDX-License-Identifier: MIT
/* shift_indices: adds `begin` to `count` indices within a part of an array, which makes them indices within the whole
 * array.
 *
 * INDEX is uint or ulong. For sorts in pieces (lib/runtime/plan/plan_sort_indices.c). */
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
