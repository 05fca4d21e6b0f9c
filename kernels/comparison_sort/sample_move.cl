// SPDX-License-Identifier: MIT
/* comparison_sort_classify, _place, _scatter: the other launches of a level of the sample sort. The first finds and
 * counts the buckets of elements, the second assigns places to the buckets, and the third moves elements to their
 * buckets.
 *
 * If the sort need not be stable, the order within a bucket does not matter. So a group that moves a tile reserves room
 * in each bucket by an atomic, and never waits for another group. Within the tile, atomics in local memory give the
 * ranks.
 *
 * For a stable sort a group moves several consecutive tiles, a range. The first launch writes how many elements each
 * bucket gets from each range, and the second sums these up. Within a tile, the ranks are those of a stable sort by the
 * buckets' numbers.
 *
 * Parameters: ITEMS per work-item, a multiple of 4; MAX_BUCKETS per segment, if STABLE at most 256; GROUP_SIZE.
 * Source: Leischner, Osipov and Sanders 2010; Axtmann, Witt, Ferizovic and Sanders 2017 (buckets of equal elements). */
#if STABLE && GROUP_SIZE < 32 /* NVIDIA's compiler runs out of registers with ranks by incomplete warps */
#define CLPRIM__SUB_GROUPS_BY 0
#endif
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"
#define MOVED_TILE (GROUP_SIZE * ITEMS)
#include "comparison_sort/parts/sample_tables.cl"
#if STABLE
#include "clprim/device/work_group_radix_rank.h"
#endif

#if !defined(ITEMS) || !defined(MAX_BUCKETS) || ITEMS % 4 != 0 || MAX_BUCKETS > (STABLE ? 256 : 65536)
#error "ITEMS and MAX_BUCKETS must be given"
#endif

#if MAX_BUCKETS > 256
#define ID_BITS 16
typedef ushort bucket_id;
#else
#define ID_BITS 8
typedef uchar bucket_id;
#endif
#define IDS_IN_WORD (32 / ID_BITS)
#define ID_WORDS    (ITEMS / IDS_IN_WORD) /* per work-item */

/* The index in a tile of a work-item's j-th element. */
#if STABLE
CLPRIM_WORK_GROUP_RADIX_RANK(clprim__ranks, uint, 8, GROUP_SIZE, ITEMS)
#define INDEX_OF(j) clprim__ranks_index(j)
#else
#define INDEX_OF(j) ((j)*GROUP_SIZE + (uint)get_local_id(0))
#endif
#define FIRST_INDEX   INDEX_OF(0)
#define INDEX_STEP(j) (INDEX_OF(j) - INDEX_OF(0)) /* a constant, which takes no registers */

/* A range: elements begin .. begin + valid - 1 of the array, and its segment. `tile` is the number of its first tile,
 * and `row` its row, in all segments. */
typedef struct {
    uint segment_number, begin, valid, tile, row;
    bool is_copied, repeats;
} moved_range;

/* If there is no such range, `valid` is 0. */
ALWAYS_INLINE moved_range own_range(__global uchar *scratch, const sample_sort_args args)
{
    const uint number = (uint)get_group_id(0);
    moved_range r = {0, 0, 0, 0, 0, false, false};
    uint place = number;
    if (args.level > 1) {
        if (number >= HEADER[args.level])
            return r;
        const uint2 listed = TILES[number];
        r.segment_number = listed.x;
        place = listed.y;
    }
    const segment s = segment_at(args.level - 1, PARENTS, args.parents, r.segment_number, CALL_COUNT_0(args.n));
    const uint kind = KINDS[r.segment_number << args.buckets_log];
    r.begin = s.begin + place * RANGE;
    r.valid = min((uint)RANGE, s.size - min(s.size, place * RANGE));
    r.tile = first_tile(s, r.segment_number) + place * (RANGE / MOVED_TILE);
    r.row = first_row(s, r.segment_number) + place;
    r.is_copied = (kind & KIND_COPIED) != 0;
    r.repeats = (kind & KIND_REPEATS) != 0;
    return r;
}

/* Where the bucket numbers of a tile are stored: several in a word, and the words of adjacent work-items next to each
 * other. */
ALWAYS_INLINE __global uint *ids_of(__global uchar *scratch, ulong ids_at, uint tile)
{
    return (__global uint *)(scratch + ids_at) + (size_t)tile * (MOVED_TILE / IDS_IN_WORD) + get_local_id(0);
}

/* The splitters are a binary search tree. Its nodes are numbered from the root, which is 1: the children of k are 2k
 * and 2k + 1. So nodes that are read together are adjacent; in a sorted table, they would be in few banks of local
 * memory. The node of splitter b: */
