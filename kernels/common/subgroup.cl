/* subgroup.cl: the work-items that run in step (warp, wavefront), by whatever means the device has.
 *
 * Parameters: SUB_GROUP_MEANS 0 none, 1 inline PTX, 2 cl_khr_subgroups or OpenCL 3.0's feature, 3 cl_intel_subgroups
 *             (clprim_sub_group_means in runtime.h); GROUP_SIZE work-items in the work-group.
 *
 * Without means a sub-group has one work-item, which is always right: what is written for W work-items in step then
 * finds nothing to do. SUBGROUP_SHUFFLE is defined where there is more to it than that, and work-items can exchange
 * words; else a kernel that lives by it may take another way, through local memory.
 *
 *   subgroup_width(), _index(), _lane()    work-items in the sub-group, its number in the group, one's own number in it
 *   subgroup_sync()                        what each wrote to local memory is visible to the others
 *   subgroup_broadcast(word, lane)         the word of that lane, the same in all lanes, which must exist
 *   subgroup_shuffle_up/_down(word, d)     the word of the lane d before/behind; one's own where there is none
 *   subgroup_ballot(vote)                  bit l of the four words: lane l (of up to 128) votes
 *   subgroup_any(vote), _votes(vote)       some lane votes; how many do
 *   subgroup_shuffle(word, lane)           where SUBGROUP_GATHER is defined, too: lanes may name different ones
 * and over VALUEs, where words.cl came before, in subgroup_values.cl: subgroup_reduce, subgroup_scan. */
#ifndef SUB_GROUP_MEANS
#error "SUB_GROUP_MEANS must be given"
#endif
#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

#if SUB_GROUP_MEANS > 1 && GROUP_SIZE < 4 /* nothing to gain, and PoCL 5 and 6 abort over such sub-groups */
#define SUB_GROUPS_BY 0
#else
#define SUB_GROUPS_BY SUB_GROUP_MEANS
#endif

#if SUB_GROUPS_BY == 1
/* NVIDIA numbers the work-items of a one-dimensional group through its warps. */
static inline uint subgroup_width(void)
{
    return 32;
}
static inline uint subgroup_index(void)
{
    return (uint)get_local_id(0) / 32;
}
static inline uint subgroup_lane(void)
{
    return (uint)get_local_id(0) % 32;
}
/* What work-items of the sub-group wrote to local memory is visible to each other. Since Volta the lanes of a warp may
 * drift apart, so that being in one warp does not make this true by itself. A last, partial warp has fewer lanes, and
 * a full mask would wait for lanes that do not exist: hence the mask of those that do. */
