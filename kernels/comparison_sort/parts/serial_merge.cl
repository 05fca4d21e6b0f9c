// SPDX-License-Identifier: MIT
/* serial_merge.cl: merge two sorted runs in local memory, with ITEMS elements per work-item. Each work-item finds where
 * its own elements begin (merge path). Stable.
 *
 *   merge_runs(x, tile, runs, rank, check)   put elements rank .. rank + ITEMS - 1 of the merge, as far as they exist,
 *                                            into x. All work-items take part. It has barriers; when it returns, all
 *                                            have read
 *
 * If the order is inconsistent, the elements of one work-item may not end where those of the next one begin. Then x
 * gets the elements unmerged. `check` is local memory for this check (LOCAL_CHECK). */
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "common/tile_merge.cl"

ALWAYS_INLINE void merge_runs(item *x, local_array tile, tile_runs r, uint rank, __local uint *check)
{
    const uint own = (uint)get_local_id(0);
    const uint count = r.end - r.begin;
    const uint split = split_in_tile(tile, r, min(rank, count));
    uint next = r.middle;
    if (rank < count)
        next = merge_serially(x, tile, r.begin + split, r.middle + (rank - split), r);
#if CUSTOM
    check[own] = r.begin + split;
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read, and `check` is complete */
#if CUSTOM
    const bool is_last = rank + ITEMS >= count;
    if (next != (is_last ? r.middle : check[own + 1]))
        BROKEN(check) = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* all have compared */
    if (BROKEN(check) != 0) {
#pragma unroll
        for (uint i = 0; i < ITEMS; i++)
            x[i] = RUN_ITEM(tile, padded_place_of(spread_at(0, false), i));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read, again */
#endif
}
