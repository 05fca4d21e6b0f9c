// SPDX-License-Identifier: MIT
/* radix_sort_buckets: the last launch of a call that is sorted in buckets (parts/in_buckets.cl): each group sorts one bucket
 * after another, in place, in its local memory. Keys are read and written once, whatever the number of their other bits.
 *
 * Why: two passes and this launch move fewer bytes than a pass for each digit.
 * Parameters: row.cl with its parameters; MOST_BUCKET_BITS. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/in_buckets.cl"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/segment_by_bins.cl"
#include "radix_sort/parts/row.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_buckets(ARGS_OF(RADIX_SORT_BUCKETS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    ROW_MEMORY(m)
    const __global uint *starts = (const __global uint *)(scratch + args.totals_at);
    const uint buckets = IS_IN_BUCKETS(state, args) ? 1u << args.bucket_bits : 0;
    __global KEY *keys = keys_out + args.keys_out_offset;
#if VALUE_SIZE
    __global VALUE *values = values_out + args.values_out_offset;
    const sorted_arrays a = {keys, keys, values, values};
#else
    const sorted_arrays a = {keys, keys};
#endif
    for (uint b = (uint)get_group_id(0); b < buckets; b += (uint)get_num_groups(0)) {
        const uint first = starts[b];
        sort_row(&m, a, first, min(starts[b + 1] - first, (uint)BIN_TILE));
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory may be used again */
    }
}
