// SPDX-License-Identifier: MIT
/* clprim/device/sub_group.h: the work-items that run in step (warp, wavefront), by whatever means the device has.
 * OpenCL C 1.2. See base.h for what the macros take, and docs/guides/device_functions.md for examples.
 *
 * The program is compiled with clprim_device_options() (clprim/device.h), which say what the device has. Without them,
 * and if the device has no shuffles, a sub-group has one work-item. So programs must work with sub-groups of any width.
 *
 *     CLPRIM_SUB_GROUPS                      1: sub-groups have several work-items; 0: they have one
 *     clprim_sub_group_width()               work-items in a whole sub-group
 *     clprim_sub_group_size()                work-items in one's own sub-group: the last one of a group may have fewer
 *     clprim_sub_group_count()               sub-groups in the group
 *     clprim_sub_group_index(), _lane()      the number of one's own sub-group; one's own number in it, from 0
 *     clprim_sub_group_sync()                what each lane wrote to local memory is visible to the others
 *     clprim_sub_group_ballot(vote)          a uint4: bit l says whether lane l, of up to 128, votes
 *     clprim_sub_group_votes(vote)           how many lanes vote
 *     clprim_sub_group_any(vote), _all(vote) whether some lane votes; whether all do
 *     clprim_sub_group_match(x, bits)        a uint4 as the ballot's: the lanes with the same lowest bits of the uint x;
 *                                            `bits` is a constant, 0 to 32
 *     clprim_sub_group_ballot_bit_count(b)   how many lanes are in such a uint4
 *     clprim_sub_group_ballot_exclusive_scan(b)   how many of them are before one's own lane
 *     clprim_sub_group_shuffle(x, lane), _broadcast, _shuffle_up, _shuffle_down, _shuffle_xor
 *                                            for a uint what the functions below are for any type
 *
 *     CLPRIM_SUB_GROUP(NAME, TYPE)           moves values of any type:
 *         NAME_shuffle(x, lane)              the value of that lane, which must exist; lanes may ask for different ones
 *         NAME_broadcast(x, lane)            the same, but all lanes ask for the same one
 *         NAME_shuffle_up(x, distance)       the value of the lane that far before this one; x if there is no such lane
 *         NAME_shuffle_down(x, distance)     the value of the lane that far after this one; x if there is no such lane
 *         NAME_shuffle_xor(x, mask)          the value of lane (own ^ mask); x if there is no such lane
 *
 *     CLPRIM_SUB_GROUP_SCAN(NAME, TYPE, EXPRESSION, IDENTITY)   the above, and
 *         NAME_reduce(x)                     the fold of all lanes, in all lanes
 *         NAME_inclusive(x)                  the fold of lanes 0 to one's own
 *         NAME_exclusive(x)                  the fold of the lanes before one's own; IDENTITY in lane 0
 *
 * All work-items of the sub-group must call these functions together. If all kernels of the program have groups of one
 * size, define CLPRIM_GROUP_SIZE as that size in front of this header: a size that is a multiple of 32 saves NVIDIA's
 * GPUs what is there for incomplete sub-groups.
 *
 * The width is a constant on GPUs of NVIDIA and AMD. If all kernels of the program ask for a width, as by
 * __attribute__((intel_reqd_sub_group_size(16))), define CLPRIM_SUB_GROUP_WIDTH as that width in front of this header:
 * then functions for work-groups need less local memory, and radix ranks go by matches. If all devices of the program
 * are NVIDIA's of compute capability 7.0 or later, define CLPRIM_MATCH_ANY: matches of more than 16 bits are then one
 * instruction. */
#ifndef CLPRIM_DEVICE_SUB_GROUP_H
#define CLPRIM_DEVICE_SUB_GROUP_H

#include <clprim/device/base.h>

#ifndef CLPRIM_GROUP_SIZE
#define CLPRIM_GROUP_SIZE ((uint)get_local_size(0))
#endif

/* The means are numbered as in clprim_sub_group_means (clprim/runtime.h). */
#if defined(CLPRIM__SUB_GROUPS_BY)
/* the library's kernels define it */
#elif !defined(CLPRIM_SUB_GROUP_MEANS)
#define CLPRIM__SUB_GROUPS_BY 0
#elif CLPRIM_SUB_GROUP_MEANS == 2 && !defined(cl_khr_subgroups) && !defined(__opencl_c_subgroups)
#define CLPRIM__SUB_GROUPS_BY 0 /* the program's version of OpenCL C does not have sub-groups */
#else
#define CLPRIM__SUB_GROUPS_BY CLPRIM_SUB_GROUP_MEANS
#endif

