// SPDX-License-Identifier: MIT
/* long_tasks.cl: sort long segments by a pass for each digit of the keys, as in a sort by onesweep, but each segment
 * for itself. What there is to do is put in a row: the digits of each tile are to be counted, for all passes at once;
 * then the tiles of all segments are to be moved by the first digit; then by the second; and so on. Groups take a task
 * after the other. Before a segment's tiles can be moved all of them must be done with the task before: who waits for
 * that waits only for tasks that have been taken before its own (Merrill and Garland 2016), and where there are many
 * tiles hardly ever. A pass reads what other groups wrote in the pass before: hence the fences, by one work-item for
 * its group.
 *
 *     do_long_tasks(&all, &m, tiles, ticket, scratch, ARRAYS_HERE, args)    until there are none
 *
 * The number of passes is even, so that what the first one reads may be where the last one writes.
 * Parameters: keys.cl with COUNTED 0, scatter.cl with BOUNDED; segments.cl with HAS_LONG 2.
 * Source: Adinets and Merrill 2022, Onesweep. */
#include "radix_sort/modes.h"
#include "segmented_sort/modes.h"
#include "common/device_scope.cl"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/status.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#include "segmented_sort/parts/long_digits.cl"

#ifndef BOUNDED
#error "BOUNDED must be given"
#endif

#if HAS_LONG == LONG_IN_TILES
#define LONG_STAGED (STAGED_WORDS > COUNTER_WORDS ? STAGED_WORDS : COUNTER_WORDS)

/* What is in local memory while a tile is moved. */
typedef struct {
    __local uint *table;
    __local uint *begins;
    __local COUNT *goals; /* of digits: where they go */
    __local uint *sums;   /* TILE_SUMS, as many as goal_sums */
    __local uint *goal_sums;
    __local uint4 *staged; /* LONG_STAGED */
    __local uint *task;
} long_memory;

/* Move tile number `tile` of a segment that begins at `begin`; status is that of its first tile, totals those of the
 * pass. */
ALWAYS_INLINE void move_tile(const route *r, const long_memory *m, __global STATUS *status,
                             volatile __global uint *totals, uint begin, uint tile, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    const uint shift = LONG_SHIFT(r->turn - 1);
    const ulong first = (ulong)begin + (ulong)tile * TILE;
    KEY images[ITEMS];
    places_of_items places;
    tile_clear(m->table);
    tile_load(images, r->keys_from, first, valid, r->is_first);
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    tile_turn(images, r->is_first);
    tile_count(m->table, images, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    tile_begins(m->table, m->begins, m->sums, tile_own_count(m->table));
#if RANK_BY == RANK_BY_MASKS
    const uint smaller = digits_before(lid < RADIX ? totals[lid] : 0, m->goal_sums);
    if (lid < RADIX)
        m->goals[lid] = smaller;
#else
    count_smaller(m->goals, totals, m->goal_sums);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits begin; the table */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        const uint own = digit_count(m->begins, digit, valid, shift);
        STATUS_STORE(status + (size_t)tile * RADIX + digit,
                     tile == 0 ? STATUS_OF(r->turn, 1, m->goals[digit] + own) : STATUS_OF(r->turn, 0, own));
    }
    AFTER_PUBLISHING
    tile_stage_keys((__local KEY *)m->staged, &places, m->table, images, shift);
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        STATUS before = m->goals[digit];
        if (tile > 0) {
            before = count_before(status + digit, tile, r->turn);
            STATUS_STORE(status + (size_t)tile * RADIX + digit,
                         STATUS_OF(r->turn, 1, before + digit_count(m->begins, digit, valid, shift)));
        }
        m->goals[digit] = begin + (COUNT)before - m->begins[digit];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits go; the staged keys */
    tile_scatter(r, first, valid, shift, m->staged, &places, m->goals);
}

/* The group takes tasks until a number is no task's any more, and returns that number. All its work-items call it. The
 * long segments together have `tiles` tiles. */
ALWAYS_INLINE uint do_long_tasks(const segments_of *all, const long_memory *m, uint tiles,
                                 volatile __global uint *ticket, __global uchar *scratch, sorted_arrays a,
                                 const segmented_sort_args args)
{
    const uint lid = (uint)get_local_id(0);
    for (;;) {
        if (lid == 0)
            *m->task = atomic_inc(ticket);
        barrier(CLK_LOCAL_MEM_FENCE); /* the task */
        const uint task = *m->task;
        const uint turn = task / tiles;
        const uint tile = task % tiles;
        if (turn > EVEN_PASSES)
            return task;
        const long_entry e = long_entries(all)[tile];
        if (e.length != 0) {
            volatile __global uint *done = long_done(all, e.tile);
            __global STATUS *status = (__global STATUS *)(scratch + args.numbers_at) + (size_t)e.tile * RADIX;
            volatile __global uint *totals = long_counters(all, e.tile);
            const uint number = tile - e.tile;
            const uint valid = min((uint)TILE, e.length - number * TILE);
            if (turn == 0) {
                count_tile(totals, status + (size_t)number * RADIX, (__local uint *)m->staged, a.keys_in,
                           (ulong)e.begin + (ulong)number * TILE, valid);
            } else {
                if (lid == 0) {
                    while (device_load(done) < turn * long_tiles(all, e.length)) {
                    }
                    device_fence();
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* what the tiles before left */
                const route r = route_between(a, scratch, args, turn, EVEN_PASSES);
                move_tile(&r, m, status, totals + (turn - 1) * RADIX, e.begin, number, valid);
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the group's part is written */
            if (lid == 0) {
                device_fence();
                (void)atomic_inc(done);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the task, and are done with local memory */
    }
}
#endif
