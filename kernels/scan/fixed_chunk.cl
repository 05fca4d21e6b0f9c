// SPDX-License-Identifier: MIT
/* scan_fixed_chunk: for CPUs. It computes the same bits as scan_fixed_tree. A work-group is one work-item, which runs
 * on one thread and has a chunk of whole blocks. scan_block_folds folds each block, and scan_fixed_chunks scans them.
 * If there are more than BLOCK blocks, a single work-item runs scan_block_prefixes in between, which turns the folds
 * into the blocks' prefixes. `work` holds the folds of all blocks, then the folds of blocks of BLOCK blocks, and so on;
 * it is empty if there is a single block.
 * Why: it makes the additions of fixed_tree with a chunk for each core, which suits a CPU.
 * Parameters: the operator's prelude; GROUP_SIZE 1; BLOCK 512.
 * Source: the tree of Blelloch 1990. */
#include "scan/args.h"
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/cpu_vectors.cl"
#include "scan/parts/cpu_tree.cl"
#include "common/own_chunk.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

#define MOST_LEVELS 8 /* above the elements: 512^8 is more than an array can have */

static inline ulong blocks_of(ulong n)
{
    return (n + BLOCK - 1) / BLOCK;
}

#if VECTORS
static inline void load_block(block_tree *t, const __global ELEMENT *in, ulong first)
{
#pragma unroll
    for (uint v = 0; v < ROWS; v++)
        t->rows[v] = load_vector(in, first + 16 * v);
}
#endif

/* The fold of a block. An incomplete block is the last one, whose fold no prefix needs: then any value will do. */
static inline VALUE fold_block(const __global ELEMENT *in, ulong first, ulong n, segment_places segments)
{
    if (first + BLOCK > n)
        return IDENTITY;
#if VECTORS
    block_tree t;
    load_block(&t, in, first);
    return tree_up(&t);
#else
    tree_walk w;
    walk_begin(&w);
    for (uint k = 0; k < BLOCK; k++)
        walk_on(&w, k, SCAN_VALUE(ELEMENT_AT(in, first + k), first + k));
    return w.subtrees[LEVELS];
#endif
}

__kernel GROUP_OF(GROUP_SIZE) void scan_block_folds(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    SEGMENTS_HERE
    ulong b;
    ulong end;
    own_chunk(&b, &end, blocks_of(args.n));
    in += args.in_offset;
    for (; b < end; b++)
        work[b] = fold_block(in, b * BLOCK, n, segments);
}

/* Replace up to BLOCK values by their prefixes. Returns the fold of all of them if there are BLOCK. */
static inline VALUE scan_folds(__global VALUE *x, ulong count)
{
#if VECTORS
    if (count >= BLOCK) {
        block_tree t;
        for (uint v = 0; v < ROWS; v++)
            t.rows[v] = vload16(v, x);
        const VALUE fold = tree_up(&t);
        tree_down(&t);
        for (uint v = 0; v < ROWS; v++)
            vstore16(t.rows[v], v, x);
        return fold;
    }
#endif
    tree_walk w;
    walk_begin(&w);
    for (uint k = 0; k < BLOCK && k < count; k++) {
        const VALUE own = x[k];
        x[k] = walk_prefix(&w);
        walk_on(&w, k, own);
    }
    return count < BLOCK ? IDENTITY : w.subtrees[LEVELS];
}

__kernel GROUP_OF(GROUP_SIZE) void scan_block_prefixes(ARGS_OF(SCAN_WORK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    ulong begins[MOST_LEVELS];
    uint level = 0;
    ulong count = blocks_of(args.n);
    for (begins[0] = 0; count > BLOCK; count = blocks_of(count)) {
        const ulong begin = begins[level];
        begins[++level] = begin + count;
        for (ulong i = 0; i < count; i += BLOCK)
            work[begin + count + i / BLOCK] = scan_folds(work + begin + i, count - i);
    }
    (void)scan_folds(work + begins[level], count);
    for (; level > 0; level--) {
        const ulong above = begins[level];
        const ulong begin = begins[level - 1];
        for (ulong i = begin; i < above; i++)
            work[i] = COMBINE(work[above + (i - begin) / BLOCK], work[i]);
    }
}

/* The values to combine with all elements of a block: the prefix of the block, if there are several blocks, and the
 * call's initial value. */
typedef struct {
    VALUE block;
    bool is_one_of_several;
    plain_value initial;
} block_before;

#if VECTORS
static inline void scan_whole_block(const __global ELEMENT *in, __global OUTPUT *out, ulong first, block_before before)
{
    block_tree t;
    load_block(&t, in, first);
    (void)tree_up(&t);
    tree_down(&t);
#pragma unroll
    for (uint v = 0; v < ROWS; v++) {
        VALUES(16) x = t.rows[v];
        if (before.is_one_of_several)
            x = COMBINE(((VALUES(16))(before.block)), x);
        x = COMBINE(((VALUES(16))(before.initial)), x);
        if (!EXCLUSIVE)
            x = COMBINE(x, load_vector(in, first + 16 * v));
        store_vector(out, first + 16 * v, x);
    }
}
#endif

static inline void scan_few(const __global ELEMENT *in, __global OUTPUT *out, ulong first, ulong n, block_before before,
                            segment_places segments)
{
    tree_walk w;
    walk_begin(&w);
    for (ulong i = first; i < n && i < first + BLOCK; i++) {
        const VALUE own = SCAN_VALUE(ELEMENT_AT(in, i), i);
        VALUE x = walk_prefix(&w);
        walk_on(&w, (uint)(i - first), own);
        if (before.is_one_of_several)
            x = COMBINE(before.block, x);
        x = COMBINE(scan_begin(before.initial), x);
        out[i] = OUTPUT_OF(scan_result(x, COMBINE(x, own), own, before.initial), i);
    }
}

__kernel GROUP_OF(GROUP_SIZE) void scan_fixed_chunks(ARGS_OF(SCAN_WRITE))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const bool are_folds = args.n <= BLOCK * BLOCK;
    SEGMENTS_HERE
    ulong b;
    ulong end;
    block_before before;
    before.is_one_of_several = args.n > BLOCK;
    before.initial = initial_value();
    own_chunk(&b, &end, blocks_of(args.n));
    in += args.in_offset;
    out += args.out_offset;
    tree_walk w; /* over the folds of up to BLOCK blocks: faster than another launch that makes prefixes of them */
    walk_begin(&w);
    for (ulong k = 0; are_folds && k < b; k++)
        walk_on(&w, (uint)k, work[k]);
    for (; b < end; b++) {
        before.block = are_folds ? walk_prefix(&w) : work[b];
        if (are_folds && b + 1 < end)
            walk_on(&w, (uint)b, work[b]);
#if VECTORS
        if ((b + 1) * BLOCK <= n) {
            scan_whole_block(in, out, b * BLOCK, before);
            continue;
        }
#endif
        scan_few(in, out, b * BLOCK, n, before, segments);
    }
}
