// SPDX-License-Identifier: MIT
/* cpu_spans.cl: what scan_cpu_chunk does with the runs of a chunk with RUNS_SPANS: it finds where they begin, and
 * writes the runs that end in the chunk. It skips blocks in which no run begins, or in which each element begins a run
 * that is too short. */
#include "scan/modes.h"
#include "scan/parts/elements.cl"
#include "scan/parts/spans.cl"
#include "scan/parts/cpu_heads.cl"

#if RUNS == RUNS_SPANS
/* Each element of a block begins a run, and runs of one element are not written. Only the block's last run may continue
 * and be written. */
#define ARE_SHORT(few) ((few) == BLOCK && !is_long(1))

/* Find which elements begin a run, from `begin` to before `stop`, at most BLOCK elements. Returns how many, and writes
 * their places relative to `begin`; if ARE_SHORT, only the first place. Within a block there is no branching on the
 * data. */
static inline uint find_heads(uchar *places, ulong begin, ulong stop, segment_places segments)
{
    uint few = 0;
    if (begin > 0 && begin + BLOCK == stop) {
        const uint all = count_few(begin, stop, segments);
        places[0] = 0;
        if (all == 0 || ARE_SHORT(all))
            return all;
    }
    for (ulong i = begin; i < stop; i++) {
        places[few] = (uchar)(i - begin);
        few += head_at(i, segments);
    }
    return few;
}

static inline VALUE runs_of_chunk(const __global ELEMENT *in, ulong i, ulong end, segment_places segments)
{
    VALUE sum = IDENTITY;
    for (ulong stop; i < end; i = stop) {
        uchar places[BLOCK];
        stop = min(end, i + BLOCK);
        const uint few = find_heads(places, i, stop, segments);
        for (uint k = 0; k < (ARE_SHORT(few) ? 1 : few); k++)
            sum = span_with(sum, (run_count)(i + places[k] + 1));
        if (ARE_SHORT(few))
            sum.last = (run_count)stop;
    }
    return sum;
}

/* before: the fold of all earlier chunks. */
static inline void write_runs(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end, ulong n,
                              VALUE before, segment_places segments)
{
    const bool is_last = i < end && end == n;
    for (ulong stop; i < end; i = stop) {
        uchar places[BLOCK];
        stop = min(end, i + BLOCK);
        const uint few = find_heads(places, i, stop, segments);
        for (uint k = 0; k < (ARE_SHORT(few) ? 1 : few); k++) {
            const run_count begin = (run_count)(i + places[k] + 1);
            if (before.last != 0 && is_long(begin - before.last))
                span_store(out, before.count++, before.last, begin - before.last, segments);
            before.last = begin;
        }
        if (ARE_SHORT(few))
            before.last = (run_count)stop;
    }
    if (is_last)
        span_store_last(out, before, n, segments);
}
#endif
