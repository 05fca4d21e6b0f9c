// SPDX-License-Identifier: MIT
/* top_k_copy: copies the first n keys and what is carried along. With INPUT_AT, the keys come from an expression. Each
 * group has a chunk of them.
 * Parameters: KEY; CARRIED, if something is carried along (CARRIED_SIZE is not 0); with CARRIES_INDICES and
 * makes_indices, the keys' places are carried along; GROUP_SIZE. */
#include "top_k/args.h"

#if !defined(KEY) || !defined(CARRIED_SIZE) || !defined(CARRIES_INDICES)
#error "KEY, CARRIED_SIZE and CARRIES_INDICES must be given"
#endif

#ifdef INPUT_AT
#define KEY_FROM(i) INPUT_AT(i)
#else
#define KEY_FROM(i) keys_in[args.keys_in_offset + (i)]
#endif

__kernel GROUP_OF(GROUP_SIZE) void top_k_copy(ARGS_OF(TOP_K_COPY))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong chunk = (n + get_num_groups(0) - 1) / get_num_groups(0);
    const ulong end = min(n, (get_group_id(0) + 1) * chunk);
    for (ulong i = get_group_id(0) * chunk + get_local_id(0); i < end; i += GROUP_SIZE) {
        keys_out[args.keys_out_offset + i] = KEY_FROM(i);
#if CARRIED_SIZE
#if CARRIES_INDICES
        if (args.makes_indices) {
            carried_out[args.carried_out_offset + i] = (CARRIED)i;
            continue;
        }
#endif
        carried_out[args.carried_out_offset + i] = carried_in[args.carried_in_offset + i];
#endif
    }
}
