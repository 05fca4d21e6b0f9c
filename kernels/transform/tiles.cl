/* transform_tiles: a tile for each work-group; a work-item has ITEMS packets of it, GROUP_SIZE apart, so that what a
 * text reads at i is read by neighbours side by side. A packet is PACK elements: several where results are small, which
 * then leave together. All are computed before the first is stored: an output may be where an argument is. STORE(x, i)
 * may send the values of i to another place; then PACK is 1.
 * Parameters: the prelude (lib/transform/transform_prelude.c): OUTPUT_BUFFERS (args.h); results, the values of all
 * outputs at a place, RESULTS_AT(i) and STORE(x, i); PACK, and where it is more than 1 packets, the values at PACK
 * places, PACKETS_AT(loads, i), STORE_PACKETS(x, i) and HAS_PACKETS, whether all arrays begin where packets may; with
 * INPUT_PACK, then the same number, input_loads and input_load(p, is_packed) (lib/runtime/program/input_packets.h);
 * ITEMS. */
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
