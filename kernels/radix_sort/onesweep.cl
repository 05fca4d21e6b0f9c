// SPDX-License-Identifier: MIT
/* radix_sort_onesweep: one pass of a sort, reading and writing each key once (parts/sweep.cl). radix_sort_count has set
 * all status words to 0.
 *
 * Why: eight bits per pass halve the passes, and a pass reads and writes a key once, because groups look back instead
 * of counting in a launch of their own.
 * Source: Adinets and Merrill 2022, Onesweep; Merrill and Garland 2016. */
#include "radix_sort/modes.h"
#include "common/device_scope.cl"
#include "clprim/device/tagged_words.h"
#include "clprim/device/look_back.h"
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/sweep.cl"
#include "radix_sort/parts/state.cl"
#include "radix_sort/parts/in_buckets.cl"
#include "radix_sort/count.cl"
#include "radix_sort/copy.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_onesweep(ARGS_OF(RADIX_SORT_SWEEP))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SWEEP_MEMORY(m)
    __local uint shared;
    const uint epoch = args.epoch;
    const uint pass = args.pass;
    const uint same = SORT_SAME_PASSES((const __global uint *)state, epoch); /* an earlier launch has written it */
    const bool is_in_buckets = IS_IN_BUCKETS(same, args.flags);
#if CLPRIM_FORWARD_PROGRESS
    if (is_in_buckets && (UPPER_PASSES >> pass & 1) == 0) /* sooner than is_idle is known */
        return;
#endif
    SORT_ROUTE(r, is_in_buckets ? UPPER_PASSES : passes_needed(same, args.flags))
    /* not by sub-groups: the code would cost other keys more */
    const bool is_copy = RANK_BY == RANK_BY_MASKS && !r.is_idle && (same >> pass & 1) != 0;
#if !CLPRIM_INT64_ATOMICS
    if (pass == 0 && get_global_id(0) == 0) /* for radix_sort_copy */
        state[SORT_SAME + epoch % 2] = same;
#endif
#if CLPRIM_FORWARD_PROGRESS
    if (r.is_idle)
        return;
#endif
    const uint tile = clprim__draw_ticket(state, (uint)get_num_groups(0), &shared);
    const ulong first = (ulong)tile * TILE;
    const uint valid = n - first < TILE ? (uint)(n - first) : TILE;
    const sweep s = {state + SORT_TOTALS(epoch) + pass * RADIX,
                     (__global STATUS *)(scratch + args.counts_at),
                     state + SORT_UNORDERED,
                     tile,
                     shift_of(pass),
                     0};
    pass_digits(&m.pass, s.shift, is_in_buckets ? LOWEST_UPPER : 0, s.unordered);
    /* PoCL 3.1 loses loops with barriers that come behind a return, but not those of no turns or of one */
#if !CLPRIM_FORWARD_PROGRESS || RANK_BY == RANK_BY_MASKS
    if (is_copy && first < n)
        tile_copy(&r, first, valid);
    for (bool is_due = !r.is_idle && !is_copy && first < n; is_due; is_due = false)
        sweep_tile(&m, &s, &r, valid);
#else
    if (COUNTED && first >= n)
        return;
    sweep_tile(&m, &s, &r, valid);
#endif
}
