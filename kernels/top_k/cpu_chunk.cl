// SPDX-License-Identifier: MIT
/* top_k_count, top_k_gather for CPUs: a work-group is one work-item, which runs on one thread and has one contiguous
 * chunk.
 *
 * Most elements are far from the first k, and this is soon known. Once a chunk alone has as many candidates up to some
 * digit as are needed in all, it need not count higher digits. Blocks without candidates up to that digit are skipped
 * after comparisons only. The first pass lists the elements that it counts, if there is room, and later passes read
 * only the list. The list has every element up to the threshold, because no chunk stops counting the threshold's digit.
 * Parameters: GROUP_SIZE 1. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "top_k/parts/target.cl"
#include "top_k/copy.cl"
#include "top_k/parts/keep.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

#define BLOCK 64

/* The candidates whose digits are counted: their bits are from `first` to first + span. */
typedef struct {
    uint shift;
    prefix_bits first;
    prefix_bits span;
} window;

static inline void own_chunk(ulong *begin, ulong *end, ulong n)
{
    const ulong chunk = (n + get_num_groups(0) - 1) / get_num_groups(0);
    *begin = min(n, get_group_id(0) * chunk);
    *end = min(n, *begin + chunk);
}

/* Whether any element of the block that starts at `begin` is in the window. */
static inline bool has_any(const __global KEY *keys, ulong begin, window w)
{
    uint found = 0;
    for (uint j = 0; j < BLOCK; j++)
        found |= bits_of(key_at(keys, begin, j, true), w.shift) - w.first <= w.span;
    return found != 0;
}

/* Whether all elements of the block that starts at `begin` have the same digit. If they were counted one by one, each
 * would wait for the previous one. */
static inline bool are_alike(const __global KEY *keys, ulong begin, uint shift)
{
    const prefix_bits first = bits_of(key_at(keys, begin, 0, true), shift);
    prefix_bits differing = 0;
    for (uint j = 0; j < BLOCK; j++)
        differing |= bits_of(key_at(keys, begin, j, true), shift) ^ first;
    return differing == 0;
}

/* The window up to the digit with which `needed` candidates have been counted; `w` if fewer have been. */
static inline window narrowed(window w, const COUNT *counts, ulong needed)
{
    ulong sum = 0;
    for (prefix_bits d = 0; d <= w.span; d++) {
        sum += counts[d];
        if (sum >= needed)
            w.span = d;
    }
    return w;
}

/* Count the digits of a chunk's candidates. list: receives the elements that are counted, unless NULL. Returns the
 * number of these. */
static inline COUNT count_chunk(COUNT *counts, window w, ulong needed, const __global KEY *keys, ulong n,
                                __global uint *list, uint capacity)
{
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    COUNT counted = 0;
    ulong narrow_at = needed + RADIX; /* check the counters again only after so many more elements */
    for (ulong i = begin; i < end; i += BLOCK) {
        if (i + BLOCK <= end && !has_any(keys, i, w))
            continue;
        const bool is_noted = list != 0 && counted < (COUNT)capacity;
        if (!is_noted && i + BLOCK <= end && are_alike(keys, i, w.shift)) {
            counts[bits_of(key_at(keys, i, 0, true), w.shift) - w.first] += BLOCK;
            counted += BLOCK;
        } else {
            for (ulong j = i; j < min(end, i + BLOCK); j++) {
                const prefix_bits digit = bits_of(key_at(keys, j, 0, true), w.shift) - w.first;
                if (digit > w.span)
                    continue;
                counts[digit]++;
                if (list != 0)
                    list[min(counted, (COUNT)capacity)] = (uint)(j - begin);
                counted++;
            }
        }
        if (counted >= narrow_at) {
            w = narrowed(w, counts, needed);
            narrow_at = counted + needed + RADIX;
        }
    }
    return counted;
}

