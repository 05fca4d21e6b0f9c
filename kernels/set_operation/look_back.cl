/* set_look_back: one launch, in which each key is read once. A work-group has a tile of the balanced path. It counts
 * what it keeps of the tile, finds by looking back how many elements were kept before it, and writes its own behind
 * those.
 *
 * Where a tile begins and ends, two of its sub-groups search at once. Of many elements all these searches together read
 * about as much as the tiles themselves. There set_cuts is launched before, in which each work-item finds where one
 * tile begins: it reads fewer elements than a sub-group, but one after the other. It leaves the cut in the second half
 * of the tile's line of the state, which look_back.cl does not use.
 *
 * Arrays that are not in order never make it read or write out of bounds.
 * Source: Baxter 2013 (balanced path); Merrill and Garland 2016 (look-back). */
#include "common/items.cl"
#include "set_operation/args.h"
#include "set_operation/parts/sets.cl"
#include "set_operation/parts/balanced.cl"
#include "common/tile_scan.cl"
#include "set_operation/parts/tile.cl"
#include "common/ticket.cl"
#include "common/look_back.cl"

#define CUT_WORD(tile) (LOOK_BACK_WORDS(tile) + LOOK_BACK_LINE / 2)

ALWAYS_INLINE balanced known_cut(const __global ulong *state, uint tile)
{
    return (balanced){(INDEX)state[CUT_WORD(tile)], (INDEX)state[CUT_WORD(tile) + 1]};
}

__kernel GROUP_OF(GROUP_SIZE) void set_cuts(ARGS_OF(SET_BEFORE))
{
    const set_args args = ARGS(SET_NUMBERS);
    SET_COUNTS
    __global ulong *const state = words;
    const ulong tile = get_global_id(0);
    if (tile >= path_tiles(a_count + b_count))
        return;
    const balanced cut = cut_alone(ARRAY_OF(a), (INDEX)a_count, ARRAY_OF(b), (INDEX)b_count, (INDEX)(tile * PATH_TILE));
    state[CUT_WORD(tile)] = cut.a;
    state[CUT_WORD(tile) + 1] = cut.b;
}

__kernel GROUP_OF(GROUP_SIZE) void set_look_back(ARGS_OF(SET_WRITE))
{
    const set_args args = ARGS(SET_NUMBERS);
    LOCAL_ARRAY(tile, TILE_PLACES);
    __local ushort staged[PATH_TILE];
    __local balanced ends[2];
    __local VALUE shared[TILE_SCAN_VALUES];
    __local VALUE shared_prefix;
    __local uint shared_ticket;
    __local look_back_window window;
    SET_COUNTS
    const uint lid = (uint)get_local_id(0);
    __global ulong *const state = words;
    const uint epoch = args.epoch;
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const ulong n = a_count + b_count;
    const uint groups = (uint)path_tiles(n);
#ifdef CALL_COUNTED /* groups may have no tile */
    if (get_group_id(0) >= groups)
        return;
#endif
    const uint number = group_ticket((volatile __global uint *)state, groups, &shared_ticket);
    set_tile t;
    VALUE total = 0;
    bool is_brought = false;
    uint at = number; /* the tile at hand: first one's own, then those that are missing, then one's own again */
    do {
        const ulong place = (ulong)at * PATH_TILE;
        balanced begin = {0, 0};
        balanced end = {(INDEX)a_count, (INDEX)b_count};
        if (args.has_cuts) {
            begin = known_cut(state, at);
            if (at + 1 < groups)
                end = known_cut(state, at + 1);
        } else {
            split_ends(ends, from_a, (INDEX)a_count, from_b, (INDEX)b_count, (INDEX)place,
                       (INDEX)min(place + PATH_TILE, n));
            begin = ends[0];
            end = ends[1];
        }
        t = tile_of(begin, end, (INDEX)place);
        set_steps steps;
        VALUE totals[1];
        VALUE before_own;
        tile_bring(tile, t, from_a, from_b);
        totals[0] = tile_walk(&steps, tile, t);
        total = tile_fold(totals, &before_own, shared);
        if (lid == 0 && !(at == number && is_brought))
            LOOK_BACK_BRING(state, epoch, number, at, total, at > 0 ? TILE_TOTAL : TILE_PREFIX, &window);
        tile_prefixes(totals, before_own, shared);
        tile_stage(staged, steps, (uint)totals[0]);
        is_brought = true;
        at = LOOK_BACK_MISSING(state, epoch, number, at, true, &window);
    } while (at != LOOK_BACK_DONE);

    const VALUE prefix = look_back(state, epoch, number, &window);
    if (lid == 0) {
        if (number > 0)
            look_back_publish(state, epoch, number, prefix + total, TILE_PREFIX);
        shared_prefix = prefix;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefix, and what is staged */
    const ulong first = shared_prefix;
    const ulong most = most_kept(a_count, b_count);
    tile_write(ARRAY_OF(out), SET_VALUES, first, most, (uint)total, staged, tile, t);
    if (lid == 0 && number == groups - 1)
        out_count[args.out_count_offset] = (COUNT_TYPE)min(first + total, most);
}