static inline void subgroup_sync(void)
{
#if GROUP_SIZE % 32 == 0
    const uint mask = 0xffffffffu;
#else
    const uint first = (uint)get_local_id(0) & ~31u;
    const uint mask = GROUP_SIZE - first >= 32 ? 0xffffffffu : (1u << (GROUP_SIZE - first)) - 1;
#endif
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
#if GROUP_SIZE % 32 == 0 /* all 32 lanes take part in what follows: where some do not exist, it is not declared */
#define SUBGROUP_SHUFFLE 1
#define SUBGROUP_GATHER  1
static inline uint subgroup_shuffle(uint word, uint lane)
{
    uint theirs;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(theirs) : "r"(word), "r"(lane));
    return theirs;
}
static inline uint subgroup_broadcast(uint word, uint lane)
{
    return subgroup_shuffle(word, lane);
}
static inline uint subgroup_shuffle_up(uint word, uint distance)
{
    uint theirs;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(theirs) : "r"(word), "r"(distance));
    return theirs;
}
static inline uint subgroup_shuffle_down(uint word, uint distance)
{
    uint theirs;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(theirs) : "r"(word), "r"(distance));
    return theirs;
}
static inline uint4 subgroup_ballot(bool vote)
{
    uint votes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(votes)
                 : "r"((uint)vote));
    return (uint4)(votes, 0, 0, 0);
}
static inline bool subgroup_any(bool vote)
{
    return subgroup_ballot(vote).x != 0;
}
static inline uint subgroup_votes(bool vote)
{
    return popcount(subgroup_ballot(vote).x);
}
#endif
#elif SUB_GROUPS_BY == 2 || SUB_GROUPS_BY == 3
#if SUB_GROUPS_BY == 2 && defined(cl_khr_subgroups) /* else they are a feature of the language */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#elif SUB_GROUPS_BY == 3
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif
/* AMD's compiler knows the width, and unrolls loops over it then; a last sub-group may have fewer work-items. */
#if defined(__AMDGCN_WAVEFRONT_SIZE__) && GROUP_SIZE % __AMDGCN_WAVEFRONT_SIZE__ == 0
static inline uint subgroup_width(void)
{
    return __AMDGCN_WAVEFRONT_SIZE__;
}
#else
static inline uint subgroup_width(void)
{
    return get_sub_group_size();
}
#endif
static inline uint subgroup_index(void)
{
    return get_sub_group_id();
}
static inline uint subgroup_lane(void)
{
    return get_sub_group_local_id();
}
static inline void subgroup_sync(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

/* AMD's OpenCL has no function for what its compiler has built in. From GFX10 on a permutation reaches 32 lanes
 * alone. */
#if defined(__AMDGCN_WAVEFRONT_SIZE__) && defined(__has_builtin)
#if (__AMDGCN_WAVEFRONT_SIZE__ == 32 || defined(__GFX8__) || defined(__GFX9__)) &&                                     \
    __has_builtin(__builtin_amdgcn_ds_bpermute) && __has_builtin(__builtin_amdgcn_readlane)
#define BY_AMD 1
#endif
#endif
#if SUB_GROUPS_BY == 3
#define SHUFFLE(word, lane) intel_sub_group_shuffle(word, lane)
#elif defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#define SHUFFLE(word, lane) sub_group_shuffle(word, lane)
#elif defined(cl_intel_subgroups)
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define SHUFFLE(word, lane) intel_sub_group_shuffle(word, lane)
#elif defined(BY_AMD)
#define SHUFFLE(word, lane) ((uint)__builtin_amdgcn_ds_bpermute((int)((lane)*4), (int)(word)))
#endif

#ifdef SHUFFLE
#define SUBGROUP_SHUFFLE 1
#define SUBGROUP_GATHER  1
/* The relative ones go through the general one, which every driver has; a lane that does not exist is never named. */
static inline uint subgroup_shuffle(uint word, uint lane)
{
    return SHUFFLE(word, lane);
}
static inline uint subgroup_shuffle_up(uint word, uint distance)
{
    const uint lane = get_sub_group_local_id();
    return SHUFFLE(word, lane >= distance ? lane - distance : lane);
}
static inline uint subgroup_shuffle_down(uint word, uint distance)
{
    const uint lane = get_sub_group_local_id();
    return SHUFFLE(word, lane + distance < subgroup_width() ? lane + distance : lane);
}
#elif defined(cl_qcom_subgroup_shuffle)
/* Relative ones alone, which give the last argument where there is no such lane. */
#pragma OPENCL EXTENSION cl_qcom_subgroup_shuffle : enable
#define SUBGROUP_SHUFFLE 1
static inline uint subgroup_shuffle_up(uint word, uint distance)
{
    return qcom_sub_group_shuffle_up(word, distance, CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM, word);
}
static inline uint subgroup_shuffle_down(uint word, uint distance)
{
    return qcom_sub_group_shuffle_down(word, distance, CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM, word);
}
#elif defined(cl_khr_subgroup_shuffle_relative)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#define SUBGROUP_SHUFFLE 1
/* Of a lane that does not exist any word may come. */
static inline uint subgroup_shuffle_up(uint word, uint distance)
{
    const uint theirs = sub_group_shuffle_up(word, distance);
    return get_sub_group_local_id() >= distance ? theirs : word;
}
static inline uint subgroup_shuffle_down(uint word, uint distance)
{
    const uint theirs = sub_group_shuffle_down(word, distance);
    return get_sub_group_local_id() + distance < subgroup_width() ? theirs : word;
}
#endif
#ifdef BY_AMD
static inline uint subgroup_broadcast(uint word, uint lane)
{
    return (uint)__builtin_amdgcn_readlane((int)word, (int)lane);
}
#elif defined(SHUFFLE)
static inline uint subgroup_broadcast(uint word, uint lane)
{
    return SHUFFLE(word, lane);
}
#else
static inline uint subgroup_broadcast(uint word, uint lane)
{
    return sub_group_broadcast(word, lane);
}
#endif
static inline bool subgroup_any(bool vote)
{
    return sub_group_any(vote) != 0;
}
#ifdef cl_khr_subgroup_ballot
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
static inline uint4 subgroup_ballot(bool vote)
{
    return sub_group_ballot(vote);
}
#elif defined(BY_AMD) && __AMDGCN_WAVEFRONT_SIZE__ == 64
static inline uint4 subgroup_ballot(bool vote)
{
    const ulong votes = __builtin_amdgcn_ballot_w64(vote);
    return (uint4)((uint)votes, (uint)(votes >> 32), 0, 0);
}
#elif defined(BY_AMD) && __AMDGCN_WAVEFRONT_SIZE__ == 32
static inline uint4 subgroup_ballot(bool vote)
{
    return (uint4)(__builtin_amdgcn_ballot_w32(vote), 0, 0, 0);
}
#else
/* One bit of a word each, so that a sum is their union. */
static inline uint4 subgroup_ballot(bool vote)
{
    const uint lane = get_sub_group_local_id();
    const uint bit = vote ? 1u << lane % 32 : 0;
    return (uint4)(sub_group_reduce_add(lane / 32 == 0 ? bit : 0), sub_group_reduce_add(lane / 32 == 1 ? bit : 0),
                   sub_group_reduce_add(lane / 32 == 2 ? bit : 0), sub_group_reduce_add(lane / 32 == 3 ? bit : 0));
}
#endif
static inline uint subgroup_votes(bool vote)
{
    const uint4 votes = popcount(subgroup_ballot(vote));
    return votes.x + votes.y + votes.z + votes.w;
}
#else
static inline uint subgroup_width(void)
{
    return 1;
}
static inline uint subgroup_index(void)
{
    return (uint)get_local_id(0);
}
static inline uint subgroup_lane(void)
{
    return 0;
}
static inline void subgroup_sync(void)
{
}
static inline uint subgroup_shuffle(uint word, uint lane)
{
    return word;
}
static inline uint subgroup_broadcast(uint word, uint lane)
{
    return word;
}
static inline uint subgroup_shuffle_up(uint word, uint distance)
{
    return word;
}
static inline uint subgroup_shuffle_down(uint word, uint distance)
{
    return word;
}
static inline uint4 subgroup_ballot(bool vote)
{
    return (uint4)(vote, 0, 0, 0);
}
static inline bool subgroup_any(bool vote)
{
    return vote;
}
static inline uint subgroup_votes(bool vote)
{
    return vote;
}
#endif
