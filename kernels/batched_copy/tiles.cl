// SPDX-License-Identifier: MIT
/* batched_copy_split: find the number of segments that end before each tile of the path (batch.cl), by one binary
 * search per tile. batched_copy_tiles: a work-group copies the elements of a tile. If they belong to few segments, it
 * copies segment by segment, as bytes, 16 at a time: with all work-items together or, if there are more than TOGETHER
 * segments, in teams. Otherwise, each segment with elements in the tile sets a bit at its first one. The number of set
 * bits up to an element is then the number of its segment among those in the tile. For these segments, the group keeps
 * the distances between places and elements in local memory.
 *
 * Parameters: GROUP_SIZE; TILE_ITEMS per work-item in a tile, at most 32; LOADS, units that a work-item loads at once.
 * `starts` has one number more than there are tiles. */
#include "batched_copy/args.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "batched_copy/parts/batch.cl"
#include "batched_copy/parts/copy_run.cl"

#if !defined(TILE_ITEMS) || !defined(LOADS)
#error "TILE_ITEMS and LOADS must be given"
#endif
#if TILE_ITEMS > 32
#error "a word of bits of each work-item must be enough for a tile"
#endif
#define TOGETHER   4 /* segments */
#define TEAM       (GROUP_SIZE < 32 ? GROUP_SIZE : 32)
#define TEAM_BYTES 512 /* average size of segments for which they are copied one by one */
#define PATH_TILE  ((uint)GROUP_SIZE * TILE_ITEMS)
#define WORDS      ((PATH_TILE + 31) / 32)

CLPRIM_WORK_GROUP_SCAN(clprim__words, uint, a + b, 0, GROUP_SIZE)

/* The segments of a tile, in local memory. */
typedef struct {
    uint bits[WORDS];  /* bit i % 32 of word i / 32: a segment begins at element i of the tile */
    uint ranks[WORDS]; /* number of segments that begin in the words up to this one */
    clprim__words_memory scan;
#if HAS_IN_BEGINS
    OFFSET in_shifts[PATH_TILE];
#endif
#if HAS_OUT_BEGINS
    OFFSET out_shifts[PATH_TILE];
#endif
} tile_segments;

__kernel GROUP_OF(GROUP_SIZE) void batched_copy_split(ARGS_OF(BATCH_SPLIT))
{
    const batch_args args = ARGS(BATCH_NUMBERS);
    const ulong t = get_global_id(0);
    BATCH_HERE
    if (t <= args.tiles)
        starts[t] = ends_before(&all, min(t * PATH_TILE, path_length(&all)));
}

/* The index in the tile where segment s begins, for a tile of `count` elements from place `first` on; `count` if it has
 * none there. */
static inline uint begin_in_tile(const batch *all, uint s, ulong first, uint count)
{
    const ulong begin = max(places_before(all, s), first);
    const ulong end = min(places_before(all, s + 1), first + count);
    return begin < end ? (uint)(begin - first) : count;
}

/* The number of the segment that has element i, among those in the tile. */
static inline uint rank_of(const __local tile_segments *own, uint i)
{
    const uint word = i / 32;
    const uint upto = own->bits[word] & (~0u >> (31 - i % 32));
    return (word > 0 ? own->ranks[word - 1] : 0) + popcount(upto) - 1;
}

