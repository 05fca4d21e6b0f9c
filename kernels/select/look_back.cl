// SPDX-License-Identifier: MIT
/* select_look_back: one launch, in which each element is read once and, if it is selected, written once. A group counts
 * the elements of its tile that it keeps, finds by look-back how many were kept before the tile, and writes its own
 * after those. The counts of one launch have 32 bits. The host divides larger arrays into portions of whole tiles, one
 * launch each, from first_tile on. A portion begins to write where the one before it has ended, which is in the state.
 * Without forward progress, a group also processes tiles whose counts are missing, but keeps only the staged elements
 * of its own tile.
 * Source: Merrill and Garland 2016; see clprim/device/look_back.h.
 * Parameters: the prelude; GROUP_SIZE; ITEMS packets per work-item; PARTITION, except for REST_FOLLOWS. */
#define CLPRIM__LOOK_ROW 4
#include "select/modes.h"
#include "select/args.h"
#include "select/parts/keep.cl"
#include "select/parts/places.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "select/parts/tile.cl"
#include "common/look_back.cl"

#if PARTITION == REST_FOLLOWS
#error "where the rest begins is not known before all are counted"
#endif
/* The words of the state's header that hold how many elements are in the first part at the end of a portion; portions
 * alternate between two words. They are followed by the same two words for the second part. */
#define PORTION_ENDS 2

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void select_look_back(ARGS_OF(SELECT_MOVE))
{
    const select_args args = ARGS(SELECT_NUMBERS);
    __local clprim__tile_memory shared;
    __local OUTPUT staged[TILE];
    LOCAL_PLACES
    __local clprim__tiles_memory looked;
    __global ulong *const state = words;
    const uint epoch = args.epoch;
    const uint first_tile = args.first_tile;
    const uint portion = args.portion;
    const uint lid = (uint)get_local_id(0);
    const ulong n = CALL_COUNT_0(args.n);
    const uint groups = groups_with_tiles(in + args.in_offset, n, first_tile);
    if (is_without_tile(groups))
        return;
    clprim__tiles_tile tile = clprim__tiles_begin(state, epoch, groups, &looked);
    part_counts before_tile = {portion > 0 ? state[PORTION_ENDS + portion % 2] : 0,
                               THREE_WAY && portion > 0 ? state[PORTION_ENDS + 2 + portion % 2] : 0};

    VALUE total = IDENTITY;
    do {
        packet_words x[ITEMS];
        uint kept[KEPT_WORDS];
        VALUE totals[ITEMS];
        VALUE before;
        const tile_range here = tile_range_of(in + args.in_offset, n, first_tile + tile.at);
        tile_load(x, here, in + args.in_offset, n);
        tile_keep(kept, totals, x, here, in + args.in_offset, n, FLAGS);
        const VALUE counted = clprim__tile_fold(totals, &before, &shared);
        clprim__tiles_publish(&tile, PREFIX_OF(counted));
        clprim__tile_prefixes(totals, before, &shared);
        if (tile.at == tile.own) {
            tile_compact(staged, x, here, kept, totals, counted, n PLACES_ARGUMENT);
            total = counted;
        }
    } while (clprim__tiles_look_back(&tile)); /* after it, the staged elements can be read */

    const tile_range t = tile_range_of(in + args.in_offset, n, first_tile + tile.own);
    before_tile.first += FIRSTS_BEFORE(tile.prefix);
    before_tile.second += SECONDS_BEFORE(tile.prefix);
    /* not loaded earlier, because they would take registers all the time */
    PARTS_HERE
    part_places to = places_of(parts, before_tile, n);
    places_advance(&to, before_tile, (ulong)max(t.first, 0l));
    tile_store(to, staged, t, total, n);
#if PAYLOAD_SIZE
    tile_store_payloads(before_tile.first, places, t, total, PAYLOADS);
#endif
    if (lid == 0 && tile.own == groups - 1) {
        part_counts end = before_tile;
        counts_add(&end, total);
        store_numbers(parts, end, n);
        state[PORTION_ENDS + (portion + 1) % 2] = end.first;
#if THREE_WAY
        state[PORTION_ENDS + 2 + (portion + 1) % 2] = end.second;
#endif
    }
}
