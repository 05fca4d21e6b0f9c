// SPDX-License-Identifier: MIT
/* columns.cl: sort short runs of keys without a branch that depends on them, in vectors: of a block, each lane of ROWS
 * vectors has ROWS consecutive keys, a column, which Batcher's network sorts. Then it merges the upper half of each
 * column with the lower half of the next one. So each run of up to HALF keys is sorted, wherever it begins, if no key
 * of another run belongs into it.
 *
 * Parameters: keys.cl's, all bits sorted; VECTOR, bytes that the device's instructions take at once.
 * Source: Batcher 1968, Sorting Networks and their Applications. */
#include "radix_sort/parts/keys.cl"

#ifndef VECTOR
#error "VECTOR must be given"
#endif

#define LANES_OF(bytes) ((bytes)*8 / KEY_BITS)
#if LANES_OF(VECTOR) >= 16
#define LANES 16
#elif LANES_OF(VECTOR) >= 8
#define LANES 8
#else
#define LANES 4
#endif
#define ROWS  16
#define HALF  (ROWS / 2)
#define BLOCK (ROWS * LANES) /* keys */

#if KEY_BITS == 32
#define KEYS_OF(lanes) uint##lanes
#else
#define KEYS_OF(lanes) ulong##lanes
#endif
#define KEYS_OF_ALL(lanes) KEYS_OF(lanes)

typedef KEYS_OF_ALL(LANES) lanes; /* a key each */
typedef struct {
    lanes keys;
} __attribute__((packed)) loose_lanes; /* of any alignment */

/* Lanes of a and then of b, by number. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define PICK_4(a, b, p, q, r, s)             __builtin_shufflevector(a, b, p, q, r, s)
#define PICK_8(a, b, p, q, r, s, t, u, v, w) __builtin_shufflevector(a, b, p, q, r, s, t, u, v, w)
#define PICK_16(a, b, p, q, r, s, t, u, v, w, h, i, j, k, l, m, n, o)                                                  \
    __builtin_shufflevector(a, b, p, q, r, s, t, u, v, w, h, i, j, k, l, m, n, o)
#endif
#endif
#ifndef PICK_4
#define PICK_4(a, b, p, q, r, s)             shuffle2(a, b, (lanes)(p, q, r, s))
#define PICK_8(a, b, p, q, r, s, t, u, v, w) shuffle2(a, b, (lanes)(p, q, r, s, t, u, v, w))
#define PICK_16(a, b, p, q, r, s, t, u, v, w, h, i, j, k, l, m, n, o)                                                  \
    shuffle2(a, b, (lanes)(p, q, r, s, t, u, v, w, h, i, j, k, l, m, n, o))
#endif

/* The lanes of two vectors by turns: of their lower halves, of their upper ones. And each lane moved up by one, behind
 * the last one of another vector. */
#if LANES == 16
#define LOWER(a, b)  PICK_16(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define UPPER(a, b)  PICK_16(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define BEHIND(a, b) PICK_16(a, b, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#elif LANES == 8
#define LOWER(a, b)  PICK_8(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b)  PICK_8(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define BEHIND(a, b) PICK_8(a, b, 7, 8, 9, 10, 11, 12, 13, 14)
#else
#define LOWER(a, b)  PICK_4(a, b, 0, 4, 1, 5)
#define UPPER(a, b)  PICK_4(a, b, 2, 6, 3, 7)
#define BEHIND(a, b) PICK_4(a, b, 3, 4, 5, 6)
#endif

#define ORDER(x, a, b)                                                                                                 \
    {                                                                                                                  \
        const lanes less = min((x)[a], (x)[b]);                                                                        \
        (x)[b] = max((x)[a], (x)[b]);                                                                                  \
        (x)[a] = less;                                                                                                 \
    }
/* Merge what is sorted in each half of the vectors a, a + s, a + 2 s, ... */
#define MERGE_2(x, a, s) ORDER(x, a, (a) + (s))
#define MERGE_4(x, a, s)                                                                                               \
    MERGE_2(x, a, 2 * (s))                                                                                             \
    MERGE_2(x, (a) + (s), 2 * (s))                                                                                     \
    ORDER(x, (a) + (s), (a) + 2 * (s))
#define MERGE_8(x, a, s)                                                                                               \
    MERGE_4(x, a, 2 * (s))                                                                                             \
    MERGE_4(x, (a) + (s), 2 * (s))                                                                                     \
    ORDER(x, (a) + (s), (a) + 2 * (s))                                                                                 \
    ORDER(x, (a) + 3 * (s), (a) + 4 * (s))                                                                             \
    ORDER(x, (a) + 5 * (s), (a) + 6 * (s))
#define MERGE_16(x)                                                                                                    \
    MERGE_8(x, 0, 2)                                                                                                   \
    MERGE_8(x, 1, 2)                                                                                                   \
    ORDER(x, 1, 2)                                                                                                     \
    ORDER(x, 3, 4)                                                                                                     \
    ORDER(x, 5, 6)                                                                                                     \
    ORDER(x, 7, 8)                                                                                                     \
    ORDER(x, 9, 10)                                                                                                    \
    ORDER(x, 11, 12)                                                                                                   \
    ORDER(x, 13, 14)
