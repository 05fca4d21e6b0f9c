// SPDX-License-Identifier: MIT
/* threshold.cl: how a work-group of select.cl finds the k-th element of its unit: as a bound from minima, or by its
 * digits.
 *
 * A search finds the digits of the k-th of some numbers, from the most significant on, like the radix select of top_k:
 * candidates have the digits found so far, and the group counts their next digits in local memory.
 * Parameters: tile_scan.cl with ITEMS 1; MINIMA per work-item, a power of two; CAPACITY, elements that a group has room
 * for: at least GROUP_SIZE * MINIMA; GROUP_SIZE, at least 2.
 * Sources: Gaihre et al. 2021, Dr. Top-k: Delegate-Centric Top-k on GPUs (minima); Alabi et al. 2012, Fast k-Selection
 * Algorithms for Graphics Processing Units (digits). */
#include "common/kernel.h"
#include "radix_sort/parts/keys.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "segmented_top_k/parts/packets.cl"

#if !defined(MINIMA) || !defined(CAPACITY)
#error "MINIMA and CAPACITY must be given"
#endif
#if GROUP_SIZE < 2 || GROUP_SIZE * MINIMA > CAPACITY
#error "CAPACITY must be at least GROUP_SIZE * MINIMA, and GROUP_SIZE 2"
#endif

/* Bits of a digit: there are at most as many digits as work-items. */
#if GROUP_SIZE >= 256
#define BIN_BITS 8u
#elif GROUP_SIZE >= 64
#define BIN_BITS 6u
#elif GROUP_SIZE >= 16
#define BIN_BITS 4u
#else
#define BIN_BITS 1u
#endif
#define BINS       (1u << BIN_BITS)
#define STEP       (MINIMA > 4 * PACK ? MINIMA / PACK : 4) /* packets that a work-item loads at once */
#define LAST_PLACE 0xffffffffu

#if KEY_BITS == 64
typedef ulong digit_bits;
#else
typedef uint digit_bits;
#endif

/* The search for the threshold: candidates have the bits `prefix` from bit `shift` on, and `needed` of them are among
 * the first k. */
typedef struct {
    digit_bits prefix;
    uint shift;
    uint needed;
    uint equal; /* candidates */
} search;

/* Pointers to a group's local memory. */
typedef struct {
    __local KEY *images;
    __local uint *places;
    __local uint *bins;
    __local clprim__tile_memory *shared;
    __local uint *found;
} group_memory;

static inline digit_bits bits_from(digit_bits x, uint shift)
{
    return shift < sizeof(digit_bits) * 8 ? x >> shift : 0;
}

static inline uint shift_below(uint shift)
{
    return shift > BIN_BITS ? shift - BIN_BITS : 0;
}

/* The last number with the prefix. */
static inline digit_bits search_end(search s)
{
    return s.shift < sizeof(digit_bits) * 8 ? s.prefix << s.shift | (((digit_bits)1 << s.shift) - 1) : ~(digit_bits)0;
}

/* How many numbers are at most search_end. */
static inline uint search_taken(search s, uint k)
{
    return k - s.needed + s.equal;
}

ALWAYS_INLINE void clear_bins(group_memory m)
{
    for (uint d = (uint)get_local_id(0); d < BINS; d += GROUP_SIZE)
        m.bins[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the bins are 0; what was written before is visible */
}

static inline void count_digit(group_memory m, search s, digit_bits x)
{
    const uint below = shift_below(s.shift);
    if (bits_from(x, s.shift) == s.prefix)
        (void)atomic_inc(m.bins + (uint)((x >> below) & (((digit_bits)1 << (s.shift - below)) - 1)));
}

/* Choose the digit that contains the needed rank: the first one with at least so many numbers up to it. */
ALWAYS_INLINE search choose_digit(group_memory m, search s)
{
    const uint bin = tile_packet(0);
    const uint below = shift_below(s.shift);
    VALUE sums[1];
    VALUE before;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    const uint own = bin < BINS ? m.bins[bin] : 0;
    sums[0] = own;
    (void)clprim__tile_fold(sums, &before, m.shared);
    clprim__tile_prefixes(sums, before, m.shared);
    if (bin < BINS)
        m.bins[bin] = sums[0] + own;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums */
    uint digit = 0;
    for (uint width = BINS / 2; width > 0; width /= 2)
        digit += m.bins[digit + width - 1] < s.needed ? width : 0;
    const uint less = digit > 0 ? m.bins[digit - 1] : 0;
    s.prefix = s.prefix << (s.shift - below) | digit;
    s.needed -= less;
    s.equal = m.bins[digit] - less;
    s.shift = below;
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read: the bins may be cleared */
    return s;
}

/* Write the minima to m.images. Element e of a work-item's packet j goes to the same minimum in each step. */
static inline void find_minima(group_memory m, key_run r)
{
    const uint lid = (uint)get_local_id(0);
    const uint packets = run_packets(r);
    KEY best[MINIMA];
#pragma unroll
    for (uint j = 0; j < MINIMA; j++)
        best[j] = LAST_IMAGE;
    for (uint p = lid; p < packets; p += STEP * GROUP_SIZE) {
        packet_words x[STEP];
#pragma unroll
        for (uint j = 0; j < STEP; j++)
            x[j] = p + j * GROUP_SIZE < packets ? run_load(r, p + j * GROUP_SIZE) : (packet_words)0;
#pragma unroll
        for (uint j = 0; j < STEP; j++)
#pragma unroll
            for (uint e = 0; e < PACK; e++) {
                const bool is_there = run_place(r, p + j * GROUP_SIZE, e) < r.length;
                const KEY image = is_there ? image_of(packet_element(x[j], e)) : LAST_IMAGE;
                best[(j * PACK + e) % MINIMA] = min(best[(j * PACK + e) % MINIMA], image);
            }
    }
#pragma unroll
    for (uint j = 0; j < MINIMA; j++)
        m.images[j * GROUP_SIZE + lid] = best[j];
}

/* The numbers that a search counts: the minima; the images of the unit's elements; or the places of the elements equal
 * to the threshold. */
enum { OF_MINIMA, OF_IMAGES, OF_PLACES };

/* Whether the search can stop. For minima, a bound a little above the k-th suffices; for elements, there must be room
 * for all up to it. */
static inline bool is_near(search s, uint of, uint k)
{
    return s.shift == 0 || (of == OF_MINIMA ? s.equal - s.needed <= 16 + k / 8 : search_taken(s, k) <= CAPACITY);
}

/* Count the next digits of all candidates. image: the threshold, if places are counted. */
static inline void count_digits(group_memory m, key_run r, search s, uint of, digit_bits image)
{
    const uint lid = (uint)get_local_id(0);
    if (of == OF_MINIMA) {
        for (uint i = lid; i < GROUP_SIZE * MINIMA; i += GROUP_SIZE)
            count_digit(m, s, m.images[i]);
        return;
    }
    const uint packets = run_packets(r);
    for (uint p = lid; p < packets; p += GROUP_SIZE) {
        const packet_words x = run_load(r, p);
        for (uint e = 0; e < PACK; e++) {
            const uint place = run_place(r, p, e);
            const digit_bits own = image_of(packet_element(x, e));
            if (place < r.length && (of == OF_IMAGES || own == image))
                count_digit(m, s, of == OF_IMAGES ? own : place);
        }
    }
}