#if CLPRIM__SUB_GROUPS_BY == 2 && defined(cl_khr_subgroups) /* otherwise they are a feature of the language */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#elif CLPRIM__SUB_GROUPS_BY == 3
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif

/* AMD's OpenCL has no functions for some of its compiler's builtins. From GFX10 on, a permutation reaches only 32
 * lanes. */
#if defined(__AMDGCN_WAVEFRONT_SIZE__) && defined(__has_builtin)
#if (__AMDGCN_WAVEFRONT_SIZE__ == 32 || defined(__GFX8__) || defined(__GFX9__)) &&                                     \
    __has_builtin(__builtin_amdgcn_ds_bpermute) && __has_builtin(__builtin_amdgcn_readlane)
#define CLPRIM__BY_AMD 1
#endif
#endif

#if CLPRIM__SUB_GROUPS_BY == 3
#define CLPRIM__SHUFFLE(word, lane) intel_sub_group_shuffle(word, lane)
#elif CLPRIM__SUB_GROUPS_BY == 2
#if defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#define CLPRIM__SHUFFLE(word, lane) sub_group_shuffle(word, lane)
#elif defined(cl_intel_subgroups)
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define CLPRIM__SHUFFLE(word, lane) intel_sub_group_shuffle(word, lane)
#elif defined(CLPRIM__BY_AMD)
#define CLPRIM__SHUFFLE(word, lane) ((uint)__builtin_amdgcn_ds_bpermute((int)((lane)*4), (int)(word)))
#elif defined(cl_qcom_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_qcom_subgroup_shuffle : enable
#define CLPRIM__UP(word, distance)                                                                                     \
    qcom_sub_group_shuffle_up(word, distance, CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM, word)
#define CLPRIM__DOWN(word, distance)                                                                                   \
    qcom_sub_group_shuffle_down(word, distance, CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM, word)
#elif defined(cl_khr_subgroup_shuffle_relative)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#define CLPRIM__UP(word, distance)   sub_group_shuffle_up(word, distance)
#define CLPRIM__DOWN(word, distance) sub_group_shuffle_down(word, distance)
#endif
#endif

/* Choices that depend on what is fast. Tests define these, too.
 *     CLPRIM__KNOWS_SUMS         sums of 32-bit integers have special functions
 *     CLPRIM__HAS_SUM            one instruction sums up a sub-group
 *     CLPRIM__MOST_FOLDS_READ    up to so many folds of sub-groups each work-item reads them all; of more each lane reads
 *                                one, and shuffles do the rest. On other GPUs shuffles take longer than the loads. */
#ifndef CLPRIM__KNOWS_SUMS
#if CLPRIM__SUB_GROUPS_BY == 1
#define CLPRIM__KNOWS_SUMS      1
#define CLPRIM__MOST_FOLDS_READ 4
#else
#define CLPRIM__KNOWS_SUMS      0
#define CLPRIM__MOST_FOLDS_READ 1024
#endif
#if CLPRIM__SUB_GROUPS_BY == 1 && defined(CLPRIM_REDUX)
#define CLPRIM__HAS_SUM CLPRIM_REDUX
#else
#define CLPRIM__HAS_SUM 0
#endif
#endif

/* Without shuffles sub-groups would be of little use. */
#if CLPRIM__SUB_GROUPS_BY == 1 || defined(CLPRIM__SHUFFLE) || defined(CLPRIM__UP)
#define CLPRIM_SUB_GROUPS 1
#else
#define CLPRIM_SUB_GROUPS 0
#endif

/* The width, if it is a constant, and the maximum number of sub-groups in a group. */
#if CLPRIM__SUB_GROUPS_BY == 1
#define CLPRIM__WIDTH 32
#elif CLPRIM_SUB_GROUPS && defined(__AMDGCN_WAVEFRONT_SIZE__)
#define CLPRIM__WIDTH __AMDGCN_WAVEFRONT_SIZE__
#elif CLPRIM_SUB_GROUPS && defined(CLPRIM_SUB_GROUP_WIDTH)
#define CLPRIM__WIDTH CLPRIM_SUB_GROUP_WIDTH
#endif
#ifdef CLPRIM__WIDTH
#define CLPRIM__MOST_SUB_GROUPS(SIZE) (((SIZE) + CLPRIM__WIDTH - 1) / CLPRIM__WIDTH)
#define CLPRIM__UNROLL_LANES          CLPRIM__UNROLL /* a loop over distances of lanes */
#else
#define CLPRIM__MOST_SUB_GROUPS(SIZE) (SIZE)
#define CLPRIM__UNROLL_LANES
#endif

