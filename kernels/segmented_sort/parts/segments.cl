// SPDX-License-Identifier: MIT
/* segments.cl: which elements are whose.
 *
 * Segment s has the elements from offset s up to offset s + 1. Offsets beyond n count as n, and what lies between two
 * that are not ascending as no element: whatever they are, nothing is read or written out of bounds.
 *
 * A window is a range of `window` elements. segmented_sort_windows finds the first segment that begins in each, so that
 * whoever has a window need not search; what begins there belongs to it.
 *
 * HAS_LONG 1: segments of more than `longest` elements are left to one sort of them all. Their elements are counted
 * behind one another, in whatever order the segments are met: a long segment takes the places from its `place` on
 * (long_reserve), of all segments' elements together there are *long_total. Of every `longest` places at most one is a
 * long segment's first, so that place / longest numbers the segments in the order of their places, and of each such
 * piece it takes two entries to know whose its places are: who has the piece's first place, and who begins within it.
 *
 * HAS_LONG 2: they are divided into tiles, which are numbered in whatever order the segments are met (by whole.cl: in
 * the segments' order); long_tasks.cl or sweep.cl sorts them. By its first tile's number a segment has counters in
 * scratch memory, which whoever enters it clears. LONG_TILE and LONG_COUNTERS are those of the kernel that sorts them.
 *
 * MERGES: a call with args.merges does neither. What a window has of a long segment is a part, which is sorted as if it
 * were a segment; merge.cl merges the parts.
 *
 * Parameters: HAS_OFFSETS: 0, all segments have `segment_length` elements; OFFSET, an unsigned integer; ranked.cl with its
 * parameters; HAS_LONG; MERGES; GROUP_SIZE. */
#include "radix_sort/modes.h"
#include "segmented_sort/modes.h"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/keys.cl"
#include "segmented_sort/args.h"

#if !defined(OFFSET) || !defined(HAS_OFFSETS) || !defined(HAS_LONG) || !defined(MERGES) || !defined(GROUP_SIZE)
#error "OFFSET, HAS_OFFSETS, HAS_LONG, MERGES and GROUP_SIZE must be given"
#endif
/* What a kernel knows of segments: FEW_HERE of their offsets alone, LONGS_HERE of long ones alone, SEGMENTS_HERE of
 * windows, too. */
#if HAS_OFFSETS
#define OFFSETS_HERE      offsets + args.offsets_offset
#define OFFSET_AT(all, s) (all)->offsets[s]
#else
#define OFFSETS_HERE      args.segment_length
#define OFFSET_AT(all, s) ((s) * (all)->length)
#endif
#define FEW_HERE   const segments_of all = {OFFSETS_HERE, (uint)args.segments, args.n, 0, 0, 0, {0, 0}};
#define LONGS_HERE const segments_of all = {0, 0, args.n, 0, scratch + args.longs_at, args.longest, LONG_SHAPE};
#define SEGMENTS_HERE                                                                                                  \
    const segments_of all = {OFFSETS_HERE,                                                                             \
                             (uint)args.segments,                                                                      \
                             args.n,                                                                                   \
                             (__global uint *)(scratch + args.firsts_at),                                              \
                             scratch + args.longs_at,                                                                  \
                             args.longest,                                                                             \
                             LONG_SHAPE};

#if HAS_LONG == LONG_IN_TILES
#if !defined(LONG_TILE) || !defined(LONG_COUNTERS)
#error "LONG_TILE and LONG_COUNTERS must be given"
#endif
#define LONG_SHAPE                                                                                                     \
    {                                                                                                                  \
        LONG_TILE, LONG_COUNTERS                                                                                       \
    }
#else
#define LONG_SHAPE                                                                                                     \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
#endif

/* Of long segments: elements of a tile, and counters of a segment. */
typedef struct {
    uint tile;
    uint counters;
} long_shape;

