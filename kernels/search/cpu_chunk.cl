// SPDX-License-Identifier: MIT
/* search_cpu_chunk: for CPUs, and for needles that are sorted themselves. A work-group is one work-item, and so one
 * thread at a time. The search for each needle begins at the place of the previous needle, with steps that are doubled,
 * then halved (galloping).
 * Parameters: GROUP_SIZE 1. Source: Bentley, Yao 1976. */
#include "common/items.cl"
#include "search/args.h"
#include "search/parts/needles.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

__kernel GROUP_OF(GROUP_SIZE) void search_cpu_chunk(ARGS_OF(SEARCH_ARRAYS))
{
    const search_args args = ARGS(SEARCH_NUMBERS);
    HEED_COUNTS
    const ulong share = args.share;
    const array a = ARRAY_OF(in);
    const ulong begin = get_group_id(0) * share;
    const ulong end = min(m, begin + share);
    const array own = array_from(ARRAY_OF(needles), begin);
    const INDEX count = (INDEX)n;
    INDEX at = begin < end ? bound(a, count, needle_at(own, begin, 0)) : 0;
    for (ulong i = begin; i < end; i++) {
        const item x = needle_at(own, begin, (INDEX)(i - begin));
        INDEX left = count - at;
        INDEX reach = 1;
        while (reach < left && is_behind(load(a, at + reach - 1), x)) {
            at += reach;
            left -= reach;
            reach *= 2;
        }
        at += bound(array_from(a, at), min(reach, left), x);
        PUT_PLACE(out[args.out_offset + i], a, count, at, x);
    }
}
