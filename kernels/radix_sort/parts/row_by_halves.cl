// SPDX-License-Identifier: MIT
/* row_by_halves.cl: sort_row of row.cl for segments whose keys agree in all but the lower 16 bits and have no values. It is
 * the same method (segment_by_bins.cl), but only these halves of keys are moved, and a word has two of them: so a
 * work-item has twice as many keys in its registers, and the networks compare two pairs of keys at once.
 *
 * A round sorts all blocks, and then merges the upper half of each block and the lower half of the next one. What a bin
 * of up to LONGEST_BIN keys needs is one round. Longer ones take further rounds: half blocks that are merged in turns with
 * the one before and the one behind are in order after as many turns as there are half blocks.
 * Parameters: segment_by_bins.cl with its parameters, with BIN_BITS at most 16. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/cards.cl"
#include "radix_sort/parts/segment_by_bins.cl"

#define HALF_WORDS   BLOCK                    /* of a work-item's keys: two blocks */
#define HALVES_TILE  (GROUP_SIZE * 2 * BLOCK) /* keys of a segment, at most */
#define BLOCK_HALVES (BLOCK / 8)              /* words of 16 bytes of a block */
#define HALVES_WORDS                                                                                                   \
    ((HALVES_TILE + BLOCK) / 8) /* and half a block behind the last one, and as many that are nobody's */
#define LAST_HALF 0xffff
#if KEY_BITS != 32 || HAS_ORIGINS || BIN_BITS > 16
#error "keys must have 32 bits, and no values"
#endif

/* The lower halves of two words in one, and the upper ones; what compilers must not keep apart, since registers are few;
 * and two pairs of halves at once. */
#if CLPRIM_SUB_GROUP_MEANS == 1
static inline uint lower_halves(uint a, uint b)
{
    uint both;
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(both) : "r"(a), "r"(b));
    return both;
}

static inline uint upper_halves(uint a, uint b)
{
    uint both;
    asm("prmt.b32 %0, %1, %2, 0x7632;" : "=r"(both) : "r"(a), "r"(b));
    return both;
}

static inline uint together(uint both)
{
    asm volatile("" : "+r"(both));
    return both;
}

static inline uint smaller_halves(uint a, uint b)
{
    uint smaller;
    asm("min.u16x2 %0, %1, %2;" : "=r"(smaller) : "r"(a), "r"(b));
    return smaller;
}

static inline uint larger_halves(uint a, uint b)
{
    uint larger;
    asm("max.u16x2 %0, %1, %2;" : "=r"(larger) : "r"(a), "r"(b));
    return larger;
}
#else
static inline uint lower_halves(uint a, uint b)
{
    return (a & 0xffff) | b << 16;
}

static inline uint upper_halves(uint a, uint b)
{
    return a >> 16 | (b & 0xffff0000);
}

static inline uint together(uint both)
{
    return both;
}

static inline uint smaller_halves(uint a, uint b)
{
    return as_uint(min(as_ushort2(a), as_ushort2(b)));
}

static inline uint larger_halves(uint a, uint b)
{
    return as_uint(max(as_ushort2(a), as_ushort2(b)));
}
#endif
#undef EXCHANGE
#define EXCHANGE(i, j)                                                                                                 \
    {                                                                                                                  \
        const uint a = x[i];                                                                                           \
        const uint b = x[j];                                                                                           \
        x[i] = smaller_halves(a, b);                                                                                   \
        x[j] = larger_halves(a, b);                                                                                    \
    }
#include "common/networks.cl"

/* Whether any work-item has keys in the word, of which most segments have the first ones. */
#define HAS_WORD(k, valid) ((k) < HALF_WORDS * 3 / 4 || (k)*2 * GROUP_SIZE < (valid))

typedef segment_bins row_memory;
#define ROW_MEMORY(m)                                                                                                  \
    __local uint4 row_counts[BINS_COUNT_WORDS];                                                                        \
    __local uint4 row_staged[HALVES_WORDS];                                                                            \
    __local clprim__bins_memory row_sums;                                                                              \
    __local uint row_words[3];                                                                                         \
    const row_memory m = {row_counts, row_staged, row_words, row_words + 1, row_words + 2, &row_sums};

/* Half a block of two: in the lower halves of words those of word `at`, in the upper ones those of as many words behind
 * as there are in half of a tile. */
ALWAYS_INLINE void read_halves(uint *x, const __local uint4 *staged, uint at)
{
    const uint4 a = staged[at];
    const uint4 b = staged[at + GROUP_SIZE * BLOCK_HALVES];
    x[0] = lower_halves(a.x, b.x);
    x[1] = upper_halves(a.x, b.x);
    x[2] = lower_halves(a.y, b.y);
    x[3] = upper_halves(a.y, b.y);
    x[4] = lower_halves(a.z, b.z);
    x[5] = upper_halves(a.z, b.z);
    x[6] = lower_halves(a.w, b.w);
    x[7] = upper_halves(a.w, b.w);
}

ALWAYS_INLINE void write_halves(__local uint4 *staged, const uint *x, uint at)
{
    const uint4 a = {lower_halves(x[0], x[1]), lower_halves(x[2], x[3]), lower_halves(x[4], x[5]),
                     lower_halves(x[6], x[7])};
    const uint4 b = {upper_halves(x[0], x[1]), upper_halves(x[2], x[3]), upper_halves(x[4], x[5]),
                     upper_halves(x[6], x[7])};
    staged[at] = a;
    staged[at + GROUP_SIZE * BLOCK_HALVES] = b;
}

