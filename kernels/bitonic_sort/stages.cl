// SPDX-License-Identifier: MIT
/* bitonic_sort_stages: all stages after the block sort, in one launch, in place. A group processes one tile of one
 * step, in the order of its ticket: the tiles of all steps are numbered one after another, so a group only waits for
 * groups that have begun before it. It waits for the previous step only in its own block of the stage, not for the
 * whole step.
 *
 * A step here makes several steps of the network: ITEMS_LOG of them in registers (strides), or as many as a window has,
 * or all remaining ones within a tile (merge). Each step has a word for each block of its stage, which counts the tiles
 * that are done. `words`: a ticket, followed by the words of all steps, all 0. There are as many groups as tiles of all
 * steps (bitonic_sort_launch.c). */
#include "common/device_scope.cl"
#include "clprim/device/look_back.h"
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/two_paths.cl"
#include "bitonic_sort/register_block.cl"

#if AT_ONCE
typedef struct {
    uint stage;
    uint left, left_before;   /* steps of the network that remain in the stage, at bits left - 1 .. 0 */
    uint words, words_before; /* index of its words, and of those of the previous step */
} stage_step;

ALWAYS_INLINE bool is_merge(uint left)
{
    return left <= TILE_LOG;
}
ALWAYS_INLINE bool is_strides(uint left)
{
    return left > TILE_LOG && left <= TILE_LOG + ITEMS_LOG;
}
ALWAYS_INLINE uint left_behind(uint left)
{
    return left - (is_strides(left) ? ITEMS_LOG : TILE_LOG - COLUMNS_LOG);
}

/* The number of tiles of a step that works on `count` elements from the beginning of a block on. */
ALWAYS_INLINE uint tiles_of_step(uint left, INDEX count)
{
    return is_merge(left) ? (uint)((count + TILE - 1) / TILE)
                          : (uint)((count + ((INDEX)1 << left) - 1) >> left) << (left - TILE_LOG);
}

ALWAYS_INLINE stage_step step_behind(stage_step s, INDEX n)
{
    const uint stage = s.stage + is_merge(s.left);
    const uint blocks = (uint)((n + ((INDEX)1 << s.stage) - 1) >> s.stage);
    return (stage_step){stage, is_merge(s.left) ? stage : left_behind(s.left), s.left, s.words + blocks, s.words};
}

/* Wait as one of two work-items. The first step of a stage waits for both halves of its block, which the stage before
 * has merged, one per work-item. Other steps wait for the whole block. */
ALWAYS_INLINE void wait_for_step(__global uint *words, stage_step s, INDEX block, uint number, INDEX n)
{
    const bool is_first = s.left == s.stage;
    const uint log = s.stage - is_first;
    const INDEX place = is_first ? 2 * block + number : block;
    if (s.words_before == 0 || (number > 0 && !is_first) || place << log >= n)
        return;
    const uint wanted = tiles_of_step(s.left_before, min((INDEX)1 << log, n - (place << log)));
    while (device_load(words + s.words_before + place) != wanted)
        ;
    device_fence();
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_stages(ARGS_OF(BITONIC_SORT_STAGES))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE));
    __local uint ticket;
    const INDEX n = (INDEX)args.n;
    const uint own = (uint)get_local_id(0);
    uint task = clprim__draw_ticket(words, (uint)get_num_groups(0), &ticket);
    stage_step s = {TILE_LOG + 1, TILE_LOG + 1, 0, 1, 0};
    while (task >= tiles_of_step(s.left, n)) {
        task -= tiles_of_step(s.left, n);
        s = step_behind(s, n);
    }
    const bool merges = is_merge(s.left);
    const bool strides = is_strides(s.left);
    const bool mirrors = s.left == s.stage;
    const uint columns = strides ? GROUP_LOG : COLUMNS_LOG;
    tile_place t = merges ? tile_at(task) : tile_in_window(task, columns, left_behind(s.left), mirrors);
    const INDEX block = t.begin >> s.stage;
    for (uint number = own; number < 2; number += GROUP_SIZE)
        wait_for_step(words, s, block, number, n);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the elements of this step are complete */
#if UNROLL /* separate code for each kind of step, with constant distances */
    if (merges) {
        IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, false, 0, true, n))
    } else if (strides) {
        IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, mirrors, GROUP_LOG, false, n))
    } else {
        IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, mirrors, COLUMNS_LOG, false, n))
    }
#else
    const int lowest = merges ? 0 : strides ? GROUP_LOG : COLUMNS_LOG;
    IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, mirrors, lowest, true, n))
#endif
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all have written */
    if (own == 0) {
        device_fence();
        (void)atomic_inc((volatile __global uint *)words + s.words + block);
    }
}
#endif