ALWAYS_INLINE uint node_of(uint b, uint buckets_log)
{
    const uint above = popcount(b ^ (b + 1)); /* number of levels above the leaves */
    return (1u << (buckets_log - above)) + (b + 1 >> above);
}

/* For each x, the number of splitters that do not come after x. All x are searched at once, so that their loads do not
 * wait for each other. */
ALWAYS_INLINE void find_buckets(uint *ids, const ELEMENT *x, local_keys tree, uint buckets_log, bool repeats)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        ids[j] = 1;
    for (uint level = 0; level < buckets_log; level++) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            ids[j] = 2 * ids[j] + (KEY_BEFORE(x[j], local_key(tree, ids[j])) ? 0 : 1);
    }
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        ids[j] -= 1u << buckets_log;
    if (repeats) {
        for (uint j = 0; j < ITEMS; j++) {
            const uint id = ids[j];
            if (id < 2)
                continue;
            const ELEMENT last = local_key(tree, node_of(id - 1, buckets_log));
            if (!KEY_BEFORE(local_key(tree, node_of(id - 2, buckets_log)), last) && !KEY_BEFORE(last, x[j]))
                ids[j] = id - 1;
        }
    }
}

/* Keys of a tile of at least `valid` elements; `other` instead of those that do not exist. */
ALWAYS_INLINE void load_keys(ELEMENT *x, array tile, uint valid, ELEMENT other)
{
    const array own = array_from(tile, FIRST_INDEX);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        x[j] = other;
        if (INDEX_OF(j) < valid)
            x[j] = IMAGE_OF(own.keys[INDEX_STEP(j)]);
    }
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_classify(ARGS_OF(SAMPLE_SORT_LOOK))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_KEYS(tree, MAX_BUCKETS);
    __local uint counters[MAX_BUCKETS];
    const uint lid = (uint)get_local_id(0);
    const uint buckets_log = args.buckets_log;
    const uint buckets = 1u << buckets_log;
    const moved_range r = own_range(scratch, args);
    if (r.valid == 0 || r.is_copied) /* the same for the whole group */
        return;
    for (uint b = lid; b < buckets; b += GROUP_SIZE) {
        counters[b] = 0;
        if (b < buckets - 1)
            set_local_key(tree, node_of(b, buckets_log), SPLITTERS[((size_t)r.segment_number << buckets_log) + b]);
    }
    ELEMENT x[ITEMS];
    uint found[ITEMS];
    array tile = array_from(ARRAY_OF(in), r.begin);
    __global uint *ids = ids_of(scratch, args.ids_at, r.tile);
    uint valid = r.valid;
    const ELEMENT other = IMAGE_OF(tile.keys[0]);
    load_keys(x, tile, valid, other);
    barrier(CLK_LOCAL_MEM_FENCE); /* the splitters are loaded; counters are 0 */
    for (;;) {
        find_buckets(found, x, tree, buckets_log, r.repeats);
#pragma unroll
        for (uint k = 0; k < ID_WORDS; k++) {
            uint word = 0;
#pragma unroll
            for (uint j = 0; j < IDS_IN_WORD; j++)
                word |= found[k * IDS_IN_WORD + j] << j * ID_BITS;
            ids[k * GROUP_SIZE] = word;
        }
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (INDEX_OF(j) < valid)
                (void)atomic_inc(counters + found[j]);
        if (!STABLE || valid <= MOVED_TILE)
            break;
        valid -= MOVED_TILE;
        ids += MOVED_TILE / IDS_IN_WORD;
        tile = array_from(tile, MOVED_TILE);
        load_keys(x, tile, valid, other);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    volatile __global uint *counts = COUNTS + (r.segment_number << buckets_log);
    for (uint b = lid; b < buckets; b += GROUP_SIZE) {
        if (counters[b] != 0)
            (void)atomic_add(counts + b, counters[b]);
#if STABLE
        ROWS[((size_t)r.row << buckets_log) + b] = counters[b];
#endif
    }
}

CLPRIM_WORK_GROUP_SCAN(clprim__sums, uint, a + b, 0, GROUP_SIZE)

/* The number of buckets that a work-item sums up; they are successive. */
#define OWN_BUCKETS (((1u << buckets_log) + GROUP_SIZE - 1) / GROUP_SIZE)
#define FIRST_OWN   min((uint)get_local_id(0) * OWN_BUCKETS, 1u << buckets_log)
#define END_OWN     min(FIRST_OWN + OWN_BUCKETS, 1u << buckets_log)

#if STABLE
/* Each group sums up some columns of the rows; in each, each work-item has successive rows. */
#define COLUMNS min(GROUP_SIZE, SAMPLE_SORT_COLUMNS)
#define SHARES  (GROUP_SIZE / COLUMNS)
#define BATCH   8 /* counts that a work-item loads at once */

