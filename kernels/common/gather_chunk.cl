// SPDX-License-Identifier: MIT
/* gather_elements, gather_copy as in gather.cl, for CPUs: each thread has a chunk, and moves all units of an element
 * together. */
#include "common/kernel.h"
#include "common/units.cl"
#include "common/own_chunk.cl"

__kernel GROUP_OF(1) void gather_elements(const __global UNIT *restrict in, ulong in_offset,
                                          __global UNIT *restrict out, ulong out_offset,
                                          const __global uchar *restrict scratch, ulong indices_at, ulong n)
{
    const __global INDEX *indices = (const __global INDEX *)(scratch + indices_at);
    ulong i;
    ulong end;
    own_chunk(&i, &end, CALL_COUNT_0(n));
    in += in_offset * UNITS;
    out += out_offset * UNITS;
    for (; i < end; i++) {
        const __global UNIT *element = in + (ulong)indices[i] * UNITS;
        for (uint u = 0; u < UNITS; u++)
            out[i * UNITS + u] = element[u];
    }
}

__kernel GROUP_OF(1) void gather_copy(const __global UNIT *restrict in, ulong in_offset,
                                      __global UNIT *restrict scratch, ulong n)
{
    ulong u;
    ulong end;
    own_chunk(&u, &end, CALL_COUNT_0(n) * UNITS);
    in += in_offset * UNITS;
    for (; u < end; u++)
        scratch[u] = in[u];
}
