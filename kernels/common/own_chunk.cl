// SPDX-License-Identifier: MIT
/* own_chunk.cl: for CPUs. A work-group is one work-item, which runs on one thread and has one contiguous chunk of the n
 * elements.
 * Parameters: GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

static inline void own_chunk(ulong *begin, ulong *end, ulong n)
{
    const ulong groups = get_num_groups(0);
    const ulong chunk = (n + groups - 1) / groups;
    *begin = min(n, get_group_id(0) * chunk);
    *end = min(n, *begin + chunk);
}
