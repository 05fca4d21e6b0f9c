// SPDX-License-Identifier: MIT
/* top_k_finish: one group decides what happens to the lists of filter.cl, and finds the result if it can. There are
 * three cases:
 *
 * - At least k elements are before the limit: the lists suffice, except for lists that are too long. If they have at
 *   most FEW_MOST elements, the group finds the result among these; otherwise the passes of the search read the lists.
 * - At least k elements are before the limit or equal to it: the limit is the threshold, and only gathering remains.
 * - There are fewer: the sample was unlucky, and the limit is useless. All elements are read, as if there were no
 *   limit.
 *
 * If the array is small, the group does all remaining work by itself, because more launches would take longer.
 *
 * Parameters: TAKEN, the largest k of a result that the group finds; FEW_MOST, the most elements among which it finds
 * the result, as many as local memory has room for. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "top_k/parts/target.cl"
#include "common/subgroup.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "top_k/parts/tiles.cl"
#include "top_k/parts/lists.cl"
#include "top_k/filter.cl"

#if !defined(TAKEN) || !defined(FEW_MOST)
#error "TAKEN and FEW_MOST must be given"
#endif

#if FILTERS
/* The totals of all groups of top_k_filter. */
typedef struct {
    uint less;     /* elements before the limit */
    uint equal;    /* elements equal to the limit */
    uint too_long; /* lists that are too long */
    uint shift;    /* elements before the limit have the limit's bits from here on */
} filter_totals;

