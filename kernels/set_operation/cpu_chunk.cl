// SPDX-License-Identifier: MIT
/* set_count, set_move for CPUs: a work-group is one work-item, and so one thread at a time. Its share of the balanced
 * path is divided into streams, which it processes side by side: each step of a stream waits for the comparisons of the
 * step before, but not for those of the other streams. Choosing the next element does not cause a branch. Between
 * batches of such steps, elements that the path takes in the same way are taken together: many elements of one array
 * before the next element of the other, or many equal pairs. The kept elements of each stream are first counted, then
 * moved.
 *
 * Only the steps are unrolled over the streams, which are then in registers. Everything else loops over streams in
 * memory, so that it is compiled once. Unrolled, it took four times as long to compile, and was no faster.
 *
 * Even if the arrays are not sorted, nothing is read or written out of bounds.
 * Source: Baxter 2013 (balanced path).
 * Parameters: GROUP_SIZE 1; STREAMS. `words` has a ulong for each stream of each group. */
#include "common/items.cl"
#include "set_operation/args.h"
#include "set_operation/parts/sets.cl"
#include "set_operation/parts/balanced.cl"
#include "set_operation/parts/runs.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#ifndef STREAMS
#error "STREAMS must be given"
#endif

#define BATCH 128 /* steps whose elements are buffered: a branch that depends on the data costs more than a few moves */

/* The rest of a stream: elements i .. a_end - 1 of a, and k .. b_end - 1 of b; and how many elements it keeps. */
typedef struct {
    INDEX i, a_end, k, b_end;
    ulong kept;
} stream;

/* A kept element of a stream. For built-in keys it is the key itself; otherwise its place, in a or, after all places of
 * a, in b. */
#if CUSTOM || defined(PAYLOAD)
typedef INDEX kept;
#define KEPT(x, place) (place)
#else
typedef item kept;
#define KEPT(x, place) (x)
#endif
typedef kept buffer[BATCH];

/* Divide the group's share into streams. If the arrays are not sorted, cuts may be in descending order. */
ALWAYS_INLINE void own_streams(stream *s, array a, ulong a_count, array b, ulong b_count)
{
    const ulong n = a_count + b_count;
    const ulong parts = get_num_groups(0) * STREAMS;
    const ulong part = (n + parts - 1) / parts;
    const ulong first = get_group_id(0) * STREAMS;
    balanced cut = {0, 0};
#pragma unroll 1
    for (uint j = 0; j <= STREAMS; j++) {
        const balanced next = cut_alone(a, (INDEX)a_count, b, (INDEX)b_count, (INDEX)min((first + j) * part, n));
        const INDEX length = next.a + next.b - (cut.a + cut.b);
        const INDEX a_length = min(length, max(next.a, cut.a) - cut.a);
        if (j > 0)
            s[j - 1] = (stream){cut.a, cut.a + a_length, cut.b, cut.b + (length - a_length), 0};
        cut = next;
    }
}

ALWAYS_INLINE INDEX steps_of(stream s)
{
    return min(s.a_end - s.i, s.b_end - s.k);
}

/* The number of steps that all streams can make before any of them ends. */
ALWAYS_INLINE INDEX batch_of(const stream *s)
{
    INDEX steps = BATCH;
#pragma unroll
    for (uint j = 0; j < STREAMS; j++)
        steps = min(steps, steps_of(s[j]));
    return steps;
}

/* Make a step of a stream that has elements of both arrays. *element receives its element, which may be kept. */
ALWAYS_INLINE uint step(stream *s, kept *element, array a, INDEX a_count, array b)
{
    const item x = load(a, s->i);
    const item y = load(b, s->k);
    const bool from_a = !before(y, x);
    const bool from_b = !before(x, y);
    *element = KEPT(pick(from_a, x, y), from_a ? s->i : a_count + s->k);
    s->i += from_a ? 1 : 0;
    s->k += from_b ? 1 : 0;
    return TAKES(from_a, from_b) ? 1 : 0;
}

ALWAYS_INLINE void count_runs(stream *s, array a, array b)
{
    for (;;) {
        const balanced run = next_run(a, s->i, s->a_end, b, s->k, s->b_end);
        if (run.a + run.b == 0)
            return;
        s->i += run.a;
        s->k += run.b;
        s->kept += TAKES(run.a > 0, run.b > 0) ? max(run.a, run.b) : 0;
    }
}

/* How many elements a stream has kept in `steps` steps that have advanced it from `from`. */
ALWAYS_INLINE ulong kept_by(const stream *s, stream from, INDEX steps)
{
    const INDEX of_a = s->i - from.i;
    const INDEX of_b = s->k - from.k;
    return (ONLY_A ? steps - of_b : 0) + (IN_BOTH ? of_a + of_b - steps : 0) + (ONLY_B ? steps - of_a : 0);
}

/* Count the rest of a stream, after another stream has ended. */
ALWAYS_INLINE ulong count_alone(stream own, array a, INDEX a_count, array b)
{
    kept element;
    INDEX steps;
    do {
        count_runs(&own, a, b);
        steps = min(steps_of(own), (INDEX)BATCH);
        const stream from = own;
        for (INDEX k = 0; k < steps; k++)
            (void)step(&own, &element, a, a_count, b);
        own.kept += kept_by(&own, from, steps);
    } while (steps > 0);
    return own.kept + (ONLY_A ? own.a_end - own.i : 0) + (ONLY_B ? own.b_end - own.k : 0);
}

