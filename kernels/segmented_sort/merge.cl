// SPDX-License-Identifier: MIT
/* segmented_sort_merge: merge the sorted parts that windows have of long segments, many at a time. Each segment has as
 * many `ways` as it takes for args.merges launches to leave one run of it, so that all segments are done with the last
 * one. A run is what ways^turn windows have of a segment. A group finds what its window has of the result: by where
 * each run's elements begin that are in it, and where they end (multi-sequence selection, find_splits). It reads these
 * elements, and merges always two runs in local memory. The number of launches is even: from where all shall lie to
 * scratch memory, and back. Without long segments the groups leave at once.
 * Parameters: keys.cl with COUNTED 0; segments.cl with MERGES; GROUP_SIZE * ITEMS elements are a window or more.
 * Source: Varman, Scheufler, Iyer and Ricard 1991, Merging multiple lists on hierarchical-memory multiprocessors. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "segmented_sort/args.h"
#include "segmented_sort/parts/segments.cl"
#define ONE_SEGMENT 1
#include "radix_sort/parts/tile_by_merges.cl"

#ifndef MERGE_SAMPLES /* of a run at least */
#error "MERGE_SAMPLES must be given"
#endif

#if MERGES
#define HALF        (GROUP_SIZE / 2) /* of the group looks where elements begin, and half where they end */
#define MOST_WAYS   (HALF / MERGE_SAMPLES)
#define MOST_ROUNDS 64 /* so that there is an end among elements in no order, of offsets that do not ascend */

/* The runs from which a group's elements come. */
typedef struct {
    uint ways;
    __local uint *firsts; /* where each begins in the array, and the last one ends */
    __local uint *lows;   /* for both halves of the group: before what is looked for are so many of a run's elements, */
    __local uint *highs;  /* and at most so many */
    __local uint *steps;  /* between a run's samples, */
    __local uint *counts; /* and how many these are */
    __local KEY *samples;
    __local uint *coarse; /* is any step more than 1? For three rounds in turn: it takes no barrier to clear it */
} runs_memory;

/* How many of a run's samples come before a key, or with are_equal_before are equal. */
static inline uint samples_before(const __local KEY *samples, uint count, KEY key, bool are_equal_before)
{
    uint begin = 0;
    for (uint end = count; begin < end;) {
        const uint middle = (begin + end) / 2;
        const bool is_before =
            clprim__keys_less(samples[middle], key) | (are_equal_before & !clprim__keys_less(key, samples[middle]));
        begin = is_before ? middle + 1 : begin;
        end = is_before ? end : middle;
    }
    return begin;
}

/* lows[run] = how many of the run's elements are among the first `rank` of all runs; rank: of the work-item's half.
 * In each round every run shows samples at equal distances, of what may or may not be among them. By the samples before
 * it a sample knows how many elements are before it at least and at most. If these are at most `rank`, it is among
 * them; if more than `rank`, it is not. */
