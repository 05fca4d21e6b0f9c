// SPDX-License-Identifier: MIT
/* lists.cl: what filter.cl leaves for the passes: a list of the elements before the limit for each group's chunk. Also
 * sorts listed elements into the order of the input.
 *
 * Parameters: FILTERS; TAKEN_BUCKET_BITS; GROUP_SIZE. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "top_k/parts/target.cl"
#include "top_k/parts/tiles.cl"

#if !defined(FILTERS) || !defined(TAKEN_BUCKET_BITS)
#error "FILTERS and TAKEN_BUCKET_BITS must be given"
#endif

/* In scratch memory, after the search. */
typedef struct {
    ulong limit; /* an image */
    uint has_limit;
    uint has_lists;   /* at least k elements are before the limit */
    uint is_finished; /* the result has been written */
} filter_state;

#define FILTER_AT(scratch)   ((__global filter_state *)(scratch + args.search_at + sizeof(search)))
#define READ_FILTER(scratch) ((const __global filter_state *)(scratch + args.search_at + sizeof(search)))

/* Whether the chunk's list has all elements of the chunk that matter. *length is then the list's length, otherwise
 * 0. */
static inline bool is_listed(uint *length, const __global uchar *scratch, const top_k_args args)
{
    const uint capacity = args.capacity;
    *length = 0;
    if (capacity == 0 || !READ_FILTER(scratch)->has_lists)
        return false;
    const COUNT own = ((const __global COUNT *)(scratch + args.chunks_at))[get_num_groups(0) + get_group_id(0)];
    *length = own <= capacity ? (uint)own : 0;
    return own <= capacity;
}

#if FILTERS
/* A taken element is its offset from the chunk's first element. Candidates have this bit set, so that they come
 * last. */
#define TAKEN_EQUAL   (1u << 31)
#define TAKEN_BUCKETS (1u << TAKEN_BUCKET_BITS)

static inline void take(__local uint *taken, __local uint *found, uint most, uint offset, prefix_bits bits, search s)
{
    if (bits <= (prefix_bits)s.prefix)
        taken[min(atomic_inc(found), most - 1)] = offset | (bits < (prefix_bits)s.prefix ? 0 : TAKEN_EQUAL);
}

static inline uint bucket_of(uint x, uint shift)
{
    return (x >= TAKEN_EQUAL ? TAKEN_BUCKETS / 2 : 0) + (x % TAKEN_EQUAL >> shift);
}

/* Sort the taken elements, by buckets of offsets; there are `span` offsets. A bucket has few elements, which are
 * compared with each other. buckets: TAKEN_BUCKETS; other: as many as are taken. */
ALWAYS_INLINE void sort_taken(__local uint *taken, uint count, uint span, __local uint *other, __local COUNT *buckets,
                              __local clprim__sums_memory *summing)
{
    const uint lid = (uint)get_local_id(0);
    const uint bits = 32 - clz(span);
    const uint shift = bits > 8 ? bits - 8 : 0;
    for (uint b = lid; b < TAKEN_BUCKETS; b += GROUP_SIZE)
        buckets[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all buckets are 0 and all elements are taken */
    for (uint i = lid; i < count; i += GROUP_SIZE)
        (void)atomic_inc(buckets + bucket_of(taken[i], shift));
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the counts */
    sum_up(buckets, TAKEN_BUCKETS, summing);
    for (uint i = lid; i < count; i += GROUP_SIZE)
        other[atomic_dec(buckets + bucket_of(taken[i], shift)) - 1] = taken[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are in their buckets; `buckets` now has the beginnings */
    for (uint i = lid; i < count; i += GROUP_SIZE) {
        const uint x = other[i];
        const uint b = bucket_of(x, shift);
        const uint end = b + 1 < TAKEN_BUCKETS ? buckets[b + 1] : count;
        uint rank = buckets[b];
        for (uint mate = rank; mate < end; mate++)
            rank += other[mate] < x;
        taken[rank] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all are sorted */
}

/* How many sorted values are less than x. */
static inline uint less_than(const __local uint *sorted, uint count, uint x)
{
    uint low = 0;
    while (low < count) {
        const uint middle = (low + count) / 2;
        const bool is_less = sorted[middle] < x;
        low = is_less ? middle + 1 : low;
        count = is_less ? count : middle;
    }
    return low;
}

/* Write the sorted taken elements to their places from `at` on: `less` elements before the threshold, and the first
 * `wanted` of `equal` candidates. */
static inline void put_taken(const __local uint *taken, uint less, uint equal, ulong wanted, ulong at, long first,
                             const __global KEY *keys, target to)
{
    const uint last = less + (uint)min((ulong)equal, wanted);
    for (uint i = (uint)get_local_id(0); i < last; i += GROUP_SIZE) {
        const uint offset = taken[i] % TAKEN_EQUAL;
        const uint others = i < less ? min(less_than(taken + less, equal, offset | TAKEN_EQUAL), last - less)
                                     : less_than(taken, less, offset);
        const ulong place = (ulong)(first + offset);
        put(at + (i < less ? i : i - less) + others, key_at(keys, place, 0, true), place, to);
    }
}
#endif
