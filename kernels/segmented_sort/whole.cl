// SPDX-License-Identifier: MIT
/* segmented_sort_whole: few segments, each sorted by a work-group of its own, in one launch. If there are few elements,
 * launches take most of the time, and there are too few windows to keep the device busy. Group s reads segment s,
 * sorts it in local memory by enumeration, digit by digit or by merges, as local.cl does, and writes it. Groups of
 * empty segments do not leave before a barrier: PoCL 3.1 would drop code.
 *
 * HAS_LONG 2: a segment that does not fit a tile is entered as a long one. Its group counts the tiles of the long
 * segments before it. Behind the segments' groups there are further ones, as many as there may be tiles. They count the
 * tiles of all segments, and leave if there are none; else they sort the long segments together, while others sort
 * short ones. Groups are numbered as they start, so these may wait until all long segments are entered. The last one to
 * leave sets to 0 what the next call counts in.
 * are_apart: later launches sort long segments, by larger tiles; one further group says how many tiles there are.
 * LONG_APART: always, since groups may not wait for each other.
 * Parameters: keys.cl with COUNTED 0; WHOLE_ENUMERATED, the longest segment whose keys are enumerated; for HAS_LONG 2
 * LONG_APART, or long_tasks.cl with its parameters, and FEW_STATE bytes that are 0. */
#include "segmented_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#define SORTS_LONG (HAS_LONG == LONG_IN_TILES && !LONG_APART)
#if SORTS_LONG
#include "common/device_scope.cl"
#include "segmented_sort/parts/long_digits.cl"
#include "segmented_sort/parts/long_tasks.cl"
#include "clprim/device/look_back.h"
#endif
#if BY_MERGES
#define ONE_SEGMENT 1
#include "radix_sort/parts/tile_by_merges.cl"
#else
#include "radix_sort/parts/group_passes.cl"
#include "radix_sort/parts/tile_sort.cl"
#endif

#if !defined(WHOLE_ENUMERATED) || !defined(FEW_STATE)
#error "WHOLE_ENUMERATED and FEW_STATE must be given"
#endif

#if HAS_LONG != LONG_TOGETHER /* else an earlier launch must prepare the places of long segments */
#if SORTS_LONG
/* Words of the state, each in a cache line of its own: the tickets of groups, at 0; those of the tasks of long
 * segments; how many tiles are entered. */
#define FEW_TICKET  32
#define FEW_ENTERED 64
#if FEW_STATE < (FEW_ENTERED + 1) * 4
#error "FEW_STATE must have room"
#endif
#endif

/* Sort the group's segment of `valid` elements, which begins at `first`. */
#if BY_MERGES
ALWAYS_INLINE void sort_segment(sorted_arrays a, const tile_memory *m, ulong first, uint valid)
{
    load_tile(m, a.keys_in, first, valid);
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys */
    sort_by_merges(m, valid);
    write_tile(a, m, first, valid);
}
#else
ALWAYS_INLINE void sort_segment(sorted_arrays a, const tile_memory *m, ulong first, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    const uint items = (valid + GROUP_SIZE - 1) / GROUP_SIZE;
    const passes_memory passes = {m->keys, m->places, m->table, m->begins, m->sums};
    KEY images[ITEMS];
    ushort origins[ITEMS];
    load_segment(images, origins, a.keys_in, first, valid, items);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
            m->keys[SPREAD_INDEX(j, items)] = images[j];
            m->numbers[SPREAD_INDEX(j, items)] = 0;
        }
    if (lid < 2)
        m->firsts[lid] = (ushort)(lid * valid);
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys; the only segment */
    if (valid <= WHOLE_ENUMERATED) {
        sort_by_enumeration(images, origins, m, valid, items);
    } else if (END_BIT > 0) { /* else all are where they belong */
        sort_segment_by_passes(images, origins, &passes, a.keys_in, first, valid, items, KEY_BITS);
    }
    write_tile(a, images, origins, first, valid, items);
}
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_whole(ARGS_OF(SEGMENTED_SORT_WHOLE))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
#if SORTS_LONG
    __local uint4 staged[LONG_STAGED > KEY_WORDS ? LONG_STAGED : KEY_WORDS];
    __local COUNT goals[RADIX];
    __local uint goal_sums[TILE_SUMS];
    __local uint shared_number;
    const bool are_apart = args.are_apart != 0;
    const long_shape shape = {are_apart ? LONG_TILE : TILE, are_apart ? LONG_COUNTERS : OWN_COUNTERS};
    const uint s = clprim__draw_ticket(state, (uint)get_num_groups(0), &shared_number);
#else
    __local uint4 staged[KEY_WORDS];
    const bool are_apart = true;
    const long_shape shape = LONG_SHAPE;
    const uint s = (uint)get_group_id(0);
#endif
#if HAS_LONG
    __local uint shared_tiles;
    const segments_of all = {OFFSETS_HERE, (uint)args.segments, args.n, 0, scratch + args.longs_at, args.longest,
                             shape};
#else
    FEW_HERE
#endif
    TILE_MEMORY_HERE(1, staged)
#if BY_MERGES && SORTS_LONG
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local uint sums[TILE_SUMS];
#endif
    const ulong first = s < all.count ? segment_begin(&all, s) : 0;
    const ulong beyond = s < all.count ? segment_begin(&all, s + 1) : 0;
    const uint valid = beyond > first && beyond - first <= TILE ? (uint)(beyond - first) : 0;
#if HAS_LONG
    const uint lid = (uint)get_local_id(0);
    const bool is_long = beyond > first && beyond - first > all.longest;
    if (lid == 0)
        shared_tiles = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* no tiles yet */
    const uint own_tiles = is_long || s >= all.count ? long_tiles_before(&all, min(s, all.count)) : 0;
    if (own_tiles > 0)
        (void)atomic_add(&shared_tiles, own_tiles);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tiles of all segments before */
    const uint tiles = s < all.count ? 0 : min(shared_tiles, long_most(&all));
    if (s >= all.count && are_apart && lid == 0) {
        *long_total(&all) = tiles;
        long_total(&all)[LONG_UNORDERED] = 0;
        long_total(&all)[LONG_TICKET] = 0;
    }
    const uint entered = is_long ? long_enter(&all, s, shared_tiles) : 0;
#endif
#if SORTS_LONG
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the entries */
    if (lid == 0 && entered > 0 && !are_apart) {
        device_fence();
        (void)atomic_add(state + FEW_ENTERED, entered);
    }
    /* Nothing comes after these branches: PoCL 3.1 copies what comes after barriers in a branch, for each way to get
     * there. */
    if (s < all.count) {
        sort_segment(ARRAYS_HERE, &m, first, valid);
    } else if (tiles > 0 && !are_apart) {
        const long_memory longs = {table, begins, goals, sums, goal_sums, staged, &shared_number};
        if (lid == 0) {
            while (device_load(state + FEW_ENTERED) != tiles) {
            }
            device_fence();
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all entries */
        const uint number = do_long_tasks(&all, &longs, tiles, state + FEW_TICKET, scratch, ARRAYS_HERE, args);
        if (lid == 0 && number == (EVEN_PASSES + 1) * tiles + (uint)get_num_groups(0) - all.count - 1) {
            device_store(state + FEW_TICKET, 0);
            device_store(state + FEW_ENTERED, 0);
        }
    }
#else
    sort_segment(ARRAYS_HERE, &m, first, valid);
#endif
}
#endif
