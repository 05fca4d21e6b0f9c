// SPDX-License-Identifier: MIT
/* transform_tiles: a tile for each work-group. A work-item has ITEMS packets of it, at a distance of GROUP_SIZE, so
 * that adjacent work-items read adjacent elements if a text reads them at i. A packet has PACK elements: several if
 * results are small, so that they are stored together. All results are computed before the first one is stored, because
 * an output may overwrite an argument. STORE(x, i) may store the results for i at another place; then PACK is 1.
 * Parameters: the prelude (lib/transform/transform_prelude.c): OUTPUT_BUFFERS (args.h); results, the values of all
 * outputs at a place, RESULTS_AT(i) and STORE(x, i); PACK, and if it is more than 1: packets, the values at PACK
 * places, PACKETS_AT(loads, i), STORE_PACKETS(x, i) and HAS_PACKETS, whether all arrays are aligned for packets; with
 * INPUT_PACK, which is then the same number, input_loads and input_load(p, is_packed)
 * (lib/runtime/program/input_packets.h); ITEMS. */
#include "transform/args.h"

#if !defined(PACK) || !defined(ITEMS)
#error "PACK and ITEMS must be given"
#endif
#if PACK > 1 && (!defined(HAS_PACKETS) || !defined(PACKETS_AT) || !defined(STORE_PACKETS))
#error "HAS_PACKETS, PACKETS_AT and STORE_PACKETS must be given with packets"
#endif
#if defined(INPUT_PACK)
#define LOADS_AT(p) input_load(p, true)
#else
#define LOADS_AT(p) 0
typedef uint input_loads; /* not needed */
#endif
#define TILE_STEP (GROUP_SIZE * PACK)

__kernel GROUP_OF(GROUP_SIZE) void transform_tiles(ARGS_OF(TRANSFORM_OUTPUTS))
{
    const transform_args args = ARGS(TRANSFORM_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong first = (ulong)get_group_id(0) * (TILE_STEP * ITEMS) + get_local_id(0) * PACK;
    const bool is_whole = first + (ITEMS - 1) * TILE_STEP + PACK <= n;
#if PACK > 1
    if (is_whole && HAS_PACKETS) {
        input_loads loads[ITEMS];
        packets x[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            loads[j] = LOADS_AT(first / PACK + j * GROUP_SIZE);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            x[j] = PACKETS_AT(loads[j], first + j * TILE_STEP);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            STORE_PACKETS(x[j], first + j * TILE_STEP);
        return;
    }
#endif
    for (ulong i = first; i < first + PACK; i++) {
        results x[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (is_whole || i + j * TILE_STEP < n)
                x[j] = RESULTS_AT(i + j * TILE_STEP);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (is_whole || i + j * TILE_STEP < n)
                STORE(x[j], i + j * TILE_STEP);
    }
}