typedef struct {
#if HAS_OFFSETS
    const __global OFFSET *offsets;
#else
    ulong length;
#endif
    uint count;
    ulong n;
    __global uint *firsts;
    __global uchar *longs;
    uint longest;
    long_shape shape;
} segments_of;

/* Where a pass of `turns` reads and writes; turn: from 1 on. The last one writes where all shall lie. */
ALWAYS_INLINE route route_between(sorted_arrays a, __global uchar *scratch, const segmented_sort_args args, uint turn,
                                  uint turns)
{
    const bool to_out = (turns - turn) % 2 == 0;
    __global KEY *const keys_between = (__global KEY *)(scratch + args.keys_at);
    route r;
    r.is_idle = false;
    r.is_first = turn == 1;
    r.is_last = turn == turns;
    r.turn = turn;
#ifdef BOUNDED
    r.last = (COUNT)(args.n - 1);
#endif
    r.keys_from = r.is_first ? a.keys_in : to_out ? keys_between : a.keys_out;
    r.keys_to = to_out ? a.keys_out : keys_between;
#if VALUE_SIZE
    __global VALUE *const values_between = (__global VALUE *)(scratch + args.values_at);
    r.values_from = r.is_first ? a.values_in : to_out ? values_between : a.values_out;
    r.values_to = to_out ? a.values_out : values_between;
#endif
    return r;
}

/* Where segment s begins, and the one before it ends; s up to the number of segments. */
static inline ulong segment_begin(const segments_of *all, uint s)
{
    return min((ulong)OFFSET_AT(all, s), all->n);
}

#if MERGES
#define IS_MERGED (args.merges > 0)
static inline bool is_long(const segments_of *all, uint s)
{
    const ulong begin = segment_begin(all, s);
    const ulong beyond = segment_begin(all, s + 1);
    return begin < beyond && beyond - begin > all->longest;
}

/* Does a long segment go on at `position`, which is not its first? s: the first segment that begins there or later. */
static inline bool is_within_long(const segments_of *all, uint s, ulong position)
{
    return s > 0 && s <= all->count && segment_begin(all, s - 1) < position && segment_begin(all, s) > position &&
           is_long(all, s - 1);
}
#else
#define IS_MERGED false
static inline bool is_within_long(const segments_of *all, uint s, ulong position)
{
    return false;
}
#endif

/* The first of the offsets from `s` to before `end` that is `position` or more; else `end`. */
static inline uint segment_search(const segments_of *all, uint s, uint end, ulong position)
{
    while (s < end) {
        const uint middle = s + (end - s) / 2;
        if (segment_begin(all, middle) < position)
            s = middle + 1;
        else
            end = middle;
    }
    return s;
}

/* Behind the windows' first segments: how many windows were left to another kernel, and which. */
#define NO_WINDOW 0xffffffffu
static inline void leave_window(const segments_of *all, uint w, uint windows)
{
    __global uint *left = all->firsts + windows + 1;
    left[1 + atomic_inc((volatile __global uint *)left)] = w;
}
static inline uint left_window(const segments_of *all, uint i, uint windows)
{
    const __global uint *left = all->firsts + windows + 1;
    return i < left[0] ? left[1 + i] : NO_WINDOW;
}

#if HAS_LONG
#define NO_PLACE 0xffffffffu
#ifndef LONG_HEADER /* bytes: the total has a cache line of its own */
#error "LONG_HEADER must be given"
#endif

static inline __global uint *long_total(const segments_of *all)
{
    return (__global uint *)all->longs;
}
#endif

#if HAS_LONG == LONG_IN_TILES
#define LONG_TICKET    32 /* words of the header: the ticket has a cache line of its own */
#define LONG_UNORDERED 1  /* as in radix_sort/parts/sweep.cl */

/* Whose a tile is; of nobody's the length is 0. */
typedef struct {
    uint tile; /* the segment's first one */
    uint begin;
    uint length;
    uint unused;
} long_entry;

