// SPDX-License-Identifier: MIT
/* cpu_tree.cl: the tree of scan_fixed_tree over one block of values, by one work-item.
 *
 * Whole blocks of VECTORS go through it level by level, 16 pairs of neighbours at a time. Other blocks are walked from
 * left to right. After place p, the largest subtree that ends there is complete, as a binary counter carries. The
 * prefix of place p + 1 is the prefix of the place where that subtree begins, combined with the subtree's fold.
 *
 *   walk_begin(w), walk_on(w, i, x)  the walk: after value x of place i, walk_prefix(w) is the prefix of place i + 1
 *   tree_up(t)                       returns the fold of the BLOCK values in t->rows
 *   tree_down(t)                     makes these values their prefixes, after tree_up
 *
 * Parameters: the operator's prelude; BLOCK 512. */
#include "scan/parts/elements.cl"

#if BLOCK != 512
#error "BLOCK must be 512"
#endif
#define LEVELS 9 /* of the tree: BLOCK is 2^LEVELS */

typedef struct {
    VALUE subtrees[LEVELS + 1]; /* [l]: the last complete subtree of 2^l values */
    VALUE prefixes[LEVELS + 2]; /* [l]: the prefix of the last place that is a multiple of 2^l */
} tree_walk;

static inline void walk_begin(tree_walk *w)
{
    for (uint l = 0; l < LEVELS + 2; l++)
        w->prefixes[l] = IDENTITY;
}

static inline VALUE walk_prefix(const tree_walk *w)
{
    return w->prefixes[0];
}

static inline void walk_on(tree_walk *w, uint i, VALUE x)
{
    uint level = 0;
    for (; i >> level & 1; level++)
        x = COMBINE(w->subtrees[level], x);
    w->subtrees[level] = x;
    x = COMBINE(w->prefixes[level + 1], x);
    for (uint l = 0; l <= level; l++)
        w->prefixes[l] = x;
}

#if VECTORS
#define ROWS (BLOCK / 16)

typedef struct {
    VALUES(16) rows[ROWS];
    VALUES(16)
    lefts[ROWS + 4]; /* the left fold of each pair: from [k] on those of the level with k vectors of pairs, and after
                      * all of these those of levels with less than one vector */
} block_tree;

/* Folds the pairs of a and b. */
static inline VALUES(16) pairs_up(VALUES(16) a, VALUES(16) b, VALUES(16) * lefts)
{
    *lefts = (VALUES(16))(a.even, b.even);
    return COMBINE(*lefts, ((VALUES(16))(a.odd, b.odd)));
}

/* Turns the prefixes of 8 pairs into the prefixes of their members. */
static inline VALUES(16) pairs_down(VALUES(8) prefixes, VALUES(8) rights)
{
    VALUES(16) x;
    x.even = prefixes;
    x.odd = rights;
    return x;
}

static inline VALUE tree_up(block_tree *t)
{
#pragma unroll
    for (uint k = ROWS / 2; k > 0; k /= 2)
#pragma unroll
        for (uint v = 0; v < k; v++)
            t->rows[v] = pairs_up(t->rows[2 * v], t->rows[2 * v + 1], &t->lefts[k + v]);
#pragma unroll
    for (uint l = 0; l < 4; l++) /* the second half of each vector is unused */
        t->rows[0] = pairs_up(t->rows[0], t->rows[0], &t->lefts[ROWS + l]);
    return t->rows[0].s0;
}

static inline void tree_down(block_tree *t)
{
    VALUES(16) x = (VALUES(16))(IDENTITY);
#pragma unroll
    for (uint l = 4; l > 0; l--)
        x = pairs_down(x.lo, COMBINE(x, t->lefts[ROWS + l - 1]).lo);
    t->rows[0] = x;
#pragma unroll
    for (uint k = 1; k < ROWS; k *= 2)
#pragma unroll
        for (uint v = k; v > 0; v--) {
            const VALUES(16) prefixes = t->rows[v - 1];
            const VALUES(16) rights = COMBINE(prefixes, t->lefts[k + v - 1]);
            t->rows[2 * v - 1] = pairs_down(prefixes.hi, rights.hi);
            t->rows[2 * v - 2] = pairs_down(prefixes.lo, rights.lo);
        }
}
#endif
