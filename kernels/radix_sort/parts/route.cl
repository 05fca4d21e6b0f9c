/* route.cl: where a pass reads and writes, from what its kernel takes.
 *
 *     SORT_COUNT                 n, how many elements there are
 *     SORT_ROUTE(r, same)        the same, and route r of the pass, where all keys have the same digit in the passes in
 *                                `same`
 *     GIVEN_KEYS, GIVEN_VALUES   those of the call, for key_at with are_given; 0 where they are in no array
 *
 * In between keys and values are in scratch memory. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"

/* flags: what comes in, keys or values, may not be written over by the first pass; even where no pass has anything to
 * do */
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

/* Passes in `same`, a bit each, whose digit is the same in all keys, are left out, but for those needed to bring all to
 * where it shall lie; so that what is in place takes an even number of passes, where there are so many. */
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

/* Is what was sorted left in scratch memory, from where it must be copied? */
static inline bool ends_in_scratch(ulong needed, uint flags)
{
    return (flags & IN_PLACE) != 0 && popcount(needed) % 2 == 1;
}

/* SORT_ROUTE(r, same): n, and route r of the kernel's pass. */
#define SORT_ROUTE(r, same)                                                                                            \
    route r;                                                                                                           \
    SORT_COUNT                                                                                                         \
    {                                                                                                                  \
        const ulong needed = passes_needed(same, args.flags);                                                          \
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