/* Whether each sub-group, which must be a full one, has a lane for each sub-group of the group, and using this pays
 * off. */
#ifdef CLPRIM__WIDTH
#define CLPRIM__BY_LANES(SIZE)                                                                                         \
    ((SIZE) % CLPRIM__WIDTH == 0 && (SIZE) / CLPRIM__WIDTH <= CLPRIM__WIDTH &&                                         \
     (SIZE) / CLPRIM__WIDTH > CLPRIM__MOST_FOLDS_READ)
#else
#define CLPRIM__BY_LANES(SIZE) false
#endif

/* Below, `size` is the number of work-items in the group. If it is a constant, the compiler can remove the code for
 * incomplete sub-groups. */
#if CLPRIM__SUB_GROUPS_BY == 1
/* NVIDIA numbers the work-items of a one-dimensional group through its warps. */
CLPRIM__INLINE uint clprim_sub_group_width(void)
{
    return 32;
}
CLPRIM__INLINE uint clprim_sub_group_index(void)
{
    return (uint)get_local_id(0) / 32;
}
CLPRIM__INLINE uint clprim_sub_group_lane(void)
{
    return (uint)get_local_id(0) % 32;
}
CLPRIM__INLINE uint clprim__sub_group_size(uint size)
{
    return size % 32 == 0 ? 32 : min(32u, size - ((uint)get_local_id(0) & ~31u));
}
CLPRIM__INLINE uint clprim__sub_group_count(uint size)
{
    return (size + 31) / 32;
}
CLPRIM__INLINE bool clprim__all_are_whole(uint size)
{
    return size % 32 == 0;
}
/* A mask of the lanes that exist: with a mask of all lanes, a shuffle would wait for lanes that do not exist. */
CLPRIM__INLINE uint clprim__lanes(uint size)
{
    return 0xffffffffu >> (32 - clprim__sub_group_size(size));
}
/* Since Volta, the lanes of a warp may diverge, so being in one warp does not make writes visible. */
CLPRIM__INLINE void clprim__sub_group_sync(uint size)
{
    asm volatile("bar.warp.sync %0;" ::"r"(clprim__lanes(size)) : "memory");
}
CLPRIM__INLINE uint clprim__shuffle(uint word, uint lane, uint size)
{
    uint theirs;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, %3;"
                 : "=r"(theirs)
                 : "r"(word), "r"(lane), "r"(clprim__lanes(size)));
    return theirs;
}
CLPRIM__INLINE uint clprim__broadcast(uint word, uint lane, uint size)
{
    return clprim__shuffle(word, lane, size);
}
CLPRIM__INLINE uint clprim__shuffle_up(uint word, uint distance, uint size)
{
    uint theirs;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, %3;"
                 : "=r"(theirs)
                 : "r"(word), "r"(distance), "r"(clprim__lanes(size)));
    return theirs;
}
CLPRIM__INLINE uint clprim__shuffle_down(uint word, uint distance, uint size)
{
    uint theirs;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, %3;"
                 : "=r"(theirs)
                 : "r"(word), "r"(distance), "r"(clprim__lanes(size)));
    return clprim__all_are_whole(size) || clprim_sub_group_lane() + distance < clprim__sub_group_size(size) ? theirs
                                                                                                            : word;
}
CLPRIM__INLINE uint4 clprim__ballot(bool vote, uint size)
{
    uint votes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(votes)
                 : "r"((uint)vote), "r"(clprim__lanes(size)));
    return (uint4)(votes, 0, 0, 0);
}
CLPRIM__INLINE bool clprim__any(bool vote, uint size)
{
    return clprim__ballot(vote, size).x != 0;
}
#elif CLPRIM_SUB_GROUPS
CLPRIM__INLINE uint clprim_sub_group_width(void)
{
#ifdef CLPRIM__WIDTH /* the compiler can then unroll loops over it */
    return CLPRIM__WIDTH;
#else
    return get_max_sub_group_size();
#endif
}
CLPRIM__INLINE uint clprim_sub_group_index(void)
{
    return get_sub_group_id();
}
CLPRIM__INLINE uint clprim_sub_group_lane(void)
{
    return get_sub_group_local_id();
}
CLPRIM__INLINE bool clprim__all_are_whole(uint size)
{
#ifdef CLPRIM__WIDTH
    return size % CLPRIM__WIDTH == 0;
#else
    return false; /* the width is not a constant */
#endif
}
CLPRIM__INLINE uint clprim__sub_group_size(uint size)
{
    if (clprim__all_are_whole(size))
        return clprim_sub_group_width();
    /* Mesa's rusticl counts work-items that the group does not have. */
    return size % 128 == 0 ? get_sub_group_size()
                           : min(get_sub_group_size(), size - ((uint)get_local_id(0) - clprim_sub_group_lane()));
}
CLPRIM__INLINE uint clprim__sub_group_count(uint size)
{
    return clprim__all_are_whole(size) ? size / clprim_sub_group_width() : get_num_sub_groups();
}
CLPRIM__INLINE void clprim__sub_group_sync(uint size)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
#ifdef CLPRIM__SHUFFLE
/* The relative shuffles use the general one, which every driver has; they never name a lane that does not exist. */
CLPRIM__INLINE uint clprim__shuffle(uint word, uint lane, uint size)
{
    return CLPRIM__SHUFFLE(word, lane);
}
CLPRIM__INLINE uint clprim__shuffle_up(uint word, uint distance, uint size)
{
    const uint lane = clprim_sub_group_lane();
    return CLPRIM__SHUFFLE(word, lane >= distance ? lane - distance : lane);
}
CLPRIM__INLINE uint clprim__shuffle_down(uint word, uint distance, uint size)
{
    const uint lane = clprim_sub_group_lane();
    return CLPRIM__SHUFFLE(word, lane + distance < clprim__sub_group_size(size) ? lane + distance : lane);
}
#else
/* For a lane that does not exist, the result is unspecified. */
CLPRIM__INLINE uint clprim__shuffle_up(uint word, uint distance, uint size)
{
    const uint theirs = CLPRIM__UP(word, distance);
    return clprim_sub_group_lane() >= distance ? theirs : word;
}
CLPRIM__INLINE uint clprim__shuffle_down(uint word, uint distance, uint size)
{
    const uint theirs = CLPRIM__DOWN(word, distance);
    return clprim_sub_group_lane() + distance < clprim__sub_group_size(size) ? theirs : word;
}
#endif
CLPRIM__INLINE uint clprim__broadcast(uint word, uint lane, uint size)
{
#if defined(CLPRIM__BY_AMD)
    return (uint)__builtin_amdgcn_readlane((int)word, (int)lane);
#elif defined(CLPRIM__SHUFFLE)
    return CLPRIM__SHUFFLE(word, lane);
#else
    return sub_group_broadcast(word, lane);
#endif
}
#ifndef CLPRIM__SHUFFLE
/* If lanes can name other lanes only by a distance, each word is broadcast to all lanes. */
CLPRIM__INLINE uint clprim__shuffle(uint word, uint lane, uint size)
{
    uint theirs = word;
    for (uint l = 0; l < clprim__sub_group_size(size); l++) {
        const uint shown = sub_group_broadcast(word, l);
        theirs = l == lane ? shown : theirs;
    }
    return theirs;
}
#endif
CLPRIM__INLINE uint4 clprim__ballot(bool vote, uint size)
{
#if CLPRIM__SUB_GROUPS_BY == 2 && defined(cl_khr_subgroup_ballot)
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
    return sub_group_ballot(vote);
#elif defined(CLPRIM__BY_AMD) && __AMDGCN_WAVEFRONT_SIZE__ == 64
    const ulong votes = __builtin_amdgcn_ballot_w64(vote);
    return (uint4)((uint)votes, (uint)(votes >> 32), 0, 0);
#elif defined(CLPRIM__BY_AMD)
    return (uint4)(__builtin_amdgcn_ballot_w32(vote), 0, 0, 0);
#else
    /* Each lane sets one bit, so a sum is the union. */
    const uint lane = clprim_sub_group_lane();
    const uint bit = vote ? 1u << lane % 32 : 0;
#if defined(CLPRIM__WIDTH) && CLPRIM__WIDTH <= 32
    return (uint4)(sub_group_reduce_add(bit), 0, 0, 0);
#else
    return (uint4)(sub_group_reduce_add(lane / 32 == 0 ? bit : 0), sub_group_reduce_add(lane / 32 == 1 ? bit : 0),
                   sub_group_reduce_add(lane / 32 == 2 ? bit : 0), sub_group_reduce_add(lane / 32 == 3 ? bit : 0));
#endif
#endif
}
CLPRIM__INLINE bool clprim__any(bool vote, uint size)
{
    return sub_group_any(vote) != 0;
}
#else
CLPRIM__INLINE uint clprim_sub_group_width(void)
{
    return 1;
}
CLPRIM__INLINE uint clprim_sub_group_index(void)
{
    return (uint)get_local_id(0);
}
CLPRIM__INLINE uint clprim_sub_group_lane(void)
{
    return 0;
}
CLPRIM__INLINE bool clprim__all_are_whole(uint size)
{
    return true;
}
CLPRIM__INLINE uint clprim__sub_group_size(uint size)
{
    return 1;
}
CLPRIM__INLINE uint clprim__sub_group_count(uint size)
{
    return size;
}
CLPRIM__INLINE void clprim__sub_group_sync(uint size)
{
}
CLPRIM__INLINE uint clprim__shuffle(uint word, uint lane, uint size)
{
    return word;
}
CLPRIM__INLINE uint clprim__broadcast(uint word, uint lane, uint size)
{
    return word;
}
CLPRIM__INLINE uint clprim__shuffle_up(uint word, uint distance, uint size)
{
    return word;
}
CLPRIM__INLINE uint clprim__shuffle_down(uint word, uint distance, uint size)
{
    return word;
}
CLPRIM__INLINE uint4 clprim__ballot(bool vote, uint size)
{
    return (uint4)(vote, 0, 0, 0);
}
CLPRIM__INLINE bool clprim__any(bool vote, uint size)
{
    return vote;
}
#endif