__kernel GROUP_OF(GROUP_SIZE) void set_count(ARGS_OF(SET_BEFORE))
{
    const set_args args = ARGS(SET_NUMBERS);
    SET_COUNTS
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    kept element;
    INDEX steps;
    stream own[STREAMS], s[STREAMS];
    own_streams(own, from_a, a_count, from_b, b_count);
    do {
#pragma unroll 1
        for (uint j = 0; j < STREAMS; j++)
            count_runs(&own[j], from_a, from_b);
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            s[j] = own[j];
        steps = batch_of(s);
        for (INDEX k = 0; k < steps; k++)
#pragma unroll
            for (uint j = 0; j < STREAMS; j++)
                (void)step(&s[j], &element, from_a, (INDEX)a_count, from_b);
#pragma unroll
        for (uint j = 0; j < STREAMS; j++) {
            s[j].kept += kept_by(&s[j], own[j], steps);
            own[j] = s[j];
        }
    } while (steps > 0);
#pragma unroll 1
    for (uint j = 0; j < STREAMS; j++)
        words[get_group_id(0) * STREAMS + j] = count_alone(own[j], from_a, (INDEX)a_count, from_b);
}

/* The destination of kept elements. */
typedef struct {
    array out;
    set_values values;
    ulong most;
} target;

/* Move elements i .. i + length - 1 of a, or of b, to place `at` of the output, as far as there is room. */
ALWAYS_INLINE ulong move_run(target to, ulong at, array from, bool is_a, INDEX i, INDEX length)
{
    const ulong moved = min((ulong)length, to.most - min(at, to.most));
    const array source = array_from(from, i);
    for (ulong k = 0; k < moved; k++)
        move_out(to.out, to.values, at + k, load(source, (INDEX)k), is_a, i + k, i + k);
    return at + moved;
}

/* Write `count` buffered elements to the output, beginning at place `at`, as far as there is room. */
ALWAYS_INLINE ulong flush(const kept *full, uint count, ulong at, target to, array a, ulong a_count, array b)
{
    const uint written = (uint)min((ulong)count, to.most - min(at, to.most));
    for (uint k = 0; k < written; k++) {
#if CUSTOM || defined(PAYLOAD)
        const ulong place = full[k];
        const bool is_a = place < a_count;
        const array from = is_a ? array_from(a, place) : array_from(b, place - a_count);
        move_out(to.out, to.values, at + k, load(from, 0), is_a, place, place - a_count);
#else
        store(array_from(to.out, at + k), 0, full[k]);
#endif
    }
    return at + written;
}

ALWAYS_INLINE ulong move_runs(stream *s, ulong at, target to, array a, array b)
{
    for (;;) {
        const balanced run = next_run(a, s->i, s->a_end, b, s->k, s->b_end);
        if (run.a + run.b == 0)
            return at;
        if (TAKES(run.a > 0, run.b > 0))
            at = run.a > 0 ? move_run(to, at, a, true, s->i, run.a) : move_run(to, at, b, false, s->k, run.b);
        s->i += run.a;
        s->k += run.b;
    }
}

/* Move the rest of a stream, after another stream has ended. */
ALWAYS_INLINE void move_alone(stream own, ulong at, kept *full, target to, array a, ulong a_count, array b)
{
    INDEX steps;
    do {
        at = move_runs(&own, at, to, a, b);
        steps = min(steps_of(own), (INDEX)BATCH);
        uint count = 0;
        for (INDEX k = 0; k < steps; k++)
            count += step(&own, &full[count], a, (INDEX)a_count, b);
        at = flush(full, count, at, to, a, a_count, b);
    } while (steps > 0);
    if (ONLY_A)
        at = move_run(to, at, a, true, own.i, own.a_end - own.i);
    if (ONLY_B)
        at = move_run(to, at, b, false, own.k, own.b_end - own.k);
}

__kernel GROUP_OF(GROUP_SIZE) void set_move(ARGS_OF(SET_WRITE))
{
    const set_args args = ARGS(SET_NUMBERS);
    SET_COUNTS
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const target to = {ARRAY_OF(out), SET_VALUES, most_kept(a_count, b_count)};
    stream own[STREAMS], s[STREAMS];
    buffer full[STREAMS];
    uint filled[STREAMS], count[STREAMS];
    ulong at[STREAMS];
    ulong all = 0;
    INDEX steps;
    for (ulong g = 0; g < get_num_groups(0) * STREAMS; g++) {
        if (g / STREAMS == get_group_id(0))
            at[g % STREAMS] = all;
        all += words[g];
    }
    if (get_group_id(0) == 0)
        out_count[args.out_count_offset] = (COUNT_TYPE)min(all, to.most);
    own_streams(own, from_a, a_count, from_b, b_count);
    do {
#pragma unroll 1
        for (uint j = 0; j < STREAMS; j++)
            at[j] = move_runs(&own[j], at[j], to, from_a, from_b);
#pragma unroll
        for (uint j = 0; j < STREAMS; j++) {
            s[j] = own[j];
            count[j] = 0;
        }
        steps = batch_of(s);
        for (INDEX k = 0; k < steps; k++)
#pragma unroll
            for (uint j = 0; j < STREAMS; j++) /* an element that is not kept is overwritten */
                count[j] += step(&s[j], &full[j][count[j]], from_a, (INDEX)a_count, from_b);
#pragma unroll
        for (uint j = 0; j < STREAMS; j++) {
            own[j] = s[j];
            filled[j] = count[j];
        }
#pragma unroll 1
        for (uint j = 0; j < STREAMS; j++)
            at[j] = flush(full[j], filled[j], at[j], to, from_a, a_count, from_b);
    } while (steps > 0);
#pragma unroll 1
    for (uint j = 0; j < STREAMS; j++)
        move_alone(own[j], at[j], full[j], to, from_a, a_count, from_b);
}
