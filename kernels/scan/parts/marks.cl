// SPDX-License-Identifier: MIT
/* marks.cl: with SEGMENTS_BY_OFFSETS, a bit in local memory for each element of a tile, set if a segment begins or ends
 * there. Each work-group finds the bits of its own tile.
 *
 *   MARKS_HERE(elements)               in a kernel: local memory for a tile of so many elements
 *   MARKS_PARAMETER, MARKS_ARGUMENT    in a parameter list, and to pass it on
 *   mark_tile(marks, first, elements, n, segments)
 *                                      bit i: a segment begins or ends at element first + i; all work-items call it.
 *                                      `first` is greater than -32. The bits of elements that do not exist are 0
 *   marks_at(marks, i, count)          `count` bits from bit i on, which are in one word
 *
 * segments.heads are the offsets, and segments.ends is their number: one more than there are segments, or 0. Offsets
 * beyond the array are ignored. FIRST_BEGINS: element 0 begins a segment in any case (1), or has no bit (0).
 *
 * Offsets are read in chunks, of OFFSETS_EACH for each work-item. The group searches for the first chunk that does not
 * end before the tile. This takes fewer steps than a search for the first offset, and each step waits for memory: so
 * the lanes of a sub-group search together, and without sub-groups the whole group. Then it reads chunks until one ends
 * after the tile. If two chunks in a row end with the same offset, millions of chunks of empty segments may follow: the
 * group then searches for the first chunk that ends with another offset. If offsets are not sorted, the group misses
 * some, but it never goes back, and it stops at a chunk that ends outside its tile.
 *
 * Parameters: GROUP_SIZE. */
#include "common/kernel.h"
#include "scan/modes.h"
#include "scan/parts/elements.cl"
#include "common/tile_scan.cl"
#include "common/lanes.cl"

#if SEGMENTS == SEGMENTS_BY_MARKS
#error "bits that scan_mark_heads has made are for kernels without tiles"
#endif

#if SEGMENTS == SEGMENTS_BY_OFFSETS
#define MARK_WORDS(elements) (((elements) + 31) / 32)
#if LANES_TOGETHER
#define OFFSETS_EACH 1
#define MARK_VOTES   0
#else
#define OFFSETS_EACH 4 /* tiles are large there: if segments are short, groups would wait for memory once per chunk */
#define MARK_VOTES   3 /* after the marks: the votes of three steps in turn, so that each step needs only one barrier */
#endif
#define OFFSETS_CHUNK        (GROUP_SIZE * OFFSETS_EACH)
#define MARKS_HERE(elements) __local uint marks[MARK_WORDS(elements) + MARK_VOTES];
#define MARKS_PARAMETER      , __local uint *marks
#define MARKS_ARGUMENT       , marks

static inline ulong last_of_chunk(uint chunk, segment_places segments)
{
    return segments.heads[segments.heads_at + min(((ulong)chunk + 1) * OFFSETS_CHUNK, segments.ends) - 1];
}

static inline uint marks_at(const __local uint *marks, uint i, uint count)
{
    return marks[i / 32] >> i % 32 & ((1u << count) - 1);
}

#if LANES_TOGETHER
#define CHUNKS_NARROW(low, high, tried, holds) LANES_NARROW(uint, low, high, tried, holds)
#else
/* How many work-items of the group vote true. votes[*step % 3] is 0 before. */
ALWAYS_INLINE uint group_votes(__local uint *votes, uint *step, bool vote)
{
    const uint now = *step % 3;
    *step += 1;
    if (vote)
        (void)atomic_inc((volatile __local uint *)votes + now);
    if (get_local_id(0) == 0)
        votes[*step % 3] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all votes */
    return votes[now];
}

#define VOTES_OF_GROUP(vote)                   group_votes(marks + MARK_WORDS(elements), &step, vote)
#define CHUNKS_NARROW(low, high, tried, holds) NARROW_BY(uint, GROUP_SIZE, lid, VOTES_OF_GROUP, low, high, tried, holds)
#endif

ALWAYS_INLINE void mark_tile(__local uint *marks, long first, uint elements, ulong n, segment_places segments)
{
    const uint lid = (uint)get_local_id(0);
    const uint chunks = (uint)((segments.ends + OFFSETS_CHUNK - 1) / OFFSETS_CHUNK);
    const ulong begin = (ulong)max(first, 1l - (long)FIRST_BEGINS);
    const ulong end = min((ulong)(first + elements), n);
    ulong before = end; /* the last offset of the previous chunk */
    uint chunk = 0;
    uint high = chunks;
    uint step = 0;
#if LANES_TOGETHER /* meanwhile other sub-groups clear the marks */
    CHUNKS_NARROW(chunk, high, tried, last_of_chunk(tried, segments) < begin)
#endif
#pragma unroll /* their number is known; else compilers unroll by fours, which takes registers everywhere */
    for (uint k = 0; k < (MARK_WORDS(elements) + MARK_VOTES + GROUP_SIZE - 1) / GROUP_SIZE; k++) {
        const uint w = k * GROUP_SIZE + lid;
        if (w < MARK_WORDS(elements) + MARK_VOTES)
            marks[w] = w == 0 && first <= 0 ? FIRST_BEGINS << -first : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all words are cleared */
#if !LANES_TOGETHER
    CHUNKS_NARROW(chunk, high, tried, last_of_chunk(tried, segments) < begin)
#endif
    while (chunk < chunks) {
        ulong at[OFFSETS_EACH];
#pragma unroll
        for (uint k = 0; k < OFFSETS_EACH; k++) {
            const ulong s = (ulong)chunk * OFFSETS_CHUNK + k * GROUP_SIZE + lid;
            at[k] = s < segments.ends ? segments.heads[segments.heads_at + s] : end;
        }
        const ulong last = last_of_chunk(chunk, segments);
        const bool is_last = last < begin || last >= end;
#pragma unroll
        for (uint k = 0; k < OFFSETS_EACH; k++) {
            if (begin <= at[k] && at[k] < end) {
                const uint i = (uint)((long)at[k] - first);
                (void)atomic_or((volatile __local uint *)marks + i / 32, 1u << i % 32);
            }
        }
#if LANES_TOGETHER
        if (is_last)
            break;
        chunk++;
        if (last == before) {
            high = chunks;
            CHUNKS_NARROW(chunk, high, tried, last_of_chunk(tried, segments) <= last)
        }
#else /* no break, because CHUNKS_NARROW has barriers */
        chunk = is_last ? chunks : chunk + 1;
        high = !is_last && last == before ? chunks : chunk;
        CHUNKS_NARROW(chunk, high, tried, last_of_chunk(tried, segments) <= last)
#endif
        before = last;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all bits are set */
}
#else
#define MARKS_HERE(elements)
#define MARKS_PARAMETER
#define MARKS_ARGUMENT
#endif
