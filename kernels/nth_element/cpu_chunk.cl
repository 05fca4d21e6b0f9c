// SPDX-License-Identifier: MIT
/* cpu_chunk.cl: a share of a level, for CPUs. A work-group is one work-item, and so one thread at a time, with one
 * contiguous chunk. Two kinds of blocks are found by comparisons alone, which are vectorised: blocks whose keys all
 * have the same counter and, if there is one slot, blocks without a candidate. Candidates are collected in a buffer
 * before they go to a list.
 * Parameters: GROUP_SIZE 1; COPIES_LOG 0. */
#include "radix_sort/parts/keys.cl"
#include "nth_element/parts/search.cl"
#include "common/own_chunk.cl"

#if COPIES_LOG != 0
#error "COPIES_LOG must be 0"
#endif

#define BLOCK     64
#define COLLECTED 1024

typedef struct {
    KEY collected[COLLECTED];
} counting;

static inline bool has_share(const __global KEY *keys, search s)
{
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, s.length);
    return begin < end;
}

/* Whether any element of the block that begins at `begin` is a candidate of the only slot. */
static inline bool has_any(const __global KEY *keys, ulong begin, search s, prefix_bits first)
{
    const uint shift = s.shift - s.bits;
    const prefix_bits last = ((prefix_bits)1 << s.bits) - 1;
    const bool are_given = s.source == 0;
    uint found = 0;
    for (uint j = 0; j < BLOCK; j++)
        found |= ((prefix_bits)image_of(key_at(keys, begin, j, are_given)) >> shift) - first <= last;
    return found != 0;
}

/* Whether all elements of the block that begins at `begin` have the same counter, or all of them have none. Usually the
 * first and the last element already differ. */
static inline bool are_alike(const __global KEY *keys, ulong begin, search s)
{
    const uint shift = s.shift - s.bits;
    const bool are_given = s.source == 0;
    const prefix_bits first = (prefix_bits)image_of(key_at(keys, begin, 0, are_given)) >> shift;
    prefix_bits differs = (prefix_bits)image_of(key_at(keys, begin, BLOCK - 1, are_given)) >> shift ^ first;
    if (differs != 0)
        return false;
    for (uint j = 0; j < BLOCK; j++)
        differs |= (prefix_bits)image_of(key_at(keys, begin, j, are_given)) >> shift ^ first;
    return differs == 0;
}

/* Append the collected candidates to the list. */
static inline void list_collected(const __local KEY *collected, uint count, __global KEY *to,
                                  volatile __global uint *length)
{
    const uint at = atomic_add(length, count);
    for (uint i = 0; i < count; i++)
        to[at + i] = collected[i];
}

static inline void count_share(__local uint *counters, const __local slot_table *table, const __global KEY *keys,
                               search s, __global KEY *to, volatile __global uint *length, __local counting *room)
{
    const bool looks_first = s.slots == 1 && s.shift < KEY_BITS;
    const prefix_bits first = table->firsts[0];
    uint collected = 0;
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, s.length);
    for (ulong i = begin; i < end; i += BLOCK) {
        const bool is_whole = i + BLOCK <= end;
        if (is_whole && s.lists == 0 && are_alike(keys, i, s)) {
            const uint place = counter_of(image_of(key_at(keys, i, 0, s.source == 0)), s, table);
            if (place != NOWHERE)
                counters[place] += BLOCK;
            continue;
        }
        if (looks_first && is_whole && !has_any(keys, i, s, first))
            continue;
        for (ulong j = i; j < min(end, i + BLOCK); j++) {
            const KEY key = key_at(keys, j, 0, s.source == 0);
            const uint place = counter_of(image_of(key), s, table);
            if (place == NOWHERE)
                continue;
            counters[place]++;
            if (s.lists != 0)
                room->collected[collected++] = key;
        }
        if (collected > COLLECTED - BLOCK) {
            list_collected(room->collected, collected, to, length);
            collected = 0;
        }
    }
    if (collected > 0)
        list_collected(room->collected, collected, to, length);
}

#include "nth_element/parts/level.cl"
