// SPDX-License-Identifier: MIT
/* set_look_back: one launch, in which each key is read once. A work-group has a tile of the balanced path. It counts
 * the elements of the tile that it keeps, finds by look-back how many elements were kept before the tile, and writes
 * its own after those.
 *
 * Two sub-groups search at the same time where the tile begins and where it ends. For many elements, all these searches
 * together read about as much as the tiles themselves. So for large arrays, set_cuts is launched first. There, each
 * work-item finds where one tile begins: it reads fewer elements than a sub-group, but one after another. It stores the
 * cut in the second half of the tile's line of the state, which the look-back does not use.
 *
 * Even if the arrays are not sorted, nothing is read or written out of bounds.
 * Source: Baxter 2013 (balanced path); Merrill and Garland 2016 (look-back). */
#define CLPRIM__LOOK_ROW 4
#include "common/items.cl"
#include "set_operation/args.h"
#include "set_operation/parts/sets.cl"
#include "set_operation/parts/balanced.cl"
#include "common/tile_scan.cl"
#include "set_operation/parts/tile.cl"
#include "common/look_back.cl"
#include "clprim/device/look_back.h"

#define CUT_WORD(tile)                                                                                                 \
    ((CLPRIM_LOOK_BACK_BYTES(sizeof(VALUE), tile) + CLPRIM__LOOK_BACK_STRIDE(sizeof(VALUE)) / 2) / sizeof(ulong))

ALWAYS_INLINE balanced known_cut(const __global ulong *state, uint tile)
{
    return (balanced){(INDEX)state[CUT_WORD(tile)], (INDEX)state[CUT_WORD(tile) + 1]};
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void set_cuts(ARGS_OF(SET_BEFORE))
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

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void set_look_back(ARGS_OF(SET_WRITE))
{
    const set_args args = ARGS(SET_NUMBERS);
    LOCAL_ARRAY(tile, TILE_PLACES);
    __local ushort staged[PATH_TILE];
    __local balanced ends[4]; /* of the group's own tile, and of one that is missing */
    __local clprim__tile_memory shared;
    __local clprim__tiles_memory looked;
    SET_COUNTS
    const uint lid = (uint)get_local_id(0);
    __global ulong *const state = words;
    const uint epoch = args.epoch;
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const ulong n = a_count + b_count;
    const uint groups = (uint)path_tiles(n);
#ifdef CALL_COUNTED /* a group may have no tile */
    if (get_group_id(0) >= groups)
        return;
#endif
    clprim__tiles_tile number = clprim__tiles_begin(state, epoch, groups, &looked);
    set_tile t;
    VALUE total = 0;
    bool is_merged = false; /* the group's own tile */
    do {
        const ulong place = (ulong)number.at * PATH_TILE;
        const bool is_own = number.at == number.own;
        const bool is_back = is_own && is_merged;
        balanced begin = {0, 0};
        balanced end = {(INDEX)a_count, (INDEX)b_count};
        if (args.has_cuts) {
            begin = known_cut(state, number.at);
            if (number.at + 1 < groups)
                end = known_cut(state, number.at + 1);
        } else {
            __local balanced *found = ends + (is_own ? 0 : 2);
            split_ends(found, from_a, (INDEX)a_count, from_b, (INDEX)b_count, (INDEX)place,
                       (INDEX)min(place + PATH_TILE, n), is_back);
            begin = found[0];
            end = found[1];
        }
        t = tile_of(begin, end, (INDEX)place);
        set_steps steps;
        VALUE totals[1];
        VALUE before_own;
        tile_bring(tile, t, from_a, from_b);
        if (is_back) /* staged is still what goes to the output */
            break;
        totals[0] = tile_walk(&steps, tile, t);
        const VALUE kept = clprim__tile_fold(totals, &before_own, &shared);
        clprim__tiles_publish(&number, kept);
        clprim__tile_prefixes(totals, before_own, &shared);
        if (is_own) {
            total = kept;
            tile_stage(staged, steps, (uint)totals[0]);
        }
        is_merged = true;
    } while (clprim__tiles_look_back(&number) ||
             needs_own_tile_again(&number)); /* now the staged elements can be read */

    const ulong first = number.prefix;
    const ulong most = most_kept(a_count, b_count);
    tile_write(ARRAY_OF(out), SET_VALUES, first, most, (uint)total, staged, tile, t);
    if (lid == 0 && number.own == groups - 1)
        out_count[args.out_count_offset] = (COUNT_TYPE)min(first + total, most);
}