ALWAYS_INLINE void find_splits(const runs_memory *m, const __global KEY *keys, uint rank)
{
    const uint lid = (uint)get_local_id(0);
    const uint each = HALF / m->ways;
    const uint side = lid / HALF * MOST_WAYS;
    const bool has_run = lid % HALF / each < m->ways;
    const uint run = has_run ? lid % HALF / each : 0;
    const uint number = lid % HALF % each;
    const uint first = m->firsts[run];
    const uint length = m->firsts[run + 1] - first;
    const uint others = m->firsts[m->ways] - m->firsts[0] - length;
    if (has_run && number == 0) {
        m->lows[side + run] = rank > others ? rank - others : 0;
        m->highs[side + run] = min(rank, length);
    }
    if (lid < 3)
        m->coarse[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* anything is possible */
    bool is_open = true;
    for (uint round = 0; is_open; round++) {
        const uint low = m->lows[side + run];
        const uint left = max(m->highs[side + run], low) - low;
        const uint step = max((left + each - 1) / each, 1u);
        const uint count = left / step;
        const uint place = low + (number + 1) * step - 1;
        const bool has_sample = has_run && number < count;
        const KEY sample = has_sample ? image_of((keys + first)[place]) : LAST_IMAGE;
        if (has_run && number == 0) {
            m->steps[side + run] = step;
            m->counts[side + run] = count;
        }
        if (has_run && step > 1)
            m->coarse[round % 3] = 1;
        m->coarse[(round + 1) % 3] = 0;
        m->samples[lid] = sample;
        barrier(CLK_LOCAL_MEM_FENCE); /* the samples */
        is_open = m->coarse[round % 3] != 0 && round < MOST_ROUNDS;
        uint least = place + 1; /* so many elements come before the sample or are it */
        uint most = least;
        for (uint k = 0; k < m->ways; k++) {
            const uint own_step = m->steps[side + k];
            const uint before =
                samples_before(m->samples + lid / HALF * HALF + k * each, m->counts[side + k], sample, k < run);
            const uint fewest = m->lows[side + k] + own_step * before;
            least += k == run ? 0 : fewest;
            most += k == run ? 0 : fewest + own_step - 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        if (has_sample && most <= rank)
            (void)atomic_max(m->lows + side + run, place + 1);
        if (has_sample && least > rank)
            (void)atomic_min(m->highs + side + run, place);
        barrier(CLK_LOCAL_MEM_FENCE); /* what is known now */
    }
}

/* Elements of a window's part of a long segment, which has elements from `begin` to before `end`. */
typedef struct {
    ulong begin, end;
    ulong first, beyond;
} part;

static inline part part_of(const segments_of *all, uint s, ulong position, ulong window)
{
    part p;
    p.begin = segment_begin(all, s);
    p.end = segment_begin(all, s + 1);
    p.first = min(max(p.begin, position), p.end);
    p.beyond = max(min(p.end, position + window), p.first);
    return p;
}

/* The least number whose power is `count` or more. */
static inline uint ways_for(ulong count, uint power)
{
    uint ways = 1;
    for (ulong reach = 1; reach < count && ways < MOST_WAYS;) {
        ways++;
        reach = 1;
        for (uint k = 0; k < power; k++)
            reach *= ways;
    }
    return ways;
}

/* The run that has element i of those that were loaded. */
static inline uint run_with(const __local uint *begins, uint ways, uint i)
{
    uint run = 0;
    for (uint end = ways; run + 1 < end;) {
        const uint middle = (run + end) / 2;
        run = begins[middle] <= i ? middle : run;
        end = begins[middle] <= i ? end : middle;
    }
    return run;
}

#define MERGED_ITEMS (ITEMS % 2 == 0 && ITEMS > 4 ? ITEMS - 1 : ITEMS) /* odd: no bank conflicts */

/* Merge always two runs, again and again. A work-item has a share of one result of two runs. */
ALWAYS_INLINE void merge_runs(const tile_memory *m, const __local uint *begins, uint ways)
{
    const uint lid = (uint)get_local_id(0);
    for (uint width = 1; width < ways; width *= 2) {
        uint next = begins[0];
        uint shares = 0; /* of the runs before */
        uint low = next;
        uint middle = next;
        uint high = next;
        uint first = next;
        for (uint k = 0; k < ways; k += 2 * width) {
            const uint begin = next;
            next = begins[min(k + 2 * width, ways)];
            const uint own_shares = (next - begin + MERGED_ITEMS - 1) / MERGED_ITEMS;
            if (lid - shares < own_shares) {
                low = begin;
                middle = begins[min(k + width, ways)];
                high = next;
                first = begin + (lid - shares) * MERGED_ITEMS;
            }
            shares += own_shares;
        }
        merge_across(m, low, middle, high, first, min(first + MERGED_ITEMS, high)); /* with barriers */
    }
}

/* Where in the array element i of those that were loaded is. */
static inline uint origin_of(const runs_memory *m, const __local uint *begins, uint i, uint end)
{
    const uint run = run_with(begins, m->ways, i);
    return min(m->firsts[run] + m->lows[run] + (i - begins[run]), end - 1);
}

/* Merge what window w has of a segment. */
ALWAYS_INLINE void merge_part(const tile_memory *m, runs_memory *runs, __local uint *begins, part p, uint w,
                              const segmented_sort_args args, const __global KEY *keys_from, __global KEY *keys_to
#if VALUE_SIZE
                              ,
                              const __global VALUE *values_from, __global VALUE *values_to
#endif
)
{
    const uint lid = (uint)get_local_id(0);
    const ulong window = args.window;
    const uint first_window = (uint)(p.begin / window);
    const uint ways = ways_for((p.end - 1) / window - first_window + 1, args.merges);
    uint run_windows = 1;
    for (uint k = 0; k < args.turn; k++)
        run_windows *= ways;
    const uint from = first_window + (w - first_window) / (run_windows * ways) * (run_windows * ways);
    const uint valid = (uint)(p.beyond - p.first);
    runs->ways = ways;
    if (lid <= ways)
        runs->firsts[lid] = (uint)min(max((from + (ulong)lid * run_windows) * window, p.begin), p.end);
    barrier(CLK_LOCAL_MEM_FENCE); /* the runs */
    find_splits(runs, keys_from, (uint)(lid < HALF ? p.first : p.beyond) - runs->firsts[0]);
    uint before = 0; /* of the runs before the one that is the work-item's number; no more than there is room for */
    for (uint k = 0; k < ways; k++) {
        const uint low = runs->lows[k];
        before += k < lid ? min(max(runs->lows[MOST_WAYS + k], low) - low, valid) : 0;
    }
    if (lid <= ways)
        begins[lid] = min(before, valid);
    barrier(CLK_LOCAL_MEM_FENCE); /* where runs begin in the tile; all are through with samples */
    KEY images[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid)
            images[j] = keys_from[origin_of(runs, begins, STRIPED_INDEX(j), (uint)p.end)];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid) {
            m->keys[STRIPED_INDEX(j)] = image_of(images[j]);
            if (VALUE_SIZE > 0)
                m->places[STRIPED_INDEX(j)] = (ushort)STRIPED_INDEX(j);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the runs */
    merge_runs(m, begins, ways);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid) {
            const ulong to = p.first + STRIPED_INDEX(j);
            keys_to[to] = key_of(m->keys[STRIPED_INDEX(j)]);
#if VALUE_SIZE
            values_to[to] = values_from[origin_of(runs, begins, m->places[STRIPED_INDEX(j)], (uint)p.end)];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the next part may take the memory */
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_merge(ARGS_OF(SEGMENTED_SORT_DECODE))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    __local uint4 staged[KEY_WORDS];
    __local uint firsts[MOST_WAYS + 1];
    __local uint begins[MOST_WAYS + 1];
    __local uint lows[2 * MOST_WAYS];
    __local uint highs[2 * MOST_WAYS];
    __local uint steps[2 * MOST_WAYS];
    __local uint counts[2 * MOST_WAYS];
    __local uint coarse[3];
    TILE_MEMORY_HERE(1, staged)
    runs_memory runs = {0, firsts, lows, highs, steps, counts, (__local KEY *)staged, coarse};
    SEGMENTS_HERE
    const uint w = (uint)get_group_id(0);
    const ulong position = w * args.window;
    const uint s = all.firsts[w];
    const uint end = min(all.firsts[w + 1], all.count);
    const bool goes_on = is_within_long(&all, s, position);
    const bool begins_here = s < end && is_long(&all, end - 1);
    __global KEY *const keys_there = keys_out + args.keys_out_offset;
    __global KEY *const keys_between = (__global KEY *)(scratch + args.keys_at);
    const bool is_back = args.turn % 2 != 0;
#if VALUE_SIZE
    __global VALUE *const values_there = values_out + args.values_out_offset;
    __global VALUE *const values_between = (__global VALUE *)(scratch + args.values_at);
#endif
    const uint parts = (goes_on ? 1 : 0) + (begins_here ? 1 : 0);
    for (uint k = 0; k < parts; k++)
        merge_part(&m, &runs, begins, part_of(&all, k == 0 && goes_on ? s - 1 : end - 1, position, args.window), w,
                   args, is_back ? keys_between : keys_there, is_back ? keys_there : keys_between
#if VALUE_SIZE
                   ,
                   is_back ? values_between : values_there, is_back ? values_there : values_between
#endif
        );
}
#endif
