/* batched_copy_cpu_chunk: the shape for a CPU. A work-group is one work-item, that is one thread at a time, with one
 * share of the path (batch.cl), in which it copies segment after segment.
 *
 * Parameters: batch.cl and own_chunk.cl come before; GROUP_SIZE 1. */
static inline void copy_serially(const __global UNIT *in, __global UNIT *out, ulong units)
{
    ulong u = 0;
#if UNIT_SIZE < 16
    const ulong together = 16 / UNIT_SIZE;
    for (; u + together <= units; u += together)
        vstore16(vload16(0, (const __global uchar *)(in + u)), 0, (__global uchar *)(out + u));
#endif
    for (; u < units; u++)
        out[u] = in[u];
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
batched_copy_cpu_chunk(const __global UNIT *in, ulong in_offset, __global UNIT *out, ulong out_offset,
                       BATCH_PARAMETERS)
{
    BATCH_HERE
    ulong item;
    ulong end;
    own_chunk(&item, &end, path_length(&all));
    in += in_offset * UNITS;
    out += out_offset * UNITS;
    for (uint s = ends_before(&all, item); item < end && s < all.count; s++) {
        const ulong first = item - s; /* the place */
        const ulong last = max(first, places_before(&all, s + 1));
        const ulong count = min(last - first, end - item);
        const ulong from = (OFFSET)(in_shift(&all, s) + (OFFSET)first);
        const ulong to = (OFFSET)(out_shift(&all, s) + (OFFSET)first);
        const ulong n = limited(limited(count, from, all.in_count), to, all.out_count);
        copy_serially(in + from * UNITS, out + to * UNITS, n * UNITS);
        item += count + 1;
    }
}
