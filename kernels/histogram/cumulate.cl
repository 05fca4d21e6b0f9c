/* histogram_cumulate: each counter becomes the sum of those of its channel up to it. A group has a channel, and of it
 * SHARE neighbouring counters a work-item at a time.
 * Parameters: the prelude, with COUNTER, the type of what is written, and BINS; GROUP_SIZE. */
#if !defined(COUNTER) || !defined(BINS) || !defined(GROUP_SIZE)
#error "COUNTER, BINS and GROUP_SIZE must be given"
#endif
#define SHARE 16u

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
histogram_cumulate(__global COUNTER *out, ulong out_offset)
{
    __local COUNTER sums[GROUP_SIZE];
    const uint lid = (uint)get_local_id(0);
    __global COUNTER *counters = out + out_offset + get_group_id(0) * (ulong)BINS;
    COUNTER before = 0; /* of all counters that are done */
    for (uint first = 0; first < BINS; first += GROUP_SIZE * SHARE) {
        const uint begin = min(first + lid * SHARE, (uint)BINS);
        const uint end = min(begin + SHARE, (uint)BINS);
        COUNTER own = 0;
        for (uint b = begin; b < end; b++)
            own += counters[b];
        sums[lid] = own;
        for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
            const COUNTER left = lid >= distance ? sums[lid - distance] : 0;
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
            sums[lid] += left;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
        COUNTER sum = before + (lid > 0 ? sums[lid - 1] : 0);
        for (uint b = begin; b < end; b++) {
            sum += counters[b];
            counters[b] = sum;
        }
        before += sums[GROUP_SIZE - 1];
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums may be replaced */
    }
}
