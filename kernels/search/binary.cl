/* search_binary: each needle for itself, by halving. A work-item has ITEMS needles under way at a time, whose loads do not wait
 * for each other; which half is next is no branch, and how often there is one depends on n alone.
 * Parameters: items.cl, bounds.cl, needles.cl; ITEMS needles of a work-item. */
#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE ((ulong)GROUP_SIZE * ITEMS)

SEARCH_KERNEL void search_binary(SEARCH_PARAMETERS)
{
    HEED_COUNTS
    const array a = ARRAY(in);
    const ulong end = min(m, (get_group_id(0) + 1) * share);
    for (ulong begin = get_group_id(0) * share + get_local_id(0); begin < end; begin += TILE) {
        const array own = array_from(ARRAY(needles), begin);
        const ulong left = end - begin;
        item x[ITEMS];
        INDEX at[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            x[j] = needle_at(own, begin, j * GROUP_SIZE < left ? j * GROUP_SIZE : 0);
            at[j] = 0;
        }
        INDEX length = (INDEX)n;
        while (length > 1) {
            const INDEX half_length = length / 2;
#pragma unroll
            for (uint j = 0; j < ITEMS; j++)
                at[j] += is_behind(load(a, at[j] + half_length - 1), x[j]) ? half_length : 0;
            length -= half_length;
        }
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            if (length == 1)
                at[j] += is_behind(load(a, at[j]), x[j]) ? 1 : 0;
            if (j * GROUP_SIZE < left)
                out[out_offset + begin + j * GROUP_SIZE] = at[j];
        }
    }
}
