/* shift_indices: `count` indices within a part of an array become those within the whole: `begin` is added.
 *
 * INDEX is uint or ulong. For sorts in parts (lib/runtime/plan/plan_sort_indices.c). */
#ifndef INDEX
#error "INDEX, the type of indices, must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void shift_indices(__global INDEX *indices,
                                                                                    ulong begin, ulong count)
{
    const ulong i = get_global_id(0);
    if (i < count)
        indices[i] += (INDEX)begin;
}
