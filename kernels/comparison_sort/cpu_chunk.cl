// SPDX-License-Identifier: MIT
/* comparison_sort_chunk, _draw, _count, _distribute, _bucket for CPUs: a work-group is one work-item, and so one thread
 * at a time. Stable.
 *   comparison_sort_chunk        sorts few elements by merges
 *
 * Larger arrays are divided by splitters: the array into buckets, and large buckets into parts. Most parts are so small
 * that each element is compared with all others.
 *   comparison_sort_draw         draws samples, and sorts them; the splitters are among them
 *   comparison_sort_count        finds each element's bucket, and counts the elements of each bucket in a group's share
 *                                of the array
 *   comparison_sort_distribute   moves the elements of a group's share to their buckets
 *   comparison_sort_bucket       a group sorts a bucket
 *
 * If splitters are equal, many elements may be equal to them; these get their own bucket. Buckets that are sorted
 * already, such as these, are not sorted again. Even if the caller's order is inconsistent, the result is a
 * permutation, because each element's bucket is looked up only once.
 *
 * Parameters: DEPTH of a tree of splitters; SAMPLES per splitter; MERGED, the size up to which a bucket is not divided;
 * PART, elements of a part; SIDE_BY_SIDE, elements that descend a tree together.
 * Source: Sanders and Winkel 2004, Super Scalar Sample Sort; Axtmann, Witt, Ferizovic and Sanders 2017 (buckets of
 * equal elements). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/args.h"
#include "common/own_chunk.cl"
#include "comparison_sort/parts/cpu_merges.cl"

#if !defined(DEPTH) || !defined(SAMPLES) || !defined(PART) || !defined(MERGED) || !defined(SIDE_BY_SIDE)
#error "DEPTH, SAMPLES, PART, MERGED and SIDE_BY_SIDE must be given"
#endif
#if MERGED < 2 * PART || PART < 2 * SAMPLES
#error "what is divided must be more than two parts, and have room for samples twice"
#endif

#define BUCKETS (1u << DEPTH) /* maximum */

/* Bucket b has the elements that are not before splitter b, but before splitter b + 1. If these two are equal, it has
 * the elements that are equal to them. The tree's root is node 1; the children of node k are 2k and 2k + 1. */
typedef struct {
    ELEMENT tree[BUCKETS];
    uchar repeats[BUCKETS]; /* splitter b is equal to splitter b - 1 */
    bool has_repeats;
} splitters;

ALWAYS_INLINE uint node_of(uint b)
{
    const uint above = popcount(b ^ (b - 1)); /* number of levels above the leaves */
    return (1u << (DEPTH - above)) + (b >> above);
}

/* A random place in the part-th of `parts` parts; n is not 0, but may be less than `parts`. */
ALWAYS_INLINE INDEX drawn_from(INDEX n, uint part, uint parts)
{
    const INDEX size = max(n / parts, (INDEX)1);
    uint random = part * 2654435761u;
    random = (random ^ random >> 15) * 2246822519u;
    return min(size * part, n - size) + (random ^ random >> 13) % size;
}

/* `room` has room for all samples twice. The sorted samples are in the second half. */
static void draw_samples(array in, INDEX n, uint buckets, array room)
{
    const uint count = SAMPLES * buckets;
    for (uint i = 0; i < count; i++)
        put(room, i, in, drawn_from(n, i, count));
    sort_by_merges(room, array_from(room, count), room, count);
}

/* If there are fewer splitters, the last one fills the rest of the tree. It then does not count as repeated. */
static void plant(splitters *s, array room, uint buckets)
{
    const array samples = array_from(room, SAMPLES * buckets);
    s->has_repeats = false;
    for (uint b = 0; b < BUCKETS; b++) {
        const uint i = min(b, buckets - 1) * SAMPLES;
        s->repeats[b] = b > 1 && b < buckets && !is_before(samples, i - SAMPLES, i);
        s->has_repeats |= s->repeats[b];
        if (b > 0)
            s->tree[node_of(b)] = IMAGE_OF(samples.keys[i]);
    }
}

/* The bucket of an element that arrived at bucket b, if splitters repeat. */
ALWAYS_INLINE uint first_of_equals(const splitters *s, ELEMENT x, uint b)
{
    return b - (s->repeats[b] && !KEY_BEFORE(s->tree[node_of(b)], x));
}

