// SPDX-License-Identifier: MIT
/* radix_sort_cpu_chunk: three launches a pass for devices whose work-groups run one after the other on a few cores. A
 * group has one work-item and a chunk of consecutive elements: it counts their digits (radix_sort_count_chunk), and
 * after the counts of each digit were scanned over the chunks (radix_sort_rows), moves them (radix_sort_cpu_chunk).
 * Elements are gathered for each digit until they fill a cache line of where they go: scattered one by one, each would
 * fetch a line.
 * Why: a chunk for each core, whose elements leave it in whole cache lines, suits a CPU, while on a GPU each group has
 * a single work-item.
 Source: Satish, Kim, et al. 2010, Fast Sort on CPUs and GPUs. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/rows.cl"
#include "radix_sort/copy.cl"

#define GATHERED 16 /* elements of a digit */

static inline ulong chunk_of(ulong n)
{
    return (n + get_num_groups(0) - 1) / get_num_groups(0);
}

__kernel GROUP_OF(1) void radix_sort_count_chunk(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_ROUTE(r, passes_needed(0, args.flags))
    const uint shift = shift_of(args.pass);
    const ulong chunk = chunk_of(n);
    const ulong end = min(n, (get_group_id(0) + 1) * chunk);
    __global COUNT *to = (__global COUNT *)(scratch + args.counts_at);
    COUNT counts[RADIX];
    for (uint digit = 0; digit < RADIX; digit++)
        counts[digit] = 0;
    for (ulong i = get_group_id(0) * chunk; i < end; i++)
        counts[digit_of(image_of(key_from(&r, i)), shift)]++;
    for (uint digit = 0; digit < RADIX; digit++)
        to[digit * get_num_groups(0) + get_group_id(0)] = counts[digit];
}

__kernel GROUP_OF(1) void radix_sort_cpu_chunk(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_ROUTE(r, passes_needed(0, args.flags))
    const uint shift = shift_of(args.pass);
    const ulong chunk = chunk_of(n);
    const ulong end = min(n, (get_group_id(0) + 1) * chunk);
    const __global COUNT *counts = (const __global COUNT *)(scratch + args.counts_at);
    const __global COUNT *totals = (const __global COUNT *)(scratch + args.totals_at);
    KEY keys[RADIX][GATHERED];
#if VALUE_SIZE
    VALUE values[RADIX][GATHERED];
#endif
    COUNT written[RADIX]; /* up to where a digit's elements are in memory */
    COUNT next[RADIX];    /* where the next one goes; till then they are gathered */
    COUNT smaller = 0;
    for (uint digit = 0; digit < RADIX; digit++) {
        written[digit] = next[digit] = smaller + counts[digit * get_num_groups(0) + get_group_id(0)];
        smaller += totals[digit];
    }
    for (ulong i = get_group_id(0) * chunk; i < end; i++) {
        const KEY key = key_from(&r, i);
        const uint digit = digit_of(image_of(key), shift);
        const COUNT to = next[digit]++;
        keys[digit][to % GATHERED] = key;
#if VALUE_SIZE
        values[digit][to % GATHERED] = value_from(&r, i, 0);
#endif
        if (to % GATHERED < GATHERED - 1)
            continue;
        if (to - written[digit] == GATHERED - 1) {
#pragma unroll
            for (uint k = 0; k < GATHERED; k++)
                r.keys_to[to - (GATHERED - 1) + k] = keys[digit][k];
#if VALUE_SIZE
#pragma unroll
            for (uint k = 0; k < GATHERED; k++)
                r.values_to[to - (GATHERED - 1) + k] = values[digit][k];
#endif
        } else { /* the first line, of which the beginning is another chunk's or digit's */
            for (COUNT at = written[digit]; at <= to; at++) {
                r.keys_to[at] = keys[digit][at % GATHERED];
#if VALUE_SIZE
                r.values_to[at] = values[digit][at % GATHERED];
#endif
            }
        }
        written[digit] = to + 1;
    }
    for (uint digit = 0; digit < RADIX; digit++)
        for (COUNT at = written[digit]; at < next[digit]; at++) {
            r.keys_to[at] = keys[digit][at % GATHERED];
#if VALUE_SIZE
            r.values_to[at] = values[digit][at % GATHERED];
#endif
        }
}