/* Returns x, but hides from NVIDIA's compiler how x was computed. So the compiler computes what depends on it where it
 * is needed, and not once in advance, in front of a loop, for sixteen values that would then take registers. */
CLPRIM__INLINE uint clprim__anew(uint x)
{
#if CLPRIM__SUB_GROUPS_BY == 1
    asm volatile("" : "+r"(x));
#endif
    return x;
}

CLPRIM__INLINE uint clprim__shuffle_xor(uint word, uint mask, uint size)
{
    const uint lane = clprim_sub_group_lane();
    return clprim__shuffle(word, (lane ^ mask) < clprim__sub_group_size(size) ? lane ^ mask : lane, size);
}

/* A mask of the lanes before lane n, as a ballot gives it. */
CLPRIM__INLINE uint4 clprim__first_lanes(uint n)
{
    uint4 lanes = (uint4)(n < 32 ? (1u << n) - 1 : ~0u, 0, 0, 0);
#if !defined(CLPRIM__WIDTH) || CLPRIM__WIDTH > 32
    lanes.y = n < 32 ? 0 : n < 64 ? (1u << (n - 32)) - 1 : ~0u;
#endif
#if !defined(CLPRIM__WIDTH) || CLPRIM__WIDTH > 64
    lanes.z = n < 64 ? 0 : n < 96 ? (1u << (n - 64)) - 1 : ~0u;
    lanes.w = n < 96 ? 0 : n < 128 ? (1u << (n - 96)) - 1 : ~0u;
#endif
    return lanes;
}