/* The levels are unrolled by three. Unrolling all nine took PoCL twice as long to compile, and was no faster. */
static void classify(const splitters *s, array in, INDEX n, __global ushort *ids, INDEX *counts)
{
    INDEX i = 0;
    for (uint b = 0; b < BUCKETS; b++)
        counts[b] = 0;
    for (; n - i >= SIDE_BY_SIDE; i += SIDE_BY_SIDE) {
        ELEMENT x[SIDE_BY_SIDE];
        ulong node[SIDE_BY_SIDE];
#pragma unroll
        for (uint k = 0; k < SIDE_BY_SIDE; k++) {
            x[k] = IMAGE_OF(in.keys[i + k]);
            node[k] = 1;
        }
#pragma unroll 3
        for (uint level = 0; level < DEPTH; level++)
#pragma unroll
            for (uint k = 0; k < SIDE_BY_SIDE; k++)
                node[k] = 2 * node[k] + !KEY_BEFORE(x[k], s->tree[node[k]]);
        if (s->has_repeats)
#pragma unroll
            for (uint k = 0; k < SIDE_BY_SIDE; k++)
                node[k] = BUCKETS + first_of_equals(s, x[k], (uint)node[k] - BUCKETS);
#pragma unroll
        for (uint k = 0; k < SIDE_BY_SIDE; k++) {
            const uint b = (uint)node[k] - BUCKETS;
            ids[i + k] = (ushort)b;
            counts[b]++;
        }
    }
#pragma unroll 1
    for (; i < n; i++) {
        const ELEMENT x = IMAGE_OF(in.keys[i]);
        ulong node = 1;
#pragma unroll 1
        while (node < BUCKETS)
            node = 2 * node + !KEY_BEFORE(x, s->tree[node]);
        const uint b = s->has_repeats ? first_of_equals(s, x, (uint)node - BUCKETS) : (uint)node - BUCKETS;
        ids[i] = (ushort)b;
        counts[b]++;
    }
}

static void distribute(array in, INDEX n, const __global ushort *ids, array to, INDEX *next)
{
    for (INDEX i = 0; i < n; i++)
        put(to, next[ids[i]]++, in, i);
}

ALWAYS_INLINE bool is_sorted(array a, INDEX n)
{
    INDEX i = 1;
    while (i < n && !is_before(a, i, i - 1))
        i++;
    return i >= n;
}

static void sort_parts(array parts, array other, const INDEX *ends)
{
    INDEX begin = 0;
    for (uint b = 0; b < BUCKETS; b++) {
        const INDEX size = ends[b] - begin;
        const array part = array_from(parts, begin);
        if (size > RUN && !is_sorted(part, size))
            sort_by_merges(part, part, array_from(other, begin), size);
        else if (size > 1 && size <= RUN)
            sort_few(part, part, (uint)size);
        begin = ends[b];
    }
}

static void sort_bucket(array in, array out, __global ushort *ids, INDEX n)
{
    const uint buckets = (uint)min(n / PART, (INDEX)BUCKETS);
    splitters s;
    INDEX next[BUCKETS];
    INDEX begin = 0;
    draw_samples(in, n, buckets, out);
    plant(&s, out, buckets);
    classify(&s, in, n, ids, next);
    for (uint b = 0; b < BUCKETS; b++) {
        const INDEX size = next[b];
        next[b] = begin;
        begin += size;
    }
    distribute(in, n, ids, out, next);
    sort_parts(out, in, next);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_chunk(ARGS_OF(COMPARISON_SORT_CHUNK))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    sort_by_merges(ARRAY_OF(in), ARRAY_OF(out), ARRAY_OF(between), (INDEX)CALL_COUNT_0(args.n));
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_draw(ARGS_OF(COMPARISON_SORT_DRAW))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    if (n > 0)
        draw_samples(ARRAY_OF(in), (INDEX)n, args.buckets, ARRAY_OF(between));
}

#define IDS    ((__global ushort *)(scratch + args.ids_at))
#define COUNTS ((__global INDEX *)(scratch + args.counts_at)) /* one count per bucket, group after group */
#define ENDS   ((__global INDEX *)(scratch + args.ends_at))   /* end of each bucket */

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_count(ARGS_OF(COMPARISON_SORT_DIVIDE))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    __global INDEX *to = COUNTS + get_group_id(0) * BUCKETS;
    splitters s;
    INDEX counts[BUCKETS];
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    s.has_repeats = false;
    if (n > 0) /* otherwise, no samples were drawn */
        plant(&s, ARRAY_OF(between), args.buckets);
    classify(&s, array_from(ARRAY_OF(in), begin), (INDEX)(end - begin), IDS + begin, counts);
    for (uint b = 0; b < BUCKETS; b++)
        to[b] = counts[b];
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_distribute(ARGS_OF(COMPARISON_SORT_DIVIDE))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const uint own = (uint)get_group_id(0);
    INDEX next[BUCKETS];
    INDEX at = 0;
    ulong begin;
    ulong end;
    for (uint b = 0; b < BUCKETS; b++) {
        for (uint group = 0; group < get_num_groups(0); group++) {
            if (group == own)
                next[b] = at;
            at += COUNTS[(size_t)group * BUCKETS + b];
        }
        if (own == 0)
            ENDS[b] = at;
    }
    own_chunk(&begin, &end, CALL_COUNT_0(args.n));
    distribute(array_from(ARRAY_OF(in), begin), (INDEX)(end - begin), IDS + begin, ARRAY_OF(between), next);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_bucket(ARGS_OF(COMPARISON_SORT_BUCKET))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const uint b = (uint)get_group_id(0);
    const INDEX begin = b == 0 ? 0 : ENDS[b - 1];
    const INDEX size =
        ENDS[b + 1 == get_num_groups(0) ? BUCKETS - 1 : b] - begin; /* the elements after the last splitter */
    const array in = array_from(ARRAY_OF(between), begin);
    const array to = array_from(ARRAY_OF(out), begin);
    if (is_sorted(in, size))
        for (INDEX i = 0; i < size; i++)
            put(to, i, in, i);
    else if (size <= MERGED)
        sort_by_merges(in, to, in, size);
    else
        sort_bucket(in, to, IDS + begin, size);
}
