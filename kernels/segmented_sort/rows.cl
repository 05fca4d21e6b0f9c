// SPDX-License-Identifier: MIT
/* segmented_sort_rows: segments of some hundred elements or more, each of which a work-group has to itself. Group s reads
 * segment s, sorts it in local memory (row.cl), and writes it. Groups of empty segments do not leave before a barrier:
 * PoCL 3.1 would drop code.
 *
 * HAS_LONG 2: a segment that is too long is entered as a long one.
 * Parameters: row.cl with its parameters; HAS_LONG 0 or 2. */
#include "radix_sort/parts/keys.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#include "radix_sort/parts/segment_by_bins.cl"
#include "radix_sort/parts/row.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_rows(ARGS_OF(SEGMENTED_SORT_SHORT))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    ROW_MEMORY(m)
#if HAS_LONG
    __local uint shared_place;
    SEGMENTS_HERE
    const ulong longest = min((ulong)all.longest, (ulong)BIN_TILE);
#else
    FEW_HERE
    const ulong longest = BIN_TILE;
#endif
    const uint s = (uint)get_group_id(0);
    const ulong first = segment_begin(&all, s);
    const ulong beyond = segment_begin(&all, s + 1);
    const uint valid = beyond > first && beyond - first <= longest ? (uint)(beyond - first) : 0;
#if HAS_LONG
    if (get_local_id(0) == 0)
        shared_place = valid == 0 ? long_reserve(&all, s) : NO_PLACE;
#endif
    sort_row(&m, ARRAYS_HERE, first, valid);
#if HAS_LONG
    if (shared_place != NO_PLACE)
        (void)long_enter(&all, s, shared_place);
#endif
}
