// SPDX-License-Identifier: MIT
/* spans.cl: with RUNS_SPANS, a scan folds where runs begin, instead of lengths. So runs of MIN_LENGTH elements or more
 * are counted, and their offsets are known. A run is written by whoever finds its end: the beginning of the next run,
 * or the end of the elements.
 *
 *   is_long(length)                      whether a run of this length is written
 *   span_with(a, begin)                  `a`, and a run that begins after all runs of a
 *   span_store(out, run, begin, length)  write a run as number `run` to the outputs that have room
 *
 * Parameters: MIN_LENGTH, an unsigned integer; RUN_OFFSETS: 1, offsets are written; HEAD; RUN_WORDS; COUNT_TYPE. */
#include "scan/modes.h"
#include "scan/parts/elements.cl"

#if RUNS == RUNS_SPANS
#if !defined(MIN_LENGTH) || !defined(RUN_OFFSETS)
#error "MIN_LENGTH and RUN_OFFSETS must be given"
#endif

/* A fold of consecutive elements. `first` and `last`: the beginnings of the first and last run that begin among them,
 * as an index + 1, or 0 if none does. `count`: how many of the runs between these two beginnings are long. The run
 * before the first beginning and the run that begins last may have more elements elsewhere. */
typedef struct {
    run_count first, last, count;
} span_value;

#undef VALUE
#undef VALUE_SIZE
#undef COMBINE
#undef IDENTITY
#undef SCAN_VALUE
#define VALUE         span_value
#define VALUE_SIZE    (12 * RUN_WORDS)
#define COMBINE(a, b) span_combine(a, b)
#define IDENTITY      span_none()

static inline bool is_long(run_count length)
{
    return (ulong)length >= MIN_LENGTH;
}

static inline span_value span_none(void)
{
    span_value none = {0, 0, 0};
    return none;
}

static inline span_value span_combine(span_value a, span_value b)
{
    span_value c;
    c.first = a.first != 0 ? a.first : b.first;
    c.last = b.last != 0 ? b.last : a.last;
    c.count = a.count + b.count + (a.last != 0 && b.first != 0 && is_long(b.first - a.last) ? 1 : 0);
    return c;
}

static inline span_value span_with(span_value a, run_count begin)
{
    span_value one = {begin, begin, 0};
    return span_combine(a, one);
}

static inline span_value scan_begin(plain_value initial)
{
    return IDENTITY;
}

/* begin: an index + 1 */
static inline void span_store(__global OUTPUT *out, ulong run, run_count begin, run_count length,
                              segment_places segments)
{
    if (run < segments.keys_room)
        segments.keys_out[run] = segments.heads[segments.heads_at + begin - 1];
    if (run < segments.results_room)
        out[run] = (COUNT_TYPE)length;
#if RUN_OFFSETS
    if (run < segments.offsets_room)
        segments.offsets[run] = (COUNT_TYPE)(segments.first_index + (begin - 1));
#endif
}

/* After all n elements: write the last run if it is long, and how many were written. `all` is the fold of all
 * elements. */
static inline void span_store_last(__global OUTPUT *out, span_value all, ulong n, segment_places segments)
{
    const run_count length = (run_count)n + 1 - all.last;
    if (is_long(length))
        span_store(out, all.count, all.last, length, segments);
    *segments.runs = (COUNT_TYPE)(all.count + is_long(length));
}
#endif
