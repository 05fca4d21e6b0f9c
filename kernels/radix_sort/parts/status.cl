// SPDX-License-Identifier: MIT
/* status.cl: what tiles publish about their digits during a pass.
 *
 * The upper two bits of a status word say what its lower bits are: the tile's count of a digit, or the count of all
 * tiles up to it and of all smaller digits. One word holds both, so no fence is needed. Passes with even and with odd
 * turns use different kinds, so nothing needs to be cleared between passes: before turn 1, all words are 0, which is a
 * kind of even turns.
 *
 *     count_smaller(offsets, totals, sums)     the number of keys of all tiles with smaller digits
 *     count_before(status, tile, turn)         the count of all earlier tiles, and of everything before them; it waits
 *                                              for them
 *     AFTER_PUBLISHING                         between a tile's own counts, once these are published, and count_before
 *
 * Parameters: STATUS, an unsigned integer of STATUS_SIZE bytes. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "common/device_scope.cl"
#include "clprim/device/tagged_words.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"

#define STATUS_SHIFT                      (STATUS_SIZE * 8 - 2)
#define STATUS_VALUE(word)                ((word) & (((STATUS)1 << STATUS_SHIFT) - 1))
#define STATUS_OF(turn, is_prefix, value) ((STATUS)((turn) % 2 * 2 + (is_prefix)) << STATUS_SHIFT | (value))
/* Tiles read at once. Without sub-groups ordinary loads are volatile; more of them took longer (H200). */
#define AT_ONCE (CLPRIM_SUB_GROUP_MEANS == 1 ? 8 : 4)

/* PoCL 3.1 lets work-items that have no digit publish, too, if they wait for earlier tiles before the next barrier: they
 * write over the counts of later tiles, which harms only if groups run at the same time. */
#if RANK_BY == RANK_BY_ITEM
#define AFTER_PUBLISHING barrier(CLK_LOCAL_MEM_FENCE);
#else
#define AFTER_PUBLISHING
#endif

/* STATUS_LOAD: what was published. STATUS_PEEK: the same, or an earlier value. STATUS_OFFER stores only if nothing of
 * this turn has been stored yet. If a word of 64 bits cannot be stored at once, each of its halves has the mark:
 * nothing is published until both halves have the same one. */
#define IS_OF_TURN(word, size, turn) ((uint)((word) >> ((size)*8 - 1)) == (turn) % 2)
static inline void offer_word(volatile __global uint *p, uint turn, uint word)
{
    const uint there = device_load(p);
    if (!IS_OF_TURN(there, 4, turn))
        (void)atomic_cmpxchg(p, there, word);
}

#if STATUS_SIZE == 4
#define STATUS_LOAD(p, turn)        device_load(p)
#define STATUS_PEEK(p, turn)        device_peek(p)
#define STATUS_STORE(p, word)       device_store(p, word)
#define STATUS_OFFER(p, turn, word) offer_word(p, turn, word)
#elif CLPRIM__TAGGED_BITS == 32
#define STATUS_LOAD(p, turn)        clprim__look_at(p)
#define STATUS_PEEK(p, turn)        clprim__look_at(p)
#define STATUS_STORE(p, word)       clprim__publish(p, word)
#define STATUS_OFFER(p, turn, word) offer_status(p, turn, word)
static inline void offer_status(__global STATUS *p, uint turn, STATUS word)
{
    const STATUS there = clprim__look_at(p);
    if (!IS_OF_TURN(there, 8, turn))
        clprim__offer(p, there, word);
}
#else
#define HALVES(p)                   ((volatile __global uint *)(p))
#define STATUS_LOAD(p, turn)        status_of(device_load(HALVES(p)), device_load(HALVES(p) + 1), turn)
#define STATUS_PEEK(p, turn)        status_peek((const volatile __global uint2 *)(p), turn)
#define STATUS_STORE(p, word)       store_status(HALVES(p), word)
#define STATUS_OFFER(p, turn, word) offer_status(HALVES(p), turn, word)
#define HALF_BITS                   30
#define HALF_VALUE(half)            ((half) & ((1u << HALF_BITS) - 1))
#define MARK(word)                  ((uint)((word) >> STATUS_SHIFT) << HALF_BITS)
#define LOW_HALF(word)              (MARK(word) | HALF_VALUE((uint)(word)))
#define HIGH_HALF(word)             (MARK(word) | HALF_VALUE((uint)((word) >> HALF_BITS)))
static inline STATUS status_of(uint low, uint high, uint turn)
{
    const uint mark = select((turn + 1) % 2 * 2, low >> HALF_BITS, 0u - (uint)(low >> HALF_BITS == high >> HALF_BITS));
    return (STATUS)mark << STATUS_SHIFT | (STATUS)HALF_VALUE(high) << HALF_BITS | HALF_VALUE(low);
}

