// SPDX-License-Identifier: MIT
/* comparison_sort_bucket: after the last level of the sample sort, a group sorts a bucket in one go. There are two such
 * kernels, with tiles of different sizes, for smaller and for larger buckets. The kernel for small buckets lists the
 * large ones, and the kernel for large ones lists those that are too large for it.
 *
 * level: the last one. After an odd number of levels, the elements are not yet in the output.
 * Parameters: LISTS 1: this is the second kernel, and buckets that are too large for it become pieces, each of
 * 2^PIECE_LOG tiles; AFTER_SMALL 1: there is a first kernel; BRANCHES 1: barriers may be in an `if` whose condition is
 * the same for the whole group. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"
#include "comparison_sort/parts/sample_tables.cl"
#include "comparison_sort/parts/sample_tile.cl"

#if !defined(LISTS) || !defined(AFTER_SMALL) || !defined(BRANCHES) || (LISTS && !defined(PIECE_LOG))
#error "LISTS, AFTER_SMALL, BRANCHES and PIECE_LOG must be given"
#endif

#if LISTS
#define PIECE ((uint)TILE << PIECE_LOG)
typedef uint4 piece; /* its bucket's beginning and size, its own place in it, whether all are equal */

/* Done by one work-item: there are few pieces, unless the samples were very bad. */
static inline void list_pieces(volatile __global uint *count, __global piece *pieces, segment s)
{
    const uint needed = s.size / PIECE + (s.size % PIECE != 0);
    const uint first = atomic_add(count, needed);
    for (uint i = 0; i < needed; i++)
        pieces[first + i] = (uint4)(s.begin, s.size, i, s.is_equal);
}
#endif

/* The splitter after a bucket: all elements of the bucket come before it. NULL if there is none. With up to two levels,
 * a segment's last bucket has the splitter after the segment; so does a segment that was copied. */
static inline const __global ELEMENT *splitter_behind(__global uchar *scratch, const sample_sort_args args, uint number)
{
    const uint last = (1u << args.buckets_log) - 1;
    const uint parent = number >> args.buckets_log;
    const bool is_copied = (KINDS[parent << args.buckets_log] & KIND_COPIED) != 0;
    if ((number & last) != last && !is_copied)
        return SPLITTERS + number;
    if (args.level == 2 && parent != args.segments - 1)
        return (const __global ELEMENT *)(scratch + args.parents_splitters_at) + parent;
    return 0;
}

#if CUSTOM && defined(ELEMENT_OF_BITS) && !STABLE
ALWAYS_INLINE bool is_same(item x, item y)
{
#if VALUE_SIZE == 16
    return x.key == y.key && all(x.value == y.value);
#elif VALUE_SIZE
    return x.key == y.key && x.value == y.value;
#else
    return x == y;
#endif
}

/* Pad the tile with the splitter after the bucket, so that no work-item need check which elements exist: the padding
 * comes last. Before anything is written, this is verified bit by bit, because with an inconsistent order it may not
 * hold. If it does not, nothing is written, and the result is false. */
ALWAYS_INLINE bool sort_filled_up(local_array tile, array in, array out, uint size, ELEMENT splitter,
                                  __local uint *errors)
{
    item x[ITEMS];
    const spread across = spread_at(GROUP_LOG, false);
    tile_place whole = tile_at(0);
    item next;
    whole.is_whole = true;
    KEY_OF(next) = splitter;
#if VALUE_SIZE
    next.value = (VALUE)(0);
#endif
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint place = place_of(across, i);
        x[i] = next;
        if (place < size)
            x[i] = load(in, place);
    }
    if (get_local_id(0) == 0)
        *errors = 0;
    sort_items(tile, x, whole, TILE);
    uint own = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        own += place_of(across, i) >= size && !is_same(x[i], next);
    if (own != 0)
        (void)atomic_inc(errors);
    barrier(CLK_LOCAL_MEM_FENCE); /* the errors of all work-items are known */
    const bool is_sorted = *errors == 0;
    if (is_sorted)
        tile_store(out, x, across, tile_at(0), size);
    return is_sorted;
}
#define FILLS_UP 1
#else
#define FILLS_UP 0
#endif

