// SPDX-License-Identifier: MIT
/* segment_by_bins.cl: sort a segment that a work-group has to itself, by one counting pass and two small networks.
 *
 *     bins_fit = count_bins(&m, places, images, any, valid)    the same for the whole group
 *     sort_bins(&m, places, images)                       only then
 *     write_bins(ARRAYS_HERE, &m, first, common)          write the segment; with a barrier in front of it; `common`:
 *                                                         COMMON_BITS(any)
 *
 * Bins are the values of BIN_BITS bits, from the highest one on in which keys differ. The atomic that counts a key in
 * its bin returns the key's place among those of its bin, in whatever order, and a scan of the counts says where bins
 * begin. So one pass brings all keys to their bins, most of which then have one key or two. Each work-item sorts BLOCK
 * neighbouring ones, whatever their bins, and then merges the upper half of these and the lower half of the next BLOCK.
 * So all bins of up to LONGEST_BIN keys are sorted, wherever they begin. If any has more, as where the upper bits tell
 * little, the caller has to sort the segment otherwise.
 *
 * What is moved are cards. So the result does not depend on the order in which atomics are served.
 * Parameters: cards.cl with CARD_BITS 32 or 64; GROUP_SIZE, a multiple of 32; BIN_BITS: at most BLOCK bins for each
 * work-item. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/cards.cl"
#include "clprim/device/work_group_scan.h"

#define EXCHANGE(i, j)                                                                                                 \
    {                                                                                                                  \
        const CARD a = x[i];                                                                                           \
        const CARD b = x[j];                                                                                           \
        x[i] = min(a, b);                                                                                              \
        x[j] = max(a, b);                                                                                              \
    }
#include "common/networks.cl"

#ifndef BIN_BITS
#error "BIN_BITS must be given"
#endif
#define BINS        (1u << BIN_BITS)
#define BLOCK       16
#define BIN_TILE    (GROUP_SIZE * BLOCK)
#define LONGEST_BIN (BLOCK / 2 + 1)
#if BIN_TILE >> BIN_BITS == 0 || BINS < BLOCK || GROUP_SIZE % 32 != 0
#error "there must be at least BLOCK bins, and at most that many for each work-item, and groups of whole sub-groups"
#endif

/* Words of 16 bytes: of a block of cards, and of as many counts. Neighbouring work-items read theirs in different
 * orders, since otherwise they would read from the same banks. */
#define BLOCK_WORDS       (BLOCK * CARD_BITS / 128)
#define COUNT_WORDS       (BLOCK / 4)
#define IN_TURN(k, words) (((k) + (uint)get_local_id(0) / (8 / (words))) % (words))
/* Where card i is once blocks are sorted: with holes between blocks, since work-items write to neighbouring blocks. */
#define HOLES_AFTER       (CARD_BITS == 64 ? BLOCK : 2 * BLOCK)
#define HOLED(i)          ((i) + (i) / HOLES_AFTER)
#define STAGED_CARDS      (HOLED(BIN_TILE) + BLOCK / 2) /* half a block behind the last one, to fill it up */
#define BINS_COUNT_WORDS  (BINS / 4 + 8)                /* with bins for what is behind the last key */
#define BINS_STAGED_WORDS (((STAGED_CARDS + 1) * (CARD_BITS / 8) + 15) / 16) /* with a card that is nobody's */
#define STRIPE(j)         ((uint)get_local_id(0) + (j)*GROUP_SIZE)
/* Whether the segment has a key STRIPE(j). Each phase reads the number of keys from local memory: else compilers keep
 * the answers in registers. */
#define HAS_STRIPE(j, valid) ((int)get_local_id(0) < (int)(valid) - (int)((j)*GROUP_SIZE))
/* Places in bins, two in a word: registers are few. */
#define PUT_PLACE(places, j, place) ((places)[(j) / 2] = (j) % 2 == 0 ? (place) : (places)[(j) / 2] | (place) << 16)
#define PLACE(places, j)            ((places)[(j) / 2] >> (j) % 2 * 16 & 0xffff)
#define BINS_MAX(a, b)              ((a) > (b) ? (a) : (b))

CLPRIM_WORK_GROUP_SCAN(clprim__bins, uint, a + b, 0, GROUP_SIZE)

