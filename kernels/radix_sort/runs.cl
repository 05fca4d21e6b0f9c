// SPDX-License-Identifier: MIT
/* radix_sort_runs: after radix_sort_count has counted keys of 8 bits that have no values, the sorted array is written
 * run by run, and no key is moved.
 *
 * A group has consecutive packets of 16 bytes, which begin at multiples of 16 bytes; the first and the last packet of
 * the array may have fewer keys. Most packets lie within a run.
 * Source: counting sort (Seward 1954). */
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/state.cl"
#include "radix_sort/count.cl"

CLPRIM_WORK_GROUP_SCAN(clprim__runs, COUNT, a + b, 0, GROUP_SIZE)

#define PACKET 16 /* keys */

/* The digit of the key at this place. ends[digit]: the number of keys up to and including this digit. */
static inline uint digit_at(const __local COUNT *ends, ulong place)
{
    uint digit = 0;
#pragma unroll
    for (uint step = RADIX / 2; step > 0; step /= 2)
        digit += ends[digit + step - 1] <= place ? step : 0;
    return digit;
}

__kernel GROUP_OF(GROUP_SIZE) void radix_sort_runs(ARGS_OF(RADIX_SORT_RUNS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local COUNT ends[RADIX];
    __local clprim__runs_memory memory;
    volatile __global uint *totals = state + SORT_TOTALS(args.epoch);
    SORT_COUNT
    const uint lid = (uint)get_local_id(0);
    COUNT before = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const COUNT own = first + lid < RADIX ? (COUNT)totals[first + lid] : 0;
        COUNT sum;
        const COUNT left = clprim__runs_exclusive(own, &sum, &memory);
        if (first + lid < RADIX)
            ends[first + lid] = before + left + own;
        before += sum;
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory may be used again; after the last turn, all ends are known */
    }

    __global KEY *out = keys_out + args.keys_out_offset;
    const uint skew = (uint)(uintptr_t)out % PACKET; /* keys that are missing in the first packet */
    const ulong packets = (skew + n + PACKET - 1) / PACKET;
    const ulong share = (packets + get_num_groups(0) - 1) / get_num_groups(0);
    const ulong end = min(packets, (get_group_id(0) + 1) * share);
    for (ulong p = get_group_id(0) * share + lid; p < end; p += GROUP_SIZE) {
        const ulong from = p * PACKET > skew ? p * PACKET - skew : 0;
        const ulong to = min(n, (p + 1) * PACKET - skew);
        uint digit = digit_at(ends, from);
        if (to - from == PACKET && ends[digit] >= to) {
            *(__global uint4 *)(out + from) = (uint4)((uint)key_of((KEY)digit) * 0x01010101u);
        } else {
            for (ulong i = from; i < to; i++) {
                while (ends[digit] <= i)
                    digit++;
                out[i] = key_of((KEY)digit);
            }
        }
    }
}
