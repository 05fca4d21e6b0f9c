// SPDX-License-Identifier: MIT
/* segmented_sort_long: all long segments in one launch, after those that have entered them and set the ticket to 0.
 * Parameters: long_tasks.cl with its parameters. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#include "segmented_sort/parts/long_digits.cl"
#include "segmented_sort/parts/long_tasks.cl"

#if LONG_COUNTERS != OWN_COUNTERS || LONG_TILE != TILE
#error "LONG_COUNTERS and LONG_TILE must be those of the keys and of the group"
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_long(ARGS_OF(SEGMENTED_SORT_LONG))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local COUNT goals[RADIX];
    __local uint sums[TILE_SUMS];
    __local uint goal_sums[TILE_SUMS];
    __local uint4 staged[LONG_STAGED];
    __local uint shared_task;
    const long_memory m = {table, begins, goals, sums, goal_sums, staged, &shared_task};
    LONGS_HERE
    const uint tiles = min(*long_total(&all), long_most(&all));
    if (tiles > 0)
        (void)do_long_tasks(&all, &m, tiles, (volatile __global uint *)long_total(&all) + LONG_TICKET, scratch,
                            ARRAYS_HERE, args);
}
