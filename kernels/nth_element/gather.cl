// SPDX-License-Identifier: MIT
/* nth_element_gather: copy the keys at the ranks from the sorted keys. A rank after the last key counts as that of the
 * last key.
 * Parameters: KEY; RANK, the type of the ranks; GROUP_SIZE. */
#include "nth_element/args.h"

#if !defined(KEY) || !defined(RANK)
#error "KEY and RANK must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void nth_element_gather(ARGS_OF(NTH_GATHER))
{
    const nth_args args = ARGS(NTH_NUMBERS);
    const __global KEY *sorted = keys_in + args.keys_in_offset;
    const ulong n = CALL_COUNT_0(args.n);
    if (n == 0)
        return;
    for (ulong r = get_global_id(0); r < args.rank_count; r += get_global_size(0))
        keys_out[args.keys_out_offset + r] = sorted[min((ulong)ranks[args.ranks_offset + r], n - 1)];
}
