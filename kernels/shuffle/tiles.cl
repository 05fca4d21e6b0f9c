// SPDX-License-Identifier: MIT
/* shuffle_tiles: a work-group writes a tile of consecutive elements or, with INDICES, their indices. Each work-item has
 * up to ITEMS of them, at a distance of GROUP_SIZE. It loads all of them before it stores the first one, because they
 * come from arbitrary places in memory. If an element has several UNITs, as many work-items copy it; for that, the
 * indices are first stored in local memory.
 *
 * Parameters: INDICES; UNIT, a type of 1, 2, 4, 8 or 16 bytes, with INDICES that of an index; UNITS per element;
 * GROUP_SIZE; ITEMS. */
#include "shuffle/args.h"
#include "shuffle/parts/permutation.cl"

#if !defined(INDICES) || !defined(UNIT) || !defined(UNITS) || !defined(ITEMS)
#error "INDICES, UNIT, UNITS and ITEMS must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void shuffle_tiles(ARGS_OF(SHUFFLE_ARRAYS), const shuffle_keys keys)
{
    const shuffle_args args = ARGS(SHUFFLE_NUMBERS);
    const ulong begin = (ulong)get_group_id(0) * args.tile;
    const uint lid = (uint)get_local_id(0);
    const uint own = (uint)min((ulong)args.tile, args.count - begin); /* elements */
#if INDICES
    out += args.out_offset + begin;
    for (uint k = lid; k < own; k += GROUP_SIZE)
        out[k] = (UNIT)PERMUTED((INDEX)(begin + k));
#elif UNITS == 1
    UNIT x[ITEMS];
    in += args.in_offset;
    out += args.out_offset + begin;
#pragma unroll
    for (uint k = 0; k < ITEMS; k++)
        if (k * GROUP_SIZE + lid < own)
            x[k] = in[PERMUTED((INDEX)(begin + k * GROUP_SIZE + lid))];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++)
        if (k * GROUP_SIZE + lid < own)
            out[k * GROUP_SIZE + lid] = x[k];
#else
    __local INDEX from[GROUP_SIZE * ITEMS];
    in += args.in_offset * UNITS;
    out += (args.out_offset + begin) * UNITS;
    for (uint k = lid; k < own; k += GROUP_SIZE)
        from[k] = PERMUTED((INDEX)(begin + k));
    barrier(CLK_LOCAL_MEM_FENCE); /* the indices are there */
    for (uint u = lid; u < own * UNITS; u += ITEMS * GROUP_SIZE) {
        UNIT x[ITEMS];
#pragma unroll
        for (uint k = 0; k < ITEMS; k++) {
            const uint v = u + k * GROUP_SIZE;
            if (v < own * UNITS)
                x[k] = in[(ulong)from[v / UNITS] * UNITS + v % UNITS];
        }
#pragma unroll
        for (uint k = 0; k < ITEMS; k++)
            if (u + k * GROUP_SIZE < own * UNITS)
                out[u + k * GROUP_SIZE] = x[k];
    }
#endif
}
