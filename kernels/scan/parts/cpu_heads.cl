// SPDX-License-Identifier: MIT
/* cpu_heads.cl: finds where flags or keys begin segments, of which runs are a special case, and folds a segment, by one
 * work-item.
 * Parameters: the operator's prelude. */
#include "scan/modes.h"
#include "common/long_sum.cl"
#include "common/chunk_fold.cl"
#include "scan/parts/elements.cl"

#if SEGMENTS == SEGMENTS_BY_FLAG || SEGMENTS == SEGMENTS_BY_KEY
#define BLOCK 128 /* elements */

/* How many elements begin a segment, from `begin` to before `end`. `begin` is not 0. */
static inline uint count_few(ulong begin, ulong end, segment_places segments)
{
    const __global HEAD *keys = segments.heads + segments.heads_at;
    uint few = 0;
    for (ulong i = begin; i < end; i++)
        few += BEGINS(keys[i - 1], keys[i]);
    return few;
}

#if RUNS != RUNS_SPANS
/* The last element that begins a segment, from `begin` to before `end`; `end` if none does. */
static inline ulong last_head(ulong begin, ulong end, segment_places segments)
{
    ulong i = end;
    while (i > begin + BLOCK && count_few(i - BLOCK, i, segments) == 0)
        i -= BLOCK;
    while (i > begin)
        if (head_at(--i, segments))
            return i;
    return end;
}
#endif
#endif

#if SEGMENTS && RUNS != RUNS_SPANS
static inline plain_value fold_part(plain_value sum, const __global ELEMENT *in, ulong begin, ulong end)
{
#if FLOAT_SUM
    if (begin + STEP <= end)
        sum = plain_combine(sum, fold_steps(in, &begin, end));
#endif
    for (ulong i = begin; i < end; i++)
        sum = plain_combine(sum, plain_value_at(ELEMENT_AT(in, i), i));
    return sum;
}
#endif
