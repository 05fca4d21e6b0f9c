/* sort_by_key_gather, sort_by_key_copy as in gather.cl, for CPUs: a group is one work-item, that is one thread at a time, with one
 * contiguous chunk of the elements, whose units are moved together.
 * Parameters: units.cl; GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

static inline void own_chunk(ulong *begin, ulong *end, ulong n)
{
    const ulong chunk = (n + get_num_groups(0) - 1) / get_num_groups(0);
    *begin = min(n, get_group_id(0) * chunk);
    *end = min(n, *begin + chunk);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
sort_by_key_gather(const __global UNIT *restrict in, ulong in_offset, __global UNIT *restrict out, ulong out_offset,
                   const __global uchar *restrict scratch, ulong indices_at, ulong n)
{
    const __global INDEX *indices = (const __global INDEX *)(scratch + indices_at);
    ulong i;
    ulong end;
    own_chunk(&i, &end, n);
    in += in_offset * UNITS;
    out += out_offset * UNITS;
    for (; i < end; i++) {
        const __global UNIT *element = in + (ulong)indices[i] * UNITS;
        for (uint u = 0; u < UNITS; u++)
            out[i * UNITS + u] = element[u];
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
sort_by_key_copy(const __global UNIT *restrict in, ulong in_offset, __global UNIT *restrict scratch, ulong n)
{
    ulong u;
    ulong end;
    own_chunk(&u, &end, n * UNITS);
    in += in_offset * UNITS;
    for (; u < end; u++)
        scratch[u] = in[u];
}
