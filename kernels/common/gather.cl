// SPDX-License-Identifier: MIT
/* gather_elements: out[i] = in[indices[i]]. A group has a tile of consecutive units of out. Neighbouring work-items
 * write neighbouring units, and read neighbouring units within an element. Reads of different elements are far apart,
 * so each work-item has ITEMS of them in flight at once.
 * gather_copy: copies an array to scratch memory, if it is gathered in place.
 *
 * Parameters: ITEMS, units per work-item in a tile. The indices are in scratch memory, from byte indices_at on. The
 * source may be there, too. */
#include "common/kernel.h"
#include "common/units.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE ((uint)GROUP_SIZE * ITEMS)

__kernel GROUP_OF(GROUP_SIZE) void gather_elements(const __global UNIT *restrict in, ulong in_offset,
                                                   __global UNIT *restrict out, ulong out_offset,
                                                   const __global uchar *restrict scratch, ulong indices_at, ulong n)
{
    n = CALL_COUNT_0(n);
    const uint lid = (uint)get_local_id(0);
    const ulong begin = (ulong)get_group_id(0) * TILE;
    const uint count = (uint)(min(begin + TILE, max(begin, n * UNITS)) - begin); /* 0 if n turned out to be smaller */
    const uint skip = (uint)(begin % UNITS); /* where in its element the tile begins */
    const __global INDEX *indices = (const __global INDEX *)(scratch + indices_at) + begin / UNITS;
    in += in_offset * UNITS;
    out += out_offset * UNITS + begin;
    if (count == TILE) {
        INDEX from[ITEMS];
        UNIT x[ITEMS];
#pragma unroll
        for (uint k = 0; k < ITEMS; k++)
            from[k] = indices[(skip + k * GROUP_SIZE + lid) / UNITS];
#pragma unroll
        for (uint k = 0; k < ITEMS; k++)
            x[k] = in[(ulong)from[k] * UNITS + (skip + k * GROUP_SIZE + lid) % UNITS];
#pragma unroll
        for (uint k = 0; k < ITEMS; k++)
            out[k * GROUP_SIZE + lid] = x[k];
    } else {
        for (uint u = lid; u < count; u += GROUP_SIZE)
            out[u] = in[(ulong)indices[(skip + u) / UNITS] * UNITS + (skip + u) % UNITS];
    }
}

__kernel GROUP_OF(GROUP_SIZE) void gather_copy(const __global UNIT *restrict in, ulong in_offset,
                                               __global UNIT *restrict scratch, ulong n)
{
    n = CALL_COUNT_0(n);
    in += in_offset * UNITS;
    for (ulong u = get_global_id(0); u < n * UNITS; u += get_global_size(0))
        scratch[u] = in[u];
}
