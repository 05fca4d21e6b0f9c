// SPDX-License-Identifier: MIT
/* If k is small, two kernels run before the passes of the search. top_k_sample finds a limit that most likely has at
 * least k elements before it, and not many more. top_k_filter then lists the elements before the limit, in one pass
 * over all. finish.cl describes what happens to the lists.
 *
 * One element is taken from each of up to SAMPLES parts of the array, at a pseudo-random place, so that no order of the
 * input can mislead the sample. On average, k * SAMPLES / n of the k wanted elements are among the samples. The limit
 * is a sample that has more samples than that before it, by about 5 standard deviations and one.
 *
 * Lists are not in any order, because many work-items add to each list.
 * Parameters: FILTERS: whether these kernels exist; they require COUNT of 32 bits; SAMPLES_AT_MOST; SAMPLES_EACH per
 * work-item; FILTER_SHARE: k is at most n / FILTER_SHARE; FEW_MOST, see finish.cl. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "top_k/parts/tiles.cl"
#include "top_k/parts/lists.cl"

#if !defined(FILTERS) || !defined(FILTER_SHARE) || !defined(FEW_MOST) || !defined(SAMPLES_AT_MOST) ||                  \
    !defined(SAMPLES_EACH)
#error "FILTERS, FILTER_SHARE, FEW_MOST, SAMPLES_AT_MOST and SAMPLES_EACH must be given"
#endif

#if FILTERS
#define OWN_SAMPLES (SAMPLES_AT_MOST / GROUP_SIZE < SAMPLES_EACH ? SAMPLES_AT_MOST / GROUP_SIZE : SAMPLES_EACH)
#define SAMPLES     (OWN_SAMPLES * GROUP_SIZE)

ALWAYS_INLINE void clear_sums(__local COUNT *sums)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums */
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE)
        sums[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all are 0 */
}

/* Count the digits of candidates among a work-item's samples. */
static inline void count_samples(__local COUNT *sums, const prefix_bits *images, uint own, search s)
{
    const digits d = digits_of(s);
#pragma unroll
    for (uint j = 0; j < OWN_SAMPLES; j++) {
        const prefix_bits digit = (images[j] >> d.shift) - d.first;
        if (digit < d.end && j < own)
            (void)atomic_inc(sums + (uint)digit);
    }
}

/* How many of the samples should be before the limit. */
static inline uint samples_wanted(uint samples, ulong k, ulong n)
{
    const float wanted = (float)k * (float)samples / (float)n;
    return 1 + (uint)(wanted + 5 * sqrt(wanted) + 0.5f);
}

/* The number of samples that minimises the total time, including the time for the elements that are listed. On an H200,
 * a sample takes about 0.75 times as long as a listed element that one group finishes; a listed element that other
 * groups read takes a quarter. If only this group remains (alone), it reads all elements when more than FEW_MOST are
 * listed. */
static inline uint samples_taken(ulong k, ulong n, bool alone)
{
    uint best = SAMPLES;
    float least = 0;
#pragma unroll
    for (uint samples = SAMPLES; samples >= SAMPLES / 8; samples /= 2) {
        const float found = (float)samples_wanted(samples, k, n) * (float)n / (float)samples;
        const float finding = found <= FEW_MOST / 2 ? 2 * found /* otherwise more than FEW_MOST may be listed */
                              : alone               ? (float)n
                              : found <= FEW_MOST   ? 4 * found
                                                    : 4 * (float)FEW_MOST + found / 2;
        const float time = 1.5f * (float)samples + finding;
        const bool is_best = samples == SAMPLES || time < least;
        best = is_best ? samples : best;
        least = is_best ? time : least;
    }
    return best;
}

/* A sample's place. Its place within its part is a hash of i. */
static inline uint sample_place(uint i, uint part)
{
    uint x = i * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return i * part + mul_hi(x, part);
}

/* Runs as one group. */
__kernel GROUP_OF(GROUP_SIZE) void top_k_sample(ARGS_OF(TOP_K_SEARCH))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local COUNT sums[RADIX];
    __local clprim__sums_memory summing;
    prefix_bits images[OWN_SAMPLES];
    const uint lid = (uint)get_local_id(0);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong k = CALL_COUNT_0(args.k);
    const bool helps = n >= SAMPLES && k <= n / FILTER_SHARE;
    const uint samples = helps ? samples_taken(k, n, args.alone > 0) : SAMPLES;
    const uint part = helps ? (uint)n / samples : 1;