typedef struct {
    __local uint4 *counts; /* BINS_COUNT_WORDS */
    __local uint4 *staged; /* BINS_STAGED_WORDS */
    __local uint *valid;   /* keys of the segment, at most BIN_TILE */
    __local uint *highest; /* bit in which keys differ, from 1 on; 0: in none */
    __local uint *is_long; /* a bin: how many keys the longest one has; else 0 */
    __local clprim__bins_memory *sums;
} segment_bins;

/* An image's bin, of which the lowest bit is the image's bit `shift`: the offset of its counter in bytes. */
static inline uint bin_of(KEY image, uint shift)
{
#if KEY_BITS == 64
    const uint bin = (uint)(RANKED(image) >> shift) << 2;
#else
    const uint bin = rotate((uint)RANKED(image), 34 - shift);
#endif
    return bin & (BINS - 1) << 2;
}

static inline __local uint *bin_at(const segment_bins *m, uint offset)
{
    return (__local uint *)((__local uchar *)m->counts + offset);
}

/* The work-item's bins begin behind those of the work-items before. */
ALWAYS_INLINE void scan_bins(const segment_bins *m)
{
    const bool has_bins = get_local_id(0) < BINS / BLOCK;
    __local uint4 *const own = m->counts + (has_bins ? get_local_id(0) * COUNT_WORDS : 0);
    const uint turn = COUNT_WORDS - IN_TURN(0, COUNT_WORDS); /* what is read from then on comes first */
    uint4 most = 0;
    uint early = 0;
    uint late = 0;
#pragma unroll
    for (uint k = 0; k < COUNT_WORDS; k++) {
        const uint4 counts = own[IN_TURN(k, COUNT_WORDS)];
        const uint sum = counts.x + counts.y + counts.z + counts.w;
        most = max(most, counts);
        early += k < turn ? 0 : sum;
        late += k < turn ? sum : 0;
    }
    const uint longest = max(max(most.x, most.y), max(most.z, most.w));
    if (longest > LONGEST_BIN)
        (void)atomic_max(m->is_long, longest);
    uint all;
    uint begin = clprim__bins_exclusive(has_bins ? early + late : 0, &all, m->sums) + early; /* with a barrier */
    if (has_bins) {
#pragma unroll
        for (uint k = 0; k < COUNT_WORDS; k++) {
            const uint4 counts = own[IN_TURN(k, COUNT_WORDS)]; /* once more: registers are few */
            uint4 begins;
            begins.x = k == turn ? begin - early - late : begin;
            begins.y = begins.x + counts.x;
            begins.z = begins.y + counts.y;
            begins.w = begins.z + counts.z;
            begin = begins.w + counts.w;
            own[IN_TURN(k, COUNT_WORDS)] = begins;
        }
    }
}

