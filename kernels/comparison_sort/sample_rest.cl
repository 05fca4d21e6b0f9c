// SPDX-License-Identifier: MIT
/* comparison_sort_pieces, _join: merge the buckets that are too large for a group, after the other launches of the
 * sample sort. There are rarely any, because the samples would have to be very bad. There are as many launches as may
 * be needed; the groups of each go through a list, which may be empty. A bucket is divided into pieces of 2^PIECE_LOG
 * tiles. A group sorts a piece, and later makes a piece of each pass's result. Each work-item merges parts of it
 * serially, in global memory.
 *
 * To find where a part begins in the two runs, the search starts with the whole, and divides it into finer and finer
 * parts. So parts fit together, whatever LESS returns.
 *
 * Parameters: those of sample_buckets.cl with LISTS 1. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"
#include "comparison_sort/parts/sample_tables.cl"
#include "comparison_sort/parts/sample_tile.cl"
#include "comparison_sort/sample_buckets.cl"

#define PART_LOG ITEMS_LOG
#define PART     (1u << PART_LOG) /* elements that a work-item merges at a time */

/* The total number of passes for a bucket, chosen so that it ends in the output. */
ALWAYS_INLINE uint passes_of(uint size)
{
    uint passes = 0;
    while ((ulong)TILE << passes < size)
        passes++;
    return passes;
}

/* Two consecutive runs; they may be shorter than the pass's runs, or empty. */
typedef struct {
    uint begin, first, second;
} two_runs;

ALWAYS_INLINE two_runs runs_at(uint begin, ulong run, uint end)
{
    const uint first = (uint)min(run, (ulong)(end - begin));
    return (two_runs){begin, first, (uint)min(run, (ulong)(end - begin - first))};
}

/* How many of the merge's elements before a part come from the first run. */
static uint split_before(array from, two_runs r, uint part)
{
    uint split = 0, end_split = r.first; /* the bounds known so far */
    uint rank = 0, end_rank = r.first + r.second;
    if ((ulong)part << PART_LOG >= end_rank)
        return r.first;
    for (uint bit = 32 - PART_LOG; bit-- > 0;) {
        const uint coarse = (part >> bit | 1) << bit; /* in the middle of what remains */
        const ulong middle = (ulong)coarse << PART_LOG;
        if (middle >= end_rank) /* beyond the end: gives no bound */
            continue;
        const uint to = (uint)middle;
        uint low = max(split, to - min(to, end_rank - end_split));
        uint high = min(end_split, to - (rank - split));
        while (low < high) {
            const uint tried = low + (high - low) / 2;
            if (before(load(from, r.begin + r.first + (to - 1 - tried)), load(from, r.begin + tried)))
                high = tried;
            else
                low = tried + 1;
        }
        if (part >= coarse) {
            split = low;
            rank = to;
        } else {
            end_split = low;
            end_rank = to;
        }
    }
    return split;
}

/* Merge parts `first` to before `end`. */
ALWAYS_INLINE void merge_parts(array from, array to, two_runs r, uint first, uint end)
{
    for (uint part = first + (uint)get_local_id(0); part < end; part += GROUP_SIZE) {
        const uint count = r.first + r.second;
        const uint rank = part << PART_LOG;
        const uint end_rank = count - rank < PART ? count : rank + PART;
        const uint split = split_before(from, r, part);
        const uint end_split = split_before(from, r, part + 1);
        const uint end_a = r.begin + end_split;
        const uint end_b = r.begin + r.first + (end_rank - end_split);
        uint a = r.begin + split;
        uint b = r.begin + r.first + (rank - split);
        for (uint i = rank; i < end_rank; i++) {
            const bool takes_second = a == end_a || (b < end_b && before(load(from, b), load(from, a)));
            store(to, r.begin + i, load(from, takes_second ? b : a));
            a += !takes_second;
            b += takes_second;
        }
    }
}

/* The number of parts of `count` elements. */
static inline uint parts_of(uint count)
{
    return (count >> PART_LOG) + ((count & (PART - 1)) != 0);
}

/* Sort tiles, then merge them back and forth until the piece is one run. The bucket begins at the beginning of the
 * arrays. */
ALWAYS_INLINE void make_piece(sample_tile tile, array in, array out, array other, uint begin, uint size)
{
    const uint end = size - begin < PIECE ? size : begin + PIECE;
    const uint passes = passes_of(size);
    array from = passes % 2 == 0 ? out : other;
    array to = passes % 2 == 0 ? other : out;
    for (uint at = begin; at < end; at += min((uint)TILE, end - at)) {
        SORT_TILE(tile, array_from(in, at), array_from(from, at), min((uint)TILE, end - at));
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been read */
    }
    for (uint pass = 0; pass < min((uint)PIECE_LOG, passes); pass++) {
        const uint run = TILE << pass;
        barrier(CLK_GLOBAL_MEM_FENCE); /* what the group wrote is visible to it */
        for (uint at = begin; at < end; at += min(2 * run, end - at)) {
            const two_runs r = runs_at(at, run, end);
            merge_parts(from, to, r, 0, parts_of(r.first + r.second));
        }
        const array next = from;
        from = to;
        to = next;
    }
}

#define PIECES ((const __global piece *)(scratch + args.pieces_at))

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_pieces(ARGS_OF(SAMPLE_SORT_PIECES))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_TILE(tile);
    const uint count = HEADER[PIECES_OF_REST];
    for (uint i = (uint)get_group_id(0); i < count; i += (uint)get_num_groups(0)) {
        const piece p = PIECES[i];
        const array from = array_from(ARRAY_OF(in), p.x);
        const array to = array_from(ARRAY_OF(out), p.x);
        const uint begin = p.z * PIECE;
        if (p.w != 0) { /* the same for the whole group */
            for (ulong at = begin + get_local_id(0); at < min((ulong)begin + PIECE, (ulong)p.y); at += GROUP_SIZE)
                store(to, (INDEX)at, load(from, (INDEX)at));
        } else {
            make_piece(tile, from, to, array_from(ARRAY_OF(between), p.x), begin, p.y);
        }
    }
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_join(ARGS_OF(SAMPLE_SORT_JOIN))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    const uint pass = args.pass;
    const uint count = HEADER[PIECES_OF_REST];
    for (uint i = (uint)get_group_id(0); i < count; i += (uint)get_num_groups(0)) {
        const piece p = PIECES[i];
        const ulong run = (ulong)PIECE << (pass - 1);
        if (p.w == 0 && run < p.y) {
            const bool is_forth = (passes_of(p.y) - PIECE_LOG - pass) % 2 == 0;
            const array to = array_from(is_forth ? ARRAY_OF(out) : ARRAY_OF(between), p.x);
            const array from = array_from(is_forth ? ARRAY_OF(between) : ARRAY_OF(out), p.x);
            const uint begin = p.z >> pass << pass; /* first piece of the two runs */
            const two_runs r = runs_at(begin * PIECE, run, p.y);
            const uint first = (p.z - begin) * (PIECE >> PART_LOG);
            merge_parts(from, to, r, first, min(first + (PIECE >> PART_LOG), parts_of(r.first + r.second)));
        }
    }
}