/* Whether the work-item's own lane, which is in the mask, is the last one in it. */
CLPRIM__INLINE bool clprim__is_last_lane(uint4 lanes)
{
    const uint lane = clprim_sub_group_lane();
#if defined(CLPRIM__WIDTH) && CLPRIM__WIDTH <= 32
    return lanes.x >> lane == 1;
#else
    const uint4 behind = lanes & ~clprim__first_lanes(lane + 1);
    return (behind.x | behind.y | behind.z | behind.w) == 0;
#endif
}

/* One ballot per bit: the lanes that vote as this lane does. On an H200, match.any takes as long as about sixteen
 * ballots. */
CLPRIM__INLINE uint4 clprim__match(uint x, uint bits, uint size)
{
#if CLPRIM__SUB_GROUPS_BY == 1
    uint same = clprim__lanes(size);
#ifdef CLPRIM_MATCH_ANY
    if (bits > 16) {
        asm volatile("match.any.sync.b32 %0, %1, %2;"
                     : "=r"(same)
                     : "r"(bits < 32 ? x & ((1u << bits % 32) - 1) : x), "r"(clprim__lanes(size)));
        return (uint4)(same, 0, 0, 0);
    }
#endif
    CLPRIM__UNROLL
    for (uint bit = 0; bit < bits; bit++)
        asm volatile("{ .reg .pred p; .reg .b32 votes; and.b32 votes, %1, %2; setp.ne.u32 p, votes, 0;"
                     " vote.sync.ballot.b32 votes, p, %3; @!p not.b32 votes, votes; and.b32 %0, %0, votes; }"
                     : "+r"(same)
                     : "r"(x), "r"(1u << bit), "r"(clprim__lanes(size)));
    return (uint4)(same, 0, 0, 0);
#else
    uint4 same = clprim__ballot(true, size);
    CLPRIM__UNROLL
    for (uint bit = 0; bit < bits; bit++) {
        const bool is_set = (x >> bit & 1) != 0;
        const uint4 votes = clprim__ballot(is_set, size);
        same &= is_set ? votes : ~votes;
    }
    return same;
#endif
}

