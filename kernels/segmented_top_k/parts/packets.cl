// SPDX-License-Identifier: MIT
/* packets.cl: reads consecutive keys of any alignment in packets of 16 bytes.
 *
 * Packets begin at aligned addresses, up to a packet before the first key. Packet p has the keys from p * PACK - shift
 * on. Places before 0 wrap around, so a place is a key's if it is less than the length.
 * Parameters: for ELEMENTs that are KEYs. */
#include "common/packet.cl"

typedef struct {
    const __global KEY *keys;
    uint length; /* less than 2^32 - 16 */
    uint shift;
} key_run;

static inline key_run run_of(const __global KEY *keys, uint length)
{
    key_run r;
    r.keys = keys;
    r.length = length;
    r.shift = PACKET_SHIFT(keys);
    return r;
}

static inline uint run_packets(key_run r)
{
    return (r.length + r.shift + PACK - 1) / PACK;
}

/* The place of element e of packet p. */
static inline uint run_place(key_run r, uint p, uint e)
{
    return p * PACK + e - r.shift;
}

/* Load packet p. Elements that are not keys of the run are 0. */
static inline packet_words run_load(key_run r, uint p)
{
    const uint first = run_place(r, p, 0);
    if (first < r.length && r.length - first >= PACK)
        return ((const __global packet_words *)(r.keys - r.shift))[p];
    packet x;
    x.words = 0;
    for (uint e = 0; e < PACK; e++)
        if (first + e < r.length)
            x.elements[e] = r.keys[first + e];
    return x.words;
}
