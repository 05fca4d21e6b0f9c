// SPDX-License-Identifier: MIT
/* radix_sort_split: one bit per pass. Let s_i be the number of elements before i that have the bit, and Nz the number
 * of all elements without it. Element i goes to i - s_i if its bit is 0, otherwise to Nz + s_i. Three launches: groups
 * count the ones of their tiles (radix_sort_count_bits); each count is replaced by the sum of those before it, and
 * their total is kept (radix_sort_rows, rows.cl); the elements move (radix_sort_split).
 * What is wrong with it: keys of 32 bits are read and written 32 times.
 * Why: keys of 32 bits take 32 passes, each of which reads and writes all of them.
 * Source: lecture, radix sort.
 * Parameters: keys.cl with DIGIT_BITS 1; GROUP_SIZE, ITEMS consecutive elements per work-item. */
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/rows.cl"
#include "radix_sort/copy.cl"

CLPRIM_WORK_GROUP_SCAN(clprim__ones, uint, a + b, 0, GROUP_SIZE)

/* The bit by which a pass sorts. */
static inline uint bit_of(KEY key, uint pass)
{
    return digit_of(image_of(key), shift_of(pass));
}

/* How many elements of the group's tile have the bit. *before: how many of these come before the work-item's own, which
 * begin with element `first`. */
ALWAYS_INLINE uint scan_ones(uint *before, __local clprim__ones_memory *memory, const route *r, ulong first, ulong n,
                             uint pass)
{
    uint own = 0;
    uint all;
    for (uint j = 0; j < ITEMS; j++)
        own += first + j < n ? bit_of(key_from(r, first + j), pass) : 0;
    *before = clprim__ones_exclusive(own, &all, memory);
    return all;
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_count_bits(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local clprim__ones_memory memory;
    SORT_ROUTE(r, passes_needed(0, args.flags))
    __global COUNT *counts = (__global COUNT *)(scratch + args.counts_at);
    uint before;
    const uint ones = scan_ones(&before, &memory, &r, get_global_id(0) * (ulong)ITEMS, n, args.pass);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = ones;
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_split(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local clprim__ones_memory memory;
    SORT_ROUTE(r, passes_needed(0, args.flags))
    const __global COUNT *counts = (const __global COUNT *)(scratch + args.counts_at); /* ones in the tiles before each
                                                                                        * tile */
    const __global COUNT *total = (const __global COUNT *)(scratch + args.totals_at);
    const ulong first = get_global_id(0) * (ulong)ITEMS;
    const ulong zeros = n - *total;
    uint before;
    (void)scan_ones(&before, &memory, &r, first, n, args.pass);
    ulong ones_before = counts[get_group_id(0)] + before;
    for (ulong i = first; i < first + ITEMS && i < n; i++) {
        const KEY key = key_from(&r, i);
        const uint bit = bit_of(key, args.pass);
        const ulong to = bit == 0 ? i - ones_before : zeros + ones_before;
        r.keys_to[to] = key;
#if VALUE_SIZE
        r.values_to[to] = value_from(&r, i, 0);
#endif
        ones_before += bit;
    }
}
