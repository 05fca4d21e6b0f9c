// SPDX-License-Identifier: MIT
/* search.cl: the search for the threshold, the last of the k elements. It finds the digits of the threshold's image one
 * after the other, from the most significant on. Before each pass, the threshold's digits so far, its prefix, are
 * known. Candidates are the elements with the same prefix. The pass counts their next digits, and the digit that
 * contains the needed rank is the threshold's.
 *
 * Each group has a chunk of consecutive elements, the same in all passes. It leaves a row of counts: how many of its
 * candidates have a digit up to d. So once the digit is known, the row says how many elements of the chunk come before
 * the prefix, and how many have it.
 *
 * Parameters: images in the order in which the first k are wanted; DIGIT_BITS, at most KEY_BITS; COUNT; FOLDS: whether
 * passes choose the digit by themselves; GROUP_SIZE. keys.cl is given no values, because it does not move the ones that
 * are carried along. From here on, VALUEs are the counts within a tile.
 * Source: radix select, as in Alabi et al. 2012, Fast k-Selection Algorithms for Graphics Processing Units. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/target.cl"

#ifndef FOLDS
#error "FOLDS must be given"
#endif

#undef VALUE_SIZE
#define VALUE         uint
#define VALUE_SIZE    4
#define IDENTITY      0u
#define COMBINE(a, b) ((a) + (b))
#define COMMUTATIVE   1
#define REDUX         "add.u32"

#if KEY_BITS == 64
typedef ulong prefix_bits;
#else
typedef uint prefix_bits;
#endif

/* The state of the search after some passes. */
typedef struct {
    ulong prefix; /* the threshold's bits from `shift` on */
    ulong needed; /* so many candidates, the first ones by index, are among the k */
    ulong equal;  /* candidates; 0 before the first pass */
    uint shift;
    uint digit;   /* the last digit that was found: an index of the rows */
    uint is_done; /* all candidates are needed: no further digit is needed */
} search;

/* Before the first pass, all elements are candidates, and there may be fewer than k. */
static inline search search_before(uint pass, const __global uchar *scratch, const top_k_args args)
{
    const search first = {0, CALL_COUNT_0(args.k), 0, KEY_BITS, 0, 0};
    return pass > 0 ? *(const __global search *)(scratch + args.search_at) : first;
}

static inline uint shift_below(uint shift)
{
    return shift > DIGIT_BITS ? shift - DIGIT_BITS : 0;
}

static inline prefix_bits bits_of(KEY key, uint shift)
{
    return (prefix_bits)image_of(key) >> shift;
}

/* How many elements of a chunk come before all candidates, and how many are candidates. */
typedef struct {
    COUNT less;
    COUNT equal;
} share;

static inline share share_of(ulong group, uint digit, const __global uchar *scratch, const top_k_args args)
{
    const __global COUNT *row = (const __global COUNT *)(scratch + args.rows_at) + group * RADIX;
    const COUNT below = digit > 0 ? row[digit - 1] : 0;
    share s;
    s.less = ((const __global COUNT *)(scratch + args.chunks_at))[group] + below;
    s.equal = row[digit] - below;
    return s;
}

/* The search after the pass, from the sums of all counts. The needed rank is in this digit. */
static inline search search_behind(uint digit, const __local COUNT *sums, search s)
{
    search found;
    const COUNT before = digit > 0 ? sums[digit - 1] : 0;
    found.shift = shift_below(s.shift);
    found.prefix = s.prefix << (s.shift - found.shift) | digit;
    found.needed = s.needed - before;
    found.digit = digit;
    found.equal = sums[digit] - before;
    found.is_done = found.needed == found.equal;
    return found;
}

/* The digit is the first one whose sum is at least the needed rank. */
static inline search chosen(const __local COUNT *sums, search s)
{
    uint digit = 0;
    for (uint width = RADIX / 2; width > 0; width /= 2)
        digit += sums[digit + width - 1] < s.needed ? width : 0;
    return search_behind(digit, sums, s);
}

/* Choose the digit for all chunks, for the next launch. One work-item does it: when each work-item checked its own
 * digit, and one of them stored, PoCL 3.1 stored the last work-item's values. */
static inline void choose(const __local COUNT *sums, search s, __global uchar *scratch, const top_k_args args)
{
    if (get_local_id(0) == 0)
        *(__global search *)(scratch + args.search_at) = chosen(sums, s);
}

#if !FOLDS
#define CHOOSING (GROUP_SIZE > RADIX ? GROUP_SIZE / RADIX : 1) /* work-items that share the rows of a digit */

/* Runs as one group after each pass, if passes do not choose the digit by themselves. */
__kernel GROUP_OF(GROUP_SIZE) void top_k_choose(ARGS_OF(TOP_K_SCRATCH))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local COUNT sums[RADIX * CHOOSING];
    const search s = search_before(args.pass, scratch, args);
    const uint lid = (uint)get_local_id(0);
    const __global COUNT *row = (const __global COUNT *)(scratch + args.rows_at);
    if (s.is_done)
        return;
    barrier(CLK_GLOBAL_MEM_FENCE); /* all have read what one replaces */
    for (uint i = lid; i < RADIX * CHOOSING; i += GROUP_SIZE) {
        COUNT sum = 0;
#pragma unroll 16 /* loaded in parallel */
        for (ulong r = i / RADIX; r < args.groups; r += CHOOSING)
            sum += row[r * RADIX + i % RADIX];
        sums[i] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums of every CHOOSING-th row */
    for (uint d = lid; d < RADIX; d += GROUP_SIZE)
        for (uint i = 1; i < CHOOSING; i++)
            sums[d] += sums[i * RADIX + d];
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums */
    choose(sums, s, scratch, args);
}
#endif

/* Each group's chunk has a list of elements; elements that are not in it need not be read. A list that would be
 * longer than its capacity is not used. The lengths are stored after all groups' counts of the elements before the
 * candidates. */
#define OWN_LIST(scratch)   ((__global uint *)(scratch + args.lists_at) + get_group_id(0) * ((ulong)args.capacity + 1))
#define OWN_LENGTH(scratch) (((__global COUNT *)(scratch + args.chunks_at))[get_num_groups(0) + get_group_id(0)])

/* Write element i, which is among the k, to place `at`. */
static inline void put(ulong at, KEY key, ulong i, target to)
{
    to.keys[at] = key;
#if CARRIED_SIZE && CARRIES_INDICES
    to.carried[at] = (CARRIED)i;
#elif CARRIED_SIZE
    to.carried[at] = to.carried_in[i];
#endif
}
