/* copy_run.cl: a work-group copies `size` bytes, a multiple of UNIT_SIZE, between places that may be aligned to
 * UNIT_SIZE alone. Stores have 16 bytes. Loads have as many if both places have the same distance from such an address,
 * otherwise 4: of UNITs smaller than that each word is put together from two. No byte outside the run is read.
 *
 * Parameters: batch.cl comes before. */
static inline void copy_units(const __global uchar *in, __global uchar *out, ulong size)
{
    const __global UNIT *from = (const __global UNIT *)in;
    __global UNIT *to = (__global UNIT *)out;
    for (ulong u = get_local_id(0); u < size / UNIT_SIZE; u += GROUP_SIZE)
        to[u] = from[u];
}

/* `shift` bytes behind words[0]: 16 bytes. */
static inline uint4 load_shifted(const __global uint *words, uint shift)
{
#if UNIT_SIZE < 4
    const uint right = shift * 8;
    const uint left = 32 - right;
    if (shift > 0)
        return (uint4)(words[0] >> right | words[1] << left, words[1] >> right | words[2] << left,
                       words[2] >> right | words[3] << left, words[3] >> right | words[4] << left);
#endif
    return (uint4)(words[0], words[1], words[2], words[3]);
}

static inline void copy_run(const __global uchar *in, __global uchar *out, ulong size)
{
    ulong head = (16 - (uintptr_t)out % 16) % 16;
    const uint shift = (uint)((uintptr_t)(in + head) % 4);
    head += shift > head ? 16 : 0; /* the first word begins in the run */
    head = min(head, size);
    const ulong behind = shift > 0 ? 4 : 0; /* bytes of the fifth word, which ends in the run */
    const ulong packets = size - head > behind ? (size - head - behind) / 16 : 0;
    const __global uchar *from = in + head;
    __global uint4 *to = (__global uint4 *)(out + head);
    if ((uintptr_t)from % 16 == 0) {
        for (ulong p = get_local_id(0); p < packets; p += GROUP_SIZE)
            to[p] = ((const __global uint4 *)from)[p];
    } else {
        const __global uint *words = (const __global uint *)(from - shift);
        for (ulong p = get_local_id(0); p < packets; p += GROUP_SIZE)
            to[p] = load_shifted(words + 4 * p, shift);
    }
    copy_units(in, out, head);
    head += 16 * packets;
    copy_units(in + head, out + head, size - head);
}