/* So many, whatever the offsets are; as lib/segmented_sort/segmented_sort_launch.c counts them. */
static inline uint long_most(const segments_of *all)
{
    return (uint)(all->n / all->shape.tile + all->n / all->longest) + 2;
}
static inline __global long_entry *long_entries(const segments_of *all)
{
    return (__global long_entry *)(all->longs + LONG_HEADER);
}
/* How often a tile of the segment has been done with. */
static inline volatile __global uint *long_done(const segments_of *all, uint first)
{
    return (volatile __global uint *)(long_entries(all) + long_most(all)) + first;
}
static inline volatile __global uint *long_counters(const segments_of *all, uint first)
{
    return long_done(all, long_most(all)) + (size_t)first * all->shape.counters;
}
static inline uint long_tiles(const segments_of *all, uint length)
{
    return length / all->shape.tile + (length % all->shape.tile != 0);
}

/* Numbers for the tiles of a segment that is too long; NO_PLACE where it is not, or there cannot be so many. */
static inline uint long_reserve(const segments_of *all, uint s)
{
    const ulong begin = segment_begin(all, s);
    const ulong end = segment_begin(all, s + 1);
    if (end <= begin || end - begin <= all->longest || *(volatile __global uint *)long_total(all) >= long_most(all))
        return NO_PLACE;
    return atomic_add((volatile __global uint *)long_total(all), long_tiles(all, (uint)(end - begin)));
}

/* How many tiles the long segments before segment s have: the work-item's part of the sum. The whole sum numbers the
 * first tile of s, without a counter that an earlier launch would have to clear. Among offsets that do not ascend there
 * may seem to be more tiles than there can be: then counting stops, so that no sum overflows. */
static inline uint long_tiles_before(const segments_of *all, uint s)
{
    uint tiles = 0;
    for (uint k = (uint)get_local_id(0); k < s; k += GROUP_SIZE) {
        const ulong begin = segment_begin(all, k);
        const ulong end = segment_begin(all, k + 1);
        if (begin < end && end - begin > all->longest)
            tiles = min(tiles + long_tiles(all, (uint)(end - begin)), long_most(all));
    }
    return tiles;
}

/* The entries of the tiles of a segment, whose first one is tile `first`; how many there are. A segment that there is
 * no room for, among offsets that do not ascend, is nobody's: nobody may wait for tiles that are not there. It is
 * hardly ever called, but inlined it adds 25 registers to the kernel, and a pointer to a struct would keep that struct
 * in memory. */
static __attribute__((noinline)) uint long_make_entries(__global uchar *longs, ulong n, uint longest, uint tile,
                                                        uint counters, uint first, uint begin, uint length)
{
    const segments_of here = {0, 0, n, 0, longs, longest, {tile, counters}};
    const segments_of *all = &here;
    const uint tiles = long_tiles(all, length);
    const uint most = long_most(all);
    const bool has_room = first < most && tiles <= most - first;
    const long_entry entry = {first, begin, has_room ? length : 0, 0};
    const uint entries = min(tiles, most - min(first, most));
    for (uint k = (uint)get_local_id(0); k < entries; k += GROUP_SIZE)
        long_entries(all)[first + k] = entry;
    if (has_room) {
        for (uint k = (uint)get_local_id(0); k < counters; k += GROUP_SIZE)
            long_counters(all, first)[k] = 0;
        if (get_local_id(0) == 0)
            *long_done(all, first) = 0;
    }
    return entries;
}

/* The work-items of a group enter segment s. */
static inline uint long_enter(const segments_of *all, uint s, uint first)
{
    const uint begin = (uint)segment_begin(all, s);
    return long_make_entries(all->longs, all->n, all->longest, all->shape.tile, all->shape.counters, first, begin,
                             (uint)segment_begin(all, s + 1) - begin);
}
#elif HAS_LONG
typedef struct {
    uint place; /* of a long segment's first element */
    uint begin; /* where it lies in the array */
} long_entry;

