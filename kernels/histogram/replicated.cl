// SPDX-License-Identifier: MIT
/* histogram_replicated: each lane has a copy of the group's table in local memory. The COPIES words of a slot are
 * adjacent: with as many copies as banks, there are no bank conflicts, whatever the data are.
 *
 * The groups add their sums to words in global memory, which also count the groups. The group that finds that all
 * others have added theirs has the slot's total, and writes it. This takes one launch and no fence. With 64-bit
 * atomics, a single atomic both adds and counts. Without them, the sum is added first, and the group is counted after
 * that atomic has returned: an atomic that has returned a value is complete. So a group that finds all groups counted
 * also finds all sums added.
 *
 * CUMULATIVE: counters are replaced by running sums. Each group computes running sums of its own counters, and the
 * totals of these are the result.
 *
 * `sums` is memory that only this kernel uses: TABLE words, all 0 before the first launch and after each launch.
 * Why: each lane has its own copy and its own bank, so lanes do not wait for each other whatever the data are, and one
 * launch is enough.
 * Parameters: the prelude; COPIES, a power of two; CUMULATIVE; CLPRIM_INT64_ATOMICS. */
#include "histogram/args.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/finish.cl"
#include "histogram/parts/running_sums.cl"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"

#if !defined(COPIES) || !defined(CUMULATIVE) || !defined(CLPRIM_INT64_ATOMICS)
#error "COPIES, CUMULATIVE and CLPRIM_INT64_ATOMICS must be given"
#endif
#if CLPRIM_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#define ONE_GROUP        (1ul << 32) /* in a word of the sums; the lower half counts elements */
#define SLOTS_AT_ONCE    (TABLE > GROUP_SIZE ? 4 : 1)

#define TABLE_PARAMETERS , __local uint *table
#define TABLE_ARGUMENTS  , table

/* The word of a slot in the lane's copy. */
static inline __local uint *own_word(__local uint *table, uint slot)
{
    return table + slot * COPIES + get_local_id(0) % COPIES;
}

/* Count one element in this slot. This takes atomics, because a group has more work-items than there are copies. */
static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    (void)atomic_inc(own_word(table, slot));
}

#define COUNTS_AT_ONCE 2 /* for packets of equal elements: images have large areas of the same grey */
static inline void count_at_once(uint slot, uint times TABLE_PARAMETERS)
{
    (void)atomic_add(own_word(table, slot), times);
}

#include "histogram/parts/count_elements.cl"

/* The sum over all copies. */
static inline uint slot_sum(const __local uint *table, uint slot)
{
    uint sum = 0;
    for (uint c = 0; c < COPIES; c++) /* each lane begins with another copy, so there are no bank conflicts */
        sum += table[slot * COPIES + (c + slot) % COPIES];
    return sum;
}

#if CUMULATIVE
CLPRIM_WORK_GROUP_SCAN(clprim__running, uint, a + b, 0, GROUP_SIZE)
#endif

__kernel GROUP_OF(GROUP_SIZE) void histogram_replicated(ARGS_OF(HISTOGRAM_REPLICATED))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    __local uint4 words[(TABLE * COPIES + 3) / 4]; /* cleared four at a time */
    __local uint *table = (__local uint *)words;
    const uint lid = (uint)get_local_id(0);
    for (uint i = lid; i < (TABLE * COPIES + 3) / 4; i += GROUP_SIZE)
        words[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    COUNT_ELEMENTS(args)
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
#if CUMULATIVE
    __local uint amounts[TABLE];
    __local clprim__running_memory memory;
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE)
        amounts[slot] = slot_sum(table, slot);
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums are known */
    for (uint c = 0; c < ACTIVE; c++) {
        RUNNING_SUMS(uint, amounts + c * SLOTS, memory)
    }
#define SLOT_SUM(slot) amounts[slot]
#else
#define SLOT_SUM(slot) slot_sum(table, slot)
#endif
#if CLPRIM_INT64_ATOMICS
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE) {
        const uint sum = SLOT_SUM(slot);
        const ulong before = atom_add(sums + slot, ONE_GROUP + sum);
        if (before / ONE_GROUP == get_num_groups(0) - 1) { /* all other groups have added theirs */
            (void)atom_xchg(sums + slot, 0ul); /* for the next launch, which cannot begin before this one ends */
            finish(slot, (uint)before + sum, out + args.out_offset, outside + args.outside_offset, args.flags);
        }
    }
#else
    volatile __global uint *halves = (volatile __global uint *)sums; /* the sum, then the number of groups */
    for (uint first = lid; first < TABLE; first += SLOTS_AT_ONCE * GROUP_SIZE) {
        uint added[SLOTS_AT_ONCE];
        bool has_wrapped[SLOTS_AT_ONCE]; /* no sum wraps, because a launch has fewer than 2^32 elements */
        uint before[SLOTS_AT_ONCE];
#pragma unroll
        for (uint b = 0; b < SLOTS_AT_ONCE; b++) {
            const uint slot = first + b * GROUP_SIZE;
            added[b] = slot < TABLE ? SLOT_SUM(slot) : 0;
            before[b] = slot < TABLE ? atomic_add(halves + 2 * slot, added[b]) : 0;
        }
#pragma unroll
        for (uint b = 0; b < SLOTS_AT_ONCE; b++)
            has_wrapped[b] = before[b] > 0xffffffffu - added[b];
#pragma unroll
        for (uint b = 0; b < SLOTS_AT_ONCE; b++) {
            const uint slot = first + b * GROUP_SIZE;
            before[b] = slot < TABLE ? atomic_add(halves + 2 * slot + 1, 1 + (uint)has_wrapped[b]) : 0;
        }
#pragma unroll
        for (uint b = 0; b < SLOTS_AT_ONCE; b++) {
            const uint slot = first + b * GROUP_SIZE;
            if (slot < TABLE && before[b] == get_num_groups(0) - 1) {
                (void)atomic_xchg(halves + 2 * slot + 1, 0u);
                finish(slot, atomic_xchg(halves + 2 * slot, 0u), out + args.out_offset, outside + args.outside_offset,
                       args.flags);
            }
        }
    }
#endif
}
