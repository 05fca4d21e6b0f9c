// SPDX-License-Identifier: MIT
/* cpu_runs.cl: what scan_cpu_chunk does with the runs of a chunk if there are RUNS. It counts them, folds the run that
 * continues after the chunk, and writes the runs that end in the chunk. Elements are looked at in blocks: if runs are
 * long, most blocks have no head. In blocks with heads, there is no branching on the data.
 * Parameters: the operator's prelude. */
#include "common/kernel.h"
#include "scan/modes.h"
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/cpu_heads.cl"

#if RUNS
#if RUNS != RUNS_SPANS /* for RUNS_SPANS see cpu_spans.cl */
static inline run_count count_heads(ulong begin, ulong end, segment_places segments)
{
    run_count count = 0;
    if (begin == 0 && end > 0)
        count = begin = 1;
    for (ulong stop; begin < end; begin = stop) { /* in steps that count in 32 bits, which vectorises better */
        stop = min(end, begin + 4096);
        count += count_few(begin, stop, segments);
    }
    return count;
}

/* The first element that begins a run, from `begin` to before `end`; `end` if none does. */
static inline ulong first_head(ulong begin, ulong end, segment_places segments)
{
    while (begin > 0 && begin + BLOCK <= end && count_few(begin, begin + BLOCK, segments) == 0)
        begin += BLOCK;
    while (begin < end && !head_at(begin, segments))
        begin++;
    return begin;
}

/* The fold of a chunk: only of its last run, which may continue in the next chunk. */
static inline VALUE runs_of_chunk(const __global ELEMENT *in, ulong i, ulong end, segment_places segments)
{
    const run_count count = count_heads(i, end, segments);
    if (count > 0)
        i = last_head(i, end, segments);
    return segment_of(fold_part(plain_identity(), in, i, end), count);
}

/* How many of `few` runs, the first of which is number `run`, have room. */
static inline uint fitting(ulong run, uint few, ulong room)
{
    return run < room ? (uint)min((ulong)few, room - run) : 0;
}

/* Write the runs that begin from `i` on and end before `last`; a run begins at both. `run` is the number of earlier
 * runs; returns this number plus the runs written. is_tight: some may have no room. Checking the room of each element
 * takes a quarter longer. */
ALWAYS_INLINE run_count write_whole_runs(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong last,
                                         run_count run, const bool is_tight, segment_places segments)
{
    const __global HEAD *keys = segments.heads + segments.heads_at;
#if HAS_OUTPUT
    /* The caller's expression is computed only once per run, for its complete fold. */
    for (ulong next; i < last; i = next) {
        for (next = i + 1; next < last && !head_at(next, segments);)
            next++;
        store_key(run, keys[i], is_tight, segments);
        store_end(out, run++, fold_part(plain_identity(), in, i, next), is_tight, segments);
    }
#else
    /* Each element writes the fold of its run so far. The last element of a run therefore leaves the complete fold. */
    plain_value sum = plain_identity();
    long_sum blocks = long_begin(sum); /* the fold of the run's blocks without a head */
    for (ulong stop; i < last; i = stop) {
        stop = min(last, i + BLOCK);
        const uint few = i > 0 ? count_few(i, stop, segments) : 1;
        if (few == 0) {
            blocks = FLOAT_SUM ? long_then(blocks, fold_part(plain_identity(), in, i, stop))
                               : long_begin(fold_part(long_value(blocks), in, i, stop));
            sum = long_value(blocks);
            store_end(out, run - 1, sum, is_tight, segments);
            continue;
        }
        if (few == stop - i) { /* only runs of one element */
            const uint few_keys = is_tight ? fitting(run, few, segments.keys_room) : few;
            const uint few_results = is_tight ? fitting(run, few, segments.results_room) : few;
            for (uint k = 0; k < few_keys; k++)
                segments.keys_out[run + k] = keys[i + k];
            for (uint k = 0; k < few_results; k++)
                out[run + k] = RESULT_OF(plain_combine(plain_identity(), plain_value_at(ELEMENT_AT(in, i + k), i + k)));
            sum = plain_value_at(ELEMENT_AT(in, stop - 1), stop - 1);
            blocks = long_begin(sum);
            run += few;
            continue;
        }
        for (ulong k = i; k < stop; k++) {
            const bool begins = head_at(k, segments);
            sum = plain_combine(begins ? plain_identity() : sum, plain_value_at(ELEMENT_AT(in, k), k));
            run += begins;
#ifdef OWN_EQUALS /* keys of one run may differ: the first one is written */
            if (begins)
#endif
                store_key(run - 1, keys[k], is_tight, segments);
            store_end(out, run - 1, sum, is_tight, segments);
        }
        blocks = long_begin(sum);
    }
#endif
    return run;
}

/* before: the fold of all earlier chunks. A run is written by the chunk in which it ends, and its key by the chunk in
 * which it begins. */
static inline void write_runs(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end, ulong n,
                              VALUE before, segment_places segments)
{
    const bool is_last = i < end && end == n;
    const ulong first = first_head(i, end, segments);
    const ulong last = first < end ? last_head(first, end, segments) : end;
    run_count run = begins_of(before);
    plain_value sum = fold_part(plain_of(before), in, i, first);
    if (first < end) {
        if (run > 0)
            store_end(out, run - 1, sum, true, segments);
        if (run + (last - first) <= min(segments.keys_room, segments.results_room))
            run = write_whole_runs(in, out, first, last, run, false, segments);
        else
            run = write_whole_runs(in, out, first, last, run, true, segments);
        store_key(run++, segments.heads[segments.heads_at + last], true, segments);
        sum = fold_part(plain_identity(), in, last, end);
    }
    if (is_last) {
        store_end(out, run - 1, sum, true, segments);
        *segments.runs = run;
    }
}
#endif
#endif