static inline uint long_pieces(const segments_of *all)
{
    return (uint)(all->n / all->longest) + 1;
}
static inline __global long_entry *long_covers(const segments_of *all)
{
    return (__global long_entry *)(all->longs + LONG_HEADER);
}
static inline __global long_entry *long_begins(const segments_of *all)
{
    return long_covers(all) + long_pieces(all);
}

/* Places for a segment that is too long; NO_PLACE where it is not, or there cannot be so many. */
static inline uint long_reserve(const segments_of *all, uint s)
{
    const ulong begin = segment_begin(all, s);
    const ulong end = segment_begin(all, s + 1);
    if (end <= begin || end - begin <= all->longest)
        return NO_PLACE;
    const uint place = atomic_add((volatile __global uint *)long_total(all), (uint)(end - begin));
    return place + (end - begin) <= all->n ? place : NO_PLACE;
}

/* The work-items of a group make its entries. */
static inline void long_enter(const segments_of *all, uint s, uint place)
{
    const uint begin = (uint)segment_begin(all, s);
    const ulong end = place + (segment_begin(all, s + 1) - begin);
    const long_entry entry = {place, begin};
    const uint first = place / all->longest;
    if (get_local_id(0) == 0) {
        if (place % all->longest == 0)
            long_covers(all)[first] = entry;
        else
            long_begins(all)[first] = entry;
    }
    for (ulong piece = (ulong)first + 1 + get_local_id(0); piece * all->longest < end; piece += GROUP_SIZE)
        long_covers(all)[piece] = entry;
}

/* The segment that has this place. */
static inline long_entry long_at(const segments_of *all, uint place)
{
    const uint piece = place / all->longest;
    const long_entry begins = long_begins(all)[piece];
    return place >= begins.place ? begins : long_covers(all)[piece];
}
#endif

__kernel GROUP_OF(GROUP_SIZE) void segmented_sort_windows(ARGS_OF(SEGMENTED_SORT_WINDOWS))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    SEGMENTS_HERE
    const ulong window = args.window;
    const uint windows = args.windows;
#ifdef SUBGROUP_SHUFFLE /* a sub-group a window: many offsets at a time, not one after the other */
    const uint width = clprim_sub_group_size();
    for (ulong w = get_global_id(0) / width; w <= windows; w += get_global_size(0) / width) {
        uint s = 0;
        uint end = all.count + 1;
        while (s < end) { /* the first one from w * window on is in s .. end, or it is end */
            const uint step = (end - s - 1) / width + 1;
            const ulong probe = s + (ulong)(clprim_sub_group_lane() + 1) * step - 1;
            const uint smaller = clprim_sub_group_votes(probe < end && segment_begin(&all, (uint)probe) < w * window);
            end = (uint)min((ulong)end, s + (ulong)(smaller + 1) * step - 1);
            s = (uint)min((ulong)end, s + (ulong)smaller * step);
        }
        if (clprim_sub_group_lane() == 0)
            all.firsts[w] = s;
    }
#else
    for (ulong w = get_global_id(0); w <= windows; w += get_global_size(0))
        all.firsts[w] = segment_search(&all, 0, all.count + 1, w * window);
#endif
    if (get_global_id(0) == 0)
        all.firsts[(ulong)windows + 1] = 0; /* none is left */
#if HAS_LONG == LONG_TOGETHER
    for (uint piece = (uint)get_global_id(0); piece < long_pieces(&all); piece += (uint)get_global_size(0)) {
        const long_entry nobody = {NO_PLACE, 0};
        const long_entry anybody = {0, 0}; /* in bounds, where offsets are not ascending */
        long_begins(&all)[piece] = nobody;
        long_covers(&all)[piece] = anybody;
    }
#endif
#if HAS_LONG
    if (get_global_id(0) == 0 && !IS_MERGED) {
        *long_total(&all) = 0;
#if HAS_LONG == LONG_IN_TILES
        long_total(&all)[LONG_UNORDERED] = 0;
        long_total(&all)[LONG_TICKET] = 0;
#endif
    }
#endif
}
