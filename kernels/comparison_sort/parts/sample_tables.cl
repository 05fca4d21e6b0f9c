// SPDX-License-Identifier: MIT
/* sample_tables.cl: how the launches of the sample sort communicate. A level divides each of its segments into buckets,
 * which are the next level's segments; the first level has one segment, the array.
 *
 *   COUNTS, ENDS, KINDS        a level's tables, indexed by segment, then bucket: the number of elements; the place of
 *                              the next element, which finally is the end of the bucket; flags
 *   PARENTS                    the tables of the level before
 *   segment_at(...)            a segment, that is, a bucket of the level before
 *   HEADER                     the number of tiles at each level; at LARGE_BUCKETS, the number of buckets that are too
 *                              large for a small tile; at PIECES_OF_REST, the length of the list of pieces of buckets
 *                              that no single group can sort
 *
 * Parameters: INDEX must be uint; MOVED_TILE, elements that a group moves. */
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"

#if !defined(MOVED_TILE)
#error "MOVED_TILE must be given"
#endif

enum {
    KIND_EQUAL = 1,  /* for a bucket: all its elements are equal */
    KIND_COPIED = 2, /* for a segment's first bucket: it contains the whole segment */
    KIND_REPEATS = 4 /* for a segment's first bucket: some of the segment's splitters are equal */
};

#define PIECES_OF_REST 0
#define LARGE_BUCKETS  4 /* after the numbers of tiles, of up to three levels */
#define HEADER_WORDS   8

#define HEADER         ((volatile __global uint *)(scratch + args.header_at))
#define PARENTS        ((const __global uint *)(scratch + args.parents_at))
#define COUNTS         ((__global uint *)(scratch + args.tables_at))
#define ENDS           (COUNTS + ((size_t)args.segments << args.buckets_log))
#define KINDS          (ENDS + ((size_t)args.segments << args.buckets_log))
#define SPLITTERS      ((__global ELEMENT *)(scratch + args.splitters_at))
/* for levels after the first: the segment, and the tile in it */
#define TILES ((__global uint2 *)(scratch + args.tiles_at))

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