/* Sums of 32-bit integers, signed or not. NVIDIA's shuffles report whether the lane exists, which guards the addition.
 * From compute capability 8.0 on (CLPRIM_REDUX), one instruction sums up a warp. */
CLPRIM__INLINE uint clprim__sum_step(uint x, uint distance, uint size)
{
#if CLPRIM__SUB_GROUPS_BY == 1
    asm volatile("{ .reg .pred p; .reg .b32 theirs; shfl.sync.up.b32 theirs|p, %0, %1, 0, %2;"
                 " @p add.u32 %0, %0, theirs; }"
                 : "+r"(x)
                 : "r"(distance), "r"(clprim__lanes(size)));
#else
    const uint theirs = clprim__shuffle_up(x, distance, size);
    if (clprim_sub_group_lane() >= distance)
        x += theirs;
#endif
    return x;
}
CLPRIM__INLINE uint clprim__inclusive_sum(uint x, uint size)
{
    CLPRIM__UNROLL_LANES
    for (uint distance = 1; distance < clprim_sub_group_width(); distance *= 2)
        x = clprim__sum_step(x, distance, size);
    return x;
}
/* The sum, in all lanes. */
CLPRIM__INLINE uint clprim__sum(uint x, uint size)
{
#if CLPRIM__SUB_GROUPS_BY == 1 && CLPRIM__HAS_SUM
    uint sum;
    asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(clprim__lanes(size)));
    return sum;
#else
    return clprim__broadcast(clprim__inclusive_sum(x, size), clprim__sub_group_size(size) - 1, size);
#endif
}

