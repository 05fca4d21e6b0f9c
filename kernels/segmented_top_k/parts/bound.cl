// SPDX-License-Identifier: MIT
/* bound.cl: finds the first keys of a team without shuffles: it lists the keys up to a bound in local memory.
 *
 * For small teams, the bound is their k-th key (exact.cl). In other teams, each lane finds the minima of MINIMA_EACH
 * strided parts of its keys. At least `wanted` keys are up to the wanted-th of the team's minima, and not many more.
 * The first ones among these are found by comparing each with all others. This takes a few barriers for any keys; a
 * search bit by bit (planes.cl) takes two barriers per bit. If more keys are up to the bound than there is room for,
 * for example many equal ones, the group searches bit by bit.
 *
 * All teams of a group must call these functions together.
 * Parameters: LISTED; those of team.cl.
 * Source: Gaihre et al. 2021, Dr. Top-k (a bound from minima). */
#include "common/kernel.h"
#include "radix_sort/parts/keys.cl"
#include "segmented_top_k/parts/exact.cl"
#include "segmented_top_k/parts/team.cl"

#ifndef LISTED
#error "LISTED must be given"
#endif

/* Minima of a team: a power of two, at least twice k, but at most the number of its keys. */
#if LISTED <= 2
#define BOUND_BITS 2
#elif LISTED <= 4
#define BOUND_BITS 3
#elif LISTED <= 8
#define BOUND_BITS 4
#elif LISTED <= 16
#define BOUND_BITS 5
#elif LISTED <= 32
#define BOUND_BITS 6
#elif LISTED <= 64
#define BOUND_BITS 7
#else
#error "LISTED must be at most 64"
#endif
#if BOUND_BITS < TEAM_BITS
#define TEAM_MINIMA TEAM
#elif BOUND_BITS > TEAM_BITS + KEYS_EACH_BITS
#define TEAM_MINIMA (TEAM * KEYS_EACH)
#else
#define TEAM_MINIMA (1u << BOUND_BITS)
#endif
#define MINIMA_EACH (TEAM_MINIMA / TEAM)
#define ROOM        (2u << BOUND_BITS < TEAM_MINIMA ? TEAM_MINIMA : 2u << BOUND_BITS) /* of a team's list */
#define STRIDE                                                                                                         \
    (ROOM + 1) /* from one team's list to the next; odd, so that teams that read at the same pace use
                                * different banks */

/* In local memory: the team's list, and a word shared by the group. */
typedef struct {
    __local KEY *images; /* first the minima */
    __local uint *places;
    __local uint *taken; /* with UNSORTED: the places of the listed keys that are among the first */
    __local KEY *bound;
    __local uint *count;    /* of the list; more than ROOM if there is no room */
    __local uint *are_many; /* not 0 if some team of the group has no room */
} bound_memory;

#if IS_EXACT
/* The bound is the k-th key itself. `lists` is the group's memory for all lists. */
ALWAYS_INLINE void find_bound(bound_memory m, const KEY *images, uint there, uint wanted, __local KEY *lists)
{
    const KEY bound = find_exactly(images, there, lists);
    if (team_lane() == 0) {
        *m.bound = bound;
        *m.count = 0;
    }
    if (get_local_id(0) == 0)
        *m.are_many = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the bound; nothing is listed yet */
}
#else
/* Find the bound. Minima are ranked by comparing each with all others; equal minima differ by their slots. */
ALWAYS_INLINE void find_bound(bound_memory m, const KEY *images, uint there, uint wanted, __local KEY *lists)
{
    const uint lane = team_lane();
    KEY best[MINIMA_EACH];
    uint rank[MINIMA_EACH];
#pragma unroll
    for (uint j = 0; j < MINIMA_EACH; j++) {
        best[j] = LAST_IMAGE;
        rank[j] = 0;
    }
#pragma unroll
    for (uint i = 0; i < KEYS_EACH; i++)
        if ((there >> i & 1) != 0 && images[i] < best[i % MINIMA_EACH])
            best[i % MINIMA_EACH] = images[i];
#pragma unroll
    for (uint j = 0; j < MINIMA_EACH; j++)
        m.images[j * TEAM + lane] = best[j];
    if (lane == 0) {
        *m.bound = LAST_IMAGE;
        *m.count = 0;
    }
    if (get_local_id(0) == 0)
        *m.are_many = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the minima; nothing is listed yet */
    for (uint i = 0; i < TEAM_MINIMA; i++) {
        const KEY other = m.images[i];
#pragma unroll
        for (uint j = 0; j < MINIMA_EACH; j++)
            rank[j] += other < best[j] || (other == best[j] && i < j * TEAM + lane);
    }
#pragma unroll
    for (uint j = 0; j < MINIMA_EACH; j++)
        if (rank[j] + 1 == wanted)
            *m.bound = best[j];
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the bound; all have read the minima */
}
#endif

/* Which of the lane's keys are up to the bound. *at is where the lane's part of the list begins, if the lists of all
 * teams have room. */
ALWAYS_INLINE uint up_to_bound(bound_memory m, const KEY *images, uint there, uint *at)
{
    const KEY bound = *m.bound;
    uint taken = 0;
#pragma unroll
    for (uint i = 0; i < KEYS_EACH; i++)
        taken |= (images[i] <= bound ? 1u : 0u) << i;
    taken &= there;
    const uint count = (uint)popcount(taken);
    *at = count > 0 ? atomic_add(m.count, count) : 0;
    if (count > 0 && *at + count > ROOM)
        (void)atomic_or(m.are_many, 1u); /* several lanes may find this */
    barrier(CLK_LOCAL_MEM_FENCE);        /* wait until all have counted, and have noted a lack of room */
    return taken;
}