#define SORT_4(x, a)                                                                                                   \
    MERGE_2(x, a, 1)                                                                                                   \
    MERGE_2(x, (a) + 2, 1)                                                                                             \
    MERGE_4(x, a, 1)
#define SORT_8(x, a)                                                                                                   \
    SORT_4(x, a)                                                                                                       \
    SORT_4(x, (a) + 4)                                                                                                 \
    MERGE_8(x, a, 1)
#define SORT_16(x)                                                                                                     \
    SORT_8(x, 0)                                                                                                       \
    SORT_8(x, 8)                                                                                                       \
    MERGE_16(x)

static inline lanes lanes_to_images(lanes x)
{
#if KEY_KIND == 1
    x ^= SIGN;
#elif KEY_KIND >= 2
    x ^= (0 - (x >> (KEY_BITS - 1))) | SIGN;
#endif
#if KEY_KIND == 3
    x -= (KEY)MOVED_NANS;
#endif
    x = DESCENDING ? ~x : x;
#if ROTATION
    x = rotate(x, (lanes)ROTATION);
#endif
    return x;
}

static inline lanes lanes_to_keys(lanes x)
{
#if ROTATION
    x = rotate(x, (lanes)(KEY_BITS - ROTATION));
#endif
    x = DESCENDING ? ~x : x;
#if KEY_KIND == 3
    x += (KEY)MOVED_NANS;
#endif
#if KEY_KIND == 1
    x ^= SIGN;
#elif KEY_KIND >= 2
    x ^= ((x >> (KEY_BITS - 1)) - 1) | SIGN;
#endif
    return x;
}

/* One step of a transposition: the bits of the number of a vector and then of a lane are rotated by one. */
static inline void interleave(lanes *to, const lanes *from)
{
#pragma unroll
    for (uint k = 0; k < LANES / 2; k++) {
        to[2 * k] = LOWER(from[k], from[k + LANES / 2]);
        to[2 * k + 1] = UPPER(from[k], from[k + LANES / 2]);
    }
}

static inline void transpose(lanes *x)
{
    lanes y[LANES];
    interleave(y, x);
    interleave(x, y);
#if LANES == 16
    interleave(y, x);
    interleave(x, y);
#elif LANES == 8
    interleave(y, x);
#pragma unroll
    for (uint k = 0; k < LANES; k++)
        x[k] = y[k];
#endif
}

/* Columns from the keys of a block, and back. */
static inline void load_columns(lanes *x, const lanes *block)
{
#pragma unroll
    for (uint row = 0; row < ROWS; row += LANES) {
#pragma unroll
        for (uint k = 0; k < LANES; k++)
            x[row + k] = lanes_to_images(block[(k * ROWS + row) / LANES]);
        transpose(x + row);
    }
}

static inline void store_columns(lanes *block, lanes *x)
{
#pragma unroll
    for (uint row = 0; row < ROWS; row += LANES) {
        transpose(x + row);
#pragma unroll
        for (uint k = 0; k < LANES; k++)
            block[(k * ROWS + row) / LANES] = lanes_to_keys(x[row + k]);
    }
}

/* The keys of a block that begins at `begin`, behind `count` the last of all; and back to where they came from, but
 * HALF before it. */
static inline void load_block(lanes *block, const __global KEY *keys, ulong begin, ulong count)
{
    if (begin + BLOCK <= count) {
        for (uint k = 0; k < ROWS; k++)
            block[k] = ((const __global loose_lanes *)(keys + begin))[k].keys;
        return;
    }
    KEY *to = (KEY *)block;
    for (uint k = 0; k < BLOCK; k++)
        to[k] = begin + k < count ? keys[begin + k] : key_of(LAST_IMAGE);
}

static inline void store_block(__global KEY *keys, const lanes *block, ulong begin, ulong count)
{
    if (begin > 0 && begin + BLOCK <= count + HALF) {
        for (uint k = 0; k < ROWS; k++)
            ((__global loose_lanes *)(keys + begin - HALF))[k].keys = block[k];
        return;
    }
    const KEY *from = (const KEY *)block;
    for (uint k = begin > 0 ? 0 : HALF; k < BLOCK && begin + k < count + HALF; k++)
        keys[begin + k - HALF] = from[k];
}

/* A block's keys are written when the lower half of the next column is known: HALF keys late. */
static inline void sort_columns(__global KEY *keys, ulong count)
{
    lanes upper[HALF]; /* of the columns of the block before; in front of the first key whatever comes first */
    for (uint k = 0; k < HALF; k++)
        upper[k] = 0;
    for (ulong begin = 0; begin < count + HALF; begin += BLOCK) {
        lanes block[ROWS];
        lanes x[ROWS];
        lanes around[ROWS]; /* the border of a column and the next one */
        load_block(block, keys, begin, count);
        load_columns(x, block);
        SORT_16(x)
#pragma unroll
        for (uint k = 0; k < HALF; k++) {
            around[k] = BEHIND(upper[k], x[k + HALF]);
            around[k + HALF] = x[k];
            upper[k] = x[k + HALF];
        }
        MERGE_16(around)
        store_columns(block, around);
        store_block(keys, block, begin, count);
    }
}
