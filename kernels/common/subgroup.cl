/* subgroup.cl: the work-items that run in step (warp, wavefront), by whatever means the device has.
 *
 * Parameters: SUB_GROUP_MEANS 0 none, 1 inline PTX, 2 cl_khr_subgroups, 3 cl_intel_subgroups
 *             (clprim_sub_group_means in runtime.h); GROUP_SIZE work-items in the work-group.
 *
 * Without means a sub-group has one work-item, which is always right: what is written for W work-items in step then
 * finds nothing to do. */
#ifndef SUB_GROUP_MEANS
#error "SUB_GROUP_MEANS must be given"
#endif
#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

#if SUB_GROUP_MEANS == 1
/* NVIDIA numbers the work-items of a one-dimensional group through its warps. */
static inline uint subgroup_width(void) { return 32; }
static inline uint subgroup_index(void) { return (uint)get_local_id(0) / 32; }
static inline uint subgroup_lane(void) { return (uint)get_local_id(0) % 32; }
/* What work-items of the sub-group wrote to local memory is visible to each other. Since Volta the lanes of a warp may
 * drift apart, so that being in one warp does not make this true by itself. A last, partial warp has fewer lanes, and
 * a full mask would wait for lanes that do not exist: hence the mask of those that do. */
static inline void subgroup_sync(void)
{
    const uint first = (uint)get_local_id(0) & ~31u;
    const uint mask = GROUP_SIZE - first >= 32 ? 0xffffffffu : (1u << (GROUP_SIZE - first)) - 1;
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
/* The word of the lane `distance` further on; a lane's own where there is none. All lanes of a full sub-group. */
#define SUBGROUP_SHUFFLE 1
static inline uint subgroup_shuffle_down(uint word, uint distance)
{
    uint theirs;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(theirs) : "r"(word), "r"(distance));
    return theirs;
}
#elif SUB_GROUP_MEANS == 2 || SUB_GROUP_MEANS == 3
#if SUB_GROUP_MEANS == 2
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#else
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif
static inline uint subgroup_width(void) { return get_max_sub_group_size(); }
static inline uint subgroup_index(void) { return get_sub_group_id(); }
static inline uint subgroup_lane(void) { return get_sub_group_local_id(); }
static inline void subgroup_sync(void) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); }
#else
static inline uint subgroup_width(void) { return 1; }
static inline uint subgroup_index(void) { return (uint)get_local_id(0); }
static inline uint subgroup_lane(void) { return 0; }
static inline void subgroup_sync(void) { }
#endif
