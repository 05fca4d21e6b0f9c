// SPDX-License-Identifier: MIT
/* copy_run.cl: `width` work-items, each with its number, copy `size` bytes, a multiple of UNIT_SIZE. Source and
 * destination may be aligned only to UNIT_SIZE. Loads and stores have 16 bytes. If the two have different offsets from
 * a 16-byte boundary, each 16 bytes to store are combined from two loads; the second one is also the next work-item's
 * first. No byte outside the run is read. */
#include "batched_copy/parts/batch.cl"

#define ABREAST (UNIT_SIZE < 4 ? 1 : 2) /* loads: more would take more registers, and leave room for fewer groups */

static inline void copy_units(const __global uchar *in, __global uchar *out, ulong size, uint number, uint width)
{
    const __global UNIT *from = (const __global UNIT *)in;
    __global UNIT *to = (__global UNIT *)out;
    for (ulong u = number; u < size / UNIT_SIZE; u += width)
        to[u] = from[u];
}

/* The 16 bytes at offset `shift` of a and b, where shift is less than 16. */
static inline uint4 shifted(uint4 a, uint4 b, uint shift)
{
    const uint word = shift / 4;
    const uint4 x = word == 0   ? a
                    : word == 1 ? (uint4)(a.yzw, b.x)
                    : word == 2 ? (uint4)(a.zw, b.xy)
                                : (uint4)(a.w, b.xyz);
#if UNIT_SIZE < 4
    const uint4 y = word == 0   ? (uint4)(a.yzw, b.x)
                    : word == 1 ? (uint4)(a.zw, b.xy)
                    : word == 2 ? (uint4)(a.w, b.xyz)
                                : b;
    const uint right = shift % 4 * 8;
    const uint4 both = x >> right | y << (32 - right);
    return right > 0 ? both : x; /* without a branch: PoCL 6.0 would abort (docs/design.md) */
#else
    return x;
#endif
}

static inline void copy_run(const __global uchar *in, __global uchar *out, ulong size, uint number, uint width)
{
    ulong head = (16 - (uintptr_t)out % 16) % 16;
    const uint shift = (uint)((uintptr_t)(in + head) % 16);
    head += shift > head ? 16 : 0; /* so that the first load begins inside the run */
    head = min(head, size);
    const ulong behind = shift > 0 ? 16 - shift : 0; /* bytes after the last store that its load needs */
    const uint packets = size - head > behind ? (uint)((size - head - behind) / 16) : 0; /* a tile never has more */
    const __global uint4 *from = (const __global uint4 *)(in + head - shift);
    __global uint4 *to = (__global uint4 *)(out + head);
    const uint next = shift > 0;
    for (uint p = number; p < packets; p += ABREAST * width) {
        uint4 x[ABREAST];
        uint4 y[ABREAST];
#pragma unroll
        for (uint j = 0; j < ABREAST; j++) {
            const uint at = min(p + j * width, packets - 1);
            x[j] = from[at];
            y[j] = from[at + next];
        }
#pragma unroll
        for (uint j = 0; j < ABREAST; j++)
            if (p + j * width < packets)
                to[p + j * width] = shifted(x[j], y[j], shift);
    }
    copy_units(in, out, head, number, width);
    head += 16 * packets;
    copy_units(in + head, out + head, size - head, number, width);
}
