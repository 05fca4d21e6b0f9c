/* keys.cl: keys, the values that go with them, and where a pass reads and writes them.
 *
 * A key in registers and local memory is its image: an unsigned integer in the keys' order. Keys are turned on the way
 * in and turned back on the way out, which takes no pass of its own: of each pass, or of the first and the last where
 * passes leave images for each other (tile.cl). Of floats all bits are flipped where they are negative, else the sign;
 * of signed integers the sign (lecture, radix sort of floats). Where all NaNs come last, the number of negative NaNs,
 * which are the first of all, is subtracted from a float's image: they then come behind the positive ones.
 *
 * Parameters: KEY, an unsigned integer of KEY_BITS, of 128 as the ulong2 of its halves, the lower one first; KEY_KIND 0
 * unsigned, 1 signed, 2 floats, 3 floats with all NaNs last, MOVED_NANS of which are negative; DESCENDING; ROTATION of
 * the image to the left, so that its bits that decide are the highest ones; BEGIN_BIT, END_BIT of
 * the image, both 0 where no bit decides; DIGIT_BITS a pass; VALUE, where each key has one
 * (VALUE_SIZE not 0); INDICES: the values are the keys' places, which the first pass makes up; COUNT, an unsigned
 * integer in which elements can be counted; COUNTED: n is only an upper bound, of which the device knows more
 * (CALL_COUNT_0): groups that then have nothing to do leave; INPUT_AT(i), where the keys come from an expression and
 * not from an array: only the first pass computes them. */
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
#define LAST_IMAGE ((KEY) ~(KEY)0) /* none comes after it: what fills up a tile */
#if END_BIT == 0                   /* one pass, in which all digits are 0, brings the elements where they shall lie */
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
    key ^= (KEY)(0 - (key >> (KEY_BITS - 1))) | SIGN; /* a shift and one instruction more */
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

#define HAS_IMAGES (KEY_KIND != 0 || DESCENDING || ROTATION) /* that are not the keys themselves */

static inline uint shift_of(uint pass)
{
    return BEGIN_BIT + pass * DIGIT_BITS;
}

static inline uint digit_of(KEY image, uint shift)
{
#if END_BIT == 0
    return 0;
#elif KEY_BITS == 128
    const bool are_whole = (END_BIT - BEGIN_BIT) % DIGIT_BITS == 0; /* else the last digit has fewer bits */
    const uint bits = are_whole ? DIGIT_BITS : min(END_BIT - shift, (uint)DIGIT_BITS);
    ulong word = (shift < 64 ? image.x : image.y) >> shift % 64;
    if (BEGIN_BIT % DIGIT_BITS != 0 && shift < 64) /* there is a digit with bits of both words */
        word |= image.y << 1 << (63 - shift);
    return (uint)word & ((1u << bits) - 1);
#else
    return (uint)((image & SORTED_BITS) >> shift) & (RADIX - 1);
#endif
}

/* Key i + step as it is in memory: of those of the call, are_given, or of those that a pass has written. */
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
    uint turn; /* passes that are not idle are counted from 1 */
#ifdef BOUNDED
    COUNT last; /* place of an element */
#endif
    const __global KEY *keys_from;
    __global KEY *keys_to;
#if VALUE_SIZE
    const __global VALUE *values_from;
    __global VALUE *values_to;
#endif
} route;

/* A pass's key i, as it is in memory. */
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
