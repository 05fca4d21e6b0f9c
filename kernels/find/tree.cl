// SPDX-License-Identifier: MIT
/* find_tree: a fixed number of groups shares the input; a second launch combines what they have found. */
#include "find/args.h"
#include "find/parts/condition.cl"
#include "common/group_reduce.cl"
#include "find/parts/walk.cl"
#include "find/parts/finish.cl"

__kernel GROUP_OF(GROUP_SIZE) void find_tree(ARGS_OF(FIND_LOOK))
{
    const find_args args = ARGS(FIND_NUMBERS);
    __local clprim__group_memory data;
    const ulong n = CALL_COUNT_0(args.n);
    const VALUE least =
        clprim__group_reduce_to_first(first_place(in + args.in_offset, n, HINT_OF(state), args.epoch), &data);
    if (get_local_id(0) == 0)
        finish_or_hand_on(least, n, state, out + args.out_offset);
}