__kernel GROUP_OF(GROUP_SIZE) void top_k_count(ARGS_OF(TOP_K_COUNT))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const uint pass = args.pass;
    const ulong group = get_group_id(0);
    const __global KEY *keys = keys_in + args.keys_in_offset;
    __global COUNT *row = (__global COUNT *)(scratch + args.rows_at) + group * RADIX;
    __global uint *list = OWN_LIST(scratch);
    const search s = search_before(pass, scratch, args);
    if (s.is_done)
        return;
    share own = {0, 1};
    if (pass > 0)
        own = share_of(group, s.digit, scratch, args);
    ((__global COUNT *)(scratch + args.chunks_at))[group] = own.less;
    window w;
    w.shift = shift_below(s.shift);
    w.first = (prefix_bits)s.prefix << (s.shift - w.shift);
    w.span = ((prefix_bits)1 << (s.shift - w.shift)) - 1;
    COUNT counts[RADIX];
    for (uint d = 0; d < RADIX; d++)
        counts[d] = 0;
    if (pass == 0) {
        OWN_LENGTH(scratch) = count_chunk(counts, w, s.needed, keys, n, list, args.capacity);
    } else if (own.equal > 0 && OWN_LENGTH(scratch) > args.capacity) {
        (void)count_chunk(counts, w, s.needed, keys, n, 0, 0);
    } else if (own.equal > 0) {
        ulong begin;
        ulong end;
        own_chunk(&begin, &end, n);
        for (COUNT i = 0; i < OWN_LENGTH(scratch); i++) {
            const prefix_bits digit = bits_of(key_at(keys, begin, list[i], true), w.shift) - w.first;
            if (digit <= w.span)
                counts[digit]++;
        }
    }
    COUNT sum = 0;
    for (uint d = 0; d < RADIX; d++)
        row[d] = sum += counts[d];
}

/* Write element i to place `at` if it is before the threshold, or one of the first `wanted` elements with the
 * threshold's prefix. Returns 1 if it is, otherwise 0. */
static inline uint gather(ulong at, ulong i, ulong *wanted, search s, const __global KEY *keys, target to)
{
    const KEY key = key_at(keys, i, 0, true);
    const prefix_bits bits = bits_of(key, s.shift);
    const bool is_equal = bits == (prefix_bits)s.prefix && *wanted > 0;
    if (!is_equal && bits >= (prefix_bits)s.prefix)
        return 0;
    *wanted -= is_equal;
    put(at, key, i, to);
    return 1;
}

__kernel GROUP_OF(GROUP_SIZE) void top_k_gather(ARGS_OF(TOP_K_FIND))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong group = get_group_id(0);
    const __global KEY *keys = keys_in + args.keys_in_offset;
    const __global uint *list = OWN_LIST(scratch);
    const search s = search_before(1, scratch, args);
    const share own = share_of(group, s.digit, scratch, args);
    ulong less = 0;
    ulong equal = 0;
    if (own.less + own.equal == 0)
        return;
    for (ulong g = 0; g < group; g++) {
        const share theirs = share_of(g, s.digit, scratch, args);
        less += theirs.less;
        equal += theirs.equal;
    }
    ulong wanted = equal < s.needed ? min(s.needed - equal, (ulong)own.equal) : 0;
    ulong at = less + min(equal, s.needed);
    const ulong end_at = at + own.less + wanted;
    const window w = {s.shift, 0, (prefix_bits)s.prefix};
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    if (OWN_LENGTH(scratch) <= args.capacity) {
        for (COUNT i = 0; at < end_at; i++)
            at += gather(at, begin + list[i], &wanted, s, keys, TARGET);
        return;
    }
    for (ulong i = begin; i < end && at < end_at; i += BLOCK) {
        if (i + BLOCK <= end && !has_any(keys, i, w))
            continue;
        for (ulong j = i; j < min(end, i + BLOCK); j++)
            at += gather(at, j, &wanted, s, keys, TARGET);
    }
}
