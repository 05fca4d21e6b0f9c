// SPDX-License-Identifier: MIT
/* segmented_sort_cpu_chunk: segments for devices whose work-groups run one after the other on a few cores. A group has
 * one work-item and the segments that begin in its window, a share of the array. It sorts one after the other: few
 * elements by counting for each how many come before it, all at once as a vector; more of them digit by digit, in its
 * cache. A segment that is longer than its share is left alone, and entered as a long one where there are such.
 * Parameters: keys.cl with DIGIT_BITS 8, COUNTED 0; GROUP_SIZE 1. */
#include "radix_sort/parts/keys.cl"
#include "segmented_sort/args.h"
#include "radix_sort/parts/ranked.cl"
#include "segmented_sort/parts/segments.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

#define FEWEST 8 /* elements: their vectors are whole ones */
#define FEWER  16
#define FEW    32

/* A segment's elements, where they come from and go to, and room for them in between. */
typedef struct {
    ulong begin; /* in the array */
    uint length;
    const __global KEY *keys_in;
    __global KEY *keys_out, *keys_between;
    bool are_given; /* the keys are those of the call */
#if VALUE_SIZE
    const __global VALUE *values_in;
    __global VALUE *values_out, *values_between;
    bool has_values; /* in values_in: else they are to be made */
#endif
} segment;

static inline KEY segment_key(const segment *s, uint i)
{
#ifdef INPUT_AT
    if (s->are_given)
        return INPUT_AT(s->begin + i);
#endif
    return s->keys_in[i];
}

#if VALUE_SIZE
static inline VALUE value_at(const segment *s, uint i)
{
#if INDICES
    if (!s->has_values)
        return (VALUE)(s->begin + i);
#endif
    return s->values_in[i];
}
#endif

/* Up to `room` elements, a number known when this is compiled. For each key, how many are not greater: all of them at
 * once, in vectors. Of equal keys that number is the same, and they take the places before it from the last one on. */
ALWAYS_INLINE void sort_few(const segment *s, const uint room)
{
    KEY images[FEW];
    KEY ranks[FEW]; /* of the keys' type, so that both fill as many vectors */
    uchar taken[FEW + 1];
    for (uint k = 0; k < room; k++) {
        images[k] = k < s->length ? image_of(segment_key(s, k)) : LAST_IMAGE;
        ranks[k] = 0;
        taken[k] = 0;
    }
    taken[room] = 0;
    for (uint i = 0; i < s->length; i++) {
        const KEY own = RANKED(images[i]);
        for (uint k = 0; k < room; k++)
            ranks[k] += own <= RANKED(images[k]);
    }
#if VALUE_SIZE
    VALUE values[FEW];
    for (uint k = 0; k < s->length; k++)
        values[k] = value_at(s, k);
#endif
    for (uint k = s->length; k-- > 0;) {
        const uint rank = (uint)ranks[k];
        const uint place = rank - 1 - taken[rank]++;
        s->keys_out[place] = key_of(images[k]);
#if VALUE_SIZE
        s->values_out[place] = values[k];
#endif
    }
}

/* How many keys have each digit; a bit for each pass in which not all have the same. */
static inline uint count_digits(uint counts[PASSES][RADIX], const segment *s)
{
    uint needed = 0;
    for (uint pass = 0; pass < PASSES; pass++)
        for (uint digit = 0; digit < RADIX; digit++)
            counts[pass][digit] = 0;
    for (uint i = 0; i < s->length; i++) {
        const KEY image = image_of(segment_key(s, i));
        for (uint pass = 0; pass < PASSES; pass++)
            counts[pass][digit_of(image, shift_of(pass))]++;
    }
    const KEY image = image_of(segment_key(s, 0));
    for (uint pass = 0; pass < PASSES; pass++)
        needed |= (uint)(counts[pass][digit_of(image, shift_of(pass))] != s->length) << pass;
    return needed;
}

