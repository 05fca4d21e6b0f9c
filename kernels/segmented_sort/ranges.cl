/* segmented_sort_count_range, segmented_sort_move_range: all long segments at once, where groups may not wait for each
 * other. Two launches for each digit of the keys, as in a sort by reduce_then_scan, but each segment for itself. A
 * group has a range of the tiles, which lie side by side. What a segment has of a range is a piece. A group counts the
 * digits of its pieces; then it finds from the counts of a segment's pieces where the digits of its own ones go, and
 * moves them, tile after tile.
 *
 * A long segment has many pieces. So as not to read the counts of all, groups also add them up by blocks of BLOCK
 * ranges, with atomics that nobody waits for. What they add to is 0: in the first pass segmented_sort_windows has seen
 * to that, and each pass sees to it for the next one. Counts and sums are kept with a piece's first tile.
 *
 * With an odd number of passes what is in place takes the last one twice, so that it ends where it began.
 * Parameters: keys.cl with COUNTED 0; counters.cl, for one pass; segments.cl with HAS_LONG 2.
 * Source: Merrill and Grimshaw 2011; Adinets and Merrill 2022 for what a group does with a tile. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/move_range.cl"
#include "radix_sort/parts/counters.cl"
#include "segmented_sort/args.h"
#include "segmented_sort/parts/segments.cl"

#if LONG_TILE != TILE || LONG_COUNTERS != 3 * LONG_SUMS || LONG_SUMS != 1 << DIGIT_BITS
#error "LONG_TILE, LONG_COUNTERS and LONG_SUMS must be those of the group and of the digits"
#endif
#define BLOCK 16 /* ranges */

/* The tiles of the long segments, and in how many ranges they are divided: as many as there are groups, if there are
 * tiles for all. */
typedef struct {
    uint tiles;
    uint count;
} ranges_of;

static inline ranges_of ranges_here(const segments_of *all)
{
    const uint tiles = min(*long_total(all), long_most(all));
    return (ranges_of){tiles, min(tiles, (uint)get_num_groups(0))};
}

/* A range's first tile, and the range that a tile is in. */
static inline uint range_first(const ranges_of *ranges, uint range)
{
    return (uint)((ulong)range * ranges->tiles / ranges->count);
}
static inline uint range_with(const ranges_of *ranges, uint tile)
{
    return (uint)((((ulong)tile + 1) * ranges->count - 1) / ranges->tiles);
}

/* Of a piece the first tile, and the first one behind it; its elements in the array. */
typedef struct {
    long_entry segment;
    uint first_tile;
    uint end_tile;
    ulong first;
    ulong end;
} piece;

/* The piece that begins with a tile; a tile of nobody is one without elements. */
static inline piece piece_at(const segments_of *all, uint tile, uint end_of_range)
{
    piece p;
    p.segment = long_entries(all)[tile];
    const uint end_of_segment = p.segment.tile + long_tiles(all, p.segment.length);
    const bool is_some = p.segment.length != 0;
    p.first_tile = tile;
    p.end_tile = is_some ? min(end_of_segment, end_of_range) : tile + 1;
    p.first = (ulong)p.segment.begin + (ulong)(tile - p.segment.tile) * TILE;
    p.end = min((ulong)p.segment.begin + p.segment.length,
                (ulong)p.segment.begin + (ulong)(p.end_tile - p.segment.tile) * TILE);
    p.end = is_some ? p.end : p.first;
    return p;
}

/* The words of a tile that is a piece's first one: the sums of passes with even and with odd turns, and the counts. */
static inline volatile __global uint *piece_sums(const segments_of *all, uint tile, uint turn)
{
    return long_counters(all, tile) + turn % 2 * RADIX;
}
static inline volatile __global uint *piece_counts(const segments_of *all, uint tile)
{
    return long_counters(all, tile) + 2 * RADIX;
}

/* The first tile of what a segment has of the ranges from `range` on. */
static inline uint first_tile_from(const ranges_of *ranges, const piece *p, uint range)
{
    return max(p->segment.tile, range_first(ranges, range));
}

