// SPDX-License-Identifier: MIT
/* radix_sort_cpu_runs: keys of 8 bits that have no values, on devices whose work-groups run one after the other on a
 * few cores. A group has one work-item, which counts the keys of its chunk (radix_sort_count_keys). Then each group
 * adds up the counts of all chunks, and writes its part of the sorted array, run by run. If the array is small, one
 * group counts all keys itself, in one launch (no HAS_BUCKETS).
 * Source: counting sort (Seward 1954). */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "common/own_chunk.cl"

#ifndef HAS_BUCKETS
#error "HAS_BUCKETS must be given"
#endif
#define TABLES 4 /* by turns: an increment would wait for the one before, where keys are equal */

ALWAYS_INLINE void count_keys(COUNT *counts, const __global KEY *keys, ulong first, ulong end)
{
    COUNT tables[TABLES][RADIX];
    for (uint t = 0; t < TABLES; t++)
        for (uint key = 0; key < RADIX; key++)
            tables[t][key] = 0;
    for (; first + TABLES <= end; first += TABLES)
#pragma unroll
        for (uint t = 0; t < TABLES; t++)
            tables[t][key_at(keys, first, t, true)]++;
    for (; first < end; first++)
        tables[0][key_at(keys, first, 0, true)]++;
    for (uint key = 0; key < RADIX; key++) {
        COUNT sum = 0;
        for (uint t = 0; t < TABLES; t++)
            sum += tables[t][key];
        counts[image_of((KEY)key)] = sum;
    }
}

__kernel GROUP_OF(1) void radix_sort_count_keys(ARGS_OF(RADIX_SORT_GIVEN))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    __global COUNT *to = (__global COUNT *)(scratch + args.counts_at) + get_group_id(0) * RADIX;
    COUNT counts[RADIX];
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    count_keys(counts, GIVEN_KEYS, begin, end);
    for (uint digit = 0; digit < RADIX; digit++)
        to[digit] = counts[digit];
}

__kernel GROUP_OF(1) void radix_sort_cpu_runs(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    const __global COUNT *of_chunks = (const __global COUNT *)(scratch + args.counts_at);
    __global KEY *out = keys_out + args.keys_out_offset;
    COUNT counts[RADIX];
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    if ((args.flags & HAS_BUCKETS) == 0)
        count_keys(counts, GIVEN_KEYS, 0, n);
    else
        for (uint digit = 0; digit < RADIX; digit++) {
            counts[digit] = 0;
            for (ulong chunk = 0; chunk < args.shares; chunk++)
                counts[digit] += of_chunks[chunk * RADIX + digit];
        }
    ulong at = 0;
    for (uint digit = 0; digit < RADIX; digit++) {
        const ulong next = at + counts[digit];
        const ulong to = min(end, next);
        const KEY key = key_of((KEY)digit);
        for (ulong i = max(begin, at); i < to; i++)
            out[i] = key;
        at = next;
    }
}
