// SPDX-License-Identifier: MIT
/* top_k_keep for CPUs: keeps the first k of a chunk if k is small; see kept.cl.
 *
 * The first launch has one work-group per chunk and reads keys. If there are several chunks, a second launch of one
 * work-group reads their slots. A work-group that is alone writes the result.
 * Parameters: GROUP_SIZE 1. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "top_k/parts/target.cl"
#include "top_k/parts/kept.cl"

__kernel GROUP_OF(GROUP_SIZE) void top_k_keep(ARGS_OF(TOP_K_FIND))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const uint k = (uint)args.k;
    const ulong group = get_group_id(0);
    const ulong groups = get_num_groups(0);
    kept_slot s = slot_at(scratch, args.kept_at, args.room, args.slots + group);
    s.length = 0;
    if (args.slots > 0) {
        keep_slots(&s, k, scratch, args.kept_at, args.slots);
    } else {
        const ulong chunk = (n + groups - 1) / groups;
        const ulong begin = min(n, group * chunk);
        keep_keys(&s, k, keys_in + args.keys_in_offset, begin, min(n, begin + chunk));
    }
    if (groups > 1) {
        *(__global uint *)((__global uchar *)s.places - SLOT_HEAD) = s.length;
        return;
    }
    if (args.sorts)
        sort_kept(&s);
    for (uint i = 0; i < s.length; i++)
        put(i, key_of(s.images[i]), s.places[i], TARGET);
}
