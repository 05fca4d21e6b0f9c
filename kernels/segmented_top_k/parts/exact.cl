// SPDX-License-Identifier: MIT
/* exact.cl: finds the k-th of a small team's keys without shuffles, by sorting networks.
 *
 * Each lane sorts its keys in registers, WIDTH at a time, and keeps the first WIDTH of all so far. The first WIDTH of
 * two sorted lists are the minima of pairs: the first element of one list and the last of the other, the second of one
 * and the last but one of the other, and so on. Then lanes do the same with the lists of two, four, ... lanes. A
 * minimum is one instruction, so this takes fewer instructions than if each key had a place with it. It finds the k-th
 * key for any keys.
 *
 * All teams of a group must call these functions together.
 * Parameters: LISTED; those of team.cl. */
#include "common/kernel.h"
#define EXCHANGE(i, j)                                                                                                 \
    {                                                                                                                  \
        const ranked a = x[i];                                                                                         \
        const ranked b = x[j];                                                                                         \
        x[i] = min(a, b);                                                                                              \
        x[j] = max(a, b);                                                                                              \
    }
#include "common/networks.cl"
#include "radix_sort/parts/keys.cl"
#include "segmented_top_k/parts/team.cl"

#ifndef LISTED
#error "LISTED must be given"
#endif

#if LISTED <= 1
#define WIDTH            1
#define SORT_WIDTH(i)    SORT_1(i)
#define BITONIC_WIDTH(i) BITONIC_1(i)
#elif LISTED <= 2
#define WIDTH            2
#define SORT_WIDTH(i)    SORT_2(i)
#define BITONIC_WIDTH(i) BITONIC_2(i)
#elif LISTED <= 4
#define WIDTH            4
#define SORT_WIDTH(i)    SORT_4(i)
#define BITONIC_WIDTH(i) BITONIC_4(i)
#elif LISTED <= 8
#define WIDTH            8
#define SORT_WIDTH(i)    SORT_8(i)
#define BITONIC_WIDTH(i) BITONIC_8(i)
#elif LISTED <= 16
#define WIDTH            16
#define SORT_WIDTH(i)    SORT_16(i)
#define BITONIC_WIDTH(i) BITONIC_16(i)
#else
#define WIDTH 32 /* too many: not used */
#endif

/* For larger teams, a bound from minima (bound.cl) takes fewer steps. */
#define IS_EXACT (TEAM_BITS <= 2 && WIDTH <= 16 && WIDTH <= KEYS_EACH)

#if IS_EXACT
#if KEY_BITS == 64
typedef ulong ranked;
#else
typedef uint ranked;
#endif

/* Sort the lane's keys from number `from` on. Keys that do not exist are LAST_IMAGE. */
ALWAYS_INLINE void sort_next(ranked *x, const KEY *images, uint there, uint from)
{
#pragma unroll
    for (uint i = 0; i < WIDTH; i++)
        x[i] = (there >> (from + i) & 1) != 0 ? images[from + i] : LAST_IMAGE;
    SORT_WIDTH(0)
}

/* Leave the first WIDTH elements of x and y, which are both sorted, in x. */
ALWAYS_INLINE void keep_first(ranked *x, const ranked *y)
{
#pragma unroll
    for (uint i = 0; i < WIDTH; i++)
        x[i] = min(x[i], y[WIDTH - 1 - i]);
    BITONIC_WIDTH(0)
}

/* The team's key number LISTED, or LAST_IMAGE if it has fewer. `lists` has room for WIDTH keys per work-item of the
 * group. */
ALWAYS_INLINE KEY find_exactly(const KEY *images, uint there, __local KEY *lists)
{
    const uint lid = (uint)get_local_id(0);
    ranked first[WIDTH];
    ranked other[WIDTH];
    sort_next(first, images, there, 0);
#pragma unroll
    for (uint from = WIDTH; from < KEYS_EACH; from += WIDTH) {
        sort_next(other, images, there, from);
        keep_first(first, other);
    }
#pragma unroll
    for (uint bit = 0; bit < TEAM_BITS; bit++) {
#pragma unroll
        for (uint i = 0; i < WIDTH; i++)
            lists[i * GROUP_SIZE + lid] = (KEY)first[i];
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for all lists */
#pragma unroll
        for (uint i = 0; i < WIDTH; i++)
            other[i] = lists[i * GROUP_SIZE + (lid ^ 1u << bit)];
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read them */
        keep_first(first, other);
    }
    return (KEY)first[LISTED - 1];
}
#endif
