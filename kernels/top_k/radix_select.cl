// SPDX-License-Identifier: MIT
/* top_k_count: a pass of the search. A group has a chunk of consecutive tiles, which it does not read if no candidates
 * are left in it. Counters have COPIES in local memory, which the lanes use in turn, so that equal digits do not
 * collide.
 *
 * top_k_gather: writes the elements among the k, in their order: those before the threshold, and the first ones that
 * are equal to it. A group knows from all rows where its own elements go, so no group waits for another one.
 *
 * If filter.cl left a list for a chunk, both kernels read it instead of the chunk.
 *
 * With FOLDS, the groups of a pass add their counts up in `state`, and the group that finishes last (last_group.cl)
 * chooses the digit. It replaces the search that all groups have read: they have already used it, to find their counts.
 * Otherwise top_k_choose does it in a separate launch. Only this kernel uses `state`: TOTALS + RADIX words of 32 bits,
 * which are 0 before the first launch and after each.
 * Parameters: with FOLDS, COUNT of 32 bits; COPIES, a power of two; TAKEN, a power of two: the most listed elements
 * that are sorted into the order of the input in local memory. */
#include "common/subgroup.cl"
#include "clprim/device/work_group_reduce.h"
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "top_k/parts/target.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "common/last_group.cl"
#include "top_k/parts/tiles.cl"
#include "top_k/parts/lists.cl"
#include "top_k/copy.cl"
#include "top_k/finish.cl"
#include "top_k/order.cl"

#if !defined(FOLDS) || !defined(COPIES) || !defined(TAKEN)
#error "FOLDS, COPIES and TAKEN must be given"
#endif

#ifndef TOTALS /* where the totals begin, in words: the ticket has its own cache line */
#error "TOTALS must be given"
#endif

/* Count the digits of the listed candidates. */
static inline void count_list(__local uint *counters, search s, const __global KEY *keys, const __global uint *list,
                              uint length)
{
    const digits d = digits_of(s);
    for (uint i = (uint)get_local_id(0); i < length; i += 4 * GROUP_SIZE) {
        KEY own[4]; /* loaded in parallel */
#pragma unroll
        for (uint j = 0; j < 4; j++)
            own[j] = key_at(keys, list[min(i + j * GROUP_SIZE, length - 1)], 0, true);
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            const prefix_bits digit = bits_of(own[j], d.shift) - d.first;
            if (digit < d.end && i + j * GROUP_SIZE < length)
                (void)atomic_inc(counters + (uint)digit * COPIES + get_local_id(0) % COPIES);
        }
    }
}

#if FOLDS
/* Returns true to the group that comes here last, which then has the totals of all groups. has_wrapped: whether a total
 * has wrapped around, which never happens. */
ALWAYS_INLINE bool fold_totals(__local COUNT *sums, __local clprim__sums_memory *summing, __local uint *is_last,
                               bool has_wrapped, volatile __global uint *state)
{
    if (!is_last_group(state, has_wrapped, is_last)) /* also waits until all are done with the sums */
        return false;
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE)
        sums[d] = atomic_xchg(state + TOTALS + d, 0u);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the totals */
    sum_up(sums, RADIX, summing);
    return true;
}
#endif

__kernel GROUP_OF(GROUP_SIZE) void top_k_count(ARGS_OF(TOP_K_COUNT))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local uint counters[RADIX * COPIES];
    __local COUNT sums[RADIX];
    __local clprim__sums_memory summing;
#if FOLDS
    __local uint is_last;
    bool has_wrapped = false;
