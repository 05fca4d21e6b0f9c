/* radix_sort_split: one bit a pass (lecture, radix sort). With s_i how many of the elements before i have the bit, and
 * Nz how many of all have it not, element i goes to i - s_i where its bit is 0, else to Nz + s_i. Three launches:
 * groups count the bits of their tiles (radix_sort_count_bits), the counts are scanned (radix_sort_rows), the elements
 * move (radix_sort_split).
 * Parameters: keys.cl with DIGIT_BITS 1; GROUP_SIZE, ITEMS consecutive elements a work-item. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/rows.cl"
#include "radix_sort/copy.cl"

#define TILE ((ulong)GROUP_SIZE * ITEMS)

static inline uint bit_of(const route *r, ulong i, ulong n, uint pass)
{
    return i < n ? digit_of(image_of(key_from(r, i)), shift_of(pass)) : 0;
}

/* sums[l] = how many of the group's bits are in work-items up to l. All call it. */
ALWAYS_INLINE void scan_bits(__local uint *sums, const route *r, ulong first, ulong n, uint pass)
{
    const uint lid = (uint)get_local_id(0);
    uint sum = 0;
    for (uint j = 0; j < ITEMS; j++)
        sum += bit_of(r, first + j, n, pass);
    sums[lid] = sum;
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
        const uint left = lid >= distance ? sums[lid - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        sums[lid] += left;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_count_bits(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint sums[GROUP_SIZE];
    SORT_ROUTE(r, 0)
    const uint pass = args.pass;
    scan_bits(sums, &r, get_global_id(0) * (ulong)ITEMS, n, pass);
    if (get_local_id(0) == 0)
        ((__global COUNT *)(scratch + args.counts_at))[get_group_id(0)] = sums[GROUP_SIZE - 1];
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_split(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint sums[GROUP_SIZE];
    SORT_ROUTE(r, 0)
    const uint pass = args.pass;
    const uint lid = (uint)get_local_id(0);
    const ulong first = get_global_id(0) * (ulong)ITEMS;
    const ulong zeros = n - ((const __global COUNT *)(scratch + args.totals_at))[0];
    scan_bits(sums, &r, first, n, pass);
    ulong ones = ((const __global COUNT *)(scratch + args.counts_at))[get_group_id(0)] + (lid == 0 ? 0 : sums[lid - 1]);
    for (ulong i = first; i < first + ITEMS && i < n; i++) {
        const KEY key = key_from(&r, i);
        const uint bit = digit_of(image_of(key), shift_of(pass));
        const ulong to = bit == 0 ? i - ones : zeros + ones;
        r.keys_to[to] = key;
#if VALUE_SIZE
        r.values_to[to] = value_from(&r, i, 0);
#endif
        ones += bit;
    }
}