/* sums: 5 words. lengths: receives the lengths of the first TAKEN lists. */
ALWAYS_INLINE filter_totals totals_of(__local uint *sums, __local COUNT *lengths, uint groups,
                                      const __global uchar *scratch, const top_k_args args)
{
    const uint lid = (uint)get_local_id(0);
    if (lid < 5)
        sums[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the sums are 0 */
    for (uint g = lid; g < groups; g += GROUP_SIZE) {
        const __global COUNT *row = (const __global COUNT *)(scratch + args.rows_at) + g * (ulong)RADIX;
        const uint less = ((const __global COUNT *)(scratch + args.chunks_at))[g];
        if (g < TAKEN)
            lengths[g] = less;
        (void)atomic_add(sums, less);
        (void)atomic_add(sums + 1, row[0]);
        (void)atomic_add(sums + 2, less > args.capacity);
        (void)atomic_or(sums + 3, row[1]);
        (void)atomic_or(sums + 4, row[2]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums */
    const uint shift = sums[4] > 0 ? 64 - clz(sums[4]) : 32 - clz(sums[3]);
    return (filter_totals){sums[0], sums[1], sums[2], min(shift, (uint)KEY_BITS)};
}

/* Join the lists of all groups, which have `count` elements together: their places, and the images of their keys.
 * `ends` has the lengths of the lists, and room for TAKEN. Every 32 work-items read consecutive elements, row by row.
 * So each work-item searches only for the list of its first element, and moves forward from there. */
#define BROUGHT_AT_ONCE 8
ALWAYS_INLINE void bring_lists(__local uint *places, __local prefix_bits *images, uint count, __local COUNT *ends,
                               __local clprim__sums_memory *summing, uint groups, const __global uchar *scratch,
                               const __global KEY *keys, const top_k_args args)
{
    const uint lid = (uint)get_local_id(0);
    const __global uint *lists = (const __global uint *)(scratch + args.lists_at);
    const uint size = groups > 1 ? 1u << (32 - clz(groups - 1)) : 1;
    for (uint g = groups + lid; g < size; g += GROUP_SIZE)
        ends[g] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the lengths */
    sum_up(ends, size, summing);
    const uint share = (count + GROUP_SIZE - 1) / GROUP_SIZE * 32;
    const uint end = min(count, (lid / 32 + 1) * share);
    uint i = lid / 32 * share + lid % 32;
    uint g = 0;
    for (uint width = size / 2; width > 0; width /= 2)
        g += ends[g + width - 1] <= i ? width : 0;
    for (; i < end; i += BROUGHT_AT_ONCE * 32) {
        uint own[BROUGHT_AT_ONCE]; /* loaded in parallel */
        KEY held[BROUGHT_AT_ONCE];
#pragma unroll
        for (uint j = 0; j < BROUGHT_AT_ONCE; j++) {
            const uint at = min(i + j * 32, end - 1);
            while (ends[g] <= at)
                g++;
            own[j] = lists[g * ((ulong)args.capacity + 1) + at - (g > 0 ? ends[g - 1] : 0)];
        }
#pragma unroll
        for (uint j = 0; j < BROUGHT_AT_ONCE; j++)
            held[j] = key_at(keys, own[j], 0, true);
#pragma unroll
        for (uint j = 0; j < BROUGHT_AT_ONCE; j++) {
            places[min(i + j * 32, end - 1)] = own[j];
            images[min(i + j * 32, end - 1)] = image_of(held[j]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all elements */
}

/* Count the digits of the candidates among the few listed elements. */
static inline void count_few(__local COUNT *sums, const __local prefix_bits *images, uint few, search s)
{
    const digits d = digits_of(s);
#pragma unroll 4
    for (uint i = (uint)get_local_id(0); i < few; i += GROUP_SIZE) {
        const prefix_bits digit = (images[i] >> d.shift) - d.first;
        if (digit < d.end)
            (void)atomic_inc(sums + (uint)digit);
    }
}

/* Count the digits of the candidates' places, once all digits of the threshold are known. */
static inline void count_places(__local COUNT *sums, const __local uint *places, const __local prefix_bits *images,
                                uint few, search s, search by_place)
{
    const digits d = digits_of(by_place);
#pragma unroll 4
    for (uint i = (uint)get_local_id(0); i < few; i += GROUP_SIZE) {
        const prefix_bits digit = ((prefix_bits)places[i] >> d.shift) - d.first;
        if (digit < d.end && images[i] >> s.shift == (prefix_bits)s.prefix)
            (void)atomic_inc(sums + (uint)digit);
    }
}

/* Write k of the few elements to their targets, in the order of their places: those before the threshold, and the
 * candidates that are needed. A bucket holds the elements of a range of places, about two if they are evenly
 * distributed; the elements of a bucket are compared with each other. buckets: TAKEN_BUCKETS; sorted: k. */
ALWAYS_INLINE void put_few(const __local uint *places, __local prefix_bits *images, uint few, search s, search by_place,
                           uint k, ulong n, __local uint *sorted, __local COUNT *buckets,
                           __local clprim__sums_memory *summing, const __global KEY *keys, target to)
{
    const prefix_bits none = ~(prefix_bits)0;
    const uint lid = (uint)get_local_id(0);
    const uint bits = 64 - (uint)clz(n);
    const uint shift = bits > TAKEN_BUCKET_BITS ? bits - TAKEN_BUCKET_BITS : 0;
    for (uint b = lid; b < TAKEN_BUCKETS; b += GROUP_SIZE)
        buckets[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the buckets are empty */
#pragma unroll 4
    for (uint i = lid; i < few; i += GROUP_SIZE) {
        const prefix_bits own = images[i] >> s.shift;
        const bool is_needed = by_place.shift == 32 || places[i] >> by_place.shift <= (uint)by_place.prefix;
        images[i] = none; /* for elements that are not written; otherwise the element's place in its bucket */
        if (own < (prefix_bits)s.prefix || (own == (prefix_bits)s.prefix && is_needed))
            images[i] = atomic_inc(buckets + (places[i] >> shift));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the counts */
    sum_up(buckets, TAKEN_BUCKETS, summing);
#pragma unroll 4
    for (uint i = lid; i < few; i += GROUP_SIZE)
        if (images[i] != none) {
            const uint b = places[i] >> shift;
            sorted[(b > 0 ? buckets[b - 1] : 0) + (uint)images[i]] = places[i];
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all elements are in their buckets */
    for (uint i = lid; i < k; i += GROUP_SIZE) {
        const uint place = sorted[i];
        const uint b = place >> shift;
        const uint end = buckets[b];
        const KEY key = key_at(keys, place, 0, true); /* the load overlaps with the search for the rank */
        uint rank = b > 0 ? buckets[b - 1] : 0;
        for (uint mate = rank; mate < end; mate++)
            rank += sorted[mate] < place;
        put(rank, key, place, to);
    }
}

/* Runs as one group. args.groups: the groups of top_k_filter. args.alone: 0 if all launches of radix_select.cl follow,
 * 1 if only top_k_gather follows, 2 if none does. */
__kernel GROUP_OF(GROUP_SIZE) void top_k_finish(ARGS_OF(TOP_K_FIND))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local uint totals[5];
    __local prefix_bits images[FEW_MOST];
    __local uint places[FEW_MOST];
    __local COUNT sums[RADIX];
    __local clprim__sums_memory summing;
#if CLPRIM_SUB_GROUPS
    __local clprim__tile_memory own;
    __local clprim__tile_memory *shared = &own;
#else /* tiles are gathered only if the few are not in `images` */
    typedef char fits[sizeof(clprim__tile_memory) <= sizeof(images) ? 1 : -1];
    __local clprim__tile_memory *shared = (__local clprim__tile_memory *)images;
#endif
    __local uint lists[TAKEN];
    __local COUNT buckets[TAKEN_BUCKETS];
    const uint lid = (uint)get_local_id(0);
    const __global KEY *keys = keys_in + args.keys_in_offset;
    filter_state f = *READ_FILTER(scratch);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong k = CALL_COUNT_0(args.k);
    const filter_totals there = totals_of(totals, lists, f.has_limit ? args.groups : 0, scratch, args);
    const bool is_limit = f.has_limit && there.less < k && k <= (ulong)there.less + there.equal;
    f.has_lists = f.has_limit && there.less >= k;
    const bool are_few =
        f.has_lists && there.less <= FEW_MOST && there.too_long == 0 && args.groups <= TAKEN && k <= TAKEN;
    const uint few = are_few ? there.less : 0;
    f.is_finished = are_few || args.alone == 2 || (args.alone == 1 && !is_limit);
    bring_lists(places, images, few, lists, &summing, are_few ? args.groups : 0, scratch, keys, args);
    search s = {0, k, 0, KEY_BITS, 0, 0};
    if (f.has_lists && there.shift < KEY_BITS) { /* no passes over bits that all candidates share */
        s.prefix = f.limit >> there.shift;
        s.shift = there.shift;
    }
    if (is_limit)
        s = (search){f.limit, k - there.less, there.equal, 0, 0, 1};
    const uint tiles = are_few ? 0 : tiles_of(keys, n);
    while (f.is_finished && !s.is_done && s.shift > 0) {
        clear_sums(sums);
        count_few(sums, images, few, s);
        count_tiles(sums, 1, s, 0, tiles, keys, n);
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the counts */
        sum_up(sums, RADIX, &summing);
        s = chosen_together(sums, s);
    }
    /* If not all candidates are needed, the last one is found by its place, in the same way. */
    search by_place = {0, s.needed, 0, 32, 0, s.is_done || !are_few};
    while (!by_place.is_done && by_place.shift > 0) {
        clear_sums(sums);
        count_places(sums, places, images, few, s, by_place);
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the counts */
        sum_up(sums, RADIX, &summing);
        by_place = chosen_together(sums, by_place);
    }
    put_few(places, images, few, s, by_place, are_few ? (uint)k : 0, n, lists, buckets, &summing, keys, TARGET);
    gather_tiles(0, k, s.needed, s, 0, f.is_finished ? tiles : 0, shared, keys, n, TARGET);
    if (lid > 0)
        return;
    s.is_done |= f.is_finished;
    *(__global search *)(scratch + args.search_at) = s;
    *FILTER_AT(scratch) = f;
}
#endif
