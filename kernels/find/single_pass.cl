// SPDX-License-Identifier: MIT
/* find_single_pass: one launch. A fixed number of groups shares the input; one of them collects what all groups have
 * found. */
#include "find/args.h"
#include "find/parts/condition.cl"
#include "common/collect.cl"
#include "common/group_reduce.cl"
#include "find/parts/walk.cl"

__kernel GROUP_OF(GROUP_SIZE) void find_single_pass(ARGS_OF(FIND_LOOK))
{
    const find_args args = ARGS(FIND_NUMBERS);
    __local clprim__group_memory data;
    __local uint is_last;
    const ulong n = CALL_COUNT_0(args.n);
    const uint lid = (uint)get_local_id(0);
    const uint groups = (uint)get_num_groups(0);
    VALUE least = clprim__group_reduce_to_first(first_place(in + args.in_offset, n, HINT_OF(state), args.epoch), &data);
    if (groups > 1) {
        if (!collect_publish(state, args.epoch, least, &is_last))
            return;
        if (lid != 0)
            least = NOWHERE; /* the group's own value is in work-item 0 */
        for (uint g = lid; g < groups; g += GROUP_SIZE)
            if (g != get_group_id(0))
                least = min(least, collect_value(state, args.epoch, g));
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `data` */
        least = clprim__group_reduce_to_first(least, &data);
    }
    if (lid == 0)
        out[args.out_offset] = result_of(least, n);
}
