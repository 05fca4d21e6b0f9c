/* scan_look_back: one launch, each element read once and written once. A group scans a tile in registers, publishes its
 * fold, and finds the fold of everything before it by looking back over what the groups before it have published.
 * If a segment begins in the tile, its fold is already that of everything before the next tile, and nobody looks
 * further.
 * Source: Merrill and Garland 2016; see look_back.cl.
 * Parameters: the operator's prelude; GROUP_SIZE; ITEMS packets a work-item. */
#include "scan/args.h"
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/spans.cl"
#include "scan/parts/long_prefix.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/marks.cl"
#include "scan/parts/tile.cl"
#include "scan/parts/spans_tile.cl"
#include "common/device_scope.cl"
#include "common/ticket.cl"
#include "common/look_back.cl"
#include "scan/parts/tiles_before.cl"

#if SEGMENTS && !RUNS && !defined(SEES_SEGMENTS)
#define IS_PREFIX(total) (begins_of(total) != 0)
#else
#define IS_PREFIX(total) false
#endif

/* Where the elements are replaced by their prefixes, a tile that is missing may be overwritten while it is read again.
 * So a group stores nothing before it has published, and what has been read after that is not used: one's own tile is
 * read instead, and then the tile is no longer missing. */
#if FALLBACK && !RUNS
#define IS_IN_PLACE ((const __global void *)in == (const __global void *)out)
#define READ_TILE(at)                                                                                                  \
    for (bool is_late = true; is_late;) {                                                                              \
        tile_read(&e, tile_range_of(in, n, at), in, n, segments MARKS_ARGUMENT);                                       \
        is_late = at != tile && IS_IN_PLACE && look_back_is_late(state, epoch, at, &window);                           \
        at = is_late ? tile : at;                                                                                      \
    }
#define SCAN_FENCE                                                                                                     \
    if (IS_IN_PLACE)                                                                                                   \
        device_fence();
#define SCAN_FENCES (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define READ_TILE(at) tile_read(&e, tile_range_of(in, n, at), in, n, segments MARKS_ARGUMENT);
#define SCAN_FENCE
#define SCAN_FENCES CLK_LOCAL_MEM_FENCE
#endif

__kernel GROUP_OF(GROUP_SIZE) void scan_look_back(ARGS_OF(SCAN_LOOK_BACK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local VALUE shared[TILE_SCAN_VALUES];
    LOCAL_BEGINS
    __local VALUE shared_prefix;
    __local uint shared_tile;
    __local tiles_window window;
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
    const uint tile = group_ticket((volatile __global uint *)state, groups, &shared_tile);

    tile_elements e;
    VALUE totals[SCAN_TOTALS];
    VALUE total = IDENTITY;
    bool is_brought = false;
    uint at = tile; /* the tile at hand: first one's own, then those that are missing, then one's own again */
    do {
        VALUE before;
        READ_TILE(at)
        const tile_range here = tile_range_of(in, n, at);
        tile_totals(totals, &e, here, n BEGINS_ARGUMENT);
        const VALUE folded = tile_fold(totals, &before, shared);
        if (get_local_id(0) == 0 && !(at == tile && is_brought))
            LOOK_BACK_BRING(state, epoch, tile, at, prefix_begin(folded),
                            at == 0 || IS_PREFIX(folded) ? TILE_PREFIX : TILE_TOTAL, &window);
        tile_prefixes(totals, before, shared);
        if (at == tile) {
            total = folded;
#if RUNS
            if (!is_brought)
                tile_stage(&staged, &e, here, totals, n);
#endif
        }
        is_brought = true;
        at = LOOK_BACK_MISSING(state, epoch, tile, at, !RUNS, &window);
    } while (at != LOOK_BACK_DONE);

    const tile_range t = tile_range_of(in, n, tile);
    const bool is_prefix = tile == 0 || IS_PREFIX(total);
    const long_prefix prefix = tiles_before(state, epoch, tile, &window);
    if (get_local_id(0) == 0) {
        if (!is_prefix)
            look_back_publish(state, epoch, tile, prefix_then(prefix, total), TILE_PREFIX);
        shared_prefix = COMBINE(scan_begin(initial), prefix_value(prefix));
        SCAN_FENCE /* what is published before what is stored */
    }
    barrier(SCAN_FENCES); /* the prefix, and what is staged */
#if RUNS
    tile_store_runs(out, &staged, t, shared_prefix, total, n, segments);
#else
    tile_store(out, &e, t, totals, shared_prefix, initial, n);
#endif
    store_no_runs(n, segments);
}
