// SPDX-License-Identifier: MIT
/* Radix sort of ranges: each work-group has a range of the tiles. Two launches per pass: a group counts the digits of
 * its range (radix_sort_count_range); a group finds from all ranges' counts where its own digits go, and moves its
 * range, tile after tile (radix_sort_move_range). If there are many ranges, radix_sort_rows scans the counts in between
 * (HAS_ROWS). No group waits for another, and no atomics are shared between groups.
 *
 * Pass 0 finds the passes in which all keys have the same digit, which are then left out. After the counts are masks of
 * the other passes, one bit per pass: first the inverted mask of all keys, then one mask for each range.
 *
 * Why: no group waits for another one, because a launch of its own counts the digits, and so a pass reads the keys
 * twice.
 * Parameters: for one pass.
 * Source: Merrill and Grimshaw 2011; Adinets and Merrill 2022 for what a group does with a tile. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/move_range.cl"
#include "radix_sort/parts/counters.cl"
#include "radix_sort/rows.cl"
#include "radix_sort/copy.cl"

#ifndef HAS_ROWS
#error "HAS_ROWS must be given"
#endif

typedef struct {
    ulong first, end; /* keys */
} range;

static inline range own_range(ulong n)
{
    const ulong tiles = (n + TILE - 1) / TILE;
    const ulong share = (tiles + get_num_groups(0) - 1) / get_num_groups(0) * TILE;
    const ulong first = min(n, get_group_id(0) * share);
    return (range){first, min(n, first + share)};
}

#define COUNTS_OF(scratch, counts_at) ((__global COUNT *)((scratch) + (counts_at)))
#define MASKS_OF(counts)              ((__global uint *)((counts) + RADIX * get_num_groups(0)))

/* By digits if they are scanned, otherwise by ranges. */
static inline size_t count_place(uint flags, uint digit, size_t group)
{
    return (flags & HAS_ROWS) != 0 ? digit * get_num_groups(0) + group : group * RADIX + digit;
}

__kernel GROUP_OF(COUNT_GROUP_SIZE) void radix_sort_count_range(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint counters[COUNTERS * COPIES];
    __local uint differing;
    __global COUNT *counts = COUNTS_OF(scratch, args.counts_at);
    const uint pass = args.pass;
    SORT_ROUTE(r, passes_needed(pass == 0 ? 0 : MASKS_OF(counts)[0], args.flags))
    if (r.is_idle)
        return;
    const uint lid = (uint)get_local_id(0);
    const range own = own_range(n);
    counters_clear(counters);
    if (lid == 0)
        differing = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the counters are 0 */
    const KEY like =
        own.first < own.end ? counted_image(key_at(r.keys_from, 0, 0, r.is_first), r.is_first) : LAST_IMAGE;
    const KEY bits = counters_add(counters, r.keys_from, own.first + lid, own.end, COUNT_TILE, r.is_first, pass, like);
    if (pass == 0)
        (void)atomic_or(&differing, passes_of(bits));
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    for (uint digit = lid; digit < RADIX; digit += COUNT_GROUP_SIZE)
        counts[count_place(args.flags, digit, get_group_id(0))] = counters_sum(counters, digit);
    if (pass == 0 && lid == 0)
        MASKS_OF(counts)[1 + get_group_id(0)] = differing;
}

/* offsets[digit] = where the range's first key with the digit goes. `totals` is temporary memory. */
ALWAYS_INLINE void range_offsets(__local COUNT *offsets, __local COUNT *totals, __local uint *sums,
                                 const __global COUNT *counts, const __global COUNT *totals_of_rows, uint flags)
{
    const size_t ranges = get_num_groups(0);
    for (uint digit = (uint)get_local_id(0); digit < RADIX; digit += GROUP_SIZE) {
        COUNT before = 0;
        COUNT total = 0;
        if ((flags & HAS_ROWS) != 0) {
            before = counts[count_place(flags, digit, get_group_id(0))];
            total = totals_of_rows[digit];
        } else {
#pragma unroll 16
            for (size_t i = 0; i < ranges; i++) {
                const COUNT own = counts[count_place(0, digit, i)];
                before += i < get_group_id(0) ? own : 0;
                total += own;
            }
        }
        offsets[digit] = before;
        totals[digit] = total;
    }
    add_smaller(offsets, totals, sums);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_move_range(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    PASS_MEMORY(m, RADIX * sizeof(COUNT) / 16)
    __local uint differing;
    __global COUNT *counts = COUNTS_OF(scratch, args.counts_at);
    const uint pass = args.pass;
    const uint lid = (uint)get_local_id(0);
    const uint shift = shift_of(pass);
    uint mask = 0;
    if (lid == 0)
        differing = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until it is 0 */
    for (size_t i = lid; pass == 0 && i < get_num_groups(0); i += GROUP_SIZE)
        mask |= MASKS_OF(counts)[1 + i];
    if (mask != 0)
        (void)atomic_or(&differing, mask);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the masks of all ranges */
    if (pass == 0 && get_global_id(0) == 0)
        MASKS_OF(counts)[0] = ~differing;
    SORT_ROUTE(r, passes_needed(pass == 0 ? ~differing : MASKS_OF(counts)[0], args.flags))
    if (r.is_idle)
        return;
    const range own = own_range(n);
    range_offsets(m.offsets, (__local COUNT *)m.staged, m.sums, counts,
                  (const __global COUNT *)(scratch + args.totals_at), args.flags);
    move_range(&m, &r, own.first, own.end, shift);
}