#pragma unroll
    for (uint j = 0; j < OWN_SAMPLES; j++) {
        const uint i = j * GROUP_SIZE + lid;
        images[j] = LAST_IMAGE;
        if (j * GROUP_SIZE < samples) { /* uniform */
            const uint place = sample_place(i, part);
            if (place < n)
                images[j] = image_of(key_at(keys_in + args.keys_in_offset, place, 0, true));
        }
    }
    const uint wanted = helps ? samples_wanted(samples, k, n) : 1;
    search s = {0, wanted, 0, KEY_BITS, 0, 0};
    uint taken = SAMPLES; /* samples up to the prefix */
    while (helps && s.shift > 0 && taken > wanted + wanted / 4) {
        clear_sums(sums);
        count_samples(sums, images, (samples + GROUP_SIZE - 1) / GROUP_SIZE, s);
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the counts */
        sum_up(sums, RADIX, &summing);
        s = chosen_together(sums, s);
        taken = wanted - (uint)s.needed + (uint)s.equal;
    }
    if (lid > 0)
        return;
    filter_state f = {0, helps, 0, 0};
    f.limit = ((s.prefix + 1) << s.shift) - 1;
    *FILTER_AT(scratch) = f;
}

__kernel GROUP_OF(GROUP_SIZE) void top_k_filter(ARGS_OF(TOP_K_SEARCH))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local uint length, equal_there, differing[2];
    const uint lid = (uint)get_local_id(0);
    const __global KEY *keys = keys_in + args.keys_in_offset;
    __global uint *list = OWN_LIST(scratch);
    const KEY limit = (KEY)READ_FILTER(scratch)->limit;
    const uint capacity = args.capacity;
    volatile __local uint *listed = &length;
    uint tile;
    uint end;
    uint own_equal = 0;
    KEY own_differing = 0;
    if (!READ_FILTER(scratch)->has_limit)
        return;
    const ulong n = CALL_COUNT_0(args.n);
    const ulong k = CALL_COUNT_0(args.k);
    if (lid == 0)
        length = equal_there = differing[0] = differing[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until nothing is listed */
    own_tiles(&tile, &end, keys, n);
    /* If a list is too long, only whether k elements are before the limit still matters. */
    for (; tile < end && (*listed <= capacity || *listed < k); tile++) {
        packet_words x[ITEMS];
        const tile_range t = tile_range_of(keys, n, tile);
        tile_load(x, t, keys, n);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            bool any = false;
#pragma unroll
            for (uint e = 0; e < PACK; e++) {
                const KEY image = image_of(packet_element(x[j], e));
                any |= image < limit;
                own_equal += image == limit && (t.is_whole || (ulong)(tile_place(t, j) + e) < n);
            }
            for (uint e = 0; any && e < PACK; e++) {
                const uint place = (uint)tile_place(t, j) + e;
                const KEY image = image_of(packet_element(x[j], e));
                if (image >= limit || (!t.is_whole && (ulong)(tile_place(t, j) + e) >= n))
                    continue;
                own_differing |= image ^ limit;
                const uint at = atomic_inc(&length);
                if (at < capacity)
                    list[at] = place;
            }
        }
    }
    if (own_equal > 0)
        (void)atomic_add(&equal_there, own_equal);
    if (own_differing > 0) {
        (void)atomic_or(differing, (uint)own_differing);
        (void)atomic_or(differing + 1, (uint)((ulong)own_differing >> 32));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until everything is listed and counted */
    if (lid > 0)
        return;
    __global COUNT *row = (__global COUNT *)(scratch + args.rows_at) + get_group_id(0) * RADIX;
    OWN_LENGTH(scratch) = length; /* the same results as a pass that finds the limit: */
    ((__global COUNT *)(scratch + args.chunks_at))[get_group_id(0)] = length;
    row[0] = equal_there;
    /* For top_k_finish. If the list is too long, not all elements were looked at. */
    row[1] = length > capacity ? UINT_MAX : differing[0];
    row[2] = length > capacity ? UINT_MAX : differing[1];
}
#endif
