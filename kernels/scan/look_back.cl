// SPDX-License-Identifier: MIT
/* scan_look_back: one launch, which reads and writes each element once. A group scans a tile in registers, publishes
 * its fold, and finds the fold of everything before it by looking back over what earlier groups have published. If a
 * segment begins in the tile, its fold is already the fold of everything before the next tile, and no group looks back
 * past it.
 * Why: each element is read once instead of twice, because a group takes the fold of all before it from what earlier
 * groups have published.
 * Source: Merrill and Garland 2016; see clprim/device/look_back.h.
 * Parameters: the operator's prelude; GROUP_SIZE; ITEMS packets per work-item; MAY_REPLACE. */
#include "scan/args.h"
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/spans.cl"
#include "scan/parts/long_prefix.cl"
#if RUNS
#define CLPRIM__LOOK_ROW 4
#elif !SEGMENTS && defined(LONG_PREFIX) && VALUE_SIZE == 8 && !CLPRIM_INT64_ATOMICS /* atomics wait for each other */
#define CLPRIM__LOOK_ROW       4
#define CLPRIM__LOOK_ROW_BYTES 16
#endif
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/marks.cl"
#include "scan/parts/tile.cl"
#include "scan/parts/spans_tile.cl"
#include "common/device_scope.cl"
#include "common/look_back.cl"
#include "clprim/device/look_back.h"
#include "clprim/device/sub_group.h"
#include "clprim/device/tagged_words.h"

#if SEGMENTS && !RUNS && !defined(SEES_SEGMENTS)
#define IS_PREFIX(total) (begins_of(total) != 0)
#else
#define IS_PREFIX(total) false
#endif

/* If prefixes may replace the elements (MAY_REPLACE), a group that reads another group's missing tile again may read
 * results. Therefore no group stores before it has published. If the missing tile turns out to be published after it
 * was read, what was read is not used: the group reads its own tile instead, because the other tile is no longer
 * missing. */
#if MAY_REPLACE
#define IS_IN_PLACE ((const __global void *)in == (const __global void *)out)
#define READ_TILE                                                                                                      \
    for (bool is_late = true; is_late;) {                                                                              \
        tile_read(&e, tile_range_of(in, n, tile.at), in, n, segments MARKS_ARGUMENT);                                  \
        is_late = tile.at != tile.own && IS_IN_PLACE && is_published(&tile, &shared_is_late);                          \
        tile.at = is_late ? tile.own : tile.at;                                                                        \
    }

/* Whether this tile was published before all work-items had loaded their part of it. Groups store their results only
 * after they have published all words and after a device_fence; so if it was, results may have been loaded instead of
 * elements. */
ALWAYS_INLINE bool is_published(const clprim__tiles_tile *tile, __local uint *shared)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* wait until all have loaded */
    if (CLPRIM__IS_LEADER()) {
        PREFIX theirs;
        device_fence();
        *shared = clprim__tiles_inner_load(tile->state, tile->epoch, tile->at, &theirs) != 0;
        tile->memory->looks = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the leader's answer */
    return *shared != 0;
}
#else
#define READ_TILE tile_read(&e, tile_range_of(in, n, tile.at), in, n, segments MARKS_ARGUMENT);
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void scan_look_back(ARGS_OF(SCAN_LOOK_BACK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local clprim__tile_memory shared;
    LOCAL_BEGINS
    __local clprim__tiles_memory looked;
#ifdef IS_IN_PLACE
    __local uint shared_is_late;
#endif
    MARKS_HERE(TILE)
#if RUNS
    __local tile_staged staged;
#endif
    RUNS_HERE
    const plain_value initial = initial_value();
    const ulong n = CALL_COUNT_0(args.n);
    const uint epoch = args.epoch;
    in += args.in_offset;
    out += args.out_offset;
    const uint groups = groups_with_tiles(in, n, 0);
    if (is_without_tile(groups))
        return;
    clprim__tiles_tile tile = clprim__tiles_begin(state, epoch, groups, &looked);

    tile_elements e;
    VALUE totals[SCAN_TOTALS];
    VALUE total = IDENTITY;
    do {
        VALUE before_in_tile;
        READ_TILE
        const tile_range here = tile_range_of(in, n, tile.at);
        const bool is_own = tile.at == tile.own;
        tile_totals(totals, &e, here, n BEGINS_ARGUMENT);
        const VALUE folded = clprim__tile_fold(totals, &before_in_tile, &shared);
        clprim__tiles_inner_publish(&tile, prefix_begin(folded),
                                    tile.at == 0 || IS_PREFIX(folded) ? CLPRIM__PREFIX : CLPRIM__TOTAL);
        if (is_own || !CLPRIM_SUB_GROUPS) /* without sub-groups there is a barrier inside */
            clprim__tile_prefixes(totals, before_in_tile, &shared);
        if (is_own) {
            total = folded;
#if RUNS
            tile_stage(&staged, &e, here, totals, n);
#endif
        }
    } while (clprim__tiles_look_back(&tile) || (!RUNS && needs_own_tile_again(&tile)));

    const tile_range t = tile_range_of(in, n, tile.own);
    const VALUE prefix = COMBINE(scan_begin(initial), prefix_value(tile.prefix));
#ifdef IS_IN_PLACE
    if (CLPRIM__IS_LEADER() && IS_IN_PLACE)
        device_fence();                                  /* publish before storing */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* no work-item stores before the fence */
#endif
#if RUNS
    tile_store_runs(out, &staged, t, prefix, total, n, segments);
#else
    tile_store(out, &e, t, totals, prefix, initial, n);
#endif
    store_no_runs(n, segments);
}
