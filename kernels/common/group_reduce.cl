/* group_reduce.cl: fold one VALUE of each work-item of a group.
 *
 * Parameters: VALUE, COMBINE, GROUP_SIZE power of two; subgroup.cl comes before. */
#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

/* The result is valid in work-item 0 alone. `shared` has room for GROUP_SIZE values and may be used again at once by
 * work-item 0, by the others after the next barrier. All work-items of the group take part. */
static inline VALUE group_reduce(VALUE x, __local VALUE *shared)
{
    const uint lid = (uint)get_local_id(0);
    shared[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint s = GROUP_SIZE / 2;
    for (; s > 0 && s >= subgroup_width(); s /= 2) {
        if (lid < s)
            shared[lid] = COMBINE(shared[lid], shared[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* What is left lies within the first sub-group: no barrier of the whole group is needed any more. */
    if (subgroup_index() == 0) {
        for (; s > 0; s /= 2) {
            const uint lane = subgroup_lane();
            if (lane < s)
                shared[lane] = COMBINE(shared[lane], shared[lane + s]);
            subgroup_sync();
        }
    }
    return shared[0];
}
