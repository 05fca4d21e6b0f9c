// SPDX-License-Identifier: MIT
/* planes.cl: finds the first keys of a team bit by bit.
 *
 * A plane is one bit of all keys of a lane: bit i of the word belongs to key i. With planes, a step of the search takes
 * the same few instructions for 32 keys as for one. It counts the candidates whose next bit is 0. Either these are the
 * only candidates left, or all of them are among the first and the others become the candidates. The bits of an image
 * are searched first, then those of the place. Places differ, so the search always ends with the keys that a stable
 * sort would put first.
 *
 * Planes are transposed from bytes, 8 words at a time: BYTES_AT_ONCE bytes of all keys of a lane fill them.
 * Source: Warren 2012, Hacker's Delight (transposing a matrix of bits). */
#include "common/kernel.h"
#include "radix_sort/parts/keys.cl"
#include "common/subgroup.cl"
#include "segmented_top_k/parts/team.cl"

#define KEY_BYTES     (KEY_BITS / 8)
#define BYTES_AT_ONCE (32 / KEYS_EACH < KEY_BYTES ? 32 / KEYS_EACH : KEY_BYTES)
#define PLACE_BITS    (TEAM_BITS + KEYS_EACH_BITS)

/* For a lane, one bit per key; and how many of the team's candidates are among the first. */
typedef struct {
    uint candidates;
    uint taken;
    uint needed;
} plane_search;

/* Byte i of the result is the byte of a (0 to 3) or b (4 to 7) that digit i of the selector names. */
static inline uint bytes_of(uint a, uint b, uint selector)
{
    uint bytes = 0;
#if CLPRIM_SUB_GROUP_MEANS == 1
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(a), "r"(b), "r"(selector));
#else
    const ulong both = (ulong)b << 32 | a;
    for (uint i = 0; i < 4; i++)
        bytes |= (uint)(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
#endif
    return bytes;
}

/* The word of an image that contains byte `low`. */
static inline uint image_word(KEY image, uint low)
{
#if KEY_BITS == 64
    return (uint)(image >> (low & 4) * 8);
#else
    return (uint)image;
#endif
}

/* Word i of 8: the bytes from `low` on of keys i, i + 8, ...: first the lowest byte of each key, then the next. */
static inline uint gathered_bytes(const KEY *images, uint i, uint low)
{
    const uint a = image_word(images[i], low);
#if KEYS_EACH_BITS == 3
    return a;
#elif KEYS_EACH_BITS == 4
    return bytes_of(a, image_word(images[i + 8], low), 0x5140 + 0x1111 * (low & 3));
#else
    const uint selector = 0x40 + 0x11 * (low & 3);
    const uint lower = bytes_of(a, image_word(images[i + 8], low), selector);
    const uint upper = bytes_of(image_word(images[i + 16], low), image_word(images[i + 24], low), selector);
    return bytes_of(lower, upper, 0x5410);
#endif
}

/* One step of transposing: exchange the blocks beside the diagonal, which are `distance` wide. */
static inline void exchange_blocks(uint *words, uint distance, uint mask)
{
#pragma unroll
    for (uint i = 0; i < 8; i++)
        if ((i & distance) == 0) {
            const uint a = words[i];
            const uint b = words[i + distance];
            words[i] = (a & mask) | (b << distance & ~mask);
            words[i + distance] = (a >> distance & mask) | (b & ~mask);
        }
}

ALWAYS_INLINE void search_plane(plane_search *s, uint plane, __local uint *words)
{
    const uint zeros = s->candidates & ~plane;
    const uint count = team_sum((uint)popcount(zeros), words);
    const bool takes = count < s->needed; /* all of these, and others */
    s->taken |= takes ? zeros : 0;
    s->needed -= takes ? count : 0;
    s->candidates = takes ? s->candidates & plane : zeros;
}

/* Whether all candidates are among the first. */
ALWAYS_INLINE bool search_is_over(const plane_search *s, __local uint *words)
{
    return team_agrees((uint)popcount(s->candidates), words, s->needed);
}

/* Bit b of the numbers of a lane's keys. */
static inline uint number_plane(uint b)
{
    return b == 0 ? 0xaaaaaaaa : b == 1 ? 0xcccccccc : b == 2 ? 0xf0f0f0f0 : b == 3 ? 0xff00ff00 : 0xffff0000;
}

/* Bit b of the keys' places. A place is a key's number with the lane inserted (team_place). */
static inline uint place_plane(uint b, uint pack_bits)
{
    if (b < pack_bits)
        return number_plane(b);
    if (b < pack_bits + TEAM_BITS)
        return 0 - (team_lane() >> (b - pack_bits) & 1);
    return number_plane(b - TEAM_BITS);
}

/* Which of a lane's existing keys are among the team's first `wanted`. */
ALWAYS_INLINE uint first_keys(const KEY *images, uint there, uint wanted, uint pack_bits, __local uint *words)
{
    plane_search s = {there, 0, wanted};
    bool is_over = search_is_over(&s, words);
    for (uint low = KEY_BYTES; low > 0 && !is_over;) {
        uint planes[8];
        low -= BYTES_AT_ONCE;
#pragma unroll
        for (uint i = 0; i < 8; i++)
            planes[i] = gathered_bytes(images, i, low);
        exchange_blocks(planes, 4, 0x0f0f0f0f);
        exchange_blocks(planes, 2, 0x33333333);
        exchange_blocks(planes, 1, 0x55555555);
        for (uint byte = BYTES_AT_ONCE; byte > 0 && !is_over; byte--) {
#if TEAM_UNROLLS
#pragma unroll
#endif
            for (uint b = 8; b > 0; b--)
                search_plane(&s, planes[b - 1] >> KEYS_EACH * (byte - 1), words);
            is_over = search_is_over(&s, words);
        }
    }
    for (uint b = PLACE_BITS; b > 0 && !is_over; b--)
        search_plane(&s, place_plane(b - 1, pack_bits), words);
    return s.taken | s.candidates;
}
