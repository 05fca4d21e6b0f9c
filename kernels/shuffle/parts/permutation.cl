// SPDX-License-Identifier: MIT
/* permutation.cl: the permutation of a shuffle: the element for place i of the output comes from permuted(i, &p).
 *
 * The places of a table with rows * columns places are pairs of a row and a column. Each round adds a number to one of
 * the two, modulo rows or columns. That number depends only on the other one and on the round's key, so each round is a
 * permutation of the table (a Feistel network). The table has at least `count` places, and fewer than `rows` additional
 * ones. A place that comes to one of these is permuted again until it does not (cycle walking).
 *
 * With few elements, a round has few possible outcomes: up to FEW elements, there are twice as many rounds.
 *
 * lib/shuffle/shuffle.c does the same on the host, and a text in lib/distributed/distributed_shuffle.c among ranks. None of
 * them may ever change, because seeds must keep their meaning.
 *
 * Parameters: INDEX, uint or ulong.
 * Source: Mitchell, Stokes, Frank, Holmes 2022; Black, Rogaway 2002. */
#include "shuffle/args.h"

#ifndef INDEX
#error "INDEX must be given"
#endif

#define PERMUTED(i) permuted(i, (INDEX)args.count, args.rows, args.columns, keys.of)

/* Make a number below `limit` from a number and a key. */
static inline uint scrambled(uint x, uint key, uint limit)
{
    uint h = (x ^ key) * 0x9e3779b1u;
    h = (h ^ h >> 15) * 0x85ebca6bu;
    h = (h ^ h >> 16) * 0xc2b2ae35u;
    return (uint)((ulong)h * limit >> 32);
}

static inline uint added(uint x, uint more, uint limit)
{
    const uint left = limit - more;
    return x >= left ? x - left : x + more;
}

static inline INDEX permuted(INDEX i, INDEX count, uint rows, uint columns, const uint *keys)
{
    do {
        uint row = (uint)(i / columns);
        uint column = (uint)(i - (INDEX)row * columns);
#pragma unroll
        for (uint k = 0; k < ROUNDS; k += 2) {
            row = added(row, scrambled(column, keys[k], rows), rows);
            column = added(column, scrambled(row, keys[k + 1], columns), columns);
        }
        if (count <= FEW) {
#pragma unroll
            for (uint k = ROUNDS; k < 2 * ROUNDS; k += 2) {
                row = added(row, scrambled(column, keys[k], rows), rows);
                column = added(column, scrambled(row, keys[k + 1], columns), columns);
            }
        }
        i = (INDEX)row * columns + column;
    } while (i >= count);
    return i;
}
