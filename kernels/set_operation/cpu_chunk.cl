/* set_count, set_move for CPUs: a work-group is one work-item, that is one thread at a time. Its share of the balanced
 * path is made of some streams, which it goes through side by side: each step of a stream waits for the comparisons of
 * the step before, but those of the others need not. Which element comes next is no branch. First the kept elements of
 * each stream are counted, then they are moved.
 *
 * Arrays that are not in order never make it read or write out of bounds.
 * Source: Baxter 2013 (balanced path).
 * Parameters: items.cl, sets.cl, balanced.cl; GROUP_SIZE 1; STREAMS. counts has a ulong for each stream of each
 * group. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#ifndef STREAMS
#error "STREAMS must be given"
#endif

#define BUFFERED 128 /* elements: a branch that the data decide costs more than a few moves */

/* What is left of a stream: of a's elements i .. a_end - 1, of b's k .. b_end - 1; how many elements it keeps. */
typedef struct {
    INDEX i, a_end, k, b_end;
    ulong kept;
} stream;

/* Kept elements of a stream by their places: in a, or behind all of a in b. */
typedef struct {
    uint count;
    INDEX places[BUFFERED];
} buffer;

/* The group's share, by streams. Cuts in arrays that are not in order may descend. */
SETS_INLINE void own_streams(stream *s, array a, ulong a_count, array b, ulong b_count)
{
    const ulong n = a_count + b_count;
    const ulong parts = get_num_groups(0) * STREAMS;
    const ulong part = (n + parts - 1) / parts;
    const ulong first = get_group_id(0) * STREAMS;
    balanced cut = cut_alone(a, (INDEX)a_count, b, (INDEX)b_count, (INDEX)min(first * part, n));
#pragma unroll
    for (uint j = 0; j < STREAMS; j++) {
        const balanced next = cut_alone(a, (INDEX)a_count, b, (INDEX)b_count, (INDEX)min((first + j + 1) * part, n));
        const INDEX length = next.a + next.b - (cut.a + cut.b);
        const INDEX a_length = min(length, max(next.a, cut.a) - cut.a);
        s[j] = (stream){cut.a, cut.a + a_length, cut.b, cut.b + (length - a_length), 0};
        cut = next;
    }
}

SETS_INLINE INDEX steps_of(stream s)
{
    return min(s.a_end - s.i, s.b_end - s.k);
}

/* A step of a stream of which there are elements of both; its element may be kept. */
SETS_INLINE uint step(stream *s, INDEX *place, array a, INDEX a_count, array b)
{
    const item x = load(a, s->i);
    const item y = load(b, s->k);
    const bool from_a = !before(y, x);
    const bool from_b = !before(x, y);
    *place = from_a ? s->i : a_count + s->k;
    s->i += from_a ? 1 : 0;
    s->k += from_b ? 1 : 0;
    return TAKES(from_a, from_b) ? 1 : 0;
}

SET_KERNEL void set_count(SET_INPUT, __global ulong *counts)
{
    SET_COUNTS
    const array from_a = ARRAY(a);
    const array from_b = ARRAY(b);
    INDEX place;
    stream s[STREAMS];
    own_streams(s, from_a, a_count, from_b, b_count);
    for (;;) {
        INDEX steps = steps_of(s[0]);
#pragma unroll
        for (uint j = 1; j < STREAMS; j++)
            steps = min(steps, steps_of(s[j]));
        if (steps == 0)
            break;
        for (INDEX k = 0; k < steps; k++)
#pragma unroll
            for (uint j = 0; j < STREAMS; j++)
                s[j].kept += step(&s[j], &place, from_a, (INDEX)a_count, from_b);
    }
#pragma unroll
    for (uint j = 0; j < STREAMS; j++) {
        stream own = s[j]; /* another stream has come to an end */
        for (INDEX steps = steps_of(own); steps > 0; steps = steps_of(own))
            for (INDEX k = 0; k < steps; k++)
                own.kept += step(&own, &place, from_a, (INDEX)a_count, from_b);
        own.kept += (ONLY_A ? own.a_end - own.i : 0) + (ONLY_B ? own.b_end - own.k : 0);
        counts[get_group_id(0) * STREAMS + j] = own.kept;
    }
}

/* Write what is buffered to the output, from place `at` on, which has room for `most`. */
SETS_INLINE ulong flush(buffer *full, ulong at, ulong most, array out, set_values values, array a, ulong a_count,
                        array b)
{
    const uint written = (uint)min((ulong)full->count, most - min(at, most));
    for (uint k = 0; k < written; k++) {
        const ulong place = full->places[k];
        const bool is_a = place < a_count;
        const array from = is_a ? array_from(a, place) : array_from(b, place - a_count);
        move_out(out, values, at + k, load(from, 0), is_a, place, place - a_count);
    }
    full->count = 0;
    return at + written;
}

SET_KERNEL void set_move(SET_INPUT, SET_OUTPUT, const __global ulong *counts)
{
    SET_COUNTS
    const array from_a = ARRAY(a);
    const array from_b = ARRAY(b);
    const array to = ARRAY(out);
    const set_values values = SET_VALUES;
    const ulong most = most_kept(a_count, b_count);
    stream s[STREAMS];
    buffer full[STREAMS];
    ulong at[STREAMS];
    ulong all = 0;
    for (ulong g = 0; g < get_num_groups(0) * STREAMS; g++) {
        if (g / STREAMS == get_group_id(0))
            at[g % STREAMS] = all;
        all += counts[g];
    }
    if (get_group_id(0) == 0)
        out_count[out_count_offset] = (COUNT_TYPE)min(all, most);
    own_streams(s, from_a, a_count, from_b, b_count);
#pragma unroll
    for (uint j = 0; j < STREAMS; j++)
        full[j].count = 0;
    for (;;) {
        INDEX steps = BUFFERED;
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            steps = min(steps, steps_of(s[j]));
        if (steps == 0)
            break;
        for (INDEX k = 0; k < steps; k++)
#pragma unroll
            for (uint j = 0; j < STREAMS; j++) /* each goes into the buffer, to be overwritten if it is not kept */
                full[j].count += step(&s[j], &full[j].places[full[j].count], from_a, (INDEX)a_count, from_b);
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            at[j] = flush(&full[j], at[j], most, to, values, from_a, a_count, from_b);
    }
#pragma unroll
    for (uint j = 0; j < STREAMS; j++) {
        stream own = s[j]; /* another stream has come to an end */
        for (INDEX steps = min(steps_of(own), (INDEX)BUFFERED); steps > 0;
             steps = min(steps_of(own), (INDEX)BUFFERED)) {
            for (INDEX k = 0; k < steps; k++)
                full[j].count += step(&own, &full[j].places[full[j].count], from_a, (INDEX)a_count, from_b);
            at[j] = flush(&full[j], at[j], most, to, values, from_a, a_count, from_b);
        }
        for (; ONLY_A && own.i < own.a_end && at[j] < most; own.i++)
            move_out(to, values, at[j]++, load(from_a, own.i), true, own.i, 0);
        for (; ONLY_B && own.k < own.b_end && at[j] < most; own.k++)
            move_out(to, values, at[j]++, load(from_b, own.k), false, 0, own.k);
    }
}