/* How many keys are to be sorted: none if all are equal. */
static inline uint unequal_keys(const row_memory *m)
{
    return *(volatile __local uint *)m->highest > 0 ? *(volatile __local uint *)m->valid : 0;
}

ALWAYS_INLINE void merge_rounds(const row_memory *m)
{
    const uint own = (uint)get_local_id(0) * BLOCK_HALVES;
    const uint rounds = (*m->is_long + BLOCK / 2 - 2) / BLOCK + 1;
    for (uint round = 0; round < rounds; round++) {
        uint x[BLOCK];
        read_halves(x, m->staged, own + IN_TURN(0, 2));
        read_halves(x + BLOCK / 2, m->staged, own + IN_TURN(1, 2));
        SORT_16(0)
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read their blocks */
        write_halves(m->staged, x, own);
        barrier(CLK_LOCAL_MEM_FENCE); /* the lower halves of blocks */
#pragma unroll
        for (uint k = 0; k < BLOCK / 2; k++)
            x[k] = x[k + BLOCK / 2];
        read_halves(x + BLOCK / 2, m->staged, own + BLOCK_HALVES);
        MERGE_16(0, 1)
        write_halves(m->staged, x, own + 1);
        write_halves(m->staged, x + BLOCK / 2, own + BLOCK_HALVES);
        barrier(CLK_LOCAL_MEM_FENCE); /* all halves of blocks */
    }
}

ALWAYS_INLINE void sort_row(const row_memory *m, sorted_arrays a, ulong first, uint given)
{
    const uint lid = (uint)get_local_id(0);
    __local ushort *const staged = (__local ushort *)m->staged;
    const uint any = image_of(given > 0 ? key_at(a.keys_in, first, 0, true) : 0);
    const uint any_twice = lower_halves(any, any);
    uint halves[HALF_WORDS];
    uint differ = 0;
#pragma unroll
    for (uint k = 0; k < HALF_WORDS; k++) {
        uint images[2];
#pragma unroll
        for (uint h = 0; h < 2; h++)
            images[h] = HAS_STRIPE(2 * k + h, given)
                            ? image_of(key_at(a.keys_in, first + lid, (2 * k + h) * GROUP_SIZE, true))
                            : any;
        halves[k] = together(lower_halves(images[0], images[1]));
        differ |= halves[k] ^ any_twice;
    }
    if (lid == 0) {
        *m->highest = *m->is_long = 0;
        *m->valid = given;
    }
#pragma unroll
    for (uint k = 0; k < (BINS / 4 + GROUP_SIZE - 1) / GROUP_SIZE; k++)
        if (BINS / 4 % GROUP_SIZE == 0 || STRIPE(k) < BINS / 4)
            m->counts[STRIPE(k)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is counted yet */
    const uint bits = 32 - clz((differ | differ >> 16) & 0xffff);
    if (bits > *(volatile __local uint *)m->highest) /* few do not find that somebody else was first */
        (void)atomic_max(m->highest, bits);
    barrier(CLK_LOCAL_MEM_FENCE); /* in what keys differ */
    const uint shift = max(*m->highest, (uint)BIN_BITS) - BIN_BITS;
    const uint counted = unequal_keys(m);
    const uint nobodys = (BINS + lid % 32) << 2; /* a branch for each key would cost more than counting in vain */
#pragma unroll
    for (uint j = 0; j < 2 * HALF_WORDS; j++) {
        if (!HAS_WORD(j / 2, counted))
            continue;
        const uint bin = bin_of(halves[j / 2], shift + j % 2 * 16);
        (void)atomic_inc(bin_at(m, HAS_STRIPE(j, counted) ? bin : nobodys));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    scan_bins(m);
    barrier(CLK_LOCAL_MEM_FENCE); /* where bins begin */
    const uint again = max(*m->highest, (uint)BIN_BITS) - BIN_BITS;
    const uint placed = unequal_keys(m);
#pragma unroll
    for (uint j = 0; j < 2 * HALF_WORDS; j++) {
        if (!HAS_WORD(j / 2, placed))
            continue;
        const uint bin = HAS_STRIPE(j, placed) ? bin_of(halves[j / 2], again + j % 2 * 16) : nobodys;
        const uint place = atomic_inc(bin_at(m, bin)); /* a branch for each key would wait for each place */
        staged[HAS_STRIPE(j, placed) ? place : HALVES_TILE + BLOCK / 2] = (ushort)(halves[j / 2] >> j % 2 * 16);
    }
    /* Blocks behind the last key's and the next one may have anything, unless rounds bring it nearer. */
    const uint filled = *m->is_long > 0 ? HALVES_TILE : min(placed + 2 * BLOCK, (uint)HALVES_TILE);
    for (uint i = placed + lid; i < filled + BLOCK / 2; i += GROUP_SIZE)
        staged[i] = LAST_HALF;
    barrier(CLK_LOCAL_MEM_FENCE); /* the halves of each bin are together */
    merge_rounds(m);              /* with a barrier at its end */
    const uint sorted = unequal_keys(m);
#pragma unroll
    for (uint part = 0; part < 2; part++) {
        uint written[BLOCK];
#pragma unroll
        for (uint k = 0; k < BLOCK; k++)
            written[k] = staged[STRIPE(part * BLOCK + k)];
#pragma unroll
        for (uint k = 0; k < BLOCK; k++)
            if (HAS_STRIPE(part * BLOCK + k, sorted))
                a.keys_out[first + STRIPE(part * BLOCK + k)] = key_of((any & 0xffff0000) | written[k]);
    }
}
