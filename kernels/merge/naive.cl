// SPDX-License-Identifier: MIT
/* merge_naive: a work-item for each element, which finds its place by a search in the other range. */
#include "common/items.cl"
#include "common/bounds.cl"
#include "merge/args.h"
#include "merge/parts/merged.cl"

__kernel GROUP_OF(GROUP_SIZE) void merge_naive(ARGS_OF(MERGE_ARRAYS))
{
    const merge_args args = ARGS(MERGE_NUMBERS);
    HEED_COUNTS
    const ulong i = get_global_id(0);
    if (i < a_count) {
        const item x = load(ARRAY_OF(a), (INDEX)i);
        store(ARRAY_OF(out), (INDEX)i + lower_bound(ARRAY_OF(b), (INDEX)b_count, x), x);
    } else if (i - a_count < b_count) { /* after all equal elements of a */
        const item x = load(ARRAY_OF(b), (INDEX)(i - a_count));
        store(ARRAY_OF(out), (INDEX)(i - a_count) + upper_bound(ARRAY_OF(a), (INDEX)a_count, x), x);
    }
}