/* Find the segments s0 .. s1 of a tile. All work-items have the result after the next barrier. */
ALWAYS_INLINE void find_segments(__local tile_segments *own, const batch *all, uint s0, uint s1, ulong first,
                                 uint count)
{
    const uint lid = (uint)get_local_id(0);
    if (lid < WORDS)
        own->bits[lid] = lid == 0; /* set even if offsets are invalid */
    barrier(CLK_LOCAL_MEM_FENCE);  /* all bits are cleared */
    for (ulong s = (ulong)s0 + lid; s <= s1; s += GROUP_SIZE) {
        const uint begin = begin_in_tile(all, (uint)s, first, count);
        if (begin < count)
            (void)atomic_or(&own->bits[begin / 32], 1u << begin % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all bits are set */
    uint all_ranks;
    const uint rank_here = clprim__words_inclusive(lid < WORDS ? popcount(own->bits[lid]) : 0, &all_ranks, &own->scan);
    if (lid < WORDS)
        own->ranks[lid] = rank_here;
    barrier(CLK_LOCAL_MEM_FENCE); /* the ranks are complete */
    for (ulong s = (ulong)s0 + lid; s <= s1; s += GROUP_SIZE) {
        const uint begin = begin_in_tile(all, (uint)s, first, count);
        if (begin >= count)
            continue;
        const uint rank = rank_of(own, begin);
#if HAS_IN_BEGINS
        own->in_shifts[rank] = in_shift(all, (uint)s);
#endif
#if HAS_OUT_BEGINS
        own->out_shifts[rank] = out_shift(all, (uint)s);
#endif
    }
}

/* The index in `in` of the element at a place, which is in the rank-th segment of the tile. */
static inline ulong in_index(const __local tile_segments *own, const batch *all, uint rank, ulong place)
{
#if HAS_IN_BEGINS
    return (OFFSET)(own->in_shifts[rank] + (OFFSET)place);
#else
    return all->base + place;
#endif
}

static inline ulong out_index(const __local tile_segments *own, const batch *all, uint rank, ulong place)
{
#if HAS_OUT_BEGINS
    return (OFFSET)(own->out_shifts[rank] + (OFFSET)place);
#else
    return all->base + place;
#endif
}

static inline void copy_each(const __global UNIT *in, __global UNIT *out, const __local tile_segments *own,
                             const batch *all, ulong first, uint count)
{
    for (uint begin = (uint)get_local_id(0); begin < count * UNITS; begin += LOADS * GROUP_SIZE) {
        UNIT x[LOADS];
        ulong to[LOADS];
#pragma unroll
        for (uint k = 0; k < LOADS; k++) {
            const uint u = begin + k * GROUP_SIZE;
            to[k] = ~0ul;
            if (u >= count * UNITS)
                continue;
            const uint i = u / UNITS;
            const uint rank = rank_of(own, i);
            const ulong from = in_index(own, all, rank, first + i);
            const ulong at = out_index(own, all, rank, first + i);
            if (from >= all->in_count || at >= all->out_count)
                continue;
            x[k] = in[from * UNITS + u % UNITS];
            to[k] = at * UNITS + u % UNITS;
        }
#pragma unroll
        for (uint k = 0; k < LOADS; k++)
            if (to[k] != ~0ul)
                out[to[k]] = x[k];
    }
}

/* Copy those of the `count` elements from place `first` on that are in segment s. */
static inline void copy_segment(const __global UNIT *in, __global UNIT *out, const batch *all, uint s, ulong first,
                                uint count, uint width)
{
    const ulong begin = max(places_before(all, s), first);
    const ulong end = min(places_before(all, s + 1), first + count);
    if (begin >= end)
        return;
    const ulong from = (OFFSET)(in_shift(all, s) + (OFFSET)begin);
    const ulong to = (OFFSET)(out_shift(all, s) + (OFFSET)begin);
    const ulong n = limited(limited(end - begin, from, all->in_count), to, all->out_count);
    if (n > 0)
        copy_run((const __global uchar *)(in + from * UNITS), (__global uchar *)(out + to * UNITS),
                 n * UNITS * UNIT_SIZE, (uint)get_local_id(0) % width, width);
}

__kernel GROUP_OF(GROUP_SIZE) void batched_copy_tiles(ARGS_OF(BATCH_TILES))
{
    const batch_args args = ARGS(BATCH_NUMBERS);
    __local tile_segments own;
    BATCH_HERE
    const ulong length = path_length(&all);
    const ulong item = min((ulong)get_group_id(0) * PATH_TILE, length);
    const uint items = (uint)(min(item + PATH_TILE, length) - item);
    const uint s0 = starts[get_group_id(0)];
    const uint s1 = clamp(starts[get_group_id(0) + 1], s0, (uint)min((ulong)all.count, (ulong)s0 + items));
    const uint count = items - (s1 - s0); /* number of elements; a tile without elements stores nothing */
    const ulong first = item - s0;
    in += args.in_offset * UNITS;
    out += args.out_offset * UNITS;
    const uint last = min(s1, all.count - 1);
    const uint width = s1 - s0 < TOGETHER ? GROUP_SIZE : TEAM;
    if ((ulong)count * UNITS * UNIT_SIZE >= (ulong)(s1 - s0 + 1) * TEAM_BYTES) {
        for (ulong s = s0 + get_local_id(0) / width; s <= last; s += GROUP_SIZE / width)
            copy_segment(in, out, &all, (uint)s, first, count, width);
        return;
    }
    find_segments(&own, &all, s0, last, first, count);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segments are complete */
    copy_each(in, out, &own, &all, first, count);
}
