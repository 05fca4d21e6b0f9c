// SPDX-License-Identifier: MIT
/* search.cl: the search for the keys at several ranks at once. It looks at the keys' images digit by digit, beginning
 * with the most significant one. Before each level, the first digits of each wanted key are known; they are its prefix.
 * Ranks whose keys have the same prefix share a slot; slots are in the order of their prefixes. Candidates are the keys
 * with the prefix of some slot. A level counts the next digits of each slot's candidates. From these counts follow the
 * next digit of each rank, and its rank among the remaining candidates.
 *
 * The fewer slots there are, the more bits the next digit has: there are 2^WORDS_LOG counters for the digits of all
 * slots. If that is more than needed, each counter has copies, which the lanes use in turn.
 *
 * A level reads the keys of the call, or a list of candidates that an earlier level has made. A level makes such a list
 * if its candidates are at most 1/LIST_SHARE of the keys that it reads. The order in a list is unspecified.
 *
 * `state` is memory that only this plan uses, 0 before the first launch and after each launch: a ticket; at
 * LIST_LENGTH, the length of the list that is being made; from TOTALS on, the counts of all groups. The upper halves of
 * 64-bit counts come after all lower halves, and need no 64-bit atomics.
 *
 * Parameters: keys without values, with images in the order in which ranks count; DIGIT_BITS, at most KEY_BITS;
 * WORDS_LOG; RANKS, the maximum number of ranks of a call; RANK, their type; COPIES_LOG, the maximum of copies; LISTS,
 * whether there are any; SEARCH_BYTES, the size of a search; COUNT, and COUNTS_ARE_WIDE, whether it has 64 bits;
 * GROUP_SIZE. keys.cl is compiled without values: VALUEs from here on are counts within a tile.
 * Source: radix select, as in Alabi et al. 2012. */
#include "nth_element/args.h"
#include "radix_sort/parts/keys.cl"

#if !defined(RANKS) || !defined(RANK) || !defined(WORDS_LOG) || !defined(COPIES_LOG) || !defined(LISTS)
#error "RANKS, RANK, WORDS_LOG, COPIES_LOG and LISTS must be given"
#endif
#if !defined(LIST_LENGTH) || !defined(TOTALS) || !defined(LIST_SHARE) || !defined(SEARCH_BYTES)
#error "LIST_LENGTH, TOTALS, LIST_SHARE and SEARCH_BYTES must be given"
#endif
#ifndef COUNTS_ARE_WIDE
#error "COUNTS_ARE_WIDE must be given"
#endif
#if DIGIT_BITS > WORDS_LOG || DIGIT_BITS > KEY_BITS
#error "a digit has more bits than there are counters, or than a key has"
#endif

#undef VALUE_SIZE
#define VALUE         uint
#define VALUE_SIZE    4
#define IDENTITY      0u
#define COMBINE(a, b) ((a) + (b))
#define COMMUTATIVE   1
#define REDUX         "add.u32"

#define WORDS         (1u << WORDS_LOG)
#define NOWHERE       (~0u)

#if KEY_BITS == 64
typedef ulong prefix_bits;
#else
typedef uint prefix_bits;
#endif

/* The state of the search before a level. */
typedef struct {
    ulong length; /* number of keys that the level reads */
    uint source;  /* 0: the keys of the call; 1, 2: a list */
    uint lists;   /* the list that the level makes of its candidates: 1, 2; 0: none */
    uint slots;
    uint shift;      /* prefixes are the bits of images from this one on */
    uint bits;       /* number of bits of the next digit */
    uint copies_log; /* log2 of the copies of each counter */
    uint is_done;
} search;

/* After it: the slots' prefixes, and for each rank its rank among the slot's candidates, and the slot. */
#define PREFIXES(at)       ((__global ulong *)(scratch + (at) + SEARCH_BYTES))
#define LEFT_OF_RANKS(at)  (PREFIXES(at) + RANKS)
#define SLOTS_OF_RANKS(at) ((__global uint *)(LEFT_OF_RANKS(at) + RANKS))

/* Choose the number of bits of the next digit, and the number of copies of its counters. */
static inline void divide_words(search *s)
{
    const uint slots_log = s->slots > 1 ? 32 - clz(s->slots - 1) : 0;
    s->bits = min(min((uint)DIGIT_BITS, WORDS_LOG - slots_log), s->shift);
    s->copies_log = min((uint)COPIES_LOG, WORDS_LOG - slots_log - s->bits);
}

static inline search search_before(uint pass, ulong n, const __global uchar *scratch, ulong search_at)
{
    search first = {n, 0, 0, 1, KEY_BITS, 0, 0, 0};
    divide_words(&first);
    return pass > 0 ? *(const __global search *)(scratch + search_at) : first;
}

/* The table by which the slot of an image is found. */
typedef struct {
    prefix_bits firsts[RANKS]; /* the first image of each slot's candidates, in units of the next digit */
    uchar before[RADIX + 1];   /* for each first digit, the number of slots before it */
    uint step;                 /* first step of the search among slots with the same first digit; 0: each slot has its
                                * own */
} slot_table;

/* The counter of an image among those of the level; NOWHERE if the image is not a candidate. */
static inline uint counter_of(KEY image, search s, const __local slot_table *table)
{
    const prefix_bits x = (prefix_bits)image >> (s.shift - s.bits);
    uint slot = 0;
    if (s.slots > 1) {
        const uint first_digit = (uint)((prefix_bits)image >> (KEY_BITS - DIGIT_BITS));
        const uint end = table->before[first_digit + 1];
        slot = table->before[first_digit];
        if (slot == end)
            return NOWHERE;
        for (uint step = table->step; step > 0; step /= 2) { /* the last slot that begins before x, without branches */
            const uint next = min(slot + step, end - 1);
            slot = max(slot, next * (uint)(table->firsts[next] <= x));
        }
    }
    const prefix_bits digit = x - table->firsts[slot];
    return digit >> s.bits == 0 ? slot << s.bits | (uint)digit : NOWHERE;
}