/* The column's counts become the places where the elements go; the first goes to `place`. Returns the place behind all
 * of them. */
ALWAYS_INLINE uint place_ranges(__global uint *column, uint buckets_log, uint first, uint end, uint place, bool writes)
{
    for (uint row = first; row < end; row += BATCH) {
        uint counts[BATCH];
#pragma unroll
        for (uint k = 0; k < BATCH; k++)
            counts[k] = row + k < end ? column[(size_t)(row + k) << buckets_log] : 0;
#pragma unroll
        for (uint k = 0; k < BATCH; k++) {
            if (writes && row + k < end)
                column[(size_t)(row + k) << buckets_log] = place;
            place += counts[k];
        }
    }
    return place;
}
#endif

/* There is a group for each segment; if STABLE, for each COLUMNS buckets of each segment. If a segment is copied,
 * nothing moves. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_place(ARGS_OF(SAMPLE_SORT_SCRATCH))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    __local clprim__sums_memory memory;
    const uint buckets_log = args.buckets_log;
#if STABLE
    __local uint begins[MAX_BUCKETS];
    __local uint sums[GROUP_SIZE];
    const uint lid = (uint)get_local_id(0);
    const uint parts = ((1u << buckets_log) + COLUMNS - 1) / COLUMNS;
    const uint number = (uint)get_group_id(0) / parts;
    const uint column = ((uint)get_group_id(0) % parts) * COLUMNS + lid % COLUMNS;
    const bool writes_ends = (uint)get_group_id(0) % parts == 0;
#else
    const uint number = (uint)get_group_id(0);
#endif
    const __global uint *counts = COUNTS + (number << buckets_log);
    __global uint *ends = ENDS + (number << buckets_log);
    const segment s = segment_at(args.level - 1, PARENTS, args.parents, number, CALL_COUNT_0(args.n));
    const bool is_copied = (KINDS[number << buckets_log] & KIND_COPIED) != 0;
    uint sum = 0;
    for (uint b = FIRST_OWN; b < END_OWN; b++)
        sum += counts[b];
    uint total;
    uint place = s.begin + clprim__sums_exclusive(sum, &total, &memory);
    for (uint b = FIRST_OWN; b < END_OWN; b++) {
#if STABLE
        begins[b] = place;
        if (writes_ends)
            ends[b] = place + counts[b];
#else
        ends[b] = place + (is_copied ? counts[b] : 0);
#endif
        place += counts[b];
    }
#if STABLE
    const uint ranges = is_copied || column >> buckets_log != 0 ? 0 : ranges_of(s.size);
    const uint each = (ranges + SHARES - 1) / SHARES;
    const uint first = min(lid / COLUMNS * each, ranges);
    const uint end = min(first + each, ranges);
    __global uint *own = ROWS + ((size_t)first_row(s, number) << buckets_log) + column;
    sums[lid] = place_ranges(own, buckets_log, first, end, 0, false);
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known where buckets begin, and the sums */
    uint before = begins[min(column, (1u << buckets_log) - 1)];
    for (uint k = lid % COLUMNS; k < lid; k += COLUMNS)
        before += sums[k];
    (void)place_ranges(own, buckets_log, first, end, before, true);
#endif
}

ALWAYS_INLINE void copy_range(array in, array out, moved_range r)
{
    for (uint place = (uint)get_local_id(0); place < r.valid; place += GROUP_SIZE)
        store(out, r.begin + place, load(in, r.begin + place));
}

/* The items of a tile, and the words of their bucket numbers. */
ALWAYS_INLINE void load_tile(item *x, uint *words, array tile, const __global uint *ids, uint valid)
{
#pragma unroll
    for (uint k = 0; k < ID_WORDS; k++)
        words[k] = ids[k * GROUP_SIZE];
    const array own = array_from(tile, FIRST_INDEX);
    const item other = load(tile, 0);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        x[j] = other;
        if (INDEX_OF(j) < valid)
            x[j] = load(own, INDEX_STEP(j));
    }
}
#define ID(j) (words[(j) / IDS_IN_WORD] >> (j) % IDS_IN_WORD * ID_BITS & ((1u << ID_BITS) - 1))

ALWAYS_INLINE void store_tile(array out, local_array staged, const __local bucket_id *staged_ids,
                              const __local uint *offsets, uint valid)
{
#pragma unroll 4 /* fully unrolled, the addresses of all elements would take registers */
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + (uint)get_local_id(0);
        if (place < valid)
            store(out, offsets[staged_ids[place]] + place, local_load(staged, place));
    }
}

