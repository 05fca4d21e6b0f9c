/* gather_elements: out[i] = in[indices[i]]; a group has a tile of consecutive units of out. Work-items next to each
 * other write next to each other, and read next to each other what is one element. Reads of different elements are far
 * apart: each work-item has ITEMS of them under way at once.
 * gather_copy: an array into scratch memory, for one that is gathered where it lies.
 *
 * Parameters: ITEMS, the units a work-item has of a tile. indices are in scratch memory from byte indices_at on; what
 * is gathered may be there, too. */
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
    const uint count =
        (uint)(min(begin + TILE, max(begin, n * UNITS)) - begin); /* none where n turned out to be less */
    const uint skip = (uint)(begin % UNITS);                      /* where in its element the tile begins */
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
