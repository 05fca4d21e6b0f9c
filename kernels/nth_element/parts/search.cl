/* search.cl: the search for the keys at several ranks at once, by their images: digit after digit, from the most
 * significant on. Before each level the first digits of each wanted key, its prefix, are known. Ranks whose keys have
 * the same prefix share a slot; slots are in the order of their prefixes. Candidates are the keys with a slot's prefix.
 * A level counts the next digits of each slot's candidates. From the counts follow the digit of each rank, and its rank
 * among the candidates that are left.
 *
 * The fewer slots there are, the more bits the next digit has: 2^WORDS_LOG counters are enough for all digits of all
 * slots. Where they are more than enough, each has copies, of which the lanes take turns.
 *
 * A level reads the keys of the call, or a list that an earlier level has made of its candidates. A level makes a list
 * if its candidates are at most one in LIST_SHARE of the keys that it reads. The order in a list is any.
 *
 * state is memory that only this plan uses, 0 before the first launch and after each: a ticket; at LIST_LENGTH the
 * length of the list that is being made; from TOTALS on the counts of all groups. Counts of 64 bits have their upper
 * halves behind all lower ones, and need no atomics of 64 bits.
 *
 * Parameters: without values, with images in the order in which ranks count, DIGIT_BITS at most KEY_BITS, WORDS_LOG;
 * RANKS, the most ranks of a call; RANK, their type; COPIES_LOG, the most copies; LISTS, whether there are any;
 * SEARCH_BYTES, room for a search; COUNT, and COUNTS_ARE_WIDE, whether that has 64 bits; GROUP_SIZE. keys.cl is told of
 * no values: VALUEs from here on are counts within a tile.
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

/* What is known before a level. */
typedef struct {
    ulong length; /* of what the level reads */
    uint source;  /* 0: that is the keys of the call; 1, 2: a list */
    uint lists;   /* the level makes a list of its candidates: 1, 2; 0: none */
    uint slots;
    uint shift;      /* prefixes are the bits of images from here on */
    uint bits;       /* of the next digit */
    uint copies_log; /* of each counter */
    uint is_done;
} search;

/* Behind it: the slots' prefixes, and for each rank what is left of it among its slot's candidates, and the slot. */
#define PREFIXES(at)       ((__global ulong *)(scratch + (at) + SEARCH_BYTES))
#define LEFT_OF_RANKS(at)  (PREFIXES(at) + RANKS)
#define SLOTS_OF_RANKS(at) ((__global uint *)(LEFT_OF_RANKS(at) + RANKS))

/* The next digit's bits, and copies of its counters. */
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

/* What says which slot an image has. */
typedef struct {
    prefix_bits firsts[RANKS]; /* where the slots' candidates begin, in units of the next digit */
    uchar before[RADIX + 1];   /* for each first digit the number of slots before it */
    uint step;                 /* of the search among slots with one first digit; 0: each has its own */
} slot_table;

/* The counter of an image among those of the level, or NOWHERE: it is no candidate. */
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
        for (uint step = table->step; step > 0; step /= 2) { /* without branches: the last that begins before x */
            const uint next = min(slot + step, end - 1);
            slot = max(slot, next * (uint)(table->firsts[next] <= x));
        }
    }
    const prefix_bits digit = x - table->firsts[slot];
    return digit >> s.bits == 0 ? slot << s.bits | (uint)digit : NOWHERE;
}
