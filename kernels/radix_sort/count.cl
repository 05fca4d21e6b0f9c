/* radix_sort_count: the first launch of onesweep. Counts the digits of all passes at once, and clears what the passes look
 * back over. A group adds its counts to words that count the groups too: whoever finds that all others have been there has
 * the digit's total.
 *
 * state is memory that only this plan uses, 0 before the first launch: the ticket of the passes; for calls with even and
 * with odd epochs, the passes in which all keys have the same digit, a bit each; from SORT_SUMS on the sums, 0 again after
 * each launch; from SORT_TOTALS on the totals.
 * Parameters: keys.cl; STATUS, the word that is looked back over; COPIES of the counters, a power of two, by turns, so that
 * lanes seldom meet in one; COUNT_ITEMS keys a work-item loads at once; GROUP_SIZE; 64-bit atomics. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ONE_GROUP (1ul << 32) /* in a sum; below are the keys */

#define SORT_SAME 32 /* in words of 32 bits: the ticket has a cache line of its own */
#ifndef SORT_SUMS
#error "SORT_SUMS must be given"
#endif
#define SORT_TOTALS (SORT_SUMS + 2 * PASSES * RADIX)

#define COUNTERS (PASSES * RADIX)
#define COUNT_TILE (COUNT_GROUP_SIZE * COUNT_ITEMS)

static inline __attribute__((always_inline)) void count_key(__local uint *counters, KEY key)
{
    const KEY image = image_of(key);
#pragma unroll
    for (uint pass = 0; pass < PASSES; pass++)
        (void)atomic_inc(counters + (pass * RADIX + digit_of(image, shift_of(pass))) * COPIES + get_local_id(0) % COPIES);
}

__kernel __attribute__((reqd_work_group_size(COUNT_GROUP_SIZE, 1, 1))) void
radix_sort_count(const __global KEY *keys_in, ulong keys_in_offset, ulong n, volatile __global uint *state, uint epoch,
                 __global uchar *scratch, ulong status_at, ulong status_words)
{
    __local uint counters[COUNTERS * COPIES];
    SORT_COUNT
    volatile __global ulong *sums = (volatile __global ulong *)(state + SORT_SUMS);
    __global uint *status = (__global uint *)(scratch + status_at);
    const __global KEY *keys = keys_in + keys_in_offset;
    const uint lid = (uint)get_local_id(0);
    const ulong stride = (ulong)get_num_groups(0) * COUNT_TILE;
    ulong first = (ulong)get_group_id(0) * COUNT_TILE + lid;
    for (uint i = lid; i < COUNTERS * COPIES; i += COUNT_GROUP_SIZE)
        counters[i] = 0;
    for (ulong i = get_global_id(0); i < status_words; i += get_global_size(0))
        status[i] = 0;
    if (get_global_id(0) == 0)
        state[SORT_SAME + (epoch + 1) % 2] = 0; /* for the next call */
    barrier(CLK_LOCAL_MEM_FENCE);               /* the counters are 0 */
    for (; first + COUNT_GROUP_SIZE * (COUNT_ITEMS - 1) < n; first += stride) {
        KEY loaded[COUNT_ITEMS];
#pragma unroll
        for (uint j = 0; j < COUNT_ITEMS; j++)
            loaded[j] = key_at(keys, first, j * COUNT_GROUP_SIZE, true);
#pragma unroll
        for (uint j = 0; j < COUNT_ITEMS; j++)
            count_key(counters, loaded[j]);
    }
    for (uint j = 0; j < COUNT_ITEMS; j++) /* the last tile, where it is not whole for this work-item */
        if (first + j * COUNT_GROUP_SIZE < n)
            count_key(counters, key_at(keys, first, j * COUNT_GROUP_SIZE, true));
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint slot = lid; slot < COUNTERS; slot += COUNT_GROUP_SIZE) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++) /* each lane begins with another copy: no bank conflicts */
            sum += counters[slot * COPIES + (c + slot) % COPIES];
        const ulong before = atom_add(sums + slot, ONE_GROUP + sum);
        if (before / ONE_GROUP == get_num_groups(0) - 1) {
            const uint total = (uint)before + sum;
            (void)atom_xchg(sums + slot, 0ul); /* for the next launch, which cannot begin before this one ends */
            state[SORT_TOTALS + slot] = total;
            if (total == n)
                (void)atomic_or(state + SORT_SAME + epoch % 2, 1u << slot / RADIX);
        }
    }
}
