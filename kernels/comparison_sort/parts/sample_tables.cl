// SPDX-License-Identifier: MIT
/* sample_tables.cl: how the launches of the sample sort communicate. A level divides each of its segments into buckets,
 * which are the next level's segments; the first level has one segment, the array.
 *
 *   RANGE                      elements that a group moves: tiles one after another. A segment's last range may be
 *                              shorter
 *   ranges_of(size)            the number of ranges of a segment
 *   TILES                      for levels after the first: the segment of a range, and its number in it
 *   COUNTS, ENDS, KINDS        a level's tables, indexed by segment, then bucket: the number of elements; the place of
 *                              the next element, which finally is the end of the bucket; flags
 *   PARENTS                    the tables of the level before
 *   segment_at(...)            a segment, that is, a bucket of the level before
 *   HEADER                     the number of tiles at each level; at LARGE_BUCKETS, the number of buckets that are too
 *                              large for a small tile; at PIECES_OF_REST, the length of the list of pieces of buckets
 *                              that no single group can sort
 *   ROWS                       for a stable sort: for each range, how many elements each bucket gets from it, and later
 *                              where the first of them goes. first_row(segment, number): the row of a segment's first
 *                              range
 *
 * Parameters: INDEX must be uint; MOVED_TILE, elements of a tile; STABLE: equal elements keep their order. Otherwise a
 * range is one tile. */
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"

#if !defined(MOVED_TILE) || !defined(STABLE)
#error "MOVED_TILE and STABLE must be given"
#endif

enum {
    KIND_EQUAL = 1,  /* for a bucket: all its elements are equal */
    KIND_COPIED = 2, /* for a segment's first bucket: it contains the whole segment */
    KIND_REPEATS = 4 /* for a segment's first bucket: some of the segment's splitters are equal */
};

#define PIECES_OF_REST 0
#define LARGE_BUCKETS  4 /* after the numbers of tiles, of up to three levels */
#define HEADER_WORDS   8

#if STABLE
#define RANGE (args.range * MOVED_TILE)
#else
#define RANGE MOVED_TILE
#endif
#define ROWS      ((__global uint *)(scratch + args.header_at + SAMPLE_SORT_HEADER))

#define HEADER    ((volatile __global uint *)(scratch + args.header_at))
#define PARENTS   ((const __global uint *)(scratch + args.parents_at))
#define COUNTS    ((__global uint *)(scratch + args.tables_at))
#define ENDS      (COUNTS + ((size_t)args.segments << args.buckets_log))
#define KINDS     (ENDS + ((size_t)args.segments << args.buckets_log))
#define SPLITTERS ((__global ELEMENT *)(scratch + args.splitters_at))
#define TILES     ((__global uint2 *)(scratch + args.tiles_at))

typedef struct {
    uint begin, size;
    bool is_equal;
} segment;

/* counts: those of the `buckets` buckets of the level that made the segment. For level 0, the segment is the array. */
static inline segment segment_at(uint level, const __global uint *counts, uint buckets, uint number, ulong n)
{
    if (level == 0)
        return (segment){0, (uint)n, false};
    const uint size = counts[number];
    return (segment){counts[buckets + number] - size, size, (counts[2 * (size_t)buckets + number] & KIND_EQUAL) != 0};
}

#define ranges_of(size) ((size) / RANGE + ((size) % RANGE != 0))

/* Segments need not begin at multiples of a tile or a range. So the number of those before a segment is at most this,
 * which leaves room for all of them. */
#define first_of(s, number, length) ((s).begin / (length) + (number))
#define first_row(s, number)        first_of(s, number, RANGE)
#define first_tile(s, number)       first_of(s, number, MOVED_TILE)
