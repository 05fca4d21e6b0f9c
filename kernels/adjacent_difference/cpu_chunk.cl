/* adjacent_difference_cpu_chunk: the shape for a CPU. A work-group is one work-item, that is one thread at a time; it has
 * one contiguous chunk. In place it goes in the direction in which it overwrites what it has read, and
 * adjacent_difference_borders has put the neighbour of each chunk aside, as in tiles.cl.
 * Parameters: the prelude (lib/adjacent_difference/adjacent_difference.c), with of_pair(x, beside) and of_one(x); LEFT,
 * whether the element beside x is the one before it; GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#if !defined(LEFT) || !defined(PAIRS_ONLY)
#error "LEFT and PAIRS_ONLY must be given"
#endif

#define DIFFERENCE_KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))

static inline void own_chunk(ulong *begin, ulong *end, ulong n)
{
    const ulong chunk = n / get_num_groups(0) + 1;
    *begin = min(n, get_group_id(0) * chunk);
    *end = min(n, *begin + chunk);
}

DIFFERENCE_KERNEL void adjacent_difference_borders(const __global ELEMENT *in, ulong in_offset, ulong n,
                                                   __global ELEMENT *borders)
{
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    const ulong i = LEFT ? begin - 1 : end;
    if (i < n)
        borders[get_group_id(0)] = in[in_offset + i];
}

DIFFERENCE_KERNEL void adjacent_difference_cpu_chunk(const __global ELEMENT *in, ulong in_offset, ulong n,
                                                     __global RESULT *out, ulong out_offset,
                                                     const __global ELEMENT *borders, uint is_in_place)
{
    const __global ELEMENT *from = in + in_offset;
    __global RESULT *to = out + out_offset;
    ulong begin;
    ulong end;
    own_chunk(&begin, &end, n);
    if (begin == end)
        return;
    const ulong edge = LEFT ? begin : end - 1; /* comes last: its neighbour is not in the chunk */
    const ulong beside = LEFT ? begin - 1 : end;
    if (!LEFT)
        for (ulong i = begin; i < edge; i++)
            to[i] = of_pair(from[i], from[i + 1]);
    else if (is_in_place)
        for (ulong i = end - 1; i > edge; i--)
            to[i] = of_pair(from[i], from[i - 1]);
    else
        for (ulong i = edge + 1; i < end; i++)
            to[i] = of_pair(from[i], from[i - 1]);
    if (beside < n)
        to[edge] = of_pair(from[edge], is_in_place ? borders[get_group_id(0)] : from[beside]);
#if !PAIRS_ONLY
    else
        to[edge] = of_one(from[edge]);
#endif
}