#endif
    const ulong n = CALL_COUNT_0(args.n);
    const uint lid = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    __global COUNT *row = (__global COUNT *)(scratch + args.rows_at) + group * RADIX;
    const search s = search_before(args.capacity > 0 ? 1 : args.pass, scratch, args);
    if (s.is_done)
        return;
    share own = {0, 1};
    if (args.pass > 0)
        own = share_of(group, s.digit, scratch, args);
    for (uint i = lid; i < RADIX * COPIES; i += GROUP_SIZE)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the counters are 0, and all have read what is replaced
                                                          * below */
    if (lid == 0)
        ((__global COUNT *)(scratch + args.chunks_at))[group] = own.less;
    const __global KEY *keys = keys_in + args.keys_in_offset;
    uint tile;
    uint end;
    uint length;
    own_tiles(&tile, &end, keys, n);
    if (is_listed(&length, scratch, args) || own.equal == 0)
        end = tile; /* read no tile */
    count_list(counters, s, keys, OWN_LIST(scratch), length);
    count_tiles(counters, COPIES, s, tile, end, keys, n);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until everything is counted */
    for (uint d = lid; d < RADIX; d += GROUP_SIZE) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++) /* each lane begins with another copy: no bank conflicts */
            sum += counters[d * COPIES + (c + d) % COPIES];
        sums[d] = sum;
#if FOLDS
        if (sum > 0)
            has_wrapped |= atomic_add(state + TOTALS + d, sum) > 0xffffffffu - sum;
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums */
    sum_up(sums, RADIX, &summing);
    for (uint d = lid; d < RADIX; d += GROUP_SIZE)
        row[d] = sums[d];
#if FOLDS
    if (fold_totals(sums, &summing, &is_last, has_wrapped, state))
        choose(sums, s, scratch, args);
#endif
}

CLPRIM_WORK_GROUP_REDUCE(clprim__shares, share, ((share){a.less + b.less, a.equal + b.equal}), GROUP_SIZE)

/* The sum of the shares of all earlier groups, in every work-item. */
ALWAYS_INLINE share shares_before(uint digit, const __global uchar *scratch, const top_k_args args,
                                  __local clprim__shares_memory *memory)
{
    share sum = {0, 0};
    for (ulong g = get_local_id(0); g < get_group_id(0); g += GROUP_SIZE) {
        const share theirs = share_of(g, digit, scratch, args);
        sum.less += theirs.less;
        sum.equal += theirs.equal;
    }
    return clprim__shares_reduce(sum, memory);
}

__kernel GROUP_OF(GROUP_SIZE) void top_k_gather(ARGS_OF(TOP_K_FIND))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local clprim__tile_memory shared;
    __local clprim__shares_memory sums;
#if FILTERS
    __local uint taken[TAKEN], other[TAKEN], found;
    __local COUNT buckets[TAKEN_BUCKETS];
    __local clprim__sums_memory summing;
#endif
    const ulong n = CALL_COUNT_0(args.n);
    const __global KEY *keys = keys_in + args.keys_in_offset;
    const search s = search_before(1, scratch, args);
    if (args.capacity > 0 && READ_FILTER(scratch)->is_finished)
        return;
    const share own = share_of(get_group_id(0), s.digit, scratch, args);
    if (own.less + own.equal == 0)
        return;
    const share before = shares_before(s.digit, scratch, args, &sums);
    const ulong wanted = before.equal < s.needed ? min(s.needed - before.equal, (ulong)own.equal) : 0; /* candidates */
    const ulong at = before.less + min((ulong)before.equal, s.needed);
    uint tile;
    uint end;
    own_tiles(&tile, &end, keys, n);
#if FILTERS
    const long first = tile_range_of(keys, n, tile).first;
    const uint span = (end - tile) * TILE;
    const bool are_few = own.less + own.equal <= TAKEN;
    const __global uint *list = OWN_LIST(scratch);
    uint length;
    if (is_listed(&length, scratch, args) && are_few)
        end = tile; /* read no tile */
    length = are_few ? length : 0;
    if (get_local_id(0) == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until none is taken */
    for (uint i = (uint)get_local_id(0); i < length; i += GROUP_SIZE)
        take(taken, &found, TAKEN, (uint)((long)list[i] - first), bits_of(key_at(keys, list[i], 0, true), s.shift), s);
    sort_taken(taken, length > 0 ? (uint)(own.less + own.equal) : 0, span, other, buckets, &summing);
    put_taken(taken, length > 0 ? (uint)own.less : 0, length > 0 ? (uint)own.equal : 0, wanted, at, first, keys,
              TARGET);
#endif
    gather_tiles(at, at + own.less + wanted, wanted, s, tile, end, &shared, keys, n, TARGET);
}