static inline STATUS status_peek(const volatile __global uint2 *p, uint turn)
{
    const uint2 halves = *p;
    return status_of(halves.x, halves.y, turn);
}

static inline void store_status(volatile __global uint *p, STATUS word)
{
    device_store(p, LOW_HALF(word));
    device_store(p + 1, HIGH_HALF(word));
}

static inline void offer_status(volatile __global uint *p, uint turn, STATUS word)
{
    offer_word(p, turn, LOW_HALF(word));
    offer_word(p + 1, turn, HIGH_HALF(word));
}
#endif

/* One look: add to *before what the tiles before `end` have published of a digit. `status` is the digit's word of tile
 * 0. Returns the new `end`: 0 after a prefix; unchanged if the nearest tile is missing. An old word shows by its kind
 * that it is old, or it is the tile's count although the prefix has been published: neither does harm. Only the nearest
 * tile must be waited for, and its word is read again if it seems to be missing. */
ALWAYS_INLINE uint look_at_status(__global STATUS *status, uint end, uint turn, STATUS *before)
{
    STATUS words[AT_ONCE];
#pragma unroll
    for (uint k = 0; k < AT_ONCE; k++)
        words[k] = k < end ? STATUS_PEEK(status + (size_t)(end - 1 - k) * RADIX, turn) : 0;
    if (CLPRIM_SUB_GROUP_MEANS != 1 && end > 0 && !IS_OF_TURN(words[0], STATUS_SIZE, turn))
        words[0] = STATUS_LOAD(status + (size_t)(end - 1) * RADIX, turn);
    uint counted = 0;
    bool is_prefix = false;
#pragma unroll
    for (uint k = 0; k < AT_ONCE; k++) {
        const bool is_ready = k < end && IS_OF_TURN(words[k], STATUS_SIZE, turn);
        if (is_ready && counted == k && !is_prefix) {
            *before += STATUS_VALUE(words[k]);
            is_prefix = (words[k] >> STATUS_SHIFT & 1) != 0;
            counted = k + 1;
        }
    }
    return is_prefix ? 0 : end - counted;
}

/* The count of a digit in all earlier tiles, and of everything before them. `status` is the digit's word of tile 0. */
ALWAYS_INLINE STATUS count_before(__global STATUS *status, uint tile, uint turn)
{
    STATUS before = 0;
    for (uint end = tile; end > 0;) /* *before includes the tiles from `end` on */
        end = look_at_status(status, end, turn, &before);
    return before;
}

/* offsets[digit] = the number of keys with smaller digits. All work-items call it. The work-item that writes a digit's
 * offset also uses it later. Without sub-groups, `sums` has the totals before. */
ALWAYS_INLINE void count_smaller(__local COUNT *offsets, volatile __global uint *totals, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
#if RANK_BY == RANK_BY_ITEM
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        COUNT sum = 0;
        for (uint smaller = 0; smaller < digit; smaller++)
            sum += totals[smaller];
        offsets[digit] = sum;
    }
#elif RANK_BY == RANK_BY_MASKS
    /* no barriers: PoCL 3.1 loses code before barriers that a work-group passes under a condition */
    COUNT sum = 0;
    for (uint smaller = 0; smaller < lid && smaller < RADIX; smaller++)
        sum += sums[smaller];
    if (lid < RADIX)
        offsets[lid] = sum;
#else
    const uint sum = digits_before(lid < RADIX ? totals[lid] : 0, sums);
    if (lid < RADIX)
        offsets[lid] = sum;
#endif
}
