// SPDX-License-Identifier: MIT
/* keys.cl: keys, their values, and where a pass reads and writes them.
 *
 * A key in registers and local memory is its image: an unsigned integer with the same order. Keys are converted to
 * images when they are read, and back when they are written, so no extra pass is needed. Each pass does both, or only
 * the first and the last one, if passes leave images for each other (tile.cl). For floats, all bits of negative ones
 * are flipped, and the sign of others; for signed integers, the sign (lecture, radix sort of floats). If all NaNs come
 * last, the number of negative NaNs, which would come first, is subtracted from a float's image: they then come after
 * the positive ones.
 *
 * Parameters: KEY, an unsigned integer of KEY_BITS; for 128 bits, a ulong2 with the lower half first; KEY_KIND 0
 * unsigned, 1 signed, 2 floats, 3 floats with all NaNs last, MOVED_NANS of which are negative; DESCENDING; ROTATION of
 * the image to the left, so that the bits that are sorted are the highest ones; BEGIN_BIT, END_BIT of the image, both 0
 * if no bit is sorted; DIGIT_BITS per pass; VALUE, if keys have values (VALUE_SIZE is not 0); INDICES: the values are
 * the keys' places, which the first pass makes; COUNT, an unsigned integer type that can count elements; COUNTED: n is
 * only an upper bound, and the device knows the number (CALL_COUNT_0): groups that then have nothing to do return;
 * INPUT_AT(i), if the keys come from an expression instead of an array: only the first pass computes them. */
#if !defined(KEY) || !defined(KEY_KIND) || !defined(DIGIT_BITS) || !defined(VALUE_SIZE) || !defined(COUNT)
#error "KEY, KEY_KIND, DIGIT_BITS, VALUE_SIZE and COUNT must be given"
#endif
#if !defined(KEY_BITS) || !defined(DESCENDING) || !defined(BEGIN_BIT) || !defined(END_BIT) || !defined(INDICES)
#error "KEY_BITS, DESCENDING, BEGIN_BIT, END_BIT and INDICES must be given"
#endif
#ifndef ROTATION
#error "ROTATION must be given"
#endif
#ifndef COUNTED
#error "COUNTED must be given"
#endif
#if KEY_KIND == 3 && !defined(MOVED_NANS)
#error "MOVED_NANS must be given"
#endif

#define RADIX      (1u << DIGIT_BITS)
#define SIGN       ((KEY)((KEY)1 << (KEY_BITS - 1)))
#define LAST_IMAGE ((KEY) ~(KEY)0) /* no image comes after it: fills up a tile */
#if END_BIT == 0                   /* one pass, in which all digits are 0, moves the elements to the output */
#define SORTED_BITS ((KEY)0)
#define PASSES      1
#else
#define SORTED_BITS ((KEY)(LAST_IMAGE >> (KEY_BITS - END_BIT)))
#define PASSES      ((END_BIT - BEGIN_BIT + DIGIT_BITS - 1) / DIGIT_BITS)
#endif

static inline KEY image_of(KEY key)
{
#if KEY_KIND == 1
    key ^= SIGN;
#elif KEY_KIND >= 2
    key ^= (KEY)(0 - (key >> (KEY_BITS - 1))) | SIGN; /* one instruction besides the shift */
#endif
#if KEY_KIND == 3
    key -= (KEY)MOVED_NANS;
#endif
    key = DESCENDING ? (KEY)~key : key;
#if ROTATION
    key = rotate(key, (KEY)ROTATION);
#endif
    return key;
}

static inline KEY key_of(KEY image)
{
#if ROTATION
    image = rotate(image, (KEY)(KEY_BITS - ROTATION));
#endif
    KEY key = DESCENDING ? (KEY)~image : image;
#if KEY_KIND == 3
    key += (KEY)MOVED_NANS;
#endif
#if KEY_KIND == 1
    key ^= SIGN;
#elif KEY_KIND >= 2
    key ^= (KEY)((key >> (KEY_BITS - 1)) - 1) | SIGN;
#endif
    return key;
}

#define HAS_IMAGES (KEY_KIND != 0 || DESCENDING || ROTATION) /* images differ from the keys */

static inline uint shift_of(uint pass)
{
    return BEGIN_BIT + pass * DIGIT_BITS;
}

static inline uint digit_of(KEY image, uint shift)
{
#if END_BIT == 0
    return 0;
#elif KEY_BITS == 128
    const bool are_whole = (END_BIT - BEGIN_BIT) % DIGIT_BITS == 0; /* otherwise the last digit has fewer bits */
    const uint bits = are_whole ? DIGIT_BITS : min(END_BIT - shift, (uint)DIGIT_BITS);
    ulong word = (shift < 64 ? image.x : image.y) >> shift % 64;
    if (BEGIN_BIT % DIGIT_BITS != 0 && shift < 64) /* some digit has bits of both words */
        word |= image.y << 1 << (63 - shift);
    return (uint)word & ((1u << bits) - 1);
#else
    return (uint)((image & SORTED_BITS) >> shift) & (RADIX - 1);
#endif
}

/* Key i + step as it is in memory: of the call's keys if are_given, otherwise of those that a pass has written. */
static inline KEY key_at(const __global KEY *keys, ulong i, uint step, bool are_given)
{
#ifdef INPUT_AT
    if (are_given)
        return INPUT_AT(i + step);
#endif
    return (keys + i)[step];
}

/* Where a pass reads and writes. */
typedef struct {
    bool is_idle; /* nothing to do */
    bool is_first;
    bool is_last;
    uint turn; /* passes that are not idle are numbered from 1 */
#ifdef BOUNDED
    COUNT last; /* greatest place of an element */
#endif
    const __global KEY *keys_from;
    __global KEY *keys_to;
#if VALUE_SIZE
    const __global VALUE *values_from;
    __global VALUE *values_to;
#endif
} route;

/* Key i of a pass, as it is in memory. */
static inline KEY key_from(const route *r, ulong i)
{
    return key_at(r->keys_from, i, 0, r->is_first);
}

#if VALUE_SIZE
/* The value of key i + step. */
static inline VALUE value_from(const route *r, ulong i, uint step)
{
#if INDICES
    if (r->is_first)
        return (VALUE)(i + step);
#endif
    return (r->values_from + i)[step];
}
#endif