/* The work-item's image j is that of key STRIPE(j); behind the last key it is `any`, the image of one of the keys. */
ALWAYS_INLINE bool count_bins(const segment_bins *m, uint *places, const KEY *images, KEY any, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    __local CARD *const staged = (__local CARD *)m->staged;
    if (lid == 0) {
        *m->highest = *m->is_long = 0;
        *m->valid = valid;
    }
#pragma unroll
    for (uint k = 0; k < (BINS / 4 + GROUP_SIZE - 1) / GROUP_SIZE; k++)
        if (BINS / 4 % GROUP_SIZE == 0 || STRIPE(k) < BINS / 4)
            m->counts[STRIPE(k)] = 0;
    if (lid < 2 * BLOCK && valid + lid < BIN_TILE) /* the last block and the one behind it */
        staged[valid + lid] = LAST_CARD;
    if (lid < BLOCK / 2)
        staged[HOLED(BIN_TILE) + lid] = LAST_CARD;
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is counted yet */
    KEY differ = 0;
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        differ |= RANKED(images[j]) ^ RANKED(any);
    const uint bits = KEY_BITS - (uint)clz(differ);
    if (bits > *(volatile __local uint *)m->highest) /* few do not find that somebody else was first */
        (void)atomic_max(m->highest, bits);
    barrier(CLK_LOCAL_MEM_FENCE); /* in what keys differ */
    const uint highest = *m->highest;
    const uint shift = highest > BIN_BITS ? highest - BIN_BITS : 0;
    const uint nobodys = (BINS + lid % 32) << 2; /* a branch would cost more than counting in vain */
    if (highest == 0) {                          /* one bin: atomics would wait for each other */
#pragma unroll
        for (uint j = 0; j < BLOCK; j++)
            PUT_PLACE(places, j, STRIPE(j));
    } else {
#pragma unroll
        for (uint j = 0; j < BLOCK; j++)
            PUT_PLACE(places, j, atomic_inc(bin_at(m, HAS_STRIPE(j, valid) ? bin_of(images[j], shift) : nobodys)));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    scan_bins(m);
    barrier(CLK_LOCAL_MEM_FENCE);                            /* where bins begin */
    return *m->is_long == 0 || (shift == 0 && !HAS_ORIGINS); /* then keys of a bin are equal */
}

ALWAYS_INLINE void sort_bins(const segment_bins *m, const uint *places, const KEY *images)
{
    const uint lid = (uint)get_local_id(0);
    const uint valid = *(volatile __local uint *)m->valid;
    __local CARD *const staged = (__local CARD *)m->staged;
    const uint shift = *m->highest > BIN_BITS ? *m->highest - BIN_BITS : 0;
#pragma unroll
    for (uint j = 0; j < BLOCK; j++) {
        const uint place = *bin_at(m, bin_of(images[j], shift)) + PLACE(places, j);
        /* a branch for each key would wait for each place */
        staged[HAS_STRIPE(j, valid) ? place : STAGED_CARDS] = CARD_OF(RANKED(images[j]), STRIPE(j));
    }
    barrier(CLK_LOCAL_MEM_FENCE);                       /* the cards of each bin are together */
    const bool has_block = lid * BLOCK < valid + BLOCK; /* the last one fills up */
    __local CARD *const own = staged + HOLED(lid * BLOCK);
    __local CARD *const next = staged + HOLED((lid + 1) * BLOCK);
    CARD x[BLOCK];
    if (has_block) {
#pragma unroll
        for (uint k = 0; k < BLOCK_WORDS; k++) {
            const uint at = lid * BLOCK_WORDS + IN_TURN(k, BLOCK_WORDS);
#if CARD_BITS == 64
            const ulong2 cards = ((const __local ulong2 *)m->staged)[at];
            x[2 * k] = cards.x;
            x[2 * k + 1] = cards.y;
#else
            const uint4 cards = m->staged[at];
            x[4 * k] = cards.x;
            x[4 * k + 1] = cards.y;
            x[4 * k + 2] = cards.z;
            x[4 * k + 3] = cards.w;
#endif
        }
        SORT_16(0)
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read their blocks */
    if (has_block) {
#pragma unroll
        for (uint k = 0; k < BLOCK / 2; k++) {
            own[k] = x[k];
            x[k] = x[k + BLOCK / 2];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the lower halves */
    if (has_block) {
#pragma unroll
        for (uint k = 0; k < BLOCK / 2; k++)
            x[k + BLOCK / 2] = next[k];
        MERGE_16(0, 1)
#pragma unroll
        for (uint k = 0; k < BLOCK / 2; k++) {
            own[k + BLOCK / 2] = x[k];
            next[k] = x[k + BLOCK / 2];
        }
    }
}

/* To the same places of the outputs, from `first` on. */
ALWAYS_INLINE void write_bins(sorted_arrays a, const segment_bins *m, ulong first, KEY common)
{
    const uint valid = *(volatile __local uint *)m->valid;
    const __local CARD *const own = (const __local CARD *)m->staged + HOLED((uint)get_local_id(0));
    const uint step = HOLED(GROUP_SIZE);
#if VALUE_SIZE
    VALUE values[BLOCK];
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        if (HAS_STRIPE(j, valid)) {
#if INDICES
            values[j] = (VALUE)(first + CARD_ORIGIN(own[j * step]));
#else
            values[j] = a.values_in[first + CARD_ORIGIN(own[j * step])];
#endif
        }
#endif
#if PARTIAL_KEYS
    KEY keys[BLOCK];
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        if (HAS_STRIPE(j, valid))
            keys[j] = key_at(a.keys_in, first, CARD_ORIGIN(own[j * step]), true);
#endif
#if HAS_ORIGINS
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all is read: it may be where it goes */
#endif
#if VALUE_SIZE
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        if (HAS_STRIPE(j, valid))
            a.values_out[first + STRIPE(j)] = values[j];
#endif
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        if (HAS_STRIPE(j, valid))
#if PARTIAL_KEYS
            a.keys_out[first + STRIPE(j)] = keys[j];
#else
            a.keys_out[first + STRIPE(j)] = key_of((KEY)(common | CARD_KEY(own[j * step])));
#endif
}
