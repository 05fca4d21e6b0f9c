/* group_reduce.cl: fold one VALUE of each work-item of a group. The order of the work-items is not kept.
 *
 * Parameters: VALUE, COMBINE, IDENTITY, GROUP_SIZE power of two. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

/* VALUEs of local memory that group_reduce takes. */
#define GROUP_REDUCE_VALUES GROUP_SIZE

/* Always, since a barrier is inside: LLVM 15's inliner, in PoCL, crashes over the second call with a large VALUE. */

#ifdef SUBGROUP_SHUFFLE
/* The result is valid in work-item 0 alone. All work-items of the group take part; before `shared`, which has room for
 * GROUP_REDUCE_VALUES, is used again there must be a barrier. */
ALWAYS_INLINE VALUE group_reduce(VALUE x, __local VALUE *shared)
{
    const uint lane = clprim_sub_group_lane();
    const uint groups = GROUP_SIZE / clprim_sub_group_size();
    x = subgroup_reduce(x);
    if (lane == 0)
        shared[clprim_sub_group_index()] = x;
    barrier(CLK_LOCAL_MEM_FENCE); /* the first sub-group reads what the others wrote */
    if (clprim_sub_group_index() == 0) {
        x = lane < groups ? shared[lane] : IDENTITY;
        for (uint g = lane + clprim_sub_group_size(); g < groups;
             g += clprim_sub_group_size()) /* narrow sub-groups: more of them */
            x = COMBINE(x, shared[g]);
        x = subgroup_reduce(x);
    }
    return x;
}
#else
ALWAYS_INLINE VALUE group_reduce(VALUE x, __local VALUE *shared)
{
    const uint lid = (uint)get_local_id(0);
    shared[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint s = GROUP_SIZE / 2;
    for (; s > 0 && s >= clprim_sub_group_size(); s /= 2) {
        if (lid < s)
            shared[lid] = COMBINE(shared[lid], shared[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    /* What is left lies within the first sub-group: no barrier of the whole group is needed any more. */
    if (clprim_sub_group_index() == 0) {
        for (; s > 0; s /= 2) {
            const uint lane = clprim_sub_group_lane();
            if (lane < s)
                shared[lane] = COMBINE(shared[lane], shared[lane + s]);
            clprim_sub_group_sync();
        }
    }
    return shared[0];
}
#endif
