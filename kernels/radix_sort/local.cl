// SPDX-License-Identifier: MIT
/* radix_sort_local: three launches per pass, portable. A group counts the digits of its tile (radix_sort_count_tiles);
 * the counts of each digit are scanned over the tiles (radix_sort_rows); a group sorts its tile in local memory, and
 * moves it (radix_sort_local).
 * Why: four bits per pass make a quarter of the passes, and a tile that is sorted in local memory leaves it in runs
 * instead of key by key.
 * Source: Satish, Harris, Garland 2009. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/rows.cl"
#include "radix_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_count_tiles(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint counts[RADIX];
    SORT_ROUTE(r, passes_needed(0, args.flags))
    const uint lid = (uint)get_local_id(0);
    const ulong first = get_group_id(0) * (ulong)TILE;
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE)
        counts[digit] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the counts are 0 */
    for (uint place = lid; place < TILE && first + place < n; place += GROUP_SIZE)
        (void)atomic_inc(counts + digit_of(image_at(r.keys_from, first, place, TILE, r.is_first), shift_of(args.pass)));
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE)
        ((__global COUNT *)(scratch + args.counts_at))[digit * get_num_groups(0) + get_group_id(0)] = counts[digit];
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_local(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local COUNT offsets[RADIX];
    __local uint sums[TILE_SUMS];
    __local uint4 staged[STAGED_WORDS];
    SORT_ROUTE(r, passes_needed(0, args.flags))
    const uint lid = (uint)get_local_id(0);
    const uint shift = shift_of(args.pass);
    const ulong first = get_group_id(0) * (ulong)TILE;
    if (COUNTED && first >= n)
        return;
    const uint valid = n - first < TILE ? (uint)(n - first) : TILE;
    const __global COUNT *counts = (const __global COUNT *)(scratch + args.counts_at);
    const __global COUNT *totals = (const __global COUNT *)(scratch + args.totals_at);
    KEY images[ITEMS];
    places_of_items places;
    tile_clear(table);
    tile_load(images, r.keys_from, first, valid, r.is_first);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the table is empty */
    tile_turn(images, r.is_first);
    tile_count(table, images, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    tile_begins(table, begins, sums, tile_own_count(table));
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for where digits begin, and for the table */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        COUNT before = counts[digit * get_num_groups(0) + get_group_id(0)];
        for (uint smaller = 0; smaller < digit; smaller++)
            before += totals[smaller];
        offsets[digit] = before - begins[digit];
    }
    tile_stage_keys((__local KEY *)staged, &places, table, images, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for where digits go, and for the staged keys */
    tile_scatter(&r, first, valid, shift, staged, &places, offsets);
}