#define RANGE_PASS min(turn, (uint)PASSES - 1)

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_count_range(ARGS_OF(SEGMENTED_SORT_LONG))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    __local uint counters[COUNTERS * COPIES];
    LONGS_HERE
    const uint turn = args.turn;
    const route r = route_between(ARRAYS_HERE, scratch, args, turn + 1, args.turns);
    const uint lid = (uint)get_local_id(0);
    const uint range = (uint)get_group_id(0);
    const ranges_of ranges = ranges_here(&all);
    const uint end = range < ranges.count ? range_first(&ranges, range + 1) : 0;
    for (uint tile = range < ranges.count ? range_first(&ranges, range) : 0; tile < end;) {
        const piece p = piece_at(&all, tile, end);
        counters_clear(counters);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counters are 0 */
        (void)counters_add(counters, r.keys_from, p.first + lid, p.end, COUNT_TILE, r.is_first, RANGE_PASS, LAST_IMAGE);
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        const uint block = first_tile_from(&ranges, &p, range / BLOCK * BLOCK);
        for (uint digit = lid; digit < RADIX && p.first < p.end; digit += GROUP_SIZE) {
            const uint count = counters_sum(counters, digit);
            piece_counts(&all, tile)[digit] = count;
            (void)atomic_add(piece_sums(&all, block, turn) + digit, count);
        }
        tile = p.end_tile;
        barrier(CLK_LOCAL_MEM_FENCE); /* the counters may be cleared */
    }
}

/* offsets[digit] = where the piece's first key of the digit goes; totals are room. What the next pass adds to becomes
 * 0. */
ALWAYS_INLINE void piece_offsets(__local COUNT *offsets, __local COUNT *totals, __local uint *sums,
                                 const segments_of *all, const ranges_of *ranges, const piece *p, uint turn)
{
    const uint range = (uint)get_group_id(0);
    const uint first = range_with(ranges, p->segment.tile);
    const uint last = range_with(ranges, p->segment.tile + max(long_tiles(all, p->segment.length), 1u) - 1);
    for (uint digit = (uint)get_local_id(0); digit < RADIX; digit += GROUP_SIZE) {
        uint before = 0;
        uint total = 0;
        for (uint block = first / BLOCK; block <= last / BLOCK; block++) {
            const uint own =
                ((const __global uint *)piece_sums(all, first_tile_from(ranges, p, block * BLOCK), turn))[digit];
            before += block < range / BLOCK ? own : 0;
            total += own;
        }
        for (uint k = max(first, range / BLOCK * BLOCK); k < range; k++)
            before += ((const __global uint *)piece_counts(all, first_tile_from(ranges, p, k)))[digit];
        piece_sums(all, p->first_tile, turn + 1)[digit] = 0;
        offsets[digit] = p->segment.begin + before;
        totals[digit] = total;
    }
    add_smaller(offsets, totals, sums);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_move_range(ARGS_OF(SEGMENTED_SORT_LONG))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    PASS_MEMORY(m, RADIX * sizeof(COUNT) / 16)
    LONGS_HERE
    const uint turn = args.turn;
    const route r = route_between(ARRAYS_HERE, scratch, args, turn + 1, args.turns);
    const uint range = (uint)get_group_id(0);
    const ranges_of ranges = ranges_here(&all);
    const uint end = range < ranges.count ? range_first(&ranges, range + 1) : 0;
    for (uint tile = range < ranges.count ? range_first(&ranges, range) : 0; tile < end;) {
        const piece p = piece_at(&all, tile, end);
        piece_offsets(m.offsets, (__local COUNT *)m.staged, m.sums, &all, &ranges, &p, turn);
        move_range(&m, &r, p.first, p.end, shift_of(RANGE_PASS));
        tile = p.end_tile;
        barrier(CLK_LOCAL_MEM_FENCE); /* all are through with the piece */
    }
}
