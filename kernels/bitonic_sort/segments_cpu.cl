// SPDX-License-Identifier: MIT
/* bitonic_sort_segments for CPUs: a work-group is one work-item, and so one thread at a time. It sorts one segment
 * after another: short ones by insertion, longer ones as cpu_chunk.cl sorts a chunk. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/cpu_chunk.cl"
#include "bitonic_sort/parts/windows.cl"

#if CUSTOM || VALUE_SIZE
#define FEW 24 /* elements */
#else
#define FEW 16
#endif

static inline void sort_few(array from, array to, INDEX length)
{
    for (INDEX i = 0; i < length; i++) {
        const item x = load(from, i);
        INDEX k = i;
        for (; k > 0 && before(x, load(to, k - 1)); k--)
            store(to, k, load(to, k - 1));
        store(to, k, x);
    }
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_segments(ARGS_OF(BITONIC_SORT_SEGMENTS))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    SEGMENTS_HERE
    for (uint s = first_segment; s < end_segment; s++) {
        const INDEX begin = segment_begin(&all, s);
        const INDEX end = segment_begin(&all, s + 1);
        if (end <= begin)
            continue;
        const array from = array_from(ARRAY_OF(in), begin);
        const array to = array_from(ARRAY_OF(out), begin);
        if (end - begin <= FEW)
            sort_few(from, to, end - begin);
        else
            sort_from(from, to, end - begin);
    }
}
