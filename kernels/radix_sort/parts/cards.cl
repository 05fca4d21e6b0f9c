// SPDX-License-Identifier: MIT
/* cards.cl: what is moved and compared where elements are sorted by their keys as a whole. A card has what decides of a
 * key, and behind it, where keys may be equal and yet different, where the element was: so no two cards are equal, and
 * sorting them is stable. With PARTIAL_KEYS the keys themselves are fetched from where they were.
 *
 *     CARD_OF(key, origin), CARD_KEY(card), CARD_ORIGIN(card), CARD_BEFORE(a, b)
 *     CARD_BITS     32 or 64: cards are unsigned integers in their order; 96: they are not
 * ORIGIN_BITS: keys of a segment have so many upper bits in common, and where an element was takes no more. So a card has
 * only the other bits, and the upper ones are added when keys are written.
 *     COMMON_BITS(key)     what is added, from any key of the segment; else 0
 * Parameters: ranked.cl with its parameters. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/ranked.cl"

#define HAS_ORIGINS (VALUE_SIZE > 0 || PARTIAL_KEYS)
#ifdef ORIGIN_BITS
#define CARD_BITS            KEY_BITS
#define CARD                 KEY
#define LAST_CARD            ((CARD) ~(CARD)0)
#define CARD_BEFORE(a, b)    ((a) < (b))
#define CARD_OF(key, origin) ((CARD)((CARD)(key) << ORIGIN_BITS | (origin)))
#define CARD_KEY(card)       ((KEY)((card) >> ORIGIN_BITS))
#define CARD_ORIGIN(card)    ((uint)(card) & ((1u << ORIGIN_BITS) - 1))
#define COMMON_BITS(key)     ((KEY)(image_of(key) & ~(LAST_IMAGE >> ORIGIN_BITS)))
#elif KEY_BITS == 64 && HAS_ORIGINS
#define CARD_BITS            96
typedef struct {
    ulong key;
    uint origin;
} CARD;
static inline CARD card_of(ulong key, uint origin)
{
    const CARD card = {key, origin};
    return card;
}
#define CARD_OF(key, origin) card_of(key, origin)
#define CARD_KEY(card)       ((card).key)
#define CARD_ORIGIN(card)    ((card).origin)
#define CARD_BEFORE(a, b)    (((a).key < (b).key) | (((a).key == (b).key) & ((a).origin < (b).origin)))
#else
#if KEY_BITS == 64 || (KEY_BITS == 32 && HAS_ORIGINS)
#define CARD_BITS 64
#define CARD      ulong
#else
#define CARD_BITS 32
#define CARD      uint
#endif
#define LAST_CARD         ((CARD) ~(CARD)0)
#define CARD_BEFORE(a, b) ((a) < (b))
#if HAS_ORIGINS
#define CARD_OF(key, origin) ((CARD)(key) << (CARD_BITS / 2) | (origin))
#define CARD_KEY(card)       ((KEY)((card) >> (CARD_BITS / 2)))
#define CARD_ORIGIN(card)    ((uint)(card)&0xffff)
#else
#define CARD_OF(key, origin) ((CARD)(key))
#define CARD_KEY(card)       ((KEY)(card))
#endif
#endif
#ifndef ORIGIN_BITS
#define COMMON_BITS(key) ((KEY)0)
#endif
