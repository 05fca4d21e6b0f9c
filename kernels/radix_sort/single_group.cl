// SPDX-License-Identifier: MIT
/* radix_sort_single_group: an array that fits the local memory of one work-group, in one launch.
 * Why: an array that fits the local memory of one group takes one launch, but most of the device is idle. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/group_passes.cl"

/* The group's keys in their original order, and their places. */
ALWAYS_INLINE void load_keys(KEY *images, ushort *origins, const __global KEY *keys, uint valid)
{
    tile_load(images, keys, 0, valid, true);
    tile_turn(images, true);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        origins[j] = (ushort)TILE_INDEX(j);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_single_group(ARGS_OF(RADIX_SORT_ARRAYS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local uint sums[TILE_SUMS];
    __local KEY keys[TILE];
    __local ushort staged_origins[VALUE_SIZE > 0 ? TILE : 1];
    SORT_COUNT
    const passes_memory m = {keys, staged_origins, table, begins, sums};
    const uint valid = (uint)n;
    KEY images[ITEMS];
    ushort origins[ITEMS];
    load_keys(images, origins, GIVEN_KEYS, valid);
    sort_by_passes(images, origins, &m, ITEMS, KEY_BITS, !RETURNS_RANKS);
#if RETURNS_RANKS
    if (!is_sorted_by_passes(images, origins, &m, ITEMS)) {
        load_keys(images, origins, GIVEN_KEYS, valid);
        sort_by_passes(images, origins, &m, ITEMS, KEY_BITS, true);
    }
#endif
#if VALUE_SIZE
    VALUE values[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid) {
#if INDICES
            values[j] = (VALUE)origins[j];
#else
            values[j] = GIVEN_VALUES[origins[j]];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* wait until all values are read: outputs may overwrite
                                                          * them */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid)
            values_out[args.values_out_offset + TILE_INDEX(j)] = values[j];
#endif
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid)
            keys_out[args.keys_out_offset + TILE_INDEX(j)] = key_of(images[j]);
}
