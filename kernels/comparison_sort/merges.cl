/* comparison_sort_merges: all passes in one launch. A group has one tile of one pass, in the order of its ticket: the
 * tiles of all passes one after another, so that what it waits for was begun before it. It waits for the two runs that
 * it merges alone, not for the pass.
 *
 * The runs have a word each, in which their finished tiles are counted; its upper bits say what became of a run whose
 * order turned out to be none (passes.cl says why that must not matter):
 *   RUN_DAMAGED   the array it was to be in lacks elements; they are where they were, in the other one
 *   RUN_KEPT      all are there, and in no order
 * The last group of all brings back what a damaged result lacks.
 *
 * Parameters: BY_NETWORK: tiles are merged by a network (merge_network.cl), else one by one (merge_path.cl).
 * The first array has runs of `run` elements, a power of two and no less than half a tile; the result is there, or in
 * the second one where the passes are an odd number. A group for each tile of each pass. The flags are 1 << passes, all
 * 0. */
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

/* The run's number-th of those that this many passes made, 1 or more: numbered as a tree's nodes from left to right.
 * FLAGS[0] is the ticket. */
ALWAYS_INLINE volatile __global uint *word_of(__global uint *flags, uint passes, uint number)
{
    return flags + ((2 * number + 1) << (passes - 1));
}

ALWAYS_INLINE uint tiles_of(INDEX begin, INDEX length, INDEX n)
{
    return (uint)((min(length, n - begin) + TILE - 1) / TILE);
}

/* Until the run is there, if it is one. What became of it; a fence comes after. */
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
    const ulong launched = args.n; /* passes and tiles are those of so many */
    const ulong n = CALL_COUNT_0(launched);
    const uint tiles = (uint)((launched + TILE - 1) / TILE);
    const uint task = clprim__draw_ticket(FLAGS, (uint)get_num_groups(0), told);
    const uint pass = task / tiles; /* as many before it */
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
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* both runs are there */
    const bool was_damaged = CUSTOM && told[t.begin / length % 2] == RUN_DAMAGED;
    const bool was_intact = !CUSTOM || (told[0] | told[1]) == 0;
    const array from = was_damaged ? out : in;
    bool fits;
    tile_part part = part_of_tile(ends, in, t, (INDEX)n, length, false, 0, &fits);
    uint fate = 0;
    if (CUSTOM && !(was_intact && fits)) { /* the tile's own place */
        fate = was_intact ? RUN_DAMAGED : RUN_KEPT;
        part = (tile_part){t.begin, t.begin, (uint)min((INDEX)TILE, (INDEX)n - t.begin), 0};
    }
    merge_tile(tile, check, from, out, part, t, (INDEX)n);
    const bool is_last_pass = 2 * length >= launched;
    if (!CUSTOM && is_last_pass)
        return;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all have written, and read what they were told */
    if (own == 0) {
        volatile __global uint *word = word_of(FLAGS, pass + 1, pair);
        device_fence();
        if (fate != 0)
            (void)atomic_or(word, fate);
        const uint before = atomic_inc(word) | fate;
        device_fence();
        told[0] = is_last_pass && (before & RUN_TILES) == (n + TILE - 1) / TILE - 1 && (before & RUN_DAMAGED) != 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* whether it is the last one, and has to mend */
    for (INDEX i = own; told[0] != 0 && i < (INDEX)n; i += GROUP_SIZE)
        store(out, i, load(in, i));
}
