// SPDX-License-Identifier: MIT
/* serial_merge.cl: merge two sorted runs in local memory, with ITEMS elements per work-item. Each work-item finds where
 * its own elements begin (merge path). Stable.
 *
 *   merge_runs(x, tile, runs, rank, check, by)   put elements rank .. rank + ITEMS - 1 of the merge, as far as they
 *                                                exist, into x. `by` is the number of work-items that take part: all,
 *                                                or so many from a multiple of it on. It has a barrier; when it
 *                                                returns, all have read
 *   join_barrier(by)                             a barrier for such work-items, which costs less if they run in step
 *
 * If the order is inconsistent, the elements of one work-item may not end where those of the next one begin. Then
 * elements are lost, and others are there twice. BROKEN(check), which must have been 0, says so after the next barrier.
 * `check` is local memory for this (LOCAL_CHECK). */
#include "common/subgroup.cl"
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "common/tile_merge.cl"

ALWAYS_INLINE void join_barrier(uint by)
{
#if WARP_LOG > 0
    if (by <= 1u << WARP_LOG) {
        clprim_sub_group_sync();
        return;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
}

ALWAYS_INLINE void merge_runs(item *x, local_array tile, tile_runs r, uint rank, __local uint *check, uint by)
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
    join_barrier(by); /* all have read, and `check` is complete */
#if CUSTOM
    const bool is_last = rank + ITEMS >= count;
    if (next != (is_last ? r.middle : check[own + 1]))
        BROKEN(check) = 1;
#endif
}