/* PoCL 3.1 sometimes miscompiles barriers in an `if`, even if all work-items of the group take the same path. So there,
 * and on CPUs, the work is done unconditionally; if there is nothing to do, it is done for no elements. */
#if BRANCHES
#define IF_NEEDED(condition) if (condition)
#else
#define IF_NEEDED(condition)
#endif

ALWAYS_INLINE void sort_bucket(sample_tile tile, array in, array out, uint size, const __global ELEMENT *splitter,
                               __local uint *errors)
{
    bool is_sorted = false; /* the same for the whole group */
#if FILLS_UP
    const bool has_splitter = splitter != 0;
    IF_NEEDED(has_splitter)
    is_sorted = sort_filled_up(tile, in, out, has_splitter ? size : 0, has_splitter ? *splitter : (ELEMENT)(0), errors);
    is_sorted = is_sorted && has_splitter;
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been read */
#endif
    IF_NEEDED(!is_sorted)
    SORT_TILE(tile, in, out, is_sorted ? 0 : size);
}

/* Sort bucket `number`. Returns true, and does nothing, if it is too large for a tile. */
ALWAYS_INLINE bool is_left(sample_tile tile, array in, array out, segment s, uint level,
                           const __global ELEMENT *splitter, __local uint *errors)
{
    const array from = array_from(in, s.begin);
    const array to = array_from(out, s.begin);
    const bool is_sorted = s.is_equal || s.size < 2; /* the same for the whole group, like the conditions below */
    const bool stays = level % 2 == 0 && level > 0;
    const bool is_copied = is_sorted && !stays && s.size <= TILE;
    const bool is_too_large = s.size > TILE && !(is_sorted && stays);
    const bool sorts = !is_sorted && !is_too_large;
    for (uint i = (uint)get_local_id(0); is_copied && i < s.size; i += GROUP_SIZE)
        store(to, i, load(from, i));
    IF_NEEDED(sorts)
    sort_bucket(tile, from, to, sorts ? s.size : 0, splitter, errors);
    return is_too_large;
}

#define LARGE_LIST ((__global uint *)(scratch + args.large_at))

/* Sort or list a bucket. */
ALWAYS_INLINE void take_bucket(sample_tile tile, array in, array out, __global uchar *scratch,
                               const sample_sort_args args, uint number, __local uint *errors)
{
    const segment s = segment_at(args.level, COUNTS, args.segments << args.buckets_log, number, CALL_COUNT_0(args.n));
    const __global ELEMENT *splitter = args.level > 0 ? splitter_behind(scratch, args, number) : 0;
    const bool is_too_large = is_left(tile, in, out, s, args.level, splitter, errors);
    if (is_too_large && get_local_id(0) == 0) {
#if LISTS
        list_pieces(HEADER + PIECES_OF_REST, (__global piece *)(scratch + args.pieces_at), s);
#else
        LARGE_LIST[atomic_inc(HEADER + LARGE_BUCKETS)] = number;
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been read */
}

/* Buckets with no splitter after them come first, because they take longest. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_bucket(ARGS_OF(SAMPLE_SORT_MOVE))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_TILE(tile);
    __local uint errors;
    const uint buckets = args.segments << args.buckets_log;
#if LISTS
    const bool by_list = AFTER_SMALL && args.level > 0;
    const uint count = by_list ? HEADER[LARGE_BUCKETS] : buckets;
    for (uint i = (uint)get_group_id(0); i < count; i += (uint)get_num_groups(0))
        take_bucket(tile, ARRAY_OF(in), ARRAY_OF(out), scratch, args, by_list ? LARGE_LIST[i] : buckets - 1 - i,
                    &errors);
#else
    /* There is a group for each bucket. In a loop, all addresses in local memory would be kept in registers. */
    take_bucket(tile, ARRAY_OF(in), ARRAY_OF(out), scratch, args, buckets - 1 - (uint)get_group_id(0), &errors);
#endif
}
