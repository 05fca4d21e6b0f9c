// SPDX-License-Identifier: MIT
/* team.cl: a team is TEAM consecutive lanes of a work-group, which work on a segment together. Each lane holds
 * KEYS_EACH of the segment's keys in registers.
 *
 * With warps, a team is a warp or a part of one, and lanes communicate by shuffles. Otherwise they communicate through
 * local memory: all functions take one word per work-item of the group, and all teams of a group must call them
 * together.
 *
 *   team_lane()              a work-item's number in its team
 *   team_sum(x, words)       the sum over the team: at most the number of its keys
 *   team_before(x, words)    the sum over the lanes before one's own
 *   team_agrees(count, words, sum)
 *                            whether the counts of each team's lanes have the given sum, in all teams that run in
 *                            lockstep; always false if the test would cost too much
 *   team_sync()              what lanes wrote to local memory is visible to their team
 *
 * Parameters: TEAM_BITS, up to 5, and KEYS_EACH_BITS, 3 to 5: TEAM and KEYS_EACH are 2 to these powers; GROUP_SIZE, a
 * multiple of TEAM. */
#include "common/kernel.h"
#include "common/subgroup.cl"

#if !defined(TEAM_BITS) || !defined(KEYS_EACH_BITS)
#error "TEAM_BITS and KEYS_EACH_BITS must be given"
#endif
#if TEAM_BITS > 5 || KEYS_EACH_BITS < 3 || KEYS_EACH_BITS > 5 || GROUP_SIZE % (1 << TEAM_BITS)
#error "TEAM_BITS must be at most 5, KEYS_EACH_BITS 3 to 5, and GROUP_SIZE whole teams"
#endif

#define TEAM      (1u << TEAM_BITS)
#define TEAMS     (GROUP_SIZE / TEAM)
#define KEYS_EACH (1u << KEYS_EACH_BITS)

static inline uint team_lane(void)
{
    return (uint)get_local_id(0) & (TEAM - 1);
}

#if CLPRIM_SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
#define TEAM_SHUFFLES 1
#define TEAM_WORDS    1 /* local memory is not used */
#define TEAM_UNROLLS  1

ALWAYS_INLINE uint team_sum(uint x, __local uint *words)
{
#if CLPRIM__HAS_SUM && TEAM_BITS == 5
    return clprim__sum(x, GROUP_SIZE);
#elif CLPRIM__HAS_SUM && TEAM_BITS >= 3 && TEAM_BITS + KEYS_EACH_BITS < (1 << TEAM_BITS)
    /* All teams of the warp at once: each has TEAM bits of the word, which hold the sum of all its keys. */
    const uint at = clprim_sub_group_lane() & ~(TEAM - 1);
    return clprim__sum(x << at, GROUP_SIZE) >> at & ((1u << TEAM) - 1);
#else
#pragma unroll
    for (uint distance = 1; distance < TEAM; distance *= 2)
        x += clprim_sub_group_shuffle(x, clprim_sub_group_lane() ^ distance);
    return x;
#endif
}

ALWAYS_INLINE uint team_before(uint x, __local uint *words)
{
    uint sum = x;
#pragma unroll
    for (uint distance = 1; distance < TEAM; distance *= 2) {
        const uint theirs = clprim_sub_group_shuffle_up(sum, distance);
        sum += team_lane() >= distance ? theirs : 0;
    }
    return sum - x;
}

ALWAYS_INLINE bool team_agrees(uint count, __local uint *words, uint sum)
{
    const bool is_so = team_sum(count, words) == sum;
    return TEAM == 32 ? is_so : !clprim_sub_group_any(!is_so); /* all lanes of a whole warp know the same */
}

ALWAYS_INLINE void team_sync(void)
{
    clprim_sub_group_sync();
}
#else
#define TEAM_SHUFFLES 0
#define TEAM_WORDS    GROUP_SIZE
#define TEAM_UNROLLS  0 /* compilers for CPUs take long over each barrier */

ALWAYS_INLINE uint team_sum(uint x, __local uint *words)
{
    const uint lid = (uint)get_local_id(0);
    const uint first = lid & ~(TEAM - 1);
    uint sum = 0;
    words[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all words */
    for (uint l = 0; l < TEAM; l++)
        sum += words[first + l];
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read them */
    return sum;
}

ALWAYS_INLINE uint team_before(uint x, __local uint *words)
{
    const uint lid = (uint)get_local_id(0);
    const uint first = lid & ~(TEAM - 1);
    uint sum = 0;
    words[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all words */
    for (uint l = 0; l < TEAM; l++) {
        const uint theirs = words[first + l];
        sum += first + l < lid ? theirs : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read them */
    return sum;
}

/* All teams of the group must continue together, and barriers cost more than the steps that would be saved. */
ALWAYS_INLINE bool team_agrees(uint count, __local uint *words, uint sum)
{
    return false;
}

ALWAYS_INLINE void team_sync(void)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* for what all have written */
}
#endif
