// SPDX-License-Identifier: MIT
/* comparison_sort_classify, _place, _scatter: the other launches of a level of the sample sort. The first finds and
 * counts the buckets of elements, the second assigns places to the buckets, and the third moves elements to their
 * buckets.
 *
 * The order within a bucket does not matter. So a group that moves a tile reserves room in each bucket by an atomic,
 * and never waits for another group. Within the tile, atomics in local memory give the ranks.
 *
 * Parameters: ITEMS per work-item, a multiple of 4; MAX_BUCKETS per segment; GROUP_SIZE.
 * Source: Leischner, Osipov and Sanders 2010; Axtmann, Witt, Ferizovic and Sanders 2017 (buckets of equal elements). */
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/sample_args.h"
#include "comparison_sort/parts/sample_tables.cl"

#if !defined(ITEMS) || !defined(MAX_BUCKETS) || ITEMS % 4 != 0 || MAX_BUCKETS > 65536
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

/* A tile: elements begin .. begin + valid - 1 of the array, of which each work-item has every GROUP_SIZE-th; and its
 * segment. */
typedef struct {
    uint number, segment_number, begin, valid;
    bool is_copied, repeats;
} moved_tile;

/* If there is no such tile, `valid` is 0. */
ALWAYS_INLINE moved_tile own_tile(__global uchar *scratch, const sample_sort_args args)
{
    moved_tile t = {(uint)get_group_id(0), 0, 0, 0, false, false};
    uint place = t.number;
    if (args.level > 1) {
        if (t.number >= HEADER[args.level])
            return t;
        const uint2 listed = TILES[t.number];
        t.segment_number = listed.x;
        place = listed.y;
    }
    const segment s = segment_at(args.level - 1, PARENTS, args.parents, t.segment_number, CALL_COUNT_0(args.n));
    const uint kind = KINDS[t.segment_number << args.buckets_log];
    t.begin = s.begin + place * MOVED_TILE;
    t.valid = min((uint)MOVED_TILE, s.size - min(s.size, place * MOVED_TILE));
    t.is_copied = (kind & KIND_COPIED) != 0;
    t.repeats = (kind & KIND_REPEATS) != 0;
    return t;
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

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_classify(ARGS_OF(SAMPLE_SORT_LOOK))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    LOCAL_KEYS(tree, MAX_BUCKETS);
    __local uint counters[MAX_BUCKETS];
    const uint lid = (uint)get_local_id(0);
    const uint buckets_log = args.buckets_log;
    const uint buckets = 1u << buckets_log;
    const moved_tile t = own_tile(scratch, args);
    if (t.valid == 0 || t.is_copied) /* the same for the whole group */
        return;
    for (uint b = lid; b < buckets; b += GROUP_SIZE) {
        counters[b] = 0;
        if (b < buckets - 1)
            set_local_key(tree, node_of(b, buckets_log), SPLITTERS[((size_t)t.segment_number << buckets_log) + b]);
    }
    ELEMENT x[ITEMS];
    uint found[ITEMS];
    const array own = array_from(ARRAY_OF(in), t.begin + lid); /* constant offsets take no registers */
    const ELEMENT other = IMAGE_OF(ARRAY_OF(in).keys[t.begin]);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        x[j] = other;
        if (j * GROUP_SIZE + lid < t.valid)
            x[j] = IMAGE_OF(own.keys[j * GROUP_SIZE]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the splitters are loaded; counters are 0 */
    find_buckets(found, x, tree, buckets_log, t.repeats);
    __global uint *ids = ids_of(scratch, args.ids_at, t.number);
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
        if (j * GROUP_SIZE + lid < t.valid)
            (void)atomic_inc(counters + found[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    volatile __global uint *counts = COUNTS + (t.segment_number << buckets_log);
    for (uint b = lid; b < buckets; b += GROUP_SIZE)
        if (counters[b] != 0)
            (void)atomic_add(counts + b, counters[b]);
}

CLPRIM_WORK_GROUP_SCAN(clprim__sums, uint, a + b, 0, GROUP_SIZE)

/* The number of buckets that a work-item sums up; they are successive. */
#define OWN_BUCKETS (((1u << buckets_log) + GROUP_SIZE - 1) / GROUP_SIZE)
#define FIRST_OWN   min((uint)get_local_id(0) * OWN_BUCKETS, 1u << buckets_log)
#define END_OWN     min(FIRST_OWN + OWN_BUCKETS, 1u << buckets_log)

/* There is a group for each segment. If a segment is copied, nothing moves. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_place(ARGS_OF(SAMPLE_SORT_SCRATCH))
{
    const sample_sort_args args = ARGS(SAMPLE_SORT_NUMBERS);
    __local clprim__sums_memory memory;
    const uint number = (uint)get_group_id(0);
    const uint buckets_log = args.buckets_log;
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
        ends[b] = place + (is_copied ? counts[b] : 0);
        place += counts[b];
    }
}

ALWAYS_INLINE void copy_tile(array in, array out, moved_tile t)
{
    for (uint place = (uint)get_local_id(0); place < t.valid; place += GROUP_SIZE)
        store(out, t.begin + place, load(in, t.begin + place));
}

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
    const moved_tile t = own_tile(scratch, args);
    if (t.valid == 0) /* the same for the whole group, and so is the next condition */
        return;
    if (t.is_copied) {
        copy_tile(ARRAY_OF(in), ARRAY_OF(out), t);
        return;
    }
    for (uint b = lid; b < buckets; b += GROUP_SIZE)
        begins[b] = 0;
    item x[ITEMS];
    uint words[ID_WORDS];
    uint ranks[ITEMS / 2]; /* two in a word */
    const __global uint *ids = ids_of(scratch, args.ids_at, t.number);
#pragma unroll
    for (uint k = 0; k < ID_WORDS; k++)
        words[k] = ids[k * GROUP_SIZE];
    const array own = array_from(ARRAY_OF(in), t.begin + lid); /* constant offsets take no registers */
    const item other = load(ARRAY_OF(in), t.begin);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        x[j] = other;
        if (j * GROUP_SIZE + lid < t.valid)
            x[j] = load(own, j * GROUP_SIZE);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
#define ID(j) (words[(j) / IDS_IN_WORD] >> (j) % IDS_IN_WORD * ID_BITS & ((1u << ID_BITS) - 1))
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint rank = 0;
        if (j * GROUP_SIZE + lid < t.valid)
            rank = atomic_inc(begins + ID(j));
        ranks[j / 2] = j % 2 == 0 ? rank : ranks[j / 2] | rank << 16;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    volatile __global uint *ends = ENDS + (t.segment_number << buckets_log);
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
        if (j * GROUP_SIZE + lid < t.valid) {
            const uint place = begins[ID(j)] + (ranks[j / 2] >> j % 2 * 16 & 0xffff);
            local_store(staged, place, x[j]);
            staged_ids[place] = (bucket_id)ID(j);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is ordered by buckets */
#pragma unroll 4                  /* fully unrolled, the addresses of all elements would take registers */
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + lid;
        if (place < t.valid)
            store(ARRAY_OF(out), offsets[staged_ids[place]] + place, local_load(staged, place));
    }
}
