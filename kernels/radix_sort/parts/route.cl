// SPDX-License-Identifier: MIT
/* route.cl: where a pass reads and writes, from its kernel's arguments.
 *
 *     SORT_COUNT                 defines n, the number of elements
 *     SORT_ROUTE(r, needed)      the same, and r, the route of the pass, if the passes of `needed` are made
 *     passes_needed(same, flags) which these are, if all keys have the same digit in the passes of `same`
 *     GIVEN_KEYS, GIVEN_VALUES   the call's arrays, for key_at with are_given; 0 if they are in no array
 *
 * Between passes, keys and values are in scratch memory. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"

/* flags: IN_PLACE: the first pass must not overwrite the input, keys or values; MUST_MOVE: elements must be moved even
 * if no pass has anything to do */
#if !defined(IN_PLACE) || !defined(MUST_MOVE)
#error "IN_PLACE and MUST_MOVE must be given"
#endif

#define SORT_COUNT const ulong n = CALL_COUNT_0(args.n);

#ifdef INPUT_AT
#define GIVEN_KEYS 0
#else
#define GIVEN_KEYS (keys_in + args.keys_in_offset)
#endif
#if INDICES
#define GIVEN_VALUES 0
#else
#define GIVEN_VALUES (values_in + args.values_in_offset)
#endif

/* Passes in `same`, one bit each, in which all keys have the same digit, are left out, except for those that bring the
 * elements to the output. So a sort in place takes an even number of passes, if there are enough. */
static inline ulong passes_needed(ulong same, uint flags)
{
    const ulong all = (2ul << (PASSES - 1)) - 1;
    ulong needed = all & ~same;
    for (uint k = 0; k < 2; k++) { /* two more are enough */
        const ulong idle = all & ~needed;
        const bool wants_more =
            ((flags & IN_PLACE) != 0 && popcount(needed) % 2 == 1) || ((flags & MUST_MOVE) != 0 && needed == 0);
        if (wants_more)
            needed |= idle & (0 - idle);
    }
    return needed;
}

/* Whether the result is in scratch memory and must be copied. */
static inline bool ends_in_scratch(ulong needed, uint flags)
{
    return (flags & IN_PLACE) != 0 && popcount(needed) % 2 == 1;
}

/* SORT_ROUTE(r, needed): n, and r, the route of the kernel's pass. */
#define SORT_ROUTE(r, passes)                                                                                          \
    route r;                                                                                                           \
    SORT_COUNT                                                                                                         \
    {                                                                                                                  \
        const ulong needed = passes;                                                                                   \
        const uint count = (uint)popcount(needed);                                                                     \
        const bool ends_there = !ends_in_scratch(needed, args.flags);                                                  \
        r.is_idle = (needed >> args.pass & 1) == 0;                                                                    \
        r.turn = (uint)popcount(needed & ((2ul << args.pass) - 1));                                                    \
        r.is_first = r.turn == 1;                                                                                      \
        r.is_last = r.turn == count;                                                                                   \
        const bool to_out = ((count - r.turn) % 2 == 0) == ends_there;                                                 \
        __global KEY *const keys_between = (__global KEY *)scratch;                                                    \
        r.keys_from = r.is_first ? GIVEN_KEYS : to_out ? keys_between : keys_out + args.keys_out_offset;               \
        r.keys_to = to_out ? keys_out + args.keys_out_offset : keys_between;                                           \
        SORT_ROUTE_VALUES(r)                                                                                           \
    }
#if VALUE_SIZE
#define SORT_ROUTE_VALUES(r)                                                                                           \
    __global VALUE *const values_between = (__global VALUE *)(scratch + args.values_at);                               \
    r.values_from = r.is_first ? GIVEN_VALUES : to_out ? values_between : values_out + args.values_out_offset;         \
    r.values_to = to_out ? values_out + args.values_out_offset : values_between;
#else
#define SORT_ROUTE_VALUES(r)
#endif
