// SPDX-License-Identifier: MIT
/* segmented_sort_count_tiles, segmented_sort_sweep: all long segments at once, where groups may not wait for each
 * other. One launch counts the digits of all passes; then there is a launch for each pass, in which a segment's tiles
 * look back over one another, as in a sort by onesweep, but each segment for itself. Tiles have been numbered, and the
 * segments' counters cleared, by those who entered the segments, and the ticket is 0.
 * Parameters: long_digits.cl with its parameters; scatter.cl with BOUNDED; status_fallback.cl.
 * Source: Adinets and Merrill 2022, Onesweep; Smith, Levien and Owens 2025, Decoupled Fallback. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/sweep.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#include "segmented_sort/parts/long_digits.cl"

#if LONG_COUNTERS != OWN_COUNTERS || LONG_TILE != TILE
#error "LONG_COUNTERS and LONG_TILE must be those of the keys and of the group"
#endif

/* A tile of a long segment. */
typedef struct {
    uint first_tile; /* the segment's */
    uint begin;
    uint number; /* in the segment */
    uint valid;
} long_tile;

/* Among offsets that do not ascend a tile may be nobody's: then it has no elements. */
static inline long_tile long_tile_at(const segments_of *all, uint tile)
{
    const long_entry e = long_entries(all)[tile];
    const uint number = e.length == 0 ? 0 : tile - e.tile;
    return (long_tile){e.tile, e.begin, number, min((uint)TILE, e.length - number * TILE)};
}

static inline __global STATUS *long_status(__global uchar *scratch, const segmented_sort_args args, uint tile)
{
    return (__global STATUS *)(scratch + args.numbers_at) + (size_t)tile * RADIX;
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_count_tiles(ARGS_OF(SEGMENTED_SORT_LONG))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    __local uint counters[OWN_COUNTERS];
    LONGS_HERE
    const uint tiles = min(*long_total(&all), long_most(&all));
    for (uint tile = (uint)get_group_id(0); tile < tiles; tile += (uint)get_num_groups(0)) {
        const long_tile t = long_tile_at(&all, tile);
        count_tile(long_counters(&all, t.first_tile), long_status(scratch, args, tile), counters,
                   keys_in + args.keys_in_offset, (ulong)t.begin + (ulong)t.number * TILE, t.valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counters may be cleared */
    }
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_sweep(ARGS_OF(SEGMENTED_SORT_LONG))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    SWEEP_MEMORY(m)
    __local uint task;
    LONGS_HERE
    const uint turn = args.turn;
    const uint shift = LONG_SHIFT(turn);
    const uint tiles = min(*long_total(&all), long_most(&all));
    volatile __global uint *unordered = (volatile __global uint *)long_total(&all) + LONG_UNORDERED;
    const route r = route_between(ARRAYS_HERE, scratch, args, turn + 1, EVEN_PASSES);
    pass_digits(&m.pass, shift, 0, unordered);
    for (;;) {
        if (get_local_id(0) == 0) /* each group of each launch before has taken one for which there was no tile */
            task = atomic_inc((volatile __global uint *)long_total(&all) + LONG_TICKET) -
                   turn * (tiles + (uint)get_num_groups(0));
        barrier(CLK_LOCAL_MEM_FENCE); /* the task */
        const uint tile = task;
        if (tile >= tiles)
            return;
        const long_tile t = long_tile_at(&all, tile);
        const sweep s = {long_counters(&all, t.first_tile) + turn * RADIX,
                         long_status(scratch, args, t.first_tile),
                         unordered,
                         t.number,
                         shift,
                         t.begin};
        sweep_tile(&m, &s, &r, t.valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the task, and are done with local memory */
    }
}