#if STABLE
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_scatter(ARGS_OF(SAMPLE_SORT_MOVE))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_ARRAY(staged, MOVED_TILE);
    __local bucket_id staged_ids[MOVED_TILE];
    __local uint places[MAX_BUCKETS];  /* where the next element of a bucket goes */
    __local uint offsets[MAX_BUCKETS]; /* the same, less the place in the tile */
    __local clprim__ranks_memory memory;
    const uint lid = (uint)get_local_id(0);
    const uint buckets = 1u << args.buckets_log;
    const moved_range r = own_range(scratch, args);
    if (r.valid == 0) /* the same for the whole group, and so is the next condition */
        return;
    if (r.is_copied) {
        copy_range(ARRAY_OF(in), ARRAY_OF(out), r);
        return;
    }
    for (uint b = lid; b < buckets; b += GROUP_SIZE)
        places[b] = ROWS[((size_t)r.row << args.buckets_log) + b];
    for (uint tile = 0; tile < (r.valid + MOVED_TILE - 1) / MOVED_TILE; tile++) {
        const uint valid = min((uint)MOVED_TILE, r.valid - tile * MOVED_TILE);
        item x[ITEMS];
        uint words[ID_WORDS];
        uint found[ITEMS];
        uint ranks[ITEMS];
        load_tile(x, words, array_from(ARRAY_OF(in), r.begin + tile * MOVED_TILE),
                  ids_of(scratch, args.ids_at, r.tile + tile), valid);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) /* elements that do not exist come last, because they are last in the tile */
            found[j] = INDEX_OF(j) < valid ? ID(j) : (1u << ID_BITS) - 1;
        clprim__ranks_rank(found, ranks, 0, ID_BITS, &memory);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            if (ranks[j] < valid) {
                local_store(staged, ranks[j], x[j]);
                staged_ids[ranks[j]] = (bucket_id)found[j];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is ordered by buckets */
        for (uint b = lid; b < buckets; b += GROUP_SIZE) {
            const uint begin = clprim__ranks_begin(b, &memory);
            const uint end = b + 1 < buckets ? clprim__ranks_begin(b + 1, &memory) : valid;
            offsets[b] = places[b] - begin;
            places[b] += end - begin;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the offsets are known; all have read where buckets begin */
        store_tile(ARRAY_OF(out), staged, staged_ids, offsets, valid);
    }
}
#else
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_scatter(ARGS_OF(SAMPLE_SORT_MOVE))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_ARRAY(staged, MOVED_TILE);
    __local bucket_id staged_ids[MOVED_TILE];
    __local uint begins[MAX_BUCKETS]; /* first the counts, then where buckets begin in the tile */
    __local uint offsets[MAX_BUCKETS];
    __local clprim__sums_memory memory;
    const uint lid = (uint)get_local_id(0);
    const uint buckets_log = args.buckets_log;
    const uint buckets = 1u << buckets_log;
    const moved_range r = own_range(scratch, args);
    if (r.valid == 0) /* the same for the whole group, and so is the next condition */
        return;
    if (r.is_copied) {
        copy_range(ARRAY_OF(in), ARRAY_OF(out), r);
        return;
    }
    for (uint b = lid; b < buckets; b += GROUP_SIZE)
        begins[b] = 0;
    item x[ITEMS];
    uint words[ID_WORDS];
    uint ranks[ITEMS / 2]; /* two in a word */
    load_tile(x, words, array_from(ARRAY_OF(in), r.begin), ids_of(scratch, args.ids_at, r.tile), r.valid);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint rank = 0;
        if (INDEX_OF(j) < r.valid)
            rank = atomic_inc(begins + ID(j));
        ranks[j / 2] = j % 2 == 0 ? rank : ranks[j / 2] | rank << 16;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    volatile __global uint *ends = ENDS + (r.segment_number << buckets_log);
    uint sum = 0;
    for (uint b = FIRST_OWN; b < END_OWN; b++) {
        const uint count = begins[b];
        if (count != 0)
            offsets[b] = atomic_add(ends + b, count);
        sum += count;
    }
    uint total;
    uint begin = clprim__sums_exclusive(sum, &total, &memory);
    for (uint b = FIRST_OWN; b < END_OWN; b++) {
        const uint count = begins[b];
        begins[b] = begin;
        offsets[b] -= begin;
        begin += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the beginnings of buckets are known */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (INDEX_OF(j) < r.valid) {
            const uint place = begins[ID(j)] + (ranks[j / 2] >> j % 2 * 16 & 0xffff);
            local_store(staged, place, x[j]);
            staged_ids[place] = (bucket_id)ID(j);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is ordered by buckets */
    store_tile(ARRAY_OF(out), staged, staged_ids, offsets, r.valid);
}
#endif
