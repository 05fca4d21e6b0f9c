// SPDX-License-Identifier: MIT
/* shuffle_cpu_chunk: for CPUs. A work-group is one work-item, and so one thread at a time. It writes one chunk of
 * consecutive elements or, with INDICES, their indices. TOGETHER places go through the rounds side by side, in loops
 * that can be vectorised. The few places that come to no element continue one by one.
 *
 * Parameters: INDICES; UNIT, a type of 1, 2, 4, 8 or 16 bytes, with INDICES that of an index; UNITS per element;
 * GROUP_SIZE 1. */
#include "shuffle/args.h"
#include "shuffle/parts/permutation.cl"
#include "common/own_chunk.cl"

#if !defined(INDICES) || !defined(UNIT) || !defined(UNITS)
#error "INDICES, UNIT and UNITS must be given"
#endif

#define TOGETHER 32

static inline void add_round(uint *x, const uint *other, uint key, uint limit)
{
    for (uint j = 0; j < TOGETHER; j++)
        x[j] = added(x[j], scrambled(other[j], key, limit), limit);
}

/* Compute where the elements for places i to i + TOGETHER - 1 come from. */
static inline void permuted_together(INDEX *from, INDEX i, INDEX count, uint rows, uint columns, const uint *keys)
{
    uint row[TOGETHER];
    uint column[TOGETHER];
    for (uint j = 0; j < TOGETHER; j++) {
        row[j] = (uint)((i + j) / columns);
        column[j] = (uint)(i + j - (INDEX)row[j] * columns);
    }
    for (uint k = 0; k < (count <= FEW ? 2 * ROUNDS : ROUNDS); k += 2) {
        add_round(row, column, keys[k], rows);
        add_round(column, row, keys[k + 1], columns);
    }
    for (uint j = 0; j < TOGETHER; j++)
        from[j] = (INDEX)row[j] * columns + column[j];
    for (uint j = 0; j < TOGETHER; j++)
        if (from[j] >= count)
            from[j] = permuted(from[j], count, rows, columns, keys);
}

#if INDICES
#define WRITE(i, from) out[i] = (UNIT)(from)
#else
#define WRITE(i, from)                                                                                                 \
    for (uint u = 0; u < UNITS; u++)                                                                                   \
    out[(i)*UNITS + u] = in[(ulong)(from)*UNITS + u]
#endif

__kernel GROUP_OF(GROUP_SIZE) void shuffle_cpu_chunk(ARGS_OF(SHUFFLE_ARRAYS), const shuffle_keys keys)
{
    const shuffle_args args = ARGS(SHUFFLE_NUMBERS);
    ulong i;
    ulong end;
    own_chunk(&i, &end, args.count);
#if !INDICES
    in += args.in_offset * UNITS;
#endif
    out += args.out_offset * UNITS;
    for (; i + TOGETHER <= end; i += TOGETHER) {
        INDEX from[TOGETHER];
        permuted_together(from, (INDEX)i, (INDEX)args.count, args.rows, args.columns, keys.of);
        for (uint j = 0; j < TOGETHER; j++)
            WRITE(i + j, from[j]);
    }
    for (; i < end; i++)
        WRITE(i, PERMUTED((INDEX)i));
}
