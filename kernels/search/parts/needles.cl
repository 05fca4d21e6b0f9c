// SPDX-License-Identifier: MIT
/* needles.cl: the arguments of all variants of the search.
 *
 *   is_behind(x, needle)          whether the needle's place is after x
 *   bound(a, n, needle)           how many elements of a[0 .. n), which is sorted, are before the needle's place
 *   needle_at(own, begin, k)      needle begin + k; `own` points to needle `begin`
 *
 *   PUT_PLACE(to, a, n, place, needle)    to = place; with FOUND_ONLY only if a[0 .. n) contains the needle
 *
 * INDEX of items.cl is also the output's type. Parameters: UPPER; FOUND_ONLY; GROUP_SIZE. */
#include "common/items.cl"
#include "common/bounds.cl"

#if !defined(UPPER) || !defined(FOUND_ONLY) || !defined(GROUP_SIZE)
#error "UPPER, FOUND_ONLY and GROUP_SIZE must be given"
#endif

/* Define n and m, limited by counts on the device. */
#define HEED_COUNTS                                                                                                    \
    const ulong n = CALL_COUNT_0(args.n);                                                                              \
    const ulong m = CALL_COUNT_1(args.m);

static inline bool is_behind(item x, item needle)
{
    return UPPER ? !before(needle, x) : before(x, needle);
}

static inline INDEX bound(array a, INDEX n, item needle)
{
    return UPPER ? upper_bound(a, n, needle) : lower_bound(a, n, needle);
}

#if FOUND_ONLY
/* Equal elements are after a lower bound, and before an upper bound. */
static inline bool is_found(array a, INDEX n, INDEX place, item needle)
{
#if UPPER
    return place > 0 && !before(load(a, place - 1), needle);
#else
    return place < n && !before(needle, load(a, place));
#endif
}
#define PUT_PLACE(to, a, n, place, needle)                                                                             \
    do {                                                                                                               \
        if (is_found(a, n, place, needle))                                                                             \
            to = place;                                                                                                \
    } while (0)
#else
#define PUT_PLACE(to, a, n, place, needle) to = place
#endif

static inline item needle_at(array own, ulong begin, INDEX k)
{
#ifdef INPUT_AT
    const ELEMENT x = INPUT_AT(begin + k);
    return IMAGE_OF(x);
#else
    return load(own, k);
#endif
}
