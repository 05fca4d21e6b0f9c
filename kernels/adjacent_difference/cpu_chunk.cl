// SPDX-License-Identifier: MIT
/* adjacent_difference_cpu_chunk: a chunk for each thread. In place, it goes through the chunk in the direction in which
 * it overwrites only what it has already read; adjacent_difference_borders has saved the neighbour of each chunk, as in
 * tiles.cl.
 * Parameters: the prelude (lib/adjacent_difference/adjacent_difference.c), with of_pair(x, beside) and of_one(x); LEFT,
 * whether the element beside x is the one before it. */
#include "adjacent_difference/args.h"
#include "common/own_chunk.cl"

#if !defined(LEFT) || !defined(PAIRS_ONLY) || !defined(RESULT_SIZE)
#error "LEFT, PAIRS_ONLY and RESULT_SIZE must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void adjacent_difference_borders(ARGS_OF(DIFFERENCE_BORDERS))
{
    const difference_args args = ARGS(DIFFERENCE_NUMBERS);
    ulong begin;
    ulong end;
    const ulong n = CALL_COUNT_0(args.n);
    own_chunk(&begin, &end, n);
    const ulong i = LEFT ? begin - 1 : end;
    if (i < n)
        borders[get_group_id(0)] = ELEMENT_AT(in + args.in_offset, i);
}

static inline void difference_of_chunk(const __global ELEMENT *from, ulong n, const __global ELEMENT *borders,
                                       __global RESULT *to, const bool in_place)
{
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    if (begin == end)
        return;
    const ulong edge = LEFT ? begin : end - 1; /* computed separately, because its neighbour is not in the chunk */
    const ulong beside = LEFT ? begin - 1 : end;
    if (!LEFT)
        for (ulong i = begin; i < edge; i++)
            to[i] = of_pair(ELEMENT_AT(from, i), ELEMENT_AT(from, i + 1));
    else if (in_place)
        for (ulong i = end - 1; i > edge; i--)
            to[i] = of_pair(ELEMENT_AT(from, i), ELEMENT_AT(from, i - 1));
    else
        for (ulong i = edge + 1; i < end; i++)
            to[i] = of_pair(ELEMENT_AT(from, i), ELEMENT_AT(from, i - 1));
    if (beside < n)
        to[edge] = of_pair(ELEMENT_AT(from, edge), in_place ? borders[get_group_id(0)] : ELEMENT_AT(from, beside));
    else if (!PAIRS_ONLY)
        to[edge] = of_one(ELEMENT_AT(from, edge));
}

__kernel GROUP_OF(GROUP_SIZE) void adjacent_difference_cpu_chunk(ARGS_OF(DIFFERENCE_ARRAYS))
{
    const difference_args args = ARGS(DIFFERENCE_NUMBERS);
    difference_of_chunk(in + args.in_offset, CALL_COUNT_0(args.n), 0, out + args.out_offset, false);
}

__kernel GROUP_OF(GROUP_SIZE) void adjacent_difference_in_place(ARGS_OF(DIFFERENCE_IN_PLACE))
{
    const difference_args args = ARGS(DIFFERENCE_NUMBERS);
    difference_of_chunk(in + args.in_offset, CALL_COUNT_0(args.n), borders, out + args.out_offset, true);
}
