// SPDX-License-Identifier: MIT
/* select_count, select_move for CPUs: each thread has a chunk. It counts the elements to keep, then moves them one by
 * one.
 * Parameters: the prelude. `counts` has a ulong for each group and counted part. */
#include "select/args.h"
#include "select/parts/keep.cl"
#include "select/parts/places.cl"
#include "select/parts/part_counts.cl"
#include "common/own_chunk.cl"

#define BUFFERED 128 /* elements in the buffer: a branch that depends on the data costs more than a few moves */

/* The sum of keep over in[begin .. end), which has fewer than 2^16 elements: 32 bits are enough, and vectorise
 * better. */
static inline VALUE count_few(const __global ELEMENT *in, ulong begin, ulong end, flag_source flags)
{
    VALUE few = 0;
    for (ulong i = begin; i < end; i++)
        few += keep(ELEMENT_AT(in, i), i, in, flags);
    return few;
}

__kernel GROUP_OF(GROUP_SIZE) void select_count(ARGS_OF(SELECT_COUNT))
{
    const select_args args = ARGS(SELECT_NUMBERS);
    ulong i;
    ulong end;
    own_chunk(&i, &end, CALL_COUNT_0(args.n));
    part_counts count = {0, 0};
#if HEADS
    if (i == 0 && i < end)
        count.first = ++i; /* the first element is always a head */
#endif
    for (ulong stop; i < end; i = stop) {
        stop = min(end, i + 4096);
        counts_add(&count, count_few(in + args.in_offset, i, stop, FLAGS));
    }
    store_counts(words, count);
}

#if PARTITION
/* Move in[i .. end) without branches that depend on the data. is_tight: a part may have less room than the chunk has
 * elements, so each place is checked against the rooms in `to`. */
ALWAYS_INLINE void move_to_parts(part_places to, const __global ELEMENT *in, ulong i, ulong end, const bool is_tight,
                                 flag_source flags)
{
#if THREE_WAY
    __global OUTPUT *next[] = {to.rest, to.first, to.second};
    __global OUTPUT *const ends[] = {to.rest + to.rest_room, to.first + to.first_room, to.second + to.second_room};
    for (; i < end; i++) {
        const ELEMENT x = ELEMENT_AT(in, i);
        const uint kept = keep(x, i, in, flags);
        const uint part = FIRSTS(kept) + 2 * SECONDS(kept);
        if (!is_tight || next[part] < ends[part])
            *next[part] = OUTPUT_OF(x, i);
        next[part]++;
    }
#else
    __global OUTPUT *const first_end = to.first + to.first_room;
    __global OUTPUT *const rest_end = to.rest + to.rest_room;
    for (; i < end; i++) {
        const ELEMENT x = ELEMENT_AT(in, i);
        const uint is_first = keep(x, i, in, flags);
        __global OUTPUT *place = is_first ? to.first : to.rest;
        if (!is_tight || place < (is_first ? first_end : rest_end))
            *place = OUTPUT_OF(x, i);
        to.first += is_first;
        to.rest += is_first ? 0 : REST_STEP;
    }
#endif
}
#endif

__kernel GROUP_OF(GROUP_SIZE) void select_move(ARGS_OF(SELECT_MOVE))
{
    const select_args args = ARGS(SELECT_NUMBERS);
    PARTS_HERE
    __local clprim__counts_memory sums;
    ulong i;
    ulong end;
    part_counts at;
    part_counts all;
    const ulong n = CALL_COUNT_0(args.n);
    sum_parts(&at, &all, words, &sums);
    if (get_group_id(0) == 0)
        store_numbers(parts, all, n);
    own_chunk(&i, &end, n);
    const __global ELEMENT *from = in + args.in_offset;
    part_places to = places_of(parts, all, n);
    places_advance(&to, at, i);
#if PARTITION
    if (ALL_FIT || end - i <= min(min(to.first_room, to.second_room), to.rest_room))
        move_to_parts(to, from, i, end, false, FLAGS);
    else
        move_to_parts(to, from, i, end, true, FLAGS);
#else
#if HEADS
    if (i == 0 && i < end) {
#if PAYLOAD_SIZE
        payload_move(at.first++, 0, PAYLOADS);
#endif
        if (to.first_room > 0)
            *to.first = OUTPUT_OF(ELEMENT_AT(from, 0), 0);
        places_advance(&to, (part_counts){1, 0}, 1);
        i++;
    }
#endif
    while (i < end) { /* write each element to a buffer; if it is not kept, the next one overwrites it */
        const ulong stop = min(end, i + BUFFERED);
#if HEADS
        const uint heads = count_few(from, i, stop, FLAGS);
        if (heads == 0) { /* the block is inside a run */
            i = stop;
            continue;
        }
        if (heads == stop - i && heads <= to.first_room) { /* every element begins a run */
            for (uint k = 0; k < heads; k++)
                to.first[k] = OUTPUT_OF(ELEMENT_AT(from, i + k), i + k);
            places_advance(&to, (part_counts){heads, 0}, heads);
#if PAYLOAD_SIZE
            for (uint k = 0; k < heads; k++)
                payload_move(at.first + k, i + k, PAYLOADS);
            at.first += heads;
#endif
            i = stop;
            continue;
        }
#endif
        ELEMENT buffer[BUFFERED];
#if HAS_OUTPUT || PAYLOAD_SIZE /* compute the expression and move the value only for kept elements, by their places */
        uchar places[BUFFERED];
        const ulong begin = i;
#endif
        uint few = 0;
        for (; i < stop; i++) {
            const ELEMENT x = ELEMENT_AT(from, i);
            buffer[few] = x;
#if HAS_OUTPUT || PAYLOAD_SIZE
            places[few] = (uchar)(i - begin);
#endif
            few += keep(x, i, from, FLAGS);
        }
        const uint fit = (uint)min((ulong)few, to.first_room);
        for (uint k = 0; k < fit; k++)
            to.first[k] = OUTPUT_OF(buffer[k], begin + places[k]);
        places_advance(&to, (part_counts){few, 0}, few);
#if PAYLOAD_SIZE
        for (uint k = 0; k < few; k++)
            payload_move(at.first + k, begin + places[k], PAYLOADS);
        at.first += few;
#endif
    }
#endif
}
