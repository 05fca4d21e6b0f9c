// SPDX-License-Identifier: MIT
/* merge_cpu_chunk: for CPUs. A work-group is one work-item, and so one thread at a time. Its share of the output is
 * divided into streams, which it merges side by side: each element of a stream waits for the comparison before it, but
 * not for those of the other streams. The comparison of two elements does not cause a branch.
 *
 * Even if the ranges are not sorted, nothing is read or written out of bounds. Source: the same as for
 * merge_path.cl.
 * Parameters: GROUP_SIZE 1. */
#include "common/items.cl"
#include "merge/args.h"
#include "merge/parts/merged.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

#define STREAMS 4

/* The rest of a stream. */
typedef struct {
    INDEX a, a_end, b, b_end, out;
} stream;

/* How many of the first `place` elements of the output come from a: as many as possible, because among equal elements
 * those of a come first. */
ALWAYS_INLINE INDEX split_at(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    INDEX begin = place > b_count ? place - b_count : 0;
    INDEX end = min(place, a_count);
    while (begin < end) {
        const INDEX middle = begin + (end - begin) / 2;
        if (before(load(b, place - 1 - middle), load(a, middle)))
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* Merge one element of a stream that has elements of both ranges. */
ALWAYS_INLINE void step(stream *s, array a, array b, array out)
{
    const item x = load(a, s->a);
    const item y = load(b, s->b);
    const bool from_b = before(y, x);
    store(out, s->out++, pick(from_b, y, x));
    s->a += from_b ? 0 : 1;
    s->b += from_b ? 1 : 0;
}

ALWAYS_INLINE INDEX steps_of(stream s)
{
    return min(s.a_end - s.a, s.b_end - s.b);
}

/* Merge the rest of a stream, after another stream has ended. */
ALWAYS_INLINE void finish(stream s, array a, array b, array out)
{
    for (INDEX steps = steps_of(s); steps > 0; steps = steps_of(s))
        for (INDEX i = 0; i < steps; i++)
            step(&s, a, b, out);
    for (; s.a < s.a_end; s.a++)
        store(out, s.out++, load(a, s.a));
    for (; s.b < s.b_end; s.b++)
        store(out, s.out++, load(b, s.b));
}

__kernel GROUP_OF(GROUP_SIZE) void merge_cpu_chunk(ARGS_OF(MERGE_ARRAYS))
{
    const merge_args args = ARGS(MERGE_NUMBERS);
    HEED_COUNTS
    const ulong share = args.share;
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const array to = ARRAY_OF(out);
    const ulong n = a_count + b_count;
    const ulong begin = min(get_group_id(0) * share, n);
    const ulong length = min(share, n - begin);
    stream s[STREAMS];
#pragma unroll
    for (uint k = 0; k < STREAMS; k++) {
        const INDEX first = (INDEX)(begin + length / STREAMS * k);
        const INDEX last = (INDEX)(k + 1 < STREAMS ? begin + length / STREAMS * (k + 1) : begin + length);
        const INDEX a_first = split_at(from_a, (INDEX)a_count, from_b, (INDEX)b_count, first);
        const INDEX a_last = split_at(from_a, (INDEX)a_count, from_b, (INDEX)b_count, last);
        const INDEX a_end = clamp(a_last, a_first, a_first + (last - first)); /* changes it only if not sorted */
        s[k] = (stream){a_first, a_end, first - a_first, last - a_end, first};
    }
    for (;;) {
        INDEX steps = steps_of(s[0]);
#pragma unroll
        for (uint k = 1; k < STREAMS; k++)
            steps = min(steps, steps_of(s[k]));
        if (steps == 0)
            break;
        for (INDEX i = 0; i < steps; i++)
#pragma unroll
            for (uint k = 0; k < STREAMS; k++)
                step(&s[k], from_a, from_b, to);
    }
#pragma unroll
    for (uint k = 0; k < STREAMS; k++)
        finish(s[k], from_a, from_b, to);
}
