// SPDX-License-Identifier: MIT
/* radix_sort_buckets: sorts what is in buckets (parts/in_buckets.cl): each group sorts one bucket after another, in place,
 * in its local memory. Keys are read and written once, whatever the number of their other bits.
 * radix_sort_large_buckets: sorts the buckets for which a group has no room. These are few. Each has a group, which sorts
 * it digit by digit, from the least on, back and forth between the output and scratch memory.
 *
 * Why: two passes and this launch move fewer bytes than a pass for each digit.
 * Parameters: row.cl with its parameters, or with BY_HALVES row_by_halves.cl with its parameters; MOST_BUCKET_BITS;
 * BUCKET. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/in_buckets.cl"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/move_range.cl"
#include "radix_sort/parts/segment_by_bins.cl"
#if BY_HALVES
#include "radix_sort/parts/row_by_halves.cl"
#else
#include "radix_sort/parts/row.cl"
#endif

#if !defined(BUCKET) || !defined(BY_HALVES)
#error "BUCKET and BY_HALVES must be given"
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_buckets(ARGS_OF(RADIX_SORT_BUCKETS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    ROW_MEMORY(m)
    const __global uint *table = (const __global uint *)(scratch + args.totals_at);
    const uint buckets = table[TABLE_BUCKETS];
    __global KEY *keys = keys_out + args.keys_out_offset;
#if VALUE_SIZE
    __global VALUE *values = values_out + args.values_out_offset;
    const sorted_arrays a = {keys, keys, values, values};
#else
    const sorted_arrays a = {keys, keys};
#endif
    for (uint b = (uint)get_group_id(0); b < buckets; b += (uint)get_num_groups(0)) {
        const uint first = table[TABLE_STARTS + b];
        const uint valid = table[TABLE_STARTS + b + 1] - first;
        sort_row(&m, a, first, valid <= BUCKET ? valid : 0);
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory may be used again */
    }
}

/* How many of the keys from `begin` to before `end` have each digit. With barriers. */
ALWAYS_INLINE void count_digits(__local uint *counts, const route *r, uint begin, uint end, uint shift)
{
    for (uint digit = (uint)get_local_id(0); digit < RADIX; digit += GROUP_SIZE)
        counts[digit] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the counts are 0 */
    for (uint i = begin + (uint)get_local_id(0); i < end; i += GROUP_SIZE) {
        const KEY key = key_from(r, i);
        (void)atomic_inc(counts + digit_of(r->is_first ? image_of(key) : key, shift));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all are counted */
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_large_buckets(ARGS_OF(RADIX_SORT_BUCKETS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    PASS_MEMORY(m, 0)
    __local uint counts[RADIX];
    const __global uint *table = (const __global uint *)(scratch + args.totals_at);
    const __global uint *large = table + TABLE_LARGE_ONES(args.bucket_bits);
    const uint two = 2 * DIGIT_BITS; /* passes bring keys back to where they were */
    const uint passes = (KEY_BITS - args.bucket_bits + two - 1) / two * 2;
    __global KEY *keys[2] = {keys_out + args.keys_out_offset, (__global KEY *)scratch};
#if VALUE_SIZE
    __global VALUE *values[2] = {values_out + args.values_out_offset, (__global VALUE *)(scratch + args.values_at)};
#endif
    const uint all = table[TABLE_BUCKETS] > 0 ? table[TABLE_LARGE] : 0;
    for (uint k = (uint)get_group_id(0); k < all; k += (uint)get_num_groups(0)) {
        const uint begin = table[TABLE_STARTS + large[k]];
        const uint end = table[TABLE_STARTS + large[k] + 1];
        for (uint pass = 0; pass < passes; pass++) {
            route r;
            r.is_idle = false;
            r.is_first = pass == 0;
            r.is_last = pass + 1 == passes;
            r.turn = pass + 1;
            r.keys_from = keys[pass % 2];
            r.keys_to = keys[(pass + 1) % 2];
#if VALUE_SIZE
            r.values_from = values[pass % 2];
            r.values_to = values[(pass + 1) % 2];
#endif
            count_digits(counts, &r, begin, end, shift_of(pass));
            for (uint digit = (uint)get_local_id(0); digit < RADIX; digit += GROUP_SIZE) {
                uint place = begin;
                for (uint smaller = 0; smaller < digit; smaller++)
                    place += counts[smaller];
                m.offsets[digit] = place;
            }
            move_range(&m, &r, begin, end, shift_of(pass));
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all have moved their keys */
        }
    }
}
