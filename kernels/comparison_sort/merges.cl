// SPDX-License-Identifier: MIT
/* comparison_sort_merges: all passes in one launch. A group makes one tile of one pass, in the order of its ticket: the
 * tiles of all passes are numbered one after another, so a group only waits for groups that have begun before it. It
 * waits only for the two runs that it merges, not for the whole pass.
 *
 * Each run has a word that counts its finished tiles. If the order is inconsistent, the word's upper bits say what
 * happened to the run (passes.cl explains why the result must be a permutation even then):
 *   RUN_DAMAGED   its array lacks elements; all of them are still in the other array
 *   RUN_KEPT      all elements are there, but not sorted
 * The last of all groups copies back what a damaged result lacks.
 *
 * Parameters: BY_NETWORK: tiles are merged by a network (merge_network.cl); otherwise serially by each work-item
 * (merge_path.cl). The first array has sorted runs of `run` elements, a power of two, at least half a tile. The result
 * is in this array, or in the second one if the number of passes is odd. There is a group for each tile of each pass.
 * There are 1 << passes flags, all 0. */
#include "common/device_scope.cl"
#include "clprim/device/look_back.h"
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "comparison_sort/parts/search.cl"
#include "comparison_sort/parts/split.cl"
#include "common/tile_merge.cl"
#include "comparison_sort/parts/serial_merge.cl"
#if BY_NETWORK
#include "comparison_sort/parts/merge_network.cl"
#else
#include "comparison_sort/parts/merge_path.cl"
#endif

#define RUN_DAMAGED (1u << 30)
#define RUN_KEPT    (1u << 31)
#define RUN_TILES   (RUN_DAMAGED - 1)

/* The word of a run: the number-th of those made by `passes` passes, where passes is at least 1. Words are numbered
 * like a tree's nodes, from left to right. FLAGS[0] is the ticket. */
ALWAYS_INLINE volatile __global uint *word_of(__global uint *flags, uint passes, uint number)
{
    return flags + ((2 * number + 1) << (passes - 1));
}

ALWAYS_INLINE uint tiles_of(INDEX begin, INDEX length, INDEX n)
{
    return (uint)((min(length, n - begin) + TILE - 1) / TILE);
}

/* Wait until the run is complete, if it exists. Returns what happened to it; a fence must follow. */
ALWAYS_INLINE uint wait_for_run(__global uint *flags, uint passes, uint number, INDEX length, INDEX n)
{
    const INDEX begin = number * length;
    uint word = 0;
    if (passes > 0 && begin < n)
        do
            word = device_load(word_of(flags, passes, number));
        while ((word & RUN_TILES) != tiles_of(begin, length, n));
    return word & ~RUN_TILES;
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_merges(ARGS_OF(COMPARISON_SORT_MOVE))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE) + 1);
    LOCAL_CHECK(check);
    __local INDEX ends[2];
    __local uint told[2];
    const uint own = (uint)get_local_id(0);
    const ulong launched = args.n; /* the number of elements for which passes and tiles were launched */
    const ulong n = CALL_COUNT_0(launched);
    const uint tiles = (uint)((launched + TILE - 1) / TILE);
    const uint task = clprim__draw_ticket(FLAGS, (uint)get_num_groups(0), told);
    const uint pass = task / tiles; /* number of passes before it */
    const tile_place t = tile_at((INDEX)(task - pass * tiles));
    const INDEX length = (INDEX)args.run << pass;
    const uint pair = (uint)(t.begin / length / 2);
    const bool is_odd = pass % 2 != 0;
    HEED_COUNT(t, n)
    const array in = is_odd ? ARRAY_OF(out) : ARRAY_OF(in);
    const array out = is_odd ? ARRAY_OF(in) : ARRAY_OF(out);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have the ticket */
    for (uint k = own; k < 2; k += GROUP_SIZE) {
        told[k] = wait_for_run(FLAGS, pass, 2 * pair + k, length, (INDEX)n);
        if (pass > 0)
            device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* both runs are complete */
    const bool was_damaged = CUSTOM && told[t.begin / length % 2] == RUN_DAMAGED;
    const bool was_intact = !CUSTOM || (told[0] | told[1]) == 0;
    const array from = was_damaged ? out : in;
    bool fits;
    tile_part part = part_of_tile(ends, in, t, (INDEX)n, length, false, 0, &fits);
    uint fate = 0;
    if (CUSTOM && !(was_intact && fits)) { /* copy from the tile's own place */
        fate = was_intact ? RUN_DAMAGED : RUN_KEPT;
        part = (tile_part){t.begin, t.begin, (uint)min((INDEX)TILE, (INDEX)n - t.begin), 0};
    }
    merge_tile(tile, check, from, out, part, t, (INDEX)n);
    const bool is_last_pass = 2 * length >= launched;
    if (!CUSTOM && is_last_pass)
        return;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all have written, and read the state */
    if (own == 0) {
        volatile __global uint *word = word_of(FLAGS, pass + 1, pair);
        device_fence();
        if (fate != 0)
            (void)atomic_or(word, fate);
        const uint before = atomic_inc(word) | fate;
        device_fence();
        told[0] = is_last_pass && (before & RUN_TILES) == (n + TILE - 1) / TILE - 1 && (before & RUN_DAMAGED) != 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the last group is known, which may have to repair */
    for (INDEX i = own; told[0] != 0 && i < (INDEX)n; i += GROUP_SIZE)
        store(out, i, load(in, i));
}
