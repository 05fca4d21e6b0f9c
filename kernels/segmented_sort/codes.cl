// SPDX-License-Identifier: MIT
/* codes.cl: all segments by one sort of the whole, whatever their lengths: the key of an element is its segment's
 * number, and within that its own key.
 *
 *     segmented_sort_encode     collects the elements, with their codes
 *     a radix sort of the codes, with the values
 *     segmented_sort_decode     brings them to where they shall lie
 * A code of CODE_BITS holds number and key where both fit (WIDE 0). Else the keys are collected as they are, and there
 * are two sorts, of the indices that the first makes:
 *     a radix sort of the keys, which gives their indices in the keys' order
 *     segmented_sort_numbers    the segments of these
 *     a radix sort of the numbers, with the indices
 *
 * With HAS_LONG these are the elements of long segments, place by place, of which the device knows how many there are;
 * else all, of which those outside every segment are sorted as two more segments, and not brought back.
 * Parameters: WIDE, then COUNT for indices, else CODE, an unsigned integer. */
#include "radix_sort/parts/keys.cl"
#include "segmented_sort/args.h"
#include "segmented_sort/parts/segments.cl"

#if !defined(WIDE)
#error "WIDE must be given"
#endif

#if WIDE
#define CODE       KEY
#define HAS_COPIES (VALUE_SIZE > 0 && !INDICES)
#else
#define HAS_COPIES (VALUE_SIZE > 0)
#endif

/* Where element number `place` lies in the array, and its segment's number. */
typedef struct {
    ulong at;
    uint number;
} element;

static inline element element_of(const segments_of *all, ulong window, ulong place)
{
    element e;
#if HAS_LONG
    const long_entry entry = long_at(all, (uint)place);
    e.at = min((ulong)entry.begin + (place - entry.place), all->n - 1);
    e.number = entry.place / all->longest;
#else
    const ulong w = place / window;
    e.at = place;
    e.number = segment_search(all, all->firsts[w], all->firsts[w + 1], place + 1);
#endif
    return e;
}

static inline ulong element_count(const segments_of *all)
{
#if HAS_LONG
    return min(all->n, (ulong)*long_total(all));
#else
    return all->n;
#endif
}

/* The group's share: place += GROUP_SIZE from *place up to *end. */
static inline void own_places(ulong *place, ulong *end, ulong count)
{
    const ulong share = (count + get_num_groups(0) - 1) / get_num_groups(0);
    *place = get_group_id(0) * share + get_local_id(0);
    *end = min(count, (get_group_id(0) + 1) * share);
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_sort_encode(ARGS_OF(SEGMENTED_SORT_ENCODE))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    SEGMENTS_HERE
    ulong place;
    ulong end;
    for (own_places(&place, &end, element_count(&all)); place < end; place += GROUP_SIZE) {
        const element e = element_of(&all, args.window, place);
        const KEY key = key_at(keys_in + args.keys_in_offset, e.at, 0, true);
#if WIDE
        ((__global KEY *)(scratch + args.keys_at))[place] = key;
#else
        ((__global CODE *)(scratch + args.keys_at))[place] = (CODE)e.number << KEY_BITS | image_of(key);
#endif
#if HAS_COPIES && INDICES
        ((__global VALUE *)(scratch + args.values_at))[place] = (VALUE)e.at;
#elif HAS_COPIES
        ((__global VALUE *)(scratch + args.values_at))[place] = values_in[args.values_in_offset + e.at];
#endif
    }
}

#if WIDE
__kernel GROUP_OF(GROUP_SIZE) void segmented_sort_numbers(ARGS_OF(SEGMENTED_SORT_WINDOWS))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    SEGMENTS_HERE
    const __global COUNT *indices = (const __global COUNT *)(scratch + args.indices_at);
    __global uint *numbers = (__global uint *)(scratch + args.numbers_at);
    ulong place;
    ulong end;
    for (own_places(&place, &end, element_count(&all)); place < end; place += GROUP_SIZE)
        numbers[place] = element_of(&all, args.window, indices[place]).number;
}
#endif

__kernel GROUP_OF(GROUP_SIZE) void segmented_sort_decode(ARGS_OF(SEGMENTED_SORT_DECODE))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    SEGMENTS_HERE
    const __global CODE *codes = (const __global CODE *)(scratch + args.keys_at);
#if !HAS_LONG
    const ulong first = segment_begin(&all, 0);
    const ulong last = segment_begin(&all, all.count);
#endif
    ulong place;
    ulong end;
    for (own_places(&place, &end, element_count(&all)); place < end; place += GROUP_SIZE) {
#if HAS_LONG
        const ulong at = element_of(&all, args.window, place).at;
#else
        const ulong at = place;
        if (place < first || place >= last)
            continue;
#endif
#if WIDE
        const ulong from = min((ulong)((const __global COUNT *)(scratch + args.indices_at))[place], args.n - 1);
        keys_out[args.keys_out_offset + at] = codes[from];
#else
        const ulong from = place;
        keys_out[args.keys_out_offset + at] = key_of((KEY)codes[place]);
#endif
#if WIDE && INDICES
        values_out[args.values_out_offset + at] = (VALUE)element_of(&all, args.window, from).at;
#elif VALUE_SIZE
        values_out[args.values_out_offset + at] = ((const __global VALUE *)(scratch + args.values_at))[from];
#endif
    }
}
