// SPDX-License-Identifier: MIT
/* cpu_segments.cl: what scan_cpu_chunk does with SEGMENTS_APART, that is if a segment's results do not depend on what
 * precedes it. Only the last segment of a chunk is folded for later chunks. Elements are scanned without pairing them
 * with flags, and in vectors if no segment begins among them. Offsets are read directly, without making bits of them.
 *
 *   segments_of_chunk(in, i, end)   the fold of in[i .. end)
 *   scan_segments(in, out, i, end, sum, initial)
 *                                   scans in[i .. end). `sum`: the fold so far, which began with `initial`
 *
 * Parameters: the operator's prelude. */
#include "scan/modes.h"
#include "common/chunk_fold.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/cpu_heads.cl"
#include "scan/parts/cpu_vectors.cl"

#if SEGMENTS && SEGMENTS != SEGMENTS_BY_MARKS && !RUNS && !defined(SEES_SEGMENTS)
#define SEGMENTS_APART 1

/* The fold of the chunk's last segment, which begins at `last`. If `last` == end, the segment began before the chunk
 * and continues through all of it. */
static inline VALUE last_segment(const __global ELEMENT *in, ulong i, ulong end, ulong last)
{
    const bool begins = last < end;
    plain_value sum = plain_identity();
    if (begins)
        i = last;
#if FOLD_STEPS
    sum = fold_steps(in, &i, end);
#endif
    return segment_of(fold_part(sum, in, i, end), begins);
}

#if SEGMENTS == SEGMENTS_BY_OFFSETS
/* The index of the first offset that is at least i. */
static inline ulong offsets_before(ulong i, segment_places segments)
{
    ulong low = 0;
    for (ulong high = segments.ends; low < high;) {
        const ulong middle = low + (high - low) / 2;
        if (segments.heads[segments.heads_at + middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline VALUE segments_of_chunk(const __global ELEMENT *in, ulong i, ulong end, segment_places segments)
{
    const ulong s = offsets_before(end, segments);
    const ulong last = s > 0 ? segments.heads[segments.heads_at + s - 1] : 0;
    return last_segment(in, i, end, (s > 0 || i == 0) && last >= i ? last : end);
}

/* Offsets that are not sorted cannot lead outside the chunk. */
static inline void scan_segments(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end, plain_value sum,
                                 plain_value initial, segment_places segments)
{
    for (ulong s = offsets_before(i, segments); i < end; s++) {
        const ulong next = s < segments.ends ? clamp((ulong)segments.heads[segments.heads_at + s], i, end) : end;
        (void)scan_one_segment(in, out, i, next, sum);
        sum = initial;
        i = next;
    }
}
#else
#define FEW 32 /* elements that are looked at together */

static inline VALUE segments_of_chunk(const __global ELEMENT *in, ulong i, ulong end, segment_places segments)
{
    return last_segment(in, i, end, last_head(i, end, segments));
}

/* For short segments: scans without branching on the data. */
static inline plain_value scan_short_segments(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end,
                                              plain_value sum, plain_value initial, segment_places segments)
{
    for (; i < end; i++) {
        const plain_value before = head_at(i, segments) ? initial : sum;
        sum = plain_combine(before, plain_value_at(ELEMENT_AT(in, i), i));
        out[i] = OUTPUT_OF(RESULT_OF(EXCLUSIVE ? before : sum), i);
    }
    return sum;
}

static inline void scan_segments(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end, plain_value sum,
                                 plain_value initial, segment_places segments)
{
    while (i < end) {
        ulong stop = i;
        while (stop > 0 && stop + FEW <= end && count_few(stop, stop + FEW, segments) == 0)
            stop += FEW;
        sum = scan_one_segment(in, out, i, stop, sum);
        i = min(stop + FEW, end);
        sum = scan_short_segments(in, out, stop, i, sum, initial, segments);
    }
}
#endif
#else
#define SEGMENTS_APART 0
#endif