/* The elements as they are. From then on they are where they were brought. */
static inline void copy_segment(segment *s, bool to_out)
{
    __global KEY *const keys_to = to_out ? s->keys_out : s->keys_between;
    for (uint i = 0; i < s->length; i++)
        keys_to[i] = segment_key(s, i);
    s->keys_in = keys_to;
    s->are_given = false;
#if VALUE_SIZE
    __global VALUE *const values_to = to_out ? s->values_out : s->values_between;
    for (uint i = 0; i < s->length; i++)
        values_to[i] = value_at(s, i);
    s->values_in = values_to;
    s->has_values = true;
#endif
}

/* One pass, in which each digit's elements go behind those of smaller ones. Where offsets are not ascending another
 * group may have changed what was counted: hence the limit. */
static inline void move_by_digit(segment *s, uint *counts, uint shift, bool to_out)
{
    __global KEY *const keys_to = to_out ? s->keys_out : s->keys_between;
#if VALUE_SIZE
    __global VALUE *const values_to = to_out ? s->values_out : s->values_between;
#endif
    uint smaller = 0;
    for (uint digit = 0; digit < RADIX; digit++) {
        const uint count = counts[digit];
        counts[digit] = smaller;
        smaller += count;
    }
    for (uint i = 0; i < s->length; i++) {
        const KEY key = segment_key(s, i);
        const uint to = min(counts[digit_of(image_of(key), shift)]++, s->length - 1);
        keys_to[to] = key;
#if VALUE_SIZE
        values_to[to] = value_at(s, i);
#endif
    }
    s->keys_in = keys_to;
    s->are_given = false;
#if VALUE_SIZE
    s->values_in = values_to;
    s->has_values = true;
#endif
}

/* By turns to where the elements shall lie, and in between, so that the last pass ends right. What lies there already
 * is first brought away where the first pass would write over it. */
static inline void sort_many(segment *s, bool in_place)
{
    uint counts[PASSES][RADIX];
    const uint needed = count_digits(counts, s);
    uint left = (uint)popcount(needed);
    if (left == 0)
        copy_segment(s, true);
    else if (left % 2 == 1 && in_place)
        copy_segment(s, false);
    for (uint pass = 0; pass < PASSES; pass++)
        if ((needed >> pass & 1) != 0) {
            move_by_digit(s, counts[pass], shift_of(pass), left % 2 == 1);
            left--;
        }
}

__kernel GROUP_OF(1) void segmented_sort_cpu_chunk(ARGS_OF(SEGMENTED_SORT_SHORT))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    SEGMENTS_HERE
    const uint end = min(all.firsts[get_group_id(0) + 1], all.count);
    for (uint k = all.firsts[get_group_id(0)]; k < end; k++) {
        const ulong begin = segment_begin(&all, k);
        const ulong beyond = segment_begin(&all, k + 1);
        if (beyond <= begin)
            continue;
        if (beyond - begin > all.longest) {
#if HAS_LONG
            const uint place = long_reserve(&all, k);
            if (place != NO_PLACE)
                long_enter(&all, k, place);
#endif
            continue;
        }
        segment s;
        s.begin = begin;
        s.length = (uint)(beyond - begin);
        s.keys_in = keys_in + args.keys_in_offset + begin;
        s.are_given = true;
        s.keys_out = keys_out + args.keys_out_offset + begin;
        s.keys_between = (__global KEY *)(scratch + args.keys_at) + begin;
#if VALUE_SIZE
        s.values_in = values_in + args.values_in_offset + begin;
        s.values_out = values_out + args.values_out_offset + begin;
        s.values_between = (__global VALUE *)(scratch + args.values_at) + begin;
        s.has_values = !INDICES;
#endif
        if (s.length <= FEWEST)
            sort_few(&s, FEWEST);
        else if (s.length <= FEWER)
            sort_few(&s, FEWER);
        else if (s.length <= FEW)
            sort_few(&s, FEW);
        else
            sort_many(&s, args.in_place != 0);
    }
}

#include "segmented_sort/codes.cl"
