// SPDX-License-Identifier: MIT
/* segmented_sort_short: windows all of whose segments are short. A group reads what begins in some windows, which lie
 * side by side, into local memory, where each work-item sorts a segment in its registers, by a network; and writes it.
 * Until a group has its first keys it waits for three reads, one after the other: hence windows are several where there
 * are enough of them. Where one has a longer segment or a part of a long one, or very many are empty, they are left to
 * segmented_sort_local: they go into a list.
 * Parameters: keys.cl with COUNTED 0; NETWORK, how long short segments are at most; SHORT_WINDOW, elements of a group's
 * windows at most.
 * Source: Batcher 1968. */

/* Of x[0 .. 32) only the first `count` are there: what is behind them comes last anyhow. */
#define EXCHANGE(i, j)                                                                                                 \
    if ((j) < count) {                                                                                                 \
        const CARD a = x[i];                                                                                           \
        const CARD b = x[j];                                                                                           \
        const bool turns = CARD_BEFORE(b, a);                                                                          \
        x[i] = turns ? b : a;                                                                                          \
        x[j] = turns ? a : b;                                                                                          \
    }
#include "common/networks.cl"
#include "common/subgroup.cl"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"
#include "radix_sort/parts/cards.cl"

#if !defined(NETWORK) || !defined(SHORT_WINDOW)
#error "NETWORK and SHORT_WINDOW must be given"
#endif
#if NETWORK > 32
#error "networks are for at most 32 elements"
#endif
#define SHORT_TILE  (SHORT_WINDOW + NETWORK)
#define SHORT_ITEMS ((SHORT_TILE + GROUP_SIZE - 1) / GROUP_SIZE)
#define AT_ONCE     12               /* keys that a work-item reads: fewer registers than all of its keys take */
#define MOST_SHORT  (2 * SHORT_TILE) /* segments: of more most are empty */

/* One segment of at most `count` elements, in registers; count is known when compiled. What was where is in
 * `origins`. */
ALWAYS_INLINE void sort_short(__local KEY *keys, __local ushort *origins, uint2 own, uint count)
{
    CARD x[32];
#pragma unroll
    for (uint j = 0; j < 32; j++)
        if (j < count) {
            x[j] = CARD_OF(LAST_IMAGE, 0xffff);
            if (j < own.y)
                x[j] = CARD_OF(RANKED(keys[own.x + j]), j);
        }
    if (count > 16) {
        SORT_32(0)
    } else if (count > 8) {
        SORT_16(0)
    } else {
        SORT_8(0)
    }
#if PARTIAL_KEYS
    KEY moved[32];
#pragma unroll
    for (uint j = 0; j < 32; j++)
        if (j < count && j < own.y)
            moved[j] = keys[own.x + CARD_ORIGIN(x[j])];
#endif
#pragma unroll
    for (uint j = 0; j < 32; j++)
        if (j < count && j < own.y) {
#if PARTIAL_KEYS
            keys[own.x + j] = moved[j];
#else
            keys[own.x + j] = CARD_KEY(x[j]);
#endif
#if VALUE_SIZE
            origins[own.x + j] = (ushort)(own.x + CARD_ORIGIN(x[j]));
#endif
        }
}

/* Work-items in step take the same network, that for the longest: else they would go through each network in turn.
 * Where it is not known which these are, all of the group take that for its longest segment. */
#ifdef SUBGROUP_SHUFFLE
#define LEAST_LONGEST        NETWORK /* only longer ones matter to the group */
#define SOME_IS_LONGER(most) clprim_sub_group_any(own.y > (most))
#else
#define LEAST_LONGEST        1
#define SOME_IS_LONGER(most) (longest > (most))
#endif
#define SORT_UP_TO(most) else if (!SOME_IS_LONGER(most)) sort_short(keys, origins, own, most);
ALWAYS_INLINE void sort_by_network(__local KEY *keys, __local ushort *origins, uint2 own, uint longest)
{
    if (!SOME_IS_LONGER(1))
        return;
    SORT_UP_TO(8)
    SORT_UP_TO(12)
    SORT_UP_TO(16)
#if NETWORK > 16
    SORT_UP_TO(20)
#endif
#if NETWORK > 20
    SORT_UP_TO(24)
#endif
#if NETWORK > 24
    SORT_UP_TO(32)
#endif
}

