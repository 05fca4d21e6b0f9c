// SPDX-License-Identifier: MIT
/* tiles.cl: how a work-group counts the digits of tiles, and gathers elements from them.
 *
 * Parameters: GROUP_SIZE; ITEMS packets per work-item; a tile has fewer than 2^16 elements. */
#include "radix_sort/parts/keys.cl"
#include "top_k/parts/search.cl"
#include "top_k/parts/target.cl"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"

#if GROUP_SIZE * ITEMS * 16 / (KEY_BITS / 8) >= 65536
#error "a tile's elements are counted in 16 bits"
#endif

CLPRIM_WORK_GROUP_SCAN(clprim__sums, COUNT, a + b, 0, GROUP_SIZE)

/* Replace `size` counts, a power of two, by their inclusive sums. All work-items call it, after a barrier. */
ALWAYS_INLINE void sum_up(__local COUNT *counts, uint size, __local clprim__sums_memory *summing)
{
    const uint lid = (uint)get_local_id(0);
    const uint own = size > GROUP_SIZE ? size / GROUP_SIZE : 1;
    const bool has_some = lid < size / own;
    __local COUNT *mine = counts + (has_some ? lid * own : 0);
    COUNT sum = 0;
    COUNT all;
    for (uint i = 0; has_some && i < own; i++)
        sum += mine[i];
    sum = clprim__sums_exclusive(sum, &all, summing);
    for (uint i = 0; has_some && i < own; i++) {
        sum += mine[i];
        mine[i] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums */
}

/* chosen() by all work-items of a group together. */
ALWAYS_INLINE search chosen_together(const __local COUNT *sums, search s)
{
#if defined(SUBGROUP_SHUFFLE) /* by ballots, which are independent of each other */
    uint digit = 0;
#pragma unroll
    for (uint d = 0; d < RADIX; d += clprim_sub_group_size()) {
        const uint at = d + clprim_sub_group_lane(); /* a sub-group may have more lanes than there are digits */
        digit += clprim_sub_group_votes(at < RADIX && sums[min(at, (uint)RADIX - 1)] < s.needed);
    }
    return search_behind(min(digit, (uint)RADIX - 1), sums, s);
#else
    return chosen(sums, s);
#endif
}

/* The digits of candidates: bits from `first` to before first + end. */
typedef struct {
    uint shift;
    prefix_bits first;
    prefix_bits end;
} digits;

static inline digits digits_of(search s)
{
    digits d;
    d.shift = shift_below(s.shift);
    d.first = (prefix_bits)s.prefix << (s.shift - d.shift);
    d.end = (prefix_bits)1 << (s.shift - d.shift);
    return d;
}

/* Count the digits of the candidates in the tiles from `tile` to before `end`. There are `copies` of each counter,
 * which the lanes use in turn. */
ALWAYS_INLINE void count_tiles(__local uint *counters, uint copies, search s, uint tile, uint end,
                               const __global KEY *keys, ulong n)
{
    const digits d = digits_of(s);
    for (; tile < end; tile++) {
        packet_words x[ITEMS];
        const tile_range t = tile_range_of(keys, n, tile);
        tile_load(x, t, keys, n);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
#pragma unroll
            for (uint k = 0; k < PACK; k++) {
                const prefix_bits digit = bits_of(packet_element(x[j], k), d.shift) - d.first;
                if (digit < d.end && (t.is_whole || (ulong)(tile_place(t, j) + k) < n))
                    (void)atomic_inc(counters + (uint)digit * copies + get_local_id(0) % copies);
            }
    }
}

/* Two counts of a part of a tile in one word: elements before the threshold's prefix in the low half, candidates in the
 * high half. */
#define ONE_EQUAL        (1u << 16)
#define LESS_IN(counts)  ((counts) % ONE_EQUAL)
#define EQUAL_IN(counts) ((counts) / ONE_EQUAL)

/* The amount that an element adds to these counts; 0 if it is after the threshold, or does not exist. */
static inline uint count_of(packet_words x, uint j, uint k, tile_range t, search s, ulong n)
{
    const prefix_bits bits = bits_of(packet_element(x, k), s.shift);
    const bool exists = t.is_whole || (ulong)(tile_place(t, j) + k) < n;
    return !exists || bits > (prefix_bits)s.prefix ? 0 : bits < (prefix_bits)s.prefix ? 1 : ONE_EQUAL;
}

/* Write the elements among the k from the tiles from `tile` to before `end` to their places, from `at` to before
 * end_at: the elements before the threshold, and the first `wanted` candidates. */
ALWAYS_INLINE void gather_tiles(ulong at, ulong end_at, ulong wanted, search s, uint tile, uint end,
                                __local clprim__tile_memory *shared, const __global KEY *keys, ulong n, target to)
{
    for (; tile < end && at < end_at; tile++) {
        packet_words x[ITEMS];
        VALUE counts[ITEMS];
        VALUE before_mine;
        const tile_range t = tile_range_of(keys, n, tile);
        tile_load(x, t, keys, n);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            counts[j] = 0;
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                counts[j] += count_of(x[j], j, k, t, s, n);
        }
        const VALUE total = clprim__tile_fold(counts, &before_mine, shared);
        clprim__tile_prefixes(counts, before_mine, shared);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            uint rank = counts[j];
#pragma unroll
            for (uint k = 0; k < PACK; k++) {
                const uint one = count_of(x[j], j, k, t, s, n);
                if (one == 1 || (one != 0 && EQUAL_IN(rank) < wanted))
                    put(at + LESS_IN(rank) + min((ulong)EQUAL_IN(rank), wanted), packet_element(x[j], k),
                        (ulong)(tile_place(t, j) + k), to);
                rank += one;
            }
        }
        const ulong taken = min((ulong)EQUAL_IN(total), wanted);
        at += LESS_IN(total) + taken;
        wanted -= taken;
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `shared` */
    }
}
