/* bitonic_sort_stages: all stages behind the block sort's, in one launch, where the elements are. A group has one tile
 * of one step, in the order of its ticket: the tiles of all steps one after another, so that what it waits for was
 * begun before it. It waits for what the step before did in its own block of the stage, not for the step.
 *
 * A step makes several steps of the network: ITEMS_LOG of them in registers (strides), or as many as a window has, or
 * all that are left within a tile (merge). Each step has a word for each block of its stage, in which the tiles that
 * are done are counted. `words`: a ticket, then those of all steps, all 0; as many groups as
 * tiles of all steps (bitonic_sort_launch.c). */
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
    uint left, left_before;   /* steps of the network that the stage has yet to make, at bits left - 1 .. 0 */
    uint words, words_before; /* where its words are, and those of the step before */
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

/* The tiles of a step that work on `count` elements from a block's beginning on. */
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

/* For what the number-th of two work-items waits for: the first step of a stage for the two halves of its block, which
 * the stage before has merged; others for the whole block. */
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
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* what it works on is there */
#if UNROLL /* code of its own for each kind of step, in which all distances are known */
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