/* Where segment k begins, counted from `first`, and its length: 0 where it is not all there. */
ALWAYS_INLINE uint2 segment_within(const segments_of *all, uint k, ulong first, uint valid)
{
    const ulong begin = segment_begin(all, k);
    const ulong beyond = segment_begin(all, k + 1);
    const bool is_there = begin < beyond && begin >= first && beyond - first <= valid;
    return is_there ? (uint2)((uint)(begin - first), (uint)(beyond - begin)) : (uint2)(0, 0);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_short(ARGS_OF(SEGMENTED_SORT_SHORT))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    __local KEY keys[SHORT_TILE];
#if VALUE_SIZE
    __local ushort origins[SHORT_TILE];
#else
    __local ushort *const origins = 0;
#endif
    __local uint shared_longest;
    SEGMENTS_HERE
    const uint lid = (uint)get_local_id(0);
    const uint from = (uint)get_group_id(0) * args.each;
    const uint own_windows = min(args.each, args.windows - from);
    const uint s = all.firsts[from];
    const uint end = min(all.firsts[from + own_windows], all.count);
    const bool is_within = IS_MERGED && is_within_long(&all, s, from * args.window);
    if (s >= end && !is_within)
        return;
    const ulong first = segment_begin(&all, s);
    const ulong beyond = segment_begin(&all, end);
    const bool is_possible = !is_within && first <= beyond && beyond - first <= SHORT_TILE && end - s <= MOST_SHORT;
    const uint valid = is_possible ? (uint)(beyond - first) : 0;
    if (lid == 0)
        shared_longest = is_possible ? 0 : NETWORK + 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* none is long yet */
    uint own_longest = 0;
    if (is_possible)
        for (uint k = s + lid; k < end; k += GROUP_SIZE)
            own_longest = max(own_longest, segment_within(&all, k, first, valid).y);
    if (own_longest > LEAST_LONGEST)
        (void)atomic_max(&shared_longest, own_longest);
    for (uint begin = lid; begin < valid; begin += AT_ONCE * GROUP_SIZE) {
        KEY images[AT_ONCE];
#pragma unroll
        for (uint j = 0; j < AT_ONCE; j++)
            if (begin + j * GROUP_SIZE < valid)
                images[j] = key_at(keys_in + args.keys_in_offset, first + begin + j * GROUP_SIZE, 0, true);
#pragma unroll
        for (uint j = 0; j < AT_ONCE; j++) {
            const uint i = begin + j * GROUP_SIZE;
            if (i < valid) {
                keys[i] = image_of(images[j]);
#if VALUE_SIZE
                origins[i] = (ushort)i;
#endif
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys; whether one is long */
    const uint longest = shared_longest;
    if (longest > NETWORK) {
        for (uint w = lid; w < own_windows; w += GROUP_SIZE)
            leave_window(&all, from + w, args.windows);
        return;
    }
    for (uint k = s; k < end; k += GROUP_SIZE)
        sort_by_network(keys, origins, k + lid < end ? segment_within(&all, k + lid, first, valid) : (uint2)(0, 0),
                        longest);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segments */
#if VALUE_SIZE
    VALUE values[SHORT_ITEMS];
#pragma unroll
    for (uint j = 0; j < SHORT_ITEMS; j++) {
        const uint i = j * GROUP_SIZE + lid;
        if (i < valid)
#if INDICES
            values[j] = (VALUE)(first + origins[i]);
#else
            values[j] = values_in[args.values_in_offset + first + origins[i]];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all values are read: they may be where they go */
#pragma unroll
    for (uint j = 0; j < SHORT_ITEMS; j++)
        if (j * GROUP_SIZE + lid < valid)
            values_out[args.values_out_offset + first + j * GROUP_SIZE + lid] = values[j];
#endif
    for (uint i = lid; i < valid; i += GROUP_SIZE)
        keys_out[args.keys_out_offset + first + i] = key_of(keys[i]);
}
