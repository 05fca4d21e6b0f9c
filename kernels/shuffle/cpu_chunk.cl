/* shuffle_cpu_chunk: the shape for a CPU. A work-group is one work-item, that is one thread at a time, and writes one
 * chunk of consecutive elements, or with INDICES their indices.
 *
 * Parameters: permutation.cl and own_chunk.cl come before; INDICES; UNIT, a type of 1, 2, 4, 8 or 16 bytes, with INDICES
 * that of an index; UNITS, how many an element has; GROUP_SIZE 1. */
#if !defined(INDICES) || !defined(UNIT) || !defined(UNITS)
#error "INDICES, UNIT and UNITS must be given"
#endif

#if INDICES
#define IN_PARAMETERS
#else
#define IN_PARAMETERS const __global UNIT *in, ulong in_offset,
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
shuffle_cpu_chunk(IN_PARAMETERS __global UNIT *out, ulong out_offset, PERMUTATION_PARAMETERS)
{
    ulong i;
    ulong end;
    own_chunk(&i, &end, count);
#if !INDICES
    in += in_offset * UNITS;
#endif
    out += out_offset * UNITS;
    for (; i < end; i++) {
        const INDEX from = PERMUTED((INDEX)i);
#if INDICES
        out[i] = (UNIT)from;
#else
        for (uint u = 0; u < UNITS; u++)
            out[i * UNITS + u] = in[(ulong)from * UNITS + u];
#endif
    }
}
