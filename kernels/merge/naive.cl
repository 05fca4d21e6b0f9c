/* merge_naive: a work-item for each element, which finds its place by a search in the other range. */
#include "common/items.cl"
#include "common/bounds.cl"
#include "merge/parts/merged.cl"

MERGE_KERNEL void merge_naive(MERGE_PARAMETERS)
{
    HEED_COUNTS
    const ulong i = get_global_id(0);
    if (i < a_count) {
        const item x = load(ARRAY(a), (INDEX)i);
        store(ARRAY(out), (INDEX)i + lower_bound(ARRAY(b), (INDEX)b_count, x), x);
    } else if (i - a_count < b_count) { /* behind all of a that are equal */
        const item x = load(ARRAY(b), (INDEX)(i - a_count));
        store(ARRAY(out), (INDEX)(i - a_count) + upper_bound(ARRAY(a), (INDEX)a_count, x), x);
    }
}
