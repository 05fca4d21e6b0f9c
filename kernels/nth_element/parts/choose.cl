// SPDX-License-Identifier: MIT
/* choose.cl: from the totals of a level, choose the next digit of each rank; after the last level, write the keys. */
#include "radix_sort/parts/keys.cl"
#include "common/device_scope.cl"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "nth_element/args.h"
#include "nth_element/parts/search.cl"

#define LISTED_FROM    8192 /* with fewer keys, reading them again is faster than making a list */
#define LOADED_AT_ONCE 8    /* totals */

CLPRIM_WORK_GROUP_SCAN(clprim__counts, COUNT, a + b, 0, GROUP_SIZE)

/* Local memory for choosing digits. */
typedef struct {
    clprim__counts_memory scan;
    uint places[RANKS];   /* the place of each rank's counter */
    uint is_first[RANKS]; /* no earlier rank has the same place */
} choosing;

/* Read a total, and reset it to 0 in global memory. */
static inline COUNT take_total(volatile __global uint *state, uint place)
{
    COUNT total = atomic_xchg(state + TOTALS + place, 0u);
#if COUNTS_ARE_WIDE
    total |= (COUNT)atomic_xchg(state + TOTALS + WORDS + place, 0u) << 32;
#endif
    return total;
}

/* Move the totals to local memory. */
ALWAYS_INLINE void take_totals(__local COUNT *words, uint used, volatile __global uint *state)
{
    for (uint first = (uint)get_local_id(0); first < used; first += LOADED_AT_ONCE * GROUP_SIZE) {
        COUNT totals[LOADED_AT_ONCE];
#pragma unroll
        for (uint b = 0; b < LOADED_AT_ONCE; b++)
            totals[b] = first + b * GROUP_SIZE < used ? take_total(state, first + b * GROUP_SIZE) : 0;
#pragma unroll
        for (uint b = 0; b < LOADED_AT_ONCE; b++) {
            const uint place = first + b * GROUP_SIZE;
            if (place < used)
                words[place] = totals[b];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
}

/* Replace the words by their running sums. Each work-item has some successive words. */
ALWAYS_INLINE void sum_up(__local COUNT *words, uint used, __local clprim__counts_memory *memory)
{
    const uint lid = (uint)get_local_id(0);
    const uint own = (used + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint begin = min(lid * own, used);
    const uint end = min(begin + own, used);
    COUNT sum = 0;
    COUNT total;
    for (uint i = begin; i < end; i++) {
        sum += words[i];
        words[i] = sum;
    }
    const COUNT before = clprim__counts_exclusive(sum, &total, memory);
    for (uint i = begin; i < end; i++)
        words[i] += before;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums are complete */
}

/* The place of the counter that contains a rank, among those of its slot. *left receives the rank within that
 * counter. */
static inline uint place_of(const __local COUNT *words, search s, uint slot, ulong *left)
{
    const uint begin = slot << s.bits;
    const COUNT before = begin > 0 ? words[begin - 1] : 0;
    uint digit = 0;
    for (uint width = (1u << s.bits) / 2; width > 0; width /= 2)
        digit += words[begin + digit + width - 1] - before <= *left ? width : 0;
    *left -= digit > 0 ? words[begin + digit - 1] - before : 0;
    return begin + digit;
}

/* Write the search for the next level; done by one work-item. */
static inline void put_search(search s, const __local COUNT *words, const __local choosing *room, uint rank_count,
                              __global search *to)
{
    const COUNT counted = words[(s.slots << s.bits) - 1];
    search next = s;
    ulong candidates = 0;
    next.slots = 0;
    for (uint r = 0; r < rank_count; r++) {
        const uint place = room->places[r];
        next.slots += room->is_first[r];
        if (room->is_first[r])
            candidates += words[place] - (place > 0 ? words[place - 1] : 0);
    }
    next.shift = s.shift - s.bits;
    next.is_done = next.shift == 0;
    divide_words(&next);
    if (s.lists != 0) {
        next.source = s.lists;
        next.length = counted;
    }
    const bool is_worth_it = LISTS && next.shift > next.bits && next.length >= LISTED_FROM &&
                             candidates <= next.length / LIST_SHARE && candidates <= 0xffffffffu;
    next.lists = !is_worth_it ? 0 : next.source == 1 ? 2 : 1;
    *to = next;
}

/* Choose the digits of all ranks; done by one group. */
ALWAYS_INLINE void choose(__local COUNT *words, search s, __local choosing *room, __global uchar *scratch,
                          volatile __global uint *state, const __global RANK *ranks, __global KEY *keys_out, ulong n,
                          const nth_args args)
{
    const uint pass = args.pass;
    const uint rank_count = (uint)args.rank_count;
    const ulong search_at = args.search_at;
    const ulong next_at = args.next_at;
    const uint lid = (uint)get_local_id(0);
    take_totals(words, s.slots << s.bits, state);
    sum_up(words, s.slots << s.bits, &room->scan);
    for (uint r = lid; r < rank_count; r += GROUP_SIZE) {
        ulong left = pass > 0 ? LEFT_OF_RANKS(search_at)[r] : min((ulong)ranks[args.ranks_offset + r], n - 1);
        room->places[r] = place_of(words, s, pass > 0 ? SLOTS_OF_RANKS(search_at)[r] : 0, &left);
        LEFT_OF_RANKS(next_at)[r] = left;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the places are known */
    for (uint r = lid; r < rank_count; r += GROUP_SIZE) {
        uint same = 0;
        for (uint before = 0; before < r; before++)
            same |= room->places[before] == room->places[r];
        room->is_first[r] = !same;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known which ranks are first */
    for (uint r = lid; r < rank_count; r += GROUP_SIZE) {
        const uint place = room->places[r];
        const ulong digit = place & ((1u << s.bits) - 1);
        const ulong before = pass > 0 ? PREFIXES(search_at)[place >> s.bits] << s.bits : 0;
        uint slot = 0;
        for (uint other = 0; other < rank_count; other++)
            slot += room->is_first[other] && room->places[other] < place;
        SLOTS_OF_RANKS(next_at)[r] = slot;
        if (room->is_first[r])
            PREFIXES(next_at)[slot] = before | digit;
        if (s.shift == s.bits)
            keys_out[args.keys_out_offset + r] = key_of((KEY)(before | digit));
    }
    if (lid == 0) {
        device_store(state + LIST_LENGTH, 0u);
        put_search(s, words, room, rank_count, (__global search *)(scratch + next_at));
    }
}
