// SPDX-License-Identifier: MIT
/* search_binary: an independent binary search for each needle. Each read of a search depends on the read before it, and
 * may be anywhere in the array. So there should be few of them.
 *
 *   At first   the search uses elements at equal distances, a sample, which the group has loaded into local memory. The
 *              sample is stored as a tree, level by level: the nodes of a level, among which needles spread, are in
 *              different banks. The sample is as large as pays off for the group's needles.
 *   Then       it reads an element at a time. A work-item searches for ITEMS needles at once, whose loads do not wait
 *              for each other. Choosing a half does not cause a branch, and the number of steps depends only on n.
 *   At last    it reads the remaining TAIL elements as whole packets: they are in one sector, which memory returns as a
 *              whole, and which might no longer be in the cache when the next half is known.
 *
 * Searches run as if the number of elements were a power of two, with the missing ones equal to the last one.
 * Parameters: ITEMS needles per work-item; SAMPLES_LOG: there are 2^SAMPLES_LOG - 1 samples, or none if it is 0;
 * NEEDLES_LOG: a sample pays off for 2^NEEDLES_LOG needles. */
#include "common/items.cl"
#include "common/packet.cl"
#include "search/args.h"
#include "search/parts/needles.cl"

#if !defined(ITEMS) || !defined(SAMPLES_LOG) || !defined(NEEDLES_LOG)
#error "ITEMS, SAMPLES_LOG and NEEDLES_LOG must be given"
#endif

#define TILE     ((ulong)GROUP_SIZE * ITEMS)
#define HAS_TAIL (PACK > 1 && !CUSTOM)
#if HAS_TAIL
#define TAIL ((INDEX)(32 / ELEMENT_SIZE))
#else
#define TAIL ((INDEX)1)
#endif

static inline item element_at(array a, INDEX n, INDEX i)
{
    return load(a, min(i, n - 1));
}

/* How often n elements can be halved. */
static inline uint levels_of(INDEX n)
{
    return n > 1 ? (uint)(sizeof(INDEX) * 8 - clz((INDEX)(n - 1))) : 0;
}

/* How many of the levels are in the sample: as many as pay off for the needles, but so that whole tails remain. */
static inline uint sampled_levels(uint levels, INDEX tail, ulong needles)
{
    uint sampled = min(min(levels, (uint)SAMPLES_LOG), 63 - (uint)clz(needles >> NEEDLES_LOG | 1));
    while (sampled > 0 && ((INDEX)1 << (levels - sampled)) < tail)
        sampled--;
    return sampled;
}

#if SAMPLES_LOG > 0
/* Node s, counted from 1, has the children 2 s and 2 s + 1. */
static inline void load_samples(local_array samples, array a, INDEX n, uint levels, uint sampled)
{
    for (uint s = (uint)get_local_id(0) + 1; s < 1u << sampled; s += GROUP_SIZE) {
        const uint level = 31 - clz(s);
        const INDEX blocks = (INDEX)(2 * (s - (1u << level)) + 1) << (sampled - 1 - level);
        local_store(samples, s, element_at(a, n, (blocks << (levels - sampled)) - 1));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all samples are loaded */
}
#endif

/* The needle's place among the elements from `at` on; there are at most `tail`. */
static inline INDEX place_in_tail(array a, INDEX n, INDEX at, INDEX tail, item x)
{
    at = min(at, n);
#if HAS_TAIL
    if (tail > 1 && n - at >= tail) {
        const __global packet_words *const packets = (const __global packet_words *)(a.keys + at);
        packet_words words[TAIL / PACK];
        uint count = 0;
#pragma unroll
        for (uint p = 0; p < TAIL / PACK; p++)
            words[p] = packets[p];
#pragma unroll
        for (uint k = 0; k < TAIL; k++) {
            const ELEMENT y = packet_element(words[k / PACK], k % PACK);
            count += is_behind(IMAGE_OF(y), x) ? 1 : 0;
        }
        return at + count;
    }
    for (INDEX step = tail / 2; step > 0; step /= 2)
        at += at < n && is_behind(element_at(a, n, at + step - 1), x) ? step : 0;
    at = min(at, n);
#endif
    return at + (at < n && is_behind(load(a, at), x) ? 1 : 0);
}

__kernel GROUP_OF(GROUP_SIZE) void search_binary(ARGS_OF(SEARCH_ARRAYS))
{
    const search_args args = ARGS(SEARCH_NUMBERS);
#if SAMPLES_LOG > 0
    LOCAL_ARRAY(samples, 1 << SAMPLES_LOG);
#endif
    HEED_COUNTS
    const ulong share = args.share;
    const array a = ARRAY_OF(in);
    const INDEX count = (INDEX)n;
    const ulong end = min(m, (get_group_id(0) + 1) * share);
    const ulong first = min(end, get_group_id(0) * share);
    const INDEX tail = PACKET_SHIFT(a.keys) == 0 ? TAIL : 1;
    const uint levels = levels_of(count);
    const uint sampled = sampled_levels(levels, tail, end - first);
#if SAMPLES_LOG > 0
    load_samples(samples, a, count, levels, sampled);
#endif
    for (ulong begin = first + get_local_id(0); begin < end; begin += TILE) {
        const array own = array_from(ARRAY_OF(needles), begin);
        const ulong left = end - begin;
        item x[ITEMS];
        INDEX at[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            x[j] = needle_at(own, begin, j * GROUP_SIZE < left ? j * GROUP_SIZE : 0);
            at[j] = 0;
        }
#if SAMPLES_LOG > 0
        uint node[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            node[j] = 1;
        for (uint level = 0; level < sampled; level++)
#pragma unroll
            for (uint j = 0; j < ITEMS; j++)
                node[j] = 2 * node[j] + (is_behind(local_load(samples, node[j]), x[j]) ? 1 : 0);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            at[j] = (INDEX)(node[j] - (1u << sampled)) << (levels - sampled);
#endif
        for (INDEX step = levels > sampled ? (INDEX)1 << (levels - sampled - 1) : 0; step >= tail; step /= 2)
#pragma unroll
            for (uint j = 0; j < ITEMS; j++)
                at[j] += is_behind(element_at(a, count, at[j] + step - 1), x[j]) ? step : 0;
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (j * GROUP_SIZE < left) {
                const INDEX place = place_in_tail(a, count, at[j], tail, x[j]);
                PUT_PLACE(out[args.out_offset + begin + j * GROUP_SIZE], a, count, place, x[j]);
            }
    }
}