CLPRIM__INLINE uint clprim_sub_group_size(void)
{
    return clprim__sub_group_size(CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_count(void)
{
    return clprim__sub_group_count(CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE void clprim_sub_group_sync(void)
{
    clprim__sub_group_sync(CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint4 clprim_sub_group_ballot(bool vote)
{
    return clprim__ballot(vote, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_ballot_bit_count(uint4 ballot)
{
    const uint4 counts = popcount(ballot);
    return counts.x + counts.y + counts.z + counts.w;
}
CLPRIM__INLINE uint clprim_sub_group_ballot_exclusive_scan(uint4 ballot)
{
    return clprim_sub_group_ballot_bit_count(ballot & clprim__first_lanes(clprim_sub_group_lane()));
}
CLPRIM__INLINE uint4 clprim_sub_group_match(uint x, uint bits)
{
    return clprim__match(x, bits, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_votes(bool vote)
{
    return clprim_sub_group_ballot_bit_count(clprim_sub_group_ballot(vote));
}
CLPRIM__INLINE bool clprim_sub_group_any(bool vote)
{
    return clprim__any(vote, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE bool clprim_sub_group_all(bool vote)
{
    return !clprim__any(!vote, CLPRIM_GROUP_SIZE);
}

CLPRIM__INLINE uint clprim_sub_group_shuffle(uint x, uint lane)
{
    return clprim__shuffle(x, lane, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_broadcast(uint x, uint lane)
{
    return clprim__broadcast(x, lane, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_shuffle_up(uint x, uint distance)
{
    return clprim__shuffle_up(x, distance, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_shuffle_down(uint x, uint distance)
{
    return clprim__shuffle_down(x, distance, CLPRIM_GROUP_SIZE);
}
CLPRIM__INLINE uint clprim_sub_group_shuffle_xor(uint x, uint mask)
{
    return clprim__shuffle_xor(x, mask, CLPRIM_GROUP_SIZE);
}

/* A value is moved as 32-bit words, because all devices can shuffle these. PREFIX: the beginning of the functions'
 * names. */
#define CLPRIM__DEFINE_WORDS(NAME, TYPE)                                                                               \
    typedef union NAME##_inner_words {                                                                                 \
        uint words[(sizeof(TYPE) + 3) / 4];                                                                            \
        TYPE value;                                                                                                    \
    } NAME##_inner_words;

/* NAME_inner_is_sum(): whether the operator is the sum of 32-bit integers, which has special functions. This is known
 * from its text, and from TYPE by a builtin of clang, on which NVIDIA's compiler is based. Compilers treat it as a
 * constant. */
#if CLPRIM__KNOWS_SUMS
#define CLPRIM__IS_SUM(TYPE, TEXT)                                                                                     \
    ((__builtin_types_compatible_p(TYPE, uint) || __builtin_types_compatible_p(TYPE, int)) &&                          \
     (CLPRIM__IS_TEXT(TEXT, 'a', 'b') || CLPRIM__IS_TEXT(TEXT, 'b', 'a')))
/* "a + b" or "a+b", or "((a) + (b))", as macros write it; padded with blanks, so that all characters that are compared
 * exist. */
#define CLPRIM__IS_TEXT(TEXT, A, B)                                                                                    \
    (sizeof(TEXT) == 4 ? CLPRIM__HAS(TEXT, 0, A, '+', B)                                                               \
     : sizeof(TEXT) == 6                                                                                               \
         ? CLPRIM__HAS(TEXT, 0, A, ' ', '+') && CLPRIM__HAS(TEXT, 2, '+', ' ', B)                                      \
         : sizeof(TEXT) == 12 && CLPRIM__HAS(TEXT, 0, '(', '(', A) && CLPRIM__HAS(TEXT, 3, ')', ' ', '+') &&           \
               CLPRIM__HAS(TEXT, 6, ' ', '(', B) && CLPRIM__HAS(TEXT, 8, B, ')', ')'))
#define CLPRIM__HAS(TEXT, AT, X, Y, Z)                                                                                 \
    ((TEXT "           ")[AT] == X && (TEXT "           ")[AT + 1] == Y && (TEXT "           ")[AT + 2] == Z)
#else
#define CLPRIM__IS_SUM(TYPE, TEXT) false
#endif
#define CLPRIM__DEFINE_IS_SUM(NAME, TYPE, EXPRESSION)                                                                  \
    CLPRIM__INLINE bool NAME##_inner_is_sum(void)                                                                      \
    {                                                                                                                  \
        return CLPRIM__IS_SUM(TYPE, #EXPRESSION);                                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_inner_word(TYPE x)                                                                      \
    {                                                                                                                  \
        NAME##_inner_words words = {{0}};                                                                              \
        words.value = x;                                                                                               \
        return words.words[0];                                                                                         \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_value(uint word)                                                                  \
    {                                                                                                                  \
        NAME##_inner_words words = {{0}};                                                                              \
        words.words[0] = word;                                                                                         \
        return words.value;                                                                                            \
    }

#define CLPRIM__DEFINE_MOVE(PREFIX, NAME, MOVE, TYPE, SIZE)                                                            \
    CLPRIM__INLINE TYPE PREFIX##_##MOVE(CLPRIM_PARAMETERS TYPE x, uint where)                                          \
    {                                                                                                                  \
        NAME##_inner_words mine = {{0}};                                                                               \
        NAME##_inner_words theirs;                                                                                     \
        mine.value = x;                                                                                                \
        CLPRIM__UNROLL                                                                                                 \
        for (uint w = 0; w < (sizeof(TYPE) + 3) / 4; w++)                                                              \
            theirs.words[w] = clprim__##MOVE(mine.words[w], where, SIZE);                                              \
        return theirs.value;                                                                                           \
    }

/* Valid in lane 0 alone: lane l holds the fold of ever more lanes from l on. */
#define CLPRIM__DEFINE_FOLD(PREFIX, NAME, TYPE, SIZE)                                                                  \
    CLPRIM__DEFINE_MOVE(PREFIX, NAME, shuffle_down, TYPE, SIZE)                                                        \
    CLPRIM__INLINE TYPE PREFIX##_fold(CLPRIM_PARAMETERS TYPE x)                                                        \
    {                                                                                                                  \
        if (CLPRIM__HAS_SUM && NAME##_inner_is_sum())                                                                  \
            return NAME##_inner_value(clprim__sum(NAME##_inner_word(x), SIZE));                                        \
        CLPRIM__UNROLL_LANES                                                                                           \
        for (uint distance = 1; distance < clprim_sub_group_width(); distance *= 2) {                                  \
            const TYPE theirs = PREFIX##_shuffle_down(CLPRIM_PASSED x, distance);                                      \
            if (clprim__all_are_whole(SIZE) || clprim_sub_group_lane() + distance < clprim__sub_group_size(SIZE))      \
                x = NAME##_combine(CLPRIM_PASSED x, theirs);                                                           \
        }                                                                                                              \
        return x;                                                                                                      \
    }

/* _step: x, folded with that of the lane so far before; steps of ever twice the distance make a scan. Source: Hillis and
 * Steele 1986. */
#define CLPRIM__DEFINE_INCLUSIVE(PREFIX, NAME, TYPE, SIZE)                                                             \
    CLPRIM__DEFINE_MOVE(PREFIX, NAME, shuffle_up, TYPE, SIZE)                                                          \
    CLPRIM__INLINE TYPE PREFIX##_step(CLPRIM_PARAMETERS TYPE x, uint distance)                                         \
    {                                                                                                                  \
        if (NAME##_inner_is_sum())                                                                                     \
            return NAME##_inner_value(clprim__sum_step(NAME##_inner_word(x), distance, SIZE));                         \
        const TYPE theirs = PREFIX##_shuffle_up(CLPRIM_PASSED x, distance);                                            \
        if (clprim_sub_group_lane() >= distance)                                                                       \
            x = NAME##_combine(CLPRIM_PASSED theirs, x);                                                               \
        return x;                                                                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE PREFIX##_inclusive(CLPRIM_PARAMETERS TYPE x)                                                   \
    {                                                                                                                  \
        CLPRIM__UNROLL_LANES                                                                                           \
        for (uint distance = 1; distance < clprim_sub_group_width(); distance *= 2)                                    \
            x = PREFIX##_step(CLPRIM_PASSED x, distance);                                                              \
        return x;                                                                                                      \
    }

#define CLPRIM__DEFINE_OTHER_MOVES(NAME, TYPE)                                                                         \
    CLPRIM__DEFINE_MOVE(NAME, NAME, shuffle, TYPE, CLPRIM_GROUP_SIZE)                                                  \
    CLPRIM__DEFINE_MOVE(NAME, NAME, broadcast, TYPE, CLPRIM_GROUP_SIZE)                                                \
    CLPRIM__DEFINE_MOVE(NAME, NAME, shuffle_xor, TYPE, CLPRIM_GROUP_SIZE)

#define CLPRIM_SUB_GROUP(NAME, TYPE)                                                                                   \
    CLPRIM__DEFINE_WORDS(NAME, TYPE)                                                                                   \
    CLPRIM__DEFINE_OTHER_MOVES(NAME, TYPE)                                                                             \
    CLPRIM__DEFINE_MOVE(NAME, NAME, shuffle_up, TYPE, CLPRIM_GROUP_SIZE)                                               \
    CLPRIM__DEFINE_MOVE(NAME, NAME, shuffle_down, TYPE, CLPRIM_GROUP_SIZE)

#define CLPRIM_SUB_GROUP_SCAN(NAME, TYPE, EXPRESSION, IDENTITY)                                                        \
    CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                     \
    CLPRIM__DEFINE_WORDS(NAME, TYPE)                                                                                   \
    CLPRIM__DEFINE_IS_SUM(NAME, TYPE, EXPRESSION)                                                                      \
    CLPRIM__DEFINE_OTHER_MOVES(NAME, TYPE)                                                                             \
    CLPRIM__DEFINE_FOLD(NAME, NAME, TYPE, CLPRIM_GROUP_SIZE)                                                           \
    CLPRIM__DEFINE_INCLUSIVE(NAME, NAME, TYPE, CLPRIM_GROUP_SIZE)                                                      \
    CLPRIM__INLINE TYPE NAME##_reduce(CLPRIM_PARAMETERS TYPE x)                                                        \
    {                                                                                                                  \
        x = NAME##_fold(CLPRIM_PASSED x);                                                                              \
        if (CLPRIM__HAS_SUM && NAME##_inner_is_sum()) /* then all lanes have it */                                     \
            return x;                                                                                                  \
        return NAME##_broadcast(CLPRIM_PASSED x, 0);                                                                   \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_exclusive(CLPRIM_PARAMETERS TYPE x)                                                     \
    {                                                                                                                  \
        const TYPE left = NAME##_shuffle_up(CLPRIM_PASSED NAME##_inclusive(CLPRIM_PASSED x), 1);                       \
        TYPE before = IDENTITY;                                                                                        \
        if (clprim_sub_group_lane() > 0)                                                                               \
            before = left;                                                                                             \
        return before;                                                                                                 \
    }

#endif
