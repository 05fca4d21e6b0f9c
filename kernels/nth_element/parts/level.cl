// SPDX-License-Identifier: MIT
/* nth_element_level: count the next digits of all candidates, and possibly make a list of the candidates. A group has a
 * share of what is read. With FOLDS, the group that finishes last chooses the digits; otherwise nth_element_choose
 * does, in a separate launch. If ranks share slots, digits have more bits. So a level may find that all digits are
 * known already; then it does nothing.
 *
 * Parameters: FOLDS, with COUNT of 32 bits; from the variant's file: has_share, whether the group has anything to read;
 * count_share; counting, the local memory that it needs. */
#include "radix_sort/parts/keys.cl"
#include "common/last_group.cl"
#include "nth_element/args.h"
#include "nth_element/parts/search.cl"
#include "nth_element/parts/choose.cl"

#ifndef FOLDS
#error "FOLDS must be given"
#endif

/* Add to a total over all groups. Returns whether its lower word has wrapped, which never happens if counts have 32
 * bits. */
static inline bool add_total(volatile __global uint *state, uint place, uint count)
{
    const bool wraps = atomic_add(state + TOTALS + place, count) > 0xffffffffu - count;
#if COUNTS_ARE_WIDE
    if (wraps)
        (void)atomic_inc(state + TOTALS + WORDS + place);
#endif
    return wraps;
}

/* The sum over all copies of a counter. Each lane begins with another copy, so there are fewer bank conflicts. */
static inline uint counter_sum(const __local uint *counters, uint i, uint copies_log)
{
    const uint copies = 1u << copies_log;
    uint sum = 0;
    for (uint c = 0; c < copies; c++)
        sum += counters[(i << copies_log) + ((c + i) & (copies - 1))];
    return sum;
}

/* Add the group's counts to the totals. Returns whether any total has wrapped. */
ALWAYS_INLINE bool add_totals(const __local uint *counters, search s, volatile __global uint *state)
{
    const uint used = s.slots << s.bits;
    bool has_wrapped = false;
#if CLPRIM_SUB_GROUP_MEANS == 1 && !COUNTS_ARE_WIDE
    /* Several at once, because it takes time until their results are there. PoCL 3.1 miscompiles this: some sums are
     * wrong. */
    enum { AT_ONCE = 4 };
    for (uint first = (uint)get_local_id(0); first < used; first += AT_ONCE * GROUP_SIZE) {
        uint sums[AT_ONCE];
        uint before[AT_ONCE];
#pragma unroll
        for (uint b = 0; b < AT_ONCE; b++) {
            const uint i = first + b * GROUP_SIZE;
            sums[b] = i < used ? counter_sum(counters, i, s.copies_log) : 0;
            before[b] = sums[b] > 0 ? atomic_add(state + TOTALS + i, sums[b]) : 0;
        }
#pragma unroll
        for (uint b = 0; b < AT_ONCE; b++)
            has_wrapped |= before[b] > 0xffffffffu - sums[b];
    }
#else
    for (uint i = (uint)get_local_id(0); i < used; i += GROUP_SIZE) {
        const uint sum = counter_sum(counters, i, s.copies_log);
        if (sum > 0)
            has_wrapped |= add_total(state, i, sum);
    }
#endif
    return has_wrapped;
}

/* Load what counter_of in search.cl needs. A work-item has some successive first digits. */
ALWAYS_INLINE void load_slots(__local slot_table *table, search s, uint pass, __global uchar *scratch, ulong search_at)
{
    const uint lid = (uint)get_local_id(0);
    for (uint slot = lid; slot < s.slots; slot += GROUP_SIZE)
        table->firsts[slot] = pass > 0 ? (prefix_bits)PREFIXES(search_at)[slot] << s.bits : 0;
    if (lid == 0)
        table->step = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the beginnings of slots are known, and the counters are 0 */
    if (s.slots == 1)
        return;
    const uint above = KEY_BITS - DIGIT_BITS - (s.shift - s.bits); /* bits after the first digit */
    const uint own = RADIX / GROUP_SIZE + 1;
    const uint begin = min(lid * own, RADIX + 1);
    uint before = 0;
    uint most = 0;
    for (uint width = 128; width > 0; width /= 2)
        if (before + width <= s.slots && (table->firsts[before + width - 1] >> above) < begin)
            before += width;
    for (uint digit = begin; digit < min(begin + own, RADIX + 1); digit++) {
        uint next = before;
        table->before[digit] = (uchar)before;
        while (next < s.slots && (table->firsts[next] >> above) <= digit)
            next++;
        most = max(most, next - before);
        before = next;
    }
    if (most > 1)
        (void)atomic_max(&table->step, 1u << (31 - clz(most - 1)));
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is complete */
}

__kernel GROUP_OF(GROUP_SIZE) void nth_element_level(ARGS_OF(NTH_LEVEL))
{
    const nth_args args = ARGS(NTH_NUMBERS);
    __local uint counters[WORDS];
    __local slot_table table;
    __local counting room;
#if FOLDS
    __local choosing chosen;
    __local uint is_last;
#endif
    bool has_wrapped = false;
    const ulong n = CALL_COUNT_0(args.n);
    if (n == 0)
        return;
    const search s = search_before(args.pass, n, scratch, args.search_at);
    if (s.is_done) {
        if (get_global_id(0) == 0)
            ((__global search *)(scratch + args.next_at))->is_done = 1;
        return;
    }
    const __global KEY *keys = keys_in + args.keys_in_offset;
    if (s.source != 0)
        keys = (const __global KEY *)(scratch + (s.source == 1 ? args.list_at : args.other_list_at));
    if (has_share(keys, s)) {
        __global KEY *to = (__global KEY *)(scratch + (s.lists == 1 ? args.list_at : args.other_list_at));
        for (uint i = (uint)get_local_id(0); i < s.slots << (s.bits + s.copies_log); i += GROUP_SIZE)
            counters[i] = 0;
        load_slots(&table, s, args.pass, scratch, args.search_at);
        count_share(counters, &table, keys, s, to, state + LIST_LENGTH, &room);
        barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
        has_wrapped = add_totals(counters, s, state);
    }
#if FOLDS
    if (is_last_group(state, has_wrapped, &is_last)) /* all work-items are done with the counters, too */
        choose(counters, s, &chosen, scratch, state, ranks, keys_out, n, args);
#endif
}

#if !FOLDS
/* Launched with one group, after each level. */
__kernel GROUP_OF(GROUP_SIZE) void nth_element_choose(ARGS_OF(NTH_SEARCH))
{
    const nth_args args = ARGS(NTH_NUMBERS);
    __local COUNT words[WORDS];
    __local choosing chosen;
    const ulong n = CALL_COUNT_0(args.n);
    if (n == 0)
        return;
    const search s = search_before(args.pass, n, scratch, args.search_at);
    if (s.is_done)
        return;
    choose(words, s, &chosen, scratch, state, ranks, keys_out, n, args);
}
#endif
